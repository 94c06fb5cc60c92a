//! Code that a program writes as text and then runs takes names from the old module: `"    helpers.limit()"` in a file that calls `exec`.

use rb_python::{Source, TextRange};

use super::Relocation;
use crate::operations::calls::{place, refusal};
use crate::operations::rename_symbol::generated_code::{names_in_code, runs_text};
use crate::outcome::{Place, Refusal};
use crate::project::{Meaning, is_identifier_part};

impl Relocation<'_, '_> {
    pub(super) fn check_generated_code(&self) -> Result<(), Refusal> {
        let mut places: Vec<Place> = Vec::new();
        for name in &self.selection.names {
            for path in self.project.files_with(&[name]) {
                let source = self.project.source(&path).filter(|source| runs_text(source));
                let Some(source) = source else { continue };
                let names = names_in_code(&source, name).into_iter();
                let what = format!("`{name}` stands in code that is run from a text");
                let taken = names.filter(|range| self.is_taken_by_text(&source, *range));
                places.extend(taken.map(|range| place(&source, range, what.clone())));
            }
        }
        if places.is_empty() {
            return Ok(());
        }
        let reason = format!("code that is written as text takes names of {}", self.old.path());
        Err(refusal(reason, places, "move it by hand, and change the text"))
    }

    /// By `module.name`, or as a name of the module that the text is in.
    fn is_taken_by_text(&self, source: &Source, name: TextRange) -> bool {
        let before = &source.text()[..name.start().into()];
        let is_own = source.path() == self.old.path();
        let Some(receiver) = before.strip_suffix('.') else {
            return is_own && !self.selection.contains(name);
        };
        let is_other = |letter: char| !is_identifier_part(letter);
        let receiver = receiver.rsplit(is_other).next().unwrap_or_default();
        let module = Meaning::Module(self.old.path().to_owned());
        self.project.lookup(source.path(), receiver) == Some(module)
    }
}
