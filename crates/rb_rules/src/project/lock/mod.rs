//! The versions that a lock file pins.
//!
//! Four package managers, one question: which version of `name` does the package in this folder get. A file is read when
//! it is first asked, as a table of texts. Where it does not say which of several versions is meant, the answer is none.

mod bun;
mod npm;
mod pnpm;
mod yarn;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::paths::{ancestors, below};
use crate::version::Version;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Npm,
    Yarn,
    Pnpm,
    Bun,
}

impl Kind {
    pub(super) fn of_name(name: &str) -> Option<Kind> {
        Some(match name {
            "package-lock.json" | "npm-shrinkwrap.json" => Kind::Npm,
            "yarn.lock" => Kind::Yarn,
            "pnpm-lock.yaml" => Kind::Pnpm,
            "bun.lock" => Kind::Bun,
            _ => return None,
        })
    }
}

#[derive(Debug)]
pub(super) struct Lock {
    /// The folder of the file; empty for the root.
    pub(super) dir: String,
    kind: Kind,
    text: String,
    table: OnceLock<Table>,
}

/// From a key, whose shape each kind chooses, to a version as it is written.
type Table = BTreeMap<String, Box<str>>;

/// Who asks for what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ask<'a> {
    /// The folder of the package that depends on it.
    pub(super) dir: &'a str,
    /// The name of that package.
    pub(super) from: Option<&'a str>,
    pub(super) name: &'a str,
    /// As the manifest has it, with catalogs looked up.
    pub(super) range: Option<&'a str>,
}

impl Lock {
    pub(super) fn new(dir: String, kind: Kind, text: String) -> Lock {
        Lock { dir, kind, text, table: OnceLock::new() }
    }

    pub(super) fn version(&self, ask: &Ask<'_>) -> Option<Version> {
        let inner = below(ask.dir, &self.dir)?;
        let table = self.table.get_or_init(|| self.read());
        let found = match self.kind {
            Kind::Npm => npm::find(table, inner, ask),
            Kind::Yarn => yarn::find(table, ask),
            Kind::Pnpm => pnpm::find(table, inner, ask),
            Kind::Bun => bun::find(table, ask),
        };
        Version::parse(found?)
    }

    fn read(&self) -> Table {
        match self.kind {
            Kind::Npm => npm::read(&self.text),
            Kind::Yarn => yarn::read(&self.text),
            Kind::Pnpm => pnpm::read(&self.text),
            Kind::Bun => bun::read(&self.text),
        }
    }
}

/// The version that all keys from `prefix` on agree on.
fn only<'t>(table: &'t Table, prefix: &str) -> Option<&'t str> {
    let range = table.range(prefix.to_owned()..);
    let mut versions = range.take_while(|(key, _)| key.starts_with(prefix)).map(|(_, it)| &**it);
    let first = versions.next()?;
    versions.all(|other| other == first).then_some(first)
}

/// The folder, those around it, and the root of the lock file.
fn folders(inner: &str) -> impl Iterator<Item = &str> {
    ancestors(inner)
}

#[cfg(test)]
mod tests;
