//! Logic that a change removed and added nowhere again.
//!
//! A refactoring moves code; what it drops on the way is its commonest fault, and tests that were never written do not see
//! it. So every line of logic that is gone from all touched files together is listed. The list is for adjudication:
//! a line that was rewritten stands in it too. It knows no language beyond the look of comments and imports.

use std::collections::BTreeMap;

use imara_diff::{Algorithm, Diff, InternedInput};
use serde::{Deserialize, Serialize};

use crate::Change;

/// What a change left behind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Residue {
    /// Lines of logic that the change took away, wherever they went.
    pub removed: usize,
    /// Those that are nowhere in the change again, by path and line.
    pub lost: Vec<LostLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostLine {
    /// As it was called before the change.
    pub path: String,
    /// In the text before the change.
    pub line: u32,
    pub text: String,
}

/// Compares all touched files at once, so that a line that moved between files is not lost.
pub fn residue(changes: &[Change]) -> Residue {
    let mut balance: BTreeMap<String, i64> = BTreeMap::new();
    let mut removed = Vec::new();
    for change in changes {
        let (before, after) = (text(change.before.as_deref()), text(change.after.as_deref()));
        let input = InternedInput::new(before.as_str(), after.as_str());
        let diff = Diff::compute(Algorithm::Histogram, &input);
        let (old, new): (Vec<&str>, Vec<&str>) =
            (before.lines().collect(), after.lines().collect());
        for hunk in diff.hunks() {
            for at in hunk.before {
                let Some(line) = old.get(at as usize) else { continue };
                if let Some(logic) = logic(line) {
                    *balance.entry(logic.clone()).or_default() -= 1;
                    removed.push((change.path.as_str(), at + 1, line.trim().to_owned(), logic));
                }
            }
            for at in hunk.after {
                if let Some(logic) = new.get(at as usize).and_then(|line| logic(line)) {
                    *balance.entry(logic).or_default() += 1;
                }
            }
        }
    }
    let count = removed.len();
    removed.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
    let lost = removed.into_iter().filter_map(|(path, line, text, logic)| {
        let missing = balance.get_mut(&logic).filter(|missing| **missing < 0)?;
        *missing += 1;
        Some(LostLine { path: path.to_owned(), line, text })
    });
    Residue { removed: count, lost: lost.collect() }
}

/// What is no text has no lines.
fn text(bytes: Option<&[u8]>) -> String {
    match bytes {
        Some(bytes) if !bytes.contains(&0) => String::from_utf8_lossy(bytes).into_owned(),
        _ => String::new(),
    }
}

/// Fewer letters and digits than this say nothing of their own: `else`, `end`, `})`.
const LEAST: usize = 5;

const COMMENTS: [&str; 8] = ["//", "#", "/*", "*", "--", "<!--", "\"\"\"", "'''"];

const IMPORTS: [&str; 7] =
    ["import ", "from ", "use ", "using ", "#include", "require ", "package "];

/// A line as it is compared: without what a move or a formatter changes. `None` for what is no logic.
fn logic(line: &str) -> Option<String> {
    let line = line.trim();
    if COMMENTS.iter().any(|mark| line.starts_with(mark)) && !line.starts_with("#[") {
        return None;
    }
    let bare = unexported(line);
    if IMPORTS.iter().any(|word| bare.starts_with(word)) || is_require(bare) {
        return None;
    }
    let bare = bare.trim_start_matches(['}', ')', ']']).trim_end_matches([';', ',', '{', ' ']);
    if bare.chars().filter(|c| c.is_alphanumeric()).count() < LEAST {
        return None;
    }
    Some(bare.split_whitespace().collect::<Vec<_>>().join(" ").replace('"', "'"))
}

/// Whether it can be seen from elsewhere is no logic; a helper that moves to a file of its own gains the word.
fn unexported(line: &str) -> &str {
    ["export default ", "export ", "pub(crate) ", "pub(super) ", "pub "]
        .iter()
        .find_map(|word| line.strip_prefix(word))
        .unwrap_or(line)
}

fn is_require(line: &str) -> bool {
    let declares = ["const ", "let ", "var "].iter().any(|word| line.starts_with(word));
    declares && line.contains("= require(")
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use expect_test::{Expect, expect};

    use super::*;

    type Pair = (&'static str, Option<&'static str>, Option<&'static str>);

    fn check(changes: &[Pair], expected: &Expect) {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        let changes: Vec<Change> = changes
            .iter()
            .map(|&(path, before, after)| Change {
                path: path.to_owned(),
                before: bytes(before),
                after: bytes(after),
            })
            .collect();
        let Residue { removed, lost } = residue(&changes);
        let mut words = format!("{removed} removed\n");
        for LostLine { path, line, text } in lost {
            let _ = writeln!(words, "{path}:{line}: {text}");
        }
        expected.assert_eq(&words);
    }

    #[test]
    fn ve6_a_dropped_guard_is_listed() {
        check(
            &[(
                "a.js",
                Some(
                    "function f(user) {\n  if (!user.active) return null;\n  return load(user.id);\n}\n",
                ),
                Some("async function f(user) {\n  return await load(user.id);\n}\n"),
            )],
            &expect![[r#"
                3 removed
                a.js:1: function f(user) {
                a.js:2: if (!user.active) return null;
                a.js:3: return load(user.id);
            "#]],
        );
    }

    #[test]
    fn ve6_what_moves_to_another_file_is_not_lost() {
        check(
            &[
                (
                    "a.js",
                    Some(
                        "const fs = require('fs');\nfunction total(items) {\n    return items.reduce(add, 0);\n}\nmodule.exports = { total };\n",
                    ),
                    Some("const { total } = require('./b');\nmodule.exports = { total };\n"),
                ),
                (
                    "b.js",
                    None,
                    Some("export function total(items) {\n  return items.reduce(add, 0)\n}\n"),
                ),
            ],
            &expect![[r#"
                2 removed
            "#]],
        );
    }

    #[test]
    fn ve6_one_of_two_equal_lines_is_missed() {
        check(
            &[("a.py", Some("log(user)\nrun(user)\nlog(user)\n"), Some("run(user)\nlog(user)\n"))],
            &expect![[r#"
                1 removed
                a.py:1: log(user)
            "#]],
        );
    }

    #[test]
    fn ve6_comments_imports_and_braces_are_no_logic() {
        check(
            &[(
                "a.rs",
                Some(
                    "//! Doc.\nuse std::fs;\n// a comment of some length\n#[inline(always)]\nfn work() {\n}\n",
                ),
                Some("fn work() {}\n"),
            )],
            &expect![[r#"
                2 removed
                a.rs:4: #[inline(always)]
                a.rs:5: fn work() {
            "#]],
        );
    }

    #[test]
    fn ve6_bytes_that_are_no_text_have_no_lines() {
        check(
            &[("a.bin", Some("abc\0defghijk\n"), None)],
            &expect![[r#"
            0 removed
        "#]],
        );
    }
}
