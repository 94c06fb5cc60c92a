//! Imports that would run in a circle while modules are loaded.
//!
//! The new module may import the old one (for helpers that stay), the old one the new one (for uses that stay), and both what others import.
//! A circle that was there before is left as it was: it worked. A new one is broken by importing inside of functions.

use std::collections::BTreeSet;

use rb_python::TextRange;

use super::needs::{Need, Origin};
use super::selection::{bound_by, place};
use super::timing::Timing;
use super::{Relocation, loads};
use crate::outcome::Refusal;

/// How the two modules import each other.
#[derive(Debug, Clone, Default)]
pub(super) struct Cycles {
    /// What the moved code takes from the old module.
    pub(super) old: Deferred,
    /// What the old module takes from the new one.
    pub(super) back: Deferred,
    /// Moved names that are used at load time, and what they use in turn: their bodies run then.
    eager: BTreeSet<String>,
}

/// Which imports do not stand at the top, where they would run at load time.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Deferred {
    pub(super) in_functions: bool,
    /// What only annotations need stands below `if TYPE_CHECKING:`.
    pub(super) for_types: bool,
}

impl Cycles {
    pub(super) fn new(relocation: &Relocation<'_, '_>) -> Result<Self, Refusal> {
        let mut cycles = Cycles { eager: eager_names(relocation), ..Cycles::default() };
        let is_own = |need: &&Need| {
            !relocation.is_duplicate() && need.origin == Origin::Own && !need.is_type_only()
        };
        let own: Vec<&Need> = relocation.needs.iter().filter(is_own).collect();
        let has_back = relocation.left.iter().any(|need| !need.is_type_only());
        let back = if has_back { relocation.target_reaches_old() } else { None };
        let others = if own.is_empty() { None } else { relocation.old_reaches_target() };
        if !own.is_empty() && (has_back || others.is_some()) {
            let blocker = own.iter().find_map(|need| cycles.load_use(relocation, need));
            match blocker {
                None => cycles.old.in_functions = true,
                Some(range) if others.is_none() && back.is_none() => {
                    cycles.back.in_functions = true;
                    Cycles::check_back(relocation, Some(range), None)?;
                }
                Some(range) => return Err(Cycles::refused(relocation, range, others.or(back))),
            }
        }
        if back.is_some() {
            cycles.back.in_functions = true;
            Cycles::check_back(relocation, None, back)?;
        }
        cycles.decide_types(relocation, !own.is_empty(), has_back);
        Ok(cycles)
    }

    /// An import for annotations runs as any other does, so it can close a circle, too.
    fn decide_types(&mut self, relocation: &Relocation<'_, '_>, takes_own: bool, has_back: bool) {
        let is_type = |need: &Need| need.origin == Origin::Own && need.is_type_only();
        let has_types = !relocation.is_duplicate() && relocation.needs.iter().any(is_type);
        if has_types {
            let is_back_loaded = has_back && !self.back.in_functions;
            self.old.for_types = is_back_loaded || relocation.old_reaches_target().is_some();
        }
        if relocation.left.iter().any(Need::is_type_only) {
            let is_old_loaded =
                (takes_own && !self.old.in_functions) || (has_types && !self.old.for_types);
            self.back.for_types = is_old_loaded || relocation.target_reaches_old().is_some();
        }
    }

    /// A use that must be there when the module is loaded.
    pub(super) fn load_use(
        &self,
        relocation: &Relocation<'_, '_>,
        need: &Need,
    ) -> Option<TextRange> {
        let is_eager = |(range, timing): &&(TextRange, Timing)| match timing {
            Timing::Load => true,
            Timing::Type => false,
            Timing::Run => relocation.selection.blocks.iter().any(|block| {
                let names = bound_by(&relocation.old, block.statement);
                block.range.contains_range(*range)
                    && names.iter().any(|name| self.eager.contains(name))
            }),
        };
        need.uses.iter().find(is_eager).map(|(range, _)| *range)
    }

    /// The old module can import the moved names inside of functions only if it does not need them earlier.
    fn check_back(
        relocation: &Relocation<'_, '_>,
        moved: Option<TextRange>,
        chain: Option<Vec<String>>,
    ) -> Result<(), Refusal> {
        let early = relocation
            .left
            .iter()
            .flat_map(|need| &need.uses)
            .find(|(_, timing)| *timing == Timing::Load);
        let listed = super::exports::listed(&relocation.old);
        let is_given_on = relocation.left.iter().any(|need| listed.contains(&need.name));
        match early {
            Some((range, _)) => Err(Cycles::refused(relocation, moved.unwrap_or(*range), chain)),
            None if is_given_on => {
                Err(Cycles::refused(relocation, moved.unwrap_or_default(), chain))
            }
            None => Ok(()),
        }
    }

