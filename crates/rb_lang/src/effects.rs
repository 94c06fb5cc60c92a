//! Statements that do something besides giving a value: calls, `throw`, `await`, and what stops an event.
//!
//! Read on demand, like details, by whoever compares two texts of a file. What is called is known by its name alone. One
//! table of node names serves all grammars that are read here: no two of them use a name for different things.

use std::collections::BTreeMap;

use tree_sitter::Node;

use crate::facts::Span;
use crate::grammar::parse;
use crate::language::Language;
use crate::tree::{line_of, span_of};

/// All lists are in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effects {
    pub statements: Vec<Effect>,
    /// Every call, also of constructors and macros.
    pub calls: Vec<CallSite>,
    /// How often each name stands in the code; comments and strings are none.
    pub names: BTreeMap<Box<str>, u32>,
    /// Lines on which something is thrown.
    pub throws: Vec<u32>,
    /// Lines on which something is awaited.
    pub awaits: Vec<u32>,
    /// Clauses that catch what is thrown.
    pub catches: u32,
    /// Functions, those without a name among them.
    pub functions: u32,
    /// The whole text could be parsed.
    pub is_whole: bool,
}

/// A statement with an effect, or a call or an `await` whose value gets a name. An event that is stopped and a `panic` count
/// wherever they stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    pub kind: EffectKind,
    pub span: Span,
    /// On one line, cut where it is long.
    pub text: Box<str>,
    /// What is called, thrown or awaited, as `CallSite::key`.
    pub key: Box<str>,
    /// The last part of the name of what is called; empty where nothing is.
    pub name: Box<str>,
    /// What stands before the name: `this.bus` of `this.bus.emit(…)`.
    pub receiver: Box<str>,
    pub kept: Kept,
}

/// What becomes of the value that a statement gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// The statement stands for itself.
    Nothing,
    /// Only whether it went well is kept: `err`, or `_`.
    Outcome,
    /// The value gets a name. It may be all that the call was for.
    Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EffectKind {
    Call,
    Throw,
    Await,
    /// `preventDefault` and its like.
    Event,
}

impl EffectKind {
    pub fn words(self) -> &'static str {
        match self {
            EffectKind::Call => "call",
            EffectKind::Throw => "throw",
            EffectKind::Await => "await",
            EffectKind::Event => "event handling",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallSite {
    /// The last part: `emit` of `this.bus.emit(…)`.
    pub name: Box<str>,
    /// The whole call without spaces, with one kind of quotes; empty where it is too long to be compared.
    pub key: Box<str>,
    /// Of the name.
    pub line: u32,
    /// In bytes.
    pub start: u32,
}

/// The longest text of a statement, in characters.
const LONGEST_TEXT: usize = 80;
/// Longer calls hold functions, and those are compared by what is in them.
const LONGEST_KEY: usize = 2000;

const CALLS: &[&str] = &[
    "call",
    "call_expression",
    "macro_invocation",
    "method_invocation",
    "new_expression",
    "object_creation_expression",
];

const FUNCTIONS: &[&str] = &[
    "arrow_function",
    "closure_expression",
    "func_literal",
    "function_declaration",
    "function_definition",
    "function_expression",
    "function_item",
    "generator_function",
    "generator_function_declaration",
    "lambda",
    "lambda_expression",
    "method_declaration",
    "method_definition",
];

/// What goes on after a promise says nothing of what was called.
const CHAINED: &[&str] = &["then", "catch", "finally"];

/// What makes something else of a result says nothing of what was called.
const ADAPTORS: &[&str] = &[
    "context",
    "expect",
    "map_err",
    "ok",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "with_context",
];

/// Nodes that give a value to a name, with the fields of the two.
const BINDINGS: &[(&str, &str, &str)] = &[
    ("assignment", "left", "right"),
    ("assignment_expression", "left", "right"),
    ("assignment_statement", "left", "right"),
    ("let_condition", "pattern", "value"),
    ("let_declaration", "pattern", "value"),
    ("short_var_declaration", "left", "right"),
    ("var_spec", "name", "value"),
    ("variable_declarator", "name", "value"),
];

/// Statements around a binding, which are shown and reported as a whole.
const AROUND_BINDINGS: &[&str] = &[
    "expression_statement",
    "field_declaration",
    "lexical_declaration",
    "local_variable_declaration",
    "var_declaration",
    "variable_declaration",
];

const EVENTS: &[&str] = &["preventDefault", "stopPropagation", "stopImmediatePropagation"];

/// Is there a table of node names for the language?
pub fn reads(language: Language) -> bool {
    matches!(
        language,
        Language::JavaScript
            | Language::TypeScript
            | Language::Tsx
            | Language::Python
            | Language::Rust
            | Language::Go
            | Language::Java
    )
}

/// `None` for a language that is not read here, and for a text that is too large or too tangled.
pub fn effects(language: Language, text: &str) -> Option<Effects> {
    if !reads(language) {
        return None;
    }
    let tree = parse(language, text)?;
    let is_whole = !tree.root_node().has_error();
    let mut effects = Effects { is_whole, ..Effects::default() };
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_named() {
            visit(text, node, &mut effects);
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(effects);
            }
        }
    }
}

