//! Plans for the whole repository.

use expect_test::{Expect, expect};
use rb_core::Stage;
use rb_plan::Limits;

use crate::support::{Repo, many, shown, task};

/// Something for every stage, a circle, a copy and a long function.
pub(crate) fn fixture() -> String {
    let copy = "  const rows = [];\n  for (const row of text.split('\\n')) {\n    const cells = row.split(';');\n    if (cells.length > 1) {\n      rows.push(cells);\n    }\n  }\n  rows.sort();\n  return rows;\n";
    let steps = "  total += total;\n".repeat(90);
    format!(
        "//- package.json\n{{\"name\": \"shop\", \"private\": true, \"type\": \"module\", \"dependencies\": {{\"better-sqlite3\": \"^11.0.0\"}}}}\n\
         //- src/a.js\nimport path from 'node:path';\nimport fs from 'node:fs';\nimport {{ b }} from './b.js';\n\nfunction unused() {{\n  return 1;\n}}\n\nexport async function a(file) {{\n  return fs.readFileSync(file, 'utf8') + b();\n}}\n\
         //- src/b.js\nimport {{ c }} from './c.js';\n\nexport function b() {{\n  return c();\n}}\n\
         //- src/c.js\nimport {{ b }} from './b.js';\n\nexport function c() {{\n  return typeof b;\n}}\n\
         //- src/users.js\nimport Database from 'better-sqlite3';\n\nconst db = new Database('x.db');\n\nexport function user(name) {{\n  return db.prepare(`SELECT * FROM users WHERE name = '${{name}}'`).get();\n}}\n\
         //- src/read.js\nexport function read(text) {{\n{copy}}}\n\
         //- src/parse.js\nexport function parse(text) {{\n{copy}}}\n\
         //- src/long.js\nexport function long() {{\n  let total = 0;\n{steps}  return total;\n}}\n\
         //- src/main.js\nimport {{ a }} from './a.js';\nimport {{ user }} from './users.js';\nimport {{ read }} from './read.js';\nimport {{ parse }} from './parse.js';\nimport {{ long }} from './long.js';\n\nconsole.log(await a('x'), user('y'), read('z'), parse('z'), long());\n\
         //- test/a.test.js\nimport test from 'node:test';\nimport {{ a }} from '../src/a.js';\n\nfunction nobody() {{}}\n\ntest('a', async () => {{\n  await a('package.json');\n}});\n"
    )
}

#[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
#[track_caller]
fn check(repo: &Repo, expected: Expect) {
    expected.assert_eq(&shown(&repo.plan()));
}

