//! Classes: their bases, their members, and the order in which members are looked up.

use std::collections::BTreeSet;
use std::sync::Arc;

use rb_python::ast::{Expr, Stmt};
use rb_python::{ScopeKind, Source};

use super::outline::AttributeBinding;
use super::symbols::member_of;
use super::{Project, SymbolKind, Value, statement_at};
use crate::operation::SymbolPath;

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Bases {
    /// Classes of the project, in order.
    pub(crate) own: Vec<SymbolPath>,
    /// Others, as they are known (`threading.Thread`) or written.
    pub(crate) foreign: Vec<String>,
    /// One is not known at all, such as a parameter: it may be a class of the project.
    pub(crate) is_open: bool,
}

impl Project<'_> {
    pub(crate) fn bases(&self, class: &SymbolPath) -> Arc<Bases> {
        if let Some(bases) = self.bases.borrow().get(class) {
            return Arc::clone(bases);
        }
        // A class that is its own base, in the making, has none.
        self.bases.borrow_mut().insert(class.clone(), Arc::default());
        self.pending_bases.set(self.pending_bases.get() + 1);
        let bases = Arc::new(self.find_bases(class));
        self.pending_bases.set(self.pending_bases.get() - 1);
        self.bases.borrow_mut().insert(class.clone(), Arc::clone(&bases));
        bases
    }

    fn find_bases(&self, class: &SymbolPath) -> Bases {
        let mut bases = Bases::default();
        for definition in self.definitions(class) {
            let source = &definition.source;
            for binding in &source.scopes().variable(definition.variable).bindings {
                let statement = statement_at(source.body(), binding.statement);
                let Some(Stmt::ClassDef(statement)) = statement else { continue };
                for base in statement.bases() {
                    self.add_base(source, base, &mut bases);
                }
            }
        }
        bases.own.retain(|base| base != class);
        bases
    }

    fn add_base(&self, source: &Source, base: &Expr, bases: &mut Bases) {
        // `Generic[T]`, `Base[T]`.
        let base = match base {
            Expr::Subscript(subscript) => &*subscript.value,
            other => other,
        };
        match self.settled(self.value(source, base)) {
            Value::Symbol(class) if self.kind(&class) == SymbolKind::Class => {
                if !bases.own.contains(&class) {
                    bases.own.push(class);
                }
            }
            Value::Foreign(name) => bases.foreign.push(name),
            _ => {
                bases.foreign.push(source.slice(rb_python::Ranged::range(base)).to_owned());
                bases.is_open = true;
            }
        }
    }

    /// The class and its base classes of the project, in the order in which members are looked up: a common base comes last.
    pub(crate) fn ancestors(&self, class: &SymbolPath) -> Arc<[SymbolPath]> {
        if let Some(ancestors) = self.ancestors.borrow().get(class) {
            return Arc::clone(ancestors);
        }
        let mut order = Vec::new();
        self.add_ancestors(class, &mut order, &mut Vec::new());
        let mut seen = BTreeSet::new();
        let mut last: Vec<SymbolPath> =
            order.into_iter().rev().filter(|class| seen.insert(class.clone())).collect();
        last.reverse();
        let ancestors: Arc<[SymbolPath]> = last.into();
        // While bases are being found, they are not all known.
        if self.pending_bases.get() == 0 {
            self.ancestors.borrow_mut().insert(class.clone(), Arc::clone(&ancestors));
        }
        ancestors
    }

    fn add_ancestors(
        &self,
        class: &SymbolPath,
        order: &mut Vec<SymbolPath>,
        above: &mut Vec<SymbolPath>,
    ) {
        // Diamonds are visited once per path; far more than real hierarchies have would be a loop in disguise.
        if above.contains(class) || order.len() > 1000 {
            return;
        }
        order.push(class.clone());
        above.push(class.clone());
        for base in &self.bases(class).own {
            self.add_ancestors(base, order, above);
        }
        above.pop();
    }

    /// Where an attribute of a class or of its instances is defined, along the base classes.
    pub(crate) fn member(&self, class: &SymbolPath, name: &str) -> Option<SymbolPath> {
        let ancestors = self.ancestors(class);
        let definer = ancestors.iter().find(|one| self.defines(one, name))?;
        Some(member_of(definer, name))
    }

    /// As `member`, behind the class itself: what `super()` finds.
    pub(crate) fn inherited(&self, class: &SymbolPath, name: &str) -> Option<SymbolPath> {
        let ancestors = self.ancestors(class);
        let definer = ancestors.iter().skip(1).find(|one| self.defines(one, name))?;
        Some(member_of(definer, name))
    }

    /// Has the class itself this member, in its body or as an attribute that its methods set?
    pub(crate) fn defines(&self, class: &SymbolPath, name: &str) -> bool {
        let member = member_of(class, name);
        if let Some(is_defined) = self.members.borrow().get(&member) {
            return *is_defined;
        }
        let is_defined =
            !self.definitions(&member).is_empty() || !self.attribute_bindings(&member).is_empty();
        self.members.borrow_mut().insert(member, is_defined);
        is_defined
    }

    /// The places where methods of its class set an attribute.
    pub(crate) fn attribute_bindings(
        &self,
        symbol: &SymbolPath,
    ) -> Vec<(Arc<Source>, AttributeBinding)> {
        let Some(class) = symbol.class() else { return Vec::new() };
        let mut bindings = Vec::new();
        for definition in self.definitions(&class) {
            let outline = self.outline(&definition.source);
            for scope in self.bodies(&definition, ScopeKind::Class) {
                for binding in outline.attributes(scope, symbol.last()) {
                    bindings.push((Arc::clone(&definition.source), binding.clone()));
                }
            }
        }
        bindings
    }
}
