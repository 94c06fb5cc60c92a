//! From findings to changed texts: rule by rule, until nothing is left to do.
//!
//! Fixes of one round never touch each other; what is left waits for the next one and is looked for anew. A text that does
//! not parse after its edits is put back, and its fixes are counted as refused: that is a fault of a rule.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rb_core::{Edit, edit};
use rb_ecma::with_module;
use rb_lang::Language;

use rb_patterns::Rules;

use super::check::{Checked, Options, check};
use super::imports::laid_out;
use super::over_index::{OverIndex, is_script};
use super::own::check_own;
use crate::finding::{Applicability, Finding, Fix};
use crate::rule::Rule;
use crate::world::World;

/// A rule whose fixes go on making work for itself is stopped here.
const ROUNDS: usize = 64;

#[derive(Debug, Clone, Copy, Default)]
pub struct FixOptions {
    /// Make drafts, too.
    pub drafts: bool,
    /// Leave out rules whose edits change what is seen.
    pub no_repairs: bool,
}

/// All that fixes did to a project.
#[derive(Debug, Clone, Default)]
pub struct Fixes {
    /// In the order in which the rules were applied.
    pub changes: Vec<RuleChange>,
    /// Fixes that were not made, because the text would not have parsed.
    pub refused: Vec<Finding>,
}

/// What one rule changed.
#[derive(Debug, Clone)]
pub struct RuleChange {
    pub rule: String,
    /// What the rule is about.
    pub title: String,
    pub applied: Vec<Applied>,
    /// Texts before and after, by path.
    pub files: BTreeMap<String, (Arc<str>, Arc<str>)>,
}

/// A fix that was made.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Applied {
    pub path: String,
    /// In the text as it was at that moment.
    pub line: u32,
    pub title: String,
    pub applicability: Applicability,
}

/// Which rule goes before which where both speak of the same place; the others follow in the order of the guide.
///
/// Moved awaits leave the run that could be parallel; state that is gone leaves lists of dependencies; imports come last.
const FIRST: &[&str] = &[
    "async-defer-await",
    "async-cheap-condition-before-await",
    "rerender-derived-state-no-effect",
    "rerender-functional-setstate",
    "rerender-no-inline-components",
];
const LAST: &[&str] = &["bundle-barrel-imports", "bundle-dynamic-imports"];

/// Makes the fixes of the rules, in the texts that `world` holds.
pub fn fix(
    world: &mut OverIndex<'_>,
    rules: &[&'static Rule],
    options: &Options<'_>,
    how: FixOptions,
) -> Fixes {
    let mut rules: Vec<&'static Rule> =
        rules.iter().copied().filter(|rule| !(how.no_repairs && rule.repairs)).collect();
    rules.sort_by_key(|rule| {
        let first = FIRST.iter().position(|id| *id == rule.id).unwrap_or(FIRST.len());
        let last = LAST.iter().position(|id| *id == rule.id).map_or(0, |at| at + 1);
        (last, first)
    });
    let first_look = check(world, &rules, options);
    let mut fixes = Fixes::default();
    let mut dirty: BTreeSet<String> = BTreeSet::new();
    for rule in rules {
        let own = first_look.findings.iter().filter(|it| it.rule == rule.id && is_made(it, how));
        let mut meant: BTreeSet<String> = own.map(|it| it.path.clone()).collect();
        meant.extend(dirty.iter().cloned());
        if meant.is_empty() {
            continue;
        }
        let look = |world: &OverIndex<'_>, options: &Options<'_>| check(world, &[rule], options);
        let change = apply_rule(
            world,
            (rule.id, rule.title),
            &look,
            meant,
            options,
            how,
            &mut fixes.refused,
        );
        dirty.extend(change.files.keys().cloned());
        if !change.files.is_empty() {
            fixes.changes.push(change);
        }
        if options.cancel.is_cancelled() {
            break;
        }
    }
    fixes
}

/// Makes the fixes of rules that the project wrote itself: what they say is what is meant.
pub fn fix_own(
    world: &mut OverIndex<'_>,
    rules: &Rules,
    ids: &[String],
    options: &Options<'_>,
) -> Fixes {
    let how = FixOptions { drafts: true, no_repairs: false };
    let mut fixes = Fixes::default();
    for info in rules.iter().filter(|it| it.has_fix && ids.iter().any(|id| id == it.id)) {
        let id = [info.id.to_owned()];
        let look =
            |world: &OverIndex<'_>, options: &Options<'_>| check_own(world, rules, &id, options);
        let found = look(world, options).findings;
        let meant = found.into_iter().map(|it| it.path).collect();
        let name = (info.id, info.message);
        let change = apply_rule(world, name, &look, meant, options, how, &mut fixes.refused);
        if !change.files.is_empty() {
            fixes.changes.push(change);
        }
    }
    fixes
}

fn is_made(finding: &Finding, how: FixOptions) -> bool {
    finding.fix.as_ref().is_some_and(|fix| how.drafts || fix.applicability == Applicability::Auto)
}

/// Applies one rule to some files until it has nothing more to say of them.
fn apply_rule(
    world: &mut OverIndex<'_>,
    (rule, title): (&str, &str),
    look: &dyn Fn(&OverIndex<'_>, &Options<'_>) -> Checked,
    mut files: BTreeSet<String>,
    options: &Options<'_>,
    how: FixOptions,
    refused: &mut Vec<Finding>,
) -> RuleChange {
    let (rule, title) = (rule.to_owned(), title.to_owned());
    let mut change = RuleChange { rule, title, applied: Vec::new(), files: BTreeMap::new() };
    let mut hopeless: BTreeSet<(String, u32)> = BTreeSet::new();
    for round in 0..ROUNDS {
        let only = |path: &str| files.contains(path) && options.only.is_none_or(|it| it(path));
        let here = Options { only: Some(&only), ..*options };
        let found = look(world, &here).findings;
        // A draft may well be found again where it was made; it is made once.
        let makes = |it: &&Finding| {
            is_made(it, how)
                && !hopeless.contains(&(it.path.clone(), it.start))
                && (round == 0
                    || it.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Auto))
        };
        let wanted: Vec<&Finding> = found.iter().filter(makes).collect();
        let made = round_of(world, &wanted);
        for finding in made.refused {
            hopeless.insert((finding.path.clone(), finding.start));
            refused.push(finding.clone());
        }
        if made.texts.is_empty() {
            break;
        }
        files = made.texts.keys().cloned().collect();
        for (path, after) in made.texts {
            let before = world.text(&path).expect("it was read a moment ago");
            let entry =
                change.files.entry(path.clone()).or_insert_with(|| (before, Arc::clone(&after)));
            entry.1 = Arc::clone(&after);
            world.put(path, after);
        }
        change.applied.extend(made.applied);
    }
    change.files.retain(|_, (before, after)| before != after);
    change
}

