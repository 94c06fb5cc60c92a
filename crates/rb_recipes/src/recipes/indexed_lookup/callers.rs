//! Who calls a function of the file, where nobody else can.

use oxc_ast::AstKind;
use oxc_ast::ast::CallExpression;
use oxc_span::GetSpan;
use rb_ecma::Func;
use rb_rules::rules::js::hot::name_of;

use super::At;
use super::array::uses_arguments;
use super::report::Why;
use crate::links::links;

/// All callers of a function that takes `list`; `Err` if it may be called from elsewhere. A list that is passed between files stays
/// an array: of the lists that are searched in real projects, none could become a Set in several files at once.
pub(super) fn callers<'a>(
    at: &At<'_, '_, 'a>,
    func: Func<'a>,
    list: &str,
) -> Result<Vec<&'a CallExpression<'a>>, Why> {
    let module = at.module;
    let unseen = |what: String| Why::new(what, format!("pass a Set instead of the list `{list}`"));
    let Some(name) = name_of(module, func) else {
        return Err(unseen(format!("the callers that pass `{list}` are unknown")));
    };
    let called = module.name(name).to_owned();
    let is_own =
        matches!(module.declaration(name), AstKind::Function(_) | AstKind::VariableDeclarator(_));
    let is_exported =
        links(at.planning.world, at.path).is_none_or(|it| it.names_of(&called).next().is_some());
    if !is_own || is_exported || !module.is_stable(name) || uses_arguments(module, func) {
        return Err(unseen(format!("the callers of `{called}` are unknown")));
    }
    let mut found = Vec::new();
    for it in module.uses(name) {
        match module.parent(it.node) {
            AstKind::CallExpression(call) if call.callee.span() == it.span && !call.optional => {
                found.push(call);
            }
            _ => return Err(unseen(format!("`{called}` is used as a value"))),
        }
    }
    Ok(found)
}
