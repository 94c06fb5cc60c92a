//! `search`: files for a question in plain words or for a name, best first, with the symbols and lines that fit.

use rb_core::plural;
use rb_core::progress::Silent;
use rb_index::View;
use rb_index::search::{Hit, Question};
use serde_json::json;

use super::arguments::{Arguments, schema};
use super::page::{Block, Page};
use super::{Tool, source, symbols, words};
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

pub(crate) const TOOL: Tool = Tool { spec, run };

const DEFAULT: usize = 8;
/// Of a file with no more lines and bytes, all lines are shown.
const SMALL: u32 = 20;
const SMALL_BYTES: usize = 1_500;

fn spec() -> ToolSpec {
    let properties = json!({
        "query": {
            "type": "string",
            "description": "What to look for: a description in plain words, or a name from the code."
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": 30,
            "description": "The most files to return; 8 by default."
        },
        "path": {
            "type": "string",
            "description": "Search only this file, such as \"src/main.rs\", or the files that match this glob, such as \"src\" or \"*.go\"."
        }
    });
    ToolSpec {
        name: "search",
        title: "Search by meaning and words",
        description: "Finds files by meaning, words and names, best first, with the symbols and lines that fit; all lines of a very \
                      small file. Use it to find where something is done before you read files.",
        input: schema(&properties, &["query"]),
    }
}

fn run(
    on: Repository<'_>,
    cache: &mut ReadCache,
    arguments: &Arguments,
) -> Result<Output, ToolError> {
    let query = arguments.required("query");
    let limit = arguments.limit("limit", DEFAULT);
    let view = on.indexed.view()?;
    let path = arguments.text("path");
    let question = Question {
        text: query.to_owned(),
        // One more, to know whether something is left out.
        limit: limit + 1,
        paths: path.map(|path| glob(&view, path)).into_iter().collect(),
        whole_file: path.is_some_and(|path| view.tree.find(plain(path)).is_some()),
        ..Question::default()
    };
    let answer = on.search.ask(on.indexed, &question, &Silent)?;
    let mut page = Page::new();
    let shown = words::one_line(query, 100);
    if answer.hits.is_empty() {
        let advice = match (answer.searched, question.paths.is_empty()) {
            (0, false) => "No file matches `path`; leave it out.",
            (_, false) => "Try other words, or leave out `path`.",
            (_, true) => "Try other words, or a name from the code.",
        };
        page.line(&format!("Nothing found for \"{shown}\". {advice}"));
        return Ok(page.finish());
    }
    let searched = plural(answer.searched, "file");
    page.line(&format!("Searched {searched} for \"{shown}\". Best matches first:"));
    let left = page.each(&answer.hits, limit, |hit| Ok(entry(on, cache, &view, hit)))?;
    if left > 0 {
        page.line("(Weaker matches are left out. Raise `limit` or narrow `path` to see them.)");
    }
    Ok(page.finish())
}

/// The path of a file stands for that file alone, and that of a folder for what is in it; everything else is a glob.
fn glob(view: &View<'_>, path: &str) -> String {
    let plain = plain(path);
    let is_folder = || {
        let inside = format!("{plain}/");
        view.tree.files.iter().any(|file| file.path.starts_with(&inside))
    };
    if view.tree.find(plain).is_none() && !is_folder() {
        return path.to_owned();
    }
    // From the root, and with nothing in it that a glob would take for something else.
    format!("/{}", plain.replace(|c: char| "*?[]{}!,\\".contains(c), "?"))
}

fn plain(path: &str) -> &str {
    path.trim_start_matches("./").trim_end_matches('/')
}

fn entry(on: Repository<'_>, cache: &mut ReadCache, view: &View<'_>, hit: &Hit) -> Block {
    let mut block = Block::about(&hit.path);
    let Some(id) = view.tree.find(&hit.path) else { return block };
    let file = view.file(id);
    let aside = file.trivial.map(|trivial| format!(" [{}]", trivial.words())).unwrap_or_default();
    block.line(&format!(
        "{} ({}){aside}",
        words::path(&hit.path),
        plural(file.lines as usize, "line")
    ));
    let names: Vec<String> = hit
        .symbols
        .iter()
        .map(|symbol| {
            let lines = symbols::line_range(symbol.first_line, symbol.last_line);
            format!("{} `{}` ({lines})", symbol.kind, words::one_line(&symbol.name, 80))
        })
        .collect();
    if !names.is_empty() {
        block.line(&format!("  {}", names.join(", ")));
    }
    let may_be_small = file.lines <= SMALL;
    if hit.lines.is_empty() && !may_be_small {
        return block;
    }
    match source::read(on, cache, &file) {
        Ok(source) if may_be_small && source.text.text().len() <= SMALL_BYTES => {
            for line in 1..=source.text.lines() {
                block.source(&source, line);
            }
        }
        Ok(source) => {
            for line in &hit.lines {
                block.source(&source, line.line);
            }
        }
        Err(_) if hit.lines.is_empty() => {}
        Err(why) => block.line(&format!("  (lines not shown: {})", why.words())),
    }
    block
}
