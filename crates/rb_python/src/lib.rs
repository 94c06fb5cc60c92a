//! Python, one file at a time: what each name is bound to, what is imported, what `__all__` lists.
//!
//! `Source` is a parsed file with its `Scopes`. It knows no other file; where imports lead is for `rb_operations` to find. The parser is
//! ruff's: it gives a typed tree with exact ranges and follows the newest grammar. Files that nest too deeply for recursive walks are refused.

mod builder;
mod builtins;
mod exports;
mod imports;
mod nesting;
mod scopes;
mod source;
mod strings;
#[cfg(test)]
mod tests;
mod walk;

pub use ruff_python_ast as ast;
pub use ruff_text_size::{Ranged, TextRange, TextSize};

pub use self::builtins::is_builtin;
pub use self::imports::{AllEntry, AllList, Import, ImportName, ImportPlace};
pub use self::scopes::{
    Binding, BindingKind, Name, NameRole, Scope, ScopeId, ScopeKind, Scopes, Variable, VariableId,
};
pub use self::source::{Source, SyntaxError};
pub use self::strings::{StringLiteral, StringUse};
