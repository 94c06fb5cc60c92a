//! A clause of a line as words, and whether it forbids something.

/// Longer clauses are no rule.
const MAX_WORDS: usize = 200;
/// More clauses than these are no line of a list.
const MAX_CLAUSES: usize = 50;

/// Words that forbid what follows.
const BANS: &[&str] = &[
    "no",
    "not",
    "dont",
    "never",
    "without",
    "avoid",
    "avoids",
    "avoiding",
    "forbid",
    "forbids",
    "cannot",
    "cant",
    "mustnt",
    "shouldnt",
    "ban",
    "bans",
    "zero",
    "instead",
    "neither",
    "disallow",
    "prohibit",
    "eliminate",
    "minus",
];

/// Words that forbid what stands before them.
const BANS_AFTER: &[&str] =
    &["forbidden", "prohibited", "banned", "disallowed", "avoided", "taboo"];

const NEGATIONS: &[&str] =
    &["not", "never", "cannot", "cant", "mustnt", "shouldnt", "arent", "isnt", "no"];

/// What is not allowed: "are not allowed", "must not be used".
const ALLOWANCES: &[&str] =
    &["allowed", "permitted", "used", "use", "allow", "appear", "acceptable", "exposed"];

/// What may stand between a ban and what it forbids.
const FILLERS: &[&str] = &[
    "use",
    "uses",
    "used",
    "using",
    "write",
    "have",
    "having",
    "be",
    "contain",
    "the",
    "a",
    "an",
    "any",
    "of",
    "in",
    "your",
    "ever",
    "all",
    "keyword",
    "keywords",
    "statement",
    "statements",
    "expression",
    "expressions",
    "clause",
    "clauses",
    "block",
    "blocks",
    "imperative",
    "explicit",
    "public",
    "naked",
    "bare",
    "raw",
    "expose",
    "exposes",
    "exposing",
    "exposed",
    "pass",
    "passing",
    "return",
    "returning",
    "types",
    "type",
    "and",
    "or",
    "nor",
    "no",
    "more",
    "kind",
    "sort",
];

/// What rules forbid together: "no loops or conditionals".
const NOUNS: &[&str] = &[
    "if",
    "ifs",
    "else",
    "loop",
    "loops",
    "for",
    "while",
    "foreach",
    "switch",
    "case",
    "match",
    "ternary",
    "ternaries",
    "conditional",
    "conditionals",
    "mutation",
    "mutations",
    "mutable",
    "state",
    "variables",
    "getter",
    "getters",
    "setter",
    "setters",
    "accessors",
    "property",
    "properties",
    "primitive",
    "primitives",
    "strings",
    "abbreviations",
    "reassignment",
    "recursion",
    "branching",
];

/// What may stand between something and the words that forbid it: "else statements are strictly …".
const LINKS: &[&str] = &[
    "keyword",
    "keywords",
    "statement",
    "statements",
    "expression",
    "expressions",
    "types",
    "type",
    "is",
    "are",
    "may",
    "must",
    "should",
    "shall",
    "can",
    "be",
    "strictly",
    "completely",
    "explicitly",
    "and",
    "or",
    "names",
];

/// The words of a clause in lower case; a comma is a word of its own.
pub(super) struct Clause {
    words: Vec<String>,
}

impl Clause {
    /// The clauses of a line, which end at full stops, semicolons and the like.
    pub(super) fn split(line: &str) -> Vec<Clause> {
        let is_end = |sign: char| matches!(sign, '.' | ';' | '!' | '?' | '\n');
        line.split(is_end).map(Clause::new).filter(Clause::is_rule).take(MAX_CLAUSES).collect()
    }

    fn new(text: &str) -> Clause {
        let mut words = vec![String::new()];
        for sign in text.chars() {
            let is_apostrophe = matches!(sign, '\'' | '’');
            if sign.is_alphanumeric() {
                let lower = sign.to_lowercase();
                words.last_mut().expect("there is a first word").extend(lower);
            } else if sign == ',' {
                words.extend([",".to_owned(), String::new()]);
            } else if !is_apostrophe {
                words.push(String::new());
            }
            if words.len() > MAX_WORDS * 8 {
                break;
            }
        }
        words.retain(|word| !word.is_empty());
        Clause { words }
    }

    fn is_rule(&self) -> bool {
        !self.words.is_empty() && self.words.len() <= MAX_WORDS
    }

    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    pub(super) fn word(&self, at: usize) -> Option<&str> {
        self.words.get(at).map(String::as_str)
    }

    /// Where these words follow each other.
    pub(super) fn find(&self, phrase: &[&str]) -> Option<usize> {
        self.words.windows(phrase.len()).position(|words| words == phrase)
    }

    /// Is one of these words in it?
    pub(super) fn has(&self, any: &[&str]) -> bool {
        self.words.iter().any(|word| any.contains(&word.as_str()))
    }

    /// Does a negation stand among the three words before?
    pub(super) fn negates(&self, at: usize) -> bool {
        let before = self.words.get(at.saturating_sub(3)..at).unwrap_or_default();
        before.iter().any(|word| NEGATIONS.contains(&word.as_str()) || word == "without")
    }

    /// Does a ban stand anywhere before?
    pub(super) fn bans_before(&self, at: usize) -> bool {
        self.words.iter().take(at).any(|word| BANS.contains(&word.as_str()))
    }

    /// Does it forbid one of these things?
    pub(super) fn forbids(&self, things: &[&str]) -> bool {
        things.iter().any(|thing| self.forbids_where(thing, |_| true))
    }

    /// Does it forbid this thing, at a place where the word means it?
    pub(super) fn forbids_where(&self, thing: &str, means_it: impl Fn(usize) -> bool) -> bool {
        let places = self.words.iter().enumerate().filter(|(_, word)| *word == thing);
        places
            .map(|(at, _)| at)
            .any(|at| means_it(at) && (self.is_banned_before(at) || self.is_banned_after(at)))
    }

    /// "Don't use the else keyword": only fillers, and other things that rules forbid, stand between.
    fn is_banned_before(&self, at: usize) -> bool {
        for index in (0..at).rev() {
            let Some(word) = self.word(index) else { return false };
            let next = self.word(index + 1).unwrap_or_default();
            // After a comma the list goes on, or something else begins.
            let goes_on = NOUNS.contains(&next) || ["and", "or", "nor", "no"].contains(&next);
            let is_between = match word {
                "," => goes_on,
                _ => FILLERS.contains(&word) || NOUNS.contains(&word),
            };
            if BANS.contains(&word) {
                return true;
            }
            if !is_between {
                return false;
            }
        }
        false
    }

    /// "Loops are not allowed", "the else keyword is forbidden".
    fn is_banned_after(&self, at: usize) -> bool {
        let rest = self.words.get(at + 1..).unwrap_or_default();
        let is_link = |word: &str| LINKS.contains(&word) || NOUNS.contains(&word);
        let Some(index) = rest.iter().position(|word| !is_link(word)) else { return false };
        let Some(word) = rest.get(index) else { return false };
        let allowance = || {
            let next = rest.iter().skip(index + 1).find(|word| *word != "be");
            next.is_some_and(|word| ALLOWANCES.contains(&word.as_str()))
        };
        BANS_AFTER.contains(&word.as_str()) || (NEGATIONS.contains(&word.as_str()) && allowance())
    }
}
