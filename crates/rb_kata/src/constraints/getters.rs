//! Getters, setters and properties.
//!
//! Found are methods named `get_x` or `setX`; methods whose body only returns a field or only assigns a parameter to one, unless
//! they are private or turn the object into a text; `get x()` and `set x()` of JavaScript; `@property` of Python; `attr_reader`
//! and its kin of Ruby; and fields that are declared public. What Python and JavaScript assign to `self.x` has no visibility and
//! does not count.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use super::declarations::{Field, attribute_symbols, classes, parameters};
use super::source::{Id, Source};
use super::syntax::Family;

/// Longer statements are no trivial accessors.
const MAX_ACCESSOR: usize = 200;

/// Methods that the language asks for.
const CUSTOMARY: &[&str] = &[
    "toString",
    "to_s",
    "to_str",
    "to_string",
    "String",
    "inspect",
    "hash",
    "hashCode",
    "valueOf",
];

pub(super) fn check(source: &Source<'_>) -> Vec<Finding> {
    let classes = classes(source);
    let hidden = hidden_in_ruby(source);
    let mut findings: Vec<Finding> =
        classes.values().flatten().filter_map(|field| public_field(source, field)).collect();
    for id in source.ids().filter(|id| !hidden.contains(id)) {
        if let Some(symbols) = attribute_symbols(source, id) {
            findings.extend(symbols.into_iter().map(|symbol| {
                let what = format!("`{}` has a generated accessor", source.text(symbol));
                Finding::new(source.line(symbol), what)
            }));
        } else if source.is_function(id) && is_method(source, id) && !is_constructor(source, id) {
            let what = accessor(source, id, &classes);
            findings.extend(what.map(|what| Finding::new(source.line(id), what)));
        }
    }
    findings
}

fn public_field(source: &Source<'_>, field: &Field) -> Option<Finding> {
    let what = format!("the field `{}` is public", field.name);
    field.is_public.then(|| Finding::new(source.line(field.id), what))
}

fn is_method(source: &Source<'_>, id: Id) -> bool {
    match source.syntax.family {
        Family::Rust => source.field(id, "parameters").is_some_and(|list| {
            source.named(list).next().is_some_and(|first| {
                source.is(first, &["self_parameter"])
                    || source.field(first, "pattern").is_some_and(|of| source.is(of, &["self"]))
            })
        }),
        Family::Go => source.is(id, &["method_declaration"]),
        Family::Java => {
            source.is(id, &["method_declaration"]) && !source.has_modifier(id, "static")
        }
        Family::Ecma => {
            source.is(id, &["method_definition"])
                && source.is_member(id)
                && !source.has_modifier(id, "static")
        }
        Family::Ruby => source.is(id, &["method"]) && source.is_member(id),
        Family::Python => source.is_member(id),
    }
}

fn is_constructor(source: &Source<'_>, id: Id) -> bool {
    source.syntax.constructors.contains(&source.name(id))
}

/// What makes a method an accessor.
fn accessor(source: &Source<'_>, id: Id, classes: &BTreeMap<Id, Vec<Field>>) -> Option<String> {
    let name = source.name(id);
    if let Some(word) = ["get", "set"].into_iter().find(|word| source.has_token(id, word)) {
        return Some(format!("`{word} {name}()` is an accessor"));
    }
    if let Some(decorator) = property_decorator(source, id) {
        return Some(format!("`{name}` is a property (`{decorator}`)"));
    }
    match rb_lang::name_words(name).as_slice() {
        [first, _, ..] if first == "get" => {
            return Some(format!("`{name}` is a getter by its name"));
        }
        [first, _, ..] if first == "set" => {
            return Some(format!("`{name}` is a setter by its name"));
        }
        _ => {}
    }
    if is_hidden(source, id) || CUSTOMARY.contains(&name) {
        return None;
    }
    let statement = only_statement(source, id)?;
    let own_fields = source.class_of(id).and_then(|class| classes.get(&class));
    let is_field = |text: &str| is_field(source, id, text, own_fields);
    if is_field(value(statement)) {
        return Some(format!("`{name}` only returns a field"));
    }
    let (left, right) = statement.split_once('=')?;
    let is_parameter = parameters(source, id)
        .iter()
        .any(|parameter| parameter.name.is_some_and(|name| source.text(name) == right.trim()));
    (is_parameter && is_field(left.trim())).then(|| format!("`{name}` only sets a field"))
}

