//! Names that are imported from where they are defined.

use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, symbol: &str, files: &str, expected: &Expect) {
    let operation =
        format!(r#"{{"operation": "inline-reexport", "symbol": "{symbol}", "files": [{files}]}}"#);
    expected.assert_eq(&snapshot(fixture, &operation));
}

const PROJECT: &str = r#"
//- pkg/__init__.py
from .trace import lookup
//- pkg/objects.py
def lookup(): pass
//- pkg/trace.py
from pkg.objects import lookup


def trace(): return lookup
//- tests/test_request.py
from pkg.trace import (
    lookup,
    trace,
)
from pkg.zoo import z
//- tests/test_other.py
from pkg import lookup as look
"#;

#[test]
fn st1_inline_reexport_in_one_file() {
    check(
        PROJECT,
        "pkg/objects.py#lookup",
        "\"tests/test_request.py\"",
        &expect![[r#"
        `lookup` imported from pkg/objects.py in 1 file
        //- tests/test_request.py
        from pkg.objects import lookup
        from pkg.trace import (
            trace,
        )
        from pkg.zoo import z
    "#]],
    );
    check(
        PROJECT,
        "pkg/trace.py#lookup",
        "\"tests/test_request.py\"",
        &expect![[r#"
        `lookup` imported from pkg/objects.py in 1 file
        //- tests/test_request.py
        from pkg.objects import lookup
        from pkg.trace import (
            trace,
        )
        from pkg.zoo import z
    "#]],
    );
}

#[test]
fn st1_inline_reexport_everywhere() {
    check(
        PROJECT,
        "pkg/objects.py#lookup",
        "",
        &expect![[r#"
        `lookup` imported from pkg/objects.py in 3 files
        //- pkg/__init__.py
        from .objects import lookup
        //- tests/test_other.py
        from pkg.objects import lookup as look
        //- tests/test_request.py
        from pkg.objects import lookup
        from pkg.trace import (
            trace,
        )
        from pkg.zoo import z
    "#]],
    );
}

#[test]
fn st1_inline_reexport_refuses_if_there_is_none() {
    check(
        PROJECT,
        "pkg/trace.py#trace",
        "",
        &expect![[r#"
        refused: no import of `trace` goes through another module
        suggestion: name a file that imports it from elsewhere
    "#]],
    );
    check(
        PROJECT,
        "pkg/trace.py#missing",
        "",
        &expect![[r#"
        refused: pkg/trace.py#missing is not defined in the project
        suggestion: name a function, class or variable of the project
    "#]],
    );
    check(
        PROJECT,
        "pkg/objects.py#lookup",
        "\"nowhere.py\"",
        &expect![[r#"
        refused: nowhere.py is not a Python file of the project, or has syntax errors
        suggestion: name a file that imports the symbol
    "#]],
    );
}
