//! What a repository holds: files, symbols, graphs, rank, architecture, and the store of it.
//!
//! `walk` finds the files, `rb_lang` reads each, `resolve` and `graph` put them together. Facts of a file depend on
//! its text alone; everything else is computed from them. It writes nothing but its own store, starts no process, and calls
//! no model.

pub mod resolve;
mod tree;

pub use self::tree::{FileId, Tree, TreeFile};
