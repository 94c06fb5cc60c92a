//! Modules that refuse to be loaded on some systems: `assert sys.platform == "win32"`, `if os.name != "nt": raise ImportError`.
//!
//! Code that comes to such a module is there only for those systems, and so is everything that imports it.

use rb_python::ast::{Expr, Stmt};
use rb_python::{Ranged, Source, TextRange};

use super::Relocation;
use super::needs::Origin;
use super::selection::refusal;
use crate::outcome::Refusal;

impl Relocation<'_, '_> {
    pub(super) fn check_guard(&self) -> Result<(), Refusal> {
        self.check_old_guard()?;
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
