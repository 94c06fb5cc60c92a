use expect_test::expect;

use super::{check, check_all};

#[test]
fn st3_functions_become_static_methods() {
    let wordings = [
        "Change all the standalone functions in strings.py with a new class called StringTools and alter all usages accordingly.",
        "Wrap the functions of strings.py in a new class StringTools.",
        "Create a StringTools class for all the functions in shop/utils/strings and use it everywhere.",
        "Turn all functions in strings.py into static methods of a new class StringTools",
        "Refactor strings.py by creating a new class called StringTools that combines the functions slugify and camel_case.",
        "Create a class named StringTools in strings.py. This class should include the functions slugify and camel_case.",
    ];
    check_all(
        &wordings,
        r#"{"operation":"encapsulate","functions":["shop/utils/strings.py#slugify","shop/utils/strings.py#camel_case"],"class":"StringTools"}"#,
    );
    check(
        "Move list_orders and show_order into a new class called Orders",
        &expect![[
            r#"{"operation":"encapsulate","functions":["shop/api/views.py#list_orders","shop/api/views.py#show_order"],"class":"Orders"}"#
        ]],
    );
    check(
        "Create a money class for the functions in shop/utils/money",
        &expect![[r#"
        {"operation":"encapsulate","functions":["shop/utils/money.py#money_format","shop/utils/money.py#money_parse"],"class":"Money"}
        * the class is called `Money`
        * of the functions in shop/utils/money.py, those whose name has `money` go into `Money`"#]],
    );
    check(
        "Add a Parser class to money.py for the functions that parse",
        &expect!["? Parser: name the functions that go into `Parser`"],
    );
    check(
        "Create a class for the functions in money.py",
        &expect!["? class: the name of the new class is not given"],
    );
    check(
        "Group truncate and camel_case into a new class called Words",
        &expect![
            "? camel_case: `camel_case` (shop/utils/strings.py) is not a function of the same file"
        ],
    );
    check(
        "Introduce a class Registry.",
        &expect!["? Registry: which functions or parameters `Registry` is for is not said"],
    );
}

#[test]
fn st3_parameters_become_an_object() {
    let wordings = [
        "Create a FetchOptions class for all the parameters in fetch. Use this class in all calls to fetch.",
        "Introduce a parameter object called FetchOptions for the parameters of fetch.",
        "Wrap all parameters of `fetch` in a dataclass called FetchOptions and update the callers.",
        "Replace the parameters of fetch with a FetchOptions object.",
        "Create a new class named FetchOptions in client.py to encapsulate all parameters used in fetch.",
    ];
    check_all(
        &wordings,
        r#"{"operation":"parameter-object","function":"shop/api/client.py#fetch","class":"FetchOptions","module":"","parameters":[]}"#,
    );
    check(
        "Create an OrderQuery class inside shop/api/base for the parameters page and size of list_orders",
        &expect![[
            r#"{"operation":"parameter-object","function":"shop/api/views.py#list_orders","class":"OrderQuery","module":"shop/api/base.py","parameters":["page","size"]}"#
        ]],
    );
}
