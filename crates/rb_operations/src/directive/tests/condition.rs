use expect_test::expect;

use super::{check, check_all};

#[test]
fn st3_a_package_keeps_the_old_name() {
    let wordings = [
        "Rename fetch to fetch_url but keep the package init to be fetch.",
        "Rename fetch to fetch_url, but keep the overall shop usage as fetch",
        "Rename fetch in client.py to fetch_url. It should still be importable from the shop package under the old name.",
        "Rename `fetch` to `fetch_url`. In shop/__init__.py, keep exporting it as `fetch`.",
        "Rename fetch to fetch_url. Modify the alias in `__init__.py` so that fetch_url is still referenced as fetch.",
        "Rename fetch to fetch_url but leave the public API name as fetch",
    ];
    check_all(
        &wordings,
        r#"{"operation":"rename","symbol":"shop/api/client.py#fetch","to":"fetch_url","keep_name_in":["shop/__init__.py"],"rename_files":false,"note_in_changelogs":null}"#,
    );
    check(
        "Rename post to post_url but keep the package init to be post",
        &expect!["? post: no package around shop/api/client.py gives `post` on to others"],
    );
}

#[test]
fn st3_an_alias_is_kept() {
    let wordings = [
        "Rename vat_rate to tax_rate but keep the old name as an alias.",
        "Rename vat_rate to tax_rate and keep vat_rate as an alias.",
        "Rename vat_rate to tax_rate, but leave an alias for the old name.",
        "Rename vat_rate to tax_rate. Add an alias for backwards compatibility.",
        "Rename vat_rate to tax_rate, keeping the old name available.",
        "Rename vat_rate to tax_rate and keep it backwards-compatible.",
    ];
    check_all(
        &wordings,
        r#"{"operation":"rename","symbol":"shop/pricing/tax.py#vat_rate","to":"tax_rate","keep_name_in":[],"alias":true,"rename_files":false,"note_in_changelogs":null}"#,
    );
    check(
        "Rename text.py to texts.py but keep the old name as an alias.",
        &expect!["? text.py: an alias is kept for functions, classes, methods and constants alone"],
    );
    check(
        "Rename vat_rate to tax_rate but don't keep an alias.",
        &expect![[
            r#"? but don't keep an alias: the condition in "but don't keep an alias" was not understood, so nothing is changed; say it in another way, or leave it out"#
        ]],
    );
}

#[test]
fn st3_tests_named_after_it_follow() {
    let wordings = [
        "Rename truncate to shorten and then update all the references and functions throughout the codebase accordingly.",
        "Rename truncate to shorten and update the names of the tests.",
        "Rename truncate to shorten. Update the tests accordingly.",
    ];
    check_all(
        &wordings,
        r#"{"operation":"rename","symbol":"shop/utils/text.py#truncate","to":"shorten","keep_name_in":[],"rename_tests":true,"rename_files":false,"note_in_changelogs":null}"#,
    );
}

#[test]
fn st3_test_files_follow() {
    check(
        "Rename truncate to shorten and rename the test files accordingly.",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/utils/text.py#truncate","to":"shorten","keep_name_in":[],"rename_files":true,"note_in_changelogs":null}"#
        ]],
    );
    check(
        "Rename truncate to shorten. Update the filenames for the tests as well.",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/utils/text.py#truncate","to":"shorten","keep_name_in":[],"rename_files":true,"note_in_changelogs":null}"#
        ]],
    );
    check(
        "Rename text.py to texts.py, and rename the test file test_text.py to test_texts.py too",
        &expect![[r#"
        {"operation":"rename-module","path":"shop/utils/text.py","to":"shop/utils/texts.py"}
        {"operation":"rename-module","path":"tests/utils/test_text.py","to":"tests/utils/test_texts.py"}"#]],
    );
}

#[test]
fn st3_notes_in_changelogs() {
    check(
        "Rename truncate to shorten and update the release notes to say \"now called shorten\" wherever they mention it.",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/utils/text.py#truncate","to":"shorten","keep_name_in":[],"rename_files":false,"note_in_changelogs":"now called shorten"}"#
        ]],
    );
}

