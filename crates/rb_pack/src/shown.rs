//! A pack for people, and what in it tries to speak to the model.

use std::fmt::Write as _;

use rb_core::path::quote;
use rb_core::plural;
use rb_trust::{Finding, TextKind, scan};

use crate::pack::{Included, Pack, Shown};
use crate::text::inline;

const LONGEST_LINE: usize = 300;

impl Pack {
    /// What of the included texts is suspicious, by path, in the order of the pack. What is no file stands in brackets. Lines are
    /// those of the file, but for outlines; bytes are those of the text that is shown.
    pub fn suspicious(&self) -> Vec<(String, Vec<Finding>)> {
        let mut found: Vec<(String, Vec<Finding>)> = Vec::new();
        for file in &self.files {
            found.push((file.path.clone(), of_file(file)));
        }
        let rules = self.rules.iter().map(|rule| {
            let text = format!("{}\n{}\n{}", rule.title, rule.wrong, rule.right);
            (format!("(rule {})", rule.id), scan(&text, TextKind::Code))
        });
        found.extend(rules);
        let ledger: Vec<&str> = self.ledger.iter().map(|line| line.text.as_str()).collect();
        found.push(("(ledger)".to_owned(), scan(&ledger.join("\n"), TextKind::Message)));
        found.push(("(failures)".to_owned(), scan(&self.errors.join("\n"), TextKind::Message)));
        found.retain(|(_, findings)| !findings.is_empty());
        found
    }

    /// Sizes against budgets, every file with its reason and what of it is shown, and what was left out and why.
    pub fn shown(&self) -> String {
        let mut out = self.sizes();
        let _ = writeln!(out, "\nfiles");
        for file in &self.files {
            let change = if file.may_be_changed { "may be changed" } else { "to be read" };
            let _ = writeln!(out, "  {} ({change})", quote(file.path.as_bytes()));
            let _ = writeln!(out, "    {}", inline(&file.reason, LONGEST_LINE));
            for shown in &file.shown {
                let (lines, all) = (file.lines, plural(file.lines as usize, "line"));
                let _ = match shown {
                    Shown::Whole { .. } => writeln!(out, "    whole, {all}"),
                    Shown::Signatures { .. } => writeln!(out, "    outline of {all}"),
                    Shown::Excerpt { why, .. } => {
                        let why = inline(why, LONGEST_LINE);
                        writeln!(out, "    {} of {lines}: {why}", shown.words())
                    }
                };
            }
        }
        if self.files.is_empty() {
            let _ = writeln!(out, "  none");
        }
        if !self.rules.is_empty() {
            let _ = writeln!(out, "\nrules");
        }
        for rule in &self.rules {
            let _ = writeln!(out, "  {}: {}", inline(&rule.id, 100), inline(&rule.title, 200));
        }
        if !self.conventions.is_empty() {
            let _ = writeln!(out, "\ncode style of the project");
        }
        for line in &self.conventions {
            let _ = writeln!(out, "  {}", inline(line, LONGEST_LINE));
        }
        if !self.omitted.is_empty() {
            let _ = writeln!(out, "\nleft out");
        }
        for omitted in &self.omitted {
            let path = inline(&omitted.path, LONGEST_LINE);
            let _ = writeln!(out, "  {path}: {}", inline(&omitted.reason, LONGEST_LINE));
        }
        out
    }

    /// The texts behind `shown`, as a model reads them: rules, then the files.
    pub fn texts(&self) -> String {
        let mut out = String::new();
        for rule in &self.rules {
            let _ = writeln!(out, "\n=== rule {}", inline(&rule.id, 100));
            let _ = writeln!(
                out,
                "wrong:\n{}\nright:\n{}",
                rule.wrong.trim_end(),
                rule.right.trim_end()
            );
        }
        for file in &self.files {
            for shown in &file.shown {
                let _ = writeln!(out, "\n=== {}, {}", quote(file.path.as_bytes()), shown.words());
                let _ = writeln!(out, "{}", shown.text().trim_end());
            }
        }
        for error in &self.errors {
            let _ = writeln!(out, "\n=== an earlier try\n{}", error.trim_end());
        }
        if let Some(tried) = &self.tried {
            let _ = writeln!(out, "\n=== its patch\n{}", tried.trim_end());
        }
        out
    }

    fn sizes(&self) -> String {
        let (sizes, budgets) = (&self.sizes, &self.budgets);
        let mut out = format!("{}\n", self.task);
        let _ = writeln!(out, "  characters     {} of {}", sizes.chars, budgets.chars);
        let _ = writeln!(out, "  bytes          {} of {}", sizes.bytes, budgets.bytes);
        let _ =
            writeln!(out, "  excerpt lines  {} of {}", sizes.excerpt_lines, budgets.excerpt_lines);
        let (entries, most) = (sizes.ledger_entries, budgets.ledger_entries);
        let _ = writeln!(out, "  ledger         {entries} of {most} entries");
        let of = budgets.tokens.map_or(String::new(), |most| format!(" of {most}"));
        let _ = writeln!(out, "  tokens         about {}{of}", sizes.tokens);
        let _ = writeln!(out, "  failures       {}", self.errors.len());
        out
    }
}

fn of_file(file: &Included) -> Vec<Finding> {
    let place = TextKind::of_path(&file.path);
    let mut found = scan(&file.path, TextKind::Message);
    for shown in &file.shown {
        let before = match shown {
            Shown::Excerpt { first, .. } => (*first as usize).saturating_sub(1),
            Shown::Whole { .. } | Shown::Signatures { .. } => 0,
        };
        let here = scan(shown.text(), place).into_iter();
        found.extend(here.map(|finding| Finding { line: finding.line + before, ..finding }));
    }
    found
}
