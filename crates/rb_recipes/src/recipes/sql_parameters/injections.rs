//! Data from outside: as a value it becomes a parameter, elsewhere it is reported as an open injection.

use super::RECIPE;
use crate::testing::{Outcome, Project};

fn run(body: &str) -> Outcome {
    Project::new(&format!(
        "//- src/x.js
const express = require('express');
const mysql = require('mysql2');
const db = mysql.createPool({{}});
const app = express();
{body}
"
    ))
    .run(&RECIPE)
}

fn open(outcome: &Outcome) -> Vec<&str> {
    let left = outcome.plan.left.iter().map(|it| it.reason.as_str());
    left.filter(|it| it.starts_with("open SQL injection")).collect()
}

#[test]
fn ru3_sql_parameters_the_place_decides_and_not_the_name() {
    for value in [
        "SELECT * FROM t WHERE a = ${req.body.filter}",
        "SELECT * FROM t WHERE a = ${req.body.order}",
        "SELECT * FROM t WHERE a = ${req.body.column}",
        "SELECT * FROM t WHERE a = '${req.query.sql}'",
        "SELECT * FROM t WHERE a LIKE '%${req.query.query}%'",
        "SELECT * FROM t WHERE a IN (${req.body.table}, 2)",
        "UPDATE t SET a = ${req.body.set} WHERE b = 1",
        "INSERT INTO t (a, b) VALUES (1, ${req.body.fields})",
        "SELECT * FROM t LIMIT ${req.query.limit}",
        "SELECT * FROM t LIMIT 10 OFFSET ${req.query.offset || 0}",
    ] {
        let found = run(&format!(
            "app.post('/', async (req, res) => {{\n  res.json(await db.promise().query(`{value}`));\n}});"
        ));
        assert_eq!(found.plan.left, [], "{value}");
        let text = found.changed.get("src/x.js").map(ToString::to_string).unwrap_or_default();
        assert!(text.contains('?') && !text.contains("query(`"), "{value}: {text}");
    }
    // Values that are no request's, too.
    let found = run(
        "function of(table) {\n  return db.promise().query(`SELECT * FROM t WHERE table_id = ${table}`);\n}\nof(1);",
    );
    assert_eq!(found.plan.left, []);
    let found = run(
        "function of(subquery) {\n  return db.promise().query(`SELECT * FROM t WHERE id = ${subquery}`);\n}\nof('(SELECT 1)');",
    );
    assert_eq!(found.plan.left.len(), 1);
}

#[test]
fn ru3_sql_parameters_names_from_outside_are_open_injections() {
    for (code, name) in [
        ("SELECT * FROM t ORDER BY ${req.query.sort}", "req.query.sort"),
        ("SELECT * FROM t ORDER BY a ${req.query.dir}", "req.query.dir"),
        ("SELECT * FROM ${req.params.table}", "req.params.table"),
        ("SELECT ${req.body.column} FROM t", "req.body.column"),
    ] {
        let found = run(&format!(
            "app.get('/', async (req, res) => {{\n  res.json(await db.promise().query(`{code}`));\n}});"
        ));
        let reasons = open(&found);
        assert_eq!(reasons.len(), 1, "{code}: {:?}", found.plan.left);
        let expected = format!("open SQL injection: `{name}` reaches the query in src/x.js:6; ");
        assert!(reasons[0].starts_with(&expected), "{}", reasons[0]);
        let suggestion = &found.plan.left[0].suggestion;
        assert!(!suggestion.contains("quote"), "{suggestion}");
        assert!(suggestion.contains("allowed"), "{suggestion}");
    }
}

