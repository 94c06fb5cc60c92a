//! What must be installed before a package's commands can run, whether it is there, and how it may get there.
//!
//! Says what could be done and why it is safe; copies and installs nothing. Installing runs foreign code and needs a
//! network, so it is left to a person's consent above.

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dependencies {
    /// Folders that an installation makes, relative to the root: `node_modules`, `.venv`, `vendor`.
    pub folders: Vec<Installed>,
    /// Brings them; `None` where nothing is installed in the tree or nobody can know how.
    pub install: Option<Install>,
    pub reuse: Reuse,
}

impl Dependencies {
    /// Nothing has to be installed, or all of it is there.
    pub fn ready(&self) -> bool {
        self.folders.iter().all(|folder| folder.there)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Installed {
    pub folder: String,
    pub there: bool,
}

/// An installation that takes what the lockfile says, and runs no install scripts where they can be turned off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Install {
    pub line: String,
    pub argv: Vec<String>,
    pub env: Vec<(String, String)>,
    /// Where it runs, relative to the root.
    pub folder: String,
    /// Foreign code runs during the installation all the same.
    pub runs_code: bool,
}

impl Install {
    pub(crate) fn of(line: &str, folder: &str, runs_code: bool) -> Self {
        let argv = line.split(' ').map(str::to_owned).collect();
        Install {
            line: line.to_owned(),
            argv,
            env: Vec::new(),
            folder: folder.to_owned(),
            runs_code,
        }
    }
}

/// What another checkout of the same repository can give, and why that is safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "how", content = "why")]
pub enum Reuse {
    /// When the bytes of all lockfiles are equal, the folders may be copied, links kept as links. Data may be shared by
    /// reflink; by hard link only where the commands cannot write them, since that would write into the other checkout.
    Copy(&'static str),
    /// As `Copy`, but never by links: what lies in the folders follows them, and would find the other checkout's code.
    CopyOnly(&'static str),
    /// The folders of the other checkout are used where they are, read-only.
    InPlace(&'static str),
    /// Nothing lies in the tree: what is needed is in the home, see `Caches`.
    Home(&'static str),
    /// They have to be installed anew.
    Never(&'static str),
}
