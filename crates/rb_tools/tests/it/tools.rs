//! What each tool says of the shop.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::support::Fixture;

/// Each call in a session of its own.
#[track_caller]
fn check(calls: &[(&str, Value, Expect)]) {
    let fixture = Fixture::shop();
    for (name, input, expected) in calls {
        expected.assert_eq(&fixture.session().show(name, input));
    }
}

#[test]
fn ix12_overview_says_what_the_repository_is() {
    check(&[(
        "overview",
        json!({}),
        expect![[r#"
        shop: web service
        A small shop that renders pages.
        14 files (11 with code), 105 lines, 18 symbols
        Languages: JavaScript (3 files, 36 lines), Python (2 files, 31 lines), Go (3 files, 27 lines)

        Architecture:
          web service: package.json depends on express; lib/app.js imports express; and 1 more

        Entry points:
          lib/app.js (library): package.json names it as main
          server/main.go (program): can be started by itself

        Most important files, score = 0.4 centrality + 0.25 naming + 0.2 size + 0.15 activity:
          0.78  stock/store.py (centrality 0.79, naming 0.80, size 0.66, activity 0.90; 20 lines, used by 2 files)
          0.76  lib/view.js (centrality 1.00, naming 0.40, size 0.63, activity 0.90; 17 lines, used by 2 files)
          0.67  server/price.go (centrality 0.79, naming 0.40, size 0.52, activity 1.00; 10 lines, used by 2 files)
          0.50  lib/app.js (centrality 0.00, naming 1.00, size 0.59, activity 0.90; 14 lines, used by 0 files)
          0.48  server/main.go (centrality 0.00, naming 1.00, size 0.48, activity 0.90; 8 lines, used by 0 files)
          0.27  stock/test_store.py (centrality 0.00, naming 0.10, size 0.54, activity 0.90; 11 lines, used by 0 files)
          0.26  server/price_test.go (centrality 0.00, naming 0.10, size 0.50, activity 0.90; 9 lines, used by 0 files)
          0.24  test/view.test.js (centrality 0.00, naming 0.10, size 0.39, activity 0.90; 5 lines, used by 0 files)
          (6 other files left out. `list_files` lists all.)

        Tests: 3 test files; 3 of 8 source files have at least one.
          server (1 file)
          stock (1 file)
          test (1 file)
        External packages, the most used first: `express`
        Set aside (not read, or ranked last): 2 trivial, 1 generated
        -- files lib/app.js server/main.go stock/store.py lib/view.js server/price.go stock/test_store.py server/price_test.go test/view.test.js
    "#]],
    )]);
}

#[test]
fn as2_files_are_listed_by_folder_glob_and_order() {
    check(&[
        (
            "list_files",
            json!({}),
            expect![[r#"
            14 files in the repository:
              stock/store.py (Python, 20 lines, used by 2)
              lib/view.js (JavaScript, 17 lines, used by 2)
              server/price.go (Go, 10 lines, used by 2)
              lib/app.js (JavaScript, 14 lines, used by 0)
              server/main.go (Go, 8 lines, used by 0)
              stock/test_store.py (Python, 11 lines, used by 0)
              server/price_test.go (Go, 9 lines, used by 0)
              test/view.test.js (JavaScript, 5 lines, used by 0)
              lib/index.js (JavaScript, 1 line, used by 1) [trivial: nothing but re-exports]
              lib/routes.generated.js (JavaScript, 2 lines, used by 0) [generated: named `*.generated.js`]
              server/go.mod (other, 3 lines, used by 0)
              README.md (Markdown, 3 lines, used by 0)
              stock/__init__.py (Python, 1 line, used by 0) [trivial: __init__.py of 1 line]
              package.json (JSON, 1 line, used by 0)
            -- files stock/store.py lib/view.js server/price.go lib/app.js server/main.go stock/test_store.py server/price_test.go test/view.test.js lib/index.js lib/routes.generated.js server/go.mod README.md stock/__init__.py package.json
        "#]],
        ),
        (
            "list_files",
            json!({ "folder": "lib", "sort": "path" }),
            expect![[r#"
            4 files in lib:
              lib/app.js (JavaScript, 14 lines, used by 0)
              lib/index.js (JavaScript, 1 line, used by 1) [trivial: nothing but re-exports]
              lib/routes.generated.js (JavaScript, 2 lines, used by 0) [generated: named `*.generated.js`]
              lib/view.js (JavaScript, 17 lines, used by 2)
            -- files lib/app.js lib/index.js lib/routes.generated.js lib/view.js
        "#]],
        ),
        (
            "list_files",
            json!({ "glob": "*.py", "limit": 1 }),
            expect![[r#"
            3 files in the repository:
              stock/store.py (Python, 20 lines, used by 2)
            (2 more files left out. Narrow the list with `folder` or `glob`.)
            Folders below, with the number of these files: stock (3)
            -- files stock/store.py
        "#]],
        ),
        (
            "list_files",
            json!({ "folder": "./server/" }),
            expect![[r#"
            4 files in server:
              server/price.go (Go, 10 lines, used by 2)
              server/main.go (Go, 8 lines, used by 0)
              server/price_test.go (Go, 9 lines, used by 0)
              server/go.mod (other, 3 lines, used by 0)
            -- files server/price.go server/main.go server/price_test.go server/go.mod
        "#]],
        ),
    ]);
}

#[test]
fn as2_search_gives_files_with_symbols_and_lines() {
    check(&[(
        "search",
        json!({ "query": "lookup" }),
        expect![[r#"
            Searched 14 files for "lookup". Best matches first:
            lib/view.js (17 lines)
              method `lookup` (8-10), function `resolve` (13-15), class `View` (2-11)
                1 | /** Finds templates. */
                2 | export class View {
                3 |   constructor(name) {
                4 |     this.name = name;
                5 |   }
                6 | 
                7 |   /** Looks a template up by its name. */
                8 |   lookup(folder) {
                9 |     return resolve(folder, this.name);
               10 |   }
               11 | }
               12 | 
               13 | export function resolve(folder, name) {
               14 |   return folder + '/' + name;
               15 | }
               16 | 
               17 | export const LIMIT = 10;
            lib/app.js (14 lines)
              function `render` (5-9)
                1 | import express from 'express';
                2 | import { LIMIT, View } from './index.js';
                3 | 
                4 | /** Renders a page by its name. Names are short. */
                5 | export function render(name) {
                6 |   const view = new View(name);
                7 |   if (name.length > LIMIT) throw new Error('too long');
                8 |   return view.lookup('views');
                9 | }
               10 | 
               11 | export function main() {
               12 |   express().listen(80);
               13 |   return render('home');
               14 | }
            test/view.test.js (5 lines)
                1 | import { View, resolve } from '../lib/view.js';
                2 | 
                3 | test('a template is found', () => {
                4 |   expect(new View('a').lookup('b')).toBe(resolve('b', 'a'));
                5 | });
            -- shown lib/view.js:1-17
            -- shown lib/app.js:1-14
            -- shown test/view.test.js:1-5
            -- files lib/view.js lib/app.js test/view.test.js
        "#]],
    )]);
}

#[test]
fn as2_a_search_has_a_limit() {
    check(&[(
        "search",
        json!({ "query": "price of an item", "limit": 2 }),
        expect![[r#"
            Searched 14 files for "price of an item". Best matches first:
            server/price.go (10 lines)
              function `Price` (4-6), function `base` (8-10)
                1 | package main
                2 | 
                3 | // Price returns the price of an item in cents.
                4 | func Price(item string) int {
                5 | 	return base(item) * 2
                6 | }
                7 | 
                8 | func base(item string) int {
                9 | 	return len(item)
               10 | }
            stock/store.py (20 lines)
              method `add` (12-15), method `__init__` (9-10), class `Store` (6-15)
                1 | """Keeps the stock."""
                2 | 
                3 | import os
                4 | 
                5 | 
                6 | class Store:
                7 |     """Counts of each item."""
                8 | 
                9 |     def __init__(self):
               10 |         self.items = {}
               11 | 
               12 |     def add(self, item, count=1):
               13 |         """Adds some of an item. Fewer than none is an error."""
               14 |         check(count)
               15 |         self.items[item] = self.items.get(item, 0) + count
               16 | 
               17 | 
               18 | def check(count):
               19 |     if count < 0:
               20 |         raise ValueError(os.fspath("negative"))
            (Weaker matches are left out. Raise `limit` or narrow `path` to see them.)
            -- shown server/price.go:1-10
            -- shown stock/store.py:1-20
            -- files server/price.go stock/store.py
        "#]],
    )]);
}

#[test]
fn as2_a_search_has_a_path() {
    check(&[
        (
            "search",
            json!({ "query": "add to the stock", "path": "*.py" }),
            expect![[r#"
            Searched 3 files for "add to the stock". Best matches first:
            stock/store.py (20 lines)
              method `add` (12-15), method `__init__` (9-10), class `Store` (6-15)
                1 | """Keeps the stock."""
                2 | 
                3 | import os
                4 | 
                5 | 
                6 | class Store:
                7 |     """Counts of each item."""
                8 | 
                9 |     def __init__(self):
               10 |         self.items = {}
               11 | 
               12 |     def add(self, item, count=1):
               13 |         """Adds some of an item. Fewer than none is an error."""
               14 |         check(count)
               15 |         self.items[item] = self.items.get(item, 0) + count
               16 | 
               17 | 
               18 | def check(count):
               19 |     if count < 0:
               20 |         raise ValueError(os.fspath("negative"))
            stock/__init__.py (1 line) [trivial: __init__.py of 1 line]
                1 | from .store import Store
            stock/test_store.py (11 lines)
              function `test_add` (4-7), function `test_check` (10-11)
                1 | from stock.store import Store, check
                2 | 
                3 | 
                4 | def test_add():
                5 |     store = Store()
                6 |     store.add("apple", 2)
                7 |     assert store.items["apple"] == 2
                8 | 
                9 | 
               10 | def test_check():
               11 |     check(0)
            -- shown stock/store.py:1-20
            -- shown stock/__init__.py:1-1
            -- shown stock/test_store.py:1-11
            -- files stock/store.py stock/__init__.py stock/test_store.py
        "#]],
        ),
        (
            "search",
            json!({ "query": "lookup", "path": "nothing" }),
            expect![[r#"
            Nothing found for "lookup". No file matches `path`; leave it out.
            -- files 
        "#]],
        ),
    ]);
}

#[test]
fn as5_files_are_read_with_line_numbers() {
    check(&[
        (
            "read_file",
            json!({ "path": "lib/app.js" }),
            expect![[r#"
            lib/app.js (14 lines):
                1 | import express from 'express';
                2 | import { LIMIT, View } from './index.js';
                3 | 
                4 | /** Renders a page by its name. Names are short. */
                5 | export function render(name) {
                6 |   const view = new View(name);
                7 |   if (name.length > LIMIT) throw new Error('too long');
                8 |   return view.lookup('views');
                9 | }
               10 | 
               11 | export function main() {
               12 |   express().listen(80);
               13 |   return render('home');
               14 | }
            -- shown lib/app.js:1-14
            -- files lib/app.js
        "#]],
        ),
        (
            "read_file",
            json!({ "path": "view.js", "first_line": 8, "last_line": "10" }),
            expect![[r#"
                lib/view.js (17 lines, from line 8):
                    8 |   lookup(folder) {
                    9 |     return resolve(folder, this.name);
                   10 |   }
                -- shown lib/view.js:8-10
                -- files lib/view.js
            "#]],
        ),
        (
            "read_file",
            json!({ "path": "server/price.go", "first_line": 7 }),
            expect![[r#"
            server/price.go (10 lines, from line 7):
                7 | 
                8 | func base(item string) int {
                9 | 	return len(item)
               10 | }
            -- shown server/price.go:7-10
            -- files server/price.go
        "#]],
        ),
    ]);
}

#[test]
fn ix11_trivial_and_generated_files_are_refused_until_the_caller_insists() {
    check(&[
        (
            "read_file",
            json!({ "path": "lib/index.js" }),
            expect![[r#"
            error: `lib/index.js` is hardly worth reading (trivial: nothing but re-exports). If you need it, call again with "anyway": true.
        "#]],
        ),
        (
            "read_file",
            json!({ "path": "lib/index.js", "anyway": true }),
            expect![[r#"
            lib/index.js (1 line):
                1 | export * from './view.js';
            -- shown lib/index.js:1-1
            -- files lib/index.js
        "#]],
        ),
        (
            "read_file",
            json!({ "path": "lib/routes.generated.js" }),
            expect![[r#"
            error: `lib/routes.generated.js` is hardly worth reading (generated: named `*.generated.js`). If you need it, call again with "anyway": true.
        "#]],
        ),
        (
            "read_file",
            json!({ "path": "stock/__init__.py" }),
            expect![[r#"
            error: `stock/__init__.py` is hardly worth reading (trivial: __init__.py of 1 line). If you need it, call again with "anyway": true.
        "#]],
        ),
        (
            "read_file",
            json!({ "path": "stock/__init__.py", "anyway": "true" }),
            expect![[r#"
            stock/__init__.py (1 line):
                1 | from .store import Store
            -- shown stock/__init__.py:1-1
            -- files stock/__init__.py
        "#]],
        ),
    ]);
}

#[test]
fn as2_an_outline_has_signatures_lines_and_docs() {
    check(&[
        (
            "outline",
            json!({ "path": "lib/view.js" }),
            expect![[r#"
            lib/view.js (17 lines, 5 symbols):
              2-11 export class View
                Finds templates.
                3-5 constructor(name)
                8-10 lookup(folder)
                  Looks a template up by its name.
              13-15 export function resolve(folder, name)
              17 export const LIMIT = 10
            -- files lib/view.js
        "#]],
        ),
        (
            "outline",
            json!({ "path": "stock/store.py" }),
            expect![[r#"
            stock/store.py (20 lines, 4 symbols):
              6-15 class Store
                Counts of each item.
                9-10 def __init__(self)
                12-15 def add(self, item, count=1)
                  Adds some of an item.
              18-20 def check(count)
            -- files stock/store.py
        "#]],
        ),
        (
            "outline",
            json!({ "path": "server/price.go" }),
            expect![[r#"
            server/price.go (10 lines, 2 symbols):
              4-6 func Price(item string) int
                Price returns the price of an item in cents.
              8-10 func base(item string) int
            -- files server/price.go
        "#]],
        ),
        (
            "outline",
            json!({ "path": "test/view.test.js" }),
            expect![[r#"
            test/view.test.js (5 lines) declares nothing by name. Read it with `read_file`.
            -- files test/view.test.js
        "#]],
        ),
        (
            "outline",
            json!({ "path": "README.md" }),
            expect![[r#"
            error: `README.md` is Markdown and has no outline. Read it with `read_file`.
        "#]],
        ),
    ]);
}

#[test]
fn as2_an_outline_of_a_part_by_name_or_lines() {
    check(&[
        (
            "outline",
            json!({ "path": "lib/view.js", "name": "View.look" }),
            expect![[r#"
            lib/view.js (17 lines, 5 symbols, those named like `view.look`):
              of `View`:
                8-10 lookup(folder)
                  Looks a template up by its name.
            -- files lib/view.js
        "#]],
        ),
        (
            "outline",
            json!({ "path": "lib/view.js", "first_line": 9, "last_line": "10" }),
            expect![[r#"
            lib/view.js (17 lines, 5 symbols, those in lines 9-10):
              2-11 export class View
                Finds templates.
                8-10 lookup(folder)
                  Looks a template up by its name.
            -- files lib/view.js
        "#]],
        ),
        (
            "outline",
            json!({ "path": "lib/view.js", "first_line": 13 }),
            expect![[r#"
            lib/view.js (17 lines, 5 symbols, those from line 13 on):
              13-15 export function resolve(folder, name)
              17 export const LIMIT = 10
            -- files lib/view.js
        "#]],
        ),
        (
            "outline",
            json!({ "path": "lib/view.js", "name": "zzz" }),
            expect![[r#"
            lib/view.js (17 lines, 5 symbols) declares nothing named like `zzz`. Leave out `name` and the lines to see all of it.
            -- files lib/view.js
        "#]],
        ),
        (
            "outline",
            json!({ "path": "lib/view.js", "first_line": 3, "last_line": 2 }),
            expect![[r#"
            error: `last_line` (2) is before `first_line` (3).
        "#]],
        ),
    ]);
}

/// Methods apart from their type, a function for each of two systems, and tests beside the code.
const PARTS: &str = r#"
//- Cargo.toml
[package]
name = "parts"
//- src/lib.rs
mod part;

pub struct Options {
    part: usize,
}

pub struct Other;

impl Options {
    pub fn size(&self) -> usize {
        self.part
    }
}

#[cfg(unix)]
fn system() {}

#[cfg(windows)]
fn system() {}

#[cfg(test)]
mod tests {
    #[test]
    fn one() {
        assert_eq!(super::Options { part: 1 }.size(), 1);
    }

    #[test]
    fn two() {}
}
//- src/part.rs
pub const SIZE: usize = 1;
//- tools/Cargo.toml
[package]
name = "tools"
//- src/[id].js
export const id = 'parts';
"#;

#[test]
fn as2_an_outline_says_nothing_twice() {
    let fixture = Fixture::new(PARTS);
    let outline = |input: Value| fixture.session().call("outline", &input).unwrap().text;
    let all = outline(json!({ "path": "src/lib.rs" }));
    for expected in ["  of `Options`:\n    ", "  16, 19 ", " module `tests` with 2 symbols\n"] {
        assert!(all.contains(expected), "{expected}\n{all}");
    }
    assert!(!all.contains("fn one"), "{all}");
    // Whoever asks for the tests sees them.
    for input in [
        json!({ "path": "src/lib.rs", "name": "one" }),
        json!({ "path": "src/lib.rs", "first_line": 24 }),
    ] {
        let part = outline(input);
        assert!(part.contains("fn one") && !part.contains("with 2 symbols"), "{part}");
    }
}

#[test]
fn as2_a_search_in_a_file_is_in_that_file_alone() {
    let fixture = Fixture::new(PARTS);
    for path in ["Cargo.toml", "./Cargo.toml", "src/[id].js"] {
        let input = json!({ "query": "parts", "path": path });
        let found = fixture.session().call("search", &input).unwrap();
        assert!(found.text.starts_with("Searched 1 file for \"parts\"."), "{}", found.text);
        assert_eq!(found.files, [path.trim_start_matches("./")]);
    }
    // A folder is that of the root, not any of its name.
    let folders =
        "//- lib/a.js\nexport const part = 1;\n//- tests/lib/a.js\nexport const part = 2;\n";
    for path in ["lib", "./lib/"] {
        let input = json!({ "query": "part", "path": path });
        let found = Fixture::new(folders).session().call("search", &input).unwrap();
        assert_eq!(found.files, ["lib/a.js"], "{}", found.text);
    }
    // A glob is one.
    let input = json!({ "query": "package", "path": "*.toml" });
    let found = fixture.session().call("search", &input).unwrap();
    assert!(found.text.starts_with("Searched 2 files"), "{}", found.text);
}

#[test]
fn as2_a_search_in_one_file_shows_the_lines_of_all_its_parts() {
    let part = |name: &str| {
        format!(
            "export function {name}() {{\n  let flag = '--{name}-flag';\n  return flag;\n}}\n\n"
        )
    };
    let file = ["first", "second", "third", "fourth", "fifth"].map(part).concat();
    let fixture = Fixture::new(&format!("//- src/flags.js\n{file}"));
    let shown = |input| {
        let found = fixture.session().call("search", &input).unwrap();
        (1..=30).filter(|line| found.text.contains(&format!("{line:>5} |"))).count()
    };
    assert_eq!(shown(json!({ "query": "flag" })), 2, "of the best function");
    assert_eq!(shown(json!({ "query": "flag", "path": "src/flags.js" })), 10);
}

#[test]
fn as2_references_say_where_each_line_stands() {
    let fixture = Fixture::new(PARTS);
    let input = json!({ "name": "part", "path": "src/lib.rs" });
    let all = fixture.session().call("references", &input).unwrap().text;
    for expected in [
        "The index has no declaration of `part` in this file. It may be imported, a field, a parameter or a local name:\n",
        "    1 | mod part;\n  in `Options`\n    4 |     part: usize,\n",
        "  in `Options.size`\n   11 |         self.part\n",
        "  in `tests.one` (test)\n",
    ] {
        assert!(all.contains(expected), "{expected}\n{all}");
    }
}

#[test]
fn as2_references_to_a_field_are_found_in_all_files_of_code() {
    let fixture = Fixture::new(PARTS);
    let all = fixture.session().call("references", &json!({ "name": "part_of" })).unwrap().text;
    assert!(all.contains("No file of code uses the name `part_of`"), "{all}");
    let field = "//- src/options.rs\npub struct Options {\n    pub null_separator: bool,\n}\n\
                 //- src/output.rs\nfn end(options: &crate::Options) -> bool {\n    options.null_separator\n}\n";
    let input = json!({ "name": "null_separator" });
    let all = Fixture::new(field).session().call("references", &input).unwrap().text;
    for expected in [
        "may be imported, a field",
        "    2 |     pub null_separator: bool,",
        "    2 |     options.null_separator",
    ] {
        assert!(all.contains(expected), "{expected}\n{all}");
    }
}

#[test]
fn as2_references_in_one_file_are_all_listed() {
    let mut files = "//- lib/limit.js\nexport function limit(n) { return n; }\n".to_owned();
    files.push_str(
        "//- lib/uses.js\nimport { limit } from './limit.js';\nexport function uses() {\n",
    );
    for number in 0..20 {
        let _ = writeln!(files, "  limit({number});");
    }
    files.push_str(
        "}\n//- test/limit.test.js\nimport { limit } from '../lib/limit.js';\nlimit(1);\n",
    );
    let fixture = Fixture::new(&files);
    let input = json!({ "name": "limit" });
    let some = fixture.session().call("references", &input).unwrap().text;
    assert!(some.contains("(13 more lines in this file. `path` lists them all.)"), "{some}");
    assert!(some.contains("test/limit.test.js (test: calls it, imports it)\n"), "{some}");
    let input = json!({ "name": "limit", "path": "lib/uses.js" });
    let all = fixture.session().call("references", &input).unwrap();
    assert!(all.text.contains("  in `uses`\n    3 |   limit(0);\n"), "{}", all.text);
    let lines: usize = all.shown.iter().map(|shown| shown.lines.len()).sum();
    assert_eq!(lines, 21, "{}", all.text);
}

#[test]
fn as2_references_are_found_in_every_file_that_holds_the_name() {
    check(&[
        (
            "references",
            json!({ "name": "resolve" }),
            expect![[r#"
                Declared: function `resolve` in lib/view.js:13-15
                lib/view.js (calls it, declares it)
                  in `View.lookup`
                    9 |     return resolve(folder, this.name);
                  at the top level
                   13 | export function resolve(folder, name) {
                test/view.test.js (test: calls it, imports it)
                    1 | import { View, resolve } from '../lib/view.js';
                    4 |   expect(new View('a').lookup('b')).toBe(resolve('b', 'a'));
                (Lines that hold `resolve` as a word, comments and strings among them.)
                -- shown lib/view.js:9-9
                -- shown lib/view.js:13-13
                -- shown test/view.test.js:1-1
                -- shown test/view.test.js:4-4
                -- files lib/view.js test/view.test.js
            "#]],
        ),
        (
            "references",
            json!({ "name": "LIMIT" }),
            expect![[r#"
                Declared: constant `LIMIT` in lib/view.js:17
                lib/view.js (declares it)
                   17 | export const LIMIT = 10;
                lib/app.js (imports it)
                    2 | import { LIMIT, View } from './index.js';
                  in `render`
                    7 |   if (name.length > LIMIT) throw new Error('too long');
                (Lines that hold `LIMIT` as a word, comments and strings among them.)
                -- shown lib/view.js:17-17
                -- shown lib/app.js:2-2
                -- shown lib/app.js:7-7
                -- files lib/view.js lib/app.js
            "#]],
        ),
        (
            "references",
            json!({ "name": "Store.add" }),
            expect![[r#"
                Declared: method `Store.add` in stock/store.py:12-15
                stock/store.py (declares it)
                  in `Store`
                   12 |     def add(self, item, count=1):
                stock/test_store.py (test: calls it)
                  in `test_add`
                    6 |     store.add("apple", 2)
                (Lines that hold `add` as a word, comments and strings among them.)
                -- shown stock/store.py:12-12
                -- shown stock/test_store.py:6-6
                -- files stock/store.py stock/test_store.py
            "#]],
        ),
        (
            "references",
            json!({ "name": "View", "path": "lib/app.js" }),
            expect![[r#"
                The index has no declaration of `View` in this file. It may be imported, a field, a parameter or a local name:
                lib/app.js (creates it, imports it)
                    2 | import { LIMIT, View } from './index.js';
                  in `render`
                    6 |   const view = new View(name);
                (Lines that hold `View` as a word, comments and strings among them.)
                -- shown lib/app.js:2-2
                -- shown lib/app.js:6-6
                -- files lib/app.js
            "#]],
        ),
        (
            "references",
            json!({ "name": "nobody" }),
            expect![[r#"
            No file of code uses the name `nobody`. Try `search`, which also finds words in documentation.
            -- files 
        "#]],
        ),
        (
            "references",
            json!({ "name": "resolve", "path": "lib/app.js" }),
            expect![[r#"
            `lib/app.js` does not hold the name `resolve`. Leave out `path` to look in all files.
            -- files 
        "#]],
        ),
    ]);
}

#[test]
fn as2_callers_are_found_through_barrels_and_packages() {
    check(&[
        (
            "callers",
            json!({ "symbol": "resolve" }),
            expect![[r#"
            function `resolve` in lib/view.js:13-15.
            Called from 2 places:
            lib/view.js:9 in `View.lookup`
                9 |     return resolve(folder, this.name);
            test/view.test.js:4 at the top level
                4 |   expect(new View('a').lookup('b')).toBe(resolve('b', 'a'));
            (Looked in 4 files that declare it or import it. Calls through values, callbacks or frameworks are not seen: `references` lists every use of the name.)
            -- shown lib/view.js:9-9
            -- shown test/view.test.js:4-4
            -- files lib/view.js test/view.test.js
        "#]],
        ),
        (
            "callers",
            json!({ "symbol": "View" }),
            expect![[r#"
            class `View` in lib/view.js:2-11.
            Called from 2 places:
            lib/app.js:6 in `render`
                6 |   const view = new View(name);
            test/view.test.js:4 at the top level
                4 |   expect(new View('a').lookup('b')).toBe(resolve('b', 'a'));
            (Looked in 4 files that declare it or import it. Calls through values, callbacks or frameworks are not seen: `references` lists every use of the name.)
            -- shown lib/app.js:6-6
            -- shown test/view.test.js:4-4
            -- files lib/view.js lib/app.js test/view.test.js
        "#]],
        ),
        (
            "callers",
            json!({ "symbol": "View.lookup" }),
            expect![[r#"
            method `View.lookup` in lib/view.js:8-10.
            Called from 2 places:
            likely: lib/app.js:8 in `render`
                8 |   return view.lookup('views');
            likely: test/view.test.js:4 at the top level
                4 |   expect(new View('a').lookup('b')).toBe(resolve('b', 'a'));
            (Looked in 4 files that declare it or import it. Calls through values, callbacks or frameworks are not seen: `references` lists every use of the name.)
            -- shown lib/app.js:8-8
            -- shown test/view.test.js:4-4
            -- files lib/view.js lib/app.js test/view.test.js
        "#]],
        ),
        (
            "callers",
            json!({ "symbol": "Price" }),
            expect![[r#"
            function `Price` in server/price.go:4-6.
            Called from 2 places:
            server/main.go:7 in `main`
                7 | 	fmt.Println(Price("apple"))
            server/price_test.go:6 in `TestPrice`
                6 | 	if Price("apple") != 10 {
            (Looked in 3 files that declare it or import it. Calls through values, callbacks or frameworks are not seen: `references` lists every use of the name.)
            -- shown server/main.go:7-7
            -- shown server/price_test.go:6-6
            -- files server/price.go server/main.go server/price_test.go
        "#]],
        ),
        (
            "callers",
            json!({ "symbol": "stock/store.py#check" }),
            expect![[r#"
            function `check` in stock/store.py:18-20.
            Called from 2 places:
            stock/store.py:14 in `Store.add`
               14 |         check(count)
            stock/test_store.py:11 in `test_check`
               11 |     check(0)
            (Looked in 3 files that declare it or import it. Calls through values, callbacks or frameworks are not seen: `references` lists every use of the name.)
            -- shown stock/store.py:14-14
            -- shown stock/test_store.py:11-11
            -- files stock/store.py stock/test_store.py
        "#]],
        ),
        (
            "callers",
            json!({ "symbol": "main", "path": "lib/app.js" }),
            expect![[r#"
            function `main` in lib/app.js:11-14.
            No call was found in 1 file that declare it or import it.
            (Looked in 1 file that declare it or import it. Calls through values, callbacks or frameworks are not seen: `references` lists every use of the name.)
            -- files lib/app.js
        "#]],
        ),
    ]);
}

#[test]
fn as2_callees_say_where_each_call_leads() {
    check(&[
        (
            "callees",
            json!({ "symbol": "main", "path": "lib/app.js" }),
            expect![[r#"
            function `main` in lib/app.js:11-14.
            It makes 3 different calls:
               12 |   express().listen(80);
                  -> `listen`, not resolved: dynamic receiver
                  -> something of the package `express`
               13 |   return render('home');
                  -> function `render` in lib/app.js:5-9
            (Calls of what comes with the language are left out.)
            -- shown lib/app.js:12-13
            -- files lib/app.js
        "#]],
        ),
        (
            "callees",
            json!({ "symbol": "render()" }),
            expect![[r#"
            function `render` in lib/app.js:5-9.
            It makes 2 different calls:
                6 |   const view = new View(name);
                  -> method `View.constructor` in lib/view.js:3-5
                8 |   return view.lookup('views');
                  -> likely method `View.lookup` in lib/view.js:8-10
            (Calls of what comes with the language are left out.)
            -- shown lib/app.js:6-6
            -- shown lib/app.js:8-8
            -- files lib/app.js lib/view.js
        "#]],
        ),
        (
            "callees",
            json!({ "symbol": "Store" }),
            expect![[r#"
            class `Store` in stock/store.py:6-15.
            It makes 2 different calls:
               14 |         check(count)
                  -> function `check` in stock/store.py:18-20
               15 |         self.items[item] = self.items.get(item, 0) + count
                  -> `get`, not resolved: dynamic receiver
            (Calls of what comes with the language are left out.)
            -- shown stock/store.py:14-15
            -- files stock/store.py
        "#]],
        ),
        (
            "callees",
            json!({ "symbol": "Price" }),
            expect![[r#"
            function `Price` in server/price.go:4-6.
            It makes 1 different call:
                5 | 	return base(item) * 2
                  -> function `base` in server/price.go:8-10
            (Calls of what comes with the language are left out.)
            -- shown server/price.go:5-5
            -- files server/price.go
        "#]],
        ),
        (
            "callees",
            json!({ "symbol": "base" }),
            expect![[r#"
            function `base` in server/price.go:8-10.
            It calls nothing but what comes with the language.
            -- files server/price.go
        "#]],
        ),
    ]);
}

#[test]
fn as2_imports_and_importers_show_the_line_of_the_import() {
    check(&[
        (
            "imports",
            json!({ "path": "lib/app.js" }),
            expect![[r#"
            lib/app.js has 2 imports:
                1 | import express from 'express';
                  -> the package `express`
                2 | import { LIMIT, View } from './index.js';
                  -> `lib/index.js`
            -- shown lib/app.js:1-2
            -- files lib/app.js
        "#]],
        ),
        (
            "imports",
            json!({ "path": "stock/store.py" }),
            expect![[r#"
            stock/store.py has 1 import:
                3 | import os
                  -> `os` comes with the language
            -- shown stock/store.py:3-3
            -- files stock/store.py
        "#]],
        ),
        (
            "imports",
            json!({ "path": "server/main.go" }),
            expect![[r#"
            server/main.go has 1 import:
                3 | import "fmt"
                  -> `fmt` comes with the language
            Used without an import: `server/price.go`
            -- shown server/main.go:3-3
            -- files server/main.go
        "#]],
        ),
        (
            "imports",
            json!({ "path": "lib/view.js" }),
            expect![[r#"
            lib/view.js imports nothing.
            -- files lib/view.js
        "#]],
        ),
        (
            "imports",
            json!({ "path": "README.md" }),
            expect![[r#"
            Imports of README.md are not read: it is not in a language that has any.
            -- files README.md
        "#]],
        ),
        (
            "importers",
            json!({ "path": "lib/view.js" }),
            expect![[r#"
            2 files use lib/view.js, 1 of them tests:
            lib/index.js (gives it on to those that import it)
                1 | export * from './view.js';
            test/view.test.js
                1 | import { View, resolve } from '../lib/view.js';
            -- shown lib/index.js:1-1
            -- shown test/view.test.js:1-1
            -- files lib/view.js lib/index.js test/view.test.js
        "#]],
        ),
        (
            "importers",
            json!({ "path": "lib/index.js" }),
            expect![[r#"
            1 file uses lib/index.js:
            lib/app.js
                2 | import { LIMIT, View } from './index.js';
            -- shown lib/app.js:2-2
            -- files lib/index.js lib/app.js
        "#]],
        ),
        (
            "importers",
            json!({ "path": "server/price.go" }),
            expect![[r#"
            2 files use server/price.go, 1 of them tests:
            server/main.go (without an import)
            server/price_test.go (without an import)
            -- files server/price.go server/main.go server/price_test.go
        "#]],
        ),
        (
            "importers",
            json!({ "path": "lib/app.js" }),
            expect![[r#"
            No file imports lib/app.js. It may be an entry point, or be loaded by name.
            -- files lib/app.js
        "#]],
        ),
    ]);
}

#[test]
fn as2_tests_are_found_for_files_and_symbols() {
    check(&[
        (
            "tests_of",
            json!({ "path": "lib/view.js" }),
            expect![[r#"
            1 test file for lib/view.js:
              test/view.test.js (5 lines): named after it and imports it
            -- files lib/view.js test/view.test.js
        "#]],
        ),
        (
            "tests_of",
            json!({ "path": "test/view.test.js" }),
            expect![[r#"
            test/view.test.js is a test file itself. It tests `lib/view.js`.
            -- files test/view.test.js
        "#]],
        ),
        (
            "tests_of",
            json!({ "path": "lib/app.js" }),
            expect![[r#"
            No test file is named after lib/app.js or imports it.
            -- files lib/app.js
        "#]],
        ),
        (
            "tests_of",
            json!({ "symbol": "Store.add" }),
            expect![[r#"
            method `Store.add` in stock/store.py:12-15.
            stock/test_store.py (named after the source and imports it)
                6 |     store.add("apple", 2)
            -- shown stock/test_store.py:6-6
            -- files stock/store.py stock/test_store.py
        "#]],
        ),
        (
            "tests_of",
            json!({ "symbol": "Price" }),
            expect![[r#"
            function `Price` in server/price.go:4-6.
            server/price_test.go (named after the source and imports it)
                6 | 	if Price("apple") != 10 {
            -- shown server/price_test.go:6-6
            -- files server/price.go server/price_test.go
        "#]],
        ),
        (
            "tests_of",
            json!({ "symbol": "render" }),
            expect![[r#"
            function `render` in lib/app.js:5-9.
            No test file holds the name `render`.
            -- files lib/app.js
        "#]],
        ),
    ]);
}

#[test]
fn as2_the_history_of_a_file_has_no_authors() {
    check(&[
        (
            "file_history",
            json!({ "path": "server/price.go" }),
            expect![[r#"
            Latest 3 commits of server/price.go, newest first:
              2001-02-03 2756023940 Revert "price: raise it"
              2001-02-03 0c129cbd57 price: raise it
              2001-02-03 1560ba61a8 first
            -- files server/price.go
        "#]],
        ),
        (
            "file_history",
            json!({ "path": "server/price.go", "limit": 1 }),
            expect![[r#"
            Latest 1 commit of server/price.go, newest first:
              2001-02-03 2756023940 Revert "price: raise it"
            (Older commits are left out. Raise `limit` to see more.)
            -- files server/price.go
        "#]],
        ),
        (
            "file_history",
            json!({ "path": "README.md" }),
            expect![[r#"
            Latest 1 commit of README.md, newest first:
              2001-02-03 1560ba61a8 first
            -- files README.md
        "#]],
        ),
    ]);
}
