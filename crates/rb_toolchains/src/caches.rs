//! What a toolchain needs of the home folder when the home is hidden, and where its caches go when only a scratch
//! folder can be written.
//!
//! Files made for credentials (`.npmrc`, `.pypirc`, `.cargo/credentials.toml`, `.netrc`, `.composer/auth.json`) are never
//! named. Settings that may hold one are, apart, and shown only when they hold nothing that looks like it.

use serde::Serialize;

/// `{scratch}` and `{home}` in values stand for the folders of the run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Caches {
    /// Relative to the home; to be readable where they exist.
    pub readable: Vec<&'static str>,
    /// Relative to the home; readable only if `may_be_shown` says so of the text: settings that can hold a token.
    pub settings: Vec<&'static str>,
    /// Moves what is written into the scratch folder, and keeps the tools from reaching for a network.
    pub env: Vec<(&'static str, &'static str)>,
    /// Links to be made in the scratch folder first: name there, folder of the home.
    pub links: Vec<(&'static str, &'static str)>,
}

impl Caches {
    /// Takes in what another toolchain needs.
    pub fn add(&mut self, other: Caches) {
        fn merge<T: Ord>(mine: &mut Vec<T>, theirs: Vec<T>) {
            mine.extend(theirs);
            mine.sort();
            mine.dedup();
        }
        merge(&mut self.readable, other.readable);
        merge(&mut self.settings, other.settings);
        merge(&mut self.env, other.env);
        merge(&mut self.links, other.links);
    }
}

/// Does a settings file hold nothing that looks like a credential?
pub fn may_be_shown(text: &str) -> bool {
    const WORDS: [&str; 6] = ["token", "password", "passwd", "secret", "_auth", "credential"];
    let text = text.to_ascii_lowercase();
    !WORDS.iter().any(|word| text.contains(word))
}
