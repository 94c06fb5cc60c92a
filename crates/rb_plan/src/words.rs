//! A directive as words: lower case, in parts that each ask for one thing, with what is ruled out marked as such.
//!
//! "Do not touch SQL" rules SQL out; "do not use synchronous calls" asks for a change. Which of the two a negation does is told by
//! the verb behind it. Nothing here knows what can be done.

/// A word of a directive.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Word {
    /// In lower case.
    pub(crate) text: String,
    /// As it was written.
    pub(crate) raw: String,
    /// The text between spaces that it was part of.
    pub(crate) token: usize,
    /// Words of one part ask for the same thing.
    pub(crate) part: usize,
    /// The directive says that this is not to be done.
    pub(crate) is_ruled_out: bool,
    /// An id was spelled out with it, so that it stands for nothing else.
    pub(crate) is_taken: bool,
    /// Asks for something to be done.
    pub(crate) is_verb: bool,
    pub(crate) ends_clause: bool,
    pub(crate) ends_sentence: bool,
    pub(crate) ends_question: bool,
}

/// What changes something: behind a negation it says what must stay.
const CHANGE: &[&str] = &[
    "touch*",
    "chang*",
    "modif*",
    "convert*",
    "edit*",
    "alter*",
    "rewrit*",
    "migrat*",
    "refactor*",
    "renam*",
    "remov*",
    "delet*",
    "break*",
    "replac*",
    "mov*",
    "fix*",
    "optimi*",
    "updat*",
    "introduc*",
    "add*",
    "parameteri*",
    "look",
    "includ*",
    "bother*",
    "clean*",
    "mess",
    "affect*",
];

/// Behind a negation these ask for a change: "do not use", "never block".
const USAGE: &[&str] =
    &["us*", "block*", "allow*", "have", "rely", "call*", "concatenat*", "interpolat*"];

/// What nobody wants: "without blocking" asks for a change.
const TROUBLE: &[&str] =
    &["block*", "waterfall*", "rerender*", "unnecessary", "naive", "raw", "unused", "barrel*"];

/// Verbs with which a new part begins.
const ORDERS: &[&str] = &[
    "add",
    "audit",
    "clean",
    "convert",
    "create",
    "delete",
    "document",
    "drop",
    "eliminate",
    "extract",
    "find",
    "fix",
    "generate",
    "harden",
    "implement",
    "improve",
    "inline",
    "introduce",
    "make",
    "memoize",
    "migrate",
    "modernize",
    "move",
    "optimise",
    "optimize",
    "parallelize",
    "parameterise",
    "parameterize",
    "port",
    "prevent",
    "reduce",
    "refactor",
    "remove",
    "rename",
    "replace",
    "rewrite",
    "run",
    "split",
    "stop",
    "switch",
    "tidy",
    "translate",
    "update",
    "upgrade",
    "use",
    "write",
];

/// Verbs of what nothing here does: with them, too, a new part begins.
const BEYOND: &str = "abstract adopt annotate automate bump cache compress configure consolidate containerize decouple deploy \
    deprecate disable dockerize downgrade enable encrypt enforce expose flatten handle install instrument integrate \
    internationalize localize merge minify normalize paginate prefetch prettify publish reformat reorganize reorder \
    restructure rework rotate setup simplify standardize support throttle transpile unify upload validate wrap";

/// Words that are verbs before what [`OBJECT`] holds, and may be names of things elsewhere.
const MAY_BE_VERBS: &str = "batch benchmark build comment cover debug embed format group hide lint lock log mock monitor name order \
    package patch profile release report save scale send ship show sort store stream stub style test trace track type \
    watch wire";
const OBJECT: &str =
    "a all an any each every everything it its my our the them these this those to";

/// One word, or one that begins so (`stem*`).
pub(crate) fn fits(word: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(stem) => word.starts_with(stem),
        None => word == pattern,
    }
}

fn is_one_of(word: &str, patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| fits(word, pattern))
}

/// Is it one of the words of a list?
pub(crate) fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|it| it == word)
}

/// Does this verb ask for something to be done?
pub(crate) fn is_order(word: &str) -> bool {
    ORDERS.contains(&word)
}

/// The words of a directive, in order.
pub(crate) fn words(directive: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for (at, token) in plain(directive).split_whitespace().enumerate() {
        take(at, token, &mut words);
    }
    set_parts(&mut words);
    rule_out(&mut words);
    words
}

/// The texts between spaces, as `Word::token` counts them.
pub(crate) fn tokens(directive: &str) -> Vec<String> {
    plain(directive).split_whitespace().map(str::to_owned).collect()
}

