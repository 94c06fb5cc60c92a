//! A store that handlers change at the same time, run before and after `fs-async`: no change is lost.

use rb_recipes::recipes::fs_async::RECIPE;

use crate::differential::{Program, compare, traces_of};

/// `step` is what the store does between its read and its write.
fn store(read: &str, step: &str, write: &str) -> Program {
    let fixture = format!(
        "//- store.js
const fs = require('fs');
const path = require('path');
const FILE = path.join(__dirname, 'tasks.json');
const load = () => JSON.parse(fs.readFileSync(FILE, 'utf8'));
function save(tasks) {{
  fs.writeFileSync(FILE, JSON.stringify(tasks));
}}
function add(task) {{
  const tasks = {read};
  {step}
  tasks.push(task);
  {write};
}}
module.exports = {{ add }};
//- main.js
const fs = require('fs');
const path = require('path');
const {{ EventEmitter }} = require('events');
const {{ add }} = require('./store');
const server = new EventEmitter();
server.handlers = [];
server.post = (handler) => server.handlers.push(handler);
server.post(async (task) => {{
  add(task);
}});
async function main(log) {{
  fs.writeFileSync(path.join(__dirname, 'tasks.json'), '[]');
  await Promise.all([1, 99].map((task) => server.handlers[0](task)));
  log(fs.readFileSync(path.join(__dirname, 'tasks.json'), 'utf8'));
}}
module.exports = {{ main }};
"
    );
    Program { fixture, main: "main.js" }
}

fn stores() -> Vec<Program> {
    let own = "JSON.parse(fs.readFileSync(path.join(__dirname, 'tasks.json'), 'utf8'))";
    vec![
        store("load()", "", "save(tasks)"),
        store(own, "fs.copyFileSync(FILE, FILE + '.bak');", "save(tasks)"),
        store("load()", "", "fs.writeFileSync(`${__dirname}/tasks.json`, JSON.stringify(tasks))"),
    ]
}

#[test]
fn ru3_fs_async_loses_no_update_of_two_calls() {
    let stores = stores();
    let compared = compare(&RECIPE, &stores);
    compared.assert_same(&stores, 0);
    let kept = compared.outcome.plan.left.iter().filter(|it| it.path.ends_with("store.js"));
    assert_eq!(kept.filter(|it| it.reason.contains("no longer be atomic")).count(), 7);
}

/// Goes on when two have come, so that both calls have read before either writes.
const BOTH: &str = "
let come = 0;
let open;
const all = new Promise((resolve) => { open = resolve; });
function both() {
  come += 1;
  if (come === 2) open();
  return all;
}
module.exports = { add };";

/// The same stores, made to wait without a look at what two calls do to each other.
#[test]
fn ru3_fs_async_an_unguarded_edit_would_lose_one() {
    let unguarded = |it: Program| {
        let mut fixture = it.fixture;
        for (before, after) in [
            (
                "const load = () => JSON.parse(fs.readFileSync(",
                "const load = async () => JSON.parse(await fs.promises.readFile(",
            ),
            (
                "function save(tasks) {\n  fs.writeFileSync(",
                "async function save(tasks) {\n  await fs.promises.writeFile(",
            ),
            ("function add(", "async function add("),
            ("= load()", "= await load()"),
            ("= JSON.parse(fs.readFileSync(path", "= JSON.parse(await fs.promises.readFile(path"),
            ("  fs.copyFileSync(", "  await fs.promises.copyFile("),
            ("  save(tasks)", "  await save(tasks)"),
            ("  fs.writeFileSync(`", "  await fs.promises.writeFile(`"),
            ("  add(task)", "  await add(task)"),
            ("  tasks.push(task);", "  await both();\n  tasks.push(task);"),
            ("module.exports = { add };", BOTH),
        ] {
            fixture = fixture.replace(before, after);
        }
        Program { fixture, ..it }
    };
    let (before, after) = (stores(), stores().into_iter().map(unguarded).collect::<Vec<_>>());
    let (before, after) = (traces_of(&before), traces_of(&after));
    for (id, trace) in &before {
        assert_eq!(trace[0], "[1,99]", "{id}");
        assert_ne!(after[id], *trace, "{id}: an edit without a guard keeps both");
    }
}
