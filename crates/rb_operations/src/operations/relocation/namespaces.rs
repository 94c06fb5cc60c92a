//! The old module as a namespace in other files: `old.x` becomes `new.x`, with an import of the new module in the same form.

use rb_core::Edit;
use rb_python::{BindingKind, ImportPlace, Source, TextRange, VariableId};

use super::origin::Remains;
use super::specifier::{Form, module_name, specifier};
use super::strings::{Follow, follows, mention};
use super::users::replace;
use super::uses::{Access, FileUses, Namespace};
use super::{Relocation, Report};
use crate::imports::{ImportEditor, Imported, Section};

/// The changes of one file.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    pub(super) edits: Vec<Edit>,
    steps: Vec<Step>,
}

#[derive(Debug, Clone)]
enum Step {
    /// All that was used of the old module has moved.
    Replace {
        old: Imported,
        place: ImportPlace,
        new: Imported,
    },
    /// The old module is still used. In a function or condition: beside the statement with this index.
    Add {
        new: Imported,
        beside: Option<usize>,
    },
    Remove {
        old: Imported,
        place: ImportPlace,
    },
}

pub(super) fn plan(
    relocation: &Relocation<'_, '_>,
    uses: &FileUses,
    remains: &Remains,
    report: &mut Report,
) -> Plan {
    let mut plan = Plan::default();
    let (mut moved, mut stays): (Vec<&Access>, Vec<&Access>) = (Vec::new(), Vec::new());
    for access in &uses.accesses {
        match follows(relocation, remains, access.member.as_deref(), access.is_patch) {
            Follow::Yes => moved.push(access),
            Follow::No => stays.push(access),
            Follow::Listed => {
                stays.push(access);
                report.mentions.push(mention(&uses.source, access.range));
            }
        }
    }
    let mut known: Vec<TextRange> = Vec::new();
    for namespace in &uses.namespaces {
        let belongs = |access: &&&Access| is_bound_by(&uses.source, access, *namespace);
        let own: Vec<&Access> = moved.iter().filter(belongs).copied().collect();
        let others = stays.iter().filter(belongs).count();
        known.extend(own.iter().map(|access| access.range));
        if !own.is_empty() || (relocation.is_whole() && others == 0) {
            plan.add_namespace(relocation, uses, *namespace, &own, others == 0);
        }
    }
    let loose: Vec<&&Access> =
        moved.iter().filter(|access| !known.contains(&access.range)).collect();
    for access in loose {
        plan.add_loose(relocation, uses, access);
    }
    plan
}

impl Plan {
    fn add_namespace(
        &mut self,
        relocation: &Relocation<'_, '_>,
        uses: &FileUses,
        namespace: Namespace,
        accesses: &[&Access],
        is_last: bool,
    ) {
        let source = &uses.source;
        let statement = &source.imports()[namespace.import];
        let old = Imported::of(statement, namespace.name);
        let form = if statement.level > 0 { Form::Relative } else { Form::Absolute };
        let mut new = namespace_import(relocation, source.path(), &old, form);
        let place = statement.place;
        if is_last && old.alias.is_some() {
            new.alias.clone_from(&old.alias);
            self.steps.push(Step::Replace { old, place, new });
            return;
        }
        let is_dotted = new.name.is_none() && new.alias.is_none();
        let known = known_name(relocation, source);
        let written = match known {
            Some(local) => {
                if is_last {
                    self.steps.push(Step::Remove { old, place });
                }
                local
            }
            None => {
                if !is_dotted {
                    let local = free_name(source, &new, accesses);
                    new = new.named(&local);
                }
                let written = if is_dotted { new.module.clone() } else { new.local().to_owned() };
                let beside = (place == ImportPlace::Local || place == ImportPlace::Conditional)
                    .then_some(namespace.import);
                self.steps.push(if is_last {
                    Step::Replace { old, place, new }
                } else {
                    Step::Add { new, beside }
                });
                written
            }
        };
        self.edits.extend(accesses.iter().map(|access| replace(access.range, &written)));
        self.rename_members(relocation, source, accesses);
    }

    /// `package.old.x` without an import of `package.old` in this file.
    fn add_loose(&mut self, relocation: &Relocation<'_, '_>, uses: &FileUses, access: &Access) {
        let source = &uses.source;
        if source.slice(access.range).starts_with(['"', '\'']) {
            return;
        }
        let module = module_name(relocation.project, &relocation.to);
        let is_plain = !source.slice(access.range).contains('.');
        if is_plain {
            // An entry of `__all__`, or the name in `getattr(package, "old")`.
            let stem = module.rsplit('.').next().unwrap_or(&module);
            self.edits.push(replace(access.range, stem));
            return;
        }
        self.edits.push(replace(access.range, &module));
        self.rename_members(relocation, source, &[access]);
        self.steps.push(Step::Add { new: Imported::module(module), beside: None });
    }

