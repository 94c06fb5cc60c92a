//! A draft while it is written: sections of statements, each with citations that have what the statement names.

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

    /// Adds a statement, unless no citation supports it or it was made before. Only now are the cited lines evidence.
    pub(crate) fn say(
        &mut self,
        sources: &mut Sources<'_, '_>,
        text: &str,
        citations: &[Citation],
    ) {
        let is_known = self.statements().any(|statement| statement.text == text);
        if is_known || citations.is_empty() || !sources.supports(text, citations) {
            return;
        }
        let mut distinct: Vec<Citation> = Vec::new();
        for citation in citations {
            if !distinct.contains(citation) {
                sources.show_cited(citation);
                distinct.push(citation.clone());
            }
        }
        if self.draft.sections.is_empty() {
            self.heading("");
        }
        if let Some(section) = self.draft.sections.last_mut() {
            let text = text.to_owned();
            section.statements.push(DraftStatement { text, citations: distinct });
        }
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
