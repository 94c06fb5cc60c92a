//! Programs of JavaScript projects that are no test runners: checkers, formatters, and those that call every package.

use std::borrow::Cow;

use crate::args::{Args, Takes};
use crate::command::Purpose;
use crate::known::KnownCommand;
use crate::shell::{Part, Word};
use crate::toolchains::Toolchain;

/// What a checker does to the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Reads,
    Writes,
}

const LINTERS: [&str; 23] = [
    "eslint",
    "standard",
    "semistandard",
    "xo",
    "tslint",
    "oxlint",
    "stylelint",
    "jshint",
    "jscs",
    "markdownlint",
    "markdownlint-cli2",
    "ast-grep",
    "alex",
    "publint",
    "knip",
    "depcheck",
    "ls-lint",
    "cspell",
    "editorconfig-checker",
    "commitlint",
    "neostandard",
    "dtslint",
    "attw",
];

/// What node is asked to start: `node node_modules/typescript/bin/tsc -p .` is `tsc -p .`. A file of the project's own is no program.
pub(super) fn started(part: &Part) -> Cow<'_, Part> {
    let is_flag = |word: &&Word| word.text.starts_with('-');
    let at = 1 + part.words.iter().skip(1).take_while(is_flag).count();
    if part.program() != "node" || !part.word(at).contains("node_modules/") {
        return Cow::Borrowed(part);
    }
    Cow::Owned(Part { words: part.words[at..].to_vec(), ..part.clone() })
}

/// A linter, type checker or formatter.
pub(super) fn checker(part: &Part) -> Option<(Purpose, Effect)> {
    let part = &*started(part);
    let fixes =
        ["--fix", "--write", "-w", "--apply", "--fix-dry-run"].iter().any(|flag| part.has(flag));
    let effect = if fixes { Effect::Writes } else { Effect::Reads };
    let asks = |flags: &[&str]| flags.iter().any(|flag| part.has(flag));
    match part.program() {
        program if LINTERS.contains(&program) => Some((Purpose::Lint, effect)),
        "biome" | "rome" => match part.word(1) {
            "lint" | "check" | "ci" => Some((Purpose::Lint, effect)),
            "format" => Some((Purpose::Format, effect)),
            _ => None,
        },
        "deno" if part.word(1) == "lint" => Some((Purpose::Lint, effect)),
        "vue-tsc" | "svelte-check" | "tsd" | "tstyche" | "flow" | "tsec" | "tsc-files" => {
            Some((Purpose::Typecheck, effect))
        }
        "tsc" if asks(&["--noEmit", "--noemit"]) => Some((Purpose::Typecheck, effect)),
        "prettier" if asks(&["--check", "-c", "--list-different", "-l"]) => {
            Some((Purpose::Format, effect))
        }
        "oxfmt" | "dprint" if asks(&["--check", "check"]) => Some((Purpose::Format, effect)),
        "prettier" | "oxfmt" | "dprint" => Some((Purpose::Format, Effect::Writes)),
        _ => None,
    }
}

pub(super) fn recognise(part: &Part) -> Option<KnownCommand> {
    let (purpose, effect) = checker(part)?;
    (effect == Effect::Reads).then(|| KnownCommand::plain(Toolchain::Javascript, purpose, part.clone()))
}

/// `eslint --fix .` without the part that writes; `None` where nothing would be left.
pub(super) fn harmless(part: &Part) -> Option<Part> {
    let mut args = Args { part: part.clone(), at: 0 };
    match part.program() {
        "eslint" | "standard" | "semistandard" | "xo" | "oxlint" | "stylelint" | "tslint"
        | "biome" => {
            args.remove("--fix", Takes::Nothing);
            args.remove("--write", Takes::Nothing);
            args.remove("--apply", Takes::Nothing);
        }
        "prettier" => {
            args.remove("--write", Takes::Nothing);
            args.remove("-w", Takes::Nothing);
            args.put_first(&["--check"]);
        }
        _ => return None,
    }
    Some(args.part)
}

/// Calls the script of every package: turbo, lerna, nx, `pnpm -r`, `npm --workspaces`, `yarn workspaces`.
pub(super) fn calls_every_package(part: &Part) -> bool {
    let has =
        |flags: &[&str]| flags.iter().any(|flag| part.words.iter().any(|word| word.text == *flag));
    match part.program() {
        "turbo" | "lerna" | "rush" | "wsrun" | "wireit" | "ultra" | "moon" | "lage" => true,
        "nx" => matches!(part.word(1), "run-many" | "affected" | "affected:test"),
        "pnpm" => {
            let filtered = part
                .words
                .iter()
                .any(|word| word.text.starts_with("--filter") || word.text == "-F");
            has(&["-r", "--recursive", "m", "multi"]) || filtered
        }
        "npm" => has(&["-ws", "--workspaces", "--ws"]),
        "yarn" => matches!(part.word(1), "workspaces" | "ws"),
        "bun" => part.words.iter().any(|word| word.text.starts_with("--filter")),
        _ => false,
    }
}

/// Turns TAP into something nicer to look at.
pub(super) fn is_tap_view(part: &Part) -> bool {
    const VIEWS: [&str; 13] = [
        "tap-spec",
        "tap-dot",
        "faucet",
        "tap-nyan",
        "tap-diff",
        "tap-arc",
        "tap-min",
        "tap-difflet",
        "colortape",
        "tap-summary",
        "tap-pessimist",
        "tap-out",
        "tap-spec-emoji",
    ];
    VIEWS.contains(&part.program()) || (part.program() == "snazzy")
}
