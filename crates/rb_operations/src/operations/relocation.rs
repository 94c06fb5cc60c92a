//! Code leaves one module for another: what `move`, `merge` and `replace-duplicate` have in common.
//!
//! The old module loses the blocks, the new one gets them with the imports that they need, and every file that took the names from the old
//! module takes them from the new one. An import that would make a cycle at load time goes into the functions that need it, or all is
//! refused.

mod cycles;
mod deferred;
pub(super) mod exports;
mod future;
mod generated_code;
mod guard;
pub(super) mod loads;
pub(super) mod namespaces;
mod needs;
mod origin;
mod own_uses;
mod placement;
mod required_import;
mod selection;
pub(super) mod specifier;
mod strings;
mod stubs;
mod supply;
mod target;
mod target_names;
pub(super) mod timing;
mod users;
pub(super) mod uses;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rb_core::Edit;
use rb_python::Source;

use self::cycles::Cycles;
use self::loads::Loads;
use self::needs::Need;
use self::origin::Remains;
use self::selection::Selection;
use self::specifier::module_name;
use self::uses::FileUses;
use super::changes::{check_importable, check_imported_by_statements, check_syntax};
use super::partial_paths::partial_paths;
use crate::document::DocumentQuery;
use crate::files::folder_of;
use crate::layout::Block;
use crate::outcome::{ApiChange, FileChange, Mention, Outcome, Place, Refusal};
use crate::project::Project;

/// What leaves a module.
#[derive(Debug, Clone)]
pub(super) enum What {
    Symbols(BTreeSet<String>),
    /// All of it; the module is removed.
    Module,
    /// Nothing is put into the new module: it has the same definition under this name.
    Duplicate {
        name: String,
        twin: String,
    },
}

/// One move in the making.
struct Relocation<'p, 'f> {
    project: &'p Project<'f>,
    loads: Loads<'p, 'f>,
    old: Arc<Source>,
    /// The path of the new module.
    to: String,
    /// None if it is created.
    target: Option<Arc<Source>>,
    selection: Selection,
    /// Statements that the new module gets a copy of.
    copies: Vec<Block>,
    needs: Vec<Need>,
    /// Uses of what is moved in what stays.
    left: Vec<Need>,
    /// The uses of the old module in all files.
    uses: BTreeMap<String, FileUses>,
    what: What,
}

/// Takes code from one module to another.
pub(super) fn relocate(
    project: &Project<'_>,
    from: &str,
    to: &str,
    what: What,
) -> Result<Outcome, Refusal> {
    let relocation = Relocation::new(project, from, to, what)?;
    let cycles = Cycles::new(&relocation)?;
    let mut supply = supply::supply(&relocation, &cycles)?;
    let mut report = Report::default();
    report.notes.extend(supply.notes.iter().cloned());
    let mut origin = origin::remains(&relocation, &cycles, &[])?;
    let strings = relocation.own_strings(&origin, &mut report);
    if !strings.is_empty() {
        origin = origin::remains(&relocation, &cycles, &strings)?;
        supply.edits.extend(strings);
    }
    let target = target::text(&relocation, &supply, &origin, &mut report)?;
    if cycles.back.in_functions {
        let note = "at its top that would be an import cycle";
        report.notes.push(format!("{from} imports from {to} inside of functions: {note}"));
    }
    if origin.is_empty {
        report.notes.push(format!("{from} defines nothing any more"));
    }
    let mut texts: BTreeMap<String, Option<Arc<str>>> = BTreeMap::new();
    texts.insert(to.to_owned(), Some(target));
    texts.insert(from.to_owned(), origin.text.clone());
    for (path, uses) in &relocation.uses {
        if path != from && path != to {
            let text = users::text(&relocation, uses, &origin, &mut report)?;
            texts.insert(path.clone(), Some(text));
        }
    }
    relocation.outcome(texts, report)
}

/// What a person has to know.
#[derive(Debug, Clone, Default)]
struct Report {
    notes: Vec<String>,
    mentions: Vec<Mention>,
}

