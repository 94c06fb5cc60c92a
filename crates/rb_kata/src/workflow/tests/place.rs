//! A folder, a kata and a model that develops it as a function says: `FizzBuzz` in Python, whose tests take no time.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rb_core::fs::{self, Durability};
use rb_core::process::Env;
use rb_core::progress::Silent;
use rb_core::{Cancel, Home, RunId};
use rb_flow::RunDir;
use rb_flow::event::ModelChoice;
use rb_flow::journal::Follower;
use rb_flow::scripted::{Can, Said, Scripted, answer, user};
use rb_models::Request;
use rb_sandbox::Choice;
use rb_testkit::git;
use rb_verify::{Options, Shell};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::error::KataError;
use crate::runner::Runner;
use crate::workflow::{Context, StartOptions, State, resume, start};

pub(crate) const KATA: &str = "\
# FizzBuzz

## Requirements
- A number is returned as text.
- Multiples of three become \"Fizz\".
- Multiples of five become \"Buzz\".

## Examples
- 1 -> \"1\"
- 2 -> \"2\"
- 3 -> \"Fizz\"
- 5 -> \"Buzz\"
";

pub(crate) const TESTS: &str = "tests/test_fizzbuzz.py";
pub(crate) const SOURCE: &str = "fizzbuzz.py";

/// The steps of the kata: name of the test, input, result.
pub(crate) const STEPS: [(&str, u32, &str); 4] = [
    ("test_one", 1, "1"),
    ("test_two", 2, "2"),
    ("test_three", 3, "Fizz"),
    ("test_five", 5, "Buzz"),
];

/// The test file after so many steps.
pub(crate) fn tests_after(steps: usize) -> String {
    let mut text = "import unittest\n\nfrom fizzbuzz import fizzbuzz\n\n\nclass FizzBuzzTest(unittest.TestCase):\n".to_owned();
    for (name, input, result) in &STEPS[..steps] {
        let _ = write!(
            text,
            "    def {name}(self):\n        self.assertEqual(\"{result}\", fizzbuzz({input}))\n\n"
        );
    }
    format!("{}\n", text.trim_end())
}

/// The implementation after so many steps.
pub(crate) fn code_after(steps: usize) -> &'static str {
    match steps {
        0 | 1 => "def fizzbuzz(number):\n    return \"1\"\n",
        2 => "def fizzbuzz(number):\n    return str(number)\n",
        3 => {
            "def fizzbuzz(number):\n    if number % 3 == 0:\n        return \"Fizz\"\n    return str(number)\n"
        }
        _ => {
            "def fizzbuzz(number):\n    if number % 3 == 0:\n        return \"Fizz\"\n    if number % 5 == 0:\n        return \"Buzz\"\n    return str(number)\n"
        }
    }
}

/// How many steps of the kata a prompt shows as tests.
pub(crate) fn steps_in(request: &Request) -> usize {
    // Not those of refused proposals, which stand below.
    let text = user(request).split("\nThe tests:\n").nth(1).unwrap_or_default();
    let text = text.split("\nOther files,").next().unwrap_or_default();
    STEPS.iter().take_while(|(name, ..)| text.contains(&format!("def {name}("))).count()
}

/// Whether the Supervisor may decide so.
pub(crate) fn may(request: &Request, decision: &str) -> bool {
    user(request).contains(&format!("\n- \"{decision}\": "))
}

pub(crate) fn role(request: &Request) -> &str {
    &request.purpose.role
}

/// An agent that does its work, whatever the role.
pub(crate) fn honest(request: &Request) -> Value {
    let steps = steps_in(request);
    match role(request) {
        "tester" if steps == STEPS.len() => json!({
            "status": "complete", "reason": "every example has a test", "requirement": "",
            "test_name": "", "files": [],
        }),
        "tester" => a_test(&tests_after(steps + 1)),
        "implementer" => code(code_after(steps)),
        "refactorer" => json!({
            "status": "nothing", "summary": "", "reason": "it is simple", "files": [],
        }),
        _ => decision(if may(request, "done") { "done" } else { "simpler_test" }),
    }
}

pub(crate) fn a_test(text: &str) -> Value {
    test_in(TESTS, text)
}

pub(crate) fn test_in(path: &str, text: &str) -> Value {
    json!({
        "status": "test", "reason": "the next example", "requirement": "an example of the kata",
        "test_name": "", "files": [{"path": path, "content": text}],
    })
}

pub(crate) fn code(text: &str) -> Value {
    code_in(SOURCE, text)
}

