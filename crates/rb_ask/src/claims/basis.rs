//! What a claim is compared with: the text and the paths of its valid citations.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::equivalents::Equivalent;
use super::terms::{Term, TermKind};
use super::{negation, words};
use crate::citation::{CheckedCitation, Checker, ReadFile};

/// How many lines before and after the cited ones count as well, as far as they were shown: names of what encloses them.
const MARGIN: u32 = 40;

pub(super) struct Basis<'c> {
    /// The cited lines and those around them, with whitespace collapsed.
    text: String,
    lower: String,
    /// Stems of all words, also of those inside names.
    words: BTreeSet<String>,
    numbers: BTreeSet<String>,
    citations: Vec<Cited<'c>>,
    /// The declarations that the cited lines are in, when a name was looked up in them.
    enclosing: OnceCell<String>,
}

struct Cited<'c> {
    path: String,
    file: &'c ReadFile,
    lines: (u32, u32),
    /// The cited lines alone, without blank ones and with whitespace collapsed.
    text: Vec<String>,
}

impl<'c> Basis<'c> {
    pub(super) fn new(citations: &[CheckedCitation], checker: &'c Checker<'_>) -> Self {
        let mut text = String::new();
        let mut valid = Vec::new();
        for checked in citations.iter().filter(|checked| checked.is_valid()) {
            let citation = &checked.citation;
            let lines = (citation.first_line, citation.last_line);
            let file = checker.file(&citation.path).expect("valid citations are of open files");
            for line in file.around(lines, MARGIN) {
                text.extend(line.split_whitespace().flat_map(|word| [word, " "]));
            }
            // Nothing spans two citations.
            text.push('\n');
            let cited = file.around(lines, 0).map(squeezed).filter(|line| !line.is_empty());
            valid.push(Cited { path: citation.path.clone(), file, lines, text: cited.collect() });
        }
        Basis {
            lower: text.to_lowercase(),
            words: words::words_in_code(&text),
            numbers: numbers(&text),
            citations: valid,
            enclosing: OnceCell::new(),
            text,
        }
    }

    fn lines(&self) -> impl Iterator<Item = &str> {
        self.citations.iter().flat_map(|cited| &cited.text).map(String::as_str)
    }

    /// Whether a cited line has one of these names or stems.
    pub(super) fn is_about(&self, terms: &[Term], stems: &[String]) -> bool {
        self.lines().any(|line| {
            let words = words::words_in_code(line);
            terms.iter().any(|term| term.is_in_lines() && is_on_line(term, line))
                || stems.iter().any(|stem| words.contains(stem))
        })
    }

    /// Whether the lines have a word of this stem.
    pub(super) fn has_word(&self, stem: &str) -> bool {
        self.words.contains(stem)
    }

    /// Whether a term is a piece of code that a cited line has as it is written.
    pub(super) fn has_fragment(&self, term: &Term) -> bool {
        let code = term.text.as_str();
        let is_fragment = code.contains(char::is_alphanumeric)
            && (code.contains("::") || code.contains(|c: char| ".()[]{}=!<>&|+*".contains(c)));
        code.contains(char::is_whitespace)
            || (is_fragment && self.lines().any(|line| has_word(line, code)))
    }

    /// Whether a cited line has an equivalent, and one of the names unless there are none.
    pub(super) fn has_equivalent(&self, equivalents: &[Equivalent], named: &[&Term]) -> bool {
        self.lines().any(|line| {
            let is_about = named.is_empty() || named.iter().any(|term| is_on_line(term, line));
            is_about && equivalents.iter().any(|equivalent| equivalent.is_in(line))
        })
    }

    /// Whether a cited line negates something, and it or a line beside it has one of these stems.
    pub(super) fn negates(&self, subject: &BTreeSet<String>) -> bool {
        let is_about = |line: &String| !words::words_in_code(line).is_disjoint(subject);
        self.citations.iter().any(|Cited { text, .. }| {
            text.iter().enumerate().any(|(at, line)| {
                let near = &text[at.saturating_sub(1)..text.len().min(at + 2)];
                negation::is_in_code(line) && near.iter().any(is_about)
            })
        })
    }

    /// Whether the lines have words that the sentence puts in quotation marks.
    pub(super) fn has_quotation(&self, sentence: &str) -> bool {
        !self.quotations(sentence).is_empty()
    }

    /// The sentence with blanks in place of what it quotes from the lines. Everything else stays where it is.
    pub(super) fn without_quotations(&self, sentence: &str) -> String {
        let mut text = sentence.to_owned();
        for (start, length) in self.quotations(sentence) {
            text.replace_range(start..start + length, &" ".repeat(length));
        }
        text
    }

