//! Import statements and `__all__`, with the range of every part.

use ruff_text_size::TextRange;

use crate::scopes::ScopeId;

/// One `import …` or `from … import …` statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// Of the whole statement, without comments and line break.
    pub range: TextRange,
    pub scope: ScopeId,
    pub is_from: bool,
    /// The dots of `from ..a import b`.
    pub level: u32,
    /// `a.b` of `from a.b import c`, without dots before it; None for `from . import x` and for `import x`.
    pub module: Option<(String, TextRange)>,
    pub names: Vec<ImportName>,
    pub place: ImportPlace,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportName {
    /// `c` of `from a import c`, `a.b` of `import a.b`, `*`.
    pub name: String,
    pub name_range: TextRange,
    /// Behind `as`.
    pub alias: Option<(String, TextRange)>,
    /// `c as d`.
    pub range: TextRange,
}

/// Where an import stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportPlace {
    /// At the top level, unconditionally.
    Top,
    /// Below `if TYPE_CHECKING:`.
    TypeChecking,
    /// At the top level, in a `try`, `if` or `with`.
    Conditional,
    /// In a function or class.
    Local,
}

impl ImportName {
    /// The name that the statement binds: the alias, the name, or the first part of `import a.b`.
    pub fn local(&self) -> &str {
        match &self.alias {
            Some((alias, _)) => alias,
            None => self.name.split('.').next().unwrap_or(&self.name),
        }
    }
}

impl Import {
    /// As it is written: `..a.b`, `a.b`, `.`; for `import x` that of the name at this index.
    pub fn specifier(&self, name: usize) -> String {
        if !self.is_from {
            return self.names[name].name.clone();
        }
        let dots = ".".repeat(self.level as usize);
        format!("{dots}{}", self.module.as_ref().map_or("", |(module, _)| module))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllList {
    /// Of the list or tuple expressions, brackets included, one for each statement.
    pub ranges: Vec<TextRange>,
    pub entries: Vec<AllEntry>,
    /// Something in it is computed (`a.__all__`, a call): the entries are not all.
    pub is_partial: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllEntry {
    pub name: String,
    /// Of the whole literal, quotes included.
    pub range: TextRange,
    /// Which of `ranges` it stands in.
    pub list: usize,
}
