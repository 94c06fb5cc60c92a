//! What active rules object to in the texts after the change and did not in the texts before.
//!
//! A finding is known again by its rule and its line without spaces, in its own file first and then in any other file of the
//! change: code that moves brings its faults along. One whose line was rewritten is known by the edit that it stood in.

use std::collections::{BTreeMap, BTreeSet};

use crate::changed::Changed;
use crate::comparison::{Comparison, finding};
use crate::rules::{RuleHit, When};
use crate::{Finding, FindingKind};

/// The rule, and the line without its spaces.
type Key = (String, String);

/// One file of the change, with what is not accounted for.
struct File<'s> {
    changed: &'s Changed,
    /// Gone, as far as is known.
    old: Vec<(Key, u32)>,
    /// New, as far as is known.
    new: Vec<(Key, RuleHit)>,
}

pub(crate) fn find(comparison: &Comparison<'_>) -> Vec<Finding> {
    // What was in a file that was moved is asked for where it went.
    let moved: BTreeSet<&str> =
        comparison.changes().filter_map(|changed| changed.moved_from.as_deref()).collect();
    let is_whole = |changed: &&Changed| changed.after.is_some() || !moved.contains(&*changed.path);
    let files = comparison.changes().filter(is_whole);
    let mut files: Vec<File<'_>> = files.map(|changed| File::of(comparison, changed)).collect();
    for file in &mut files {
        file.pair(|_, (old, _), (new, _)| old == new);
    }
    for file in &mut files {
        file.pair(|changed, ((old_rule, _), old), ((rule, _), hit)| {
            old_rule == rule && changed.is_one_edit(*old, hit.line)
        });
    }
    let mut gone: BTreeMap<Key, usize> = BTreeMap::new();
    for (key, _) in files.iter_mut().flat_map(|file| std::mem::take(&mut file.old)) {
        *gone.entry(key).or_default() += 1;
    }
    let mut findings = Vec::new();
    for File { changed, new, .. } in files {
        for (key, hit) in new {
            match gone.get_mut(&key) {
                Some(left) if *left > 0 => *left -= 1,
                _ => findings.push(finding(
                    FindingKind::AntiPattern,
                    hit.severity,
                    (&changed.path, hit.line),
                    format!("{}: {}", hit.rule, hit.message),
                    Some(changed.cause_at(hit.line)),
                )),
            }
        }
    }
    findings
}

impl<'s> File<'s> {
    fn of(comparison: &Comparison<'_>, changed: &'s Changed) -> Self {
        let hits = |when: When, path: &str, text: Option<&String>| -> Vec<(Key, RuleHit)> {
            let Some(text) = text else { return Vec::new() };
            let hits = comparison.rules.findings(when, path, text.as_bytes());
            hits.into_iter().map(|hit| (key(&hit, text), hit)).collect()
        };
        let old = hits(When::Before, changed.old_path(), changed.before.as_ref());
        let new = hits(When::After, &changed.path, changed.after.as_ref());
        File { changed, old: old.into_iter().map(|(key, hit)| (key, hit.line)).collect(), new }
    }

    /// Takes away what is the same before and after.
    fn pair(&mut self, is_same: impl Fn(&Changed, &(Key, u32), &(Key, RuleHit)) -> bool) {
        let File { changed, old, new } = self;
        new.retain(|hit| match old.iter().position(|known| is_same(changed, known, hit)) {
            Some(at) => {
                old.remove(at);
                false
            }
            None => true,
        });
    }
}

fn key(hit: &RuleHit, text: &str) -> Key {
    let line = text.lines().nth(hit.line.saturating_sub(1) as usize).unwrap_or_default();
    (hit.rule.clone(), line.split_whitespace().collect())
}
