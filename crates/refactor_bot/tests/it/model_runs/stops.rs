//! Where a run stops: before anything is made, or in the middle, to be gone on with.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use rb_testkit::stub::{Reply, Stub};
use serde_json::{Value, json};

use super::has_node;
use super::scripted::{DIRECTIVE, GREETINGS, NEW, Scripted, batch, batches, good};

fn all_good() -> Value {
    json!({
        "patcher batch-001": [good("alpha")],
        "patcher batch-002": [good("beta")],
        "patcher batch-003": [good("gamma")],
    })
}

#[test]
fn rf8_a_baseline_that_fails_ends_the_run_before_anything_is_tried() {
    if !has_node() {
        return;
    }
    let fixture = GREETINGS.replace("beta('you'), 'hello you'", "beta('you'), 'bye you'");
    let case = Scripted::new(&fixture, &all_good());
    let before = case.repo.state();
    let ran = case.run(&["--yes"]);
    let run = ran.expect_code(1).run_id();
    assert_eq!(case.asked(), Vec::<String>::new());
    assert!(case.report(&run, "validation-report.json").contains("baseline_failed"));
    assert!(ran.stdout.contains("1 of 3 tests failed"), "{}", ran.stdout);
    before.assert_same(&case.repo.state(), "by the run");
}

/// Nothing was made: no run, no backup, no worktree, no branch.
#[track_caller]
fn made_nothing(case: &Scripted) {
    for name in ["runs", "backups", "worktrees"] {
        let folder = case.cli.home().join(name);
        let is_empty = !folder.exists() || fs::read_dir(&folder).unwrap().next().is_none();
        assert!(is_empty, "{}", folder.display());
    }
    assert_eq!(case.repo.git(&["branch", "--list"]), "* main\n");
}

#[test]
fn rf8_a_model_that_is_not_there_stops_before_anything_is_made() {
    let mut case = Scripted::new(GREETINGS, &json!({}));
    case.cli.set_env("REFACTOR_BOT_MODELS_COMMAND", "[\"no-such-program\"]");
    let ran = case.run(&[]);
    ran.expect_code(3);
    assert!(ran.stderr.contains("no-such-program"), "{}", ran.stderr);
    made_nothing(&case);

    let run = |provider: &str| {
        let root = case.repo.root().to_str().unwrap();
        case.cli.run(["run", root, "--directive", DIRECTIVE, "--provider", provider])
    };
    let ran = run("anthropic");
    ran.expect_code(3);
    assert!(ran.stderr.contains("ANTHROPIC_API_KEY"), "{}", ran.stderr);
    made_nothing(&case);
}

#[test]
fn rf8_a_program_without_a_login_stops_before_anything_is_made() {
    let mut case = Scripted::new(GREETINGS, &json!({}));
    let claude = case.repo.beside("claude");
    let script = "#!/bin/sh\ncase \"$*\" in\n  *--version*|*-v*) echo '2.1.325 (Claude Code)';;\n  \
                  *) echo '{\"loggedIn\": false}'; echo 'Please run /login' >&2; exit 1;;\nesac\n";
    fs::write(&claude, script).unwrap();
    fs::set_permissions(&claude, fs::Permissions::from_mode(0o755)).unwrap();
    case.cli.set_env("REFACTOR_BOT_CLAUDE_BINARY", claude.as_os_str());
    let root = case.repo.root().to_str().unwrap();
    let ran = case.cli.run(["run", root, "--directive", DIRECTIVE, "--provider", "claude-code"]);
    ran.expect_code(3);
    assert!(ran.stderr.contains("log"), "{}", ran.stderr);
    made_nothing(&case);
}

/// A provider with one model whose price is known.
pub(super) fn acme(case: &Scripted, stub: &Stub, more: &str) {
    let folder = case.cli.home().join("providers");
    fs::create_dir_all(&folder).unwrap();
    let own = format!(
        "name = \"acme\"\nwire = \"chat\"\nbase_url = \"{}/v1\"\nkeys = [\"ACME_KEY\"]\ndefault_model = \"large\"\n\
         {more}[[model]]\nname = \"large\"\npublished = \"2026-05-01\"\ninput = 10\noutput = 10\n",
        stub.url()
    );
    fs::write(folder.join("acme.toml"), own).unwrap();
}

