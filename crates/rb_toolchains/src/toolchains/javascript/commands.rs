//! The commands of one `package.json`: its scripts taken apart, then what settings files alone show.

use crate::args::Args;
use crate::command::{Command, CommandOrigin, ReportLocation, Purpose, ReportKind, Runner, Step};
use crate::known::{Hints, KnownCommand};
use crate::shell::{self, Part};
use crate::toolchains::Toolchain;
use crate::tree::{Tree, join};

use super::manifest::Manifest;
use super::programs;
use super::scripts::{Leaf, Scripts};
use super::{recognise, settings};

pub(super) struct Context<'t, 'a> {
    pub(super) tree: &'t Tree<'a>,
    pub(super) manifest: &'t Manifest,
    pub(super) manager: &'static str,
    pub(super) runs_hooks: bool,
    /// Of a workspace: settings of tools are then a matter of its root.
    pub(super) is_member: bool,
    pub(super) path: Vec<String>,
    pub(super) hints: Hints,
}

#[derive(Default)]
pub(super) struct Commands {
    pub(super) all: Vec<Command>,
    /// Commands that call the same script in every package.
    pub(super) every_package: Vec<Command>,
}

const TESTS: &[&str] = &[
    "test",
    "test:unit",
    "test-unit",
    "unit",
    "tests",
    "test:ci",
    "test-ci",
    "jest",
    "vitest",
    "mocha",
];
const INTEGRATION: &[&str] = &[
    "test:integration",
    "test-integration",
    "integration",
    "test:e2e",
    "test-e2e",
    "e2e",
    "test:int",
    "e2e:test",
];
const BENCHMARKS: &[&str] = &["bench", "benchmark", "benchmarks", "test:bench"];
const TYPECHECKS: &[&str] = &[
    "typecheck",
    "type-check",
    "check-types",
    "check:types",
    "types:check",
    "typescript",
    "tsc",
    "test:types",
    "test-types",
    "lint:types",
    "test:typecheck",
    "check-type",
    "ts:check",
];
const LINTS: &[&str] =
    &["lint", "lint:check", "lint:js", "eslint", "check:lint", "lint-eslint", "biome"];
const FORMATS: &[&str] = &[
    "format:check",
    "format-check",
    "check-format",
    "check:format",
    "fmt:check",
    "prettier:check",
    "prettier-check",
    "check:prettier",
    "lint:format",
    "lint:prettier",
    "format",
    "prettier",
    "fmt",
];
const BUILDS: &[&str] = &["build", "compile"];

pub(super) fn commands(context: &Context<'_, '_>) -> Commands {
    let mut commands = Commands::default();
    for (purpose, names) in [
        (Purpose::Build, BUILDS),
        (Purpose::Typecheck, TYPECHECKS),
        (Purpose::Lint, LINTS),
        (Purpose::Format, FORMATS),
    ] {
        let named = || names.iter().filter(|name| context.manifest.scripts.contains_key(**name));
        let found = named().any(|name| context.check(purpose, name, &mut commands))
            || context.checker_script(purpose, &mut commands)
            || named().any(|name| context.check_harmless(purpose, name, &mut commands));
        if !found {
            context.tell_writers(named());
        }
    }
    for (purpose, names) in [
        (Purpose::Test, TESTS),
        (Purpose::Integration, INTEGRATION),
        (Purpose::Benchmark, BENCHMARKS),
    ] {
        let there = |name: &&&str| {
            context.manifest.scripts.get(**name).is_some_and(|script| !is_empty_test(script))
        };
        if let Some(name) = names.iter().find(there) {
            context.tests(purpose, name, &mut commands);
        }
    }
    settings::add(context, &mut commands);
    commands
}

/// What `npm init` writes.
fn is_empty_test(script: &str) -> bool {
    script.contains("no test specified") || script.trim().is_empty()
}

impl Context<'_, '_> {
    pub(super) fn found(&self, via: &[String]) -> CommandOrigin {
        let what = via.iter().map(|name| format!("scripts.{name}")).collect::<Vec<_>>().join(" → ");
        CommandOrigin { file: join(&self.manifest.folder, "package.json"), what }
    }