#[test]
fn rf3_without_a_directive_the_safest_comes_first() {
    check(
        &Repo::new(&fixture()),
        expect![[r#"
            batch-001 Clean risk 8 Fast | Remove unused imports in src/a.js (1 place)
              src/a.js
            batch-002 Clean risk 8 Fast | Remove unused and unreachable code in src/a.js (1 place)
              src/a.js
            batch-003 Small risk 25 Fast | Pass SQL values as query parameters in src/users.js (1 place)
              src/users.js
            left src/a.js:1 fs-async: sync-to-async changes are made only on request
            left src/b.js:1 cycle: no recipe or rule can change it; a model could
            left src/long.js:1 long-function: no recipe or rule can change it; a model could
            left src/parse.js:1 duplicate: no recipe or rule can change it; a model could
            left test/a.test.js:4 dead-code: test code is removed only on request
        "#]],
    );
}

#[test]
fn rf3_a_model_gets_what_no_recipe_can_do() {
    let plan = Repo::new(&fixture()).with_model().plan();
    let circle = task(&plan, "Break the import cycle");
    assert_eq!(circle.stage, Stage::Restructure);
    let found: Vec<&str> = plan
        .tasks
        .iter()
        .filter(|it| !plan.prepared.contains_key(&it.id))
        .map(|it| it.goal.as_str())
        .collect();
    expect![[r#"
        Split `long` (src/long.js:1) into smaller functions
        Extract what `parse` (src/parse.js:1), `read` (src/read.js:1) have in common into one function
        Break the import cycle src/b.js → src/c.js"#]].assert_eq(&found.join("\n"));
    assert!(plan.leftovers.iter().all(|it| it.found_by != "cycle"));
}

#[test]
fn rf3_one_long_function_of_a_file_at_a_time() {
    let long = |name: &str, lines: usize| {
        format!("export function {name}(a) {{\n{}  return a;\n}}\n", "  a += a;\n".repeat(lines))
    };
    let fixture = format!(
        "//- src/a.js\n{}{}//- src/b.js\n{}",
        long("one", 90),
        long("two", 120),
        long("three", 91)
    );
    let plan = Repo::new(&fixture).with_model().plan();
    let goals: Vec<&str> = plan.tasks.iter().map(|it| it.goal.as_str()).collect();
    assert_eq!(
        goals,
        [
            "Split `two` (src/a.js:94) into smaller functions",
            "Split `three` (src/b.js:1) into smaller functions"
        ]
    );
    assert_eq!(plan.leftovers[0].suggestion, "Split `one` (src/a.js:1) into smaller functions");
}

#[test]
fn rf3_hotspots_come_from_the_history() {
    let mut repo = Repo::new(&fixture());
    repo.hot = vec!["src/long.js".to_owned(), "src/gone.js".to_owned()];
    let left = repo.plan().leftovers;
    let hot: Vec<&rb_plan::Leftover> = left.iter().filter(|it| it.found_by == "hotspot").collect();
    assert_eq!(hot.len(), 1);
    assert_eq!(hot[0].what, "`long` has a complexity of 1; 12 commits, used by 3");
    // Said once.
    assert!(left.iter().all(|it| it.found_by != "long-function"));
    let plan = repo.with_model().plan();
    assert_eq!(task(&plan, "Simplify `long`").allowed_operations, ["simplify", "extract-function"]);
}

#[test]
fn rf3_a_plan_has_no_more_tasks_than_it_may() {
    let mut repo = Repo::new(&fixture()).with_model();
    let all = repo.plan().tasks.len();
    repo.limits = Limits { max_batches: 2, ..Limits::default() };
    let plan = repo.plan();
    assert_eq!(plan.tasks.len(), 2);
    assert_eq!(plan.tasks[0].stage, Stage::Clean);
    assert!(
        plan.notes.contains(&format!("{} tasks left out: a plan has at most 2 tasks", all - 2)),
        "{:?}",
        plan.notes
    );
    assert_eq!(
        plan.leftovers.iter().filter(|it| it.reason == "a plan has at most 2 tasks").count(),
        all - 2
    );
    assert!(plan.prepared.keys().all(|it| it.0 <= 2));
}

/// What is told of a task that has no room is what it says itself: so many places.
#[test]
fn rf3_every_place_of_a_task_without_room_is_left() {
    let imports = "import fs from 'node:fs';\nimport path from 'node:path';\n";
    let fixture = many(3, |at| format!("//- src/{at}/f.js\n{imports}export const f{at} = {at};\n"));
    let mut repo = Repo::asked(&fixture, "Remove unused imports");
    repo.limits = Limits { max_batches: 1, ..Limits::default() };
    check(
        &repo,
        expect![[r#"
        batch-001 Clean risk 17 Fast critical | Remove unused imports in src/0/f.js (2 places)
          src/0/f.js
        left src/1/f.js:1 unused-imports: a plan has at most 1 task
        left src/1/f.js:2 unused-imports: a plan has at most 1 task
        left src/2/f.js:1 unused-imports: a plan has at most 1 task
        left src/2/f.js:2 unused-imports: a plan has at most 1 task
        note 2 tasks left out: a plan has at most 1 task
    "#]],
    );
    // Of a rule as well.
    let fixture = many(2, |at| {
        format!(
            "//- src/{at}/F.tsx\nimport {{ useState }} from 'react';\n\nfunction make(): number {{\n  return [1, 2].reduce((a, b) => a + b, 0);\n}}\n\nexport function F() {{\n  const [a] = useState(make());\n  const [b] = useState(make());\n  return <b>{{a + b}}</b>;\n}}\n"
        )
    });
    let react = "\"dependencies\": {\"react\": \"^19.0.0\"}, \"private\"";
    let fixture = fixture.replace("\"private\"", react);
    let mut repo = Repo::asked(&fixture, "apply rerender-lazy-state-init");
    repo.limits = Limits { max_batches: 1, ..Limits::default() };
    check(
        &repo,
        expect![[r#"
            batch-001 Small risk 22 Fast critical | rerender-lazy-state-init: The initial state is computed on each render in src/0/F.tsx (2 places)
              src/0/F.tsx  [rerender-lazy-state-init]
            left src/1/F.tsx:8 rerender-lazy-state-init: a plan has at most 1 task
            left src/1/F.tsx:9 rerender-lazy-state-init: a plan has at most 1 task
            note 1 task left out: a plan has at most 1 task
        "#]],
    );
}

#[test]
fn rf3_places_that_are_not_listed_are_counted() {
    let fixture = many(130, |at| {
        format!("//- test/f{at}.test.js\nfunction nobody{at}() {{}}\nconsole.log({at});\n")
    });
    let plan = Repo::new(&fixture).plan();
    let listed = plan.leftovers.iter().filter(|it| it.found_by == "dead-code").count();
    assert_eq!((listed, plan.unlisted), (100, 30));
    assert_eq!(plan.notes, ["dead-code: 30 places not listed"]);
    let written = serde_json::to_value(&plan).expect("plain data");
    assert_eq!(written["unlisted"], 30);
}

#[test]
fn rf3_an_empty_repository_has_an_empty_plan() {
    check(&Repo::new("//- README.md\n# Nothing\n"), expect![[""]]);
    let plan = Repo::asked("//- README.md\n# Nothing\n", "Remove dead code").plan();
    assert_eq!(plan.unserved, None);
    assert_eq!(plan.notes, ["looked for unused code: nothing found"]);
}

/// Thirty files in three folders: tasks stay small and in their folders.
#[test]
fn rf3_tasks_are_split_by_folders() {
    let fixture = many(30, |at| {
        let folder = ["api", "lib", "web"][at / 10];
        format!(
            "//- {folder}/f{at:02}.js\nimport path from 'node:path';\nexport const f{at} = {at};\n"
        )
    });
    let plan = Repo::new(&fixture).plan();
    let cleaned: Vec<&rb_core::Task> =
        plan.tasks.iter().filter(|it| it.stage == Stage::Clean).collect();
    assert_eq!(cleaned.len(), 6, "{}", shown(&plan));
    for task in cleaned {
        assert!(task.files.len() <= 10);
        let folder = task.files[0].ancestors().next().expect("a folder");
        assert!(task.files.iter().all(|it| it.is_within(&folder)));
    }
}

/// Texts in a row.
fn each(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect()
}

/// Imports through an index: unasked only where much lies behind it.
#[test]
fn rf3_small_indexes_are_left_alone_unless_asked_for() {
    let index = |name: &str, count: usize| {
        let lines = each(count, |at| format!("export * from './part{at}.js';\n"));
        let part = |at| format!("//- src/{name}/part{at}.js\nexport const {name}{at} = {at};\n");
        let parts = each(count, part);
        format!("//- src/{name}/index.js\n{lines}{parts}")
    };
    let user = "//- src/main.js\nimport { small0 } from './small/index.js';\nimport { large0 } from './large/index.js';\nimport { large1 } from './large/index.js';\n\nconsole.log(small0, large0, large1);\n";
    let fixture = |most: usize| {
        let (small, large) = (index("small", 1), index("large", most));
        format!(
            "//- package.json\n{{\"name\": \"x\", \"private\": true, \"type\": \"module\", \"sideEffects\": false}}\n{small}{large}{user}"
        )
    };
    let barrels = |plan: &rb_plan::Plan| {
        let tasks = plan.tasks.iter().filter(|it| it.by.words() == "recipe own-barrels");
        let tasks: Vec<&str> = tasks.map(|it| it.goal.as_str()).collect();
        let left = plan.leftovers.iter().filter(|it| it.found_by == "own-barrels");
        let left: Vec<String> =
            left.map(|it| format!("left: {}; {}", it.what, it.reason)).collect();
        format!("{}\n{}", tasks.join("\n"), left.join("\n"))
    };
    let unasked = Repo::new(&fixture(8));
    let plan = unasked.plan();
    expect![[r#"
        Import from the declaring file instead of an index file in src/main.js (2 places)
        left: imports through small index files: 1 place in 1 file; the index loads fewer than 8 files"#]]
    .assert_eq(&barrels(&plan));
    // What the task does later is what was planned.
    let task = task(&plan, "an index file");
    let again = unasked.with(|input| rb_plan::propose(input, task)).expect("looked for");
    let after = &unasked.texts_after(&again.expect("a proposal"));
    let after = after.values().next().expect("a file");
    assert!(after.contains("./small/index.js") && after.contains("./large/part0.js"), "{after}");
    expect![[r#"

        left: imports through small index files: 3 places in 1 file; the index loads fewer than 8 files"#]].assert_eq(&barrels(&Repo::new(&fixture(7)).plan()));
    let asked = Repo::asked(&fixture(7), "Fix barrel imports").plan();
    expect![[r#"
        Import from the declaring file instead of an index file in src/main.js (3 places)
    "#]]
    .assert_eq(&barrels(&asked));
}

/// As for a directive: a file that fails takes no other with it, as long as a plan has room.
#[test]
fn rf3_independent_files_are_told_apart_without_a_directive() {
    let fixture = format!(
        "//- package.json\n{{\"private\": true, \"type\": \"module\", \"dependencies\": {{\"better-sqlite3\": \"^11.0.0\"}}}}\n{}",
        each(4, |at| format!(
            "//- src/db{at}.js\nimport Database from 'better-sqlite3';\n\nconst db = new Database('x.db');\n\nexport function user{at}(name) {{\n  return db.prepare(`SELECT * FROM users WHERE name = '${{name}}'`).get();\n}}\n"
        ))
    );
    let directive = "Replace raw SQL string interpolation with parameterized queries";
    let goals =
        |repo: &Repo| -> Vec<String> { repo.plan().tasks.into_iter().map(|it| it.goal).collect() };
    let asked = goals(&Repo::asked(&fixture, directive));
    let mut whole = Repo::new(&fixture);
    assert_eq!(asked.len(), 4);
    assert_eq!(goals(&whole), asked);
    whole.limits.max_batches = 3;
    assert_eq!(goals(&whole).len(), 3);
    whole.limits.max_batches = 1;
    assert_eq!(goals(&whole), ["Pass SQL values as query parameters in src/ (4 places)"]);
}

#[test]
fn rf3_tasks_with_one_goal_are_named_by_their_files() {
    let fixture = many(30, |at| {
        format!("//- src/f{at:02}.js\nimport path from 'node:path';\nexport const f{at} = {at};\n")
    });
    let mut repo = Repo::new(&fixture);
    repo.limits.max_batches = 4;
    let plan = repo.plan();
    assert_eq!(plan.tasks.len(), 4, "{}", shown(&plan));
    for task in &plan.tasks {
        let (first, count) = (&task.files[0], task.files.len());
        let expected = format!(
            "Remove unused imports in {first} and {} more files ({count} places)",
            count - 1
        );
        assert_eq!(task.goal, expected);
    }
}

#[test]
fn rf3_a_copy_inside_of_a_copy_is_said_once() {
    let inner = "  function inner(text) {\n    const all = [];\n    for (const it of text) {\n      all.push(it);\n    }\n    all.sort();\n    all.reverse();\n    return all;\n  }\n";
    let outer = |name: &str| {
        format!(
            "//- src/{name}.js\nexport function {name}(text) {{\n{inner}  return inner(text);\n}}\n"
        )
    };
    let fixture = format!(
        "//- package.json\n{{\"private\": true, \"type\": \"module\"}}\n{}{}",
        outer("one"),
        outer("two")
    );
    let left = Repo::new(&fixture).plan().leftovers;
    let copies: Vec<&str> =
        left.iter().filter(|it| it.found_by == "duplicate").map(|it| it.what.as_str()).collect();
    assert_eq!(
        copies,
        ["2 functions with the same body of 12 lines: `one` (src/one.js:1), `two` (src/two.js:1)"]
    );
}

/// A recipe and a rule see the same search. The recipe sees further, and the rule waits until it is asked for.
#[test]
fn rf3_what_a_recipe_does_no_rule_does_as_well() {
    let fixture = "//- package.json
{\"private\": true, \"type\": \"module\", \"dependencies\": {\"react\": \"19\"}}
//- src/users.ts
interface User { country: string }
const countries = ['at', 'be', 'bg', 'cy', 'cz', 'de', 'dk', 'ee', 'es', 'fi', 'fr', 'gr', 'hr', 'hu', 'ie', 'it'];
export const european = (users: User[]) => users.filter((user) => countries.includes(user.country));
";
    let by_rule = Repo::asked(fixture, "apply js-set-map-lookups").plan();
    assert_eq!(by_rule.tasks.len(), 1, "{}", shown(&by_rule));
    let plan = Repo::new(fixture).plan();
    let done: Vec<String> = plan.tasks.iter().map(|it| it.by.words()).collect();
    assert_eq!(done, ["recipe indexed-lookup"]);
}
