//! What other code and people rely on: exports, routes, schemas, flags.
//!
//! `snapshot` reads it from an indexed repository, `compare` says in words what became of it, `judge` tells what is
//! allowed from what is refused. Where a declaration stands is shown and never compared: moving it behind the same
//! name is no change. It runs nothing, writes nothing but its own artifact when asked, and does not look into what a function does.

mod artifact;
mod compare;
mod error;
mod exports;
mod flags;
mod memo;
mod model;
mod names;
mod policy;
mod renames;
mod routes;
mod schemas;
mod snapshot;
mod sources;
mod syntax;

pub use self::artifact::write;
pub use self::compare::{Change, ContractChange, What, compare};
pub use self::error::ContractError;
pub use self::memo::Memo;
pub use self::model::{
    Alias, Element, ElementKind, ExportedName, Flag, Kind, Param, ParamKind, Route, Schema,
    SchemaKind, Side, Signature, Snapshot, Unread, VERSION,
};
pub use self::policy::{Policy, PolicyError, judge};
pub use self::renames::take_consequences;
pub use self::snapshot::{exported_names, snapshot};
pub use self::sources::is_product;
