//! Imports through other modules, and copies: "import f from where it is defined", "drop the copy of f in b.py".

use super::Unclear;
use super::clause::Clause;
use super::definitions::Definition;
use super::dialect::is_source_name;
use super::phrase::{Link, Name, Phrase};
use super::reading::{self, Reading};
use super::resolve::Resolver;
use super::scope::{self, Scope};
use super::vocabulary;
use crate::operation::{Operation, SymbolPath};
use crate::project::{Meaning, Project};

#[derive(Debug, Clone)]
pub(super) enum Draft {
    /// Files as phrases: each name with what is behind it.
    Reexport {
        symbol: Name,
        files: Vec<Phrase>,
    },
    Duplicate {
        symbol: Name,
        keep: Option<Vec<Phrase>>,
        remove: Option<Vec<Phrase>>,
    },
}

const RELAYED: &[&str] = &[
    "relay",
    "relayed",
    "re-export",
    "re-exported",
    "reexport",
    "reexported",
    "indirect",
    "indirectly",
    "re-exports",
    "reexports",
    "transitive",
    "transitively",
];
const IMPORT: &[&str] = &["import", "imports", "imported", "importing"];
const COPY: &[&str] =
    &["duplicate", "duplicates", "duplicated", "copy", "copies", "identical", "twice"];

pub(super) fn read(reading: &mut Reading<'_>, at: usize) -> usize {
    let taken = duplicate(reading, at);
    if taken > 0 {
        return taken;
    }
    if describes_import(reading, at) {
        let sentence = reading.sentence(at);
        reading.context = Some(sentence);
        return sentence.len();
    }
    reexport(reading, at)
}

/// The name among these phrases that the project defines at the top level of a module.
fn symbol(reading: &Reading<'_>, group: &[Clause]) -> Option<Name> {
    let is_symbol = |name: &&Name| {
        !is_source_name(&name.text)
            && !name.text.contains('/')
            && reading.index.definitions(&name.text).iter().any(Definition::is_top_level)
    };
    let mut symbols: Vec<&Name> = group.iter().flat_map(Clause::names).filter(is_symbol).collect();
    // "in the tests for the worker": an English word is meant last.
    symbols.sort_by_key(|name| (name.is_plain, name.noun.is_none()));
    symbols.first().map(|name| (*name).clone())
}

/// "a.py imports f from b": what the next sentence is about.
fn describes_import(reading: &Reading<'_>, at: usize) -> bool {
    let clause = &reading.clauses[at];
    let is_of_file = clause
        .linked(Link::Subject)
        .any(|phrase| phrase.names.iter().any(|name| is_source_name(&name.text)));
    let is_modal = clause.has(&["should", "must"]);
    clause.verb == "import"
        && is_of_file
        && !is_modal
        && !clause.is_negated()
        && reading.drafts.is_empty()
}

/// "resolve the relay import of f in a.py", "import f directly from where it is defined".
fn reexport(reading: &mut Reading<'_>, at: usize) -> usize {
    let group = reading.sentence(at);
    let has = |words: &[&str]| group.iter().any(|clause| clause.has(words));
    let is_relay =
        has(RELAYED) || group.iter().any(|clause| clause.linked(Link::Via).next().is_some());
    let is_direct = has(&["directly", "original", "defined", "defines", "origin"]);
    if !has(IMPORT)
        || !(is_relay || is_direct && reading.drafts.is_empty())
        || group.iter().any(Clause::is_negated)
    {
        return 0;
    }
    let is_request = group[0].is(vocabulary::FOLLOW)
        || group[0].is(&[
            "resolve",
            "inline",
            "stop",
            "eliminate",
            "remove",
            "replace",
            "simplify",
            "avoid",
        ]);
    let context = reading.context.unwrap_or_default();
    let found = symbol(reading, group).or_else(|| symbol(reading, context));
    let Some(symbol) = found.filter(|_| is_request) else { return 0 };
    let mut files: Vec<Phrase> = Vec::new();
    for phrase in context.iter().chain(group).flat_map(Clause::all_phrases) {
        let names: Vec<Name> =
            phrase.names.iter().filter(|name| name.text != symbol.text).cloned().collect();
        if matches!(phrase.link, Link::In | Link::Subject) && !names.is_empty() {
            files.push(Phrase { names, ..phrase.clone() });
        }
    }
    reading.drafts.push(reading::Draft::Import(Draft::Reexport { symbol, files }));
    group.len()
}

