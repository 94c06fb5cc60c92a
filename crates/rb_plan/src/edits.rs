//! Rules as a source of units: the files that their proved edits tie together, and what they only report.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rb_recipes::Texts;
use rb_rules::engine::{
    FixOptions, Options, OverIndex, RuleChange, check, check_own, fix, fix_own,
};
use rb_rules::{Applicability, Certainty, Finding, Rule};

use crate::chains::{RecipeFindings, joined};
use crate::input::{PlanError, PlanInput};
use crate::plan::{CANDIDATE, Leftover};
use crate::reasons::would_change;
use crate::risk::Api;
use crate::unit::{Files, Source, Unit, Work, prepared};

/// Whether somebody asked for just these rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuleRequest {
    ByName,
    /// What changes what is seen, because it was wrong, is then left.
    No,
}

/// What rules find in the files that `only` lets through, in their order; each with its units. The texts of `world` are as they were afterwards.
pub(crate) fn look(
    input: &PlanInput<'_>,
    world: &mut OverIndex<'_>,
    rules: &[&'static Rule],
    asked: RuleRequest,
    only: Option<&(dyn Fn(&str) -> bool + Sync)>,
) -> Result<Vec<(Source, RecipeFindings)>, PlanError> {
    let certainty = match asked {
        RuleRequest::ByName => Certainty::Likely,
        RuleRequest::No => Certainty::Proved,
    };
    let checked = check(world, rules, &Options { certainty, ..options(input, only) });
    interrupted(input)?;
    let mut by_rule: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for finding in checked.findings {
        by_rule.entry(finding.rule.clone()).or_default().push(finding);
    }
    let mut found = Vec::new();
    for rule in rules {
        let Some(findings) = by_rule.remove(rule.id) else { continue };
        let make = |world: &mut OverIndex<'_>, only: &(dyn Fn(&str) -> bool + Sync)| {
            fix(world, &[rule], &options(input, Some(only)), FixOptions::default()).changes
        };
        let sorting = Sorting { input, rule: Some(rule), asked };
        found.push((Source::Rule(rule), sorting.found(world, findings, &make)));
        interrupted(input)?;
    }
    Ok(found)
}

/// As `look`, for rules that the project wrote itself. Their fixes are made where they are asked for: their author means them.
pub(crate) fn look_own(
    input: &PlanInput<'_>,
    world: &mut OverIndex<'_>,
    ids: &[String],
    asked: RuleRequest,
    only: Option<&(dyn Fn(&str) -> bool + Sync)>,
) -> Result<Vec<(Source, RecipeFindings)>, PlanError> {
    let checked = check_own(world, input.own, ids, &options(input, only));
    interrupted(input)?;
    let mut found = Vec::new();
    for id in ids {
        let findings: Vec<Finding> =
            checked.findings.iter().filter(|it| it.rule == *id).cloned().collect();
        if findings.is_empty() {
            continue;
        }
        let make = |world: &mut OverIndex<'_>, only: &(dyn Fn(&str) -> bool + Sync)| {
            let ids = [id.clone()];
            fix_own(world, input.own, &ids, &options(input, Some(only))).changes
        };
        let sorting = Sorting { input, rule: None, asked };
        found.push((Source::Own { id: id.clone() }, sorting.found(world, findings, &make)));
        interrupted(input)?;
    }
    Ok(found)
}

/// How many findings of each rule can be edited, and in how many files; nothing is made.
pub(crate) fn count(
    input: &PlanInput<'_>,
    world: &OverIndex<'_>,
    rules: &[&'static Rule],
) -> Result<BTreeMap<&'static str, (usize, BTreeSet<String>)>, PlanError> {
    let checked = check(world, rules, &options(input, None));
    interrupted(input)?;
    let mut counts: BTreeMap<&'static str, (usize, BTreeSet<String>)> = BTreeMap::new();
    for finding in checked.findings {
        let Some(rule) = rules.iter().find(|it| it.id == finding.rule) else { continue };
        let sorting = Sorting { input, rule: Some(rule), asked: RuleRequest::ByName };
        if sorting.doubt(&finding).is_none() {
            let entry = counts.entry(rule.id).or_default();
            entry.0 += 1;
            entry.1.insert(finding.path);
        }
    }
    Ok(counts)
}

