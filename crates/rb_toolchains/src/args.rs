//! The arguments of a runner, edited word by word: reporters changed, file names taken out, flags put in.

use crate::shell::{Part, Word};

/// Does a flag take the next word?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    Nothing,
    Value,
}

/// A part in which the runner's own name stands at `at`; wrappers come before it.
#[derive(Debug, Clone)]
pub(crate) struct Args {
    pub(crate) part: Part,
    pub(crate) at: usize,
}

impl Args {
    pub(crate) fn has(&self, flag: &str) -> bool {
        self.tail().iter().any(|word| word.text == flag || is_assigned(&word.text, flag))
    }

    /// The first word after the name that is no flag.
    pub(crate) fn subcommand(&self) -> Option<&str> {
        self.tail().first().map(|word| word.text.as_str()).filter(|word| !word.starts_with('-'))
    }

    fn tail(&self) -> &[Word] {
        self.part.words.get(self.at + 1..).unwrap_or_default()
    }

    pub(crate) fn remove(&mut self, flag: &str, takes: Takes) {
        let mut at = self.at + 1;
        while at < self.part.words.len() {
            let text = &self.part.words[at].text;
            if text == "--" {
                return;
            }
            if text == flag {
                self.part.words.remove(at);
                if takes == Takes::Value && at < self.part.words.len() {
                    self.part.words.remove(at);
                }
            } else if is_assigned(text, flag) {
                self.part.words.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// Right after the runner's name.
    pub(crate) fn put_first(&mut self, flags: &[&str]) {
        let words = flags.iter().map(|flag| Word::new(flag));
        let start = self.at + 1;
        self.part.words.splice(start..start, words);
    }

    /// At the end, but before a lone `--`.
    pub(crate) fn put_last(&mut self, flags: &[&str]) {
        let words = &self.part.words;
        let end = words.iter().skip(self.at + 1).position(|word| word.text == "--");
        let end = end.map_or(words.len(), |at| at + self.at + 1);
        self.part.words.splice(end..end, flags.iter().map(|flag| Word::new(flag)));
    }

    /// Takes out what is neither a flag nor the value of one; false when that cannot be told.
    pub(crate) fn drop_positionals(
        &mut self,
        values: &[&str],
        bools: &[&str],
        keep: &[&str],
    ) -> bool {
        let mut kept: Vec<Word> = self.part.words[..=self.at].to_vec();
        let mut tail = self.tail().iter().peekable();
        while let Some(word) = tail.next() {
            let text = word.text.as_str();
            if text == "--" || is_redirect(word) {
                return false;
            }
            if !text.starts_with('-') || text == "-" {
                kept.extend(keep.contains(&text).then(|| word.clone()));
                continue;
            }
            kept.push(word.clone());
            let takes_next = tail.peek().is_some_and(|next| !next.text.starts_with('-'));
            if values.contains(&text) {
                kept.extend(tail.next().cloned());
            } else if takes_next
                && !text.contains('=')
                && !bools.contains(&text)
                && !is_switch(text)
            {
                return false;
            }
        }
        self.part.words = kept;
        true
    }
}

fn is_assigned(text: &str, flag: &str) -> bool {
    text.strip_prefix(flag).is_some_and(|rest| rest.starts_with('='))
}

fn is_switch(text: &str) -> bool {
    ["--no-", "--experimental-", "--enable-", "--disable-", "--trace-"]
        .iter()
        .any(|start| text.starts_with(start))
}

fn is_redirect(word: &Word) -> bool {
    !word.plain && word.raw.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['>', '<'])
}
