//! Copies that become imports.

use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, keep: &str, remove: &str, expected: &Expect) {
    let operation =
        format!(r#"{{"operation": "replace-duplicate", "keep": "{keep}", "remove": "{remove}"}}"#);
    expected.assert_eq(&snapshot(fixture, &operation));
}

const PROJECT: &str = r#"
//- pkg/__init__.py
//- pkg/text.py
import re


def clean(text):
    """Cleans."""
    return re.sub(" ", "", text)  # blanks
//- pkg/views.py
import re


def tidy(text):
    """Cleans."""

    return re.sub(
        " ", "", text)


def view(text):
    return tidy(text)
//- pkg/other.py
from pkg.views import tidy
from pkg import views

x = tidy, views.tidy, views.view
//- pkg/different.py
from pkg import fake as re


def clean(text):
    """Cleans."""
    return re.sub(" ", "", text)


def clean_2(text):
    return text
"#;

#[test]
fn st1_replace_duplicate_with_another_name() {
    check(
        PROJECT,
        "pkg/text.py#clean",
        "pkg/views.py#tidy",
        &expect![[r#"
        `tidy` of pkg/views.py replaced by `clean` of pkg/text.py
        //- pkg/other.py
        from pkg.text import clean as tidy
        from pkg import text, views

        x = tidy, text.clean, views.view
        //- pkg/views.py
        from pkg.text import clean as tidy


        def view(text):
            return tidy(text)
        api: pkg/views.py pkg.views.tidy -> pkg.text.clean
    "#]],
    );
}

#[test]
fn st1_replace_duplicate_refuses_what_differs() {
    check(
        PROJECT,
        "pkg/text.py#clean",
        "pkg/different.py#clean",
        &expect![[r#"
        refused: `re` does not mean the same in pkg/text.py and pkg/different.py
          pkg/text.py:4: the original
          pkg/different.py:4: the copy
        suggestion: make the two definitions equal first
    "#]],
    );
    check(
        PROJECT,
        "pkg/text.py#clean",
        "pkg/different.py#clean_2",
        &expect![[r#"
        refused: pkg/text.py#clean and pkg/different.py#clean_2 are not the same
          pkg/text.py:4: the original
          pkg/different.py:9: the copy
        suggestion: make them equal first, or rename the uses of one
    "#]],
    );
    check(
        PROJECT,
        "pkg/text.py#clean",
        "pkg/text.py#clean",
        &expect![[r#"
        refused: both definitions are in the same file
        suggestion: remove one of them and rename its uses
    "#]],
    );
    check(
        PROJECT,
        "pkg/text.py#clean",
        "pkg/text.py#missing",
        &expect![[r#"
        refused: both definitions are in the same file
        suggestion: remove one of them and rename its uses
    "#]],
    );
    check(
        PROJECT,
        "pkg/text.py#clean",
        "pkg/views.py#missing",
        &expect![[r#"
        refused: pkg/views.py#missing is not defined by one statement
        suggestion: name a function, class or variable at the top level of a file
    "#]],
    );
}
