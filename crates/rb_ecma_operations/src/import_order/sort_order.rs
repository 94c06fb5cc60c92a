//! The orders in which people and linters sort imports.

use crate::project::ImportStatement;

#[derive(Debug, Clone, Copy)]
pub(super) struct SortOrder {
    types: Types,
    ranks: Ranks,
    letters: Letters,
}

#[derive(Debug, Clone, Copy)]
enum Types {
    Among,
    First,
    Last,
}

#[derive(Debug, Clone, Copy)]
enum Ranks {
    /// By the text alone.
    None,
    /// Aliases, then `../`, then `./`.
    ParentsFirst,
}

#[derive(Debug, Clone, Copy)]
enum Letters {
    /// Folder by folder, upper and lower case alike.
    Parts,
    Lower,
    Exact,
}

/// Imports of two may be in order by chance.
const PAIRS: usize = 2;

impl SortOrder {
    /// The most usual first.
    pub(super) fn all() -> impl Iterator<Item = SortOrder> {
        let types = [Types::Among, Types::First, Types::Last];
        let ranks = [Ranks::None, Ranks::ParentsFirst];
        let letters = [Letters::Parts, Letters::Lower, Letters::Exact];
        types.into_iter().flat_map(move |types| {
            ranks.into_iter().flat_map(move |ranks| {
                letters.into_iter().map(move |letters| SortOrder { types, ranks, letters })
            })
        })
    }

    pub(super) fn is_sorted(self, run: &[&ImportStatement]) -> bool {
        run.is_sorted_by_key(|it| self.key(it))
    }

    /// Are there enough imports to say that a file has this order?
    pub(super) fn is_used(self, runs: &[Vec<&ImportStatement>]) -> bool {
        let pairs = runs.iter().flat_map(|run| run.windows(2));
        let ordered = pairs.filter(|pair| self.key(pair[0]) < self.key(pair[1])).count();
        ordered >= PAIRS && runs.iter().all(|run| self.is_sorted(run))
    }

    pub(super) fn key(self, statement: &ImportStatement) -> (u8, u8, Vec<String>) {
        let types = match self.types {
            Types::Among => 0,
            Types::First => u8::from(!statement.is_type),
            Types::Last => u8::from(statement.is_type),
        };
        // The index of a folder stands where its files stand.
        let source = match statement.source.as_str() {
            "." => "./",
            ".." => "../",
            other => other,
        };
        let rank = match self.ranks {
            Ranks::ParentsFirst if source.starts_with("..") => 1,
            Ranks::ParentsFirst if source.starts_with('.') => 2,
            Ranks::ParentsFirst | Ranks::None => 0,
        };
        let letters = match self.letters {
            Letters::Parts => source.to_lowercase().split('/').map(str::to_owned).collect(),
            Letters::Lower => vec![source.to_lowercase()],
            Letters::Exact => vec![source.to_owned()],
        };
        (types, rank, letters)
    }
}
