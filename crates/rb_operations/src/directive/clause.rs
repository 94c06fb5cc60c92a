//! Sentences split into clauses, each with its verb and its phrases.
//!
//! "Rename a to b and update all references" are two clauses, "modify f to take a flag" two linked ones. Statements ("calls should pass
//! `x=1`", "`f` should be moved to b.py") become clauses as well; what a passive is done to is its object.

use super::boundary::{self, Boundary};
use super::order;
use super::phrase::{self, Item, Lexicon, Link, Name, Phrase};
use super::statement;
use super::token::{Kind, Token};
use super::vocabulary::{self, Form};

/// How a clause hangs on the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    /// It begins a sentence.
    Main,
    And,
    /// "by adding …", ", setting …"
    Gerund,
    /// "to include …"
    Infinitive,
    /// "that combines …", "where it is called"
    Relative,
    /// "so that …", "because …"
    Purpose,
    /// "if …", "unless …", "when …"
    Condition,
    /// "after moving …"
    Time,
}

/// What is so of a clause as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trait {
    /// "is moved", "should be called".
    Passive,
    /// "don't", "should not", "no longer".
    Negated,
    /// "if it is used, …": what follows depends on something.
    Conditional,
    /// "was renamed": it tells what is, and asks for nothing.
    Past,
    /// "make sure that …", "ensure …".
    Ensured,
}

#[derive(Debug, Clone)]
pub(super) struct Clause {
    pub(super) joint: Joint,
    /// Its base form; empty if there is none.
    pub(super) verb: &'static str,
    pub(super) traits: Vec<Trait>,
    /// Of what stands before the verb: "In a.py, …".
    pub(super) lead: Vec<Phrase>,
    pub(super) phrases: Vec<Phrase>,
    /// All of it, the verb too.
    pub(super) tokens: Vec<Token>,
    /// All its words in lower case, the verb too.
    pub(super) words: Vec<String>,
    /// Bytes in the directive.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) sentence: usize,
}

impl Clause {
    pub(super) fn is_passive(&self) -> bool {
        self.traits.contains(&Trait::Passive)
    }

    pub(super) fn is_negated(&self) -> bool {
        self.traits.contains(&Trait::Negated)
    }

    pub(super) fn is_conditional(&self) -> bool {
        self.traits.contains(&Trait::Conditional)
    }

    pub(super) fn is_past(&self) -> bool {
        self.traits.contains(&Trait::Past)
    }

    pub(super) fn is_ensured(&self) -> bool {
        self.traits.contains(&Trait::Ensured)
    }

    pub(super) fn is(&self, verbs: &[&str]) -> bool {
        verbs.contains(&self.verb)
    }

    pub(super) fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Lead first.
    pub(super) fn all_phrases(&self) -> impl Iterator<Item = &Phrase> {
        self.lead.iter().chain(&self.phrases)
    }

    pub(super) fn linked(&self, link: Link) -> impl Iterator<Item = &Phrase> {
        self.all_phrases().filter(move |phrase| phrase.link == link)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &Name> {
        self.all_phrases().flat_map(|phrase| &phrase.names)
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.all_phrases().flat_map(|phrase| &phrase.items).filter_map(|item| match item {
            Item::Text(text) => Some(text.as_str()),
            Item::Word { .. } | Item::Name(_) | Item::Separator | Item::Assignment { .. } => None,
        })
    }

    /// It goes on with what the clause before it began.
    pub(super) fn is_linked(&self) -> bool {
        matches!(self.joint, Joint::Gerund | Joint::Infinitive | Joint::Relative | Joint::Purpose)
    }
}

/// All clauses, in order.
pub(super) fn clauses(tokens: &[Token], lexicon: &dyn Lexicon) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let sentences = tokens.split_inclusive(|token| token.kind == Kind::Stop);
    for (sentence, tokens) in sentences.enumerate() {
        let (tokens, stop) = match tokens {
            [tokens @ .., stop] if stop.kind == Kind::Stop => (tokens, stop.text.as_str()),
            _ => (tokens, ""),
        };
        if stop == "?" && is_question(tokens) {
            continue;
        }
        let mut joint = Joint::Main;
        let mut at = 0;
        while at < tokens.len() {
            let (clause, boundary) = clause(tokens, at, joint, sentence, lexicon);
            clauses.extend(clause);
            match boundary {
                Some(boundary) => (at, joint) = (boundary.next.max(at + 1), boundary.joint),
                None => break,
            }
        }
    }
    clauses
}

/// "Should we rename it?" is no request, "Can you rename it?" is one.
fn is_question(tokens: &[Token]) -> bool {
    let first = tokens.first().map_or("", |token| token.word.as_str());
    let words = [
        "should", "shall", "why", "what", "how", "does", "do", "is", "are", "when", "where",
        "which", "who", "did", "was", "has",
    ];
    words.contains(&first)
}

