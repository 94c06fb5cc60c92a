//! "move f to b.py", "merge a.py into b.py", "get rid of a.py and put it all in b.py": what goes where, in words.

mod modules;
mod operations;
mod target;
mod users;

pub(super) use self::target::TargetWords;
use self::target::{Target, is_file_target, new_file, target};
use super::clause::{Clause, Joint};
use super::dialect::is_source_name;
use super::phrase::{Link, Name, Phrase};
use super::reading::{self, Reading};
use super::scope;
use super::vocabulary::{self, Noun};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    /// Symbols or files by their names.
    Names,
    Everything,
    Functions,
    Classes,
    FunctionsAndClasses,
}

/// What the verb asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    Move,
    /// "get rid of a.py": what becomes of it has to follow.
    Remove,
    /// Of files rather than of what is in them.
    Merge,
    /// A part of a file: the whole of it is not meant.
    Split,
}

#[derive(Debug, Clone)]
pub(super) struct Draft {
    what: What,
    manner: Manner,
    pub(super) names: Vec<Name>,
    /// Where the names are.
    places: Vec<Phrase>,
    /// The files that it comes from, each with what is behind it.
    sources: Vec<(Name, Vec<Phrase>)>,
    target: Option<Target>,
    /// Out of a class.
    is_method: bool,
    /// "the functions that …": by words, not by name.
    is_described: bool,
    pub(super) merge_tests: bool,
    text: String,
}

impl Draft {
    fn new(what: What, manner: Manner, text: &str) -> Self {
        Draft {
            what,
            manner,
            names: Vec::new(),
            places: Vec::new(),
            sources: Vec::new(),
            target: None,
            is_method: false,
            is_described: false,
            merge_tests: false,
            text: text.to_owned(),
        }
    }

    pub(super) fn is_of_modules(&self) -> bool {
        self.what == What::Everything || self.manner == Manner::Merge
    }
}

pub(super) fn read(reading: &mut Reading<'_>, at: usize) -> usize {
    let clause = &reading.clauses[at];
    if clause.is_negated() {
        return 0;
    }
    if let Some(file) = new_file(clause) {
        return create(reading, at, file);
    }
    if clause.is(vocabulary::REMOVE) {
        return removal(reading, at);
    }
    if !(clause.is(vocabulary::MOVE) || clause.is(vocabulary::MERGE)) {
        return 0;
    }
    let (target, taken) = target(reading, at);
    let Some(last) = last_draft(reading) else { return begin(reading, at, target, taken) };
    if clause.is_ensured() || clause.is_passive() && repeats(clause, last) {
        return taken;
    }
    if last.target.is_none() && target.is_some() && is_continued(clause, last) {
        let named: Vec<Name> = own_names(clause);
        last.target = target;
        if last.manner == Manner::Remove && !named.is_empty() {
            last.names = named;
        }
        return taken;
    }
    begin(reading, at, target, taken)
}

fn last_draft<'r>(reading: &'r mut Reading<'_>) -> Option<&'r mut Draft> {
    match reading.drafts.last_mut() {
        Some(reading::Draft::Relocate(draft)) => Some(draft),
        _ => None,
    }
}

/// A later clause says what goes into the new file, unless this one does: "with f and g from b.py".
fn create(reading: &mut Reading<'_>, at: usize, file: TargetWords) -> usize {
    let clause = &reading.clauses[at];
    let is_symbol = |name: &&Name| {
        !is_source_name(&name.text) && !reading.index.definitions(&name.text).is_empty()
    };
    let contents = clause.linked(Link::With).chain(clause.linked(Link::For));
    let names: Vec<Name> =
        contents.flat_map(|phrase| phrase.names.iter().filter(is_symbol).cloned()).collect();
    if names.is_empty() {
        reading.new_file = Some(file);
        return 1;
    }
    let sources = clause.linked(Link::From).flat_map(|phrase| &phrase.names);
    let sources = sources.map(|name| (name.clone(), Vec::new())).collect();
    let target = Some(Target::Named(file));
    let draft = Draft::new(What::Names, Manner::Move, reading.text(clause));
    reading.drafts.push(reading::Draft::Relocate(Draft { names, sources, target, ..draft }));
    1
}

/// "remove a.py": something has to follow, unless it was moved before.
fn removal(reading: &mut Reading<'_>, at: usize) -> usize {
    let clause = &reading.clauses[at];
    if reading.drafts.iter().any(|draft| is_removed_by(draft, clause)) {
        return 1;
    }
    let sources: Vec<(Name, Vec<Phrase>)> = file_names(reading, clause);
    if clause.is_passive() || sources.is_empty() || clause.has(vocabulary::REFERENCES) {
        return 0;
    }
    let draft = Draft::new(What::Everything, Manner::Remove, reading.text(clause));
    reading.drafts.push(reading::Draft::Relocate(Draft { sources, ..draft }));
    1
}

