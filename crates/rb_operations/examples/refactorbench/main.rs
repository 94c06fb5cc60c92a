//! Runs the tasks of a folder laid out like `RefactorBench`, without a model: directive, operations, changed files, the task's own test.
//!
//! `refactorbench FOLDER [base|descriptive|lazy] [FILTER] [--operations FILE.json] [--partly] [--diff] [--keep FOLDER]`
//!
//! Without a wording all three run. `--operations` takes the operations from a file instead of the directive (`[]` tests the unchanged
//! repository); `--partly` carries out what was understood although something was not; `--keep` leaves the changed copies there.
#![expect(clippy::print_stdout, reason = "a tool for people at a terminal")]

mod arguments;
mod attempt;
mod repository;
mod scratch;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rb_operations::testing::MemoryFiles;

use self::arguments::Arguments;
use self::attempt::{Verdict, attempt};
use self::scratch::Scratch;

/// One directive with its test.
struct Task {
    repository: String,
    name: String,
    directive: String,
    test: PathBuf,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse(std::env::args().skip(1))?;
    attempt::keep_panics_quiet();
    let mut verdicts: BTreeMap<String, Vec<Verdict>> = BTreeMap::new();
    let mut repositories: BTreeMap<String, MemoryFiles> = BTreeMap::new();
    for wording in &arguments.wordings {
        let tasks = tasks(&arguments, wording)?;
        let mut scratch: Option<Scratch> = None;
        for task in &tasks {
            let repository = arguments.root.join("repositories").join(&task.repository);
            if !repositories.contains_key(&task.repository) {
                repositories.insert(task.repository.clone(), repository::read(&repository)?);
            }
            let files = &repositories[&task.repository];
            // One copy for all tasks of a repository, unless each is to be kept.
            if arguments.keep.is_some() || scratch.as_ref().is_none_or(|s| !s.is_of(&repository)) {
                let kept = arguments.keep.as_ref().map(|keep| keep.join(wording).join(&task.name));
                drop(scratch.take());
                scratch = Some(Scratch::copy(&repository, kept)?);
            }
            let scratch = scratch.as_ref().expect("it was just made");
            println!("\n== {wording} {}/{}\n{}", task.repository, task.name, task.directive.trim());
            let began = Instant::now();
            let verdict = attempt(files, task, scratch, &arguments)?;
            println!("-> {verdict} ({} ms)", began.elapsed().as_millis());
            verdicts.entry(wording.clone()).or_default().push(verdict);
        }
    }
    summarize(&verdicts);
    Ok(())
}

/// Sorted by repository and name.
fn tasks(arguments: &Arguments, wording: &str) -> Result<Vec<Task>, Box<dyn Error>> {
    let problems = arguments.root.join("problems").join(format!("{wording}_problems"));
    let mut tasks = Vec::new();
    for repository in names(&problems)? {
        for file in names(&problems.join(&repository))? {
            let Some(name) = file.strip_suffix("-task.txt") else { continue };
            if !format!("{repository}/{name}").contains(&arguments.filter) {
                continue;
            }
            let test = arguments.root.join("tests").join(&repository);
            tasks.push(Task {
                directive: std::fs::read_to_string(problems.join(&repository).join(&file))?,
                test: std::path::absolute(test.join(format!("{name}-test.py")))?,
                name: name.to_owned(),
                repository: repository.clone(),
            });
        }
    }
    Ok(tasks)
}

fn names(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

fn summarize(verdicts: &BTreeMap<String, Vec<Verdict>>) {
    println!();
    for (wording, verdicts) in verdicts {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for verdict in verdicts {
            *counts.entry(verdict.word()).or_default() += 1;
        }
        let counts: Vec<String> =
            counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
        println!("{wording}: {} tasks: {}", verdicts.len(), counts.join(", "));
    }
}
