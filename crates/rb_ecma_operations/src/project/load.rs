//! What is evaluated when a file is loaded: what its statements use, and what the functions that they use use in turn.

use std::collections::BTreeSet;

use rb_ecma::links::{ByteRange, UseKind};

use super::facts::contains;
use super::{ModuleFacts, NameUse};

impl ModuleFacts {
    /// Names of the top level that may be read while the file is loaded, the code in `without` not counted.
    pub(crate) fn names_at_load(&self, without: &[ByteRange]) -> BTreeSet<String> {
        let is_counted = |used: &&NameUse| !without.iter().any(|it| contains(*it, used.range));
        let roots = self.uses.iter().filter(is_counted).filter(|it| it.at_load);
        self.closure(roots)
    }

    /// Names that may be read when the code in some ranges is evaluated.
    pub(crate) fn names_at_load_in(&self, ranges: &[ByteRange]) -> BTreeSet<String> {
        let is_inside = |used: &&NameUse| ranges.iter().any(|it| contains(*it, used.range));
        self.closure(self.uses.iter().filter(is_inside).filter(|it| it.at_load))
    }

    fn closure<'u>(&self, roots: impl Iterator<Item = &'u NameUse>) -> BTreeSet<String> {
        let mut open: Vec<&str> = roots.map(|it| it.name.as_str()).collect();
        let mut names = BTreeSet::new();
        let mut used = Vec::new();
        while let Some(name) = open.pop() {
            if !names.insert(name.to_owned()) {
                continue;
            }
            used.clear();
            let pieces = self.declaration(name).map(|it| it.pieces.as_slice()).unwrap_or_default();
            for piece in pieces {
                used.extend(
                    self.uses.iter().filter(|it| {
                        it.kind != UseKind::Type && contains(piece.statement, it.range)
                    }),
                );
            }
            for found in &used {
                if let Some((name, _)) = self.bindings.get_key_value(&found.name) {
                    open.push(name);
                }
            }
        }
        names
    }
}
