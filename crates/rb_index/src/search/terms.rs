//! The terms that code and prose are searched by.
//!
//! A name counts as a whole and by its parts: `parseHTTPHeaders` is `parsehttpheaders`, `parse`, `http` and `header`. Parts
//! are cut back to a stem, so that a question in plain words meets them. Nothing here knows a language.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// Stands for a term: the index holds no text.
pub(crate) type Term = u32;

/// A part shorter than this says nothing.
const SHORTEST: usize = 2;
/// No name is longer; what is, is data.
const LONGEST: usize = 64;

/// Words that every text has. Sorted.
const EMPTY: &[&[u8]] = &[
    b"an", b"and", b"are", b"as", b"be", b"by", b"for", b"from", b"if", b"in", b"is", b"it",
    b"not", b"of", b"on", b"or", b"that", b"the", b"this", b"to", b"was", b"when", b"with",
];

/// Words that only ask. In code they may be names, in a question they say nothing.
const ASKING: &[&[u8]] = &[
    b"can", b"could", b"did", b"do", b"does", b"how", b"my", b"our", b"please", b"should",
    b"there", b"we", b"what", b"where", b"which", b"who", b"why", b"would", b"you",
];

/// Calls `each` with every term of a text, in its order: a name of several parts first, then its parts.
pub(crate) fn each_term(text: &str, mut each: impl FnMut(Term)) {
    each_word(text, |word| terms_of_word(word, &mut |term| each(hash(term))));
}

/// Reads one text after the other, and takes a word apart only once: names come back all over a file.
#[derive(Default)]
pub(crate) struct Reader {
    /// Where the terms of a word are among all.
    known: FxHashMap<Box<[u8]>, Range<usize>>,
    terms: Vec<Term>,
}

impl Reader {
    /// As `each_term`.
    pub(crate) fn read(&mut self, text: &str, mut each: impl FnMut(Term)) {
        each_word(text, |word| {
            let range = match self.known.get(word) {
                Some(range) => range.clone(),
                None => {
                    let first = self.terms.len();
                    terms_of_word(word, &mut |term| self.terms.push(hash(term)));
                    let range = first..self.terms.len();
                    self.known.insert(word.into(), range.clone());
                    range
                }
            };
            self.terms[range].iter().copied().for_each(&mut each);
        });
    }
}

/// As `each_term`, the parts of names alone.
pub(crate) fn each_part(text: &str, mut each: impl FnMut(Term)) {
    each_word(text, |word| {
        let mut lower = Lower::default();
        for part in (Parts { rest: word }) {
            if let Some(term) = lower.part(part) {
                each(hash(term));
            }
        }
    });
}

/// A term of a question, and how the question spells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryTerm {
    pub(crate) term: Term,
    pub(crate) text: Box<str>,
    pub(crate) kind: AskedKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskedKind {
    /// A word, or a part of a name.
    Part,
    /// A name of several parts as a whole.
    Name,
    /// Two words in a row, which code may write as one name.
    Joined,
}

/// The terms of a question, each once, in its order.
pub(crate) fn of_question(text: &str) -> Vec<QueryTerm> {
    let mut asked: Vec<QueryTerm> = Vec::new();
    // The word before, where it may be one with the next.
    let mut before: Option<Vec<u8>> = None;
    each_word(text, |word| {
        if ASKING.contains(&&*word.to_ascii_lowercase()) {
            before = None;
            return;
        }
        let mut add = |term: &[u8], spelled: &[u8], kind| {
            let term = hash(term);
            if !asked.iter().any(|known| known.term == term) {
                let text = String::from_utf8_lossy(spelled).to_lowercase().into();
                asked.push(QueryTerm { term, text, kind });
            }
        };
        let mut lower = Lower::default();
        let several = Parts { rest: word }.nth(1).is_some();
        if several {
            add(lower.whole(word), word, AskedKind::Name);
        }
        for part in (Parts { rest: word }) {
            if let Some(term) = lower.part(part) {
                add(term, part, AskedKind::Part);
            }
        }
        let single = (!several && lower.part(word).is_some()).then(|| word.to_ascii_lowercase());
        if let (Some(before), Some(word)) = (&before, &single) {
            let joined = [before.as_slice(), word].concat();
            add(&joined, &joined, AskedKind::Joined);
        }
        before = single;
    });
    asked
}

