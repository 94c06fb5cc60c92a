//! What a sentence names as code: the terms that must be in the cited lines.
//!
//! Everything in backticks is code. In prose, only what no English word looks like: `parseBody`, `read_file`, `run()`,
//! `lib/view.js`, 8080. Prose that looks like it (and/or, e.g., Node.js) is left alone.

use super::sentences::is_fence;
use super::spans::spans;
use super::words::is_listed;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) text: String,
    pub(super) kind: TermKind,
    /// Where it begins in the sentence, in bytes.
    pub(super) start: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TermKind {
    /// A name, qualified or not, or a piece of code.
    Code,
    /// A product or protocol. Its spelling in code differs: `PostgreSQL`, `postgresql`.
    Product,
    Path,
    Number,
    /// The number of a line of the cited file.
    Line,
}

impl Term {
    /// Whether it can only be supported by the text of lines, not by where they are.
    pub(super) fn is_in_lines(&self) -> bool {
        match self.kind {
            TermKind::Code | TermKind::Product | TermKind::Number => true,
            TermKind::Path | TermKind::Line => false,
        }
    }
}

pub(super) fn terms(sentence: &str) -> Vec<Term> {
    let mut found = Terms { terms: Vec::new(), start: 0 };
    if let Some(block) = fenced(sentence) {
        found.push(TermKind::Code, block);
        return found.terms;
    }
    let mut previous = String::new();
    for span in spans(sentence) {
        if span.is_code {
            found.start = span.start;
            found.code_span(span.text.trim());
            previous.clear();
            continue;
        }
        for (start, word) in span.words() {
            found.start = start;
            let word = trimmed(word);
            found.word(word, &previous);
            previous = word.to_lowercase();
        }
    }
    found.terms
}

/// The code of a fenced block, without its fences and the name of its language.
fn fenced(sentence: &str) -> Option<&str> {
    let code = sentence.split_once('\n').map_or("", |(_, code)| code);
    is_fence(sentence).then(|| code.trim_end().trim_end_matches(['`', '~']).trim())
}

struct Terms {
    terms: Vec<Term>,
    /// Of the word that is looked at.
    start: usize,
}

impl Terms {
    fn push(&mut self, kind: TermKind, text: &str) {
        if !text.is_empty() {
            self.terms.push(Term { text: text.to_owned(), kind, start: self.start });
        }
    }

    fn code_span(&mut self, text: &str) {
        let (name, lines) = without_lines(text);
        if text.contains(char::is_whitespace) {
            self.push(TermKind::Code, text);
        } else if is_file_name(name) || is_path_in_code(name) {
            self.push(TermKind::Path, name);
            self.lines(lines);
        } else if is_number(text) {
            self.push(TermKind::Number, text);
        } else {
            self.push(TermKind::Code, text);
        }
    }

    /// A word of the prose after `previous`.
    fn word(&mut self, word: &str, previous: &str) {
        let lower = word.to_lowercase();
        let (name, lines) = without_lines(word);
        let is_numbered = word.starts_with(|c: char| c.is_ascii_digit());
        if is_listed(NO_TERMS, &lower) {
            return;
        }
        if matches!(previous, "line" | "lines") && is_numbered {
            self.lines(word);
        } else if word.contains("://") {
            self.push(TermKind::Code, word);
        } else if is_listed(PRODUCTS, &lower) {
            self.push(TermKind::Product, word);
        } else if is_file_name(name) || is_path_in_prose(name) {
            self.push(TermKind::Path, name);
            self.lines(lines);
        } else if !self.numbers(word) {
            self.names(word);
        }
    }

    /// `10`, `10-20`.
    fn lines(&mut self, range: &str) {
        for number in range.split(['-', '–']).filter(|number| is_digits(number)) {
            self.push(TermKind::Line, number);
        }
    }

    /// `8080`, `1,000`, `v4.18.2`, `100ms`, `10-20`. A single digit counts what a reader sees, and an ordinal names no number.
    fn numbers(&mut self, word: &str) -> bool {
        let word = word.trim_start_matches(['v', 'V', '~', '≈', '<', '>', '=', '$', '€', '+', '#']);
        if !word.starts_with(|c: char| c.is_ascii_digit()) || word.contains('/') {
            return false;
        }
        if word.starts_with("0x") {
            self.push(TermKind::Code, word);
            return true;
        }
        for piece in word.split(['-', '–']) {
            let end = piece.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '_'));
            let (number, unit) = piece.split_at(end.unwrap_or(piece.len()));
            let number = number.trim_end_matches(['.', ',', '_']);
            if number.len() > 1 && !matches!(unit, "st" | "nd" | "rd" | "th") {
                self.push(TermKind::Number, number);
            }
        }
        true
    }

    fn names(&mut self, word: &str) {
        if word.starts_with("--") || word.starts_with('@') || word.contains("::") {
            if word.contains(char::is_alphanumeric) {
                self.push(TermKind::Code, word);
            }
            return;
        }
        for name in word.split(['-', '/', '—', '–']).filter(|name| is_code_name(name)) {
            self.push(TermKind::Code, name);
        }
    }
}

/// A word without the punctuation around it. The parentheses of `run()` are its own.
fn trimmed(word: &str) -> &str {
    const OPENING: [char; 11] = ['(', '[', '{', '"', '\'', '“', '‘', '«', '*', '~', '<'];
    const CLOSING: [char; 19] = [
        ')', ']', '}', '"', '\'', '”', '’', '»', '*', '~', '>', '.', ',', ';', ':', '!', '?', '…',
        '`',
    ];
    let mut word = word.trim_start_matches(OPENING);
    while !word.ends_with("()") {
        match word.strip_suffix(CLOSING) {
            Some(shorter) => word = shorter,
            None => break,
        }
    }
    let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
    // Emphasis; an underscore on one side alone is of the name.
    if word.starts_with('_') && word.ends_with('_') { word.trim_matches('_') } else { word }
}

