//! Scopes, the variables of each, and which variable every name means.
//!
//! A variable is a name in a scope, as Python sees it: all bindings of `x` in one function are one variable. `global` and `nonlocal` lead to
//! the variable of the scope that they name; names in a class body are not seen by its functions; the first iterable of a comprehension and
//! the defaults, decorators and annotations of a function belong to the scope around it.

use std::collections::BTreeMap;

use ruff_text_size::{Ranged, TextRange, TextSize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeId(pub u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

#[derive(Debug, Default)]
pub struct Scopes {
    /// The first is the module.
    pub scopes: Vec<Scope>,
    pub variables: Vec<Variable>,
    /// Every place where a name is written as a name, in the order of the text. Parts of imports are not here, see [`crate::Import`];
    /// names of `def` and `class`, parameters, names behind `global` and `nonlocal`, and names of quoted annotations are.
    pub names: Vec<Name>,
    /// Indexes into `names`, grouped by variable.
    pub(crate) grouped: Vec<u32>,
    /// Where the group of each variable begins in `grouped`; one more for the end.
    pub(crate) groups: Vec<u32>,
    /// From this offset to the next one this is the innermost scope.
    pub(crate) places: Vec<(TextSize, ScopeId)>,
}

#[derive(Debug)]
pub struct Scope {
    pub kind: ScopeKind,
    pub parent: Option<ScopeId>,
    /// Of the whole definition or expression that opens it.
    pub range: TextRange,
    /// Of the function or class; empty for others.
    pub name: String,
    pub variables: BTreeMap<String, VariableId>,
    /// It has `from x import *`: names that are bound nowhere may come from there.
    pub has_star_import: bool,
    /// By `global` and `nonlocal`.
    pub(crate) redirects: BTreeMap<String, Redirect>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Redirect {
    Global,
    Nonlocal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeKind {
    Module,
    Class,
    Function,
    Lambda,
    Comprehension,
    /// `[T]` of `def f[T]()`, `class C[T]` and `type X[T]`: around the scope of the function or class, with the same name and range.
    TypeParameters,
}

#[derive(Debug)]
pub struct Variable {
    pub name: String,
    pub scope: ScopeId,
    /// In the order of the text. Never empty.
    pub bindings: Vec<Binding>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// Of the name itself. For an import without `as`: of the (first part of the) imported name.
    pub range: TextRange,
    /// Of the statement that binds it.
    pub statement: TextRange,
    pub kind: BindingKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingKind {
    Function,
    Class,
    Assignment,
    /// `x: int` without a value.
    Declaration,
    Parameter,
    /// Indexes into `Source::imports` and its names.
    Import {
        import: usize,
        name: usize,
    },
    /// `for`, `with`, `except`, `:=`, `match`, `del`, type parameters.
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// As Python sees it (NFKC), which is what is written unless that is very odd.
    pub name: String,
    pub range: TextRange,
    /// The scope in which it is written.
    pub scope: ScopeId,
    /// None: a builtin, or a name from `import *`.
    pub variable: Option<VariableId>,
    pub role: NameRole,
    /// It is written in a string that is an annotation.
    pub is_quoted: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameRole {
    /// The name of a `def`, `class` or parameter, or the target of an assignment and its like.
    Binding,
    Use,
    Delete,
}

impl Scopes {
    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.0 as usize]
    }

    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// A variable of the module itself.
    pub fn global(&self, name: &str) -> Option<VariableId> {
        self.scopes.first()?.variables.get(name).copied()
    }

    /// All names that mean this variable, in the order of the text.
    pub fn names_of(&self, variable: VariableId) -> impl Iterator<Item = &Name> {
        let bound = |index: u32| self.groups.get(index as usize).map_or(0, |at| *at as usize);
        let group = bound(variable.0)..bound(variable.0 + 1);
        self.grouped[group].iter().map(|index| &self.names[*index as usize])
    }

    /// The name at exactly this range.
    pub fn name_at(&self, range: TextRange) -> Option<&Name> {
        let index = self.names.binary_search_by_key(&range.start(), |name| name.range.start());
        index.ok().map(|index| &self.names[index]).filter(|name| name.range == range)
    }

    /// The innermost scope that encloses this place. What is evaluated outside of a function or class is outside of its scope: decorators,
    /// defaults, annotations, bases; so is the first iterable of a comprehension.
    pub fn scope_at(&self, range: TextRange) -> ScopeId {
        let after = self.places.partition_point(|(start, _)| *start <= range.start());
        let mut id = after.checked_sub(1).map_or(ScopeId(0), |index| self.places[index].1);
        loop {
            let scope = self.scope(id);
            let is_inside = scope.range.contains_range(range) && scope.range != range;
            match scope.parent {
                Some(parent) if !is_inside => id = parent,
                _ => return id,
            }
        }
    }

    /// What `name` would mean if it were used in this scope.
    pub fn lookup(&self, scope: ScopeId, name: &str) -> Option<VariableId> {
        let mut id = scope;
        let mut sees_class = true;
        loop {
            let scope = self.scope(id);
            match scope.redirects.get(name) {
                Some(Redirect::Global) if self.is_mangled(id, name) => return None,
                Some(Redirect::Global) => return self.global(name),
                Some(Redirect::Nonlocal) => return self.nonlocal(id, name),
                None => {}
            }
            let is_visible = scope.kind != ScopeKind::Class || sees_class;
            if let (true, Some(variable)) = (is_visible, scope.variables.get(name)) {
                return Some(*variable);
            }
            if scope.kind == ScopeKind::Class && (is_private(name) || name == "__class__") {
                // `__x` in a class means `_Class__x` outside of it; `__class__` means the class.
                return None;
            }
            sees_class = sees_class && scope.kind == ScopeKind::TypeParameters;
            id = scope.parent?;
        }
    }

    /// The variable that `nonlocal name` means in this scope: one of a function around it.
    pub(crate) fn nonlocal(&self, scope: ScopeId, name: &str) -> Option<VariableId> {
        let mut next = self.scope(scope).parent;
        while let Some(id) = next {
            let scope = self.scope(id);
            let is_function = matches!(scope.kind, ScopeKind::Function | ScopeKind::Lambda);
            if let (true, Some(variable)) = (is_function, scope.variables.get(name)) {
                return Some(*variable);
            }
            next = scope.parent;
        }
        None
    }

    /// Is it a private name in a class, which Python puts the name of the class in front of?
    pub(crate) fn is_mangled(&self, scope: ScopeId, name: &str) -> bool {
        is_private(name)
            && std::iter::successors(Some(scope), |id| self.scope(*id).parent)
                .any(|id| self.scope(id).kind == ScopeKind::Class)
    }
}

fn is_private(name: &str) -> bool {
    name.starts_with("__") && !name.ends_with("__")
}

impl Ranged for Name {
    fn range(&self) -> TextRange {
        self.range
    }
}