pub(crate) fn code_in(path: &str, text: &str) -> Value {
    json!({
        "status": "ok", "summary": "return what the test asks for", "reason": "",
        "files": [{"path": path, "content": text}],
    })
}

pub(crate) fn refactoring(text: &str) -> Value {
    let mut value = code(text);
    value["summary"] = json!("say it in other words");
    value
}

pub(crate) fn decision(name: &str) -> Value {
    json!({"decision": name, "guidance": "Take the next example.", "reason": "it is so"})
}

#[expect(clippy::unnecessary_wraps, reason = "a script can also fail")]
pub(crate) fn said(value: Value) -> Said {
    Ok(answer(value))
}

pub(crate) struct Place {
    temp: TempDir,
    pub(crate) home: Home,
    pub(crate) options: StartOptions,
}

impl Place {
    pub(crate) fn new(kata: &str) -> Place {
        let temp = TempDir::with_prefix("rb-kata-").unwrap();
        let root = temp.path().canonicalize().unwrap();
        let file = root.join("fizzbuzz.md");
        fs::write(&file, kata.as_bytes(), Durability::Relaxed).unwrap();
        let options = StartOptions {
            file,
            language: Some(Runner::Python),
            work_dir: root.join("work"),
            max_cycles: 15,
            models: ModelChoice::default(),
            verify: Options { sandbox: Choice::Off, timeout_s: 300, ..Options::default() },
        };
        Place { home: Home::new(root.join("home")), temp, options }
    }

    fn context(
        &self,
        script: impl Fn(&Request) -> Said + Send + Sync + 'static,
    ) -> (Context, Arc<Scripted>) {
        let (models, provider) = Scripted::desk(script, Can::Nothing);
        let context = Context {
            home: self.home.clone(),
            env: env(self.temp.path()),
            shell: Shell::default(),
            cancel: Cancel::new(),
            progress: Arc::new(Silent),
            models,
            observer: None,
            shim: None,
        };
        (context, provider)
    }

    pub(crate) fn start(
        &self,
        script: impl Fn(&Request) -> Said + Send + Sync + 'static,
    ) -> (Result<State, KataError>, Arc<Scripted>) {
        let (context, provider) = self.context(script);
        (start(&context, &self.options), provider)
    }

    /// Goes on with the run in another process, as it were, and says how often the model was asked.
    pub(crate) fn resume(
        &self,
        id: &RunId,
        script: impl Fn(&Request) -> Said + Send + Sync + 'static,
    ) -> (State, usize) {
        let (context, provider) = self.context(script);
        let state = resume(&context, id.clone()).unwrap();
        (state, provider.calls())
    }

    pub(crate) fn run_dir(&self, state: &State) -> RunDir {
        RunDir::new(&self.home, &state.start.run)
    }

    pub(crate) fn lines(&self, state: &State) -> Vec<Value> {
        Follower::<Value>::new(&self.run_dir(state)).read().unwrap()
    }

    pub(crate) fn work_dir(&self) -> &PathBuf {
        &self.options.work_dir
    }

    /// The subjects of the commits, oldest first.
    pub(crate) fn subjects(&self) -> Vec<String> {
        let log = git(self.work_dir(), &["log", "--reverse", "--format=%s"]);
        log.lines().map(str::to_owned).collect()
    }

    /// Checks out every commit of a branch elsewhere, and runs its tests.
    pub(crate) fn every_commit_is_green(&self, branch: &str) {
        let clone = self.temp.path().join("clone");
        fs::remove_dir_all(&clone).unwrap();
        let from = self.work_dir().display().to_string();
        git(self.temp.path(), &["clone", "--quiet", &from, &clone.display().to_string()]);
        let log = git(&clone, &["log", "--format=%H", &format!("origin/{branch}")]);
        for commit in log.lines() {
            git(&clone, &["checkout", "--quiet", commit]);
            let env = env(self.temp.path());
            let ran = rb_core::process::Cmd::new("python3", &env)
                .cwd(&clone)
                .args(["-m", "unittest", "discover", "-s", "tests", "-t", "."])
                .run(&Cancel::new())
                .unwrap();
            let said = String::from_utf8_lossy(&ran.stderr).into_owned();
            assert!(ran.success() && !said.contains("Ran 0 tests"), "{commit}: {said}");
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the tests are where the programs are")]
fn env(home: &Path) -> Env {
    let git = rb_testkit::git_env(home);
    let env = Env::passed_on(std::env::vars_os());
    git.into_iter().fold(env, |env, (name, value)| env.with(name, value))
}
