//! `refactor-bot map`: a repository on one screen, for a newcomer or for a model.

mod mermaid;
mod screen;

use rb_index::outline::{SymbolLine, estimated_tokens, outline};
use rb_index::{IndexError, Indexed};
use rb_repo::ReadOptions;
use serde_json::json;

use super::index;
use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::repo_index::{self, Scope};

const EXAMPLES: &str = "\
Examples:
  refactor-bot map
  refactor-bot map ../shop --top 30
  refactor-bot map --tokens 4000 | pbcopy
  refactor-bot map --mermaid > architecture.mmd
  refactor-bot map --json";

/// Show an overview of a repository: languages, architecture, layers, entry points, important files
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    scope: Scope,

    /// Number of files to list
    #[arg(long, value_name = "N", default_value = "12")]
    top: usize,

    /// Print the most important symbols within this many tokens, to paste into a model
    #[arg(long, value_name = "N", conflicts_with_all = ["top", "mermaid"])]
    tokens: Option<usize>,

    /// Print the layers and their dependencies as a Mermaid diagram
    #[arg(long, conflicts_with = "top")]
    mermaid: bool,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let foreign = args.tokens.is_some() && !app.ui.json;
    let repo = args.scope.open(app)?;
    let options = ReadOptions::default();
    let shown = repo_index::read(app, &repo, &options, |indexed| show(args, app, indexed))?;
    if foreign {
        app.ui.print_foreign(shown.as_bytes())?;
    } else {
        app.ui.print(&shown)?;
    }
    Ok(Outcome::Done)
}

fn show(args: &Args, app: &App, indexed: &Indexed) -> Result<String, IndexError> {
    let state = index::state(&indexed.update);
    let line = |value: &serde_json::Value| format!("{value}\n");
    Ok(match (args.tokens, args.mermaid, app.ui.json) {
        (Some(tokens), _, false) => token_map(indexed, tokens)?,
        (Some(tokens), _, true) => {
            line(&json!({ "state": state, "map": token_map(indexed, tokens)? }))
        }
        (None, true, false) => {
            let state = index::state_words(&indexed.update);
            format!("%% {state}\n{}", mermaid::diagram(indexed.overview()?))
        }
        (None, true, true) => {
            line(&json!({ "state": state, "mermaid": mermaid::diagram(indexed.overview()?) }))
        }
        (None, false, json) => {
            let overview = indexed.overview_with_top(args.top)?;
            if json {
                let mut value = serde_json::to_value(&overview).expect("plain data with text keys");
                value["state"] = state;
                line(&value)
            } else {
                screen::text(&app.ui, &overview, &indexed.update)
            }
        }
    })
}

/// This many of the most important files could fill any budget of this size with headings alone.
const TOKENS_PER_FILE: usize = 8;

/// Headed by the state that it speaks of, which counts against the budget like the rest.
fn token_map(indexed: &Indexed, tokens: usize) -> Result<String, IndexError> {
    let mut head = format!("# {}\n", index::state_words(&indexed.update));
    if estimated_tokens(&head) > tokens {
        head.clear();
    }
    let tokens = tokens - estimated_tokens(&head);
    let view = indexed.view()?;
    let mut files = Vec::new();
    for &id in view.by_importance().iter().take(tokens / TOKENS_PER_FILE + 1) {
        let file = view.file(id);
        if file.trivial.is_some() || file.skipped.is_some() {
            break;
        }
        if let Some(facts) = view.read_facts(id)? {
            files.push((file.path, facts));
        }
    }
    let symbols: Vec<Vec<SymbolLine<'_>>> = files.iter().map(|(_, facts)| lines(facts)).collect();
    let entries =
        files.iter().zip(&symbols).map(|((path, _), symbols)| (*path, symbols.as_slice()));
    Ok(head + &outline(entries, tokens))
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
