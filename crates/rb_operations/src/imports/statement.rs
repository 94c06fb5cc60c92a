//! One import statement: taken out, put at the head of a function, replaced where it stands.

use rb_core::Edit;
use rb_python::ast::{Expr, Stmt};
use rb_python::{Import, ImportPlace, Ranged, Source, TextRange, TextSize};

use super::Imported;
use super::names::{Item, relist, whole_lines};
use super::order::Spot;
use crate::layout::{self, line_end, line_start, newline, offset};

/// `TYPE_CHECKING` or `typing.TYPE_CHECKING`.
pub(super) fn is_type_checking(test: &Expr) -> bool {
    match test {
        Expr::Name(name) => name.id.as_str() == "TYPE_CHECKING",
        Expr::Attribute(attribute) => attribute.attr.as_str() == "TYPE_CHECKING",
        _ => false,
    }
}

/// How the file can write it, if it has `typing` already.
pub(super) fn type_checking_name(source: &Source) -> Option<String> {
    let imports = source.imports().iter().filter(|import| import.place == ImportPlace::Top);
    let names = imports
        .flat_map(|import| (0..import.names.len()).map(move |name| Imported::of(import, name)));
    let mut found =
        names.filter_map(|imported| match (imported.module.as_str(), imported.name.as_deref()) {
            ("typing", Some("TYPE_CHECKING")) => Some(imported.local().to_owned()),
            ("typing", None) => Some(format!("{}.TYPE_CHECKING", imported.local())),
            _ => None,
        });
    found.next()
}

pub(super) fn first_definition(source: &Source) -> TextSize {
    let is_definition = |stmt: &&Stmt| matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_));
    let end = TextSize::of(&**source.text());
    source.body().iter().find(is_definition).map_or(end, Ranged::start)
}

/// The white space in front of the statements of a suite.
pub(super) fn indent_of(source: &Source, body: &[Stmt]) -> String {
    let Some(first) = body.first() else { return "    ".to_owned() };
    let start = first.start().to_usize();
    let line = &source.text()[line_start(source.text(), start)..start];
    if line.trim().is_empty() { line.to_owned() } else { "    ".to_owned() }
}

/// Does the file write one name in each statement, several statements for one module?
pub(super) fn is_one_name_each(source: &Source) -> bool {
    let from = |import: &&Import| import.is_from && import.place != ImportPlace::Local;
    let imports: Vec<&Import> = source.imports().iter().filter(from).collect();
    let is_plain = |import: &Import| import.names.iter().all(|name| name.alias.is_none());
    let has_pair = imports.windows(2).any(|pair| {
        pair[0].specifier(0) == pair[1].specifier(0) && is_plain(pair[0]) && is_plain(pair[1])
    });
    has_pair && imports.iter().all(|import| import.names.len() == 1)
}

/// Does some statement of the file have a name with an alias beside others?
pub(super) fn combines_aliases(source: &Source) -> bool {
    let from = source.imports().iter().filter(|import| import.is_from && import.names.len() > 1);
    from.flat_map(|import| &import.names).any(|name| name.alias.is_some())
}

/// A new line, with the blank lines that its place asks for.
pub(super) fn line_at(source: &Source, spot: Spot, line: &str) -> Edit {
    let text: &str = source.text();
    let newline = newline(text);
    let is_open = !layout::is_blank(&text[..spot.at]) && !text[..spot.at].ends_with('\n');
    let open = if is_open { newline } else { "" };
    let (before, after) = (newline.repeat(spot.blank_before), newline.repeat(spot.blank_after));
    Edit::insert(offset(spot.at), format!("{open}{before}{line}{newline}{after}"))
}

/// The comment on the last line of the statement, with the space in front of it.
pub(super) fn comment_behind(source: &Source, import: &Import) -> String {
    let text: &str = source.text();
    let end = import.range.end().to_usize();
    let behind = text[end..line_end(text, end)].trim_end();
    if behind.trim_start().starts_with('#') { behind.to_owned() } else { String::new() }
}

/// `# noqa: F401`, `# type: ignore`: it holds for each name of the statement.
pub(super) fn is_for_linters(comment: &str) -> bool {
    let text = comment.trim_start().trim_start_matches('#').trim_start();
    ["noqa", "type: ignore", "pyright: ", "pylint: "].iter().any(|start| text.starts_with(start))
}

