//! What could not be followed, so that an estimate says what it does not know.

use std::collections::BTreeSet;

use serde::Serialize;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Doubts {
    /// Packages that files of the project import and that are not installed.
    pub missing: BTreeSet<String>,
    /// Imports of the project that lead nowhere: who imports, and what.
    pub unresolved: BTreeSet<(String, String)>,
    /// Imports within packages that lead nowhere; most are of what is optional.
    pub unresolved_in_packages: u64,
    /// `import(…)` and `require(…)` of something that is not written out.
    pub computed: u64,
    /// Files that could not be read or parsed; their bytes count as far as they are known.
    pub unread: BTreeSet<String>,
    /// Files of packages beyond what is followed at most.
    pub over_limit: u64,
}

impl Doubts {
    pub fn is_empty(&self) -> bool {
        *self == Doubts::default()
    }

    pub(super) fn add(&mut self, other: &Doubts) {
        self.missing.extend(other.missing.iter().cloned());
        self.unresolved.extend(other.unresolved.iter().cloned());
        self.unread.extend(other.unread.iter().cloned());
        self.unresolved_in_packages += other.unresolved_in_packages;
        self.computed += other.computed;
        self.over_limit += other.over_limit;
    }
}
