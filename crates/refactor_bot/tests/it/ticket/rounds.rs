//! A ticket with scripted models: the limit of the rounds, a model per role, and what each agent was sent.

use std::fs;
use std::process::Command;
use std::slice;

use rb_testkit::stub::Stub;
use rb_testkit::{Cli, Ran, Repo};
use serde_json::{Value, json};

use crate::replayed::{Answers, KEY, answer_at};

const PAGE: &str =
    "<!doctype html>\n<html lang=\"en\">\n<title>Hello</title>\n<h1>Hello</h1>\n</html>\n";
const TICKET: &str = "\
# HI-7: Greet the world

## Acceptance criteria

- The page / shows \"Hello, world\".
";

/// No change meets the criterion.
fn answers() -> [(&'static str, Value); 6] {
    let change = |number: u32| {
        let heading = |number: u32| match number {
            0 => "<h1>Hello</h1>".to_owned(),
            number => format!("<h1>Hello {number}</h1>"),
        };
        let (search, replace) = (heading(number - 1), heading(number));
        let edit = json!({"path": "index.html", "search": search, "replace": replace});
        json!({"reason": "As asked.", "status": "done", "summary": format!("Attempt {number}"), "edits": [edit], "new_files": []})
    };
    let words = json!({"title": "Greet", "summary": "It greets.", "risk": "None.", "rollback": "Revert it."});
    [
        ("impl-agent", change(1)),
        ("fix-agent", change(2)),
        ("fix-agent", change(3)),
        ("fix-agent", change(4)),
        // It is not asked for.
        ("fix-agent", change(5)),
        ("pr-agent", words),
    ]
}

/// A repository of one page, a ticket, and models with answers that are written beforehand.
struct Scripted {
    repo: Repo,
    cli: Cli,
    stub: Stub,
}

impl Scripted {
    fn new<const N: usize>(ticket: &str, answers: [(&str, Value); N]) -> Self {
        let in_order = Answers::in_order(answers);
        let stub = Stub::new(move |seen, _| in_order.reply(seen));
        let cli = crate::cli().env("ANTHROPIC_API_KEY", KEY);
        answer_at(&cli, &stub.url());
        let repo = Repo::git_repo(&format!("//- index.html\n{PAGE}"));
        fs::write(cli.user_dir().join("hi.md"), ticket).unwrap();
        Scripted { repo, cli, stub }
    }

    fn run(&self, more: &[&str]) -> Ran {
        let root = self.repo.root().to_str().unwrap();
        let usual = ["--provider", "anthropic", "--model", "claude-sonnet-5", "--budget-usd", "5"];
        self.cli.run([&["ticket", "hi.md", root][..], &usual, more].concat())
    }
}

/// The agent and the model of each request.
fn asked(stub: &Stub) -> Vec<(String, String)> {
    let one = |body: &str| {
        let body: Value = serde_json::from_str(body).unwrap();
        let system = body["system"].to_string();
        let (_, rest) = system.split_once("refactor-bot prompt: ").unwrap();
        let role = rest.split(',').next().unwrap().to_owned();
        (role, body["model"].as_str().unwrap().to_owned())
    };
    stub.seen().iter().map(|seen| one(&seen.body)).collect()
}

#[test]
fn tk4_tk5_mo4_three_rounds_of_fixes_at_most_with_a_model_and_a_transcript_per_agent() {
    if Command::new("chromium").arg("--version").output().is_err() {
        return;
    }
    let case = Scripted::new(TICKET, answers());
    let ran = case.run(&["--model-for", "fix-agent=claude-haiku-5-5"]);
    let id = ran.expect_code(7).run_id();
    assert!(ran.stdout.contains("Not all criteria are met"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("browser, round 4: ") && !ran.stdout.contains("round 5"),
        "{}",
        ran.stdout
    );
    let estimate = "estimate for one session that does all of it: 140,000 tokens";
    assert!(ran.stdout.contains(estimate), "{}", ran.stdout);

    let is = |role: &str, model: &str| (role.to_owned(), model.to_owned());
    let (usual, cheap) = ("claude-sonnet-5", "claude-haiku-5-5");
    let fix = is("fix-agent", cheap);
    let expected = [is("impl-agent", usual), fix.clone(), fix.clone(), fix, is("pr-agent", usual)];
    assert_eq!(asked(&case.stub), expected);

    let dir = case.cli.home().join("runs").join(&id);
    for (number, is_there) in [(1, true), (3, true), (4, false)] {
        assert_eq!(dir.join(format!("report/fix-{number}.json")).exists(), is_there, "{number}");
    }
    let context = fs::read_to_string(dir.join("report/context.json")).unwrap();
    let context: Value = serde_json::from_str(&context).unwrap();
    let calls: Vec<Value> = context
        .as_array()
        .unwrap()
        .iter()
        .map(|agent| json!([agent["agent"], agent["calls"], agent["largest_context"]]))
        .collect();
    let expected = json!([["impl-agent", 1, 3000], ["fix-agent", 3, 3000], ["pr-agent", 1, 3000]]);
    assert_eq!(json!(calls), expected);

    let transcripts = |agent: &str| -> Vec<String> {
        let files = fs::read_dir(dir.join("transcripts").join(agent)).unwrap().flatten();
        files.map(|file| fs::read_to_string(file.path()).unwrap()).collect()
    };
    for (agent, count, model) in
        [("impl-agent", 1, usual), ("fix-agent", 3, cheap), ("pr-agent", 1, usual)]
    {
        let texts = transcripts(agent);
        assert_eq!(texts.len(), count, "{agent}");
        for text in texts {
            assert!(text.starts_with(&format!("# {agent}, ")), "{text}");
            assert!(
                text.contains(&format!("\n{model}: 3000 tokens in, 200 tokens out\n")),
                "{text}"
            );
            assert!(text.contains("\n## Prompt\n") && text.contains("\n## Answer\n"), "{text}");
            assert!(!text.contains(KEY), "{text}");
        }
    }
    // Each agent starts fresh: a fixer sees nothing of the one before it.
    for text in transcripts("fix-agent") {
        assert!(text.matches("\"summary\": \"Attempt ").count() == 1, "{text}");
    }
}

const BY_NAME: &str = "\
# HI-8: Greet by name

## Acceptance criteria

- Whoever gives a name is greeted by it.
- The greeting sounds friendly.
";

/// A form that greets with `greeting`.
fn form(greeting: &str) -> String {
    format!(
        "<label>Name <input id=who></label>\n\
         <button onclick=\"said.textContent = `{greeting}`\">Greet</button>\n<p id=said></p>"
    )
}

/// No rule of the program makes a check of such a criterion: the model plans what is done in the browser, and the browser judges. What
/// failed is neither dropped by an answer that leaves it out, nor planned anew after a fix.
#[test]
fn tk3_what_no_rule_can_check_is_tried_as_the_verify_agent_plans_it() {
    if Command::new("chromium").arg("--version").output().is_err() {
        return;
    }
    let edit = |search: &str, replace: &str| {
        let edit = json!({"path": "index.html", "search": search, "replace": replace});
        json!({"reason": "As asked.", "status": "done", "summary": "It greets", "edits": [edit], "new_files": []})
    };
    let step = |action: &str, target: &str, value: &str| json!({"action": action, "target": target, "value": value});
    let steps = [step("type", "textbox \"Name\"", "Ada"), step("click", "button \"Greet\"", "")];
    let expect = json!({"kind": "text_present", "target": "", "value": "Hello, Ada"});
    let check = json!({"criterion": "C1", "says": "Ada is greeted", "path": "/", "steps": steps, "expect": [expect]});
    let leave = |id: &str, why: &str| json!({"criterion": id, "why": why});
    let plan = |checks: &[Value], uncheckable: &[Value]| json!({"reason": "Greets.", "checks": checks, "uncheckable": uncheckable});
    let silent = leave("C2", "no browser hears how it sounds");
    let words = json!({"title": "Greet", "summary": "It greets.", "risk": "None.", "rollback": "Revert it."});
    let case = Scripted::new(
        BY_NAME,
        [
            ("impl-agent", edit("<h1>Hello</h1>", &form("Hello, you"))),
            ("verify-agent", plan(&[check], slice::from_ref(&silent))),
            ("verify-agent", plan(&[], &[silent, leave("C1", "it cannot be seen")])),
            ("fix-agent", edit("Hello, you", "Hello, ${who.value}")),
            ("pr-agent", words),
        ],
    );
    let ran = case.run(&[]);
    let id = ran.expect_code(0).run_id();
    let (_, rounds) = ran.stdout.split_once("tests: no tests were run\n").unwrap();
    let (rounds, _) = rounds.split_once("cost:").unwrap();
    assert_eq!(
        rounds,
        "\
browser, round 1: 1 of 2 checks met
  C1 is not met: Ada is greeted; expected: the page shows \"Hello, Ada\"; actual: the page shows: Name Greet Hello, you  (issue-C1.png)
  not checked: C2: no browser hears how it sounds
browser, round 2: 2 of 2 checks met
  not checked: C2: no browser hears how it sounds
"
    );
    let asked: Vec<String> = asked(&case.stub).into_iter().map(|(role, _)| role).collect();
    let once = ["impl-agent", "verify-agent", "verify-agent", "fix-agent", "pr-agent"];
    assert_eq!(asked, once);
    let text = case.cli.home().join("runs").join(id).join("report/pr.md");
    let text = fs::read_to_string(text).unwrap();
    assert!(text.contains("no browser hears how it sounds"), "{text}");
}
