//! Ruby: methods `test_*` of minitest, and `it "…" do`.

use super::assertion::{has_constant_chain, is_constant, is_vacuous};
use super::rules::{Call, GroupMember, Member, Rules, TestMember, definition, string_value};
use super::syntax::{NodeId, Syntax};

pub(super) static RULES: Rules = Rules { member, call, function_name, is_assertion, is_skip };

const HOOKS: &[&str] = &["setup", "teardown", "before", "after", "around"];

fn member(syntax: &Syntax<'_>, id: NodeId, _marks: &[NodeId]) -> Member {
    match syntax.kind(id) {
        "method" => method(syntax, id),
        "singleton_method" => definition(syntax, id),
        "class" | "module" => match (syntax.field(id, "name"), syntax.field(id, "body")) {
            (Some(name), Some(body)) => Member::Group(GroupMember {
                name: syntax.text(name).to_owned(),
                body,
                is_class: true,
                is_skipped: false,
            }),
            _ => definition(syntax, id),
        },
        "assignment" => match syntax.field(id, "left") {
            Some(left) => {
                Member::Definition(syntax.names(syntax.subtree(left)).into_iter().collect())
            }
            None => Member::Other,
        },
        "call" => call_member(syntax, id),
        _ => Member::Other,
    }
}

fn method(syntax: &Syntax<'_>, id: NodeId) -> Member {
    let name = syntax.field_text(id, "name");
    if HOOKS.contains(&name) {
        return Member::Hook(name.to_owned());
    }
    if !name.starts_with("test_") {
        return definition(syntax, id);
    }
    Member::Test(TestMember {
        name: name.to_owned(),
        body: syntax.field(id, "body"),
        asserts: false,
        is_skipped: false,
    })
}

fn call_member(syntax: &Syntax<'_>, id: NodeId) -> Member {
    let method = syntax.field_text(id, "method");
    let is_skipped = matches!(method, "xit" | "xdescribe" | "xcontext" | "fit" | "fdescribe");
    let block = syntax.field(id, "block");
    let body = block.and_then(|block| syntax.field(block, "body"));
    match method {
        "require" | "require_relative" | "load" => Member::Import,
        "describe" | "context" | "xdescribe" | "xcontext" | "fdescribe" => match body {
            Some(body) => {
                let name = first_argument(syntax, id).map_or("", |name| syntax.text(name));
                let name = name.to_owned();
                Member::Group(GroupMember { name, body, is_class: false, is_skipped })
            }
            None => Member::Other,
        },
        "it" | "specify" | "test" | "xit" | "fit" => match first_argument(syntax, id) {
            Some(name) if syntax.kind(name) == "string" => Member::Test(TestMember {
                name: string_value(syntax.text(name)),
                body,
                asserts: false,
                is_skipped: is_skipped || block.is_none(),
            }),
            _ => Member::Other,
        },
        "let" | "let!" | "subject" => {
            let name = first_argument(syntax, id).map_or(method, |name| syntax.text(name));
            Member::Definition(vec![name.trim_start_matches(':').to_owned()])
        }
        _ if HOOKS.contains(&method) => Member::Hook(method.to_owned()),
        _ => Member::Other,
    }
}

fn first_argument(syntax: &Syntax<'_>, call: NodeId) -> Option<NodeId> {
    syntax.named(syntax.field(call, "arguments")?).next()
}

/// A name alone calls a method where it is a statement.
fn call<'t>(syntax: &Syntax<'t>, id: NodeId) -> Option<Call<'t>> {
    if syntax.kind(id) == "identifier" {
        let parent = syntax.kind(syntax.parent(id)?);
        let is_statement =
            matches!(parent, "body_statement" | "block_body" | "then" | "else" | "ensure")
                || (parent.ends_with("_modifier") && syntax.field_of(id) == "body");
        return is_statement.then(|| Call {
            receiver: None,
            name: syntax.text(id),
            arguments: None,
        });
    }
    if syntax.kind(id) != "call" {
        return None;
    }
    Some(Call {
        receiver: syntax.field(id, "receiver"),
        name: syntax.text(syntax.field(id, "method")?),
        arguments: syntax.field(id, "arguments"),
    })
}

fn function_name<'t>(syntax: &Syntax<'t>, id: NodeId) -> Option<&'t str> {
    matches!(syntax.kind(id), "method" | "singleton_method").then(|| syntax.field_text(id, "name"))
}

fn is_assertion(syntax: &Syntax<'_>, id: NodeId) -> bool {
    call(syntax, id).is_some_and(|call| {
        let starts = |words: &[&str]| words.iter().any(|word| call.name.starts_with(word));
        if call.name == "flunk" {
            true
        } else if call.name == "expect" {
            // Alone it asserts nothing; a block may do anything.
            let is_vacuous = is_vacuous(syntax, &call) && has_constant_chain(syntax, id);
            syntax.field_of(id) == "receiver" && !is_vacuous
        } else if starts(&["must_", "wont_"]) {
            let is_constant = |part: Option<NodeId>| part.is_none_or(|id| is_value(syntax, id));
            !(is_constant(call.receiver) && is_constant(call.arguments))
        } else {
            starts(&["assert", "refute"]) && !is_vacuous(syntax, &call)
        }
    })
}

/// A constant, also as `_(1)` and `value(1)`.
fn is_value(syntax: &Syntax<'_>, id: NodeId) -> bool {
    match call(syntax, id) {
        Some(call) if call.receiver.is_none() && matches!(call.name, "_" | "value" | "expect") => {
            call.arguments.is_some_and(|arguments| is_constant(syntax, arguments))
        }
        _ => is_constant(syntax, id),
    }
}

fn is_skip(syntax: &Syntax<'_>, id: NodeId) -> bool {
    call(syntax, id)
        .is_some_and(|call| call.receiver.is_none() && matches!(call.name, "skip" | "pending"))
}
