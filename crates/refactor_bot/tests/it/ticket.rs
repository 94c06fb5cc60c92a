//! `ticket` from outside, without a model: what is understood, what is refused before anything begins, and branches whose criteria a real
//! browser tries.

mod agent;
mod claude_code;
mod pictures;
mod plan;
mod push;
mod refusals;
mod rounds;
mod services;
mod verify;

use std::fs;

use expect_test::expect;
use rb_testkit::{Cli, Ran, Repo, State};

use crate::cli;
use crate::examples::copy_of;

/// The sample shop, and a home of its own.
pub(crate) struct Shop {
    repo: Repo,
    cli: Cli,
}

impl Shop {
    fn new() -> Shop {
        let (repo, cli) = copy_of("storefront");
        let cli = cli.cwd(repo.root()).hide(repo.root().display().to_string(), "[REPO]");
        Shop { repo, cli }
    }

    fn ticket(&self, args: &[&str]) -> Ran {
        self.cli.run([&["ticket"][..], args].concat())
    }

    fn shown(&self, args: &[&str]) -> String {
        self.cli.shown(&self.ticket(args))
    }

    /// A branch with patches applied, one commit each.
    fn branch(&self, name: &str, patches: &[&str]) {
        self.repo.git(&["switch", "--quiet", "--create", name]);
        for patch in patches {
            let file = self.repo.beside("solution.patch");
            fs::write(&file, patch).unwrap();
            self.repo.git(&["apply", "-p1", file.to_str().unwrap()]);
            self.repo.commit_all("solution");
        }
        self.repo.git(&["switch", "--quiet", "-"]);
    }

    /// Every byte, the index and HEAD are what they were, and nothing is left below the home.
    #[track_caller]
    fn assert_untouched(&self, before: &State) {
        before.assert_same(&self.repo.state(), "by the command");
        let scratch = self.cli.home().join("scratch");
        let left = fs::read_dir(scratch).into_iter().flatten().flatten();
        let folders: Vec<_> = left.filter(|it| it.path().is_dir()).map(|it| it.path()).collect();
        assert_eq!(folders, Vec::<std::path::PathBuf>::new());
    }

    #[track_caller]
    fn assert_no_run(&self) {
        let runs = self.cli.run(["runs", "list"]);
        assert_eq!(runs.expect_code(0).stdout, "");
    }
}

/// Arguments, the exit code, and what the message has to say.
#[test]
fn tk1_tk5_mistakes_say_what_to_do_and_leave_nothing_behind() {
    let shop = Shop::new();
    let beside = |name: &str, text: &str| {
        let file = shop.repo.beside(name);
        fs::write(&file, text).unwrap();
        file.display().to_string()
    };
    let ticket = "tickets/SHOP-31-points.md";
    let empty = beside("empty.md", "\n");
    let vague = beside("vague.md", "# Shop\n\nIt is slow.\n");
    let before = shop.repo.state();
    let check = |args: &[&str], code: i32, parts: &[&str]| {
        let ran = shop.ticket(args);
        for part in parts {
            assert!(
                ran.expect_code(code).stderr.contains(part),
                "{args:?}: {part}: {}",
                ran.stderr
            );
        }
        shop.assert_untouched(&before);
        shop.assert_no_run();
    };
    check(&[], 2, &["TICKET"]);
    check(&["missing.md"], 2, &["the ticket cannot be read", "missing.md", "OWNER/REPO#N"]);
    check(&[&empty], 2, &["the ticket is empty", "acceptance criteria"]);
    check(&[&vague], 2, &["nothing in the ticket `Shop` can be checked", "Acceptance criteria"]);
    check(&["-"], 2, &["nothing on standard input"]);
    check(&["SHOP-31"], 2, &["no Jira site is configured", "ticket.jira_url"]);
    check(&["#3"], 2, &["no remote `origin`", "OWNER/REPO#N"]);
    check(
        &["https://example.com/browse"],
        2,
        &["is neither https://github.com/OWNER/REPO/issues/N"],
    );
    check(&[ticket, "nowhere"], 2, &["nowhere does not exist"]);
    check(
        &[ticket],
        2,
        &["needs a model or a coding agent", "--provider", "--agent", "--plan", "ticket verify"],
    );
    check(&[ticket, "--agent", "claude"], 2, &["`claude` is no agent", "{prompt_file}"]);
    check(&[ticket, "--agent-network"], 2, &["--agent <AGENT>"]);
    check(&[ticket, "--agent", "claude-code"], 3, &["`claude` was not found", "install it"]);
    let claude = [ticket, "--agent", "claude-code", "--set", "claude.binary=/bin/true"];
    check(&claude, 4, &["your own account", "--yes"]);
    check(&[ticket, "--max-rounds", "99", "--plan"], 2, &["the maximum is 10"]);
    check(&[ticket, "--no-browser", "--preview", "npm start"], 2, &["--no-browser"]);
    let agent = ["--agent", "true {prompt_file}"];
    check(&[&[ticket, "--push"][..], &agent].concat(), 2, &["no remote `origin`"]);
    check(&["verify", ticket], 2, &["<BRANCH>"]);
    check(
        &["verify", ticket, "nope"],
        2,
        &["there is no branch, tag or commit `nope`", "git branch --all"],
    );
    check(&["verify", "missing.md", "HEAD"], 2, &["the ticket cannot be read"]);
}

