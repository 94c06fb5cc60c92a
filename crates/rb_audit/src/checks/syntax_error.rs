//! A file that could be parsed before the change and cannot be parsed after it.
//!
//! C and its kin are left out: their macros stop any parser that does not expand them.

use rb_index::role::Role;
use rb_lang::Language;
use rb_lang::details::error_lines;

use crate::comparison::{Comparison, finding};
use crate::{Finding, FindingKind, Severity};

pub(crate) fn find(comparison: &Comparison<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (changed, id) in comparison.touched() {
        let file = comparison.after.view.file(id);
        let Some(language) = file.language.filter(|&language| is_trusted(language)) else {
            continue;
        };
        // Broken files among the tests are often meant to be.
        let parsed_before = match comparison.origin(id) {
            Some(origin) => comparison.before.view.file(origin).syntax_errors == 0,
            None => Role::of(&changed.path) == Role::Product,
        };
        if file.syntax_errors == 0 || !parsed_before {
            continue;
        }
        let text = changed.after.as_deref().unwrap_or_default();
        let line = changed.first_edited(&error_lines(language, text));
        findings.push(finding(
            FindingKind::SyntaxError,
            Severity::Error,
            (&changed.path, line),
            format!("the file is no longer valid {}", language.name()),
            Some(changed.cause_at(line)),
        ));
    }
    findings
}

fn is_trusted(language: Language) -> bool {
    matches!(
        language,
        Language::JavaScript
            | Language::TypeScript
            | Language::Tsx
            | Language::Python
            | Language::Go
            | Language::Rust
            | Language::Java
    )
}
