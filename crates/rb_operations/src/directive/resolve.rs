//! Resolves the names in a directive to files and symbols of the project. Ambiguous and unknown names are reported, never guessed.

use super::Unclear;
use super::close;
use super::definitions::{
    Definition, DefinitionKind, Index, folder_of, is_stub, is_test, last, normalized,
};
use super::dialect::{is_source_name, stem};
use super::phrase::Name;
use super::relocate::TargetWords;
use super::scope::{self, Scope};
use super::vocabulary::Noun;
use crate::operation::SymbolPath;
use crate::outcome::Place;

pub(super) struct Resolver<'f> {
    pub(super) index: &'f Index<'f>,
}

/// A file that is there, or one to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) path: String,
    pub(super) exists: bool,
}

impl<'f> Resolver<'f> {
    pub(super) fn new(index: &'f Index<'f>) -> Self {
        Resolver { index }
    }

    pub(super) fn note(&self, note: String) {
        self.index.note(note);
    }

    /// The symbol of a name within a scope. `near` breaks a tie: a path in whose file or folder it is looked for first.
    pub(super) fn symbol(
        &self,
        name: &Name,
        scope: &Scope,
        near: Option<&str>,
    ) -> Result<SymbolPath, Unclear> {
        let (own, text) = self.own_scope(&name.text);
        let mut scope = scope.clone();
        scope.merge(&own);
        for qualifier in &name.qualifiers {
            scope.spots.push(scope::spot(self.index, &plain(qualifier)));
        }
        if let Some(unknown) = scope.unknown.first() {
            return Err(self.no_file(unknown));
        }
        let found = self.candidates(&text, name.noun, &scope);
        let found = self.preferred(found, name.noun);
        let own: Vec<Definition> =
            found.iter().filter(|one| scope.is_own_folder(folder_of(&one.path))).cloned().collect();
        let found = nearest(if own.is_empty() { found } else { own }, near);
        match found.as_slice() {
            [only] => Ok(SymbolPath { path: only.path.clone(), name: only.name.clone() }),
            [] => self.missing_symbol(name, &text, &scope, near),
            several => Err(ambiguous(&name.text, several)),
        }
    }

    /// `a.py#f`, `a.py::f`, `package.module.f`: a name that says where it is.
    fn own_scope(&self, text: &str) -> (Scope, String) {
        let split = text
            .split_once('#')
            .or_else(|| text.split_once("::"))
            .or_else(|| text.split_once(".py:"));
        let in_file = |file: &str| {
            let name = plain(&if is_source_name(file) {
                file.to_owned()
            } else {
                self.with_ending(file, "")
            });
            Scope { spots: vec![scope::spot(self.index, &name)], ..Scope::default() }
        };
        if let Some((file, name)) = split {
            return (in_file(file), name.replace("::", ".").trim_end_matches("()").to_owned());
        }
        let parts: Vec<&str> = text.split('.').collect();
        for cut in (1..parts.len()).rev() {
            let files = self.index.files_named(&parts[..cut].join("."));
            if !files.is_empty() && cut >= 1 && !is_source_name(text) {
                let spot =
                    scope::Spot { name: parts[..cut].join("."), files, ..scope::Spot::default() };
                return (Scope { spots: vec![spot], ..Scope::default() }, parts[cut..].join("."));
            }
        }
        (Scope::default(), text.to_owned())
    }

    fn candidates(&self, text: &str, noun: Option<Noun>, scope: &Scope) -> Vec<Definition> {
        let short = text.rsplit('.').next().unwrap_or(text);
        let fits = |definition: &&Definition| {
            let is_named = definition.name == text
                || text == short
                || definition.name.ends_with(&format!(".{text}"));
            is_named && scope.admits_definition(&definition.path, &definition.name)
        };
        let all: Vec<Definition> =
            self.index.definitions(short).iter().filter(fits).cloned().collect();
        let of_kind: Vec<Definition> =
            all.iter().filter(|one| is_of(one.kind, noun)).cloned().collect();
        if of_kind.is_empty() { all } else { of_kind }
    }

    /// What is not in a test, and what is at the top level, goes first; `.py` before its stub.
    fn preferred(&self, found: Vec<Definition>, noun: Option<Noun>) -> Vec<Definition> {
        let narrowed = |found: Vec<Definition>, fits: &dyn Fn(&Definition) -> bool| {
            let some: Vec<Definition> = found.iter().filter(|one| fits(one)).cloned().collect();
            if some.is_empty() { found } else { some }
        };
        let found = narrowed(found, &|one| !is_stub(&one.path));
        let found = narrowed(found, &|one| !is_test(&one.path));
        if matches!(noun, Some(Noun::Method | Noun::Value)) {
            return found;
        }
        let top = narrowed(found.clone(), &Definition::is_top_level);
        if let ([only], true) = (top.as_slice(), found.len() > top.len()) {
            let others = found.len() - top.len();
            let what =
                if others == 1 { "a method".to_owned() } else { format!("{others} methods") };
            self.note(format!(
                "`{}` is taken as the one in {}; {what} of this name are not meant",
                only.name, only.path
            ));
        }
        top
    }

