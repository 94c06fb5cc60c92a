//! The words of a goal, and how many of them a name or a text shares.
//!
//! Plain and small on purpose: it tells functions of one file apart, it does not search a repository.

use std::collections::BTreeSet;

/// The words that say something, in small letters, and the names that are written as one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Words {
    parts: BTreeSet<String>,
    /// `parseHeader`, `parse_header`, `--parse-header`, in their `canonical` form: whoever writes it so means it.
    names: BTreeSet<String>,
    /// Those of the first line, which says what it is about.
    first: BTreeSet<String>,
    /// What it quotes and is no name: `"not found"`, `fs.*Sync`, in pieces of one line with anything between them.
    quotes: BTreeSet<Vec<String>>,
}

/// Words that every goal has, and that say nothing of a place. Sorted.
const EMPTY: &[&str] = &[
    "add", "all", "and", "any", "are", "batch", "can", "change", "code", "each", "every",
    "extract", "file", "for", "from", "function", "have", "into", "its", "make", "move", "new",
    "not", "one", "out", "refactor", "remove", "rename", "replace", "should", "split", "that",
    "the", "them", "this", "use", "where", "which", "with",
];

/// A name of the goal weighs as much as so many of its words.
const NAME: usize = 5;
/// A word of the first line weighs as much as so many of the others.
const FIRST_LINE: f64 = 3.0;
/// A word in a name weighs as much as so many in a text.
const IN_NAME: usize = 3;

impl Words {
    pub(crate) fn of(texts: &[&str]) -> Words {
        let mut words = Words::default();
        let texts: Vec<String> = texts.iter().map(|text| prose(text)).collect();
        if let Some(line) = texts.first().and_then(|it| it.lines().next()) {
            words.first = names(line).flat_map(|it| parts(it).chain([canonical(it)])).collect();
        }
        for text in &texts {
            words.quotes.extend(quotes(text));
            words.names.extend(code(text).map(canonical));
            words.parts.extend(names(text).flat_map(parts).filter(|part| says_something(part)));
        }
        words
    }

    /// How much a declaration has to do with the goal: its name, and the text around it.
    pub(crate) fn shared(&self, name: &str, text: &str) -> usize {
        if self.parts.is_empty() && self.names.is_empty() {
            return 0;
        }
        let own: BTreeSet<String> = parts(name).collect();
        let inside: BTreeSet<String> = names(text).flat_map(parts).collect();
        let in_name = self.parts.intersection(&own).count();
        let in_text = self.parts.intersection(&inside).count();
        let exact = usize::from(self.names.contains(&canonical(name)));
        exact * NAME * IN_NAME + in_name * IN_NAME + in_text
    }
}

/// A part of a file, with what it declares.
#[derive(Debug, Clone, Default)]
pub(crate) struct PartText {
    pub(crate) name: String,
    /// The names of what it is declared in.
    pub(crate) outer: String,
    pub(crate) text: String,
}

impl Words {
    /// How much each text, with the name of what it declares, has to do with the goal: a word that few of them have weighs more.
    pub(crate) fn weigh(&self, texts: &[PartText]) -> Vec<f64> {
        let has: Vec<[BTreeSet<String>; 4]> = texts
            .iter()
            .map(|PartText { name, outer, text }| {
                let inside = names(text).flat_map(parts).collect();
                [
                    parts(name).collect(),
                    names(outer).flat_map(parts).collect(),
                    inside,
                    whole_names(text),
                ]
            })
            .collect();
        let weight = |number: usize| (1.0 + count(texts.len()) / count(number.max(1))).ln();
        let mut sums = vec![0.0; texts.len()];
        for word in &self.parts {
            let number = has.iter().filter(|it| it[2].contains(word)).count();
            for (sum, [own, outer, inside, _]) in sums.iter_mut().zip(&has) {
                let times = match (own.contains(word), outer.contains(word), inside.contains(word))
                {
                    (true, _, _) => 3.0,
                    (false, true, _) => 2.0,
                    (false, false, true) => 1.0,
                    (false, false, false) => 0.0,
                };
                *sum += times * weight(number) * self.emphasis(word);
            }
        }
        for name in &self.names {
            let number = has.iter().filter(|it| it[3].contains(name)).count();
            for ((sum, [_, _, _, whole]), part) in sums.iter_mut().zip(&has).zip(texts) {
                let times = if canonical(&part.name) == *name {
                    15.0
                } else {
                    3.0 * f64::from(u8::from(whole.contains(name)))
                };
                *sum += times * weight(number) * self.emphasis(name);
            }
        }
        for quote in &self.quotes {
            let has: Vec<bool> = texts.iter().map(|part| is_quoted_in(quote, &part.text)).collect();
            let number = has.iter().filter(|has| **has).count();
            for (sum, _) in sums.iter_mut().zip(&has).filter(|(_, has)| **has) {
                *sum += 3.0 * weight(number);
            }
        }
        sums
    }

