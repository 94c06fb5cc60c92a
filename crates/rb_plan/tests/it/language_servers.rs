//! Directives that rename in languages that only a language server knows; the server is a script of the test.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use rb_core::Edit;
use rb_language_servers::{NoServers, RenameRequest, Renamed, Renamer, Server, ServerError};
use rb_plan::{PlanInput, plan, propose};

use crate::support::Repo;

const SHOP: &str = "\
//- go.mod
module shop
//- internal/cart/cart.go
package cart

func Load() int { return 1 }
//- main.go
package main

import \"shop/internal/cart\"

func main() { println(cart.Load()) }
";

/// Replaces the name wherever it is code.
struct Script;

impl Renamer for Script {
    fn rename(&self, request: &RenameRequest<'_>) -> Result<Renamed, ServerError> {
        let mut edits: BTreeMap<String, Vec<Edit>> = BTreeMap::new();
        for path in request.paths.iter().filter(|path| Server::for_path(path).is_some()) {
            let text = (request.texts)(path).expect("a text");
            for at in rb_language_servers::identifiers(path, &text, request.symbol) {
                let start = u32::try_from(at).expect("it is small");
                let end = start + u32::try_from(request.symbol.len()).expect("it is small");
                edits.entry(path.clone()).or_default().push(Edit::replace(start, end, request.to));
            }
        }
        Ok(Renamed { line: 3, edits, ..Renamed::default() })
    }
}

#[track_caller]
fn check(renamer: &dyn Renamer, directive: &str, expected: &Expect) {
    let repo = Repo::asked(SHOP, directive);
    let shown = repo.with(|input| {
        let input = PlanInput { renamer, ..*input };
        let made = plan(&input).expect("a plan");
        let mut shown: Vec<String> = made.unserved.iter().map(|it| it.why.clone()).collect();
        for task in &made.tasks {
            let files: Vec<String> = task.files.iter().map(ToString::to_string).collect();
            shown.push(format!("{} ({})", task.goal, files.join(", ")));
            let prepared = propose(&input, task).expect("looked for").expect("a change");
            let patch = String::from_utf8_lossy(&prepared.patch).into_owned();
            let added =
                patch.lines().filter(|line| line.starts_with('+') && !line.starts_with("+++"));
            shown.extend(added.map(str::to_owned));
        }
        shown.join("\n") + "\n"
    });
    expected.assert_eq(&shown);
}

#[test]
fn st5_a_directive_renames_by_a_server() {
    check(
        &Script,
        "Rename Load in internal/cart/cart.go to Read",
        &expect![[r#"
        Rename `internal/cart/cart.go#Load` to `Read` (2 places) (internal/cart/cart.go, main.go)
        +func Read() int { return 1 }
        +func main() { println(cart.Read()) }
    "#]],
    );
    check(
        &Script,
        "Rename Load to Read",
        &expect![[r#"
        Rename `Load` to `Read` (2 places) (internal/cart/cart.go, main.go)
        +func Read() int { return 1 }
        +func main() { println(cart.Read()) }
    "#]],
    );
}

#[test]
fn st5_a_directive_without_its_server_says_what_is_missing() {
    check(
        &NoServers,
        "Rename Load in cart.go to Read",
        &expect![[r#"
        renaming in Go needs a language server, and `gopls` was not found. Install it with `go install golang.org/x/tools/gopls@latest`; `refactor-bot doctor` lists the servers found
    "#]],
    );
}
