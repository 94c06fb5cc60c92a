//! Modules that refuse to be loaded on some systems: `assert sys.platform == "win32"`, `if os.name != "nt": raise ImportError`.
//!
//! Code that comes to such a module is there only for those systems, and so is everything that imports it.

use std::collections::BTreeSet;

use rb_python::ast::{Expr, Stmt};
use rb_python::{Import, ImportPlace, Ranged, Source, TextRange};

use super::Relocation;
use super::needs::Origin;
use super::selection::refusal;
use crate::outcome::Refusal;

impl Relocation<'_, '_> {
    pub(super) fn check_guard(&self) -> Result<(), Refusal> {
        self.check_old_guard()?;
        self.check_needed_modules()?;
        let Some(target) = self.target.as_deref() else { return Ok(()) };
        let is_loaded_already = || self.loads.of(self.old.path()).contains(&self.to);
        let Some(range) = guard(target) else { return Ok(()) };
        if guard(&self.old).is_some() || is_loaded_already() {
            return Ok(());
        }
        let reason = format!("{} cannot be loaded on every system", self.to);
        let what = "this stops the import".to_owned();
        Err(refusal(target, range, reason, what, "choose another module"))
    }

    /// Code that imports what only some systems have stays where the others do not get.
    fn check_old_guard(&self) -> Result<(), Refusal> {
        let is_guarded = self.target.as_deref().is_some_and(|target| guard(target).is_some());
        let Some(range) = guard(&self.old).filter(|_| !is_guarded && !self.is_duplicate()) else {
            return Ok(());
        };
        let imports = self.old.imports();
        let is_behind = |(import, _): &(usize, usize)| imports[*import].range.start() > range.end();
        let needs_system = self.needs.iter().any(|need| match &need.origin {
            Origin::Import(places) => places.iter().any(is_behind),
            Origin::Own | Origin::Star => false,
        });
        if !needs_system && !self.is_whole() {
            return Ok(());
        }
        let reason = format!("{} is loaded on some systems only", self.old.path());
        let what = format!("the moved code relies on this check, which {} lacks", self.to);
        Err(refusal(&self.old, range, reason, what, "write the check into the new module first"))
    }

    /// Code that needs a module which only some systems can load does not go where all of them get.
    fn check_needed_modules(&self) -> Result<(), Refusal> {
        let Some(target) = self.target.as_deref().filter(|_| !self.is_duplicate()) else {
            return Ok(());
        };
        let is_guarded = |path: &&String| {
            self.project.source(path).is_some_and(|source| guard(&source).is_some())
        };
        let not_everywhere = |path: &String| format!("{path} cannot be loaded on every system");
        let known = self.always_loaded(self.imported_at_top(target));
        let by_old = self.always_loaded(self.imported_at_top(&self.old));
        if let Some(path) = known.difference(&by_old).find(is_guarded) {
            let reason = format!("{}, and {} imports it", not_everywhere(path), self.to);
            return Err(Refusal::new(reason, "choose another module"));
        }
        if !by_old.difference(&known).any(|path| is_guarded(&path)) {
            return Ok(());
        }
        for need in &self.needs {
            let Origin::Import(places) = &need.origin else { continue };
            for (import, name) in places {
                let statement = &self.old.imports()[*import];
                if statement.place != ImportPlace::Top {
                    continue;
                }
                let loaded = self.always_loaded(self.imported(self.old.path(), statement, *name));
                if let Some(path) = loaded.difference(&known).find(is_guarded) {
                    let reason = not_everywhere(path);
                    let what = format!("{} would import `{}`, which needs it", self.to, need.name);
                    let range = statement.range;
                    return Err(refusal(&self.old, range, reason, what, "choose another module"));
                }
            }
        }
        Ok(())
    }

    /// These files, and all that are loaded with them on every system.
    fn always_loaded(&self, first: BTreeSet<String>) -> BTreeSet<String> {
        let mut open: Vec<String> = first.iter().cloned().collect();
        let mut all = first;
        while let Some(path) = open.pop() {
            let Some(source) = self.project.source(&path) else { continue };
            let next = self.imported_at_top(&source);
            open.extend(next.into_iter().filter(|path| all.insert(path.clone())));
        }
        all
    }

    fn imported_at_top(&self, source: &Source) -> BTreeSet<String> {
        let mut files = BTreeSet::new();
        for import in source.imports().iter().filter(|import| import.place == ImportPlace::Top) {
            for name in 0..import.names.len() {
                files.extend(self.imported(source.path(), import, name));
            }
        }
        files
    }

    fn imported(&self, path: &str, import: &Import, name: usize) -> BTreeSet<String> {
        let member = import.is_from.then(|| import.names[name].name.as_str());
        self.loads.of_import(path, &import.specifier(name), member)
    }
}

/// The statement that stops the import.
fn guard(source: &Source) -> Option<TextRange> {
    let is_platform = |test: &Expr| {
        let test = source.slice(test.range());
        ["sys.platform", "os.name", "platform.system"].iter().any(|name| test.contains(name))
    };
    let stops = |statement: &&Stmt| match statement {
        Stmt::Assert(assert) => is_platform(&assert.test),
        Stmt::If(branch) => {
            let others = branch.elif_else_clauses.iter().flat_map(|clause| &clause.body);
            let mut statements = branch.body.iter().chain(others);
            is_platform(&branch.test)
                && statements.any(|statement| matches!(statement, Stmt::Raise(_)))
        }
        _ => false,
    };
    source.body().iter().find(stops).map(Ranged::range)
}