    fn rename_members(
        &mut self,
        relocation: &Relocation<'_, '_>,
        source: &Source,
        accesses: &[&Access],
    ) {
        for access in accesses {
            let Some(member) = &access.member else { continue };
            let new = relocation.new_name(member);
            if !relocation.is_moved(member) || new == member {
                continue;
            }
            let end = access.range.end().to_usize();
            if let Some(at) = source.text()[end..].find(member.as_str()) {
                let start = crate::layout::offset(end + at);
                self.edits.push(Edit::replace(
                    start,
                    start + crate::layout::offset(member.len()),
                    new,
                ));
            }
        }
    }

    pub(super) fn carry_out(&self, relocation: &Relocation<'_, '_>, editor: &mut ImportEditor<'_>) {
        // Those beside a statement first, from the last on: the indexes of the others hold.
        let mut steps = self.steps.clone();
        steps.sort_by_key(|step| match step {
            Step::Add { beside: Some(import), .. } => (0, usize::MAX - import),
            Step::Add { beside: None, .. } | Step::Replace { .. } | Step::Remove { .. } => (1, 0),
        });
        for step in &steps {
            match step {
                Step::Add { new, beside: Some(import) } => editor.add_beside(*import, new),
                Step::Add { new, beside: None } => editor.add(new, Section::Top),
                Step::Replace { old, place, new } => {
                    let _ = relocation;
                    if let Some((import, name)) = editor.find(old, *place) {
                        editor.replace(import, name, new);
                    }
                }
                Step::Remove { old, place } => {
                    if let Some((import, name)) = editor.find(old, *place) {
                        editor.remove(import, name);
                    }
                }
            }
        }
    }
}

/// An import of the new module in the form of one of the old module.
fn namespace_import(
    relocation: &Relocation<'_, '_>,
    path: &str,
    old: &Imported,
    form: Form,
) -> Imported {
    if old.name.is_none() {
        return Imported::module(module_name(relocation.project, &relocation.to));
    }
    let module = specifier(relocation.project, path, &relocation.to, form);
    split_module(&module)
}

/// `a.b.c` as `from a.b import c`, `.c` as `from . import c`, `c` as `import c`.
pub(in crate::operations) fn split_module(module: &str) -> Imported {
    let rest = module.trim_start_matches('.');
    let dots = &module[..module.len() - rest.len()];
    match rest.rsplit_once('.') {
        Some((parent, name)) => Imported::from(format!("{dots}{parent}"), name),
        None if dots.is_empty() || rest.is_empty() => Imported::module(module),
        None => Imported::from(dots, rest),
    }
}

/// The name by which a file has the new module already.
fn known_name(relocation: &Relocation<'_, '_>, source: &Source) -> Option<String> {
    let project = relocation.project;
    let imports = source.imports().iter().filter(|import| import.place == ImportPlace::Top);
    let mut names = imports
        .flat_map(|import| (0..import.names.len()).map(move |name| Imported::of(import, name)));
    names.find_map(|imported| {
        let module = match &imported.name {
            Some(name) => {
                let dot = if imported.module.ends_with('.') { "" } else { "." };
                format!("{}{dot}{name}", imported.module)
            }
            None => imported.module.clone(),
        };
        let found = project.files.resolve(source.path(), &module)?;
        let is_target = project.module_path(&found) == relocation.to;
        let is_dotted = imported.name.is_none() && imported.alias.is_none();
        let written = if is_dotted { imported.module.clone() } else { imported.local().to_owned() };
        is_target.then_some(written)
    })
}

/// A local name for the new module that nothing else has.
fn free_name(source: &Source, new: &Imported, accesses: &[&Access]) -> String {
    let stem = new.name.clone().unwrap_or_else(|| new.module.clone());
    let scopes = source.scopes();
    let is_free = |name: &String| {
        let is_seen =
            |access: &&Access| scopes.lookup(scopes.scope_at(access.range), name).is_some();
        scopes.global(name).is_none()
            && !accesses.iter().any(is_seen)
            && !super::target_names::is_unbound_in(source, name)
    };
    let parent = new.module.rsplit('.').find(|part| !part.is_empty()).unwrap_or_default();
    let numbered = (2..).map(|number| format!("{stem}_{number}"));
    let names = [stem.clone(), format!("{parent}_{stem}"), format!("{stem}_module")];
    let mut names = names
        .into_iter()
        .chain(numbered)
        .filter(|name| !name.starts_with('_') || stem.starts_with('_'));
    names.find(is_free).unwrap_or(stem)
}

/// Does this statement bind the name with which the expression begins?
fn is_bound_by(source: &Source, access: &Access, namespace: Namespace) -> bool {
    let text = source.slice(access.range);
    let root = text.split('.').next().unwrap_or(text);
    let start = access.range.start().to_usize();
    let Some(name) = source.scopes().name_at(crate::layout::range(start, start + root.len()))
    else {
        return false;
    };
    let Some(variable) = name.variable else { return false };
    let kind = BindingKind::Import { import: namespace.import, name: namespace.name };
    let statement = &source.imports()[namespace.import];
    let is_dotted = !statement.is_from && statement.names[namespace.name].alias.is_none();
    let is_whole = !is_dotted || statement.names[namespace.name].name == text;
    is_whole && binds(source, variable, kind)
}

fn binds(source: &Source, variable: VariableId, kind: BindingKind) -> bool {
    source.scopes().variable(variable).bindings.iter().any(|binding| binding.kind == kind)
}
