//! The rules of a project and what they find in a file.

use ast_grep_config::RuleConfig;
use globset::GlobSet;
use rb_core::Edit;
use rb_lang::Language;
use serde::Serialize;

use crate::error::RuleFileError;
use crate::language::RuleLanguage;
use crate::load::{self, severity_of};
use crate::run_tests::{self, TestResult, Tests};
use crate::scan;
use crate::syntax::Syntax;

/// The rules of all files, in the order of their ids.
#[derive(Default)]
pub struct Rules {
    rules: Vec<Rule>,
}

pub(crate) struct Rule {
    pub(crate) config: RuleConfig<RuleLanguage>,
    pub(crate) path: String,
    pub(crate) line: u32,
    /// The line of the file that its document begins in.
    pub(crate) document_line: u32,
    /// The kinds of node that it can match.
    pub(crate) kinds: Vec<u16>,
    /// Its first fix as written; empty if it has none.
    pub(crate) template: String,
    pub(crate) tests: Tests,
    pub(crate) files: Option<GlobSet>,
    pub(crate) ignores: Option<GlobSet>,
}

/// How much a finding weighs, lightest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Hint,
    Info,
    Warning,
    Error,
}

/// What a rule says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleInfo<'r> {
    pub id: &'r str,
    pub language: Language,
    /// `None` where the rule is off.
    pub severity: Option<Severity>,
    /// As written, metavariables and all.
    pub message: &'r str,
    pub note: Option<&'r str>,
    pub url: Option<&'r str>,
    pub has_fix: bool,
    /// The file that it is written in, and the line there.
    pub path: &'r str,
    pub line: u32,
}

/// A place that a rule matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub rule: String,
    /// Bytes of the text.
    pub start: u32,
    pub end: u32,
    /// With the metavariables filled in.
    pub message: String,
    pub note: Option<String>,
    pub severity: Severity,
    /// The rule's first fix; empty where it has none. The edits of all matches of one rule do not overlap.
    pub edits: Vec<Edit>,
    /// There is a fix, but it overlaps the fix of a match before it. Made after that one, it may still apply.
    pub fix_waits: bool,
}

/// What was found in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// By place, the outer before the inner, then by rule.
    pub matches: Vec<Match>,
    /// The file was not looked at: it is too large or too tangled to be parsed.
    pub unreadable: bool,
    /// Ids of rules that took more work on this file than they may. What they had found is in `matches`.
    pub exhausted: Vec<String>,
}

impl Rules {
    /// Reads rule files, each given as its path and its text. What is wrong with a document keeps no other from being
    /// used. `is_taken` says which ids belong to built-in rules.
    pub fn load(
        files: &[(&str, &str)],
        is_taken: &(dyn Fn(&str) -> bool + Sync),
    ) -> (Rules, Vec<RuleFileError>) {
        load::load(files, is_taken)
    }

    pub(crate) fn new(mut rules: Vec<Rule>) -> Self {
        rules.sort_by(|one, other| one.id().cmp(other.id()));
        Rules { rules }
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// By id.
    pub fn iter(&self) -> impl Iterator<Item = RuleInfo<'_>> {
        self.rules.iter().map(Rule::info)
    }

    /// Does any rule look at this file?
    pub fn wants(&self, path: &str, language: Language) -> bool {
        self.rules.iter().any(|rule| rule.wants(path, language))
    }

    /// Matches the rules of the language that want the file. It is parsed once for all of them. `path` is relative to the
    /// repository, with `/`.
    pub fn find(&self, path: &str, language: Language, text: &str) -> Findings {
        let rules: Vec<&Rule> =
            self.rules.iter().filter(|rule| rule.wants(path, language)).collect();
        let Some(language) = RuleLanguage::new(language).filter(|_| !rules.is_empty()) else {
            return Findings::default();
        };
        match Syntax::of_file(text, language) {
            Some(syntax) => scan::scan(&rules, syntax, text),
            None => Findings { unreadable: true, ..Findings::default() },
        }
    }

    /// Runs the tests that stand in the rule files, in the order of ids. A rule without tests has one result that says
    /// so.
    pub fn test(&self) -> Vec<TestResult> {
        self.rules.iter().flat_map(run_tests::run).collect()
    }
}

impl Rule {
    pub(crate) fn id(&self) -> &str {
        &self.config.id
    }

    fn info(&self) -> RuleInfo<'_> {
        RuleInfo {
            id: &self.config.id,
            language: self.config.language.get(),
            severity: severity_of(&self.config),
            message: &self.config.message,
            note: self.config.note.as_deref(),
            url: self.config.url.as_deref(),
            has_fix: !self.config.fixer.is_empty(),
            path: &self.path,
            line: self.line,
        }
    }

    fn wants(&self, path: &str, language: Language) -> bool {
        self.config.language.get() == language
            && severity_of(&self.config).is_some()
            && self.files.as_ref().is_none_or(|files| files.is_match(path))
            && !self.ignores.as_ref().is_some_and(|ignores| ignores.is_match(path))
    }
}
