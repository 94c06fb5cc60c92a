//! One file that names the module, or moves with it.

use std::sync::Arc;

use rb_core::Edit;
use rb_python::{Import, ImportPlace, Source, TextRange};

use super::Scene;
use super::local_name::{LocalName, local_name};
use crate::imports::{ImportEditor, Imported, Section};
use crate::operations::relocation::namespaces::split_module;
use crate::operations::relocation::specifier::{Form, specifier};
use crate::outcome::Refusal;
use crate::references::ModuleReferenceKind;

/// Its text afterwards; None if nothing changes.
pub(super) fn text(
    scene: &Scene<'_, '_>,
    path: &str,
    notes: &mut Vec<String>,
) -> Result<Option<Arc<str>>, Refusal> {
    let Some(source) = scene.project.source(path) else { return Ok(None) };
    let kinds = scene.references.get(path).map_or(&[][..], Vec::as_slice);
    let mut file =
        File { scene, source: &source, edits: Vec::new(), imports: Vec::new(), added: Vec::new() };
    file.add_imports();
    file.add_parents(kinds, notes);
    file.add_names(kinds);
    let text = rb_core::edit::apply(source.text(), &file.edits).map_err(|error| {
        let reason = format!("the edits of {path} do not fit together: {error}");
        Refusal::new(reason, "change this file by hand first")
    })?;
    let text = file.with_imports(text.into())?;
    Ok((text != *source.text()).then_some(text))
}

struct File<'s> {
    scene: &'s Scene<'s, 's>,
    source: &'s Source,
    edits: Vec<Edit>,
    imports: Vec<Change>,
    /// Modules that a dotted path needs an import for.
    added: Vec<String>,
}

enum Change {
    /// All names of a `from` statement come from another module.
    Module {
        first: Imported,
        place: ImportPlace,
        module: String,
    },
    Name {
        old: Imported,
        place: ImportPlace,
        new: Imported,
    },
}

