//! A command line of a manifest, taken apart as a shell would: parts joined by `&&`, words, assignments.
//!
//! It expands nothing. A word that a shell would expand is not `plain`, and a part with such a word is given to a shell
//! again, as the project does; control structures and groups are not understood, and said so by `None`.

use crate::command::Step;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// Without quotes.
    pub(crate) text: String,
    /// As it stands.
    pub(crate) raw: String,
    /// Means the same with and without a shell.
    pub(crate) plain: bool,
}

impl Word {
    /// An argument of our own, quoted where a shell will see it. `{report}` becomes the shell's first parameter.
    pub(crate) fn new(text: &str) -> Self {
        Word { text: text.to_owned(), raw: quote(text), plain: true }
    }
}

/// How a part follows the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joint {
    First,
    And,
    Then,
    Or,
    Pipe,
    Beside,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) joint: Joint,
    pub(crate) env: Vec<(String, Word)>,
    pub(crate) words: Vec<Word>,
}

impl Part {
    /// A command of our own.
    pub(crate) fn of(words: &[&str]) -> Self {
        Part {
            joint: Joint::First,
            env: Vec::new(),
            words: words.iter().map(|word| Word::new(word)).collect(),
        }
    }

    pub(crate) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| &word.text)
    }

    /// The name of the program, without folders.
    pub(crate) fn program(&self) -> &str {
        base(self.word(0))
    }

    pub(crate) fn has(&self, flag: &str) -> bool {
        self.words.iter().any(|word| word.text == flag)
    }

    /// Does it change the shell that runs it, so that what follows cannot be run by itself?
    pub(crate) fn changes_shell(&self) -> bool {
        const BUILTINS: [&str; 13] = [
            "cd", "export", "set", "unset", "source", ".", "exit", "eval", "exec", "trap",
            "ulimit", "pushd", "alias",
        ];
        self.words.is_empty() || BUILTINS.contains(&self.word(0))
    }

    /// As a person types it.
    pub(crate) fn line(&self) -> String {
        let env = self.env.iter().map(|(name, value)| format!("{name}={}", value.raw));
        env.chain(self.words.iter().map(|word| word.raw.clone())).collect::<Vec<_>>().join(" ")
    }

    fn is_plain(&self) -> bool {
        self.words.iter().all(|word| word.plain) && self.env.iter().all(|(_, value)| value.plain)
    }

    /// For the system: directly where no shell is needed. Trailing `{files}` is kept as an argument of its own.
    pub(crate) fn argv(&self) -> Vec<String> {
        if self.is_plain() {
            return self.words.iter().map(|word| word.text.clone()).collect();
        }
        let takes_files = self.words.iter().any(|word| word.text == "{files}");
        let takes_report = self.words.iter().any(|word| word.text.contains("{report}"));
        let mut script = String::new();
        if takes_report {
            script.push_str("report=$1; shift; ");
        }
        for (name, value) in self.env.iter().filter(|(_, value)| !value.plain) {
            script.extend([name, "=", &value.raw, " "]);
        }
        script.push_str(&self.words.iter().map(in_shell).collect::<Vec<_>>().join(" "));
        let mut argv = vec!["sh".to_owned(), "-c".to_owned(), script];
        if takes_report || takes_files {
            argv.push("sh".to_owned());
        }
        argv.extend(takes_report.then(|| "{report}".to_owned()));
        argv.extend(takes_files.then(|| "{files}".to_owned()));
        argv
    }

    /// Assignments that need no shell.
    pub(crate) fn plain_env(&self) -> Vec<(String, String)> {
        let plain = self.env.iter().filter(|(_, value)| value.plain);
        plain.map(|(name, value)| (name.clone(), value.text.clone())).collect()
    }

    pub(crate) fn step(&self) -> Step {
        Step { line: self.line(), argv: self.argv(), env: self.plain_env() }
    }
}

fn in_shell(word: &Word) -> String {
    match (word.text.as_str(), word.text.split_once("{report}")) {
        ("{files}", _) => "\"$@\"".to_owned(),
        (_, Some((before, after))) => format!("{before}\"$report\"{after}"),
        (_, None) => word.raw.clone(),
    }
}

