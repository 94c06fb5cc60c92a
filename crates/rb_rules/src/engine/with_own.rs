//! The built-in rules and those that the project wrote itself, run together.

use rb_patterns::Rules;

use super::check::{Checked, Options, check};
use super::fix::{FixOptions, Fixes, fix, fix_own};
use super::over_index::OverIndex;
use super::own::check_own;
use crate::rule::Rule;

/// What the built-in `rules` find, and what the rules of the project with the ids `own_ids` find.
pub fn check_with_own(
    world: &OverIndex<'_>,
    rules: &[&'static Rule],
    own: &Rules,
    own_ids: &[String],
    options: &Options<'_>,
) -> Checked {
    let mut found = check(world, rules, options);
    let by_own = check_own(world, own, own_ids, options);
    found.findings.extend(by_own.findings);
    found.silenced.extend(by_own.silenced);
    found.unread.extend(by_own.unread);
    found.findings.sort();
    found.silenced.sort();
    found.unread.sort();
    found.unread.dedup();
    found
}

/// Makes the fixes of the built-in `rules`, then those of the project's rules with the ids `own_ids`, in the texts that `world` holds.
pub fn fix_with_own(
    world: &mut OverIndex<'_>,
    rules: &[&'static Rule],
    own: &Rules,
    own_ids: &[String],
    options: &Options<'_>,
    how: FixOptions,
) -> Fixes {
    let mut fixes = fix(world, rules, options, how);
    let mut by_own = fix_own(world, own, own_ids, options);
    fixes.changes.append(&mut by_own.changes);
    fixes.refused.append(&mut by_own.refused);
    fixes
}