fn visit(text: &str, node: Node<'_>, effects: &mut Effects) {
    match node.kind() {
        "expression_statement" | "defer_statement" | "go_statement" => {
            effects.statements.extend(statement(text, node));
        }
        "throw_statement" | "raise_statement" => {
            effects.throws.push(line_of(node));
            let value = node.named_child(0);
            let callee = value.filter(|value| CALLS.contains(&value.kind())).and_then(callee);
            let what = value.unwrap_or(node);
            effects.statements.push(effect(text, EffectKind::Throw, node, what, callee));
        }
        "await_expression" | "await" => effects.awaits.push(line_of(node)),
        "catch_clause" | "except_clause" => effects.catches += 1,
        kind if CALLS.contains(&kind) => call(text, node, effects),
        kind if FUNCTIONS.contains(&kind) => effects.functions += 1,
        kind if kind.ends_with("identifier") && node.child_count() == 0 => {
            *effects.names.entry(code(text, node).into()).or_default() += 1;
        }
        kind => {
            let binding = BINDINGS.iter().find(|(node, _, _)| *node == kind);
            if let Some((_, names, value)) = binding {
                effects.statements.extend(bound(text, node, names, value));
            }
        }
    }
}

fn call(text: &str, node: Node<'_>, effects: &mut Effects) {
    let Some(callee) = callee(node) else { return };
    let name = code(text, callee.name);
    effects.calls.push(CallSite {
        name: name.into(),
        key: key(text, node),
        line: line_of(callee.name),
        start: span_of(node).start,
    });
    if let Some(kind) = kind_anywhere(name, callee.receiver.is_some()) {
        if kind == EffectKind::Throw {
            effects.throws.push(line_of(node));
        }
        effects.statements.push(effect(text, kind, node, node, Some(callee)));
    }
}

/// What a call is that counts wherever it stands.
fn kind_anywhere(name: &str, has_receiver: bool) -> Option<EffectKind> {
    if EVENTS.contains(&name) {
        return Some(EffectKind::Event);
    }
    (name == "panic" && !has_receiver).then_some(EffectKind::Throw)
}

/// A call or an `await` that stands alone.
fn statement(text: &str, node: Node<'_>) -> Option<Effect> {
    acting(text, node, node.named_child(0)?)
}

/// Calls and `await`s whose values get a name. `names` and `value` are fields of the node.
fn bound(text: &str, node: Node<'_>, names: &str, value: &str) -> Vec<Effect> {
    let Some(value) = node.child_by_field_name(value) else { return Vec::new() };
    let names = node.child_by_field_name(names).map_or("", |names| code(text, names));
    let (whole, kept) = (whole(node), kept(names));
    let mut cursor = value.walk();
    let values: Vec<Node<'_>> = match value.kind() {
        "expression_list" => value.named_children(&mut cursor).collect(),
        _ => vec![value],
    };
    let effects = values.into_iter().filter_map(|value| acting(text, whole, value));
    effects.map(|effect| Effect { kept, ..effect }).collect()
}

