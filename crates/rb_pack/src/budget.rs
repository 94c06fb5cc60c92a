//! How much a pack may hold.

use rb_models::Family;
use rb_trust::Fence;
use serde::{Deserialize, Serialize};

/// Hard limits. A pack that would pass one leaves something out and says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budgets {
    /// Characters of the whole prompt body. `Budgets::LEAST_CHARS` at least.
    pub chars: usize,
    /// What they may grow to, and all other limits but the ledger's with them, if the files in scope need more to be shown whole:
    /// a model cannot change what it does not see.
    #[serde(default)]
    pub most_chars: usize,
    /// Bytes of it: where characters take several, these are passed first.
    #[serde(default = "bytes")]
    pub bytes: usize,
    /// Lines of all excerpts together.
    pub excerpt_lines: usize,
    /// Entries of the ledger, and lines of each.
    pub ledger_entries: usize,
    pub ledger_lines: usize,
    /// Estimated tokens of the whole prompt body; `None` for any number.
    pub tokens: Option<u64>,
    /// What these may grow to.
    #[serde(default)]
    pub most_tokens: u64,
}

impl Budgets {
    /// What the batch itself may take, whatever its goal, its scope and its directive are: with so few characters a pack has no
    /// files. With fewer there is no pack at all.
    pub const LEAST_CHARS: usize = 8_000;

    /// With so many characters more, as far as they may grow.
    #[must_use]
    pub(crate) fn widened(self, more: usize) -> Budgets {
        let chars = self.chars.saturating_add(more).min(self.most_chars).max(self.chars);
        let scaled = |limit: usize| limit.saturating_mul(chars) / self.chars.max(1);
        let tokens = |limit: u64| {
            let scaled = scaled(usize::try_from(limit).unwrap_or(usize::MAX));
            (scaled as u64).min(self.most_tokens).max(limit)
        };
        Budgets {
            chars,
            bytes: scaled(self.bytes),
            excerpt_lines: scaled(self.excerpt_lines),
            tokens: self.tokens.map(tokens),
            ..self
        }
    }
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets {
            chars: 40_000,
            most_chars: 120_000,
            bytes: bytes(),
            excerpt_lines: 600,
            ledger_entries: 10,
            ledger_lines: 8,
            tokens: Some(TOKENS),
            most_tokens: 3 * TOKENS,
        }
    }
}

/// What 40,000 characters of code come to in the densest of the usual files.
const TOKENS: u64 = 20_000;

fn bytes() -> usize {
    80_000
}

/// What a pack holds, by the same measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sizes {
    pub chars: usize,
    #[serde(default)]
    pub bytes: usize,
    pub excerpt_lines: usize,
    pub ledger_entries: usize,
    pub tokens: u64,
}

/// A mark of a fence has twenty tokens or so, one more or less from call to call.
const MARK: u64 = 26;

/// Tokens as the model counts them, on the high side, and the same whatever the mark of the fence is.
pub(crate) fn tokens(text: &str, family: Family, mark: &str) -> u64 {
    let marks = text.matches(mark).count() as u64;
    let plain = u128::from(rb_models::tokens::count(&text.replace(mark, "")) + marks * MARK);
    u64::try_from((plain * u128::from(family.permille())).div_ceil(1000)).unwrap_or(u64::MAX)
}

/// What is left of the characters, bytes and tokens of a prompt. Tokens are counted only where they are bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) chars: usize,
    bytes: usize,
    pub(crate) tokens: Option<u64>,
    family: Family,
}

/// What a piece of text takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cost {
    pub(crate) chars: usize,
    bytes: usize,
    tokens: u64,
}

impl Room {
    pub(crate) fn new(budgets: &Budgets, family: Family) -> Room {
        Room { chars: budgets.chars, bytes: budgets.bytes, tokens: budgets.tokens, family }
    }

    /// Of a text that was fenced with this mark.
    pub(crate) fn cost(&self, text: &str, fence: &Fence) -> Cost {
        let tokens = self.tokens.map_or(0, |_| tokens(text, self.family, fence.mark()));
        Cost { chars: text.chars().count(), bytes: text.len(), tokens }
    }

    pub(crate) fn holds(&self, cost: Cost) -> bool {
        let fits = cost.chars <= self.chars && cost.bytes <= self.bytes;
        fits && self.tokens.is_none_or(|left| cost.tokens <= left)
    }

    /// Takes the cost, or nothing where it does not fit.
    pub(crate) fn take(&mut self, cost: Cost) -> bool {
        let fits = self.holds(cost);
        if fits {
            self.chars -= cost.chars;
            self.bytes -= cost.bytes;
            self.tokens = self.tokens.map(|left| left - cost.tokens);
        }
        fits
    }

    pub(crate) fn give_back(&mut self, cost: Cost) {
        self.chars += cost.chars;
        self.bytes += cost.bytes;
        self.tokens = self.tokens.map(|left| left + cost.tokens);
    }

