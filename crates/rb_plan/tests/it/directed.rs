//! Plans for a directive.

use expect_test::{Expect, expect};
use rb_core::{Proposer, RepoPath, Stage, VerifierLevel};
use rb_plan::propose;

use crate::support::{Repo, shown, task};

/// Four parts that read and write files, each with callers of its own, and a test.
pub(crate) const FILES: &str = r#"//- package.json
{"name": "shop", "type": "module", "private": true, "scripts": {"test": "node --test"}}
//- src/config/load.js
import fs from 'node:fs';

export function loadConfig(path) {
  return JSON.parse(fs.readFileSync(path, 'utf8'));
}
//- src/config/show.js
import { loadConfig } from './load.js';

export async function show(path) {
  return Object.keys(loadConfig(path)).join(' ');
}
//- src/store/orders.js
import { readFileSync, writeFileSync } from 'node:fs';

export function readOrders(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

export function writeOrders(path, orders) {
  writeFileSync(path, JSON.stringify(orders));
}
//- src/store/add.js
import { readOrders, writeOrders } from './orders.js';

export async function add(path, order) {
  const orders = readOrders(path);
  orders.push(order);
  writeOrders(path, orders);
  return orders.length;
}
//- src/logs/tail.js
import fs from 'node:fs';

export async function tail(path, count) {
  const lines = fs.readFileSync(path, 'utf8').split('\n');
  return lines.slice(-count);
}
//- src/images/list.js
import fs from 'node:fs';
import path from 'node:path';

export async function list(folder) {
  const names = fs.readdirSync(folder);
  return names.filter((name) => path.extname(name) === '.png');
}
//- src/names.js
export function names() {
  return ['a', 'b'];
}
//- src/main.js
import { add } from './store/add.js';
import { show } from './config/show.js';
import { tail } from './logs/tail.js';
import { list } from './images/list.js';
import { names } from './names.js';

console.log(names());
console.log(await add('orders.json', {}), await show('config.json'));
console.log(await tail('log.txt', 3), await list('images'));
//- test/orders.test.js
import test from 'node:test';
import assert from 'node:assert';
import { readOrders } from '../src/store/orders.js';

test('orders are read', () => {
  assert.deepEqual(readOrders('test/orders.json'), []);
});
//- test/orders.json
[]
"#;

#[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
#[track_caller]
fn check(repo: Repo, expected: Expect) {
    expected.assert_eq(&shown(&repo.plan()));
}

#[test]
fn rf3_a_directive_becomes_three_to_six_ordered_tasks() {
    let repo = Repo::asked(FILES, "Convert sync file ops to async");
    let plan = repo.plan();
    assert!((3..=6).contains(&plan.tasks.len()));
    expect![[r#"
        batch-001 Transform risk 45 Fast | Make synchronous file calls async in src/images/list.js (1 place)
          src/images/list.js
        batch-002 Transform risk 45 Fast | Make synchronous file calls async in src/logs/tail.js (1 place)
          src/logs/tail.js
        batch-003 Transform risk 47 Fast | Make synchronous file calls async in src/store/orders.js (2 places)
          src/store/add.js src/store/orders.js test/orders.test.js
        batch-004 Transform risk 51 Full | Make synchronous file calls async in src/config/load.js (1 place)
          src/config/load.js src/config/show.js
    "#]].assert_eq(&shown(&plan));
    assert!(plan.tasks.iter().all(|it| it.stage == Stage::Transform));
    assert_eq!(plan.matched[0].id, "fs-async");
}

#[test]
fn rf3_tasks_can_be_done_one_after_the_other() {
    let repo = Repo::asked(FILES, "Convert synchronous file operations to async across project.");
    let plan = repo.plan();
    for task in &plan.tasks {
        let proposal = repo.with(|input| propose(input, task).expect("no trouble"));
        repo.apply(&proposal.expect("something to do"));
        let again = repo.with(|input| propose(input, task).expect("no trouble"));
        assert_eq!(again, None, "{}", task.goal);
    }
    for path in
        ["src/config/load.js", "src/store/orders.js", "src/logs/tail.js", "src/images/list.js"]
    {
        assert!(!repo.text(path).contains("Sync"), "{path}");
    }
    assert!(repo.text("src/store/add.js").contains("await readOrders"));
    assert!(repo.text("test/orders.test.js").contains("await readOrders"));
    let rest = repo.plan();
    assert!(rest.tasks.is_empty(), "{}", shown(&rest));
    assert_eq!(rest.unserved, None);
    assert_eq!(rest.notes, ["looked for synchronous file calls: nothing found"]);
}

#[test]
fn rf3_a_proposal_fits_after_another_task_changed_its_file() {
    let repo = Repo::asked(FILES, "Convert sync file ops to async");
    let plan = repo.plan();
    let orders = task(&plan, "src/store/");
    let path = "src/store/orders.js";
    let text = format!(
        "// first\n// second\n{}",
        repo.text(path).replace("JSON.stringify(orders)", "'[]'")
    );
    rb_core::fs::write(&repo.root().join(path), text.as_bytes(), rb_core::fs::Durability::Relaxed)
        .unwrap();
    let proposal =
        repo.with(|input| propose(input, orders).expect("no trouble")).expect("a proposal");
    assert_ne!(proposal, plan.prepared[&orders.id]);
    repo.apply(&proposal);
    assert!(
        repo.text(path).starts_with("// first\n// second\n") && !repo.text(path).contains("Sync")
    );
}

/// A component with three things to edit, and one that is only reported.
const REACT: &str = r#"//- package.json
{"name": "web", "private": true, "dependencies": {"react": "^19.0.0", "react-dom": "^19.0.0"}}
//- src/Counter.tsx
import { useState } from 'react';

function expensive(): number {
  return [1, 2, 3].map((it) => it * 2).reduce((a, b) => a + b, 0);
}

export function Counter() {
  const [count, setCount] = useState(expensive());
  return <button onClick={() => setCount(count + 1)}>{count}</button>;
}
//- src/Total.tsx
import { useState } from 'react';

function sum(): number {
  return [4, 5].reduce((a, b) => a + b, 0);
}

export function Total() {
  const [total] = useState(sum());
  return <b>{total}</b>;
}
//- src/data.ts
export async function both(a: string, b: string) {
  const one = await fetch(a);
  const two = await fetch(b);
  return [one, two];
}
//- src/prefs.ts
export function save(user: { name: string }) {
  localStorage.setItem('prefs', JSON.stringify(user));
}
//- src/main.tsx
import { createRoot } from 'react-dom/client';
import { Counter } from './Counter';
import { Total } from './Total';
import { both } from './data';
import { save } from './prefs';

void both('/a', '/b');
save({ name: 'x' });
createRoot(document.body).render(<><Counter /><Total /></>);
"#;

#[test]
fn rf3_a_react_directive_gives_tasks_with_the_ids_of_rules() {
    let repo = Repo::asked(REACT, "Fix unnecessary re-renders across components.");
    let plan = repo.plan();
    assert!(plan.is_react_project);
    assert!(
        plan.active_rules.iter().any(|it| it == "rerender-lazy-state-init"),
        "{:?}",
        plan.active_rules
    );
    assert!(plan.active_rules.iter().all(|it| !it.starts_with("bundle-")));
    assert!(plan.tasks.iter().all(|it| !it.rules.is_empty()));
    expect![[r#"
        batch-001 Small risk 25 Fast | rerender-functional-setstate: The next state is computed from a captured one in src/Counter.tsx (1 place)
          src/Counter.tsx  [rerender-functional-setstate]
        batch-002 Small risk 25 Fast | rerender-lazy-state-init: The initial state is computed on each render in src/Counter.tsx (1 place)
          src/Counter.tsx  [rerender-lazy-state-init]
        batch-003 Small risk 25 Fast | rerender-lazy-state-init: The initial state is computed on each render in src/Total.tsx (1 place)
          src/Total.tsx  [rerender-lazy-state-init]
    "#]].assert_eq(&shown(&plan));
    let first = &plan.tasks[0];
    let proposal = repo.with(|input| propose(input, first).expect("no trouble"));
    assert_eq!(proposal.as_ref(), plan.prepared.get(&first.id));
}

/// Rules that share a task edit different files each; where both could edit one, the first does.
#[test]
fn rf3_rules_that_share_a_task_are_proposed_together() {
    let repo = Repo::asked(REACT, "Fix unnecessary re-renders");
    let plan = repo.plan();
    let files = ["src/Counter.tsx", "src/Total.tsx"].map(|it| rb_core::RepoPath::new(it).unwrap());
    let ids = ["rerender-functional-setstate", "rerender-lazy-state-init"];
    let shared = rb_core::Task {
        by: Proposer::Rule { id: ids.join(" + ") },
        rules: ids.map(str::to_owned).into(),
        files: files.into(),
        scope_globs: vec!["/src/*.tsx".to_owned()],
        ..plan.tasks[0].clone()
    };
    let proposal = repo.with(|input| propose(input, &shared).expect("no trouble"));
    let after = repo.texts_after(&proposal.expect("something to do"));
    let edited: Vec<String> = after.keys().map(ToString::to_string).collect();
    assert_eq!(edited, ["src/Counter.tsx", "src/Total.tsx"]);
    let counter = &after[&shared.files[0]];
    assert!(!counter.contains("setCount(count + 1)"), "{counter}");
    assert!(counter.contains("useState(expensive())"), "{counter}");
    assert!(!after[&shared.files[1]].contains("useState(sum())"));
    let blamed = ["src/Counter.tsx".to_owned()];
    let less =
        repo.with(|input| rb_plan::narrowed(input, &shared, &blamed, "").expect("no trouble"));
    let less = less.expect("the other file").task;
    assert_eq!((less.files.len(), less.by), (1, shared.by));
}

#[test]
fn rf3_what_a_rule_only_reports_is_left_or_given_to_a_model() {
    let directive = "Eliminate waterfalls, apply client-localstorage-schema";
    check(
        Repo::asked(REACT, directive),
        expect![[r#"
            batch-001 Small risk 25 Fast critical | async-parallel: Independent reads are awaited one after the other in src/data.ts (1 place)
              src/data.ts  [async-parallel]
            left src/prefs.ts:2 client-localstorage-schema: there is no edit that is proven safe
            left src/prefs.ts:2 client-localstorage-schema: there is no edit that is proven safe
            note looked for `client-localstorage-schema`: 2 places found, none of which can be edited safely
        "#]],
    );
    let plan = Repo::asked(REACT, directive).plan();
    assert!(plan.leftovers.iter().all(rb_plan::Leftover::wants_a_model), "{:?}", plan.leftovers);
    let plan = Repo::asked(REACT, directive).with_model().plan();
    let task = task(&plan, "client-localstorage-schema: ");
    assert_eq!(task.by, Proposer::Model);
    assert_eq!(task.rules, ["client-localstorage-schema"]);
    assert!(!plan.prepared.contains_key(&task.id));
    assert!(plan.leftovers.is_empty());
}

#[test]
fn rf3_what_lies_outside_of_the_folder_is_neither_counted_nor_left() {
    let asked = |folder: &str| {
        let mut repo = Repo::asked(REACT, "Apply client-localstorage-schema");
        repo.inside = Some(RepoPath::new(folder).expect("a path"));
        let plan = repo.plan();
        (plan.leftovers.len(), plan.notes.join("\n"))
    };
    let (left, notes) = asked("src");
    assert_eq!((left, notes.contains("2 places found")), (2, true), "{notes}");
    let (left, notes) = asked("elsewhere");
    assert_eq!((left, notes.contains("nothing found")), (0, true), "{notes}");
}

#[test]
fn rf3_a_general_audit_applies_all_rules_by_impact() {
    let plan = Repo::asked(REACT, "General performance audit").plan();
    let first = plan.active_rules.first().expect("rules");
    assert!(first.starts_with("async-"), "{first}");
    assert!(plan.active_rules.iter().any(|it| it.starts_with("js-")));
    assert!(plan.active_rules.iter().any(|it| it.starts_with("rerender-")));
}

/// Something for many rules; what matters most is used in many places, so that it risks most.
const AUDIT: &str = r#"//- package.json
{"name": "web", "private": true, "dependencies": {"react": "^19.0.0", "react-dom": "^19.0.0"}}
//- src/App.tsx
import { memo, useEffect, useState } from 'react';

function expensive(): number {
  return [1, 2, 3].map((it) => it * 2).reduce((a, b) => a + b, 0);
}

export const Row = memo(function Row({ onPick = () => {} }: { onPick?: () => void }) {
  return <button onClick={onPick}>pick</button>;
});

export function Name({ first, last }: { first: string; last: string }) {
  const [full, setFull] = useState('');
  useEffect(() => {
    setFull(first + ' ' + last);
  }, [first, last]);
  return <b>{full}</b>;
}

export function Counter() {
  const [count, setCount] = useState(expensive());
  const rule = <hr className="rule" />;
  return (
    <div>
      {count && <b>{count}</b>}
      {rule}
      <button onClick={() => setCount(count + 1)}>{count}</button>
    </div>
  );
}

export function Page() {
  const Inner = () => <p>inner</p>;
  return <div><Inner /></div>;
}
//- src/data.ts
export async function both(a: string, b: string) {
  const one = await fetch(a);
  const two = await fetch(b);
  return [one, two];
}

//- src/one.ts
export { both } from './data';
//- src/two.ts
import { both } from './data';

export const two = both('/a', '/b');
//- src/three.ts
import { both } from './data';

export const three = both('/c', '/d');
"#;

#[test]
fn rf3_a_general_audit_begins_with_what_matters() {
    let plan = Repo::asked(AUDIT, "General performance audit").plan();
    expect![[r#"
        batch-001 Small risk 28 Fast | async-parallel: Independent reads are awaited one after the other in src/data.ts (1 place)
          src/data.ts  [async-parallel]
        batch-002 Small risk 22 Fast | rerender-derived-state-no-effect: State is computed from props or state by an effect in src/App.tsx (1 place)
          src/App.tsx  [rerender-derived-state-no-effect]
        batch-003 Small risk 22 Fast | rerender-functional-setstate: The next state is computed from a captured one in src/App.tsx (1 place)
          src/App.tsx  [rerender-functional-setstate]
        batch-004 Small risk 22 Fast | rerender-lazy-state-init: The initial state is computed on each render in src/App.tsx (1 place)
          src/App.tsx  [rerender-lazy-state-init]
        batch-005 Small risk 22 Fast | rerender-no-inline-components: A component is defined inside of another one in src/App.tsx (1 place)
          src/App.tsx  [rerender-no-inline-components]
        batch-006 Small risk 22 Fast | rendering-conditional-render: A number before `&&` is shown when it is zero in src/App.tsx (1 place)
          src/App.tsx  [rendering-conditional-render]
        left src/App.tsx:7 rerender-memo-with-default-value: a candidate that needs your judgement
    "#]].assert_eq(&shown(&plan));
}

#[test]
fn rf3_a_directive_that_nothing_serves_says_what_could_be_done() {
    check(
        Repo::asked(FILES, "Add OpenTelemetry tracing"),
        expect![[r#"
        unserved: no recipe or rule does this; a model could
          "Convert synchronous file operations to async": 5 places in 7 files
          --provider claude-code (Claude Code, with its own login)
          --provider anthropic (with ANTHROPIC_API_KEY in the environment)
          --provider ollama --model NAME (a model on this machine)
    "#]],
    );
    // Understood, and nothing found.
    check(
        Repo::asked(FILES, "Replace raw SQL string interpolation with parameterized queries."),
        expect![[r#"
            note looked for values in SQL strings: nothing found
        "#]],
    );
    // Ruled out.
    check(
        Repo::asked(FILES, "Do not convert sync file operations to async"),
        expect![[r#"
            unserved: the directive only says what not to do
              --provider claude-code (Claude Code, with its own login)
              --provider anthropic (with ANTHROPIC_API_KEY in the environment)
              --provider ollama --model NAME (a model on this machine)
        "#]],
    );
}

#[test]
fn rf3_a_part_that_nothing_serves_is_said_beside_the_tasks() {
    let plan =
        Repo::asked(FILES, "Convert sync file ops to async and add OpenTelemetry tracing").plan();
    assert!(plan.tasks.len() >= 3);
    let unserved = plan.unserved.expect("a part needs a model");
    assert_eq!(unserved.why, "no recipe or rule does this: add OpenTelemetry tracing");
    assert_eq!(plan.notes, ["words that matched nothing: OpenTelemetry, tracing"]);
}

#[test]
fn rf3_a_model_gets_the_files_that_a_directive_is_about() {
    let mut repo = Repo::asked(FILES, "Add OpenTelemetry tracing").with_model();
    repo.found = [
        "src/store/add.js",
        "src/store/orders.js",
        "src/main.js",
        "gone.js",
        "package.json",
        "src/config/load.js",
        "src/config/show.js",
        "src/logs/tail.js",
    ]
    .map(str::to_owned)
    .to_vec();
    repo.closed = vec!["src/logs".to_owned()];
    check(
        repo,
        expect![[r#"
        batch-001 Small risk 41 Fast | Add OpenTelemetry tracing, in src/store/
          src/store/add.js src/store/orders.js test/orders.test.js
        batch-002 Small risk 40 Fast | Add OpenTelemetry tracing, in src/main.js
          src/main.js
        batch-003 Small risk 45 Fast | Add OpenTelemetry tracing, in src/config/
          src/config/load.js src/config/show.js
    "#]],
    );
}

#[test]
fn rf3_a_closed_file_keeps_its_chain_out() {
    let mut repo = Repo::asked(FILES, "Convert sync file ops to async");
    repo.closed = vec!["test/".to_owned()];
    check(
        repo,
        expect![[r#"
            batch-001 Transform risk 45 Fast | Make synchronous file calls async in src/images/list.js (1 place)
              src/images/list.js
            batch-002 Transform risk 45 Fast | Make synchronous file calls async in src/logs/tail.js (1 place)
              src/logs/tail.js
            batch-003 Transform risk 51 Full | Make synchronous file calls async in src/config/load.js (1 place)
              src/config/load.js src/config/show.js
            left src/store/orders.js:4 fs-async: it would change test/orders.test.js, which this run may not touch
            left src/store/orders.js:8 fs-async: it would change test/orders.test.js, which this run may not touch
        "#]],
    );
}

#[test]
fn rf3_a_chain_that_is_larger_than_the_budget_gets_the_room_it_needs() {
    let mut repo = Repo::asked(FILES, "Convert sync file ops to async");
    repo.limits.diff_budget = 4;
    let plan = repo.plan();
    let large = task(&plan, "src/store/");
    let lines = plan.prepared[&large.id].added + plan.prepared[&large.id].removed;
    assert!(lines > 4 && large.diff_budget_loc.expect("a budget") >= lines);
    let said = format!("{lines} lines, over the budget of 4: one chain that cannot be split");
    assert_eq!(large.notes[0], said);
    let small = task(&plan, "src/logs/");
    assert_eq!(small.diff_budget_loc, Some(4));
}

#[test]
fn rf3_a_budget_that_a_person_set_is_kept() {
    let mut repo = Repo::asked(FILES, "Convert sync file ops to async");
    repo.limits.diff_budget = 4;
    repo.limits.is_strict = true;
    check(
        repo,
        expect![[r#"
        batch-001 Transform risk 45 Fast | Make synchronous file calls async in src/images/list.js (1 place)
          src/images/list.js
        batch-002 Transform risk 45 Fast | Make synchronous file calls async in src/logs/tail.js (1 place)
          src/logs/tail.js
        left src/config/load.js:4 fs-async: 6 lines, over the budget of 4: one chain that cannot be split
        left src/store/orders.js:4 fs-async: 18 lines, over the budget of 4: one chain that cannot be split
        left src/store/orders.js:8 fs-async: 18 lines, over the budget of 4: one chain that cannot be split
    "#]],
    );
}

#[test]
fn rf3_what_was_looked_for_is_said_in_words() {
    #[track_caller]
    fn notes(directive: &str, expected: &Expect) {
        let plan = Repo::asked(FILES, directive).plan();
        let why = plan.unserved.map(|it| format!("unserved: {}\n", it.why)).unwrap_or_default();
        expected.assert_eq(&format!("{} tasks\n{why}{}", plan.tasks.len(), plan.notes.join("\n")));
    }
    notes(
        "Reduce bundle size by fixing barrel imports and lazy-loading heavy components.",
        &expect![[r#"
            0 tasks
            looked for imports through barrel files: nothing found
            looked for packages that increase the bundle size: nothing found
            looked for components that could load lazily: nothing found"#]],
    );
    notes(
        "Convert sync file operations to async and remove dead code",
        &expect![[r#"
            4 tasks
            looked for unused code: nothing found"#]],
    );
    notes(
        "Replace raw SQL with parameterized queries. Add tests for the store.",
        &expect![[r#"
        0 tasks
        unserved: no recipe or rule does this: Add tests for the store
        looked for values in SQL strings: nothing found"#]],
    );
    notes(
        "Remove unused imports",
        &expect![[r#"
            0 tasks
            looked for unused imports: nothing found"#]],
    );
}

#[test]
fn rf3_a_rename_is_one_critical_task() {
    let plan = Repo::asked(FILES, "rename readOrders to loadOrders in orders.js").plan();
    let only = &plan.tasks[0];
    assert_eq!(plan.tasks.len(), 1);
    assert!(only.is_critical);
    assert_eq!(only.goal, "Rename `src/store/orders.js#readOrders` to `loadOrders` (1 place)");
    let missing = Repo::asked(FILES, "rename nowhere to somewhere").plan();
    assert!(
        missing
            .unserved
            .expect("the directive is not served")
            .why
            .starts_with("there is no symbol `nowhere`")
    );
}

#[test]
fn rf3_a_rule_of_the_project_is_applied_where_it_is_named() {
    let rule = "id: no-loud-names\nlanguage: JavaScript\nmessage: names are quiet\nrule:\n  pattern: console.log($A)\nfix: console.info($A)\n";
    let mut repo = Repo::asked(FILES, "apply no-loud-names");
    repo.own = vec![(".refactor-bot/rules/loud.yml".to_owned(), rule.to_owned())];
    let plan = repo.plan();
    let only = task(&plan, "no-loud-names");
    assert_eq!(only.by, Proposer::Rule { id: "no-loud-names".to_owned() });
    let proposal =
        repo.with(|input| propose(input, only).expect("no trouble")).expect("a proposal");
    repo.apply(&proposal);
    assert!(repo.text("src/main.js").contains("console.info(names())"));
    // Nobody asked.
    repo.directive = None;
    assert!(repo.plan().tasks.iter().all(|it| it.rules != ["no-loud-names"]));
}

#[test]
fn rf3_build_files_are_verified_in_full() {
    let fixture = "//- package.json\n{\"private\": true, \"type\": \"module\"}\n//- vite.config.js\nimport fs from 'node:fs';\nexport default {};\n";
    let plan = Repo::asked(fixture, "Remove unused imports").plan();
    assert_eq!(plan.tasks[0].verifier_level, VerifierLevel::Full);
}

#[test]
fn rf3_a_directive_may_be_limited_to_a_folder() {
    check(
        Repo::asked(FILES, "Convert sync file ops to async in src/store"),
        expect![[r#"
            batch-001 Transform risk 47 Fast critical | Make synchronous file calls async in src/store/orders.js (2 places)
              src/store/add.js src/store/orders.js test/orders.test.js
        "#]],
    );
    check(
        Repo::asked(FILES, "Convert sync file ops to async, except in src/store and src/logs"),
        expect![[r#"
            batch-001 Transform risk 45 Fast | Make synchronous file calls async in src/images/list.js (1 place)
              src/images/list.js
            batch-002 Transform risk 51 Full | Make synchronous file calls async in src/config/load.js (1 place)
              src/config/load.js src/config/show.js
        "#]],
    );
}

#[test]
fn rf3_a_rule_does_not_edit_a_closed_file() {
    let mut repo = Repo::asked(REACT, "apply rerender-lazy-state-init");
    repo.closed = vec!["src/Total.tsx".to_owned()];
    check(
        repo,
        expect![[r#"
            batch-001 Small risk 25 Fast critical | rerender-lazy-state-init: The initial state is computed on each render in src/Counter.tsx (1 place)
              src/Counter.tsx  [rerender-lazy-state-init]
        "#]],
    );
}
