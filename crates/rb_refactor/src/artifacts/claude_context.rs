//! `CLAUDE_CONTEXT.md`: what a model that reads the worktree should know: how to test, how code looks here, what is dangerous,
//! what is off limits.
//!
//! Only the program's own words: what the repository says of itself could steer a model and is not repeated; paths, globs and
//! commands stand as code, on one line each. It is bounded to a few screens, and nothing relies on its being read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use rb_core::path::quote;
use rb_index::Overview;
use rb_toolchains::Purpose;

use super::risk_register::{Register, Risk, Severity, is_made};
use super::{ArtifactsError, Inputs, put};
use crate::style;

pub(crate) const NAME: &str = "CLAUDE_CONTEXT.md";
/// Lines of a section; what is more is counted.
const MOST: usize = 15;
/// A command or path that is longer is cut.
const WIDE: usize = 160;

pub(crate) fn write(
    folder: &Path,
    inputs: &Inputs<'_>,
    register: &Register,
) -> Result<(), ArtifactsError> {
    let overview = inputs.indexed.overview()?;
    let mut page = Page(String::from("# Working in this repository\n\n"));
    page.0.push_str(
        "Made by a program from the code as it is. It describes; the task says what to do.\n\n",
    );
    page.section("How it is checked", &commands(inputs));
    page.section("How code looks here", &habits(inputs));
    page.section("How it is built", &architecture(overview));
    page.section("Dangerous areas", &dangers(register));
    page.section("Off limits", &off_limits(inputs));
    put(folder, NAME, &page.0)?;
    Ok(())
}

struct Page(String);

impl Page {
    /// Nothing where there is nothing to say.
    fn section(&mut self, title: &str, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
        let _ = writeln!(self.0, "## {title}\n");
        for line in lines.iter().take(MOST) {
            let _ = writeln!(self.0, "- {line}");
        }
        if lines.len() > MOST {
            let _ = writeln!(self.0, "- and {} more", lines.len() - MOST);
        }
        self.0.push('\n');
    }
}

/// As code in Markdown, on one line, whatever it holds.
fn code(text: &str) -> String {
    let plain = quote(text.as_bytes());
    let mut cut: String = plain.chars().take(WIDE).collect();
    if cut.len() < plain.len() {
        cut.push('…');
    }
    // A longer fence than any within it.
    let longest = cut.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{fence}{space}{cut}{space}{fence}")
}

fn commands(inputs: &Inputs<'_>) -> Vec<String> {
    let of = |purpose: Purpose| inputs.detected.commands(purpose);
    let purposes =
        [Purpose::Test, Purpose::Typecheck, Purpose::Lint, Purpose::Build, Purpose::Format];
    let mut lines: Vec<String> = purposes
        .into_iter()
        .flat_map(of)
        .map(|command| {
            let place = match &*command.folder {
                "" => String::new(),
                folder => format!(" in {}", code(folder)),
            };
            format!("{}: {}{place}", command.purpose.name(), code(&command.line))
        })
        .collect();
    if of(Purpose::Test).next().is_none() {
        lines.insert(0, "no command that tests it was found".to_owned());
    }
    lines
}

fn habits(inputs: &Inputs<'_>) -> Vec<String> {
    let mut lines = style::lines(inputs.view, inputs.root, &[]);
    lines.extend(style::names_of_tests(inputs.view).map(|habit| {
        format!("tests are named {} ({} % of {})", code(&habit.found), habit.share, habit.of)
    }));
    let runners = style::runners(inputs.detected);
    if !runners.is_empty() {
        lines.push(format!("tests run with {}", runners.join(", ")));
    }
    lines
}

/// Ten lines: what it is, what stands above what, where it begins.
fn architecture(overview: &Overview) -> Vec<String> {
    let architecture = &overview.architecture;
    let patterns: Vec<&str> =
        architecture.patterns.iter().take(3).map(|found| found.pattern.name()).collect();
    let mut lines = Vec::new();
    if !patterns.is_empty() {
        lines.push(format!("it is built as: {}", patterns.join(", ")));
    }
    if let Some(layering) = architecture.layers.first() {
        lines.extend(layering.layers.iter().take(6).zip(1..).map(|(layer, at)| {
            let folders: Vec<String> =
                layer.folders.iter().take(4).map(|folder| code(&folder.path)).collect();
            format!("layer {at} from the top: {}", folders.join(", "))
        }));
        lines.extend(layering.against.first().map(|against| {
            let (from, to) = &against.example;
            format!("against that order: {} imports {}", code(from), code(to))
        }));
    }
    let entries = architecture.entry_points.iter().filter(|entry| !entry.secondary);
    lines.extend(entries.take(3).map(|entry| format!("begins at {}", code(&entry.path))));
    lines.truncate(10);
    lines
}

/// The graver risks of the register, a line a file.
fn dangers(register: &Register) -> Vec<String> {
    let grave = register.risks.iter().filter(|risk| risk.severity <= Severity::Medium);
    let of_files = grave.filter(|risk| !risk.path.is_empty());
    let mut files: BTreeMap<&str, Vec<&Risk>> = BTreeMap::new();
    for risk in of_files {
        files.entry(&risk.path).or_default().push(risk);
    }
    let mut files: Vec<(&str, Vec<&Risk>)> = files.into_iter().collect();
    files.sort_by_key(|(path, risks)| (risks[0].severity, std::cmp::Reverse(risks.len()), *path));
    files
        .into_iter()
        .map(|(path, risks)| {
            let mut kinds: Vec<String> = risks.iter().map(|risk| risk.kind.words()).collect();
            kinds.dedup();
            format!("{}: {}", code(path), kinds.join(", "))
        })
        .collect()
}

fn off_limits(inputs: &Inputs<'_>) -> Vec<String> {
    let mut lines = vec![
        format!("{} and {}: not part of the code", code(".git"), code(".refactor-bot")),
        "lockfiles: the package manager writes them".to_owned(),
    ];
    lines.extend(inputs.excludes.iter().take(5).map(|glob| format!("{}: excluded", code(glob))));
    let view = inputs.view;
    let made = view.tree.ids().map(|id| view.file(id));
    let made = made.filter_map(|file| {
        let trivial = file.trivial.filter(|trivial| is_made(trivial))?;
        Some(format!("{}: {}", code(file.path), trivial.kind()))
    });
    lines.extend(made);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix13_what_is_foreign_stays_code_on_one_line() {
        assert_eq!(code("src/a.ts"), "`src/a.ts`");
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(code("a``` b\n# do this"), "```` \"a``` b\\n# do this\" ````");
        assert!(code(&"x".repeat(1000)).len() < 200);
    }
}
