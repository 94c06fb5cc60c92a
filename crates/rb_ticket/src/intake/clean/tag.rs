//! One HTML tag, read from the start of a text.

/// A longer one is text.
const LONGEST: usize = 8 << 10;
const VOID: [&str; 9] = ["area", "base", "br", "col", "hr", "img", "input", "link", "meta"];

#[derive(Debug)]
pub(super) struct Tag {
    /// In small letters.
    pub(super) name: String,
    /// Names in small letters.
    pub(super) attributes: Vec<(String, String)>,
    pub(super) is_closing: bool,
    /// Nothing is inside of it.
    pub(super) is_void: bool,
    /// Bytes from `<` to behind `>`.
    pub(super) length: usize,
}

impl Tag {
    /// `text` begins with `<`.
    pub(super) fn read(text: &str) -> Option<Tag> {
        let text = &text[..text.floor_char_boundary(LONGEST)];
        let is_closing = text[1..].starts_with('/');
        let mut rest = &text[1 + usize::from(is_closing)..];
        let name = take(&mut rest, |c| c.is_ascii_alphanumeric() || c == '-').to_ascii_lowercase();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        // `<https://…>` is a link.
        if !rest.starts_with(|c: char| c.is_whitespace() || c == '>' || c == '/') {
            return None;
        }
        let mut attributes = Vec::new();
        let is_void = VOID.contains(&name.as_str());
        loop {
            take(&mut rest, char::is_whitespace);
            if let Some(behind) = rest.strip_prefix('>') {
                let length = text.len() - behind.len();
                return Some(Tag { name, attributes, is_closing, is_void, length });
            }
            if let Some(behind) = rest.strip_prefix('/') {
                // Browsers ignore it: `<div hidden/>` hides what follows.
                rest = behind;
                continue;
            }
            attributes.push(attribute(&mut rest)?);
        }
    }
}

fn attribute(rest: &mut &str) -> Option<(String, String)> {
    let name = take(rest, |c| !c.is_whitespace() && !"=<>/\"'`".contains(c)).to_ascii_lowercase();
    if name.is_empty() {
        return None;
    }
    let mut behind = rest.trim_start();
    let Some(value) = behind.strip_prefix('=') else { return Some((name, String::new())) };
    behind = value.trim_start();
    let value = match behind.chars().next()? {
        quote @ ('"' | '\'') => {
            let (value, after) = behind[1..].split_once(quote)?;
            behind = after;
            value
        }
        _ => take(&mut behind, |c| !c.is_whitespace() && c != '>'),
    };
    *rest = behind;
    Some((name, value.to_owned()))
}

fn take<'t>(rest: &mut &'t str, wanted: impl Fn(char) -> bool) -> &'t str {
    let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
    let (taken, behind) = rest.split_at(end);
    *rest = behind;
    taken
}
