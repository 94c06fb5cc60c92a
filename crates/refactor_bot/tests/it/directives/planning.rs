//! `plan`, and runs that were planned, as they are looked at.

use expect_test::expect;
use serde_json::Value;

use crate::sync_files::{DIRECTIVE, SyncFiles};

/// What takes long is not begun where there is nothing to do.
#[test]
fn rf3_nothing_found_costs_no_backup_and_no_baseline() {
    let case = SyncFiles::five();
    for directive in ["Replace naive search with an optimized data structure", "Make it nicer"] {
        let args = ["run", &case.root(), "--directive", directive, "--yes"];
        let ran = case.cli.run(args);
        assert!(!ran.stderr.contains("baseline") && !ran.stderr.contains("saving"), "{ran:?}");
        assert!(!case.cli.home().join("backups").exists());
        case.assert_untouched();
        case.assert_nothing_left();
    }
}

/// A plan only reads, so it may read what is not committed yet.
#[test]
fn rf3_a_plan_includes_uncommitted_work() {
    let case = SyncFiles::five();
    let text = "const fs = require('fs');\n\nfs.writeFileSync('new.txt', 'x');\n";
    case.repo.write("src/new.js", text);
    let ran = case.cli.run(["plan", &case.root(), "--directive", DIRECTIVE]);
    assert!(ran.expect_code(0).stdout.contains("src/new.js"), "{}", ran.stdout);
    assert_eq!(case.repo.read("src/new.js"), text);
    case.assert_nothing_left();
}

/// Whether an import can be rewritten depends on the package as it is installed, and git does not keep that.
#[test]
fn rf3_ru1_check_plan_and_runs_agree_on_what_can_be_done() {
    let repo = rb_testkit::Repo::git_repo(concat!(
        "//- package.json\n{\"name\": \"app\", \"dependencies\": {\"react\": \"^19.0.0\", \"icons\": \"^1.0.0\"}}\n",
        "//- .gitignore\nnode_modules\n",
        "//- src/bar.jsx\nimport { Home } from 'icons';\n\nexport const Bar = () => <Home />;\n",
    ));
    let index: Vec<String> =
        ('a'..='z').map(|name| format!("export * from './{name}.js';\n")).collect();
    let index = index.concat();
    repo.write(
        "node_modules/icons/index.js",
        format!("export {{ default as Home }} from './home.js';\n{index}"),
    );
    repo.write("node_modules/icons/home.js", "export default function Home() { return null; }\n");
    repo.write(
        "node_modules/icons/package.json",
        r#"{"name":"icons","version":"1.0.0","type":"module","sideEffects":false,"exports":{".":"./index.js","./home":"./home.js"}}"#,
    );
    let (cli, root) = (crate::cli(), repo.root().display().to_string());
    let directive = ["--directive", "Fix barrel imports to reduce bundle size"];
    let checked = cli.run(["rules", "check", &root]);
    assert!(checked.stdout.contains("[fix]"), "{}", checked.stdout);
    let planned = cli.run(["plan", &root, directive[0], directive[1]]);
    assert!(planned.stdout.contains("1 task"), "{}", planned.stdout);
    for more in [&["--no-verify"][..], &[]] {
        let ran = cli.run([&["run", &root, "--dry-run"], &directive[..], more].concat());
        assert!(ran.stdout.contains("batch-001  applied"), "{more:?}: {}", ran.stdout);
    }
}

