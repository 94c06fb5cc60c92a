//! SIGKILL at the effects of a kata: before writes, renames, journal lines and git commands, and in the middle of them. Whatever
//! the instant, no commit is red, the resumed kata ends with the same commits, and no answer is asked for twice.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};

use rb_testkit::stub::{Reply, Seen, Stub};
use rb_testkit::{Cli, git};
use serde_json::{Value, json};

use crate::kill::{Effect, KILLED, for_each_plan, read_trace, thinned, tries_all};
use crate::replayed::{Answers, KEY, answer_at};

const KATA: &str = "\
# Double

## Requirements

1. Zero is doubled to zero.
2. A number is doubled to twice that number.
";

const ZERO: &str = "    def test_zero(self):\n        self.assertEqual(double(0), 0)\n";
const THREE: &str = "\n    def test_three(self):\n        self.assertEqual(double(3), 6)\n";
const NOTHING: &str = "\n    def test_three(self):\n        double(3)\n";

/// Two cycles with a vacuous test, code that is still red, a refactoring and a decision of the Supervisor.
fn answers() -> [(&'static str, Value); 10] {
    let test = |name: &str, tests: &[&str]| {
        let head = "import unittest\n\nfrom double import double\n\n\nclass DoubleTest(unittest.TestCase):\n";
        let file =
            json!({"path": "tests/test_double.py", "content": format!("{head}{}", tests.concat())});
        json!({"status": "test", "test_name": name, "requirement": "", "reason": "next", "files": [file]})
    };
    let code = |body: &str| {
        let content = format!("def double(number):\n    return {body}\n");
        let file = json!({"path": "double.py", "content": content});
        json!({"status": "ok", "summary": format!("return {body}"), "reason": "", "files": [file]})
    };
    let nothing =
        json!({"status": "nothing", "summary": "", "reason": "It is short.", "files": []});
    let complete = json!({"status": "complete", "test_name": "", "requirement": "", "reason": "All is tested.", "files": []});
    let done =
        json!({"decision": "done", "guidance": "", "reason": "Both requirements have tests."});
    [
        ("tester", test("test_zero", &[ZERO])),
        ("implementer", code("0")),
        ("refactorer", nothing),
        ("tester", test("test_three", &[ZERO, NOTHING])),
        ("tester", test("test_three", &[ZERO, THREE])),
        ("implementer", code("1")),
        ("implementer", code("number + number")),
        ("refactorer", code("2 * number")),
        ("tester", complete),
        ("supervisor", done),
    ]
}

/// What was said to each prompt of a kata that was let through.
pub(crate) type Known = BTreeMap<String, Reply>;

struct Case {
    cli: Cli,
    stub: Stub,
}

impl Case {
    fn new(reply: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Case {
        let stub = Stub::new(move |seen, _| reply(seen));
        let cli = crate::cli().env("ANTHROPIC_API_KEY", KEY);
        answer_at(&cli, &stub.url());
        std::fs::write(cli.user_dir().join("double.md"), KATA).unwrap();
        Case { cli, stub }
    }

    fn knowing(known: &Arc<Known>) -> Case {
        let known = Arc::clone(known);
        let unknown = || Reply::status(400, "{\"error\": {\"message\": \"not asked before\"}}");
        Case::new(move |seen| known.get(&prompt(seen)).cloned().unwrap_or_else(unknown))
    }

    fn args() -> Vec<&'static str> {
        let line = "kata double.md --language python --work-dir work --provider anthropic --model claude-sonnet-5 --budget-usd 5";
        line.split(' ').collect()
    }

    fn work(&self) -> PathBuf {
        self.cli.user_dir().join("work")
    }

    /// The tree and the message of every commit, the oldest first. A git that was killed may have made half of a repository.
    fn commits(&self) -> Vec<String> {
        let mut head = Command::new("git");
        head.args(["rev-parse", "--quiet", "--verify", "HEAD"]).env("GIT_CEILING_DIRECTORIES", "/");
        if !head.current_dir(self.work()).output().is_ok_and(|out| out.status.success()) {
            return Vec::new();
        }
        let log = git(&self.work(), &["log", "--reverse", "--format=%T %s"]);
        log.lines().map(str::to_owned).collect()
    }

    fn run_id(&self) -> Option<String> {
        let runs = self.cli.run(["runs", "list", "--json"]);
        let run: Value = serde_json::from_str(runs.expect_code(0).stdout.lines().next()?).unwrap();
        Some(run["run"].as_str().unwrap().to_owned())
    }
}

/// How much was asked more than once.
pub(crate) fn asked_again(stub: &Stub) -> usize {
    let mut prompts: Vec<String> = stub.seen().iter().map(prompt).collect();
    let all = prompts.len();
    prompts.sort();
    prompts.dedup();
    all - prompts.len()
}

/// Without the mark that fences the data, which every run draws anew.
pub(crate) fn prompt(seen: &Seen) -> String {
    let body: Value = serde_json::from_str(&seen.body).unwrap_or_default();
    let text = format!("{}{}", body["system"], body["messages"]);
    let mark = text.split_once("<data ").and_then(|(_, rest)| rest.get(..32)).unwrap_or("<data ");
    text.replace(mark, "MARK")
}

#[test]
fn sa6_ka3_ka6_killed_anywhere_a_kata_has_only_green_commits_and_is_resumed() {
    let (known, in_order) = (Arc::<Mutex<Known>>::default(), Answers::in_order(answers()));
    let learnt = Arc::clone(&known);
    let mut traced = Case::new(move |seen| {
        let reply = in_order.reply(seen);
        learnt.lock().unwrap().insert(prompt(seen), reply.clone());
        reply
    });
    let trace = traced.cli.user_dir().join("trace");
    traced.cli.set_env("REFACTOR_BOT_FAULT", format!("trace:{}", trace.display()));
    traced.cli.run(Case::args()).expect_code(0);
    let expected = traced.commits();
    let subjects: Vec<&str> = expected.iter().map(|it| it.split_once(' ').unwrap().1).collect();
    assert_eq!(
        subjects,
        ["feat: return 0", "feat: return number + number", "refactor: return 2 * number"]
    );
    assert_eq!(asked_again(&traced.stub), 0);
    every_commit_is_green(&traced);
    let known = Arc::new(std::mem::take(&mut *known.lock().unwrap()));
    assert_eq!(known.len(), answers().len());

    let all = read_trace(&trace);
    let is_answer = |effect: &&Effect| effect.path.contains("/answers");
    let answers: Vec<usize> = all.iter().filter(is_answer).map(|effect| effect.number).collect();
    let every = if tries_all() { 1 } else { 10 };
    let effects: Vec<Effect> = thinned(all, 9).into_iter().step_by(every).collect();
    assert!(effects.len() >= 10, "only {} effects", effects.len());
    let tried = for_each_plan(&effects, |plan, effect| {
        let mut case = Case::knowing(&known);
        case.cli.set_env("REFACTOR_BOT_FAULT", plan);
        case.cli.run(Case::args()).expect_code(KILLED);
        case.cli.unset_env("REFACTOR_BOT_FAULT");
        // An answer that came and was not yet written down is the only one that can be asked for again. Threads count in
        // turns of their own.
        let is_near = answers.iter().any(|answer| answer.abs_diff(effect.number) <= 2);
        let when = format!("after {plan} ({} {})", effect.what, effect.path);
        check(&case, &when, &expected, usize::from(is_near));
    });
    println!("{} effects, {tried} kill points in a kata", effects.len());
}

fn check(case: &Case, when: &str, expected: &[String], may_be_asked_again: usize) {
    let made = case.commits();
    assert!(expected.starts_with(&made), "{when}: {made:?}");
    let ran = match case.run_id() {
        Some(id) => case.cli.run(["resume", &id]),
        // Nothing had begun; the same command simply works.
        None => case.cli.run(Case::args()),
    };
    assert_eq!(ran.code, 0, "{when}: {}", ran.stderr);
    assert_eq!(case.commits(), expected, "{when}");
    assert_eq!(git(&case.work(), &["status", "--porcelain"]), "", "{when}");
    assert!(asked_again(&case.stub) <= may_be_asked_again, "{when}: asked again");
}

fn every_commit_is_green(case: &Case) {
    let work = case.work();
    for commit in git(&work, &["log", "--format=%H"]).lines() {
        git(&work, &["checkout", "--quiet", commit]);
        let mut python = Command::new("python3");
        python.args(["-m", "unittest", "discover", "-s", "tests", "-t", "."]).current_dir(&work);
        let out = python.env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap();
        assert!(out.status.success(), "{commit}: {}", String::from_utf8_lossy(&out.stderr));
    }
}
