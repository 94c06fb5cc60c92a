//! What active rules object to in the text after the change and did not in the text before.

use std::collections::BTreeMap;

use crate::rules::RuleHit;
use crate::scene::{Scene, finding};
use crate::{Finding, FindingKind, Severity};

pub(crate) fn find(scene: &Scene<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for changed in scene.changes() {
        let Some(after) = &changed.after else { continue };
        let mut known: BTreeMap<(String, String), usize> = BTreeMap::new();
        if let Some(before) = &changed.before {
            for hit in scene.rules.findings(changed.old_path(), before.as_bytes()) {
                *known.entry(key(&hit, before)).or_default() += 1;
            }
        }
        for hit in scene.rules.findings(&changed.path, after.as_bytes()) {
            match known.get_mut(&key(&hit, after)) {
                Some(left) if *left > 0 => *left -= 1,
                _ => findings.push(finding(
                    FindingKind::AntiPattern,
                    Severity::Warning,
                    (&changed.path, hit.line),
                    format!("{}: {}", hit.rule, hit.message),
                    Some(changed.cause_at(hit.line)),
                )),
            }
        }
    }
    findings
}

/// The rule and the line without its spaces: a line that only moved is the same.
fn key(hit: &RuleHit, text: &str) -> (String, String) {
    let line = text.lines().nth(hit.line.saturating_sub(1) as usize).unwrap_or_default();
    (hit.rule.clone(), line.split_whitespace().collect())
}
