//! Behaviour that a change removed: a call, a `throw` or an `await` that was deleted and does not reappear anywhere.
//!
//! Residue lists every line that is gone, rewritten ones among them; this reports only statements that nothing took the place
//! of. What was moved, rewritten, renamed, wrapped or merged stays silent, and so does a deletion beside which other
//! code came that may do the same. Logging is left to the residue, and a variable only counts if the call whose value it
//! held seems to do more than give one. All changed files are compared at once, by their texts alone; in a text that
//! cannot be parsed, every word may stand for a call.

mod file;
mod ignored;
mod totals;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use rb_index::role::Role;
use rb_lang::Symbol;
use rb_lang::details::details;
use rb_lang::effects::{CallSite, Effect, EffectKind, Kept};

use self::file::{Code, File, Hunk, stem};
use self::totals::Totals;
use crate::changed::Changed;
use crate::{Change, Finding, FindingKind, Severity};

/// The statements with effects that are gone, sorted by where they stood before the change.
pub fn removed_behaviour(changes: &[Change]) -> Vec<Finding> {
    let all = Changed::all(changes);
    let moved: BTreeSet<&str> = all.iter().filter_map(|it| it.moved_from.as_deref()).collect();
    // A file that was moved is there with the text that it had before.
    let is_other = |it: &&Changed| it.after.is_some() || !moved.contains(it.path.as_str());
    let files: Vec<File<'_>> = all.iter().filter(is_other).map(File::read).collect();
    let before = Totals::of(files.iter().filter_map(|file| file.before.as_ref()));
    let after = Totals::of(files.iter().filter_map(|file| file.after.as_ref()));
    let both = Both { before: &before, after: &after };
    let missing: Vec<Missing<'_>> = files.iter().flat_map(|file| both.missing(file)).collect();
    let removed: Vec<&Missing<'_>> =
        missing.iter().filter(|it| both.is_removed(it, &missing)).collect();
    let outer = removed.iter().filter(|it| !removed.iter().any(|other| it.is_inside(other)));
    let mut findings: Vec<Finding> = outer.map(|it| it.finding()).collect();
    findings.sort();
    findings.dedup();
    findings
}

/// A statement whose line the change touched and that is not found again.
struct Missing<'f> {
    file: &'f File<'f>,
    /// The text that it stood in.
    code: &'f Code,
    effect: &'f Effect,
    /// The edit that took it.
    hunk: &'f Hunk,
}

impl Missing<'_> {
    fn is_inside(&self, other: &Missing<'_>) -> bool {
        let (own, around) = (self.effect.span, other.effect.span);
        let is_within = around.start <= own.start && own.end <= around.end && own != around;
        self.file.changed.path == other.file.changed.path && is_within
    }

    fn finding(&self) -> Finding {
        let Effect { kind, span, text, .. } = self.effect;
        Finding {
            path: self.file.changed.old_path().to_owned(),
            line: span.first_line,
            kind: FindingKind::RemovedBehaviour,
            severity: Severity::Warning,
            message: format!("removed {}: `{text}`", kind.words()),
            cause: Some(self.file.changed.cause_of_old(span.first_line)),
        }
    }

    /// The innermost function with a name that it stood in.
    fn function(&self) -> Option<&Symbol> {
        let at = self.effect.span.start;
        let around =
            self.code.functions.iter().filter(|it| (it.span.start..it.span.end).contains(&at));
        around.min_by_key(|it| it.span.end - it.span.start)
    }

    /// Calls of the edited lines, before and after.
    fn calls(&self) -> (Vec<&CallSite>, Vec<&CallSite>) {
        let new = self.file.after.as_ref().map(|code| code.calls_in(&self.hunk.new));
        (self.code.calls_in(&self.hunk.old), new.unwrap_or_default())
    }
}

/// The whole change, before and after.
struct Both<'t> {
    before: &'t Totals,
    after: &'t Totals,
}

