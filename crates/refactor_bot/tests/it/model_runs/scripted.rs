//! A repository, a binary, and a model whose answers are written beforehand.

use std::fs;
use std::path::PathBuf;

use rb_testkit::{Cli, Ran, Repo};
use serde_json::{Value, json};

use crate::cli;

/// Four greetings, each with its test. Nothing has to be installed.
pub(crate) const GREETINGS: &str = r#"
//- package.json
{ "name": "greetings", "version": "1.0.0", "private": true, "scripts": { "test": "node --test" } }
//- lib/alpha.js
// Greets in the voice of alpha.
function alpha(name) {
  const greeting = 'hello ' + name;
  return greeting;
}
module.exports = { alpha };
//- lib/beta.js
// Greets in the voice of beta.
function beta(name) {
  const greeting = 'hello ' + name;
  return greeting;
}
module.exports = { beta };
//- lib/gamma.js
// Greets in the voice of gamma.
function gamma(name) {
  const greeting = 'hello ' + name;
  return greeting;
}
module.exports = { gamma };
//- test/alpha.test.js
const test = require('node:test');
const assert = require('node:assert');
const { alpha } = require('../lib/alpha');
test('alpha greets', () => assert.strictEqual(alpha('you'), 'hello you'));
//- test/beta.test.js
const test = require('node:test');
const assert = require('node:assert');
const { beta } = require('../lib/beta');
test('beta greets', () => assert.strictEqual(beta('you'), 'hello you'));
//- test/gamma.test.js
const test = require('node:test');
const assert = require('node:assert');
const { gamma } = require('../lib/gamma');
test('gamma greets', () => assert.strictEqual(gamma('you'), 'hello you'));
"#;

/// No recipe and no rule serves it, so that every task is a model's.
pub(crate) const DIRECTIVE: &str = "Greet with template strings";

/// Behind alpha stand so many functions that no prompt holds all of them. No goal of these tests refers to one.
pub(super) fn with_parts() -> String {
    let end = "module.exports = { alpha };\n";
    let parts: String = (0..600).map(part).collect();
    GREETINGS.replace(end, &format!("{end}{parts}"))
}

/// One of these functions.
pub(super) fn part(nth: usize) -> String {
    let lines: Vec<String> = (1..=12).map(|line| line_of_part(nth, line)).collect();
    format!("function part{nth}(value) {{\n{}\n  return value;\n}}\n", lines.join("\n"))
}

/// Each of these lines occurs only once.
pub(super) fn line_of_part(nth: usize, line: usize) -> String {
    format!("  value += {nth} * {line};")
}

pub(crate) struct Scripted {
    pub(crate) repo: Repo,
    pub(crate) cli: Cli,
    folder: PathBuf,
}

/// One call of the model.
#[derive(Debug, Clone)]
pub(super) struct Call {
    /// Such as `patcher batch-001`.
    pub(super) key: String,
    pub(super) begun: u64,
    /// `None` while it is under way, and of one that was killed.
    pub(super) ended: Option<u64>,
    pub(super) asked: Value,
}

impl Call {
    /// What it was asked first.
    pub(super) fn prompt(&self) -> &str {
        self.asked["messages"][0]["text"].as_str().unwrap()
    }

    pub(super) fn system(&self) -> &str {
        self.asked["system"].as_str().unwrap()
    }
}

impl Scripted {
    pub(crate) fn new(fixture: &str, answers: &Value) -> Self {
        let repo = Repo::git_repo(fixture);
        let folder = repo.beside("model");
        fs::create_dir_all(folder.join("calls")).unwrap();
        fs::write(folder.join("model.js"), include_str!("model.js")).unwrap();
        let beside = fs::canonicalize(repo.beside("")).unwrap();
        let program = json!(["node", folder.join("model.js")]).to_string();
        let cli = cli()
            .hide(beside.display().to_string(), "[TMP]")
            .env("REFACTOR_BOT_MODELS_COMMAND", program);
        let scripted = Scripted { repo, cli, folder };
        scripted.answers(answers);
        scripted
    }

    /// Answers by role and task (`patcher batch-001`), else by role; the last of a list is given for ever.
    pub(super) fn answers(&self, answers: &Value) {
        fs::write(self.folder.join("answers.json"), answers.to_string()).unwrap();
    }

    /// Lets calls that hang go on.
    pub(super) fn go(&self) {
        fs::write(self.folder.join("go"), "").unwrap();
    }

    pub(super) fn args(&self, more: &[&str]) -> Vec<String> {
        self.args_for(DIRECTIVE, more)
    }

    pub(super) fn args_for(&self, directive: &str, more: &[&str]) -> Vec<String> {
        let root = self.repo.root().display().to_string();
        let usual = ["run", &root, "--directive", directive, "--provider", "command"];
        usual.iter().chain(more).map(|it| (*it).to_owned()).collect()
    }

