//! `config` as it is used: show, trust, untrust, schema.

use expect_test::{Expect, expect};
use rb_testkit::{Cli, Repo};

use crate::cli;

/// A project whose configuration chooses a command, and a home with settings of its own.
fn world() -> (Cli, Repo) {
    let repo = Repo::git_repo(
        r#"
//- .refactor-bot.config.json
{
  "max_batches": 20,
  "fast_verifier": ["npm test"],
  "claude": { "binary": "./evil" }
}
//- src/a.js
a();
"#,
    );
    let cli = cli().cwd(repo.root()).hide(repo.root().display().to_string(), "[REPO]");
    std::fs::create_dir_all(cli.home()).unwrap();
    std::fs::write(cli.home().join("config.json"), r#"{"retry_per_batch": 4}"#).unwrap();
    (cli, repo)
}

fn check(cli: &Cli, args: &[&str], expected: &Expect) {
    expected.assert_eq(&cli.shown(&cli.run(args)));
}

#[test]
fn ux3_show_prints_every_value_and_its_origin() {
    let (cli, _repo) = world();
    let cli = cli.env("REFACTOR_BOT_FULL_VERIFIER", "npm test, npm run lint");
    check(
        &cli,
        &["config", "show", "--set", "diff_budget_loc=100"],
        &expect![[r#"
            exit 0
            --- stdout
            diff_budget_loc = 100                              # --set
            max_batches = 20                                   # [REPO]/.refactor-bot.config.json
            retry_per_batch = 4                                # [USER]/home/config.json
            run_full_verifier_every = 5                        # default
            fast_verifier = []                                 # default
            full_verifier = ["npm test","npm run lint"]        # REFACTOR_BOT_FULL_VERIFIER
            scope_excludes = ["**/dist/**","**/build/**","**/.venv/**","**/node_modules/**"]  # default
            allow_public_api_changes = false                   # default
            claude.binary = "claude"                           # default
            claude.allowed_tools = "Read,Edit,Bash,Grep,Glob"  # default
            claude.tools = "Read,Edit,Bash,Grep,Glob"          # default
            claude.max_turns_patcher = 10                      # default
            claude.max_turns_planner = 6                       # default
            models.provider = "builtin"                        # default
            models.model = ""                                  # default
            models.for = []                                    # default
            models.base_url = ""                               # default
            models.api_key_env = ""                            # default
            models.command = []                                # default
            models.answer_form = "auto"                        # default
            models.max_cents = 500                             # default
            verify.sandbox = "auto"                            # default
            verify.dependencies = "link"                       # default
            verify.carry = []                                  # default
            verify.env = []                                    # default
            verify.install = false                             # default
            verify.optional_checks = false                     # default
            verify.timeout_s = 1800                            # default
            verify.memory_mb = 8192                            # default
            verify.processes = 2048                            # default
            verify.flake_runs = 0                              # default
            verify.confirm_runs = 4                            # default
            verify.pass_rate_wanted = 95                       # default
            verify.pass_rate_abort = 85                        # default
            verify.broken_unstable = 10                        # default
            verify.allow_failing_baseline = false              # default
            verify.max_residue = 0                             # default
            verify.benchmark = ""                              # default
            verify.benchmark_runs = 10                         # default
            verify.benchmark_threshold = 10                    # default
            search.model = "local"                             # default
            search.openai_url = "https://api.openai.com/v1"    # default
            search.max_cents = 100                             # default
            search.chroma = ""                                 # default
            kata.max_cycles = 15                               # default
            kata.work_dir = "./agentic-tdd-output"             # default
            kata.language = ""                                 # default
            ticket.max_rounds = 3                              # default
            ticket.preview = ""                                # default
            ticket.github_url = "https://api.github.com"       # default
            ticket.jira_url = ""                               # default
            claude.binary = "./evil"                           # ignored until trusted: [REPO]/.refactor-bot.config.json
            fast_verifier = ["npm test"]                       # ignored until trusted: [REPO]/.refactor-bot.config.json
            --- stderr
            warning: claude.binary, fast_verifier of the project's configuration ignored until trusted; read the file, then run: refactor-bot config trust [REPO]
        "#]],
    );
}

#[test]
fn ux2_show_as_json() {
    let (cli, _repo) = world();
    check(
        &cli,
        &["config", "show", "--json", "--quiet"],
        &expect![[r#"
            exit 0
            --- stdout
            {"ignored_until_trusted":[{"key":"claude.binary","origin":{"from":"[REPO]/.refactor-bot.config.json","layer":"project"},"value":"./evil"},{"key":"fast_verifier","origin":{"from":"[REPO]/.refactor-bot.config.json","layer":"project"},"value":["npm test"]}],"settings":[{"key":"diff_budget_loc","origin":{"layer":"default"},"value":300},{"key":"max_batches","origin":{"from":"[REPO]/.refactor-bot.config.json","layer":"project"},"value":20},{"key":"retry_per_batch","origin":{"from":"[USER]/home/config.json","layer":"user"},"value":4},{"key":"run_full_verifier_every","origin":{"layer":"default"},"value":5},{"key":"fast_verifier","origin":{"layer":"default"},"value":[]},{"key":"full_verifier","origin":{"layer":"default"},"value":[]},{"key":"scope_excludes","origin":{"layer":"default"},"value":["**/dist/**","**/build/**","**/.venv/**","**/node_modules/**"]},{"key":"allow_public_api_changes","origin":{"layer":"default"},"value":false},{"key":"claude.binary","origin":{"layer":"default"},"value":"claude"},{"key":"claude.allowed_tools","origin":{"layer":"default"},"value":"Read,Edit,Bash,Grep,Glob"},{"key":"claude.tools","origin":{"layer":"default"},"value":"Read,Edit,Bash,Grep,Glob"},{"key":"claude.max_turns_patcher","origin":{"layer":"default"},"value":10},{"key":"claude.max_turns_planner","origin":{"layer":"default"},"value":6},{"key":"models.provider","origin":{"layer":"default"},"value":"builtin"},{"key":"models.model","origin":{"layer":"default"},"value":""},{"key":"models.for","origin":{"layer":"default"},"value":[]},{"key":"models.base_url","origin":{"layer":"default"},"value":""},{"key":"models.api_key_env","origin":{"layer":"default"},"value":""},{"key":"models.command","origin":{"layer":"default"},"value":[]},{"key":"models.answer_form","origin":{"layer":"default"},"value":"auto"},{"key":"models.max_cents","origin":{"layer":"default"},"value":500},{"key":"verify.sandbox","origin":{"layer":"default"},"value":"auto"},{"key":"verify.dependencies","origin":{"layer":"default"},"value":"link"},{"key":"verify.carry","origin":{"layer":"default"},"value":[]},{"key":"verify.env","origin":{"layer":"default"},"value":[]},{"key":"verify.install","origin":{"layer":"default"},"value":false},{"key":"verify.optional_checks","origin":{"layer":"default"},"value":false},{"key":"verify.timeout_s","origin":{"layer":"default"},"value":1800},{"key":"verify.memory_mb","origin":{"layer":"default"},"value":8192},{"key":"verify.processes","origin":{"layer":"default"},"value":2048},{"key":"verify.flake_runs","origin":{"layer":"default"},"value":0},{"key":"verify.confirm_runs","origin":{"layer":"default"},"value":4},{"key":"verify.pass_rate_wanted","origin":{"layer":"default"},"value":95},{"key":"verify.pass_rate_abort","origin":{"layer":"default"},"value":85},{"key":"verify.broken_unstable","origin":{"layer":"default"},"value":10},{"key":"verify.allow_failing_baseline","origin":{"layer":"default"},"value":false},{"key":"verify.max_residue","origin":{"layer":"default"},"value":0},{"key":"verify.benchmark","origin":{"layer":"default"},"value":""},{"key":"verify.benchmark_runs","origin":{"layer":"default"},"value":10},{"key":"verify.benchmark_threshold","origin":{"layer":"default"},"value":10},{"key":"search.model","origin":{"layer":"default"},"value":"local"},{"key":"search.openai_url","origin":{"layer":"default"},"value":"https://api.openai.com/v1"},{"key":"search.max_cents","origin":{"layer":"default"},"value":100},{"key":"search.chroma","origin":{"layer":"default"},"value":""},{"key":"kata.max_cycles","origin":{"layer":"default"},"value":15},{"key":"kata.work_dir","origin":{"layer":"default"},"value":"./agentic-tdd-output"},{"key":"kata.language","origin":{"layer":"default"},"value":""},{"key":"ticket.max_rounds","origin":{"layer":"default"},"value":3},{"key":"ticket.preview","origin":{"layer":"default"},"value":""},{"key":"ticket.github_url","origin":{"layer":"default"},"value":"https://api.github.com"},{"key":"ticket.jira_url","origin":{"layer":"default"},"value":""}]}
        "#]],
    );
}

#[test]
fn ux3_trust_then_change_then_untrust() {
    let (cli, repo) = world();
    let before = repo.state();
    check(
        &cli,
        &["config", "trust", "."],
        &expect![[r#"
        exit 0
        --- stdout
        trusted [REPO]/.refactor-bot.config.json as it is now
          claude.binary = "./evil"
          fast_verifier = ["npm test"]
    "#]],
    );
    let origin_of_binary = || {
        let shown = cli.run(["config", "show", "src"]).stdout;
        let line = shown.lines().find(|line| line.starts_with("claude.binary")).unwrap();
        line.split_once("# ").unwrap().1.to_owned()
    };
    let file = repo.root().join(".refactor-bot.config.json").display().to_string();
    assert_eq!(origin_of_binary(), file);
    repo.state().assert_same(&before, "by trusting");

    let text = repo.read(".refactor-bot.config.json");
    repo.write(".refactor-bot.config.json", text.replace("evil", "more-evil"));
    assert_eq!(origin_of_binary(), "default");
    repo.write(".refactor-bot.config.json", text);
    assert_eq!(origin_of_binary(), file);

    check(
        &cli,
        &["config", "untrust", "."],
        &expect![[r#"
        exit 0
        --- stdout
        [REPO]: no longer trusted
    "#]],
    );
    assert_eq!(origin_of_binary(), "default");
    check(
        &cli,
        &["config", "untrust", "."],
        &expect![[r#"
        exit 0
        --- stdout
        [REPO]: was not trusted
    "#]],
    );
}

#[test]
fn ux3_trust_without_a_file_is_a_usage_error() {
    let repo = Repo::plain("");
    let cli = cli().cwd(repo.root()).hide(repo.root().display().to_string(), "[REPO]");
    check(
        &cli,
        &["config", "trust", "."],
        &expect![[r#"
        exit 2
        --- stderr
        error: [REPO] holds no .refactor-bot.config.json
    "#]],
    );
}

#[test]
fn ux3_broken_files_are_refused() {
    let (cli, repo) = world();
    repo.write(".refactor-bot.config.json", r#"{"\u001b[2J\u202e": 2}"#);
    check(
        &cli,
        &["config", "show"],
        &expect![[r#"
            exit 6
            --- stderr
            error: unknown configuration key `\u{1b}[2J\u{202e}` in [REPO]/.refactor-bot.config.json
            hint: `refactor-bot config schema` lists the known keys
        "#]],
    );
    repo.write(".refactor-bot.config.json", "{\"max_batches\": 1");
    check(
        &cli,
        &["config", "show"],
        &expect![[r#"
        exit 6
        --- stderr
        error: [REPO]/.refactor-bot.config.json:1:17: EOF while parsing an object
    "#]],
    );
    check(
        &cli,
        &["config", "show", "--json"],
        &expect![[r#"
        exit 6
        --- stdout
        {"error":{"causes":[],"exit_code":6,"hints":[],"kind":"unsafe_input","message":"[REPO]/.refactor-bot.config.json:1:17: EOF while parsing an object"}}
    "#]],
    );
}

#[test]
fn ux3_the_schema_describes_every_key() {
    let ran = cli().run(["config", "schema"]);
    ran.expect_code(0);
    expect_test::expect_file!["../../../../docs/config.schema.json"].assert_eq(&ran.stdout);
}
