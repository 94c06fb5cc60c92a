//! Python: methods `test*` of classes and functions `test_*`, for unittest and pytest.

use super::assertion::{is_constant, is_vacuous};
use super::rules::{Call, GroupMember, Member, Rules, TestMember, definition};
use super::syntax::{NodeId, Syntax};

pub(super) static RULES: Rules = Rules { member, call, function_name, is_assertion, is_skip };

const HOOKS: &[&str] = &[
    "setUp",
    "tearDown",
    "asyncSetUp",
    "asyncTearDown",
    "setUpClass",
    "tearDownClass",
    "setUpModule",
    "tearDownModule",
    "setup",
    "teardown",
    "setup_method",
    "teardown_method",
    "setup_class",
    "teardown_class",
    "setup_function",
    "teardown_function",
    "setup_module",
    "teardown_module",
    "load_tests",
];

fn member(syntax: &Syntax<'_>, id: NodeId, _marks: &[NodeId]) -> Member {
    match syntax.kind(id) {
        "decorated_definition" => match syntax.field(id, "definition") {
            Some(inner) => declaration(syntax, id, inner),
            None => Member::Other,
        },
        "function_definition" | "class_definition" => declaration(syntax, id, id),
        "import_statement" | "import_from_statement" | "future_import_statement" => Member::Import,
        "expression_statement" => assignment(syntax, id),
        _ => Member::Other,
    }
}

/// `outer` is the definition with its decorators.
fn declaration(syntax: &Syntax<'_>, outer: NodeId, inner: NodeId) -> Member {
    let name = syntax.field_text(inner, "name");
    let body = syntax.field(inner, "body");
    if syntax.kind(inner) == "class_definition" {
        return match body {
            Some(body) => Member::Group(GroupMember {
                name: name.to_owned(),
                body,
                is_class: true,
                is_skipped: is_marked_skipped(syntax, outer),
            }),
            None => Member::Other,
        };
    }
    if name.starts_with("test_") || (name.starts_with("test") && is_method(syntax, outer)) {
        return Member::Test(TestMember {
            name: name.to_owned(),
            body,
            asserts: false,
            is_skipped: is_marked_skipped(syntax, outer),
        });
    }
    if HOOKS.contains(&name) || is_for_all(syntax, outer) {
        return Member::Hook(name.to_owned());
    }
    definition(syntax, inner)
}

fn is_method(syntax: &Syntax<'_>, id: NodeId) -> bool {
    let block = syntax.parent(id);
    let around = block.and_then(|block| syntax.parent(block));
    around.is_some_and(|around| syntax.kind(around) == "class_definition")
}

/// `@unittest.skipIf(…)`, `@expectedFailure`, `@pytest.mark.xfail`.
fn is_marked_skipped(syntax: &Syntax<'_>, outer: NodeId) -> bool {
    has_decorator_name(syntax, outer, |name| {
        name.starts_with("skip") || matches!(name, "xfail" | "expectedFailure")
    })
}

/// `@pytest.fixture(autouse=True)`.
fn is_for_all(syntax: &Syntax<'_>, outer: NodeId) -> bool {
    has_decorator_name(syntax, outer, |name| name == "autouse")
}

fn has_decorator_name(
    syntax: &Syntax<'_>,
    outer: NodeId,
    is_wanted: impl Fn(&str) -> bool,
) -> bool {
    let mut decorators = syntax.named(outer).filter(|&child| syntax.kind(child) == "decorator");
    decorators.any(|decorator| {
        syntax.subtree(decorator).any(|id| syntax.is_name(id) && is_wanted(syntax.text(id)))
    })
}

/// `LIMIT = 3`. A `pytestmark` is for all tests of the module.
fn assignment(syntax: &Syntax<'_>, id: NodeId) -> Member {
    let assignment = syntax.named(id).next().filter(|&only| syntax.kind(only) == "assignment");
    let Some(left) = assignment.and_then(|assignment| syntax.field(assignment, "left")) else {
        return Member::Other;
    };
    let names: Vec<String> = syntax.names(syntax.subtree(left)).into_iter().collect();
    if names.iter().any(|name| matches!(name.as_str(), "pytestmark" | "__unittest_skip__")) {
        return Member::Hook("pytestmark".to_owned());
    }
    Member::Definition(names)
}

fn call<'t>(syntax: &Syntax<'t>, id: NodeId) -> Option<Call<'t>> {
    if syntax.kind(id) != "call" {
        return None;
    }
    let function = syntax.field(id, "function")?;
    let (receiver, name) = match syntax.kind(function) {
        "identifier" => (None, function),
        "attribute" => (syntax.field(function, "object"), syntax.field(function, "attribute")?),
        _ => return None,
    };
    Some(Call { receiver, name: syntax.text(name), arguments: syntax.field(id, "arguments") })
}

fn function_name<'t>(syntax: &Syntax<'t>, id: NodeId) -> Option<&'t str> {
    (syntax.kind(id) == "function_definition").then(|| syntax.field_text(id, "name"))
}

fn is_assertion(syntax: &Syntax<'_>, id: NodeId) -> bool {
    if syntax.kind(id) == "assert_statement" {
        return !is_constant(syntax, id);
    }
    call(syntax, id).is_some_and(|call| match call.name {
        // Of a test case or of pytest.
        "fail" => call.receiver.is_some(),
        "raises" | "warns" => true,
        name => name.starts_with("assert") && !is_vacuous(syntax, &call),
    })
}

/// `self.skipTest(…)`, `pytest.skip(…)`, `raise SkipTest`.
fn is_skip(syntax: &Syntax<'_>, id: NodeId) -> bool {
    if syntax.kind(id) == "raise_statement" {
        return syntax.subtree(id).any(|id| syntax.is_name(id) && syntax.text(id) == "SkipTest");
    }
    call(syntax, id).is_some_and(|call| match call.name {
        "skipTest" | "SkipTest" | "xfail" | "importorskip" => true,
        "skip" => call.receiver.is_some_and(|receiver| syntax.text(receiver) == "pytest"),
        _ => false,
    })
}
