//! `rules fix --recipe`: plans, diffs, and chains that land as tasks of a run.

use std::fs;

use expect_test::{Expect, expect};
use rb_testkit::{Cli, Ran, Repo};
use serde_json::Value;

use crate::cli;

/// Two readers: one that can wait, and one in a constructor, which cannot.
const NOTES: &str = r#"
//- package.json
{ "name": "notes", "private": true, "scripts": { "test": "node --test" } }
//- src/read.js
const fs = require('fs');

function read(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

module.exports = { read };
//- src/titles.js
const { read } = require('./read');

async function titles(files) {
  const all = [];
  for (const file of files) {
    all.push(read(file).title);
  }
  return all;
}

module.exports = { titles };
//- src/config.js
const fs = require('fs');

class Config {
  constructor(file) {
    this.text = fs.readFileSync(file, 'utf8');
  }
}

module.exports = { Config };
//- test/titles.test.js
const test = require('node:test');
const assert = require('node:assert');
const { titles } = require('../src/titles');
const { read } = require('../src/read');

test('titles', async () => {
  assert.deepStrictEqual(await titles(['test/a.json']), ['A']);
});

test('read', () => {
  assert.strictEqual(read('test/a.json').title, 'A');
});
//- test/a.json
{ "title": "A" }
"#;

struct Case {
    repo: Repo,
    cli: Cli,
}

impl Case {
    fn new(fixture: &str) -> Self {
        let repo = Repo::git_repo(fixture);
        let beside = fs::canonicalize(repo.beside("")).unwrap();
        let cli = cli().hide(beside.display().to_string(), "[TMP]");
        Case { repo, cli }
    }

    fn fix(&self, args: &[&str]) -> Ran {
        let repo = self.repo.root().display().to_string();
        self.cli.run(["rules", "fix", &repo].into_iter().chain(args.iter().copied()))
    }

    #[expect(clippy::needless_pass_by_value, reason = "snapshots are written in place")]
    fn check(&self, args: &[&str], expected: Expect) {
        expected.assert_eq(&self.cli.shown(&self.fix(args)));
    }

    fn is_untouched(&self) -> bool {
        self.repo.git(&["status", "--porcelain"]).is_empty()
    }
}

#[test]
fn ru3_a_plan_says_what_is_done_and_what_is_left() {
    let case = Case::new(NOTES);
    case.check(
        &["--recipe", "fs-async", "--plan"],
        expect![[r#"
            exit 0
            --- stdout
            fs-async: 1 of 2 sites in 1 chain, 3 files

            `read` and 1 more function become async: 1 call awaited
              src/read.js:4 `fs.readFileSync` → `promises.readFile`
              exported within the project: returns its result → returns a promise: src/read.js#read

            not changed: 1 site
              the constructor of `Config` cannot be async (src/config.js:4)
              → read the file in an async static `create`, and pass the content to the constructor
                  src/config.js:5:17 `fs.readFileSync(file, 'utf8')`
                    through src/config.js:4 constructor
            --- stderr
            planning
        "#]],
    );
    assert!(case.is_untouched());
}

#[test]
fn ru3_a_dry_run_is_a_patch() {
    let case = Case::new(NOTES);
    let ran = case.fix(&["--recipe", "fs-async", "--dry-run"]);
    ran.expect_code(0);
    let patch = case.repo.beside("async.patch");
    fs::write(&patch, &ran.stdout).unwrap();
    case.repo.git(&["apply", patch.to_str().unwrap()]);
    let read = case.repo.read("src/read.js");
    assert!(read.contains("async function read(file)"), "{read}");
    assert!(read.contains("await fs.promises.readFile(file, 'utf8')"), "{read}");
    let titles = case.repo.read("src/titles.js");
    assert!(titles.contains("(await read(file)).title"), "{titles}");
    let test = case.repo.read("test/titles.test.js");
    assert!(test.contains("(await read('test/a.json')).title"), "{test}");
    assert!(case.repo.read("src/config.js").contains("readFileSync"), "the constructor is left");
}

#[test]
fn ru3_a_plan_for_programs() {
    let case = Case::new(NOTES);
    let ran = case.fix(&["--recipe", "fs-async", "--dry-run", "--json"]);
    ran.expect_code(0);
    let plan: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(plan["recipe"], "fs-async");
    assert_eq!((plan["edited"].as_u64(), plan["sites"].as_u64()), (Some(1), Some(2)));
    let chain = &plan["chains"][0];
    assert!(chain["patch"].as_str().unwrap().contains("+async function read(file)"));
    assert_eq!(chain["files"].as_array().unwrap().len(), 3);
    let left = &plan["left"][0];
    assert_eq!((left["path"].as_str(), left["line"].as_u64()), (Some("src/config.js"), Some(5)));
    for part in ["reason", "suggestion", "code"] {
        assert!(!left[part].as_str().unwrap().is_empty(), "{left}");
    }
}

#[test]
fn ru3_a_chain_lands_after_its_tests_pass() {
    let case = Case::new(NOTES);
    let ran = case.fix(&["--recipe", "fs-async", "--yes"]);
    ran.expect_code(0);
    assert!(case.repo.read("src/read.js").contains("async function read(file)"));
    assert!(case.repo.read("test/titles.test.js").contains("async () => {"));
    assert!(case.is_untouched(), "the chain is a commit");
    let again = case.fix(&["--recipe", "fs-async", "--yes"]);
    again.expect_code(0);
    assert!(again.stdout.contains("fs-async: nothing changed\n"), "{}", again.stdout);
}

#[test]
fn ru3_a_public_name_is_held_back() {
    let public =
        NOTES.replace("\"private\": true,", "\"version\": \"1.0.0\", \"main\": \"src/read.js\",");
    let case = Case::new(&public);
    let shown = case.fix(&["--recipe", "fs-async", "--plan"]).stdout;
    assert!(shown.contains("fs-async: nothing changed\n"), "{shown}");
    assert!(shown.contains("not changed: 2 sites\n") && shown.contains("public API"), "{shown}");
    let allowed =
        case.fix(&["--recipe", "fs-async", "--plan", "--set", "allow_public_api_changes=true"]);
    assert!(allowed.stdout.contains("1 of 2 sites"), "{}", allowed.stdout);
}

#[test]
fn ru3_rename_over_the_project() {
    let case = Case::new(NOTES);
    let ran =
        case.fix(&["--recipe", "rename", "--symbol", "src/read.js#read", "--to", "load", "--yes"]);
    ran.expect_code(0);
    assert!(case.repo.read("src/read.js").contains("module.exports = { load };"));
    assert!(case.repo.read("src/titles.js").contains("load(file).title"));
    assert!(case.repo.read("test/titles.test.js").contains("load('test/a.json')"));
}

#[test]
fn ru3_what_cannot_be_meant_is_said() {
    let case = Case::new(NOTES);
    case.check(&["--recipe", "fs-asink"], expect![[r#"
        exit 2
        --- stderr
        error: there is no recipe `fs-asink`
        hint: there are fs-async, sql-parameters, indexed-lookup, unused-imports, dead-code, own-barrels, rename, move, merge, rename-module, add-parameter, remove-parameter, rename-parameter, reorder-parameters, parameter-object, encapsulate, inline-reexport, replace-duplicate, operations
    "#]]);
    case.check(
        &["--recipe", "rename", "--symbol", "src/read.js#read"],
        expect![[r#"
        exit 2
        --- stderr
        error: the recipe `rename` needs --to
        hint: `refactor-bot rules explain rename` shows its use
    "#]],
    );
    case.check(
        &["--recipe", "fs-async", "--symbol", "a"],
        expect![[r#"
        exit 2
        --- stderr
        error: the recipe `fs-async` takes no --symbol
        hint: `refactor-bot rules explain fs-async` shows its use
    "#]],
    );
    case.check(
        &["--recipe", "rename", "--symbol", "src/read.js#reed", "--to", "x"],
        expect![[r#"
        exit 2
        --- stderr
        planning
        error: there is no symbol `reed` in src/read.js; did you mean `src/read.js#read`?
    "#]],
    );
}

#[test]
fn ru3_a_recipe_explains_itself() {
    let cli = cli();
    for id in rb_recipes::ALL.iter().map(|it| it.id) {
        let ran = cli.run(["rules", "explain", id]);
        ran.expect_code(0);
        assert!(ran.stdout.contains("Not changed, but reported:"), "{}", ran.stdout);
    }
}
