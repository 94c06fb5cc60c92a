//! What a file gives to others under a name, through whatever it has it from.
//!
//! Three answers: it does, it does not, and nobody can tell from the text. Only the second is ever reported, so each
//! language says `No` only where its own rules leave no other way.

use rb_index::FileId;
use rb_index::resolve::Resolution;
use rb_lang::{Facts, Import, ImportKind, Language, SymbolKind};

use crate::comparison::{Side, folder_of, is_ecma};
use crate::words;

/// Files behind a chain of re-exports that are looked at for one name.
const MAX_STEPS: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Provided {
    /// By this file, under this name of its own.
    Yes(FileId, Box<str>),
    /// Somebody else's, or a module as a whole.
    Elsewhere,
    No,
    Unknown,
}

/// `module.exports = { a, b }`, once, without a spread: nothing is added to it when the module runs.
fn is_written_out(text: &str) -> bool {
    let mut places = text.match_indices("module.exports");
    let (Some((at, word)), None) = (places.next(), places.next()) else { return false };
    if text.matches("exports").count() != 1 {
        return false;
    }
    let rest = text[at + word.len()..].trim_start().strip_prefix('=').map(str::trim_start);
    let Some(object) = rest.filter(|rest| rest.starts_with('{')) else { return false };
    let mut depth = 0;
    for (at, c) in object.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return !object[..at].contains("...");
        }
    }
    false
}

/// What a name means that is imported from these files.
pub(crate) fn provided(side: &Side<'_>, files: &[FileId], name: &str) -> Provided {
    let mut search = Search { side, seen: Vec::new() };
    search.in_files(files, name)
}

struct Search<'s, 'a> {
    side: &'s Side<'a>,
    seen: Vec<(FileId, Box<str>)>,
}

impl Search<'_, '_> {
    fn in_files(&mut self, files: &[FileId], name: &str) -> Provided {
        if name == "*" || name.is_empty() {
            return Provided::Elsewhere;
        }
        let mut is_unknown = files.is_empty();
        for &file in files {
            match self.in_file(file, name) {
                Provided::No => {}
                Provided::Unknown => is_unknown = true,
                found @ (Provided::Yes(..) | Provided::Elsewhere) => return found,
            }
        }
        if is_unknown { Provided::Unknown } else { Provided::No }
    }

    fn in_file(&mut self, file: FileId, name: &str) -> Provided {
        let place = (file, Box::from(name));
        if self.seen.contains(&place) {
            return Provided::No;
        }
        self.seen.push(place);
        if self.seen.len() > MAX_STEPS || !self.side.is_whole(file) || !self.side.is_own(file) {
            return Provided::Unknown;
        }
        let Some(facts) = self.side.facts(file) else { return Provided::Unknown };
        match self.side.language(file) {
            language if is_ecma(language) => self.in_ecma(file, &facts, name),
            Some(Language::Python) => self.in_python(file, &facts, name),
            Some(Language::Rust) => self.in_rust(file, &facts, name),
            Some(Language::Go | Language::Java) => in_package(self.side, file, &facts, name),
            _ => Provided::Unknown,
        }
    }

    fn in_ecma(&mut self, file: FileId, facts: &Facts, name: &str) -> Provided {
        if let Some(found) = self.given_on(file, name) {
            return found;
        }
        if let Some(export) = facts.exports.iter().find(|export| &*export.name == name) {
            return self.through_local(file, facts, &export.local);
        }
        let mut is_open = false;
        for (import, resolution) in self.side.imports(file).iter() {
            if import.kind != ImportKind::ReExport {
                continue;
            }
            for given in &import.names {
                let is_star = &*given.name == "*" && given.local.is_empty();
                if is_star && name != "default" {
                    match self.follow(resolution, name) {
                        Provided::No => {}
                        Provided::Unknown | Provided::Elsewhere => is_open = true,
                        found @ Provided::Yes(..) => return found,
                    }
                }
            }
        }
        if is_open || self.is_made_when_run(file, facts, name) {
            Provided::Unknown
        } else {
            Provided::No
        }
    }

    /// `export { a as name } from './x'`. Whether that works is asked where it stands.
    fn given_on(&mut self, file: FileId, name: &str) -> Option<Provided> {
        let imports = self.side.imports(file);
        let mut all = imports.iter().filter(|(import, _)| import.kind == ImportKind::ReExport);
        let (given, resolution) = all.find_map(|(import, resolution)| {
            let given = import.names.iter().find(|given| &*given.local == name)?;
            Some((given, resolution))
        })?;
        Some(match self.follow(resolution, &given.name) {
            found @ Provided::Yes(..) => found,
            Provided::Elsewhere | Provided::No | Provided::Unknown => Provided::Elsewhere,
        })
    }

