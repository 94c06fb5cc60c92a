//! Where a file declares a name, by what its server lists as the symbols of the file.
//!
//! Servers spell owners in their own ways: `(*Engine).Run`, `impl Display for Cart`, `Cart::total`, `total(int) : void`.

use serde_json::Value;

use crate::error::ServerError;
use crate::position::{Encoding, Lines};

/// More symbols than a file has that people write.
const MOST: usize = 100_000;

/// So many bytes behind its start a declaration has said its name.
const FAR: usize = 10_000;

/// A name that is declared, and where it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Declared {
    owner: Option<String>,
    name: String,
    offset: usize,
}

/// A symbol as it was asked for: `total`, `Cart.total`, perhaps with its line, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wanted<'w> {
    pub(crate) path: &'w str,
    pub(crate) owner: Option<&'w str>,
    pub(crate) name: &'w str,
    pub(crate) line: Option<u32>,
}

impl<'w> Wanted<'w> {
    pub(crate) fn new(path: &'w str, symbol: &'w str, line: Option<u32>) -> Self {
        let (owner, name) = match symbol.rsplit_once('.') {
            Some((owner, name)) => (Some(owner.rsplit('.').next().unwrap_or(owner)), name),
            None => (None, symbol),
        };
        Wanted { path, owner, name, line }
    }

    fn shown(&self) -> String {
        match self.owner {
            Some(owner) => format!("{owner}.{}", self.name),
            None => self.name.to_owned(),
        }
    }
}

/// The offset of the name in its declaration.
pub(crate) fn find(
    symbols: &Value,
    text: &str,
    encoding: Encoding,
    wanted: &Wanted<'_>,
) -> Result<usize, ServerError> {
    let lines = Lines::new(text).ok_or_else(|| not_declared(wanted, Vec::new()))?;
    let all = declared(symbols, text, &lines, encoding);
    let is_wanted = |it: &&Declared| {
        it.name == wanted.name
            && wanted.owner.is_none_or(|owner| it.owner.as_deref() == Some(owner))
            && wanted.line.is_none_or(|line| lines.line(it.offset) + 1 == line as usize)
    };
    let mut found: Vec<&Declared> = all.iter().filter(is_wanted).collect();
    if found.len() > 1 && found.iter().filter(|it| it.owner.is_none()).count() == 1 {
        found.retain(|it| it.owner.is_none());
    }
    match &found[..] {
        [one] => Ok(one.offset),
        [] => in_line(text, &lines, wanted).ok_or_else(|| {
            let others = all.iter().filter(|it| it.owner.is_none()).map(|it| it.name.clone());
            not_declared(wanted, others.collect())
        }),
        several => Err(ServerError::Several {
            path: wanted.path.to_owned(),
            name: wanted.shown(),
            places: several.iter().map(|it| place(wanted.path, &lines, it)).collect(),
        }),
    }
}

fn not_declared(wanted: &Wanted<'_>, others: Vec<String>) -> ServerError {
    ServerError::NotDeclared { path: wanted.path.to_owned(), name: wanted.shown(), others }
}

fn place(path: &str, lines: &Lines<'_>, declared: &Declared) -> String {
    let line = lines.line(declared.offset) + 1;
    let owner = declared.owner.as_ref().map(|owner| format!("{owner}.")).unwrap_or_default();
    format!("{path}:{line}#{owner}{}", declared.name)
}

/// Parameters and local variables are no symbols of a file: there the line says which one is meant.
fn in_line(text: &str, lines: &Lines<'_>, wanted: &Wanted<'_>) -> Option<usize> {
    let line = usize::try_from(wanted.line?.checked_sub(1)?).ok()?;
    let (start, end) = lines.span(line)?;
    words(&text[start..end], wanted.name).next().map(|at| start + at)
}

/// Where a word begins in a text.
pub(crate) fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let of_name = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !word.is_empty() && !before.is_some_and(of_name) && !after.is_some_and(of_name)
    })
}

/// All symbols of the list, those inside of others, too.
fn declared(symbols: &Value, text: &str, lines: &Lines<'_>, encoding: Encoding) -> Vec<Declared> {
    let mut all = Vec::new();
    let mut open: Vec<(&Value, Option<String>)> = Vec::new();
    let list = |value: &Value| value.as_array().map(Vec::len).unwrap_or_default();
    open.extend((0..list(symbols)).rev().map(|at| (&symbols[at], None)));
    while let Some((symbol, parent)) = open.pop() {
        if all.len() == MOST {
            break;
        }
        let spelled = symbol["name"].as_str().unwrap_or_default();
        let (owner, name) = parts(spelled);
        let container = symbol["containerName"].as_str().map(|it| parts(it).1);
        let owner = owner.or(parent).or(container).filter(|owner| !owner.is_empty());
        if let Some(offset) = written(symbol, &name, text, lines, encoding) {
            all.push(Declared { owner, name: name.clone(), offset });
        }
        let children = &symbol["children"];
        // What a namespace holds is named without it.
        let is_space = matches!(symbol["kind"].as_u64(), Some(1..=4));
        let inner = (!is_space).then(|| owner_of(spelled, name));
        open.extend((0..list(children)).rev().map(|at| (&children[at], inner.clone())));
    }
    all.sort_by_key(|it| it.offset);
    all.dedup();
    all
}

