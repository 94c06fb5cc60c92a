//! Noun phrases of a clause: what each names, what kind of thing that is, and which preposition leads to it.

use super::dialect::is_source_name;
use super::token::{Kind, Token};
use super::vocabulary::{self, Noun};

/// How a phrase hangs on its verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    Object,
    /// What does it, in a statement: "all calls should pass …".
    Subject,
    In,
    From,
    To,
    As,
    Of,
    With,
    For,
    By,
    Via,
    /// Everywhere in it: "throughout the repository".
    Across,
    /// Examples only: "such as a.py".
    Like,
    Except,
    InsteadOf,
    Before,
    After,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) text: String,
    /// An English word, too: it counts as a name only because the project has one.
    pub(super) is_plain: bool,
    /// "the `x` function"
    pub(super) noun: Option<Noun>,
    /// `utils` of "utils serialization.py".
    pub(super) qualifiers: Vec<String>,
    /// Behind "called" or "named".
    pub(super) is_called: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// In lower case, and as it was written.
    Word {
        word: String,
        text: String,
    },
    /// An index into `names`.
    Name(usize),
    Separator,
    Text(String),
    Assignment {
        name: String,
        value: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Phrase {
    pub(super) link: Link,
    pub(super) items: Vec<Item>,
    pub(super) names: Vec<Name>,
}

/// What the project knows, as far as it takes to tell a name from a word.
pub(super) trait Lexicon {
    /// A module, folder, or top-level definition of this name.
    fn knows(&self, word: &str) -> bool;
    /// A module or folder of this name.
    fn knows_module(&self, word: &str) -> bool;
}

impl Phrase {
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| match item {
            Item::Word { word, .. } => Some(word.as_str()),
            Item::Name(_) | Item::Separator | Item::Text(_) | Item::Assignment { .. } => None,
        })
    }

    pub(super) fn has(&self, words: &[&str]) -> bool {
        self.words().any(|word| words.contains(&word))
    }

    pub(super) fn nouns(&self) -> impl Iterator<Item = Noun> {
        self.words().filter_map(vocabulary::noun)
    }

    pub(super) fn has_noun(&self, noun: Noun) -> bool {
        self.nouns().any(|other| other == noun)
    }

    pub(super) fn is_new(&self) -> bool {
        self.has(&["new", "newly", "separate", "own", "dedicated", "fresh"])
    }

    /// Its names, and words that are no English: parameters are not known to the project.
    pub(super) fn names_and_words(&self) -> Vec<String> {
        let name = |item: &Item| match item {
            Item::Name(index) => Some(self.names[*index].text.clone()),
            Item::Word { word, text } => (!vocabulary::is_word(word)).then(|| text.clone()),
            Item::Separator | Item::Text(_) | Item::Assignment { .. } => None,
        };
        self.items.iter().filter_map(name).collect()
    }

    /// Its names, or, where a name has to be, the English word that stands for it.
    pub(super) fn names_or_word(&self) -> Vec<Name> {
        if !self.names.is_empty() {
            return self.names.clone();
        }
        let skipped = |word: &str| {
            vocabulary::DETERMINERS.contains(&word) || vocabulary::noun(word).is_some()
        };
        let is_other = |word: &str| {
            !skipped(word) && (!vocabulary::is_word(word) || vocabulary::may_be_name(word))
        };
        let texts = self.items.iter().filter_map(|item| match item {
            Item::Word { word, text } => Some((word.as_str(), text)),
            Item::Name(_) | Item::Separator | Item::Text(_) | Item::Assignment { .. } => None,
        });
        let mut words = texts.filter(|(word, _)| is_other(word)).map(|(_, text)| text);
        match (words.next(), words.next()) {
            (Some(text), None) => vec![Name {
                text: text.clone(),
                is_plain: true,
                noun: self.nouns().next(),
                qualifiers: Vec::new(),
                is_called: false,
            }],
            _ => Vec::new(),
        }
    }
}

/// The phrases of some tokens; the first hangs on the verb by `first` unless it has a preposition.
pub(super) fn phrases(tokens: &[Token], first: Link, lexicon: &dyn Lexicon) -> Vec<Phrase> {
    let mut parts: Vec<(Link, Vec<&Token>)> = vec![(first, Vec::new())];
    let mut at = 0;
    while at < tokens.len() {
        if let Some((link, length)) = preposition(tokens, at) {
            parts.push((link, Vec::new()));
            at += length;
        } else {
            if let Some((_, part)) = parts.last_mut() {
                part.push(&tokens[at]);
            }
            at += 1;
        }
    }
    let built = parts.into_iter().map(|(link, part)| phrase(link, &part, lexicon));
    built.filter(|phrase| !phrase.items.is_empty()).collect()
}

