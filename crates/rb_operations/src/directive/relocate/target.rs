//! Where something goes, in words: "to a new file called x.py in lib", "where it is called".

use super::super::Unclear;
use super::super::clause::{Clause, Joint};
use super::super::dialect::is_source_name;
use super::super::phrase::{Lexicon as _, Link, Name, Phrase};
use super::super::reading::Reading;
use super::super::resolve::Resolver;
use super::super::scope::{self, Scope};
use super::super::vocabulary::{self, Noun};
use super::same_file;

/// A file to which something goes.
#[derive(Debug, Clone)]
pub(in crate::directive) struct TargetWords {
    pub(in crate::directive) name: Name,
    pub(in crate::directive) places: Vec<Phrase>,
    pub(in crate::directive) is_new: bool,
    /// "a file called x.py": it may be there.
    pub(in crate::directive) is_indefinite: bool,
}

#[derive(Debug, Clone)]
pub(super) enum Target {
    Named(TargetWords),
    /// "where it is called".
    Users,
}

/// "create a new file called x.py": where something is going to be put.
pub(super) fn new_file(clause: &Clause) -> Option<TargetWords> {
    let at = clause.phrases.iter().position(|phrase| phrase.link == Link::Object)?;
    let phrase = &clause.phrases[at];
    let names_file = phrase.names.last().is_some_and(|name| is_source_name(&name.text));
    let is_file = (phrase.has_noun(Noun::File) || names_file)
        && !phrase.has(vocabulary::TESTS)
        && !phrase.has_noun(Noun::Class);
    let name = phrase.names.last().filter(|_| {
        is_file && clause.is(&["create", "add", "make", "introduce"]) && !clause.is_passive()
    })?;
    let places = scope::behind(&clause.phrases, at).cloned().collect();
    Some(TargetWords { name: name.clone(), places, is_new: true, is_indefinite: true })
}

/// Where it goes, and how many clauses that takes.
pub(super) fn target(reading: &Reading<'_>, at: usize) -> (Option<Target>, usize) {
    let clause = &reading.clauses[at];
    let is_behind = |next: &&Clause| {
        next.joint == Joint::Relative
            && next.sentence == clause.sentence
            && next.names().next().is_none()
    };
    let next = reading.next(at).filter(is_behind);
    let is_use = |next: &Clause| {
        let uses = next.is(&["call", "use", "need", "import"]) || next.has(&["used"]);
        next.has(&["where", "wherever"]) && uses
    };
    if next.is_some_and(is_use) {
        return (Some(Target::Users), 2);
    }
    // "out of the class it is in", "(those not in any class)": says no more.
    let is_aside = next.is_some_and(|next| next.has(&["class", "classes"]));
    (target_words(reading, clause).map(Target::Named), 1 + usize::from(is_aside))
}

fn is_target(clause: &Clause, phrase: &Phrase) -> bool {
    match phrase.link {
        Link::To => true,
        Link::As => clause.is(vocabulary::MERGE),
        Link::In => clause.is(&["put", "place"]),
        _ => false,
    }
}

fn target_words(reading: &Reading<'_>, clause: &Clause) -> Option<TargetWords> {
    let at = clause.phrases.iter().position(|phrase| is_target(clause, phrase))?;
    let phrases = &clause.phrases[at..];
    let first = &phrases[0];
    if !is_one_file(clause, first) {
        return None;
    }
    let is_place =
        |phrase: &&Phrase| is_target(clause, phrase) || matches!(phrase.link, Link::In | Link::Of);
    let places = phrases.iter().take_while(is_place);
    // "to a new file in the folder x called y.py"
    let mut names = places.clone().flat_map(|phrase| &phrase.names);
    let called = names.find(|name| name.is_called).cloned();
    let is_back = first.names.is_empty() && refers_back(first);
    let target = called.or_else(|| if is_back { None } else { file_word(reading, first) });
    let Some(name) = target else {
        return reading.new_file.clone().filter(|_| is_back);
    };
    let known = reading.new_file.as_ref();
    if let Some(known) = known.filter(|known| same_file(&known.name.text, &name.text)) {
        return Some(known.clone());
    }
    let without = |phrase: &Phrase| Phrase {
        names: phrase.names.iter().filter(|other| **other != name).cloned().collect(),
        ..phrase.clone()
    };
    let places = places.map(without).collect();
    let is_indefinite = first.has(&["a", "an", "single"]);
    Some(TargetWords { name, places, is_new: first.is_new(), is_indefinite })
}

/// Not "into two functions", "to a.py and b.py", "into separate files".
fn is_one_file(clause: &Clause, phrase: &Phrase) -> bool {
    let others = [Noun::Class, Noun::Function, Noun::Method];
    let is_other = others.iter().any(|noun| phrase.has_noun(*noun));
    let is_called = phrase.names.iter().any(|name| name.is_called);
    let named = |phrase: &&Phrase| phrase.link == Link::To && !phrase.names.is_empty();
    let targets = clause.phrases.iter().filter(named).count();
    (!is_other || phrase.has_noun(Noun::File))
        && (phrase.names.len() < 2 || is_called)
        && targets < 2
        && !phrase.has(&["files", "modules", "classes", "places"])
}

/// The file that a phrase names; an English word only if there is such a file.
fn file_word(reading: &Reading<'_>, phrase: &Phrase) -> Option<Name> {
    let is_file = |name: &Name| {
        !vocabulary::is_word(&name.text.to_lowercase()) || reading.index.knows_module(&name.text)
    };
    phrase.names_or_word().into_iter().next_back().filter(is_file)
}

/// "into this new file", "to it".
fn refers_back(phrase: &Phrase) -> bool {
    phrase.has(&["it", "this", "that", "there", "the"]) && phrase.names.is_empty()
}

/// A verb that means other things, too, must lead to a file.
pub(super) fn is_file_target(reading: &Reading<'_>, target: Option<&Target>) -> bool {
    match target {
        Some(Target::Named(target)) => {
            is_source_name(&target.name.text)
                || target.name.noun == Some(Noun::File)
                || !reading.index.files_named(&target.name.text).is_empty()
        }
        Some(Target::Users) | None => true,
    }
}

/// The path of the target; next to the source unless the directive gives a folder.
pub(super) fn target_file(
    resolver: &Resolver<'_>,
    words: &TargetWords,
    anchor: &str,
) -> Result<String, Unclear> {
    let scope = Scope::of(resolver.index, &words.places);
    let name = &words.name;
    let is_file_name = is_source_name(&name.text)
        || name.text.contains('/')
        || name.noun == Some(Noun::File)
        || name.is_called;
    let target = resolver.target(words, &scope, anchor, is_file_name)?;
    let text = &name.text;
    if target.path.ends_with("__init__.py") && !text.contains("__init__") {
        return Err(Unclear::new(text, format!("`{text}` is a folder; name the file")));
    }
    if !target.exists && !is_file_name {
        let why = format!("there is no file `{text}` in the project; say that it is new if it is");
        return Err(Unclear::new(text, why));
    }
    Ok(target.path)
}
