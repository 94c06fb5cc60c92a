//! Differential fuzzing: a generated program prints the same before and after a random operation.
//!
//! `REFACTOR_BOT_FUZZ=1000` sets the number of programs, `REFACTOR_BOT_FUZZ=500..700` the seeds. Programs that fail as they are do not count.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::panic::catch_unwind;
use std::path::Path;
use std::time::Duration;

use rb_core::Cancel;
use rb_core::process::{Cmd, Env};
use rb_operations::testing::MemoryFiles;
use rb_operations::{FileChange, Operation, Outcome, Refusal, plan};
use serde::Deserialize;

use crate::dice::Dice;
use crate::programs::{Program, program};
use crate::random_operation::random_operation;

const PROGRAMS: u64 = 60;
const OPERATIONS: usize = 4;
/// How many programs one Python process runs.
const TOGETHER: usize = 100;

type Texts = BTreeMap<String, String>;

#[derive(Deserialize, Clone, PartialEq, Eq)]
struct Run {
    code: i32,
    out: String,
    err: String,
}

/// An operation that was carried out.
struct Case {
    seed: u64,
    operation: Operation,
    before: Texts,
    after: Texts,
}

#[derive(Default)]
struct Report {
    programs: usize,
    discarded: usize,
    done: BTreeMap<String, usize>,
    refused: BTreeMap<String, usize>,
    reasons: BTreeMap<String, usize>,
    failures: Vec<String>,
}

#[test]
fn st1_generated_programs_print_the_same_after_an_operation() {
    let seeds: Vec<u64> = seeds().collect();
    let mut report = Report::default();
    for share in seeds.chunks(TOGETHER) {
        report.examine(share);
    }
    println!("{}", report.summary());
    assert!(report.failures.is_empty(), "{}", report.failures.join("\n\n"));
    let done: usize = report.done.values().sum();
    assert!(done * 4 > report.programs, "only {done} operations were carried out");
    assert!(report.discarded * 2 < report.programs, "most programs fail as they are");
}

impl Report {
    fn examine(&mut self, seeds: &[u64]) {
        let programs: Vec<(u64, Program)> =
            seeds.iter().map(|seed| (*seed, program(*seed))).collect();
        let before = run(programs.iter().map(|(_, program)| &program.files));
        let mut cases = Vec::new();
        let mut expected = Vec::new();
        for ((seed, program), run) in programs.into_iter().zip(before) {
            // An address (`<function f at 0x7f29>`) is another one in every run.
            if run.code != 0 || run.out.contains(" at 0x") {
                self.discarded += 1;
                if let Some(line) = run.err.lines().last() {
                    *self.reasons.entry(format!("discarded: {line}")).or_default() += 1;
                }
                continue;
            }
            self.programs += 1;
            for case in self.cases(seed, &program) {
                cases.push(case);
                expected.push(run.clone());
            }
        }
        let after = run(cases.iter().map(|case| &case.after));
        for ((case, before), after) in cases.iter().zip(expected).zip(after) {
            if (before.code, &before.out) != (after.code, &after.out) {
                self.failures.push(case.difference(&before, &after));
            }
        }
    }

    fn cases(&mut self, seed: u64, program: &Program) -> Vec<Case> {
        let dice = &mut Dice::new(seed ^ 0x5eed);
        let mut cases = Vec::new();
        for _ in 0..OPERATIONS {
            let Some(operation) = random_operation(dice, program) else { continue };
            let kind = kind(&operation);
            match planned(&program.files, &operation) {
                Err(panic) => self.failures.push(format!("seed {seed}: {operation:?}: {panic}")),
                Ok(Err(refusal)) => {
                    *self.refused.entry(kind.clone()).or_default() += 1;
                    *self
                        .reasons
                        .entry(format!("{kind}: {}", words(&refusal.reason)))
                        .or_default() += 1;
                }
                Ok(Ok(outcome)) => {
                    *self.done.entry(kind).or_default() += 1;
                    let after = apply(&program.files, &outcome);
                    let case = Case { seed, operation, before: program.files.clone(), after };
                    self.failures.extend(case.repeated());
                    cases.push(case);
                }
            }
        }
        cases
    }

    fn summary(&self) -> String {
        let mut text = format!("{} programs, {} discarded\n", self.programs, self.discarded);
        let kinds: Vec<&String> = self.done.keys().chain(self.refused.keys()).collect();
        let kinds: std::collections::BTreeSet<&String> = kinds.into_iter().collect();
        for kind in kinds {
            let count = |of: &BTreeMap<String, usize>| of.get(kind).copied().unwrap_or(0);
            writeln!(text, "{kind}: {} done, {} refused", count(&self.done), count(&self.refused))
                .expect("a string takes it");
        }
        for (reason, count) in &self.reasons {
            writeln!(text, "{count:5} {reason}").expect("a string takes it");
        }
        text
    }
}

