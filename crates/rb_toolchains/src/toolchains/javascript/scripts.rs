//! The scripts of a `package.json`, followed through each other down to the programs that are run.
//!
//! `npm run`, `run-s`, `npm-run-all`, `pre` and `post` scripts and `cross-env` are taken apart; whatever is more than a
//! chain of commands is not, and the caller runs the script as it is.

use crate::shell::{self, Joint, Part, Word};

use super::manifest::Manifest;
use super::programs;

/// One program that a script runs.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) part: Part,
    /// The scripts that led here, outermost first.
    pub(super) via: Vec<String>,
}

impl Leaf {
    /// Does it change files on purpose?
    pub(super) fn writes(&self) -> bool {
        matches!(programs::checker(&self.part), Some((_, programs::Effect::Writes)))
    }
}

/// Scripts that call scripts end somewhere, unless they call themselves.
const MAX_DEPTH: usize = 8;
const MAX_LEAVES: usize = 64;

pub(super) struct Scripts<'a> {
    pub(super) manifest: &'a Manifest,
    /// Does the manager run `pretest` and `posttest` by itself?
    pub(super) runs_hooks: bool,
}

impl Scripts<'_> {
    /// What the script runs, in order; `None` when it cannot be understood.
    pub(super) fn leaves(&self, name: &str) -> Option<Vec<Leaf>> {
        let mut leaves = Vec::new();
        self.follow(name, &[], &mut leaves)?;
        Some(leaves)
    }

    fn follow(&self, name: &str, via: &[String], leaves: &mut Vec<Leaf>) -> Option<()> {
        if via.len() >= MAX_DEPTH
            || leaves.len() >= MAX_LEAVES
            || via.iter().any(|seen| seen == name)
        {
            return None;
        }
        let script = self.manifest.scripts.get(name)?;
        let via: Vec<String> = via.iter().cloned().chain([name.to_owned()]).collect();
        let hook = |kind: &str| {
            Some(format!("{kind}{name}"))
                .filter(|hook| self.runs_hooks && self.manifest.scripts.contains_key(hook))
        };
        if let Some(hook) = hook("pre") {
            self.follow(&hook, &via, leaves)?;
        }
        let parts = chain(shell::parse(script)?)?;
        for part in parts {
            self.part(&plain(part), &via, leaves)?;
        }
        if let Some(hook) = hook("post") {
            self.follow(&hook, &via, leaves)?;
        }
        Some(())
    }

    fn part(&self, part: &Part, via: &[String], leaves: &mut Vec<Leaf>) -> Option<()> {
        if part.words.is_empty() {
            return None;
        }
        if let Some(names) = several(part, self.manifest) {
            return names.iter().try_for_each(|name| self.call(name, &[], part, via, leaves));
        }
        match call(part, self.manifest) {
            Call::Script(name, extra) => self.call(&name, &extra, part, via, leaves),
            Call::Program(part) => {
                leaves.push(Leaf { part, via: via.to_vec() });
                (leaves.len() <= MAX_LEAVES).then_some(())
            }
        }
    }

    /// A script called by another: its environment and further arguments go along.
    fn call(
        &self,
        name: &str,
        extra: &[Word],
        by: &Part,
        via: &[String],
        leaves: &mut Vec<Leaf>,
    ) -> Option<()> {
        let start = leaves.len();
        self.follow(name, via, leaves)?;
        for leaf in &mut leaves[start..] {
            leaf.part.env.splice(0..0, by.env.iter().cloned());
        }
        if !extra.is_empty() {
            // As npm does: what is given goes to the end of the script's own line, and a hook after it gets none.
            let own = leaves[start..]
                .iter_mut()
                .rfind(|leaf| !leaf.via.iter().any(|seen| *seen == format!("post{name}")));
            own?.part.words.extend(extra.iter().cloned());
        }
        Some(())
    }
}

/// Only a chain of `&&` is sure to mean the same when its parts are run one by one, if no part changes the shell or asks for
/// what the manager puts into the environment. A view at the end of a pipe is let go.
fn chain(mut parts: Vec<Part>) -> Option<Vec<Part>> {
    parts.retain(|part| !(part.joint == Joint::Pipe && programs::is_tap_view(part)));
    let asks_manager = |word: &Word| word.raw.contains("$npm_") || word.raw.contains("${npm_");
    let stands = |part: &Part| {
        matches!(part.joint, Joint::First | Joint::And)
            && !part.changes_shell()
            && !part.words.iter().any(asks_manager)
            && !part.env.iter().any(|(_, value)| asks_manager(value))
    };
    parts.iter().all(stands).then_some(parts)
}

enum Call {
    Script(String, Vec<Word>),
    /// Without `npx` and its like: the folders of installed programs are on the path.
    Program(Part),
}

/// Is the part a call of a script, or of an installed program, through a manager?
fn call(part: &Part, manifest: &Manifest) -> Call {
    if programs::calls_every_package(part) {
        return Call::Program(part.clone());
    }
    if let Some((at, name)) = script_at(part, manifest) {
        // npm takes a lone `--` for itself.
        let is_kept = |word: &&Word| word.text != "--";
        let extra = part.words[at + 1..].iter().filter(is_kept).cloned().collect();
        return Call::Script(name.to_owned(), extra);
    }
    let words = part.words[program_at(part, manifest)..].to_vec();
    Call::Program(Part { words, ..part.clone() })
}

