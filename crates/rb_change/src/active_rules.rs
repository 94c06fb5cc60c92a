//! The rules of a run, held against every diff (RU5): what they find in the touched files before and after the change.
//!
//! `ActiveRules` is what the audit asks; which findings are new is the audit's to say. Both states are looked at in the
//! project as it was then: facts and other files from its own index and texts. Only touched files are looked at, once for each
//! state, and a file is parsed beyond them only where a rule asks about it. Nothing is looked at for a change without code.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rb_audit::{Change, RuleHit, Rules, Severity, When};
use rb_core::Cancel;
use rb_core::progress::Silent;
use rb_index::{OnDisk, Texts, View};
use rb_lang::Language;
use rb_rules::engine::{self, Checked, Options, OverIndex};
use rb_rules::project::Project;
use rb_rules::{Certainty, Finding, Rule};

/// A change, both states around it, and what it is held against.
pub(crate) struct RuleInput<'a> {
    /// The worktree, after the change.
    pub(crate) root: &'a Path,
    pub(crate) before: &'a View<'a>,
    pub(crate) after: &'a View<'a>,
    pub(crate) changes: &'a [Change],
    /// Ids of rules, those that the project wrote itself among them. What is neither is no rule any more and left out.
    pub(crate) active: &'a [String],
    /// The rules that the task is to satisfy: to break one of them is an error, to break another a warning.
    pub(crate) about: &'a [String],
    /// All that the project wrote itself.
    pub(crate) own: &'a rb_patterns::Rules,
    pub(crate) cancel: &'a Cancel,
}

pub(crate) struct ActiveRules<'a> {
    input: RuleInput<'a>,
    built_in: Vec<&'static Rule>,
    own: Vec<String>,
    before: OnceCell<HitsByPath>,
    after: OnceCell<HitsByPath>,
}

/// What was found, by path.
type HitsByPath = BTreeMap<String, Vec<RuleHit>>;

impl<'a> ActiveRules<'a> {
    pub(crate) fn new(input: RuleInput<'a>) -> Self {
        let ids: BTreeSet<&String> = input.active.iter().chain(input.about).collect();
        let written: BTreeSet<&str> = input.own.iter().map(|rule| rule.id).collect();
        ActiveRules {
            built_in: ids.iter().filter_map(|id| engine::rule(id)).collect(),
            own: ids.into_iter().filter(|id| written.contains(&***id)).cloned().collect(),
            input,
            before: OnceCell::new(),
            after: OnceCell::new(),
        }
    }

    /// All touched files of one state at once.
    fn look(&self, when: When) -> HitsByPath {
        let texts = State { input: &self.input, when };
        let paths: BTreeSet<&str> =
            texts.touched().map(|(path, _)| path).filter(|path| self.is_wanted(path)).collect();
        if paths.is_empty() {
            return HitsByPath::new();
        }
        let RuleInput { root, before, after, cancel, own, .. } = self.input;
        let view = match when {
            When::Before => before,
            When::After => after,
        };
        let project = Project::of(view, Some(root), &texts);
        let world = OverIndex::new(view, &project, &texts);
        let only = |path: &str| paths.contains(path);
        let options = Options {
            include_tests: false,
            ignore_suppressions: false,
            certainty: Certainty::Proved,
            trust_unused: true,
            only: Some(&only),
            cancel,
            progress: &Silent,
        };
        let mut checked = engine::check(&world, &self.built_in, &options);
        let written = engine::check_own(&world, own, &self.own, &options);
        checked.findings.extend(written.findings);
        checked.silenced.extend(written.silenced);
        self.found(when, checked)
    }

    /// Can an active rule have something to say of such a file?
    fn is_wanted(&self, path: &str) -> bool {
        let Some(language) = Language::of_path(path.as_bytes()) else { return false };
        let is_script =
            matches!(language, Language::JavaScript | Language::TypeScript | Language::Tsx);
        (is_script && !self.built_in.is_empty())
            || (!self.own.is_empty() && self.input.own.wants(path, language))
    }

    fn found(&self, when: When, checked: Checked) -> HitsByPath {
        let mut found = HitsByPath::new();
        let mut take = |finding: Finding, added: &str| {
            let hit = RuleHit {
                severity: if self.input.about.contains(&finding.rule) {
                    Severity::Error
                } else {
                    Severity::Warning
                },
                rule: finding.rule,
                line: finding.line,
                message: format!("{}{added}", finding.message),
            };
            found.entry(finding.path).or_default().push(hit);
        };
        for finding in checked.findings {
            take(finding, "");
        }
        for it in checked.silenced {
            // What was silenced before was there before. A change must not silence what it brings in.
            let path = &it.finding.path;
            match when {
                When::Before => take(it.finding, ""),
                When::After if self.is_new_line(path, it.comment) => {
                    take(
                        it.finding,
                        " (the comment that would silence this was added by the change)",
                    );
                }
                When::After => {}
            }
        }
        for hits in found.values_mut() {
            hits.sort_by(|a, b| (a.line, &a.rule).cmp(&(b.line, &b.rule)));
        }
        found
    }

    /// Is there no such line in any touched file before the change?
    fn is_new_line(&self, path: &str, line: u32) -> bool {
        let after = State { input: &self.input, when: When::After };
        let Some(text) = after.text(path) else { return false };
        let text = String::from_utf8_lossy(&text);
        let Some(line) = text.lines().nth(line.saturating_sub(1) as usize) else { return false };
        let before = State { input: &self.input, when: When::Before };
        !before.touched().any(|(_, text)| {
            String::from_utf8_lossy(text).lines().any(|other| other.trim() == line.trim())
        })
    }
}

impl Rules for ActiveRules<'_> {
    /// The text is that of the change which this was made for.
    fn findings(&self, when: When, path: &str, _text: &[u8]) -> Vec<RuleHit> {
        let cell = match when {
            When::Before => &self.before,
            When::After => &self.after,
        };
        cell.get_or_init(|| self.look(when)).get(path).cloned().unwrap_or_default()
    }
}

/// The texts of one state: those of touched files as the change has them, all others as they are.
struct State<'s> {
    input: &'s RuleInput<'s>,
    when: When,
}

impl State<'_> {
    /// The touched files that are there in this state.
    fn touched(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let changes = self.input.changes.iter();
        changes.filter_map(|change| Some((change.path.as_str(), self.of(change)?)))
    }

    fn of<'c>(&self, change: &'c Change) -> Option<&'c [u8]> {
        match self.when {
            When::Before => change.before.as_deref(),
            When::After => change.after.as_deref(),
        }
    }
}

impl Texts for State<'_> {
    fn text(&self, path: &str) -> Option<Vec<u8>> {
        match self.input.changes.iter().find(|change| change.path == path) {
            Some(change) => self.of(change).map(<[u8]>::to_vec),
            None => OnDisk { root: self.input.root }.text(path),
        }
    }
}

#[cfg(test)]
mod tests;
