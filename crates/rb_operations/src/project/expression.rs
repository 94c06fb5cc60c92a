//! What an expression stands for.

use rb_python::ast::{self, Expr};
use rb_python::{Name, Ranged, ScopeKind, Source};

use super::{Meaning, Project, SymbolKind};
use crate::operation::SymbolPath;

/// As `Meaning`, with what only matters on the way to a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Module(String),
    Symbol(SymbolPath),
    Instance(SymbolPath),
    /// `super()` in a method of this class.
    Super(SymbolPath),
    Foreign(String),
    /// An instance of a type that is not of the project and can hold nothing of it: a string, a list.
    ForeignInstance(String),
    Unknown,
}

impl Value {
    pub(crate) fn into_meaning(self) -> Meaning {
        match self {
            Value::Module(path) => Meaning::Module(path),
            Value::Symbol(symbol) => Meaning::Symbol(symbol),
            Value::Instance(class) => Meaning::Instance(class),
            Value::Foreign(name) => Meaning::Foreign(name),
            Value::Super(_) | Value::ForeignInstance(_) | Value::Unknown => Meaning::Unknown,
        }
    }

    fn builtin(class: &str) -> Self {
        Value::ForeignInstance(format!("builtins.{class}"))
    }
}

impl From<Meaning> for Value {
    fn from(meaning: Meaning) -> Self {
        match meaning {
            Meaning::Module(path) => Value::Module(path),
            Meaning::Symbol(symbol) => Value::Symbol(symbol),
            Meaning::Instance(class) => Value::Instance(class),
            Meaning::Foreign(name) => Value::Foreign(name),
            Meaning::Unknown => Value::Unknown,
        }
    }
}

