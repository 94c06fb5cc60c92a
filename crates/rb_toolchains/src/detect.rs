//! All toolchains asked one after the other, then the build server's files, in one order for every machine.

use std::path::Path;

use crate::command::{CONFIGURED, Command, CommandOrigin, Purpose};
use crate::known::{Hints, KnownCommand};
use crate::package::Detected;
use crate::shell::{self, Part};
use crate::toolchains::{self, Toolchain};
use crate::tree::{Tree, normal};
use crate::{Have, ReportLocation, Runner, ci, optional};

/// The packages and commands below `root`, whose files, relative to it, are `files`.
pub fn detect(root: &Path, files: &[String], have: &dyn Have) -> Detected {
    let tree = Tree::new(root, files, have);
    let mut packages: Vec<_> =
        Toolchain::ALL.iter().flat_map(|toolchain| toolchain.detect(&tree)).collect();
    optional::mark(&tree, &mut packages);
    ci::add(&tree, &mut packages);
    let all = packages.len();
    packages.retain(|package| package.folder.is_empty() || !package.commands.is_empty());
    match all - packages.len() {
        0 => {}
        1 => tree.note("1 package has no command and is not listed".to_owned()),
        count => tree.note(format!("{count} packages have no command and are not listed")),
    }
    for package in &mut packages {
        // Stable: within a purpose the project's order stays.
        package.commands.sort_by_key(|command| command.purpose);
    }
    packages.sort_by(|a, b| (&a.folder, a.toolchain).cmp(&(&b.folder, b.toolchain)));
    if packages.iter().all(|package| package.commands.is_empty()) {
        tree.note("no command was found".to_owned());
    }
    let mut commands = packages.iter().flat_map(|package| &package.commands);
    if !commands.any(|command| command.purpose == Purpose::Test)
        && let Some(file) =
            ["Makefile", "makefile"].into_iter().find(|file| has_target(&tree, file))
    {
        tree.note(format!("`{file}` has a target `test`, which no toolchain explains; it can be named in the configuration"));
    }
    Detected { packages, notes: tree.take_notes() }
}

fn has_target(tree: &Tree<'_>, file: &str) -> bool {
    tree.read(file).is_some_and(|text| text.lines().any(|line| line.starts_with("test:")))
}

/// A command line of the configuration, recognised as far as possible, so that it too gets a reporter.
/// It runs in the root, or in the folder that it enters first.
pub fn line_command(line: &str, detected: &Detected) -> Command {
    let found = CommandOrigin { file: String::new(), what: CONFIGURED.to_owned() };
    if let Some(known) = in_folder("", detected).find(|known| known.line == line) {
        return Command { found, ..known.clone() };
    }
    let parts = shell::parse(line).unwrap_or_default();
    let alone = match parts.as_slice() {
        [part] => Some((String::new(), part)),
        [into, part] if line.contains("&&") => entered(into).map(|folder| (folder, part)),
        _ => None,
    };
    let line = line.to_owned();
    if let Some((folder, part)) = alone {
        // The folder is told beside the line.
        let line = if folder.is_empty() { line.clone() } else { part.line() };
        if let Some(script) = script_of(part, &folder, detected) {
            return with_env(Command { line, found, ..script.clone() }, part);
        }
        if let Some(known) = toolchains::recognise(part, &hints(detected)) {
            let path = programs(&folder, detected);
            return Command { line, ..known.into_command(&folder, path, found) };
        }
    }
    let purpose = match parts.as_slice() {
        [part] if toolchains::checks_types(part) => Purpose::Typecheck,
        _ => Purpose::Test,
    };
    let known = KnownCommand::foreign(purpose, Part::of(&["sh", "-c", &line]));
    let command = known.into_command("", programs("", detected), found);
    Command { needs: needs(&parts), line, ..command }
}

/// The commands that were found in a folder itself.
fn in_folder<'d>(folder: &str, detected: &'d Detected) -> impl Iterator<Item = &'d Command> {
    let packages = detected.packages.iter().filter(move |package| package.folder == folder);
    packages.flat_map(|package| &package.commands)
}

/// Where the commands of a folder look for programs.
fn programs(folder: &str, detected: &Detected) -> Vec<String> {
    let mut path: Vec<String> =
        in_folder(folder, detected).flat_map(|command| command.path.clone()).collect();
    path.dedup();
    path
}

/// The programs that a shell has to find. Behind a `cd` paths lead from elsewhere.
fn needs(parts: &[Part]) -> Vec<String> {
    let moves = parts.iter().any(|part| part.program() == "cd");
    let programs = parts.iter().filter_map(|part| part.words.first()).map(|word| &word.text);
    let is_own = |program: &str| BUILT_IN.contains(&program) || (moves && program.contains('/'));
    programs.filter(|program| !is_own(program)).cloned().collect()
}

/// What a shell does by itself.
const BUILT_IN: [&str; 16] = [
    ".", ":", "[", "cd", "command", "eval", "exec", "exit", "export", "false", "set", "source",
    "test", "true", "ulimit", "unset",
];

/// The folder that `cd FOLDER` leads to, where it is one below the root.
fn entered(part: &Part) -> Option<String> {
    let is_plain = part.words.len() == 2 && part.program() == "cd" && part.env.is_empty();
    normal(part.word(1)).filter(|_| is_plain && !part.word(1).starts_with('/'))
}

/// `TZ=UTC npm test`: the variables hold for all that the script runs; those of the script itself win.
fn with_env(mut command: Command, part: &Part) -> Command {
    let steps = command.before.iter_mut().chain(&mut command.after).map(|step| &mut step.env);
    for env in steps.chain([&mut command.env]) {
        env.splice(0..0, part.plain_env());
    }
    command
}

/// `npm test` is the folder's test, when that is one command.
fn script_of<'d>(part: &Part, folder: &str, detected: &'d Detected) -> Option<&'d Command> {
    if part.env.iter().any(|(_, value)| !value.plain) {
        return None;
    }
    let name = match (part.program(), part.word(1), part.words.len()) {
        ("npm" | "pnpm" | "yarn", "test" | "t", 2) => "test",
        ("npm" | "pnpm" | "yarn" | "bun", "run", 3) => part.word(2),
        ("pnpm" | "yarn", name, 2) => name,
        _ => return None,
    };
    let what = format!("scripts.{name}");
    let mut mine = in_folder(folder, detected).filter(|command| {
        command.found.what == what || command.found.what.starts_with(&format!("{what} → "))
    });
    let first = mine.next()?;
    mine.next().is_none().then_some(first)
}

/// What the commands that were found tell about the versions behind them.
fn hints(detected: &Detected) -> Hints {
    let all = || detected.packages.iter().flat_map(|package| &package.commands);
    let asks = |runner: Runner| {
        all()
            .filter(move |command| command.runner == Some(runner))
            .filter_map(|command| command.report.as_ref())
    };
    let crates = all().find_map(|command| match &command.select.as_ref()?.unit {
        crate::Unit::CargoPackages(crates) if command.folder.is_empty() => Some(crates.clone()),
        _ => None,
    });
    Hints {
        old_mocha: asks(Runner::Mocha).any(|ask| ask.place == ReportLocation::Stdout),
        files_in_settings: all()
            .any(|command| command.runner == Some(Runner::Mocha) && command.select.is_none()),
        crates: crates.unwrap_or_default(),
    }
}
