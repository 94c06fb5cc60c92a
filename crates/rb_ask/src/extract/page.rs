//! A draft while it is written: sections of statements, each with citations that verify it.

use crate::answer::{Draft, DraftSection, DraftStatement};
use crate::citation::Citation;
use crate::extract::sources::Sources;

#[derive(Default)]
pub(crate) struct Page {
    draft: Draft,
}

impl Page {
    /// The statements that follow stand under this heading. A heading without statements is left out.
    pub(crate) fn heading(&mut self, heading: &str) {
        let heading = heading.to_owned();
        self.draft.sections.push(DraftSection { heading, statements: Vec::new() });
    }

    /// Adds a statement that the check of answers verifies, unless it was made before. Only then are the cited lines evidence.
    /// Whether it was added.
    pub(crate) fn say(
        &mut self,
        sources: &mut Sources<'_, '_>,
        text: &str,
        citations: &[Citation],
    ) -> bool {
        if self.statements().any(|statement| statement.text == text) {
            return false;
        }
        let mut distinct: Vec<Citation> = Vec::new();
        for citation in citations {
            if !distinct.contains(citation) {
                distinct.push(citation.clone());
            }
        }
        let statement = DraftStatement { text: text.to_owned(), citations: distinct };
        if !sources.show_if_verified(&statement) {
            return false;
        }
        if self.draft.sections.is_empty() {
            self.heading("");
        }
        let section = self.draft.sections.last_mut().expect("there is a heading");
        section.statements.push(statement);
        true
    }

    pub(crate) fn not_found(&mut self, what: String) {
        if !self.draft.not_found.contains(&what) {
            self.draft.not_found.push(what);
        }
    }

    pub(crate) fn has_statements(&self) -> bool {
        self.statements().next().is_some()
    }

    pub(crate) fn cites(&self, path: &str) -> bool {
        self.citations().any(|citation| citation.path == path)
    }

    /// Whether the line that this citation quotes was quoted before.
    pub(crate) fn quotes(&self, citation: &Citation) -> bool {
        self.citations().any(|said| said.path == citation.path && said.quote == citation.quote)
    }

    /// How many files are cited.
    pub(crate) fn files(&self) -> usize {
        let mut paths: Vec<&str> = self.citations().map(|citation| &*citation.path).collect();
        paths.sort_unstable();
        paths.dedup();
        paths.len()
    }

    pub(crate) fn finish(mut self) -> Draft {
        self.draft.sections.retain(|section| !section.statements.is_empty());
        self.draft
    }

    fn statements(&self) -> impl Iterator<Item = &DraftStatement> {
        self.draft.sections.iter().flat_map(|section| &section.statements)
    }

    fn citations(&self) -> impl Iterator<Item = &Citation> {
        self.statements().flat_map(|statement| &statement.citations)
    }
}
