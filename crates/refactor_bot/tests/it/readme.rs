//! The front door: what the README and the pages behind it tell a newcomer to type works, and prints what they show.
//!
//! Commands and excerpts are read out of the pages, so that the two cannot drift apart.

use std::path::{Path, PathBuf};
use std::process::Command;

use rb_testkit::{Cli, Ran, Repo, State};

use crate::cli;

/// A command of a page, and what follows it there.
#[derive(Debug, Default)]
struct Shown {
    line: String,
    output: String,
}

#[test]
fn ux5_the_first_command_of_the_readme_does_its_job() {
    let (repo, cli) = fresh_clone();
    let before = repo.state();
    let ran = run(&cli, &session()[0].line);
    ran.expect_code(0);
    let out = repo.root().join("out");
    for artifact in ["diffs", "pr-summary.md", "validation-report.json", "agent-log.json"] {
        assert!(out.join(artifact).exists(), "{artifact}");
    }
    for patch in std::fs::read_dir(out.join("diffs")).unwrap() {
        repo.git(&["apply", "--check", patch.unwrap().path().to_str().unwrap()]);
    }
    std::fs::remove_dir_all(&out).unwrap();
    repo.state().assert_same(&before, "before it was accepted");
    cli.run(["accept", &ran.run_id()]).expect_code(0);
    assert!(!out.exists(), "a report that was thrown away stays away");
    assert_eq!(repo.git(&["status", "--short"]), "");
    assert_node_tests_pass(&repo, "filetool");
}

#[test]
fn ux5_the_example_patches_are_placed_and_applied() {
    let (repo, cli) = fresh_clone();
    let patches = ["store", "clip", "tags"];
    let files = patches.map(|name| format!("examples/patches/{name}.patch"));
    let args: Vec<&str> = files.iter().flat_map(|file| ["--patch", file]).collect();
    let ran = cli.run([&["run", "examples/notes", "--yes"], args.as_slice()].concat());
    ran.expect_code(0);
    let dir = cli.home().join("runs").join(ran.run_id());
    assert_eq!(rungs(&dir), ["exact", "exact", "context"]);
    assert_eq!(repo.git(&["status", "--short"]), "");
    let by_git = applied_by_git(&patches);
    repo.state().files().assert_same(&by_git, "in another way than git apply would");
    assert_node_tests_pass(&repo, "notes");
}

#[test]
fn ux5_each_example_patch_stands_alone() {
    for name in ["store", "clip", "tags"] {
        let (repo, cli) = fresh_clone();
        let patch = format!("examples/patches/{name}.patch");
        cli.run(["run", "examples/notes", "--yes", "--patch", &patch]).expect_code(0);
        repo.state().files().assert_same(&applied_by_git(&[name]), name);
        assert_node_tests_pass(&repo, "notes");
    }
}

#[test]
fn ux5_the_readme_shows_what_is_printed() {
    let (repo, cli) = fresh_clone();
    // What a name in the pages stands for here; runs are added as they come up.
    let mut names = vec![
        ("/home/you/.refactor-bot".to_owned(), cli.home().display().to_string()),
        ("/home/you/refactor-bot".to_owned(), repo.root().display().to_string()),
    ];
    for shown in session() {
        let ran = run(&cli, &replaced(&shown.line, &names));
        for id in run_ids(&shown.output) {
            if !names.iter().any(|(known, _)| *known == id) {
                names.push((id, ran.run_id()));
            }
        }
        names.extend(backup_name(&cli).map(|name| ("refactor-bot-96aca833".to_owned(), name)));
        let printed = format!("{}{}", ran.stdout, ran.stderr);
        let expected = replaced(&shown.output, &names);
        let fits = match expected.split_once("…\n") {
            Some((head, tail)) => printed.starts_with(head) && printed.ends_with(tail),
            None => printed == expected,
        };
        assert!(fits, "$ {}\n{printed}\nbut the page says:\n{expected}", shown.line);
    }
}

