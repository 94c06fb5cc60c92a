//! `outline`: what a file declares, with signatures, lines and the first sentence of each doc comment.

use rb_core::plural;
use rb_lang::{Facts, Language, Symbol};
use serde_json::json;

use super::arguments::{Arguments, schema};
use super::page::{Block, Page};
use super::symbols::line_range;
use super::{Tool, paths, source, words};
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

pub(crate) const TOOL: Tool = Tool { spec, run };

const MOST: usize = 200;
const LONGEST_SIGNATURE: usize = 200;
const LONGEST_DOC: usize = 160;
const DEEPEST: usize = 8;

fn spec() -> ToolSpec {
    let properties = json!({
        "path": {
            "type": "string",
            "description": "The path of the file, relative to the root of the repository."
        }
    });
    ToolSpec {
        name: "outline",
        title: "Outline of a file",
        description: "Lists the symbols of a file in the order of the text: kind, signature, lines and the first sentence of the doc \
                      comment. It shows no code that can be cited; use `read_file` for that.",
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
    let shown = words::path(file.path);
    // What must not be shown is not shown in the form of signatures either.
    source::read(on, cache, &file).map_err(|why| why.error(file.path))?;
    let Some(facts) = view.read_facts(id)? else {
        let language = file.language.map_or("of an unknown kind", Language::name);
        return Err(ToolError::Call(format!(
            "`{shown}` is {language} and has no outline. Read it with `read_file`."
        )));
    };
    let mut page = Page::new();
    page.file(file.path);
    let mut notes = vec![plural(facts.lines as usize, "line")];
    if !facts.symbols.is_empty() {
        notes.push(plural(facts.symbols.len(), "symbol"));
    }
    if facts.syntax_errors > 0 {
        notes.push(plural(facts.syntax_errors as usize, "syntax error"));
    }
    let notes = notes.join(", ");
    if facts.symbols.is_empty() {
        page.line(&format!(
            "{shown} ({notes}) declares nothing by name. Read it with `read_file`."
        ));
        return Ok(page.finish());
    }
    page.line(&format!("{shown} ({notes}):"));
    let depths = depths(&facts);
    let symbols: Vec<(&Symbol, usize)> = facts.symbols.iter().zip(depths).collect();
    let left = page.each(&symbols, MOST, |(symbol, depth)| Ok(entry(symbol, *depth)))?;
    if left > 0 {
        let next = symbols[symbols.len() - left].0.span.first_line;
        let left = plural(left, "symbol");
        page.line(&format!(
            "({left} left out, from line {next} on. Read these lines with `read_file`.)"
        ));
    }
    Ok(page.finish())
}

/// How many symbols each is declared in.
fn depths(facts: &Facts) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(facts.symbols.len());
    for symbol in &facts.symbols {
        let parent = symbol.parent.and_then(|parent| depths.get(parent as usize));
        depths.push(parent.map_or(0, |depth| depth + 1));
    }
    depths
}

fn entry(symbol: &Symbol, depth: usize) -> Block {
    let mut block = Block::default();
    let indent = "  ".repeat(depth.min(DEEPEST) + 1);
    let lines = line_range(symbol.span.first_line, symbol.span.last_line);
    let name = words::one_line(&symbol.name, 120);
    let signature = words::one_line(&symbol.signature, LONGEST_SIGNATURE);
    let signature = if signature.is_empty() { String::new() } else { format!(": {signature}") };
    let exported = if symbol.exported { "exported " } else { "" };
    let kind = symbol.kind.name();
    block.line(&format!("{indent}{lines} {exported}{kind} `{name}`{signature}"));
    let doc = words::first_sentence(&symbol.doc, LONGEST_DOC);
    if !doc.is_empty() {
        block.line(&format!("{indent}  {doc}"));
    }
    block
}
