//! Changes of state.
//!
//! Found are `mut` of Rust, `let` and `var` of JavaScript, every assignment that is no declaration, `+=`, `++`, calls of methods
//! that are known to change their object, and `delete`. In Python and Ruby, where assignment declares, the second assignment of a
//! name in a function counts, also in another branch. A constructor may set the fields of its object, and a module its exports.

use std::collections::BTreeSet;

use super::Finding;
use super::declarations::parameters;
use super::source::{Id, Source};
use super::syntax::Family;

pub(super) fn check(source: &Source<'_>) -> Vec<Finding> {
    let mut names = Names::new(source);
    let mut findings = Vec::new();
    for id in source.ids() {
        let what = keyword(source, id)
            .or_else(|| assignment(source, id))
            .or_else(|| second_assignment(source, id, &mut names))
            .or_else(|| mutator(source, id));
        findings.extend(
            what.map(|what| Finding::new(source.line(id), format!("{what}{}", source.place(id)))),
        );
    }
    findings
}

/// `mut`, `let`, `var`, `delete`.
fn keyword(source: &Source<'_>, id: Id) -> Option<String> {
    let is_let = |id| source.has_token(id, "let") || source.has_token(id, "var");
    match source.kind(id) {
        "mutable_specifier" => Some("`mut`".to_owned()),
        "lexical_declaration" | "for_in_statement" if source.has_token(id, "let") => {
            Some("`let`".to_owned())
        }
        "variable_declaration" | "for_in_statement" if is_let(id) => Some("`var`".to_owned()),
        "unary_expression" if source.has_token(id, "delete") => Some("`delete`".to_owned()),
        "delete_statement" => Some("`del`".to_owned()),
        _ => None,
    }
}

/// An assignment in a language that declares variables, or one like `+=`.
fn assignment(source: &Source<'_>, id: Id) -> Option<String> {
    if !source.is(id, source.syntax.changes) {
        return None;
    }
    let left = ["left", "argument"].into_iter().find_map(|field| source.field(id, field));
    let left = left.or_else(|| source.named(id).next())?;
    let text = source.text(left);
    let is_plain = source.has_token(id, "=");
    let is_allowed = is_plain
        && (text == "_"
            || text.starts_with("module.exports")
            || text.starts_with("exports.")
            || is_set_by_constructor(source, left));
    (!is_allowed).then(|| format!("assignment to `{}`", source.snippet(left)))
}

/// Is it a field of the object that is being made?
fn is_set_by_constructor(source: &Source<'_>, left: Id) -> bool {
    let Some(function) = source.function_of(left) else { return false };
    let is_constructor = source.syntax.constructors.contains(&source.name(function))
        || source.is(function, &["constructor_declaration", "compact_constructor_declaration"]);
    let text = source.text(left);
    // Rust and Go make objects with their fields.
    is_constructor
        && match source.syntax.family {
            Family::Rust | Family::Go => false,
            Family::Python => text.starts_with("self."),
            Family::Ecma => text.starts_with("this."),
            Family::Java => text.starts_with("this.") || source.is(left, &["identifier"]),
            Family::Ruby => text.starts_with('@'),
        }
}

/// The names that were assigned, with the function, block or class that they belong to.
struct Names<'t> {
    seen: BTreeSet<(Option<Id>, &'t str)>,
}

impl<'t> Names<'t> {
    fn new(source: &Source<'t>) -> Names<'t> {
        let mut seen = BTreeSet::new();
        for function in source.functions() {
            let names = parameters(source, function).into_iter().filter_map(|one| one.name);
            seen.extend(names.map(|name| (Some(function), source.text(name))));
        }
        Names { seen }
    }

    /// Adds the name; was it there before?
    fn add(&mut self, source: &Source<'t>, id: Id) -> bool {
        let name = source.text(id);
        let scopes = scopes(source, id);
        let is_second = scopes.iter().any(|&scope| self.seen.contains(&(scope, name)));
        self.seen.insert((scopes.first().copied().flatten(), name));
        is_second
    }
}

/// The blocks around a name up to its function, innermost first; outside of functions the class, or `None`.
fn scopes(source: &Source<'_>, id: Id) -> Vec<Option<Id>> {
    let owner = source.function_of(id).max(source.class_of(id));
    let mut scopes = Vec::new();
    let mut place = source.parent(id);
    while place != owner {
        let Some(around) = place else { break };
        if source.is(around, source.syntax.closures) {
            scopes.push(Some(around));
        }
        place = source.parent(around);
    }
    scopes.push(owner);
    scopes
}

/// An assignment in a language where the first one declares.
fn second_assignment<'t>(source: &Source<'t>, id: Id, names: &mut Names<'t>) -> Option<String> {
    if !source.is(id, &["assignment"]) {
        return None;
    }
    let left = source.field(id, "left")?;
    let is_list = source.is(left, &["pattern_list", "tuple_pattern", "left_assignment_list"]);
    let targets: Vec<Id> = if is_list { source.named(left).collect() } else { vec![left] };
    // All are looked at, so that all names are known afterwards.
    let changes: Vec<Id> =
        targets.into_iter().filter(|&target| is_change(source, target, names)).collect();
    changes.first().map(|&target| format!("assignment to `{}`", source.snippet(target)))
}

fn is_change<'t>(source: &Source<'t>, target: Id, names: &mut Names<'t>) -> bool {
    match source.kind(target) {
        "identifier" => source.text(target) != "_" && names.add(source, target),
        "attribute" | "instance_variable" => !is_set_by_constructor(source, target),
        "subscript" | "element_reference" | "call" => true,
        "global_variable" | "class_variable" => source.function_of(target).is_some(),
        _ => false,
    }
}