/// What is to be removed is what an operation moves or renames.
fn is_removed_by(draft: &reading::Draft, clause: &Clause) -> bool {
    let reading::Draft::Relocate(draft) = draft else {
        let is_old = clause.has(&["old", "original", "unused", "references", "imports"]);
        return is_old && clause.names().next().is_none();
    };
    let places = draft.places.iter().flat_map(|phrase| &phrase.names);
    let sources = draft.sources.iter().map(|(name, _)| name);
    let known: Vec<&Name> = draft.names.iter().chain(sources).chain(places).collect();
    let is_known = |name: &Name| {
        name.text.starts_with("test_")
            || known.iter().any(|known| same_file(&known.text, &name.text))
    };
    let mut objects = clause.linked(Link::Object).flat_map(|phrase| &phrase.names);
    draft.target.is_some() && objects.all(is_known)
}

fn same_file(a: &str, b: &str) -> bool {
    a.trim_end_matches(".py") == b.trim_end_matches(".py")
}

/// The files that a clause is about, and not what is in them.
fn file_names(reading: &Reading<'_>, clause: &Clause) -> Vec<(Name, Vec<Phrase>)> {
    let is_content = clause.linked(Link::Object).any(is_everything);
    let is_file = |name: &&Name| {
        let is_definition = !reading.index.definitions(&name.text).is_empty();
        let has_file = !reading.index.files_named(&name.text).is_empty();
        is_source_name(&name.text)
            || name.noun == Some(Noun::File)
            || has_file && (!is_definition || !name.qualifiers.is_empty())
    };
    let is_source = |phrase: &Phrase| match phrase.link {
        Link::Object => true,
        Link::In | Link::From | Link::Of => is_content,
        _ => false,
    };
    let mut found = clause.phrases.iter().enumerate().filter(|(_, phrase)| is_source(phrase)).map(
        |(at, phrase)| {
            let places: Vec<Phrase> = scope::behind(&clause.phrases, at).cloned().collect();
            let names = phrase.names.iter().filter(is_file);
            names.map(|name| (name.clone(), places.clone())).collect::<Vec<_>>()
        },
    );
    found.find(|names| !names.is_empty()).unwrap_or_default()
}

/// "all the content", "everything".
fn is_everything(phrase: &Phrase) -> bool {
    let words = [
        "content",
        "contents",
        "everything",
        "functionality",
        "functionalities",
        "information",
        "code",
        "logic",
        "stuff",
        "definitions",
        "tests",
        "components",
    ];
    phrase.has(&words) || phrase.has(&["all"]) && phrase.has(&["it"])
}

/// It says where what was named before goes: "and put it in b.py".
fn is_continued(clause: &Clause, last: &Draft) -> bool {
    let Some(object) = clause.linked(Link::Object).next() else { return true };
    let words = ["function", "functions", "class", "classes", "content", "contents", "code", "all"];
    let is_pronoun = object.has(vocabulary::PRONOUNS) || object.has(&words);
    object.names.is_empty() && is_pronoun || last.manner == Manner::Remove
}

/// A statement about what is moved anyway: "ensure that `A` and `B` are transferred to b.py".
fn repeats(clause: &Clause, last: &Draft) -> bool {
    let is_same = |name: &Name| match &last.target {
        Some(Target::Named(target)) => same_file(&target.name.text, &name.text),
        Some(Target::Users) | None => false,
    };
    clause.linked(Link::To).flat_map(|phrase| &phrase.names).any(is_same)
}

/// The names that a clause moves.
fn own_names(clause: &Clause) -> Vec<Name> {
    let names = |phrase: &Phrase| {
        let has_word = phrase.words().any(|word| !vocabulary::is_word(word));
        if has_word && phrase.nouns().next().is_none() {
            phrase.names_or_word()
        } else {
            phrase.names.clone()
        }
    };
    clause.linked(Link::Object).flat_map(names).collect()
}

/// Verbs that mean other things, too: they must lead to a file.
const VAGUE: &[&str] = &[
    "refactor",
    "take",
    "bring",
    "put",
    "place",
    "pull",
    "push",
    "split",
    "break",
    "integrate",
    "join",
    "fold",
    "separate",
    "inline",
    "incorporate",
    "factor",
    "migrate",
];

