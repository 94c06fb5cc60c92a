//! An index that followed a thousand changes says the same, byte for byte, as one that saw only the last state.

use std::path::Path;

use rb_testkit::write_fixture;

use crate::support::{all_it_says, index};

const START: &str = r#"
//- package.json
{"name": "shop", "workspaces": ["packages/*"], "main": "src/main.ts", "dependencies": {"react": "19"}}
//- tsconfig.json
{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}}
//- packages/util/package.json
{"name": "@shop/util", "exports": {".": "./src/index.ts"}}
//- packages/util/src/index.ts
export * from "./math";
//- packages/util/src/math.ts
export function add(a: number, b: number) { return a + b }
//- src/main.ts
import { add } from "@shop/util";
import { cart } from "@/cart";
import fs from "node:fs";
export function main() { return cart(add(1, 2)) }
main();
//- src/cart.ts
import { main } from "./main";
export const cart = (n: number) => n > 3 ? main() : n;
//- src/Button.tsx
"use client";
import { useState } from "react";
export function Button() { const [n, set] = useState(0); return <b onClick={() => set(n + 1)}>{n}</b> }
//- pyproject.toml
[project]
name = "tools"
//- tools/__init__.py
//- tools/a.py
from . import b
from .c import helper
def run():
    return b.go(helper())
//- tools/b.py
def go(x):
    return x
//- tools/c.py
import os
def helper():
    return os.name
//- go.mod
module example.com/shop
go 1.22
//- cmd/shop/main.go
package main
import "example.com/shop/store"
func main() { store.Open(); helper() }
//- cmd/shop/helper.go
package main
func helper() {}
//- store/store.go
package store
func Open() { load() }
//- store/load.go
package store
func load() {}
//- crate/Cargo.toml
[package]
name = "crate_a"
//- crate/src/lib.rs
mod inner;
pub use inner::Thing;
pub fn make() -> Thing { inner::build() }
//- crate/src/inner.rs
pub struct Thing;
pub fn build() -> Thing { Thing }
//- README.md
# Shop
A shop that sells things.
"#;

/// What files may turn into, by extension: imports come and go, names change, code breaks.
const TEXTS: &[(&str, &[&str])] = &[
    (
        "ts",
        &[
            "import { add } from \"@shop/util\";\nexport const x = add(1, 2);\n",
            "import { cart } from \"@/cart\";\nimport \"./main\";\nexport class A { run() { return cart(1) } }\n",
            "export * from \"./cart\";\n",
            "export function broken( {\n",
            "import { gone } from \"./not-there\";\ngone();\n",
            "",
        ],
    ),
    (
        "tsx",
        &[
            "export default function Page() { return <div/> }\n",
            "\"use client\";\nexport const A = () => <a/>;\n",
        ],
    ),
    (
        "py",
        &[
            "from .b import go\ndef again():\n    return go(1)\n",
            "import tools.a\nfrom tools import c\n",
            "class A:\n    def m(self):\n        return self.m()\n",
            "",
        ],
    ),
    (
        "go",
        &[
            "package store\nfunc Open() {}\nfunc other() { Open() }\n",
            "package store\nimport \"fmt\"\nfunc load() { fmt.Println() }\n",
            "package main\nfunc helper() { more() }\n",
            "package main\nfunc more() {}\n",
        ],
    ),
    (
        "rs",
        &[
            "pub struct Thing;\npub fn build() -> Thing { Thing }\n",
            "use crate::make;\npub struct Thing;\npub fn build() -> Thing { make() }\n",
        ],
    ),
    (
        "json",
        &[
            "{\"name\": \"shop\"}",
            "{\"name\": \"@shop/util\", \"main\": \"src/math.ts\"}",
            "{ broken",
        ],
    ),
];

/// A small generator, so that a failure can be seen again.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}

fn files(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for name in rb_core::fs::list(&folder).unwrap() {
            let path = folder.join(name);
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// One change of the kinds that a working day has.
fn change(root: &Path, dice: &mut Dice) -> String {
    let all = files(root);
    let path = dice.pick(&all);
    let extension = path.rsplit('.').next().unwrap().to_owned();
    let texts = TEXTS.iter().find(|(of, _)| *of == extension).map(|(_, texts)| *texts);
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        rb_core::fs::create_dir_all(path.parent().unwrap()).unwrap();
        rb_core::fs::write(&path, text.as_bytes(), rb_core::fs::Durability::Relaxed).unwrap();
    };
    match (dice.below(10), texts) {
        (0..=4, Some(texts)) => {
            write(&path, dice.pick(texts));
            format!("rewrite {path}")
        }
        (5, Some(_)) => {
            let folder =
                path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
            let name = dice.pick(&["new", "cart", "math", "b", "index", "load", "inner"]);
            let new = format!("{folder}{name}.{extension}");
            write(&new, dice.pick(texts.unwrap()));
            format!("add {new}")
        }
        (6, _) if all.len() > 12 => {
            rb_core::fs::remove_file(&root.join(&path)).unwrap();
            format!("delete {path}")
        }
        (7, _) => {
            let new = format!(
                "{}moved_{}.{extension}",
                ["", "src/", "tools/", "store/"][dice.below(4)],
                dice.below(5)
            );
            rb_core::fs::create_dir_all(root.join(&new).parent().unwrap()).unwrap();
            rb_core::fs::rename(&root.join(&path), &root.join(&new)).unwrap();
            format!("rename {path} to {new}")
        }
        (8, _) => {
            let text = rb_core::fs::read(&root.join(&path)).unwrap();
            write(&path, &String::from_utf8(text).unwrap());
            format!("touch {path}")
        }
        _ => {
            let mut text =
                String::from_utf8(rb_core::fs::read(&root.join(&path)).unwrap()).unwrap();
            text.push('\n');
            write(&path, &text);
            format!("append to {path}")
        }
    }
}

/// Goal G16: every one of 500 changes, renames and deletions among them.
#[test]
fn ix9_following_changes_gives_what_a_clean_build_gives() {
    let root = tempfile::tempdir().unwrap();
    let kept = tempfile::tempdir().unwrap();
    write_fixture(root.path(), START);
    let mut dice = Dice(7);
    index(root.path(), kept.path());
    let mut history = Vec::new();
    for step in 0..500 {
        // Sometimes several at once, as after a branch switch.
        let at_once = [1, 1, 1, 2, 7][dice.below(5)];
        for _ in 0..at_once {
            history.push(change(root.path(), &mut dice));
        }
        let last = history[history.len().saturating_sub(8)..].to_vec();
        assert_as_built_clean(root.path(), kept.path(), &format!("step {step}: {last:#?}"));
        if step % 20 == 19 {
            // Another checkout, which begins from what is known of this one and has moved on.
            let copy = tempfile::tempdir().unwrap();
            for path in files(root.path()) {
                let to = copy.path().join(&path);
                std::fs::create_dir_all(to.parent().unwrap()).unwrap();
                std::fs::copy(root.path().join(&path), to).unwrap();
            }
            let moved = (0..step % 3).map(|_| change(copy.path(), &mut dice)).collect::<Vec<_>>();
            assert_as_built_clean(copy.path(), kept.path(), &format!("a copy with {moved:#?}"));
        }
    }
}

fn assert_as_built_clean(root: &Path, kept: &Path, when: &str) {
    let followed = all_it_says(&index(root, kept));
    let fresh = tempfile::tempdir().unwrap();
    let clean = all_it_says(&index(root, fresh.path()));
    for (name, text) in &clean {
        assert_eq!(&followed[name], text, "{name} differs after {when}");
    }
}
