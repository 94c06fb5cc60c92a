//! Which `package.json` files are packages, which of them belong together, and whose command is taken when a root and
//! its members both have one.

use std::collections::{BTreeMap, BTreeSet};

use crate::aside;
use crate::command::{Command, Purpose};
use crate::glob;
use crate::tree::{Tree, is_within, join, upward};

use super::commands::Commands;
use super::install;
use super::manifest::{Manifest, globs};

/// Manifests by folder, each with the folder of its workspace (its own when it has none).
pub(super) struct Workspaces {
    pub(super) manifests: BTreeMap<String, Manifest>,
    roots: BTreeMap<String, String>,
}

impl Workspaces {
    pub(super) fn read(tree: &Tree<'_>) -> Self {
        let folders = tree.folders_with("package.json");
        let mut patterns: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for &folder in
            folders.iter().filter(|folder| !folder.split('/').any(|part| part == "node_modules"))
        {
            let globs = members(tree, folder);
            if !globs.is_empty() && !aside::is_aside(folder) {
                patterns.insert(folder, globs);
            }
        }
        let mut manifests = BTreeMap::new();
        let mut roots = BTreeMap::new();
        let mut left_out = aside::LeftOut::default();
        for folder in folders {
            let root = upward(folder).skip(1).find(|root| {
                patterns.get(root).is_some_and(|globs| is_member(globs, root, folder))
            });
            // Beside the members of a workspace only what has packages of its own stands for itself.
            let unlisted =
                upward(folder).skip(1).any(|at| patterns.contains_key(at)) && !folder.is_empty();
            let stands = install::has_lockfile(tree, folder) || patterns.contains_key(folder);
            if root.is_none() && (aside::is_aside(folder) || (unlisted && !stands)) {
                left_out.add(folder);
            } else if let Some(manifest) = Manifest::read(tree, folder) {
                roots.insert(folder.to_owned(), root.unwrap_or(folder).to_owned());
                manifests.insert(folder.to_owned(), manifest);
            }
        }
        left_out.tell(tree, "package.json");
        Workspaces { manifests, roots }
    }

    pub(super) fn root_of<'m>(&'m self, manifest: &'m Manifest) -> &'m Manifest {
        let root = self.roots.get(&manifest.folder).and_then(|folder| self.manifests.get(folder));
        root.unwrap_or(manifest)
    }

    pub(super) fn members(&self, root: &str) -> impl Iterator<Item = &String> {
        self.roots
            .iter()
            .filter(move |(folder, of)| *of == root && *folder != root)
            .map(|(folder, _)| folder)
    }
}

fn members(tree: &Tree<'_>, folder: &str) -> Vec<String> {
    let pnpm = || Some(globs(tree.yaml(&join(folder, "pnpm-workspace.yaml"))?.get("packages")?));
    let npm = || Some(globs(tree.json(&join(folder, "package.json"))?.get("workspaces")?));
    let lerna = || Some(globs(tree.json(&join(folder, "lerna.json"))?.get("packages")?));
    let known = pnpm().or_else(npm).or_else(lerna);
    known.unwrap_or_default()
}

fn is_member(globs: &[String], root: &str, folder: &str) -> bool {
    let rest = if root.is_empty() { folder } else { &folder[root.len() + 1..] };
    let is = |glob: &str| glob::matches(glob.trim_start_matches("./").trim_end_matches('/'), rest);
    let mut taken = false;
    for glob in globs {
        match glob.strip_prefix('!') {
            Some(glob) => taken &= !is(glob),
            None => taken |= is(glob),
        }
    }
    taken && !folder.split('/').any(|part| part == "node_modules")
}

/// Takes each command once: from the root where its command covers the members, from the members where the root only
/// calls them one by one and a report for each can be had.
pub(super) fn settle(
    tree: &Tree<'_>,
    root: &str,
    members: &[&String],
    all: &mut BTreeMap<String, Commands>,
) {
    let Some(mut top) = all.remove(root) else { return };
    let mut called = BTreeSet::new();
    for command in std::mem::take(&mut top.every_package) {
        let purpose = command.purpose;
        let theirs = members.iter().filter(|member| has(all, member, purpose)).count();
        if theirs > 0 && has_reports(purpose) {
            called.insert(purpose);
            let build = top.all.iter().find(|command| command.purpose == Purpose::Build);
            tell_called(tree, &command, theirs, build);
        } else {
            top.all.push(command);
        }
    }
    for command in top.all.iter().filter(|command| !called.contains(&command.purpose)) {
        match command.purpose {
            // Found by settings alone it may not reach into the members.
            Purpose::Typecheck if !command.found.what.starts_with("scripts") => {}
            purpose if has_reports(purpose) => {
                let runner = command.runner;
                drop_from(all, members, tree, command, |theirs| {
                    runner.is_none() || theirs.runner == runner
                });
            }
            _ => drop_from(all, members, tree, command, |_| true),
        }
    }
    all.insert(root.to_owned(), top);
}

/// Only tests tell more when each package is run by itself.
fn has_reports(purpose: Purpose) -> bool {
    match purpose {
        Purpose::Test | Purpose::Integration | Purpose::Benchmark => true,
        Purpose::Build | Purpose::Typecheck | Purpose::Lint | Purpose::Format => false,
    }
}

fn tell_called(tree: &Tree<'_>, command: &Command, theirs: usize, build: Option<&Command>) {
    let first =
        build.map_or_else(String::new, |build| format!("; they may need `{}` first", build.line));
    let (line, what, theirs) = (&command.line, plural(command.purpose), packages(theirs));
    let place = format!("{} {}", command.found.file, command.found.what);
    tree.note(format!(
        "`{line}` ({place}) calls every package; the {what} of {theirs} are taken instead, for a report \
         from each{first}"
    ));
}

fn has(all: &BTreeMap<String, Commands>, member: &str, purpose: Purpose) -> bool {
    all.get(member)
        .is_some_and(|commands| commands.all.iter().any(|command| command.purpose == purpose))
}

fn drop_from(
    all: &mut BTreeMap<String, Commands>,
    members: &[&String],
    tree: &Tree<'_>,
    by: &Command,
    covered: impl Fn(&Command) -> bool,
) {
    let mut count = 0;
    for member in members.iter().filter(|member| is_within(member, &by.folder)) {
        let Some(commands) = all.get_mut(member.as_str()) else { continue };
        let before = commands.all.len();
        commands.all.retain(|command| command.purpose != by.purpose || !covered(command));
        commands.every_package.retain(|command| command.purpose != by.purpose);
        count += usize::from(commands.all.len() < before);
    }
    if count > 0 {
        let (line, purpose) = (&by.line, plural(by.purpose));
        tree.note(format!(
            "`{line}` ({} {}) covers the {purpose} of {}",
            by.found.file,
            by.found.what,
            packages(count)
        ));
    }
}

fn packages(count: usize) -> String {
    if count == 1 { "1 package".to_owned() } else { format!("{count} packages") }
}

fn plural(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Build => "builds",
        Purpose::Typecheck => "type checks",
        Purpose::Lint => "lints",
        Purpose::Format => "format checks",
        Purpose::Test => "tests",
        Purpose::Integration => "integration tests",
        Purpose::Benchmark => "benchmarks",
    }
}
