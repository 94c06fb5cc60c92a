//! How moved code gets what it needs in its new module: an import at the top, one inside of a function, or a new name where the old one is
//! taken.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::Edit;
use rb_python::{ImportPlace, Source, TextRange};

use super::cycles::Cycles;
use super::needs::{Need, Origin};
use super::own_uses::check_local;
use super::required_import::{Wanted, wanted};
use super::selection::refusal;
use super::target_names::{Same, binds_packages_only, is_dotted, is_unbound_in, same_in_target};
use super::timing::Timing;
use super::uses::identifier;
use super::{Relocation, future};
use crate::files::folder_of;
use crate::imports::{Imported, Section, at_head_of_function};
use crate::operations::name_import::check_locals;
use crate::outcome::Refusal;

/// What the new module gets beside the code.
#[derive(Debug, Clone, Default)]
pub(super) struct Supply {
    pub(super) imports: Vec<(Imported, Section)>,
    /// Of the moved code, in the text of the old module.
    pub(super) edits: Vec<Edit>,
    pub(super) notes: Vec<String>,
    /// Names of the new module that moved code uses when it is loaded.
    pub(super) load_names: BTreeSet<String>,
    /// Where moved code uses names of the new module, in the text of the old one.
    pub(super) target_uses: Vec<TextRange>,
    /// Imports at the head of functions: a use of the name, and the statement.
    lazy: Vec<(TextRange, String)>,
}

pub(super) fn supply(relocation: &Relocation<'_, '_>, cycles: &Cycles) -> Result<Supply, Refusal> {
    let mut supply = Supply::default();
    if relocation.is_duplicate() {
        return Ok(supply);
    }
    supply.add_future(relocation);
    for need in &relocation.needs {
        for imported in wanted(relocation, need) {
            supply.add(relocation, cycles, need, imported)?;
        }
    }
    supply.add_local_imports(relocation);
    supply.add_lazy(relocation)?;
    Ok(supply)
}

impl Supply {
    fn add_future(&mut self, relocation: &Relocation<'_, '_>) {
        let imports =
            relocation.old.imports().iter().filter(|import| import.specifier(0) == "__future__");
        let names = imports.flat_map(|import| &import.names).map(|name| name.name.clone());
        let wanted: Vec<String> = match relocation.target.as_deref() {
            None => names.collect(),
            Some(target)
                if future::is_added(&relocation.old, target, &relocation.selection.blocks) =>
            {
                let note = "annotations are not evaluated there any more, as in the old module";
                self.notes.push(format!(
                    "{} now has `from __future__ import annotations`: {note}",
                    relocation.to
                ));
                vec!["annotations".to_owned()]
            }
            Some(_) => Vec::new(),
        };
        for name in wanted {
            self.imports.push((Imported::from("__future__", name), Section::Top));
        }
    }

    fn add(
        &mut self,
        relocation: &Relocation<'_, '_>,
        cycles: &Cycles,
        need: &Need,
        wanted: Wanted,
    ) -> Result<(), Refusal> {
        match wanted {
            Wanted::Target(name) => {
                self.rename(need, &name);
                self.target_uses.extend(need.uses.iter().map(|(range, _)| *range));
                self.load_names.extend(need.has(Timing::Load).then_some(name));
            }
            Wanted::TargetModule(written) => self.strip_namespace(relocation, need, &written)?,
            Wanted::Import(imported, place) => {
                let imported = self.named(relocation, need, imported);
                let Some(imported) = imported else { return Ok(()) };
                let is_old = need.origin == Origin::Own && cycles.old.in_functions;
                let chain = relocation.is_circular(&imported.module, imported.name.as_deref());
                let is_lazy = (is_old || chain.is_some())
                    && place == ImportPlace::Top
                    && !need.is_type_only();
                if is_lazy {
                    self.import_in_functions(relocation, cycles, need, &imported, chain)?;
                } else {
                    let is_old_type = need.origin == Origin::Own && cycles.old.for_types;
                    let is_circular = is_old || is_old_type || chain.is_some();
                    let is_for_types =
                        place == ImportPlace::TypeChecking || (is_circular && need.is_type_only());
                    let section = if is_for_types { Section::TypeChecking } else { Section::Top };
                    self.imports.push((imported, section));
                }
            }
        }
        Ok(())
    }

    /// None if the new module has the same already; another local name if that is taken.
    fn named(
        &mut self,
        relocation: &Relocation<'_, '_>,
        need: &Need,
        imported: Imported,
    ) -> Option<Imported> {
        let target = relocation.target.as_deref();
        let Some(target) = target else { return Some(imported) };
        let is_free = |name: &str| {
            target.scopes().global(name).is_none()
                && !is_unbound_in(target, name)
                && !relocation.is_moved(name)
        };
        let local = imported.local().to_owned();
        if is_dotted(&imported) && binds_packages_only(target, &local) {
            return Some(imported);
        }
        match same_in_target(relocation, target, &imported, need) {
            Same::There => return None,
            Same::ForTypesOnly => return Some(imported),
            Same::No if is_free(&local) => return Some(imported),
            Same::No => {}
        }
        let scopes = relocation.old.scopes();
        let is_unused = |name: &String| {
            is_free(name)
                && !scopes.variables.iter().any(|variable| variable.name == *name)
                && !scopes.names.iter().any(|used| used.name == *name)
        };
        let own = imported.name.clone().unwrap_or_default();
        let stem = imported.module.rsplit('.').next().unwrap_or_default().to_owned();
        let numbered = (2..).map(|number| format!("{local}_{number}"));
        let mut names =
            [own, format!("{stem}_{local}"), format!("_{local}")].into_iter().chain(numbered);
        let name = names.find(|name| !name.is_empty() && is_unused(name))?;
        self.notes
            .push(format!("`{local}` is taken in {}: the moved code uses `{name}`", relocation.to));
        self.rename(need, &name);
        Some(imported.named(&name))
    }