/// The statement around a binding, where it has no other one.
fn whole(binding: Node<'_>) -> Node<'_> {
    let around = binding.parent().filter(|node| AROUND_BINDINGS.contains(&node.kind()));
    let Some(around) = around else { return binding };
    let mut cursor = around.walk();
    let alike = around.named_children(&mut cursor).filter(|node| node.kind() == binding.kind());
    if alike.count() == 1 { around } else { binding }
}

fn kept(names: &str) -> Kept {
    let is_form = |part: &str| matches!(part, "" | "Ok" | "Err" | "mut" | "ref");
    let is_outcome = |part: &str| matches!(part, "_" | "err" | "error");
    let mut parts = names.split(|c: char| !c.is_alphanumeric() && c != '_');
    if parts.all(|part| is_form(part) || is_outcome(part)) { Kept::Outcome } else { Kept::Value }
}

/// What a value does that is the expression of the statement `whole`.
fn acting(text: &str, whole: Node<'_>, value: Node<'_>) -> Option<Effect> {
    let mut inner = value;
    let mut kind = EffectKind::Call;
    loop {
        inner = match inner.kind() {
            "await_expression" | "await" => {
                kind = EffectKind::Await;
                inner.named_child(0)?
            }
            "try_expression"
            | "parenthesized_expression"
            | "as_expression"
            | "non_null_expression"
            | "satisfies_expression" => inner.named_child(0)?,
            "type_cast_expression" | "cast_expression" => inner.child_by_field_name("value")?,
            // `ready && start()`
            "binary_expression" => inner.child_by_field_name("right")?,
            "unary_expression" if code(text, inner).starts_with("void") => {
                inner.child_by_field_name("argument")?
            }
            _ => break,
        };
    }
    if !CALLS.contains(&inner.kind()) {
        let is_await = kind == EffectKind::Await;
        return is_await.then(|| effect(text, kind, whole, inner, None));
    }
    let (call, callee) = principal(text, inner)?;
    if kind_anywhere(code(text, callee.name), callee.receiver.is_some()).is_some() {
        return None;
    }
    Some(effect(text, kind, whole, call, Some(callee)))
}

/// The call that a statement is about: `save()` of `save().then(show)`, `save()` of `save()?.unwrap()`.
fn principal<'n>(text: &str, call: Node<'n>) -> Option<(Node<'n>, Callee<'n>)> {
    let mut call = call;
    loop {
        let found = callee(call)?;
        let name = code(text, found.name);
        let receiver = found.receiver.map(awaited).filter(|node| CALLS.contains(&node.kind()));
        if CHAINED.contains(&name) {
            call = receiver?;
            continue;
        }
        match receiver.filter(|_| ADAPTORS.contains(&name)) {
            Some(receiver) => call = receiver,
            None => return Some((call, found)),
        }
    }
}

/// What is awaited, or tried with `?`.
fn awaited(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    while let ("await_expression" | "try_expression", Some(inner)) =
        (node.kind(), node.named_child(0))
    {
        node = inner;
    }
    node
}

/// What is called.
#[derive(Clone, Copy)]
struct Callee<'n> {
    /// What stands before the name.
    receiver: Option<Node<'n>>,
    name: Node<'n>,
}

