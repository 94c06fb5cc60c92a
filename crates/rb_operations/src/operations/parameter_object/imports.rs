//! What the files have to import for the class.

use std::collections::BTreeMap;
use std::sync::Arc;

use rb_python::Source;
use rb_python::ast::Expr;

use super::Request;
use super::declaration::{Style, style};
use crate::imports::{ImportEditor, Imported, Section};
use crate::operations::calls::{Callable, place, refusal};
use crate::operations::edits::FileEdits;
use crate::operations::functions::Parameter;
use crate::operations::name_import::{Needed, with_import};
use crate::outcome::{FileChange, Refusal};
use crate::project::{Meaning, Project};

/// `utils.Context` where the function is called as `utils.f`.
pub(super) fn class_expression(
    project: &Project<'_>,
    request: &Request<'_>,
    source: &Source,
    callee: &Expr,
) -> String {
    if let Expr::Attribute(attribute) = callee
        && project.meaning(source, &attribute.value)
            == Meaning::Module(request.function.path.clone())
    {
        let module = source.slice(rb_python::Ranged::range(&*attribute.value));
        return format!("{module}.{}", request.class);
    }
    request.class.to_owned()
}

pub(super) fn with_imports(
    project: &Project<'_>,
    request: &Request<'_>,
    callable: &Callable,
    fields: &[Parameter<'_>],
    edits: &FileEdits,
) -> Result<BTreeMap<String, FileChange>, Refusal> {
    let mut changes = BTreeMap::new();
    for path in edits.paths() {
        let Some(text) = edits.text(project.files, path)? else { continue };
        let text = if path == request.function.path {
            home(project, path, text, fields)?
        } else {
            let needed = Needed {
                home: &request.function.path,
                name: request.class,
                beside: callable.name(),
            };
            with_import(project, path, text, &needed)?
        };
        changes.insert(path.to_owned(), FileChange::Edited(text));
    }
    Ok(changes)
}

fn home(
    project: &Project<'_>,
    path: &str,
    text: Arc<str>,
    fields: &[Parameter<'_>],
) -> Result<Arc<str>, Refusal> {
    if style(fields) == Style::Plain {
        return Ok(text);
    }
    let mut needed = vec![Imported::from("dataclasses", "dataclass")];
    if fields.iter().any(|field| field.annotation.is_none()) {
        needed.push(Imported::from("typing", "Any"));
    }
    let mut editor = ImportEditor::new(project.files, path, text)?;
    for imported in needed {
        let is_there = editor.find(&imported, rb_python::ImportPlace::Top).is_some();
        let local = imported.local().to_owned();
        if let (false, Some(id)) = (is_there, editor.source().scopes().global(&local)) {
            let binding = editor.source().scopes().variable(id).bindings.first().cloned();
            let range = binding.map(|binding| binding.range).unwrap_or_default();
            let places = vec![place(editor.source(), range, "it is bound here")];
            let reason = format!("the name `{local}` is taken in {path}");
            return Err(refusal(reason, places, "choose another module for the class"));
        }
        editor.add(&imported, Section::Top);
    }
    editor.finish()
}
