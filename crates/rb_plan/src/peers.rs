//! Plain words that a directive lists beside a name that is code: `Buffer` and `Blob` of "Buffer, Blob and `ReadableStream`".
//!
//! A word with a capital may be prose, such as the name of a person. It counts only in files that were chosen for another reason,
//! and only where it is an identifier there. It leads to no file by itself.

use std::collections::{BTreeMap, BTreeSet};

use rb_lang::{Language, parse};

use crate::names::{Written, identifier};

/// The most words of one directive.
const MOST: usize = 8;
/// Characters of a word; shorter ones mean many things.
const SHORTEST: usize = 3;
/// How the kinds of syntax nodes end that are names, such as `type_identifier`.
const NAME_KINDS: [&str; 4] = ["alias", "constant", "identifier", "name"];

/// The words with a capital in lists that have one of the `written` names. A word that begins a sentence has its capital from there.
pub(crate) fn peers(
    tokens: &[String],
    ruled_out: &BTreeSet<usize>,
    written: &BTreeSet<Written>,
) -> BTreeSet<String> {
    let is_written = |at: &usize| identifier(&tokens[*at]).is_some_and(|it| written.contains(&it));
    let is_capitalized = |it: &Written| {
        let is_long = it.name.chars().count() >= SHORTEST;
        it.owner.is_none() && is_long && it.name.starts_with(char::is_uppercase)
    };
    let lists = lists(tokens).into_iter().filter(|items| items.iter().any(is_written));
    let is_open = |at: &usize| !ruled_out.contains(at) && !begins_sentence(tokens, *at);
    let names = lists.flatten().filter(is_open).filter_map(|at| identifier(&tokens[at]));
    let peers = names.filter(|it| is_capitalized(it) && !written.contains(it));
    peers.map(|it| it.name).take(MOST).collect()
}

/// The places of the items of "a, b and c", "a and b" and "a, b, c". An item is one word. Two words with only a comma between them are
/// no list.
fn lists(tokens: &[String]) -> Vec<Vec<usize>> {
    let mut lists = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let items = std::iter::successors(Some(at), |at| next_item(tokens, *at));
        let items: Vec<usize> = items.collect();
        at = items.last().copied().unwrap_or(at) + 1;
        let is_list = match items.as_slice() {
            [one, other] => other - one == 2,
            items => items.len() > 2,
        };
        if is_list {
            lists.push(items);
        }
    }
    lists
}

/// The place of the item after this one, if there is one.
fn next_item(tokens: &[String], at: usize) -> Option<usize> {
    let has_conjunction = tokens.get(at + 1).is_some_and(|it| it == "and" || it == "or");
    let next = match tokens[at].as_str() {
        item if ends_sentence(item) => return None,
        _ if has_conjunction => at + 2,
        item if item.ends_with(',') => at + 1,
        _ => return None,
    };
    (next < tokens.len()).then_some(next)
}

fn begins_sentence(tokens: &[String], at: usize) -> bool {
    at.checked_sub(1).is_none_or(|before| ends_sentence(&tokens[before]))
}

fn ends_sentence(token: &str) -> bool {
    token.ends_with(['.', ';', '!', '?'])
}

/// By word, the lines of a text that have it as an identifier. What stands in comments and strings is not counted.
pub(crate) fn identifier_lines<'n>(
    words: &'n BTreeSet<String>,
    language: Option<Language>,
    text: &str,
) -> BTreeMap<&'n str, Vec<u32>> {
    let mut found: BTreeMap<&'n str, Vec<u32>> = BTreeMap::new();
    let has_one = words.iter().any(|it| text.contains(it.as_str()));
    let Some(tree) = language.filter(|_| has_one).and_then(|it| parse(it, text)) else {
        return found;
    };
    let is_name = |kind: &str| NAME_KINDS.iter().any(|it| kind.ends_with(it));
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let name = text.get(node.byte_range()).filter(|_| is_name(node.kind()));
        if let Some(word) = name.and_then(|it| words.get(it)) {
            let line = u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX);
            let lines = found.entry(word).or_default();
            if lines.last() != Some(&line) {
                lines.push(line);
            }
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Names;

    #[test]
    fn rf3_words_with_a_capital_in_a_list_with_a_code_name_are_its_peers() {
        #[track_caller]
        fn check(directive: &str, expected: &[&str]) {
            let found: Vec<String> = Names::of(directive).peers.into_iter().collect();
            assert_eq!(found, expected, "{directive}");
        }
        check(
            "Let lib/a.js and lib/b.js share one check for Buffer, Blob, ReadableStream, Response and streams by itself",
            &["Blob", "Buffer", "Response"],
        );
        check("Let parse_body and Config agree", &["Config"]);
        check("Tell apart (Buffer, Blob, parse_body)", &["Blob", "Buffer"]);
        check("Merge Cart, `total`, or Order", &["Cart", "Order"]);
        // No list with a name that is code.
        check("Translate it to English, German and French", &[]);
        check("Let lib/a.js and Blob agree", &[]);
        check("Let parse_body accept English and German", &[]);
        check("In parse_body, English is read", &[]);
        check("Speed up parse_body; Blob and others follow", &[]);
        check("Speed up parse_body. And Blob", &[]);
        // Other reasons for a capital, or for no interest.
        check("Buffer, Blob and parse_body are slow", &["Blob"]);
        check("It is slow. Buffer, Blob and parse_body differ", &["Blob"]);
        check("Share streams, UI and parse_body", &[]);
        check("Do not touch Buffer and parse_body", &[]);
    }

    #[test]
    fn rf3_a_peer_is_found_where_it_is_an_identifier() {
        #[track_caller]
        fn check(language: Language, text: &str, expected: &[(&str, &[u32])]) {
            let words = BTreeSet::from(["Blob", "Buffer", "Response"].map(str::to_owned));
            let found = identifier_lines(&words, Some(language), text);
            let found: Vec<(&str, &[u32])> =
                found.iter().map(|(word, lines)| (*word, lines.as_slice())).collect();
            assert_eq!(found, expected, "{text}");
        }
        check(
            Language::JavaScript,
            "// Response\nconst a = (it) => it instanceof Blob ? 'Response' : Buffer.from(it)\n\nf(Buffer, Buffer)\n",
            &[("Blob", &[2]), ("Buffer", &[2, 4])],
        );
        check(
            Language::Python,
            "\"\"\"Blob\"\"\"\n\nclass Buffer:  # Response\n    pass\n",
            &[("Buffer", &[3])],
        );
        check(
            Language::Rust,
            "/// A Blob.\nfn f(it: Response) -> Buffers {\n    g(it)\n}\n",
            &[("Response", &[2])],
        );
        check(Language::Ruby, "# Response\nBlob.new\n", &[("Blob", &[2])]);
        check(Language::Markdown, "Blob\n", &[]);
        let words = BTreeSet::from(["Blob".to_owned()]);
        assert!(identifier_lines(&words, None, "Blob").is_empty());
    }
}