/// `None` where what is called has no name.
fn callee(call: Node<'_>) -> Option<Callee<'_>> {
    let field = |name: &str| call.child_by_field_name(name);
    match call.kind() {
        "method_invocation" => {
            return Some(Callee { receiver: field("object"), name: field("name")? });
        }
        "object_creation_expression" => {
            return Some(Callee { receiver: None, name: field("type")? });
        }
        _ => {}
    }
    let mut function =
        field("function").or_else(|| field("constructor")).or_else(|| field("macro"))?;
    if function.kind() == "generic_function" {
        function = function.child_by_field_name("function")?;
    }
    let (receiver, name) = match function.kind() {
        "identifier" => return Some(Callee { receiver: None, name: function }),
        "member_expression" => ("object", "property"),
        "attribute" => ("object", "attribute"),
        "field_expression" => ("value", "field"),
        "selector_expression" => ("operand", "field"),
        "scoped_identifier" => ("path", "name"),
        _ => return None,
    };
    let receiver = function.child_by_field_name(receiver);
    Some(Callee { receiver, name: function.child_by_field_name(name)? })
}

/// The statement `whole`, which calls, throws or awaits `what`.
fn effect(
    text: &str,
    kind: EffectKind,
    whole: Node<'_>,
    what: Node<'_>,
    callee: Option<Callee<'_>>,
) -> Effect {
    let receiver = callee.and_then(|callee| callee.receiver);
    let receiver = receiver.map_or("", |receiver| code(text, receiver));
    Effect {
        kind,
        span: span_of(whole),
        text: shown(code(text, whole)).into(),
        key: key(text, what),
        name: callee.map_or("", |callee| code(text, callee.name)).into(),
        receiver: if receiver.len() > LONGEST_TEXT { "?".into() } else { receiver.into() },
        kept: Kept::Nothing,
    }
}

fn code<'t>(text: &'t str, node: Node<'_>) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

fn key(text: &str, node: Node<'_>) -> Box<str> {
    let code = code(text, node);
    if code.len() > LONGEST_KEY {
        return Box::default();
    }
    let same_quotes = |c: char| if c == '"' { '\'' } else { c };
    let key: String = code.chars().filter(|c| !c.is_whitespace()).map(same_quotes).collect();
    key.replace(",)", ")").into()
}

fn shown(code: &str) -> String {
    // Four bytes are the longest character, and as many again leave room for the spaces that go.
    let head = &code[..code.floor_char_boundary(8 * LONGEST_TEXT)];
    let line = head.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST_TEXT && head.len() == code.len() {
        return line;
    }
    let cut: String = line.chars().take(LONGEST_TEXT - 1).collect();
    format!("{}…", cut.trim_end())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use expect_test::{Expect, expect};

    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
    #[track_caller]
    fn check(language: Language, text: &str, expected: Expect) {
        let effects = effects(language, text).unwrap();
        assert!(effects.is_whole);
        let mut shown = String::new();
        for Effect { kind, span, text, name, receiver, .. } in &effects.statements {
            let (line, kind) = (span.first_line, kind.words());
            let _ = writeln!(shown, "{line} {kind} `{receiver}` `{name}`: {text}");
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn ve6_statements_with_effects_in_javascript() {
        check(
            Language::JavaScript,
            "function submit(e, form) {
  e.preventDefault();
  const body = read(form);
  if (!body) throw new Error('empty');
  ready && start(body);
  save(body).then(() => this.bus.emit('saved')).catch(show);
  promise.then(show);
  return send(body);
}
async function all(jobs) {
  await jobs.run();
  await done;
}
",
            expect![[r#"
                2 event handling `e` `preventDefault`: e.preventDefault()
                3 call `` `read`: const body = read(form);
                4 throw `` `Error`: throw new Error('empty');
                5 call `` `start`: ready && start(body);
                6 call `` `save`: save(body).then(() => this.bus.emit('saved')).catch(show);
                11 await `jobs` `run`: await jobs.run();
                12 await `` ``: await done;
            "#]],
        );
    }

    #[test]
    fn ve6_statements_with_effects_in_other_languages() {
        check(
            Language::Python,
            "async def run(job):
    job.begin(1)
    await job.wait()
    if not job:
        raise ValueError('no job')
    return job.end()
",
            expect![[r#"
                2 call `job` `begin`: job.begin(1)
                3 await `job` `wait`: await job.wait()
                5 throw `` `ValueError`: raise ValueError('no job')
            "#]],
        );
        check(
            Language::Rust,
            "async fn run(job: &Job) -> Result<()> {
    job.begin()?;
    job.wait().await?;
    std::fs::remove_file(path);
    if job.is_empty() {
        panic!(\"no job\");
    }
    job.end()
}
",
            expect![[r#"
                2 call `job` `begin`: job.begin()?;
                3 await `job` `wait`: job.wait().await?;
                4 call `std::fs` `remove_file`: std::fs::remove_file(path);
                6 throw `` `panic`: panic!("no job")
            "#]],
        );
        check(
            Language::Go,
            "package jobs
func run(job *Job) error {
\tmu.Lock()
\tdefer mu.Unlock()
\tgo watch(job)
\terr := job.Run()
\tif job == nil {
\t\tpanic(\"no job\")
\t}
\treturn err
}
",
            expect![[r#"
                3 call `mu` `Lock`: mu.Lock()
                4 call `mu` `Unlock`: defer mu.Unlock()
                5 call `` `watch`: go watch(job)
                6 call `job` `Run`: err := job.Run()
                8 throw `` `panic`: panic("no job")
            "#]],
        );
        check(
            Language::Java,
            "class A {
  void run(Job job) {
    this.bus.send(job);
    if (job == null) throw new IllegalStateException(\"no job\");
  }
}
",
            expect![[r#"
                3 call `this.bus` `send`: this.bus.send(job);
                4 throw `` `IllegalStateException`: throw new IllegalStateException("no job");
            "#]],
        );
    }

    #[test]
    fn ve6_what_a_binding_keeps_of_a_call() {
        let kept = |language, text: &str| -> Vec<(String, Kept)> {
            let statements = effects(language, text).unwrap().statements;
            statements.iter().map(|it| (it.name.to_string(), it.kept)).collect()
        };
        let one = |name: &str, kept| vec![(name.to_owned(), kept)];
        let check = |language, text, name, expected| {
            assert_eq!(kept(language, text), one(name, expected), "{text}");
        };
        check(Language::TypeScript, "const a = (await f(1)) as number;", "f", Kept::Value);
        check(Language::JavaScript, "this.a = f(1)", "f", Kept::Value);
        check(Language::JavaScript, "f(1)", "f", Kept::Nothing);
        check(Language::Python, "a, b = f(1)\n", "f", Kept::Value);
        check(Language::Rust, "fn a() { let _ = f().map_err(g)?; }", "f", Kept::Outcome);
        check(Language::Rust, "fn a() { if let Err(error) = f() {} }", "f", Kept::Outcome);
        check(Language::Rust, "fn a() { let x = f().await?.unwrap(); }", "f", Kept::Value);
        check(Language::Go, "package a\nfunc a() { _, err := f() }\n", "f", Kept::Outcome);
        check(Language::Go, "package a\nfunc a() { n, err := f() }\n", "f", Kept::Value);
        check(Language::Java, "class A { void a() { int n = f(); } }", "f", Kept::Value);
        assert!(kept(Language::JavaScript, "const a = b, c = (x) => f(x);").is_empty());
    }

    #[test]
    fn ve6_a_call_is_known_by_its_text_without_spaces() {
        let keys = |text: &str| -> Vec<String> {
            let calls = effects(Language::TypeScript, text).unwrap().calls;
            calls.iter().map(|call| call.key.to_string()).collect()
        };
        assert_eq!(keys("send(a, \"b\")"), keys("x = await send(\n  a,\n  'b',\n);"));
        assert_ne!(keys("send(a)"), keys("send(b)"));
        assert_eq!(keys(&format!("send({})", "a,".repeat(2000))), [""]);
    }

    #[test]
    fn ve6_names_in_comments_and_strings_do_not_count() {
        let text = "// save it\nsave('save', save);\n";
        let effects = effects(Language::JavaScript, text).unwrap();
        assert_eq!(effects.names.get("save"), Some(&2));
        assert!(super::effects(Language::Bash, "save it").is_none());
    }

    #[test]
    fn ve6_a_long_statement_is_cut() {
        let text = format!("send({});\n", "word, ".repeat(40));
        let effects = effects(Language::JavaScript, &text).unwrap();
        let shown = &effects.statements[0].text;
        assert_eq!(shown.chars().count(), 80, "{shown}");
        assert!(shown.ends_with('…'), "{shown}");
    }
}
