//! Storage of the browser: keys without a version, whole objects, and access that may throw.

use oxc_ast::AstKind;
use oxc_ast::ast::{BinaryExpression, CallExpression, Expression, ObjectPropertyKind};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::UnaryOperator;
use rb_ecma::{Module, Types};

use super::effects::{calls_in, method};
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "client-localstorage-schema",
    title: "What is kept in the browser outlives the code that reads it",
    category: Category::Client,
    impact: Impact::Medium,
    fix: FixKind::Detect,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "One of three problems: an object is stored in `localStorage` as JSON under a key without a version \
               and has no version field; a whole user, session or token object is stored; or calls of the storage \
               are not inside a `try`.",
        why: "The next release reads what the last one wrote. Whole objects contain more than anybody meant to keep, \
              readable by every script. And storage throws if it is full or disabled.",
        wrong: "localStorage.setItem('prefs', JSON.stringify(user));",
        right: "const KEY = 'prefs:v1';\n\
                try { localStorage.setItem(KEY, JSON.stringify({ theme: user.theme })); } catch { /* full or blocked */ }",
        safe: "No fix is offered: another key drops what every user has saved.",
        leave: "The values may be lost and are never read by another release, or the reader validates what it gets.",
        given: &[],
    },
    wants: &["localStorage", "sessionStorage"],
    applies: |facts| {
        facts.package.uses_react && facts.is_client() && facts.kind == FileKind::Source
    },
    check,
};

/// Objects that are more than anybody wants to keep.
const WHOLE: &[&str] = &[
    "user",
    "currentuser",
    "loggedinuser",
    "session",
    "usersession",
    "token",
    "tokens",
    "authtoken",
    "credentials",
    "authstate",
    "authdata",
    "userdata",
];

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let mut hits = Vec::new();
    let mut open: Vec<&CallExpression<'_>> = Vec::new();
    for call in module.calls() {
        let Some((object, name)) = method(call) else { continue };
        if !["setItem", "getItem", "removeItem"].contains(&name) || !module.is_storage(object) {
            continue;
        }
        if name == "setItem" {
            hits.extend(stored(module, call));
        }
        if !is_tried(module, call) {
            open.push(call);
        }
    }
    // What is written is what fails most: one word for the file.
    if let Some(first) = open.iter().find(|it| method(it).is_some_and(|it| it.1 == "setItem")) {
        let others = match open.len() - 1 {
            0 => String::new(),
            1 => " (and one more call)".to_owned(),
            count => format!(" (and {count} more calls)"),
        };
        let message =
            format!("storage throws if it is full or disabled; wrap this in `try`{others}");
        hits.push(Hit::at(first.callee.span(), message).low());
    }
    for hit in hits {
        cx.report(hit);
    }
}

/// An object that is stored without a version, or as a whole.
fn stored<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> Option<Hit> {
    let value = stringified(module, call.arguments.get(1)?.as_expression()?)?;
    let key = call.arguments.first()?.as_expression()?;
    if let Some(name) = whole(module, value) {
        let message =
            format!("the whole `{name}` is stored in the browser; store only the fields you need");
        return Some(Hit::at(call.span, message));
    }
    // It ends with the tab: no other release comes to read it.
    if module.slice(method(call)?.0.span()).ends_with("sessionStorage") {
        return None;
    }
    let key = key_text(module, key)?;
    let types = module.types(value);
    let is_plain = types.is_only(Types::PRIMITIVE | Types::NULLISH);
    if is_plain || has_version_word(&key) || has_version(module, value) || is_checked(module, &key)
    {
        return None;
    }
    let message = format!(
        "data stored under `{key}` has no version, so later releases cannot detect old data; add a version to the key or value"
    );
    let hit = Hit::at(call.span, message);
    let is_object = matches!(module.resolved(value), Expression::ObjectExpression(_))
        || types.is_only(Types::OBJECT);
    Some(if is_object { hit } else { hit.low() })
}

/// `x` of `JSON.stringify(x)`, also by way of a constant.
fn stringified<'a>(module: &Module<'a>, value: &'a Expression<'a>) -> Option<&'a Expression<'a>> {
    let Expression::CallExpression(call) = module.resolved(value) else { return None };
    let (object, name) = method(call)?;
    let is_json = name == "stringify" && module.is_global_named(object, "JSON");
    let at = call.span;
    // The table has the call for as long as the file.
    let call = module.calls().iter().find(|it| it.span == at).filter(|_| is_json)?;
    call.arguments.first()?.as_expression()
}