fn property_decorator<'t>(source: &Source<'t>, id: Id) -> Option<&'t str> {
    let definition = source.parent(id).filter(|&of| source.is(of, &["decorated_definition"]))?;
    source.named(definition).filter(|&child| source.is(child, &["decorator"])).find_map(|child| {
        let text = source.text(child).trim();
        let is_property = ["property", ".setter", ".getter"].iter().any(|end| text.ends_with(end));
        is_property.then_some(text)
    })
}

fn is_hidden(source: &Source<'_>, id: Id) -> bool {
    match source.syntax.family {
        Family::Rust => !source.named(id).any(|child| source.is(child, &["visibility_modifier"])),
        Family::Java => source.has_modifier(id, "private"),
        Family::Ecma => {
            source.has_modifier(id, "private")
                || source.has_modifier(id, "protected")
                || source.name(id).starts_with('#')
        }
        Family::Python => source.name(id).starts_with('_'),
        // Its package sees a Go method in any case; the private ones of Ruby were left out before.
        Family::Go | Family::Ruby => false,
    }
}

/// The text of the only statement in the body.
fn only_statement<'t>(source: &Source<'t>, id: Id) -> Option<&'t str> {
    let body = source.field(id, "body")?;
    let text = if source.is(body, &["body_statement", "block", "statement_block"]) {
        let statements: Vec<Id> = source.named(body).take(2).collect();
        let [statement] = statements.as_slice() else { return None };
        source.text(*statement)
    } else {
        source.text(body)
    };
    let text = text.trim().trim_end_matches(';').trim();
    (text.len() <= MAX_ACCESSOR).then_some(text)
}

/// A returned expression without what only hands it out.
fn value(statement: &str) -> &str {
    let mut value = statement.strip_prefix("return ").unwrap_or(statement).trim();
    for prefix in ["&mut ", "&"] {
        value = value.strip_prefix(prefix).unwrap_or(value).trim();
    }
    for suffix in [".clone()", ".as_str()", ".to_owned()"] {
        value = value.strip_suffix(suffix).unwrap_or(value);
    }
    value
}

fn is_field(source: &Source<'_>, method: Id, text: &str, own_fields: Option<&Vec<Field>>) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.chars().all(|sign| sign.is_alphanumeric() || "_#".contains(sign))
    };
    let of = |object: &str| {
        text.strip_prefix(object).and_then(|rest| rest.strip_prefix('.')).is_some_and(is_word)
    };
    match source.syntax.family {
        Family::Rust | Family::Python => of("self"),
        Family::Ecma => of("this"),
        Family::Ruby => text.strip_prefix('@').is_some_and(is_word),
        Family::Go => receiver_name(source, method).is_some_and(of),
        Family::Java => {
            let is_own = |fields: &Vec<Field>| fields.iter().any(|field| field.name == text);
            of("this") || own_fields.is_some_and(is_own)
        }
    }
}

/// What a method of Go calls its object.
pub(super) fn receiver_name<'t>(source: &Source<'t>, method: Id) -> Option<&'t str> {
    let receiver = source.field(method, "receiver")?;
    let name = source.within(receiver).find(|&id| source.is(id, &["identifier"]))?;
    Some(source.text(name))
}

/// What stands below `private` or `protected` in a class of Ruby.
fn hidden_in_ruby(source: &Source<'_>) -> BTreeSet<Id> {
    let mut private_bodies = BTreeSet::new();
    let mut hidden = BTreeSet::new();
    for id in source.ids() {
        let Some(body) = source.parent(id).filter(|&of| source.is(of, &["body_statement"])) else {
            continue;
        };
        if private_bodies.contains(&body) {
            hidden.insert(id);
        }
        match source.text(id) {
            "private" | "protected" => {
                private_bodies.insert(body);
            }
            "public" => {
                private_bodies.remove(&body);
            }
            _ => {}
        }
    }
    hidden
}

#[cfg(test)]
mod tests {
    use rb_lang::Language::{self, Go, Java, JavaScript, Python, Ruby, Rust, TypeScript};

