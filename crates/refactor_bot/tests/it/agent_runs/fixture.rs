//! A repository, a binary, and an agent that is a shell script.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use rb_testkit::{Cli, Ran, Repo};
use serde_json::Value;

use crate::cli;

/// A greeting with its test. Nothing has to be installed.
const GREETING: &str = r#"
//- package.json
{ "name": "greeting", "version": "1.0.0", "private": true, "scripts": { "test": "node --test" } }
//- package-lock.json
{ "name": "greeting", "version": "1.0.0", "lockfileVersion": 3, "requires": true, "packages": {} }
//- lib/alpha.js
// Greets in the voice of alpha.
function alpha(name) {
  const greeting = 'hello ' + name;
  return greeting;
}
module.exports = { alpha };
//- test/alpha.test.js
const test = require('node:test');
const assert = require('node:assert');
const { alpha } = require('../lib/alpha');
test('alpha greets', () => assert.strictEqual(alpha('you'), 'hello you'));
//- test/counts.test.js
const test = require('node:test');
const assert = require('node:assert');
for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
  test(`counts to ${n}`, () => assert.strictEqual([...Array(n)].length, n));
}
"#;

/// No recipe and no rule serves it, so that the task is the agent's.
const DIRECTIVE: &str = "Greet with template strings in alpha";

const TICKET: &str = "\
# GR-1: Greet with template strings

The function `alpha` in lib/alpha.js should build its greeting with a template string.

## Acceptance criteria

- The page / shows \"hello you\".
";

pub(super) const OLD: &str = "  const greeting = 'hello ' + name;";
pub(super) const NEW: &str = "  const greeting = `hello ${name}`;";

/// What a good agent does, as a line of a script.
pub(super) const MEND: &str = r#"sed -i "s/'hello ' + name/\`hello \${name}\`/" lib/alpha.js"#;

pub(super) struct Case {
    pub(super) repo: Repo,
    pub(super) cli: Cli,
    script: PathBuf,
}

impl Case {
    pub(super) fn new(script: &str) -> Self {
        let repo = Repo::git_repo(GREETING);
        let beside = fs::canonicalize(repo.beside("")).unwrap();
        let cli = cli().hide(beside.display().to_string(), "[TMP]");
        let case = Case { repo, cli, script: beside.join("agent.sh") };
        case.set_script(script);
        case
    }

    pub(super) fn set_script(&self, script: &str) {
        fs::write(&self.script, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&self.script, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The script as `--agent` names it.
    pub(super) fn agent(&self) -> String {
        format!("{} {{prompt_file}}", self.script.display())
    }

    pub(super) fn run(&self, more: &[&str]) -> Ran {
        self.run_agent(&self.agent(), more)
    }

    pub(super) fn run_agent(&self, agent: &str, more: &[&str]) -> Ran {
        let root = self.repo.root().display().to_string();
        let usual = ["run", &root, "--directive", DIRECTIVE, "--agent", agent];
        self.cli.run(usual.iter().chain(more))
    }

    /// A ticket for the same work, without a browser.
    pub(super) fn ticket(&self, agent: &str, more: &[&str]) -> Ran {
        let file = self.repo.beside("GR-1.md");
        fs::write(&file, TICKET).unwrap();
        let (file, root) = (file.display().to_string(), self.repo.root().display().to_string());
        let usual = ["ticket", &file, &root, "--agent", agent, "--no-browser", "--yes"];
        self.cli.run(usual.iter().chain(more))
    }

    pub(super) fn run_dir(&self, run: &str) -> PathBuf {
        self.cli.home().join("runs").join(run)
    }

    pub(super) fn events(&self, run: &str, name: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.run_dir(run).join("journal.jsonl")).unwrap();
        let events = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        events.filter(|event| event["event"] == name).collect()
    }

    /// The prompt of an attempt.
    pub(super) fn prompt(&self, run: &str, attempt: &str) -> String {
        let file = self.run_dir(run).join("agents").join(attempt).join("prompt.md");
        fs::read_to_string(file).unwrap()
    }
}

/// Whether node is there. Without it the tests of the fixture cannot run.
pub(super) fn has_node() -> bool {
    let found = Command::new("node").arg("--version").output();
    found.is_ok_and(|out| out.status.success())
}

/// Whoever still runs has the mark among its arguments.
#[track_caller]
pub(super) fn wait_until_nobody_has(mark: &str) {
    let until = Instant::now() + Duration::from_secs(20);
    let is_left = || {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let mut lines =
            processes.map(|entry| fs::read(entry.path().join("cmdline")).unwrap_or_default());
        lines.any(|line| String::from_utf8_lossy(&line).contains(mark))
    };
    while is_left() {
        assert!(Instant::now() < until, "a process with {mark} still runs");
        std::thread::yield_now();
    }
}