fn whole<'a>(module: &Module<'a>, value: &'a Expression<'a>) -> Option<&'a str> {
    let name = match value.get_inner_expression() {
        Expression::Identifier(it) => it.name.as_str(),
        Expression::StaticMemberExpression(it) => it.property.name.as_str(),
        _ => return None,
    };
    let is_plain = module.types(value).is_only(Types::PRIMITIVE | Types::NULLISH);
    (WHOLE.contains(&name.to_lowercase().as_str()) && !is_plain).then_some(name)
}

/// The key as far as it is written; `None` where it comes from elsewhere: a helper, whose callers have it.
fn key_text<'a>(module: &Module<'a>, key: &Expression<'a>) -> Option<String> {
    match module.resolved(key) {
        Expression::StringLiteral(it) => Some(it.value.to_string()),
        Expression::TemplateLiteral(it) => {
            let parts: Vec<&str> = it.quasis.iter().map(|it| it.value.raw.as_str()).collect();
            let has_version =
                it.expressions.iter().any(|it| has_version_word(module.slice(it.span())));
            let is_helper =
                parts.iter().all(|it| it.chars().filter(char::is_ascii_alphabetic).count() < 3);
            (!has_version && !is_helper).then(|| parts.join("…"))
        }
        _ => None,
    }
}

/// `v2`, `version`, `schema` as a part of its own.
fn has_version_word(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut parts = lower.split(|c: char| !c.is_ascii_alphanumeric());
    lower.contains("version")
        || lower.contains("schema")
        || parts.any(|part| {
            part.strip_prefix('v')
                .is_some_and(|it| !it.is_empty() && it.chars().all(|c| c.is_ascii_digit()))
                || (!part.is_empty() && part.chars().all(|c| c.is_ascii_digit()))
        })
        || text
            .char_indices()
            .any(|(at, c)| c == 'V' && text[at + 1..].starts_with(|c: char| c.is_ascii_digit()))
}

/// When it was made, or when it ends: whoever reads that throws it away in time.
fn is_time(name: &str) -> bool {
    const TIMES: &[&str] = &[
        "cachedat",
        "date",
        "expiration",
        "expires",
        "expiresat",
        "expiry",
        "fetchedat",
        "savedat",
        "storedat",
        "timestamp",
        "ttl",
    ];
    TIMES.contains(&name.to_lowercase().replace('_', "").as_str())
}

fn has_version<'a>(module: &Module<'a>, value: &Expression<'a>) -> bool {
    let named = |name: &str| name == "v" || has_version_word(name) || is_time(name);
    match module.resolved(value) {
        Expression::ObjectExpression(object) => object.properties.iter().any(|it| match it {
            ObjectPropertyKind::ObjectProperty(it) => {
                it.key.static_name().is_some_and(|it| named(&it))
            }
            // It may come with the rest.
            ObjectPropertyKind::SpreadProperty(_) => true,
        }),
        Expression::Identifier(it) => {
            let symbol = module.symbol(it);
            let written = symbol.and_then(|it| module.declared_type_of(it));
            written.is_some_and(|it| module.member_type(it, "version").is_some())
        }
        _ => false,
    }
}

/// Does a function that reads the key look at what it got: by a schema, a guard, or what a field holds? Then it can tell.
fn is_checked(module: &Module<'_>, key: &str) -> bool {
    let mut reads = module.calls().iter().filter(|call| {
        let is_read = method(call)
            .is_some_and(|(object, name)| name == "getItem" && module.is_storage(object));
        let read = call.arguments.first().and_then(|it| it.as_expression());
        is_read && read.and_then(|it| key_text(module, it)).is_some_and(|it| it == key)
    });
    reads.any(|call| {
        module.function_around(call.node_id.get()).is_some_and(|func| looks(module, func.span()))
    })
}

fn looks(module: &Module<'_>, span: Span) -> bool {
    calls_in(module, span).any(|call| guards(module, call))
        || module.nodes().iter().any(|it| match it.kind() {
            AstKind::BinaryExpression(it) => span.contains_inclusive(it.span) && compares_field(it),
            _ => false,
        })
}

/// `Schema.parse(it)`, `Array.isArray(it)`, `isPrefs(it)`.
fn guards<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    match method(call) {
        Some((object, "parse" | "safeParse" | "validate")) => {
            !module.is_global_named(object, "JSON")
        }
        Some((_, name)) => name == "isArray",
        None => call.callee_name().is_some_and(|name| {
            name.strip_prefix("is").is_some_and(|it| it.starts_with(|c: char| c.is_uppercase()))
        }),
    }
}

/// `it.kind === 'x'`, `typeof it.name === 'string'`.
fn compares_field(compared: &BinaryExpression<'_>) -> bool {
    let field = match compared.left.get_inner_expression() {
        Expression::UnaryExpression(it) if it.operator == UnaryOperator::Typeof => &it.argument,
        other => other,
    };
    compared.operator.is_equality()
        && field.get_inner_expression().is_member_expression()
        && matches!(compared.right.get_inner_expression(), Expression::StringLiteral(_))
}

