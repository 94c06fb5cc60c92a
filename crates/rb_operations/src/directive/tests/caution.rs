//! What is not understood for sure leaves no operation.

use expect_test::expect;

use super::super::understand;
use super::{SHOP, check};
use crate::testing::MemoryFiles;

#[test]
fn st3_nothing_is_guessed() {
    let files = MemoryFiles::new(SHOP);
    let directives = [
        "Move DateRange and Month into separate files.",
        "Split dates.py into two modules: ranges.py with DateRange and months.py with Month.",
        "Move list_orders from views.py to client.py, and show_order from views.py to base.py.",
        "Move money_parse next to slugify in text.py.",
        "Merge text.py with strings.py.",
        "Move truncate to the shop/utils package.",
        "Move truncate to utils.",
        "Move truncate to a.py and b.py",
        "Rename the first parameter of fetch to address.",
        "Rename add_item and total_price to cart_functions",
        "Rename all functions in money.py to start with m_.",
        "Rename the functions in money.py.",
        "Rename vat_rate to tax_rate in every file except discount.py",
        "Rename vat_rate to tax_rate, but not in discount.py.",
        "If nobody uses vat_rate, rename vat_rate to tax_rate.",
        "When the tests pass, rename vat_rate to tax_rate.",
        "Do not rename vat_rate to tax_rate.",
        "Should we rename vat_rate to tax_rate?",
        "vat_rate was renamed to tax_rate last week. Update the changelog.",
        "I renamed vat_rate to tax_rate already, please update the docs.",
        "Change fetch to async",
        "Change CURRENCY to DEFAULT_LIMIT",
        "Extract the body of fetch into a helper function called _send",
        "Move the validation from list_orders to show_order",
        "Split list_orders into two functions named list_open and list_closed.",
        "Move the import of slugify to the top of views.py",
        "Remove the parameter docs from fetch",
        "Copy truncate to strings.py",
        "Move truncate to strings.py but keep a copy in text.py.",
        "Add a timeout parameter to BaseView",
        "Replace slugify with camel_case everywhere",
        "Create a class Registry in money.py",
    ];
    for directive in directives {
        let understood = understand(&files, directive).unwrap_or_default();
        assert_eq!(understood.operations, [], "{directive}");
    }
}

#[test]
fn st3_questions_and_opinions() {
    check(
        "I think vat_rate is a bad name. Rename it to tax_rate.",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/pricing/tax.py#vat_rate","to":"tax_rate","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#
        ]],
    );
    check(
        "The name truncate in text.py is misleading; please change it to shorten.",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/utils/text.py#truncate","to":"shorten","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#
        ]],
    );
    check(
        "Could you rename vat_rate to tax_rate? Would that be possible?",
        &expect![[r#"
        {"operation":"rename","symbol":"shop/pricing/tax.py#vat_rate","to":"tax_rate","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}
        - Would that be possible"#]],
    );
}

#[test]
fn st3_names_that_say_where_they_are() {
    check(
        "Rename the cart module's function add_item to put_item.",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/cart.py#add_item","to":"put_item","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#
        ]],
    );
    check(
        "Rename text.py's slugify to make_slug.",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/utils/text.py#slugify","to":"make_slug","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#
        ]],
    );
    check(
        "Rename shop.utils.strings.slugify to make_slug",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/utils/strings.py#slugify","to":"make_slug","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#
        ]],
    );
    check(
        "Rename shop/utils/strings.py::slugify to make_slug",
        &expect![[
            r#"{"operation":"rename","symbol":"shop/utils/strings.py#slugify","to":"make_slug","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#
        ]],
    );
    check(
        "Rename Cart to Basket, DateRange to Period and Month to CalendarMonth.",
        &expect![[r#"
        {"operation":"rename","symbol":"shop/cart.py#Cart","to":"Basket","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}
        {"operation":"rename","symbol":"shop/utils/dates.py#DateRange","to":"Period","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}
        {"operation":"rename","symbol":"shop/utils/dates.py#Month","to":"CalendarMonth","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#]],
    );
    check(
        "Rename shop.pricing to shop.prices.",
        &expect![[r#"{"operation":"rename-module","path":"shop/pricing","to":"shop/prices"}"#]],
    );
}
