//! `rules`: what is found, for people and for programs, and what is put right.

use std::fs;

use expect_test::{Expect, expect};
use rb_testkit::{Cli, Ran, Repo};
use serde_json::Value;

use crate::cli;

/// A React project with two findings that can be fixed and one that cannot; nothing is installed.
const SHOP: &str = r#"
//- package.json
{ "name": "shop", "dependencies": { "react": "19.2.0" }, "scripts": { "test": "node --test" } }
//- test/shop.test.js
const test = require('node:test');
test('holds', () => {});
//- src/cart.tsx
import { useState } from 'react';

export const Cart = ({ count }: { count: number }) => <b>{count && <i>{count}</i>}</b>;

export function Prefs({ text }: { text: string }) {
  const [prefs] = useState(JSON.parse(text));
  return <p>{prefs.name}</p>;
}
//- src/users.tsx
import { useEffect, useState } from 'react';

export const Users = () => {
  const [list, setList] = useState([]);
  useEffect(() => {
    fetch('/api/users').then((response) => response.json()).then(setList);
  }, []);
  return <ul>{list.length}</ul>;
};
"#;

const OWN_RULE: &str = "\
id: no-console-log
language: Tsx
severity: error
message: use the logger, not console.log
rule: { pattern: console.log($A) }
fix: logger.info($A)
tests:
  valid: ['logger.info(1)']
  invalid:
    - code: console.log(x)
      fixed: logger.info(x)
";

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

    fn rules(&self, verb: &str, args: &[&str]) -> Ran {
        let repo = self.repo.root().display().to_string();
        self.cli.run(["rules", verb, &repo].into_iter().chain(args.iter().copied()))
    }

    #[expect(clippy::needless_pass_by_value, reason = "snapshots are written in place")]
    fn check(&self, verb: &str, args: &[&str], expected: Expect) {
        expected.assert_eq(&self.cli.shown(&self.rules(verb, args)));
    }

    fn is_untouched(&self) -> bool {
        self.repo.git(&["status", "--porcelain"]).is_empty()
    }
}

