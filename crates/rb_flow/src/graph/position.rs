//! Where a run stands in its graph, folded from the journal.

use std::collections::BTreeMap;

use super::END;

/// The node that is under way, and how often each edge was taken within the lap at hand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Position {
    at: Option<String>,
    lap: String,
    taken: BTreeMap<(String, String), u32>,
}

impl Position {
    /// The node to perform; `None` before the first.
    pub fn at(&self) -> Option<&str> {
        self.at.as_deref()
    }

    pub fn is_at_end(&self) -> bool {
        self.at() == Some(END)
    }

    /// The graph goes on to a node; `lap` is that of the state at this moment.
    pub fn enter(&mut self, node: &str, from: Option<&str>, lap: &str) {
        if lap != self.lap {
            lap.clone_into(&mut self.lap);
            self.taken.clear();
        }
        if let Some(from) = from {
            *self.taken.entry((from.to_owned(), node.to_owned())).or_default() += 1;
        }
        self.at = Some(node.to_owned());
    }

    /// How often an edge was taken within `lap`.
    pub(super) fn taken(&self, lap: &str, from: &str, to: &str) -> u32 {
        if lap != self.lap {
            return 0;
        }
        self.taken.get(&(from.to_owned(), to.to_owned())).copied().unwrap_or(0)
    }
}