    pub(super) fn command(&self, known: KnownCommand, found: CommandOrigin) -> Command {
        let mut command = known.into_command(&self.manifest.folder, self.path.clone(), found);
        if command.needs.iter().all(|need| need != "node" && need != "bun") {
            command.needs.push("node".to_owned());
        }
        command
    }

    fn leaves(&self, name: &str) -> Option<Vec<Leaf>> {
        Scripts { manifest: self.manifest, runs_hooks: self.runs_hooks }.leaves(name)
    }

    /// The script as a person calls it.
    fn whole(&self, purpose: Purpose, name: &str) -> Command {
        let line = match (self.manager, name) {
            ("npm" | "pnpm" | "yarn", "test") => format!("{} test", self.manager),
            (manager, name) => format!("{manager} run {name}"),
        };
        let part = shell::parse(&line).and_then(|parts| parts.into_iter().next());
        let part = part.unwrap_or_else(|| Part::of(&[self.manager, "run", name]));
        let mut command = self.command(
            KnownCommand::plain(Toolchain::Javascript, purpose, part),
            self.found(&[name.to_owned()]),
        );
        if matches!(purpose, Purpose::Test | Purpose::Integration) {
            command.runner = self.only_runner();
        }
        command
    }

    /// The runner that the package asks for, if it is one alone: what it prints can then be read.
    fn only_runner(&self) -> Option<Runner> {
        let names = [
            ("jest", Runner::Jest),
            ("vitest", Runner::Vitest),
            ("mocha", Runner::Mocha),
            ("ava", Runner::Ava),
            ("tape", Runner::Tape),
            ("tap", Runner::NodeTap),
        ];
        let mut asked = names.iter().filter(|(name, _)| self.manifest.depends_on(name));
        let first = asked.next()?.1;
        asked.next().is_none().then_some(first)
    }

    /// A build, a type check, a lint, a format check; false when the script is of no use for that.
    fn check(&self, purpose: Purpose, name: &str, commands: &mut Commands) -> bool {
        let leaves = self.leaves(name);
        if purpose != Purpose::Build && leaves.iter().flatten().any(Leaf::writes) {
            return false;
        }
        let every = leaves.iter().flatten().any(|leaf| programs::calls_every_package(&leaf.part));
        let found = self.found(&[name.to_owned()]);
        let command = match leaves.as_deref() {
            Some([leaf]) if !every => {
                self.command(KnownCommand::plain(Toolchain::Javascript, purpose, leaf.part.clone()), found)
            }
            _ => self.whole(purpose, name),
        };
        let list = if every { &mut commands.every_package } else { &mut commands.all };
        list.push(command);
        true
    }

    /// A script of any name that is one checker for this purpose: `test:code`, `check`.
    fn checker_script(&self, purpose: Purpose, commands: &mut Commands) -> bool {
        let is_other =
            |name: &str| ["fix", "watch", "staged"].iter().any(|word| name.contains(word));
        for name in self.manifest.scripts.keys().filter(|name| !is_other(name)) {
            let leaves = self.leaves(name).unwrap_or_default();
            let [leaf] = leaves.as_slice() else { continue };
            let known = self.checker(&leaf.part).filter(|known| known.purpose == purpose);
            if let Some(known) = known {
                commands.all.push(self.command(known, self.found(std::slice::from_ref(name))));
                return true;
            }
        }
        false
    }

    /// A script that is one checker which writes, run without that.
    fn check_harmless(&self, purpose: Purpose, name: &str, commands: &mut Commands) -> bool {
        let leaves = self.leaves(name).unwrap_or_default();
        let [leaf] = leaves.as_slice() else { return false };
        let Some(part) = programs::harmless(&leaf.part) else { return false };
        let found = self.found(&[name.to_owned()]);
        let line = part.line();
        self.tree
            .note(format!("`{}` {} writes files; it is run as `{line}`", found.file, found.what));
        commands.all.push(self.command(KnownCommand::plain(Toolchain::Javascript, purpose, part), found));
        true
    }