    fn refused(
        relocation: &Relocation<'_, '_>,
        range: TextRange,
        chain: Option<Vec<String>>,
    ) -> Refusal {
        let (old, to) = (relocation.old.path(), &relocation.to);
        let chain = chain.unwrap_or_else(|| vec![old.to_owned(), to.clone()]).join(" → ");
        let reason =
            format!("{to} and {old} would import each other while they are loaded ({chain})");
        let mut refusal = Refusal::new(reason, "move what is used at load time too");
        let what = "this is needed when the module is loaded";
        refusal.places.push(place(&relocation.old, range, what));
        refusal
    }
}

/// Names whose code runs while a module is loaded, as far as the move shows it.
fn eager_names(relocation: &Relocation<'_, '_>) -> BTreeSet<String> {
    let old = &relocation.old;
    let mut eager: BTreeSet<String> = BTreeSet::new();
    let left = relocation.left.iter().filter(|need| need.has(Timing::Load));
    eager.extend(left.map(|need| need.name.clone()));
    let timings = super::timing::Timings::new(old, true);
    let moved = |name: &&rb_python::Name| relocation.selection.contains(name.range);
    let uses: Vec<(&rb_python::Name, Timing)> =
        old.scopes().names.iter().filter(moved).map(|name| (name, timings.of(name))).collect();
    loop {
        let before = eager.len();
        for (name, timing) in &uses {
            let block = relocation
                .selection
                .blocks
                .iter()
                .find(|block| block.range.contains_range(name.range));
            let owners = block.map(|block| bound_by(old, block.statement)).unwrap_or_default();
            let runs = *timing == Timing::Load
                || (*timing == Timing::Run && owners.iter().any(|owner| eager.contains(owner)));
            let is_other = !owners.contains(&name.name);
            if runs && is_other && relocation.is_moved(&name.name) {
                eager.insert(name.name.clone());
            }
        }
        if eager.len() == before {
            return eager;
        }
    }
}

impl Relocation<'_, '_> {
    /// The files that will import the new module for the moved names when they are loaded.
    fn importers(&self) -> BTreeSet<String> {
        let is_importing = |uses: &super::uses::FileUses| {
            let imports = uses.source.imports();
            let is_loaded = |import: &usize| loads::is_loaded(&uses.source, &imports[*import]);
            let by_name = uses.names.iter().any(|(import, name)| {
                is_loaded(import) && self.is_moved(&imports[*import].names[*name].name)
            });
            let has_member =
                |member: &Option<String>| member.as_ref().is_some_and(|name| self.is_moved(name));
            let is_accessed = uses.accesses.iter().any(|access| has_member(&access.member));
            by_name || (is_accessed && uses.namespaces.iter().any(|one| is_loaded(&one.import)))
        };
        let users =
            self.uses.iter().filter(|(path, uses)| *path != self.old.path() && is_importing(uses));
        users.map(|(path, _)| path.clone()).filter(|path| *path != self.to).collect()
    }

    /// Does the old module load the new one in any way but for the moved names?
    fn old_reaches_target(&self) -> Option<Vec<String>> {
        let mut goals = self.importers();
        goals.insert(self.to.clone());
        self.loads.chain(&BTreeSet::from([self.old.path().to_owned()]), &goals)
    }

    /// What the new module loads by itself.
    pub(super) fn target_loads(&self) -> BTreeSet<String> {
        let Some(target) = self.target.as_deref() else { return BTreeSet::new() };
        let mut loads = self.loads.of_source(target);
        if !self.target_keeps_old() {
            loads.remove(self.old.path());
        }
        loads
    }

    /// Does the new module take more from the old one than what is moved?
    fn target_keeps_old(&self) -> bool {
        let Some(uses) = self.uses.get(&self.to) else { return false };
        let imports = uses.source.imports();
        let stays = |(import, name): &(usize, usize)| {
            loads::is_loaded(&uses.source, &imports[*import])
                && !self.is_moved(&imports[*import].names[*name].name)
        };
        let has_other =
            |member: &Option<String>| !member.as_ref().is_some_and(|name| self.is_moved(name));
        let is_accessed = uses.accesses.iter().any(|access| has_other(&access.member));
        !uses.stars.is_empty() || uses.names.iter().any(stays) || is_accessed
    }

    fn target_reaches_old(&self) -> Option<Vec<String>> {
        self.loads.chain(&self.target_loads(), &BTreeSet::from([self.old.path().to_owned()]))
    }

    /// Would an import of this module lead back to the new one, where it did not before?
    pub(super) fn is_circular(&self, module: &str, member: Option<&str>) -> Option<Vec<String>> {
        self.target.as_ref()?;
        let known = self.loads.of(&self.to);
        let mut new = self.loads.of_import(&self.to, module, member);
        new.retain(|path| !known.contains(path));
        self.loads.chain(&new, &BTreeSet::from([self.to.clone()]))
    }

    /// Would a file that takes the moved names from the new module be loaded by it?
    pub(super) fn is_loaded_by_target(&self, path: &str) -> Option<Vec<String>> {
        if self.target.is_none()
            || self.loads.packages(&self.to).iter().any(|package| package == path)
        {
            return None;
        }
        self.loads.chain(&self.target_loads(), &BTreeSet::from([path.to_owned()]))
    }
}