    /// What some modules give is put together when they run, or by merging declarations.
    fn is_made_when_run(&self, file: FileId, facts: &Facts, name: &str) -> bool {
        let Some(text) = self.side.text(file) else { return true };
        let says = |list: &[&str]| list.iter().any(|words| text.contains(words));
        let is_merged =
            says(&["export =", "declare module", "export as namespace", "declare global"]);
        let is_script = says(&["module.exports", "exports."]) && !is_written_out(&text);
        let has_default = facts.exports.iter().any(|export| &*export.name == "default");
        self.side.path(file).contains(".d.")
            || says(&["exports[", "exports, ", "__exportStar", "defineProperty(exports"])
            || (is_merged || is_script)
                && (name == "default" || has_default || words::has(&text, name))
    }

    /// An export may be of something that is imported.
    fn through_local(&mut self, file: FileId, facts: &Facts, local: &str) -> Provided {
        let is_own = facts.symbols.iter().any(|symbol| &*symbol.name == local);
        if !is_own && !local.is_empty() {
            for (import, resolution) in self.side.imports(file).iter() {
                let named = import.names.iter().find(|name| &*name.local == local);
                if let Some(named) = named.filter(|_| import.kind != ImportKind::ReExport) {
                    return match self.follow(resolution, &named.name) {
                        found @ Provided::Yes(..) => found,
                        // Whether that import works is not asked here.
                        Provided::Elsewhere | Provided::No | Provided::Unknown => {
                            Provided::Elsewhere
                        }
                    };
                }
            }
        }
        Provided::Yes(file, local.into())
    }

    fn follow(&mut self, resolution: &Resolution, name: &str) -> Provided {
        match resolution {
            Resolution::Inside(files) => self.in_files(files, name),
            Resolution::External(_) | Resolution::Builtin => Provided::Elsewhere,
            Resolution::Unresolved => Provided::Unknown,
        }
    }

    fn in_python(&mut self, file: FileId, facts: &Facts, name: &str) -> Provided {
        if is_module_called(self.side.path(file), name) || has_submodule(self.side, file, name) {
            return Provided::Elsewhere;
        }
        if facts.symbols.iter().any(|symbol| symbol.parent.is_none() && &*symbol.name == name) {
            return Provided::Yes(file, name.into());
        }
        for (import, resolution) in self.side.imports(file).iter() {
            if let Some(named) = import.names.iter().find(|named| &*named.local == name) {
                return match self.follow(resolution, &named.name) {
                    found @ Provided::Yes(..) => found,
                    Provided::Elsewhere | Provided::No | Provided::Unknown => Provided::Elsewhere,
                };
            }
        }
        let Some(details) = self.side.details(file) else { return Provided::Unknown };
        if details.top.contains(name) {
            return Provided::Yes(file, name.into());
        }
        match self.through_stars(file, name, details.is_open) {
            Provided::No if details.locals.contains(name) && self.says_global(file, name) => {
                Provided::Unknown
            }
            found => found,
        }
    }

    /// `from .x import *` gives on what `x` has; so may what is put in when the module runs.
    fn through_stars(&mut self, file: FileId, name: &str, is_open: bool) -> Provided {
        let is_star = |import: &Import| {
            import.names.iter().any(|named| &*named.name == "*" && named.local.is_empty())
        };
        let imports = self.side.imports(file);
        let mut stars = imports.iter().filter(|(import, _)| is_star(import)).peekable();
        if is_open && stars.peek().is_none() || name.starts_with("__") {
            return Provided::Unknown;
        }
        for (_, resolution) in stars {
            match self.follow(resolution, name) {
                Provided::No => {}
                Provided::Unknown | Provided::Elsewhere => return Provided::Unknown,
                found @ Provided::Yes(..) => return found,
            }
        }
        if self.may_be_put_in(file) { Provided::Unknown } else { Provided::No }
    }

    /// `globals()[name] = …`, and what a module makes when it is asked.
    fn may_be_put_in(&self, file: FileId) -> bool {
        let ways = ["globals()", "vars()", "sys.modules[__name__]", "modules[__name__]"];
        let is_made = |line: &str| {
            ways.iter().any(|it| line.contains(it))
                || line.starts_with("def __getattr__")
                // Given to the module by somebody else, or only under a condition.
                || line.contains("__getattr__ =")
                || line.contains("import") && line.contains("__getattr__")
        };
        self.side.text(file).is_none_or(|text| text.lines().any(is_made))
    }

