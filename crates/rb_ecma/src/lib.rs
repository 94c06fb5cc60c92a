//! JavaScript and TypeScript with their bindings: what a rule may ask of a file, what it may take for proved, and edits
//! that keep the author's style.
//!
//! `with_module` parses one text and hands out a `Module`: its tree, its scopes, and tables over both. It knows one file;
//! what another file means is `rb_rules`' to find. Unsure is always the answer that forbids: a type that is not written is
//! unknown, a call that is not known is no pure one.

mod bindings;
mod builtin_effects;
mod edits;
mod functions;
pub mod links;
mod module;
mod proofs;
mod statements;
mod style;
mod suppress;
#[cfg(test)]
mod tests;
mod types;

pub use self::bindings::{ImportBinding, Imported, Use};
pub use self::builtin_effects::{
    PURE_FUNCTIONS, PURE_METHODS, is_quiet_class, is_quiet_function, is_quiet_method,
};
pub use self::edits::{Placed, join_lines};
pub use self::functions::{Func, FunctionKind, FunctionView};
pub use self::module::{Module, Place, with_module};
pub use self::proofs::{AUTH_NAMES, Outside, Purity, words};
pub use self::statements::{EACH_METHODS, Siblings};
pub use self::style::{Quote, Style};
pub use self::suppress::{Suppression, Suppressions};
pub use self::types::Types;
