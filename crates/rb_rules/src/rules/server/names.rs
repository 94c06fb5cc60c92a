//! Names as words, and calls as paths: what the rules of the server tell by how things are called.
//!
//! Nothing here follows a binding: who needs to know what a name stands for asks the module.

use oxc_ast::ast::{CallExpression, Expression};
use oxc_span::Span;
use rb_ecma::Module;
pub(super) use rb_ecma::words;

pub(super) fn has_word(name: &str, list: &[&str]) -> bool {
    words(name).iter().any(|word| list.contains(&word.as_str()))
}

/// `a.b().c` is `a b c`: the names on the way to what is called, from the outside in. Empty where a step has no name.
pub(super) fn path_of<'e>(expression: &'e Expression<'_>) -> Vec<&'e str> {
    let mut path = Vec::new();
    let mut at = expression.get_inner_expression();
    loop {
        at = match at {
            Expression::Identifier(name) => {
                path.push(name.name.as_str());
                break;
            }
            Expression::ThisExpression(_) => break,
            Expression::CallExpression(call) => call.callee.get_inner_expression(),
            Expression::AwaitExpression(it) => it.argument.get_inner_expression(),
            Expression::NewExpression(it) => it.callee.get_inner_expression(),
            other => {
                let Some(member) = other.as_member_expression() else { return Vec::new() };
                path.extend(member.static_property_name());
                member.object().get_inner_expression()
            }
        };
    }
    path.reverse();
    path
}

/// The calls that stand in a piece of the text, in its order.
pub(super) fn calls_in<'m, 'a>(
    module: &'m Module<'a>,
    span: Span,
) -> impl Iterator<Item = &'a CallExpression<'a>> + 'm {
    let all = module.calls();
    let first = all.partition_point(|call| call.span.start < span.start);
    all[first..]
        .iter()
        .copied()
        .take_while(move |call| call.span.start < span.end)
        .filter(move |call| call.span.end <= span.end)
}

/// What is awaited, or the expression itself.
pub(super) fn awaited<'e, 'a>(expression: &'e Expression<'a>) -> &'e Expression<'a> {
    match expression.get_inner_expression() {
        Expression::AwaitExpression(it) => it.argument.get_inner_expression(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::{has_word, words};

    #[test]
    fn ru1_server_names_are_words() {
        assert_eq!(words("readUserById"), ["read", "user", "by", "id"]);
        assert_eq!(words("audit.log_all"), ["audit", "log", "all"]);
        assert!(has_word("auditLog", &["log"]));
        assert!(!has_word("catalog.login", &["log"]));
    }
}