#[test]
fn rf3_a_plan_alone_is_shown_and_leaves_nothing_behind() {
    let case = SyncFiles::five();
    let root = case.root();
    let ran = case.cli.run(["plan", &root, "--directive", DIRECTIVE]);
    expect![[r#"
        exit 0
        --- stdout
        plan of [TMP]/project
        directive Convert sync file ops to async
                  sync, file, async: fs-async
        plan      5 tasks
          batch-001  Make synchronous file calls async in lib/d.js (1 place)
                     recipe fs-async, 1 file, risk 42
          batch-002  Make synchronous file calls async in lib/e.js (1 place)
                     recipe fs-async, 1 file, risk 42
          batch-003  Make synchronous file calls async in src/a.js (1 place)
                     recipe fs-async, 1 file, risk 42
          batch-004  Make synchronous file calls async in src/b.js (1 place)
                     recipe fs-async, 1 file, risk 42
          batch-005  Make synchronous file calls async in src/c.js (1 place)
                     recipe fs-async, 1 file, risk 42
        --- stderr
        indexing
        planning
    "#]]
    .assert_eq(&case.cli.shown(&ran));
    case.assert_untouched();
    case.assert_nothing_left();

    let ran = case.cli.run(["plan", &root, "--directive", DIRECTIVE, "--json"]);
    let planned: Value = serde_json::from_str(&ran.expect_code(0).stdout).unwrap();
    let tasks = planned["plan"]["tasks"].as_array().unwrap();
    assert!((3..=6).contains(&tasks.len()), "{planned}");
    case.assert_nothing_left();

    let stands: Vec<String> = case.runs().iter().map(|run| run["stands"].to_string()).collect();
    assert_eq!(stands, ["\"planned\"", "\"planned\""]);
    let id = planned["run"].as_str().unwrap();
    let shown = case.cli.run(["runs", "show", id]);
    expect![[r#"
        exit 0
        --- stdout
        run [RUN]  [TMP]/project

        Planned. To see the plan:
          refactor-bot runs show [RUN] --plan
        To carry it out, call `run` with the same arguments.
    "#]]
    .assert_eq(&case.cli.shown(&shown));
    let kept = case.cli.run(["runs", "show", id, "--plan", "--json"]);
    let kept: Value = serde_json::from_str(&kept.expect_code(0).stdout).unwrap();
    assert_eq!(kept, planned["plan"]);
    // There is nothing to accept of a plan.
    case.cli.run(["accept", id]).expect_code(2);
}

/// Without a directive the whole repository is looked through.
#[test]
fn rf1_rf3_a_plan_of_the_whole_repository() {
    let case = SyncFiles::five();
    case.repo.write(
        "src/unused.js",
        "const path = require('path');\nimport { x } from './a.js';\nexport const y = 1;\n",
    );
    case.repo.commit_all("second");
    let ran = case.cli.run(["plan", &case.root(), "--json"]);
    let planned: Value = serde_json::from_str(&ran.expect_code(0).stdout).unwrap();
    assert!(!planned["plan"]["tasks"].as_array().unwrap().is_empty(), "{planned}");
    case.assert_nothing_left();
}

#[test]
fn rf2_the_graph_of_a_workflow_is_shown_in_three_forms() {
    let case = SyncFiles::five();
    let graph = |args: &[&str]| {
        let ran = case.cli.run(["runs", "graph"].iter().chain(args));
        ran.expect_code(0).stdout.clone()
    };
    let text = graph(&[]);
    for node in ["backup", "plan", "refine", "propose", "recover", "take_back", "write_pr", "land"]
    {
        assert!(text.contains(node), "{node}: {text}");
    }
    assert!(graph(&["--format", "mermaid"]).contains("\nflowchart "), "mermaid");
    let svg = graph(&["--format", "svg"]);
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for workflow in ["refactor", "plan", "verify", "rollback"] {
        assert!(graph(&[workflow]).contains("finish"), "{workflow}");
    }
    let unknown = case.cli.run(["runs", "graph", "dance"]);
    assert!(
        unknown.expect_code(2).stderr.contains("there are refactor, plan, verify, rollback, ask")
    );
}

#[test]
fn ux1_a_planned_run_is_listed_and_shown() {
    let case = SyncFiles::five();
    let id = case.run(&[]).expect_code(0).run_id();
    let shown = case.cli.run(["runs", "list"]);
    expect![[r#"
        exit 0
        --- stdout
        [RUN]  waiting for you     5/5 tasks                      [TMP]/project  Convert sync file ops to async
    "#]]
    .assert_eq(&case.cli.shown(&shown));
    let diff = case.cli.run(["runs", "show", &id, "--diff"]);
    assert_eq!(diff.expect_code(0).stdout.matches("+  return fs.promises.readFile").count(), 5);
    let plan = case.cli.run(["runs", "show", &id, "--plan"]);
    assert!(plan.expect_code(0).stdout.contains("fs-async"), "{}", plan.stdout);
    let none = case.cli.run(["runs", "show", &id, "--pack", "batch-001"]);
    assert!(none.expect_code(2).stderr.contains("no model was called for batch-001"));
}

/// Who names a file that is not there did not mean all the others.
#[test]
fn rf3_a_directive_about_a_file_that_is_not_there_is_refused() {
    let case = SyncFiles::five();
    let root = case.root();
    let directive = "Convert src/aa.js to async file operations";
    for verb in ["plan", "run"] {
        let ran = case.cli.run([verb, &root, "--directive", directive]);
        let words = "src/aa.js does not exist; did you mean `src/a.js`?";
        assert!(ran.expect_code(2).stdout.contains(words), "{}", ran.stdout);
    }
    case.assert_untouched();
}
