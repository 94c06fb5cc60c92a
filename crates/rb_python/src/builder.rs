//! Builds `Scopes`: the walk tells it of scopes, bindings and uses as they come, and `finish` finds what each name means.
//!
//! Names are resolved at the end because a function may use what is bound below it.

use std::collections::BTreeMap;

use ruff_text_size::{TextRange, TextSize};

use crate::builtins::is_builtin;
use crate::scopes::{
    Binding, BindingKind, Name, NameRole, Redirect, Scope, ScopeId, ScopeKind, Scopes, Variable,
    VariableId,
};

const MODULE: ScopeId = ScopeId(0);

pub(crate) struct ScopesBuilder {
    scopes: Scopes,
    /// For each variable: from where on it can have a value, in the order of execution.
    bound_from: Vec<TextSize>,
    /// Bindings of names that are `nonlocal`: their variable may be bound further below.
    nonlocals: Vec<(ScopeId, String, Binding)>,
    pub(crate) current: ScopeId,
}

impl ScopesBuilder {
    pub(crate) fn new(range: TextRange) -> Self {
        let mut builder = ScopesBuilder {
            scopes: Scopes::default(),
            bound_from: Vec::new(),
            nonlocals: Vec::new(),
            current: MODULE,
        };
        builder.scopes.scopes.push(scope(ScopeKind::Module, None, range, ""));
        builder
    }

    /// Opens a scope in the current one. It does not become the current one: what the header of a definition holds is still outside.
    pub(crate) fn open(&mut self, kind: ScopeKind, range: TextRange, name: &str) -> ScopeId {
        let id = ScopeId(index(self.scopes.scopes.len()));
        self.scopes.scopes.push(scope(kind, Some(self.current), range, name));
        id
    }

    /// From this offset on, text belongs to this scope.
    pub(crate) fn place(&mut self, at: TextSize, scope: ScopeId) {
        self.scopes.places.push((at, scope));
    }

    pub(crate) fn kind(&self, scope: ScopeId) -> ScopeKind {
        self.scopes.scope(scope).kind
    }

    pub(crate) fn parent(&self, scope: ScopeId) -> Option<ScopeId> {
        self.scopes.scope(scope).parent
    }

    pub(crate) fn star_import(&mut self) {
        self.scopes.scopes[self.current.0 as usize].has_star_import = true;
    }

    pub(crate) fn redirect(&mut self, name: &str, redirect: Redirect) {
        let scope = &mut self.scopes.scopes[self.current.0 as usize];
        // At the top level `global` changes nothing.
        if scope.kind != ScopeKind::Module {
            scope.redirects.insert(name.to_owned(), redirect);
        }
    }

    /// A name as it is written, in the current scope.
    pub(crate) fn name(&mut self, name: &str, range: TextRange, role: NameRole, is_quoted: bool) {
        let name = name.to_owned();
        let scope = self.current;
        self.scopes.names.push(Name { name, range, scope, variable: None, role, is_quoted });
    }

    /// `from` is where the variable has its value: behind the statement for an assignment.
    pub(crate) fn bind(&mut self, scope: ScopeId, name: &str, binding: Binding, from: TextSize) {
        match self.scopes.scope(scope).redirects.get(name) {
            Some(Redirect::Nonlocal) => self.nonlocals.push((scope, name.to_owned(), binding)),
            Some(Redirect::Global) if self.scopes.is_mangled(scope, name) => {}
            // It may run at any time.
            Some(Redirect::Global) => self.add(MODULE, name, binding, TextSize::new(0)),
            None => self.add(scope, name, binding, from),
        }
    }

    fn add(&mut self, scope: ScopeId, name: &str, binding: Binding, from: TextSize) {
        let next = VariableId(index(self.scopes.variables.len()));
        let variables = &mut self.scopes.scopes[scope.0 as usize].variables;
        let id = match variables.get(name) {
            Some(id) => *id,
            None => {
                variables.insert(name.to_owned(), next);
                let bindings = Vec::new();
                self.scopes.variables.push(Variable { name: name.to_owned(), scope, bindings });
                self.bound_from.push(TextSize::new(u32::MAX));
                next
            }
        };
        if binding.kind != BindingKind::Declaration {
            let earliest = &mut self.bound_from[id.0 as usize];
            *earliest = from.min(*earliest);
        }
        self.scopes.variables[id.0 as usize].bindings.push(binding);
    }

    pub(crate) fn finish(mut self) -> Scopes {
        for (scope, name, binding) in std::mem::take(&mut self.nonlocals) {
            if let Some(variable) = self.scopes.nonlocal(scope, &name) {
                self.scopes.variables[variable.0 as usize].bindings.push(binding);
            }
        }
        for variable in &mut self.scopes.variables {
            variable.bindings.sort_by_key(|binding| binding.range.start());
        }
        let mut names = std::mem::take(&mut self.scopes.names);
        names.sort_by_key(|name| name.range.start());
        for name in &mut names {
            name.variable = self.resolve(name);
        }
        self.scopes.names = names;
        // Stable: where one scope ends and another begins, the walk's order counts.
        self.scopes.places.sort_by_key(|(at, _)| *at);
        group_names(&mut self.scopes);
        self.scopes
    }

    fn resolve(&self, name: &Name) -> Option<VariableId> {
        let variable = self.scopes.lookup(name.scope, &name.name)?;
        let runs_here = self.scopes.variable(variable).scope == name.scope;
        let is_bound = self.bound_from[variable.0 as usize] <= name.range.start();
        if name.role != NameRole::Use || !runs_here || is_bound {
            return Some(variable);
        }
        // A class body or module runs from top to bottom, so that `x` of `x = x` is not the `x` that it binds.
        let is_from_outside = is_builtin(&name.name) || self.scopes.scope(MODULE).has_star_import;
        match self.kind(name.scope) {
            ScopeKind::Class if self.scopes.is_mangled(name.scope, &name.name) => Some(variable),
            ScopeKind::Class => match self.scopes.global(&name.name) {
                Some(global) => Some(global),
                None if is_from_outside => None,
                None => Some(variable),
            },
            ScopeKind::Module if is_from_outside => None,
            ScopeKind::Module
            | ScopeKind::Function
            | ScopeKind::Lambda
            | ScopeKind::Comprehension
            | ScopeKind::TypeParameters => Some(variable),
        }
    }
}

fn scope(kind: ScopeKind, parent: Option<ScopeId>, range: TextRange, name: &str) -> Scope {
    Scope {
        kind,
        parent,
        range,
        name: name.to_owned(),
        variables: BTreeMap::new(),
        has_star_import: false,
        redirects: BTreeMap::new(),
    }
}

fn group_names(scopes: &mut Scopes) {
    let mut groups = vec![0; scopes.variables.len() + 1];
    for variable in scopes.names.iter().filter_map(|name| name.variable) {
        groups[variable.0 as usize + 1] += 1;
    }
    for variable in 1..groups.len() {
        groups[variable] += groups[variable - 1];
    }
    let mut next = groups.clone();
    let total = groups.last().copied().unwrap_or(0);
    let mut grouped = vec![0; total as usize];
    for (at, name) in scopes.names.iter().enumerate() {
        if let Some(variable) = name.variable {
            let slot = &mut next[variable.0 as usize];
            grouped[*slot as usize] = index(at);
            *slot += 1;
        }
    }
    scopes.grouped = grouped;
    scopes.groups = groups;
}

fn index(length: usize) -> u32 {
    u32::try_from(length).expect("a text of less than 4 GiB has fewer names than that")
}
