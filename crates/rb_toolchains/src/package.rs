//! What `detect` says: the packages of a repository with their commands.

use std::fmt;

use serde::Serialize;

use crate::command::{Command, CommandOrigin, Purpose, Unit};
use crate::dependencies::Dependencies;
use crate::toolchains::Toolchain;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Detected {
    /// Sorted by folder, then by toolchain.
    pub packages: Vec<Package>,
    /// What was seen and not used, and why.
    pub notes: Vec<String>,
}

impl Detected {
    /// All commands for a purpose, in the order of the packages.
    pub fn commands(&self, purpose: Purpose) -> impl Iterator<Item = &Command> {
        let all = self.packages.iter().flat_map(|package| &package.commands);
        all.filter(move |command| command.purpose == purpose)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Package {
    /// Relative to the root; empty is the root.
    pub folder: String,
    pub name: Option<String>,
    pub toolchain: Toolchain,
    /// `npm`, `pnpm`, `yarn`, `bun`, `uv`, `poetry`, `pip`, `cargo`, `go`, `maven`, `gradle`, `bundler`, `composer`, `dotnet`.
    pub manager: Option<&'static str>,
    /// Sorted by purpose; within one purpose as the project runs them.
    pub commands: Vec<Command>,
    /// Relative to the root. For a member of a workspace, those of the workspace.
    pub lockfiles: Vec<String>,
    pub dependencies: Dependencies,
    /// Folders of installed programs, relative to the root, nearest first; those of its commands' `path`.
    pub path: Vec<String>,
}

/// In words, a line a command; what the person may want to see, not all there is.
impl fmt::Display for Detected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for package in &self.packages {
            let folder = if package.folder.is_empty() { "." } else { &package.folder };
            let name = package.name.as_deref().unwrap_or("(no name)");
            let manager = package.manager.unwrap_or("no manager");
            writeln!(f, "{folder}: {name}, {}, {manager}", package.toolchain.name())?;
            for command in &package.commands {
                write_command(f, package, command)?;
            }
        }
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        Ok(())
    }
}

fn write_command(f: &mut fmt::Formatter<'_>, package: &Package, command: &Command) -> fmt::Result {
    let inside = if command.folder == package.folder {
        String::new()
    } else {
        format!(" in {}", command.folder)
    };
    let CommandOrigin { file, what } = &command.found;
    writeln!(f, "  {}: {}{inside}  [{file} {what}]", command.purpose.name(), command.line)?;
    for step in &command.before {
        writeln!(f, "    before: {}", step.line)?;
    }
    for step in &command.after {
        writeln!(f, "    after: {}", step.line)?;
    }
    if let Some(ask) = &command.report {
        write!(f, "    report: {:?} {:?}:", ask.kind, ask.place)?;
        for (name, value) in &ask.env {
            write!(f, " {name}={value}")?;
        }
        writeln!(f, " {}", words(&ask.argv))?;
    }
    if let Some(select) = &command.select {
        let unit = match &select.unit {
            Unit::Files => "files",
            Unit::Folders => "folders",
            Unit::CargoPackages(_) => "packages",
            Unit::Classes { .. } => "classes",
        };
        writeln!(f, "    select {unit}: {}", words(&select.argv))?;
    }
    Ok(())
}

/// A module that is part of a command line is not for reading.
fn words(argv: &[String]) -> String {
    let short = argv.iter().map(|word| match word.split_once("data:text/javascript,") {
        Some((before, _)) => format!("{before}data:…"),
        None => word.clone(),
    });
    short.collect::<Vec<_>>().join(" ")
}