fn begin(reading: &mut Reading<'_>, at: usize, target: Option<Target>, taken: usize) -> usize {
    let clause = &reading.clauses[at];
    let objects: Vec<&Phrase> =
        clause.phrases.iter().filter(|phrase| phrase.link == Link::Object).collect();
    let mut names = own_names(clause);
    if names.is_empty() && objects.iter().any(|phrase| phrase.has(&["it", "this", "that"])) {
        names = renamed_before(reading);
    }
    let is_of_kind = |phrase: &&Phrase| {
        is_everything(phrase) || phrase.has_noun(Noun::Function) || phrase.has_noun(Noun::Class)
    };
    let has_source = clause.linked(Link::From).any(|phrase| !phrase.names.is_empty());
    let is_named = !names.is_empty() || has_source || objects.iter().any(is_of_kind);
    let leads_to_file =
        is_file_target(reading, target.as_ref()) && (target.is_some() || clause.verb == "take");
    if clause.is(VAGUE) && !leads_to_file || !is_named {
        return 0;
    }
    let next = reading.next(at).filter(|next| next.sentence == clause.sentence);
    let is_described = names.is_empty()
        && target.is_none()
        && next.is_some_and(|next| next.joint == Joint::Relative);
    let (sources, is_method) = sources(clause);
    let draft = Draft {
        names,
        places: places(reading, clause),
        sources,
        target,
        is_method,
        is_described,
        ..Draft::new(what(&objects, clause), manner(clause), reading.text(clause))
    };
    reading.drafts.push(reading::Draft::Relocate(draft));
    if is_described { reading.group(at).len() } else { taken }
}

fn manner(clause: &Clause) -> Manner {
    if clause.is(vocabulary::MERGE) {
        Manner::Merge
    } else if clause.is(&["split", "separate", "break", "extract", "factor", "isolate"]) {
        Manner::Split
    } else {
        Manner::Move
    }
}

/// Where the objects are: what stands behind them, or before the verb.
fn places(reading: &Reading<'_>, clause: &Clause) -> Vec<Phrase> {
    let is_put = clause.is(&["put", "place"]) && clause.linked(Link::To).next().is_none();
    let object = clause.phrases.iter().position(|phrase| phrase.link == Link::Object);
    let behind = object.filter(|_| !is_put).map(|at| scope::behind(&clause.phrases, at));
    let is_place = |phrase: &&Phrase| matches!(phrase.link, Link::In | Link::Of | Link::From);
    let leading = clause.lead.iter().chain(&reading.place).filter(is_place);
    behind.into_iter().flatten().chain(leading).cloned().collect()
}

/// The files that it comes from, and whether it comes out of a class.
fn sources(clause: &Clause) -> (Vec<(Name, Vec<Phrase>)>, bool) {
    let mut sources: Vec<(Name, Vec<Phrase>)> = Vec::new();
    let mut is_method = false;
    let is_class = |phrase: &Phrase| phrase.has_noun(Noun::Class) && !phrase.has(&["classes"]);
    for (at, phrase) in
        clause.phrases.iter().enumerate().filter(|(_, phrase)| phrase.link == Link::From)
    {
        let behind: Vec<Phrase> = scope::behind(&clause.phrases, at).cloned().collect();
        is_method |= is_class(phrase) || behind.iter().any(is_class);
        sources.extend(phrase.names.iter().map(|name| (name.clone(), behind.clone())));
    }
    (sources, is_method)
}

/// "rename a to b and move it": what the request before was about.
fn renamed_before(reading: &Reading<'_>) -> Vec<Name> {
    match reading.drafts.last() {
        Some(reading::Draft::Rename(draft)) => draft.to.clone().into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Words that leave no function or class out.
const ALL: &[&str] = &[
    "the",
    "all",
    "every",
    "of",
    "its",
    "their",
    "standalone",
    "stand-alone",
    "outside",
    "free",
    "free-standing",
    "freestanding",
    "top-level",
    "toplevel",
    "module-level",
    "global",
    "non-class",
    "entire",
    "existing",
    "functions",
    "classes",
    "those",
    "contained",
    "not",
    "constants",
    "both",
    "plain",
    "defined",
];

fn what(objects: &[&Phrase], clause: &Clause) -> What {
    let has = |noun: Noun| objects.iter().any(|phrase| phrase.has_noun(noun));
    let is_excepted = |noun: Noun| clause.linked(Link::Except).any(|phrase| phrase.has_noun(noun));
    let names_symbols =
        objects.iter().flat_map(|phrase| &phrase.names).any(|name| !is_source_name(&name.text));
    if names_symbols {
        return What::Names;
    }
    if objects.iter().any(|phrase| is_everything(phrase)) {
        return What::Everything;
    }
    // "some functions", "the parsing functions", "the function": which ones is not said.
    let is_all = |phrase: &&Phrase| phrase.words().all(|word| ALL.contains(&word));
    if !objects.iter().all(is_all) {
        return What::Names;
    }
    match (has(Noun::Function), has(Noun::Class) && !is_excepted(Noun::Class)) {
        (true, true) => What::FunctionsAndClasses,
        (true, false) => What::Functions,
        (false, true) => What::Classes,
        (false, false) => What::Names,
    }
}