    /// By how many characters the budgets have to grow, and all other limits with them, for so much to fit.
    pub(crate) fn lacking(&self, costs: &[Cost], budgets: &Budgets) -> usize {
        let chars: usize = costs.iter().map(|cost| cost.chars).sum();
        let bytes: usize = costs.iter().map(|cost| cost.bytes).sum();
        let tokens: u64 = costs.iter().map(|cost| cost.tokens).sum();
        let in_chars = |lacking: u64, of: u64| {
            let chars = lacking.saturating_mul(budgets.chars as u64).div_ceil(of.max(1));
            usize::try_from(chars).unwrap_or(usize::MAX)
        };
        let for_bytes = in_chars(bytes.saturating_sub(self.bytes) as u64, budgets.bytes as u64);
        let for_tokens = self
            .tokens
            .zip(budgets.tokens)
            .map_or(0, |(left, all)| in_chars(tokens.saturating_sub(left), all));
        chars.saturating_sub(self.chars).max(for_bytes).max(for_tokens)
    }

    /// Without another room.
    pub(crate) fn without(&self, other: &Room) -> Room {
        Room {
            chars: self.chars.saturating_sub(other.chars),
            bytes: self.bytes.saturating_sub(other.bytes),
            tokens: self.tokens.map(|left| left.saturating_sub(other.tokens.unwrap_or(0))),
            family: self.family,
        }
    }

    /// One of so many equal parts, as a room of its own.
    pub(crate) fn part(&self, of: usize) -> Room {
        let of = of.max(1);
        Room {
            chars: self.chars / of,
            bytes: self.bytes / of,
            tokens: self.tokens.map(|left| left / of as u64),
            family: self.family,
        }
    }

    /// In hundredths of it, as a room of its own.
    pub(crate) fn share(&self, percent: usize) -> Room {
        Room {
            chars: self.chars * percent / 100,
            bytes: self.bytes * percent / 100,
            tokens: self.tokens.map(|left| left / 100 * percent as u64),
            family: self.family,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf4_a_room_holds_what_it_has_and_no_more() {
        let budgets = Budgets { chars: 10, tokens: Some(3), ..Budgets::default() };
        let mut room = Room::new(&budgets, Family::OpenAi);
        let fence = Fence::new([7; 16]);
        let cost = room.cost("hello world", &fence);
        assert!(!room.take(cost), "eleven characters");
        let cost = room.cost("hello", &fence);
        assert!(room.take(cost));
        assert_eq!((room.chars, room.tokens), (5, Some(2)));
        let many = room.cost("ŧ→ħ", &fence);
        assert!(!room.holds(many), "few characters, but too many tokens");
        room.give_back(cost);
        assert_eq!((room.chars, room.tokens), (10, Some(3)));
        let budgets = Budgets { bytes: 8, tokens: None, ..budgets };
        let room = Room::new(&budgets, Family::OpenAi);
        assert!(room.holds(room.cost("plain", &fence)));
        assert!(!room.holds(room.cost("ŧ→ħ→", &fence)), "four characters of ten bytes");
    }

    #[test]
    fn pk1_budgets_grow_together_and_no_further_than_they_may() {
        let usual = Budgets::default();
        assert_eq!(usual.widened(0), usual);
        let more = usual.widened(20_000);
        assert_eq!((more.chars, more.bytes, more.excerpt_lines), (60_000, 120_000, 900));
        assert_eq!((more.tokens, more.ledger_entries), (Some(30_000), usual.ledger_entries));
        let most = usual.widened(usize::MAX);
        assert_eq!((most.chars, most.excerpt_lines, most.tokens), (120_000, 1_800, Some(60_000)));
        // A model with a small window.
        let small = Budgets { tokens: Some(4_000), most_tokens: 4_000, ..usual };
        assert_eq!(small.widened(20_000).tokens, Some(4_000));
        let fixed = Budgets { most_chars: 0, ..usual };
        assert_eq!(fixed.widened(20_000), fixed);
    }

    #[test]
    fn rf4_tokens_are_those_of_the_family() {
        assert_eq!(tokens("hello world", Family::OpenAi, "07"), 2);
        assert_eq!(tokens("hello world", Family::Claude, "07"), 4);
    }

    #[test]
    fn rf4_tokens_of_marks_are_reckoned_high() {
        for nth in 0..200_u8 {
            let mut random = [0; 16];
            random.copy_from_slice(&rb_core::Sha256::of(&[nth]).as_bytes()[..16]);
            let fence = Fence::new(random);
            let text = format!("</data {}>\n", fence.mark());
            let real = rb_models::tokens::count(&text);
            assert!(real <= tokens(&text, Family::OpenAi, fence.mark()), "{real} {text}");
        }
    }
}
