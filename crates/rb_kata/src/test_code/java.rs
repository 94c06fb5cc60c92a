//! Java: methods with `@Test`, and methods `test*` of an old `TestCase`.

use super::assertion::{has_constant_chain, is_constant, is_vacuous};
use super::rules::{Call, GroupMember, Member, Rules, TestMember, definition};
use super::syntax::{NodeId, Syntax};

pub(super) static RULES: Rules = Rules { member, call, function_name, is_assertion, is_skip };

const TESTS: &[&str] = &["Test", "ParameterizedTest", "RepeatedTest", "TestFactory"];
const HOOKS: &[&str] = &[
    "Before",
    "BeforeEach",
    "BeforeAll",
    "BeforeClass",
    "After",
    "AfterEach",
    "AfterAll",
    "AfterClass",
];

fn member(syntax: &Syntax<'_>, id: NodeId, _marks: &[NodeId]) -> Member {
    match syntax.kind(id) {
        "package_declaration" | "import_declaration" => Member::Import,
        "class_declaration" | "record_declaration" | "interface_declaration" => {
            match syntax.field(id, "body") {
                Some(body) => Member::Group(GroupMember {
                    name: syntax.field_text(id, "name").to_owned(),
                    body,
                    is_class: true,
                    is_skipped: is_disabled(syntax, id),
                }),
                None => Member::Other,
            }
        }
        "method_declaration" => method(syntax, id),
        "field_declaration" | "constant_declaration" => {
            let declarators = syntax.named(id).filter(|&id| syntax.field_of(id) == "declarator");
            let names = declarators.map(|declarator| syntax.field_text(declarator, "name"));
            Member::Definition(names.map(str::to_owned).collect())
        }
        "enum_declaration" | "annotation_type_declaration" => definition(syntax, id),
        "constructor_declaration" => Member::Hook("constructor".to_owned()),
        "static_initializer" | "block" => Member::Hook("initializer".to_owned()),
        _ => Member::Other,
    }
}

fn method(syntax: &Syntax<'_>, id: NodeId) -> Member {
    let name = syntax.field_text(id, "name");
    let marks = annotations(syntax, id);
    let test = marks.iter().find(|(_, mark)| TESTS.contains(mark));
    if test.is_none() && !is_old_test(syntax, id) {
        let is_marked = marks.iter().any(|(_, mark)| HOOKS.contains(mark));
        let is_hook = is_marked || matches!(name, "setUp" | "tearDown");
        return if is_hook { Member::Hook(name.to_owned()) } else { definition(syntax, id) };
    }
    Member::Test(TestMember {
        name: name.to_owned(),
        body: syntax.field(id, "body"),
        // `@Test(expected = X.class)` of JUnit 4.
        asserts: test.is_some_and(|&(mark, _)| names_word(syntax, mark, "expected")),
        is_skipped: is_disabled(syntax, id),
    })
}

/// `public void testX()` in a class that extends `TestCase`.
fn is_old_test(syntax: &Syntax<'_>, id: NodeId) -> bool {
    let body = syntax.parent(id);
    let class = body.and_then(|body| syntax.parent(body));
    syntax.field_text(id, "name").starts_with("test")
        && class.is_some_and(|class| syntax.field_text(class, "superclass").ends_with("TestCase"))
}

/// The annotations of a declaration with their names.
fn annotations<'t>(syntax: &Syntax<'t>, id: NodeId) -> Vec<(NodeId, &'t str)> {
    let Some(modifiers) = syntax.named(id).find(|&child| syntax.kind(child) == "modifiers") else {
        return Vec::new();
    };
    let marks = syntax
        .named(modifiers)
        .filter(|&child| matches!(syntax.kind(child), "annotation" | "marker_annotation"));
    let name = |mark: NodeId| {
        let path = syntax.field_text(mark, "name");
        path.rsplit('.').next().unwrap_or(path).trim()
    };
    marks.map(|mark| (mark, name(mark))).collect()
}

/// `@Disabled`, `@Ignore`, `@EnabledIf…(…)`, `@Test(enabled = false)`.
fn is_disabled(syntax: &Syntax<'_>, id: NodeId) -> bool {
    annotations(syntax, id).into_iter().any(|(mark, name)| {
        name == "Ignore"
            || name.starts_with("Disabled")
            || name.starts_with("Enabled")
            || (TESTS.contains(&name) && names_word(syntax, mark, "enabled"))
    })
}

fn names_word(syntax: &Syntax<'_>, id: NodeId, word: &str) -> bool {
    syntax.subtree(id).any(|id| syntax.is_name(id) && syntax.text(id) == word)
}

fn call<'t>(syntax: &Syntax<'t>, id: NodeId) -> Option<Call<'t>> {
    if syntax.kind(id) != "method_invocation" {
        return None;
    }
    Some(Call {
        receiver: syntax.field(id, "object"),
        name: syntax.text(syntax.field(id, "name")?),
        arguments: syntax.field(id, "arguments"),
    })
}

fn function_name<'t>(syntax: &Syntax<'t>, id: NodeId) -> Option<&'t str> {
    (syntax.kind(id) == "method_declaration").then(|| syntax.field_text(id, "name"))
}

fn is_assertion(syntax: &Syntax<'_>, id: NodeId) -> bool {
    if syntax.kind(id) == "assert_statement" {
        return !is_constant(syntax, id);
    }
    call(syntax, id).is_some_and(|call| {
        call.name == "fail"
            || (call.name.starts_with("assert")
                && !(is_vacuous(syntax, &call) && has_constant_chain(syntax, id)))
    })
}

/// `Assumptions.assumeTrue(…)`.
fn is_skip(syntax: &Syntax<'_>, id: NodeId) -> bool {
    call(syntax, id).is_some_and(|call| {
        ["assumeTrue", "assumeFalse", "assumeThat", "assumingThat"].contains(&call.name)
    })
}
