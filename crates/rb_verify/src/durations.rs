//! How long each command took the last time in this repository, for whoever waits for it. It is a guess, and nothing hangs on it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use rb_core::fs::{self, Durability};
use rb_toolchains::Command;

use crate::site::Site;

/// More than this is no file of ours.
const LARGEST: u64 = 1 << 20;

/// Milliseconds by folder and line.
type Known = BTreeMap<String, u64>;

fn file(site: &Site) -> PathBuf {
    site.scratch.join("durations.json")
}

fn key(command: &Command) -> String {
    format!("{}: {}", command.folder, command.line)
}

fn known(site: &Site) -> Known {
    let text = fs::read_head(&file(site), LARGEST).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

pub(crate) fn last(site: &Site, command: &Command) -> Option<Duration> {
    known(site).get(&key(command)).copied().map(Duration::from_millis)
}

/// What cannot be kept is not known the next time.
pub(crate) fn keep(site: &Site, command: &Command, ms: u64) {
    let mut known = known(site);
    known.insert(key(command), ms);
    let text = serde_json::to_vec(&known).unwrap_or_default();
    let _ = fs::write(&file(site), &text, Durability::Relaxed);
}
