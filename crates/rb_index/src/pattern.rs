//! The patterns of `.gitignore` and `.gitattributes`, read and matched as git's manual has it, byte by byte.
//!
//! A general glob engine differs in the corners: braces mean nothing here, an open bracket never matches, only
//! spaces are cut off, names need not be UTF-8. Matching takes time in proportion to pattern times name, whatever
//! both hold. Which file a pattern comes from, and what follows from a match, is the caller's to know.

use rustc_hash::FxHashMap;

/// Patterns of which the last that matches counts.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    list: Vec<Pattern>,
    /// Plain names and `*.extension`, found without trying each; the rest is tried from the end.
    by_name: FxHashMap<Box<[u8]>, Vec<usize>>,
    by_extension: FxHashMap<Box<[u8]>, Vec<usize>>,
    others: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) negated: bool,
    pub(crate) only_folders: bool,
    shape: Shape,
}

#[derive(Debug, PartialEq, Eq)]
enum Shape {
    /// The last component is this.
    Name(Box<[u8]>),
    /// The last component ends with this.
    Suffix(Box<[u8]>),
    /// The last component matches.
    Glob(Vec<Token>),
    /// The whole path matches.
    Path(Vec<Part>),
    /// Badly formed: git lets it match nothing.
    Never,
}

#[derive(Debug, PartialEq, Eq)]
enum Part {
    /// `**`: any number of components.
    AnyDepth,
    Component(Vec<Token>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Byte(u8),
    /// `?`
    One,
    /// `*`
    Many,
    Class(Box<Class>),
    Slash,
}

/// Which bytes a bracket expression takes.
type Class = [bool; 256];

impl Patterns {
    /// The lines of an ignore file.
    pub(crate) fn parse(text: &[u8]) -> Self {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let lines = text.split(|&byte| byte == b'\n');
        lines
            .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
            .filter_map(Pattern::parse)
            .collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The last pattern that matches, and its place. `path` is relative to the folder that the patterns belong to.
    pub(crate) fn last_match(&self, path: &[u8], is_folder: bool) -> Option<(usize, &Pattern)> {
        let name = last_component(path);
        let fits = |&&at: &&usize| is_folder || !self.list[at].only_folders;
        let listed = |map: &FxHashMap<Box<[u8]>, Vec<usize>>, key: &[u8]| {
            if map.is_empty() { None } else { map.get(key)?.iter().rev().find(fits).copied() }
        };
        let by_name = listed(&self.by_name, name);
        let by_extension = extension(name).and_then(|key| listed(&self.by_extension, key));
        let best = by_name.max(by_extension);
        let later = self.others.iter().rev().take_while(|&&at| best.is_none_or(|best| at > best));
        let other =
            later.filter(fits).find(|&&at| self.list[at].shape.matches(path, name)).copied();
        let at = other.or(best)?;
        Some((at, &self.list[at]))
    }
}

impl FromIterator<Pattern> for Patterns {
    fn from_iter<I: IntoIterator<Item = Pattern>>(patterns: I) -> Self {
        let mut all = Patterns::default();
        for (at, pattern) in patterns.into_iter().enumerate() {
            match &pattern.shape {
                Shape::Name(name) => all.by_name.entry(name.clone()).or_default().push(at),
                Shape::Suffix(suffix)
                    if extension(suffix).is_some_and(|e| e.len() + 1 == suffix.len()) =>
                {
                    all.by_extension.entry(suffix[1..].into()).or_default().push(at);
                }
                Shape::Suffix(_) | Shape::Glob(_) | Shape::Path(_) => all.others.push(at),
                Shape::Never => {}
            }
            all.list.push(pattern);
        }
        all
    }
}

fn last_component(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

/// What stands behind the last dot.
fn extension(name: &[u8]) -> Option<&[u8]> {
    let dot = name.iter().rposition(|&byte| byte == b'.')?;
    Some(&name[dot + 1..])
}

impl Pattern {
    /// One line, without its end. `None` for a comment or an empty line.
    pub(crate) fn parse(line: &[u8]) -> Option<Self> {
        if line.first() == Some(&b'#') {
            return None;
        }
        let line = trim_spaces(line);
        let (negated, line) = match line.strip_prefix(b"!") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (only_folders, line) = match line.strip_suffix(b"/") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        if line.is_empty() {
            return None;
        }
        Some(Pattern { negated, only_folders, shape: Shape::parse(line) })
    }
}

/// Cuts off spaces at the end, but not one behind a backslash.
fn trim_spaces(line: &[u8]) -> &[u8] {
    let (mut at, mut end) = (0, 0);
    while at < line.len() {
        let escaped = line[at] == b'\\';
        let space = line[at] == b' ';
        at = line.len().min(at + 1 + usize::from(escaped));
        if !space {
            end = at;
        }
    }
    &line[..end]
}

impl Shape {
    fn parse(pattern: &[u8]) -> Self {
        let Some(tokens) = tokens(pattern) else { return Shape::Never };
        if tokens.contains(&Token::Slash) || pattern.contains(&b'/') {
            return Shape::Path(parts(&tokens));
        }
        let literal = |tokens: &[Token]| -> Option<Box<[u8]>> {
            tokens
                .iter()
                .map(|token| if let Token::Byte(byte) = token { Some(*byte) } else { None })
                .collect()
        };
        if let Some(name) = literal(&tokens) {
            return Shape::Name(name);
        }
        match literal(&tokens[1..]) {
            Some(suffix) if tokens[0] == Token::Many => Shape::Suffix(suffix),
            _ => Shape::Glob(merge_stars(&tokens)),
        }
    }

    fn matches(&self, path: &[u8], name: &[u8]) -> bool {
        match self {
            Shape::Name(expected) => **expected == *name,
            Shape::Suffix(suffix) => name.ends_with(suffix),
            Shape::Glob(tokens) => matches_component(tokens, name),
            Shape::Path(parts) => may_end_with(parts, name) && matches_path(parts, path),
            Shape::Never => false,
        }
    }
}

fn tokens(pattern: &[u8]) -> Option<Vec<Token>> {
    let mut tokens = Vec::with_capacity(pattern.len());
    let mut at = 0;
    while let Some(&byte) = pattern.get(at) {
        at += 1;
        tokens.push(match byte {
            b'*' => Token::Many,
            b'?' => Token::One,
            b'/' => Token::Slash,
            b'[' => {
                let (class, end) = class(pattern, at)?;
                at = end;
                Token::Class(Box::new(class))
            }
            b'\\' => {
                let &escaped = pattern.get(at)?;
                at += 1;
                if escaped == b'/' { Token::Slash } else { Token::Byte(escaped) }
            }
            plain => Token::Byte(plain),
        });
    }
    Some(tokens)
}

/// The bracket expression whose inside begins at `at`, and where it ends. `None` where it is not closed.
fn class(pattern: &[u8], mut at: usize) -> Option<(Class, usize)> {
    let mut class = [false; 256];
    let negated = matches!(pattern.get(at)?, b'!' | b'^');
    at += usize::from(negated);
    // The last single byte, where a range can begin.
    let mut from: Option<u8> = None;
    let mut first = true;
    loop {
        let byte = *pattern.get(at)?;
        at += 1;
        match byte {
            b']' if !first => break,
            b'\\' => {
                let escaped = *pattern.get(at)?;
                at += 1;
                class[usize::from(escaped)] = true;
                from = Some(escaped);
            }
            b'-' if from.is_some() && pattern.get(at).is_some_and(|&next| next != b']') => {
                at += usize::from(pattern[at] == b'\\');
                let last = *pattern.get(at)?;
                at += 1;
                let first = from.take().expect("asked by the guard");
                (first..=last).for_each(|byte| class[usize::from(byte)] = true);
            }
            b'[' if pattern.get(at) == Some(&b':') => match named_class(pattern, at + 1)? {
                Some((belongs, end)) => {
                    (0..=255).filter(belongs).for_each(|byte| class[usize::from(byte)] = true);
                    at = end;
                    from = None;
                }
                None => {
                    class[usize::from(b'[')] = true;
                    from = Some(b'[');
                }
            },
            plain => {
                class[usize::from(plain)] = true;
                from = Some(plain);
            }
        }
        first = false;
    }
    if negated {
        class = class.map(|taken| !taken);
    }
    class[usize::from(b'/')] = false;
    Some((class, at))
}

/// `[:alpha:]` and its like, from behind the first colon. `Some(None)` where no such thing begins here.
#[expect(
    clippy::type_complexity,
    reason = "bad, not there, or there: one caller matches all three"
)]
fn named_class(pattern: &[u8], start: usize) -> Option<Option<(fn(&u8) -> bool, usize)>> {
    let close = start + pattern.get(start..)?.iter().position(|&byte| byte == b']')?;
    let Some(name) = pattern[start..close].strip_suffix(b":") else { return Some(None) };
    let belongs: fn(&u8) -> bool = match name {
        b"alnum" => u8::is_ascii_alphanumeric,
        b"alpha" => u8::is_ascii_alphabetic,
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"cntrl" => u8::is_ascii_control,
        b"digit" => u8::is_ascii_digit,
        b"graph" => u8::is_ascii_graphic,
        b"lower" => u8::is_ascii_lowercase,
        b"print" => |byte| matches!(byte, b' '..=b'~'),
        b"punct" => u8::is_ascii_punctuation,
        b"space" => |byte| matches!(byte, b' ' | b'\t'..=b'\r'),
        b"upper" => u8::is_ascii_uppercase,
        b"xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    };
    Some(Some((belongs, close + 1)))
}

fn parts(tokens: &[Token]) -> Vec<Part> {
    let tokens = tokens.strip_prefix(&[Token::Slash]).unwrap_or(tokens);
    let components = tokens.split(|token| *token == Token::Slash);
    components
        .map(|component| {
            if component.len() > 1 && component.iter().all(|token| *token == Token::Many) {
                Part::AnyDepth
            } else {
                Part::Component(merge_stars(component))
            }
        })
        .collect()
}

fn merge_stars(tokens: &[Token]) -> Vec<Token> {
    let mut merged = tokens.to_vec();
    merged.dedup_by(|a, b| *a == Token::Many && *b == Token::Many);
    merged
}

/// Most paths are told apart by their last component, without a walk over the others.
fn may_end_with(parts: &[Part], name: &[u8]) -> bool {
    match parts.last() {
        Some(Part::Component(tokens)) => matches_component(tokens, name),
        Some(Part::AnyDepth) | None => true,
    }
}

/// On a mismatch only the last `**` is tried again one component further: what an earlier one could give, the
/// later one can too.
fn matches_path(parts: &[Part], path: &[u8]) -> bool {
    let mut rest = Some(path);
    let mut next = 0;
    let mut again: Option<(usize, &[u8])> = None;
    loop {
        match (parts.get(next), rest) {
            (None, None) => return true,
            (Some(Part::AnyDepth), Some(here)) => {
                next += 1;
                if next == parts.len() {
                    return true;
                }
                again = Some((next, here));
                continue;
            }
            (Some(Part::Component(tokens)), Some(here)) => {
                let (component, behind) = split_component(here);
                if matches_component(tokens, component) {
                    (next, rest) = (next + 1, behind);
                    continue;
                }
            }
            (None, Some(_)) | (Some(_), None) => {}
        }
        let Some((after, from)) = again else { return false };
        let Some(behind) = split_component(from).1 else { return false };
        again = Some((after, behind));
        (next, rest) = (after, Some(behind));
    }
}

fn split_component(path: &[u8]) -> (&[u8], Option<&[u8]>) {
    match path.iter().position(|&byte| byte == b'/') {
        Some(at) => (&path[..at], Some(&path[at + 1..])),
        None => (path, None),
    }
}

/// As above, for `*` within one component.
fn matches_component(tokens: &[Token], name: &[u8]) -> bool {
    let (mut next, mut at) = (0, 0);
    let mut again: Option<(usize, usize)> = None;
    loop {
        match (tokens.get(next), name.get(at)) {
            (None, None) => return true,
            (Some(Token::Many), _) => {
                next += 1;
                again = Some((next, at));
                continue;
            }
            (Some(token), Some(&byte)) if token.takes(byte) => {
                (next, at) = (next + 1, at + 1);
                continue;
            }
            _ => {}
        }
        match again {
            Some((after, from)) if from < name.len() => {
                again = Some((after, from + 1));
                (next, at) = (after, from + 1);
            }
            _ => return false,
        }
    }
}

impl Token {
    fn takes(&self, byte: u8) -> bool {
        match self {
            Token::Byte(expected) => *expected == byte,
            Token::One => true,
            Token::Class(class) => class[usize::from(byte)],
            Token::Many | Token::Slash => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of the paths the pattern matches; a folder ends with a slash.
    fn check(pattern: &str, taken: &[&str], left: &[&str]) {
        let patterns = Patterns::parse(pattern.as_bytes());
        let matched = |path: &str| {
            let bare = path.strip_suffix('/').unwrap_or(path);
            patterns.last_match(bare.as_bytes(), bare != path).is_some_and(|(_, p)| !p.negated)
        };
        for path in taken {
            assert!(matched(path), "`{pattern}` must match `{path}`");
        }
        for path in left {
            assert!(!matched(path), "`{pattern}` must not match `{path}`");
        }
    }

    #[test]
    fn ix1_patterns_match_as_in_git() {
        check("foo", &["foo", "a/foo", "a/foo/"], &["foob", "foo/a"]);
        check("foo/", &["foo/", "a/foo/"], &["foo", "a/foo"]);
        check("/foo", &["foo", "foo/"], &["a/foo"]);
        check("a/foo", &["a/foo"], &["b/a/foo", "a/b/foo"]);
        check("*.py", &["a.py", "b/.py", "a.b.py"], &["a.pyc", "py"]);
        check("*.tar.gz", &["a.tar.gz", "b/a.tar.gz"], &["a.gz"]);
        check("a*c", &["ac", "abc", "x/abbc"], &["a/c", "abcd"]);
        check("a?c", &["abc"], &["ac", "a/c", "abbc"]);
        check("**/a/b", &["a/b", "x/y/a/b"], &["a/x/b"]);
        check("a/**", &["a/b", "a/b/c"], &["a", "a/", "b/a/c"]);
        check("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["a/x", "ab"]);
        check("a/**/b/**/c*", &["a/b/c", "a/b/x/b/cc", "a/x/b/y/z/c"], &["a/c", "b/c"]);
        check("/**", &["a", "a/b"], &[]);
        check("**", &["a", "a/b"], &[]);
        check("a/*", &["a/b"], &["a/b/c", "a"]);
        check("/*.c", &["a.c"], &["x/a.c"]);
    }

    #[test]
    fn ix1_corners_of_the_syntax_match_as_in_git() {
        check("# no", &[], &["# no", "no"]);
        check("\\#a", &["#a"], &["a"]);
        check("\\!a", &["!a"], &["a"]);
        check("a  ", &["a"], &["a  "]);
        check("a\\ ", &["a "], &["a", "a\\ "]);
        check("a\\  ", &["a "], &["a  "]);
        check("a\t", &["a\t"], &["a"]);
        check("a\r\nb\r", &["a", "b"], &["a\r"]);
        check("\u{feff}a", &["a"], &[]);
        check("a\\", &[], &["a", "a\\"]);
        check("a\\/", &[], &["a/", "a\\"]);
        check("{a,b}", &["{a,b}"], &["a", "b"]);
        check("/", &[], &["a", "a/"]);
        check("*.py\n!a.py", &["b.py"], &["a.py"]);
        check("!a.py\n*.py", &["a.py"], &[]);
        check("a\n!a/\n", &["a"], &["a/"]);
        check("x*\n!*.py\nxx.py", &["x", "xx.py"], &["xy.py"]);
    }

    #[test]
    fn ix1_bracket_expressions_match_as_in_git() {
        check("[abc]", &["a", "b"], &["d", "[abc]"]);
        check("[a-c]x", &["ax", "cx"], &["dx", "-x"]);
        check("[!a]", &["b"], &["a"]);
        check("[^a]", &["b", "^"], &["a"]);
        check("[]a]", &["]", "a"], &["b"]);
        check("[a-]", &["a", "-"], &["b"]);
        check("[\\]]", &["]"], &["\\"]);
        check("[a", &[], &["[a", "a"]);
        check("a[/]b", &[], &["a/b"]);
        check("a[!x]b", &["ayb"], &["a/b"]);
        check("[[:digit:]x]", &["5", "x"], &["y", ":"]);
        check("[[:nothing:]]", &[], &["n", "[[:nothing:]]"]);
        check("[[:]", &[":", "["], &["a"]);
    }

    #[test]
    fn ix1_names_need_not_be_utf8() {
        let patterns = Patterns::parse(b"*.\xff\n\xfe[\x80-\x90]\n");
        assert!(patterns.last_match(b"a.\xff", false).is_some());
        assert!(patterns.last_match(b"\xfe\x85", false).is_some());
        assert!(patterns.last_match(b"\xfe\x95", false).is_none());
    }

    #[test]
    fn ix1_many_stars_take_no_longer_than_their_length() {
        let name = "a".repeat(4000);
        let stars = "*a".repeat(2000) + "b";
        check(&stars, &[], &[&name]);
        let path = "a/".repeat(2000) + "c";
        check(&("**/a/".repeat(400) + "b"), &[], &[&path]);
    }
}