/// The clause from a token on, and where the next one begins.
fn clause(
    tokens: &[Token],
    from: usize,
    joint: Joint,
    sentence: usize,
    lexicon: &dyn Lexicon,
) -> (Option<Clause>, Option<Boundary>) {
    let head = Head::read(tokens, from, joint);
    let boundary = boundary::next(tokens, head.body, joint, head.is_statement);
    let end = boundary.as_ref().map_or(tokens.len(), |boundary| boundary.end).max(head.body);
    let body = &tokens[head.body..end];
    let all = &tokens[from..end];
    let words = all.iter().map(|token| token.word.clone()).filter(|word| !word.is_empty());
    let mut clause = Clause {
        joint,
        verb: head.verb,
        traits: head.traits(tokens),
        lead: phrase::phrases(&tokens[head.lead.clone()], Link::Subject, lexicon),
        phrases: Vec::new(),
        tokens: all.to_vec(),
        words: words.collect(),
        start: tokens[from].start,
        end: tokens[..end].last().map_or(tokens[from].end, |token| token.end),
        sentence,
    };
    if head.is_statement {
        statement::read(&mut clause, body, lexicon);
    } else {
        clause.phrases = phrase::phrases(body, Link::Object, lexicon);
    }
    let is_empty = clause.verb.is_empty() && clause.words.is_empty() && clause.phrases.is_empty();
    ((!is_empty).then_some(clause), boundary)
}

/// A lead that is a condition, and not only "if possible".
fn is_condition(lead: &[Token]) -> bool {
    let word = |at: usize| lead.get(at).map_or("", |token| token.word.as_str());
    matches!(word(0), "if" | "unless" | "when" | "whenever" | "where" | "wherever")
        && !vocabulary::IDLE_CONDITIONS.contains(&word(1))
        && !matches!(vocabulary::verb(word(1)), Some((_, Form::Ing)))
}

/// What stands before the body of a clause.
struct Head {
    verb: &'static str,
    lead: std::ops::Range<usize>,
    /// Where what follows the verb begins; of a statement: where it begins.
    body: usize,
    is_negated: bool,
    is_ensured: bool,
    is_statement: bool,
}

impl Head {
    fn read(tokens: &[Token], from: usize, joint: Joint) -> Head {
        let (start, is_negated) = order::skip_openers(tokens, from);
        let is_without = tokens.get(start).is_some_and(|token| token.word == "without");
        let (start, is_negated) = if is_without { (start + 1, true) } else { (start, is_negated) };
        let mut head = Head {
            verb: "",
            lead: 0..0,
            body: start,
            is_negated,
            is_ensured: false,
            is_statement: true,
        };
        let found = match joint {
            Joint::And
                if tokens.get(start).is_some_and(|token| {
                    matches!(vocabulary::verb(&token.word), Some((_, Form::Ing)))
                }) =>
            {
                Some(start)
            }
            Joint::Main | Joint::And => order::order(tokens, start),
            Joint::Gerund | Joint::Time | Joint::Infinitive => Some(start),
            Joint::Relative | Joint::Purpose | Joint::Condition => None,
        };
        let Some(at) = found else { return head };
        let Some((verb, _)) = tokens.get(at).and_then(|token| vocabulary::verb(&token.word)) else {
            return head;
        };
        let is_be = verb == "be" && joint == Joint::Infinitive;
        if is_be {
            return head;
        }
        head.lead = order::lead(tokens, start, at);
        let (verb, behind) = order::compound(tokens, at, verb);
        (head.verb, head.body, head.is_statement) = (verb, behind, false);
        if verb == "ensure" {
            head.ensure(tokens);
        }
        head
    }

    fn traits(&self, tokens: &[Token]) -> Vec<Trait> {
        let is_conditional = is_condition(&tokens[self.lead.clone()]);
        let traits = [
            (Trait::Negated, self.is_negated),
            (Trait::Ensured, self.is_ensured),
            (Trait::Conditional, is_conditional),
        ];
        traits.into_iter().filter(|(_, is_so)| *is_so).map(|(trait_, _)| trait_).collect()
    }

    /// "ensure that X is Y", "make sure to update …": the clause is about what is ensured.
    fn ensure(&mut self, tokens: &[Token]) {
        self.is_ensured = true;
        let mut at = self.body;
        while tokens.get(at).is_some_and(|token| {
            matches!(token.word.as_str(), "that" | "to" | "you" | "also" | "we" | "not")
        }) {
            self.is_negated |= tokens[at].word == "not";
            at += 1;
        }
        if let Some(found) = order::order(tokens, at).filter(|found| *found == at) {
            if let Some((verb, _)) = vocabulary::verb(&tokens[found].word) {
                (self.verb, self.body) = order::compound(tokens, found, verb);
            }
        } else {
            (self.body, self.is_statement) = (at, true);
        }
    }
}
