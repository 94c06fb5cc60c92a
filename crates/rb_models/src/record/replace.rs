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

    pub(super) fn striking(secrets: &[Secret]) -> Self {
        let keys = secrets.iter().map(Secret::expose).filter(|key| !key.is_empty());
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