/// Spellings that are made of signs become words.
fn plain(directive: &str) -> String {
    let mut text = directive.replace(['\'', '’', '`', '"', '“', '”'], "");
    for (sign, word) in [
        ("O(n²)", "quadratic"),
        ("O(n^2)", "quadratic"),
        ("O(n**2)", "quadratic"),
        ("O(n*n)", "quadratic"),
        ("O(n2)", "quadratic"),
        ("O(N²)", "quadratic"),
        ("O(N^2)", "quadratic"),
        ("o(n²)", "quadratic"),
        ("o(n^2)", "quadratic"),
        ("O(1)", "constant-time"),
        ("\n", " . "),
        (" - ", " , "),
        (" – ", " , "),
        (" — ", " , "),
        (" -> ", " to "),
        (" => ", " to "),
        (" → ", " to "),
        ("→", " to "),
    ] {
        text = text.replace(sign, word);
    }
    with_io(&text)
}

/// "I/O" is a word where it stands alone; in `api/orders.js` it is none.
fn with_io(text: &str) -> String {
    let is_of_path = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("I/O").into_iter().chain(rest.find("i/o")).min() {
        let (before, after) = (&rest[..at], &rest[at + 3..]);
        let last = before.chars().last().or_else(|| out.chars().last());
        let is_inside = last.is_some_and(is_of_path)
            || after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '_'));
        out.push_str(before);
        out.push_str(if is_inside { &rest[at..at + 3] } else { "io" });
        rest = after;
    }
    out + rest
}

/// A token gives its words; the signs behind the last of them end a clause or a sentence.
fn take(at: usize, token: &str, words: &mut Vec<Word>) {
    if let Some(last) = words.last_mut() {
        last.ends_clause |= token.starts_with('(');
    }
    let pieces = token.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty());
    for piece in pieces {
        words.push(Word {
            text: piece.to_lowercase(),
            raw: piece.to_owned(),
            token: at,
            part: 0,
            is_ruled_out: false,
            is_taken: false,
            is_verb: false,
            ends_clause: false,
            ends_sentence: false,
            ends_question: false,
        });
    }
    let tail = &token[token.trim_end_matches(|c: char| !c.is_alphanumeric()).len()..];
    if let Some(last) = words.last_mut() {
        last.ends_sentence |= tail.contains(['.', ';', '!', '?']);
        last.ends_question |= tail.contains('?');
        last.ends_clause |= last.ends_sentence || tail.contains([',', ':', ')']);
    }
}

/// A part ends with a sentence, and where "and" or a comma is followed by another order.
fn set_parts(words: &mut [Word]) {
    let mut part = 0;
    for at in 0..words.len() {
        if at > 0 {
            let before = &words[at - 1];
            let is_joined = before.ends_clause
                || matches!(before.text.as_str(), "and" | "then" | "also" | "or" | "while");
            let is_verb = is_order(&words[at].text)
                || ((is_joined || before.ends_sentence) && is_verb_at(words, at));
            let is_new = before.ends_sentence
                || (is_joined && is_verb)
                || matches!(words[at].text.as_str(), "but" | "however");
            part += usize::from(is_new);
            words[at].is_verb = is_verb;
        } else {
            words[at].is_verb = is_order(&words[at].text) || is_verb_at(words, at);
        }
        words[at].part = part;
    }
}

/// A verb that is no order of ours.
fn is_verb_at(words: &[Word], at: usize) -> bool {
    let word = words[at].text.as_str();
    let is_led_to = at > 0 && words[at - 1].text == "then";
    let has_object = || words.get(at + 1).is_some_and(|next| is_in(OBJECT, &next.text));
    is_in(BEYOND, word) || (is_in(MAY_BE_VERBS, word) && (is_led_to || has_object()))
}

fn rule_out(words: &mut [Word]) {
    let ends = clause_ends(words);
    let mut at = 0;
    while at < words.len() {
        let end = ends[at];
        if is_negation(words, at, end) {
            let end = until_other_order(words, at, end);
            for word in &mut words[at..end] {
                word.is_ruled_out = true;
            }
            at = end;
        } else {
            at += 1;
        }
    }
}

/// For each word the place behind the last one of its clause.
fn clause_ends(words: &[Word]) -> Vec<usize> {
    let mut ends = vec![words.len(); words.len()];
    for at in (0..words.len().saturating_sub(1)).rev() {
        let is_last = words[at].ends_clause || words[at + 1].text == "but";
        ends[at] = if is_last { at + 1 } else { ends[at + 1] };
    }
    ends
}