pub(crate) fn options<'o>(
    input: &'o PlanInput<'_>,
    only: Option<&'o (dyn Fn(&str) -> bool + Sync)>,
) -> Options<'o> {
    Options {
        include_tests: false,
        ignore_suppressions: false,
        certainty: Certainty::Proved,
        trust_unused: false,
        only,
        cancel: input.cancel,
        progress: input.progress,
    }
}

pub(crate) fn interrupted(input: &PlanInput<'_>) -> Result<(), PlanError> {
    if input.cancel.is_cancelled() { Err(PlanError::Interrupted) } else { Ok(()) }
}

type Make<'m> = dyn Fn(&mut OverIndex<'_>, &(dyn Fn(&str) -> bool + Sync)) -> Vec<RuleChange> + 'm;

/// Tells what of a rule's findings is made, and what is left.
struct Sorting<'s, 'g> {
    input: &'s PlanInput<'g>,
    /// None for a rule of the project.
    rule: Option<&'static Rule>,
    asked: RuleRequest,
}

impl Sorting<'_, '_> {
    fn found(
        &self,
        world: &mut OverIndex<'_>,
        findings: Vec<Finding>,
        make: &Make<'_>,
    ) -> RecipeFindings {
        let mut found = RecipeFindings::default();
        let (mut sure, mut left) = (Vec::new(), Vec::new());
        for finding in findings {
            match self.doubt(&finding) {
                None => sure.push(finding),
                Some(reason) => left.push((finding, reason)),
            }
        }
        // Edits are made by file: one that must not be made keeps the others of its file from being made.
        let barred: BTreeSet<String> = left
            .iter()
            .filter(|(finding, _)| self.is_barred(finding))
            .map(|(finding, _)| finding.path.clone())
            .collect();
        let is_barred = |it: &mut Finding| barred.contains(&it.path);
        for finding in sure.extract_if(.., is_barred) {
            left.push((
                finding,
                "another edit in its file would change files that this run may not touch"
                    .to_owned(),
            ));
        }
        found.left = left.iter().map(|(it, reason)| self.leftover(it, reason)).collect();
        found.left.sort();
        let meant: BTreeSet<&str> = sure.iter().map(|it| it.path.as_str()).collect();
        if !meant.is_empty() {
            let changes = make(world, &|path| meant.contains(path));
            found.units = units(world, &sure, changes);
        }
        found
    }

    /// An edit is proved, and still must not be made.
    fn is_barred(&self, finding: &Finding) -> bool {
        self.is_made(finding) && self.outside(finding).is_some()
    }

    fn is_made(&self, finding: &Finding) -> bool {
        let fix = finding.fix.as_ref();
        fix.is_some_and(|it| self.rule.is_none() || it.applicability == Applicability::Auto)
    }

