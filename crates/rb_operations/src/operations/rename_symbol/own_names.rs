//! Strings that repeat the name: `T = TypeVar("T")`, and those that may mean it in files that use it.

use std::collections::BTreeSet;

use rb_python::ast::{Expr, Stmt};
use rb_python::{BindingKind, Ranged, Source, StringUse, TextSize, VariableId};

use super::Request;
use crate::operations::edits::FileEdits;
use crate::operations::functions::last_name;
use crate::outcome::Mention;
use crate::project::{Project, statement_at, word_ranges};
use crate::references::Found;

/// What gives a name to the thing it makes by its first argument.
const NAMING: [&str; 14] = [
    "Enum",
    "Flag",
    "IntEnum",
    "IntFlag",
    "NamedTuple",
    "NewType",
    "ParamSpec",
    "StrEnum",
    "TypeAliasType",
    "TypeVar",
    "TypeVarTuple",
    "TypedDict",
    "make_dataclass",
    "namedtuple",
];

/// Edits `"old"` in `old = TypeVar("old")`.
pub(super) fn follow(source: &Source, variable: VariableId, to: &str, edits: &mut FileEdits) {
    let variable = source.scopes().variable(variable);
    for binding in variable.bindings.iter().filter(|one| one.kind == BindingKind::Assignment) {
        let value = match statement_at(source.body(), binding.statement) {
            Some(Stmt::Assign(one)) => Some(&*one.value),
            Some(Stmt::AnnAssign(one)) => one.value.as_deref(),
            _ => None,
        };
        let Some(Expr::Call(call)) = value else { continue };
        let is_naming = last_name(&call.func).is_some_and(|callee| NAMING.contains(&callee));
        let Some(first) = call.arguments.args.first().filter(|_| is_naming) else { continue };
        let literal = source.strings().iter().find(|literal| literal.range == first.range());
        if let Some(literal) = literal.filter(|one| source.slice(one.content) == variable.name) {
            edits.replace(source.path(), literal.content, to);
        }
    }
}

/// Strings with the name in files that use the symbol and that no edit covers: a message, a `repr` in a test.
pub(super) fn mentions(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
    edits: &FileEdits,
) -> Vec<Mention> {
    let paths: BTreeSet<&str> =
        found.references.iter().map(|reference| reference.path.as_str()).collect();
    let mut mentions = Vec::new();
    for path in paths {
        let Some(source) = project.source(path) else { continue };
        let strings = source.strings().iter().filter(|literal| match literal.usage {
            StringUse::Argument { .. } | StringUse::Other => true,
            StringUse::Docstring | StringUse::Annotation | StringUse::All => false,
        });
        let named = strings.filter(|literal| {
            let text = source.slice(literal.content);
            word_ranges(text, request.old).next().is_some() && !edits.covers(path, literal.content)
        });
        let mention = |at: TextSize| Mention::at(path, source.text(), at.to_usize());
        mentions.extend(named.map(|literal| mention(literal.range.start())));
    }
    mentions
}