    /// Where the sentence has words of the lines in quotation marks, and how long they are, in bytes.
    fn quotations(&self, sentence: &str) -> Vec<(usize, usize)> {
        let pieces: Vec<&str> = sentence.split('"').collect();
        let (mut found, mut start) = (Vec::new(), 0);
        for (nth, piece) in pieces.iter().enumerate() {
            let is_closed = !nth.is_multiple_of(2) && nth + 1 < pieces.len();
            if is_closed && self.has_quoted(piece) {
                found.push((start, piece.len()));
            }
            start += piece.len() + 1;
        }
        found
    }

    fn has_quoted(&self, quoted: &str) -> bool {
        /// Fewer characters are found anywhere.
        const SHORTEST: usize = 8;
        let squeezed = squeezed(quoted);
        // The rest was cut off.
        let squeezed = squeezed.trim_end_matches(['…', ' ']);
        squeezed.chars().count() >= SHORTEST && self.text.contains(squeezed)
    }

    /// What of a term is not there.
    pub(super) fn missing<'t>(&self, term: &'t Term) -> Option<&'t str> {
        let text = term.text.as_str();
        let is_there = match term.kind {
            TermKind::Code => return self.missing_code(text),
            TermKind::Product => self.lower.contains(&text.to_lowercase()),
            TermKind::Path => self.has_path(text),
            TermKind::Number => self.has_number(text),
            TermKind::Line => self.has_line(text),
        };
        (!is_there).then_some(text)
    }

    fn missing_code<'t>(&self, code: &'t str) -> Option<&'t str> {
        if self.has_name(&squeezed(code)) {
            return None;
        }
        if matches!(code, "null" | "undefined") && self.lines().any(compares_with_nothing) {
            return None;
        }
        if code.contains("://") {
            return Some(code);
        }
        if let Some(last) = last_segment(code) {
            let singular = last.strip_suffix('s').filter(|name| name.len() > 3);
            let is_there = |name: &str| self.has_name(name);
            return (!is_there(last) && !singular.is_some_and(is_there)).then_some(code);
        }
        let mut names = code.split(|c: char| !is_name_part(c)).filter(|name| !name.is_empty());
        // Signs alone are there as they stand or not at all.
        if names.clone().next().is_none() {
            return Some(code);
        }
        let missing = names.find(|name| !self.has_name(name))?;
        // `node:path` and `my-element` are one name.
        let is_one_name = code.chars().all(|c| is_name_part(c) || ":-./@".contains(c));
        Some(if is_one_name { code } else { missing })
    }

    /// Whether the lines have a name, or what declares something around them.
    fn has_name(&self, name: &str) -> bool {
        has_word(&self.text, name) || has_word(self.enclosing(), name)
    }

    fn enclosing(&self) -> &str {
        self.enclosing.get_or_init(|| {
            let of = |cited: &Cited<'_>| cited.file.enclosing(cited.lines);
            self.citations.iter().map(of).collect::<Vec<_>>().join("\n")
        })
    }

    fn has_path(&self, path: &str) -> bool {
        let plain = path.trim_start_matches("./").trim_end_matches('/');
        let is_cited = self.citations.iter().any(|cited| {
            // Also the end of the path, or a folder on the way.
            format!("/{}/", cited.path).contains(&format!("/{plain}/"))
        });
        is_cited || has_word(&self.text, path) || self.has_import(plain)
    }

    /// Imports name a file without its ending, and from where they stand: `./view`, `lib.view`.
    fn has_import(&self, path: &str) -> bool {
        let module = match path.rsplit_once('.') {
            Some((stem, ending)) if !ending.contains('/') => stem,
            Some(_) | None => path,
        };
        if !module.contains('/') {
            return has_word(&self.text, &format!("/{module}"));
        }
        let is_there = |name: &str| has_word(&self.text, name);
        is_there(&module.replace('/', "."))
            || is_there(&module.replace('/', "::"))
            || self.citations.iter().any(|cited| is_there(&relative(&cited.path, module)))
    }

    fn has_number(&self, number: &str) -> bool {
        let plain = number.replace([',', '_'], "");
        let longer = format!("{plain}.");
        self.numbers.contains(&plain)
            || self.numbers.iter().any(|known| known.starts_with(&longer))
            || self.has_limit(&plain)
    }

    /// "Up to 299" is `< 300` in code.
    fn has_limit(&self, number: &str) -> bool {
        let Ok(number) = number.parse::<u64>() else { return false };
        let beside = [number.checked_sub(1), number.checked_add(1)];
        let beside: Vec<String> = beside.into_iter().flatten().map(|it| it.to_string()).collect();
        self.lines().filter(|line| line.contains(['<', '>'])).any(|line| {
            let known = numbers(line);
            beside.iter().any(|number| known.contains(number))
        })
    }

    fn has_line(&self, number: &str) -> bool {
        let is_within = |line: u32| {
            self.citations.iter().any(|cited| (cited.lines.0..=cited.lines.1).contains(&line))
        };
        number.parse::<u32>().is_ok_and(is_within)
    }
}

