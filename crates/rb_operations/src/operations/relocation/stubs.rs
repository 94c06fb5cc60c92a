//! Stubs beside the modules: they would tell type checkers that the names are where they were.

use super::Relocation;
use super::selection::refusal;
use crate::outcome::Refusal;

impl Relocation<'_, '_> {
    pub(super) fn check_stubs(&self) -> Result<(), Refusal> {
        let stub_of = |path: &str| self.project.source(&format!("{path}i"));
        let old = stub_of(self.old.path());
        if let Some(stub) = &old {
            let scopes = stub.scopes();
            let variable = self.selection.names.iter().find_map(|name| scopes.global(name));
            let Some(variable) = variable.map(|id| scopes.variable(id)) else { return Ok(()) };
            let reason = format!("{} declares `{}` for type checkers", stub.path(), variable.name);
            let range = variable.bindings.first().map(|binding| binding.range).unwrap_or_default();
            let what = "a stub does not follow".to_owned();
            return Err(refusal(stub, range, reason, what, "move it there by hand, with its stub"));
        }
        match stub_of(&self.to).filter(|_| !self.is_duplicate()) {
            Some(stub) => {
                let reason =
                    format!("{} says what {} has, for type checkers", stub.path(), self.to);
                Err(Refusal::new(reason, "choose a module that has no stub, or move it by hand"))
            }
            None => Ok(()),
        }
    }
}