/// The preposition at a token, and of how many tokens it is.
fn preposition(tokens: &[Token], at: usize) -> Option<(Link, usize)> {
    let word = |offset: usize| tokens.get(at + offset).map_or("", |token| token.word.as_str());
    let before = at.checked_sub(1).map_or("", |before| tokens[before].word.as_str());
    if tokens[at].kind == Kind::Arrow {
        return Some((Link::To, 1));
    }
    if is_bracketed_file(&tokens[at..]) {
        return Some((Link::In, 1));
    }
    Some(match (word(0), word(1)) {
        ("out", "of") => (Link::From, 2),
        ("instead", "of") | ("rather", "than") => (Link::InsteadOf, 2),
        ("other", "than")
        | ("apart" | "aside", "from")
        | ("but", "not")
        | ("outside", "of")
        | ("except" | "excepting" | "save", "for" | "in" | "from") => (Link::Except, 2),
        ("not", next) if !next.is_empty() && vocabulary::verb(next).is_none() => (Link::Except, 1),
        ("in", "place") if word(2) == "of" => (Link::InsteadOf, 3),
        ("to", "be") => (Link::As, 2),
        ("such", "as") | ("according" | "thanks" | "due", "to") => (Link::Like, 2),
        ("to", _) if is_about(before) => (Link::Of, 1),
        ("in" | "inside" | "within" | "under" | "beneath" | "at" | "on" | "below", _) => {
            (Link::In, 1)
        }
        ("from" | "off", _) => (Link::From, 1),
        ("to" | "into" | "onto" | "towards" | "toward", _) => (Link::To, 1),
        ("as", _) if before == "known" => return None,
        ("as", _) => (Link::As, 1),
        ("of", _) => (Link::Of, 1),
        ("with" | "using" | "containing" | "holding", _) => (Link::With, 1),
        ("for", _) => (Link::For, 1),
        ("by", _) => (Link::By, 1),
        ("through" | "via", _) => (Link::Via, 1),
        ("throughout" | "across" | "over" | "around", _) => (Link::Across, 1),
        ("like" | "including" | "especially" | "particularly" | "namely" | "e.g." | "i.e.", _) => {
            (Link::Like, 1)
        }
        ("except" | "excluding" | "excepting" | "besides" | "without", _) => (Link::Except, 1),
        ("before", _) => (Link::Before, 1),
        ("after", _) => (Link::After, 1),
        _ => return None,
    })
}

/// "`f` (a/b.py)"
fn is_bracketed_file(tokens: &[Token]) -> bool {
    let [open, file, close, ..] = tokens else { return false };
    (open.text.as_str(), close.text.as_str()) == ("(", ")")
        && file.kind == Kind::Code
        && (is_source_name(&file.text) || file.text.contains('/'))
}

/// Behind these, "to" names what they are about: "all references to `x`".
fn is_about(word: &str) -> bool {
    vocabulary::REFERENCES.contains(&word)
        || matches!(
            word,
            "changes"
                | "change"
                | "corresponding"
                | "related"
                | "similar"
                | "identical"
                | "respect"
                | "regard"
                | "access"
                | "link"
                | "links"
        )
}

fn phrase(link: Link, tokens: &[&Token], lexicon: &dyn Lexicon) -> Phrase {
    let mut items = Vec::new();
    let mut names: Vec<Name> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let item = match &token.kind {
            Kind::Comma | Kind::Arrow | Kind::Stop => Item::Separator,
            Kind::Text => Item::Text(token.text.clone()),
            Kind::Assignment { value } => {
                Item::Assignment { name: token.text.clone(), value: value.clone() }
            }
            Kind::Word if matches!(token.word.as_str(), "and" | "or") => Item::Separator,
            Kind::Word if !is_name(tokens, at, lexicon) => {
                Item::Word { word: token.word.clone(), text: token.text.clone() }
            }
            Kind::Word | Kind::Code => {
                let is_called = is_called(tokens, at);
                let is_plain = token.kind == Kind::Word && !is_called;
                let text = token.text.clone();
                names.push(Name { text, is_plain, noun: None, qualifiers: Vec::new(), is_called });
                Item::Name(names.len() - 1)
            }
        };
        items.push(item);
    }
    let (items, names) = qualified(&items, &names);
    let mut phrase = Phrase { link, items, names };
    find_nouns(&mut phrase);
    phrase
}

fn is_called(tokens: &[&Token], at: usize) -> bool {
    let mut before = tokens[..at].iter().rev().filter(|token| token.kind != Kind::Comma);
    let is_calling = |word: &str| matches!(word, "called" | "named" | "titled" | "known");
    match before.next().map(|token| token.word.as_str()) {
        Some("as") => before.next().is_some_and(|token| is_calling(&token.word)),
        Some(word) => is_calling(word),
        None => false,
    }
}