/// `node_modules/.bin/jest` and `node_modules/jest/bin/jest.js` are jest.
pub(crate) fn base(word: &str) -> &str {
    let name = word.rsplit('/').next().unwrap_or(word);
    let name = [".js", ".cjs", ".mjs", ".cmd"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(name);
    name.strip_prefix('_').unwrap_or(name)
}

/// One word of a command line, whatever is in it.
pub fn quote(text: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "_-./=:,@%+".contains(c);
    if !text.is_empty() && text.chars().all(is_safe) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A longer line is generated, and nobody reads it.
const MAX_LINE: usize = 16 * 1024;

/// The parts of a line, or `None` when it is more than a chain of commands.
pub(crate) fn parse(line: &str) -> Option<Vec<Part>> {
    if line.len() > MAX_LINE {
        return None;
    }
    let mut reader =
        Reader { rest: line, parts: Vec::new(), words: Vec::new(), joint: Joint::First };
    while reader.step()? {}
    reader.close(Joint::First)?;
    Some(reader.parts)
}

struct Reader<'a> {
    rest: &'a str,
    parts: Vec<Part>,
    words: Vec<Word>,
    joint: Joint,
}

impl Reader<'_> {
    /// Takes one word or operator; false at the end.
    fn step(&mut self) -> Option<bool> {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r']);
        if self.rest.starts_with('#') {
            self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]);
        }
        let operators = [
            ("&&", Joint::And),
            ("||", Joint::Or),
            (";", Joint::Then),
            ("\n", Joint::Then),
            ("|", Joint::Pipe),
            ("&", Joint::Beside),
        ];
        if let Some((sign, joint)) = operators.iter().find(|(sign, _)| self.rest.starts_with(sign))
        {
            self.rest = &self.rest[sign.len()..];
            self.close(*joint)?;
            return Some(true);
        }
        if self.rest.is_empty() {
            return Some(false);
        }
        let word = self.word()?;
        self.words.push(word);
        Some(true)
    }

    /// Ends a part; an empty one is only allowed around line ends.
    fn close(&mut self, next: Joint) -> Option<()> {
        let mut words = std::mem::take(&mut self.words);
        if words.is_empty() {
            // `a &&` at the end of a line goes on in the next.
            self.joint = if self.joint == Joint::First { next } else { self.joint };
            return Some(());
        }
        let is_control = ["if", "for", "while", "case", "until", "function", "{", "!", "[", "[["];
        if words.first().is_some_and(|word| is_control.contains(&word.raw.as_str())) {
            return None;
        }
        let count = words.iter().take_while(|word| assignment(word).is_some()).count();
        let env = words.drain(..count).filter_map(|word| assignment(&word)).collect();
        let joint = if self.parts.is_empty() { Joint::First } else { self.joint };
        self.parts.push(Part { joint, env, words });
        self.joint = next;
        Some(())
    }

    fn word(&mut self) -> Option<Word> {
        let start = self.rest;
        let mut text = String::new();
        let mut plain = true;
        let mut chars = start.char_indices();
        let mut end = start.len();
        while let Some((at, c)) = chars.next() {
            match c {
                ' ' | '\t' | '\n' | '\r' | ';' | '|' => {
                    end = at;
                    break;
                }
                // `2>&1` is one word, `a&b` are two.
                '&' if !start[..at].ends_with(['>', '<']) => {
                    end = at;
                    break;
                }
                '(' | ')' | '`' => return None,
                '\'' => loop {
                    match chars.next()? {
                        (_, '\'') => break,
                        (_, c) => text.push(c),
                    }
                },
                '"' => plain &= double_quoted(&mut chars, &mut text)?,
                '\\' => text.push(chars.next()?.1),
                '$' | '*' | '?' | '[' | '~' | '>' | '<' | '{' | '&' => {
                    plain = false;
                    text.push(c);
                }
                c => text.push(c),
            }
        }
        self.rest = &start[end..];
        Some(Word { text, raw: start[..end].to_owned(), plain })
    }
}

/// The rest of a string; whether it stands for itself.
fn double_quoted(chars: &mut std::str::CharIndices<'_>, text: &mut String) -> Option<bool> {
    let mut plain = true;
    loop {
        match chars.next()?.1 {
            '"' => return Some(plain),
            '\\' => match chars.next()?.1 {
                c @ ('"' | '\\' | '$' | '`') => text.push(c),
                c => text.extend(['\\', c]),
            },
            c => {
                plain &= !matches!(c, '$' | '`');
                text.push(c);
            }
        }
    }
}

fn assignment(word: &Word) -> Option<(String, Word)> {
    let (name, raw) = word.raw.split_once('=')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let text = word.text.get(name.len() + 1..)?.to_owned();
    Some((name.to_owned(), Word { text, raw: raw.to_owned(), plain: word.plain }))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use expect_test::{Expect, expect};

    use super::*;

    fn check(line: &str, expect: &Expect) {
        let mut said = String::new();
        match parse(line) {
            None => said.push_str("not understood\n"),
            Some(parts) => {
                for part in parts {
                    let _ =
                        writeln!(said, "{:?} {:?} {:?}", part.joint, part.plain_env(), part.argv());
                }
            }
        }
        expect.assert_eq(&said);
    }

    #[test]
    fn ve1_a_line_is_taken_apart_as_a_shell_does() {
        check(
            "jest",
            &expect![[r#"
            First [] ["jest"]
        "#]],
        );
        check(
            "TZ=UTC NODE_ENV='a b' jest --x \"y z\"&&eslint . ; echo done",
            &expect![[r#"
            First [("TZ", "UTC"), ("NODE_ENV", "a b")] ["jest", "--x", "y z"]
            And [] ["eslint", "."]
            Then [] ["echo", "done"]
        "#]],
        );
        check(
            "mocha test/*.js 'test/**/*.js' && node \"$npm_execpath\" run x",
            &expect![[r#"
            First [] ["sh", "-c", "mocha test/*.js 'test/**/*.js'"]
            And [] ["sh", "-c", "node \"$npm_execpath\" run x"]
        "#]],
        );
        check(
            "A=$B jest 2>&1 | tee log || true",
            &expect![[r#"
            First [] ["sh", "-c", "A=$B jest 2>&1"]
            Pipe [] ["tee", "log"]
            Or [] ["true"]
        "#]],
        );
        check(
            "build &&\n  test # why\n\nlint\n",
            &expect![[r#"
            First [] ["build"]
            And [] ["test"]
            Then [] ["lint"]
        "#]],
        );
        check(
            "a & b",
            &expect![[r#"
            First [] ["a"]
            Beside [] ["b"]
        "#]],
        );
        check(
            "echo 'open",
            &expect![[r#"
            not understood
        "#]],
        );
        check(
            "(cd a && jest)",
            &expect![[r#"
            not understood
        "#]],
        );
        check(
            "if true; then jest; fi",
            &expect![[r#"
            not understood
        "#]],
        );
        check(
            "echo $(date)",
            &expect![[r#"
            not understood
        "#]],
        );
        check("", &expect![]);
        check(
            r#"a\ b "c\"d\e" ''"#,
            &expect![[r#"
            First [] ["a b", "c\"d\\e", ""]
        "#]],
        );
    }
}