    /// Whether the goal writes this name as code.
    pub(crate) fn name(&self, name: &str) -> bool {
        self.names.contains(&canonical(name))
    }

    /// Whether a text has one of the names that the goal writes as code, or something that it quotes.
    pub(crate) fn name_something_in(&self, text: &str) -> bool {
        let is_quoted = |quote: &Vec<String>| is_quoted_in(quote, text);
        !self.names.is_disjoint(&whole_names(text)) || self.quotes.iter().any(is_quoted)
    }

    /// How many of the names that the goal writes as code a text has.
    pub(crate) fn names_in(&self, text: &str) -> usize {
        self.names.intersection(&whole_names(text)).count()
    }

    fn emphasis(&self, word: &str) -> f64 {
        if self.first.contains(word) { FIRST_LINE } else { 1.0 }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a weight needs no more digits")]
fn count(number: usize) -> f64 {
    number as f64
}

/// The names that a text writes as code, as it writes them; those in paths are none of them.
pub(crate) fn written_as_code(text: &str) -> Vec<String> {
    let text = prose(text);
    let words = text.split_whitespace().filter(|word| !word.contains('/'));
    code(&words.collect::<Vec<_>>().join(" ")).map(str::to_owned).collect()
}

fn code(text: &str) -> impl Iterator<Item = &str> {
    // Many types have a `new`.
    let is_name =
        |name: &&str| parts(name).nth(1).is_some() || (is_code(text, name) && *name != "new");
    let dashed = hyphenated(text).filter(|it| is_flag(it) || is_header(it));
    names(text).filter(is_name).chain(dashed)
}

fn says_something(part: &str) -> bool {
    part.chars().count() > 2 && EMPTY.binary_search(&part).is_err()
}

/// A word of a sentence that is written as code: `open`, `open()`, `self.open`.
fn is_code(text: &str, name: &str) -> bool {
    let begin = name.as_ptr() as usize - text.as_ptr() as usize;
    let (before, after) = (&text[..begin], &text[begin + name.len()..]);
    let is_quoted = before.ends_with('`') && after.starts_with('`');
    let is_called = after.starts_with('(') && !before.ends_with('(');
    let is_member = before.ends_with("::")
        || before.strip_suffix('.').is_some_and(|it| it.ends_with(char::is_alphanumeric));
    name.len() > 2 && (is_quoted || is_called || is_member)
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty())
}

/// Words with hyphens inside or before them: `max-count`, `--glob`.
fn hyphenated(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
    words.filter(|word| word.contains('-') && word.contains(char::is_alphanumeric))
}

/// Quotations of at least so many characters can be told from anything else.
const LEAST_QUOTED: usize = 4;

/// What a text has between two quotation marks or backticks on one line, where it is more than a word; taken apart at `*`.
fn quotes(text: &str) -> impl Iterator<Item = Vec<String>> + '_ {
    let between = |line| ['"', '`', '\''].into_iter().flat_map(move |mark| quoted_by(line, mark));
    let pieces = |quoted: &str| {
        let pieces = quoted.split('*').map(|piece| piece.trim_end_matches('.').to_owned());
        pieces.filter(|piece| !piece.is_empty()).collect::<Vec<_>>()
    };
    let is_telling = |quoted: &&str| {
        let is_word = quoted.chars().all(|c| c.is_alphanumeric() || "_()-".contains(c));
        !is_word && quoted.chars().filter(|c| c.is_alphanumeric()).count() >= LEAST_QUOTED
    };
    text.lines().flat_map(between).filter(is_telling).map(pieces)
}

