//! What the moved code uses of the file that it leaves: imports, and what is declared there.

use std::collections::{BTreeMap, BTreeSet};

use rb_ecma::links::UseKind;
use rb_operations::Refusal;

use super::{Relocation, refusal};
use crate::project::{Binding, NameUse};

pub(super) struct Needs {
    /// Statement and name of the source's imports.
    pub(super) imports: BTreeSet<(usize, usize)>,
    /// Names that stay, and whether types alone need them.
    pub(super) declared: BTreeMap<String, bool>,
    pub(super) globals: BTreeSet<String>,
}

impl Needs {
    pub(super) fn of(relocation: &Relocation<'_>) -> Result<Self, Refusal> {
        let mut needs =
            Needs { imports: BTreeSet::new(), declared: BTreeMap::new(), globals: BTreeSet::new() };
        let uses = relocation.source.uses.iter().filter(|it| relocation.is_moved(it.range));
        for used in uses {
            let is_type = used.kind == UseKind::Type;
            match used.binding {
                None => drop(needs.globals.insert(used.name.clone())),
                Some(Binding::Declared) if relocation.names.contains(&used.name) => {}
                Some(Binding::Declared) => needs.declare(relocation, used, is_type)?,
                Some(Binding::Imported) => {
                    let at = import_of(relocation, &used.name).ok_or_else(|| {
                        refusal(
                            format!("`{}` is imported in a way that cannot be repeated", used.name),
                            vec![relocation.place(used.range, used.name.clone())],
                            "import it with `import { … } from` first",
                        )
                    })?;
                    needs.imports.insert(at);
                }
            }
        }
        // Elements need `React` where they are compiled to calls of it.
        let has_elements = relocation.source.elements.iter().any(|it| relocation.is_moved(*it));
        if let Some(at) = import_of(relocation, "React").filter(|_| has_elements) {
            needs.imports.insert(at);
        }
        Ok(needs)
    }

    fn declare(
        &mut self,
        relocation: &Relocation<'_>,
        used: &NameUse,
        is_type: bool,
    ) -> Result<(), Refusal> {
        let Some(declaration) = relocation.declaration(&used.name) else {
            return Err(refusal(
                format!("`{}` is declared in a way that cannot be exported", used.name),
                vec![relocation.place(used.range, used.name.clone())],
                "declare it by a statement of its own first",
            ));
        };
        let is_type = is_type || declaration.is_type();
        *self.declared.entry(used.name.clone()).or_insert(true) &= is_type;
        Ok(())
    }
}

/// The statement of the source that binds a name, and its place in it.
pub(super) fn import_of(relocation: &Relocation<'_>, local: &str) -> Option<(usize, usize)> {
    let statements = relocation.source.statements.iter().enumerate();
    let mut imports = statements.filter(|(_, it)| !it.is_reexport);
    imports.find_map(|(index, statement)| {
        let at = statement.names.iter().position(|it| it.local == local)?;
        Some((index, at))
    })
}
