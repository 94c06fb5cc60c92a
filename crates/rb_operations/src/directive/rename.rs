//! "rename a to b": symbols, parameters, files, folders.

use super::Unclear;
use super::clause::{Clause, Joint};
use super::condition::Keep;
use super::definitions::{DefinitionKind, folder_of, last, normalized};
use super::dialect::{is_source_name, stem};
use super::phrase::{Link, Name, Phrase};
use super::reading::{self, Reading};
use super::resolve::{Resolver, plain};
use super::scope::{self, Scope};
use super::sequence;
use super::signature;
use super::token::is_identifier;
use super::vocabulary::{self, Noun};
use crate::operation::Operation;

#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    pub(super) object: Option<Name>,
    pub(super) to: Option<Name>,
    /// Whose parameter it is.
    function: Option<Name>,
    places: Vec<Phrase>,
    /// The clause, for messages.
    text: String,
    pub(super) keep: Option<Keep>,
    pub(super) alias: bool,
    pub(super) rename_tests: bool,
    pub(super) rename_files: bool,
    pub(super) note: Option<String>,
}

pub(super) fn read(reading: &mut Reading<'_>, at: usize) -> usize {
    let clause = &reading.clauses[at];
    if clause.is_negated() {
        return 0;
    }
    let next = reading.next(at);
    let (phrases, taken) = if clause.verb == "rename" && clause.phrases.is_empty() {
        // "Rename and update references of a to b".
        match next {
            Some(next) if next.is(vocabulary::FOLLOW) => (next.phrases.clone(), 2),
            Some(_) | None => (Vec::new(), 1),
        }
    } else if clause.verb == "rename" || is_change_of_name(clause) || is_named(clause) {
        (clause.phrases.clone(), 1)
    } else if clause.is(vocabulary::CHANGE)
        && let Some(next) =
            next.filter(|next| next.verb == "rename" && next.joint == Joint::Infinitive)
    {
        // "refactor a to be renamed as b".
        (clause.phrases.iter().chain(&next.phrases).cloned().collect(), 2)
    } else if is_update_to_name(reading, clause) || is_change_of_topic(reading, clause) {
        (clause.phrases.clone(), 1)
    } else {
        return 0;
    };
    let mut places: Vec<Phrase> = clause.lead.clone();
    places.extend(reading.place.iter().cloned());
    let text = reading.text(clause).to_owned();
    let drafts = drafts(&phrases, &places, &text, reading);
    reading.drafts.extend(drafts.into_iter().map(reading::Draft::Rename));
    taken
}

/// "change the name of a to b", "change the function name from a to b".
fn is_change_of_name(clause: &Clause) -> bool {
    let has_target =
        clause.phrases.iter().any(|phrase| phrase.link == Link::To && !phrase.names.is_empty());
    clause.is(vocabulary::CHANGE)
        && clause.has(&["name", "names"])
        && has_target
        && !clause.has(vocabulary::REFERENCES)
}

/// "a should be called b".
fn is_named(clause: &Clause) -> bool {
    let objects: Vec<&Phrase> =
        clause.phrases.iter().filter(|phrase| phrase.link == Link::Object).collect();
    clause.is(&["call", "name"])
        && clause.is_passive()
        && objects.len() == 2
        && objects.iter().all(|phrase| !phrase.names.is_empty())
}

/// "update the function named a to b": one thing that is there, one name that is not.
fn is_update_to_name(reading: &Reading<'_>, clause: &Clause) -> bool {
    let one = |link: Link| {
        let mut phrases = clause.phrases.iter().filter(move |phrase| phrase.link == link);
        phrases.next().filter(|phrase| phrase.names.len() == 1).map(|phrase| &phrase.names[0])
    };
    let replaces =
        clause.verb == "replace" && (clause.has(&["name"]) || clause.has(vocabulary::REFERENCES));
    let to = if replaces { one(Link::With).or_else(|| one(Link::By)) } else { one(Link::To) };
    let object = one(Link::Object).or_else(|| one(Link::Of).filter(|_| replaces));
    let (Some(object), Some(to)) = (object, to) else { return false };
    let is_definition =
        reading.index.definitions(last_part(&object.text)).iter().any(|one| match one.kind {
            DefinitionKind::Function | DefinitionKind::Class | DefinitionKind::Method => true,
            DefinitionKind::Constant | DefinitionKind::Attribute => {
                matches!(object.noun, Some(Noun::Value)) || replaces
            }
        });
    let is_new = is_identifier(&to.text)
        && !to.is_plain
        && to.noun != Some(Noun::Class)
        && reading.index.definitions(&to.text).is_empty();
    let is_change =
        clause.is(&["update", "change", "modify", "alter"]) && !clause.has(vocabulary::REFERENCES);
    (is_change || replaces) && is_definition && is_new && object.noun != Some(Noun::Parameter)
}

