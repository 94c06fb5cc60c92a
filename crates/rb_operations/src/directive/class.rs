//! Classes made of what is there: functions become static methods, parameters an object.

mod members;

use self::members::Members;
use super::Unclear;
use super::clause::Clause;
use super::definitions::{DefinitionKind, Index};
use super::dialect::is_source_name;
use super::phrase::{Item, Link, Name, Phrase};
use super::reading::{self, Reading};
use super::resolve::Resolver;
use super::scope::{self, Scope};
use super::token::is_identifier;
use super::vocabulary::{self, Noun};
use crate::operation::{Operation, SymbolPath};

#[derive(Debug, Clone)]
pub(super) struct Draft {
    class: String,
    /// The name was made from words: "a timezone class".
    descriptor: Option<String>,
    /// Where the class goes.
    places: Vec<Phrase>,
    members: Members,
}

pub(super) fn read(reading: &mut Reading<'_>, at: usize) -> usize {
    let clause = &reading.clauses[at];
    if clause.is_negated() {
        return 0;
    }
    let group = reading.group(at);
    let index = reading.index;
    if let Some(reading::Draft::Class(draft)) = reading.drafts.last_mut()
        && describes_class(clause)
    {
        if matches!(draft.members, Members::Unknown | Members::Described) {
            draft.members = Members::of(index, group, "");
        }
        return group.len();
    }
    let Some(phrase) = new_class(reading, at) else { return 0 };
    let (class, descriptor) = class_name(phrase).unwrap_or_default();
    let is_same = |draft: &reading::Draft| matches!(draft, reading::Draft::Class(known) if known.class == class);
    let is_known = reading.drafts.iter().any(is_same);
    if is_known || created(clause).is_none() && clause.has(vocabulary::REFERENCES) {
        return 0;
    }
    let places = places_of(group, phrase);
    let members = Members::of(index, group, &class);
    reading.drafts.push(reading::Draft::Class(Draft { class, descriptor, places, members }));
    group.len()
}

/// The phrase that names a new class: in this clause, or in the one that hangs on it.
fn new_class<'c>(reading: &Reading<'c>, at: usize) -> Option<&'c Phrase> {
    let clause = &reading.clauses[at];
    let is_tail = |next: &&Clause| {
        next.is_linked() && next.sentence == clause.sentence && clause.is(vocabulary::CHANGE)
    };
    let next = reading.next(at).filter(is_tail);
    let next = next.filter(|next| created(next).is_some() || uses_new_class(next));
    created(clause)
        .or_else(|| next.and_then(class_phrase))
        .or_else(|| wrapping(reading.index, clause).filter(|_| next.is_none()))
}

/// "This class should include …".
fn describes_class(clause: &Clause) -> bool {
    clause
        .linked(Link::Subject)
        .any(|phrase| phrase.has_noun(Noun::Class) && phrase.has(&["this", "the", "new"]))
        && (clause.is(vocabulary::ADD)
            || clause.is(vocabulary::WRAP)
            || clause.is(vocabulary::MERGE))
}

/// "create a class X", "add an X class to a.py".
fn created(clause: &Clause) -> Option<&Phrase> {
    let is_exception =
        |phrase: &Phrase| phrase.has(&["exception", "exceptions", "subclass", "error"]);
    let adds = clause.is(vocabulary::ADD) && !clause.is_passive() && !clause.has(vocabulary::TESTS);
    let phrase = clause.phrases.iter().find(|phrase| {
        phrase.link == Link::Object && phrase.has_noun(Noun::Class) || is_parameter_object(phrase)
    });
    phrase.filter(|phrase| adds && !is_exception(phrase))
}

fn is_parameter_object(phrase: &Phrase) -> bool {
    phrase.has_noun(Noun::Parameter)
        && phrase.has(&["object"])
        && phrase.names.iter().any(|name| starts_upper(&name.text))
}

fn uses_new_class(clause: &Clause) -> bool {
    clause.is(&["use"]) && class_phrase(clause).is_some_and(Phrase::is_new)
}

fn class_phrase(clause: &Clause) -> Option<&Phrase> {
    clause.phrases.iter().find(|phrase| phrase.has_noun(Noun::Class))
}

