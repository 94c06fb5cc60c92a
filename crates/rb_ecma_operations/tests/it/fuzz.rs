//! Differential fuzzing: a generated program prints the same and has the same errors of types before and after a random operation.
//!
//! `REFACTOR_BOT_FUZZ=1000` sets the number of programs, `REFACTOR_BOT_FUZZ=500..700` the seeds. Programs that fail as they are do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rb_core::Cancel;
use rb_core::process::{Cmd, Env};
use rb_ecma_operations::plan_one;
use rb_operations::testing::MemoryFiles;
use rb_operations::{FileChange, Operation, Outcome, Refusal};
use serde::Deserialize;

use crate::dice::Dice;
use crate::programs::{Program, program};
use crate::random_operation::random_operation;

const PROGRAMS: u64 = 40;
const OPERATIONS: usize = 3;
/// How many programs one Node process runs.
const TOGETHER: usize = 100;

type Texts = BTreeMap<String, String>;

#[derive(Deserialize, Clone, PartialEq, Eq)]
struct Run {
    code: i32,
    out: String,
    err: String,
    types: Vec<String>,
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
    assert!(report.discarded * 4 < report.programs, "many programs fail as they are");
}

impl Report {
    fn examine(&mut self, seeds: &[u64]) {
        let programs: Vec<(u64, Program)> =
            seeds.iter().map(|seed| (*seed, program(*seed))).collect();
        let before = run(programs.iter().map(|(_, program)| &program.files));
        let mut cases = Vec::new();
        let mut expected = Vec::new();
        for ((seed, program), run) in programs.into_iter().zip(before) {
            if let Some(problem) = run.types.first().or((run.code != 0).then_some(&run.err)) {
                self.discarded += 1;
                *self.reasons.entry(format!("discarded {seed}: {problem}")).or_default() += 1;
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
            let is_same = (before.code, &before.out) == (after.code, &after.out);
            if !is_same || !after.types.is_empty() {
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
                    let reason = format!("{kind}: {}", words(&refusal.reason));
                    *self.reasons.entry(reason).or_default() += 1;
                }
                Ok(Ok(outcome)) => {
                    *self.done.entry(kind).or_default() += 1;
                    let after = apply(&program.files, &outcome);
                    cases.push(Case { seed, operation, before: program.files.clone(), after });
                }
            }
        }
        cases
    }

    fn summary(&self) -> String {
        let mut text = format!("{} programs, {} discarded\n", self.programs, self.discarded);
        let kinds: BTreeSet<&String> = self.done.keys().chain(self.refused.keys()).collect();
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
    fn difference(&self, before: &Run, after: &Run) -> String {
        format!(
            "seed {}: {:?}\nbefore: {:?}\nafter: {:?}\n{}\n{}\n{}",
            self.seed,
            self.operation,
            before.out,
            after.out,
            after.err.trim_end(),
            after.types.join("\n"),
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
    let words = text.split(' ').map(|word| if word.contains(".ts") { "FILE" } else { word });
    words.take(9).collect::<Vec<_>>().join(" ")
}

fn planned(files: &Texts, operation: &Operation) -> Result<Result<Outcome, Refusal>, String> {
    let files = files.iter().map(|(path, text)| (path.clone(), text.as_str().into())).collect();
    let files = MemoryFiles { files };
    catch_unwind(|| plan_one(&files, operation)).map_err(|panic| {
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

/// Files that differ: before and after; the others as they are.
fn diff(before: &Texts, after: &Texts) -> String {
    let mut text = String::new();
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for path in paths {
        let shown = |of: &Texts| of.get(path).map_or("(absent)", String::as_str).to_owned();
        let (old, new) = (shown(before), shown(after));
        if old == new {
            writeln!(text, "=== {path} (unchanged)\n{old}")
        } else {
            writeln!(text, "--- {path}\n{old}\n+++ {path}\n{new}")
        }
        .expect("a string takes it");
    }
    text
}

/// Runs and checks programs as they are.
fn run<'p>(programs: impl Iterator<Item = &'p Texts>) -> Vec<Run> {
    let input: Vec<&Texts> = programs.collect();
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run_programs.mjs");
    let output = Cmd::new("node", &env())
        .args(["--experimental-vm-modules", "--no-warnings"])
        .arg(driver)
        .arg(compiler())
        .stdin(serde_json::to_vec(&input).expect("plain data"))
        .timeout(Duration::from_mins(10))
        .run(&Cancel::new())
        .expect("node runs");
    assert!(output.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one run for each program")
}

/// Where `cargo xtask setup` puts the compiler.
fn compiler() -> PathBuf {
    let binary = std::env::current_exe().expect("this test is a file");
    let target = binary.ancestors().find(|it| it.join("test-tools/typescript").is_dir());
    let tools = target.expect("`cargo xtask setup` was run");
    tools.join("test-tools/typescript/node_modules/typescript")
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
