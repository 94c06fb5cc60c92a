//! A run as it is written: its journal followed, its page kept in step.
//!
//! However many events come, a browser gets at most a few messages a second: each holds the parts of the page that changed, and
//! the last lines of the log.

mod follow;
mod log_line;
mod stream;

pub(crate) use follow::{Following, Row, RunFacts, follow};
pub(crate) use log_line::LogLine;
pub(crate) use stream::events;
