//! What embeddings cost, and the cap on it. An unknown price is said to be unknown, never taken for zero.

use std::sync::{Mutex, PoisonError};

use rb_core::Usd;
use rb_index::search::embed::EmbedError;
use serde::Deserialize;

/// The price of a million tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    pub per_million: Usd,
    /// When the provider published it; `None`: the user says so.
    pub published: Option<String>,
}

impl Price {
    pub fn of(&self, tokens: u64) -> Usd {
        self.per_million.per_million(tokens)
    }

    /// As the provider published it.
    pub fn published(host: &str, model: &str) -> Option<Self> {
        let listed =
            prices().into_iter().find(|price| price.host == host && price.model == model)?;
        let per_million = Usd::new(listed.usd_per_million_tokens)?;
        Some(Price { per_million, published: Some(listed.published) })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    host: String,
    model: String,
    usd_per_million_tokens: f64,
    published: String,
}

fn prices() -> Vec<Listed> {
    #[derive(Deserialize)]
    struct File {
        price: Vec<Listed>,
    }
    let text = include_str!("../../data/embedding_prices.toml");
    toml::from_str::<File>(text).expect("a test reads the file").price
}

/// What was used so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    pub requests: u64,
    /// As the server counts them; by our estimate where it does not say.
    pub tokens: u64,
    /// Unknown where the price is.
    pub usd: Option<Usd>,
}

/// The purse: asked before each request, told after it.
pub(super) struct Purse {
    pub(super) price: Option<Price>,
    pub(super) cap: Option<Usd>,
    pub(super) used: Mutex<Spent>,
}

impl Purse {
    pub(super) fn spent(&self) -> Spent {
        let mut spent = *self.used.lock().unwrap_or_else(PoisonError::into_inner);
        spent.usd = self.price.as_ref().map(|price| price.of(spent.tokens));
        spent
    }

    /// Whether a request of that many tokens, at most, stays below the cap.
    pub(super) fn allow(&self, tokens: u64) -> Result<(), EmbedError> {
        let Some(cap) = self.cap else { return Ok(()) };
        let Some(price) = &self.price else {
            let message =
                format!("the price of the model is not known, so the cap of {cap} cannot be kept");
            return Err(refusal(
                message,
                "remove the cap (search.max_cents), or use a model whose price is known",
            ));
        };
        let spent = self.spent().tokens;
        let total = price.of(spent.saturating_add(tokens));
        if total <= cap {
            return Ok(());
        }
        let message = format!(
            "the next request for embeddings may bring the cost to {total}, over the cap of {cap}; {} are spent",
            price.of(spent)
        );
        Err(refusal(message, RAISE))
    }

    /// Books what a request used. It is an error when that passed the cap after all.
    pub(super) fn book(&self, tokens: u64) -> Result<(), EmbedError> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.requests += 1;
        used.tokens = used.tokens.saturating_add(tokens);
        let total = self.price.as_ref().map(|price| price.of(used.tokens));
        match (total, self.cap) {
            (Some(total), Some(cap)) if total > cap => {
                let message = format!("the embeddings cost {total} so far, over the cap of {cap}");
                Err(refusal(message, RAISE))
            }
            _ => Ok(()),
        }
    }
}

const RAISE: &str = "raise the cap, or use the local model, which costs nothing";

fn refusal(message: String, hint: &str) -> EmbedError {
    EmbedError { message, hint: Some(hint.to_owned()), source: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix6_prices_are_known_for_their_host_alone_and_dated() {
        let small = "text-embedding-3-small";
        let shown = |host: &str, model: &str, tokens: u64| {
            Price::published(host, model).map(|price| price.of(tokens).to_string())
        };
        assert_eq!(shown("api.openai.com", small, 1_000_000).as_deref(), Some("$0.020000"));
        assert_eq!(shown("api.openai.com", small, 1).as_deref(), Some("$0.000001"));
        assert_eq!(
            shown("api.openai.com", small, u64::MAX).as_deref(),
            Some("$18446744073.709552")
        );
        assert_eq!(shown("localhost:11434", small, 1), None);
        assert_eq!(shown("api.openai.com", "unheard-of", 1), None);
        for listed in prices() {
            let price = Price::published(&listed.host, &listed.model).unwrap();
            let date = price.published.unwrap();
            let parts: Vec<usize> = date.split('-').map(str::len).collect();
            assert!(parts == [4, 2, 2] && price.per_million > Usd::default(), "{}", listed.model);
        }
    }
}
