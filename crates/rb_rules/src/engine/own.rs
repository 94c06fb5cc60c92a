//! Rules that the project wrote itself, run like the built-in ones. They may be about any language.

use rb_lang::Language;
use rb_patterns::{Match, RuleFileError, Rules, Severity as Written};

use super::check::{Checked, Options, Silenced};
use super::over_index::OverIndex;
use super::select;
use crate::finding::{Applicability, Certainty, Finding, Fix, Severity};
use crate::world::World;

/// Where they are kept.
pub const FOLDER: &str = ".refactor-bot/rules";

/// Reads the rules of a project: `files` are paths and texts.
pub fn load(files: &[(String, String)]) -> (Rules, Vec<RuleFileError>) {
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    Rules::load(&files, &|id| select::rule(id).is_some())
}

/// Is it the name of a file of rules?
pub fn is_rule_file(name: &str) -> bool {
    matches!(name.rsplit_once('.'), Some((_, "yml" | "yaml")))
}

/// What the project's rules with these ids find.
pub fn check_own(
    world: &OverIndex<'_>,
    rules: &Rules,
    ids: &[String],
    options: &Options<'_>,
) -> Checked {
    let mut checked = Checked::default();
    if ids.is_empty() || rules.is_empty() {
        return checked;
    }
    for (path, language) in world.texts_of_languages() {
        if options.cancel.is_cancelled() {
            break;
        }
        let is_meant = rules.wants(path, language) && options.only.is_none_or(|only| only(path));
        if !is_meant {
            continue;
        }
        let Some(text) = world.text(path) else { continue };
        checked.files += 1;
        look(rules, ids, options, (path, language, &text), &mut checked);
    }
    checked.findings.sort();
    checked.silenced.sort();
    checked
}

fn look(
    rules: &Rules,
    ids: &[String],
    options: &Options<'_>,
    (path, language, text): (&str, Language, &str),
    into: &mut Checked,
) {
    let found = rules.find(path, language, text);
    if found.unreadable || !found.exhausted.is_empty() {
        into.unread.push(path.to_owned());
    }
    for it in found.matches.into_iter().filter(|it| ids.contains(&it.rule)) {
        let finding = finding(path, text, it);
        match silencing(text, &finding).filter(|_| !options.ignore_suppressions) {
            Some(comment) => into.silenced.push(Silenced { finding, comment }),
            None => into.findings.push(finding),
        }
    }
}

fn finding(path: &str, text: &str, it: Match) -> Finding {
    let (line, column) = place(text, it.start);
    let (end_line, end_column) = place(text, it.end);
    let severity = match it.severity {
        Written::Error => Severity::Error,
        Written::Warning => Severity::Warning,
        Written::Info | Written::Hint => Severity::Note,
    };
    let fix = (!it.edits.is_empty()).then(|| Fix {
        // Its author says so; nothing was proved.
        applicability: Applicability::Assist,
        title: format!("apply the fix of `{}`", it.rule),
        edits: it.edits,
        elsewhere: Vec::new(),
        doubt: None,
    });
    let message = match it.note {
        Some(note) => format!("{}; {}", it.message.trim(), one_line(&note)),
        None => one_line(&it.message),
    };
    Finding {
        path: path.to_owned(),
        start: it.start,
        end: it.end,
        line,
        column,
        end_line,
        end_column,
        rule: it.rule,
        severity,
        // Its author says what is meant.
        certainty: Certainty::Proved,
        message,
        fix,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Line and column, counted from 1.
fn place(text: &str, offset: u32) -> (u32, u32) {
    let before = &text[..(offset as usize).min(text.len())];
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or("").chars().count();
    (small(line) + 1, small(column) + 1)
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The line of a comment that asks for silence here: on the line itself or on the one above, whatever marks a comment in
/// the language.
fn silencing(text: &str, finding: &Finding) -> Option<u32> {
    let at = |line: u32| text.lines().nth(line.checked_sub(1)? as usize);
    let asks = |line: u32, word: &str| {
        let rest = at(line)?.split_once(word)?.1;
        let names = rest.trim_end_matches(['*', '/', '-', '>', ' ']).trim();
        let is_meant = names.is_empty()
            || names.split([',', ' ', ':']).any(|name| name.trim() == finding.rule);
        is_meant.then_some(line)
    };
    asks(finding.line, "refactor-bot-disable-line")
        .or_else(|| asks(finding.line.checked_sub(1)?, "refactor-bot-disable-next-line"))
}