    fn missing_symbol(
        &self,
        name: &Name,
        text: &str,
        scope: &Scope,
        near: Option<&str>,
    ) -> Result<SymbolPath, Unclear> {
        let elsewhere = self.candidates(text, None, &Scope::default());
        if !elsewhere.is_empty() {
            let why = format!("`{}` is not declared in {}", name.text, scope.describe());
            return Err(Unclear { name: name.text.clone(), why, candidates: places(&elsewhere) });
        }
        if let Some(close) = close::only_close(text, self.index.defined_names()) {
            let taken = Name { text: close.to_owned(), ..name.clone() };
            let symbol = self.symbol(&taken, scope, near)?;
            self.note(format!(
                "there is no `{}`; `{close}` in {} is taken for it",
                name.text, symbol.path
            ));
            return Ok(symbol);
        }
        let similar = close::similar(text, self.index.defined_names());
        let candidates =
            similar.iter().flat_map(|name| places(self.index.definitions(name))).collect();
        let why = format!("nothing in the project is called `{}`", name.text);
        Err(Unclear { name: name.text.clone(), why, candidates })
    }

    /// A Python file that is there.
    pub(super) fn file(
        &self,
        name: &Name,
        scope: &Scope,
        near: Option<&str>,
    ) -> Result<String, Unclear> {
        let found = self.files(name, scope);
        let found = if found.len() > 1 { outside_tests(found, &name.text) } else { found };
        let own: Vec<String> =
            found.iter().filter(|path| scope.is_own_folder(folder_of(path))).cloned().collect();
        let found = if own.is_empty() { found } else { own };
        let beside: Vec<String> = found
            .iter()
            .filter(|path| near.is_some_and(|near| folder_of(near) == folder_of(path)))
            .cloned()
            .collect();
        match (found.as_slice(), beside.as_slice()) {
            ([only], _) | (_, [only]) => Ok(only.clone()),
            ([], _) => Err(self.no_file(&name.text)),
            (several, _) => {
                let why =
                    format!("{} files are called `{}`; name the folder", several.len(), name.text);
                let candidates = several.iter().map(|path| place(path, 1, "file")).collect();
                Err(Unclear { name: name.text.clone(), why, candidates })
            }
        }
    }

    /// All Python files that a name can mean within a scope, near spellings included.
    pub(super) fn files(&self, name: &Name, scope: &Scope) -> Vec<String> {
        let named = |text: &str| {
            let files =
                scope::qualified(self.index, self.index.files_named(text), &name.qualifiers);
            files.into_iter().filter(|path| scope.admits(path)).collect::<Vec<_>>()
        };
        let found = named(&name.text);
        if !found.is_empty() {
            return found;
        }
        let folder = folder_of(&name.text);
        let wanted = stem(&name.text);
        let stems =
            self.index.paths().iter().filter(|path| scope.admits(path)).map(|path| stem(path));
        let Some(close) = close::only_close(wanted, stems) else { return Vec::new() };
        let text = if folder.is_empty() { close.to_owned() } else { format!("{folder}/{close}") };
        let found = named(&text);
        if let [first, ..] = found.as_slice() {
            self.note(format!("there is no file `{}`; {first} is taken for it", name.text));
        }
        found
    }

    /// A folder that is there.
    pub(super) fn folder(&self, name: &Name, scope: &Scope, near: &str) -> Result<String, Unclear> {
        let folders: Vec<String> =
            scope::qualified(self.index, self.index.folders_named(&name.text), &name.qualifiers);
        let folders: Vec<String> =
            folders.into_iter().filter(|folder| scope.admits(folder) || scope.is_empty()).collect();
        scope::nearest_folder(&folders, near).ok_or_else(|| {
            let why = match folders.len() {
                0 => format!("there is no folder `{}`", name.text),
                count => format!("{count} folders are called `{}`; name the path", name.text),
            };
            Unclear {
                name: name.text.clone(),
                why,
                candidates: folders.iter().map(|path| place(path, 1, "folder")).collect(),
            }
        })
    }

    /// The file that something is to go to. One that is not there is created in the folder that is named, or beside `anchor`.
    pub(super) fn target(
        &self,
        words: &TargetWords,
        scope: &Scope,
        anchor: &str,
        is_file_name: bool,
    ) -> Result<Target, Unclear> {
        let (name, is_new) = (&words.name, words.is_new);
        if !is_new {
            let existing = self.index.files_named(&name.text);
            let mut existing = scope::qualified(self.index, existing, &name.qualifiers);
            existing.retain(|path| scope.admits(path));
            // "a file called utils.py" is not the one of another package.
            let is_near = |path: &String| {
                folder_of(path) == folder_of(anchor) || !scope.is_empty() || name.text.contains('/')
            };
            if existing.iter().any(|path| !words.is_indefinite || is_near(path)) {
                return self
                    .file(name, scope, Some(anchor))
                    .map(|path| Target { path, exists: true });
            }
        }
        let path = self.new_file(&name.text, &name.qualifiers, scope, anchor)?;
        let exists = self.index.files.text(&path).is_some();
        if exists && is_new {
            self.note(format!("{path} exists already; what is moved is added to it"));
        } else if !exists && !is_new && !words.is_indefinite && is_file_name {
            self.note(format!("{path} does not exist; it is created"));
        }
        Ok(Target { path, exists })
    }

