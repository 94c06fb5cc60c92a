//! Paths of routes in one spelling: what stands for a part is `{}`, what stands for the rest is `{*}`.

/// `/users/:id`, `/users/{id}`, `/users/<int:id>` and `/users/[id]` are one path.
pub(super) fn normal(path: &str) -> String {
    let mut out = String::from("/");
    for part in path.split('/').filter(|part| !part.is_empty()) {
        if !out.ends_with('/') {
            out.push('/');
        }
        out.push_str(&normal_part(part));
    }
    out
}

fn normal_part(part: &str) -> String {
    let mut out = String::new();
    let mut rest = part;
    while let Some(first) = rest.chars().next() {
        let (piece, len) = match first {
            '{' => bracketed(rest, '}'),
            '<' => bracketed(rest, '>'),
            '[' => bracketed(rest, ']'),
            ':' => (Some("{}"), 1 + name_length(&rest[1..])),
            '*' => (Some("{*}"), 1 + name_length(&rest[1..])),
            _ => (None, first.len_utf8()),
        };
        match piece {
            Some(piece) => out.push_str(piece),
            None => out.push_str(&rest[..len]),
        }
        rest = &rest[len..];
    }
    out
}

fn bracketed(text: &str, close: char) -> (Option<&'static str>, usize) {
    let Some(end) = text.find(close) else { return (None, 1) };
    let inner = text[..end].trim_start_matches(['{', '<', '[']);
    let is_rest = inner.contains('*') || inner.contains("...") || inner.starts_with("path:");
    let brackets = text[end..].chars().take_while(|c| *c == close).count();
    (Some(if is_rest { "{*}" } else { "{}" }), end + brackets)
}

/// The name of a parameter, with a pattern in parentheses and a question mark behind it.
fn name_length(text: &str) -> usize {
    let mut length = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    if text[length..].starts_with('(') {
        length += text[length..].find(')').map_or(0, |end| end + 1);
    }
    if text[length..].starts_with('?') {
        length += 1;
    }
    length
}

pub(super) fn joined(prefix: &str, path: &str) -> String {
    format!("{}/{}", prefix.trim_end_matches('/'), path.trim_start_matches('/'))
}
