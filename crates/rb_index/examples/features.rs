//! Writes what the ranking knows of each file for many questions, for `tools/ranking` to choose its weights by.
//!
//! `features ROOT STORE SET.jsonl > FILE`, where each line of the set has `query` and `gold_files`. All numbers are little endian: the
//! number of features, then for each question the number of files that were looked at closely, and for each of these a byte (is it
//! what the question is after?) and its features as f32.

use std::error::Error;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;

use rb_core::Cancel;
use rb_core::progress::Silent;
use rb_index::search::table::Local;
use rb_index::search::{Features, Meaning, Question, Searchable};
use rb_index::{NoHistory, Options, Request, update};
use serde::Deserialize;

#[derive(Deserialize)]
struct Asked {
    query: String,
    gold_files: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [root, store, set] = args.as_slice() else {
        return Err("usage: features ROOT STORE SET.jsonl".into());
    };
    let indexed = update(&Request {
        root: Path::new(root),
        folder: Path::new(store),
        options: &Options { search: Searchable::Meaning(Arc::new(Local)), ..Options::default() },
        history: &NoHistory,
        progress: &Silent,
        cancel: &Cancel::new(),
    })?;
    let searcher = indexed.searcher()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let number = |count: usize| u32::try_from(count).map(u32::to_le_bytes);
    out.write_all(&number(Features::NAMES.len())?)?;
    for line in String::from_utf8(rb_core::fs::read(Path::new(set))?)?.lines() {
        let asked: Asked = serde_json::from_str(line)?;
        let question = Question { text: asked.query, limit: 1, ..Question::default() };
        let files = searcher.features(&question, Meaning::Stored(&Local))?;
        out.write_all(&number(files.len())?)?;
        for (path, features) in files {
            out.write_all(&[u8::from(asked.gold_files.iter().any(|gold| gold == path))])?;
            for value in features.values() {
                out.write_all(&value.to_le_bytes())?;
            }
        }
    }
    Ok(out.flush()?)
}