/// Of a single word in lower case.
pub(crate) fn of_word(word: &[u8]) -> Term {
    let mut lower = Lower::default();
    lower.take(word.iter().take(LONGEST));
    hash(lower.stem())
}

/// The name of a symbol, exactly as it is written. Told apart from the words of texts.
pub(crate) fn of_definition(name: &str) -> Term {
    hash(name.as_bytes()) ^ 0x5bd1_e995
}

/// Letters, digits and underscores in a row that do not begin with a digit.
pub(crate) fn each_word(text: &str, mut each: impl FnMut(&[u8])) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && is_word(bytes[at]) {
            at += 1;
        }
        let word = bytes[start..at].trim_prefix_digits();
        if (SHORTEST..=LONGEST).contains(&word.len()) {
            each(word);
        }
        at += 1;
    }
}

trait TrimDigits {
    fn trim_prefix_digits(&self) -> &Self;
}

impl TrimDigits for [u8] {
    fn trim_prefix_digits(&self) -> &Self {
        let digits = self.iter().take_while(|byte| byte.is_ascii_digit()).count();
        &self[digits..]
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn terms_of_word(word: &[u8], each: &mut impl FnMut(&[u8])) {
    let mut lower = Lower::default();
    if (Parts { rest: word }).nth(1).is_some() {
        each(lower.whole(word));
    }
    for part in (Parts { rest: word }) {
        if let Some(term) = lower.part(part) {
            each(term);
        }
    }
}

struct Lower {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Default for Lower {
    fn default() -> Self {
        Lower { bytes: [0; LONGEST], len: 0 }
    }
}

impl Lower {
    fn take<'a>(&mut self, bytes: impl Iterator<Item = &'a u8>) {
        self.len = 0;
        for byte in bytes {
            self.bytes[self.len] = byte.to_ascii_lowercase();
            self.len += 1;
        }
    }

    /// A name of several parts.
    fn whole(&mut self, word: &[u8]) -> &[u8] {
        self.take(word.iter().filter(|byte| **byte != b'_'));
        &self.bytes[..self.len]
    }

    /// The term of a part, if it says anything.
    fn part(&mut self, part: &[u8]) -> Option<&[u8]> {
        if part.len() < SHORTEST {
            return None;
        }
        self.take(part.iter());
        let is_empty = EMPTY.binary_search(&&self.bytes[..self.len]).is_ok();
        if is_empty { None } else { Some(self.stem()) }
    }

    /// Without the endings that a question and a name differ in: `caching`, `caches` and `cache` are one.
    fn stem(&mut self) -> &[u8] {
        if self.ends(b"s") && !self.ends(b"ss") && !self.ends(b"us") && !self.ends(b"is") {
            self.len -= 1;
        }
        if let Some(end) = [&b"ied"[..], b"ie"].into_iter().find(|end| self.ends(end)) {
            self.len -= end.len() - 1;
            self.bytes[self.len - 1] = b'y';
        } else if let Some(end) = [&b"ing"[..], b"ed"].into_iter().find(|end| self.ends(end)) {
            self.len -= end.len();
            self.undouble();
        }
        if self.ends(b"e") {
            self.len -= 1;
        }
        &self.bytes[..self.len]
    }

    /// Has such an end, and enough before it.
    fn ends(&self, end: &[u8]) -> bool {
        self.len >= end.len() + 3 && self.bytes[..self.len].ends_with(end)
    }

    /// `runn` of `running`.
    fn undouble(&mut self) {
        if let [.., a, b] = self.bytes[..self.len]
            && a == b
            && !b"lsz".contains(&b)
        {
            self.len -= 1;
        }
    }
}

/// The parts of a name: `HTTPServer_v2` is `HTTP`, `Server`, `v`, `2`.
pub(crate) struct Parts<'a> {
    pub(crate) rest: &'a [u8],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Upper,
    Lower,
    Digit,
}

impl Kind {
    fn of(byte: u8) -> Self {
        match byte {
            b'A'..=b'Z' => Kind::Upper,
            b'0'..=b'9' => Kind::Digit,
            _ => Kind::Lower,
        }
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let skipped = self.rest.iter().take_while(|byte| **byte == b'_').count();
        let rest = &self.rest[skipped..];
        let first = Kind::of(*rest.first()?);
        let run = |from: usize, kind: Kind| {
            rest[from..].iter().take_while(|&&byte| byte != b'_' && Kind::of(byte) == kind).count()
        };
        let mut end = run(0, first);
        if first == Kind::Upper {
            let lower = run(end, Kind::Lower);
            if lower > 0 {
                end = if end == 1 { 1 + lower } else { end - 1 };
            }
        }
        let (part, rest) = rest.split_at(end);
        self.rest = rest;
        Some(part)
    }
}

/// FNV-1a, folded.
fn hash(bytes: &[u8]) -> Term {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    #[expect(clippy::cast_possible_truncation, reason = "both halves are folded in")]
    {
        (hash ^ (hash >> 32)) as Term
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expect: &Expect) {
        let mut terms = Vec::new();
        each_word(text, |word| {
            terms_of_word(word, &mut |term| terms.push(String::from_utf8_lossy(term).into_owned()));
        });
        expect.assert_eq(&terms.join(" "));
    }

    #[test]
    fn ix8_names_count_as_a_whole_and_by_their_parts() {
        check("parseHTTPHeaders", &expect!["parsehttpheaders pars http header"]);
        check(
            "read_file readFile README_md",
            &expect!["readfile read fil readfile read fil readmemd readm md"],
        );
        check(
            "HTTPServer_v2 __init__ utf8 3des x",
            &expect!["httpserverv2 http server init utf8 utf des"],
        );
        check(
            "the entries were copied by matching classes",
            &expect!["entry wer copy match class"],
        );
        check(
            "caching caches cache cached running status process used uses files",
            &expect!["cach cach cach cach run status process used use fil"],
        );
        check("größe naïve_sort", &expect!["größ naïvesort naïv sort"]);
        check("", &expect![[""]]);
        check("+-*/ 42 _ __", &expect![[""]]);
    }

    #[test]
    fn ix8_a_question_also_asks_for_two_words_as_one_name() {
        let asked = of_question("the file name of a readFile, file");
        let shown: Vec<String> =
            asked.iter().map(|asked| format!("{:?} {}", asked.kind, asked.text)).collect();
        expect![[r#"
            Part file
            Part name
            Joined filename
            Name readfile
            Part read"#]]
        .assert_eq(&shown.join("\n"));
    }

    #[test]
    fn ix8_words_that_only_ask_are_not_asked_for() {
        let asked = of_question("Where do we parse what you can read?");
        let shown: Vec<&str> = asked.iter().map(|asked| &*asked.text).collect();
        assert_eq!(shown, ["parse", "read"]);
    }

    #[test]
    fn ix8_a_text_and_a_question_meet_in_the_same_terms() {
        let mut terms = Vec::new();
        each_term("def read_files(self): ...", |term| terms.push(term));
        for asked in of_question("reading file") {
            assert_eq!(terms.contains(&asked.term), asked.kind == AskedKind::Part, "{asked:?}");
        }
        assert_ne!(of_definition("read"), of_question("read")[0].term);
    }
}