/// This many words after a negation tell what it rules out.
const NEAR: usize = 40;

/// "Do not touch SQL and convert files": with the second order it is over.
fn until_other_order(words: &[Word], at: usize, end: usize) -> usize {
    let other = (at + 2..end).find(|&it| words[it - 1].text == "and" && words[it].is_verb);
    other.unwrap_or(end)
}

fn is_negation(words: &[Word], at: usize, end: usize) -> bool {
    let rest = &words[at + 1..end];
    let next = rest.iter().map(|it| it.text.as_str()).find(|it| {
        !matches!(*it, "ever" | "the" | "any" | "to" | "a" | "an" | "all" | "of" | "for" | "more")
    });
    let has = |patterns: &[&str]| rest.iter().take(NEAR).any(|it| is_one_of(&it.text, patterns));
    let follows = |patterns: &[&str]| next.is_some_and(|it| is_one_of(it, patterns));
    match words[at].text.as_str() {
        "not" | "dont" | "doesnt" | "never" | "mustnt" | "shouldnt" => {
            !follows(USAGE) && !follows(&["only", "just"]) && next.is_some()
        }
        "no" => has(CHANGE) && rest.first().is_none_or(|it| it.text != "longer"),
        "without" => !follows(TROUBLE),
        "except" | "excluding" | "exclude" | "besides" | "ignore" | "ignoring" | "skip"
        | "skipping" | "unless" => true,
        "other" => rest.first().is_some_and(|it| it.text == "than"),
        "apart" | "aside" => rest.first().is_some_and(|it| it.text == "from"),
        "leave" | "keep" | "leaving" | "keeping" => has(&[
            "alone",
            "untouched",
            "unchanged",
            "is",
            "are",
            "intact",
            "sync",
            "synchronous",
            "was",
        ]),
        "avoid" | "avoiding" => follows(CHANGE),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf3_what_a_directive_rules_out_is_told_by_the_verb() {
        #[track_caller]
        fn check(directive: &str, ruled_out: &[&str]) {
            let words = words(directive);
            let found: Vec<&str> =
                words.iter().filter(|it| it.is_ruled_out).map(|it| it.text.as_str()).collect();
            assert_eq!(found, ruled_out, "{directive}");
        }
        check("Do not touch SQL, convert files", &["not", "touch", "sql"]);
        check("Do not touch SQL and convert files", &["not", "touch", "sql", "and"]);
        check("Do not use synchronous calls", &[]);
        check("avoid re-renders", &[]);
        check("avoid touching the SQL", &["avoid", "touching", "the", "sql"]);
        check("load without waterfalls", &[]);
        check("clean up without converting to async", &["without", "converting", "to", "async"]);
        check("no more waterfalls", &[]);
        check("no SQL changes. Rename a to b", &["no", "sql", "changes"]);
        check("everything but not the imports", &["not", "the", "imports"]);
        check("keep the bundle small", &[]);
        check("keep the queries as they are", &["keep", "the", "queries", "as", "they", "are"]);
        check("async for all files other than tests", &["other", "than", "tests"]);
        check("Not only the files but also the imports", &[]);
        check("do not", &[]);
    }

    #[test]
    fn rf3_a_path_keeps_its_signs() {
        #[track_caller]
        fn check(directive: &str, expected: &[&str]) {
            assert_eq!(tokens(directive), expected);
        }
        check("in api/orders.js", &["in", "api/orders.js"]);
        check("File I/O, i/o", &["File", "io,", "io"]);
        check("src/i/o/a.js (I/O-bound)", &["src/i/o/a.js", "(io-bound)"]);
    }

    #[test]
    fn rf3_a_part_asks_for_one_thing() {
        #[track_caller]
        fn check(directive: &str, expected: &[usize]) {
            let parts: Vec<usize> = words(directive).iter().map(|it| it.part).collect();
            assert_eq!(parts, expected, "{directive}");
        }
        check("Remove imports and dead code", &[0, 0, 0, 0, 0]);
        check("Remove imports and rename a", &[0, 0, 0, 1, 1]);
        check("Convert files. Also stop", &[0, 0, 1, 2]);
        check("src/a.ts#x, then add y", &[0, 0, 0, 0, 0, 1, 1]);
        check("Remove imports and cache all responses", &[0, 0, 0, 1, 1, 1]);
        check("Remove imports and test helpers", &[0, 0, 0, 0, 0]);
        check("Remove imports and test the helpers", &[0, 0, 0, 1, 1, 1]);
        check("Remove imports, then test helpers", &[0, 0, 0, 1, 1]);
        check("", &[]);
    }
}