    fn says_global(&self, file: FileId, name: &str) -> bool {
        self.side.text(file).is_none_or(|text| {
            words::lines(&text, name).any(|(_, line)| line.trim_start().starts_with("global "))
        })
    }

    /// `use x::*`, which the modules below the file see as well. `use super::*` is how tests look into their own file.
    fn through_globs(&mut self, file: FileId, name: &str) -> Option<Provided> {
        let is_glob = |import: &Import| {
            &*import.specifier != "super" && import.names.iter().any(|it| &*it.name == "*")
        };
        let imports = self.side.imports(file);
        for (_, resolution) in imports.iter().filter(|(import, _)| is_glob(import)) {
            match (resolution, self.follow(resolution, name)) {
                (Resolution::Builtin, _) | (_, Provided::No) => {}
                (_, Provided::Unknown | Provided::Elsewhere) => return Some(Provided::Unknown),
                (_, found @ Provided::Yes(..)) => return Some(found),
            }
        }
        None
    }

    /// Macros make items, and `use` lists re-export: where the word stands in the file at all, it may be there.
    fn in_rust(&mut self, file: FileId, facts: &Facts, name: &str) -> Provided {
        let own = facts.symbols.iter().find(|symbol| &*symbol.name == name);
        if own.is_some() || is_module_called(self.side.path(file), name) {
            return Provided::Yes(file, name.into());
        }
        if let Some(found) = self.through_globs(file, name) {
            return found;
        }
        // What stands in a module of its own, as the tests do, is not given to others under this path.
        let inner = facts.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Module);
        let inner: Vec<_> = inner.map(|it| it.span.start as usize..it.span.end as usize).collect();
        let Some(text) = self.side.text(file) else { return Provided::Unknown };
        let mut places = words::places(&text, name.trim_start_matches("r#"));
        if places.any(|at| !inner.iter().any(|span| span.contains(&at))) {
            Provided::Unknown
        } else {
            Provided::No
        }
    }
}

/// Members of a Go package, or of a Java class.
fn in_package(side: &Side<'_>, file: FileId, facts: &Facts, name: &str) -> Provided {
    if facts.symbols.iter().any(|symbol| &*symbol.name == name) {
        return Provided::Yes(file, name.into());
    }
    match side.text(file) {
        Some(text) if !words::has(&text, name) => Provided::No,
        _ => Provided::Unknown,
    }
}

/// The files behind a name that stands for a module as a whole: `import * as a`, `from shop import tax`.
pub(crate) fn module(side: &Side<'_>, file: FileId, local: &str) -> Option<Vec<FileId>> {
    let is_python = side.language(file) == Some(Language::Python);
    side.imports(file).iter().find_map(|(import, resolution)| {
        let named = import.names.iter().find(|named| &*named.local == local)?;
        let Resolution::Inside(files) = resolution else { return None };
        if import.kind == ImportKind::ReExport {
            return None;
        }
        if &*named.name == "*" {
            // `import a.b` binds `a`, and what stands behind it is another module.
            let is_part =
                is_python && import.specifier.contains('.') && import.specifier.starts_with(local);
            return (!is_part).then(|| files.clone());
        }
        let is_it = |&file: &FileId| is_module_called(side.path(file), &named.name);
        // A package may have something else of that name.
        let module: Vec<FileId> = files.iter().copied().filter(is_it).collect();
        (is_python && module.len() == 1 && files.len() == 1).then_some(module)
    })
}

fn is_module_called(path: &str, name: &str) -> bool {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let package = ["/__init__", "/mod"].iter().find_map(|own| stem.strip_suffix(own));
    package.unwrap_or(stem).rsplit('/').next() == Some(name)
}

/// `views` of `shop/__init__.py` is `shop/views.py`, or a folder there.
fn has_submodule(side: &Side<'_>, file: FileId, name: &str) -> bool {
    let path = side.path(file);
    if !path.ends_with("__init__.py") && !path.ends_with("__init__.pyi") {
        return false;
    }
    let folder = folder_of(path);
    let below =
        |rest: &str| if folder.is_empty() { rest.to_owned() } else { format!("{folder}/{rest}") };
    ["py", "pyi", "so", "pyx"]
        .iter()
        .any(|ending| side.find(&below(&format!("{name}.{ending}"))).is_some())
        || !side.folder(&below(name)).is_empty()
}