/// "wrap the functions of a.py in a class X", "replace the parameters of f with an X object".
fn wrapping<'c>(index: &Index<'_>, clause: &'c Clause) -> Option<&'c Phrase> {
    let wraps = [vocabulary::CHANGE, vocabulary::WRAP, vocabulary::MOVE, vocabulary::MERGE]
        .iter()
        .any(|verbs| clause.is(verbs))
        || clause.verb == "make";
    let object = clause.phrases.iter().find(|phrase| phrase.link == Link::Object)?;
    let is_of_members = object.has_noun(Noun::Function)
        || object.has_noun(Noun::Parameter)
        || object.has_noun(Noun::Method)
        || !object.names.is_empty();
    let is_new_class = |phrase: &&Phrase| {
        let is_class = phrase.has_noun(Noun::Class)
            || phrase.has(&["object", "dataclass"]) && object.has_noun(Noun::Parameter);
        let names_new = |name: &Name| {
            starts_upper(&name.text)
                && is_identifier(&name.text)
                && index.definitions(&name.text).is_empty()
        };
        matches!(phrase.link, Link::With | Link::To | Link::In | Link::As | Link::Of)
            && is_class
            && phrase.names.iter().any(names_new)
    };
    clause.phrases.iter().find(is_new_class).filter(|_| wraps && is_of_members)
}

fn starts_upper(text: &str) -> bool {
    text.starts_with(|c: char| c.is_uppercase() || c == '_')
}

