//! `kata` from outside, without a model: what is understood of a description, and what is refused before anything is written.

use std::fs;

use expect_test::expect;
use rb_testkit::{Cli, Ran};
use serde_json::Value;

use crate::cli;

const FIZZBUZZ: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/katas/fizzbuzz.md");

struct Case {
    cli: Cli,
}

impl Case {
    fn new() -> Case {
        Case { cli: cli().hide(FIZZBUZZ, "fizzbuzz.md") }
    }

    fn kata(&self, args: &[&str]) -> Ran {
        self.cli.run([&["kata"][..], args].concat())
    }

    fn shown(&self, args: &[&str]) -> String {
        self.cli.shown(&self.kata(args))
    }

    /// A file below the folder that the program is started in.
    fn write(&self, path: &str, text: &str) {
        let file = self.cli.user_dir().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    #[track_caller]
    fn assert_nothing_made(&self) {
        assert!(!self.cli.user_dir().join("agentic-tdd-output").exists());
        let runs = self.cli.run(["runs", "list"]);
        assert_eq!(runs.expect_code(0).stdout, "");
    }
}

#[test]
fn ka1_a_dry_run_says_what_was_understood_and_what_would_be_made() {
    let case = Case::new();
    expect![[r#"
        exit 0
        --- stdout
        FizzBuzz

        Requirements
          1. A number is said as it is.
          2. A multiple of three is said as `Fizz`.
          3. A multiple of five is said as `Buzz`.
          4. A multiple of both three and five is said as `FizzBuzz`.
          5. A second function takes a limit and returns what is said for all numbers from 1 to that limit,
             in order.

        Examples
          - Number: 1, Said: 1
          - Number: 2, Said: 2
          - Number: 3, Said: Fizz
          - Number: 5, Said: Buzz
          - Number: 6, Said: Fizz
          - Number: 10, Said: Buzz
          - Number: 15, Said: FizzBuzz
          - Number: 30, Said: FizzBuzz

        language    Rust (the default)
        folder      [USER]/agentic-tdd-output (a new repository)
        files       .gitignore, Cargo.toml, README.md, src/lib.rs
        tests       cargo test --workspace --no-fail-fast
        cycles      at most 15

        Nothing was written, and no model was called.
    "#]].assert_eq(&case.shown(&[FIZZBUZZ, "--dry-run"]));
    case.assert_nothing_made();
}

#[test]
fn ka1_a_dry_run_as_json_is_one_object() {
    let case = Case::new();
    let args = [FIZZBUZZ, "--dry-run", "--json", "--language", "python", "--max-cycles", "3"];
    let ran = case.kata(&args);
    let plan: Value = serde_json::from_str(&ran.expect_code(0).stdout).unwrap();
    assert_eq!(plan["language"], "python", "{plan}");
    assert_eq!(plan["max_cycles"], 3, "{plan}");
    assert_eq!(plan["place"]["place"], "new_repository", "{plan}");
    assert!(!plan["files"].as_array().unwrap().is_empty(), "{plan}");
    case.assert_nothing_made();
}

#[test]
fn ka1_language_work_dir_and_cycles_come_from_the_configuration_too() {
    let case = Case::new();
    let args = [
        FIZZBUZZ,
        "--dry-run",
        "--set",
        "kata.language=python",
        "--set",
        "kata.max_cycles=4",
        "--set",
        "kata.work_dir=elsewhere",
    ];
    let ran = case.kata(&args);
    for part in ["Python (kata.language)", "at most 4", "/elsewhere (a new repository)"] {
        assert!(ran.expect_code(0).stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let ran = case.kata(&[&args[..], &["--language", "rust", "--max-cycles", "5"]].concat());
    for part in ["Rust (", "at most 5"] {
        assert!(ran.expect_code(0).stdout.contains(part), "{part}: {}", ran.stdout);
    }
}

/// Arguments, the exit code, and what the message has to say.
#[test]
fn ka1_ka9_mistakes_say_what_to_do_and_leave_nothing_behind() {
    let case = Case::new();
    case.write("used/notes.txt", "mine\n");
    case.write("plain", "a file\n");
    case.write("empty.md", "");
    let check = |args: &[&str], code: i32, parts: &[&str]| {
        let ran = case.kata(args);
        for part in parts {
            assert!(ran.expect_code(code).stderr.contains(part), "{part}: {}", ran.stderr);
        }
        case.assert_nothing_made();
    };
    check(&["missing.md"], 2, &["missing.md does not exist", "Markdown file"]);
    check(&["empty.md"], 2, &["empty.md cannot be read as a kata", "write a title"]);
    let supported = "rust, python, typescript, javascript, go, java, ruby";
    check(&[FIZZBUZZ, "--language", "cobol"], 2, &["`cobol` is not a supported", supported]);
    check(&[FIZZBUZZ, "--work-dir", "used"], 2, &["used is not empty", "--work-dir", "git init"]);
    check(&[FIZZBUZZ, "--work-dir", "plain"], 2, &["plain is not a folder", "--work-dir"]);
    check(&[FIZZBUZZ, "--max-cycles", "0"], 2, &["--max-cycles"]);
    check(&[FIZZBUZZ], 2, &["a kata needs a model", "--provider", "--dry-run"]);
    assert_eq!(fs::read_to_string(case.cli.user_dir().join("used/notes.txt")).unwrap(), "mine\n");
}

#[test]
fn ka1_a_mistake_as_json_is_one_object() {
    let case = Case::new();
    let ran = case.kata(&[FIZZBUZZ, "--language", "cobol", "--json"]);
    let error: Value = serde_json::from_str(&ran.expect_code(2).stdout).unwrap();
    assert_eq!(error["error"]["kind"], "usage", "{error}");
}

#[test]
fn ka1_the_graph_can_be_drawn() {
    let case = Case::new();
    let ran = case.cli.run(["runs", "graph", "kata"]);
    for node in ["tester", "implementer", "refactorer", "supervisor"] {
        assert!(ran.expect_code(0).stdout.contains(node), "{node}: {}", ran.stdout);
    }
}

#[test]
fn ux5_help_of_kata() {
    let ran = cli().run(["kata", "-h"]);
    let (text, _) = ran.expect_code(0).stdout.split_once("\nGlobal options:").unwrap();
    expect![[r#"
        Develop a code kata test-first, with four agents and only green commits

        Usage: refactor-bot kata [OPTIONS] <FILE>

        Arguments:
          <FILE>  Markdown file that describes the kata

        Options:
              --language <NAME>    Programming language [default: what the kata says, or rust]
              --work-dir <DIR>     Folder for the project, empty or a git repository [default:
                                   ./agentic-tdd-output]
              --max-cycles <N>     Maximum number of cycles [default: 15]
              --timeout <SECONDS>  Maximum time for one run of the tests, in seconds [default: 120]
              --sandbox <SANDBOX>  Sandbox for the tests: auto, bubblewrap, landlock, docker:IMAGE or off
              --dry-run            Show how the kata is understood and what would be done; no model is
                                   called
          -y, --yes                Use a paid model without asking for confirmation
          -h, --help               Print help (see more with '--help')
    "#]]
    .assert_eq(text);
}
