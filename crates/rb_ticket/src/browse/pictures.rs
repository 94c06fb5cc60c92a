//! The pictures of a verification in their folder: few, and under names that are the same every time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rb_core::fs::{self, Durability, FsError};

use super::manifest::{EVIDENCE, Picture, is_picture};
use crate::checks::{By, Check};

const MOST: usize = 40;

#[derive(Debug)]
pub(super) struct Pictures {
    folder: PathBuf,
    list: Vec<Picture>,
}

impl Pictures {
    /// An earlier verification that was killed may have left pictures, which would look like evidence.
    pub(super) fn empty(folder: &Path) -> Result<Pictures, FsError> {
        fs::create_dir_all(folder)?;
        let mut pictures = Pictures { folder: folder.to_owned(), list: Vec::new() };
        pictures.clear()?;
        Ok(pictures)
    }

    pub(super) fn clear(&mut self) -> Result<(), FsError> {
        self.list.clear();
        for name in fs::list(&self.folder)? {
            if name.to_str().is_some_and(|name| is_picture(name) || name == EVIDENCE) {
                fs::remove_file(&self.folder.join(name))?;
            }
        }
        Ok(())
    }

    pub(super) fn is_full(&self) -> bool {
        self.list.len() >= MOST
    }

    pub(super) fn add(&mut self, picture: Picture, png: &[u8]) -> Result<(), FsError> {
        fs::write(&self.folder.join(&picture.file), png, Durability::Relaxed)?;
        self.list.push(picture);
        Ok(())
    }

    pub(super) fn into_list(self) -> Vec<Picture> {
        self.list
    }
}

/// A name for the picture of each check: `C1`, `C1-2`, `page-cart`, `model`.
pub(super) fn names(checks: &[Check]) -> Vec<String> {
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    let name = |check: &Check| {
        let base = match (&check.criterion, check.by) {
            (Some(id), _) => slug(id),
            (None, By::Always) => format!("page-{}", slug(&check.path)),
            (None, By::Model | By::Criterion) => "model".to_owned(),
        };
        let times = used.entry(base.clone()).and_modify(|times| *times += 1).or_insert(1);
        if *times == 1 { base } else { format!("{base}-{times}") }
    };
    checks.iter().map(name).collect()
}

/// Letters, digits and single hyphens, at most 40.
fn slug(text: &str) -> String {
    let plain: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
    let slug: String = words.join("-").chars().take(40).collect();
    if slug.is_empty() { "start".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk4_names_of_pictures_are_stable_and_differ() {
        let check = |criterion: Option<&str>, path: &str, by| Check {
            criterion: criterion.map(str::to_owned),
            says: String::new(),
            path: path.to_owned(),
            viewport: None,
            steps: Vec::new(),
            expect: Vec::new(),
            by,
        };
        let names = names(&[
            check(Some("C1"), "/", By::Criterion),
            check(Some("C1"), "/", By::Model),
            check(Some("../x"), "/", By::Model),
            check(None, "/", By::Model),
            check(None, "/", By::Always),
            check(None, "/a/b?c=d", By::Always),
            check(None, "/a-b/c/d", By::Always),
            check(None, "/a/b/c/d", By::Always),
        ]);
        assert_eq!(
            names,
            [
                "C1",
                "C1-2",
                "x",
                "model",
                "page-start",
                "page-a-b-c-d",
                "page-a-b-c-d-2",
                "page-a-b-c-d-3"
            ]
        );
    }
}
