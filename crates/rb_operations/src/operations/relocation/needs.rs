//! What moved code takes from the module that it leaves: imports, helpers, constants.

use std::collections::{BTreeMap, BTreeSet};

use rb_python::ast::{Expr, Stmt};
use rb_python::{BindingKind, ImportPlace, Name, NameRole, ScopeId, Source, TextRange, is_builtin};

use super::selection::{bound_by, statement_index};
use super::timing::{Timing, Timings, has_future};
use crate::layout::{self, Block};

/// One name that is looked up in the old module.
#[derive(Debug, Clone)]
pub(super) struct Need {
    pub(super) name: String,
    pub(super) uses: Vec<(TextRange, Timing)>,
    pub(super) origin: Origin,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// Statements at the top level import it: indexes of statement and name.
    Import(Vec<(usize, usize)>),
    /// The old module defines it.
    Own,
    /// No statement binds it: `import *` brings it in.
    Star,
}

impl Need {
    pub(super) fn has(&self, timing: Timing) -> bool {
        self.uses.iter().any(|(_, when)| *when == timing)
    }

    pub(super) fn is_type_only(&self) -> bool {
        self.uses.iter().all(|(_, when)| *when == Timing::Type)
    }
}

/// All that some blocks need of their module. `inside`: names that come with them.
pub(super) fn needs(
    source: &Source,
    blocks: &[Block],
    inside: &BTreeSet<String>,
    has_future: bool,
) -> Vec<Need> {
    let timings = Timings::new(source, has_future);
    let scopes = source.scopes();
    let mut found: BTreeMap<String, Need> = BTreeMap::new();
    let is_within =
        |name: &&Name| blocks.iter().any(|block| block.range.contains_range(name.range));
    for name in scopes.names.iter().filter(is_within) {
        let is_known = match name.variable {
            Some(id) => {
                let variable = scopes.variable(id);
                variable.scope != ScopeId(0) || inside.contains(&variable.name)
            }
            None => is_builtin(&name.name) || !scopes.scope(ScopeId(0)).has_star_import,
        };
        if is_known || name.role == NameRole::Binding {
            continue;
        }
        let need = found.entry(name.name.clone()).or_insert_with(|| Need {
            name: name.name.clone(),
            uses: Vec::new(),
            origin: Origin::Star,
        });
        need.uses.push((name.range, timings.of(name)));
    }
    let mut needs: Vec<Need> = found.into_values().collect();
    for need in &mut needs {
        need.origin = origin(source, need);
    }
    needs
}

fn origin(source: &Source, need: &Need) -> Origin {
    let Some(variable) = source.scopes().global(&need.name) else { return Origin::Star };
    let mut imports = Vec::new();
    for binding in &source.scopes().variable(variable).bindings {
        match binding.kind {
            BindingKind::Import { import, name } => imports.push((import, name)),
            _ => return Origin::Own,
        }
    }
    let place = |(import, _): &(usize, usize)| source.imports()[*import].place;
    let is_plain = |import: &(usize, usize)| {
        matches!(place(import), ImportPlace::Top | ImportPlace::TypeChecking)
    };
    if !imports.iter().all(is_plain) {
        return Origin::Own;
    }
    let is_runtime = imports.iter().any(|import| place(import) == ImportPlace::Top);
    if is_runtime {
        imports.retain(|import| place(import) == ImportPlace::Top);
    }
    Origin::Import(narrowed(source, need, imports))
}

/// Of `import a.b` and `import a.c`, those whose path the uses begin with.
fn narrowed(source: &Source, need: &Need, imports: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    if imports.len() < 2 {
        return imports;
    }
    let text: &str = source.text();
    let is_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
    let path_at = |(range, _): &(TextRange, Timing)| {
        let rest = &text[range.start().to_usize()..];
        let end = rest.find(|letter| !is_path(letter)).unwrap_or(rest.len());
        format!("{}.", &rest[..end])
    };
    let paths: Vec<String> = need.uses.iter().map(path_at).collect();
    let is_used = |(import, name): &(usize, usize)| {
        let module = &source.imports()[*import].names[*name].name;
        paths.iter().any(|path| path.starts_with(&format!("{module}.")))
    };
    let used: Vec<(usize, usize)> = imports.iter().copied().filter(is_used).collect();
    if used.is_empty() { imports } else { used }
}

/// Statements of the old module that moved code gets a copy of: `try: import x …`, and a logger that is named for its module.
pub(super) fn copies(source: &Source, blocks: &[Block], names: &BTreeSet<String>) -> Vec<Block> {
    let mut copies: Vec<Block> = Vec::new();
    let mut inside = names.clone();
    loop {
        let mut all = blocks.to_vec();
        all.extend(copies.iter().cloned());
        let needed = needs(source, &all, &inside, true);
        let wanted: BTreeSet<String> = needed.iter().map(|need| need.name.clone()).collect();
        let own = needed.iter().filter(|need| need.origin == Origin::Own);
        let mut own = own;
        let Some(block) = own.find_map(|need| copy(source, need, &wanted)) else { break };
        inside.extend(bound_by(source, block.statement));
        copies.push(block);
    }
    copies.sort_by_key(|block| block.statement);
    copies
}

fn copy(source: &Source, need: &Need, wanted: &BTreeSet<String>) -> Option<Block> {
    let variable = source.scopes().variable(source.scopes().global(&need.name)?);
    let indexes: BTreeSet<Option<usize>> =
        variable.bindings.iter().map(|binding| statement_index(source, binding.range)).collect();
    let index = (*indexes.first()?).filter(|_| indexes.len() == 1)?;
    let is_logger = match &source.body()[index] {
        Stmt::Assign(assign) => assign.targets.len() == 1 && is_named_for_module(&assign.value),
        Stmt::Try(_) | Stmt::If(_) => false,
        _ => return None,
    };
    let has_import =
        variable.bindings.iter().any(|binding| matches!(binding.kind, BindingKind::Import { .. }));
    let bound = bound_by(source, index);
    let is_fit = is_logger || (has_import && bound.iter().all(|name| wanted.contains(name)));
    if is_fit { layout::block(source, index) } else { None }
}

/// `getLogger(__name__)`.
fn is_named_for_module(value: &Expr) -> bool {
    let Expr::Call(call) = value else { return false };
    let arguments = &call.arguments;
    let is_name = |expr: &Expr| matches!(expr, Expr::Name(name) if name.id.as_str() == "__name__");
    arguments.keywords.is_empty() && arguments.args.len() == 1 && is_name(&arguments.args[0])
}

/// Uses of moved names in what stays.
pub(super) fn uses_left(source: &Source, blocks: &[Block], names: &BTreeSet<String>) -> Vec<Need> {
    let timings = Timings::new(source, has_future(source));
    let scopes = source.scopes();
    let mut needs = Vec::new();
    for name in names {
        let Some(variable) = scopes.global(name) else { continue };
        let is_left = |name: &&Name| {
            name.role != NameRole::Binding
                && !blocks.iter().any(|block| block.range.contains_range(name.range))
        };
        let uses: Vec<(TextRange, Timing)> = scopes
            .names_of(variable)
            .filter(is_left)
            .map(|name| (name.range, timings.of(name)))
            .collect();
        if !uses.is_empty() {
            needs.push(Need { name: name.clone(), uses, origin: Origin::Own });
        }
    }
    needs
}