/// "Its name is misleading; change it to b."
fn is_change_of_topic(reading: &Reading<'_>, clause: &Clause) -> bool {
    let is_it = clause
        .linked(Link::Object)
        .next()
        .is_some_and(|phrase| phrase.names.is_empty() && phrase.has(&["it", "that"]));
    let has_target = clause.linked(Link::To).any(|phrase| target_names(phrase).len() == 1);
    clause.is(&["change", "rename"])
        && is_it
        && has_target
        && reading.drafts.is_empty()
        && reading.topic.is_some()
        && reading.is_topic_name
}

/// One draft for each pair: "a to b and c to d", "a and b to c and d".
fn drafts(phrases: &[Phrase], places: &[Phrase], text: &str, reading: &Reading<'_>) -> Vec<Draft> {
    let mut objects: Vec<(Name, usize)> = Vec::new();
    let mut drafts = Vec::new();
    for (at, phrase) in phrases.iter().enumerate() {
        let is_second_object = phrase.link == Link::Object && !objects.is_empty();
        if is_target(phrases, at) || is_second_object {
            let names = target_names(phrase);
            let count = objects.len().max(1);
            let is_followed = (at + 1..phrases.len()).any(|at| is_target(phrases, at));
            let is_paired = names.len() == count || names.len() > 1 && count == 1 && is_followed;
            if !is_paired || objects.is_empty() {
                drafts.push(Draft { text: text.to_owned(), ..Draft::default() });
            }
            let rest = names.iter().skip(count).map(|name| (name.clone(), at)).collect();
            let pairs = objects.drain(..).zip(names).filter(|_| is_paired);
            drafts.extend(pairs.map(|((object, object_at), to)| {
                let behind = scope::behind(phrases, object_at).chain(scope::behind(phrases, at));
                draft(object, Some(to), behind.chain(places).cloned().collect(), text, reading)
            }));
            objects = rest;
        } else if phrase.link == Link::Object {
            objects.extend(object_names(phrase, reading).into_iter().map(|name| (name, at)));
        } else if drafts.is_empty() && (phrase.link == Link::From || is_named_behind(phrases, at)) {
            objects.extend(phrase.names.iter().map(|name| (name.clone(), at)));
        }
    }
    if drafts.is_empty() || !objects.is_empty() {
        let object = objects.first().map(|(name, _)| name.clone());
        drafts.push(Draft { object, text: text.to_owned(), ..Draft::default() });
    }
    drafts
}

/// Is it the new name? "as b" and "with b" only where there is no "to b".
fn is_target(phrases: &[Phrase], at: usize) -> bool {
    match phrases[at].link {
        Link::To => true,
        Link::As | Link::With | Link::By => {
            !phrases.iter().any(|phrase| phrase.link == Link::To)
                && !phrases[at].names_and_words().is_empty()
        }
        _ => false,
    }
}

/// "the name of a", "references of a": what is renamed stands behind.
fn is_named_behind(phrases: &[Phrase], at: usize) -> bool {
    let mut objects = phrases[..at].iter().filter(|phrase| phrase.link == Link::Object);
    let leads =
        |phrase: &Phrase| phrase.has(&["name", "names"]) || phrase.has(vocabulary::REFERENCES);
    matches!(phrases[at].link, Link::Of | Link::For)
        && objects.all(|phrase| phrase.names.is_empty() && leads(phrase))
}