/// Is this word a name? An English one must stand where nothing else can be meant.
fn is_name(tokens: &[&Token], at: usize, lexicon: &dyn Lexicon) -> bool {
    let token = tokens[at];
    let word = token.word.as_str();
    if is_called(tokens, at) && !vocabulary::DETERMINERS.contains(&word) && word != "as" {
        return true;
    }
    if !vocabulary::is_word(word) {
        let noun_at = |at: usize| tokens.get(at).and_then(|token| vocabulary::noun(&token.word));
        let is_definition =
            |noun: Option<Noun>| matches!(noun, Some(Noun::Function | Noun::Method | Noun::Class));
        let is_singular = |at: usize| {
            tokens.get(at).is_some_and(|token| !token.word.ends_with('s') || token.word == "class")
        };
        let is_beside = is_definition(noun_at(at + 1)) && is_singular(at + 1)
            || at > 0 && is_definition(noun_at(at - 1)) && is_singular(at - 1);
        if is_beside {
            return true;
        }
        let singular = word.strip_suffix('s').filter(|singular| singular.len() >= 5);
        return lexicon.knows(&token.text)
            || lexicon.knows_module(word)
            || singular.is_some_and(|singular| lexicon.knows_module(singular));
    }
    let next = tokens.get(at + 1).map(|token| token.word.as_str());
    let is_alone = tokens.len() == 1;
    let is_before_file = next.and_then(vocabulary::noun) == Some(Noun::File)
        && !matches!(
            word,
            "test"
                | "tests"
                | "same"
                | "single"
                | "existing"
                | "original"
                | "source"
                | "utility"
                | "helper"
        );
    let is_module = (is_alone || is_before_file) && lexicon.knows_module(word);
    let is_definition = vocabulary::noun(word).is_none() && is_list(tokens, lexicon);
    vocabulary::may_be_name(word) && (is_module || is_definition)
}

/// "total", "total and count": nothing but what the project defines.
fn is_list(tokens: &[&Token], lexicon: &dyn Lexicon) -> bool {
    tokens.iter().all(|token| match token.kind {
        Kind::Comma | Kind::Code => true,
        Kind::Word => token.word == "and" || lexicon.knows(&token.text),
        Kind::Arrow | Kind::Stop | Kind::Text | Kind::Assignment { .. } => false,
    })
}

/// `utils serialization.py`, `utils files a and b`: the first narrows the others and is no name of its own.
fn qualified(items: &[Item], names: &[Name]) -> (Vec<Item>, Vec<Name>) {
    let mut kept: Vec<Name> = Vec::new();
    let mut new_items = Vec::new();
    let mut pending: Vec<String> = Vec::new();
    let mut is_for_list = false;
    for (at, item) in items.iter().enumerate() {
        match item {
            Item::Name(index) => {
                let followed = &items[at + 1..];
                let next_is_name = matches!(followed.first(), Some(Item::Name(_)));
                let then_name = is_qualifier(followed, is_source_name(&names[*index].text));
                if next_is_name || then_name {
                    pending.push(names[*index].text.clone());
                    is_for_list = then_name;
                    continue;
                }
                let mut name = names[*index].clone();
                name.qualifiers.clone_from(&pending);
                new_items.push(Item::Name(kept.len()));
                kept.push(name);
                if !is_for_list {
                    pending.clear();
                }
            }
            other => new_items.push(other.clone()),
        }
    }
    (new_items, kept)
}

/// Behind it stand nouns and then a name: "the cart module's function `add_item`".
fn is_qualifier(followed: &[Item], is_file: bool) -> bool {
    let mut nouns = Vec::new();
    for item in followed {
        match item {
            Item::Word { word, .. } => match vocabulary::noun(word) {
                Some(noun) => nouns.push(noun),
                None => return false,
            },
            Item::Name(_) => break,
            Item::Separator | Item::Text(_) | Item::Assignment { .. } => return false,
        }
    }
    let is_followed = nouns.len() < followed.len();
    match nouns.as_slice() {
        [noun] => is_followed && (*noun == Noun::File || is_file && *noun != Noun::Project),
        [
            Noun::File | Noun::Folder | Noun::Class,
            Noun::Function | Noun::Method | Noun::Class | Noun::Value,
        ] => is_followed,
        _ => false,
    }
}

/// The noun behind a list of names counts for all of it, else the one before it.
fn find_nouns(phrase: &mut Phrase) {
    let mut before = None;
    let mut open: Vec<usize> = Vec::new();
    let mut found: Vec<(usize, Noun)> = Vec::new();
    for item in &phrase.items {
        match item {
            Item::Name(index) => {
                open.push(*index);
                if let Some(noun) = before {
                    found.push((*index, noun));
                }
            }
            Item::Word { word, .. } => {
                if let Some(noun) = vocabulary::noun(word) {
                    let is_behind = !open.is_empty();
                    found.extend(open.drain(..).map(|index| (index, noun)));
                    before = if is_behind { None } else { Some(noun) };
                } else if !vocabulary::TYPES.contains(&word.as_str()) {
                    open.clear();
                }
            }
            Item::Separator => {}
            Item::Text(_) | Item::Assignment { .. } => open.clear(),
        }
    }
    for (index, noun) in found {
        phrase.names[index].noun = Some(noun);
    }
}