#[test]
fn ru3_sql_parameters_data_is_followed_to_where_it_comes_from() {
    for (body, name) in [
        (
            "app.get('/', (req, res) => list(req.query.sort));\nfunction list(by) {\n  return db.promise().query(`SELECT * FROM t ORDER BY ${by}`);\n}",
            "req.query.sort",
        ),
        (
            "app.get('/', (req, res) => {\n  const { sort } = req.query;\n  db.query(`SELECT * FROM t ORDER BY ${sort}`);\n});",
            "req.query",
        ),
        ("const [, , table] = process.argv;\ndb.query(`SELECT * FROM ${table}`);", "process.argv"),
        ("socket.on('list', (data) => {\n  db.query(`SELECT * FROM ${data.table}`);\n});", "data"),
        (
            "app.get('/', (req, res) => {\n  let by = 'id';\n  if (req.query.by) by = req.query.by;\n  db.query(`SELECT * FROM t ORDER BY ${by}`);\n});",
            "req.query.by",
        ),
    ] {
        let found = run(body);
        let reasons = open(&found);
        assert!(
            reasons.len() == 1 && reasons[0].contains(&format!("`{name}`")),
            "{body}: {:?}",
            found.plan.left
        );
    }
    for safe in [
        "app.get('/', (req, res) => {\n  const by = { a: 'a', b: 'b' }[req.query.by];\n  db.query(`SELECT * FROM t ORDER BY ${by}`);\n});",
        "app.get('/', (req, res) => {\n  const by = req.query.by;\n  if (!['a', 'b'].includes(by)) throw new Error('no');\n  db.query(`SELECT * FROM t ORDER BY ${by}`);\n});",
        "function list(by) {\n  db.query(`SELECT * FROM t ORDER BY ${by}`);\n}\nlist('id');",
        "app.get('/', (req, res) => {\n  db.query(`SELECT * FROM t ORDER BY ${db.escapeId(req.query.by)}`);\n});",
    ] {
        assert_eq!(open(&run(safe)), Vec::<&str>::new(), "{safe}");
    }
}

#[test]
fn ru3_sql_parameters_open_injections_come_first() {
    let found = run(
        "function a(by) {\n  db.query(`SELECT * FROM t ORDER BY ${by}`);\n}\na('x');\napp.get('/', (req, res) => {\n  db.query(`SELECT * FROM t ORDER BY ${req.query.by}`);\n});",
    );
    assert_eq!(found.plan.left.len(), 2);
    assert!(found.plan.left[0].reason.starts_with("open SQL injection"), "{:?}", found.plan.left);
}

#[test]
fn ru3_sql_parameters_a_list_is_indented_as_its_statement() {
    let found = run("app.post('/', async (req, res) => {
  const { firstName, lastName, department, position } = req.body;
  await db.promise().query(`
        INSERT INTO people (first_name, last_name, department, position_in_the_company)
        VALUES ('${firstName}', '${lastName}', '${department}', '${position}') -- kept
        `);
});");
    let text = found.changed.get("src/x.js").map(ToString::to_string).unwrap_or_default();
    assert!(
        text.contains("`, [\n    firstName,\n    lastName,\n")
            || text.contains("`, [firstName, lastName, department, position]"),
        "{text}"
    );
    assert!(!text.contains("\n            firstName"), "{text}");
    // Too long for a line.
    let found = run("app.post('/', async (req, res) => {
  const { firstName, lastName, department, position, dateOfEmployment, emergencyContact, officeLocation } = req.body;
  await db.promise().query(`
        INSERT INTO people (first_name, last_name, department, position, employed, contact, office)
        VALUES ('${firstName}', '${lastName}', '${department}', '${position}', '${dateOfEmployment}', '${emergencyContact}', '${officeLocation}')
        `);
});");
    let text = found.changed.get("src/x.js").map(ToString::to_string).unwrap_or_default();
    assert!(text.contains("`, [\n    firstName,\n    lastName,\n"), "{text}");
}

#[test]
fn ru3_sql_parameters_callers_use_the_names_of_exports() {
    let callers = [
        ("module.exports = load;", "const get = require('./model');", "get(req.query.name)"),
        (
            "module.exports = { find: load };",
            "const m = require('./model');",
            "m.find(req.query.name)",
        ),
        (
            "const all = { find: load };\nmodule.exports = all;",
            "const m = require('./model');",
            "m.find(req.query.name)",
        ),
        ("exports.find = load;", "const { find } = require('./model');", "find(req.query.name)"),
        ("export default load;", "import get from './model';", "get(req.query.name)"),
        ("export { load as find };", "import * as m from './model';", "m.find(req.query.name)"),
    ];
    for (export, import, call) in callers {
        let found = Project::new(&format!(
            "//- src/model.js
const mysql = require('mysql2');
const db = mysql.createPool({{}});
function load(name) {{
  return db.promise().query(`SELECT * FROM t ORDER BY ${{name}}`);
}}
{export}
//- src/route.js
{import}
exports.route = (req) => {call};
"
        ))
        .run(&RECIPE);
        let open = open(&found);
        assert_eq!(open.len(), 1, "{export} {import}: {:?}", found.plan.left);
        assert!(open[0].contains("`req.query.name`"), "{open:?}");
    }
}
