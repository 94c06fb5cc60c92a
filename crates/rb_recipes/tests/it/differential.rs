//! Generated programs, run before and after a recipe: what can be seen of them is the same.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use rb_core::Cancel;
use rb_core::process::{Cmd, Env};
use rb_recipes::Recipe;
use rb_recipes::testing::{Outcome, Project, files};
use serde_json::{Value, json};

#[expect(clippy::disallowed_methods, reason = "how much is tried is for whoever runs the tests")]
/// Of so many generated programs a third is compared by default, all of them with `REFACTOR_BOT_ALL_PROGRAMS` set.
pub(crate) fn of_all(programs: u64) -> std::ops::Range<u64> {
    let is_all = std::env::var_os("REFACTOR_BOT_ALL_PROGRAMS").is_some();
    0..if is_all { programs } else { programs / 3 }
}

/// Numbers that look random and are the same every time.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    /// Below `sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % sides.max(1)
    }

    pub(crate) fn pick<'o, T: ?Sized>(&mut self, of: &[&'o T]) -> &'o T {
        of[self.roll(of.len())]
    }

    /// True once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }
}

/// A program: a fixture whose paths are its own, and the file that exports `main(log)`.
pub(crate) struct Program {
    pub(crate) fixture: String,
    pub(crate) main: &'static str,
}

/// What a recipe did to many programs that lie side by side in one project.
pub(crate) struct Compared {
    pub(crate) outcome: Outcome,
    /// Programs in which something was changed.
    pub(crate) changed: usize,
    /// Before and after, of those where the two differ.
    pub(crate) different: BTreeMap<String, (Vec<String>, Vec<String>)>,
}

/// The programs side by side.
fn project(programs: &[Program]) -> Project {
    let mut fixture = String::new();
    for (at, program) in programs.iter().enumerate() {
        for (path, text) in files(&program.fixture) {
            writeln!(fixture, "//- p{at:05}/{path}\n{}", text.trim_end())
                .expect("a string takes it");
        }
    }
    Project::new(&fixture)
}

/// What can be seen of each program as it is.
pub(crate) fn traces_of(programs: &[Program]) -> BTreeMap<String, Vec<String>> {
    traces(&project(programs), programs)
}

/// Runs every program before and after.
pub(crate) fn compare(recipe: &Recipe, programs: &[Program]) -> Compared {
    let project = project(programs);
    let outcome = project.run(recipe);
    let after = project.after(&outcome);
    let (first, second) = (traces(&project, programs), traces(&after, programs));
    let touched = |id: &str| outcome.changed.keys().any(|path| path.starts_with(&format!("{id}/")));
    let changed = first.keys().filter(|id| touched(id)).count();
    let different = first
        .into_iter()
        .filter(|(id, trace)| second.get(id) != Some(trace))
        .map(|(id, trace)| {
            let other = second.get(&id).cloned().unwrap_or_default();
            (id, (trace, other))
        })
        .collect();
    Compared { outcome, changed, different }
}

impl Compared {
    /// Nothing is different, and at least so many of a hundred programs were changed at all.
    #[track_caller]
    pub(crate) fn assert_same(&self, programs: &[Program], percent_changed: usize) {
        if let Some((id, (before, after))) = self.different.iter().next() {
            let at: usize = id[1..].parse().expect("a number");
            let texts: String = self
                .outcome
                .changed
                .iter()
                .filter(|(path, _)| path.starts_with(&format!("{id}/")))
                .fold(String::new(), |all, (path, text)| format!("{all}//- {path}\n{text}\n"));
            panic!(
                "{} of {} programs differ; {id}:\n{}\nbefore: {before:#?}\nafter: {after:#?}\n{texts}",
                self.different.len(),
                programs.len(),
                programs[at].fixture
            );
        }
        assert!(
            self.changed * 100 >= programs.len() * percent_changed,
            "only {} of {} programs were changed",
            self.changed,
            programs.len()
        );
    }
}

fn traces(project: &Project, programs: &[Program]) -> BTreeMap<String, Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("it is there");
    project.write_to(&root);
    let input: Vec<Value> = programs
        .iter()
        .enumerate()
        .map(|(at, program)| {
            let id = format!("p{at:05}");
            json!({ "root": root.join(&id), "id": id, "main": program.main })
        })
        .collect();
    let output = Cmd::new("node", &env())
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../rb_recipes/tests/differential.mjs"))
        .stdin(serde_json::to_vec(&input).expect("plain data"))
        .timeout(Duration::from_mins(5))
        .run(&Cancel::new())
        .expect("node runs");
    assert!(output.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers: Vec<Value> = serde_json::from_slice(&output.stdout).expect("traces");
    let lines = |it: &Value| -> Vec<String> {
        let lines = it["trace"].as_array().expect("a trace").iter();
        lines.map(|line| line.as_str().expect("a line").to_owned()).collect()
    };
    answers.iter().map(|it| (it["id"].as_str().expect("an id").to_owned(), lines(it))).collect()
}

#[expect(clippy::disallowed_methods, reason = "a test finds its tools where the person has them")]
fn env() -> Env {
    Env::passed_on(std::env::vars_os())
}