impl Project<'_> {
    pub(crate) fn value(&self, source: &Source, expression: &Expr) -> Value {
        match expression {
            Expr::Name(name) => match source.scopes().name_at(name.range()) {
                Some(name) => self.value_of_name(source, name),
                None => Value::Unknown,
            },
            Expr::Attribute(attribute) => {
                let receiver = self.value(source, &attribute.value);
                self.attribute(source, receiver, &attribute.attr)
            }
            Expr::Call(call) => self.call(source, call),
            Expr::Await(awaited) => match &*awaited.value {
                Expr::Call(call) => self.awaited(source, call),
                _ => Value::Unknown,
            },
            Expr::Named(named) => self.value(source, &named.value),
            Expr::If(choice) => self.agreed(source, [&*choice.body, &*choice.orelse]),
            Expr::BoolOp(operation) => self.agreed(source, &operation.values),
            Expr::StringLiteral(_) | Expr::FString(_) => Value::builtin("str"),
            Expr::BytesLiteral(_) => Value::builtin("bytes"),
            Expr::List(_) | Expr::ListComp(_) => Value::builtin("list"),
            Expr::Dict(_) | Expr::DictComp(_) => Value::builtin("dict"),
            Expr::Set(_) | Expr::SetComp(_) => Value::builtin("set"),
            Expr::Tuple(_) => Value::builtin("tuple"),
            Expr::NumberLiteral(_) => Value::builtin("int"),
            Expr::BooleanLiteral(_) | Expr::Compare(_) => Value::builtin("bool"),
            _ => Value::Unknown,
        }
    }

    /// What all of some expressions are; `None` is no evidence.
    pub(crate) fn agreed<'e>(
        &self,
        source: &Source,
        expressions: impl IntoIterator<Item = &'e Expr>,
    ) -> Value {
        let values =
            expressions.into_iter().filter(|expression| !expression.is_none_literal_expr());
        agree(values.map(|expression| self.value(source, expression)))
    }

    pub(crate) fn value_of_name(&self, source: &Source, name: &Name) -> Value {
        let Some(id) = name.variable else {
            return self.unbound_name(source, &name.name);
        };
        let scope = source.scopes().variable(id).scope;
        match source.scopes().scope(scope).kind {
            ScopeKind::Module => {
                let meaning = self.lookup(source.path(), &name.name);
                meaning.map_or(Value::Unknown, Value::from)
            }
            ScopeKind::Class => match self.value_of_import(source, id) {
                Some(value) => value,
                None => self.symbol_of(source, id).map_or(Value::Unknown, Value::Symbol),
            },
            ScopeKind::Function
            | ScopeKind::Lambda
            | ScopeKind::Comprehension
            | ScopeKind::TypeParameters => self.value_of_variable(source, id),
        }
    }

    /// A builtin, or a name from `import *`.
    fn unbound_name(&self, source: &Source, name: &str) -> Value {
        let module = &source.scopes().scopes[0];
        if module.has_star_import {
            let meaning = self.lookup(source.path(), name);
            return meaning.map_or(Value::Unknown, Value::from);
        }
        Value::Foreign(format!("builtins.{name}"))
    }

    /// A member of what a value is.
    pub(crate) fn attribute(&self, source: &Source, receiver: Value, name: &str) -> Value {
        match self.settled(receiver) {
            Value::Module(path) => match self.lookup(&path, name) {
                Some(meaning) => Value::from(meaning),
                None => Value::Unknown,
            },
            Value::Symbol(class) if self.kind(&class) == SymbolKind::Class => {
                self.member_value(&class, name)
            }
            Value::Instance(class) => self.member_value(&class, name),
            Value::Super(class) => {
                let found = self.inherited(&class, name);
                found.map_or(Value::Unknown, Value::Symbol)
            }
            Value::Foreign(module) => {
                let path = format!("{module}.{name}");
                // `import a.b` where `a` is a folder without `__init__.py`.
                match self.files.resolve(source.path(), &path) {
                    Some(module) if !path.starts_with("builtins.") => Value::Module(module),
                    Some(_) | None => Value::Foreign(path),
                }
            }
            Value::Symbol(_) | Value::ForeignInstance(_) | Value::Unknown => Value::Unknown,
        }
    }

    fn member_value(&self, class: &SymbolPath, name: &str) -> Value {
        self.member(class, name).map_or(Value::Unknown, Value::Symbol)
    }

    /// A variable gives what it holds; functions, classes and modules stay.
    pub(crate) fn settled(&self, value: Value) -> Value {
        match value {
            Value::Symbol(symbol) => self.held_by(symbol),
            other => other,
        }
    }

    fn call(&self, source: &Source, call: &ast::ExprCall) -> Value {
        if let Some(value) = self.super_call(source, call) {
            return value;
        }
        match self.settled(self.value(source, &call.func)) {
            Value::Symbol(symbol) => match self.kind(&symbol) {
                SymbolKind::Class => Value::Instance(symbol),
                SymbolKind::Function => self.returned(&symbol, IsAwaited::No),
                SymbolKind::Variable => Value::Unknown,
            },
            Value::Foreign(name) => self
                .imported_by_call(source, &name, call)
                .map_or_else(|| foreign_call(&name), Value::Module),
            Value::Instance(class) => {
                let method = self.member(&class, "__call__");
                method.map_or(Value::Unknown, |method| self.returned(&method, IsAwaited::No))
            }
            Value::Module(_) | Value::Super(_) | Value::ForeignInstance(_) | Value::Unknown => {
                Value::Unknown
            }
        }
    }

    /// `import_module("a.b")`
    fn imported_by_call(
        &self,
        source: &Source,
        callee: &str,
        call: &ast::ExprCall,
    ) -> Option<String> {
        let functions = ["importlib.import_module", "pytest.importorskip"];
        let first = call.arguments.args.first()?.as_string_literal_expr()?;
        let module = first.value.to_str();
        let is_import = functions.contains(&callee) && !module.starts_with('.');
        is_import.then(|| self.files.resolve(source.path(), module)).flatten()
    }

    fn awaited(&self, source: &Source, call: &ast::ExprCall) -> Value {
        match self.settled(self.value(source, &call.func)) {
            Value::Symbol(symbol) if self.kind(&symbol) == SymbolKind::Function => {
                self.returned(&symbol, IsAwaited::Yes)
            }
            _ => Value::Unknown,
        }
    }

    /// `super()` in a method, or `super(Class, self)`.
    fn super_call(&self, source: &Source, call: &ast::ExprCall) -> Option<Value> {
        let name = call.func.as_name_expr()?;
        let is_super = name.id == "super"
            && source.scopes().name_at(name.range()).is_some_and(|name| name.variable.is_none());
        if !is_super {
            return None;
        }
        if let Some(first) = call.arguments.args.first() {
            return match self.value(source, first) {
                Value::Symbol(class) if self.kind(&class) == SymbolKind::Class => {
                    Some(Value::Super(class))
                }
                _ => Some(Value::Unknown),
            };
        }
        let mut scope = source.scopes().scope_at(call.range());
        while source.scopes().scope(scope).kind != ScopeKind::Class {
            scope = source.scopes().scope(scope).parent?;
        }
        self.symbol_of_scope(source, scope).map(Value::Super)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IsAwaited {
    Yes,
    No,
}

/// One value if all are the same and there is one.
pub(super) fn agree(values: impl IntoIterator<Item = Value>) -> Value {
    let mut values = values.into_iter();
    let Some(first) = values.next() else { return Value::Unknown };
    if values.all(|value| value == first) { first } else { Value::Unknown }
}

/// Only types that cannot stand in for something of the project: a mock, a proxy or a copy may.
fn foreign_call(name: &str) -> Value {
    let types = [
        "builtins.str",
        "builtins.bytes",
        "builtins.bytearray",
        "builtins.list",
        "builtins.dict",
        "builtins.set",
        "builtins.frozenset",
        "builtins.tuple",
        "builtins.int",
        "builtins.float",
        "builtins.bool",
        "builtins.open",
        "builtins.sorted",
        "builtins.repr",
        "builtins.len",
        "collections.OrderedDict",
        "collections.defaultdict",
        "collections.deque",
        "collections.Counter",
        "io.StringIO",
        "io.BytesIO",
        "pathlib.Path",
        "datetime.datetime",
        "datetime.timedelta",
        "datetime.date",
        "threading.Lock",
        "threading.RLock",
        "threading.Thread",
        "threading.Event",
        "queue.Queue",
        "subprocess.Popen",
        "re.compile",
        "decimal.Decimal",
        "uuid.uuid4",
        "logging.getLogger",
        "argparse.ArgumentParser",
        "os.getenv",
        "time.time",
    ];
    if types.contains(&name) { Value::ForeignInstance(name.to_owned()) } else { Value::Unknown }
}
