//! The file that the code goes to: its imports, and the code itself.

use std::collections::BTreeSet;

use rb_core::Edit;
use rb_ecma::Style;
use rb_ecma::links::Target;
use rb_operations::Refusal;

use super::needs::Needs;
use super::{Relocation, rebased, refusal, style_of};
use crate::import_edits::{Added, ImportEdits, TypeKind};
use crate::project::{Binding, Extra, ImportStatement, Origin, StatementName, is_typescript};

impl Relocation<'_> {
    pub(super) fn change_target(&mut self, needs: &Needs) -> Result<(), Refusal> {
        let target = std::sync::Arc::clone(&self.target);
        let source = std::sync::Arc::clone(&self.source);
        let style: &Style = if self.is_new { &source.style } else { &target.style };
        let mut imports = ImportEdits::in_style(&target, style);
        self.check_globals(needs)?;
        let mut renamed = self.drop_own_imports(&mut imports)?;
        self.extra_imports.drain(..).for_each(|added| imports.add(added));
        for at in &needs.imports {
            let statement = &source.statements[at.0];
            self.need_import(&mut imports, statement, &statement.names[at.1])?;
        }
        for (name, is_type) in &needs.declared {
            self.need_declared(&mut imports, name, *is_type)?;
        }
        let on_top = self.goes_on_top()?;
        let code = self.code(style)?;
        let has_imports = imports.has_added();
        let to = self.to.clone();
        self.finish(&to, imports)?;
        renamed.push(self.placed(style, &code, on_top, has_imports));
        self.edits.extend(&to, renamed);
        Ok(())
    }

    /// Takes in the changed imports of a file.
    pub(super) fn finish(&mut self, path: &str, imports: ImportEdits<'_>) -> Result<(), Refusal> {
        imports.finish_into(path, &mut self.edits).map_err(|statement| {
            let place = self.project.place(path, statement.range.start, statement.source.clone());
            let reason = "a comment stands in an import that has to change".to_owned();
            refusal(reason, vec![place], "move the comment out of the import first")
        })
    }

    /// Names that mean something global on one side must not be bound on the other.
    fn check_globals(&self, needs: &Needs) -> Result<(), Refusal> {
        if let Some(name) = needs.globals.iter().find(|it| self.target.bindings.contains_key(*it)) {
            return Err(self.taken(name, "the moved code means a global by it"));
        }
        let bound = self.local_names();
        for name in &self.names {
            let is_own = bound.iter().any(|(_, local)| local == name);
            if self.target.bindings.contains_key(name) && !is_own {
                return Err(self.taken(name, "it is declared or imported there already"));
            }
            if let Some(used) = self.target.globals().find(|it| it.name == *name) {
                let place = self.project.place(&self.to, used.range.start, name.clone());
                let reason = format!("`{name}` means something global in {}", self.to);
                return Err(refusal(reason, vec![place], "rename it first"));
            }
        }
        Ok(())
    }

    fn taken(&self, name: &str, why: &str) -> Refusal {
        let declared = self.target.declaration(name).map(crate::project::Declaration::start);
        let used = self.target.uses_of(name).map(|it| it.range.start).next();
        let line = declared.or(used).unwrap_or(0);
        let place = self.project.place(&self.to, line, name.to_owned());
        let reason = format!("the name `{name}` is taken in {}: {why}", self.to);
        refusal(reason, vec![place], "rename one of them first")
    }

    /// What the target imported of the moved names is its own now; an alias is replaced by the name.
    pub(super) fn drop_own_imports(
        &self,
        imports: &mut ImportEdits<'_>,
    ) -> Result<Vec<Edit>, Refusal> {
        let mut edits = Vec::new();
        for (index, statement) in self.target.statements.iter().enumerate() {
            if !self.leads_to_source(&statement.target) || statement.is_reexport {
                continue;
            }
            for (at, name) in statement.names.iter().enumerate() {
                if name.imported == "*" {
                    edits.extend(self.member_edits(imports, index, at, name)?);
                    continue;
                }
                let Some(moved) = self.moved_name(&name.imported) else { continue };
                imports.remove(index, at);
                if name.local != moved {
                    if self.target.names.contains(&moved) {
                        return Err(self.taken(&moved, "it is another thing there"));
                    }
                    let uses = self.target.uses_of(&name.local);
                    edits.extend(uses.map(|used| {
                        let text = if used.is_shorthand {
                            format!("{}: {moved}", used.name)
                        } else {
                            moved.clone()
                        };
                        Edit::replace(used.range.start, used.range.end, text)
                    }));
                }
            }
        }
        self.drop_own_exports(imports)?;
        Ok(edits)
    }

    /// `export { a } from './source'`, and `export { a }` of what was imported: the declaration is exported there now.
    fn drop_own_exports(&self, imports: &mut ImportEdits<'_>) -> Result<(), Refusal> {
        if !self.target.links.is_esm {
            return Ok(());
        }
        for (given, own) in self.given_names() {
            let theirs = self.project.origin(&self.to, &given);
            let ours = Origin::File { path: self.from.clone(), name: own.clone() };
            if theirs == Origin::Missing {
                continue;
            }
            if theirs != ours {
                let place = self.project.place(&self.to, self.export_start(&given), given.clone());
                let reason = format!("{} exports another `{given}` already", self.to);
                return Err(refusal(reason, vec![place], "rename one of them first"));
            }
            for (index, statement) in self.target.statements.iter().enumerate() {
                let is_it = |it: &StatementName| statement.is_reexport && it.local == given;
                if let Some(at) = statement.names.iter().position(is_it) {
                    imports.remove(index, at);
                }
            }
        }
        Ok(())
    }

    /// The names under which the target exports moved code, and what they are called in it.
    fn given_names(&self) -> BTreeSet<(String, String)> {
        let listed = self.exports.iter().filter(|(_, given)| *given != "default");
        let listed = listed
            .filter_map(|(exported, given)| Some((given.clone(), self.moved_name(exported)?)));
        let wanted = self.names.iter().filter(|it| self.is_wanted(it));
        listed.chain(wanted.map(|it| (it.clone(), it.clone()))).collect()
    }

    /// Where the target exports a name.
    fn export_start(&self, given: &str) -> u32 {
        let mut names = self.target.statements.iter().filter(|it| it.is_reexport);
        let listed = names.find(|it| it.names.iter().any(|name| name.local == given));
        let own = self.target.links.export(given).map(|it| it.place.start);
        listed.map(|it| it.range.start).or(own).unwrap_or(0)
    }

    /// `source.a` becomes `a`.
    fn member_edits(
        &self,
        imports: &mut ImportEdits<'_>,
        statement: usize,
        at: usize,
        name: &StatementName,
    ) -> Result<Vec<Edit>, Refusal> {
        let links = self.target.links.imports.iter();
        let mut all = links.filter(|it| it.local.as_ref().is_some_and(|(it, _)| *it == name.local));
        let Some(import) = all.next() else { return Ok(Vec::new()) };
        let mut edits = Vec::new();
        for used in &import.uses {
            let moved = used.member.as_ref().and_then(|it| self.moved_name(it));
            let Some(moved) = moved else { continue };
            if self.target.names.contains(&moved) {
                return Err(self.taken(&moved, "it is another thing there"));
            }
            edits.push(Edit::replace(used.whole.start, used.whole.end, moved));
        }
        if !edits.is_empty() && edits.len() == import.uses.len() {
            imports.remove(statement, at);
        }
        Ok(edits)
    }

    /// An import of the source that the moved code needs.
    fn need_import(
        &self,
        imports: &mut ImportEdits<'_>,
        statement: &ImportStatement,
        name: &StatementName,
    ) -> Result<(), Refusal> {
        let kind = TypeKind::of(statement, name, true);
        if matches!(&statement.target, Target::File(path) if *path == self.to) {
            let own = self.target.links.export(&name.imported).and_then(|it| it.local.clone());
            if own.as_ref() == Some(&name.local) {
                return Ok(());
            }
            let reason = format!("`{}` has another name in {}", name.local, self.to);
            return Err(Refusal::new(reason, "import it under its own name first"));
        }
        if self.target.bindings.contains_key(&name.local) {
            return self.same_import(imports, statement, name, kind);
        }
        if self.target.globals().any(|it| it.name == name.local) {
            return Err(self.taken(&name.local, "it means something global there"));
        }
        imports.add(self.import_of(statement, name, kind)?);
        Ok(())
    }

    /// The name is bound in the target: by the same import, or the move is refused.
    fn same_import(
        &self,
        imports: &mut ImportEdits<'_>,
        statement: &ImportStatement,
        name: &StatementName,
        kind: TypeKind,
    ) -> Result<(), Refusal> {
        for (index, theirs) in self.target.statements.iter().enumerate() {
            if theirs.is_reexport {
                continue;
            }
            let Some(at) = theirs.names.iter().position(|it| it.local == name.local) else {
                continue;
            };
            let is_package = !matches!(statement.target, Target::File(_));
            let is_same = theirs.names[at].imported == name.imported
                && theirs.target == statement.target
                && (!is_package || theirs.source == statement.source);
            let origin = |it: &ImportStatement, name: &StatementName| {
                self.project.imported_origin(&it.target, &name.imported)
            };
            let has_origin = !is_package
                && name.imported != "*"
                && origin(theirs, &theirs.names[at]) == origin(statement, name);
            if !is_same && !has_origin {
                break;
            }
            let was_type = theirs.is_type || theirs.names[at].is_type;
            if was_type && kind == TypeKind::Value {
                imports.remove(index, at);
                imports.add(self.import_of(statement, name, kind)?);
            }
            return Ok(());
        }
        Err(self.taken(&name.local, "it is declared or imported there already"))
    }

    fn import_of(
        &self,
        statement: &ImportStatement,
        name: &StatementName,
        kind: TypeKind,
    ) -> Result<Added, Refusal> {
        let (specifier, file) = match &statement.target {
            Target::File(path) => {
                let style = (statement.source.as_str(), path.as_str());
                let specifier = self.project.specifier(&self.to, path, style);
                (
                    specifier.unwrap_or_else(|| rebased(&self.from, &self.to, &statement.source)),
                    Some(path.clone()),
                )
            }
            Target::Package(_) | Target::Builtin | Target::Unknown => {
                (rebased(&self.from, &self.to, &statement.source), None)
            }
        };
        if statement.extra == Extra::Attributes {
            let reason = format!("`{}` is imported with attributes", name.local);
            return Err(Refusal::new(reason, "move it by hand"));
        }
        Ok(Added {
            specifier,
            file,
            imported: name.imported.clone(),
            local: name.local.clone(),
            kind: if is_typescript(&self.to) { kind } else { TypeKind::Value },
            is_reexport: false,
            anchor: None,
        })
    }

    /// A name that stays in the source, and is used by the moved code.
    fn need_declared(
        &mut self,
        imports: &mut ImportEdits<'_>,
        name: &str,
        is_type: bool,
    ) -> Result<(), Refusal> {
        self.check_importable(name)?;
        let exported = self.exported_name(name);
        match self.target.bindings.get(name) {
            Some(Binding::Imported) if self.imports_it(name, &exported) => return Ok(()),
            Some(_) => return Err(self.taken(name, "it is declared or imported there already")),
            None => {}
        }
        if self.target.globals().any(|it| it.name == name) {
            return Err(self.taken(name, "it means something global there"));
        }
        let style = self.own_style();
        let specifier = self
            .project
            .specifier(&self.to, &self.from, (&style.0, &style.1))
            .ok_or_else(|| Self::unnameable(&self.to, &self.from))?;
        imports.add(Added {
            specifier,
            file: Some(self.from.clone()),
            imported: exported,
            local: name.to_owned(),
            kind: TypeKind::new(is_type, is_typescript(&self.to)),
            is_reexport: false,
            anchor: None,
        });
        Ok(())
    }

    /// The name under which the source exports something that stays.
    fn exported_name(&self, name: &str) -> String {
        let names: Vec<&str> =
            self.source.links.names_of(name).map(|it| it.name.as_str()).collect();
        let own = names.iter().find(|it| **it == name).or_else(|| names.first());
        own.map_or(name, |it| *it).to_owned()
    }

    /// Does the target import the name of the source under its own name?
    fn imports_it(&self, name: &str, exported: &str) -> bool {
        let wanted = self.project.origin(&self.from, exported);
        self.target.statements.iter().filter(|it| !it.is_reexport).any(|statement| {
            statement.names.iter().any(|it| {
                it.local == name
                    && (self.leads_to_source(&statement.target) && it.imported == exported
                        || self.project.imported_origin(&statement.target, &it.imported) == wanted)
            })
        })
    }

    pub(super) fn own_style(&self) -> (String, String) {
        style_of(self.project, &[&self.to, &self.from])
    }

    pub(super) fn unnameable(from: &str, target: &str) -> Refusal {
        let reason = format!("no import in {from} would lead to {target}");
        Refusal::new(reason, "choose another file")
    }
}