/// In a `try` with a `catch`, or in a function that is called in one right there.
fn is_tried<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    module.ancestors(call.node_id.get()).any(|kind| match kind {
        AstKind::TryStatement(it) => {
            it.handler.is_some() && it.block.span.contains_inclusive(call.span)
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::facts::Realm;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_client_localstorage_schema_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_client_localstorage_schema_finds() {
        Setup::new().check(
            &RULE,
            "const KEY = 'cart';
export function save(cart: { items: string[] }, session: Session) {
  localStorage.setItem(KEY, JSON.stringify({ items: cart.items }));
  window.localStorage.setItem(`draft-${cart.items.length}`, JSON.stringify(cart));
  try {
    localStorage.setItem('s', JSON.stringify(session));
  } catch {}
  return localStorage.getItem(KEY);
}",
            expect![[r#"
                3:3 warning: data stored under `cart` has no version, so later releases cannot detect old data; add a version to the key or value
                4:3 warning: data stored under `draft-…` has no version, so later releases cannot detect old data; add a version to the key or value
                6:5 warning: the whole `session` is stored in the browser; store only the fields you need
                3:3 note: storage throws if it is full or disabled; wrap this in `try` (and 2 more calls)
            "#]],
        );
    }

    #[test]
    fn ru1_client_localstorage_schema_leaves() {
        let tried = |code: &str| {
            format!(
                "export function f(n: number, on: boolean, x, key, v: {{ version: number }}) {{ try {{ {code}; }} catch {{}} }}"
            )
        };
        let setup = Setup::new();
        for code in [
            // Plain values.
            "localStorage.setItem('a', 'b')",
            "localStorage.setItem('a', JSON.stringify(n))",
            "localStorage.setItem('a', JSON.stringify(on))",
            "localStorage.setItem('a', String(x))",
            // A version in the key or the value.
            "localStorage.setItem('prefs:v1', JSON.stringify({ a: 1 }))",
            "localStorage.setItem('prefs_2', JSON.stringify({ a: 1 }))",
            "localStorage.setItem('prefsV2', JSON.stringify({ a: 1 }))",
            "localStorage.setItem(`prefs-${VERSION}`, JSON.stringify({ a: 1 }))",
            "localStorage.setItem('prefs', JSON.stringify({ version: 1, a: 1 }))",
            "localStorage.setItem('prefs', JSON.stringify(v))",
            // It ends by itself.
            "localStorage.setItem('geo', JSON.stringify({ country: x, timestamp: Date.now() }))",
            "localStorage.setItem('geo', JSON.stringify({ country: x, expiresAt: n }))",
            // A helper, whose callers choose the key.
            "localStorage.setItem(key, JSON.stringify(x))",
            "localStorage.setItem(`${key}`, JSON.stringify(x))",
            // It ends with the tab: no other release reads it.
            "sessionStorage.setItem('draft', JSON.stringify({ a: 1 }))",
            "window.sessionStorage.setItem('draft', JSON.stringify({ a: 1 }))",
            // Some other storage.
            "storage.setItem('a', JSON.stringify({ a: 1 }))",
        ] {
            setup.silent(&RULE, &tried(code));
        }
        // Whoever reads it looks at what it is.
        let read = |look: &str| {
            format!(
                "export function f(x: {{ a: number }}) {{ try {{ localStorage.setItem('prefs', JSON.stringify(x)); }} catch {{}} }}
export function g() {{ try {{ const it = JSON.parse(localStorage.getItem('prefs') ?? ''); {look} }} catch {{}} }}"
            )
        };
        for look in [
            "if (it.kind === 'emoji' && it.value) return it.value;",
            "return Prefs.parse(it);",
            "const { data } = Prefs.safeParse(it); return data;",
            "if (typeof it.theme === 'string') return it.theme;",
            "return isPrefs(it) ? it : undefined;",
        ] {
            setup.silent(&RULE, &read(look));
        }
        for look in ["return it;", "return it.theme ?? 'light';", "if (it) return it.a;"] {
            assert_eq!(setup.findings(&RULE, &read(look)).len(), 1, "{look}");
        }
        let other = read("return Prefs.parse(it);").replace("getItem('prefs')", "getItem('other')");
        assert_eq!(setup.findings(&RULE, &other).len(), 1);
        // Reading and removing alone are let be.
        setup.silent(&RULE, "export const a = () => localStorage.getItem('a');");
        setup.silent(
            &RULE,
            "const localStorage = own(); localStorage.setItem('a', JSON.stringify({}));",
        );
        setup.realm(Realm::Server).silent(&RULE, "localStorage.setItem('a', JSON.stringify({}));");
    }
}
