//! A pack: plain data, kept in the run's folder and shown to whoever asks.

use rb_core::TaskId;
use serde::{Deserialize, Serialize};

use crate::budget::{Budgets, Sizes};

/// The choice for one task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pack {
    pub task: TaskId,
    /// The most relevant first.
    pub files: Vec<Included>,
    /// What was looked at and is not in it, with the reason. Names what is no file in brackets: `(rule async-parallel)`.
    pub omitted: Vec<Omitted>,
    /// Where the repository has the names of the goal, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// What the task is to satisfy: wrong and right.
    pub rules: Vec<RuleText>,
    /// How the project writes its code, a line each.
    #[serde(default)]
    pub conventions: Vec<String>,
    /// The last tasks of the run, the newest last.
    pub ledger: Vec<LedgerLine>,
    /// What went wrong with earlier tries of this task, the newest last.
    pub errors: Vec<String>,
    /// The patch of the last of these tries, as much of it as fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tried: Option<String>,
    pub budgets: Budgets,
    /// Of the prompt for the patcher.
    pub sizes: Sizes,
}

/// A file, or parts of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Included {
    pub path: String,
    /// Why it is here: "in scope; 3 findings of async-parallel", "imported by src/cart.ts".
    pub reason: String,
    pub may_be_changed: bool,
    pub shown: Vec<Shown>,
    /// Of the whole file.
    pub lines: u32,
    /// What somebody who changes it has to know: its line ends, its encoding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "shown", rename_all = "snake_case")]
pub enum Shown {
    Whole {
        text: String,
    },
    /// Signatures with their documentation and the lines of each.
    Signatures {
        text: String,
    },
    /// Counted from 1, both ends included.
    Excerpt {
        first: u32,
        last: u32,
        text: String,
        /// What lies there.
        why: String,
    },
}

impl Shown {
    pub fn text(&self) -> &str {
        match self {
            Shown::Whole { text } | Shown::Signatures { text } | Shown::Excerpt { text, .. } => {
                text
            }
        }
    }

    /// Lines that count against the budget of excerpts. Whole files and signatures are held by characters and tokens alone.
    pub(crate) fn excerpt_lines(&self) -> usize {
        match self {
            Shown::Excerpt { text, .. } => text.lines().count(),
            Shown::Whole { .. } | Shown::Signatures { .. } => 0,
        }
    }

    /// "the whole file", "outline", "lines 41-80".
    pub(crate) fn words(&self) -> String {
        match self {
            Shown::Whole { .. } => "the whole file".to_owned(),
            Shown::Signatures { .. } => "outline".to_owned(),
            Shown::Excerpt { first, last, .. } => format!("lines {first}-{last}"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Omitted {
    pub path: String,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleText {
    pub id: String,
    pub title: String,
    pub wrong: String,
    pub right: String,
}

/// One earlier task in a few lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerLine {
    pub task: TaskId,
    pub text: String,
}