/// A call that changes its object.
fn mutator(source: &Source<'_>, id: Id) -> Option<String> {
    let name = source.text(called_method(source, id)?);
    let is_statement = source.is_in(id, &["expression_statement"]);
    let syntax = source.syntax;
    let is_mutator = syntax.mutators.contains(&name)
        || (is_statement && syntax.statement_mutators.contains(&name))
        || (syntax.family == Family::Ruby && (name.ends_with('!') || name == "<<"))
        || (syntax.family == Family::Go && name == "delete");
    is_mutator.then(|| format!("`{name}` changes its object"))
}

/// The name of the method that a node calls on an object.
fn called_method(source: &Source<'_>, id: Id) -> Option<Id> {
    match source.kind(id) {
        "call" if source.syntax.family == Family::Ruby => {
            source.field(id, "receiver")?;
            source.field(id, "method")
        }
        // Ruby: `a << b`, where the operator is a sign.
        "binary" => source.children(id).find(|&child| source.is_token(child, "<<")),
        "method_invocation" => {
            source.field(id, "object")?;
            source.field(id, "name")
        }
        "call" | "call_expression" => {
            let function = source.field(id, "function")?;
            if source.syntax.family == Family::Go {
                return Some(function);
            }
            let part = if source.is(function, &["attribute"]) { "attribute" } else { "property" };
            source.field(function, part)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rb_lang::Language::{self, Go, Java, JavaScript, Python, Ruby, Rust, TypeScript};

    use super::super::expect_findings;
    use crate::constraint::ConstraintKind;

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        expect_findings(ConstraintKind::NoMutation, language, text, expected);
    }

    #[test]
    fn ka4_changes_are_found() {
        check(
            Rust,
            "fn f(a: &mut A) {\n let mut b = 1;\n b += 1;\n a.c = b;\n}\n",
            &[
                "1: `mut` in `f`",
                "2: `mut` in `f`",
                "3: assignment to `b` in `f`",
                "4: assignment to `a.c` in `f`",
            ],
        );
        check(
            Python,
            "def f(a):\n  b = 1\n  b = 2\n  a = 3\n  c, b = 4, 5\n  d += 1\n  e.append(1)\n  f[0] = 1\n",
            &[
                "3: assignment to `b` in `f`",
                "4: assignment to `a` in `f`",
                "5: assignment to `b` in `f`",
                "6: assignment to `d` in `f`",
                "7: `append` changes its object in `f`",
                "8: assignment to `f[0]` in `f`",
            ],
        );
        check(
            Python,
            "class A:\n  def f(self):\n    self.a = 1\n    b.add(1)\n",
            &["3: assignment to `self.a` in `f`", "4: `add` changes its object in `f`"],
        );
        check(
            TypeScript,
            "let a = 1;\na++;\nb.push(1);\nfor (let c of d) {}\n",
            &["1: `let`", "2: assignment to `a`", "3: `push` changes its object", "4: `let`"],
        );
        check(
            JavaScript,
            "var a;\na = 1;\na += 1;\ndelete a.b;\nd.sort();\n",
            &[
                "1: `var`",
                "2: assignment to `a`",
                "3: assignment to `a`",
                "4: `delete`",
                "5: `sort` changes its object",
            ],
        );
        check(
            Go,
            "package p\nfunc f() {\n\ta = 1\n\ta++\n\tdelete(b, 1)\n}\n",
            &[
                "3: assignment to `a` in `f`",
                "4: assignment to `a` in `f`",
                "5: `delete` changes its object in `f`",
            ],
        );
        check(
            Java,
            "class A { void f() {\n a = 1;\n a++;\n b.add(1);\n} }\n",
            &[
                "2: assignment to `a` in `f`",
                "3: assignment to `a` in `f`",
                "4: `add` changes its object in `f`",
            ],
        );
        check(
            Ruby,
            "def f(a)\n  a = 1\n  b = 2\n  c.each { b = 3 }\n  @d = 1\n  e << 1\n  g.map!(&h)\n  i += 1\nend\n",
            &[
                "2: assignment to `a` in `f`",
                "4: assignment to `b` in `f`",
                "5: assignment to `@d` in `f`",
                "6: `<<` changes its object in `f`",
                "7: `map!` changes its object in `f`",
                "8: assignment to `i` in `f`",
            ],
        );
    }

    #[test]
    fn ka4_declarations_and_constructors_are_fine() {
        check(Rust, "fn f(a: u8) -> A { let b = a; let b = b + 1; A { b } }", &[]);
        check(
            Python,
            "a = 1\nclass A:\n  a = 2\n  def __init__(self):\n    self.a = 1\n  def f(self):\n    a = 3\n\
            \x20   return b.add(a)\n",
            &[],
        );
        check(
            TypeScript,
            "class A { a: B; constructor(a: B) { this.a = a; } f() { const b = 1; return c.add(b); } }",
            &[],
        );
        check(JavaScript, "const a = 1;\nmodule.exports = { a };\nexports.b = a;\n", &[]);
        check(Go, "package p\nvar a = 1\nfunc f() {\n\tb := 1\n\t_ = b\n}\n", &[]);
        check(
            Java,
            "class A { int a; A(int b) { this.a = b; a = b; } int f() { int c = 1; return d.add(c); } }",
            &[],
        );
        check(
            Ruby,
            "class A\n  def initialize(a)\n    @a = a\n  end\n\n  def f\n    b.map { |c| d = c }.map { |c| d = c }\n  end\nend\n",
            &[],
        );
    }
}
