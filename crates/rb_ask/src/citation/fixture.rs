//! Files in memory, and what was shown of them.

use std::collections::BTreeMap;

use rb_core::Sha256;
use rb_index::Texts;
use rb_index::content::decode;
use rb_tools::{Evidence, Shown};

use super::Citation;

pub(crate) struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    pub(crate) fn new<T: AsRef<[u8]>>(files: &[(&str, T)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_ref().to_vec()));
        Files(files.collect())
    }

    /// Evidence with these lines of one file.
    pub(crate) fn shown(&self, path: &str, first: u32, last: u32) -> Evidence {
        let mut evidence = Evidence::default();
        evidence.add(&self.lines(path, first, last));
        evidence
    }

    pub(crate) fn lines(&self, path: &str, first: u32, last: u32) -> Shown {
        let bytes = &self.0[path];
        let (text, _) = decode(bytes.clone()).unwrap();
        let lines = (1..).zip(text.lines()).filter(|(number, _)| (first..=last).contains(number));
        Shown {
            path: path.to_owned(),
            hash: Sha256::of(bytes),
            first,
            lines: lines.map(|(_, line)| line.to_owned()).collect(),
        }
    }
}

impl Texts for Files {
    fn text(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(path).cloned()
    }
}

pub(crate) fn cite(path: &str, first_line: u32, last_line: u32, quote: &str) -> Citation {
    Citation { path: path.to_owned(), first_line, last_line, quote: quote.to_owned() }
}
