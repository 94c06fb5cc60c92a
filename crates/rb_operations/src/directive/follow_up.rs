//! Clauses that only say what an operation does anyway: "update all the references", "to improve readability".

use super::clause::{Clause, Joint};
use super::dialect::is_source_name;
use super::phrase::{Link, Name, Phrase};
use super::reading::Reading;
use super::vocabulary::{self, Noun};

/// Verbs of which a negation says that the old thing is gone.
const GONE: &[&str] = &[
    "import",
    "reference",
    "use",
    "call",
    "point",
    "remain",
    "exist",
    "include",
    "refer",
    "contain",
    "break",
    "be",
    "leave",
    "miss",
    "forget",
    "attempt",
    "define",
    "need",
    "mention",
    "have",
    "locate",
    "show",
];

/// Verbs that need more than themselves to be a follow-up.
const WEAK: &[&str] = &[
    "add", "include", "set", "make", "have", "be", "do", "test", "run", "work", "pass", "call",
    "access", "use", "rename", "change", "modify", "switch", "convert", "migrate", "export",
    "alias", "leave", "handle", "refactor", "touch", "replace", "build", "edit", "import",
];

/// What a follow-up is about.
const ABOUT: &[&str] = &[
    "accordingly",
    "everything",
    "code",
    "documentation",
    "docs",
    "tests",
    "test",
    "comments",
    "comment",
    "change",
    "changes",
    "consistency",
    "dependencies",
    "location",
    "locations",
    "name",
    "names",
    "naming",
    "needed",
    "necessary",
    "places",
    "place",
    "docstrings",
    "rest",
    "anything",
    "files",
    "docstring",
    "elsewhere",
    "everywhere",
    "documents",
    "links",
    "updates",
    "functionality",
    "appropriate",
];

pub(super) fn read(reading: &mut Reading<'_>, at: usize) -> usize {
    let clause = &reading.clauses[at];
    if clause.joint == Joint::Condition && reading.is_after_follow_up() {
        let is_of_uses = clause.is(GONE) || clause.has(vocabulary::REFERENCES);
        return usize::from(is_of_uses && !clause.is_negated());
    }
    if is_remark(clause) {
        return 1;
    }
    if clause.verb == "locate" && !clause.is_passive() && !clause.is_negated() {
        reading.place = clause.phrases.iter().map(as_place).collect();
        return 1;
    }
    if explains(clause) {
        let is_harmless = |next: &&Clause| {
            is_follow_up(next) || !restricts(next) && next.names().next().is_none()
        };
        return 1 + reading.sentence(at)[1..].iter().take_while(is_harmless).count();
    }
    if let Some(name) = opinion(clause).filter(|_| reading.drafts.is_empty()) {
        reading.topic = Some(name);
        reading.is_topic_name = clause.has(&["name", "named", "called"]);
        return reading.group(at).len();
    }
    follow_up(reading, at)
}

/// When, why and where, which asks for nothing.
fn is_remark(clause: &Clause) -> bool {
    clause.joint == Joint::Time
        || clause.joint == Joint::Purpose && !restricts(clause)
        || is_place_of_use(clause)
        || is_benefit(clause)
}

/// "update all references": how many clauses say so.
fn follow_up(reading: &Reading<'_>, at: usize) -> usize {
    let clause = &reading.clauses[at];
    let group = reading.group(at);
    let is_first = reading.drafts.is_empty();
    let is_known = is_follow_up(clause) && !(is_first && clause.is(&["rename"]))
        || !is_first && (imports_moved(reading, clause) || points_elsewhere(group));
    if !is_known {
        return 0;
    }
    if clause.names().any(|name| name.text == "__all__") {
        // What is exported follows what is moved or renamed.
        let rest = reading.sentence(at)[1..].iter().take_while(|next| next.joint != Joint::And);
        return 1 + rest.count();
    }
    // What hangs on it says no more, unless it is a request of its own or restricts.
    1 + group[1..].iter().take_while(|next| is_tail(next)).count()
}

/// "`f` is a bad name": a remark about a symbol before the request itself.
fn opinion(clause: &Clause) -> Option<Name> {
    let mut names = clause.names().filter(|name| !is_source_name(&name.text));
    let (first, second) = (names.next(), names.next());
    let is_opinion =
        clause.is(&["be", "look", "seem", "think"]) && !clause.is_passive() && !restricts(clause);
    first.filter(|_| is_opinion && second.is_none()).cloned()
}

/// "where it is defined", "wherever it is imported".
fn is_place_of_use(clause: &Clause) -> bool {
    let is_where = clause.words.first().is_some_and(|word| word == "where" || word == "wherever");
    let says = clause.is(&[
        "define",
        "call",
        "use",
        "import",
        "reference",
        "locate",
        "live",
        "be",
        "need",
        "exist",
        "belong",
        "refer",
        "utilize",
    ]);
    clause.joint == Joint::Relative && is_where && says && !restricts(clause)
}

/// "and improve code readability".
fn is_benefit(clause: &Clause) -> bool {
    let says = clause.is(&[
        "improve",
        "enhance",
        "simplify",
        "clarify",
        "facilitate",
        "maintain",
        "accomplish",
    ]);
    let keeps = clause.is(vocabulary::KEEP)
        && clause.has(&[
            "functionality",
            "behavior",
            "behaviour",
            "semantics",
            "logic",
            "purpose",
            "exports",
            "structure",
            "style",
            "nature",
            "tasks",
        ]);
    (says && clause.names().next().is_none() && !restricts(clause))
        || keeps && !clause.is_negated() && !has_exception(clause)
}

