//! Names that speak: of checks, of order, of writing.

use oxc_ast::ast::Expression;

use crate::module::Module;

/// Parts of names that speak of checks, order or writing; a call with one of them is not moved.
pub const AUTH_NAMES: &[&str] = &[
    "auth",
    "session",
    "verify",
    "require",
    "lock",
    "tx",
    "begin",
    "commit",
    "insert",
    "update",
    "delete",
    "send",
    "write",
    "guard",
    "permission",
    "login",
    "logout",
    "redirect",
    "ensure",
    "assert",
    "connect",
    "create",
    "remove",
    "save",
    "migrate",
    "sleep",
    "delay",
    "wait",
];

impl<'a> Module<'a> {
    /// Does the name of what is called speak of a check, an order or a write?
    pub fn has_guarding_name(&self, expression: &Expression<'a>) -> bool {
        let inner = match expression.get_inner_expression() {
            Expression::AwaitExpression(it) => it.argument.get_inner_expression(),
            other => other,
        };
        let Expression::CallExpression(call) = inner else { return false };
        let name = self.slice(oxc_span::GetSpan::span(&call.callee));
        is_guarding(name)
    }
}

/// A part of the name is one of `AUTH_NAMES`; `author` speaks of no check.
pub(crate) fn is_guarding(callee: &str) -> bool {
    words(callee).iter().any(|word| {
        AUTH_NAMES.iter().any(|it| {
            word == it || (it.len() > 4 && word.starts_with(it)) || (*it == "auth" && is_auth(word))
        })
    })
}

fn is_auth(word: &str) -> bool {
    word.starts_with("auth") && !word.starts_with("author")
        || word == "authorize"
        || word == "authorized"
}

/// `readUserById` is `read user by id`.
pub fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut last_lower = false;
    for character in name.chars() {
        let is_break = !character.is_alphanumeric() || (character.is_uppercase() && last_lower);
        if is_break && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        last_lower = character.is_lowercase() || character.is_numeric();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}
