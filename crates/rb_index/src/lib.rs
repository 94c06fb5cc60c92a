//! What a repository holds: files, symbols, graphs, rank, architecture, and the store of it.
//!
//! `walk` finds the files, `rb_lang` reads each, `resolve` and `graph` put them together, `update` keeps it all in step. Facts of
//! a file depend on its text alone; everything else is computed from them. It writes nothing but its own store and the
//! artifacts, starts no process, and calls no model.

mod analysis;
pub mod architecture;
pub mod artifacts;
pub mod calls;
pub mod content;
#[cfg(test)]
mod fixture;
pub mod graph;
mod history;
pub mod hotspots;
pub mod ids;
pub mod importance;
mod link;
mod manifests;
pub mod outline;
mod overview;
mod pattern;
pub mod project;
pub mod resolve;
pub mod role;
pub mod search;
pub mod secrets;
pub mod siblings;
mod status;
mod store;
pub mod test_links;
mod texts;
mod together;
mod tree;
pub mod trivial;
mod update;
mod view;
pub mod walk;

pub use self::history::{Activity, FileActivity, History, NoHistory};
pub use self::overview::{
    Counts, CycleGroup, Cycles, HotFile, ImportCounts, LanguageShare, Overview, PackageUse,
    ReactProject, SetAside, Tests, TopFile, Totals,
};
pub use self::status::{IndexedState, Status, status};
pub use self::store::{StoreError, folder_name};
pub use self::texts::{OnDisk, Texts};
pub use self::together::Together;
pub use self::tree::{FileId, Tree, TreeFile};
pub use self::update::{IndexError, Indexed, Options, Request, Update, update};
pub use self::view::{FileView, UnresolvedImport, View};
