//! What a file runs by loading the source, and has to go on running when it takes the moved names from elsewhere.

use std::collections::BTreeSet;

use rb_ecma::links::{Target, UseKind};

use super::Relocation;
use crate::import_edits::{Added, ImportEdits, TypeKind};
use crate::project::{ImportStatement, ModuleFacts};

impl Relocation<'_> {
    /// Would a file that drops a statement no longer load the source, which does something when it is loaded?
    pub(super) fn stops_loading(&self, facts: &ModuleFacts, dropped: usize) -> bool {
        if !is_loaded(facts, &facts.statements[dropped]) {
            return false;
        }
        if self.source.has_effects() {
            let mut others = facts.statements.iter().enumerate().filter(|it| it.0 != dropped);
            return !others.any(|(_, it)| self.leads_to_source(&it.target) && !it.is_type);
        }
        let pieces = self.source.declarations.iter().flat_map(|it| &it.pieces);
        let runs = pieces.filter(|it| !it.is_pure).any(|it| !self.is_moved(it.full));
        runs && !self.is_loaded_by(facts)
    }

    /// Does a file still load the source, itself or by what it imports?
    fn is_loaded_by(&self, facts: &ModuleFacts) -> bool {
        if self.target_loads_source || self.takes_the_rest(facts) {
            return true;
        }
        let mut open: Vec<String> = loaded(facts).map(str::to_owned).collect();
        open.push(self.to.clone());
        let mut seen = BTreeSet::from([self.from.clone()]);
        while let Some(path) = open.pop() {
            if !seen.insert(path.clone()) {
                continue;
            }
            let Some(facts) = self.project.module(&path) else { continue };
            if self.takes_the_rest(&facts) {
                return true;
            }
            open.extend(loaded(&facts).map(str::to_owned));
        }
        false
    }

    /// Does a file take something of the source that stays there?
    fn takes_the_rest(&self, facts: &ModuleFacts) -> bool {
        let statements = facts.statements.iter().filter(|it| self.leads_to_source(&it.target));
        statements.filter(|it| is_loaded(facts, it)).any(|it| {
            it.names.is_empty()
                || it
                    .names
                    .iter()
                    .any(|name| name.imported != "*" && !self.exports.contains_key(&name.imported))
        })
    }

    /// A file that imported the source for a moved name went on to run it.
    pub(super) fn keep_effects(
        &mut self,
        imports: &mut ImportEdits<'_>,
        user: &str,
        statement: &ImportStatement,
        anchor: usize,
    ) {
        imports.add(Added {
            specifier: statement.source.clone(),
            file: Some(self.from.clone()),
            imported: String::new(),
            local: String::new(),
            kind: TypeKind::Value,
            is_reexport: false,
            anchor: Some(anchor),
        });
        self.notes.push(format!(
            "{user} goes on importing {}, which does something when it is loaded",
            self.from
        ));
    }
}

/// The files that a file loads for certain.
fn loaded(facts: &ModuleFacts) -> impl Iterator<Item = &str> {
    let statements = facts.statements.iter().filter(|it| is_loaded(facts, it));
    statements.filter_map(|it| match &it.target {
        Target::File(path) => Some(path.as_str()),
        Target::Package(_) | Target::Builtin | Target::Unknown => None,
    })
}

/// Compilers leave out imports of TypeScript that no value needs.
fn is_loaded(facts: &ModuleFacts, statement: &ImportStatement) -> bool {
    let is_needed = |local: &str| {
        !facts.is_typescript || facts.uses_of(local).any(|it| it.kind != UseKind::Type)
    };
    !statement.is_type
        && (statement.names.is_empty()
            || statement
                .names
                .iter()
                .any(|it| !it.is_type && (statement.is_reexport || is_needed(&it.local))))
}
