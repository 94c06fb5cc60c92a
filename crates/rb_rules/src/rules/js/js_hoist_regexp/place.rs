//! What the constant is called, and where it goes.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, Statement, VariableDeclarator};
use oxc_semantic::NodeId;
use oxc_span::GetSpan;
use rb_core::Edit;
use rb_ecma::{Func, Module};

/// `SLUG_PATTERN` of `const slug = title.replace(…)`, `MAIL_PATTERN` in `isMail()`: after what is made with it, else after
/// the function around.
pub(super) fn name(module: &Module<'_>, node: NodeId) -> String {
    let around = module.ancestors(node).find_map(|kind| match kind {
        AstKind::VariableDeclarator(it) => Some(it.id.get_binding_identifier()?.name.to_string()),
        AstKind::ObjectProperty(it) => it.key.static_name().map(|it| it.to_string()),
        other => module.function_view(Func::of(other)?)?.name.map(ToOwned::to_owned),
    });
    let is_word = |it: &String| it.starts_with(|it: char| it.is_ascii_alphabetic());
    around.filter(is_word).map_or_else(|| "PATTERN".to_owned(), |it| constant_name(&it))
}

/// `MAIL_PATTERN` of `mailPattern`, `isMail` and `mail`.
pub(super) fn constant_name(name: &str) -> String {
    const VERBS: &[&str] = &["IS_", "HAS_", "GET_", "USE_", "TO_"];
    const NOUNS: &[&str] = &["PATTERN", "REGEX", "REGEXP", "RE"];
    let mut out = String::new();
    let mut was_lower = false;
    for character in name.chars() {
        let is_part = character.is_ascii_alphanumeric();
        if (!is_part || character.is_uppercase() && was_lower) && !out.ends_with('_') {
            out.push('_');
        }
        was_lower = character.is_lowercase() || character.is_numeric();
        out.extend(is_part.then(|| character.to_ascii_uppercase()));
    }
    let out = out.trim_matches('_');
    let noun = VERBS.iter().find_map(|it| out.strip_prefix(it)).unwrap_or(out);
    let is_said = noun.rsplit('_').next().is_some_and(|it| NOUNS.contains(&it)) && noun != name;
    if is_said { noun.to_owned() } else { format!("{noun}_PATTERN") }
}

/// The constants behind the imports that are patterns already.
pub(super) fn constants<'a>(
    module: &Module<'a>,
) -> impl Iterator<Item = &'a VariableDeclarator<'a>> {
    let body = module.program().body.iter();
    body.skip_while(|it| matches!(it, Statement::ImportDeclaration(_))).map_while(|statement| {
        let Statement::VariableDeclaration(it) = statement else { return None };
        match it.declarations.as_slice() {
            [only] if it.kind.is_const() && is_pattern(only) => Some(only),
            _ => None,
        }
    })
}

fn is_pattern(declarator: &VariableDeclarator<'_>) -> bool {
    match declarator.init.as_ref() {
        Some(Expression::RegExpLiteral(_)) => true,
        Some(Expression::NewExpression(it)) => it.callee.is_specific_id("RegExp"),
        _ => false,
    }
}

/// Below the patterns that are there, so that several stand in the order of their use; else behind the imports.
pub(super) fn insert(module: &Module<'_>, code: &str) -> Edit {
    let below = constants(module).last().and_then(|last| {
        let end = last.span().end as usize;
        let rest = module.text()[end..].split('\n').next().unwrap_or_default();
        let is_alone = rest.trim().trim_start_matches(';').is_empty();
        let line = u32::try_from(rest.trim_end().len()).ok()?;
        is_alone.then_some(last.span().end + line)
    });
    match below {
        Some(at) => Edit::insert(at, format!("{}{code}", module.style().line_end)),
        None => module.insert_at_top(code),
    }
}
