//! What became of the lines of logic that were taken out: how many, and the few that are worth a look.
//!
//! A rewritten line is taken out, too, so these lines alone are no reason for alarm. Behaviour that the audit found removed is.

use std::fmt::Write as _;

use rb_audit::{LostLine, Residue};
use rb_core::plural;

use crate::report::facts::Facts;
use crate::report::markdown::code;

/// The most lines that are shown; all are in the report.
const SHOWN: usize = 5;

pub(super) fn write(text: &mut String, facts: &Facts) {
    let (mut logic, mut lost, mut removed) = (Logic::default(), Vec::new(), Vec::new());
    for task in facts.standing() {
        let Some(examination) = &task.examination else { continue };
        let is_computed = task.history.task.by.is_computed();
        logic.add(&examination.residue, is_computed);
        lost.extend(examination.residue.lost.iter().filter(|_| !is_computed));
        removed.extend(examination.removed().map(|it| (it.path.as_str(), it.line)));
    }
    let is_removed = |line: &LostLine| removed.contains(&(line.path.as_str(), line.line));
    let shown = worth_a_look(&lost, is_removed);
    let end = match shown.as_slice() {
        [] => ".".to_owned(),
        [first, ..] if is_removed(first) => "; review these first:".to_owned(),
        some if some.len() < lost.len() => format!("; {} of them:", some.len()),
        _ => ":".to_owned(),
    };
    let _ = writeln!(text, "- **Logic:** {}{end}", logic.words());
    for line in shown {
        let place = code(&format!("{}:{}", line.path, line.line));
        let _ = writeln!(text, "  - {place}: {}", code(&line.text));
    }
}

/// Lines with a word, those first whose behaviour is removed, then those that do or decide something.
fn worth_a_look<'l>(
    lost: &[&'l LostLine],
    is_removed: impl Fn(&LostLine) -> bool,
) -> Vec<&'l LostLine> {
    let mut lines: Vec<&LostLine> =
        lost.iter().copied().filter(|line| has_word(&line.text)).collect();
    lines.sort_by_key(|line| (!is_removed(line), !acts(&line.text)));
    lines.truncate(SHOWN);
    lines
}

fn has_word(text: &str) -> bool {
    text.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().count() > 2)
}

const CONTROL: [&str; 15] = [
    "await", "break", "case", "continue", "delete", "elif", "for", "if", "match", "raise",
    "return", "switch", "throw", "while", "yield",
];
const DECLARES: [&str; 8] =
    ["class", "def", "fn", "func", "function", "interface", "struct", "trait"];

/// Does it call something, or decide what is done? A declaration, and a part of a list, does neither.
fn acts(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let has = |words: &[&str]| text.split(|c| !is_part(c)).any(|word| words.contains(&word));
    let mut before = ' ';
    let calls = text.chars().any(|c| {
        let is_call = c == '(' && (is_part(before) || before == '!');
        before = c;
        is_call
    });
    has(&CONTROL) || (calls && !has(&DECLARES))
}

/// What a recipe or a rule wrote anew is known; what somebody else did not put back was rewritten or removed.
#[derive(Debug, Default, PartialEq, Eq)]
struct Logic {
    found: usize,
    rewritten: usize,
    lost: usize,
}

impl Logic {
    /// Every line is one of the three.
    fn taken(&self) -> usize {
        self.found + self.rewritten + self.lost
    }

    fn add(&mut self, residue: &Residue, is_computed: bool) {
        let lost = residue.lost.len();
        self.found += residue.removed.saturating_sub(lost);
        *(if is_computed { &mut self.rewritten } else { &mut self.lost }) += lost;
    }

    fn words(&self) -> String {
        let lines = plural(self.taken(), "line");
        let parts = [
            (self.found, "found again"),
            (self.rewritten, "rewritten by recipes and rules"),
            (self.lost, "rewritten or removed"),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, words)| format!("{count} {words}"))
            .collect();
        match (self.taken(), self.rewritten + self.lost) {
            (0, _) => "no lines taken out".to_owned(),
            (_, 0) => format!("{lines} moved, and all of them were found again"),
            (all, _) if all == self.lost => format!("{lines} rewritten or removed"),
            (_, _) => format!("{lines} taken out: {}", parts.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(line: u32, text: &str) -> LostLine {
        LostLine { path: "a.js".to_owned(), line, text: text.to_owned() }
    }

    #[test]
    fn rf9_the_counts_of_removed_lines_add_up() {
        let residue = |removed: usize, lost: u32| Residue {
            removed,
            lost: (1..=lost).map(|at| line(at, "f()")).collect(),
        };
        let check = |residues: &[(Residue, bool)], expected: &str| {
            let mut logic = Logic::default();
            for (residue, is_computed) in residues {
                logic.add(residue, *is_computed);
            }
            let taken: usize = residues.iter().map(|(residue, _)| residue.removed).sum();
            assert_eq!(logic.taken(), taken);
            assert_eq!(logic.words(), expected);
            // The numbers that a reader sees: the first is the sum of the others.
            let numbers: Vec<usize> =
                expected.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            if let [all, parts @ ..] = numbers.as_slice()
                && !parts.is_empty()
            {
                assert_eq!(*all, parts.iter().sum::<usize>(), "{expected}");
            }
        };
        check(&[], "no lines taken out");
        check(&[(residue(0, 0), false)], "no lines taken out");
        check(&[(residue(3, 0), true)], "3 lines moved, and all of them were found again");
        check(
            &[(residue(53, 52), true), (residue(4, 4), false)],
            "57 lines taken out: 1 found again, 52 rewritten by recipes and rules, 4 rewritten or removed",
        );
        check(&[(residue(2, 2), true)], "2 lines taken out: 2 rewritten by recipes and rules");
        check(&[(residue(1, 1), false)], "1 line rewritten or removed");
        check(
            &[(residue(5, 0), false), (residue(2, 1), false)],
            "7 lines taken out: 6 found again, 1 rewritten or removed",
        );
    }

    #[test]
    fn rf9_lines_that_do_something_are_shown_before_those_that_name_something() {
        let lines = [
            line(1, "pub null_separator: bool,"),
            line(2, "pub fn new(null_separator: bool) -> Self {"),
            line(3, "template = ("),
            line(4, "a1[0] = b2 + c3 + 1"),
            line(5, "if self.null_separator {"),
            line(6, "writeln!(stdout)"),
            line(7, "names.sort()"),
        ];
        let lost: Vec<&LostLine> = lines.iter().collect();
        let check = |removed: u32, expected: [u32; SHOWN]| {
            let shown = worth_a_look(&lost, |line| line.line == removed);
            assert_eq!(shown.iter().map(|line| line.line).collect::<Vec<_>>(), expected);
        };
        check(0, [5, 6, 7, 1, 2]);
        check(7, [7, 5, 6, 1, 2]);
    }
}
