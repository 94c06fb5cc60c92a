//! Which symbol is meant by `path#name`, `path:12#name`, `path#Class.method` or a bare name.

use oxc_semantic::SymbolId;
use rb_ecma::Module;
use rb_rules::World;

use super::file::has_word;
use crate::links::{self, Exporting, line_of};
use crate::recipe::{PlanError, Planning};

/// The most that are named if several could be meant.
const MOST: usize = 10;

/// Said of a name that could mean several symbols.
pub(super) const SEVERAL: &str = "is declared more than once";

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RenameRequest<'s> {
    pub(super) path: Option<&'s str>,
    pub(super) line: Option<u32>,
    pub(super) name: &'s str,
    pub(super) member: Option<&'s str>,
}

/// A symbol that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Symbol {
    pub(super) path: String,
    pub(super) line: u32,
    pub(super) name: String,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A binding, by where its name is first declared.
    Binding(u32),
    /// A key of what `CommonJS` exports, without a binding of that name.
    Export,
    /// A member of the binding.
    Member(String),
}

pub(super) fn asked(symbol: &str) -> Result<RenameRequest<'_>, PlanError> {
    let (path, name) = match symbol.split_once('#') {
        Some((path, name)) if !path.ends_with('.') => (Some(path), name),
        _ => (None, symbol),
    };
    let (path, line) = match path.and_then(|it| it.rsplit_once(':')) {
        Some((file, line)) => match line.parse() {
            Ok(line) => (Some(file), Some(line)),
            Err(_) => (path, None),
        },
        None => (path, None),
    };
    let (name, member) = match name.split_once('.') {
        Some((name, member)) => (name, Some(member)),
        None => (name, None),
    };
    let is_plain = |it: &str| oxc_syntax::identifier::is_identifier_name(it);
    let has_plain_member = member.is_none_or(|it| is_plain(it.strip_prefix('#').unwrap_or(it)));
    if !is_plain(name) || !has_plain_member {
        return Err(PlanError::Argument(format!(
            "`{symbol}` is not a symbol; write `path#name`, `path:line#name` or `path#owner.member`"
        )));
    }
    let path = path.map(|it| it.trim_start_matches("./"));
    Ok(RenameRequest { path, line, name, member })
}

pub(super) fn find(
    planning: &Planning<'_>,
    asked: &RenameRequest<'_>,
) -> Result<Symbol, PlanError> {
    let files = match asked.path {
        Some(path) => vec![path.to_owned()],
        None => planning.world.paths(),
    };
    let answers = planning.over(&files, |path| {
        let text = planning.world.text(path)?;
        has_word(&text, asked.name).then_some(())?;
        planning.world.with_module(path, |module| candidates(planning, path, module, asked))
    })?;
    let mut found: Vec<Symbol> = answers.into_iter().flat_map(|(_, it)| it).collect();
    if found.len() > 1 && asked.path.is_none() {
        // A declaration beside the code that it describes is no other symbol.
        let codes: Vec<String> = found.iter().map(|it| stem(&it.path).to_owned()).collect();
        let twins = |it: &Symbol| {
            is_declaration(&it.path)
                && codes.iter().filter(|code| *code == stem(&it.path)).count() > 1
        };
        found.retain(|it| !twins(it));
    }
    match found.len() {
        1 => Ok(with_member(found.remove(0), asked)),
        0 => Err(missing(planning, asked)?),
        _ => Err(several(asked, &found)),
    }
}

fn with_member(mut symbol: Symbol, asked: &RenameRequest<'_>) -> Symbol {
    if let Some(member) = asked.member {
        symbol.kind = Kind::Member(member.to_owned());
    }
    symbol
}

pub(super) fn is_declaration(path: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|it| path.ends_with(it))
}

/// A path without its extension.
pub(super) fn stem(path: &str) -> &str {
    let path = path.strip_suffix(".d.ts").unwrap_or(path);
    let path = path.strip_suffix(".d.mts").or_else(|| path.strip_suffix(".d.cts")).unwrap_or(path);
    match path.rsplit_once('.') {
        Some((stem, extension)) if !extension.contains('/') => stem,
        _ => path,
    }
}

/// The declarations beside a script, or the script beside its declarations.
pub(super) fn twins(world: &dyn World, path: &str) -> Vec<String> {
    let stem = stem(path);
    let endings = [".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs", ".jsx"];
    let is_code = |it: &str| !is_declaration(it);
    let all = endings.iter().map(|it| format!("{stem}{it}"));
    all.filter(|it| it != path && is_code(it) != is_code(path))
        .filter(|it| world.facts(it).is_some())
        .collect()
}