/// "remove the duplicate f in b.py and use the one in a.py".
fn duplicate(reading: &mut Reading<'_>, at: usize) -> usize {
    let group = reading.sentence(at);
    let open = match reading.drafts.last() {
        Some(reading::Draft::Import(Draft::Duplicate { symbol, keep, remove }))
            if keep.is_none() || remove.is_none() =>
        {
            Some((symbol.clone(), keep.clone(), remove.clone()))
        }
        _ => None,
    };
    let is_copy = group.iter().any(|clause| clause.has(COPY) || clause.verb == "deduplicate");
    if !is_copy && open.is_none() || group.iter().any(Clause::is_negated) {
        return 0;
    }
    let is_continued = open.is_some();
    let Some((symbol, mut keep, mut remove)) =
        open.or_else(|| symbol(reading, group).map(|symbol| (symbol, None, None)))
    else {
        return 0;
    };
    for clause in group {
        copies(reading, clause, &symbol, &mut keep, &mut remove);
    }
    if is_continued {
        reading.drafts.pop();
    }
    reading.drafts.push(reading::Draft::Import(Draft::Duplicate { symbol, keep, remove }));
    group.len()
}

type Files = Option<Vec<Phrase>>;

/// Which file keeps the definition and which loses it.
fn copies(
    reading: &Reading<'_>,
    clause: &Clause,
    symbol: &Name,
    keep: &mut Files,
    remove: &mut Files,
) {
    let removes = clause.is(vocabulary::REMOVE) || clause.is(&["replace", "deduplicate"]);
    let mut is_kept = clause.is(vocabulary::KEEP) || clause.is(&["use", "import", "reuse"]);
    for (index, phrase) in clause.phrases.iter().enumerate() {
        is_kept |= matches!(phrase.link, Link::With | Link::By) && removes;
        let is_file = |name: &&Name| {
            name.text != symbol.text
                && (is_source_name(&name.text) || !reading.index.files_named(&name.text).is_empty())
        };
        let names: Vec<Name> = phrase.names.iter().filter(is_file).cloned().collect();
        if names.is_empty() {
            continue;
        }
        let mut words = vec![Phrase { names, ..phrase.clone() }];
        words.extend(scope::behind(&clause.phrases, index).cloned());
        let is_import_into = clause.verb == "import" && matches!(phrase.link, Link::In | Link::To);
        if is_import_into || removes && !is_kept {
            remove.get_or_insert(words);
        } else if is_kept {
            keep.get_or_insert(words);
        }
    }
}

/// What a name means in the first of some files.
fn imported(resolver: &Resolver<'_>, paths: &[String], name: &str) -> Option<SymbolPath> {
    match Project::new(resolver.index.files).lookup(paths.first()?, name)? {
        Meaning::Symbol(symbol) => Some(symbol),
        Meaning::Module(_) | Meaning::Instance(_) | Meaning::Foreign(_) | Meaning::Unknown => None,
    }
}

impl Draft {
    pub(super) fn operations(&self, resolver: &Resolver<'_>) -> Result<Vec<Operation>, Unclear> {
        match self {
            Draft::Reexport { symbol, files } => {
                let mut paths = Vec::new();
                for (at, phrase) in files.iter().enumerate() {
                    let scope = Scope::of(resolver.index, scope::behind(files, at));
                    let scope = Scope { unknown: Vec::new(), ..scope };
                    for name in &phrase.names {
                        let is_file = is_source_name(&name.text)
                            || !resolver.index.files_named(&name.text).is_empty();
                        if is_file {
                            paths.push(resolver.file(name, &scope, None)?);
                        }
                    }
                }
                let symbol = match imported(resolver, &paths, &symbol.text) {
                    Some(symbol) => symbol,
                    None => resolver.symbol(symbol, &Scope::default(), None)?,
                };
                Ok(vec![Operation::InlineReexport { symbol, files: paths }])
            }
            Draft::Duplicate { symbol, keep, remove } => {
                let (Some(keep), Some(remove)) = (keep, remove) else {
                    return Err(Unclear::new(
                        &symbol.text,
                        format!(
                            "which copy of `{}` is kept and which is removed is not said",
                            symbol.text
                        ),
                    ));
                };
                let of = |words: &[Phrase]| {
                    resolver.symbol(symbol, &Scope::of(resolver.index, words), None)
                };
                Ok(vec![Operation::ReplaceDuplicate { keep: of(keep)?, remove: of(remove)? }])
            }
        }
    }
}