    use super::super::expect_findings;
    use crate::constraint::ConstraintKind;

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        expect_findings(ConstraintKind::NoGettersOrSetters, language, text, expected);
    }

    #[test]
    fn ka4_accessors_by_name_are_found() {
        let getter: &[&str] = &["1: `get_a` is a getter by its name"];
        check(Rust, "impl A { fn get_a(&self) -> u8 { 1 + 2 } }", getter);
        check(
            Python,
            "class A:\n  def set_a(self, a): pass\n",
            &["2: `set_a` is a setter by its name"],
        );
        check(
            TypeScript,
            "class A { getA() { return 1; } }",
            &["1: `getA` is a getter by its name"],
        );
        check(JavaScript, "class A { setA(a) {} }", &["1: `setA` is a setter by its name"]);
        check(Go, "package p\nfunc (a A) GetB() {}\n", &["2: `GetB` is a getter by its name"]);
        check(Java, "class A { int getB() { return 1; } }", &["1: `getB` is a getter by its name"]);
        check(Ruby, "class A; def get_a; 1 + 2; end; end\n", getter);
    }

    #[test]
    fn ka4_trivial_accessors_are_found() {
        let returns: &[&str] = &["1: `f` only returns a field"];
        let sets: &[&str] = &["1: `f` only sets a field"];
        check(Rust, "impl A { pub fn f(&self) -> &B { &self.b } }", returns);
        check(Rust, "impl A { pub fn f(&self) -> String { self.b.clone() } }", returns);
        check(Rust, "impl A { pub fn f(&mut self, b: B) { self.b = b; } }", sets);
        check(
            Python,
            "class A:\n  def f(self): return self._b\n",
            &["2: `f` only returns a field"],
        );
        check(TypeScript, "class A { f(): B { return this.b; } }", returns);
        check(JavaScript, "class A { f(b) { this.#b = b; } }", sets);
        check(Go, "package p; func (a *A) f() B { return a.b }\n", returns);
        check(Go, "package p; func (a *A) f(b B) { a.b = b }\n", sets);
        check(Java, "class A { private B b; B f() { return b; } }", returns);
        check(Java, "class A { private B b; void f(B c) { this.b = c; } }", sets);
        check(Ruby, "class A; def f; @b; end; end\n", returns);
        check(Ruby, "class A; def f(b); @b = b; end; end\n", sets);
    }

    #[test]
    fn ka4_properties_and_public_fields_are_found() {
        check(Rust, "pub struct A { pub b: u8, c: u8 }", &["1: the field `b` is public"]);
        check(Rust, "pub struct A(u8, pub u8);", &["1: the field `1` is public"]);
        check(
            Python,
            "class A:\n  @property\n  def b(self):\n    return 1 + 2\n",
            &["3: `b` is a property (`@property`)"],
        );
        check(
            TypeScript,
            "class A {\n b = 1;\n private c = 2;\n constructor(public d: D, private e: E) {}\n}\n",
            &["2: the field `b` is public", "4: the field `d` is public"],
        );
        check(
            JavaScript,
            "class A { get b() { return 1 + 2; } }",
            &["1: `get b()` is an accessor"],
        );
        check(JavaScript, "class A { b = 1; #c = 2; }", &["1: the field `b` is public"]);
        check(Go, "package p\ntype A struct {\n\tB, c int\n}\n", &["3: the field `B` is public"]);
        check(
            Java,
            "class A { public int b; public static int c; }",
            &["1: the field `b` is public"],
        );
        check(
            Ruby,
            "class A\n  attr_accessor :a, :b\nend\n",
            &["2: `:a` has a generated accessor", "2: `:b` has a generated accessor"],
        );
    }

    #[test]
    fn ka4_methods_that_do_something_are_fine() {
        check(
            Rust,
            "impl A { pub fn f(&self) -> u8 { self.b + 1 } fn g(&self) -> u8 { self.b } }",
            &[],
        );
        check(Rust, "fn get_a(b: u8) -> u8 { b }", &[]);
        check(
            Python,
            "class A:\n  def f(self): return self.b + 1\n  def __hash__(self): return self.b\n",
            &[],
        );
        check(TypeScript, "class A { private b = 1; f() { return this.b + 1; } settle() {} }", &[]);
        check(
            JavaScript,
            "class A { #b; f() { return this.#b.g(); } constructor(b) { this.#b = b; } }",
            &[],
        );
        check(Go, "package p\nfunc (a A) String() string { return a.b }\n", &[]);
        check(
            Java,
            "class A { private B b; A(B c) { b = c; } public String toString() { return b; } }",
            &[],
        );
        check(
            Ruby,
            "class A\n  def initialize(b)\n    @b = b\n  end\n\n  private\n\n  attr_reader :b\nend\n",
            &[],
        );
    }
}
