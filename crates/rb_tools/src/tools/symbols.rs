//! Declarations by name: `parse`, `Store.get`, `Store::get`, or the id `src/store.py#Store.get`.

use std::cmp::Reverse;

use rb_index::{FileId, View, test_links};
use rb_lang::{Symbol, SymbolKind};

use super::nearest::{did_you_mean, nearest};
use super::{default_exports, paths, words};
use crate::toolbox::{Repository, ToolError};

/// Something that a file declares.
pub(crate) struct Declaration {
    pub(crate) file: FileId,
    /// Its place in the facts of the file.
    pub(crate) index: u32,
    pub(crate) symbol: Symbol,
    /// `Store.get`.
    pub(crate) qualified: String,
}

/// What a name may mean.
pub(crate) struct Declarations {
    /// Those of the product before those of tests, then the most important file first.
    pub(crate) list: Vec<Declaration>,
    /// What to say if these are not exactly what was asked for.
    pub(crate) note: Option<String>,
}

/// A name, taken apart.
pub(crate) struct Name {
    pub(crate) parts: Vec<String>,
    file: Option<FileId>,
}

/// Only so many of the names around a symbol are part of its own.
const MAX_DEPTH: usize = 16;

impl Name {
    pub(crate) fn parse(
        on: Repository<'_>,
        view: &View<'_>,
        name: &str,
        path: Option<&str>,
    ) -> Result<Name, ToolError> {
        let mut file = path.map(|path| paths::find(on, view, path)).transpose()?;
        let mut name = name.trim().trim_matches('`').trim_end_matches("()");
        if let Some((before, rest)) = name.split_once('#')
            && let Some(id) = view.tree.find(before)
        {
            (name, file) = (rest, file.or(Some(id)));
        }
        let parts = name.split(['.', ':', '#']).filter(|part| !part.is_empty());
        let parts: Vec<String> = parts.map(str::to_owned).collect();
        if parts.is_empty() || name.contains(char::is_whitespace) {
            let shown = words::one_line(name, 100);
            return Err(ToolError::Call(format!(
                "`{shown}` is not a name. Write one name from the code, such as `parse` or `Store.get`."
            )));
        }
        Ok(Name { parts, file })
    }

    /// The name without what stands before it.
    pub(crate) fn last(&self) -> &str {
        self.parts.last().map_or("", String::as_str)
    }

    /// The file that is meant, if one was named.
    pub(crate) fn file(&self) -> Option<FileId> {
        self.file
    }

    pub(crate) fn joined(&self) -> String {
        self.parts.join(".")
    }
}

/// The declarations that a name means.
pub(crate) fn find(
    on: Repository<'_>,
    view: &View<'_>,
    name: &Name,
) -> Result<Declarations, ToolError> {
    let (mut exact, mut alike) = (Vec::new(), Vec::new());
    let wanted = name.joined();
    for &file in view.by_importance() {
        if name.file.is_some_and(|only| only != file) {
            continue;
        }
        if on.cancel.is_cancelled() {
            return Err(ToolError::Interrupted);
        }
        let symbols = view.read_symbols(file)?;
        for (index, symbol) in (0..).zip(&symbols) {
            if !symbol.name.ends_with(name.last()) {
                continue;
            }
            let qualified = qualified(&symbols, index);
            let is_exact = ends_in(&qualified, &wanted);
            if is_exact || &*symbol.name == name.last() {
                let list = if is_exact { &mut exact } else { &mut alike };
                list.push(Declaration { file, index, symbol: symbol.clone(), qualified });
            }
        }
    }
    let mut list = exact;
    let mut note = None;
    if list.is_empty() && !alike.is_empty() {
        let other = name.last();
        note = Some(format!("There is no `{wanted}`. What follows is about `{other}`."));
        list = alike;
    }
    if list.is_empty() {
        return match default_export(on, view, name)? {
            Some(found) => Ok(found),
            None => Err(no_such_symbol(view, name)?),
        };
    }
    list.sort_by_key(|found| test_links::is_test_path(&view.tree.get(found.file).path));
    Ok(Declarations { list, note })
}

