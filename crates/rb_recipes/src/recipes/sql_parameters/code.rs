//! Small questions about code that holds text: constants, parentheses, escapes.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

/// The text that an expression always has, if it is a literal, or a name of one.
pub(super) fn constant<'a>(module: &Module<'a>, expression: &Expression<'a>) -> Option<String> {
    match module.resolved(expression) {
        Expression::StringLiteral(it) => Some(it.value.to_string()),
        Expression::NumericLiteral(it) => Some(module.slice(it.span).to_owned()),
        Expression::TemplateLiteral(it) => {
            let [only] = &it.quasis[..] else { return None };
            only.value.cooked.as_ref().map(ToString::to_string)
        }
        Expression::StaticMemberExpression(it) => {
            let Expression::ObjectExpression(object) = module.resolved(&it.object) else {
                return None;
            };
            let value = object.properties.iter().find_map(|property| {
                let oxc_ast::ast::ObjectPropertyKind::ObjectProperty(property) = property else {
                    return None;
                };
                (property.key.static_name()? == it.property.name.as_str())
                    .then_some(&property.value)
            })?;
            match value.get_inner_expression() {
                Expression::StringLiteral(it) => Some(it.value.to_string()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The span with all parentheses that stand around it alone.
pub(super) fn outer(module: &Module<'_>, span: Span) -> Span {
    let text = module.text();
    let (mut start, mut end) = (span.start as usize, span.end as usize);
    loop {
        let before = text[..start].trim_end();
        let after = text[end..].trim_start();
        // A call's own parentheses follow a name or another call.
        let opens = before.strip_suffix('(').map(str::trim_end);
        let is_call = opens.is_none_or(|it| {
            it.ends_with(|c: char| {
                c.is_alphanumeric() || matches!(c, '_' | '$' | ')' | ']' | '>' | '.' | '`' | '}')
            })
        });
        let is_word = opens.is_some_and(|it| it.ends_with("return") || it.ends_with("await"));
        if (is_call && !is_word) || !after.starts_with(')') {
            break;
        }
        start = before.len() - 1;
        end = text.len() - after.len() + 1;
    }
    Span::new(u32::try_from(start).unwrap_or(span.start), u32::try_from(end).unwrap_or(span.end))
}

/// The first character that a piece of a literal stands for, and how long it is written; none for a line that is continued.
pub(super) fn decoded(text: &str) -> Option<(Option<char>, usize)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    if first == '\r' && text[1..].starts_with('\n') {
        return Some((Some('\n'), 2));
    }
    if first != '\\' {
        return Some((Some(first), first.len_utf8()));
    }
    let second = chars.next()?;
    let simple = match second {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'x' => {
            return Some((
                Some(char::from_u32(u32::from_str_radix(text.get(2..4)?, 16).ok()?)?),
                4,
            ));
        }
        'u' if text[2..].starts_with('{') => {
            let end = text.find('}')?;
            return Some((
                Some(char::from_u32(u32::from_str_radix(text.get(3..end)?, 16).ok()?)?),
                end + 1,
            ));
        }
        'u' => {
            return Some((
                Some(char::from_u32(u32::from_str_radix(text.get(2..6)?, 16).ok()?)?),
                6,
            ));
        }
        '\r' if text[2..].starts_with('\n') => return Some((None, 3)),
        '\n' | '\u{2028}' | '\u{2029}' => return Some((None, 1 + second.len_utf8())),
        '0'..='9' => return None,
        other => other,
    };
    Some((Some(simple), 1 + second.len_utf8()))
}

pub(super) const LOGGED: &str = "the logged statement now contains placeholders instead of values";

/// `console.log(sql)`, `logger.debug(sql)`
pub(super) fn is_logged(module: &Module<'_>, node: NodeId) -> bool {
    let AstKind::CallExpression(call) = module.parent(node) else { return false };
    let text = module.slice(call.callee.span());
    ["console.", "logger.", "log.", "debug"].iter().any(|it| text.starts_with(it))
}