/// The name of a class as it is written, or made from the words before "class".
fn class_name(phrase: &Phrase) -> Option<(String, Option<String>)> {
    let names = || phrase.names.iter().filter(|name| is_identifier(&name.text));
    let found = names()
        .find(|name| name.is_called)
        .or_else(|| names().find(|name| starts_upper(&name.text)));
    if let Some(name) = found {
        return Some((name.text.clone(), None));
    }
    let is_skipped = |word: &str| {
        vocabulary::DETERMINERS.contains(&word)
            || ["new", "utility", "helper", "single", "separate", "simple"].contains(&word)
    };
    let mut words: Vec<String> = Vec::new();
    for item in &phrase.items {
        match item {
            Item::Word { word, .. } if matches!(vocabulary::noun(word), Some(Noun::Class)) => break,
            Item::Word { word, .. } if is_skipped(word) => {}
            Item::Word { word, .. } => words.push(word.clone()),
            Item::Name(index) => words.push(phrase.names[*index].text.clone()),
            Item::Separator | Item::Text(_) | Item::Assignment { .. } => return None,
        }
    }
    let parts: Vec<&str> = words.iter().flat_map(|word| word.split(['-', '_'])).collect();
    let name: String = parts.iter().map(|part| capitalized(part)).collect();
    (!parts.is_empty() && is_identifier(&name)).then_some((name, Some(words.join(" "))))
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The phrases that say where the class goes: behind it, or the file that is refactored.
fn places_of(group: &[Clause], phrase: &Phrase) -> Vec<Phrase> {
    let mut places = Vec::new();
    for clause in group {
        if let Some(at) = clause.phrases.iter().position(|other| other == phrase) {
            let is_place = |other: &&Phrase| {
                matches!(other.link, Link::In | Link::Of | Link::To)
                    && !other.has_noun(Noun::Parameter)
            };
            places.extend(clause.phrases[at + 1..].iter().take_while(is_place).cloned());
        }
    }
    let head = &group[0];
    if head.is(vocabulary::CHANGE) {
        let is_file = |phrase: &&Phrase| {
            phrase
                .names
                .iter()
                .any(|name| is_source_name(&name.text) || name.noun == Some(Noun::File))
        };
        places.extend(head.phrases.iter().filter(is_file).cloned());
    }
    places.extend(head.lead.iter().cloned());
    places
}

impl Draft {
    pub(super) fn operations(&self, resolver: &Resolver<'_>) -> Result<Vec<Operation>, Unclear> {
        if self.class.is_empty() {
            return Err(Unclear::new("class", "the name of the new class is not given"));
        }
        if self.descriptor.is_some() {
            resolver.note(format!("the class is called `{}`", self.class));
        }
        let class = &self.class;
        match &self.members {
            Members::Unknown => {
                let why = format!("which functions or parameters `{class}` is for is not said");
                Err(Unclear::new(class, why))
            }
            Members::Described => {
                Err(Unclear::new(class, format!("name the functions that go into `{class}`")))
            }
            Members::Functions { names, places } => self.of_functions(resolver, names, places),
            Members::AllFunctions { places, is_all } => self.of_all(resolver, places, *is_all),
            Members::Parameters { function, places, names } => {
                self.of_parameters(resolver, function, places, names)
            }
        }
    }

    fn of_functions(
        &self,
        resolver: &Resolver<'_>,
        names: &[Name],
        places: &[Phrase],
    ) -> Result<Vec<Operation>, Unclear> {
        let own = file_of(resolver, &self.places)?;
        let scope = Scope::of(resolver.index, places);
        let mut functions: Vec<SymbolPath> = Vec::new();
        for name in names {
            let symbol = resolver.symbol(name, &scope, own.as_deref())?;
            if !functions.contains(&symbol) {
                functions.push(symbol);
            }
        }
        self.encapsulate(functions)
    }

    fn of_all(
        &self,
        resolver: &Resolver<'_>,
        places: &[Phrase],
        is_all: bool,
    ) -> Result<Vec<Operation>, Unclear> {
        let class = &self.class;
        let own = file_of(resolver, places)?;
        let Some(path) =
            own.map_or_else(|| file_of(resolver, &self.places), |own| Ok(Some(own)))?
        else {
            let why = format!("the file whose functions go into `{class}` is not named");
            return Err(Unclear::new(class, why));
        };
        let defined = resolver.index.defined_in(&path).into_iter();
        let functions = defined.filter(|one| one.kind == DefinitionKind::Function);
        let all: Vec<SymbolPath> =
            functions.map(|one| SymbolPath { path: path.clone(), name: one.name }).collect();
        let word = self.descriptor.clone().unwrap_or_default();
        let word = word.to_lowercase().replace([' ', '-'], "_");
        let is_related = |symbol: &&SymbolPath| !word.is_empty() && symbol.name.contains(&word);
        let related: Vec<SymbolPath> = all.iter().filter(is_related).cloned().collect();
        if !is_all && !related.is_empty() && related.len() < all.len() {
            let which = format!("those whose name has `{word}` go into `{class}`");
            resolver.note(format!("of the functions in {path}, {which}"));
            return self.encapsulate(related);
        }
        if all.is_empty() {
            return Err(Unclear::new(&path, format!("{path} has no functions outside of classes")));
        }
        self.encapsulate(all)
    }

    fn encapsulate(&self, functions: Vec<SymbolPath>) -> Result<Vec<Operation>, Unclear> {
        let first = functions.first().map(|symbol| symbol.path.clone());
        if let Some(other) = functions
            .iter()
            .find(|symbol| Some(&symbol.path) != first.as_ref() || symbol.name.contains('.'))
        {
            let why =
                format!("`{}` ({}) is not a function of the same file", other.name, other.path);
            return Err(Unclear::new(&other.name, why));
        }
        Ok(vec![Operation::Encapsulate { functions, class: self.class.clone() }])
    }

    fn of_parameters(
        &self,
        resolver: &Resolver<'_>,
        function: &Name,
        places: &[Phrase],
        names: &[String],
    ) -> Result<Vec<Operation>, Unclear> {
        let own = file_of(resolver, &self.places)?;
        let symbol =
            resolver.symbol(function, &Scope::of(resolver.index, places), own.as_deref())?;
        let module = own.filter(|path| *path != symbol.path).unwrap_or_default();
        Ok(vec![Operation::ParameterObject {
            function: symbol,
            class: self.class.clone(),
            module,
            parameters: names.to_vec(),
        }])
    }
}

/// The file that some phrases name, each narrowed by those behind it.
fn file_of(resolver: &Resolver<'_>, places: &[Phrase]) -> Result<Option<String>, Unclear> {
    for (at, phrase) in places.iter().enumerate() {
        for name in &phrase.names {
            let scope = Scope::of(resolver.index, scope::behind(places, at));
            let is_file = is_source_name(&name.text)
                || name.noun == Some(Noun::File)
                || !resolver.index.files_named(&name.text).is_empty();
            if is_file && name.noun != Some(Noun::Class) {
                let scope = Scope { unknown: Vec::new(), ..scope };
                return resolver.file(name, &scope, None).map(Some);
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::super::dialect::Dialect;
    use super::*;
    use crate::testing::MemoryFiles;

    #[test]
    fn st3_class_names_from_words() {
        let files = MemoryFiles::new("//- a.py\n");
        let index = Index::new(&files, Dialect::Python);
        for (text, expected) in [
            ("a timezone class", "Timezone"),
            ("a new string-to-python converter class", "StringToPythonConverter"),
            ("class Foo", "Foo"),
            ("a class called helpers", "helpers"),
        ] {
            let tokens = super::super::token::tokens(text, &|_| false);
            let phrases = super::super::phrase::phrases(&tokens, Link::Object, &index);
            assert_eq!(class_name(&phrases[0]).unwrap().0, expected, "{text}");
        }
    }
}