/// Whether a line of JavaScript takes `null` and `undefined` for the same.
fn compares_with_nothing(line: &str) -> bool {
    ["== null", "!= null", "== undefined", "!= undefined"]
        .into_iter()
        .any(|sign| line.match_indices(sign).any(|(at, _)| !line[..at].ends_with(['=', '!'])))
        || line.contains("??")
        || line.contains("?.")
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a line has what is named, of a qualified name its last part.
fn is_on_line(term: &Term, line: &str) -> bool {
    let name = last_segment(&term.text).unwrap_or(&term.text);
    has_word(line, name)
}

/// The last name of a qualified one: `render` of `View.prototype.render()`. `None` for what is no name.
fn last_segment(code: &str) -> Option<&str> {
    let bare = code.trim_end_matches(['(', ')', '!', '?']);
    let is_name = |name: &str| !name.is_empty() && name.chars().all(is_name_part);
    let mut rest = bare;
    for separator in ["::", "->", "?.", ".", "#"] {
        rest = rest.rsplit(separator).next().unwrap_or(rest);
    }
    let joints = bare.replace("::", ".").replace("->", ".").replace("?.", ".").replace('#', ".");
    (is_name(rest) && joints.split('.').all(is_name)).then_some(rest)
}

/// How a file beside or below `from`'s folder, or above it, imports `module`.
fn relative(from: &str, module: &str) -> String {
    let mut folders: Vec<&str> = from.split('/').collect();
    folders.pop();
    let names: Vec<&str> = module.split('/').collect();
    let parents = &names[..names.len() - 1];
    let common = folders.iter().zip(parents).take_while(|(folder, name)| folder == name).count();
    let up = folders.len() - common;
    let begin = if up == 0 { "./".to_owned() } else { "../".repeat(up) };
    begin + &names[common..].join("/")
}

/// Whether a text has these characters, and not as a part of a longer name.
fn has_word(text: &str, word: &str) -> bool {
    !word.is_empty()
        && text.match_indices(word).any(|(start, _)| {
            let before = text[..start].chars().next_back();
            let after = text[start + word.len()..].chars().next();
            let is_cut = |inner: Option<char>, outer: Option<char>| {
                inner.is_some_and(is_name_part) && outer.is_some_and(is_name_part)
            };
            !is_cut(word.chars().next(), before) && !is_cut(word.chars().next_back(), after)
        })
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Every number in a text, `1_000` and `1,000` as 1000.
fn numbers(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for piece in text.split(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '_')) {
        let piece = piece.trim_matches(['.', ',', '_']);
        found.insert(piece.replace('_', ""));
        found.extend(piece.split(['.', ',', '_']).map(str::to_owned));
        let groups: Vec<&str> = piece.split(',').collect();
        if groups.len() > 1 && groups[1..].iter().all(|group| group.len() == 3) {
            found.insert(groups.concat());
        }
    }
    found.remove("");
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as8_a_name_is_found_as_a_whole_word() {
        let check = |text, word, expected| assert_eq!(has_word(text, word), expected, "{word}");
        check("parseBody(req)", "parseBody", true);
        check("parseBodyOf(req)", "parseBody", false);
        check("reparse(req)", "parse", false);
        check("ParseBody(req)", "parseBody", false);
        check("a => b", "=>", true);
        check("it's in ä_b", "b", false);
        check("x", "", false);
    }

    #[test]
    fn as8_only_the_last_segment_of_a_name_counts() {
        let check = |code, expected| assert_eq!(last_segment(code), expected, "{code}");
        check("render", Some("render"));
        check("View.prototype.render()", Some("render"));
        check("std::fs::read", Some("read"));
        check("Store#get", Some("get"));
        check("this->next", Some("next"));
        check("println!", Some("println"));
        check("foo(bar)", None);
        check("my-element", None);
        check("=>", None);
    }

    #[test]
    fn as8_imports_name_files_from_where_they_stand() {
        let check = |from, module, expected: &str| assert_eq!(relative(from, module), expected);
        check("lib/application.js", "lib/view", "./view");
        check("lib/application.js", "lib/router/layer", "./router/layer");
        check("lib/router/index.js", "lib/view", "../view");
        check("index.js", "lib/view", "./lib/view");
        check("test/a/b.js", "lib/view", "../../lib/view");
        check("lib/view/index.js", "lib/view", "../view");
    }

    #[test]
    fn as8_numbers_are_compared_by_value() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(numbers(text).iter().map(String::as_str).collect::<Vec<_>>(), expected);
        };
        check("x = 1_000", &["000", "1", "1000"]);
        check("1,000 and v4.2.", &["000", "1", "1,000", "1000", "2", "4", "4.2"]);
        check("0..10 of u32", &["0", "0..10", "10", "32"]);
        check("f(1,2)", &["1", "1,2", "2"]);
        check("none", &[]);
    }
}