/// New names need not be known: every word that is no English counts, in its place.
fn target_names(phrase: &Phrase) -> Vec<Name> {
    let names = phrase.names_and_words();
    if names.is_empty() {
        return phrase.names_or_word();
    }
    let known = |text: &str| phrase.names.iter().find(|name| name.text == text).cloned();
    names.iter().map(|text| known(text).unwrap_or_else(|| plain(text))).collect()
}

/// What is renamed; "it" is what the request before was about.
fn object_names(phrase: &Phrase, reading: &Reading<'_>) -> Vec<Name> {
    let names = phrase.names_or_word();
    if !names.is_empty() || !phrase.has(&["it", "this", "that"]) {
        return names;
    }
    match reading.drafts.last() {
        Some(reading::Draft::Relocate(draft)) if draft.names.len() == 1 => draft.names.clone(),
        Some(reading::Draft::Rename(draft)) => draft.to.clone().into_iter().collect(),
        Some(
            reading::Draft::Relocate(_)
            | reading::Draft::Parameter(_)
            | reading::Draft::Class(_)
            | reading::Draft::Import(_),
        ) => Vec::new(),
        None => reading.topic.clone().into_iter().collect(),
    }
}

/// A parameter's function is what its place names first.
fn draft(
    object: Name,
    to: Option<Name>,
    mut places: Vec<Phrase>,
    text: &str,
    reading: &Reading<'_>,
) -> Draft {
    let mut function = None;
    if object.noun == Some(Noun::Parameter) {
        function = object.qualifiers.last().map(|name| plain(name));
        for phrase in &mut places {
            let is_function = |name: &Name| {
                !is_source_name(&name.text)
                    && !reading.index.definitions(last_part(&name.text)).is_empty()
            };
            if function.is_none()
                && let Some(found) = phrase.names.iter().position(is_function)
            {
                function = Some(phrase.names.remove(found));
            }
        }
    }
    Draft { object: Some(object), to, function, places, text: text.to_owned(), ..Draft::default() }
}

fn last_part(name: &str) -> &str {
    name.rsplit(['.', '#']).next().unwrap_or(name)
}

impl Draft {
    pub(super) fn operations(
        &self,
        resolver: &Resolver<'_>,
        earlier: &[Operation],
    ) -> Result<Vec<Operation>, Unclear> {
        let Some(object) = &self.object else {
            return Err(Unclear::new(&self.text, "what is renamed to what is not said"));
        };
        let Some(to) = &self.to else {
            let why = format!("the new name of `{}` is not given", object.text);
            return Err(Unclear::new(&object.text, why));
        };
        let scope = Scope::of(resolver.index, &self.places);
        let is_symbol = object.noun != Some(Noun::Parameter)
            && !is_folder(resolver, object, to, &scope)
            && !is_file(resolver, object, to, &scope);
        if self.alias && !is_symbol {
            let why = "an alias is kept for functions, classes, methods and constants alone";
            return Err(Unclear::new(&object.text, why));
        }
        if object.noun == Some(Noun::Parameter) {
            return self.parameter(resolver, object, to, &scope);
        }
        if let Some(made) = sequence::renamed_again(earlier, &object.text, &to.text) {
            return Ok(vec![made]);
        }
        if is_folder(resolver, object, to, &scope) {
            let path = resolver.folder(object, &scope, "")?;
            let text = normalized(&to.text).replace('.', "/");
            let to = moved_name(&path, last(&text));
            return Ok(vec![Operation::RenameModule { path, to }]);
        }
        if is_file(resolver, object, to, &scope) {
            return self.file(resolver, object, to, &scope);
        }
        self.symbol(resolver, object, to, &scope)
    }

    fn symbol(
        &self,
        resolver: &Resolver<'_>,
        object: &Name,
        to: &Name,
        scope: &Scope,
    ) -> Result<Vec<Operation>, Unclear> {
        let symbol = resolver.symbol(object, scope, None)?;
        let name = last_part(&to.text);
        if !is_identifier(name) {
            let why = format!("`{}` is not a name that Python allows", to.text);
            return Err(Unclear::new(&to.text, why));
        }
        let keep_name_in = match &self.keep {
            Some(keep) => keep.modules(resolver.index, &symbol)?,
            None => Vec::new(),
        };
        Ok(vec![Operation::Rename {
            symbol,
            to: name.to_owned(),
            keep_name_in,
            alias: self.alias,
            rename_tests: self.rename_tests,
            rename_files: self.rename_files,
            note_in_changelogs: self.note.clone(),
        }])
    }

