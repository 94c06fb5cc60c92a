//! How much a pack may hold.

use serde::{Deserialize, Serialize};

/// Hard limits. A pack that would pass one leaves something out and says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budgets {
    /// Characters of the whole prompt body.
    pub chars: usize,
    /// Lines of all excerpts together.
    pub excerpt_lines: usize,
    /// Entries of the ledger, and lines of each.
    pub ledger_entries: usize,
    pub ledger_lines: usize,
    /// Estimated tokens of the whole prompt body; `None` where the window is not known.
    pub tokens: Option<u64>,
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets {
            chars: 40_000,
            excerpt_lines: 600,
            ledger_entries: 10,
            ledger_lines: 8,
            tokens: None,
        }
    }
}

/// What a pack holds, by the same measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sizes {
    pub chars: usize,
    pub excerpt_lines: usize,
    pub ledger_entries: usize,
    pub tokens: u64,
}
