//! JavaScript and TypeScript: `test("…", …)` and `it("…", …)`, alone or in `describe`, for node's runner and those like it.

use super::assertion::{has_constant_chain, has_constants, is_vacuous};
use super::rules::{Call, GroupMember, Member, Rules, TestMember, definition, string_value};
use super::syntax::{NodeId, Syntax};

pub(super) static RULES: Rules = Rules { member, call, function_name, is_assertion, is_skip };

const TESTS: &[&str] = &["test", "it", "specify", "xit", "xtest", "fit"];
const GROUPS: &[&str] = &["describe", "suite", "context", "xdescribe", "fdescribe"];
const HOOKS: &[&str] =
    &["before", "beforeEach", "beforeAll", "after", "afterEach", "afterAll", "setup", "teardown"];
/// Words that keep a test from running or from counting, or all others: `.only`.
const SKIPS: &[&str] = &["skip", "todo", "only", "failing", "fails", "fixme", "skipIf", "runIf"];
const SKIPPED: &[&str] = &["xit", "xtest", "fit", "xdescribe", "fdescribe"];

fn member(syntax: &Syntax<'_>, id: NodeId, _marks: &[NodeId]) -> Member {
    match syntax.kind(id) {
        "import_statement" => Member::Import,
        "expression_statement" => match inner_call(syntax, id) {
            Some(call) => call_member(syntax, call),
            None => Member::Other,
        },
        "call_expression" => call_member(syntax, id),
        "export_statement" => match syntax.field(id, "declaration") {
            Some(inner) => declaration(syntax, inner),
            None => Member::Other,
        },
        _ => declaration(syntax, id),
    }
}

/// `test(…)` and `await test(…)`.
fn inner_call(syntax: &Syntax<'_>, statement: NodeId) -> Option<NodeId> {
    let mut inner = syntax.named(statement).next()?;
    if syntax.kind(inner) == "await_expression" {
        inner = syntax.named(inner).next()?;
    }
    (syntax.kind(inner) == "call_expression").then_some(inner)
}

fn declaration(syntax: &Syntax<'_>, id: NodeId) -> Member {
    match syntax.kind(id) {
        "function_declaration"
        | "generator_function_declaration"
        | "method_definition"
        | "public_field_definition"
        | "interface_declaration"
        | "type_alias_declaration"
        | "enum_declaration" => definition(syntax, id),
        "field_definition" => {
            Member::Definition(vec![syntax.field_text(id, "property").to_owned()])
        }
        "class_declaration" | "abstract_class_declaration" => {
            let name = syntax.field_text(id, "name").to_owned();
            match syntax.field(id, "body") {
                Some(body) => {
                    Member::Group(GroupMember { name, body, is_class: true, is_skipped: false })
                }
                None => Member::Other,
            }
        }
        "lexical_declaration" | "variable_declaration" => variables(syntax, id),
        _ => Member::Other,
    }
}

fn variables(syntax: &Syntax<'_>, id: NodeId) -> Member {
    let mut names = Vec::new();
    let declarators = syntax.named(id).filter(|&id| syntax.kind(id) == "variable_declarator");
    for declarator in declarators {
        let value = syntax.field_text(declarator, "value");
        if value.starts_with("require(") || value.starts_with("await import(") {
            return Member::Import;
        }
        if let Some(name) = syntax.field(declarator, "name") {
            names.extend(syntax.names(syntax.subtree(name)));
        }
    }
    Member::Definition(names)
}

fn call_member(syntax: &Syntax<'_>, id: NodeId) -> Member {
    let words = callee_words(syntax, id);
    let Some(&first) = words.first() else { return Member::Other };
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    if !TESTS.contains(&first) && !GROUPS.contains(&first) && !HOOKS.contains(&first) {
        return Member::Other;
    }
    if has(HOOKS) {
        return Member::Hook(words.join("."));
    }
    let Some(arguments) = syntax.field(id, "arguments") else { return Member::Other };
    let name = syntax.named(arguments).next();
    let Some(name) = name.filter(|&id| matches!(syntax.kind(id), "string" | "template_string"))
    else {
        return Member::Other;
    };
    let name = string_value(syntax.text(name));
    let body = syntax
        .named(arguments)
        .find(|&id| {
            matches!(
                syntax.kind(id),
                "arrow_function" | "function_expression" | "generator_function"
            )
        })
        .and_then(|function| syntax.field(function, "body"));
    let is_skipped = SKIPPED.contains(&first) || has(SKIPS) || has_skip_option(syntax, arguments);
    match (has(GROUPS), body) {
        (true, Some(body)) => {
            Member::Group(GroupMember { name, body, is_class: false, is_skipped })
        }
        (true, None) => Member::Other,
        (false, body) => Member::Test(TestMember {
            name,
            body,
            asserts: false,
            is_skipped: is_skipped || body.is_none(),
        }),
    }
}