    fn rename(&mut self, need: &Need, name: &str) {
        if need.name != name {
            let ranges = need.uses.iter().map(|(range, _)| *range);
            self.edits.extend(ranges.map(|range| replace(range, name)));
        }
    }

    /// `target.x` in code that comes to `target` itself is `x`.
    fn strip_namespace(
        &mut self,
        relocation: &Relocation<'_, '_>,
        need: &Need,
        written: &str,
    ) -> Result<(), Refusal> {
        let old = &relocation.old;
        for (range, timing) in &need.uses {
            let start = range.start().to_usize();
            let rest = &old.text()[start..];
            let member =
                rest.strip_prefix(written).and_then(|rest| rest.strip_prefix('.')).map(identifier);
            let Some(member) = member else {
                // `a` of `a.other` after `import a.target` and `import a.other`.
                if written.contains('.') {
                    continue;
                }
                let reason = format!("the moved code uses {} as a whole", relocation.to);
                let what = "it would use the module that it is in".to_owned();
                return Err(refusal(old, *range, reason, what, "use its names instead"));
            };
            check_local(old, *range, member)?;
            self.load_names.extend((*timing == Timing::Load).then(|| member.to_owned()));
            self.target_uses.push(*range);
            let end = crate::layout::offset(start + written.len() + 1);
            self.edits.push(Edit::delete(range.start().to_u32(), end));
        }
        Ok(())
    }

    fn import_in_functions(
        &mut self,
        relocation: &Relocation<'_, '_>,
        cycles: &Cycles,
        need: &Need,
        imported: &Imported,
        chain: Option<Vec<String>>,
    ) -> Result<(), Refusal> {
        if let Some(range) = cycles.load_use(relocation, need) {
            let to = &relocation.to;
            let chain = chain.unwrap_or_else(|| vec![relocation.old.path().to_owned(), to.clone()]);
            let reason = format!(
                "an import of `{}` in {to} would run in a circle ({to} → {})",
                need.name,
                chain.join(" → ")
            );
            let what = format!("`{}` is needed when the module is loaded", need.name);
            return Err(refusal(&relocation.old, range, reason, what, "move what it needs too"));
        }
        for (range, _) in need.uses.iter().filter(|(_, timing)| *timing == Timing::Run) {
            self.lazy.push((*range, imported.statement()));
        }
        if need.has(Timing::Type) {
            self.imports.push((imported.clone(), Section::TypeChecking));
        }
        let to = &relocation.to;
        self.notes.push(format!(
            "{to} imports `{}` inside of functions: at its top that would be an import cycle",
            imported.local()
        ));
        Ok(())
    }

    /// Relative imports inside of moved functions, from another folder.
    fn add_local_imports(&mut self, relocation: &Relocation<'_, '_>) {
        let old = &relocation.old;
        for import in
            old.imports().iter().filter(|import| relocation.selection.contains(import.range))
        {
            let is_relative = import.is_from && import.level > 0;
            if !is_relative || folder_of(old.path()) == folder_of(&relocation.to) {
                continue;
            }
            let module = import.specifier(0);
            let text = old.slice(import.range);
            let Some(at) = text.find(&module) else { continue };
            let start = import.range.start().to_u32() + crate::layout::offset(at);
            let end = start + crate::layout::offset(module.len());
            self.edits.push(Edit::replace(start, end, relocation.respecified(&module)));
        }
    }

    /// One insertion for each function.
    fn add_lazy(&mut self, relocation: &Relocation<'_, '_>) -> Result<(), Refusal> {
        self.edits.extend(lazy_edits(&relocation.old, &self.lazy)?);
        Ok(())
    }
}

/// Imports at the head of the functions around some uses.
pub(super) fn lazy_edits(
    source: &Source,
    lazy: &[(TextRange, String)],
) -> Result<Vec<Edit>, Refusal> {
    let mut functions: BTreeMap<u32, (TextRange, BTreeSet<String>)> = BTreeMap::new();
    for (range, statement) in lazy {
        check_locals(source, *range)?;
        let Some(edit) = at_head_of_function(source, *range, &[]) else {
            let reason = "an import cannot be put into the function that needs it";
            let what = "the name is used here".to_owned();
            return Err(refusal(
                source,
                *range,
                reason,
                what,
                "write the function over several lines",
            ));
        };
        let entry = functions.entry(edit.start).or_insert_with(|| (*range, BTreeSet::new()));
        entry.1.insert(statement.clone());
    }
    let edit = |(range, statements): &(TextRange, BTreeSet<String>)| {
        let statements: Vec<String> = statements.iter().cloned().collect();
        at_head_of_function(source, *range, &statements)
    };
    Ok(functions.values().filter_map(edit).collect())
}

fn replace(range: TextRange, text: &str) -> Edit {
    Edit::replace(range.start().to_u32(), range.end().to_u32(), text)
}