/// Where the name is: exactly, or behind the start of the declaration where a server tells no more.
fn written(
    symbol: &Value,
    name: &str,
    text: &str,
    lines: &Lines<'_>,
    encoding: Encoding,
) -> Option<usize> {
    let exact = &symbol["selectionRange"];
    let range = if exact.is_object() { exact } else { &symbol["location"]["range"] };
    let (start, end) = lines.range(range, encoding)?;
    let end = text.floor_char_boundary(end.min(start + FAR));
    words(&text[start..end], name).next().map(|at| start + at)
}

/// `impl<T> Display for Cart<T>` owns what `Cart` owns.
fn owner_of(spelled: &str, name: String) -> String {
    let Some(rest) = spelled.strip_prefix("impl") else { return name };
    if !rest.starts_with([' ', '<']) {
        return name;
    }
    let what = rest.rsplit(" for ").next().unwrap_or(rest);
    let what = match what.strip_prefix('<') {
        // The parameters of the block itself.
        Some(inner) => inner.split_once("> ").map_or(inner, |(_, it)| it),
        None => what,
    };
    parts(what.trim()).1
}

/// Owner and name of a name as a server spells it.
fn parts(spelled: &str) -> (Option<String>, String) {
    let plain = |text: &str| {
        let end = text.find(['<', '[', '(', ' ']).unwrap_or(text.len());
        text[..end].rsplit("::").next().unwrap_or_default().to_owned()
    };
    if let Some(rest) = spelled.strip_prefix('(')
        && let Some((receiver, name)) = rest.split_once(").")
    {
        return (Some(plain(receiver.trim_start_matches('*'))), plain(name));
    }
    let end = spelled.find('(').unwrap_or(spelled.len());
    match spelled[..end].rsplit_once("::") {
        Some((owner, name)) => (Some(plain(owner)), plain(name)),
        None => (None, plain(spelled)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn st5_owners_are_read_however_they_are_spelled() {
        for (spelled, owner, name) in [
            ("Run", None, "Run"),
            ("(*Engine).Run", Some("Engine"), "Run"),
            ("(Engine[K]).Run", Some("Engine"), "Run"),
            ("total(int) : void", None, "total"),
            ("ns::Cart::total(int)", Some("Cart"), "total"),
            ("Box<T>", None, "Box"),
            ("(", None, ""),
            ("", None, ""),
        ] {
            assert_eq!(parts(spelled), (owner.map(str::to_owned), name.to_owned()), "{spelled}");
        }
        for (spelled, owner) in [
            ("impl Cart", "Cart"),
            ("impl<T> Cart<T>", "Cart"),
            ("impl fmt::Display for shop::Cart", "Cart"),
            ("impl<'a, T: A<B>> Display for Cart<'a, T>", "Cart"),
            ("implicit", "implicit"),
        ] {
            assert_eq!(owner_of(spelled, spelled.to_owned()), owner, "{spelled}");
        }
    }

    const TEXT: &str = "struct A { x }\nstruct B { x }\nfn x(y) {}\n";

    fn range(line: u64, start: u64, end: u64) -> Value {
        let at = |character: u64| json!({ "line": line, "character": character });
        json!({ "start": at(start), "end": at(end) })
    }

    fn symbols() -> Value {
        let owner = |name: &str, line: u64| {
            let field = json!({ "name": "x", "kind": 8, "selectionRange": range(line, 11, 12) });
            json!({ "name": name, "kind": 23, "selectionRange": range(line, 7, 8), "children": [field] })
        };
        let flat = json!({ "name": "x", "kind": 12, "location": { "range": range(2, 0, 10) } });
        json!([owner("A", 0), owner("B", 1), flat])
    }

    #[track_caller]
    fn check(symbol: &str, line: Option<u32>, expected: &str) {
        let wanted = Wanted::new("a.rs", symbol, line);
        let found = find(&symbols(), TEXT, Encoding::Utf16, &wanted);
        let shown = found.map_or_else(|error| error.to_string(), |at| at.to_string());
        assert_eq!(shown, expected, "{symbol}");
    }

    #[test]
    fn st5_a_declaration_is_found_or_the_choices_are_listed() {
        check("A", None, "7");
        check("A.x", None, "11");
        check("shop.B.x", None, "26");
        check("x", None, "33");
        check("x", Some(2), "26");
        check("y", Some(3), "35");
        check("y", None, "a.rs declares no `y`; it declares `A`, `B`, `x`");
        check("C.x", None, "a.rs declares no `C.x`; it declares `A`, `B`, `x`");
        check("y", Some(99), "a.rs declares no `y`; it declares `A`, `B`, `x`");
        check("", None, "a.rs declares no ``; it declares `A`, `B`, `x`");
    }

    #[test]
    fn st5_two_of_a_name_are_told_apart_by_owner_or_line() {
        let two = json!([symbols()[0], symbols()[1]]);
        let wanted = Wanted::new("a.rs", "x", None);
        let error = find(&two, TEXT, Encoding::Utf16, &wanted).unwrap_err().to_string();
        assert_eq!(error, "a.rs declares `x` more than once; name one: `a.rs:1#A.x`, `a.rs:2#B.x`");
        for odd in [json!(null), json!({}), json!([1, [], { "name": 3 }])] {
            assert!(find(&odd, TEXT, Encoding::Utf8, &wanted).is_err());
        }
    }
}
