//! Prints the pack that a task in some files of a folder gets, with its size and the time that it took.
//!
//! `cargo run --release -p rb_pack --example pack -- FOLDER GOAL FILE[:LINE]…`

use std::path::PathBuf;
use std::time::Instant;

use rb_core::progress::Silent;
use rb_core::{Cancel, RepoPath, Task, TaskId, TaskKind};
use rb_index::{NoHistory, OnDisk, Options, Request};
use rb_models::Family;
use rb_pack::{Budgets, PackInput, TaskSite, build};
use rb_trust::Fence;

#[expect(clippy::print_stdout, reason = "an example for the terminal")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
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
    let began = Instant::now();
    let store = tempfile::tempdir()?;
    let cancel = Cancel::new();
    let indexed = rb_index::update(&Request {
        root: &root,
        folder: store.path(),
        options: &Options::default(),
        history: &NoHistory,
        progress: &Silent,
        cancel: &cancel,
    })?;
    let view = indexed.view()?;
    let index_time = began.elapsed();
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
        verifiers: &[],
        conventions: Vec::new(),
        budgets: Budgets::default(),
        family: Family::Claude,
        cancel: &cancel,
    };
    let pack = build(&input)?;
    let build_time = began.elapsed();
    let prompt = pack.prompt(&input.assignment(), &Fence::new(rb_core::random::bytes()))?;
    println!("{prompt}\n\n{}", pack.shown());
    let per_file = pack.sizes.tokens / pack.files.len().max(1) as u64;
    println!(
        "{} files indexed in {index_time:.1?}, pack in {build_time:.1?}",
        view.tree.files.len()
    );
    println!("{} files in the pack, {per_file} tokens a file on average", pack.files.len());
    Ok(())
}
