//! What the tests of the whole index share.

use std::collections::BTreeMap;
use std::path::Path;

use rb_core::Cancel;
use rb_core::progress::Silent;
use rb_index::{Indexed, NoHistory, Options, Request, update};

pub(crate) fn index(root: &Path, folder: &Path) -> Indexed {
    index_with(root, folder, &Options::default())
}

pub(crate) fn index_with(root: &Path, folder: &Path, options: &Options) -> Indexed {
    update(&Request {
        root,
        folder,
        options,
        history: &NoHistory,
        progress: &Silent,
        cancel: &Cancel::new(),
    })
    .unwrap()
}

/// Everything that an index says, as bytes.
pub(crate) fn all_it_says(indexed: &Indexed) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let written = rb_index::artifacts::write_all(indexed, folder.path()).unwrap();
    let mut said: BTreeMap<String, String> = written
        .iter()
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, String::from_utf8(rb_core::fs::read(path).unwrap()).unwrap())
        })
        .collect();
    let overview = indexed.overview().unwrap();
    said.insert("overview".to_owned(), serde_json::to_string_pretty(overview).unwrap());
    said.insert("counts".to_owned(), format!("{:#?}", indexed.counts));
    said.insert("state".to_owned(), indexed.update.state.clone());
    said
}
