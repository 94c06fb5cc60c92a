//! Settings files of JavaScript tools, for what no script shows, and for what the flags of a runner hang on.

use crate::command::{Command, CommandOrigin, Purpose};
use crate::known::{Hints, KnownCommand};
use crate::shell::Part;
use crate::toolchains::Toolchain;
use crate::tree::{Tree, ends, join, normal, split};

use super::commands::{Commands, Context};
use super::manifest::{Manifest, version};
use super::recognise;

/// Commands that are there because their settings and their package are.
pub(super) fn add(context: &Context<'_, '_>, commands: &mut Commands) {
    let rows: [(Purpose, &[&str], &str, &[&str]); 5] = [
        (Purpose::Typecheck, &["tsconfig.json"], "typescript", &["tsc", "--noEmit", "-p", "."]),
        (Purpose::Lint, &[".eslintrc", "eslint.config."], "eslint", &["eslint", "."]),
        (Purpose::Lint, &["biome.json"], "@biomejs/biome", &["biome", "lint"]),
        (
            Purpose::Format,
            &[".prettierrc", "prettier.config."],
            "prettier",
            &["prettier", "--check", "."],
        ),
        (Purpose::Format, &["biome.json"], "@biomejs/biome", &["biome", "format"]),
    ];
    for (purpose, files, package, words) in rows.into_iter().filter(|_| !context.is_member) {
        let file = file_like(context, files).filter(|_| context.manifest.depends_on(package));
        if let Some(file) = file.filter(|_| !has(purpose, commands)) {
            let known = KnownCommand::plain(Toolchain::Javascript, purpose, Part::of(words));
            commands.all.push(
                context.command(known, CommandOrigin { file, what: format!("settings of {package}") }),
            );
        }
    }
    add_runner(context, commands);
}

/// A runner that is set up and named by no script.
fn add_runner(context: &Context<'_, '_>, commands: &mut Commands) {
    let tests = [("vitest", "vitest"), ("jest", "jest"), ("mocha", ".mocharc"), ("ava", "ava")];
    for (package, file) in tests {
        if has(Purpose::Test, commands)
            || has(Purpose::Integration, commands)
            || !context.manifest.depends_on(package)
        {
            continue;
        }
        let Some(file) = file_like(context, &[&format!("{file}.config."), file]) else { continue };
        let known = recognise(&Part::of(&[package]), &context.hints);
        commands.all.extend(known.map(|known| {
            context.command(known, CommandOrigin { file, what: format!("settings of {package}") })
        }));
    }
}

fn has(purpose: Purpose, commands: &Commands) -> bool {
    let mut all = commands.all.iter().chain(&commands.every_package);
    // `biome check` looks at the format as well.
    let checks_all = |command: &Command| {
        command.line.contains("biome check") || command.line.contains("biome ci")
    };
    all.any(|command| {
        command.purpose == purpose || (purpose == Purpose::Format && checks_all(command))
    })
}

/// In the package itself: settings of the root reach into packages by themselves.
fn file_like(context: &Context<'_, '_>, starts: &[&str]) -> Option<String> {
    let folder = &context.manifest.folder;
    let name = context
        .tree
        .names_in(folder)
        .find(|name| starts.iter().any(|start| name.starts_with(start)))?;
    Some(join(folder, name))
}

pub(super) fn hints(tree: &Tree<'_>, manifest: &Manifest) -> Hints {
    let mocha = if manifest.depends_on("mocha") { version(tree, manifest, "mocha") } else { None };
    Hints {
        old_mocha: mocha.is_some_and(|version| version < (9, 2)),
        files_in_settings: mocha.is_some() && names_files(tree, manifest),
        crates: Vec::new(),
    }
}

/// Mocha adds the files of its settings to those of the command line.
fn names_files(tree: &Tree<'_>, manifest: &Manifest) -> bool {
    if manifest.settings.get("mocha").is_some_and(|mocha| mocha.get("spec").is_some()) {
        return true;
    }
    let folder = &manifest.folder;
    let mut files = tree.names_in(folder).filter(|name| name.starts_with(".mocharc"));
    files.any(|name| tree.read(&join(folder, name)).is_some_and(|text| has_spec(&text)))
}

/// A key `spec` in any of the forms of the file; `reporter: spec` is something else.
fn has_spec(text: &str) -> bool {
    text.match_indices("spec").any(|(at, _)| {
        let is_start = !text[..at].ends_with(|c: char| c.is_alphanumeric() || "-_/.".contains(c));
        let rest = text[at + 4..].trim_start_matches(['"', '\'']);
        is_start && rest.trim_start().starts_with(':')
    })
}

/// Does a call of `tsc` write nothing, by the settings it reads?
pub(super) fn never_emits(tree: &Tree<'_>, folder: &str, part: &Part) -> bool {
    let given = part.words.iter().position(|word| word.text == "-p" || word.text == "--project");
    let project = given.map_or(".", |at| part.word(at + 1));
    let path = normal(&join(folder, project));
    let path =
        path.map(|path| if ends(&path, &[".json"]) { path } else { join(&path, "tsconfig.json") });
    let mut next = path;
    // Settings extend others; more than a few levels are not followed.
    for _ in 0..5 {
        let Some(path) = next else { return false };
        let Some(text) = tree.read(&path) else { return false };
        match after_key(&text, "noEmit").map(|value| value.starts_with("true")) {
            Some(answer) => return answer,
            None => next = after_key(&text, "extends").and_then(|value| extended(&path, value)),
        }
    }
    false
}

/// The text after `"key":`; the file may have comments, which no JSON reader takes.
fn after_key<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("\"{key}\""))?;
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

fn extended(path: &str, value: &str) -> Option<String> {
    let name = value.strip_prefix('"')?.split('"').next()?;
    let target = normal(&join(split(path).0, name)).filter(|_| name.starts_with('.'))?;
    Some(if ends(&target, &[".json"]) { target } else { format!("{target}.json") })
}
