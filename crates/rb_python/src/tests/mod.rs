//! Tests of the crate as a whole; those of one function stand beside it.

mod annotations;
mod binding;
mod imports;
mod nesting;
mod properties;
mod scopes;
mod source;
mod strings;

use std::fmt::Write;

use expect_test::Expect;

use crate::{Name, NameRole, ScopeId, ScopeKind, Source};

fn parse(text: &str) -> Source {
    Source::parse("a.py", text.into()).unwrap()
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&dump(text));
}

/// Every name with its place, and the scope of the variable it means: `=` where it is bound, `->` where it is used, `x` where it is deleted.
fn dump(text: &str) -> String {
    let source = parse(text);
    let mut lines = String::new();
    for name in &source.scopes().names {
        assert_eq!(source.slice(name.range), name.name);
        writeln!(lines, "{} {}", place(&source, name), meaning(&source, name)).unwrap();
    }
    lines
}

fn place(source: &Source, name: &Name) -> String {
    let start = name.range.start();
    let column = (start - source.line_start(start)).to_u32() + 1;
    let quotes = if name.is_quoted { "\"" } else { "" };
    format!("{}:{column} {quotes}{}{quotes}", source.line(start), name.name)
}

fn meaning(source: &Source, name: &Name) -> String {
    let sign = match name.role {
        NameRole::Binding => "=",
        NameRole::Use => "->",
        NameRole::Delete => "x",
    };
    match name.variable {
        Some(variable) => {
            let scope = source.scopes().variable(variable).scope;
            format!("{sign} {}", scope_name(source, scope))
        }
        None => format!("{sign} ?"),
    }
}

/// `module`, `f`, `C.method`, `f.<lambda>`.
fn scope_name(source: &Source, scope: ScopeId) -> String {
    let scope = source.scopes().scope(scope);
    let own = match scope.kind {
        ScopeKind::Module => return "module".to_owned(),
        ScopeKind::Class | ScopeKind::Function => scope.name.clone(),
        ScopeKind::Lambda => "<lambda>".to_owned(),
        ScopeKind::Comprehension => "<comprehension>".to_owned(),
        ScopeKind::TypeParameters => format!("{}[]", scope.name),
    };
    match scope.parent {
        Some(ScopeId(0)) | None => own,
        Some(parent) => format!("{}.{own}", scope_name(source, parent)),
    }
}
