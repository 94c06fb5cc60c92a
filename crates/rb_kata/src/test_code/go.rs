//! Go: functions `TestX(t *testing.T)`. Subtests belong to their function.

use super::rules::{Call, Member, Rules, TestMember, definition};
use super::syntax::{NodeId, Syntax};

pub(super) static RULES: Rules = Rules { member, call, function_name, is_assertion, is_skip };

/// Packages whose functions have names like the methods of `testing.T`.
const PACKAGES: &[&str] = &["fmt", "errors", "log", "slog", "os"];

fn member(syntax: &Syntax<'_>, id: NodeId, _marks: &[NodeId]) -> Member {
    match syntax.kind(id) {
        "package_clause" | "import_declaration" => Member::Import,
        "function_declaration" => function(syntax, id),
        "method_declaration" => definition(syntax, id),
        "var_declaration" | "const_declaration" | "type_declaration" => {
            Member::Definition(spec_names(syntax, id))
        }
        _ => Member::Other,
    }
}

fn function(syntax: &Syntax<'_>, id: NodeId) -> Member {
    let name = syntax.field_text(id, "name");
    if matches!(name, "TestMain" | "init") {
        return Member::Hook(name.to_owned());
    }
    let is_test = name.strip_prefix("Test").is_some_and(|rest| {
        !rest.starts_with(char::is_lowercase)
            && syntax.field_text(id, "parameters").contains("testing.T")
    });
    if !is_test {
        return definition(syntax, id);
    }
    Member::Test(TestMember {
        name: name.to_owned(),
        body: syntax.field(id, "body"),
        asserts: false,
        is_skipped: false,
    })
}

fn spec_names(syntax: &Syntax<'_>, id: NodeId) -> Vec<String> {
    let is_spec = |id: NodeId| {
        matches!(syntax.kind(id), "var_spec" | "const_spec" | "type_spec" | "type_alias")
    };
    let is_spec_name = |id: &NodeId| {
        syntax.field_of(*id) == "name"
            && syntax.is_name(*id)
            && syntax.parent(*id).is_some_and(is_spec)
    };
    let names = syntax.subtree(id).filter(is_spec_name);
    names.map(|name| syntax.text(name).to_owned()).collect()
}

fn call<'t>(syntax: &Syntax<'t>, id: NodeId) -> Option<Call<'t>> {
    if syntax.kind(id) != "call_expression" {
        return None;
    }
    let function = syntax.field(id, "function")?;
    let (receiver, name) = match syntax.kind(function) {
        "identifier" => (None, function),
        "selector_expression" => {
            (syntax.field(function, "operand"), syntax.field(function, "field")?)
        }
        _ => return None,
    };
    Some(Call { receiver, name: syntax.text(name), arguments: syntax.field(id, "arguments") })
}

fn function_name<'t>(syntax: &Syntax<'t>, id: NodeId) -> Option<&'t str> {
    matches!(syntax.kind(id), "function_declaration" | "method_declaration")
        .then(|| syntax.field_text(id, "name"))
}

/// `t.Errorf(…)`, and `require.Equal(…)` of a library.
fn is_assertion(syntax: &Syntax<'_>, id: NodeId) -> bool {
    call(syntax, id).is_some_and(|call| {
        let Some(receiver) = call.receiver else { return false };
        let receiver = syntax.text(receiver);
        let is_failure = ["Error", "Fatal", "Fail"].iter().any(|word| call.name.starts_with(word));
        matches!(receiver, "assert" | "require") || (is_failure && !PACKAGES.contains(&receiver))
    })
}

fn is_skip(syntax: &Syntax<'_>, id: NodeId) -> bool {
    call(syntax, id).is_some_and(|call| {
        call.receiver.is_some() && matches!(call.name, "Skip" | "Skipf" | "SkipNow")
    })
}
