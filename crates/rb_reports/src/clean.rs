//! What makes foreign text comparable between two runs: paths relative to the root, no colour, no addresses and
//! other parts that a run draws anew, and a bound on every length.

use std::borrow::Cow;
use std::path::Path;

/// The most bytes of one part of an id.
const MAX_NAME: usize = 1024;

/// The folder that the tests ran in.
#[derive(Debug, Clone)]
pub(crate) struct Root {
    /// With a slash at its end; none when nothing can be taken off.
    prefix: Option<String>,
}

impl Root {
    pub(crate) fn new(path: &Path) -> Root {
        let text = path.to_string_lossy();
        let text = text.trim_end_matches('/');
        Root { prefix: (text.len() > 1).then(|| format!("{text}/")) }
    }

    /// A path relative to the root; of one that lies elsewhere only the file name, for its folder differs between
    /// machines.
    pub(crate) fn relative(&self, path: &str) -> String {
        let path = path.trim();
        let path = path.strip_prefix("file://").unwrap_or(path);
        let path = if path.contains('\\') && !path.contains('/') {
            Cow::Owned(path.replace('\\', "/"))
        } else {
            Cow::Borrowed(path)
        };
        let inside = self.prefix.as_deref().and_then(|prefix| path.strip_prefix(prefix));
        let path = inside.unwrap_or(&path);
        let path = path.strip_prefix("./").unwrap_or(path);
        let path = if is_absolute(path) { path.rsplit('/').next().unwrap_or(path) } else { path };
        name(path)
    }

    /// Whether a name is a file or folder of the run rather than a title. A title may begin with a slash, too: that
    /// of a route.
    pub(crate) fn names_path(&self, name: &str) -> bool {
        let inside = self.prefix.as_deref().is_some_and(|prefix| name.starts_with(prefix));
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let script = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"].contains(&extension);
        inside || is_absolute(name) && script && !name.contains(char::is_whitespace)
    }

    /// Takes the root out of running text.
    pub(crate) fn strip<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match &self.prefix {
            Some(prefix) if text.contains(prefix.as_str()) => {
                Cow::Owned(text.replace(prefix.as_str(), ""))
            }
            Some(_) | None => Cow::Borrowed(text),
        }
    }
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.as_bytes().get(1..3) == Some(b":/")
}

/// A part of an id: one line, without what a run draws anew.
pub(crate) fn name(text: &str) -> String {
    let text = plain(text);
    let text = steady(&text);
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    cut(text.trim(), MAX_NAME)
}

/// Without colours, links and cursor movements.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains('\x1b') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\x1b' {
            out.push(c);
        } else if chars.next_if_eq(&'[').is_some() {
            while chars.next().is_some_and(|c| !('\x40'..='\x7e').contains(&c)) {}
        } else if chars.next_if_eq(&']').is_some() {
            // A link or a title, up to BEL or ESC \.
            while chars.next().is_some_and(|c| c != '\x07' && c != '\x1b') {}
            chars.next_if_eq(&'\\');
        } else {
            chars.next();
        }
    }
    Cow::Owned(out)
}

/// The first `most` bytes, at a character's edge, with a mark that it was cut.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(most.saturating_sub('…'.len_utf8()));
    format!("{}…", &text[..end])
}

/// Appends while there is room; the rest of a huge text is not kept.
pub(crate) fn append(to: &mut String, text: &str, most: usize) {
    let room = most.saturating_sub(to.len());
    to.push_str(&text[..text.floor_char_boundary(room)]);
}

/// Replaces addresses (`0x7f…`), object hashes (`Foo@1b2c3d4e`) and UUIDs.
fn steady(text: &str) -> Cow<'_, str> {
    let mut out: Option<String> = None;
    let (mut at, mut copied) = (0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let before = if at == 0 { None } else { Some(bytes[at - 1]) };
        let Some((keep, end)) = drawn_anew(&bytes[at..], before) else {
            at += 1;
            continue;
        };
        let out = out.get_or_insert_with(String::new);
        out.push_str(&text[copied..at + keep]);
        out.push('…');
        at += end;
        copied = at;
    }
    match out {
        Some(mut out) => {
            out.push_str(&text[copied..]);
            Cow::Owned(out)
        }
        None => Cow::Borrowed(text),
    }
}

/// How many bytes at the front to keep and how many to pass over, if something that a run draws anew begins here.
fn drawn_anew(bytes: &[u8], before: Option<u8>) -> Option<(usize, usize)> {
    let after_word = before.is_some_and(|b| b.is_ascii_alphanumeric());
    match bytes {
        [b'0', b'x', rest @ ..] if !after_word => {
            let digits = hex_run(rest);
            (digits >= 6).then_some((2, 2 + digits))
        }
        [b'@', rest @ ..] if after_word => {
            let digits = hex_run(rest);
            let ends = rest.get(digits).is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'.');
            let number = rest[..digits].iter().any(u8::is_ascii_digit);
            ((6..=8).contains(&digits) && ends && number).then_some((1, 1 + digits))
        }
        [first, ..] if first.is_ascii_hexdigit() && !after_word => {
            is_uuid(bytes).then_some((0, 36))
        }
        _ => None,
    }
}

fn hex_run(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| b.is_ascii_hexdigit()).count()
}

fn is_uuid(bytes: &[u8]) -> bool {
    bytes.len() >= 36
        && bytes[..36].iter().enumerate().all(|(at, b)| match at {
            8 | 13 | 18 | 23 => *b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
        && bytes.get(36).is_none_or(|b| !b.is_ascii_alphanumeric())
}
