//! Both states of the repository, with what was read of each so far.
//!
//! Facts come from the index, details are parsed when a check first asks for them, so that the work goes with the size of
//! the change and of what is around it.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use rb_core::Cancel;
use rb_index::calls::FactsSource as _;
use rb_index::resolve::Resolution;
use rb_index::{FileId, StoreError, View};
use rb_lang::details::{Details, details};
use rb_lang::{Facts, Import, Language, ReferenceKind, Symbol, SymbolKind};

use crate::changed::Changed;
use rb_index::Texts;

use crate::{Cause, Change, Finding, FindingKind, Rules, Severity, When};

pub(crate) struct Comparison<'a> {
    pub(crate) before: Side<'a>,
    pub(crate) after: Side<'a>,
    pub(crate) rules: &'a dyn Rules,
    changes: Rc<Vec<Changed>>,
    cancel: &'a Cancel,
}

/// Imports in the order of the text, with where each leads.
pub(crate) type Imports = Vec<(Import, Resolution)>;

/// The language, the package or folder, and whether it is a package.
pub(crate) type PackageKey = (Option<Language>, Box<str>, bool);

/// One state of the repository.
pub(crate) struct Side<'a> {
    pub(crate) view: &'a View<'a>,
    when: When,
    texts: &'a dyn Texts,
    changes: Rc<Vec<Changed>>,
    facts: RefCell<BTreeMap<FileId, Option<Rc<Facts>>>>,
    imports: RefCell<BTreeMap<FileId, Rc<Imports>>>,
    details: RefCell<BTreeMap<FileId, Option<Rc<Details>>>>,
    read: RefCell<BTreeMap<FileId, Option<Rc<str>>>>,
    importers: OnceCell<Vec<Vec<FileId>>>,
    folders: OnceCell<BTreeMap<Box<str>, Vec<FileId>>>,
    damage: RefCell<Option<StoreError>>,
}

impl<'a> Comparison<'a> {
    pub(crate) fn new(
        before: &'a View<'a>,
        after: &'a View<'a>,
        texts: &'a dyn Texts,
        changes: &[Change],
        rules: &'a dyn Rules,
        cancel: &'a Cancel,
    ) -> Self {
        let changes = Rc::new(Changed::all(changes));
        let side = |view, when| Side {
            view,
            when,
            texts,
            changes: Rc::clone(&changes),
            facts: RefCell::default(),
            imports: RefCell::default(),
            details: RefCell::default(),
            read: RefCell::default(),
            importers: OnceCell::new(),
            folders: OnceCell::new(),
            damage: RefCell::default(),
        };
        let (before, after) = (side(before, When::Before), side(after, When::After));
        Comparison { before, after, rules, changes, cancel }
    }

    /// Was all that was asked for there to be read?
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        for side in [&self.before, &self.after] {
            if let Some(error) = side.damage.borrow_mut().take() {
                return Err(error);
            }
        }
        Ok(())
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// The changed files; none any more once the audit is called off.
    pub(crate) fn changes(&self) -> impl Iterator<Item = &Changed> {
        self.changes.iter().take_while(|_| !self.cancel.is_cancelled())
    }

    /// The changed files that are there after the change and that somebody here writes.
    pub(crate) fn touched(&self) -> impl Iterator<Item = (&Changed, FileId)> {
        self.changes().filter_map(|changed| {
            changed.after.as_ref()?;
            let id = self.after.find(&changed.path)?;
            self.after.is_own(id).then_some((changed, id))
        })
    }

    pub(crate) fn changed(&self, path: &str) -> Option<&Changed> {
        self.changes.iter().find(|changed| changed.path == path)
    }

    /// The file before the change that became this one.
    pub(crate) fn origin(&self, after: FileId) -> Option<FileId> {
        let path = self.after.path(after);
        let changed = self.changed(path);
        self.before.find(changed.map_or(path, Changed::old_path))
    }

