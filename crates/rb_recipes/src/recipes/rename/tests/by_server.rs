//! Renames in languages that a server knows; the server is a script of the test.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use rb_core::Edit;
use rb_language_servers::{NoServers, RenameRequest, Renamed, Renamer, Server, ServerError};

use super::RECIPE;
use crate::apply::apply;
use crate::recipe::Planning;
use crate::testing::Project;

const SHOP: &str = "\
//- go.mod
module shop
//- cart/cart.go
package cart

// Load reads.
func Load() int { return 1 }

type Cart struct{ Total int }
//- main.go
package main

import \"shop/cart\"

func main() { println(\"Load\", cart.Load()) }
//- tools/sum.go
package tools

func sum() int {
	word := 1 // a word
	return word
}
//- README.md
Call Load first, in a word.
";

/// Replaces the name wherever it is code; or refuses.
struct Script(Option<fn() -> ServerError>);

impl Renamer for Script {
    fn rename(&self, request: &RenameRequest<'_>) -> Result<Renamed, ServerError> {
        if let Some(error) = self.0 {
            return Err(error());
        }
        let old = request.symbol.rsplit('.').next().expect("a name");
        let mut edits: BTreeMap<String, Vec<Edit>> = BTreeMap::new();
        for path in request.paths.iter().filter(|path| Server::for_path(path).is_some()) {
            let text = (request.texts)(path).expect("a text");
            for at in rb_language_servers::identifiers(path, &text, old) {
                let start = u32::try_from(at).expect("it is small");
                let end = start + u32::try_from(old.len()).expect("it is small");
                edits.entry(path.clone()).or_default().push(Edit::replace(start, end, request.to));
            }
        }
        let moved = (request.to == "Moved").then(|| ("main.go".into(), "moved.go".into()));
        let moved = moved.into_iter().collect();
        Ok(Renamed { line: 4, edits, moved, notes: Vec::new() })
    }
}

#[track_caller]
fn check(renamer: &dyn Renamer, symbol: &str, to: &str, expected: &Expect) {
    let project = Project::new(SHOP).argument("symbol", symbol).argument("to", to);
    let shown = project.with_world(|planning| {
        let planning = Planning { renamer, ..*planning };
        let plan = match (RECIPE.plan)(&planning) {
            Ok(plan) => plan,
            Err(error) => return format!("error: {error}\n"),
        };
        let mut shown: Vec<String> = Vec::new();
        for chain in &plan.chains {
            shown.push(format!("chain: {}", chain.title));
            shown.extend(
                chain.sites.iter().map(|it| format!("{}:{} {}", it.path, it.line, it.what)),
            );
            shown.extend(chain.notes.iter().map(|it| format!("note: {it}")));
        }
        let left = plan.left.iter();
        shown.extend(
            left.map(|it| format!("left: {}:{} `{}`: {}", it.path, it.line, it.code, it.reason)),
        );
        let mentions = plan.mentions.iter();
        shown.extend(mentions.map(|it| format!("mention: {}:{} {}", it.path, it.line, it.text)));
        let applied = apply(planning.world, &plan);
        assert!(applied.refused.is_empty(), "{:?}", applied.refused);
        for (path, (before, after)) in applied.changes.iter().flat_map(|it| &it.files) {
            let before = before.as_deref().unwrap_or_default();
            let Some(after) = after.as_deref() else {
                shown.push(format!("{path} is removed"));
                continue;
            };
            let new = after.lines().filter(|line| !before.lines().any(|old| old == *line));
            shown.extend(new.map(|line| format!("{path}: {line}")));
        }
        shown.join("\n") + "\n"
    });
    expected.assert_eq(&shown);
}

#[test]
fn st5_the_edits_of_a_server_are_one_chain() {
    check(
        &Script(None),
        "cart/cart.go#Load",
        "Read",
        &expect![[r#"
            chain: `Load` renamed to `Read` in 2 files
            cart/cart.go:4 `Load` → `Read`
            main.go:5 `Load` → `Read`
            note: 3 places mention `Load` in strings, comments or documents
            mention: README.md:1 Call Load first, in a word.
            mention: cart/cart.go:3 // Load reads.
            mention: main.go:5 func main() { println("Load", cart.Load()) }
            cart/cart.go: func Read() int { return 1 }
            main.go: func main() { println("Load", cart.Read()) }
        "#]],
    );
    check(
        &Script(None),
        "./cart/cart.go:7#Cart.Total",
        "Amount",
        &expect![[r#"
        chain: `Total` renamed to `Amount` in 1 file
        cart/cart.go:4 `Total` → `Amount`
        cart/cart.go:6 `Total` → `Amount`
        cart/cart.go: type Cart struct{ Amount int }
    "#]],
    );
    check(
        &Script(None),
        "main.go#main",
        "Moved",
        &expect![[r#"
        chain: `main` renamed to `Moved` in 1 file
        main.go:4 `main` → `Moved`
        main.go:1 `main` → `Moved`
        main.go:5 `main` → `Moved`
        main.go is removed
        moved.go: package Moved
        moved.go: 
        moved.go: import "shop/cart"
        moved.go: 
        moved.go: func Moved() { println("Load", cart.Load()) }
    "#]],
    );
}

#[test]
fn st5_other_files_do_not_speak_of_a_local_variable() {
    check(
        &Script(None),
        "tools/sum.go:4#word",
        "term",
        &expect![[r#"
            chain: `word` renamed to `term` in 1 file
            tools/sum.go:4 `word` → `term`
            tools/sum.go:5 `word` → `term`
            note: 1 place mentions `word` in strings, comments or documents
            mention: tools/sum.go:4 word := 1 // a word
            tools/sum.go: 	term := 1 // a word
            tools/sum.go: 	return term
        "#]],
    );
}

#[test]
fn st5_a_name_without_its_file_is_found_in_all_languages() {
    check(
        &Script(None),
        "Load",
        "Read",
        &expect![[r#"
        chain: `Load` renamed to `Read` in 2 files
        cart/cart.go:4 `Load` → `Read`
        main.go:5 `Load` → `Read`
        note: 3 places mention `Load` in strings, comments or documents
        mention: README.md:1 Call Load first, in a word.
        mention: cart/cart.go:3 // Load reads.
        mention: main.go:5 func main() { println("Load", cart.Load()) }
        cart/cart.go: func Read() int { return 1 }
        main.go: func main() { println("Load", cart.Read()) }
    "#]],
    );
    check(
        &Script(None),
        "Cart.Total",
        "Amount",
        &expect![[r#"
        chain: `Total` renamed to `Amount` in 1 file
        cart/cart.go:4 `Total` → `Amount`
        cart/cart.go:6 `Total` → `Amount`
        cart/cart.go: type Cart struct{ Amount int }
    "#]],
    );
    check(
        &Script(None),
        "Nothing",
        "Something",
        &expect![[r#"
        error: there is no symbol `Nothing`
    "#]],
    );
}

#[test]
fn st5_what_a_server_cannot_do_is_said() {
    let in_the_way = || ServerError::InTheWay {
        why: "gopls cannot tell what `Load` means in 1 place".to_owned(),
        places: vec![("main.go".to_owned(), 5), ("gone.go".to_owned(), 1)],
    };
    check(
        &Script(Some(in_the_way)),
        "cart/cart.go#Load",
        "Read",
        &expect![[r#"
        left: main.go:5 `func main() { println("Load", cart.Load()) }`: gopls cannot tell what `Load` means in 1 place
        left: gone.go:1 ``: gopls cannot tell what `Load` means in 1 place
    "#]],
    );
    let declined = || ServerError::Declined { why: "gopls refuses: taken".to_owned(), line: 4 };
    check(
        &Script(Some(declined)),
        "cart/cart.go#Load",
        "Read",
        &expect![[r#"
            left: cart/cart.go:4 `func Load() int { return 1 }`: gopls refuses: taken
        "#]],
    );
    let refused = || ServerError::Refused { server: "gopls", why: "a conflict".to_owned() };
    check(
        &Script(Some(refused)),
        "cart/cart.go#Load",
        "Read",
        &expect![[r#"
        left: cart/cart.go:1 `Load`: gopls refuses: a conflict
    "#]],
    );
    check(
        &NoServers,
        "cart/cart.go#Load",
        "Read",
        &expect![[r#"
        error: renaming in Go needs a language server, and `gopls` was not found. Install it with `go install golang.org/x/tools/gopls@latest`; `refactor-bot doctor` lists the servers found
    "#]],
    );
    check(
        &Script(None),
        "cart/cart.go#Load",
        "2x",
        &expect![[r#"
        error: `2x` is not a valid name
    "#]],
    );
    check(
        &Script(None),
        "cart/cart.go#Load",
        "Load",
        &expect![[r#"
        error: `Load` already has that name
    "#]],
    );
    check(
        &Script(None),
        "cart/cart.go#",
        "Read",
        &expect![[r#"
        error: `cart/cart.go#` is not a symbol; write `path#name`, `path:line#name` or `path#owner.member`
    "#]],
    );
}
