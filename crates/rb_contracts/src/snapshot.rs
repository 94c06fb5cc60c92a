//! Reads all contracts of a repository into a `Snapshot`.

use rb_core::Cancel;
use rb_index::{Texts, View};

use crate::error::ContractError;
use crate::memo::Memo;
use crate::model::{ExportedName, Snapshot, VERSION};
use crate::names::Programs;
use crate::sources::Sources;
use crate::{exports, flags, routes, schemas};

/// What others rely on, in the state that `view` is of. `Memo::snapshot` is for who takes several of one repository.
pub fn snapshot(
    view: &View<'_>,
    texts: &dyn Texts,
    cancel: &Cancel,
) -> Result<Snapshot, ContractError> {
    Memo::default().snapshot(view, texts, cancel)
}

/// The exports alone, which are much quicker to read.
pub fn exported_names(
    view: &View<'_>,
    texts: &dyn Texts,
    cancel: &Cancel,
) -> Result<Vec<ExportedName>, ContractError> {
    let memo = Memo::default();
    let mut snapshot = Snapshot::default();
    exports::read(&Sources::new(view, texts, &memo, cancel), &mut snapshot)?;
    sort(&mut snapshot);
    Ok(snapshot.exports)
}

pub(crate) fn read(sources: &Sources<'_>) -> Result<Snapshot, ContractError> {
    let programs = Programs::of(sources);
    let mut snapshot = Snapshot { version: VERSION, ..Snapshot::default() };
    exports::read(sources, &mut snapshot)?;
    snapshot.routes = routes::read(sources)?;
    schemas::read(sources, &mut snapshot)?;
    snapshot.flags = flags::read(sources, &programs)?;
    sort(&mut snapshot);
    Ok(snapshot)
}

fn sort(snapshot: &mut Snapshot) {
    let Snapshot { version: _, exports, aliases, routes, schemas, flags, unread } = snapshot;
    exports.sort();
    exports.dedup();
    aliases.sort();
    aliases.dedup();
    routes.sort();
    routes.dedup();
    schemas.sort();
    flags.sort();
    flags.dedup();
    unread.sort();
    unread.dedup();
}