    pub(crate) fn run(&self, more: &[&str]) -> Ran {
        self.cli.run(self.args(more))
    }

    /// All calls, in the order in which they began.
    pub(super) fn calls(&self) -> Vec<Call> {
        let mut calls = Vec::new();
        for entry in fs::read_dir(self.folder.join("calls")).unwrap() {
            let text = fs::read(entry.unwrap().path()).unwrap();
            let Ok(call) = serde_json::from_slice::<Value>(&text) else { continue };
            let time = |name: &str| call[name].as_str().map(|it| it.parse().unwrap());
            calls.push(Call {
                key: call["key"].as_str().unwrap().to_owned(),
                begun: time("begun").unwrap(),
                ended: time("ended"),
                asked: call["asked"].clone(),
            });
        }
        calls.sort_by_key(|call| call.begun);
        calls
    }

    /// Who was asked how often, by name.
    pub(super) fn asked(&self) -> Vec<String> {
        let mut keys: Vec<String> = self.calls().into_iter().map(|call| call.key).collect();
        keys.sort();
        keys
    }

    #[track_caller]
    pub(super) fn call(&self, key: &str, number: usize) -> Call {
        let calls = self.calls().into_iter().filter(|call| call.key == key);
        calls.into_iter().nth(number).unwrap_or_else(|| panic!("{key} was not asked so often"))
    }

    pub(super) fn journal(&self, run: &str) -> Vec<Value> {
        let file = self.cli.home().join("runs").join(run).join("journal.jsonl");
        let text = fs::read_to_string(file).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub(super) fn events(&self, run: &str, name: &str) -> Vec<Value> {
        self.journal(run).into_iter().filter(|it| it["event"] == name).collect()
    }

    /// What became of each task: `batch-001 applied`.
    pub(super) fn ledger(&self, run: &str) -> Vec<String> {
        let ended = self.events(run, "task_ended");
        let line = |it: &Value| {
            let entry = &it["entry"];
            format!("{} {}", task(&entry["task"]), entry["status"].as_str().unwrap())
        };
        ended.iter().map(line).collect()
    }

    /// Each failed try: `batch-001 1 patch retry_narrowed`.
    pub(super) fn failures(&self, run: &str) -> Vec<String> {
        let failed = self.events(run, "try_failed");
        let line = |it: &Value| {
            let text = |name: &str| it[name].as_str().unwrap().to_owned();
            let (failure, recovery) = (text("failure"), text("recovery"));
            format!("{} {} {failure} {recovery}", task(&it["task"]), it["attempt"])
        };
        failed.iter().map(line).collect()
    }

    pub(super) fn report(&self, run: &str, name: &str) -> String {
        let file = self.cli.home().join("runs").join(run).join("report").join(name);
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    }
}

/// A task's number as it is written for people.
fn task(id: &Value) -> &str {
    id.as_str().unwrap()
}

/// The answer of a patcher.
pub(crate) fn answer(status: &str, rationale: &str, diff: &str, touched: &[&str]) -> Value {
    json!({"value": {
        "status": status, "rationale": rationale, "risk_notes": [], "patch_unified_diff": diff,
        "touched_files": touched, "expected_verifier": [],
    }})
}

/// A patch that replaces one line of a file.
pub(crate) fn replaces(path: &str, from: &str, to: &str) -> Value {
    answer("ok", "one line", &diff(path, from, to), &[path])
}

pub(crate) fn diff(path: &str, from: &str, to: &str) -> String {
    let lines = |sign: &str, text: &str| -> String {
        text.lines().flat_map(|line| [sign, line, "\n"]).collect()
    };
    format!("--- a/{path}\n+++ b/{path}\n@@ ... @@\n{}{}", lines("-", from), lines("+", to))
}

pub(crate) const OLD: &str = "  const greeting = 'hello ' + name;";
pub(crate) const NEW: &str = "  const greeting = `hello ${name}`;";

/// What the directive asks for, in one of the greetings.
pub(crate) fn good(name: &str) -> Value {
    replaces(&format!("lib/{name}.js"), OLD, NEW)
}

/// A patch that fits nowhere.
pub(super) fn bad(name: &str) -> Value {
    replaces(&format!("lib/{name}.js"), "  const greeting = nowhere;", NEW)
}

/// A batch as a planner says it.
pub(crate) fn batch(id: &str, goal: &str, files: &[&str]) -> Value {
    json!({
        "id": id, "goal": goal, "scope_globs": files, "allowed_operations": ["edit"],
        "diff_budget_loc": 40, "risk_score": 10, "verifier_level": "fast",
    })
}

pub(crate) fn batches(batches: &[Value]) -> Value {
    json!({"value": {"batches": batches}})
}
