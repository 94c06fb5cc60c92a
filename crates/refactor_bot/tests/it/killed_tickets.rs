//! SIGKILL at the effects of a ticket: before writes, renames, journal lines and commands, and in the middle of them. Whatever the
//! instant, the checkout is untouched, no browser or server is left behind, and the resumed ticket ends the same without asking for an
//! answer twice.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rb_testkit::stub::{Reply, Seen, Stub};
use rb_testkit::{Cli, Repo};
use serde_json::{Value, json};

use crate::kill::{Effect, KILLED, for_each_plan, read_trace, thinned, tries_all};
use crate::killed_katas::{Known, asked_again, prompt};
use crate::replayed::{Answers, KEY, answer_at, events};

const PAGE: &str =
    "<!doctype html>\n<html lang=\"en\">\n<title>Hello</title>\n<h1>Hello</h1>\n</html>\n";
const TICKET: &str = "\
# HI-7: Greet the world

## Acceptance criteria

- The page / shows \"Hello, world\".
";

/// The first implementation lacks a comma, and the browser sees it.
fn answers() -> [(&'static str, Value); 3] {
    let change = |search: &str, replace: &str| {
        let edit = json!({"path": "index.html", "search": search, "replace": replace});
        json!({"reason": "As asked.", "status": "done", "summary": "Greet the world", "edits": [edit], "new_files": []})
    };
    let words = json!({"title": "Greet the world", "summary": "It greets.", "risk": "None.", "rollback": "Revert it."});
    [
        ("impl-agent", change("<h1>Hello</h1>", "<h1>Hello world</h1>")),
        ("fix-agent", change("<h1>Hello world</h1>", "<h1>Hello, world</h1>")),
        ("pr-agent", words),
    ]
}

struct Case {
    cli: Cli,
    repo: Repo,
    stub: Stub,
}

/// What must not depend on whether a ticket was cut off.
#[derive(Debug, PartialEq, Eq)]
struct Ended {
    tree: String,
    rounds: Vec<String>,
    report: Vec<String>,
}

impl Case {
    fn new(reply: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Case {
        let stub = Stub::new(move |seen, _| reply(seen));
        let cli = crate::cli().env("ANTHROPIC_API_KEY", KEY);
        answer_at(&cli, &stub.url());
        let repo = Repo::git_repo(&format!("//- index.html\n{PAGE}"));
        fs::write(cli.user_dir().join("hi.md"), TICKET).unwrap();
        Case { cli, repo, stub }
    }

    fn knowing(known: &Arc<Known>) -> Case {
        let known = Arc::clone(known);
        let unknown = || Reply::status(400, "{\"error\": {\"message\": \"not asked before\"}}");
        Case::new(move |seen| known.get(&prompt(seen)).cloned().unwrap_or_else(unknown))
    }

    fn args(&self) -> Vec<String> {
        let line = "--provider anthropic --model claude-sonnet-5 --budget-usd 5";
        let place = self.repo.root().to_str().unwrap();
        ["ticket", "hi.md", place].into_iter().chain(line.split(' ')).map(str::to_owned).collect()
    }

    fn ended(&self, id: &str) -> Ended {
        let dir = self.cli.home().join("runs").join(id);
        let mut report: Vec<String> = fs::read_dir(dir.join("report"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        report.sort();
        Ended {
            tree: self.repo.git(&["rev-parse", &format!("refactor-bot/{id}^{{tree}}")]),
            rounds: rounds(&dir),
            report,
        }
    }

    fn run_id(&self) -> Option<String> {
        let runs = self.cli.run(["runs", "list", "--json"]);
        let run: Value = serde_json::from_str(runs.expect_code(0).stdout.lines().next()?).unwrap();
        Some(run["run"].as_str().unwrap().to_owned())
    }

    /// Polls until no process names the home of this case.
    fn assert_nothing_runs(&self, when: &str) {
        let home = self.cli.home();
        let until = Instant::now() + Duration::from_mins(1);
        let mut left = processes(&home);
        while !left.is_empty() {
            assert!(Instant::now() < until, "{when}: {left:?}");
            std::thread::yield_now();
            left = processes(&home);
        }
    }
}

fn rounds(dir: &Path) -> Vec<String> {
    let journal = events(&fs::read_to_string(dir.join("journal.jsonl")).unwrap());
    let is_look = |event: &&Value| event["event"] == "browsed";
    let line =
        |event: &Value| format!("{}: {} of {}", event["number"], event["met"], event["checks"]);
    journal.iter().filter(is_look).map(line).collect()
}

/// A process as `/proc` has it.
#[derive(Debug)]
struct Process {
    pid: u32,
    parent: u32,
    folder: PathBuf,
    line: String,
}

impl Process {
    /// None if it has ended.
    fn read(dir: &Path) -> Option<Process> {
        let stat = fs::read_to_string(dir.join("stat")).ok()?;
        let mut fields = stat.rsplit_once(") ")?.1.split(' ');
        if fields.next() == Some("Z") {
            return None;
        }
        let line = fs::read(dir.join("cmdline")).ok()?;
        Some(Process {
            pid: dir.file_name()?.to_str()?.parse().ok()?,
            parent: fields.next()?.parse().ok()?,
            // A server names the folder that it works in nowhere else.
            folder: fs::read_link(dir.join("cwd")).unwrap_or_default(),
            line: String::from_utf8_lossy(&line).replace('\0', " "),
        })
    }
}

/// All processes that name a folder, work in it, or descend from such a one.
fn processes(home: &Path) -> Vec<Process> {
    let home = home.canonicalize().unwrap_or_else(|_| home.to_owned());
    let name = home.display().to_string();
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let all: Vec<Process> = all.filter_map(|entry| Process::read(&entry.path())).collect();
    let is_own = |it: &Process| it.line.contains(&name) || it.folder.starts_with(&home);
    let mut found: Vec<u32> = all.iter().filter(|it| is_own(it)).map(|it| it.pid).collect();
    loop {
        let is_new = |it: &&Process| found.contains(&it.parent) && !found.contains(&it.pid);
        let children: Vec<u32> = all.iter().filter(is_new).map(|it| it.pid).collect();
        if children.is_empty() {
            break;
        }
        found.extend(children);
    }
    all.into_iter().filter(|it| found.contains(&it.pid)).collect()
}

/// A server and a child of it that works elsewhere: neither names the home.
#[test]
fn sa6_a_server_that_was_left_behind_would_be_noticed() {
    let case = Case::new(|_| Reply::status(400, ""));
    let home = case.cli.home();
    let worktree = home.join("worktrees/run");
    fs::create_dir_all(&worktree).unwrap();
    assert!(processes(&home).is_empty());
    let script = "(cd / && exec sleep 7319.1809) & wait";
    let mut command = Command::new("sh");
    let mut server = command.args(["-c", script]).current_dir(&worktree).spawn().unwrap();
    let is_child = |it: &Process| it.line.trim() == "sleep 7319.1809";
    let until = Instant::now() + Duration::from_secs(20);
    let child = loop {
        let left = processes(&home);
        if let (2, Some(child)) = (left.len(), left.iter().find(|it| is_child(it))) {
            break child.pid;
        }
        assert!(Instant::now() < until, "{left:?}");
        std::thread::yield_now();
    };
    let killed = Command::new("kill").arg(child.to_string()).status().unwrap();
    assert!(killed.success());
    // It waits for its child.
    server.wait().unwrap();
}

#[test]
fn sa6_tk2_killed_anywhere_a_ticket_ends_the_same_and_leaves_no_browser_behind() {
    if Command::new("chromium").arg("--version").output().is_err() {
        return;
    }
    let (known, in_order) = (Arc::<Mutex<Known>>::default(), Answers::in_order(answers()));
    let learnt = Arc::clone(&known);
    let mut traced = Case::new(move |seen| {
        let reply = in_order.reply(seen);
        learnt.lock().unwrap().insert(prompt(seen), reply.clone());
        reply
    });
    let trace = traced.cli.user_dir().join("trace");
    traced.cli.set_env("REFACTOR_BOT_FAULT", format!("trace:{}", trace.display()));
    let id = traced.cli.run(traced.args()).expect_code(0).run_id();
    traced.cli.unset_env("REFACTOR_BOT_FAULT");
    let expected = traced.ended(&id);
    assert_eq!(expected.rounds, ["1: 1 of 2", "2: 2 of 2"]);
    let known = Arc::new(std::mem::take(&mut *known.lock().unwrap()));
    assert_eq!(known.len(), answers().len());

    let all = read_trace(&trace);
    // Each takes a browser or two, so that few of them are tried by default.
    let every = if tries_all() { 1 } else { 40 };
    let effects: Vec<Effect> = thinned(all, 9).into_iter().step_by(every).collect();
    assert!(effects.len() >= 3, "only {} effects", effects.len());
    let tried = for_each_plan(&effects, |plan, effect| check(plan, effect, &known, &expected));
    println!("{} effects, {tried} kill points in a ticket", effects.len());
}

fn check(plan: &str, effect: &Effect, known: &Arc<Known>, expected: &Ended) {
    let mut case = Case::knowing(known);
    let before = case.repo.state();
    case.cli.set_env("REFACTOR_BOT_FAULT", plan);
    case.cli.run(case.args()).expect_code(KILLED);
    case.cli.unset_env("REFACTOR_BOT_FAULT");
    let when = format!("after {plan} ({} {})", effect.what, effect.path);
    case.assert_nothing_runs(&when);
    before.files().assert_same(&case.repo.state().files(), &when);
    let ran = match case.run_id() {
        Some(id) => case.cli.run(["resume", &id]),
        // Nothing had begun; the same command simply works.
        None => case.cli.run(case.args()),
    };
    assert_eq!(ran.code, 0, "{when}: {}", ran.stderr);
    let id = case.run_id().expect("a run");
    assert_eq!(&case.ended(&id), expected, "{when}");
    // The answer that was on its way may be asked for again, and no other.
    assert!(asked_again(&case.stub) <= 1, "{when}");
    case.assert_nothing_runs(&when);
    case.cli.run(["accept", &id]).expect_code(0);
    assert!(case.repo.read("index.html").contains("Hello, world"), "{when}");
}