#[test]
fn mo7_a_price_that_nobody_knows_stops_before_anything_is_made() {
    let stub = Stub::always(Reply::status(500, "nobody asks"));
    let case = Scripted::new(GREETINGS, &json!({}));
    let (root, url) = (case.repo.root().to_str().unwrap(), format!("{}/v1", stub.url()));
    let model = ["--base-url", &url, "--model", "m", "--budget-usd", "1"];
    let ran = case.cli.run(["run", root, "--directive", DIRECTIVE].iter().chain(&model));
    ran.expect_code(2);
    for words in ["the price of `m` is not known", "provider file"] {
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    made_nothing(&case);
    assert_eq!(stub.seen().len(), 0);
}

#[test]
fn mo3_a_model_or_a_key_that_is_refused_stops_before_anything_is_made() {
    let run = |listed: Reply, code: i32, expected: &str| {
        let stub = Stub::new(move |seen, _| match seen.line.as_str() {
            "GET /v1/models" => listed.clone(),
            _ => Reply::status(404, "{\"error\":{\"message\":\"no such model\"}}"),
        });
        let mut case = Scripted::new(GREETINGS, &json!({}));
        case.cli.set_env("ACME_KEY", "sk-0123456789");
        acme(&case, &stub, "");
        let root = case.repo.root().to_str().unwrap();
        let model = ["--provider", "acme", "--model", "larger"];
        let ran = case.cli.run(["run", root, "--directive", DIRECTIVE].iter().chain(&model));
        ran.expect_code(code);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        made_nothing(&case);
        assert!(stub.seen().iter().all(|seen| seen.line.starts_with("GET ")), "no model is asked");
    };
    run(Reply::ok("{\"data\":[{\"id\":\"large\"}]}"), 2, "there is no model `larger`");
    run(Reply::status(401, "{\"error\":{\"message\":\"no\"}}"), 3, "the key is not accepted");
}

/// A server that answers as the scripted model would, for 20 cents each time.
fn server() -> Stub {
    Stub::new(|seen, _| {
        let body: Value = serde_json::from_str(&seen.body).unwrap();
        let text = body["messages"].to_string();
        let names = ["alpha", "beta", "gamma"];
        let value = if text.contains("prompt: planner") {
            let plan = names
                .map(|name| batch(name, &format!("Greet in {name}"), &[&format!("lib/{name}.js")]));
            batches(&plan)["value"].clone()
        } else {
            // The batch stands before what was done earlier.
            let meant = names
                .into_iter()
                .filter_map(|name| Some((text.find(&format!("Greet in {name}"))?, name)));
            good(meant.min().unwrap().1)["value"].clone()
        };
        let piece = json!({"id": "c", "model": "m", "choices": [{"index": 0, "delta": {"content": value.to_string()}}]});
        let end = json!({
            "id": "c", "model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10_000, "completion_tokens": 10_000, "total_tokens": 20_000},
        });
        Reply::events([format!("data: {piece}\n\n"), format!("data: {end}\n\ndata: [DONE]\n\n")])
    })
}

#[test]
fn rf8_over_the_cap_the_run_waits_and_goes_on_with_more_without_asking_again() {
    if !has_node() {
        return;
    }
    let stub = server();
    let mut case = Scripted::new(GREETINGS, &json!({}));
    case.cli.set_env("OTHER_KEY", "sk-0123456789");
    acme(&case, &stub, "");
    let root = case.repo.root().to_str().unwrap();
    // A call may write 16,000 tokens for 16 cents, and reads a few: after two of 20 cents no third is made.
    let usual = ["run", root, "--directive", DIRECTIVE, "--provider", "acme"];
    let once = ["--budget-usd", "0.50", "--api-key-env", "OTHER_KEY"];
    let ran = case.cli.run(usual.iter().chain(&once));
    let run = ran.expect_code(4).run_id();
    let before = stub.seen().len();
    assert_eq!(before, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains(&format!("refactor-bot resume {run}")), "{}", ran.stderr);
    // The cap that the run began with still holds.
    let ran = case.cli.run(["resume", &run]);
    ran.expect_code(4);
    assert_eq!(stub.seen().len(), before, "nobody was asked");
    let ran = case.cli.run(["resume", &run, "--budget-usd", "5", "--yes"]);
    ran.expect_code(0);
    assert_eq!(
        stub.seen().len(),
        4,
        "a plan and three patches, each once: {}\n{}",
        ran.stdout,
        ran.stderr
    );
    for name in ["alpha", "beta", "gamma"] {
        assert!(case.repo.read(&format!("lib/{name}.js")).contains(NEW), "{name}");
    }
}

#[test]
fn mo7_a_call_that_a_kill_cut_off_counts_against_the_cap() {
    if !has_node() {
        return;
    }
    let stub = Stub::always(Reply::silence());
    let mut case = Scripted::new(GREETINGS, &json!({}));
    case.cli.set_env("ACME_KEY", "sk-0123456789");
    acme(&case, &stub, "");
    let root = case.repo.root().to_str().unwrap();
    // A call may cost 16 cents and a few, so that there is no money for two.
    let usual = ["run", root, "--directive", DIRECTIVE, "--provider", "acme"];
    let args = usual.iter().chain(&["--budget-usd", "0.30"]);
    let mut child = case.cli.command().args(args).spawn().unwrap();
    stub.wait_for(1);
    child.kill().unwrap();
    child.wait().unwrap();
    let entry = fs::read_dir(case.cli.home().join("runs")).unwrap().next().unwrap().unwrap();
    let run = entry.file_name().into_string().unwrap();
    let begun = case.events(&run, "model_call_started");
    assert_eq!((begun.len(), &begun[0]["booking"]["role"]), (1, &json!("planner")), "{begun:?}");
    let ran = case.cli.run(["resume", &run]);
    ran.expect_code(4);
    assert!(ran.stderr.contains("over the cap"), "{}", ran.stderr);
    assert_eq!(stub.seen().len(), 1, "nobody is asked again");
}

#[test]
fn rf8_after_its_time_a_run_stops_and_goes_on_when_it_is_resumed() {
    if !has_node() {
        return;
    }
    let case = Scripted::new(
        GREETINGS,
        &json!({
            // Until a second has passed since it began.
            "patcher batch-001": [{"after_ms": 1100, "then": good("alpha")}],
            "patcher batch-002": [good("beta")],
            "patcher batch-003": [good("gamma")],
        }),
    );
    let ran = case.run(&["--max-runtime", "1s"]);
    let run = ran.expect_code(4).run_id();
    assert!(ran.stderr.contains(&format!("refactor-bot resume {run}")), "{}", ran.stderr);
    let mut stops = 1;
    let mut ran = case.cli.run(["resume", &run, "--yes"]);
    while ran.code == 4 {
        stops += 1;
        assert!(stops < 60, "it does not get on: {}", ran.stderr);
        ran = case.cli.run(["resume", &run, "--yes"]);
    }
    ran.expect_code(0);
    let asked = ["patcher batch-001", "patcher batch-002", "patcher batch-003", "planner"];
    assert_eq!(case.asked(), asked, "each once");
    assert!(case.repo.read("lib/gamma.js").contains(NEW));
}

#[test]
fn rf8_a_provider_that_is_busy_for_long_stops_the_run_to_be_resumed() {
    if !has_node() {
        return;
    }
    let busy =
        json!({"error": {"kind": "retry", "message": "too many requests", "retry_after_s": 3600}});
    let answers = json!({
        "patcher batch-001": [busy, good("alpha")],
        "patcher batch-002": [good("beta")],
        "patcher batch-003": [good("gamma")],
    });
    let case = Scripted::new(GREETINGS, &answers);
    let ran = case.run(&[]);
    let run = ran.expect_code(4).run_id();
    assert!(ran.stderr.contains("too many requests"), "{}", ran.stderr);
    assert!(ran.stderr.contains(&format!("refactor-bot resume {run}")), "{}", ran.stderr);
    case.cli.run(["resume", &run, "--yes"]).expect_code(0);
    // What the two others said meanwhile was kept.
    let asked = [
        "patcher batch-001",
        "patcher batch-001",
        "patcher batch-002",
        "patcher batch-003",
        "planner",
    ];
    assert_eq!(case.asked(), asked);
    assert!(case.repo.read("lib/alpha.js").contains(NEW));
}
