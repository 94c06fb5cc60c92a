//! Citations, and the check that each must pass: the file exists, its lines were read, and they say what is quoted.
//!
//! The quote decides, not the line number: models miscount lines. A quote that stands at exactly one other place that was read
//! moves the citation there; a name of a file alone never makes one valid. Blank lines count as read.

#[cfg(test)]
pub(crate) mod fixture;
mod quote;
mod source;

use std::collections::BTreeMap;
use std::fmt;

use rb_core::Sha256;
use rb_index::Texts;
use rb_index::content::decode;
use rb_tools::Evidence;
use serde::{Deserialize, Serialize};

use self::quote::{Quote, Run};
pub(crate) use self::source::ReadFile;
use self::source::Unread;

/// A citation of more lines is narrowed to those of its quote, and no repair spans more.
const MAX_LINES: u32 = 60;

/// Lines of a file with a quote from them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    pub path: String,
    pub first_line: u32,
    pub last_line: u32,
    /// Text from the cited lines. Whitespace counts only between words; `…` or `...` leaves something out.
    pub quote: String,
}

impl Citation {
    /// `path:3` or `path:3-5`.
    pub fn place(&self) -> String {
        let Citation { path, first_line, last_line, .. } = self;
        if first_line == last_line {
            format!("{path}:{first_line}")
        } else {
            format!("{path}:{first_line}-{last_line}")
        }
    }
}

/// A citation with its verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedCitation {
    /// As it was written, but with corrected lines if it was repaired, and with fewer if it cited very many.
    #[serde(flatten)]
    pub citation: Citation,
    /// Of the file when it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<Sha256>,
    /// The lines as they were written, if they were wrong and the quote was found at exactly one other place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repaired_from: Option<(u32, u32)>,
    /// `None` for a valid citation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<CitationFault>,
}

impl CheckedCitation {
    pub fn is_valid(&self) -> bool {
        self.fault.is_none()
    }

    /// Whether the cited lines of the file still contain the quote. `bytes` are the file as it is now.
    pub fn holds_in(&self, bytes: Vec<u8>) -> bool {
        if self.hash.is_some_and(|hash| hash == Sha256::of(&bytes)) {
            return true;
        }
        let text = decode(bytes).map(|(text, _)| text).unwrap_or_default();
        let cited = self.citation.first_line..=self.citation.last_line;
        let lines = (1..).zip(text.lines()).filter(|(number, _)| cited.contains(number));
        Quote::new(&self.citation.quote).within(&Run::new(lines)).is_some()
    }
}

/// Why a citation is not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CitationFault {
    /// There is no such file in the repository.
    NoSuchFile,
    /// The file exists, but nothing of it was read.
    FileNotRead,
    /// The file changed after it was read.
    FileChanged,
    /// The file has fewer lines, or the range is empty.
    NoSuchLine,
    /// The lines exist, but were not read.
    LinesNotRead,
    /// No quote, or one too short to tell a line by.
    NoQuote,
    /// The cited lines do not contain the quote, and no single other place that was read does.
    QuoteNotFound,
}

impl fmt::Display for CitationFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CitationFault::NoSuchFile => "there is no such file",
            CitationFault::FileNotRead => "the file was not read",
            CitationFault::FileChanged => "the file changed after it was read",
            CitationFault::NoSuchLine => "there are no such lines",
            CitationFault::LinesNotRead => "the lines were not read",
            CitationFault::NoQuote => "the quote is missing or too short",
            CitationFault::QuoteNotFound => "the quote is not in the cited lines",
        })
    }
}

/// Checks one citation.
pub fn check(citation: &Citation, evidence: &Evidence, texts: &dyn Texts) -> CheckedCitation {
    Checker::new(evidence, texts).check(citation)
}

/// Checks citations, and opens each file that they cite once.
pub(crate) struct Checker<'c> {
    evidence: &'c Evidence,
    texts: &'c dyn Texts,
    files: BTreeMap<String, Result<ReadFile, Unread>>,
}

impl<'c> Checker<'c> {
    pub(crate) fn new(evidence: &'c Evidence, texts: &'c dyn Texts) -> Self {
        Checker { evidence, texts, files: BTreeMap::new() }
    }

    pub(crate) fn check(&mut self, citation: &Citation) -> CheckedCitation {
        let (hash, verdict) = match self.open(&citation.path) {
            Ok(file) => (Some(file.hash), verdict(citation, file)),
            Err(unread) => (unread.hash, Err(unread.fault)),
        };
        let mut checked = CheckedCitation {
            citation: citation.clone(),
            hash,
            repaired_from: None,
            fault: verdict.err(),
        };
        if let Ok(place) = verdict {
            let written = (citation.first_line, citation.last_line);
            (checked.citation.first_line, checked.citation.last_line) = place.lines;
            checked.repaired_from = place.is_repaired.then_some(written);
        }
        checked
    }

    /// A file of which a citation was checked before, if it could be opened.
    pub(crate) fn file(&self, path: &str) -> Option<&ReadFile> {
        self.files.get(path).and_then(|file| file.as_ref().ok())
    }

    fn open(&mut self, path: &str) -> Result<&ReadFile, Unread> {
        let (evidence, texts) = (self.evidence, self.texts);
        let open = || ReadFile::open(path, evidence, texts);
        self.files.entry(path.to_owned()).or_insert_with(open).as_ref().map_err(|unread| *unread)
    }
}

/// Where a valid citation points.
#[derive(Clone, Copy)]
struct Place {
    lines: (u32, u32),
    is_repaired: bool,
}

fn verdict(citation: &Citation, file: &ReadFile) -> Result<Place, CitationFault> {
    let (first, last) = (citation.first_line, citation.last_line);
    let quote = Quote::new(&citation.quote);
    let exists = file.has_lines(first, last);
    let was_shown = exists && file.was_shown(first, last);
    if was_shown && let Some(found) = quote.within(&file.run(first, last)) {
        let lines = if last - first < MAX_LINES { (first, last) } else { found };
        return Ok(Place { lines, is_repaired: false });
    }
    if let Some(lines) = quote.only_place(&file.runs()) {
        return Ok(Place { lines, is_repaired: true });
    }
    Err(match (exists, quote.is_telling(), was_shown) {
        (false, _, _) => CitationFault::NoSuchLine,
        (true, false, _) => CitationFault::NoQuote,
        (true, true, false) => CitationFault::LinesNotRead,
        (true, true, true) => CitationFault::QuoteNotFound,
    })
}

#[cfg(test)]
mod tests;
