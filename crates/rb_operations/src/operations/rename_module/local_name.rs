//! The name of a module in a file that imports it: may it be the new one?
//!
//! A local variable of that name in a function that uses the module steps aside, as `name_`. Where something else has the name, the module is
//! imported under its old one.

use std::collections::BTreeSet;

use rb_core::Edit;
use rb_python::{BindingKind, ScopeId, ScopeKind, Source, VariableId};

pub(super) enum LocalName {
    /// With the edits of all uses.
    Free(Vec<Edit>),
    Taken,
}

pub(super) fn local_name(source: &Source, import: usize, name: usize, new: &str) -> LocalName {
    let scopes = source.scopes();
    let kind = BindingKind::Import { import, name };
    let binds =
        |id: &VariableId| scopes.variable(*id).bindings.iter().any(|binding| binding.kind == kind);
    let ids =
        (0..scopes.variables.len()).filter_map(|index| u32::try_from(index).ok()).map(VariableId);
    let Some(variable) = ids.into_iter().find(binds) else { return LocalName::Free(Vec::new()) };
    let old = scopes.variable(variable);
    if old.name == new {
        return LocalName::Free(Vec::new());
    }
    let is_plain =
        old.bindings.iter().all(|binding| matches!(binding.kind, BindingKind::Import { .. }));
    let home = scopes.scope(old.scope);
    let is_unbound = scopes.names.iter().any(|used| used.variable.is_none() && used.name == new);
    if !is_plain || home.variables.contains_key(new) || is_unbound {
        return LocalName::Taken;
    }
    let uses: Vec<_> = scopes.names_of(variable).collect();
    let clashing: BTreeSet<VariableId> =
        uses.iter().filter_map(|used| scopes.lookup(used.scope, new)).collect();
    let aside = format!("{new}_");
    let mut edits = Vec::new();
    for id in clashing
        .iter()
        .copied()
        .chain(loop_variables(source, new).filter(|id| !clashing.contains(id)))
    {
        if steps_aside(source, id, old.scope, &aside) {
            edits.extend(scopes.names_of(id).map(|used| edit(used.range, &aside)));
        } else if clashing.contains(&id) {
            return LocalName::Taken;
        }
    }
    edits.extend(uses.iter().map(|used| edit(used.range, new)));
    LocalName::Free(edits)
}

/// Loop variables of this name, which linters do not want to hide an import.
fn loop_variables<'s>(source: &'s Source, name: &'s str) -> impl Iterator<Item = VariableId> {
    let scopes = source.scopes();
    let all =
        scopes.variables.iter().enumerate().filter(move |(_, variable)| variable.name == name);
    all.filter_map(move |(index, variable)| {
        let is_function = scopes.scope(variable.scope).kind == ScopeKind::Function;
        let is_loop = variable.bindings.iter().any(|binding| {
            binding.kind == BindingKind::Other
                && source.slice(binding.statement).starts_with("for ")
        });
        let id = u32::try_from(index).ok().map(VariableId);
        id.filter(|_| is_function && is_loop)
    })
}

/// Is it a plain local variable, all of whose uses are known, and is the other name free?
fn steps_aside(source: &Source, id: VariableId, home: ScopeId, aside: &str) -> bool {
    let scopes = source.scopes();
    let variable = scopes.variable(id);
    let is_local = variable.scope != home && variable.scope != ScopeId(0);
    let is_plain = |kind| matches!(kind, BindingKind::Assignment | BindingKind::Other);
    let has_aside = scopes.variables.iter().any(|other| other.name == aside);
    let is_class = scopes.scope(variable.scope).kind == ScopeKind::Class;
    is_local
        && !is_class
        && !has_aside
        && variable.bindings.iter().all(|binding| is_plain(binding.kind))
}

fn edit(range: rb_python::TextRange, text: &str) -> Edit {
    Edit::replace(range.start().to_u32(), range.end().to_u32(), text)
}
