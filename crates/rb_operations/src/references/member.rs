//! References to a member of a class: its definitions in the family, and attributes of receivers that are known to have it.
//!
//! A receiver that is not known counts if nothing else in the project has a member of this name; otherwise it is a doubt.

use std::cell::OnceCell;

use rb_python::ast::{self, Expr, Stmt};
use rb_python::{Ranged, ScopeKind, Source, StringUse, TextRange};

use super::common_members::is_common_member;
use super::family::Family;
use super::walk::{Expressions, expressions, last_part, named_member, string_content};
use super::{Found, ReferenceKind};
use crate::operation::SymbolPath;
use crate::project::{Project, SymbolKind, Value};

/// What is looked for.
struct Member<'m> {
    name: &'m str,
    family: Family,
    is_unique: OnceCell<bool>,
}

/// How a receiver relates to the member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Has,
    HasNot,
    Unknown,
}

impl Project<'_> {
    pub(super) fn member_references(&self, class: &SymbolPath, name: &str) -> Found {
        let member = Member { name, family: self.family(class, name), is_unique: OnceCell::new() };
        let mut found = Found::default();
        for definer in &member.family.definers {
            self.add_member_definitions(definer, name, &mut found);
        }
        let paths = self.files_with(&[name]);
        self.prepare(&paths);
        for path in paths {
            if let Some(source) = self.source(&path) {
                self.add_member(&source, &member, &mut found);
            }
        }
        found
    }

    fn add_member_definitions(&self, class: &SymbolPath, name: &str, found: &mut Found) {
        let symbol =
            SymbolPath { path: class.path.clone(), name: format!("{}.{name}", class.name) };
        for definition in self.definitions(&symbol) {
            found.add_variable(&definition.source, definition.variable, true);
        }
        for (source, binding) in self.attribute_bindings(&symbol) {
            found.add(&source, binding.range, ReferenceKind::Definition);
        }
    }

    fn add_member(&self, source: &Source, member: &Member<'_>, found: &mut Found) {
        let expressions = expressions(source);
        for attribute in expressions.attributes_named(member.name) {
            let place = Place { range: attribute.attr.range(), kind: ReferenceKind::Attribute };
            self.add_access(source, member, &attribute.value, place, found);
        }
        for call in &expressions.calls {
            if let Some(named) = named_member(source, call, member.name) {
                let place = Place { range: named.range, kind: ReferenceKind::String };
                self.add_access(source, member, named.receiver, place, found);
            }
            if let Some((receiver, range)) = super::strings::patched_keyword(call, member.name) {
                let place = Place { range, kind: ReferenceKind::Keyword };
                self.add_access(source, member, receiver, place, found);
            }
            self.add_field_keyword(source, member, call, found);
        }
        self.add_lookups(source, member, &expressions, found);
        self.add_slots(source, member, found);
        self.add_strings(source, member.name, found, &|value| match value {
            Value::Symbol(symbol) => {
                symbol.last() == member.name
                    && symbol.class().is_some_and(|class| member.family.definers.contains(&class))
            }
            _ => false,
        });
    }

    /// A member of a receiver.
    fn add_access(
        &self,
        source: &Source,
        member: &Member<'_>,
        receiver: &Expr,
        place: Place,
        found: &mut Found,
    ) {
        let value = self.receiver_value(source, receiver);
        if let Value::Super(class) = &value
            && member.family.classes.contains(class)
            && self.inherited(class, member.name).is_none()
        {
            found.doubt(source, place.range, "a base class that is not of the project has it");
            return;
        }
        match self.relation(value, member) {
            Relation::Has => found.add(source, place.range, place.kind),
            Relation::HasNot => {}
            Relation::Unknown if self.is_unique(member) => {
                found.add(source, place.range, place.kind);
            }
            Relation::Unknown => {
                let why = format!("the type of `{}` is not known", short(source, receiver));
                found.doubt(source, place.range, why);
            }
        }
    }

    fn relation(&self, value: Value, member: &Member<'_>) -> Relation {
        let (class, found) = match value {
            Value::Symbol(class) if self.kind(&class) == SymbolKind::Class => {
                let found = self.member(&class, member.name);
                (class, found)
            }
            Value::Instance(class) => {
                let found = self.member(&class, member.name);
                (class, found)
            }
            Value::Super(class) => {
                let found = self.inherited(&class, member.name);
                (class, found)
            }
            Value::Module(_) | Value::Foreign(_) | Value::ForeignInstance(_) => {
                return Relation::HasNot;
            }
            Value::Symbol(_) | Value::Unknown => return Relation::Unknown,
        };
        match found.and_then(|found| found.class()) {
            Some(definer) if member.family.definers.contains(&definer) => Relation::Has,
            None if member.family.classes.contains(&class) => Relation::Has,
            None if member.family.above.contains(&class) => self.relation_of_mixin(&class, member),
            // It makes its members up.
            None if self.member(&class, "__getattr__").is_some() => Relation::Unknown,
            // `class Local(base)` may inherit it.
            None if self.ancestors(&class).iter().any(|one| self.bases(one).is_open) => {
                Relation::Unknown
            }
            Some(_) | None => Relation::HasNot,
        }
    }

    /// A base class without the member: what inherits from it and has the member decides.
    fn relation_of_mixin(&self, class: &SymbolPath, member: &Member<'_>) -> Relation {
        let is_foreign = |class: &SymbolPath| {
            self.member(class, member.name).is_some() && !member.family.classes.contains(class)
        };
        let has_foreign_base = !self.bases(class).foreign.is_empty();
        let mut descendants = self.descendants(class).into_iter();
        if has_foreign_base || descendants.any(|class| is_foreign(&class)) {
            Relation::Unknown
        } else {
            Relation::Has
        }
    }

    /// `Class(name=…)`, `replace(instance, name=…)`: fields of a dataclass and their like.
    fn add_field_keyword(
        &self,
        source: &Source,
        member: &Member<'_>,
        call: &ast::ExprCall,
        found: &mut Found,
    ) {
        let Some(keyword) = call.arguments.find_keyword(member.name) else { return };
        let Some(name) = &keyword.arg else { return };
        match self.settled(self.value(source, &call.func)) {
            Value::Symbol(class) if member.family.classes.contains(&class) => {
                if self.member(&class, "__init__").is_some()
                    || self.member(&class, "__new__").is_some()
                {
                    return;
                }
                if self.is_record(&class) {
                    found.add(source, name.range(), ReferenceKind::Keyword);
                } else {
                    let why = format!("the constructor of `{}` is not known", class.name);
                    found.doubt(source, name.range(), why);
                }
            }
            _ => {
                let instance = match (last_part(&call.func), &*call.func) {
                    (Some("replace" | "evolve"), _) if call.arguments.args.len() == 1 => {
                        &call.arguments.args[0]
                    }
                    (Some("_replace"), Expr::Attribute(attribute)) => &attribute.value,
                    _ => return,
                };
                let place = Place { range: name.range(), kind: ReferenceKind::Keyword };
                self.add_access(source, member, instance, place, found);
            }
        }
    }

    /// A class whose constructor takes its fields: a dataclass, a named tuple, a model.
    fn is_record(&self, class: &SymbolPath) -> bool {
        let ancestors = self.ancestors(class);
        ancestors.iter().any(|class| {
            let bases = &self.bases(class).foreign;
            let is_record_base = |base: &String| {
                let last = base.rsplit('.').next().unwrap_or(base);
                matches!(last, "NamedTuple" | "TypedDict" | "BaseModel" | "Struct" | "SQLModel")
            };
            bases.iter().any(is_record_base) || self.has_record_decorator(class)
        })
    }

    fn has_record_decorator(&self, class: &SymbolPath) -> bool {
        self.definitions(class).iter().any(|definition| {
            let source = &definition.source;
            let bindings = &source.scopes().variable(definition.variable).bindings;
            bindings.iter().any(|binding| {
                let statement = crate::project::statement_at(source.body(), binding.statement);
                let Some(Stmt::ClassDef(statement)) = statement else { return false };
                let mut names =
                    statement.decorator_list.iter().filter_map(crate::project::decorator);
                names.any(|name| {
                    matches!(name, "dataclass" | "s" | "attrs" | "define" | "frozen" | "mutable")
                })
            })
        })
    }

    /// `Color["RED"]` of an enum, `case Class(name=…)`.
    fn add_lookups(
        &self,
        source: &Source,
        member: &Member<'_>,
        expressions: &Expressions<'_>,
        found: &mut Found,
    ) {
        for subscript in &expressions.subscripts {
            let content = string_content(source, &subscript.slice);
            let Some(content) = content.filter(|range| source.slice(*range) == member.name) else {
                continue;
            };
            if let Value::Symbol(class) = self.settled(self.value(source, &subscript.value))
                && member.family.classes.contains(&class)
            {
                found.add(source, content, ReferenceKind::String);
            }
        }
        for pattern in &expressions.class_patterns {
            let keywords = pattern.arguments.keywords.iter();
            for keyword in keywords.filter(|one| one.attr.as_str() == member.name) {
                let place = Place { range: keyword.attr.range(), kind: ReferenceKind::Keyword };
                self.add_access(source, member, &pattern.cls, place, found);
            }
        }
    }

    /// `__slots__ = ("name",)` in a class of the family.
    fn add_slots(&self, source: &Source, member: &Member<'_>, found: &mut Found) {
        for literal in source.strings() {
            let is_name = source.slice(literal.content) == member.name;
            if !is_name || literal.usage != StringUse::Other {
                continue;
            }
            let scope = source.scopes().scope_at(literal.range);
            if source.scopes().scope(scope).kind != ScopeKind::Class {
                continue;
            }
            let slots = source.scopes().scope(scope).variables.get("__slots__");
            let bindings = slots.map(|slots| &source.scopes().variable(*slots).bindings);
            let mut statements = bindings.into_iter().flatten().map(|binding| binding.statement);
            let is_slot = statements.any(|statement| statement.contains_range(literal.range));
            let class = self.symbol_of_scope(source, scope);
            if is_slot && class.is_some_and(|class| member.family.classes.contains(&class)) {
                found.add(source, literal.content, ReferenceKind::String);
            }
        }
    }

    /// Is there nothing else in the project that an attribute of this name could be?
    fn is_unique(&self, member: &Member<'_>) -> bool {
        *member.is_unique.get_or_init(|| {
            if is_common_member(member.name) {
                return false;
            }
            let is_of_family = |symbol: &SymbolPath| {
                symbol.class().is_some_and(|class| member.family.definers.contains(&class))
            };
            let option = format!("--{}", member.name.replace('_', "-"));
            let has_option =
                |path: &String| self.files.text(path).is_some_and(|text| text.contains(&option));
            self.symbols_named(member.name).iter().all(is_of_family)
                && !self.python_files().iter().any(has_option)
                && self.files_with(&[member.name]).iter().all(|path| {
                    self.source(path).is_some_and(|source| !self.is_set_elsewhere(&source, member))
                })
        })
    }

    /// `x.name = …` on something else, a field of a `namedtuple`, an option `--name`, `SimpleNamespace(name=…)`.
    fn is_set_elsewhere(&self, source: &Source, member: &Member<'_>) -> bool {
        let expressions = expressions(source);
        let is_foreign_store = |attribute: &ast::ExprAttribute| {
            attribute.ctx.is_store() && !is_mocked(source, attribute.range()) && {
                let value = self.receiver_value(source, &attribute.value);
                self.relation(value, member) != Relation::Has
            }
        };
        let makes_member = |call: &&ast::ExprCall| match last_part(&call.func) {
            Some("namedtuple" | "make_dataclass" | "type" | "Enum") => {
                let text = source.slice(call.arguments.range());
                crate::project::word_ranges(text, member.name).next().is_some()
            }
            Some("add_argument" | "add_option") => {
                let destination = call.arguments.find_keyword("dest").map(|one| one.value.range());
                destination.is_some_and(|range| source.slice(range).contains(member.name))
            }
            Some(callee) => {
                let holds_anything = ["Namespace", "Mock", "Bunch", "AttrDict", "create_autospec"];
                holds_anything.iter().any(|word| callee.contains(word))
                    && call.arguments.find_keyword(member.name).is_some()
            }
            None => false,
        };
        expressions.attributes_named(member.name).any(is_foreign_store)
            || expressions.calls.iter().any(makes_member)
    }
}

/// `x.name = Mock()` in a test replaces an existing member.
fn is_mocked(source: &Source, target: TextRange) -> bool {
    let line = TextRange::new(target.end(), source.line_end(target.end()).max(target.end()));
    let value = source.slice(line).trim_start();
    Project::is_test(source.path()) && value.starts_with("= ") && value.contains("Mock(")
}

/// Where a member is named, and how.
#[derive(Clone, Copy)]
struct Place {
    range: TextRange,
    kind: ReferenceKind,
}

/// The receiver in one short line.
fn short(source: &Source, receiver: &Expr) -> String {
    let text = source.slice(receiver.range());
    let line = text.lines().next().unwrap_or_default();
    let cut: String = line.chars().take(40).collect();
    if cut.len() < text.len() { format!("{cut}…") } else { cut }
}
