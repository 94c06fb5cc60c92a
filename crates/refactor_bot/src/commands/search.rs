//! `refactor-bot search`: the files and symbols that a question is about, best first, and why.

mod screen;

use rb_index::search::{Answer, Meaning, Question, Related, Searchable, Signals};
use rb_index::{IndexError, Indexed};
use rb_lang::{Language, SymbolKind};
use rb_repo::{ReadOptions, SearchModel};
use serde_json::json;

use super::index;
use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::repo_index::{self, Scope};
use crate::search_model;

const EXAMPLES: &str = "\
Examples:
  refactor-bot search \"where are sessions expired\"
  refactor-bot search ../shop \"retry failed payments\" --lang typescript
  refactor-bot search . parseHeaders --kind function,method
  refactor-bot search . \"upload limits\" --related
  refactor-bot search . \"upload limits\" --json

An exact name comes first. The network is used only if `search.model` names a model that needs it.";

/// Find the files and symbols that answer a question
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    scope: Scope,

    /// Question, keywords or symbol name. Without REPO, search the current folder
    #[arg(value_name = "QUERY")]
    query: Option<String>,

    /// Number of files to show
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,

    /// Only symbols of this kind; repeatable, or comma-separated
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kind)]
    kind: Vec<SymbolKind>,

    /// Only files in this language; repeatable, or comma-separated
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', value_parser = language)]
    lang: Vec<Language>,

    /// Only files that match; repeatable
    #[arg(long, value_name = "GLOB")]
    path: Vec<String>,

    /// Also show related code: callers, tests, importers and imports
    #[arg(long)]
    related: bool,

    /// Signals to use in the ranking: words, vectors, graph
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "words,vectors")]
    signals: Vec<Signal>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Signal {
    Words,
    Vectors,
    Graph,
}

fn kind(text: &str) -> Result<SymbolKind, String> {
    let known = SymbolKind::ALL.into_iter().find(|kind| kind.name() == text.to_lowercase());
    known
        .ok_or_else(|| format!("it is one of {}", SymbolKind::ALL.map(SymbolKind::name).join(", ")))
}

/// By its name, as it is stored, or by an extension of its files.
fn language(text: &str) -> Result<Language, String> {
    let text = text.to_lowercase();
    let named =
        |language: &&Language| language.id() == text || language.name().to_lowercase() == text;
    let known = Language::ALL.iter().find(named).copied();
    let known = known.or_else(|| Language::of_path(format!("x.{text}").as_bytes()));
    known.ok_or_else(|| {
        let ids: Vec<&str> = Language::ALL.iter().map(|language| language.id()).collect();
        format!("it is one of {}", ids.join(", "))
    })
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let (scope, query) = match &args.query {
        Some(query) => (args.scope.clone(), query.clone()),
        None => (args.scope.at("."), lone_query(args)?),
    };
    if query.trim().is_empty() {
        return Err(nothing_asked());
    }
    let has = |signal: Signal| args.signals.contains(&signal);
    let signals = Signals {
        words: has(Signal::Words),
        vectors: has(Signal::Vectors),
        graph: has(Signal::Graph),
    };
    let question = Question {
        text: query,
        limit: args.limit as usize,
        languages: args.lang.clone(),
        kinds: args.kind.clone(),
        paths: args.path.clone(),
        signals,
        ..Question::default()
    };
    let repo = scope.open(app)?;
    let model = if signals.vectors { Some(search_model::of(app, &repo)?) } else { None };
    let search = model.as_ref().map_or(Searchable::Words, SearchModel::searchable);
    let options = ReadOptions { rebuild: false, search };
    let shown = repo_index::read(app, &repo, &options, |indexed| {
        let answer = match &model {
            Some(model) => model.ask(indexed, &question, &app.ui.progress())?,
            None => indexed.searcher()?.ask(&question, Meaning::None)?,
        };
        let related = if args.related { Some(related(indexed, &answer)?) } else { None };
        Ok(if app.ui.json {
            let model = model.as_ref().map(SearchModel::name);
            format!("{}\n", as_json(indexed, &question, model, &answer, related.as_deref()))
        } else {
            screen::text(&app.ui, indexed, &question, &answer, related.as_deref())
        })
    })?;
    app.ui.print(&shown)?;
    Ok(Outcome::Done)
}

/// One argument alone is the question, unless it can only be a folder.
fn lone_query(args: &Args) -> Result<String, CliError> {
    let target = args.scope.target();
    let text = target.to_str().filter(|text| !text.is_empty()).ok_or_else(nothing_asked)?;
    if matches!(text, "." | "..") || (text.contains('/') && target.is_dir()) {
        return Err(nothing_asked());
    }
    Ok(text.to_owned())
}

fn nothing_asked() -> CliError {
    CliError::new(ErrorKind::Usage, "nothing to search for")
        .hint("say what to look for, as in: refactor-bot search . \"where are sessions expired\"")
}

fn related(indexed: &Indexed, answer: &Answer) -> Result<Vec<Related>, IndexError> {
    Ok(indexed.view()?.related(&answer.hits)?)
}

fn as_json(
    indexed: &Indexed,
    question: &Question,
    model: Option<&str>,
    answer: &Answer,
    related: Option<&[Related]>,
) -> serde_json::Value {
    let mut value = json!({
        "state": index::state(&indexed.update),
        "query": question.text,
        "model": model,
        "searched": answer.searched,
        "results": answer.hits,
    });
    if let Some(related) = related {
        value["related"] = json!(related);
    }
    value
}