impl File<'_> {
    fn new_path(&self) -> String {
        self.scene.paths.renamed(self.source.path())
    }

    /// The module that an import leads to, as this file writes it afterwards.
    fn new_specifier(&self, module: &str) -> Option<String> {
        let files = self.scene.project.files;
        let found = files.resolve(self.source.path(), module)?;
        let found = self.scene.project.module_path(&found);
        let target = self.scene.paths.renamed(&found);
        let is_moved = target != found || self.new_path() != self.source.path();
        let form = if module.starts_with('.') { Form::Relative } else { Form::Absolute };
        is_moved.then(|| specifier(&self.scene.after, &self.new_path(), &target, form))
    }

    /// `from a.module import x` and `import a.module`.
    fn add_imports(&mut self) {
        for import in self.source.imports() {
            if import.is_from {
                let module = import.specifier(0);
                let new = self.new_specifier(&module).filter(|new| *new != module);
                if let Some(new) = new.filter(|_| !self.is_of_parent(import)) {
                    self.imports.push(Change::Module {
                        first: Imported::of(import, 0),
                        place: import.place,
                        module: new,
                    });
                }
                continue;
            }
            for name in 0..import.names.len() {
                let old = Imported::of(import, name);
                if let Some(new) = self.new_specifier(&old.module).filter(|new| *new != old.module)
                {
                    let new = Imported { module: new, ..old.clone() };
                    self.imports.push(Change::Name { old, place: import.place, new });
                }
            }
        }
    }

    /// `from a import module`, where the module alone has moved: its names are looked at one by one.
    fn is_of_parent(&self, import: &Import) -> bool {
        let files = self.scene.project.files;
        let module = import.specifier(0);
        let dot = if module.ends_with('.') { "" } else { "." };
        import.names.iter().any(|name| {
            let submodule =
                files.resolve(self.source.path(), &format!("{module}{dot}{}", name.name));
            submodule.is_some_and(|path| self.scene.paths.files.contains_key(&path))
        }) && self.source.path() == self.new_path()
            && !self
                .scene
                .paths
                .files
                .contains_key(&files.resolve(self.source.path(), &module).unwrap_or_default())
    }

    /// `from a import module`.
    fn add_parents(&mut self, kinds: &[ModuleReferenceKind], notes: &mut Vec<String>) {
        for kind in kinds {
            let ModuleReferenceKind::FromParent { import, name } = kind else { continue };
            let statement = &self.source.imports()[*import];
            let old = Imported::of(statement, *name);
            let form = if statement.level > 0 { Form::Relative } else { Form::Absolute };
            let module =
                specifier(&self.scene.after, &self.new_path(), &self.scene.paths.new_module, form);
            let mut new = split_module(&module);
            if new.name.is_none() && form == Form::Relative {
                new = split_module(&self.scene.new_name());
            }
            if let Some(alias) = &old.alias {
                new = new.named(alias);
                self.imports.push(Change::Name { old, place: statement.place, new });
                continue;
            }
            let stem = new.name.clone().unwrap_or_else(|| new.module.clone());
            match local_name(self.source, *import, *name, &stem) {
                LocalName::Free(edits) => self.edits.extend(edits),
                LocalName::Taken => {
                    notes.push(format!(
                        "`{stem}` is taken in {}: the module is imported `as {}`",
                        self.source.path(),
                        old.local()
                    ));
                    new = new.named(old.local());
                }
            }
            self.imports.push(Change::Name { old, place: statement.place, new });
        }
    }

    /// Dotted paths in expressions and strings, entries of `__all__`.
    fn add_names(&mut self, kinds: &[ModuleReferenceKind]) {
        let (old, new) = (self.scene.old_name(), self.scene.new_name());
        let stem = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
        for kind in kinds {
            match kind {
                ModuleReferenceKind::Attribute { range } => self.add_path(*range, &old, &new),
                ModuleReferenceKind::String { range } => {
                    let written = self.source.slice(*range);
                    let text = renamed_path(written, &old, &new);
                    self.replace(*range, &text);
                }
                ModuleReferenceKind::Name { range }
                    if self.source.scopes().name_at(*range).is_none() =>
                {
                    self.replace(*range, &stem(&new));
                }
                ModuleReferenceKind::Name { range } if self.is_bound_by_path(*range) => {
                    self.replace(*range, &new);
                }
                ModuleReferenceKind::Name { .. }
                | ModuleReferenceKind::From { .. }
                | ModuleReferenceKind::FromParent { .. }
                | ModuleReferenceKind::Import { .. } => {}
            }
        }
    }

    /// `a` after `import a.b`.
    fn is_bound_by_path(&self, range: TextRange) -> bool {
        let scopes = self.source.scopes();
        let variable = scopes.name_at(range).and_then(|name| name.variable);
        variable.is_some_and(|id| {
            scopes.variable(id).bindings.iter().all(|binding| match binding.kind {
                rb_python::BindingKind::Import { import, name } => {
                    let statement = &self.source.imports()[import];
                    !statement.is_from && statement.names[name].alias.is_none()
                }
                _ => false,
            })
        })
    }

    /// `a.module`; written from another module (`b.module` after `from a import b`) only its last part changes, if that is enough.
    fn add_path(&mut self, range: TextRange, old: &str, new: &str) {
        let written = self.source.slice(range);
        let parent = |name: &str| name.rsplit_once('.').map(|(parent, _)| parent.to_owned());
        if written == old || parent(old) == parent(new) {
            let text = renamed_path(written, old, new);
            self.replace(range, &text);
            let is_imported = self.source.imports().iter().any(|import| {
                !import.is_from
                    && import.names.iter().any(|name| name.name == old && name.alias.is_none())
            });
            if written == old && !is_imported && parent(old) != parent(new) {
                self.added.push(new.to_owned());
            }
        } else {
            self.replace(range, new);
            self.added.push(new.to_owned());
        }
    }

    fn replace(&mut self, range: TextRange, text: &str) {
        let edit = Edit::replace(range.start().to_u32(), range.end().to_u32(), text);
        if !self.edits.contains(&edit) {
            self.edits.push(edit);
        }
    }

    fn with_imports(&self, text: Arc<str>) -> Result<Arc<str>, Refusal> {
        let mut editor = ImportEditor::new(self.scene.both, &self.new_path(), text)?;
        for change in &self.imports {
            match change {
                Change::Module { first, place, module } => {
                    if let Some((import, _)) = editor.find(first, *place) {
                        Self::change_module(&mut editor, import, module);
                    }
                }
                Change::Name { old, place, new } => {
                    if let Some((import, name)) = editor.find(old, *place) {
                        editor.replace(import, name, new);
                    }
                }
            }
        }
        for module in &self.added {
            editor.add(&Imported::module(module), Section::Top);
        }
        editor.finish()
    }

    /// The statement as a whole, or name by name into one that is there.
    fn change_module(editor: &mut ImportEditor<'_>, import: usize, module: &str) {
        if editor.replace_module(import, module) {
            return;
        }
        let statement = editor.source().imports()[import].clone();
        for name in 0..statement.names.len() {
            let old = Imported::of(&statement, name);
            let new = Imported { module: module.to_owned(), ..old.clone() };
            if let Some((import, name)) = editor.find(&old, statement.place) {
                editor.replace(import, name, &new);
            }
        }
    }
}

/// The module in a path that is written from some folder above it.
fn renamed_path(written: &str, old: &str, new: &str) -> String {
    if let Some(before) = written.strip_suffix(old)
        && (before.is_empty() || before.ends_with('.'))
    {
        return format!("{before}{new}");
    }
    let stem = new.rsplit('.').next().unwrap_or(new);
    match written.rsplit_once('.') {
        Some((parent, _)) => format!("{parent}.{stem}"),
        None => stem.to_owned(),
    }
}
