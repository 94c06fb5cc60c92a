//! The files of the map with their numbers, and which of these the colours show.

use std::collections::BTreeMap;

use rb_index::View;
use rb_lang::Language;
use rb_rules::Finding;

use crate::pages::code::folder::Folder;
use crate::pages::code::numbers::plural;
use crate::request::Request;

/// What the colours show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Importance,
    Churn,
    Findings,
}

impl Measure {
    pub(super) const ALL: [Measure; 3] = [Measure::Importance, Measure::Churn, Measure::Findings];

    pub(super) fn of(request: &Request) -> Measure {
        let asked = request.query("by");
        Measure::ALL.into_iter().find(|it| Some(it.name()) == asked).unwrap_or(Measure::Importance)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Measure::Importance => "importance",
            Measure::Churn => "churn",
            Measure::Findings => "findings",
        }
    }

    /// In an address; the first needs no name.
    pub(super) fn in_address(self) -> &'static str {
        if self == Measure::Importance { "" } else { self.name() }
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Measure::Importance => "Importance",
            Measure::Churn => "Churn",
            Measure::Findings => "Findings",
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Measure::Importance => "importance",
            Measure::Churn => "number of commits",
            Measure::Findings => "number of rule findings",
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Measure::Importance => "by-importance",
            Measure::Churn => "by-churn",
            Measure::Findings => "by-findings",
        }
    }

    /// `importance 0.42`, `3 commits`
    pub(super) fn value(self, value: f64) -> String {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let count = value as u64;
        match self {
            Measure::Importance => format!("importance {value:.2}"),
            Measure::Churn => plural(count, "commit"),
            Measure::Findings => plural(count, "finding"),
        }
    }

    /// The number alone, for a legend.
    pub(super) fn number(self, value: f64) -> String {
        if self == Measure::Importance { format!("{value:.2}") } else { format!("{value:.0}") }
    }
}

/// Which files are on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// In a language that is read.
    Code,
    All,
}

impl Extent {
    pub(super) const ALL: [Extent; 2] = [Extent::Code, Extent::All];

    pub(super) fn of(request: &Request) -> Extent {
        if request.query("files") == Some("all") { Extent::All } else { Extent::Code }
    }

    /// In an address; the first needs no name.
    pub(super) fn in_address(self) -> &'static str {
        match self {
            Extent::Code => "",
            Extent::All => "all",
        }
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Extent::Code => "Code",
            Extent::All => "All files",
        }
    }
}

/// A file that is on the map.
#[derive(Debug, Clone)]
pub(super) struct MapFile<'v> {
    pub(super) path: &'v str,
    pub(super) language: Option<Language>,
    pub(super) lines: u32,
    pub(super) importance: f64,
    pub(super) commits: u32,
    pub(super) used_by: u32,
    pub(super) findings: u32,
}

impl MapFile<'_> {
    pub(super) fn value(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Importance => self.importance,
            Measure::Churn => self.commits.into(),
            Measure::Findings => self.findings.into(),
        }
    }
}

/// The files in a folder.
pub(super) struct MapFiles<'v> {
    /// Highest value first.
    pub(super) list: Vec<MapFile<'v>>,
    /// Files without lines, that nobody here wrote, or that were not asked for.
    pub(super) left_out: usize,
    pub(super) extent: Extent,
}

impl<'v> MapFiles<'v> {
    pub(super) fn of(
        view: &'v View<'_>,
        folder: &Folder,
        measure: Measure,
        extent: Extent,
        findings: &[Finding],
    ) -> MapFiles<'v> {
        let mut found: BTreeMap<&str, u32> = BTreeMap::new();
        for finding in findings {
            *found.entry(&finding.path).or_default() += 1;
        }
        let (mut list, mut left_out) = (Vec::new(), 0);
        for id in view.tree.ids() {
            let path = &*view.tree.get(id).path;
            if folder.strip(path).is_none() {
                continue;
            }
            let file = view.file(id);
            let is_meant = extent == Extent::All || file.language.is_some_and(Language::is_read);
            let is_aside = file.lines == 0 || file.trivial.is_some() || file.skipped.is_some();
            if is_aside || !is_meant {
                left_out += 1;
                continue;
            }
            list.push(MapFile {
                path,
                language: file.language,
                lines: file.lines,
                importance: file.importance.score,
                commits: file.commits,
                used_by: file.used_by,
                findings: found.get(path).copied().unwrap_or(0),
            });
        }
        list.sort_by(|a, b| {
            let by_value = b.value(measure).total_cmp(&a.value(measure));
            by_value.then(b.lines.cmp(&a.lines)).then_with(|| a.path.cmp(b.path))
        });
        MapFiles { list, left_out, extent }
    }
}
