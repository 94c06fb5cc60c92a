use expect_test::expect;

use super::{check, check_all};

#[test]
fn st3_move_to_an_existing_file() {
    let wordings = [
        "Move camel_case to text.py.",
        "Move camel_case from strings to text",
        "Please relocate the function `camel_case` from `strings.py` to `text.py` in shop/utils and fix the imports.",
        "Transfer camel_case out of strings.py into shop/utils/text.py",
        "camel_case should be moved to shop/utils/text.py.",
        "Take camel_case out of strings.py and put it into text.py.",
        "Can you move camel_case over to utils text.py and update everything that uses it",
        "Shift the camel_case helper to the text module, updating all references.",
        "I'd like you to move camel_case (in strings.py) to text.py so that all text helpers live together.",
    ];
    check_all(
        &wordings,
        r#"{"operation":"move","symbols":["shop/utils/strings.py#camel_case"],"to":"shop/utils/text.py"}"#,
    );
}

#[test]
fn st3_move_to_a_new_file() {
    let wordings = [
        "Extract money_format and money_parse from money.py into a new module called formats.py.",
        "Move the functions money_format and money_parse to a new file named formats.py in the same folder",
        "Create a new file formats.py in shop/utils and move money_format and money_parse into it.",
        "Split money_format and money_parse out of money.py into a separate file called formats.py",
        "Move money_format, money_parse into a new formats.py file. Remove the old functions from money.py.",
        "Pull money_format and money_parse out of money.py into a new module `formats.py`",
    ];
    check_all(
        &wordings,
        r#"{"operation":"move","symbols":["shop/utils/money.py#money_format","shop/utils/money.py#money_parse"],"to":"shop/utils/formats.py"}"#,
    );
    check(
        "Move truncate to shorten.py",
        &expect![[r#"
        {"operation":"move","symbols":["shop/utils/text.py#truncate"],"to":"shop/utils/shorten.py"}
        * shop/utils/shorten.py does not exist; it is created"#]],
    );
    check(
        "Move truncate to shorten",
        &expect![
            "? shorten: there is no file `shorten` in the project; say that it is new if it is"
        ],
    );
    check(
        "Move truncate to a file called base.py in api",
        &expect![[
            r#"{"operation":"move","symbols":["shop/utils/text.py#truncate"],"to":"shop/api/base.py"}"#
        ]],
    );
    check(
        "Put list_orders in a new file called orders.py in the pricing folder",
        &expect![[
            r#"{"operation":"move","symbols":["shop/api/views.py#list_orders"],"to":"shop/pricing/orders.py"}"#
        ]],
    );
}

#[test]
fn st3_move_all_of_a_kind() {
    check(
        "Move all standalone functions from discount.py to tax.py",
        &expect![[
            r#"{"operation":"move","symbols":["shop/pricing/discount.py#apply_discount","shop/pricing/discount.py#_round_price"],"to":"shop/pricing/tax.py"}"#
        ]],
    );
    check(
        "Move the functions, not the classes, from discount to tax.",
        &expect![[
            r#"{"operation":"move","symbols":["shop/pricing/discount.py#apply_discount","shop/pricing/discount.py#_round_price"],"to":"shop/pricing/tax.py"}"#
        ]],
    );
    check(
        "Move all classes from dates.py to text.py",
        &expect![[
            r#"{"operation":"move","symbols":["shop/utils/dates.py#DateRange","shop/utils/dates.py#Month"],"to":"shop/utils/text.py"}"#
        ]],
    );
    check(
        "Move some functions from discount.py to tax.py",
        &expect!["? Move some functions from discount.py to tax.py: what to move is not named"],
    );
    check(
        "Move the rounding functions from discount.py to tax.py",
        &expect![
            "? Move the rounding functions from discount.py to tax.py: what to move is not named"
        ],
    );
    check(
        "Move the functions that round from discount.py to tax.py",
        &expect!["? Move the functions: what to move is described; name it"],
    );
}

#[test]
fn st3_move_methods() {
    check(
        "Move the format_order method out of the class OrderView into a file called formatting.py",
        &expect![[
            r#"{"operation":"move-method","methods":["shop/api/views.py#OrderView.format_order"],"to":"shop/api/formatting.py"}"#
        ]],
    );
    check(
        "Extract format_order from its class and place it in formatting.py.",
        &expect![[r#"
        {"operation":"move-method","methods":["shop/api/views.py#OrderView.format_order"],"to":"shop/api/formatting.py"}
        * shop/api/formatting.py does not exist; it is created"#]],
    );
    check(
        "Move Cart.clear to pricing/discount.py",
        &expect![[r#"
        {"operation":"move-method","methods":["shop/cart.py#Cart.clear"],"to":"shop/pricing/discount.py"}
        * `Cart.clear` is a method; it becomes a function of shop/pricing/discount.py"#]],
    );
}

#[test]
fn st3_move_modules() {
    check(
        "Move money.py to the pricing folder.",
        &expect![[
            r#"{"operation":"rename-module","path":"shop/utils/money.py","to":"shop/pricing/money.py"}"#
        ]],
    );
    check(
        "Move shop/utils/money.py into shop/pricing/",
        &expect![[
            r#"{"operation":"rename-module","path":"shop/utils/money.py","to":"shop/pricing/money.py"}"#
        ]],
    );
    check(
        "Move the file tax.py to shop/utils and update the imports",
        &expect![[
            r#"{"operation":"rename-module","path":"shop/pricing/tax.py","to":"shop/utils/tax.py"}"#
        ]],
    );
}

#[test]
fn st3_merge() {
    let wordings = [
        "Merge strings.py into text.py.",
        "Get rid of strings.py and put it all in text.py.",
        "Move everything from strings to text in shop/utils",
        "Move all the contents of strings.py to text.py and delete strings.py",
        "Remove strings.py and move its content into text.py; update the repo accordingly",
        "Combine all functions and code from strings.py into text.py",
        "Fold strings.py into text.py, then make sure no module imports strings.py any longer.",
        "Consolidate the strings module into text.py",
        "Consolidate strings.py functions into text.py and adjust references.",
    ];
    check_all(
        &wordings,
        r#"{"operation":"merge","modules":["shop/utils/strings.py"],"into":"shop/utils/text.py","merge_tests":false}"#,
    );
    check(
        "Combine dates.py and money.py as a new file called values.py and remove the two of them. Combine the tests too.",
        &expect![[
            r#"{"operation":"merge","modules":["shop/utils/dates.py","shop/utils/money.py"],"into":"shop/utils/values.py","merge_tests":true}"#
        ]],
    );
    check(
        "Merge the utils files dates and money into a single module named values",
        &expect![[
            r#"{"operation":"merge","modules":["shop/utils/dates.py","shop/utils/money.py"],"into":"shop/utils/values.py","merge_tests":false}"#
        ]],
    );
    check(
        "Remove tax.py and put its function where it is used",
        &expect![[
            r#"{"operation":"merge","modules":["shop/pricing/tax.py"],"into":"shop/pricing/discount.py","merge_tests":false}"#
        ]],
    );
    check(
        "Remove all the content in shop/utils/constants and put it in base",
        &expect![[
            r#"{"operation":"merge","modules":["shop/utils/constants.py"],"into":"shop/utils/base.py","merge_tests":false}"#
        ]],
    );
    check(
        "Merge add_item and total_price",
        &expect![
            "? Merge add_item and total_price: the program combines files, not functions or classes"
        ],
    );
    check(
        "Merge base.py into text.py",
        &expect![[
            r#"{"operation":"merge","modules":["shop/utils/base.py"],"into":"shop/utils/text.py","merge_tests":false}"#
        ]],
    );
    check("Delete strings.py.", &expect!["- Delete strings.py"]);
    check(
        "Remove discount.py and move apply_discount to tax.py",
        &expect![
            "? DiscountError: shop/pricing/discount.py is to be removed, but where `DiscountError` goes is not said"
        ],
    );
}

#[test]
fn st3_one_request_after_the_other() {
    check(
        "Rename vat_rate to tax_rate and move it to discount.py",
        &expect![[r#"
        {"operation":"rename","symbol":"shop/pricing/tax.py#vat_rate","to":"tax_rate","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}
        {"operation":"move","symbols":["shop/pricing/tax.py#tax_rate"],"to":"shop/pricing/discount.py"}"#]],
    );
    check(
        "Rename tax.py to taxes.py. Then rename vat_rate to tax_rate.",
        &expect![[r#"
        {"operation":"rename-module","path":"shop/pricing/tax.py","to":"shop/pricing/taxes.py"}
        {"operation":"rename","symbol":"shop/pricing/taxes.py#vat_rate","to":"tax_rate","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#]],
    );
    check(
        "Move truncate to strings.py and rename truncate to shorten",
        &expect![[r#"
        {"operation":"move","symbols":["shop/utils/text.py#truncate"],"to":"shop/utils/strings.py"}
        {"operation":"rename","symbol":"shop/utils/strings.py#truncate","to":"shorten","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}"#]],
    );
    check(
        "Rename truncate to shorten, then move shorten to strings.py.",
        &expect![[r#"
        {"operation":"rename","symbol":"shop/utils/text.py#truncate","to":"shorten","keep_name_in":[],"rename_files":false,"note_in_changelogs":null}
        {"operation":"move","symbols":["shop/utils/text.py#shorten"],"to":"shop/utils/strings.py"}"#]],
    );
}

#[test]
fn st3_create_a_file_with_something() {
    check(
        "Create a new module orders.py in api containing list_orders and show_order from views.py.",
        &expect![[
            r#"{"operation":"move","symbols":["shop/api/views.py#list_orders","shop/api/views.py#show_order"],"to":"shop/api/orders.py"}"#
        ]],
    );
    check(
        "Get rid of money.py, moving everything in it to text.py.",
        &expect![[
            r#"{"operation":"merge","modules":["shop/utils/money.py"],"into":"shop/utils/text.py","merge_tests":false}"#
        ]],
    );
    check(
        "dates.py and money.py should be merged into values.py.",
        &expect![[r#"
        {"operation":"merge","modules":["shop/utils/dates.py","shop/utils/money.py"],"into":"shop/utils/values.py","merge_tests":false}
        * shop/utils/values.py does not exist; it is created"#]],
    );
    check(
        "Move `Month` class into its own file `month.py`.",
        &expect![[
            r#"{"operation":"move","symbols":["shop/utils/dates.py#Month"],"to":"shop/utils/month.py"}"#
        ]],
    );
}
