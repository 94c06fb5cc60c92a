//! What checks complain about, read from what they really wrote.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_reports::{diagnostics, stated_errors};

use crate::root;

fn check(text: &str, expected: &Expect) {
    let found = diagnostics(text.as_bytes(), b"", root());
    assert_eq!(found, diagnostics(b"", text.as_bytes(), root()), "from either output");
    let mut out = String::new();
    for diagnostic in &found {
        let _ = writeln!(out, "{:?} {}", diagnostic.severity, diagnostic.words());
    }
    if let Some(stated) = stated_errors(text.as_bytes(), b"") {
        let _ = writeln!(out, "it says: {stated}");
    }
    expected.assert_eq(&out);
}

macro_rules! fixtures {
    ($($name:ident: $file:literal => $expected:expr;)*) => {
        $(
            #[test]
            fn $name() {
                check(include_str!(concat!("diagnostics/", $file, ".txt")), &$expected);
            }
        )*
    };
}

fixtures! {
    ve2_tsc: "tsc" => expect![[r#"
        Error src/a.ts:1:14: TS2322: Type 'string' is not assignable to type 'number'.
        Error src/a.ts:3:14: TS2304: Cannot find name 'c'.
        Error src/a.ts:5:60: TS2322: Type 'string' is not assignable to type 'number'.
        Error src/a.ts:5:74: TS2322: Type 'number' is not assignable to type 'string'.
    "#]];
    ve2_tsc_pretty: "tsc_pretty" => expect![[r#"
        Error src/a.ts:1:14: TS2322: Type 'string' is not assignable to type 'number'.
        Error src/a.ts:3:14: TS2304: Cannot find name 'c'.
        Error src/a.ts:5:60: TS2322: Type 'string' is not assignable to type 'number'.
        Error src/a.ts:5:74: TS2322: Type 'number' is not assignable to type 'string'.
        it says: 4
    "#]];
    ve2_eslint_stylish: "eslint_stylish" => expect![[r#"
        Warning src/b.js:1:7: no-unused-vars: 'unused' is assigned a value but never used
        Warning src/b.js:2:10: no-unused-vars: 'f' is defined but never used
        Error src/b.js:3:7: no-undef: 'x' is not defined
        Error src/b.js:3:17: no-debugger: Unexpected 'debugger' statement
        Warning src/b.js:5:5: no-unused-vars: 'y' is assigned a value but never used
        Error src/b.js:5:9: no-undef: 'undefinedThing' is not defined
        it says: 3
    "#]];
    ve2_eslint_unix: "eslint_unix" => expect![[r#"
        Warning src/b.js:1:7: no-unused-vars: 'unused' is assigned a value but never used.
        Warning src/b.js:2:10: no-unused-vars: 'f' is defined but never used.
        Error src/b.js:3:7: no-undef: 'x' is not defined.
        Error src/b.js:3:17: no-debugger: Unexpected 'debugger' statement.
        Warning src/b.js:5:5: no-unused-vars: 'y' is assigned a value but never used.
        Error src/b.js:5:9: no-undef: 'undefinedThing' is not defined.
    "#]];
    ve2_eslint_compact: "eslint_compact" => expect![[r#"
        Warning src/b.js:1:7: no-unused-vars: 'unused' is assigned a value but never used.
        Warning src/b.js:2:10: no-unused-vars: 'f' is defined but never used.
        Error src/b.js:3:7: no-undef: 'x' is not defined.
        Error src/b.js:3:17: no-debugger: Unexpected 'debugger' statement.
        Warning src/b.js:5:5: no-unused-vars: 'y' is assigned a value but never used.
        Error src/b.js:5:9: no-undef: 'undefinedThing' is not defined.
    "#]];
    ve2_eslint_json: "eslint_json" => expect![[r#"
        Warning src/b.js:1:7: no-unused-vars: 'unused' is assigned a value but never used.
        Warning src/b.js:2:10: no-unused-vars: 'f' is defined but never used.
        Error src/b.js:3:7: no-undef: 'x' is not defined.
        Error src/b.js:3:17: no-debugger: Unexpected 'debugger' statement.
        Warning src/b.js:5:5: no-unused-vars: 'y' is assigned a value but never used.
        Error src/b.js:5:9: no-undef: 'undefinedThing' is not defined.
    "#]];
    ve2_biome: "biome" => expect![[r#"
        Warning src/a.ts:2:32: lint/correctness/noUnusedFunctionParameters: This parameter b is unused.
        Warning src/b.js:1:7: lint/correctness/noUnusedVariables: This variable unused is unused.
        Warning src/b.js:2:10: lint/correctness/noUnusedVariables: This function f is unused.
        Warning src/b.js:5:5: lint/correctness/noUnusedVariables: This variable y is unused.
        Error src/b.js:3:9: lint/suspicious/noDoubleEquals: Using == may be unsafe if you are relying on type coercion.
        Error src/b.js:3:17: lint/suspicious/noDebugger: This is an unexpected use of the debugger statement.
        it says: 2
    "#]];
    ve2_biome_in_colours: "biome_ci" => expect![[r#"
        Warning src/a.ts:2:32: lint/correctness/noUnusedFunctionParameters: This parameter b is unused.
        it says: 4
    "#]];
    ve2_biome_for_github: "biome_github" => expect![[r#"
        Warning src/a.ts:2:32: lint/correctness/noUnusedFunctionParameters: This parameter b is unused.
        Warning src/b.js:1:7: lint/correctness/noUnusedVariables: This variable unused is unused.
        Warning src/b.js:2:10: lint/correctness/noUnusedVariables: This function f is unused.
        Warning src/b.js:5:5: lint/correctness/noUnusedVariables: This variable y is unused.
        Error src/b.js:3:9: lint/suspicious/noDoubleEquals: Using == may be unsafe if you are relying on type coercion.
        Error src/b.js:3:17: lint/suspicious/noDebugger: This is an unexpected use of the debugger statement.
    "#]];
    ve2_prettier: "prettier" => expect![[r#"
        Error src/a.ts: it is not formatted
        Error src/b.js: it is not formatted
        Error src/c.js: it is not formatted
    "#]];
    ve2_ruff: "ruff" => expect![[r#"
        Error m.py:1:1: I001: Import block is un-sorted or un-formatted
        Error m.py:1:8: F401: `os` imported but unused
        Error m.py:2:8: F401: `sys` imported but unused
        Error m.py:8:12: F821: Undefined name `undefined_name`
        it says: 4
    "#]];
    ve2_ruff_concise: "ruff_concise" => expect![[r#"
        Error m.py:1:1: I001: Import block is un-sorted or un-formatted
        Error m.py:1:8: F401: `os` imported but unused
        Error m.py:2:8: F401: `sys` imported but unused
        Error m.py:8:12: F821: Undefined name `undefined_name`
        it says: 4
    "#]];
    ve2_ruff_format: "ruff_format" => expect![[r#"
        Error m.py:4:1: unformatted: File would be reformatted
    "#]];
    ve2_mypy: "mypy" => expect![[r#"
        Error m.py:5: return-value: Incompatible return value type (got "int", expected "str")
        Error m.py:10: assignment: Incompatible types in assignment (expression has type "str", variable has type "int")
        Error m.py:11: arg-type: Argument 1 to "f" has incompatible type "str"; expected "int"
        it says: 3
    "#]];
    ve2_pyright: "pyright" => expect![[r#"
        Error m.py:5:12: reportReturnType: Type "int" is not assignable to return type "str"
        Error m.py:8:12: reportUndefinedVariable: "undefined_name" is not defined
        Error m.py:10:10: reportAssignmentType: Type "Literal['a']" is not assignable to declared type "int"
        Error m.py:11:3: reportArgumentType: Argument of type "Literal['a']" cannot be assigned to parameter "x" of type "int" in function "f"
        it says: 4
    "#]];
    ve2_flake8: "flake8" => expect![[r#"
        Error m.py:1:1: F401: 'os' imported but unused
        Error m.py:2:1: F401: 'sys' imported but unused
        Error m.py:4:1: E302: expected 2 blank lines, found 1
        Error m.py:7:1: E302: expected 2 blank lines, found 1
        Error m.py:8:12: F821: undefined name 'undefined_name'
        Error m.py:10:1: E305: expected 2 blank lines after class or function definition, found 1
    "#]];
    ve2_pylint: "pylint" => expect![[r#"
        Error m.py:1: C0114: Missing module docstring (missing-module-docstring)
        Error m.py:4: C0116: Missing function or method docstring (missing-function-docstring)
        Error m.py:7: C0116: Missing function or method docstring (missing-function-docstring)
        Error m.py:8:11: E0602: Undefined variable 'undefined_name' (undefined-variable)
        Error m.py:10: C0103: Constant name "y" doesn't conform to UPPER_CASE naming style (invalid-name)
        Error m.py:1: W0611: Unused import os (unused-import)
        Error m.py:2: W0611: Unused import sys (unused-import)
    "#]];
    ve2_rustc: "rustc" => expect![[r#"
        Error src/lib.rs:3:18: E0308: mismatched types
        Error src/lib.rs:6:14: E0425: cannot find function `missing` in this scope
        it says: 2
    "#]];
    ve2_clippy: "clippy" => expect![[r#"
        Error src/lib.rs:2:9: unused variable: `unused`
        Error src/lib.rs:3:5: unneeded `return` statement
        Error src/lib.rs:1:13: writing `&Vec` instead of `&[_]` involves a new object where a slice will do
        it says: 3
    "#]];
    ve2_go_vet: "govet" => expect![[r#"
        Error main.go:6:2: fmt.Printf format %d has arg "x" of wrong type string
        Error main.go:9:2: unreachable code
    "#]];
    ve2_go_build: "gobuild" => expect![[r#"
        Error main.go:4:2: x declared but not used
        Error main.go:5:2: undefined: y
    "#]];
}

/// What only looks like a place is none.
#[test]
fn ve2_no_complaint_is_made_up() {
    for text in [
        "",
        "2026-01-01T10:20:30: started",
        "[10:20:30] src/a.js:3:5: compiled",
        "listening on http://localhost:3000: ready",
        "127.0.0.1:8080: refused",
        "    at run (src/a.js:3:5)",
        "    src/a.js:3:5: quoted",
        "  src/a.ts:5:24 - The expected type comes from property 'retries'",
        "node:internal/modules:12:3: words",
        "npm ERR! code 1",
        "{\"some\": \"json\"}",
        "[]",
    ] {
        assert_eq!(diagnostics(text.as_bytes(), b"", root()), [], "{text}");
    }
}

proptest::proptest! {
    /// Pieces of real output in any order, cut anywhere.
    #[test]
    fn ve2_any_mixture_of_complaints_is_read(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..30),
        at in 0_usize..400,
    ) {
        let text = pieces.concat();
        let cut = text.floor_char_boundary(at.min(text.len()));
        let _ = diagnostics(&text.as_bytes()[..cut], &text.as_bytes()[cut..], root());
        let _ = stated_errors(text.as_bytes(), b"");
    }
}

const PIECES: &[&str] = &[
    "a.ts",
    "(1,2)",
    ":3",
    ":4",
    ": ",
    " - ",
    "error",
    "warning",
    " TS1: ",
    "\n",
    "  ",
    "[",
    "]",
    "{",
    "--> ",
    "━━",
    "×",
    " (x)",
    "é",
    "\x1b]8;;",
    "\x1b[0m",
    "::error ",
    "file=",
    ",",
    "line=9",
    "::",
    "vet: ",
    "[warn] ",
    "Diff in ",
    "F401 ",
    "[*] ",
    "\"messages\": 1",
    "\r",
    "1 errors",
];