    fn outside<'f>(&self, finding: &'f Finding) -> Option<&'f str> {
        let others = finding.fix.iter().flat_map(|it| &it.elsewhere).map(|(path, _)| path.as_str());
        std::iter::once(finding.path.as_str())
            .chain(others)
            .find(|path| !(self.input.may_touch)(path))
    }

    /// Why a finding is not edited; none for one that is.
    fn doubt(&self, finding: &Finding) -> Option<String> {
        if finding.certainty == Certainty::Likely {
            return Some(CANDIDATE.to_owned());
        }
        let Some(fix) = &finding.fix else {
            return Some("there is no edit that is proven safe".to_owned());
        };
        if let Some(file) = self.outside(finding) {
            return Some(would_change(file));
        }
        match (self.rule, self.asked) {
            (None, RuleRequest::No) => {
                Some("a project rule is applied only if you name it".to_owned())
            }
            (Some(_), _) if fix.applicability == Applicability::Assist => {
                let doubt =
                    fix.doubt.as_deref().unwrap_or("tests, types or a person must confirm it");
                Some(format!("only a draft: {doubt}"))
            }
            (Some(rule), RuleRequest::No) if rule.repairs => Some(
                "the edit changes visible behavior, because the current behavior is wrong"
                    .to_owned(),
            ),
            (None | Some(_), RuleRequest::ByName) | (Some(_), RuleRequest::No) => None,
        }
    }

    fn leftover(&self, finding: &Finding, reason: &str) -> Leftover {
        let suggestion = match (&finding.fix, self.rule) {
            (_, None) => format!("ask for it by name: \"apply {}\"", finding.rule),
            (_, Some(rule)) if rule.repairs && self.asked == RuleRequest::No => {
                format!("ask for it by name: \"apply {}\"", rule.id)
            }
            (Some(fix), Some(_)) => fix.title.clone(),
            (None, Some(rule)) => format!("{}; see `rules explain {}`", rule.title, rule.id),
        };
        Leftover {
            path: finding.path.clone(),
            line: finding.line,
            found_by: finding.rule.clone(),
            what: finding.message.clone(),
            reason: reason.to_owned(),
            suggestion,
        }
    }
}

/// What was made, file by file; files that one fix edits stay together. The world gets its texts back.
fn units(world: &mut OverIndex<'_>, findings: &[Finding], changes: Vec<RuleChange>) -> Vec<Unit> {
    let mut files = Files::new();
    let mut places: BTreeMap<String, Vec<Leftover>> = BTreeMap::new();
    for change in changes {
        for (path, (before, after)) in change.files {
            world.put(path.clone(), Arc::clone(&before));
            files.insert(path, (Some(before), Some(after)));
        }
        for applied in change.applied {
            let place = Leftover {
                path: applied.path.clone(),
                line: applied.line,
                found_by: change.rule.clone(),
                what: applied.title,
                reason: String::new(),
                suggestion: String::new(),
            };
            places.entry(applied.path).or_default().push(place);
        }
    }
    let groups = tied(&files, findings);
    let unit = |group: &BTreeSet<String>| {
        let texts: Files =
            group.iter().filter_map(|it| files.get_key_value(it)).map(clone).collect();
        let patch = prepared(&texts)?;
        let places: Vec<Leftover> =
            texts.keys().filter_map(|it| places.get(it)).flatten().cloned().collect();
        Some(Unit {
            sites: texts.keys().cloned().collect(),
            count: places.len().max(1),
            files: texts.keys().cloned().collect(),
            lines: patch.added + patch.removed,
            work: Work::Texts(texts),
            api: Api::Same,
            notes: Vec::new(),
            is_part: false,
            places,
        })
    };
    groups.iter().filter_map(unit).collect()
}

/// The files that were changed, those that one fix edits together.
fn tied(files: &Files, findings: &[Finding]) -> Vec<BTreeSet<String>> {
    let mut ties: Vec<BTreeSet<String>> =
        files.keys().map(|it| BTreeSet::from([it.clone()])).collect();
    for finding in findings {
        let others = finding.fix.iter().flat_map(|it| &it.elsewhere).map(|(path, _)| path.clone());
        let mut tie: BTreeSet<String> = others.collect();
        if !tie.is_empty() {
            tie.insert(finding.path.clone());
            ties.push(tie);
        }
    }
    let mut by_group: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for (tie, group) in ties.iter().zip(joined(&ties)) {
        by_group.entry(group).or_default().extend(tie.iter().cloned());
    }
    by_group.into_values().collect()
}

fn clone((path, texts): (&String, &Texts)) -> (String, Texts) {
    (path.clone(), texts.clone())
}
