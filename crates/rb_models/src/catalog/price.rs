//! What tokens cost. A price is a fact with a date; nothing here is guessed.

use rb_core::Usd;

use crate::call::Usage;

/// For a million tokens of each kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    pub input: Usd,
    pub output: Usd,
    /// Of input that the provider had seen before; as other input where the list says nothing.
    pub cache_read: Usd,
    /// Of input that the provider keeps for the next call; as other input where the list says nothing.
    pub cache_write: Usd,
    /// The day of the list, as `2026-06-08`.
    pub published: String,
    /// Where long requests cost more.
    pub over: Option<Over>,
}

/// The price of a request with more input tokens than these; it holds for all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Over {
    pub tokens: u64,
    pub input: Usd,
    pub output: Usd,
    pub cache_read: Usd,
    pub cache_write: Usd,
}

impl Price {
    pub fn of(&self, usage: &Usage) -> Usd {
        let (input, output, read, write) = match &self.over {
            Some(over) if usage.all_input() > over.tokens => {
                (over.input, over.output, over.cache_read, over.cache_write)
            }
            _ => (self.input, self.output, self.cache_read, self.cache_write),
        };
        [
            input.per_million(usage.input),
            output.per_million(usage.output),
            read.per_million(usage.cache_read),
            write.per_million(usage.cache_write),
        ]
        .into_iter()
        .sum()
    }
}
