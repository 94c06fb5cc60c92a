//! Whether a test asserts anything, and whether it comes so far.

use std::collections::BTreeSet;

use super::rules::{Call, Rules};
use super::syntax::{NodeId, Syntax};

/// What the body of a test does.
#[derive(Default)]
pub(super) struct Verdict {
    pub(super) asserts: bool,
    /// It skips the test, or returns before the first assertion.
    pub(super) is_skipped: bool,
}

/// `helpers` are the names of functions that assert something.
pub(super) fn judge(
    syntax: &Syntax<'_>,
    rules: &Rules,
    helpers: &BTreeSet<String>,
    body: NodeId,
) -> Verdict {
    let is_skipped = syntax.subtree(body).any(|id| (rules.is_skip)(syntax, id));
    let mut verdict = Verdict { asserts: false, is_skipped };
    for statement in statements(syntax, body) {
        if asserts(syntax, rules, helpers, statement) {
            verdict.asserts = true;
        } else if !verdict.asserts && is_return(syntax, statement) {
            verdict.is_skipped = true;
        }
    }
    verdict
}

/// The names of the functions that contain an assertion.
pub(super) fn asserting_functions(
    syntax: &Syntax<'_>,
    rules: &Rules,
    names: &mut BTreeSet<String>,
) {
    let mut open: Vec<(NodeId, Option<&str>)> = Vec::new();
    let mut id = 0;
    while id < syntax.end(0) {
        while open.last().is_some_and(|&(end, _)| end <= id) {
            open.pop();
        }
        if is_dead(syntax, id) {
            id = syntax.end(id);
            continue;
        }
        if let Some(name) = (rules.function_name)(syntax, id) {
            open.push((syntax.end(id), Some(name)));
        }
        if (rules.is_assertion)(syntax, id) {
            // What is around a function that has been named has been named with it.
            for (_, name) in open.iter_mut().rev() {
                let Some(name) = name.take() else { break };
                names.insert(name.to_owned());
            }
        }
        id += 1;
    }
}

fn statements(syntax: &Syntax<'_>, body: NodeId) -> Vec<NodeId> {
    match syntax.kind(body) {
        "block" | "statement_block" | "body_statement" | "block_body" => {
            let list = syntax.named(body).next();
            let list = list.filter(|&first| syntax.kind(first) == "statement_list");
            syntax.named(list.unwrap_or(body)).collect()
        }
        _ => vec![body],
    }
}

fn asserts(
    syntax: &Syntax<'_>,
    rules: &Rules,
    helpers: &BTreeSet<String>,
    statement: NodeId,
) -> bool {
    let mut id = statement;
    while id < syntax.end(statement) {
        if is_dead(syntax, id) {
            id = syntax.end(id);
            continue;
        }
        let calls_helper =
            || (rules.call)(syntax, id).is_some_and(|call| helpers.contains(call.name));
        if (rules.is_assertion)(syntax, id) || calls_helper() {
            return true;
        }
        id += 1;
    }
    false
}

/// `if false { … }`: what stands there is never run, or always.
fn is_dead(syntax: &Syntax<'_>, id: NodeId) -> bool {
    let is_condition = matches!(
        syntax.kind(id),
        "if_statement" | "if_expression" | "if" | "unless" | "if_modifier" | "unless_modifier"
    );
    is_condition
        && syntax.field(id, "condition").is_some_and(|condition| is_constant(syntax, condition))
}

fn is_return(syntax: &Syntax<'_>, statement: NodeId) -> bool {
    let returns =
        |id: NodeId| matches!(syntax.kind(id), "return_statement" | "return_expression" | "return");
    returns(statement)
        || (syntax.kind(statement) == "expression_statement"
            && syntax.named(statement).next().is_some_and(returns))
}

/// What a call is made on that says nothing about the code under test.
const FRAMEWORK: &[&str] =
    &["self", "cls", "this", "t", "assert", "t.assert", "assert.strict", "Assert", "Assertions"];

/// All arguments of the assertion are constants.
pub(super) fn is_vacuous(syntax: &Syntax<'_>, call: &Call<'_>) -> bool {
    let is_framework =
        call.receiver.is_none_or(|receiver| FRAMEWORK.contains(&syntax.text(receiver)));
    is_framework && call.arguments.is_some_and(|arguments| has_constants(syntax, arguments))
}

/// At least one argument, and all are constants.
pub(super) fn has_constants(syntax: &Syntax<'_>, arguments: NodeId) -> bool {
    syntax.named(arguments).next().is_some() && is_constant(syntax, arguments)
}

/// It names nothing.
pub(super) fn is_constant(syntax: &Syntax<'_>, id: NodeId) -> bool {
    let is_argument_name = |id: NodeId| {
        syntax.field_of(id) == "name"
            && syntax.parent(id).is_some_and(|parent| syntax.kind(parent) == "keyword_argument")
    };
    let is_variable = |id: NodeId| match syntax.kind(id) {
        "this" | "self" | "super" => true,
        // The key of an object literal; what it is a member of is a name as well.
        "property_identifier" => false,
        _ => syntax.is_name(id) && !is_argument_name(id),
    };
    !syntax.subtree(id).any(is_variable)
}

/// `expect(1).toBe(1)`: whether all that is called on the result of a call has constants as arguments.
pub(super) fn has_constant_chain(syntax: &Syntax<'_>, call: NodeId) -> bool {
    let mut id = call;
    while let Some(parent) = syntax.parent(id) {
        let is_link = matches!(syntax.field_of(id), "object" | "function" | "receiver")
            && matches!(
                syntax.kind(parent),
                "member_expression" | "call_expression" | "method_invocation" | "call"
            );
        if !is_link {
            break;
        }
        let arguments = syntax.field(parent, "arguments");
        if arguments.is_some_and(|arguments| !is_constant(syntax, arguments)) {
            return false;
        }
        id = parent;
    }
    true
}