    fn file(
        &self,
        resolver: &Resolver<'_>,
        object: &Name,
        to: &Name,
        scope: &Scope,
    ) -> Result<Vec<Operation>, Unclear> {
        let path = resolver.file(object, scope, None)?;
        let new = renamed_file(resolver, &path, to)?;
        let mut renamed = vec![Operation::RenameModule { path: path.clone(), to: new.clone() }];
        if self.rename_files {
            let tests = format!("test_{}.py", stem(&path));
            let found = resolver.index.files_named(&tests);
            let to = format!("test_{}.py", stem(&new));
            renamed.extend(
                found
                    .into_iter()
                    .map(|path| Operation::RenameModule { to: moved_name(&path, &to), path }),
            );
            if renamed.len() == 1 {
                return Err(Unclear::new(
                    &tests,
                    format!("there is no test file `{tests}` that could follow"),
                ));
            }
        }
        Ok(renamed)
    }

    fn parameter(
        &self,
        resolver: &Resolver<'_>,
        object: &Name,
        to: &Name,
        scope: &Scope,
    ) -> Result<Vec<Operation>, Unclear> {
        let Some(function) = &self.function else {
            return Err(Unclear::new(
                &object.text,
                format!("whose parameter `{}` is, is not said", object.text),
            ));
        };
        let function = resolver.symbol(function, scope, None)?;
        signature::check(resolver.index, &function, &object.text)?;
        Ok(vec![Operation::RenameParameter {
            function,
            parameter: object.text.clone(),
            to: to.text.clone(),
        }])
    }
}

/// A package is meant if it is called so, or if nothing else has this name.
fn is_folder(resolver: &Resolver<'_>, object: &Name, to: &Name, scope: &Scope) -> bool {
    let index = resolver.index;
    let is_there = !index.folders_named(&object.text).is_empty();
    let is_other = is_source_name(&object.text) || is_source_name(&to.text);
    let is_only = index.definitions(last_part(&object.text)).is_empty()
        && index.files_named(&object.text).iter().all(|path| stem(path) == last(folder_of(path)));
    is_there && !is_other && (object.noun == Some(Noun::Folder) || is_only && scope.is_empty())
}

fn is_file(resolver: &Resolver<'_>, object: &Name, to: &Name, scope: &Scope) -> bool {
    let is_definition = resolver
        .index
        .definitions(last_part(&object.text))
        .iter()
        .any(|one| scope.admits_definition(&one.path, &one.name));
    match object.noun {
        Some(Noun::File) => true,
        Some(Noun::Function | Noun::Method | Noun::Class | Noun::Value | Noun::Parameter) => false,
        Some(Noun::Folder | Noun::Project) | None => {
            is_source_name(&object.text)
                || is_source_name(&to.text)
                || !is_definition && !resolver.index.files_named(&object.text).is_empty()
        }
    }
}

/// The new path of a file: beside the old one unless a folder is named.
fn renamed_file(resolver: &Resolver<'_>, path: &str, to: &Name) -> Result<String, Unclear> {
    let text = normalized(&to.text);
    let ending = path.rsplit_once('.').map_or("py", |(_, ending)| ending);
    let is_dotted = !is_source_name(&text) && text.contains('.');
    let text = if is_dotted { text.replace('.', "/") } else { text };
    let text = if is_source_name(&text) { text } else { format!("{text}.{ending}") };
    let name = last(&text);
    let folder = folder_of(&text);
    if folder.is_empty() {
        return Ok(moved_name(path, name));
    }
    let folder = resolver.folder(&plain(folder), &Scope::default(), path)?;
    Ok(format!("{folder}/{name}"))
}

fn moved_name(path: &str, name: &str) -> String {
    let folder = folder_of(path);
    if folder.is_empty() || name.contains('/') {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}
