//! Where imports lead, one file per ecosystem.
//!
//! A resolver is made once for a tree and asked for each import. It sees the paths and manifests of the tree, never the
//! disk: what is not in the tree (`node_modules`, a virtual environment) is outside by definition.

use crate::tree::FileId;

/// What became of one import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// Files of this repository, sorted: usually one; several for a package or for `from . import a, b`.
    Inside(Vec<FileId>),
    /// A package from elsewhere, by the name under which it is installed: `react`, `@scope/a`, `requests`, `serde`.
    External(Box<str>),
    /// Comes with the language: `node:fs`, `os.path`, `std::fs`, `net/http`, `java.util`.
    Builtin,
    /// It looks like a file of this repository, or like a package that nobody declares, and is not there.
    Unresolved,
}
