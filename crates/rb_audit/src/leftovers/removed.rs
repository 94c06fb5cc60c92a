//! What a change took away: declarations and files, with what became of them where that is plain.

use rb_index::FileId;
use rb_index::role::Role;
use rb_lang::{Facts, Language, Symbol, SymbolKind};

use crate::Cause;
use crate::changed::Changed;
use crate::comparison::{Comparison, Side, folder_of, has_bases};
use crate::words;

pub(crate) struct Removed {
    pub(crate) symbols: Vec<RemovedSymbol>,
    pub(crate) files: Vec<RemovedFile>,
}

pub(crate) struct RemovedSymbol {
    pub(crate) name: Box<str>,
    /// The class or type that it was declared in.
    pub(crate) owner: Option<Box<str>>,
    pub(crate) kind: SymbolKind,
    /// Of its file, before the change.
    pub(crate) path: String,
    pub(crate) language: Language,
    /// The name of the module, in parts: `shop`, `tax`.
    pub(crate) module: Vec<String>,
    /// The name that stands in its place now.
    pub(crate) new_name: Option<Box<str>>,
    /// A variable that no other file can name.
    pub(crate) is_local_value: bool,
    /// Another class may have it as well, and give it to this one.
    pub(crate) may_be_inherited: bool,
    pub(crate) cause: Cause,
}

impl RemovedSymbol {
    /// Has it members of its own?
    pub(crate) fn is_type(&self) -> bool {
        matches!(
            self.kind,
            SymbolKind::Class
                | SymbolKind::Component
                | SymbolKind::Struct
                | SymbolKind::Interface
                | SymbolKind::Trait
                | SymbolKind::Enum
                | SymbolKind::Type
        )
    }
}

pub(crate) struct RemovedFile {
    pub(crate) path: String,
    pub(crate) moved_to: Option<String>,
    /// The name of its module, unless that is another file's now.
    pub(crate) module: Vec<String>,
    pub(crate) cause: Cause,
}

/// What a change takes away at once is no refactoring if it is more than this.
const MOST_SYMBOLS: usize = 2_000;
const MOST_FILES: usize = 100;

impl Removed {
    pub(crate) fn of(comparison: &Comparison<'_>) -> Removed {
        let mut removed = Removed { symbols: Vec::new(), files: Vec::new() };
        for changed in comparison.changes() {
            let Some(old) = comparison.before.find(changed.old_path()) else { continue };
            if changed.after.is_none() || changed.moved_from.is_some() {
                removed.files.extend(gone_file(comparison, changed, old));
            }
            if comparison.before.is_own(old)
                && is_product(changed.old_path())
                && !is_moved_away(comparison, changed)
            {
                removed.symbols.extend(gone_symbols(comparison, changed, old));
            }
        }
        removed.symbols.truncate(MOST_SYMBOLS);
        removed.files.truncate(MOST_FILES);
        removed
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.symbols.iter().map(|symbol| &*symbol.name)
    }
}

/// Tests, examples and documents are named by nobody.
pub(crate) fn is_product(path: &str) -> bool {
    matches!(Role::of(path), Role::Product | Role::Tooling)
}

/// A file that moved leaves a deletion of its own in the list as well.
pub(crate) fn is_moved_away(comparison: &Comparison<'_>, changed: &Changed) -> bool {
    let is_here = |it: &Changed| it.moved_from.as_deref() == Some(&changed.path);
    changed.after.is_none() && comparison.changes().any(is_here)
}

fn gone_file(comparison: &Comparison<'_>, changed: &Changed, old: FileId) -> Option<RemovedFile> {
    let path = changed.old_path();
    // What a program writes comes back; what somebody else wrote is named as one's own files are.
    let trivial = comparison.before.view.file(old).trivial;
    let is_made = trivial.is_some_and(|it| matches!(it.kind(), "generated" | "minified"));
    if is_made || comparison.after.find(path).is_some() || is_moved_away(comparison, changed) {
        return None;
    }
    let moved_to = changed.moved_from.as_ref().map(|_| changed.path.clone());
    // A package that moves to `src` has the name that it had.
    let new = moved_to.as_ref().and_then(|now| comparison.after.find(now));
    let new = new.map(|id| module(&comparison.after, id));
    let module = Some(module(&comparison.before, old)).filter(|old| Some(old) != new.as_ref());
    Some(RemovedFile {
        path: path.to_owned(),
        moved_to,
        module: module.unwrap_or_default(),
        cause: changed.cause_at(1),
    })
}

