//! What is the same whenever it is asked for: paths that are made of constants.

use oxc_ast::ast::{
    Argument, CallExpression, Expression, IdentifierReference, ObjectPropertyKind, TemplateLiteral,
};
use rb_ecma::Module;

use super::super::names::{has_word, path_of};
use crate::cx::Cx;

/// Files above this are not worth keeping in memory.
const LARGE: u64 = 5 << 20;

/// The file, where all that the call is made with is there when the module is loaded, and the file stays as it is.
pub(super) fn fixed_path<'a>(cx: &Cx<'_, 'a>, call: &CallExpression<'a>) -> Option<String> {
    const CHANGING: &[&str] = &[
        "tmp", "temp", "cache", "upload", "uploads", "log", "logs", "db", "database", "store",
        "storage", "state", "queue", "proc", "env", "data",
    ];
    let mut texts = Vec::new();
    let (place, options) = call.arguments.split_first()?;
    let fixed = is_constant(cx.module, place.as_expression()?, &mut texts, 6)
        && all_constant(cx.module, options, &mut Vec::new(), 6);
    let path = texts.join("/");
    let folder = cx.facts.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let plain = path.trim_start_matches("./");
    let is_large = [&*cx.facts.package.dir, folder].iter().any(|dir| {
        let file = if dir.is_empty() { plain.to_owned() } else { format!("{dir}/{plain}") };
        cx.world.size(&file).is_some_and(|size| size > LARGE)
    });
    (fixed && !path.is_empty() && !has_word(&path, CHANGING) && !is_large).then_some(path)
}

/// The text that a template gives, where all in it is constant.
fn template<'a>(module: &Module<'a>, it: &TemplateLiteral<'a>, depth: u32) -> Option<String> {
    let mut whole = String::new();
    for (at, quasi) in it.quasis.iter().enumerate() {
        whole.push_str(&quasi.value.raw);
        if let Some(value) = it.expressions.get(at) {
            let mut parts = Vec::new();
            is_constant(module, value, &mut parts, depth).then_some(())?;
            whole.push_str(&parts.join("/"));
        }
    }
    Some(whole)
}

/// Does it have the same value whenever it is asked for? Collects the texts it is made of.
fn is_constant<'a>(
    module: &Module<'a>,
    expression: &Expression<'a>,
    texts: &mut Vec<String>,
    depth: u32,
) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match expression.get_inner_expression() {
        Expression::StringLiteral(it) => {
            texts.push(it.value.to_string());
            true
        }
        Expression::NumericLiteral(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_) => true,
        Expression::TemplateLiteral(it) => {
            let whole = template(module, it, depth);
            texts.extend(whole.clone());
            whole.is_some()
        }
        Expression::Identifier(name) => is_constant_name(module, name, texts, depth),
        Expression::BinaryExpression(it) => {
            is_constant(module, &it.left, texts, depth)
                && is_constant(module, &it.right, texts, depth)
        }
        Expression::NewExpression(it) => {
            module.is_global_named(&it.callee, "URL")
                && all_constant(module, &it.arguments, texts, depth)
        }
        Expression::CallExpression(call) => {
            const JOINING: &[&str] = &["join", "resolve", "fileURLToPath", "cwd"];
            let path = path_of(&call.callee);
            path.last().is_some_and(|name| JOINING.contains(name))
                && all_constant(module, &call.arguments, texts, depth)
        }
        Expression::StaticMemberExpression(it) => {
            matches!(it.object.get_inner_expression(), Expression::ImportMeta(_))
                || is_constant(module, &it.object, &mut Vec::new(), depth)
        }
        Expression::ObjectExpression(it) => it.properties.iter().all(|it| match it {
            ObjectPropertyKind::ObjectProperty(it) => {
                is_constant(module, &it.value, &mut Vec::new(), depth)
            }
            ObjectPropertyKind::SpreadProperty(_) => false,
        }),
        _ => false,
    }
}

fn is_constant_name<'a>(
    module: &Module<'a>,
    name: &IdentifierReference<'a>,
    texts: &mut Vec<String>,
    depth: u32,
) -> bool {
    match module.symbol(name) {
        None => ["__dirname", "__filename", "undefined"].contains(&name.name.as_str()),
        Some(symbol) if module.import(symbol).is_some() => true,
        Some(symbol) => module.initializer(symbol).is_some_and(|init| {
            is_constant(module, init, texts, depth)
                || (module.is_top_level(symbol) && module.is_const(symbol))
        }),
    }
}

fn all_constant<'a>(
    module: &Module<'a>,
    arguments: &[Argument<'a>],
    texts: &mut Vec<String>,
    depth: u32,
) -> bool {
    let mut arguments = arguments.iter().map(Argument::as_expression);
    arguments.all(|it| it.is_some_and(|it| is_constant(module, it, texts, depth)))
}
