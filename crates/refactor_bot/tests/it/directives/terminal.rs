//! A person at a terminal: asked before the first task, for each change if wanted, and at the end.

use rb_testkit::{Cli, Ran};

use crate::sync_files::{DIRECTIVE, SyncFiles};
use crate::terminal::Terminal;

/// Runs the directive in a terminal. `early` is typed before it asks anything, then each of these lines at a question.
fn at_a_terminal(
    case: SyncFiles,
    early: &str,
    answers: &[&str],
    more: &[&str],
) -> (SyncFiles, Ran) {
    let SyncFiles { repo, cli, before } = case;
    let cli = cli.env("TERM", "dumb");
    let root = repo.root().display().to_string();
    let args = ["run", &root, "--directive", DIRECTIVE, "--no-verify", "--max-batches", "2"];
    let ran = Terminal { early, answers, ..Terminal::default() }.run(&cli, &[&args, more].concat());
    (SyncFiles { repo, cli, before }, ran)
}

fn is_changed(case: &SyncFiles) -> bool {
    case.repo.git(&["log", "--format=%s"]).contains("checkpoint:")
}

#[test]
#[cfg(target_os = "linux")]
fn rf8_ux1_a_plan_is_confirmed_and_its_result_accepted() {
    let (case, ran) = at_a_terminal(SyncFiles::five(), "", &["y", "y"], &[]);
    ran.expect_code(0);
    for words in
        ["plan      2 tasks", "backup ", "estimate", "Continue? [y]es", "Accept now? [y]es"]
    {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
    assert!(is_changed(&case), "{}", ran.stdout);
    case.assert_nothing_left();
}

#[test]
#[cfg(target_os = "linux")]
fn rf8_a_plan_that_is_declined_leaves_nothing() {
    let (case, ran) = at_a_terminal(SyncFiles::five(), "", &["n"], &[]);
    assert!(ran.expect_code(5).stdout.contains("You declined the plan"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Accept now?"), "{}", ran.stdout);
    case.assert_untouched();
    case.assert_nothing_left();
}

#[test]
#[cfg(target_os = "linux")]
fn rf8_a_plan_can_wait_and_a_result_too() {
    let (case, ran) = at_a_terminal(SyncFiles::five(), "", &["l"], &[]);
    let id = ran.expect_code(4).run_id();
    assert_eq!(case.runs()[0]["stands"], "waiting for you");
    let early = case.cli.run(["accept", &id]);
    assert!(
        early.expect_code(2).stderr.contains("is waiting for a decision on its plan"),
        "{}",
        early.stderr
    );
    case.cli.run(["resume", &id]).expect_code(0);
    case.cli.run(["reject", &id]).expect_code(0);
    case.assert_untouched();
    case.assert_nothing_left();

    let (case, ran) = at_a_terminal(SyncFiles::five(), "", &["y", "l"], &[]);
    let id = ran.expect_code(0).run_id();
    case.assert_untouched();
    case.cli.run(["accept", &id]).expect_code(0);
    assert!(is_changed(&case));
}

#[test]
#[cfg(target_os = "linux")]
fn rf8_a_result_that_is_refused_is_dropped() {
    let (case, ran) = at_a_terminal(SyncFiles::five(), "", &["y", "n"], &[]);
    ran.expect_code(5);
    case.assert_untouched();
    case.assert_nothing_left();
}

#[test]
#[cfg(target_os = "linux")]
fn rf10_at_a_terminal_each_change_is_asked_for() {
    let (case, ran) =
        at_a_terminal(SyncFiles::five(), "", &["y", "n", "y", "y"], &["--approve-each"]);
    ran.expect_code(0);
    assert_eq!(ran.stdout.matches("Keep it? [y]es, [n]o, [l]ater").count(), 2, "{}", ran.stdout);
    assert!(ran.stdout.contains("confidence"), "{}", ran.stdout);
    let log = case.repo.git(&["log", "--format=%s"]);
    assert!(log.contains("batch-002") && !log.contains("batch-001"), "{log}");
}

#[test]
#[cfg(target_os = "linux")]
fn rf8_what_was_typed_before_a_question_is_no_answer_to_it() {
    let (case, ran) = at_a_terminal(SyncFiles::five(), "y\ny\n", &["y", "l"], &[]);
    ran.expect_code(0);
    case.assert_untouched();
    assert_eq!(case.runs()[0]["stands"], "waiting for you");
}

#[test]
#[cfg(target_os = "linux")]
fn rf8_who_accepts_is_told_of_tests_and_risk_and_can_see_the_diffs() {
    let (case, ran) = at_a_terminal(SyncFiles::five(), "", &["y", "d", "n"], &[]);
    ran.expect_code(5);
    assert!(ran.stdout.contains("risk     "), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("Accept now? [y]es").count(), 2, "{}", ran.stdout);
    assert!(ran.stdout.contains("+++ b/lib/d.js"), "{}", ran.stdout);
    case.assert_untouched();
}

#[test]
#[cfg(target_os = "linux")]
fn rf8_what_is_no_answer_is_asked_for_again() {
    let (case, ran) = at_a_terminal(SyncFiles::five(), "", &["foo", "", "d", "y", "zzz", "n"], &[]);
    ran.expect_code(5);
    assert_eq!(ran.stdout.matches("Continue? [y]es").count(), 4, "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("Accept now? [y]es").count(), 2, "{}", ran.stdout);
    case.assert_untouched();
}

/// In a narrow terminal lines break between words: whatever does not fit is one word, or a command to copy.
#[test]
#[cfg(target_os = "linux")]
fn ux1_nothing_breaks_inside_a_word_at_60_columns() {
    let case = SyncFiles::five();
    let cli = case.cli.env("TERM", "dumb");
    let root = case.repo.root().display().to_string();
    let terminal = Terminal { answers: &["y", "l"], columns: 60, ..Terminal::default() };
    let run = ["run", &root, "--directive", DIRECTIVE, "--no-verify", "--max-batches", "2"];
    let screens = [
        terminal.run(&cli, &run),
        terminal.run(&cli, &["runs", "list"]),
        terminal.run(&cli, &["runs", "show", "latest", "--plan"]),
        terminal.run(&cli, &["verify", &root, "--sandbox", "off"]),
        terminal.run(&cli, &["run", "/nowhere/at/all/in/a/folder/that/does/not/exist"]),
        terminal.run(&cli, &["run", "--help"]),
        terminal.run(&cli, &["accept", "no-such-run-of-this-name"]),
    ];
    for ran in screens {
        for line in ran.stdout.lines().map(str::trim_end) {
            let words = line.trim_start();
            // A path has no place to break at.
            let is_path = words.split(' ').any(|word| word.len() > 44 && word.starts_with('/'));
            let is_whole = is_path || words.starts_with("refactor-bot ");
            assert!(line.chars().count() <= 60 || is_whole, "{line}\n--\n{}", ran.stdout);
        }
    }
}

/// Diffs are coloured and go through the pager of the person, but never into a pipe.
#[test]
#[cfg(target_os = "linux")]
fn ux1_diffs_are_coloured_and_paged() {
    let case = SyncFiles::five();
    let id = case.run(&["--max-batches", "1"]).expect_code(0).run_id();
    let cli = case.cli.env("TERM", "xterm").env("PAGER", "sed 's/^/paged /'");
    let show = ["runs", "show", id.as_str(), "--diff"];
    let shown = |cli: &Cli, more: &[&str]| {
        Terminal::default().run(cli, &[&show, more].concat()).expect_code(0).stdout.clone()
    };
    let paged = shown(&cli, &[]);
    assert!(paged.contains("paged \x1b[1m+++ b/") && paged.contains("paged \x1b[32m+"), "{paged}");
    let direct = shown(&cli, &["--no-pager"]);
    assert!(direct.contains("\x1b[32m+") && !direct.contains("paged"), "{direct}");
    let cli = cli.env("GIT_PAGER", "cat");
    assert!(!shown(&cli, &[]).contains("paged"), "GIT_PAGER comes first");
    let cli = cli.env("GIT_PAGER", "").env("NO_COLOR", "1");
    let plain = shown(&cli, &[]);
    assert!(plain.contains("+++ b/") && !plain.contains('\x1b'), "{plain}");
    let piped = cli.env("GIT_PAGER", "sed 's/^/paged /'").run(show).stdout;
    assert!(piped.starts_with("diff --git ") || piped.starts_with("--- a/"), "{piped}");
    assert!(!piped.contains('\x1b') && !piped.contains("paged"), "{piped}");
}

/// At a question nothing is under way that would have to be finished first, and the person is told how to continue.
#[test]
#[cfg(target_os = "linux")]
fn sa6_ux1_a_signal_at_a_question_ends_it_there() {
    let check = |answers: &[&str], more: &[&str], commands: &[&str]| {
        let (case, ran) = at_a_terminal(SyncFiles::five(), "", answers, more);
        let (_, after) = ran.expect_code(130).stdout.rsplit_once("^C").unwrap();
        assert!(!after.contains("stopping after this step"), "{}", ran.stdout);
        for command in commands {
            assert!(after.contains(command), "{command}: {}", ran.stdout);
        }
        case.assert_untouched();
        assert_eq!(case.runs()[0]["stands"], "waiting for you");
        case
    };
    check(&["\u{3}"], &[], &["refactor-bot resume ", "refactor-bot reject "]);
    check(&["y", "\u{3}"], &["--approve-each"], &["refactor-bot accept ", "--task batch-001"]);
    let case = check(&["y", "\u{3}"], &[], &["refactor-bot accept ", "refactor-bot reject "]);
    let id = case.runs()[0]["run"].as_str().unwrap().to_owned();
    case.cli.run(["accept", &id]).expect_code(0);
}
