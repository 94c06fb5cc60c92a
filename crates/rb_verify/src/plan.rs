//! Which commands check what: the fast verifier after every task, the full one now and then and at the end.

use rb_toolchains::{Command, Detected, Purpose};

use crate::options::Options;

/// How much is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// Unit tests and lint.
    Fast,
    /// Whatever the repository has to check itself by, benchmarks apart.
    Full,
}

/// The optional checks that are not run: `verify.optional_checks` runs them.
pub fn not_run<'d>(detected: &'d Detected, options: &Options) -> Vec<&'d Command> {
    let chooses = !options.fast.is_empty() || !options.full.is_empty() || options.optional;
    let purposes = [Purpose::Lint, Purpose::Integration];
    let found = purposes.into_iter().flat_map(|purpose| detected.commands(purpose));
    found.filter(|command| command.optional && !chooses).collect()
}

/// The commands of a level, each once, in the order in which they fail soonest.
pub fn commands(detected: &Detected, effort: Effort, options: &Options) -> Vec<Command> {
    let lines = match effort {
        // Who names only the full one wants nothing else to run.
        Effort::Fast if options.fast.is_empty() => &options.full,
        Effort::Fast => &options.fast,
        Effort::Full => &options.full,
    };
    if !lines.is_empty() {
        return lines.iter().map(|line| rb_toolchains::line_command(line, detected)).collect();
    }
    let purposes: &[Purpose] = match effort {
        Effort::Fast => &[Purpose::Lint, Purpose::Test],
        Effort::Full => &[
            Purpose::Build,
            Purpose::Typecheck,
            Purpose::Lint,
            Purpose::Test,
            Purpose::Integration,
        ],
    };
    let found = purposes.iter().flat_map(|&purpose| detected.commands(purpose));
    // A type check costs little and proves much: it is tried, and counts from where it stands.
    let is_run =
        |it: &&Command| !it.optional || options.optional || it.purpose == Purpose::Typecheck;
    let found = found.filter(is_run);
    let mut commands: Vec<Command> = Vec::new();
    for command in found {
        let same = |known: &Command| known.line == command.line && known.folder == command.folder;
        if !commands.iter().any(same) {
            commands.push(command.clone());
        }
    }
    commands
}