impl Both<'_> {
    fn missing<'f>(&self, file: &'f File<'f>) -> Vec<Missing<'f>> {
        let is_product = matches!(Role::of(file.changed.old_path()), Role::Product | Role::Tooling);
        let (Some(code), true) = (&file.before, is_product) else { return Vec::new() };
        if file.after.as_ref().is_some_and(|after| !after.is_whole) {
            return Vec::new();
        }
        let Some(effects) = code.effects.as_ref().filter(|_| code.is_whole) else {
            return Vec::new();
        };
        let missing = effects.statements.iter().filter_map(|effect| {
            let hunk = file.hunk_at(&effect.span)?;
            let is_meant = self.is_meant(file, code, effect) && !self.stands(effect);
            is_meant.then_some(Missing { file, code, effect, hunk })
        });
        missing.collect()
    }

    /// Is it an effect whose loss means something?
    fn is_meant(&self, file: &File<'_>, code: &Code, effect: &Effect) -> bool {
        let text = file.changed.before.as_deref().unwrap_or_default();
        if values::is_value(effect, code.language) {
            return false;
        }
        match effect.kind {
            EffectKind::Event => true,
            // What is thrown on from a clause that is gone as well gets through without it.
            EffectKind::Throw => !effect.name.is_empty() || file.keeps_catches(),
            EffectKind::Await if effect.name.is_empty() => true,
            // A function that is gone was renamed, or moved into its callers, or what it did is missing by itself.
            EffectKind::Call | EffectKind::Await => {
                !ignored::is_ignored(effect, text) && !self.is_gone(&effect.name)
            }
        }
    }

    fn is_gone(&self, function: &str) -> bool {
        let name = stem(function);
        self.before.declared.contains(name) && !self.after.declared.contains(name)
    }

    /// Is it still there, wherever, or written in another way?
    fn stands(&self, effect: &Effect) -> bool {
        let Both { before, after } = self;
        let had = before.key(&effect.key);
        let has = after.key(&effect.key);
        // One that gives a value may have been called once too often.
        let is_shared = effect.kept == Kept::Value && has > 0;
        if (had > 0 && has >= had) || is_shared || self.may_stand_unread(effect) {
            return true;
        }
        match effect.kind {
            EffectKind::Throw => after.throws >= before.throws,
            EffectKind::Await if effect.name.is_empty() => after.awaits >= before.awaits,
            EffectKind::Call | EffectKind::Await | EffectKind::Event => {
                after.name(&effect.name) >= before.name(&effect.name)
            }
        }
    }

    /// Could it stand in a text that cannot be read?
    fn may_stand_unread(&self, effect: &Effect) -> bool {
        let may_have = |word: &str| self.after.unread.contains(word);
        match effect.kind {
            EffectKind::Throw => ["panic", "raise", "throw"].into_iter().any(may_have),
            EffectKind::Await if effect.name.is_empty() => may_have("await"),
            EffectKind::Call | EffectKind::Await | EffectKind::Event => {
                may_have(stem(&effect.name))
            }
        }
    }

    /// Is it gone for certain, with nothing in its place?
    fn is_removed(&self, missing: &Missing<'_>, all: &[Missing<'_>]) -> bool {
        let Missing { file, effect, hunk, .. } = missing;
        if self.is_dead(missing) || self.is_dropped_parameter(missing, all) {
            return false;
        }
        let (old, new) = missing.calls();
        let gained = gained(&old, &new);
        let after = file.after.as_ref().and_then(|code| code.effects.as_ref());
        let is_on = |lines: &[u32]| lines.iter().any(|line| hunk.has_new(*line));
        match effect.kind {
            EffectKind::Throw => {
                gained.is_empty() && !after.is_some_and(|effects| is_on(&effects.throws))
            }
            EffectKind::Await if effect.name.is_empty() => {
                gained.is_empty() && !after.is_some_and(|effects| is_on(&effects.awaits))
            }
            EffectKind::Call | EffectKind::Await | EffectKind::Event => {
                let is_same = |call: &&&CallSite| stem(&call.name) == stem(&effect.name);
                let is_rewritten = new
                    .iter()
                    .filter(is_same)
                    .any(|call| !old.iter().any(|before| before.key == call.key));
                !is_rewritten && self.has_no_substitute(missing, &gained)
            }
        }
    }

    /// Could none of the calls that came do what it did?
    fn has_no_substitute(&self, missing: &Missing<'_>, gained: &[&str]) -> bool {
        let is_event = missing.effect.kind == EffectKind::Event;
        if self.after.name(&missing.effect.name) > 0 {
            return gained.is_empty() && !self.is_merged(missing);
        }
        // Functions of the change itself can be looked into, as long as they call nothing new from elsewhere.
        let own = |name: &&str| self.after.declared.contains(*name);
        is_event || gained.is_empty() || (gained.iter().all(own) && !self.gains_foreign_calls())
    }

    fn gains_foreign_calls(&self) -> bool {
        let Both { before, after } = self;
        if !after.unread.is_empty() {
            return true;
        }
        let mut gained = after
            .calls
            .iter()
            .filter(|(name, count)| before.calls.get(*name).copied().unwrap_or_default() < **count);
        gained.any(|(name, _)| !after.declared.contains(name.as_str()))
    }

    /// Do two that were equal share one now? Then the other still stands where this one stood.
    fn is_merged(&self, missing: &Missing<'_>) -> bool {
        let Missing { file, code, effect, .. } = missing;
        if self.after.key(&effect.key) == 0 {
            return false;
        }
        let (Some(function), Some(after)) = (missing.function(), &file.after) else { return true };
        let Some(now) = after.functions.iter().find(|it| it.name == function.name) else {
            return true;
        };
        let mut calls = after.effects.iter().flat_map(|effects| &effects.calls);
        let is_there = calls
            .any(|it| it.key == effect.key && (now.span.start..now.span.end).contains(&it.start));
        // Several handlers in one component: as many functions as before, and one does less.
        let functions = |code: &Code| code.effects.as_ref().map_or(0, |effects| effects.functions);
        is_there && (effect.kind != EffectKind::Event || functions(after) < functions(code))
    }

    /// Did it stand in a function that nobody called, or that now comes from elsewhere?
    fn is_dead(&self, missing: &Missing<'_>) -> bool {
        let Some(function) = missing.function().filter(|it| self.is_gone(&it.name)) else {
            return false;
        };
        let may_stand = self.after.unread.contains(stem(&function.name));
        self.before.name(&function.name) <= 1 || self.after.name(&function.name) > 0 || may_stand
    }

    /// A callback that is no parameter any more gives way to a promise or a value.
    fn is_dropped_parameter(&self, missing: &Missing<'_>, all: &[Missing<'_>]) -> bool {
        let Missing { file, code, effect, .. } = missing;
        if effect.name.is_empty() || !effect.receiver.is_empty() || effect.kind == EffectKind::Throw
        {
            return false;
        }
        let text = file.changed.before.as_deref().unwrap_or_default();
        let details = code.language.and_then(|language| details(language, text));
        let is_local = details
            .is_some_and(|it| it.locals.contains(&effect.name) && !it.top.contains(&effect.name));
        let lost = self.before.name(&effect.name).saturating_sub(self.after.name(&effect.name));
        let calls = all.iter().filter(|it| it.effect.name == effect.name).count();
        is_local && lost as usize != calls
    }
}

/// Names that are called more often than before.
fn gained<'c>(old: &[&'c CallSite], new: &[&'c CallSite]) -> Vec<&'c str> {
    let mut balance: BTreeMap<&str, i64> = BTreeMap::new();
    for call in new {
        *balance.entry(stem(&call.name)).or_default() += 1;
    }
    for call in old {
        *balance.entry(stem(&call.name)).or_default() -= 1;
    }
    balance.into_iter().filter(|(_, count)| *count > 0).map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests;
