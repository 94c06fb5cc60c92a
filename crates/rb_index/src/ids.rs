//! Names of symbols that outlive an edit: `src/store.py#Store.get`, and `~2` for the second of that name.
//!
//! An id changes when its symbol is renamed or moved to another parent or file, or when one of the same full name is put
//! before it in the file; never because something else moved. Line numbers are no part of it.

use std::borrow::Cow;

use rb_lang::Facts;
use rustc_hash::FxHashMap;

/// The ids of a file's symbols, in their order. No two are equal.
pub fn ids(path: &str, facts: &Facts) -> Vec<String> {
    names(facts).iter().map(|name| join_id(path, &name.name, name.nth)).collect()
}

/// The id of one symbol, from its parts; `name` as `names` gives it.
pub fn join_id(path: &str, name: &str, nth: u32) -> String {
    let path = escape_path(path);
    if nth == 1 { format!("{path}#{name}") } else { format!("{path}#{name}~{nth}") }
}

/// The part of an id after the path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct QualifiedName {
    /// `Outer.inner`, as an id spells it.
    pub name: Box<str>,
    /// 1 for the first of this name in its file.
    pub nth: u32,
}

/// The names of a file's symbols, in their order.
pub fn names(facts: &Facts) -> Vec<QualifiedName> {
    let mut seen: FxHashMap<Box<str>, u32> = FxHashMap::default();
    let mut names = Vec::with_capacity(facts.symbols.len());
    for index in 0..facts.symbols.len() {
        let name: Box<str> = escape_name(&qualified(facts, index)).into();
        let nth = seen.entry(name.clone()).and_modify(|nth| *nth += 1).or_insert(1);
        names.push(QualifiedName { nth: *nth, name });
    }
    names
}

/// What an id is made of.
#[derive(Debug, PartialEq, Eq)]
pub struct SymbolId<'a> {
    pub path: Cow<'a, str>,
    /// `Outer.inner`, as the code spells it.
    pub name: Cow<'a, str>,
    pub nth: u32,
}

/// `None` for what is not an id.
pub fn split_id(id: &str) -> Option<SymbolId<'_>> {
    let (path, name) = id.split_once('#')?;
    let (name, nth) = match nth_at(name) {
        Some(at) => (&name[..at], name[at + 1..].parse().ok().filter(|&nth| nth > 1)?),
        None => (name, 1),
    };
    (!path.is_empty() && !name.is_empty()).then(|| SymbolId {
        path: unescape(path),
        name: unescape(name),
        nth,
    })
}

/// Only so many of the names around a symbol are part of its own, or the ids of a deep nest would be quadratic in its size.
const MAX_DEPTH: usize = 16;

fn qualified(facts: &Facts, index: usize) -> String {
    let mut parts = Vec::new();
    let mut at = Some(index);
    while let Some(symbol) = at.and_then(|at| facts.symbols.get(at)) {
        parts.push(&*symbol.name);
        at = if parts.len() < MAX_DEPTH {
            symbol.parent.map(|parent| parent as usize)
        } else {
            None
        };
    }
    parts.reverse();
    parts.join(".")
}

/// A path is everything before the first `#`.
fn escape_path(path: &str) -> Cow<'_, str> {
    if path.contains(['#', '%']) {
        path.replace('%', "%25").replace('#', "%23").into()
    } else {
        path.into()
    }
}

/// A `~` with nothing but digits behind it is a number of ours, never a part of the name.
fn escape_name(name: &str) -> Cow<'_, str> {
    let escaped: Cow<'_, str> =
        if name.contains('%') { name.replace('%', "%25").into() } else { name.into() };
    match nth_at(&escaped) {
        Some(at) => format!("{}%7E{}", &escaped[..at], &escaped[at + 1..]).into(),
        None => escaped,
    }
}

fn unescape(text: &str) -> Cow<'_, str> {
    if text.contains('%') {
        text.replace("%7E", "~").replace("%23", "#").replace("%25", "%").into()
    } else {
        text.into()
    }
}