#[test]
fn ux5_the_readme_lists_the_exit_codes() {
    let readme = text("README.md");
    let (_, rest) = readme.split_once("## Exit codes\n\n```text\n").unwrap();
    let (codes, _) = rest.split_once("```").unwrap();
    let help = cli().run(["--help"]).stdout;
    assert_eq!(help.split_once("Exit codes:\n").unwrap().1, codes);
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(page: &str) -> String {
    std::fs::read_to_string(root().join(page)).unwrap()
}

/// A repository that holds the examples where this one has them.
fn clone_of_examples() -> Repo {
    let repo = Repo::unborn("");
    let mut copy = Command::new("cp");
    let copied = copy.arg("-R").arg(root().join("examples")).arg(repo.root()).status();
    assert!(copied.unwrap().success());
    std::fs::copy(root().join(".gitignore"), repo.root().join(".gitignore")).unwrap();
    repo.commit_all("first");
    repo
}

fn fresh_clone() -> (Repo, Cli) {
    let repo = clone_of_examples();
    let cli = cli().cwd(repo.root());
    (repo, cli)
}

/// In the order of the session: the last example of the last page leaves a changed file behind.
const PAGES: [&str; 3] = ["README.md", "docs/exploring.md", "docs/runs.md"];

/// The commands of the pages that begin with `cargo run` in a `sh` block or with `$` in a `console`
/// block, in their order.
fn session() -> Vec<Shown> {
    let pages: String = PAGES.iter().map(|page| text(page).replace("\\\n", " ")).collect();
    let mut session: Vec<Shown> = Vec::new();
    let mut fence = "";
    for line in pages.lines() {
        let command = match fence {
            "```sh" => line.strip_prefix("cargo run -- "),
            "```console" => line.strip_prefix("$ "),
            _ => None,
        };
        if line.starts_with("```") {
            fence = if fence.is_empty() { line } else { "" };
        } else if let Some(command) = command {
            let program = if fence == "```sh" { "refactor-bot " } else { "" };
            session.push(Shown { line: format!("{program}{command}"), ..Shown::default() });
        } else if fence == "```console" {
            let output = &mut session.last_mut().unwrap().output;
            output.push_str(line);
            output.push('\n');
        }
    }
    assert!(session.len() > 6, "the pages have lost their examples: {session:?}");
    session
}

/// Runs a line of shell in which `refactor-bot` is the binary under test, without its progress.
fn run(cli: &Cli, line: &str) -> Ran {
    let line = match line.strip_prefix("refactor-bot ") {
        Some(args) => format!("\"$0\" --quiet {args}"),
        None => line.to_owned(),
    };
    cli.run_under(&["sh", "-c", &line], [""; 0])
}

fn replaced(text: &str, names: &[(String, String)]) -> String {
    names.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
}

fn run_ids(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .filter(|word| word.len() == 16 && word.starts_with("20") && word.ends_with('Z'))
        .map(ToOwned::to_owned)
        .collect()
}

fn backup_name(cli: &Cli) -> Option<String> {
    let mut folders = std::fs::read_dir(cli.home().join("backups")).ok()?;
    Some(folders.next()?.unwrap().file_name().to_string_lossy().into_owned())
}

fn rungs(run_dir: &Path) -> Vec<String> {
    let ledger = std::fs::read_to_string(run_dir.join("report/TASK_LEDGER.jsonl")).unwrap();
    let rung = |line: &str| {
        let entry: serde_json::Value = serde_json::from_str(line).unwrap();
        entry["rung"].as_str().unwrap().to_owned()
    };
    ledger.lines().map(rung).collect()
}

fn applied_by_git(names: &[&str]) -> State {
    let repo = clone_of_examples();
    for name in names {
        repo.git(&["apply", &format!("examples/patches/{name}.patch")]);
    }
    repo.state().files()
}

/// Nothing is checked where there is no Node.
fn assert_node_tests_pass(repo: &Repo, example: &str) {
    let node = || {
        let mut command = Command::new("node");
        command.current_dir(repo.root().join("examples").join(example));
        command
    };
    if node().arg("--version").output().is_err() {
        return;
    }
    let out = node().arg("--test").output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
}

/// The table of promises names tests that exist.
#[test]
fn ux5_every_promise_names_its_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/acceptance.md")).unwrap();
    let sources = sources_below(&root.join("crates"));
    let rows = page.lines().filter(|line| line.starts_with("| ")).skip(1);
    let mut count = 0;
    for row in rows.filter(|row| !row.starts_with("|---")) {
        let quoted = row.split('`').skip(1).step_by(2);
        let names: Vec<&str> = quoted.filter(|name| is_test(name)).collect();
        assert!(!names.is_empty(), "{row}");
        for name in names {
            assert!(sources.contains(&format!("fn {name}(")), "there is no test {name}");
            count += 1;
        }
    }
    assert!(count >= 20, "{count}");
}

fn is_test(name: &str) -> bool {
    name.contains('_')
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// All Rust files of the crates, as one text.
fn sources_below(folder: &Path) -> String {
    let (mut text, mut folders) = (String::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                text.push_str(&std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    text
}