#[test]
fn ru1_check_shows_findings_file_by_file() {
    let case = Case::new(SHOP);
    case.check("check", &[], expect![[r#"
        exit 1
        --- stdout
        src/cart.tsx
              3:59  note     React renders `0` if `count` is 0  rendering-conditional-render  [fix]
              6:28  warning  `JSON.parse(text)` runs on every render, but only the first result is used; pass a function  rerender-lazy-state-init  [fix]

        src/users.tsx
               6:5  warning  an effect fetches this and stores it with `setList`; use a data library that deduplicates, caches and orders requests  client-swr-dedup

             1  client-swr-dedup
             1  rendering-conditional-render
             1  rerender-lazy-state-init

        3 findings in 2 files checked, 2 can be fixed
        `refactor-bot rules fix` applies the proved edits; --dry-run shows them
        --- stderr
        looking for findings
    "#]]);
    assert!(case.is_untouched());
}

/// A page that may be a waterfall: the guard stands in the way of a proof.
const CHAT: &str = r#"
//- package.json
{ "name": "chat", "dependencies": { "next": "15.3.0", "react": "19.2.0" } }
//- lib/auth.ts
import NextAuth from 'next-auth';
export const { auth } = NextAuth({});
//- lib/chats.ts
export async function getChatById(id: string) {
  return (await fetch(`https://example.com/chats/${id}`)).json();
}
//- app/chat/[id]/page.tsx
import { notFound } from 'next/navigation';
import { auth } from '@/lib/auth';
import { getChatById } from '@/lib/chats';

export default async function Page({ params }: { params: { id: string } }) {
  const chat = await getChatById(params.id);
  if (!chat) {
    notFound();
  }
  const session = await auth();
  return <p>{session.user.name + chat.title}</p>;
}
"#;

#[test]
fn ru1_candidates_are_notes_that_fail_nothing() {
    let case = Case::new(CHAT);
    case.check("check", &["--fail-on", "note"], expect![[r#"
        exit 0
        --- stdout
        app/chat/[id]/page.tsx
              10:3  note     `session` does not depend on `chat` but waits for it; run them in parallel (not proved: `auth()` would also run if line 7 exits early)  async-parallel  [candidate]

             1  async-parallel

        0 findings in 3 files checked
        1 candidate needs your judgement
        --- stderr
        looking for findings
    "#]]);
    let json: Value = serde_json::from_str(&case.rules("check", &["--json"]).stdout).unwrap();
    assert_eq!(
        (&json["candidates"], &json["findings"][0]["certainty"]),
        (&1.into(), &"likely".into())
    );
    let sarif = case.rules("check", &["--format", "sarif"]).stdout;
    assert!(sarif.contains(r#""certainty":"likely""#), "{sarif}");
    let none = "0 findings in 3 files checked\n";
    assert_eq!(case.rules("check", &["--certainty", "proved"]).stdout, none);
    // Nobody judges candidates in CI, unless somebody asks for them.
    let repo = case.repo.root().display().to_string();
    let ci = cli().env("CI", "true");
    assert_eq!(ci.run(["rules", "check", &repo]).stdout, none);
    let asked = ci.run(["rules", "check", &repo, "--certainty", "likely"]).stdout;
    assert!(asked.ends_with("1 candidate needs your judgement\n"), "{asked}");
}

#[test]
fn ru2_a_directive_that_finds_candidates_alone_names_them() {
    let case = Case::new(CHAT);
    let repo = case.repo.root().display().to_string();
    let ran = case.cli.run(["plan", &repo, "--directive", "Eliminate request waterfalls"]);
    let shown = case.cli.shown(&ran);
    expect![[r#"
        exit 0
        --- stdout
        plan of [TMP]/project
        directive Eliminate request waterfalls
                  waterfalls: async-defer-await, async-parallel, async-dependencies, async-api-routes, and 6 more
        plan      0 tasks
        note      looked for sequential awaits that could run in parallel: 1 candidate that needs your judgement: app/chat/[id]/page.tsx:10
        note      1 place not changed: a candidate that needs your judgement

        Not changed:
          a candidate that needs your judgement
            app/chat/[id]/page.tsx:10  `session` does not depend on `chat` but waits for it; run them in parallel (not proved: `auth()` would also run if line 7 exits early)
            help: Independent reads are awaited one after the other; see `rules explain async-parallel`
        --- stderr
        indexing
        planning
    "#]].assert_eq(&shown);
}

#[test]
fn ru1_a_flood_is_cut_for_people_alone() {
    let line = "export const A = ({ n }: { n: number }) => <b>{n && <i />}</b>;\n";
    let many: String = (0..30).map(|at| line.replace('A', &format!("A{at}"))).collect();
    let case = Case::new(&format!("{SHOP}//- src/many.tsx\n{many}"));
    let shown = |args: &[&str]| {
        let only = ["--rule", "rendering-conditional-render"];
        case.rules("check", &[&only[..], args].concat()).stdout
    };
    let short = shown(&[]);
    assert_eq!(short.matches("[fix]").count(), 25);
    assert!(
        short.contains("25 of each rule are shown; --verbose shows 6 findings more"),
        "{short}"
    );
    assert_eq!(shown(&["--verbose"]).matches("[fix]").count(), 31);
    assert_eq!(shown(&["--format", "github"]).lines().count(), 31);
}

#[test]
fn ru1_check_for_programs() {
    let case = Case::new(SHOP);
    case.check("check", &["--format", "github", "--fail-on", "never"], expect![[r#"
        exit 0
        --- stdout
        ::notice file=src/cart.tsx,line=3,endLine=3,col=59,endColumn=82,title=rendering-conditional-render::React renders `0` if `count` is 0
        ::warning file=src/cart.tsx,line=6,endLine=6,col=28,endColumn=44,title=rerender-lazy-state-init::`JSON.parse(text)` runs on every render, but only the first result is used; pass a function
        ::warning file=src/users.tsx,line=6,endLine=6,col=5,endColumn=24,title=client-swr-dedup::an effect fetches this and stores it with `setList`; use a data library that deduplicates, caches and orders requests
        --- stderr
        looking for findings
    "#]]);
    let json: Value = serde_json::from_str(&case.rules("check", &["--json"]).stdout).unwrap();
    assert_eq!(json["by_rule"]["rendering-conditional-render"], 1);
    let findings = json["findings"].as_array().unwrap();
    let cart = findings.iter().find(|it| it["rule"] == "rendering-conditional-render").unwrap();
    assert_eq!((&cart["line"], &cart["path"]), (&Value::from(3), &Value::from("src/cart.tsx")));
    assert_eq!(cart["fix"]["applicability"], "auto");
    let sarif: Value =
        serde_json::from_str(&case.rules("check", &["--all", "--format", "sarif"]).stdout).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), 70);
    let results = run["results"].as_array().unwrap();
    assert!(results.iter().all(|it| it["partialFingerprints"]["refactorBot/v1"].is_string()));
    let fixed = results.iter().filter(|it| it["fixes"].is_array()).count();
    assert!(fixed >= 2, "{fixed}");
}

#[test]
fn ru1_exit_codes_follow_the_gravity() {
    let case = Case::new(SHOP);
    let code = |args: &[&str]| case.rules("check", args).code;
    assert_eq!(code(&[]), 1);
    assert_eq!(code(&["--fail-on", "error"]), 0);
    assert_eq!(code(&["--rule", "rendering-conditional-render"]), 0, "a note does not fail");
    assert_eq!(code(&["--rule", "rendering-conditional-render", "--fail-on", "note"]), 1);
    assert_eq!(code(&["--rule", "async-paralel"]), 2);
}

#[test]
fn ru1_since_shows_what_came() {
    let case = Case::new(SHOP);
    case.check(
        "check",
        &["--since", "HEAD"],
        expect![[r#"
        exit 0
        --- stdout
        0 findings in 0 files checked
        --- stderr
        looking for findings
        looking for findings
    "#]],
    );
    let cart = case.repo.read("src/cart.tsx");
    let more = "export const Bag = ({ n }: { n: number }) => <b>{n && <i />}</b>;\n";
    case.repo.write("src/cart.tsx", format!("{more}{cart}"));
    case.repo.write("src/new.tsx", more);
    case.check(
        "check",
        &["--since", "HEAD", "--fail-on", "note"],
        expect![[r#"
        exit 1
        --- stdout
        src/cart.tsx
              1:50  note     React renders `0` if `n` is 0  rendering-conditional-render  [fix]

        src/new.tsx
              1:50  note     React renders `0` if `n` is 0  rendering-conditional-render  [fix]

             2  rendering-conditional-render

        2 findings in 2 files checked, 2 can be fixed
        `refactor-bot rules fix` applies the proved edits; --dry-run shows them
        --- stderr
        looking for findings
        looking for findings
    "#]],
    );
    case.check(
        "check",
        &["--since", "no-such-branch"],
        expect![[r#"
        exit 2
        --- stderr
        error: there is no revision `no-such-branch` here
        hint: give a branch, a tag or a commit
    "#]],
    );
}

#[test]
fn ru1_a_baseline_leaves_out_what_is_known() {
    let case = Case::new(SHOP);
    let file = case.repo.beside("known.json").display().to_string();
    let ran = case.rules("check", &["--write-baseline", &file]);
    assert_eq!(ran.code, 0);
    assert_eq!(case.rules("check", &["--baseline", &file]).code, 0);
    let cart = case.repo.read("src/users.tsx");
    case.repo.write("src/users.tsx", format!("// moved\n{cart}"));
    assert_eq!(case.rules("check", &["--baseline", &file]).code, 0);
    case.repo.write("src/more.tsx", cart);
    assert_eq!(case.rules("check", &["--baseline", &file]).code, 1);
    fs::write(&file, "[]").unwrap();
    case.check("check", &["--baseline", &file], expect![[r#"
        exit 6
        --- stderr
        error: [TMP]/known.json: it is no baseline: invalid length 0, expected struct Baseline with 2 elements at line 1 column 2
        hint: create it again with --write-baseline
    "#]]);
}

#[test]
fn ru1_a_dry_run_shows_the_diff() {
    let case = Case::new(SHOP);
    let shown = case.cli.shown(&case.rules("fix", &["--dry-run"]));
    // An empty line of context is a space, which no source file keeps.
    expect![[r#"
        exit 0
        --- stdout
        # rerender-lazy-state-init: 1 edit in 1 file
        #   src/cart.tsx:6 compute it once
        diff --git a/src/cart.tsx b/src/cart.tsx
        --- a/src/cart.tsx
        +++ b/src/cart.tsx
        @@ -3,6 +3,6 @@
         export const Cart = ({ count }: { count: number }) => <b>{count && <i>{count}</i>}</b>;
 
         export function Prefs({ text }: { text: string }) {
        -  const [prefs] = useState(JSON.parse(text));
        +  const [prefs] = useState(() => JSON.parse(text));
           return <p>{prefs.name}</p>;
         }
        # rendering-conditional-render: 1 edit in 1 file
        #   src/cart.tsx:3 use a ternary with `null`
        diff --git a/src/cart.tsx b/src/cart.tsx
        --- a/src/cart.tsx
        +++ b/src/cart.tsx
        @@ -1,6 +1,6 @@
         import { useState } from 'react';
 
        -export const Cart = ({ count }: { count: number }) => <b>{count && <i>{count}</i>}</b>;
        +export const Cart = ({ count }: { count: number }) => <b>{count ? <i>{count}</i> : null}</b>;
 
         export function Prefs({ text }: { text: string }) {
           const [prefs] = useState(() => JSON.parse(text));
        --- stderr
        making edits
    "#]]
    .assert_eq(&shown.replace("\n \n", "\n\n"));
    assert!(case.is_untouched());
}

#[test]
fn ru1_fixes_are_a_run_that_ends_in_a_decision() {
    let case = Case::new(SHOP);
    case.check("fix", &["--sandbox", "off"], expect![[r#"
        exit 0
        --- stdout
        run [RUN]  [TMP]/project
          batch-001  applied  rerender-lazy-state-init: The initial state is computed on each render  (1 file, +1 -1)  confidence 60 of 100
          batch-002  applied  rendering-conditional-render: A number before `&&` is shown when it is zero  (1 file, +1 -1)  confidence 60 of 100
        tests    1 passed (1 before)
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Your checkout is unchanged. Review the diffs, then accept or reject:
          refactor-bot runs show [RUN] --diff
          refactor-bot accept [RUN]
          refactor-bot reject [RUN]
        --- stderr
        making edits
        saving the history
        checking the saved history
        saving files
        checking the saved files
        baseline: node --test
        verifying: node --test
        verifying: node --test
    "#]]);
    assert!(case.is_untouched());
    let ran = case.rules("fix", &["--no-verify", "--yes"]);
    ran.expect_code(0);
    assert!(case.repo.read("src/cart.tsx").contains("{count ? <i>{count}</i> : null}"));
    assert!(case.is_untouched(), "the fixes are commits");
    case.check(
        "fix",
        &[],
        expect![[r#"
        exit 0
        --- stderr
        making edits
        nothing to fix
    "#]],
    );
}

/// Of two rules the first breaks a test: the other one's edits stand, also where only the full checks tell.
#[test]
fn rf7_a_rule_that_breaks_a_test_takes_no_other_with_it() {
    let suite = "for (const n of Array(20).keys()) test(`holds ${n}`, () => {});
test('parses at once', () => {
  const text = require('fs').readFileSync('src/prefs.tsx', 'utf8');
  require('assert').ok(!text.includes('=> JSON.parse'));
});";
    let apart = "//- src/prefs.tsx\nimport { useState } from 'react';\n\nexport function Prefs";
    let fixture = SHOP.replace("test('holds', () => {});", suite);
    let case = Case::new(&fixture.replace("export function Prefs", apart));
    case.check("fix", &["--sandbox", "off"], expect![[r#"
        exit 0
        --- stdout
        run [RUN]  [TMP]/project
          batch-001  skipped  rerender-lazy-state-init: The initial state is computed on each render
              test: broken, passed before (1): `test/shop.test.js › parses at once`
          batch-002  applied  rendering-conditional-render: A number before `&&` is shown when it is zero  (1 file, +1 -1)  confidence 60 of 100
        tests    21 passed (21 before)
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Your checkout is unchanged. Review the diffs, then accept or reject:
          refactor-bot runs show [RUN] --diff
          refactor-bot accept [RUN]
          refactor-bot reject [RUN]
        --- stderr
        making edits
        saving the history
        checking the saved history
        saving files
        checking the saved files
        baseline: node --test
        verifying: node --test
        verifying: node --test
    "#]]);
    let says_nothing = "fast_verifier=[\"echo TAP version 13; echo 1..1; echo ok 1 - x\"]";
    let sets =
        ["--sandbox", "off", "--set", says_nothing, "--set", "full_verifier=[\"node --test\"]"];
    case.check("fix", &sets, expect![[r#"
        exit 0
        --- stdout
        run [RUN]  [TMP]/project
          batch-001  reverted  rerender-lazy-state-init: The initial state is computed on each render
              test: broken, passed before (1): `test/shop.test.js › parses at once`
          batch-002  reverted  rendering-conditional-render: A number before `&&` is shown when it is zero
          batch-003  applied  rendering-conditional-render: A number before `&&` is shown when it is zero  (1 file, +1 -1)  confidence 60 of 100
        tests    21 passed (22 before)
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Your checkout is unchanged. Review the diffs, then accept or reject:
          refactor-bot runs show [RUN] --diff
          refactor-bot accept [RUN]
          refactor-bot reject [RUN]
        --- stderr
        making edits
        saving the history
        checking the saved history
        saving files
        checking the saved files
        baseline: node --test
        baseline: echo TAP version 13; echo 1..1; echo ok 1 - x
        verifying: echo TAP version 13; echo 1..1; echo ok 1 - x
        verifying: echo TAP version 13; echo 1..1; echo ok 1 - x
        verifying: node --test
        verifying: node --test
        verifying: node --test
        verifying: echo TAP version 13; echo 1..1; echo ok 1 - x
        verifying: node --test
    "#]]);
    assert!(case.is_untouched());
}

#[test]
fn ru1_a_formatter_runs_over_the_touched_files_alone() {
    let case = Case::new(SHOP);
    let fix = |command: &str| {
        let only = ["--rule", "rendering-conditional-render", "--no-verify", "--yes"];
        case.rules("fix", &[&only[..], &["--format-with", command]].concat())
    };
    let ran = fix("touch other.txt; sed -i s/null/undefined/");
    assert!(case.cli.shown(&ran).contains("the formatter changed `other.txt`"), "{}", ran.stdout);
    assert!(case.is_untouched());
    let ran = fix("echo >&2 names:; false");
    assert!(case.cli.shown(&ran).contains("./src/cart.tsx"), "{}", ran.stdout);
    fix("sed -i s/null/undefined/").expect_code(0);
    assert!(case.repo.read("src/cart.tsx").contains("{count ? <i>{count}</i> : undefined}"));
    assert!(case.repo.read("src/users.tsx").contains("useState([])"));
}

/// The package lies below the root of the repository, with a file of the same name outside of it.
#[test]
fn ru1_a_folder_of_a_repository_is_fixed_alone() {
    let moved = SHOP.replace("//- ", "//- web/");
    let cart = SHOP.split("//- ").find(|it| it.starts_with("src/cart.tsx")).unwrap();
    let case = Case::new(&format!("{moved}//- {cart}"));
    let web = case.repo.root().join("web").display().to_string();
    let ran = case.cli.run(["rules", "fix", &web, "--no-verify", "--yes"]);
    ran.expect_code(0);
    assert!(case.repo.read("web/src/cart.tsx").contains("useState(() => JSON.parse(text))"));
    assert!(case.repo.read("src/cart.tsx").contains("useState(JSON.parse(text))"));
}

#[test]
fn ru4_rules_of_the_project() {
    let case = Case::new(SHOP);
    let repo = case.repo.root().display().to_string();
    let run = |args: &[&str]| case.cli.shown(&case.cli.run(args));
    let made = run(&["rules", "new", "no-console-log", "--repo", &repo, "--language", "tsx"]);
    expect![[r#"
        exit 0
        --- stdout
        [TMP]/project/.refactor-bot/rules/no-console-log.yml
        --- stderr
        edit it, then run `refactor-bot rules test`
    "#]]
    .assert_eq(&made);
    expect![[r#"
        exit 0
        --- stdout
        2 tests, 0 failed
    "#]]
    .assert_eq(&run(&["rules", "test", "--repo", &repo]));
    expect![[r#"
        exit 6
        --- stderr
        error: [TMP]/project/.refactor-bot/rules/no-console-log.yml already exists
        hint: choose another id, or edit that file
    "#]]
    .assert_eq(&run(&["rules", "new", "no-console-log", "--repo", &repo]));
    expect![[r#"
        exit 2
        --- stderr
        error: `async-parallel` is a built-in rule
        hint: choose another id
    "#]]
    .assert_eq(&run(&["rules", "new", "async-parallel", "--repo", &repo]));
    expect![[r#"
        exit 2
        --- stderr
        error: rules cannot be written for `cobol`
        hint: choose one of Shell, C, C++, C#, Elixir, Go, Java, JavaScript, Kotlin, Lua, PHP, Python, Ruby, Rust, Scala, Swift, TSX, TypeScript
    "#]].assert_eq(&run(&["rules", "new", "x", "--repo", &repo, "--language", "cobol"]));
    case.repo.write(".refactor-bot/rules/no-console-log.yml", OWN_RULE);
    case.repo.write("src/log.tsx", "export const f = (x) => console.log(x);\n");
    case.repo.commit_all("a rule");
    expect![[r#"
        exit 0
        --- stdout
        2 tests, 0 failed
    "#]]
    .assert_eq(&run(&["rules", "test", "--repo", &repo]));
    case.check(
        "check",
        &["--rule", "no-console-log"],
        expect![[r#"
        exit 1
        --- stdout
        src/log.tsx
              1:25  error    use the logger, not console.log  no-console-log  [draft]

             1  no-console-log

        1 finding in 3 files checked, 1 with a draft
        --- stderr
        looking for findings
    "#]],
    );
    let ran = case.rules("fix", &["--rule", "no-console-log", "--no-verify", "--yes"]);
    ran.expect_code(0);
    assert_eq!(case.repo.read("src/log.tsx"), "export const f = (x) => logger.info(x);\n");
}

#[test]
fn ru4_a_rule_that_cannot_be_read_stops_everything() {
    let case = Case::new(SHOP);
    let broken = OWN_RULE.replace("pattern:", "patern:");
    case.repo.write(".refactor-bot/rules/broken.yml", broken);
    case.check("check", &[], expect![[r#"
        exit 6
        --- stderr
        error: .refactor-bot/rules/broken.yml:5: `patern` is no key of a matcher; did you mean `pattern`?
        hint: fix the rule, then run `refactor-bot rules test`
    "#]]);
    let failing = OWN_RULE.replace("fixed: logger.info(x)", "fixed: logger.warn(x)");
    case.repo.write(".refactor-bot/rules/broken.yml", failing);
    let repo = case.repo.root().display().to_string();
    expect![[r#"
        exit 1
        --- stdout
        .refactor-bot/rules/broken.yml:10: no-console-log: fixes the code otherwise than the case says
          - logger.warn(x)
          + logger.info(x)
        2 tests, 1 failed
    "#]].assert_eq(&case.cli.shown(&case.cli.run(["rules", "test", "--repo", &repo])));
}

#[test]
fn ru1_a_rule_explains_itself() {
    let cli = cli();
    expect![[r#"
        exit 0
        --- stdout
        rendering-conditional-render
        A number before `&&` is shown when it is zero

        Rendering Performance · LOW · fix: auto

        The child of an element is `n && <X/>`, and `n` is a number. React renders `0` and `NaN`.
        Users see a stray `0` where nothing was meant.

        Wrong:

            const Cart = ({ count }: { count: number }) => <b>{count && <Dot n={count} />}</b>;

        Right:

            const Cart = ({ count }: { count: number }) => <b>{count ? <Dot n={count} /> : null}</b>;

        Fix: Fixed automatically if the left side is a number by its type. The only difference is that the `0` or `NaN` is gone: the fix uses `count ? … : null` rather than `count > 0`, which would also hide negative numbers.

        Ignore it if: The `0` is meant to be seen. Children of project components that inspect their children are not reported.

        To silence one place: // refactor-bot-disable-next-line rendering-conditional-render
    "#]].assert_eq(&cli.shown(&cli.run([
        "rules",
        "explain",
        "rendering-conditional-render",
    ])));
    expect![[r#"
        exit 2
        --- stderr
        error: `waterfalls` is not one rule
        hint: it stands for async-defer-await, async-parallel, async-dependencies, async-api-routes, async-suspense-boundaries, server-cache-react, server-parallel-fetching, client-swr-dedup, async-cheap-condition-before-await, server-parallel-nested-fetching
    "#]].assert_eq(&cli.shown(&cli.run(["rules", "explain", "waterfalls"])));
    expect![[r#"
        exit 0
        --- stdout
        Rendering Performance (MEDIUM)
          rendering-conditional-render       LOW         auto                  A number before `&&` is shown when it is zero

        Bundles
          waterfalls   Eliminate request waterfalls
          bundle       Reduce bundle size
          rerenders    Fix unnecessary re-renders
          server       Optimize server components
          audit        General performance audit

        Recipes (rules fix --recipe NAME)
          fs-async           Make synchronous file calls async
          sql-parameters     Pass SQL values as query parameters
          indexed-lookup     Replace searches in loops with a Map or Set
          unused-imports     Remove unused imports
          dead-code          Remove unused and unreachable code
          own-barrels        Import from the declaring file instead of an index file
          rename             Rename a symbol across the project
          move               Move functions, classes and constants to another module
          merge              Merge modules into one
          rename-module      Rename or move a module, package or folder
          add-parameter      Add a parameter to a function
          remove-parameter   Remove a parameter of a function
          rename-parameter   Rename a parameter of a function
          reorder-parameters Reorder the parameters of a function
          parameter-object   Wrap parameters of a function in an object
          encapsulate        Put functions into a class as static methods
          inline-reexport    Import a name from the module that defines it
          replace-duplicate  Replace a copy of a definition by an import
          operations         Structural changes of Python, JavaScript and TypeScript
    "#]].assert_eq(&cli.shown(&cli.run(["rules", "list", "rendering-conditional-render"])));
}