    /// The file that this one became.
    pub(crate) fn successor(&self, before: FileId) -> Option<FileId> {
        let path = self.before.path(before);
        let moved = self.changes.iter().find(|it| it.moved_from.as_deref() == Some(path));
        self.after.find(moved.map_or(path, |moved| &moved.path))
    }

    /// The edit that a finding at a line comes from: in the file itself, or else where `other` is.
    pub(crate) fn cause(&self, path: &str, line: u32, other: Option<Cause>) -> Option<Cause> {
        match self.changed(path) {
            Some(changed) if other.is_none() || changed.is_edited(line) => {
                Some(changed.cause_at(line))
            }
            _ => other,
        }
    }
}

impl Side<'_> {
    pub(crate) fn find(&self, path: &str) -> Option<FileId> {
        self.view.tree.find(path)
    }

    pub(crate) fn path(&self, id: FileId) -> &str {
        &self.view.tree.get(id).path
    }

    pub(crate) fn language(&self, id: FileId) -> Option<Language> {
        self.view.file(id).language
    }

    /// Neither generated nor somebody else's.
    pub(crate) fn is_own(&self, id: FileId) -> bool {
        let file = self.view.file(id);
        let is_foreign = file
            .trivial
            .is_some_and(|trivial| matches!(trivial.kind(), "generated" | "minified" | "vendored"));
        file.skipped.is_none() && !is_foreign
    }

    pub(crate) fn facts(&self, id: FileId) -> Option<Rc<Facts>> {
        if let Some(known) = self.facts.borrow().get(&id) {
            return known.clone();
        }
        let facts = match self.view.read_facts(id) {
            Ok(facts) => facts.map(Rc::new),
            Err(error) => {
                *self.damage.borrow_mut() = Some(error);
                None
            }
        };
        self.facts.borrow_mut().insert(id, facts.clone());
        facts
    }

    /// The imports of a file and where they lead.
    pub(crate) fn imports(&self, id: FileId) -> Rc<Imports> {
        if let Some(known) = self.imports.borrow().get(&id) {
            return Rc::clone(known);
        }
        let facts = self.facts(id);
        let written = facts.iter().flat_map(|facts| facts.imports.iter().cloned());
        let imports: Rc<Imports> =
            Rc::new(written.zip(self.view.resolutions(id).iter().cloned()).collect());
        self.imports.borrow_mut().insert(id, Rc::clone(&imports));
        imports
    }

    pub(crate) fn text(&self, id: FileId) -> Option<Rc<str>> {
        if let Some(known) = self.read.borrow().get(&id) {
            return known.clone();
        }
        let text = self.load(self.path(id)).map(Rc::from);
        self.read.borrow_mut().insert(id, text.clone());
        text
    }

    /// The text of a file, read anew: for whoever looks through all files and keeps few.
    pub(crate) fn load(&self, path: &str) -> Option<String> {
        let changed = self.changes.iter().find(|changed| match self.when {
            When::Before => changed.before.is_some() && changed.old_path() == path,
            When::After => changed.path == path,
        });
        match (changed, self.when) {
            (Some(changed), When::Before) => changed.before.clone(),
            (Some(changed), When::After) => changed.after.clone(),
            (None, _) => {
                let bytes = self.texts.text(path)?;
                Some(String::from_utf8_lossy(&bytes).into_owned())
            }
        }
    }

    pub(crate) fn details(&self, id: FileId) -> Option<Rc<Details>> {
        if let Some(known) = self.details.borrow().get(&id) {
            return known.clone();
        }
        let read = || {
            let text = self.text(id)?;
            details(self.language(id)?, &text).map(Rc::new)
        };
        let details = read();
        self.details.borrow_mut().insert(id, details.clone());
        details
    }

    /// Is something missing expected on a line? A file that does not `try` need not be parsed to tell.
    pub(crate) fn is_guarded(&self, id: FileId, line: u32) -> bool {
        self.text(id).is_some_and(|text| text.contains("try"))
            && self.language(id) == Some(Language::Python)
            && self.details(id).is_some_and(|details| details.is_guarded(line))
    }

    /// The files with an import that leads to this one, sorted.
    pub(crate) fn importers(&self, id: FileId) -> &[FileId] {
        let all = self.importers.get_or_init(|| {
            let mut importers = vec![Vec::new(); self.view.tree.files.len()];
            for from in self.view.tree.ids() {
                for resolution in self.view.resolutions(from) {
                    let Resolution::Inside(files) = resolution else { continue };
                    for to in files {
                        let list: &mut Vec<FileId> = &mut importers[to.0 as usize];
                        if list.last() != Some(&from) {
                            list.push(from);
                        }
                    }
                }
            }
            importers
        });
        &all[id.0 as usize]
    }

    /// The files of a folder, those below it not among them.
    pub(crate) fn folder(&self, path: &str) -> &[FileId] {
        let all = self.folders.get_or_init(|| {
            let mut folders: BTreeMap<Box<str>, Vec<FileId>> = BTreeMap::new();
            for id in self.view.tree.ids() {
                folders.entry(folder_of(self.path(id)).into()).or_default().push(id);
            }
            folders
        });
        all.get(path).map_or(&[], Vec::as_slice)
    }

    /// What all files that see each other without an import have in common.
    pub(crate) fn package_key(&self, id: FileId) -> PackageKey {
        let file = self.view.tree.get(id);
        match file.package.as_deref() {
            Some(package) if file.language != Some(Language::Go) => {
                (file.language, package.into(), true)
            }
            // In one folder of Go the tests may be a package of their own.
            package => {
                let folder = folder_of(&file.path);
                (file.language, format!("{folder} {}", package.unwrap_or_default()).into(), false)
            }
        }
    }

    /// The files that see each other without an import: in Go those of a folder, elsewhere those of a package, wherever
    /// they are.
    pub(crate) fn package(&self, id: FileId) -> Vec<FileId> {
        let file = self.view.tree.get(id);
        let is_same = |other: &FileId| {
            let other = self.view.tree.get(*other);
            other.language == file.language && other.package == file.package
        };
        if file.language == Some(Language::Go) || file.package.is_none() {
            self.folder(folder_of(&file.path)).iter().copied().filter(is_same).collect()
        } else {
            self.view.tree.ids().filter(is_same).collect()
        }
    }

    /// Does a class of the file have something from others? Then what it holds is not all in sight.
    pub(crate) fn inherits(&self, id: FileId) -> bool {
        let Some(facts) = self.facts(id) else { return true };
        facts.references.iter().any(|it| it.kind == ReferenceKind::Inherit)
            || facts.symbols.iter().any(has_bases)
    }

    /// Could the file be parsed to its end?
    pub(crate) fn is_whole(&self, id: FileId) -> bool {
        self.facts(id).is_some_and(|facts| facts.syntax_errors == 0 && facts.cut.is_none())
    }
}

/// `class A(B[T])`, `class A extends mixin(B)`: bases need not be plain names.
pub(crate) fn has_bases(class: &Symbol) -> bool {
    let is_class = matches!(class.kind, SymbolKind::Class | SymbolKind::Component);
    let head = without_generics(&class.signature);
    is_class && (head.contains('(') && !head.contains("()") || head.contains(" extends "))
}

/// `class A<T extends B>` extends nothing.
fn without_generics(head: &str) -> String {
    let mut depth = 0_usize;
    head.chars()
        .filter(|&c| {
            let was = depth;
            match c {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            was == 0 && depth == 0
        })
        .collect()
}

pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(crate) fn is_ecma(language: Option<Language>) -> bool {
    matches!(language, Some(Language::JavaScript | Language::TypeScript | Language::Tsx))
}

/// A finding under construction: `error("…").at(path, line)`.
pub(crate) fn finding(
    kind: FindingKind,
    severity: Severity,
    (path, line): (&str, u32),
    message: String,
    cause: Option<Cause>,
) -> Finding {
    Finding { path: path.to_owned(), line, kind, severity, message, cause }
}
