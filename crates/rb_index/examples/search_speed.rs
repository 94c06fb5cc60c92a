//! How long questions take in a process that stays: `search_speed ROOT STORE SET.jsonl`, where each line of the set has `query`.
//!
//! Each question is asked once to warm up and five times to be measured. Prints milliseconds as JSON, for words alone and for words and
//! vectors: of the ranking, and of an answer with the symbols and lines of ten files.

use std::error::Error;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use rb_core::Cancel;
use rb_core::progress::Silent;
use rb_index::search::table::Local;
use rb_index::search::{Meaning, Question, Searchable, Searcher, Signals};
use rb_index::{NoHistory, Options, Request, update};
use serde::Deserialize;
use serde_json::json;

const TIMES: usize = 5;

#[derive(Deserialize)]
struct Asked {
    query: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [root, store, set] = args.as_slice() else {
        return Err("usage: search_speed ROOT STORE SET.jsonl".into());
    };
    let indexed = update(&Request {
        root: Path::new(root),
        folder: Path::new(store),
        options: &Options { search: Searchable::Meaning(Arc::new(Local)), ..Options::default() },
        history: &NoHistory,
        progress: &Silent,
        cancel: &Cancel::new(),
    })?;
    let opened = Instant::now();
    let searcher = indexed.searcher()?;
    let opening = milliseconds(opened);
    let set = String::from_utf8(rb_core::fs::read(Path::new(set))?)?;
    let asked: Vec<Asked> = set.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let words = Signals { vectors: false, ..Signals::default() };
    let value = json!({
        "files": indexed.update.files,
        "questions": asked.len(),
        "open": opening,
        "words": measured(&searcher, &asked, words, Meaning::None)?,
        "both": measured(&searcher, &asked, Signals::default(), Meaning::Stored(&Local))?,
    });
    Ok(writeln!(io::stdout(), "{value}")?)
}

fn milliseconds(since: Instant) -> f64 {
    (since.elapsed().as_secs_f64() * 1e6).round() / 1e3
}

fn measured(
    searcher: &Searcher<'_>,
    asked: &[Asked],
    signals: Signals,
    meaning: Meaning<'_>,
) -> Result<serde_json::Value, Box<dyn Error>> {
    let (mut first, mut times, mut ranks) = (Vec::new(), Vec::new(), Vec::new());
    for asked in asked {
        let text = asked.query.clone();
        let question = Question { text, limit: 10, signals, ..Question::default() };
        for time in 0..=TIMES {
            let started = Instant::now();
            searcher.ask(&question, meaning)?;
            let into = if time == 0 { &mut first } else { &mut times };
            into.push(milliseconds(started));
            let started = Instant::now();
            searcher.features(&question, meaning)?;
            ranks.push(milliseconds(started));
        }
    }
    for times in [&mut first, &mut times, &mut ranks] {
        times.sort_by(f64::total_cmp);
    }
    let at = |times: &[f64], share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
    Ok(json!({
        "rank_p50": at(&ranks, 50),
        "rank_p95": at(&ranks, 95),
        "p50": at(&times, 50),
        "p95": at(&times, 95),
        "first_p50": at(&first, 50),
    }))
}
