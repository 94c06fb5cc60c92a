//! What is counted over all files, kept in step with them one file at a time.

use std::collections::BTreeMap;

use rb_lang::Language;
use serde::{Deserialize, Serialize};

use super::{ImportCounts, LanguageShare, SetAside, Totals};
use crate::role::is_code;
use crate::store::{FileRow, Link};
use crate::walk::Walk;

/// Sums, so that a file can be taken out of them as well as put in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub totals: Totals,
    pub imports: ImportCounts,
    /// Files and lines.
    languages: BTreeMap<Language, (u64, u64)>,
    /// Files that were found and not read or not taken for important, by reason.
    set_aside: BTreeMap<String, u64>,
}

impl Counts {
    pub(crate) fn of(rows: &[FileRow]) -> Self {
        let mut counts = Counts::default();
        for row in rows {
            counts.add(row);
        }
        counts
    }

    pub(crate) fn add(&mut self, row: &FileRow) {
        self.change(row, |sum, by| *sum += by);
    }

    pub(crate) fn remove(&mut self, row: &FileRow) {
        self.change(row, |sum, by| *sum = sum.saturating_sub(by));
        self.languages.retain(|_, share| *share != (0, 0));
        self.set_aside.retain(|_, files| *files != 0);
    }

    fn change(&mut self, row: &FileRow, by: impl Fn(&mut u64, u64)) {
        let state = &row.state;
        by(&mut self.totals.files, 1);
        by(&mut self.totals.lines, state.lines.into());
        by(&mut self.totals.symbols, state.symbols.into());
        by(&mut self.totals.source_files, is_source(row).into());
        if let Some(kind) = state.set_aside_kind() {
            by(self.set_aside.entry(kind.to_owned()).or_default(), 1);
        }
        if state.trivial.is_none()
            && let Some(language) = state.language.filter(|&language| is_code(language))
        {
            // For people TSX is TypeScript.
            let language = if language == Language::Tsx { Language::TypeScript } else { language };
            let share = self.languages.entry(language).or_default();
            by(&mut share.0, 1);
            by(&mut share.1, state.lines.into());
        }
        if state.is_foreign() {
            return;
        }
        for link in &row.links.imports {
            by(
                match link {
                    Link::Inside(_) => &mut self.imports.inside,
                    Link::External(_) => &mut self.imports.external,
                    Link::Builtin => &mut self.imports.builtin,
                    Link::Unresolved => &mut self.imports.unresolved,
                },
                1,
            );
        }
    }

    /// The one with the most lines first.
    pub fn languages(&self) -> Vec<LanguageShare> {
        let share = |(&language, &(files, lines))| LanguageShare { language, files, lines };
        let mut shares: Vec<LanguageShare> = self.languages.iter().map(share).collect();
        shares.sort_by(|a, b| b.lines.cmp(&a.lines).then(a.language.cmp(&b.language)));
        shares
    }

    /// With what the walk left out; the most frequent reason first.
    pub fn set_aside(&self, walk: &Walk) -> Vec<SetAside> {
        let mut reasons = self.set_aside.clone();
        for skipped in &walk.skipped {
            *reasons.entry(skipped.reason.kind().to_owned()).or_default() += 1;
        }
        let aside = |(reason, files)| SetAside { reason, files };
        let mut aside: Vec<SetAside> = reasons.into_iter().map(aside).collect();
        aside.sort_by(|a, b| b.files.cmp(&a.files).then_with(|| a.reason.cmp(&b.reason)));
        aside
    }
}

/// Read into facts.
pub(super) fn is_source(row: &FileRow) -> bool {
    row.facts.is_some() && row.state.language.is_some_and(Language::is_read)
}
