//! The thread that carries out calls, one at a time, in the order in which they came.
//!
//! It indexes the repository when it starts, so that the first call finds the index ready, unless that comes at once. Indexing goes on
//! if the call that needs it is cancelled: the next call needs it, too. Only the tool itself is cut short.

use std::error::Error;
use std::io;
use std::iter::successors;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rb_core::Cancel;
use rb_core::progress::Silent;
use rb_repo::{ReadOptions, SearchModel};
use rb_tools::{Output, Repository, ToolError, Toolbox};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::call_log::CallLog;
use crate::reply;
use crate::serve::Open;

/// A call of a tool.
pub(crate) struct Call {
    pub(crate) tool: String,
    pub(crate) input: Value,
    /// Set when nobody waits for the answer any more.
    pub(crate) cancel: Cancel,
    pub(crate) answer: oneshot::Sender<Answer>,
}

/// What a tool gave, or in words for the model why it gave nothing.
pub(crate) type Answer = Result<Output, String>;

/// What the thread works with.
pub(crate) struct Session {
    pub(crate) open: Open,
    pub(crate) search: SearchModel,
    pub(crate) log: Option<CallLog>,
    pub(crate) most_calls: Option<u32>,
    pub(crate) warn: Box<dyn Fn(&str) + Send>,
    /// Set when the session ends.
    pub(crate) stop: Cancel,
}

/// The thread.
pub(crate) struct Worker(JoinHandle<()>);

impl Worker {
    /// Starts the thread. It ends when every sender is dropped.
    pub(crate) fn start(session: Session) -> io::Result<(Self, Sender<Call>)> {
        let (sender, calls) = channel();
        let work =
            move || Bench { session, toolbox: Toolbox::default(), has_warned: false }.work(calls);
        let thread = thread::Builder::new().name("tools".to_owned()).spawn(work)?;
        Ok((Worker(thread), sender))
    }

    pub(crate) fn join(self) {
        // A panic was reported when it happened.
        let _ = self.0.join();
    }
}

struct Bench {
    session: Session,
    toolbox: Toolbox,
    /// That the index is not saved.
    has_warned: bool,
}

/// A client that asks at once gets its answer first: every call brings the index up to date. The index of any other is made meanwhile.
const PATIENCE: Duration = Duration::from_millis(50);

/// The cause is on standard error, where the panic was reported.
const PANICKED: &str = "The tool failed because of a bug in refactor-bot. Try another tool, or \
     other arguments.";

impl Bench {
    fn work(mut self, calls: Receiver<Call>) {
        let first = calls.recv_timeout(PATIENCE).ok();
        if first.is_none() {
            // What goes wrong here goes wrong in the first call again, which says so.
            let _ = catch_unwind(AssertUnwindSafe(|| self.index()));
        }
        for call in first.into_iter().chain(calls) {
            if call.cancel.is_cancelled() || self.session.stop.is_cancelled() {
                continue;
            }
            if let Some(why) = self.refusal() {
                let _ = call.answer.send(Err(why));
                continue;
            }
            let answer = self.answer(&call);
            if !call.cancel.is_cancelled() {
                self.log(&call, &answer);
                // It fails if the call was cancelled just now.
                let _ = call.answer.send(answer);
            }
        }
    }

    /// Why no further call is carried out.
    fn refusal(&self) -> Option<String> {
        let (most, log) = (self.session.most_calls?, self.session.log.as_ref()?);
        (log.calls >= most).then(|| {
            format!(
                "You have made {most} calls, which is the limit. Answer now, with what you have."
            )
        })
    }

    fn read_options(&self) -> ReadOptions {
        ReadOptions { rebuild: false, search: self.session.search.searchable() }
    }

    fn index(&mut self) {
        let Session { open, warn, stop, .. } = &self.session;
        match open(stop).update(&self.read_options(), &Silent) {
            Ok(indexed) => {
                warn_once(&mut self.has_warned, &**warn, indexed.update.unsaved.as_deref());
            }
            Err(_) if stop.is_cancelled() => {}
            Err(error) => warn(&format!("the repository cannot be indexed: {}", causes(&error))),
        }
    }

    fn answer(&mut self, call: &Call) -> Answer {
        let answer = catch_unwind(AssertUnwindSafe(|| self.run(call).map(reply::prepared)));
        answer.unwrap_or_else(|_| {
            // It may know only a part of what it was about to take in.
            self.toolbox = Toolbox::default();
            Err(PANICKED.to_owned())
        })
    }

    fn run(&mut self, call: &Call) -> Answer {
        let read_options = self.read_options();
        let Bench { session, toolbox, has_warned } = self;
        let repo = (session.open)(&session.stop);
        let answer = repo.read(&read_options, &Silent, |indexed| {
            warn_once(has_warned, &*session.warn, indexed.update.unsaved.as_deref());
            let (search, cancel) = (&session.search, &call.cancel);
            let repository = Repository { repo: &repo, indexed, search, cancel };
            match toolbox.call(repository, &call.tool, &call.input) {
                Ok(output) => Ok(Ok(output)),
                Err(ToolError::Index(error)) => Err(error),
                Err(error @ (ToolError::Call(_) | ToolError::Interrupted)) => {
                    Ok(Err(error.to_string()))
                }
            }
        });
        answer.unwrap_or_else(|error| {
            Err(format!("The repository cannot be indexed: {}.", causes(&error)))
        })
    }

    fn log(&mut self, call: &Call, answer: &Answer) {
        let Some(log) = &mut self.session.log else { return };
        if let Err(error) = log.write(call, answer) {
            (self.session.warn)(&causes(&error));
        }
    }
}

fn warn_once(has_warned: &mut bool, warn: &dyn Fn(&str), unsaved: Option<&str>) {
    if let Some(why) = unsaved.filter(|_| !*has_warned) {
        warn(&format!("the index is not saved: {why}"));
        *has_warned = true;
    }
}

/// An error and all that is behind it, on one line.
fn causes(error: &(dyn Error + 'static)) -> String {
    let chain = successors(Some(error), |&error| error.source());
    let mut texts: Vec<String> = chain.map(ToString::to_string).collect();
    // Some errors repeat what is behind them.
    texts.dedup();
    texts.join(": ")
}
