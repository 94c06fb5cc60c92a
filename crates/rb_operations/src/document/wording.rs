//! A name, or a word that looks like it? `parse_kv` is a name wherever it stands; `Tasks` and `truncate` are words of prose, even in code blocks.

use std::ops::Range;

use super::kind::Kind;
use crate::project::is_identifier_part;

/// Without markup: in comments and docstrings a name that is no word of prose, elsewhere its call `name()`.
pub(super) fn names_itself(text: &str, range: &Range<usize>, kind: Kind, name: &str) -> bool {
    let is_called = text[range.end..].starts_with("()");
    is_distinctive(name) && (is_called || (kind == Kind::Python && is_snake(name)))
}

/// In code: is it written as a name is? What no prose has needs no further sign.
pub(super) fn reads_as_code(text: &str, range: &Range<usize>, name: &str) -> bool {
    if is_snake(name) {
        return true;
    }
    let line_start = text[..range.start].rfind('\n').map_or(0, |line_break| line_break + 1);
    let line = &text[line_start..range.start];
    let after = &text[range.end..];
    let is_quoted = line.ends_with(['`', '~']) || line.ends_with("`.") || line.ends_with("~.");
    let is_declared = line.trim_start().starts_with(".. ") && line.contains("::");
    if (is_quoted && after.starts_with(['`', '(', '.'])) || is_declared || line.contains("import ")
    {
        return true;
    }
    let before = line.trim_end().chars().next_back();
    let after = after.trim_start_matches(' ').chars().next();
    if is_distinctive(name) {
        before.is_some_and(|letter| "([{@=:,>|".contains(letter))
            || after.is_some_and(|letter| "()[]}.=:|,".contains(letter))
    } else {
        text[range.end..].starts_with('(')
            || (line.ends_with(['(', '[', '@'])
                && after.is_some_and(|letter| ")],".contains(letter)))
    }
}

/// No word of prose looks so: `parse_kv`, `parseKv`, `ParseKv`, `Class.member`.
pub(super) fn is_distinctive(name: &str) -> bool {
    is_snake(name) || name.trim_matches('_').chars().skip(1).any(char::is_uppercase)
}

/// With an underscore or a full stop between two letters. Names of products may have capitals inside: `OpenAPI`.
fn is_snake(name: &str) -> bool {
    let inner = name.trim_matches('_');
    inner.contains(['_', '.'])
        && inner.chars().all(|letter| is_identifier_part(letter) || letter == '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first place of the name in the text.
    fn range(text: &str, name: &str) -> Range<usize> {
        let start = text.find(name).unwrap();
        start..start + name.len()
    }

    #[test]
    fn st4_words_of_prose_need_a_sign_that_they_are_code() {
        let rows = [
            ("Tasks are shared", "Tasks", false),
            ("see :class:`Tasks`", "Tasks", true),
            ("the ``Tasks`` step", "Tasks", true),
            ("from a import Tasks", "Tasks", true),
            ("x = Tasks(1)", "Tasks", true),
            ("print('Tasks: 1')", "Tasks", false),
            ("isinstance(x, OpenAPI)", "OpenAPI", true),
            ("ReDoc - OpenAPI/Swagger", "OpenAPI", false),
            (".. autoclass:: Tasks", "Tasks", true),
            ("call parse_kv here", "parse_kv", true),
        ];
        for (text, name, expected) in rows {
            assert_eq!(reads_as_code(text, &range(text, name), name), expected, "{text}");
        }
    }

    #[test]
    fn st4_names_with_an_underscore_are_names_in_comments() {
        let named =
            |text: &str, name: &str, kind| names_itself(text, &range(text, name), kind, name);
        assert!(named("# uses parse_kv", "parse_kv", Kind::Python));
        assert!(!named("uses parse_kv", "parse_kv", Kind::Text));
        assert!(named("uses parse_kv() too", "parse_kv", Kind::Text));
        assert!(!named("# the OpenAPI schema", "OpenAPI", Kind::Python));
        assert!(!named("# truncate() it", "truncate", Kind::Python));
    }
}
