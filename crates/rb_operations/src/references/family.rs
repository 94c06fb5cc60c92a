//! The classes that share a member: those that define it and are related by inheritance, and all that inherit it.

use std::collections::BTreeSet;

use crate::operation::SymbolPath;
use crate::project::Project;

#[derive(Debug, Default)]
pub(crate) struct Family {
    /// Classes that define the member themselves.
    pub(crate) definers: BTreeSet<SymbolPath>,
    /// These, and all classes that inherit from them.
    pub(crate) classes: BTreeSet<SymbolPath>,
    /// Base classes of these that do not define it: a mixin, an abstract base.
    pub(crate) above: BTreeSet<SymbolPath>,
}

impl Project<'_> {
    /// Renaming the member in one of them has to rename it in all: an override, what it overrides, and two bases of one class.
    pub(crate) fn family(&self, class: &SymbolPath, name: &str) -> Family {
        let mut family = Family::default();
        let ancestors = self.ancestors(class);
        let mut open: Vec<SymbolPath> =
            ancestors.iter().filter(|one| self.defines(one, name)).cloned().collect();
        if open.is_empty() {
            open.push(class.clone());
        }
        while let Some(class) = open.pop() {
            if !family.definers.insert(class.clone()) {
                continue;
            }
            let mut related = self.descendants(&class);
            family.classes.extend(related.iter().cloned());
            family.classes.insert(class.clone());
            related.insert(class);
            let above: BTreeSet<SymbolPath> =
                related.iter().flat_map(|one| self.ancestors(one).to_vec()).collect();
            for ancestor in above {
                if self.defines(&ancestor, name) {
                    open.push(ancestor);
                } else {
                    family.above.insert(ancestor);
                }
            }
        }
        family.above.retain(|class| !family.classes.contains(class));
        family
    }
}