/// `lib/view.js:10-20` as its path and its lines.
fn without_lines(word: &str) -> (&str, &str) {
    match word.rsplit_once(':') {
        Some((path, lines)) if lines.split(['-', '–']).all(is_digits) => (path, lines),
        Some(_) | None => (word, ""),
    }
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '_'))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// By its ending: `view.js`, `lib/view.js`. `app.use` is a name.
fn is_file_name(word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "._-/@[]+".contains(c);
    word.chars().all(is_part)
        && word.rsplit_once('.').is_some_and(|(stem, ending)| {
            stem.ends_with(|c: char| c.is_alphanumeric() || "_-]".contains(c))
                && is_listed(FILE_ENDINGS, ending)
        })
}

/// In backticks, one slash is enough: `src/app`, `lib/`. A route and a regular expression are code.
fn is_path_in_code(word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "._-/@+".contains(c);
    word.contains('/')
        && !word.starts_with('/')
        && word.contains(char::is_alphanumeric)
        && word.chars().all(is_part)
}

/// In prose, "and/or" has a slash, too.
fn is_path_in_prose(word: &str) -> bool {
    let slashes = word.matches('/').count();
    is_path_in_code(word) && (slashes > 1 || word.ends_with('/') || word.starts_with(['.', '@']))
}

fn is_code_name(name: &str) -> bool {
    let bare = name.strip_suffix("()").unwrap_or(name);
    let is_name = bare.contains(char::is_alphabetic)
        && bare.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '#'));
    is_name
        && (bare.len() < name.len()
            || bare.trim_matches('_').contains('_')
            || bare.starts_with(['$', '.'])
            || bare.contains('#')
            || is_dotted(bare)
            || has_inner_capital(bare))
}

/// `app.use`, but no missing space after a full stop and no initials.
fn is_dotted(name: &str) -> bool {
    name.contains('.')
        && name.split('.').all(|part| !part.is_empty())
        && name.split('.').any(|part| part.len() > 2)
        && name.rsplit('.').next().is_some_and(|last| last.starts_with(char::is_lowercase))
}

/// `parseBody`, `ViewEngine`, `HTTPServer`. Not `APIs`.
fn has_inner_capital(name: &str) -> bool {
    let cases: Vec<(bool, bool)> =
        name.chars().map(|c| (c.is_uppercase(), c.is_lowercase())).collect();
    let has_hump = cases.windows(2).any(|pair| pair[0].1 && pair[1].0);
    let has_acronym = cases.windows(4).any(|four| four[0].0 && four[1].0 && four[2].1 && four[3].1);
    has_hump || has_acronym
}

/// In lower case: what looks like code and is none.
const NO_TERMS: &str = "\
    e.g i.e a.k.a a.m p.m u.s w.r.t phd c# f# .net asp.net javascript typescript coffeescript \
    github gitlab bitbucket macos ios webassembly devops latex node.js vue.js next.js nuxt.js \
    react.js express.js three.js d3.js ember.js backbone.js";

/// In lower case.
const PRODUCTS: &str = "\
    postgresql mysql sqlite mongodb mariadb dynamodb nosql rabbitmq graphql grpc oauth oauth2 \
    openid websocket websockets webrtc openapi jquery openssl pytorch numpy";

const FILE_ENDINGS: &str = "\
    bash c cc cfg cjs conf cpp cs css csv cxx ejs erb ex exs go gradle graphql h hbs hh hpp htm \
    html ini ipynb java jinja js json jsx kt kts less lock lua md mdx mjs php png properties \
    proto pug py pyi rb rs rst sass scala scss sh sql svelte svg swift toml ts tsx txt vue xml \
    yaml yml";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as8_what_a_sentence_names_as_code_is_found() {
        let check = |sentence: &str, expected: &str| {
            let shown: Vec<String> = terms(sentence)
                .iter()
                .map(|term| format!("{:?} {}", term.kind, term.text))
                .collect();
            assert_eq!(shown.join(", "), expected, "{sentence}");
        };
        check("It reads the input and/or the output, e.g. of Node.js.", "");
        check("`Router.handle` calls `next(err)`.", "Code Router.handle, Code next(err)");
        check("It calls read_file, then run().", "Code read_file, Code run()");
        check("parseBody of _private_name", "Code parseBody, Code _private_name");
        check("The ViewEngine's HTTPServer uses APIs.", "Code ViewEngine, Code HTTPServer");
        check("See lib/view.js:10-20 (not a.js).", "Path lib/view.js, Line 10, Line 20, Path a.js");
        check("`src/app` and `/users/:id`", "Path src/app, Code /users/:id");
        check("On line 42 and lines 3-4.", "Line 42, Line 3, Line 4");
        check("It listens on 8080 for 1,000 clients, 3 at a time.", "Number 8080, Number 1,000");
        check("Since v4.18.2 the 2nd try waits 100ms.", "Number 4.18.2, Number 100");
        check("`3` times `1.5`", "Number 3, Number 1.5");
        check("It uses PostgreSQL and TypeScript.", "Product PostgreSQL");
        check("app.use is called with --dry-run.", "Code app.use, Code --dry-run");
        check("The std::fs module and @app.route.", "Code std::fs, Code @app.route");
        check("See https://example.com/a.", "Code https://example.com/a");
        check("```js\nlet a = 1;\n```", "Code let a = 1;");
        check("`src/index.ts:7`", "Path src/index.ts, Line 7");
    }
}