impl<'p, 'f> Relocation<'p, 'f> {
    fn new(project: &'p Project<'f>, from: &str, to: &str, what: What) -> Result<Self, Refusal> {
        let old = parsed(project, from)?;
        check_imported_by_statements(project, from)?;
        let target = match project.files.text(to) {
            Some(_) => Some(parsed(project, to)?),
            None => None,
        };
        if from == to {
            return Err(Refusal::new(
                format!("{from} is both the old and the new module"),
                "name another file",
            ));
        }
        let selection = match &what {
            What::Symbols(names) => selection::select(&old, names)?,
            What::Module => selection::select_all(&old)?,
            What::Duplicate { name, .. } => {
                selection::select(&old, &BTreeSet::from([name.clone()]))?
            }
        };
        let copies = match what {
            What::Symbols(_) => needs::copies(&old, &selection.blocks, &selection.names),
            What::Module | What::Duplicate { .. } => Vec::new(),
        };
        let has_future = future::applies(&old, target.as_deref(), &selection.blocks);
        let mut inside = selection.names.clone();
        inside.extend(copies.iter().flat_map(|block| selection::bound_by(&old, block.statement)));
        let mut blocks = selection.blocks.clone();
        blocks.extend(copies.iter().cloned());
        let needs = needs::needs(&old, &blocks, &inside, has_future);
        let left = needs::uses_left(&old, &selection.blocks, &selection.names);
        let relocation = Relocation {
            project,
            loads: Loads::new(project),
            uses: uses::uses_of(project, from),
            old,
            to: to.to_owned(),
            target,
            selection,
            copies,
            needs,
            left,
            what,
        };
        relocation.check_names()?;
        relocation.check_own_path()?;
        relocation.check_guard()?;
        relocation.check_stubs()?;
        relocation.check_generated_code()?;
        Ok(relocation)
    }

    /// Paths of moved names in strings of the old module itself.
    fn own_strings(&self, remains: &Remains, report: &mut Report) -> Vec<Edit> {
        let uses = self.uses.get(self.old.path());
        uses.map(|uses| strings::edits(self, uses, remains, report)).unwrap_or_default()
    }

    fn is_whole(&self) -> bool {
        matches!(self.what, What::Module)
    }

    fn is_duplicate(&self) -> bool {
        matches!(self.what, What::Duplicate { .. })
    }

    /// What a moved name is called in the new module.
    fn new_name<'n>(&'n self, name: &'n str) -> &'n str {
        match &self.what {
            What::Duplicate { twin, .. } => twin,
            What::Symbols(_) | What::Module => name,
        }
    }

    fn is_moved(&self, name: &str) -> bool {
        self.selection.names.contains(name)
    }

    /// The new module must not have the names already, unless it has them from the old one.
    fn check_names(&self) -> Result<(), Refusal> {
        let Some(target) = self.target.as_deref() else { return Ok(()) };
        if self.is_duplicate() {
            return Ok(());
        }
        for name in &self.selection.names {
            if target::drops(self, name) {
                continue;
            }
            let taken = target::clash(self, target, name);
            if let Some(place) = taken {
                let reason = format!("{} already has something else named `{name}`", self.to);
                let mut refusal = Refusal::new(reason, "rename one of the two first");
                refusal.places.push(place);
                return Err(refusal);
            }
        }
        Ok(())
    }

    /// `__file__` means another folder after the move.
    fn check_own_path(&self) -> Result<(), Refusal> {
        if self.is_duplicate() || folder_of(self.old.path()) == folder_of(&self.to) {
            return Ok(());
        }
        let names =
            self.old.scopes().names.iter().filter(|name| self.selection.contains(name.range));
        let mut own = names
            .filter(|name| matches!(name.name.as_str(), "__file__" | "__path__" | "__package__"));
        let Some(name) = own.next() else { return Ok(()) };
        let reason =
            format!("the moved code uses `{}`, which would mean another folder", name.name);
        let what = format!("`{}` is used here", name.name);
        Err(selection::refusal(&self.old, name.range, reason, what, "pass the path to it instead"))
    }