/// For a name that nothing declares: a default export by the name that importing files give it, or by the path of its file.
fn default_export(
    on: Repository<'_>,
    view: &View<'_>,
    name: &Name,
) -> Result<Option<Declarations>, ToolError> {
    let files = view.by_importance().iter().copied();
    if let Some(found) = default_exports::imported_as(on, view, name, files, name.file)? {
        return Ok(Some(found));
    }
    match paths::find(on, view, &name.joined()) {
        Ok(file) => default_exports::of_file(view, file),
        Err(_) => Ok(None),
    }
}

/// `get` and `Store.get` of `shop.Store.get`, not `et`.
fn ends_in(qualified: &str, wanted: &str) -> bool {
    qualified.strip_suffix(wanted).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// The name with those of the symbols that it is declared in.
pub(crate) fn qualified(symbols: &[Symbol], index: u32) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let mut at = Some(index);
    while let Some(symbol) = at.and_then(|at| symbols.get(usize::try_from(at).ok()?)) {
        parts.push(&symbol.name);
        at = symbol.parent.filter(|_| parts.len() < MAX_DEPTH);
    }
    parts.reverse();
    parts.join(".")
}

/// The innermost symbol around a line. None is around the line that declares it.
pub(crate) fn around(symbols: &[Symbol], line: u32, name: &str) -> Option<u32> {
    let is_around = |symbol: &Symbol| {
        let span = symbol.span;
        let is_declared = span.first_line == line && &*symbol.name == name;
        !is_declared && (span.first_line..=span.last_line).contains(&line)
    };
    let around = (0..).zip(symbols).filter(|(_, symbol)| is_around(symbol));
    // Of two on the same lines, the later is in the other.
    let innermost = around.min_by_key(|(index, symbol)| {
        (symbol.span.last_line - symbol.span.first_line, Reverse(*index))
    });
    innermost.map(|(index, _)| index)
}

/// Whether a symbol is a module of tests beside the code.
pub(crate) fn is_test_module(symbol: &Symbol) -> bool {
    symbol.kind == SymbolKind::Module && matches!(&*symbol.name, "tests" | "test")
}

/// Whether a symbol is in a module of tests, or is one.
pub(crate) fn is_in_tests(symbols: &[Symbol], index: u32) -> bool {
    let mut at = Some(index);
    while let Some(symbol) = at.and_then(|at| symbols.get(usize::try_from(at).ok()?)) {
        if is_test_module(symbol) {
            return true;
        }
        // A parent always comes before what is in it.
        at = symbol.parent;
    }
    false
}

impl Declaration {
    /// "function `parse` in src/parse.js:3-20".
    pub(crate) fn words(&self, view: &View<'_>) -> String {
        let span = self.symbol.span;
        format!(
            "{} `{}` in {}:{}",
            self.symbol.kind.name(),
            words::one_line(&self.qualified, 120),
            words::path(&view.tree.get(self.file).path),
            line_range(span.first_line, span.last_line)
        )
    }
}

/// `3` or `3-20`.
pub(crate) fn line_range(first: u32, last: u32) -> String {
    if last > first { format!("{first}-{last}") } else { first.to_string() }
}

fn no_such_symbol(view: &View<'_>, name: &Name) -> Result<ToolError, ToolError> {
    let mut known: Vec<String> = Vec::new();
    for &file in view.by_importance() {
        if name.file.is_none_or(|only| only == file) {
            let names = view.read_symbols(file)?.into_iter().map(|symbol| symbol.name.to_string());
            known.extend(names);
        }
    }
    let hint = match did_you_mean(&nearest(name.last(), known.iter().map(String::as_str), 3)) {
        hint if hint.is_empty() => {
            " Try `references` for uses of the name, or `search` with a description.".to_owned()
        }
        hint => hint,
    };
    let place = match name.file {
        Some(file) => format!("`{}`", words::path(&view.tree.get(file).path)),
        None => "the repository".to_owned(),
    };
    let shown = words::one_line(&name.joined(), 100);
    Ok(ToolError::Call(format!("Nothing named `{shown}` is declared in {place}.{hint}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as2_a_qualified_name_ends_in_what_was_asked_for() {
        let check = |qualified: &str, wanted: &str, expected: bool| {
            assert_eq!(ends_in(qualified, wanted), expected, "{qualified} {wanted}");
        };
        check("shop.Store.get", "get", true);
        check("shop.Store.get", "Store.get", true);
        check("shop.Store.get", "shop.Store.get", true);
        check("shop.Store.get", "et", false);
        check("shop.Store.get", "shop.get", false);
    }
}
