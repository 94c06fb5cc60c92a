//! Who calls a function, in its file and in others; and whether its callers may be changed.

use std::collections::BTreeMap;

use oxc_ast::AstKind;
use oxc_ast::ast::CallExpression;
use oxc_span::{GetSpan, Span};
use rb_ecma::Func;
use rb_lang::Language;
use rb_rules::rules::js::hot::name_of;

use super::At;
use super::array::uses_arguments;
use super::beside::hidden;
use super::quiet::Effects;
use super::report::Why;
use crate::links::{UseKind, links, references};
use crate::plan::ApiChange;

/// Every call of a function.
pub(super) struct Callers<'a> {
    pub(super) here: Vec<&'a CallExpression<'a>>,
    /// By file: where the callees stand.
    pub(super) elsewhere: BTreeMap<String, Vec<(u32, u32)>>,
    pub(super) api: Vec<ApiChange>,
}

/// All callers of a function that takes `list`; `Err` where it may be called from where nobody looks.
pub(super) fn callers<'a>(
    at: &At<'_, '_, 'a>,
    func: Func<'a>,
    list: &str,
) -> Result<Callers<'a>, Why> {
    let module = at.module;
    let unseen = |what: String| Why::new(what, format!("pass a Set instead of the list `{list}`"));
    let Some(name) = name_of(module, func) else {
        return Err(unseen(format!("the callers that pass `{list}` are unknown")));
    };
    let called = module.name(name).to_owned();
    let is_own =
        matches!(module.declaration(name), AstKind::Function(_) | AstKind::VariableDeclarator(_));
    if !is_own || !module.is_stable(name) || uses_arguments(module, func) {
        return Err(unseen(format!("the callers of `{called}` are unknown")));
    }
    let Some(links) = links(at.planning.world, at.path) else {
        return Err(unseen(format!("the callers of `{called}` are unknown")));
    };
    let exports: Vec<_> = links.names_of(&called).collect();
    let is_export = |span: Span| {
        exports.iter().any(|it| span.start <= it.place.start && it.place.end <= span.end)
    };
    let mut found = Callers { here: Vec::new(), elsewhere: BTreeMap::new(), api: Vec::new() };
    for it in module.uses(name) {
        match module.parent(it.node) {
            AstKind::CallExpression(call) if call.callee.span() == it.span && !call.optional => {
                found.here.push(call);
            }
            // `export { f }`, `module.exports = { f }`: followed below.
            AstKind::ExportSpecifier(_) | AstKind::ExportDefaultDeclaration(_) => {}
            AstKind::ObjectProperty(it) if is_export(it.span) => {}
            AstKind::AssignmentExpression(it) if is_export(it.span) => {}
            _ => return Err(unseen(format!("`{called}` is used as a value"))),
        }
    }
    for export in &exports {
        outside(at, &mut found, &called, &export.name)?;
    }
    Ok(found)
}

fn outside(
    at: &At<'_, '_, '_>,
    found: &mut Callers<'_>,
    called: &str,
    export: &str,
) -> Result<(), Why> {
    let planning = at.planning;
    let is_public = planning.promised.has(at.path, export);
    let references = references(planning.world, at.path, export);
    if !references.doubts.is_empty() || planning.world.is_mocked(at.path) {
        return Err(Why::new(
            format!("not all uses of `{called}` are known"),
            "change the callers to pass a Set",
        ));
    }
    for it in references.all {
        match it.used.kind {
            UseKind::Call => {
                let place = (it.used.whole.start, it.used.whole.end);
                found.elsewhere.entry(it.path).or_default().push(place);
            }
            UseKind::Export => {}
            UseKind::New | UseKind::Element | UseKind::Value | UseKind::Write | UseKind::Type => {
                return Err(Why::new(
                    format!("`{called}` is used as a value in {}", it.path),
                    "change the callers to pass a Set",
                ));
            }
        }
    }
    found.api.push(ApiChange {
        path: at.path.to_owned(),
        name: export.to_owned(),
        before: "takes an array".to_owned(),
        after: "takes a Set".to_owned(),
        is_public,
    });
    Ok(())
}

impl At<'_, '_, '_> {
    /// Looks at another file of the project.
    pub(super) fn in_file<T: Send>(
        &self,
        path: &str,
        work: impl FnOnce(&At<'_, '_, '_>) -> T + Send,
    ) -> Option<T> {
        let planning = self.planning;
        let text = planning.world.text(path)?;
        let language = Language::of_path(path.as_bytes())?;
        let facts = planning.world.facts(path)?;
        rb_ecma::with_module(language, &text, |module| {
            let rule = &rb_rules::rules::js::js_index_maps::RULE;
            let cx = rb_rules::Cx::new(module, &facts, planning.world, rule);
            work(&At {
                planning,
                path,
                module,
                cx,
                effects: Effects::of(module),
                hidden: hidden(module),
            })
        })
    }
}
