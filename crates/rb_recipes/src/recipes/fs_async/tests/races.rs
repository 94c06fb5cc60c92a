//! Steps that were atomic: a file or a state that is read, then a new wait, then written.

use super::RECIPE;
use crate::testing::{Outcome, Project};

fn run(fixture: &str) -> Outcome {
    Project::new(fixture).run(&RECIPE)
}

/// The lines of a file that are left because two calls could meet.
#[track_caller]
fn races(outcome: &Outcome, path: &str) -> Vec<u32> {
    let is_race = |it: &str| it.contains("no longer be atomic") || it.contains("is shared");
    let left = outcome.plan.left.iter();
    left.filter(|it| it.path == path && is_race(&it.reason)).map(|it| it.line).collect()
}

fn changed(outcome: &Outcome) -> Vec<(&str, u32)> {
    let sites = outcome.plan.chains.iter().flat_map(|it| &it.sites);
    sites.map(|it| (it.path.as_str(), it.line)).collect()
}

fn notes(outcome: &Outcome) -> Vec<&str> {
    outcome.plan.chains.iter().flat_map(|it| &it.notes).map(String::as_str).collect()
}

const SERVER: &str = "\
//- package.json
{ \"dependencies\": { \"express\": \"4\" } }
//- server.js
const express = require('express');
const { add } = require('./store');
const app = express();
app.post('/tasks', async (req, res) => {
  res.json(add(req.body));
});
app.listen(3000);
";

#[test]
fn ru3_fs_async_a_read_a_new_wait_and_a_write_stay_one_step() {
    let found = run(&format!(
        "{SERVER}//- store.js
const fs = require('fs');
function add(task) {{
  const tasks = JSON.parse(fs.readFileSync('tasks.json', 'utf8'));
  fs.copyFileSync('tasks.json', 'tasks.bak');
  tasks.push(task);
  fs.writeFileSync('tasks.json', JSON.stringify(tasks));
  return tasks;
}}
exports.add = add;
"
    ));
    assert_eq!(races(&found, "store.js"), [3, 4, 6]);
    assert_eq!(changed(&found), []);
    let left = &found.plan.left[0];
    assert_eq!(
        left.reason,
        "read-modify-write of `'tasks.json'` (lines 3 and 6) would no longer be atomic: two calls of `add` could overwrite each other's changes"
    );
    assert!(left.suggestion.contains("lock or queue per file"), "{}", left.suggestion);
}

#[test]
fn ru3_fs_async_helpers_constants_and_joined_paths_are_one_file() {
    for (read, write) in [
        ("FILE", "FILE"),
        ("path.join(__dirname, 'tasks.json')", "FILE"),
        ("file()", "path.resolve(__dirname, 'tasks.json')"),
        ("`${__dirname}/tasks.json`", "__dirname + '/tasks.json'"),
        ("config.file", "path.join(__dirname, 'data', '..', 'tasks.json')"),
    ] {
        let found = run(&format!(
            "{SERVER}//- config.js
const path = require('path');
const file = path.join(__dirname, 'tasks.json');
module.exports = {{ file }};
//- store.js
const fs = require('fs');
const path = require('path');
const config = require('./config');
const FILE = path.join(__dirname, 'tasks.json');
const file = () => FILE;
function load() {{
  return JSON.parse(fs.readFileSync({read}, 'utf8'));
}}
const save = (tasks) => {{
  fs.writeFileSync({write}, JSON.stringify(tasks));
}};
function add(task) {{
  const tasks = load();
  tasks.push(task);
  save(tasks);
  return tasks;
}}
module.exports = {{ add }};
"
        ));
        assert_eq!(races(&found, "store.js"), [7, 10], "{read} {write}");
    }
}

#[test]
fn ru3_fs_async_the_handler_that_loads_and_saves_is_what_counts() {
    let found = run("\
//- server.js
import http from 'node:http';
import { load, save } from './files.js';
http.createServer(async (req, res) => {
  const counts = load('counts.json');
  counts[req.url] = (counts[req.url] || 0) + 1;
  save('counts.json', counts);
  const page = load('page.json');
  res.end(page.text);
}).listen(0);
//- files.js
import fs from 'fs';
export function load(name) {
  return JSON.parse(fs.readFileSync(name, 'utf8'));
}
export function save(name, value) {
  fs.writeFileSync(name, JSON.stringify(value));
}
");
    assert_eq!(races(&found, "files.js"), [3, 6]);
    // Two files are no race.
    let found = run("\
//- server.js
import http from 'node:http';
import fs from 'fs';
http.createServer(async (req, res) => {
  const page = fs.readFileSync('page.json', 'utf8');
  fs.writeFileSync(`seen-${req.id}.json`, page);
  res.end(page);
}).listen(0);
");
    assert_eq!(changed(&found), [("server.js", 4), ("server.js", 5)]);
    assert_eq!(notes(&found), Vec::<&str>::new());
}

#[test]
fn ru3_fs_async_methods_of_a_class_share_its_path() {
    let found = run("\
//- store.js
const fs = require('fs');
class Store {
  constructor(file) { this.file = file; }
  load() { return JSON.parse(fs.readFileSync(this.file, 'utf8')); }
  save(all) { fs.writeFileSync(this.file, JSON.stringify(all)); }
  add(one) {
    const all = this.load();
    all.push(one);
    this.save(all);
  }
}
exports.Store = Store;
//- server.js
const { Store } = require('./store');
const store = new Store('a.json');
require('http').createServer(async (req, res) => {
  store.add(req.url);
  res.end();
}).listen(0);
");
    assert_eq!(races(&found, "store.js"), [4, 5]);
}

#[test]
fn ru3_fs_async_a_program_that_does_one_thing_at_a_time_is_converted() {
    let found = run("\
//- package.json
{ \"bin\": \"cli.js\", \"dependencies\": { \"commander\": \"12\" } }
//- cli.js
const fs = require('fs');
const { program } = require('commander');
function load() {
  return JSON.parse(fs.readFileSync('todo.json', 'utf8'));
}
function save(all) {
  fs.writeFileSync('todo.json', JSON.stringify(all));
}
program.command('add').action((text) => {
  const all = load();
  all.push(text);
  save(all);
});
program.parseAsync();
//- once.js
const fs = require('fs');
async function main() {
  const config = JSON.parse(fs.readFileSync('c.json', 'utf8'));
  config.runs += 1;
  fs.writeFileSync('c.json', JSON.stringify(config));
}
main().catch(console.error);
");
    assert_eq!(changed(&found), [("cli.js", 4), ("cli.js", 7), ("once.js", 3), ("once.js", 5)]);
    assert_eq!(notes(&found), Vec::<&str>::new());
}

#[test]
fn ru3_fs_async_calls_side_by_side_are_no_single_calls() {
    let found = run("\
//- once.js
const fs = require('fs');
async function bump(name) {
  const counts = JSON.parse(fs.readFileSync('c.json', 'utf8'));
  counts[name] = 1;
  fs.writeFileSync('c.json', JSON.stringify(counts));
}
async function main(names) {
  await Promise.all(names.map((name) => bump(name)));
}
main(process.argv.slice(2));
");
    assert_eq!(races(&found, "once.js"), [3, 5]);
}

#[test]
fn ru3_fs_async_what_waited_before_is_no_new_race() {
    let found = run("\
//- server.js
const fs = require('fs');
const express = require('express');
const app = express();
app.post('/', async (req, res) => {
  const all = JSON.parse(fs.readFileSync(req.file, 'utf8'));
  await check(all);
  fs.writeFileSync(req.file, JSON.stringify(all));
  res.end();
});
async function check() {}
");
    assert_eq!(changed(&found), [("server.js", 5), ("server.js", 7)]);
}

#[test]
fn ru3_fs_async_harmless_pairs_are_silent_and_others_are_noted() {
    let found = run("\
//- server.js
const fs = require('fs');
const express = require('express');
const app = express();
app.post('/', async (req, res) => {
  if (!fs.existsSync(req.dir)) fs.mkdirSync(req.dir, { recursive: true });
  fs.rmSync(req.gone, { force: true });
  if (fs.existsSync(req.page)) res.end(fs.readFileSync(req.page));
});
app.delete('/', async (req, res) => {
  if (fs.existsSync(req.old)) {
    fs.unlinkSync(req.old);
  }
  res.end();
});
");
    assert_eq!(changed(&found).len(), 7, "{:#?}", found.plan);
    assert_eq!(
        notes(&found),
        ["server.js: check-then-act on `req.old` (lines 10 and 11) is no longer atomic"]
    );
}

#[test]
fn ru3_fs_async_either_or_is_no_pair() {
    let found = run("\
//- server.js
const fs = require('fs');
const express = require('express');
const app = express();
app.all('/', async (req, res) => {
  if (req.method === 'GET') {
    return res.end(fs.readFileSync(req.file));
  }
  fs.writeFileSync(req.file, req.body);
  res.end();
});
");
    assert_eq!(changed(&found).len(), 2, "{:#?}", found.plan);
}

#[test]
fn ru3_fs_async_state_in_memory_stays_one_step() {
    let server = |body: &str| {
        format!(
            "//- server.js
const fs = require('fs');
const express = require('express');
const app = express();
let next = 1;
let cache = null;
const items = [];
const names = new Map();
app.post('/', async (req, res) => {{
{body}
  res.end();
}});
"
        )
    };
    for racing in [
        "  const id = next;\n  fs.writeFileSync(`${id}-${req.id}.json`, '');\n  next = id + 1;",
        "  const id = items.length;\n  fs.mkdirSync(req.dir, { recursive: true });\n  items.push({ id });",
        "  if (names.has(req.id)) {\n    throw new Error('taken');\n  }\n  fs.mkdirSync(req.dir, { recursive: true });\n  names.set(req.id, 1);",
        "  next = next + fs.readFileSync(req.file, 'utf8').length;",
    ] {
        let found = run(&server(racing));
        assert_eq!(changed(&found), [], "{racing}");
        assert_eq!(races(&found, "server.js").len(), 1, "{racing}");
    }
    for harmless in [
        "  if (!cache) cache = fs.readFileSync('page.html', 'utf8');\n  res.write(cache);",
        "  if (!names.has(req.id)) names.set(req.id, fs.readFileSync(req.file));\n  res.write(names.get(req.id));",
        "  next += 1;\n  fs.writeFileSync(`${req.id}.json`, '');\n  items.push(1);",
        "  cache ??= fs.readFileSync('page.html', 'utf8');\n  res.write(cache);",
        "  const text = fs.readFileSync(req.file, 'utf8');\n  items.push(text);",
    ] {
        let found = run(&server(harmless));
        assert_eq!(changed(&found).len(), 1, "{harmless}: {:#?}", found.plan);
    }
}

#[test]
fn ru3_fs_async_one_file_that_every_request_writes_is_left() {
    let found = run("\
//- server.js
const fs = require('fs');
const express = require('express');
const app = express();
const state = { hits: 0 };
app.get('/', async (req, res) => {
  state.hits += 1;
  fs.writeFileSync('state.json', JSON.stringify(state));
  res.end();
});
");
    assert_eq!(changed(&found), []);
    let reason = &found.plan.left[0].reason;
    assert!(reason.contains("could write `'state.json'` at the same time"), "{reason}");
}

#[test]
fn ru3_fs_async_a_file_that_one_request_writes_and_another_reads_is_left() {
    let server = |writes: &str| {
        format!(
            "//- server.js
const fs = require('fs');
const express = require('express');
const app = express();
const save = (page) => fs.writeFileSync('page.json', JSON.stringify(page));
app.get('/', async (req, res) => {{
  res.end(fs.readFileSync('page.json'));
}});
{writes}
"
        )
    };
    let found =
        run(&server("app.put('/', async (req, res) => {\n  save(req.body);\n  res.end();\n});"));
    assert_eq!(changed(&found), []);
    let reasons: Vec<&str> = found.plan.left.iter().map(|it| it.reason.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "two calls of `save` could write `'page.json'` at the same time and mix their contents",
            "`save` (server.js:4) could write `'page.json'` while it is read",
        ]
    );
    // Before the first request nobody reads.
    let found = run(&server("save({ hits: 0 });\napp.listen(0);"));
    assert!(changed(&found).contains(&("server.js", 6)), "{:#?}", found.plan);
    // Another file.
    let found = run(&server(
        "app.put('/', async (req, res) => {\n  fs.writeFileSync(req.name, req.body);\n  res.end();\n});",
    ));
    assert!(changed(&found).contains(&("server.js", 6)), "{:#?}", found.plan);
}

#[test]
fn ru3_fs_async_what_is_started_and_not_awaited_does_its_first_part_at_once() {
    for start in [
        "void Stories.update(id).catch(console.error);",
        "Stories.update(id).then(show, show);",
        "void update(id);",
    ] {
        let found = run(&format!(
            "//- stories.js
const fs = require('fs');
const busy = new Map();
class Stories {{
  static async update(id) {{
    const text = fs.readFileSync(`${{id}}.txt`, 'utf8');
    busy.set(id, text);
    await show(text);
  }}
}}
async function update(id) {{
  const text = fs.readFileSync(`${{id}}.txt`, 'utf8');
  busy.set(id, text);
  await show(text);
}}
async function show() {{}}
async function check(id) {{
  {start}
  return busy.size;
}}
check(1);
"
        ));
        let method = if start.contains("Stories") { 5 } else { 11 };
        let left = found.plan.left.iter().find(|it| it.line == method);
        let reason = left.map_or("", |it| it.reason.as_str());
        assert!(reason.contains("is called without `await`"), "{start}: {:?}", found.plan.left);
    }
}
