//! Imports through an index, and the direct ones that they become, run in Node: each name must be the very same thing.

use std::collections::BTreeMap;

use rb_rules::Applicability;
use rb_rules::engine::rule;
use rb_rules::testing::Setup;
use serde_json::json;

use crate::harness;

/// The file that is rewritten; `import('…')` shows what the index has.
const ENTRIES: &[(&str, &str, &str)] = &[
    (
        "exports-map.js",
        "import { Button, Card as Box, useMenu } from 'ui';
export default async function main(log) {
  const index = await import('ui');
  log(Button === index.Button, Box === index.Card, useMenu === index.useMenu);
  log(Button.name, Box.name, useMenu());
}
",
        "import Button from 'ui/Button';
import Box from 'ui/Card';
import { useMenu } from 'ui/Menu';
",
    ),
    (
        "no-map.js",
        "import { debounce, take as some } from \"lodash-es\"
export default async function main(log) {
  const index = await import(\"lodash-es\")
  log(debounce === index.debounce, some === index.take, debounce.name, some.name)
}
",
        "import debounce from \"lodash-es/debounce.js\"
import { pick as some } from \"lodash-es/pick.js\"
",
    ),
    (
        "namespace.js",
        "import { Effect } from 'fx';
export default async function main(log) {
  const index = await import('fx');
  log(Effect === index.Effect, Effect.run());
}
",
        "import * as Effect from 'fx/Effect';
",
    ),
    (
        "project.js",
        "import { Alert, Table as Grid } from './ui';
export default async function main(log) {
  const index = await import('./ui');
  log(Alert === index.Alert, Grid === index.Table, Alert(), Grid());
}
",
        "import { Alert } from './ui/alert';
import Grid from './ui/table';
",
    ),
];

#[test]
fn ru1_barrels_give_the_same_bindings() {
    let rule = rule("bundle-barrel-imports").expect("the rule");
    let files = files();
    let mut input = Vec::new();
    for (entry, before, imports) in ENTRIES {
        let mut setup = Setup::new().path(&format!("src/{entry}"));
        for (path, text) in &files {
            setup = setup.file(path, text);
        }
        let after = setup.fixed(rule, before, Applicability::Auto).expect("a proved edit");
        assert!(after.starts_with(imports), "{after}");
        for (form, text) in [("before", *before), ("after", &after)] {
            let mut all: BTreeMap<&str, &str> =
                files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
            let path = format!("src/{entry}");
            all.insert(&path, text);
            input.push(json!({ "id": format!("{entry} {form}"), "files": all, "entry": path, "mode": "node" }));
        }
    }
    let traces = harness::run(&input);
    for (entry, _, _) in ENTRIES {
        let (before, after) =
            (&traces[&format!("{entry} before")], &traces[&format!("{entry} after")]);
        assert!(
            before[0].starts_with("log: true true") || before[0].starts_with("log: true 1"),
            "{before:?}"
        );
        assert_eq!(before, after, "{entry}");
    }
}

/// Packages as they are made: with a map, without one, of namespaces; and an index of the project.
fn files() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut add = |path: &str, text: &str| files.insert(path.to_owned(), text.to_owned());
    let fill = |folder: &str, add: &mut dyn FnMut(&str, &str)| {
        let parts = 0..50;
        for at in parts.clone() {
            add(&format!("{folder}/part{at}.js"), &format!("export const part{at} = {at};"));
        }
        parts.map(|at| format!("export * from './part{at}.js';")).collect::<Vec<_>>().join("\n")
    };
    let names = ["Button", "Card", "Menu"];
    let paths: String = names.map(|it| format!(r#","./{it}":"./{it}/index.js""#)).concat();
    add(
        "node_modules/ui/package.json",
        &format!(
            r#"{{"name":"ui","type":"module","sideEffects":false,"exports":{{".":"./index.js"{paths}}}}}"#
        ),
    );
    let filled = fill("node_modules/ui", &mut |path, text| {
        add(path, text);
    });
    let given_on = names.map(|it| format!("export {{ default as {it} }} from './{it}/index.js';\nexport * from './{it}/index.js';\n"));
    add("node_modules/ui/index.js", &format!("{}{filled}", given_on.concat()));
    for it in names {
        let folder = format!("node_modules/ui/{it}");
        add(
            &format!("{folder}/index.js"),
            &format!("export {{ default }} from './{it}.js';\nexport * from './{it}.js';\n"),
        );
        add(
            &format!("{folder}/{it}.js"),
            &format!("export const use{it} = () => '{it}';\nexport default function {it}() {{}}\n"),
        );
    }
    add(
        "node_modules/lodash-es/package.json",
        r#"{"name":"lodash-es","type":"module","main":"lodash.js","sideEffects":false}"#,
    );
    let index = fill("node_modules/lodash-es", &mut |path, text| {
        add(path, text);
    });
    add(
        "node_modules/lodash-es/lodash.js",
        &format!(
            "export {{ default as debounce }} from './debounce.js';\nexport {{ pick, pick as take }} from './pick.js';\n{index}"
        ),
    );
    add("node_modules/lodash-es/debounce.js", "export default function debounce() {}\n");
    add("node_modules/lodash-es/pick.js", "export function pick() {}\n");
    add(
        "node_modules/fx/package.json",
        r#"{"name":"fx","type":"module","sideEffects":false,"exports":{".":"./index.js","./Effect":"./Effect.js"}}"#,
    );
    let index = fill("node_modules/fx", &mut |path, text| {
        add(path, text);
    });
    add("node_modules/fx/index.js", &format!("export * as Effect from './Effect.js';\n{index}"));
    add("node_modules/fx/Effect.js", "export const run = () => 1;\n");
    let index = fill("src/ui", &mut |path, text| {
        add(path, text);
    });
    add(
        "src/ui/index.js",
        &format!(
            "export * from './alert';\nexport {{ default as Table }} from './table';\n{index}"
        ),
    );
    add("src/ui/alert.js", "export function Alert() { return 'alert'; }\n");
    add("src/ui/table/index.js", "export { Table as default } from './Table';\n");
    add("src/ui/table/Table.js", "export const Table = () => 'table';\n");
    files
}
