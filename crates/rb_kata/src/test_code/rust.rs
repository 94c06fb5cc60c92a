//! Rust: functions with `#[test]`, also in nested modules.

use super::assertion::is_vacuous;
use super::rules::{Call, GroupMember, Member, Rules, TestMember, definition};
use super::syntax::{NodeId, Syntax};

pub(super) static RULES: Rules =
    Rules { member, call, function_name, is_assertion, is_skip: never_skips };

/// Macros that end a test as a failed assertion does.
const PANICS: &[&str] = &["panic", "unreachable"];

fn member(syntax: &Syntax<'_>, id: NodeId, marks: &[NodeId]) -> Member {
    match syntax.kind(id) {
        "attribute_item" => Member::Mark,
        "use_declaration" | "extern_crate_declaration" => Member::Import,
        "function_item" => function(syntax, id, marks),
        "mod_item" => match syntax.field(id, "body") {
            Some(body) => Member::Group(GroupMember {
                name: syntax.field_text(id, "name").to_owned(),
                body,
                is_class: false,
                is_skipped: is_skipped(syntax, marks),
            }),
            None => Member::Import,
        },
        "impl_item" | "trait_item" => implementation(syntax, id),
        "inner_attribute_item" => inner_attribute(syntax, id),
        "const_item"
        | "static_item"
        | "struct_item"
        | "enum_item"
        | "union_item"
        | "type_item"
        | "macro_definition"
        | "function_signature_item"
        | "associated_type" => definition(syntax, id),
        _ => Member::Other,
    }
}

fn function(syntax: &Syntax<'_>, id: NodeId, marks: &[NodeId]) -> Member {
    if !marks.iter().any(|&mark| is_test_mark(syntax, mark)) {
        return definition(syntax, id);
    }
    Member::Test(TestMember {
        name: syntax.field_text(id, "name").to_owned(),
        body: syntax.field(id, "body"),
        asserts: marks.iter().any(|&mark| names_word(syntax, mark, "should_panic")),
        is_skipped: is_skipped(syntax, marks),
    })
}

/// `#[test]`, `#[tokio::test]`, `#[rstest]`.
fn is_test_mark(syntax: &Syntax<'_>, mark: NodeId) -> bool {
    let attribute = syntax.named(mark).next();
    let path = attribute.and_then(|attribute| syntax.named(attribute).next());
    let name = path.map_or("", |path| last_segment(syntax.text(path)));
    matches!(name, "test" | "rstest" | "test_case")
}

/// `#[ignore]`, `#[cfg_attr(…, ignore)]`, and `#[cfg(…)]` for anything but tests.
fn is_skipped(syntax: &Syntax<'_>, marks: &[NodeId]) -> bool {
    marks.iter().any(|&mark| {
        let is_for_tests = || {
            let letters = syntax.text(mark).chars().filter(|letter| !letter.is_whitespace());
            letters.eq("#[cfg(test)]".chars())
        };
        names_word(syntax, mark, "ignore") || (names_word(syntax, mark, "cfg") && !is_for_tests())
    })
}

fn names_word(syntax: &Syntax<'_>, id: NodeId, word: &str) -> bool {
    syntax.subtree(id).any(|id| syntax.is_name(id) && syntax.text(id) == word)
}

/// An `impl` goes by the name of its type.
fn implementation(syntax: &Syntax<'_>, id: NodeId) -> Member {
    let typ = syntax.field(id, "type").or_else(|| syntax.field(id, "name"));
    let name = typ.and_then(|typ| syntax.subtree(typ).find(|&id| syntax.is_name(id)));
    match (name, syntax.field(id, "body")) {
        (Some(name), Some(body)) => Member::Group(GroupMember {
            name: syntax.text(name).to_owned(),
            body,
            is_class: true,
            is_skipped: false,
        }),
        _ => Member::Other,
    }
}

/// `#![cfg(…)]` decides about all that follows; `#![allow(…)]` does not.
fn inner_attribute(syntax: &Syntax<'_>, id: NodeId) -> Member {
    if names_word(syntax, id, "cfg") || names_word(syntax, id, "cfg_attr") {
        Member::Hook("cfg".to_owned())
    } else {
        Member::Other
    }
}

fn call<'t>(syntax: &Syntax<'t>, id: NodeId) -> Option<Call<'t>> {
    match syntax.kind(id) {
        "macro_invocation" => {
            let name = last_segment(syntax.text(syntax.field(id, "macro")?));
            let arguments = syntax.children(id).find(|&child| syntax.kind(child) == "token_tree");
            Some(Call { receiver: None, name, arguments })
        }
        "call_expression" => {
            let mut function = syntax.field(id, "function")?;
            if syntax.kind(function) == "generic_function" {
                function = syntax.field(function, "function")?;
            }
            let arguments = syntax.field(id, "arguments");
            let (receiver, name) = match syntax.kind(function) {
                "identifier" => (None, function),
                "scoped_identifier" => (None, syntax.field(function, "name")?),
                "field_expression" => {
                    (syntax.field(function, "value"), syntax.field(function, "field")?)
                }
                _ => return None,
            };
            Some(Call { receiver, name: syntax.text(name), arguments })
        }
        _ => None,
    }
}

fn function_name<'t>(syntax: &Syntax<'t>, id: NodeId) -> Option<&'t str> {
    let is_function = matches!(syntax.kind(id), "function_item" | "macro_definition");
    is_function.then(|| syntax.field_text(id, "name"))
}

fn is_assertion(syntax: &Syntax<'_>, id: NodeId) -> bool {
    if is_macro_among_tokens(syntax, id) {
        return true;
    }
    call(syntax, id).is_some_and(|call| {
        let panics = syntax.kind(id) == "macro_invocation" && PANICS.contains(&call.name);
        panics || (is_assertion_name(call.name) && !is_vacuous(syntax, &call))
    })
}

/// `assert!` in the rules of a macro, or in what another macro is given.
fn is_macro_among_tokens(syntax: &Syntax<'_>, id: NodeId) -> bool {
    let Some(parent) = syntax.parent(id) else { return false };
    let next = syntax.end(id);
    syntax.kind(id) == "identifier"
        && matches!(syntax.kind(parent), "token_tree" | "token_repetition")
        && next < syntax.end(parent)
        && syntax.text(next) == "!"
        && is_assertion_name(syntax.text(id))
}

fn is_assertion_name(name: &str) -> bool {
    ["assert", "debug_assert", "prop_assert"].iter().any(|start| name.starts_with(start))
}

fn last_segment(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path).trim()
}

/// A test of Rust can only be skipped by its marks.
fn never_skips(_syntax: &Syntax<'_>, _id: NodeId) -> bool {
    false
}
