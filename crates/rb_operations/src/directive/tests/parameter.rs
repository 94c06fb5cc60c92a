use expect_test::expect;

use super::{check, check_all};

#[test]
fn st3_add_parameter_with_default() {
    let wordings = [
        "Add a boolean parameter strict to vat_rate with a default of False.",
        "Add a strict boolean paramter to vat_rate and keep the base case as false",
        "Give vat_rate a new `strict=False` parameter.",
        "Modify the function vat_rate in tax.py to accept an additional boolean parameter named 'strict', defaulting to False.",
        "Extend vat_rate with a strict flag that is False by default",
        "vat_rate should take a new boolean argument called strict. Set its default value to False.",
        "Update vat_rate by adding a boolean parameter `strict` (default: False).",
        "Introduce a flag named strict in the vat_rate function, with False as the default value.",
    ];
    check_all(
        &wordings,
        r#"{"operation":"add-parameter","function":"shop/pricing/tax.py#vat_rate","name":"strict","default":"False","annotation":null,"values":[],"logs":false}"#,
    );
}

#[test]
fn st3_add_parameter_with_values() {
    let wordings = [
        "Add a strict boolean parameter to vat_rate, base case false. Make all calls strict=True except in tests.",
        "Add a boolean parameter strict to vat_rate with default False and pass strict=True in all calls outside of the tests.",
        "Add a strict flag to vat_rate defaulting to False and then in all references except testing files make strict=True",
        "Add a `strict` boolean parameter to `vat_rate`, default False. Ensure that all existing calls pass strict=True. Calls in tests should not pass it.",
        "Add a strict boolean parameter to vat_rate which defaults to False and set it to True in all non-test calls",
    ];
    check_all(
        &wordings,
        r#"{"operation":"add-parameter","function":"shop/pricing/tax.py#vat_rate","name":"strict","default":"False","annotation":null,"values":[{"value":"True","calls":"not-tests"}],"logs":false}"#,
    );
    check(
        "Add a strict boolean parameter to vat_rate, default False; pass True everywhere and False in the tests.",
        &expect![[
            r#"{"operation":"add-parameter","function":"shop/pricing/tax.py#vat_rate","name":"strict","default":"False","annotation":null,"values":[{"value":"True","calls":"not-tests"},{"value":"False","calls":"tests"}],"logs":false}"#
        ]],
    );
    check(
        "Add a `currency` parameter to total_price and pass \"EUR\" in all calls.",
        &expect![[
            r#"{"operation":"add-parameter","function":"shop/cart.py#total_price","name":"currency","default":null,"annotation":null,"values":[{"value":"\"EUR\"","calls":"all"}],"logs":false}"#
        ]],
    );
    check(
        "Add a parameter `limit: int = 10` to list_orders",
        &expect![[
            r#"{"operation":"add-parameter","function":"shop/api/views.py#list_orders","name":"limit","default":"10","annotation":"int","values":[],"logs":false}"#
        ]],
    );
    check(
        "Add an integer parameter called depth to list_orders with a default of 3. In the test calls pass 1.",
        &expect![[
            r#"{"operation":"add-parameter","function":"shop/api/views.py#list_orders","name":"depth","default":"3","annotation":"int","values":[{"value":"1","calls":"tests"}],"logs":false}"#
        ]],
    );
    check(
        "Add a strict flag to vat_rate, False by default. In discount.py pass strict=True.",
        &expect![[
            r#"{"operation":"add-parameter","function":"shop/pricing/tax.py#vat_rate","name":"strict","default":"False","annotation":null,"values":[{"value":"True","calls":"not-tests"}],"logs":false}"#
        ]],
    );
    check(
        "Add a strict flag to fetch, False by default. In client.py pass strict=True.",
        &expect![[
            r#"{"operation":"add-parameter","function":"shop/api/client.py#fetch","name":"strict","default":"False","annotation":null,"values":[{"value":"True","calls":"not-tests"}],"logs":false}"#
        ]],
    );
    check(
        "Add a strict flag to fetch, False by default. In test_text.py pass strict=True.",
        &expect![[r#"
            ? fetch: `True` is to be passed in files that do not call `fetch`; others do
                shop/api/client.py:1 calls it
                tests/test_cart.py:1 calls it"#]],
    );
}

#[test]
fn st3_add_logging() {
    let wordings = [
        "Add logging to the total_price function with a boolean parameter. Keep log as false base.",
        "Change total_price to have a logging parameter that turns on log statements, False by default.",
        "Import logging and add a log boolean parameter to total_price in cart.py and make the base case false.",
        "Add a boolean parameter log to total_price, default False. This parameter should control logging within the function.",
    ];
    check_all(
        &wordings,
        r#"{"operation":"add-parameter","function":"shop/cart.py#total_price","name":"log","default":"False","annotation":null,"values":[],"logs":true}"#,
    );
    check(
        "Add a logging parameter to total_price and disable logging in all references.",
        &expect![[r#"
        {"operation":"add-parameter","function":"shop/cart.py#total_price","name":"log","default":"False","annotation":null,"values":[{"value":"False","calls":"all"}],"logs":true}
        * no default was given for `log`; it is `False`, so that other calls go on working"#]],
    );
    check(
        "Add a log parameter to total_price, keep the base case as true and update the rest of the calls to have log=False",
        &expect![[
            r#"{"operation":"add-parameter","function":"shop/cart.py#total_price","name":"log","default":"True","annotation":null,"values":[{"value":"False","calls":"all"}],"logs":false}"#
        ]],
    );
}

#[test]
fn st3_add_parameter_unclear() {
    check(
        "Add a region parameter to vat_rate.",
        &expect!["? region: `region` has no default, and what calls pass for it is not said"],
    );
    check(
        "Add a parameter to vat_rate.",
        &expect!["? Add a parameter to vat_rate: the name of the parameter is not given"],
    );
    check(
        "Add a boolean parameter called strict.",
        &expect!["? Add a boolean parameter called strict: the function is not named"],
    );
    check(
        "Add an optional region parameter to vat_rate",
        &expect![[r#"
        {"operation":"add-parameter","function":"shop/pricing/tax.py#vat_rate","name":"region","default":"None","annotation":null,"values":[],"logs":false}
        * no default was given for `region`; it is `None`, so that other calls go on working"#]],
    );
    check(
        "Add a strict flag to slugify, False by default",
        &expect![[r#"
        ? slugify: `slugify` is declared in 2 files; name the file
            shop/utils/strings.py:1 slugify
            shop/utils/text.py:1 slugify"#]],
    );
}

#[test]
fn st3_remove_and_reorder() {
    check(
        "Remove the retries parameter from fetch.",
        &expect![[
            r#"{"operation":"remove-parameter","function":"shop/api/client.py#fetch","name":"retries"}"#
        ]],
    );
    check(
        "Drop the unused `size` argument of list_orders and update all calls",
        &expect![[
            r#"{"operation":"remove-parameter","function":"shop/api/views.py#list_orders","name":"size"}"#
        ]],
    );
    check(
        "Swap the page and size parameters of list_orders",
        &expect![[
            r#"{"operation":"reorder-parameters","function":"shop/api/views.py#list_orders","order":["request","size","page"]}"#
        ]],
    );
    check(
        "Reorder the parameters of fetch to url, retries, timeout",
        &expect![[
            r#"{"operation":"reorder-parameters","function":"shop/api/client.py#fetch","order":["url","retries","timeout"]}"#
        ]],
    );
    check(
        "Make `retries` the first parameter of fetch",
        &expect![[
            r#"{"operation":"reorder-parameters","function":"shop/api/client.py#fetch","order":["retries","url","timeout"]}"#
        ]],
    );
    check(
        "Move the `size` parameter of list_orders before `page`",
        &expect![[
            r#"{"operation":"reorder-parameters","function":"shop/api/views.py#list_orders","order":["request","size","page"]}"#
        ]],
    );
    check(
        "Reorder the parameters of fetch to retries, url",
        &expect![
            "? fetch: the new order must name all parameters of `fetch`: url, timeout, retries"
        ],
    );
}

#[test]
fn st3_add_parameter_in_other_words() {
    check(
        "Add a keyword argument `currency=\"EUR\"` to total_price.",
        &expect![[
            r#"{"operation":"add-parameter","function":"shop/cart.py#total_price","name":"currency","default":"\"EUR\"","annotation":null,"values":[],"logs":false}"#
        ]],
    );
    check(
        "Add param verbose (bool, default False) to fetch",
        &expect![[
            r#"{"operation":"add-parameter","function":"shop/api/client.py#fetch","name":"verbose","default":"False","annotation":null,"values":[],"logs":false}"#
        ]],
    );
    check(
        "Let fetch take an extra parameter called headers, None by default.",
        &expect![[
            r#"{"operation":"add-parameter","function":"shop/api/client.py#fetch","name":"headers","default":"None","annotation":null,"values":[],"logs":false}"#
        ]],
    );
    check(
        "Add a parameter headers=None to fetch in client.py and pass headers={} in all calls.",
        &expect![[
            r#"{"operation":"add-parameter","function":"shop/api/client.py#fetch","name":"headers","default":"None","annotation":null,"values":[{"value":"{}","calls":"all"}],"logs":false}"#
        ]],
    );
    check(
        "Add a `dry_run` boolean parameter (default `False`) to both fetch and post.",
        &expect![[r#"
        {"operation":"add-parameter","function":"shop/api/client.py#fetch","name":"dry_run","default":"False","annotation":null,"values":[],"logs":false}
        {"operation":"add-parameter","function":"shop/api/client.py#post","name":"dry_run","default":"False","annotation":null,"values":[],"logs":false}"#]],
    );
    check(
        "Move truncate to strings.py, rename it to shorten and add a `width` parameter with default 3 to it.",
        &expect![[r#"
        {"operation":"move","symbols":["shop/utils/text.py#truncate"],"to":"shop/utils/strings.py"}
        {"operation":"rename","symbol":"shop/utils/strings.py#truncate","to":"shorten","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}
        {"operation":"add-parameter","function":"shop/utils/strings.py#shorten","name":"width","default":"3","annotation":null,"values":[],"logs":false}"#]],
    );
    check(
        "Change the signature of fetch to (url, retries, timeout).",
        &expect![[
            r#"{"operation":"reorder-parameters","function":"shop/api/client.py#fetch","order":["url","retries","timeout"]}"#
        ]],
    );
}