/// What stands between a mark that follows no letter and the next one that no letter follows: `don't` quotes nothing.
fn quoted_by(line: &str, mark: char) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begin: Option<usize> = None;
    for (at, _) in line.match_indices(mark) {
        let after = at + mark.len_utf8();
        let follows = line[..at].ends_with(char::is_alphanumeric);
        let goes_on = line[after..].starts_with(char::is_alphanumeric);
        match begin {
            Some(first) if !goes_on => {
                found.push(line[first..at].trim());
                begin = None;
            }
            None if !follows => begin = Some(after),
            Some(_) | None => {}
        }
    }
    found
}

/// Whether a line of a text has the pieces in their order.
fn is_quoted_in(pieces: &[String], text: &str) -> bool {
    let has = |line: &str| {
        let mut rest = line;
        pieces.iter().all(|piece| match rest.split_once(piece.as_str()) {
            Some((_, after)) => {
                rest = after;
                true
            }
            None => false,
        })
    };
    text.lines().any(has)
}

/// An option of a command line: `--max-count`.
fn is_flag(word: &str) -> bool {
    word.starts_with("--") && word.trim_matches('-').len() > 2
}

/// The name of a header of a message: `Content-Type`.
fn is_header(word: &str) -> bool {
    let mut parts = word.split('-');
    let is_capital = |part: &str| part.starts_with(char::is_uppercase);
    word.contains('-') && parts.all(|part| part.len() > 1 && is_capital(part))
}

/// `maxCount`, `max_count` and `--max-count` are one name.
fn canonical(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// The names of a text, each as `canonical` writes it.
fn whole_names(text: &str) -> BTreeSet<String> {
    names(text).chain(hyphenated(text)).map(canonical).collect()
}

/// A goal without URLs, e-mail addresses and the trailers of a commit message: they say nothing of the code.
fn prose(text: &str) -> String {
    let lines = text.lines().filter(|line| !is_trailer(line));
    let line = |line: &str| line.split(' ').map(before_address).collect::<Vec<_>>().join(" ");
    lines.map(line).collect::<Vec<_>>().join("\n")
}

/// What of a word is no URL and no e-mail address: all of `@app.route`, `[name](` of `[name](https://example.com)`.
fn before_address(word: &str) -> &str {
    if let Some((before, _)) = word.split_once("://") {
        return before.trim_end_matches(char::is_alphanumeric);
    }
    let is_address = word
        .split_once('@')
        .is_some_and(|(user, host)| user.ends_with(char::is_alphanumeric) && host.contains('.'));
    if is_address { "" } else { word }
}

/// `Signed-off-by: …`, `Co-authored-by: …`
fn is_trailer(line: &str) -> bool {
    let key = line.trim_start().split_once(": ").map_or("", |(key, _)| key);
    !key.contains(' ') && key.to_ascii_lowercase().ends_with("-by")
}

/// `parseHTTPHeaders` is `parse`, `http` and `header`.
fn parts(name: &str) -> impl Iterator<Item = String> + '_ {
    let chars: Vec<char> = name.chars().collect();
    let mut parts: Vec<String> = vec![String::new()];
    for (at, &c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| chars[at]);
        let after = chars.get(at + 1);
        let begins = c.is_uppercase()
            && before.is_some_and(|before| {
                !before.is_uppercase() || after.is_some_and(|after| after.is_lowercase())
            });
        if begins || c == '_' {
            parts.push(String::new());
        }
        if c != '_' {
            parts.last_mut().expect("it begins with one").extend(c.to_lowercase());
        }
    }
    parts.into_iter().filter(|part| !part.is_empty()).map(singular)
}