    fn with_ending(&self, stem: &str, near: &str) -> String {
        format!("{stem}.{}", self.index.ending_beside(near))
    }

    /// The path of a file to be created.
    fn new_file(
        &self,
        text: &str,
        qualifiers: &[String],
        scope: &Scope,
        anchor: &str,
    ) -> Result<String, Unclear> {
        let text = normalized(text);
        let dotted = !text.contains('/') && text.contains('.') && !is_source_name(&text);
        let text = if dotted { text.replace('.', "/") } else { text };
        let name = if is_source_name(&text) {
            last(&text).to_owned()
        } else {
            self.with_ending(last(&text), anchor)
        };
        let folder = folder_of(&text);
        let folder = if !folder.is_empty() {
            self.folder(&plain(folder), &Scope::default(), anchor)?
        } else if let Some(qualifier) = qualifiers.last() {
            self.folder(&plain(qualifier), &Scope::default(), anchor)?
        } else if let Some(folder) = scope.folder(anchor) {
            folder
        } else if let Some(unknown) = scope.unknown.first() {
            return Err(self.no_file(unknown));
        } else {
            folder_of(anchor).to_owned()
        };
        Ok(if folder.is_empty() { name } else { format!("{folder}/{name}") })
    }

    fn no_file(&self, name: &str) -> Unclear {
        let stems: Vec<&str> =
            close::similar(stem(name), self.index.paths().iter().map(|path| stem(path)));
        let candidates = self.index.paths().iter().filter(|path| stems.contains(&stem(path)));
        Unclear {
            name: name.to_owned(),
            why: format!("there is no file or folder `{name}` in the project"),
            candidates: candidates.map(|path| place(path, 1, "file")).take(5).collect(),
        }
    }
}

/// A name that was not written with anything around it.
pub(super) fn plain(text: &str) -> Name {
    Name {
        text: text.to_owned(),
        is_plain: false,
        noun: None,
        qualifiers: Vec::new(),
        is_called: false,
    }
}

fn is_of(kind: DefinitionKind, noun: Option<Noun>) -> bool {
    match noun {
        Some(Noun::Class) => kind == DefinitionKind::Class,
        Some(Noun::Method) => kind == DefinitionKind::Method,
        Some(Noun::Function) => matches!(kind, DefinitionKind::Function | DefinitionKind::Method),
        Some(Noun::Value) => matches!(
            kind,
            DefinitionKind::Constant | DefinitionKind::Attribute | DefinitionKind::Method
        ),
        Some(Noun::Parameter | Noun::File | Noun::Folder | Noun::Project) | None => true,
    }
}

/// What is in the same file as `near`, or else in its folder, if there is any.
fn nearest(found: Vec<Definition>, near: Option<&str>) -> Vec<Definition> {
    let Some(near) = near.filter(|_| found.len() > 1) else { return found };
    let in_file: Vec<Definition> = found.iter().filter(|one| one.path == near).cloned().collect();
    let in_folder: Vec<Definition> =
        found.iter().filter(|one| folder_of(&one.path) == folder_of(near)).cloned().collect();
    [in_file, in_folder].into_iter().find(|some| !some.is_empty()).unwrap_or(found)
}

fn outside_tests(found: Vec<String>, name: &str) -> Vec<String> {
    let names_test =
        last(name).starts_with("test") || name.contains("tests/") || name.contains("test/");
    let sources: Vec<String> =
        found.iter().filter(|path| !is_test(path) && !is_stub(path)).cloned().collect();
    if sources.is_empty() || names_test { found } else { sources }
}

fn ambiguous(name: &str, found: &[Definition]) -> Unclear {
    let files: std::collections::BTreeSet<&str> =
        found.iter().map(|one| one.path.as_str()).collect();
    let why = if files.len() > 1 {
        format!("`{name}` is declared in {} files; name the file", files.len())
    } else {
        format!("`{name}` is declared {} times in {}; name the class", found.len(), found[0].path)
    };
    Unclear { name: name.to_owned(), why, candidates: places(found) }
}

fn places(definitions: &[Definition]) -> Vec<Place> {
    definitions.iter().map(|one| place(&one.path, one.line, &one.name)).take(12).collect()
}

fn place(path: &str, line: u32, what: &str) -> Place {
    Place { path: path.to_owned(), line, what: what.to_owned() }
}
