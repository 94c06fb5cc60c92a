//! Prints the pack that a task in some files of a folder gets, with its size and the time that it took.
//!
//! `cargo run --release -p rb_pack --example pack -- FOLDER GOAL FILE[:LINE]…`
//!
//! With `--json STORE` before the folder, the index is kept in STORE, and the lines that are shown are printed as JSON, with the
//! functions of the files of the task.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rb_core::progress::Silent;
use rb_core::{Cancel, RepoPath, Task, TaskId, TaskKind};
use rb_index::{Indexed, NoHistory, OnDisk, Options, Request, View};
use rb_lang::SymbolKind;
use rb_models::Family;
use rb_pack::{AnswerForm, Budgets, Pack, PackInput, Shown, TaskSite, build};
use rb_trust::Fence;
use serde_json::{Value, json};

type Failed = Box<dyn std::error::Error>;

fn main() -> Result<(), Failed> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let store = (arguments.first().is_some_and(|it| it == "--json") && arguments.len() > 2)
        .then(|| arguments.drain(..2).next_back().map(PathBuf::from))
        .flatten();
    let mut arguments = arguments.into_iter();
    let root = PathBuf::from(arguments.next().ok_or("which folder?")?);
    let goal = arguments.next().ok_or("which goal?")?;
    let mut task = Task::new(TaskId(1), goal, TaskKind::Change { format: None });
    let mut places = Vec::new();
    for argument in arguments {
        let (path, line) = match argument.rsplit_once(':') {
            Some((path, line)) => (path.to_owned(), line.parse().ok()),
            None => (argument, None),
        };
        task.files.push(RepoPath::new(&path)?);
        let why = "a site".to_owned();
        places.extend(line.map(|line| TaskSite { path, line, why }));
    }
    let kept = tempfile::tempdir()?;
    let (indexed, index_time) = index(&root, store.as_deref().unwrap_or(kept.path()))?;
    let view = indexed.view()?;
    // Reads the vocabulary, which is done once a run.
    rb_models::tokens::count("a");
    let began = Instant::now();
    let input = PackInput {
        task: &task,
        directive: None,
        view: &view,
        texts: &OnDisk { root: &root },
        may_change: &|path| task.files.iter().any(|file| file.as_bytes() == path.as_bytes()),
        places: &places,
        rules: Vec::new(),
        ledger: &[],
        errors: &[],
        tried: None,
        needs: &[],
        verifiers: &[],
        conventions: Vec::new(),
        budgets: Budgets::default(),
        family: Family::Claude,
        cancel: &Cancel::new(),
    };
    let pack = build(&input)?;
    let build_time = began.elapsed();
    if store.is_some() {
        return print(&lines(&view, &task, &pack)?.to_string());
    }
    let fence = Fence::new(rb_core::random::bytes());
    let prompt = pack.prompt(&input.assignment(), AnswerForm::default(), &fence)?;
    let per_file = pack.sizes.tokens / pack.files.len().max(1) as u64;
    print(&format!(
        "{prompt}\n\n{}\n{} files indexed in {index_time:.1?}, pack in {build_time:.1?}\n\
         {} files in the pack, {per_file} tokens a file on average",
        pack.shown(),
        view.tree.files.len(),
        pack.files.len()
    ))
}

#[expect(clippy::print_stdout, reason = "an example for the terminal")]
#[expect(clippy::unnecessary_wraps, reason = "it ends `main`")]
fn print(text: &str) -> Result<(), Failed> {
    println!("{text}");
    Ok(())
}

fn index(root: &Path, store: &Path) -> Result<(Indexed, Duration), Failed> {
    let began = Instant::now();
    let indexed = rb_index::update(&Request {
        root,
        folder: store,
        options: &Options::default(),
        history: &NoHistory,
        progress: &Silent,
        cancel: &Cancel::new(),
    })?;
    Ok((indexed, began.elapsed()))
}

/// Which lines are shown, and which lines the functions of the files of the task have.
fn lines(view: &View<'_>, task: &Task, pack: &Pack) -> Result<Value, Failed> {
    let files: Vec<Value> = pack
        .files
        .iter()
        .map(|file| {
            let lines = file.shown.iter().filter_map(|shown| match shown {
                Shown::Whole { .. } => Some((1, file.lines)),
                Shown::Excerpt { first, last, .. } => Some((*first, *last)),
                Shown::Signatures { .. } => None,
            });
            json!({"path": file.path, "lines": lines.collect::<Vec<_>>()})
        })
        .collect();
    let mut functions = serde_json::Map::new();
    for path in &task.files {
        let path = String::from_utf8_lossy(path.as_bytes()).into_owned();
        let Some(id) = view.tree.find(&path) else { continue };
        let facts = view.read_facts(id)?;
        let symbols = facts.iter().flat_map(|facts| &facts.symbols);
        let own = symbols.filter(|it| {
            matches!(it.kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Component)
        });
        let spans: Vec<(u32, u32)> =
            own.map(|it| (it.span.first_line, it.span.last_line)).collect();
        functions.insert(path, json!(spans));
    }
    Ok(json!({"tokens": pack.sizes.tokens, "files": files, "functions": functions}))
}
