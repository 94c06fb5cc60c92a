//! `refactor-bot map`: a repository on one screen, for a newcomer or for a model.

mod mermaid;
mod screen;

use std::path::PathBuf;

use rb_index::outline::{SymbolLine, outline};
use rb_index::walk::WalkOptions;
use rb_index::{IndexError, Indexed, Options};
use serde_json::json;

use super::index;
use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::repo_index;

const EXAMPLES: &str = "\
Examples:
  refactor-bot map
  refactor-bot map ../shop --top 30
  refactor-bot map --tokens 4000 | pbcopy
  refactor-bot map --mermaid > architecture.mmd
  refactor-bot map --json | jq .architecture.entry_points";

/// Show what a repository is: languages, architecture, layers, entry points, the files that matter
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The repository, or a folder of one
    #[arg(value_name = "REPO", default_value = ".")]
    target: PathBuf,

    /// How many files to list
    #[arg(long, value_name = "N", default_value = "12")]
    top: usize,

    /// Print a map of the most important symbols that fits so many tokens, to paste into a model
    #[arg(long, value_name = "N", conflicts_with_all = ["top", "mermaid"])]
    tokens: Option<usize>,

    /// Print the layers and their dependencies as a Mermaid diagram
    #[arg(long, conflicts_with = "top")]
    mermaid: bool,

    /// Only files that match; may be repeated
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,

    /// No files and folders that match; may be repeated
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let walk = WalkOptions { include: args.include.clone(), exclude: args.exclude.clone() };
    let options = Options { walk, ..Options::default() };
    let indexed = repo_index::open(app, &args.target, &options)?;
    if let Some(tokens) = args.tokens {
        let map = token_map(&indexed, tokens)?;
        if app.ui.json {
            app.ui.print_json(&json!({ "state": index::state(&indexed.update), "map": map }))?;
        } else {
            app.ui.print_foreign(map.as_bytes())?;
        }
    } else if args.mermaid {
        let diagram = mermaid::diagram(&indexed.overview);
        if app.ui.json {
            let state = index::state(&indexed.update);
            app.ui.print_json(&json!({ "state": state, "mermaid": diagram }))?;
        } else {
            app.ui.print(&diagram)?;
        }
    } else if app.ui.json {
        let mut overview = indexed.overview.clone();
        overview.top.truncate(args.top.max(1));
        let mut value = serde_json::to_value(&overview).expect("plain data with text keys");
        value["state"] = index::state(&indexed.update);
        app.ui.print_json(&value)?;
    } else {
        app.ui.print(&screen::text(&app.ui, &indexed, args.top))?;
    }
    Ok(Outcome::Done)
}

/// So many of the most important files could fill any budget of this size with headings alone.
const TOKENS_PER_FILE: usize = 8;

fn token_map(indexed: &Indexed, tokens: usize) -> Result<String, CliError> {
    let view = indexed.view().map_err(IndexError::from)?;
    let mut files = Vec::new();
    for &id in view.by_importance().iter().take(tokens / TOKENS_PER_FILE + 1) {
        let file = view.file(id);
        if file.trivial.is_some() || file.skipped.is_some() {
            break;
        }
        if let Some(facts) = view.read_facts(id).map_err(IndexError::from)? {
            files.push((file.path, facts));
        }
    }
    let symbols: Vec<Vec<SymbolLine<'_>>> = files.iter().map(|(_, facts)| lines(facts)).collect();
    let entries =
        files.iter().zip(&symbols).map(|((path, _), symbols)| (*path, symbols.as_slice()));
    Ok(outline(entries, tokens))
}

/// The symbols of a file that a reader of the map wants: what can be named from outside, and what is in it.
fn lines(facts: &rb_lang::Facts) -> Vec<SymbolLine<'_>> {
    let mut depths: Vec<u32> = Vec::with_capacity(facts.symbols.len());
    facts
        .symbols
        .iter()
        .map(|symbol| {
            let depth = symbol.parent.map_or(0, |parent| depths[parent as usize] + 1);
            depths.push(depth);
            SymbolLine {
                name: &symbol.name,
                kind: symbol.kind,
                signature: &symbol.signature,
                line: symbol.span.first_line,
                depth,
                exported: symbol.exported,
                weight: f64::from(symbol.span.last_line - symbol.span.first_line),
            }
        })
        .collect()
}
