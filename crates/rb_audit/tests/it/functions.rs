//! Functions that nobody uses any more.

use expect_test::expect;

use crate::support::{check, silent};

#[test]
fn ve6_the_last_caller_goes() {
    let before = "
//- src/a.ts
function inner(n: number) { return n; }
export function outer(n: number) { return inner(n); }
export class K { #x() { return 1; } run() { return this.#x(); } }
";
    check(
        before,
        "
//- src/a.ts
function inner(n: number) { return n; }
export function outer(n: number) { return n; }
export class K { #x() { return 1; } run() { return 2; } }
function fresh() { return fresh; }
",
        &expect![[r#"
            Warning orphaned_function src/a.ts:1 `inner` is no longer used <- src/a.ts:2
            Warning orphaned_function src/a.ts:3 `#x` is no longer used <- src/a.ts:3
            Warning orphaned_function src/a.ts:4 `fresh` is new and not used <- src/a.ts:4
        "#]],
    );
    silent(
        before,
        "
//- src/a.ts
export function outer(n: number) { return n; }
export class K { run() { return 2; } }
const onClick = () => outer(1);
document.addEventListener('click', onClick);
",
    );
}

#[test]
fn ve6_other_languages() {
    check(
        "
//- app/a.py
def _inner(n):
    return n

def outer(n):
    return _inner(n)
//- p/a.go
package p

func inner() int { return 1 }

func Outer() int { return inner() }
//- src/lib.rs
fn inner() -> u8 { 1 }
pub fn outer() -> u8 { inner() }
",
        "
//- app/a.py
def _inner(n):
    return n

def outer(n):
    return n
//- p/a.go
package p

func inner() int { return 1 }

func Outer() int { return 1 }
//- src/lib.rs
fn inner() -> u8 { 1 }
pub fn outer() -> u8 { 1 }
",
        &expect![[r#"
            Warning orphaned_function app/a.py:1 `_inner` is no longer used <- app/a.py:5
            Warning orphaned_function p/a.go:3 `inner` is no longer used <- p/a.go:5
            Warning orphaned_function src/lib.rs:1 `inner` is no longer used <- src/lib.rs:2
        "#]],
    );
}

#[test]
fn ve6_functions_that_are_reached_by_convention() {
    silent(
        "
//- app/a.py
x = 1
//- p/a.go
package p
//- p/b.go
package p

func B() { late() }
//- src/main.rs
fn main() {}
",
        "
//- app/a.py
import click

@click.command()
def _run():
    pass

def public():
    pass
//- p/a.go
package p

func init() {}

func late() {}
//- src/main.rs
fn main() {}
#[no_mangle]
fn callback() {}
#[cfg(test)]
mod tests { #[test] fn works() {} }
",
    );
}

#[test]
fn ve6_a_method_that_a_base_class_calls() {
    silent(
        "
//- app/base.py
class Base:
    def find(self):
        return self._find()
//- app/http.py
from app.base import Base

class Http(Base):
    pass
",
        "
//- app/http.py
from app.base import Base

class Http(Base):
    def _find(self):
        return 1
",
    );
}