    fn outcome(
        self,
        texts: BTreeMap<String, Option<Arc<str>>>,
        report: Report,
    ) -> Result<Outcome, Refusal> {
        let mut outcome =
            Outcome { title: self.title(), notes: report.notes, ..Outcome::default() };
        outcome.mentions = report.mentions;
        for (path, text) in texts {
            let before = self.project.files.text(&path);
            let change = match (before, text) {
                (Some(_), None) => FileChange::Removed,
                (None, Some(text)) => FileChange::Created(text),
                (Some(before), Some(text)) if before != text => FileChange::Edited(text),
                (Some(_), Some(_)) | (None, None) => continue,
            };
            outcome.files.insert(path, change);
        }
        self.add_documents(&mut outcome)?;
        check_syntax(&outcome.files)?;
        check_importable(self.project, &outcome.files, &self.to)?;
        outcome.sites = self.sites();
        outcome.api = self.api();
        outcome.mentions.sort();
        outcome.mentions.dedup();
        Ok(outcome)
    }

    fn title(&self) -> String {
        let (from, to) = (self.old.path(), &self.to);
        let names: Vec<String> = self.asked().iter().map(|name| format!("`{name}`")).collect();
        match &self.what {
            What::Module => format!("{from} merged into {to}"),
            What::Symbols(_) => format!("{} moved from {from} to {to}", names.join(", ")),
            What::Duplicate { name, twin } if name == twin => {
                format!("the copy of `{name}` in {from} replaced by that of {to}")
            }
            What::Duplicate { name, twin } => {
                format!("`{name}` of {from} replaced by `{twin}` of {to}")
            }
        }
    }

    fn asked(&self) -> BTreeSet<String> {
        match &self.what {
            What::Symbols(names) => names.clone(),
            What::Module | What::Duplicate { .. } => self.selection.names.clone(),
        }
    }

    fn sites(&self) -> Vec<Place> {
        let blocks = &self.selection.blocks;
        let statement = |block: &Block| &self.old.body()[block.statement];
        let place = |block: &Block| {
            let names: Vec<String> =
                selection::bound_by(&self.old, block.statement).into_iter().collect();
            let what = format!("`{}` is moved to {}", names.join("`, `"), self.to);
            selection::place(&self.old, rb_python::Ranged::range(statement(block)), what)
        };
        blocks
            .iter()
            .filter(|block| !selection::bound_by(&self.old, block.statement).is_empty())
            .map(place)
            .collect()
    }

    fn api(&self) -> Vec<ApiChange> {
        let (old, new) =
            (module_name(self.project, self.old.path()), module_name(self.project, &self.to));
        let is_test = Project::is_test(self.old.path());
        let names = self.asked();
        let public = names.iter().filter(|name| !name.starts_with('_') && !is_test);
        let change = |name: &String| ApiChange {
            path: self.old.path().to_owned(),
            before: format!("{old}.{name}"),
            after: format!("{new}.{}", self.new_name(name)),
        };
        public.map(change).collect()
    }

    /// Documents follow in the files as they are after the move.
    fn add_documents(&self, outcome: &mut Outcome) -> Result<(), Refusal> {
        let (old, new) =
            (module_name(self.project, self.old.path()), module_name(self.project, &self.to));
        let names = &self.selection.names;
        let partial = if self.is_duplicate() {
            Vec::new()
        } else {
            partial_paths(self.project, self.old.path(), &old, &new, names)
        };
        let mut query = DocumentQuery { dotted: partial, ..DocumentQuery::default() };
        if self.is_whole() {
            query.dotted.push((old, new));
            query.files.push((self.old.path().to_owned(), self.to.clone()));
        } else {
            let pair =
                |name: &String| (format!("{old}.{name}"), format!("{new}.{}", self.new_name(name)));
            query.dotted.extend(names.iter().map(pair));
        }
        if self.is_whole() {
            super::changes::rename_documents(self.project, &query, outcome);
        }
        super::changes::follow_documents(self.project, outcome, &query)
    }
}

fn parsed(project: &Project<'_>, path: &str) -> Result<Arc<Source>, Refusal> {
    if let Some(source) = project.source(path) {
        return Ok(source);
    }
    let Some(text) = project.files.text(path) else {
        return Err(Refusal::new(
            format!("there is no file {path}"),
            "name a Python file of the project",
        ));
    };
    let reason = match Source::parse(path, text) {
        Err(error) => format!("{path} has a syntax error in {error}"),
        Ok(_) => format!("{path} is not a Python file"),
    };
    Err(Refusal::new(reason, "name a Python file without syntax errors"))
}
