//! A name that is to be imported or re-exported.

use crate::project::{ImportStatement, StatementName};

/// Is a name imported as a type?
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TypeKind {
    Value,
    /// `import { type a }`
    Inline,
    /// `import type { a }`
    Whole,
}

impl TypeKind {
    /// As a name of a statement is written, in a file that may write types or not.
    pub(crate) fn of(
        statement: &ImportStatement,
        name: &StatementName,
        is_typescript: bool,
    ) -> Self {
        match (statement.is_type, name.is_type) {
            _ if !is_typescript => TypeKind::Value,
            (true, _) => TypeKind::Whole,
            (false, true) => TypeKind::Inline,
            (false, false) => TypeKind::Value,
        }
    }

    /// For a name that was not imported before.
    pub(crate) fn new(is_type: bool, is_typescript: bool) -> Self {
        if is_type && is_typescript { TypeKind::Whole } else { TypeKind::Value }
    }
}

/// A name to be imported or re-exported.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Added {
    pub(crate) specifier: String,
    /// The file that the specifier leads to; `None` for a package.
    pub(crate) file: Option<String>,
    /// `default`, `*` or a name.
    pub(crate) imported: String,
    pub(crate) local: String,
    pub(crate) kind: TypeKind,
    pub(crate) is_reexport: bool,
    /// The statement that it was in.
    pub(crate) anchor: Option<usize>,
}

/// `a`, `a as b`, in the braces of a statement.
pub(super) fn written(added: &Added) -> String {
    let word = if added.kind == TypeKind::Inline { "type " } else { "" };
    if added.imported == added.local {
        format!("{word}{}", added.local)
    } else {
        format!("{word}{} as {}", added.imported, added.local)
    }
}

/// What names are sorted by.
pub(super) fn key(name: &str) -> String {
    name.strip_prefix("type ").unwrap_or(name).to_lowercase()
}
