//! HTTP routes, one file per language or framework that says them in its own way.
//!
//! A file is parsed when its text has a word that only routing has. Routers that are given a prefix elsewhere get it through
//! `mounts`: by the variable in the file, and by the file that exports it. Paths that are put together while the program
//! runs are not guessed.

mod django;
mod ecma;
mod go;
mod mounts;
mod next;
mod path;
mod python;
mod rust;
mod spring;

use aho_corasick::AhoCorasick;
use rb_index::FileId;
use rb_index::resolve::Resolution;
use rb_lang::Language;

use self::mounts::Mounts;
use crate::error::ContractError;
use crate::model::Route;
use crate::sources::Sources;
use crate::syntax::Parsed;

/// What one file says of routes.
#[derive(Debug, Default)]
pub(crate) struct FileRoutes {
    pub(crate) routes: Vec<Local>,
    pub(crate) mounts: Vec<Mount>,
}

/// A route as it is registered: on a router, under a path that may get a prefix.
#[derive(Debug)]
pub(crate) struct Local {
    /// The variable of the router; empty where routes of the file hang on nothing.
    pub(crate) router: String,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) framework: &'static str,
    pub(crate) handler: String,
    pub(crate) line: u32,
}

/// A router that is put below a path of another.
#[derive(Debug)]
pub(crate) struct Mount {
    pub(crate) on: String,
    pub(crate) prefix: String,
    /// A variable of this file: a router, or an imported one.
    pub(crate) router: String,
}

/// Words without which a file has no routes that are known here.
const WORDS: &[&str] = &[
    ".get(",
    ".post(",
    ".put(",
    ".delete(",
    ".patch(",
    ".all(",
    ".use(",
    ".route(",
    ".on(",
    "urlpatterns",
    "include_router(",
    "register_blueprint(",
    ".register(",
    ".nest(",
    ".Group(",
    ".Route(",
    ".Mount(",
    "HandleFunc(",
    ".Handle(",
    ".GET(",
    ".POST(",
    ".PUT(",
    ".DELETE(",
    ".PATCH(",
    ".Any(",
    ".Get(",
    ".Post(",
    ".Put(",
    ".Delete(",
    ".Patch(",
    "#[get(",
    "#[post(",
    "#[put(",
    "#[delete(",
    "#[patch(",
    "#[route(",
    "Mapping",
];

pub(crate) fn read(sources: &Sources<'_>) -> Result<Vec<Route>, ContractError> {
    let words = AhoCorasick::new(WORDS).expect("the words are few and plain");
    let mut mounts = Mounts::default();
    let mut routes = next::read(sources)?;
    for (id, path, language) in sources.files() {
        let Some(language) = language.filter(|it| reads(*it)) else { continue };
        let found = sources.reading(id, || {
            let text = sources.text(path)?.filter(|text| words.is_match(text));
            let parsed = text.and_then(|text| crate::syntax::parse(language, text));
            Ok(parsed.map(|parsed| of_file(language, &parsed)).unwrap_or_default())
        })?;
        if !found.routes.is_empty() || !found.mounts.is_empty() {
            let mut imports = imports(sources, id)?;
            imports.extend(modules(sources, &found));
            mounts.add(id, found, imports);
        }
    }
    routes.extend(mounts.finish(sources));
    Ok(routes)
}

fn reads(language: Language) -> bool {
    matches!(
        language,
        Language::JavaScript
            | Language::TypeScript
            | Language::Tsx
            | Language::Python
            | Language::Rust
            | Language::Go
            | Language::Java
    )
}

fn of_file(language: Language, parsed: &Parsed) -> FileRoutes {
    match language {
        Language::JavaScript | Language::TypeScript | Language::Tsx => ecma::read(parsed),
        Language::Python => {
            let mut found = python::read(parsed);
            let django = django::read(parsed);
            found.routes.extend(django.routes);
            found.mounts.extend(django.mounts);
            found
        }
        Language::Rust => rust::read(parsed),
        Language::Go => go::read(parsed),
        Language::Java => spring::read(parsed),
        _ => FileRoutes::default(),
    }
}

/// Routers that are mounted by the name of their module, as Django does.
fn modules(sources: &Sources<'_>, found: &FileRoutes) -> Imports {
    let mut out = Vec::new();
    for mount in found.mounts.iter().filter(|mount| mount.router.contains('.')) {
        let path = format!("{}.py", mount.router.replace('.', "/"));
        let files = sources.files().filter(|(_, file, _)| {
            file.strip_suffix(path.as_str())
                .is_some_and(|before| before.is_empty() || before.ends_with('/'))
        });
        out.extend(files.map(|(id, _, _)| (mount.router.clone(), "urlpatterns".to_owned(), id)));
    }
    out
}

/// The names that a file imports from others of the repository: name here, name there (`*` for the whole), file.
pub(crate) type Imports = Vec<(String, String, FileId)>;

fn imports(sources: &Sources<'_>, id: FileId) -> Result<Imports, ContractError> {
    let facts = sources.facts(id)?;
    let mut out = Vec::new();
    for (import, resolution) in facts.imports.iter().zip(sources.resolutions(id)) {
        let Resolution::Inside(files) = resolution else { continue };
        for name in &import.names {
            let there = if &*name.name == "*" { "*" } else { &*name.name };
            out.extend(files.iter().map(|file| (name.local.to_string(), there.to_owned(), *file)));
        }
        if import.names.is_empty() {
            out.extend(
                files.iter().map(|file| (import.specifier.to_string(), "*".to_owned(), *file)),
            );
        }
    }
    Ok(out)
}
