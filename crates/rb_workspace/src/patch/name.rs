//! File names as the header lines of a diff spell them.

use std::fmt::Write as _;

use rb_core::RepoPath;
use rb_core::path::{BadPath, unquote};

/// A name in a `---` or `+++` line, its prefix still on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Name {
    /// `/dev/null`: the file is not there on this side.
    Null,
    Path(Vec<u8>),
}

/// What may follow a name that is not quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tail {
    /// A tab and a timestamp, or the bare tab that git puts behind names with spaces.
    Tab,
    Nothing,
}

/// Reads the rest of a header line, without its line end. `None` where the quoting is broken.
pub(crate) fn read(raw: &[u8], tail: Tail) -> Option<Name> {
    let bytes = if raw.first() == Some(&b'"') {
        let (name, rest) = quoted(raw)?;
        let clean = rest.is_empty() || tail == Tail::Tab && rest[0] == b'\t';
        clean.then_some(name)?
    } else {
        let end = match tail {
            Tail::Tab => raw.iter().position(|&byte| byte == b'\t').unwrap_or(raw.len()),
            Tail::Nothing => raw.len(),
        };
        raw[..end].to_vec()
    };
    Some(if bytes == b"/dev/null" { Name::Null } else { Name::Path(bytes) })
}

/// Both names of an entry without git's `a/` and `b/`. These are taken off only where both sides carry
/// them: `a/x` on both sides is a file in a folder `a`.
pub(crate) fn pair(
    old: &Name,
    new: &Name,
) -> Result<(Option<RepoPath>, Option<RepoPath>), BadPath> {
    let bare = |name: &Name, prefix: &[u8]| match name {
        Name::Null => Some(None),
        Name::Path(path) => path.strip_prefix(prefix).map(|rest| Some(rest.to_vec())),
    };
    let whole = |name: &Name| match name {
        Name::Null => None,
        Name::Path(path) => Some(path.clone()),
    };
    let (old, new) = match (bare(old, b"a/"), bare(new, b"b/")) {
        (Some(old), Some(new)) => (old, new),
        _ => (whole(old), whole(new)),
    };
    Ok((old.map(RepoPath::new).transpose()?, new.map(RepoPath::new).transpose()?))
}

/// The one name behind `diff --git a/NAME b/NAME`. Where the two differ, and in the few spellings that
/// could be cut at more than one place, the lines below say what is meant.
pub(crate) fn git_line(rest: &[u8]) -> Option<RepoPath> {
    let (old, new) = if rest.first() == Some(&b'"') {
        let (old, rest) = quoted(rest)?;
        let new = read(rest.strip_prefix(b" ")?, Tail::Nothing)?;
        (Name::Path(old), new)
    } else {
        // Equal names have equal lengths, with or without prefixes.
        let half = rest.len() / 2;
        if rest.get(half) != Some(&b' ') || rest.len().is_multiple_of(2) {
            return None;
        }
        (read(&rest[..half], Tail::Nothing)?, read(&rest[half + 1..], Tail::Nothing)?)
    };
    match pair(&old, &new) {
        Ok((Some(old), Some(new))) if old == new => Some(new),
        Ok(_) | Err(_) => None,
    }
}

/// A quoted name and what comes after its closing quote.
fn quoted(raw: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut escaped = false;
    let end = raw.iter().skip(1).position(|&byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })? + 2;
    // Git leaves bytes above ASCII as they are when told to; inside quotes they mean themselves.
    let mut ascii = String::with_capacity(end);
    for &byte in &raw[..end] {
        if byte.is_ascii() {
            ascii.push(char::from(byte));
        } else {
            write!(ascii, "\\{byte:03o}").expect("writing to a string does not fail");
        }
    }
    Some((unquote(&ascii)?, &raw[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: impl AsRef<[u8]>) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    #[test]
    fn sa4_names_are_read_as_git_spells_them() {
        let check = |raw: &[u8], name: Option<&[u8]>| {
            let expected = name.map(|name| Name::Path(name.to_vec()));
            assert_eq!(read(raw, Tail::Tab), expected, "{}", raw.escape_ascii());
        };
        check(b"a/x", Some(b"a/x"));
        check(b"a/x y\t", Some(b"a/x y"));
        check(b"a/x\t2026-01-31 10:00:00", Some(b"a/x"));
        check(b"\"a/\\303\\274\\t\\\"\"", Some(b"a/\xc3\xbc\t\""));
        check(b"\"a/\\\\\"\tx", Some(b"a/\\"));
        check(b"\"a/\xff\"", Some(b"a/\xff"));
        check(b"a/\xff", Some(b"a/\xff"));
        check(b"\"a", None);
        check(b"\"a\"b", None);
        assert_eq!(read(b"/dev/null", Tail::Tab), Some(Name::Null));
    }

    #[test]
    fn sa4_the_git_line_gives_equal_names() {
        let check = |raw: &str, name: Option<&str>| {
            assert_eq!(git_line(raw.as_bytes()), name.map(path), "{raw}");
        };
        check("a/x b/x", Some("x"));
        check("a/x b/y", None);
        check("a/x y b/x y", Some("x y"));
        check("a/x b/x b/x b/x", Some("x b/x"));
        check("src/x src/x", Some("src/x"));
        check("\"a/x\\\"\" \"b/x\\\"\"", Some("x\""));
        check("a/../x b/../x", None);
        check("", None);
    }

    #[test]
    fn sa4_prefixes_go_in_pairs() {
        let name = |text: &str| {
            if text.is_empty() { Name::Null } else { Name::Path(text.into()) }
        };
        let check = |old: &str, new: &str, expected: (Option<&str>, Option<&str>)| {
            let found = pair(&name(old), &name(new)).unwrap();
            assert_eq!(found, (expected.0.map(path), expected.1.map(path)));
        };
        check("a/x", "b/x", (Some("x"), Some("x")));
        check("a/x", "a/x", (Some("a/x"), Some("a/x")));
        check("", "b/x", (None, Some("x")));
        check("a/x", "", (Some("x"), None));
        check("src/x", "", (Some("src/x"), None));
    }
}