#[derive(Default)]
struct Round<'f> {
    texts: BTreeMap<String, Arc<str>>,
    applied: Vec<Applied>,
    refused: Vec<&'f Finding>,
}

/// Makes as many fixes as can stand side by side.
fn round_of<'f>(world: &OverIndex<'_>, wanted: &[&'f Finding]) -> Round<'f> {
    let mut chosen: Vec<&'f Finding> = Vec::new();
    let mut taken: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
    for &finding in wanted {
        let parts: Vec<(&str, &Edit)> = parts(finding).collect();
        let clashes = parts.iter().any(|(path, edit)| {
            taken.get(path).is_some_and(|taken| taken.iter().any(|it| it.touches(edit)))
        });
        if !clashes && !parts.is_empty() {
            for (path, edit) in parts {
                taken.entry(path).or_default().push(edit);
            }
            chosen.push(finding);
        }
    }
    let mut round = Round::default();
    while !chosen.is_empty() {
        match texts_after(world, &chosen) {
            Ok(texts) => {
                round.texts = texts;
                round.applied = chosen.iter().map(|it| applied(it)).collect();
                return round;
            }
            Err(broken) => {
                let is_part = |it: &&&Finding| parts(it).any(|(path, _)| path == broken);
                round.refused.extend(chosen.iter().filter(is_part).copied());
                chosen.retain(|it| !parts(it).any(|(path, _)| path == broken));
            }
        }
    }
    round
}

/// Every edit of the fix of a finding, with its file.
fn parts(finding: &Finding) -> impl Iterator<Item = (&str, &Edit)> {
    let fix: Option<&Fix> = finding.fix.as_ref();
    let own = fix.into_iter().flat_map(|it| &it.edits).map(|edit| (finding.path.as_str(), edit));
    let other = fix.into_iter().flat_map(|it| &it.elsewhere);
    own.chain(other.flat_map(|(path, edits)| edits.iter().map(move |edit| (path.as_str(), edit))))
}

fn applied(finding: &Finding) -> Applied {
    let fix = finding.fix.as_ref();
    Applied {
        path: finding.path.clone(),
        line: finding.line,
        title: fix.map_or_else(String::new, |it| it.title.clone()),
        applicability: fix.map_or(Applicability::Assist, |it| it.applicability),
    }
}

/// The texts with all fixes made, or the path of one that would not parse.
fn texts_after(
    world: &OverIndex<'_>,
    chosen: &[&Finding],
) -> Result<BTreeMap<String, Arc<str>>, String> {
    let mut edits: BTreeMap<&str, Vec<Edit>> = BTreeMap::new();
    for (path, edit) in chosen.iter().flat_map(|it| parts(it)) {
        edits.entry(path).or_default().push(edit.clone());
    }
    let mut texts = BTreeMap::new();
    for (path, edits) in edits {
        let after = world.text(path).and_then(|before| {
            let after = edit::apply(&before, &edits).ok()?;
            let after = laid_out(world, path, &before, &after).unwrap_or(after);
            still_parses(path, &before, &after).then_some(after)
        });
        let Some(after) = after else { return Err(path.to_owned()) };
        texts.insert(path.to_owned(), after.into());
    }
    Ok(texts)
}

/// No place that the parser cannot read has come.
pub fn still_parses(path: &str, before: &str, after: &str) -> bool {
    let Some(language) = Language::of_path(path.as_bytes()) else { return true };
    if is_script(language) {
        return with_module(language, after, |_| ()).is_some()
            || with_module(language, before, |_| ()).is_none();
    }
    let errors = |text: &str| rb_lang::extract(language, text).map_or(0, |it| it.syntax_errors);
    errors(after) <= errors(before)
}
