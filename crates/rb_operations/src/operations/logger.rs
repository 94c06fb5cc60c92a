//! A module's logger, and the line that a function writes to it.

use std::sync::Arc;

use rb_core::Edit;
use rb_python::ast::{ExceptHandler, Stmt};
use rb_python::{BindingKind, Ranged, Source, TextRange, TextSize};

use super::calls::{place, refusal};
use super::functions::{Function, last_name};
use super::text_style;
use crate::files::Files;
use crate::imports::{ImportEditor, Imported, Section};
use crate::outcome::Refusal;

/// The name of a logger at the top level: `logger = logging.getLogger(__name__)`.
pub(super) fn existing(source: &Source) -> Option<&str> {
    source.body().iter().find_map(|statement| {
        let (target, value) = match statement {
            Stmt::Assign(assign) if assign.targets.len() == 1 => {
                (&assign.targets[0], &*assign.value)
            }
            Stmt::AnnAssign(assign) => (&*assign.target, assign.value.as_deref()?),
            _ => return None,
        };
        let call = value.as_call_expr()?;
        let is_logger = matches!(last_name(&call.func), Some("getLogger" | "get_logger"));
        Some(target.as_name_expr()?.id.as_str()).filter(|_| is_logger)
    })
}

/// The text with a logger at its top level, and `import logging` if need be; None if it has one.
pub(super) fn ensured(
    files: &dyn Files,
    path: &str,
    text: Arc<str>,
    name: &str,
) -> Result<Option<Arc<str>>, Refusal> {
    let mut imports = ImportEditor::new(files, path, text)?;
    if existing(imports.source()).is_some() {
        return Ok(None);
    }
    check_logging(imports.source())?;
    imports.add(&Imported::module("logging"), Section::Top);
    let text = imports.finish()?;
    let by_hand = "add a logger by hand";
    let source = Source::parse(path, Arc::clone(&text)).map_err(|error| {
        Refusal::new(format!("{path} would have a syntax error in {error}"), by_hand)
    })?;
    let edits: Vec<Edit> = declaration(&source, name).into_iter().collect();
    let text = rb_core::edit::apply(&text, &edits)
        .map_err(|error| Refusal::new(error.to_string(), by_hand))?;
    Ok(Some(text.into()))
}

/// `logging` is the standard library's, or free.
fn check_logging(source: &Source) -> Result<(), Refusal> {
    let Some(variable) = source.scopes().global("logging") else { return Ok(()) };
    let variable = source.scopes().variable(variable);
    let is_library = variable.bindings.iter().all(|binding| match binding.kind {
        BindingKind::Import { import, name } => {
            let import = &source.imports()[import];
            !import.is_from && import.names[name].name == "logging"
        }
        _ => false,
    });
    if is_library {
        return Ok(());
    }
    let range = variable.bindings.first().map_or(TextRange::default(), |binding| binding.range);
    let places = vec![place(source, range, "`logging` is bound here")];
    let reason = "`logging` is not the module of the standard library in this file";
    Err(refusal(reason, places, "add the log statement by hand"))
}

/// A name for a new logger that nothing in the file has.
pub(super) fn free_name(source: &Source) -> &'static str {
    let is_taken = |name: &str| {
        source.scopes().names.iter().any(|one| one.name == name)
            || source.scopes().global(name).is_some()
    };
    ["logger", "_logger", "module_logger"]
        .into_iter()
        .find(|name| !is_taken(name))
        .unwrap_or("_module_logger")
}

/// The logger, behind the imports at the head of the file and behind that of `logging`.
fn declaration(source: &Source, name: &str) -> Option<Edit> {
    let body = source.body();
    let is_definition =
        |statement: &Stmt| matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_));
    let head = body.iter().position(is_definition).unwrap_or(body.len());
    let last_import = body[..head].iter().rposition(is_import);
    let logging = body.iter().position(|statement| match statement {
        Stmt::Import(import) => import.names.iter().any(|name| name.name.as_str() == "logging"),
        _ => false,
    });
    let last = &body[last_import.max(logging)?];
    let line_break = text_style::line_break(source);
    let text = format!("{line_break}{line_break}{name} = logging.getLogger(__name__)");
    let end = source.line_end(last.end());
    let line = source.slice(TextRange::new(last.end(), end));
    let at = last.end() + TextSize::of(line.trim_end_matches(['\n', '\r']));
    Some(Edit::insert(at.into(), text))
}

fn is_import(statement: &Stmt) -> bool {
    match statement {
        Stmt::Import(_) | Stmt::ImportFrom(_) => true,
        Stmt::If(branch) => {
            branch.body.iter().all(is_import)
                && branch.elif_else_clauses.iter().all(|clause| is_only_imports(&clause.body))
        }
        Stmt::Try(attempt) => {
            attempt.body.iter().all(is_import)
                && attempt.handlers.iter().all(|handler| {
                    let ExceptHandler::ExceptHandler(handler) = handler;
                    is_only_imports(&handler.body)
                })
        }
        _ => false,
    }
}

/// Imports, or what takes their place.
fn is_only_imports(body: &[Stmt]) -> bool {
    body.iter().all(|statement| {
        is_import(statement) || matches!(statement, Stmt::Assign(_) | Stmt::Pass(_))
    })
}

/// `if log:` and the call of the logger, as the first statement behind the docstring.
pub(super) fn statement(
    source: &Source,
    function: &Function<'_>,
    parameter: &str,
    logger: &str,
) -> Option<Edit> {
    let (name, quote) = (function.node.name.as_str(), text_style::quote(source));
    let unit = text_style::indent_unit(source);
    let lines =
        [format!("if {parameter}:"), format!("{unit}{logger}.debug({quote}{name} called{quote})")];
    text_style::first_lines(source, function, &lines)
}

/// Does the function see the module's logger under this name?
pub(super) fn is_visible(source: &Source, function: &Function<'_>, logger: &str) -> bool {
    let Some(first) = function.node.body.first() else { return false };
    let scopes = source.scopes();
    let scope = scopes.scope_at(first.range());
    scopes.lookup(scope, logger) == scopes.global(logger)
}
