//! Pieces of source that an operation is given: defaults and values of calls, names, paths of tests.

use std::collections::BTreeSet;

use oxc_ast::ast::{Expression, Statement};
use rb_ecma::with_module;
use rb_lang::Language;
use rb_operations::Refusal;

pub(crate) fn parses(path: &str, text: &str) -> bool {
    Language::of_path(path.as_bytes())
        .is_none_or(|language| with_module(language, text, |_| ()).is_some())
}

/// An expression that an operation is given.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) text: String,
    /// Names that it uses; what they mean depends on the place.
    pub(crate) names: BTreeSet<String>,
    /// The type, where it is a literal.
    pub(crate) literal_type: Option<&'static str>,
}

impl Source {
    /// Directives say `True` where JavaScript says `true`.
    pub(crate) fn read(text: &str) -> Result<Source, Refusal> {
        let text = match text.trim() {
            "True" => "true",
            "False" => "false",
            "None" => "undefined",
            other => other,
        };
        let read = with_module(Language::TypeScript, &format!("_ = {text};\n"), |module| {
            let [Statement::ExpressionStatement(statement)] = module.program().body.as_slice()
            else {
                return None;
            };
            let Expression::AssignmentExpression(assignment) = &statement.expression else {
                return None;
            };
            let names = module.identifiers().iter().map(|it| it.name.to_string());
            let literal_type = match &assignment.right {
                Expression::BooleanLiteral(_) => Some("boolean"),
                Expression::NumericLiteral(_) => Some("number"),
                Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => Some("string"),
                _ => None,
            };
            let is_name = |name: &String| !["_", "undefined", "Infinity", "NaN"].contains(&&**name);
            Some((names.filter(is_name).collect(), literal_type))
        });
        let Some((names, literal_type)) = read.flatten() else {
            let reason = format!("`{text}` is not an expression");
            return Err(Refusal::new(reason, "give a JavaScript expression, such as `false`"));
        };
        Ok(Source { text: text.to_owned(), names, literal_type })
    }
}

pub(crate) fn check_identifier(name: &str) -> Result<(), Refusal> {
    let is_name = oxc_syntax::identifier::is_identifier_name(name);
    let reserved = oxc_syntax::keyword::is_reserved_keyword(name)
        || ["arguments", "await", "eval", "let", "static", "yield"].contains(&name);
    if is_name && !reserved {
        return Ok(());
    }
    let reason = format!("`{name}` cannot be the name of a parameter");
    Err(Refusal::new(reason, "choose another name"))
}

/// The words of a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    text.split(move |letter: char| !is_part(letter)).filter(|word| !word.is_empty())
}

pub(crate) fn has_word(text: &str, word: &str) -> bool {
    words(text).any(|part| part == word)
}

pub(crate) fn is_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let folders = ["test", "tests", "__tests__", "spec", "e2e", "cypress"];
    name.contains(".test.")
        || name.contains(".spec.")
        || path.split('/').rev().skip(1).any(|folder| folders.contains(&folder))
}