fn candidates(
    planning: &Planning<'_>,
    path: &str,
    module: &Module<'_>,
    asked: &RenameRequest<'_>,
) -> Vec<Symbol> {
    let scoping = module.scoping();
    let symbol = |id: SymbolId| {
        let start = scoping.symbol_span(id).start;
        let (path, line) = (path.to_owned(), module.line(start));
        Symbol { path, line, name: asked.name.to_owned(), kind: Kind::Binding(start) }
    };
    if let Some(line) = asked.line {
        let named = scoping.symbol_ids().filter(|&it| scoping.symbol_name(it) == asked.name);
        return named.map(symbol).filter(|it| it.line == line).collect();
    }
    let root = module.top_level(asked.name);
    if let Some(id) = root.filter(|&it| !scoping.symbol_flags(it).is_import()) {
        return vec![symbol(id)];
    }
    let links = links::read(planning.world, path, module);
    let by_key = links.exports.iter().find(|it| {
        it.name == asked.name
            && it.local.as_deref() != Some(asked.name)
            && matches!(it.how, Exporting::Assigned | Exporting::Member)
    });
    by_key
        .into_iter()
        .map(|it| Symbol {
            path: path.to_owned(),
            line: line_of(module.text(), it.place.start),
            name: asked.name.to_owned(),
            kind: Kind::Export,
        })
        .collect()
}

fn several(asked: &RenameRequest<'_>, found: &[Symbol]) -> PlanError {
    let mut places: Vec<String> =
        found.iter().take(MOST).map(|it| format!("{}:{}", it.path, it.line)).collect();
    if found.len() > MOST {
        places.push(format!("and {} more", found.len() - MOST));
    }
    PlanError::Argument(format!(
        "`{}` {SEVERAL}: {}; write `path#{}` or `path:line#{}`",
        asked.name,
        places.join(", "),
        asked.name,
        asked.name
    ))
}

/// Nothing has the name: what could have been meant.
fn missing(planning: &Planning<'_>, asked: &RenameRequest<'_>) -> Result<PlanError, PlanError> {
    let world = planning.world;
    if let Some(path) = asked.path.filter(|it| world.text(it).is_none()) {
        return Ok(PlanError::Argument(format!("there is no file `{path}`")));
    }
    let files = match asked.path {
        Some(path) => vec![path.to_owned()],
        None => world.paths(),
    };
    let near = planning.over_modules(&files, |path, module| near(path, module, asked.name))?;
    let mut near: Vec<(usize, String)> = near.into_iter().flat_map(|(_, it)| it).collect();
    near.sort();
    near.dedup();
    let meant: Vec<String> = near.into_iter().take(MOST).map(|(_, it)| format!("`{it}`")).collect();
    let at = asked.path.map(|it| format!(" in {it}")).unwrap_or_default();
    let hint = if meant.is_empty() {
        String::new()
    } else {
        format!("; did you mean {}?", meant.join(", "))
    };
    Ok(PlanError::Argument(format!("there is no symbol `{}`{at}{hint}", asked.name)))
}

/// Names that are almost the one, and the one itself where it is declared further in or imported.
fn near(path: &str, module: &Module<'_>, name: &str) -> Vec<(usize, String)> {
    let scoping = module.scoping();
    let mut found = Vec::new();
    for id in scoping.symbol_ids() {
        let other = scoping.symbol_name(id);
        let is_top = scoping.symbol_scope_id(id) == scoping.root_scope_id();
        if other == name && scoping.symbol_flags(id).is_import() {
            let import = module.import(id).map_or("", |it| it.source);
            found.push((0, format!("{name} of {import}, which {path} imports")));
        } else if other == name {
            let line = module.line(scoping.symbol_span(id).start);
            found.push((0, format!("{path}:{line}#{name}")));
        } else if is_top && !scoping.symbol_flags(id).is_import() {
            let far = distance(other, name);
            if far <= 2 && far < name.len() || other.eq_ignore_ascii_case(name) {
                found.push((far, format!("{path}#{other}")));
            }
        }
    }
    found
}

/// How many letters differ.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    if a.chars().count().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(before + 1);
        }
    }
    row[b.len()]
}
