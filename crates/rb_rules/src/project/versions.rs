//! Which version of a package is there: as installed, else as locked, else the least that the manifest takes.

use super::installed::Installed;
use super::lock::{Ask, Kind, Lock};
use super::manifest::{Manifest, Manifests};
use super::paths::{file_name, parent};
use crate::version::{Version, lower_bound};
use rb_index::{Texts, View};

/// A lock file of the largest repositories has some megabytes.
const MAX_LOCK: u64 = 64 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolved {
    pub version: Version,
    pub source: Source,
}

/// Where a version is known from, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    Installed,
    Lockfile,
    /// The least version of the range: the real one may be higher.
    Manifest,
}

/// All that is known of versions in a repository.
#[derive(Debug)]
pub(super) struct Versions {
    pub(super) manifests: Manifests,
    pub(super) installed: Installed,
    /// The innermost first.
    locks: Vec<Lock>,
}

impl Versions {
    pub(super) fn new(
        view: &View<'_>,
        texts: &dyn Texts,
        manifests: Manifests,
        installed: Installed,
    ) -> Versions {
        let lock = |id| {
            let file = view.file(id);
            let kind = Kind::of_name(file_name(file.path)).filter(|_| file.size <= MAX_LOCK)?;
            // One that no package lies beside belongs to a fixture.
            manifests.all.get(parent(file.path))?;
            let text = String::from_utf8(texts.text(file.path)?).ok()?;
            Some(Lock::new(parent(file.path).to_owned(), kind, text))
        };
        let mut locks: Vec<Lock> = view.tree.ids().filter_map(lock).collect();
        locks.sort_by_key(|lock| std::cmp::Reverse(lock.dir.len()));
        Versions { manifests, installed, locks }
    }

    /// Of `name`, as the package in `dir` gets it. `None` also where it is another package under that name.
    pub(super) fn of(&self, dir: &str, name: &str) -> Option<Resolved> {
        let found = |source| move |version| Resolved { version, source };
        if let Some(package) = self.installed.find(name, dir) {
            let version = package.version.filter(|_| package.name == name);
            return version.map(found(Source::Installed));
        }
        let declared = self.declared(dir, name);
        let range = match declared {
            Some((manifest, range)) => {
                Some(self.manifests.plain_range(&manifest.dir, name, range)?)
            }
            None => None,
        };
        let (dir, from) = declared.map_or((dir, None), |(it, _)| (&*it.dir, it.name()));
        let ask = Ask { dir, from, name, range };
        let locked = self.locks.iter().find_map(|lock| lock.version(&ask));
        locked
            .map(found(Source::Lockfile))
            .or_else(|| self.least(name, range?).map(found(Source::Manifest)))
    }

    /// The innermost package around `dir` that depends on `name`, and its range.
    fn declared(&self, dir: &str, name: &str) -> Option<(&Manifest, &str)> {
        self.manifests.visible(dir).find_map(|it| Some((it, it.ranges.get(name)?.as_str())))
    }

    /// The least version of a range; of a member of the workspace the one that it has.
    pub(super) fn least(&self, name: &str, range: &str) -> Option<Version> {
        match range.strip_prefix("workspace:") {
            Some("*" | "^" | "~") => {
                Version::parse(self.manifests.named(name)?.doc.text_at("version")?)
            }
            range_of_member => lower_bound(range_of_member.unwrap_or(range)),
        }
    }
}
