//! What a newcomer wants to know first, computed from all files and kept with them.

mod counts;
mod make;

use rb_lang::Language;
use serde::{Deserialize, Serialize};

pub use self::counts::Counts;
pub(crate) use self::make::{is_broken, make, top};
use crate::architecture::Architecture;
use crate::importance::Importance;

/// Raised when `Overview` changes its shape or is made in another way: a stored one is then made again.
const VERSION: u32 = 4;

/// The whole repository on one screen. Lists are sorted, the most telling first, and cut; `Index` has all of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overview {
    pub totals: Totals,
    pub languages: Vec<LanguageShare>,
    pub architecture: Architecture,
    pub react: Vec<ReactProject>,
    pub top: Vec<TopFile>,
    pub hotspots: Vec<HotFile>,
    pub cycles: Cycles,
    pub imports: ImportCounts,
    pub packages: Vec<PackageUse>,
    pub tests: Tests,
    /// Files that were found and not read or not taken for important, by reason.
    pub set_aside: Vec<SetAside>,
    /// Files that could be read only in part.
    pub broken: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Of all files.
    pub files: u64,
    /// Of those that are read into facts.
    pub source_files: u64,
    pub lines: u64,
    pub symbols: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LanguageShare {
    pub language: Language,
    pub files: u64,
    pub lines: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TopFile {
    pub path: String,
    pub lines: u32,
    pub used_by: u32,
    #[serde(flatten)]
    pub importance: Importance,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HotFile {
    pub path: String,
    pub score: f64,
    pub commits: u32,
    /// Over all functions, and of the worst of them.
    pub complexity: u32,
    pub worst_complexity: u32,
    pub used_by: u32,
}

/// A package that uses React, with Next.js or without.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReactProject {
    /// Empty for the root.
    pub folder: String,
    pub react: Option<String>,
    pub next: Option<String>,
    pub app_router: Option<String>,
    pub pages_router: Option<String>,
    pub react_compiler: bool,
    pub typescript: bool,
    pub component_files: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cycles {
    /// Groups of files that import each other when they are loaded.
    pub groups: u64,
    pub files: u64,
    pub largest: Vec<CycleGroup>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CycleGroup {
    pub files: u64,
    /// A shortest way round; it leads from the last back to the first.
    pub example: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportCounts {
    pub inside: u64,
    pub external: u64,
    pub builtin: u64,
    pub unresolved: u64,
}

/// A package from elsewhere, and how many files use it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PackageUse {
    pub name: String,
    pub files: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tests {
    pub files: u64,
    /// Source files that at least one test is linked to.
    pub tested: u64,
    pub source_files: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SetAside {
    pub reason: String,
    pub files: u64,
}

impl Overview {
    /// With that which it is of, so that one of another state is not taken for it.
    pub(crate) fn to_bytes(&self, of: &Of<'_>) -> Vec<u8> {
        // Self-describing, because parts of it are flattened for people.
        serde_json::to_vec(&(VERSION, of, self)).expect("plain data with text keys")
    }

    /// `None` for one of another version or another state.
    pub(crate) fn from_bytes(bytes: &[u8], of: &Of<'_>) -> Option<Self> {
        let (version, kept_of, value): (u32, serde_json::Value, serde_json::Value) =
            serde_json::from_slice(bytes).ok()?;
        let same = version == VERSION && kept_of == serde_json::to_value(of).ok()?;
        same.then(|| serde_json::from_value(value).ok())?
    }
}

/// The state of the files, and the commit.
pub(crate) type Of<'a> = (&'a str, Option<&'a str>);
