//! What became of the contracts, in words: added, removed, narrowed, widened, changed.
//!
//! Pure: two snapshots in, sorted changes out. Files and lines are looked at only to say where a change is.

mod exports;
mod flags;
mod groups;
mod routes;
mod schemas;
mod signature;

use serde::{Deserialize, Serialize};

use crate::model::Snapshot;

/// One thing that is not as it was.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ContractChange {
    pub what: What,
    pub change: Change,
    /// Somebody who relied on it may have to change something.
    pub breaking: bool,
    /// `Router.route`, `GET /users/{}`, `User.email`, `--port`.
    pub name: String,
    /// Where it stands now; where it stood, if it is gone.
    pub file: String,
    pub line: u32,
    pub words: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    Export,
    Route,
    Schema,
    Flag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    Added,
    Removed,
    /// Takes less, or asks for more, than before.
    Narrowed,
    /// Takes more, or asks for less.
    Widened,
    Changed,
}

impl Change {
    pub fn name(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Narrowed => "narrowed",
            Change::Widened => "widened",
            Change::Changed => "changed",
        }
    }
}

/// All changes, those of exports first, each kind in the order of files and lines.
pub fn compare(before: &Snapshot, after: &Snapshot) -> Vec<ContractChange> {
    let mut changes = exports::compare(before, after);
    changes.extend(routes::compare(&before.routes, &after.routes));
    changes.extend(schemas::compare(&before.schemas, &after.schemas));
    changes.extend(flags::compare(&before.flags, &after.flags));
    changes.sort_by(|a, b| {
        (a.what, &a.file, a.line, &a.name, &a.words)
            .cmp(&(b.what, &b.file, b.line, &b.name, &b.words))
    });
    changes.dedup();
    changes
}

/// A change of a part, before it is known whose part it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) change: Change,
    pub(crate) breaking: bool,
    /// What follows the name: "is no longer async".
    pub(crate) words: String,
}

impl Difference {
    pub(crate) fn breaking(change: Change, words: impl Into<String>) -> Difference {
        Difference { change, breaking: true, words: words.into() }
    }

    pub(crate) fn harmless(change: Change, words: impl Into<String>) -> Difference {
        Difference { change, breaking: false, words: words.into() }
    }
}
