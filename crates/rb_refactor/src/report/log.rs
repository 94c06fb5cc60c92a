//! `agent-log.json`: the journal of a run in one file, every action and every transition.

use rb_core::RunId;
use serde::Serialize;

use crate::event::Record;

/// Of the frame; each event has the version of the journal.
pub(crate) const VERSION: u32 = 1;

#[derive(Serialize)]
struct Log<'r> {
    version: u32,
    run: &'r RunId,
    events: &'r [Record],
}

pub(crate) fn text(run: &RunId, records: &[Record]) -> Vec<u8> {
    let log = Log { version: VERSION, run, events: records };
    let mut text = serde_json::to_vec_pretty(&log).expect("a journal is plain data");
    text.push(b'\n');
    text
}