/// The words of what is called: `test`, `skip` and `each` of `test.skip.each([…])("…", …)`. Longer ones call no test.
fn callee_words<'t>(syntax: &Syntax<'t>, id: NodeId) -> Vec<&'t str> {
    let mut words = Vec::new();
    let mut callee = syntax.field(id, "function");
    for _ in 0..8 {
        let Some(id) = callee else { return Vec::new() };
        match syntax.kind(id) {
            "identifier" => {
                words.push(syntax.text(id));
                words.reverse();
                return words;
            }
            "member_expression" => {
                words.push(syntax.field_text(id, "property"));
                callee = syntax.field(id, "object");
            }
            "call_expression" => callee = syntax.field(id, "function"),
            _ => return Vec::new(),
        }
    }
    Vec::new()
}

/// `{ skip: true }`.
fn has_skip_option(syntax: &Syntax<'_>, arguments: NodeId) -> bool {
    let mut options = syntax.named(arguments).filter(|&id| syntax.kind(id) == "object");
    options.any(|object| {
        syntax.named(object).any(|pair| {
            let key = syntax.field_text(pair, "key").trim_matches(['"', '\'']);
            SKIPS.contains(&key) && syntax.field_text(pair, "value") != "false"
        })
    })
}

fn call<'t>(syntax: &Syntax<'t>, id: NodeId) -> Option<Call<'t>> {
    if syntax.kind(id) != "call_expression" {
        return None;
    }
    let function = syntax.field(id, "function")?;
    let (receiver, name) = match syntax.kind(function) {
        "identifier" => (None, function),
        "member_expression" => {
            (syntax.field(function, "object"), syntax.field(function, "property")?)
        }
        _ => return None,
    };
    Some(Call { receiver, name: syntax.text(name), arguments: syntax.field(id, "arguments") })
}

fn function_name<'t>(syntax: &Syntax<'t>, id: NodeId) -> Option<&'t str> {
    let is_function = match syntax.kind(id) {
        "function_declaration" | "generator_function_declaration" | "method_definition" => true,
        "variable_declarator" => syntax.field(id, "value").is_some_and(|value| {
            matches!(syntax.kind(value), "arrow_function" | "function_expression")
        }),
        _ => false,
    };
    is_function.then(|| syntax.field_text(id, "name"))
}

/// `assert(…)`, `assert.equal(…)`, `t.assert.equal(…)`, `expect(…).toBe(…)`, `expect.fail()`.
fn is_assertion(syntax: &Syntax<'_>, id: NodeId) -> bool {
    call(syntax, id).is_some_and(|call| {
        if call.name == "expect" && call.receiver.is_none() {
            // Alone it asserts nothing.
            let is_constant = call.arguments.is_some_and(|id| has_constants(syntax, id))
                && has_constant_chain(syntax, id);
            return syntax.field_of(id) == "object" && !is_constant;
        }
        let receiver = call.receiver.map_or("", |receiver| syntax.text(receiver));
        if receiver == "expect" {
            return call.name == "fail";
        }
        let is_assert = call.name.starts_with("assert")
            || matches!(receiver, "assert" | "assert.strict" | "t.assert")
            || receiver.ends_with(".assert");
        is_assert && !is_vacuous(syntax, &call)
    })
}

/// `t.skip()`, `this.skip()`, `context.todo()`.
fn is_skip(syntax: &Syntax<'_>, id: NodeId) -> bool {
    call(syntax, id).is_some_and(|call| {
        let receiver = call.receiver.map_or("", |receiver| syntax.text(receiver));
        matches!(call.name, "skip" | "todo")
            && matches!(receiver, "t" | "this" | "ctx" | "context" | "test" | "it")
    })
}
