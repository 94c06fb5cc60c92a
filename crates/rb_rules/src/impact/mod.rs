//! What a change does to the code that browsers load, estimated over the import graph.
//!
//! For each entry the modules of the project and of installed packages that it loads, before and after. The measure is
//! bytes of source: nothing is minified, nothing is shaken off, and the framework's own runtime is not in it. It says in
//! which direction a change goes and about how far; what is shipped only a build can say.

mod calls;
mod doubts;
mod entries;
mod graph;
mod loads;
mod packages;
mod paths;
mod resolve;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::sync::Arc;

use rb_core::Cancel;
use serde::Serialize;

pub use self::doubts::Doubts;
pub use self::entries::{Entry, Start, entries};

use self::graph::Graph;
use self::packages::Packages;
use self::resolve::ImpactContext;
use crate::project::Installed;
use crate::world::World;

/// The text of a file on both sides; `None` where it is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub before: Option<Arc<str>>,
    pub after: Option<Arc<str>>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Size {
    pub modules: u64,
    /// Of source.
    pub bytes: u64,
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Size) {
        self.modules += other.modules;
        self.bytes += other.bytes;
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Load {
    /// Before anything is shown.
    pub first: Size,
    /// Only behind `import()`.
    pub deferred: Size,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Sides<T> {
    pub before: T,
    pub after: T,
}

impl<T: PartialEq> Sides<T> {
    pub fn is_changed(&self) -> bool {
        self.before != self.after
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryImpact {
    pub path: String,
    #[serde(flatten)]
    pub load: Sides<Load>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PackageImpact {
    /// Empty for the project itself.
    pub name: String,
    #[serde(flatten)]
    pub load: Sides<Load>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Impact {
    /// In the order in which they were given.
    pub entries: Vec<EntryImpact>,
    /// Each module once: at first where some entry loads it at first.
    pub total: Sides<Load>,
    /// Where the total changed, by name.
    pub packages: Vec<PackageImpact>,
    pub doubts: Doubts,
}

/// What `changed` does to what the entries load. `world` may be on either side of the change.
pub fn estimate(
    world: &dyn World,
    installed: &Installed,
    changed: &BTreeMap<String, Change>,
    entries: &[Entry],
    cancel: &Cancel,
) -> Impact {
    let packages = Packages::new(installed);
    let scene = ImpactContext { world, packages, changed, paths: world.paths() };
    let graph = Graph::of(&scene, entries, cancel);
    walk::impact(graph, entries)
}