fn gone_symbols(comparison: &Comparison<'_>, changed: &Changed, old: FileId) -> Vec<RemovedSymbol> {
    let (Some(facts), Some(language)) =
        (comparison.before.facts(old), comparison.before.language(old))
    else {
        return Vec::new();
    };
    let after = changed.after.as_ref().and_then(|_| comparison.after.find(&changed.path));
    if after.is_some_and(|id| !comparison.after.is_whole(id))
        || changed.after.is_some() && after.is_none()
    {
        return Vec::new();
    }
    let now = after.and_then(|id| comparison.after.facts(id));
    let text = changed.before.as_deref().unwrap_or_default();
    let module = module(&comparison.before, old);
    let mut gone = Vec::new();
    for symbol in &facts.symbols {
        if !is_nameable(&facts, symbol)
            || is_alias(text, symbol)
            || now.as_ref().is_some_and(|now| has(now, &facts, symbol))
        {
            continue;
        }
        let new_name = now.as_ref().and_then(|now| successor(changed, &facts, now, symbol));
        gone.push(RemovedSymbol {
            name: symbol.name.clone(),
            owner: owner(&facts, symbol).map(Into::into),
            kind: symbol.kind,
            path: changed.old_path().to_owned(),
            language,
            module: module.clone(),
            is_local_value: is_value(symbol) && !symbol.exported,
            may_be_inherited: new_name.is_none() && is_override(text, &facts, symbol),
            new_name,
            cause: changed.cause_of_old(symbol.span.first_line),
        });
    }
    gone
}

/// Can the symbol be named from elsewhere, and is its name more than a letter or two?
fn is_nameable(facts: &Facts, symbol: &Symbol) -> bool {
    let parent = symbol.parent.map(|parent| &facts.symbols[parent as usize]);
    let is_local = parent.is_some_and(|parent| {
        matches!(parent.kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Component)
    });
    !is_local
        && symbol.kind != SymbolKind::Module
        && symbol.name.len() > 2
        && !symbol.name.starts_with("__")
        && symbol.name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn is_value(symbol: &Symbol) -> bool {
    matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant)
}

/// `var ServerResponse = http.ServerResponse` takes the name from somebody else, who keeps it.
fn is_alias(text: &str, symbol: &Symbol) -> bool {
    let own = text.get(symbol.span.start as usize..symbol.span.end as usize);
    is_value(symbol) && own.is_some_and(|own| words::places(own, &symbol.name).count() > 1)
}

/// Does the class extend another, or the function call the one that it stands for?
fn is_override(text: &str, facts: &Facts, symbol: &Symbol) -> bool {
    let parent = symbol.parent.map(|parent| &facts.symbols[parent as usize]);
    let own = text.get(symbol.span.start as usize..symbol.span.end as usize).unwrap_or_default();
    let calls = |at: usize| {
        let behind = &own[at + symbol.name.len()..];
        behind.starts_with(".call(") || behind.starts_with(".apply(")
    };
    parent.is_some_and(has_bases) || words::places(own, &symbol.name).any(calls)
}

pub(crate) fn owner<'f>(facts: &'f Facts, symbol: &Symbol) -> Option<&'f str> {
    symbol.parent.map(|parent| &*facts.symbols[parent as usize].name)
}

/// Does a file declare a symbol of the same name in the same place?
pub(crate) fn has(facts: &Facts, from: &Facts, symbol: &Symbol) -> bool {
    let is_same = |it: &Symbol| it.name == symbol.name && owner(facts, it) == owner(from, symbol);
    facts.symbols.iter().any(is_same)
}

/// The new symbol that one edit put where the old one stood; `None` where there are several.
pub(crate) fn successor(
    changed: &Changed,
    old: &Facts,
    new: &Facts,
    symbol: &Symbol,
) -> Option<Box<str>> {
    let line = symbol.span.first_line;
    let mut all = new.symbols.iter().filter(|it| {
        it.kind == symbol.kind
            && changed.is_one_edit(line, it.span.first_line)
            && owner(new, it) == owner(old, symbol)
            && !has(old, new, it)
    });
    let first = all.next()?;
    all.next().is_none().then(|| first.name.clone())
}

/// The name of a file's module, in parts. In Python from the outermost package on, elsewhere from the folder of sources on.
pub(crate) fn module(side: &Side<'_>, file: FileId) -> Vec<String> {
    let path = side.path(file);
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let mut parts: Vec<&str> = stem.split('/').collect();
    if side.language(file) == Some(Language::Python) {
        let mut folder = folder_of(path);
        while !folder.is_empty() && side.find(&format!("{folder}/__init__.py")).is_some() {
            folder = folder_of(folder);
        }
        let outside = if folder.is_empty() { 0 } else { folder.split('/').count() };
        parts.drain(..outside);
    } else if let Some(at) = parts.iter().rposition(|part| matches!(*part, "src" | "lib")) {
        parts.drain(..=at);
    }
    if side.language(file) == Some(Language::Go) {
        parts.pop();
    }
    while parts
        .last()
        .is_some_and(|last| matches!(*last, "__init__" | "index" | "mod" | "lib" | "main"))
    {
        parts.pop();
    }
    parts.into_iter().map(str::to_owned).collect()
}