fn singular(part: String) -> String {
    match part.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem.to_owned(),
        Some(_) | None => part,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf4_names_are_taken_apart() {
        let check = |name: &str, expected: &str| {
            assert_eq!(parts(name).collect::<Vec<_>>().join(" "), expected);
        };
        check("parseHTTPHeaders", "parse http header");
        check("read_all_lines", "read all line");
        check("Cart", "cart");
        check("__init__", "init");
        check("class", "class");
        check("größeÄndern", "größe ändern");
        assert!(EMPTY.is_sorted());
    }

    #[test]
    fn rf4_what_the_goal_names_is_nearest_to_it() {
        let words = Words::of(&["Split `parseHeader` so that headers are validated first"]);
        let named = words.shared("parseHeader", "return raw");
        let near = words.shared("validateHeaders", "return raw");
        let text = words.shared("check", "// header of a request");
        assert!(named > near && near > text && text > 0, "{named} {near} {text}");
        assert_eq!(words.shared("total", "sum of prices"), 0);
        assert_eq!(Words::of(&["rename all of them"]).shared("rename", "all"), 0);
    }

    #[test]
    fn pk1_what_the_goal_quotes_is_found_as_it_stands() {
        let check = |goal: &str, text: &str, expected: bool| {
            assert_eq!(Words::of(&[goal]).name_something_in(text), expected, "{goal} {text}");
        };
        let message = "fail('no such file, sorry')";
        check("Say \"no such file\" in plainer words", message, true);
        check("Say 'no such file' in plainer words", message, true);
        check("Say no such file in plainer words", message, false);
        check("Don't say no such file, it isn't helpful", message, false);
        check("Replace `fs.*Sync` by promises", "  const all = fs.readFileSync(path)", true);
        check("Replace `fs.*Sync` by promises", "fs.read(path)\nawaitSync()", false);
        check("The error is 'a b'", "a b", false);
    }

    #[test]
    fn pk1_a_word_that_few_parts_have_weighs_more() {
        let words = Words::of(&["Handle refunds of a cart in payBack"]);
        let texts =
            [("", "refund"), ("", "cart"), ("payBack", ""), ("", "nothing"), ("", "cart again")];
        let part = |(name, text): (&str, &str)| PartText {
            name: name.to_owned(),
            text: text.to_owned(),
            ..PartText::default()
        };
        let found = words.weigh(&texts.map(part));
        let [refund, cart, named, nothing, _] = found[..] else { panic!("{found:?}") };
        assert!(named > refund && refund > cart && cart > nothing && nothing <= 0.0, "{found:?}");
    }

    #[test]
    fn pk1_what_something_is_declared_in_speaks_for_it() {
        let words = Words::of(&["Arguments take a help text"]);
        let method = |outer: &str| PartText {
            name: "init".to_owned(),
            outer: outer.to_owned(),
            text: "return name".to_owned(),
        };
        let found = words.weigh(&[method("Argument"), method("Option")]);
        assert!(found[0] > found[1], "{found:?}");
    }

    #[test]
    fn pk1_urls_addresses_and_trailers_name_no_code() {
        let goal = "Close the pool\n\nSee https://github.com/shop/cart.rs and <ann@example.com>\n\n\
                    Signed-off-by: Ann pool.drain\nCo-authored-by: Bob <bob@example.com>";
        let words = Words::of(&[goal]);
        assert_eq!(words.names, BTreeSet::new());
        assert!(!words.name_something_in("for com in ports"));
        let kept = Words::of(&["Sort @app.route and [parse_header](https://example.com/a.b)"]);
        assert_eq!(kept.names, BTreeSet::from(["parseheader", "route"].map(str::to_owned)));
        assert_eq!(words.parts, BTreeSet::from(["close", "pool", "see"].map(str::to_owned)));
    }

    #[test]
    fn pk1_a_name_is_the_same_in_every_way_of_writing_it() {
        let spellings = ["max_count", "maxCount", "MAX_COUNT", "--max-count"];
        for goal in spellings {
            let words = Words::of(&[&format!("Validate {goal} before the search")]);
            for text in spellings.into_iter().chain(["max-count"]) {
                assert!(words.name_something_in(&format!("let it = {text};")), "{goal} {text}");
            }
            assert!(words.name("maxCount") && !words.name("count"), "{goal}");
        }
        // Hyphens alone make no name of the words of a sentence.
        assert!(!Words::of(&["A well-known place"]).name_something_in("wellKnown"));
    }

    #[test]
    fn pk1_words_that_are_written_as_code_are_names() {
        let check = |text: &str, expected: &[&str]| {
            let names: Vec<String> = Words::of(&[text]).names.into_iter().collect();
            assert_eq!(names, expected, "{text}");
        };
        check("Prefer ReplaceAll instead of Replace(..., -1)", &["replace", "replaceall"]);
        check("Call `open` first, then self.close.", &["close", "open"]);
        check("Open the file. Close it (as before)", &[]);
        check("Use std::mem here, as Gate::new does", &["mem"]);
    }
}
