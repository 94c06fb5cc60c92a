use expect_test::expect;

use super::{check, check_all};

#[test]
fn st3_rename_function() {
    let wordings = [
        "Rename vat_rate to tax_rate.",
        "rename `vat_rate` to `tax_rate`",
        "Please rename the function vat_rate in tax.py to tax_rate and update all references.",
        "Can you rename vat_rate (shop/pricing/tax.py) to tax_rate?",
        "Could you please change the name of vat_rate to tax_rate, and adjust every import accordingly?",
        "Change the function name from 'vat_rate' to 'tax_rate' in the pricing package.",
        "The function vat_rate should be renamed to tax_rate.",
        "vat_rate should be called tax_rate.",
        "In shop/pricing/tax.py, rename vat_rate to tax_rate for consistency.",
        "I want you to rename vat_rate -> tax_rate",
        "We need to rename shop.pricing.tax.vat_rate to tax_rate everywhere.",
        "Rename the helper \"vat_rate\" into \"tax_rate.\" Make sure nothing imports the old name anymore.",
        "rename shop/pricing/tax.py#vat_rate as tax_rate",
        "Rename and update references of vat_rate to tax_rate in the code",
        "To improve readability, rename vat_rate() to tax_rate().",
        "Find the file tax.py and rename its function vat_rate to tax_rate. This will help new developers.",
        "Refactor `vat_rate` to be renamed as `tax_rate`, ensuring that all usages across the codebase are updated.",
        "Update the function named vat_rate to tax_rate in tax.py.",
        "Rename the vat_rate fucntion to tax_rate throughout the repositry.",
        "- rename vat_rate to tax_rate\n- update the docs",
        "Rename vat_rate to tax_rate; this change affects discount.py, too.",
    ];
    check_all(
        &wordings,
        r#"{"operation":"rename","symbol":"shop/pricing/tax.py#vat_rate","to":"tax_rate","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#,
    );
}

#[test]
fn st3_rename_members_classes_and_constants() {
    check(
        "Rename the class Cart to Basket.",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/cart.py#Cart","to":"Basket","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#
        ]],
    );
    check(
        "Rename Cart.clear to Cart.empty",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/cart.py#Cart.clear","to":"empty","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#
        ]],
    );
    check(
        "rename the remove_item method of Cart to drop_item",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/cart.py#Cart.remove_item","to":"drop_item","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#
        ]],
    );
    check(
        "Rename CURRENCY in cart.py to DEFAULT_CURRENCY",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/cart.py#CURRENCY","to":"DEFAULT_CURRENCY","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#
        ]],
    );
    check(
        "Rename the attribute limit in class Cart to max_items",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/cart.py#Cart.limit","to":"max_items","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#
        ]],
    );
}

#[test]
fn st3_rename_several() {
    check(
        "Rename add_item to put_item and total_price to cart_total.",
        &expect![[r#"
        {"operation":"rename","symbol":"shop/cart.py#add_item","to":"put_item","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}
        {"operation":"rename","symbol":"shop/cart.py#total_price","to":"cart_total","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#]],
    );
    check(
        "Rename money_format and money_parse to format_money and parse_money respectively.",
        &expect![[r#"
        {"operation":"rename","symbol":"shop/utils/money.py#money_format","to":"format_money","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}
        {"operation":"rename","symbol":"shop/utils/money.py#money_parse","to":"parse_money","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#]],
    );
    check(
        "Rename add_item to put_item, then rename put_item to insert_item.",
        &expect![[r#"
        {"operation":"rename","symbol":"shop/cart.py#add_item","to":"put_item","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}
        {"operation":"rename","symbol":"shop/cart.py#put_item","to":"insert_item","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#]],
    );
}

#[test]
fn st3_rename_parameter() {
    let wordings = [
        "Rename the parameter timeout of fetch to deadline.",
        "rename the `timeout` argument of `fetch` in client.py to `deadline`",
        "Please rename the timeout parameter in the fetch function to deadline and update all keyword arguments accordingly.",
    ];
    check_all(
        &wordings,
        r#"{"operation":"rename-parameter","function":"shop/api/client.py#fetch","parameter":"timeout","to":"deadline"}"#,
    );
    check(
        "rename the parameter timeout to deadline",
        &expect!["? timeout: whose parameter `timeout` is, is not said"],
    );
}

#[test]
fn st3_rename_file() {
    let wordings = [
        "Rename tax.py to taxes.py.",
        "Rename the file tax.py in the pricing folder to taxes.py and update all imports.",
        "rename tax to taxes in shop/pricing",
        "Rename the tax module to taxes",
        "rename module shop.pricing.tax to shop.pricing.taxes",
        "Rename shop/pricing/tax.py to shop/pricing/taxes.py",
        "The file `tax.py` should be renamed to `taxes.py`.",
    ];
    check_all(
        &wordings,
        r#"{"operation":"rename-module","path":"shop/pricing/tax.py","to":"shop/pricing/taxes.py"}"#,
    );
    check(
        "Rename exceptions_handlers.py to handlers.py",
        &expect![[r#"
        {"operation":"rename-module","path":"shop/api/exception_handlers.py","to":"shop/api/handlers.py"}
        * there is no file `exceptions_handlers.py`; shop/api/exception_handlers.py is taken for it"#]],
    );
    check(
        "Rename the package pricing to prices",
        &expect![[r#"{"operation":"rename-module","path":"shop/pricing","to":"shop/prices"}"#]],
    );
    check(
        "Rename base.py to core.py",
        &expect![[r#"
        ? base.py: 2 files are called `base.py`; name the folder
            shop/api/base.py:1 file
            shop/utils/base.py:1 file"#]],
    );
    check(
        "Rename base.py in api to core.py",
        &expect![[
            r#"{"operation":"rename-module","path":"shop/api/base.py","to":"shop/api/core.py"}"#
        ]],
    );
}

#[test]
fn st3_rename_unclear() {
    check(
        "Rename slugify to make_slug.",
        &expect![[r#"
        ? slugify: `slugify` is declared in 2 files; name the file
            shop/utils/strings.py:1 slugify
            shop/utils/text.py:1 slugify"#]],
    );
    check(
        "Rename slugify in text.py to make_slug.",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/utils/text.py#slugify","to":"make_slug","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#
        ]],
    );
    check(
        "Rename get_total to total.",
        &expect!["? get_total: nothing in the project is called `get_total`"],
    );
    check(
        "Rename total_prices to cart_total.",
        &expect![[r#"
        {"operation":"rename","symbol":"shop/cart.py#total_price","to":"cart_total","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}
        * there is no `total_prices`; `total_price` in shop/cart.py is taken for it"#]],
    );
    check("Rename add_item.", &expect!["? add_item: the new name of `add_item` is not given"]);
    check(
        "Rename the function for clarity.",
        &expect!["? Rename the function for clarity: what is renamed to what is not said"],
    );
    check(
        "Rename add_item in views.py to put_item",
        &expect![[r#"
        ? add_item: `add_item` is not declared in `views.py`
            shop/cart.py:3 add_item"#]],
    );
    check(
        "Rename add_item in shopping.py to put_item",
        &expect!["? shopping.py: there is no file or folder `shopping.py` in the project"],
    );
    check(
        "Rename add_item to put-item",
        &expect!["? put-item: `put-item` is not a name that Python allows"],
    );
}