/// "update tests.py to import it from its new location".
fn points_elsewhere(group: &[Clause]) -> bool {
    let [head, tail @ ..] = group else { return false };
    let is_change = head.is(&["update", "modify", "adjust", "change", "edit", "fix"])
        && !head.is_negated()
        && !has_exception(head);
    let points = |clause: &Clause| {
        clause.is(&[
            "import",
            "use",
            "reference",
            "reflect",
            "point",
            "call",
            "utilize",
            "align",
            "refer",
        ])
    };
    is_change && tail.first().is_some_and(|next| points(next) && !restricts(next))
}

fn as_place(phrase: &Phrase) -> Phrase {
    Phrase { link: Link::In, ..phrase.clone() }
}

/// Subjects of remarks.
const THIS: &[&str] = &[
    "this",
    "these",
    "change",
    "task",
    "update",
    "move",
    "renaming",
    "refactoring",
    "process",
    "which",
    "it",
];
const SAYS: &[&str] = &[
    "ensure",
    "help",
    "allow",
    "improve",
    "maintain",
    "affect",
    "reflect",
    "include",
    "involve",
    "harmonize",
    "enhance",
    "require",
    "do",
    "be",
    "make",
    "simplify",
    "reduce",
    "keep",
    "facilitate",
    "serve",
    "mean",
    "intend",
    "apply",
    "clarify",
    "follow",
    "want",
    "need",
];

/// "This change will help to …".
fn explains(clause: &Clause) -> bool {
    let is_this = |phrase: &Phrase| {
        phrase.names.is_empty()
            && (phrase.has(THIS) || phrase.has_noun(Noun::Project))
            && !phrase.has_noun(Noun::Parameter)
            && !phrase.has_noun(Noun::Class)
    };
    let mut subjects =
        clause.phrases.iter().filter(|one| matches!(one.link, Link::Subject | Link::Object));
    let begins = clause.words.first().is_some_and(|word| word == "this" || word == "these");
    begins
        && !matches!(clause.joint, Joint::Infinitive | Joint::Gerund)
        && (clause.is(SAYS) || clause.verb.is_empty())
        && !clause.is_negated()
        && !clause.has(&["except", "unless", "never"])
        && subjects.next().is_some_and(is_this)
}

fn is_tail(clause: &Clause) -> bool {
    let is_request = clause.is(vocabulary::REMOVE) && clause.names().next().is_some();
    let is_harmless = !restricts(clause) || is_follow_up(clause);
    !is_request
        && is_harmless
        && (clause.is(vocabulary::FOLLOW) || clause.verb.is_empty() || clause.joint != Joint::And)
}

pub(super) fn is_follow_up(clause: &Clause) -> bool {
    let is_about = clause.has(vocabulary::REFERENCES)
        || clause.has(ABOUT)
        || clause.all_phrases().any(|phrase| phrase.has_noun(Noun::Project))
        || clause.names().any(|name| name.text == "__all__");
    let is_follow = clause.is(vocabulary::FOLLOW) || clause.is_ensured();
    let is_weak = clause.is(WEAK) && !clause.is_ensured();
    let is_reference = clause.has(vocabulary::REFERENCES)
        || clause.has(&["accordingly", "everything", "tests", "updates", "adjustments", "changes"])
        || clause.all_phrases().any(|phrase| phrase.has_noun(Noun::Project));
    if clause.is_negated() {
        return clause.is(GONE)
            && (clause.is_ensured()
                || clause
                    .has(&["old", "outdated", "anymore", "longer", "previous", "nothing", "no"]));
    }
    let is_sure =
        clause.is_ensured() && (is_about || clause.is_passive() || clause.names().next().is_some());
    is_follow
        && (is_sure || (if is_weak { is_reference } else { is_about || clause.phrases.is_empty() }))
        && (!has_exception(clause) || clause.is_ensured() && !clause.has(&["except", "unless"]))
}

/// "import it into routes", "make sure to import the helpers from a.b": a move brings its imports along.
fn imports_moved(reading: &Reading<'_>, clause: &Clause) -> bool {
    let is_moved = reading.drafts.iter().any(|draft| {
        matches!(draft, super::reading::Draft::Relocate(_) | super::reading::Draft::Class(_))
    });
    clause.verb == "import" && is_moved && !clause.is_negated() && !has_exception(clause)
}

/// In a request: an exception that is more than "only `f`", "not the classes" or "not in any class".
pub(super) fn has_unread_exception(clause: &Clause) -> bool {
    let is_of_kinds =
        |phrase: &Phrase| phrase.has_noun(Noun::Class) || phrase.has_noun(Noun::Function);
    if clause.linked(Link::Except).next().is_some_and(is_of_kinds) {
        return false;
    }
    has_exception(clause) || clause.has(&["without"]) || clause.is_conditional()
}

fn has_exception(clause: &Clause) -> bool {
    let word = |at: usize| clause.tokens.get(at).map_or("", |token| token.word.as_str());
    (0..clause.tokens.len()).any(|at| {
        let next = word(at + 1);
        let is_read = match word(at) {
            "only" => {
                next.is_empty() && at + 1 < clause.tokens.len()
                    || vocabulary::DETERMINERS.contains(&next)
            }
            "instead" => next == "of" || at + 1 == clause.tokens.len(),
            "not" => {
                (at + 1..at + 6).any(|at| matches!(word(at), "class" | "classes")) || next == "only"
            }
            "without" => true,
            _ => false,
        };
        vocabulary::RESTRICTIONS.contains(&word(at)) && !is_read
    })
}

/// It narrows what may be done: not to understand it is to do the wrong thing.
pub(super) fn restricts(clause: &Clause) -> bool {
    clause.is_negated()
        || has_exception(clause)
        || clause.joint == Joint::Condition
        || clause.is(&["keep", "leave", "retain", "preserve"])
}
