//! What a language says about its nodes: which are tests, helpers and hooks, and what asserts or skips. One file each.

use rb_lang::Language;

use super::syntax::{NodeId, Syntax};
use super::{ecma, go, java, python, ruby, rust};

pub(super) struct Rules {
    /// What a node is, that stands in a file, a class or a group of tests. The last argument are the marks in front of it.
    pub(super) member: fn(&Syntax<'_>, NodeId, &[NodeId]) -> Member,
    pub(super) call: for<'t> fn(&Syntax<'t>, NodeId) -> Option<Call<'t>>,
    /// The name that a function, method or macro is called by, if the node defines one.
    pub(super) function_name: for<'t> fn(&Syntax<'t>, NodeId) -> Option<&'t str>,
    /// One of constants only is none.
    pub(super) is_assertion: fn(&Syntax<'_>, NodeId) -> bool,
    /// Does the node skip the test that it stands in?
    pub(super) is_skip: fn(&Syntax<'_>, NodeId) -> bool,
}

pub(super) enum Member {
    /// It belongs to the next one: an attribute of Rust.
    Mark,
    Import,
    Test(TestMember),
    Group(GroupMember),
    /// Something that has names.
    Definition(Vec<String>),
    /// Something that runs around the tests of its group.
    Hook(String),
    /// Tests may stand inside.
    Other,
}

pub(super) struct TestMember {
    pub(super) name: String,
    pub(super) body: Option<NodeId>,
    /// Its marks assert something.
    pub(super) asserts: bool,
    pub(super) is_skipped: bool,
}

pub(super) struct GroupMember {
    pub(super) name: String,
    pub(super) body: NodeId,
    /// Others can name it and inherit from it.
    pub(super) is_class: bool,
    pub(super) is_skipped: bool,
}

pub(super) struct Call<'t> {
    pub(super) receiver: Option<NodeId>,
    pub(super) name: &'t str,
    pub(super) arguments: Option<NodeId>,
}

/// `None` for a language that katas are not developed in.
pub(super) fn rules(language: Language) -> Option<&'static Rules> {
    match language {
        Language::Rust => Some(&rust::RULES),
        Language::Python => Some(&python::RULES),
        Language::JavaScript | Language::TypeScript | Language::Tsx => Some(&ecma::RULES),
        Language::Go => Some(&go::RULES),
        Language::Java => Some(&java::RULES),
        Language::Ruby => Some(&ruby::RULES),
        _ => None,
    }
}

/// What a node defines by its field `name`; without one, tests may stand inside.
pub(super) fn definition(syntax: &Syntax<'_>, id: NodeId) -> Member {
    match syntax.field(id, "name") {
        Some(name) => Member::Definition(vec![syntax.text(name).to_owned()]),
        None => Member::Other,
    }
}

/// What a string literal says. Escaped quotes and backslashes are resolved, other escapes are not.
pub(super) fn string_value(text: &str) -> String {
    let text = text.trim();
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
    let mut value = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(letter) = chars.next() {
        let is_escape = letter == '\\'
            && chars.peek().is_some_and(|next| matches!(next, '\'' | '"' | '`' | '\\'));
        if is_escape {
            value.extend(chars.next());
        } else {
            value.push(letter);
        }
    }
    value
}