/// Where `~2` and its like begins, at the end of the text.
fn nth_at(name: &str) -> Option<usize> {
    let at = name.rfind('~')?;
    let digits = &name[at + 1..];
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(at)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;
    use rb_core::Sha256;
    use rb_lang::{Language, Span, Symbol, SymbolKind, extract};

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        let facts = extract(Language::Python, text).unwrap();
        expected.assert_eq(&ids("a/b.py", &facts).join("\n"));
    }

    #[test]
    fn ix2_an_id_says_where_a_symbol_is() {
        check(
            "class A:\n  def get(self):\n    def inner(): pass\n  def get(self, x): pass\nclass A:\n  def get(self): pass\ndef get(): pass\n",
            &expect![[r"
                a/b.py#A
                a/b.py#A.get
                a/b.py#A.get.inner
                a/b.py#A.get~2
                a/b.py#A~2
                a/b.py#A.get~3
                a/b.py#get"]],
        );
    }

    #[test]
    fn ix2_an_id_is_taken_apart_again() {
        let check = |path: &str, name: &str, nth: u32| {
            let id = join_id(path, &escape_name(name), nth);
            assert_eq!(
                split_id(&id),
                Some(SymbolId { path: path.into(), name: name.into(), nth }),
                "{id}"
            );
        };
        check("a/b.py", "A.get", 1);
        check("a/b.py", "A.get", 12);
        check("c#/a%23.cs", "A.#x", 2);
        check("a.cpp", "A.~A", 1);
        check("a.js", "odd~2", 1);
        check("a.js", "odd~2%7E3", 3);
        check("a.rb", "A.%", 1);
        for not_an_id in ["", "a.py", "#x", "a.py#", "a.py#x~1", "a.py#x~0", "a.py#x~99999999999"] {
            assert_eq!(split_id(not_an_id), None, "{not_an_id}");
        }
    }

    /// Symbols as `(name, parent)`; a parent that does not come before is none.
    fn facts(symbols: &[(String, usize)]) -> Facts {
        let symbol = |(index, (name, parent)): (usize, &(String, usize))| Symbol {
            name: name.as_str().into(),
            kind: SymbolKind::Function,
            parent: (*parent < index).then(|| u32::try_from(*parent).unwrap()),
            span: Span::default(),
            signature: "".into(),
            doc: "".into(),
            exported: true,
            hash: Sha256::of(b""),
            complexity: 0,
            hooks: Vec::new(),
            suspense: false,
        };
        Facts { symbols: symbols.iter().enumerate().map(symbol).collect(), ..Facts::default() }
    }

    #[test]
    fn ix1_a_deep_nest_does_not_make_long_ids() {
        let nest: Vec<_> =
            (0..20_000_usize).map(|index| ("name".to_owned(), index.wrapping_sub(1))).collect();
        let total: usize = ids("a.py", &facts(&nest)).iter().map(String::len).sum();
        assert!(total < 20_000 * 100);
    }

    proptest! {
        #[test]
        fn ix2_ids_are_unique_and_stay(symbols in proptest::collection::vec(("[ab~%.]{1,3}2?", 0..9_usize), 0..12)) {
            let before = ids("a.py", &facts(&symbols));
            let mut sorted = before.clone();
            sorted.sort();
            sorted.dedup();
            prop_assert_eq!(sorted.len(), before.len());
            for id in &before {
                prop_assert!(split_id(id).is_some());
            }

            // A symbol of another name, put first, moves every other one down by one.
            let mut moved = vec![("new".to_owned(), usize::MAX)];
            moved.extend(symbols.iter().enumerate().map(|(index, (name, parent))| (name.clone(), if *parent < index { parent + 1 } else { usize::MAX })));
            prop_assert_eq!(&ids("a.py", &facts(&moved))[1..], &before[..]);
        }
    }
}