/// Takes a whole statement out. A suite that would be empty gets `pass`; an empty `if TYPE_CHECKING:` goes with it.
pub(super) fn removed(source: &Source, import: &Import) -> Vec<Edit> {
    let text: &str = source.text();
    let body = source.body();
    if shares_line(text, import) {
        return vec![removed_within_line(text, import)];
    }
    if body.iter().any(|statement| statement.range() == import.range) {
        let (start, end) = whole_lines(source, import);
        return layout::cut(text, &[TextRange::new(start.into(), end.into())]);
    }
    let suite = suite_of(body, import.range).unwrap_or_default();
    if suite.len() > 1 {
        let (start, end) = whole_lines(source, import);
        return vec![Edit::delete(start, end)];
    }
    let guard = body.iter().enumerate().find_map(|(index, statement)| match statement {
        Stmt::If(guard) if guard.range.contains_range(import.range) => Some((index, guard)),
        _ => None,
    });
    match guard {
        Some((index, guard))
            if is_type_checking(&guard.test) && guard.elif_else_clauses.is_empty() =>
        {
            let block = layout::block(source, index).map_or(guard.range, |block| block.range);
            layout::cut(text, &[block])
        }
        _ => {
            vec![Edit::replace(import.range.start().to_u32(), import.range.end().to_u32(), "pass")]
        }
    }
}

fn shares_line(text: &str, import: &Import) -> bool {
    let (start, end) = (import.range.start().to_usize(), import.range.end().to_usize());
    let before = text[line_start(text, start)..start].trim();
    let behind = text[end..line_end(text, end)].trim();
    !before.is_empty() || !(behind.is_empty() || behind.starts_with('#'))
}

/// `import a; import b`.
fn removed_within_line(text: &str, import: &Import) -> Edit {
    let (start, end) = (import.range.start().to_usize(), import.range.end().to_usize());
    let behind = &text[end..line_end(text, end)];
    if let Some(rest) = behind.trim_start().strip_prefix(';') {
        let rest_start = end + behind.len() - rest.trim_start().len();
        if !rest.trim().is_empty() && !rest.trim().starts_with('#') {
            return Edit::delete(offset(start), offset(rest_start));
        }
    }
    Edit::replace(offset(start), offset(end), "pass")
}

/// The statements among which one stands.
fn suite_of(body: &[Stmt], range: TextRange) -> Option<&[Stmt]> {
    if body.iter().any(|statement| statement.range() == range) {
        return Some(body);
    }
    let around = body.iter().find(|statement| statement.range().contains_range(range))?;
    suites(around).into_iter().find_map(|suite| suite_of(suite, range))
}

/// The suites of a compound statement.
pub(super) fn suites(statement: &Stmt) -> Vec<&[Stmt]> {
    match statement {
        Stmt::FunctionDef(function) => vec![&function.body],
        Stmt::ClassDef(class) => vec![&class.body],
        Stmt::For(block) => vec![&block.body, &block.orelse],
        Stmt::While(block) => vec![&block.body, &block.orelse],
        Stmt::With(block) => vec![&block.body],
        Stmt::If(block) => {
            let mut suites: Vec<&[Stmt]> = vec![&block.body];
            suites.extend(block.elif_else_clauses.iter().map(|clause| clause.body.as_slice()));
            suites
        }
        Stmt::Try(block) => {
            let mut suites: Vec<&[Stmt]> = vec![&block.body, &block.orelse, &block.finalbody];
            let handlers = block
                .handlers
                .iter()
                .map(|rb_python::ast::ExceptHandler::ExceptHandler(handler)| handler);
            suites.extend(handlers.map(|handler| handler.body.as_slice()));
            suites
        }
        Stmt::Match(block) => block.cases.iter().map(|case| case.body.as_slice()).collect(),
        _ => Vec::new(),
    }
}