#[test]
fn st3_conditions_that_hold_anyway() {
    check(
        "Move truncate to a new file shorten.py in utils, but don't create a new test file.",
        &expect![[
            r#"{"operation":"move","symbols":["shop/utils/text.py#truncate"],"to":"shop/utils/shorten.py"}"#
        ]],
    );
    check(
        "Rename vat_rate to tax_rate. Make sure that nothing breaks and no file imports the old name.",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/pricing/tax.py#vat_rate","to":"tax_rate","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#
        ]],
    );
}

#[test]
fn st3_what_must_not_change() {
    check(
        "Rename vat_rate to tax_rate but don't touch the tests.",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/pricing/tax.py#vat_rate","to":"tax_rate","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#
        ]],
    );
    check(
        "Rename truncate to shorten but leave the tests untouched.",
        &expect![
            "? tests/utils/test_text.py: tests/utils/test_text.py must not change, but names what changes"
        ],
    );
    check(
        "Rename truncate to shorten. Do not change test_text.py.",
        &expect![
            "? tests/utils/test_text.py: tests/utils/test_text.py must not change, but names what changes"
        ],
    );
}

#[test]
fn st3_conditions_that_are_not_understood_stop_all() {
    check(
        "Rename vat_rate to tax_rate only on Tuesdays.",
        &expect![
            r#"? Rename vat_rate to tax_rate only on Tuesdays: the condition in "Rename vat_rate to tax_rate only on Tuesdays" was not understood, so nothing is changed; say it in another way, or leave it out"#
        ],
    );
    check(
        "Rename vat_rate to tax_rate unless somebody objects.",
        &expect![
            r#"? somebody objects: the condition in "somebody objects" was not understood, so nothing is changed; say it in another way, or leave it out"#
        ],
    );
    check(
        "Rename vat_rate to tax_rate but keep a deprecated alias.",
        &expect![
            r#"? but keep a deprecated alias: the condition in "but keep a deprecated alias" was not understood, so nothing is changed; say it in another way, or leave it out"#
        ],
    );
    check(
        "Rename truncate to shorten except in the tests.",
        &expect![
            r#"? Rename truncate to shorten except in the tests: the condition in "Rename truncate to shorten except in the tests" was not understood, so nothing is changed; say it in another way, or leave it out"#
        ],
    );
    check(
        "Move truncate to strings.py, but never on a Friday.",
        &expect![
            r#"? Move truncate to strings.py, but never on a Friday: the condition in "Move truncate to strings.py, but never on a Friday" was not understood, so nothing is changed; say it in another way, or leave it out"#
        ],
    );
    check(
        "Move truncate to strings.py without its docstring if it is not used.",
        &expect![[r#"
        ? Move truncate to strings.py without its docstring: the condition in "Move truncate to strings.py without its docstring" was not understood, so nothing is changed; say it in another way, or leave it out
        ? it is not used: the condition in "it is not used" was not understood, so nothing is changed; say it in another way, or leave it out"#]],
    );
}

#[test]
fn st3_clauses_that_are_not_understood_are_named() {
    check(
        "Rename vat_rate to tax_rate. Paint the shed green.",
        &expect![[r#"
        {"operation":"rename","symbol":"shop/pricing/tax.py#vat_rate","to":"tax_rate","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}
        - Paint the shed green"#]],
    );
    check(
        "Rename vat_rate to tax_rate and add a docstring to it",
        &expect![[r#"
        {"operation":"rename","symbol":"shop/pricing/tax.py#vat_rate","to":"tax_rate","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}
        - and add a docstring to it"#]],
    );
    check(
        "Rename vat_rate to tax_rate, and write three new tests for it.",
        &expect![[r#"
        {"operation":"rename","symbol":"shop/pricing/tax.py#vat_rate","to":"tax_rate","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}
        - and write three new tests for it"#]],
    );
}
