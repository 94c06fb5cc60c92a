use expect_test::expect;

use super::{check, check_all};

#[test]
fn st3_imports_from_where_it_is_defined() {
    let wordings = [
        "Resolve the relay import of total_price in views.py to import from the file it was defined in.",
        "In views.py, import total_price directly from the module that defines it.",
        "Replace the re-exported import of total_price in shop/api/views.py with the original one",
        "Fix the indirect import of `total_price` in views.py",
    ];
    check_all(
        &wordings,
        r#"{"operation":"inline-reexport","symbol":"shop/cart.py#total_price","files":["shop/api/views.py"]}"#,
    );
    check(
        "Import fetch directly from where it is defined.",
        &expect![[
            r#"{"operation":"inline-reexport","symbol":"shop/api/client.py#fetch","files":[]}"#
        ]],
    );
}

#[test]
fn st3_copies() {
    let wordings = [
        "Remove the duplicate of slugify in strings.py and use the one from text.py.",
        "Replace the copy of slugify in strings.py with the one from text.py",
        "slugify is defined twice. Keep the one in text.py and remove the one in strings.py.",
        "slugify is duplicated; keep it in text.py and import it into strings.py",
    ];
    check_all(
        &wordings,
        r#"{"operation":"replace-duplicate","keep":"shop/utils/text.py#slugify","remove":"shop/utils/strings.py#slugify"}"#,
    );
    check(
        "Remove the duplicate slugify.",
        &expect!["? slugify: which copy of `slugify` is kept and which is removed is not said"],
    );
}

#[test]
fn st3_imports_in_two_sentences() {
    check(
        "tests/test_cart.py imports `slugify` from views; import it from the module where it is defined instead.",
        &expect![[
            r#"{"operation":"inline-reexport","symbol":"shop/utils/text.py#slugify","files":["tests/test_cart.py"]}"#
        ]],
    );
}
