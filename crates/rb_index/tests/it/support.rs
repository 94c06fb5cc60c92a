//! What the tests of the whole index share.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rb_core::Cancel;
use rb_core::progress::Silent;
use rb_index::search::table::Local;
use rb_index::search::{Meaning, Question, Searchable};
use rb_index::{IndexError, Indexed, NoHistory, Options, Request, update};

pub(crate) fn index(root: &Path, folder: &Path) -> Indexed {
    index_with(root, folder, &searchable())
}

/// With all that can be searched.
pub(crate) fn searchable() -> Options {
    Options { search: Searchable::Meaning(Arc::new(Local)), ..Options::default() }
}

pub(crate) fn index_with(root: &Path, folder: &Path, options: &Options) -> Indexed {
    try_index_with(root, folder, options).unwrap()
}

pub(crate) fn try_index_with(
    root: &Path,
    folder: &Path,
    options: &Options,
) -> Result<Indexed, IndexError> {
    update(&Request {
        root,
        folder,
        options,
        history: &NoHistory,
        progress: &Silent,
        cancel: &Cancel::new(),
    })
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
    said.insert("search".to_owned(), answers(indexed));
    said.insert("counts".to_owned(), format!("{:#?}", indexed.counts));
    said.insert("state".to_owned(), indexed.update.state.clone());
    said
}

/// What is found for some questions, with all scores.
fn answers(indexed: &Indexed) -> String {
    let searcher = indexed.searcher().unwrap();
    let questions = ["the cart and its main function", "open the store", "helper", "Thing", "shop"];
    let answers = questions.map(|text| {
        let question = Question { text: text.to_owned(), limit: 20, ..Question::default() };
        searcher.ask(&question, Meaning::Stored(&Local)).unwrap()
    });
    serde_json::to_string_pretty(&answers).unwrap()
}