#[test]
fn tk4_a_push_is_refused_before_the_work_if_it_cannot_succeed() {
    let shop = Shop::new();
    let agent = ["tickets/SHOP-31-points.md", "--push", "--agent", "true {prompt_file}"];
    let check = |origin: &str, code: i32, parts: &[&str]| {
        shop.repo.git(&["config", "remote.origin.url", origin]);
        let ran = shop.ticket(&agent);
        for part in parts {
            assert!(ran.expect_code(code).stderr.contains(part), "{part}: {}", ran.stderr);
        }
        shop.assert_no_run();
    };
    check(
        "https://gitlab.com/acme/shop",
        2,
        &["`origin` is not on github.com", "GitHub Enterprise"],
    );
    check("git@github.com:acme/shop.git", 3, &["needs a GitHub token", "GITHUB_TOKEN or GH_TOKEN"]);
}

#[test]
fn tk2_the_graph_can_be_drawn() {
    let ran = cli().run(["runs", "graph", "ticket"]);
    for node in ["implement", "browse", "fix", "write_pr", "decide"] {
        assert!(ran.expect_code(0).stdout.contains(node), "{node}: {}", ran.stdout);
    }
}

#[test]
fn ux5_help_of_ticket() {
    let check = |args: &[&str], expected: expect_test::Expect| {
        let ran = cli().run(args);
        let (text, _) = ran.expect_code(0).stdout.split_once("\nGlobal options:").unwrap();
        expected.assert_eq(text);
    };
    check(
        &["ticket", "-h"],
        expect![[r#"
        Implement a ticket, check its acceptance criteria in a browser, and write the pull request

        Usage: refactor-bot ticket [OPTIONS] <TICKET> [PATH]
               refactor-bot ticket <COMMAND>

        Commands:
          verify  Try the acceptance criteria of a ticket against an existing branch; no model is called

        Arguments:
          <TICKET>  File, -, OWNER/REPO#N, #N, GitHub issue URL, Jira key or URL
          [PATH]    Repository, or folder in a repository [default: .]

        Options:
              --plan                    Show what was understood, the affected files and the checks; no
                                        model is called
              --preview <COMMAND>       Command that starts the app; {port} and $PORT are its port
              --preview-url <URL>       Address of an app that runs already
              --trust-preview-url       Take the server at --preview-url for one of this commit, without
                                        proof
              --no-browser              Do not look at the app; no criterion is checked
              --max-rounds <N>          Maximum number of rounds of fixes after the first look [default: 3]
              --include <GLOB>          Only change files that match, as `src/**/*.ts,lib/**`; repeatable
              --exclude <GLOB>          Never change files that match; repeatable
              --allow-dirty             Include uncommitted changes
              --diff-budget <LINES>     Maximum number of lines one task may add and remove together
              --no-verify               Do not run the repository's own checks; changes are still checked
                                        statically
              --allow-failing-baseline  Continue even if the repository fails its own checks before any
                                        change
              --sandbox <SANDBOX>       Sandbox for the repository's commands: auto, bubblewrap, landlock,
                                        docker:IMAGE or off
              --install                 Install missing dependencies; uses the network and may run package
                                        scripts
              --flake-runs <N>          Repeat all tests N times before the first change, to find flaky ones
              --timeout <SECONDS>       Maximum time for one command, in seconds
              --push                    Push the branch and open a draft pull request on GitHub, if tests
                                        and browser pass
          -y, --yes                     Answer yes to every question, and accept the result if everything
                                        passed
          -h, --help                    Print help (see more with '--help')

        Agent options:
              --agent <AGENT>  Coding agent that does what no recipe does: claude-code, codex or 'COMMAND
                               {prompt_file}'
    "#]],
    );
    check(
        &["ticket", "verify", "-h"],
        expect![[r#"
        Try the acceptance criteria of a ticket against an existing branch; no model is called

        Usage: refactor-bot ticket verify [OPTIONS] <TICKET> <BRANCH> [PATH]

        Arguments:
          <TICKET>  File, -, OWNER/REPO#N, #N, GitHub issue URL, Jira key or URL
          <BRANCH>  Branch, tag or commit to check
          [PATH]    Repository, or folder in a repository [default: .]

        Options:
              --preview <COMMAND>  Command that starts the app; {port} and $PORT are its port
              --preview-url <URL>  Address of an app that runs already
              --trust-preview-url  Take the server at --preview-url for one of this commit, without proof
              --output <DIR>       Write screenshots and results to this folder
              --sandbox <SANDBOX>  Sandbox for the app: auto, bubblewrap, landlock, docker:IMAGE or off
              --install            Install missing dependencies; uses the network and may run package
                                   scripts
          -h, --help               Print help (see more with '--help')
    "#]],
    );
}
