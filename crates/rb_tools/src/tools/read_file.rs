//! `read_file`: the lines of a file with their numbers.
//!
//! Files that nobody needs to read to understand a repository are refused with the reason until the caller insists.

use rb_core::plural;
use rb_index::FileView;
use rb_index::trivial::Trivial;
use serde_json::json;

use super::arguments::{Arguments, schema};
use super::page::{Block, Page};
use super::source::SourceFile;
use super::symbols::line_range;
use super::{Tool, paths, source, words};
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

pub(crate) const TOOL: Tool = Tool { spec, run };

const MOST_LINES: u32 = 400;
const MOST_CHARS: usize = 16_000;

fn spec() -> ToolSpec {
    let properties = json!({
        "path": {
            "type": "string",
            "description": "The path of the file, relative to the root of the repository."
        },
        "first_line": {
            "type": "integer",
            "minimum": 1,
            "description": "The first line to show; 1 by default."
        },
        "last_line": {
            "type": "integer",
            "minimum": 1,
            "description": "The last line to show; the end of the file by default."
        },
        "anyway": {
            "type": "boolean",
            "description": "Read a trivial or generated file although it is one."
        }
    });
    ToolSpec {
        name: "read_file",
        title: "Read a file",
        description: "Shows lines of a file with their numbers, 400 lines or 16,000 characters per call. For a large file, look at \
                      its `outline` first and read the lines you need.",
        input: schema(&properties, &["path"]),
    }
}

fn run(
    on: Repository<'_>,
    cache: &mut ReadCache,
    arguments: &Arguments,
) -> Result<Output, ToolError> {
    let view = on.indexed.view()?;
    let id = paths::find(on, &view, arguments.required("path"))?;
    let file = view.file(id);
    if !arguments.flag("anyway") {
        refuse_trivial(&file)?;
    }
    let source = source::read(on, cache, &file).map_err(|why| why.error(file.path))?;
    let lines = source.text.lines();
    let mut page = Page::with_room(MOST_CHARS);
    page.file(&source.path);
    if lines == 0 {
        page.line(&format!("{} is empty.", words::path(file.path)));
        return Ok(page.finish());
    }
    show(&mut page, &source, range(&file, lines, arguments)?);
    Ok(page.finish())
}

fn refuse_trivial(file: &FileView<'_>) -> Result<(), ToolError> {
    match file.trivial {
        // There is nothing in it to refuse.
        Some(Trivial::Empty) | None => Ok(()),
        Some(
            trivial @ (Trivial::ShortInit { .. }
            | Trivial::ReExports
            | Trivial::LockFile
            | Trivial::Generated(_)
            | Trivial::Vendored(_)
            | Trivial::SaidVendored
            | Trivial::Minified),
        ) => {
            let (path, reason) = (words::path(file.path), trivial.words());
            Err(ToolError::Call(format!(
                "`{path}` is hardly worth reading ({reason}). If you need it, call again with \"anyway\": true."
            )))
        }
    }
}

/// The lines that are asked for, as far as the file has them.
fn range(file: &FileView<'_>, lines: u32, arguments: &Arguments) -> Result<(u32, u32), ToolError> {
    let first = arguments.number("first_line").unwrap_or(1);
    let last = arguments.number("last_line").unwrap_or(u32::MAX);
    if first > lines {
        let (path, has) = (words::path(file.path), plural(lines as usize, "line"));
        return Err(ToolError::Call(format!("`{path}` has {has}; there is no line {first}.")));
    }
    if last < first {
        return Err(ToolError::Call(format!(
            "`last_line` ({last}) is before `first_line` ({first})."
        )));
    }
    Ok((first, last.min(lines)))
}

/// Shows as many of the lines as fit, and says where the rest is.
fn show(page: &mut Page, source: &SourceFile, (first, last): (u32, u32)) {
    let lines = source.text.lines();
    let path = words::path(&source.path);
    let from = if first > 1 { format!(", from line {first}") } else { String::new() };
    page.line(&format!("{path} ({}{from}):", plural(lines as usize, "line")));
    if let Some(encoding) = source.text.encoding() {
        page.line(&format!("(written in {encoding}, shown decoded)"));
    }
    let most = last.min(first.saturating_add(MOST_LINES - 1));
    let mut next = first;
    while next <= most {
        let mut line = Block::default();
        line.source(source, next);
        if !page.add(line) {
            break;
        }
        next += 1;
    }
    if next <= last {
        let (rest, more) = (line_range(next, last), plural((last - next + 1) as usize, "line"));
        page.line(&format!(
            "({more} left out: {rest}. Read on with {{\"path\": \"{path}\", \"first_line\": {next}}}.)"
        ));
    }
}