/// Where the name of a script stands, and the script.
fn script_at<'p>(part: &'p Part, manifest: &Manifest) -> Option<(usize, &'p str)> {
    let found = match (part.program(), part.word(1), part.word(2)) {
        ("npm" | "pnpm" | "yarn", "run", "-s" | "--silent")
        | ("npm" | "pnpm" | "yarn", "-s" | "--silent", "run") => (3, part.word(3)),
        ("npm" | "pnpm" | "yarn" | "bun", "run" | "run-script", name) => (2, name),
        ("npm" | "pnpm" | "yarn", "test" | "t" | "tst", _) => (1, "test"),
        ("pnpm" | "yarn", name, _) => (1, name),
        // `bun test` is a runner.
        ("bun", name, _) if name != "test" => (1, name),
        _ => return None,
    };
    manifest.scripts.contains_key(found.1).then_some(found)
}

/// Where the name of an installed program stands, behind whatever calls it.
fn program_at(part: &Part, manifest: &Manifest) -> usize {
    let is_name = |name: &str| !name.is_empty() && !name.starts_with('-');
    match (part.program(), part.word(1), part.word(2)) {
        ("npx", "--no-install" | "--no" | "-y" | "--yes", name)
        | ("npm" | "pnpm" | "yarn", "exec" | "x", name)
        | ("bun", "x", name)
            if is_name(name) =>
        {
            2
        }
        ("npx" | "bunx" | "pnpx", name, _) if is_name(name) => 1,
        ("npm" | "pnpm" | "yarn", "exec" | "run" | "x", "--") if part.words.len() > 3 => 3,
        ("yarn" | "pnpm", name, _) if is_installed_name(name, manifest) => 1,
        _ => 0,
    }
}

/// `yarn jest` is the program when the package asks for it; `yarn install` never is.
fn is_installed_name(name: &str, manifest: &Manifest) -> bool {
    let package = match name {
        "tsc" => "typescript",
        "playwright" => "@playwright/test",
        "biome" => "@biomejs/biome",
        name => name,
    };
    manifest.depends_on(package)
}

/// `run-s a b`, `run-p a b`, `npm-run-all a b --parallel c`: scripts that are all run. Order is kept; those that run side by
/// side may as well run one after the other.
fn several(part: &Part, manifest: &Manifest) -> Option<Vec<String>> {
    if !["run-s", "run-p", "npm-run-all", "npm-run-all2"].contains(&part.program()) {
        return None;
    }
    let mut names = Vec::new();
    for word in &part.words[1..] {
        match word.text.as_str() {
            "-s"
            | "-p"
            | "--sequential"
            | "--serial"
            | "--parallel"
            | "-l"
            | "--print-label"
            | "-c"
            | "--continue-on-error"
            | "--silent"
            | "-n"
            | "--print-name"
            | "--aggregate-output" => {}
            flag if flag.starts_with('-') => return None,
            glob if glob.contains('*') => {
                let matching = manifest.scripts.keys().filter(|name| matches(glob, name));
                names.extend(matching.cloned());
            }
            name => names.push(name.to_owned()),
        }
    }
    Some(names)
}

/// `lint:*` is one more part after the colon, `lint:**` any number.
fn matches(glob: &str, name: &str) -> bool {
    let Some(rest) = glob.split('*').next().and_then(|start| name.strip_prefix(start)) else {
        return false;
    };
    glob.ends_with("**") || !rest.contains(':')
}

/// The part without what only chooses how it is called.
fn plain(part: Part) -> Part {
    plain_corepack(plain_cross_env(part))
}

/// `corepack pnpm jest` is `pnpm jest` in the version that the manifest names; without network there is but the one.
fn plain_corepack(mut part: Part) -> Part {
    if part.word(0) == "corepack" && ["npm", "npx", "pnpm", "pnpx", "yarn"].contains(&part.word(1))
    {
        part.words.remove(0);
    }
    part
}

/// `cross-env A=1 jest` is `A=1 jest` on every system that has a shell.
fn plain_cross_env(mut part: Part) -> Part {
    let start = match part.program() {
        "cross-env" | "env" => 1,
        "npx" if part.word(1) == "cross-env" => 2,
        _ => return part,
    };
    let is_assignment = |word: &&Word| {
        word.plain && word.text.split_once('=').is_some_and(|(name, _)| is_name(name))
    };
    let count = part.words[start..].iter().take_while(is_assignment).count();
    if count == 0
        || part.words.len() <= start + count
        || part.words[start + count].text.starts_with('-')
    {
        return part;
    }
    for word in part.words.drain(..start + count).skip(start) {
        let (name, value) = word.text.split_once('=').expect("assignments were counted");
        part.env.push((name.to_owned(), Word::new(value)));
    }
    part
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The part without `npx`, `yarn exec` and `cross-env`, for lines that no manifest explains.
pub(super) fn direct(part: &Part) -> Part {
    match call(&plain(part.clone()), &Manifest::default()) {
        Call::Program(part) => part,
        Call::Script(..) => part.clone(),
    }
}