    fn tell_writers<'n>(&self, names: impl Iterator<Item = &'n &'n str>) {
        for name in names {
            if self.leaves(name).iter().flatten().any(Leaf::writes) {
                let found = self.found(&[(*name).to_owned()]);
                self.tree
                    .note(format!("`{}` {} writes files and was not used", found.file, found.what));
            }
        }
    }

    /// A script that tests: the runner gets a reporter, what stands around it is kept, checkers go to their own purpose.
    fn tests(&self, purpose: Purpose, name: &str, commands: &mut Commands) {
        let Some(leaves) = self.leaves(name) else {
            commands.all.push(self.whole(purpose, name));
            return;
        };
        let mut split = Split::default();
        for leaf in &leaves {
            self.place(purpose, leaf, &mut split);
        }
        if split.every_package {
            commands.every_package.push(self.whole(purpose, name));
        } else if split.tests.is_empty() && !split.waiting.is_empty() {
            commands.all.push(self.whole(purpose, name));
            return;
        }
        if let Some(last) = split.tests.last_mut() {
            last.after = std::mem::take(&mut split.waiting);
        }
        for command in split.tests.into_iter().chain(split.checks) {
            let same = |known: &Command| {
                known.argv == command.argv
                    && known.env == command.env
                    && known.purpose == command.purpose
            };
            if !commands.all.iter().any(same) {
                commands.all.push(command);
            }
        }
    }

    fn place(&self, purpose: Purpose, leaf: &Leaf, split: &mut Split) {
        let found = self.found(&leaf.via);
        if programs::calls_every_package(&leaf.part) {
            split.every_package = true;
        } else if let Some(mut known) = self.runner(leaf) {
            known.purpose = purpose_of(purpose, known.purpose, leaf);
            let before = std::mem::take(&mut split.waiting);
            split.tests.push(self.command(known, found).with_steps(before, Vec::new()));
        } else if let Some(known) = self.checker(&leaf.part) {
            split.checks.push(self.command(known, found));
        } else {
            split.waiting.push(leaf.part.step());
        }
    }

    fn checker(&self, part: &Part) -> Option<KnownCommand> {
        let tool = programs::started(part);
        if tool.program() == "tsc" && settings::never_emits(self.tree, &self.manifest.folder, &tool)
        {
            return Some(KnownCommand::plain(Toolchain::Javascript, Purpose::Typecheck, part.clone()));
        }
        programs::recognise(part).filter(|known| known.purpose != Purpose::Test)
    }

    fn runner(&self, leaf: &Leaf) -> Option<KnownCommand> {
        if let Some(known) =
            recognise(&leaf.part, &self.hints).filter(|known| known.runner.is_some())
        {
            return Some(known);
        }
        // A test file of tape is a program that prints TAP.
        let is_script = ["node", "tsx", "ts-node", "nyc", "c8"].contains(&leaf.part.program());
        if !is_script || self.only_runner() != Some(Runner::Tape) {
            return None;
        }
        let names_test = leaf
            .part
            .words
            .iter()
            .any(|word| word.text.contains("test") || word.text.contains("spec"));
        let asked = Args { part: leaf.part.clone(), at: 0 };
        let known = KnownCommand::runner(Toolchain::Javascript, Runner::Tape, leaf.part.clone());
        names_test.then(|| known.asking(ReportKind::Tap, asked, ReportLocation::Stdout))
    }
}

#[derive(Default)]
struct Split {
    tests: Vec<Command>,
    checks: Vec<Command>,
    /// Steps that no test has followed yet.
    waiting: Vec<Step>,
    every_package: bool,
}

/// A script called by `test` may be about more than units.
fn purpose_of(asked: Purpose, known: Purpose, leaf: &Leaf) -> Purpose {
    let names_whole = |text: &str| text.contains("e2e") || text.contains("integration");
    let inner = leaf.via.iter().skip(1).any(|name| names_whole(name));
    let configured =
        leaf.part.words.iter().any(|word| word.text.contains("config") && names_whole(&word.text));
    match (asked, known) {
        (_, Purpose::Benchmark) => Purpose::Benchmark,
        (Purpose::Test, _) if inner || configured => Purpose::Integration,
        (asked, _) => asked,
    }
}
