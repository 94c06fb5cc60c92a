//! Prints the plan of a folder: `cargo run -p rb_plan --example plan -- FOLDER [DIRECTIVE] [--model] [--brief]`
//!
//! With `--json STORE` before the folder, the index is kept in STORE, a model counts as there, and the files of each task of the first
//! plan are printed as JSON, in the order of the tasks. No model is asked.
#![expect(clippy::print_stdout, reason = "it is what the example is for")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rb_core::Cancel;
use rb_core::progress::Silent;
use rb_index::search::{Meaning, Question, Searchable, Signals};
use rb_index::{NoHistory, OnDisk, Options, Request};
use rb_plan::{Limits, PlanInput, brief, plan};
use rb_recipes::Promised;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let mut has = |flag: &str| words.extract_if(.., |it| it == flag).count() > 0;
    let (is_json, has_model, with_brief) = (has("--json"), has("--model"), has("--brief"));
    let kept = tempfile::tempdir()?;
    let store = is_json.then(|| words.drain(..words.len().min(1)).next()).flatten();
    let store = store.map_or_else(|| kept.path().to_owned(), PathBuf::from);
    let folder = words.first().ok_or("which folder?")?;
    let root = Path::new(folder).canonicalize()?;
    let (cancel, began) = (Cancel::new(), Instant::now());
    let options = Options { search: Searchable::Words, ..Options::default() };
    let indexed = rb_index::update(&Request {
        root: &root,
        folder: &store,
        options: &options,
        history: &NoHistory,
        progress: &Silent,
        cancel: &cancel,
    })?;
    let (view, texts) = (indexed.view()?, OnDisk { root: &root });
    let contracts = rb_contracts::snapshot(&view, &texts, &cancel)?;
    let names = contracts.exports.into_iter().filter(|it| !it.hidden);
    let promised = Promised(names.map(|it| (it.file, it.name)).collect());
    let search = |words: &str| {
        let signals = Signals { words: true, vectors: false, graph: false };
        let question =
            Question { text: words.to_owned(), limit: 20, signals, ..Question::default() };
        let answer = indexed.searcher().ok().and_then(|it| it.ask(&question, Meaning::None).ok());
        answer.into_iter().flat_map(|it| it.hits).map(|hit| hit.path).collect()
    };
    if !is_json {
        println!("indexed after {:.1} s", began.elapsed().as_secs_f32());
    }
    let input = PlanInput {
        directive: words.get(1).map(String::as_str),
        view: &view,
        overview: indexed.overview()?,
        texts: &texts,
        root: &root,
        promised: &promised,
        own: &rb_patterns::Rules::default(),
        folder: None,
        may_touch: &|_| true,
        search: &search,
        renamer: &rb_language_servers::NoServers,
        limits: Limits::default(),
        has_model: has_model || is_json,
        allow_public_api_changes: false,
        cancel: &cancel,
        progress: &Silent,
    };
    let plan = plan(&input)?;
    if is_json {
        let files = plan.tasks.iter().map(|it| it.files.iter().map(ToString::to_string));
        let tasks: Vec<Vec<String>> = files.map(Iterator::collect).collect();
        println!("{}", serde_json::json!({ "tasks": tasks }));
        return Ok(());
    }
    println!("planned after {:.1} s", began.elapsed().as_secs_f32());
    if with_brief {
        println!("{}", brief(&input, &plan));
        return Ok(());
    }
    for task in &plan.tasks {
        let lines = plan.prepared.get(&task.id).map_or(0, |it| it.added + it.removed);
        println!("{} risk {} lines {lines}: {}", task.id, task.risk_score, task.goal);
    }
    println!("leftovers: {}", plan.leftovers.len());
    println!("{:#?}\n{:#?}", plan.notes, plan.unserved);
    Ok(())
}
