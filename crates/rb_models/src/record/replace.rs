//! Replacing several texts at once: what was put in is not looked at again.

use aho_corasick::{AhoCorasick, MatchKind};
use rb_http::Secret;

/// The leftmost match counts, and of those that begin together the longest.
pub(super) struct Replacer {
    find: Option<AhoCorasick>,
    put: Vec<String>,
}

impl Replacer {
    /// Pairs of what is found and what is put in its place. What is found is not empty.
    pub(super) fn new(pairs: Vec<(String, String)>) -> Self {
        let (find, put): (Vec<String>, Vec<String>) = pairs.into_iter().unzip();
        let build = || AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&find);
        let find = (!find.is_empty()).then(|| build().expect("these are a few short texts"));
        Replacer { find, put }
    }

    /// What is shorter stands in for a key where none is needed; striking it out would spoil every text that has it.
    pub(super) fn striking(secrets: &[Secret]) -> Self {
        const SHORTEST: usize = 5;
        let keys = secrets.iter().map(Secret::expose).filter(|key| key.len() >= SHORTEST);
        Replacer::new(keys.map(|key| (key.to_owned(), STRUCK.to_owned())).collect())
    }

    pub(super) fn replace(&self, text: &str) -> String {
        match &self.find {
            Some(find) => find.replace_all(text, &self.put),
            None => text.to_owned(),
        }
    }
}

/// Stands in the place of a key.
pub(super) const STRUCK: &str = "[key]";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mo3_a_key_is_struck_out_and_a_stand_in_for_one_is_not() {
        let check = |key: &str, text: &str, expected: &str| {
            assert_eq!(Replacer::striking(&[Secret::new(key)]).replace(text), expected);
        };
        check("sk-0123456789", "the key sk-0123456789.", "the key [key].");
        check("x", "expected_verifier", "expected_verifier");
        check("none", "none of them", "none of them");
    }
}