/// In a function or condition: the statement itself changes, or another one follows it.
pub(super) fn replaced_here(
    source: &Source,
    import: &Import,
    name: usize,
    new: &Imported,
) -> Vec<Edit> {
    let text: &str = source.text();
    let (start, end) = (import.range.start().to_u32(), import.range.end().to_u32());
    if import.names.len() == 1 {
        return vec![Edit::replace(start, end, new.statement())];
    }
    let kept = (0..import.names.len()).filter(|index| *index != name).map(Item::Kept);
    let kept: Vec<Item> = kept.collect();
    let rest = if import.is_from {
        relist(source, import, &kept, 120).text
    } else {
        let names = (0..import.names.len()).filter(|index| *index != name);
        let names: Vec<&str> = names.map(|index| source.slice(import.names[index].range)).collect();
        format!("import {}", names.join(", "))
    };
    let line = line_start(text, import.range.start().to_usize());
    let indent = &text[line..import.range.start().to_usize()];
    if !indent.trim().is_empty() {
        return vec![Edit::replace(start, end, format!("{rest}; {}", new.statement()))];
    }
    vec![Edit::replace(start, end, format!("{rest}{}{indent}{}", newline(text), new.statement()))]
}

/// Another statement on the line below.
pub(super) fn beside(source: &Source, import: &Import, new: &Imported) -> Edit {
    let text: &str = source.text();
    let start = import.range.start().to_usize();
    let indent = &text[line_start(text, start)..start];
    let end = import.range.end().to_u32();
    if !indent.trim().is_empty() {
        return Edit::insert(end, format!("; {}", new.statement()));
    }
    let at = line_end(text, import.range.end().to_usize());
    let newline = newline(text);
    let open = if text[..at].ends_with('\n') { "" } else { newline };
    Edit::insert(offset(at), format!("{open}{indent}{}{newline}", new.statement()))
}

/// Imports at the head of the outermost function around a place. None if there is none.
pub(crate) fn at_head_of_function(
    source: &Source,
    place: TextRange,
    statements: &[String],
) -> Option<Edit> {
    let text: &str = source.text();
    let body = function_body(source.body(), place)?;
    let is_docstring = super::is_docstring(body.first()?);
    let imports = body.iter().skip(usize::from(is_docstring));
    let leading =
        imports.take_while(|stmt| matches!(stmt, Stmt::Import(_) | Stmt::ImportFrom(_))).last();
    let above = leading.or(if is_docstring { body.first() } else { None });
    let indent = indent_of(source, body);
    let newline = newline(text);
    let first = body.first()?.start().to_usize();
    if !text[line_start(text, first)..first].trim().is_empty() {
        return on_line_of_def(text, first, statements);
    }
    let lines = statements
        .iter()
        .map(|line| format!("{indent}{line}{newline}"))
        .collect::<Vec<_>>()
        .concat();
    let at = match above {
        Some(statement) => line_end(text, statement.end().to_usize()),
        None => above_comments(text, line_start(text, first)),
    };
    let open = if at > 0 && !text[..at].ends_with('\n') { newline } else { "" };
    let is_below_docstring = leading.is_none() && is_docstring;
    let has_gap =
        is_below_docstring && text[at..].lines().next().is_some_and(|line| line.trim().is_empty());
    let before = if has_gap { newline } else { "" };
    // Formatters want a blank line behind imports.
    let is_followed = text[at..].lines().next().is_some_and(|line| line.trim().is_empty());
    let after = if is_followed { "" } else { newline };
    Some(Edit::insert(offset(at), format!("{open}{before}{lines}{after}")))
}

/// In front of the comments that lead over to a statement.
fn above_comments(text: &str, line: usize) -> usize {
    let mut at = line;
    while at > 0 {
        let above = line_start(text, at - 1);
        if !text[above..at].trim_start().starts_with('#') {
            break;
        }
        at = above;
    }
    at
}

/// `def f(): return x` gets lines of its own for its body.
fn on_line_of_def(text: &str, first: usize, statements: &[String]) -> Option<Edit> {
    let head = text[..first].trim_end();
    let line = &text[line_start(text, first)..first];
    if !head.ends_with(':') {
        return None;
    }
    let outer = &line[..line.len() - line.trim_start().len()];
    let newline = newline(text);
    let lines = statements
        .iter()
        .map(|line| format!("{newline}{outer}    {line}"))
        .collect::<Vec<_>>()
        .concat();
    Some(Edit::replace(offset(head.len()), offset(first), format!("{lines}{newline}{outer}    ")))
}

fn function_body(body: &[Stmt], place: TextRange) -> Option<&[Stmt]> {
    let around = body.iter().find(|statement| statement.range().contains_range(place))?;
    match around {
        Stmt::FunctionDef(function) => {
            let is_inside = function.body.first()?.start() <= place.start();
            is_inside.then_some(&function.body[..])
        }
        _ => suites(around).into_iter().find_map(|suite| function_body(suite, place)),
    }
}