impl Case {
    /// What has another name or place now is not there to be changed again.
    fn repeated(&self) -> Option<String> {
        let is_final = match &self.operation {
            Operation::Rename { .. }
            | Operation::RenameParameter { .. }
            | Operation::RenameModule { .. }
            | Operation::Move { .. }
            | Operation::MoveMethod { .. }
            | Operation::Merge { .. }
            | Operation::InlineReexport { .. }
            | Operation::ReorderParameters { .. }
            | Operation::ReplaceDuplicate { .. } => true,
            Operation::AddParameter { .. }
            | Operation::RemoveParameter { .. }
            | Operation::ParameterObject { .. }
            | Operation::Encapsulate { .. } => false,
        };
        let again = match planned(&self.after, &self.operation) {
            Err(panic) => {
                return Some(format!("seed {}: {:?} again: {panic}", self.seed, self.operation));
            }
            Ok(Err(_)) => return None,
            Ok(Ok(outcome)) => apply(&self.after, &outcome),
        };
        let is_same = again == self.after;
        (is_final && !is_same).then(|| {
            let diff = diff(&self.after, &again);
            format!("seed {}: {:?} changes its own result:\n{diff}", self.seed, self.operation)
        })
    }

    fn difference(&self, before: &Run, after: &Run) -> String {
        format!(
            "seed {}: {:?}\nbefore: {:?}\nafter: {:?}\n{}\n{}",
            self.seed,
            self.operation,
            before.out,
            after.out,
            after.err.trim_end(),
            diff(&self.before, &self.after)
        )
    }
}

/// The name of the operation.
fn kind(operation: &Operation) -> String {
    let text = format!("{operation:?}");
    text.split([' ', '{']).next().unwrap_or_default().to_owned()
}

/// The first words of a reason, without the names in it.
fn words(reason: &str) -> String {
    let parts = reason.split('`').enumerate();
    let text: String = parts.map(|(at, part)| if at % 2 == 0 { part } else { "…" }).collect();
    let words = text.split(' ').map(|word| if word.contains(".py") { "FILE" } else { word });
    words.take(9).collect::<Vec<_>>().join(" ")
}

fn planned(files: &Texts, operation: &Operation) -> Result<Result<Outcome, Refusal>, String> {
    let files = files.iter().map(|(path, text)| (path.clone(), text.as_str().into())).collect();
    let files = MemoryFiles { files };
    let operations = [operation.clone()];
    catch_unwind(|| plan(&files, &operations)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        format!("panicked: {}", text.unwrap_or_default())
    })
}

fn apply(files: &Texts, outcome: &Outcome) -> Texts {
    let mut files = files.clone();
    for (path, change) in &outcome.files {
        match change {
            FileChange::Created(text) | FileChange::Edited(text) => {
                files.insert(path.clone(), text.to_string());
            }
            FileChange::Removed => {
                files.remove(path);
            }
        }
    }
    files
}

/// Files that differ: before, with what changed, and after.
fn diff(before: &Texts, after: &Texts) -> String {
    let mut text = String::new();
    let paths: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for path in paths {
        let (old, new) = (before.get(path), after.get(path));
        if old == new {
            writeln!(text, "=== {path} (unchanged)\n{}", old.map_or("", String::as_str))
                .expect("a string takes it");
            continue;
        }
        writeln!(text, "--- {path}\n{}", old.map_or("(absent)", String::as_str))
            .expect("a string takes it");
        writeln!(text, "+++ {path}\n{}", new.map_or("(absent)", String::as_str))
            .expect("a string takes it");
    }
    text
}

/// Runs programs as they are.
fn run<'p>(programs: impl Iterator<Item = &'p Texts>) -> Vec<Run> {
    let input: Vec<&Texts> = programs.collect();
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run_programs.py");
    let output = Cmd::new("python3", &env())
        .arg("-B")
        .arg(driver)
        .stdin(serde_json::to_vec(&input).expect("plain data"))
        .timeout(Duration::from_mins(5))
        .run(&Cancel::new())
        .expect("python3 runs");
    assert!(output.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one run for each program")
}

#[expect(clippy::disallowed_methods, reason = "a test finds its tools where the person has them")]
fn env() -> Env {
    Env::passed_on(std::env::vars_os())
}

#[expect(clippy::disallowed_methods, reason = "the person chooses how many programs a run takes")]
fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("REFACTOR_BOT_FUZZ") else { return 0..PROGRAMS };
    let number =
        |text: &str| text.trim().parse::<u64>().expect("REFACTOR_BOT_FUZZ is a number or a range");
    match text.split_once("..") {
        Some((from, to)) => number(from)..number(to),
        None => 0..number(&text),
    }
}
