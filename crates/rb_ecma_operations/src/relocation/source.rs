//! The file that the code leaves: the code goes, with imports that nothing uses any more, and what is still used is imported.

use rb_ecma::links::UseKind;
use rb_operations::Refusal;

use super::needs::Needs;
use super::{Relocation, style_of};
use crate::import_edits::{Added, ImportEdits, TypeKind};
use crate::project::is_typescript;

impl Relocation<'_> {
    pub(super) fn change_source(&mut self, needs: &Needs) -> Result<(), Refusal> {
        let source = std::sync::Arc::clone(&self.source);
        let from = self.from.clone();
        for piece in self.pieces.clone() {
            self.edits.delete(&from, piece.full);
        }
        self.export_needed(needs);
        let mut imports = ImportEdits::new(&source);
        self.drop_unused(&mut imports);
        self.import_back(&mut imports)?;
        self.finish(&from, imports)
    }

    /// Imports that only the moved code used, and moved names in `export { … }`.
    pub(crate) fn drop_unused(&self, imports: &mut ImportEdits<'_>) {
        for (index, statement) in self.source.statements.iter().enumerate() {
            for (at, name) in statement.names.iter().enumerate() {
                let is_gone = if statement.is_list {
                    self.moved_name(&name.local).is_some() && name.local != "default"
                } else {
                    !statement.is_reexport && self.is_unused(&name.local)
                };
                if is_gone {
                    imports.remove(index, at);
                }
            }
        }
    }

    /// Was it used, and by nothing that stays?
    fn is_unused(&self, local: &str) -> bool {
        let mut uses = self.source.uses_of(local).peekable();
        let is_element_factory = local == "React" && !self.source.elements.is_empty();
        uses.peek().is_some() && !is_element_factory && uses.all(|it| self.is_moved(it.range))
    }

    /// What the moved code uses of this file has to be exported.
    fn export_needed(&mut self, needs: &Needs) {
        let from = self.from.clone();
        for name in needs.declared.keys() {
            if self.source.links.names_of(name).next().is_some() {
                continue;
            }
            let Some(declaration) = self.declaration(name).cloned() else { continue };
            let places: Vec<u32> =
                declaration.pieces.iter().filter_map(|it| it.export_at).collect();
            for at in places {
                self.edits.add(&from, rb_core::Edit::insert(at, "export "));
            }
            self.notes
                .push(format!("`{name}` of {} is exported now: the moved code uses it", self.from));
        }
    }

    /// What stays and uses moved names imports them.
    fn import_back(&self, imports: &mut ImportEdits<'_>) -> Result<(), Refusal> {
        let style = style_of(self.project, &[&self.from, &self.to]);
        for name in &self.names {
            let stays = self
                .source
                .uses_of(name)
                .filter(|it| !self.is_moved(it.range) && !self.is_listed(it.range));
            let kinds: Vec<UseKind> = stays.map(|it| it.kind).collect();
            if kinds.is_empty() {
                continue;
            }
            let is_type = self.is_type(name) || kinds.iter().all(|it| *it == UseKind::Type);
            let specifier = self
                .project
                .specifier(&self.from, &self.to, (&style.0, &style.1))
                .ok_or_else(|| Self::unnameable(&self.from, &self.to))?;
            imports.add(Added {
                specifier,
                file: Some(self.to.clone()),
                imported: name.clone(),
                local: name.clone(),
                kind: TypeKind::new(is_type, is_typescript(&self.from)),
                is_reexport: false,
                anchor: None,
            });
        }
        Ok(())
    }
}
