//! Progress on stderr: a bar on a terminal, one plain line a step elsewhere, nothing with `--quiet`.
//!
//! A bar appears only when its step has taken a moment, so that quick steps do not flicker. Nested steps
//! are drawn below each other.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use rb_core::Progress;

use crate::ui::{Detail, Ui, printable};

/// How long a step must have run before its bar is drawn.
const DELAY: Duration = Duration::from_millis(300);
/// The most characters of a detail that are drawn.
const DETAIL: usize = 60;
const TICK: Duration = Duration::from_millis(120);

/// The steps under way, innermost last.
#[derive(Debug)]
pub(crate) struct Steps {
    ui: Ui,
    open: Mutex<Vec<Step>>,
}

#[derive(Debug)]
struct Step {
    what: String,
    started: Instant,
    bar: Option<LateBar>,
}

impl Steps {
    pub(crate) fn new(ui: Ui) -> Self {
        Steps { ui, open: Mutex::default() }
    }

    fn open(&self) -> MutexGuard<'_, Vec<Step>> {
        // A list of steps is whole after every statement, so a panic elsewhere does not spoil it.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Steps {
    fn begin(&self, what: &str, total: u64) {
        let what = printable(what);
        let bar = self.ui.live.then(|| LateBar::new(&self.ui.bars, &what, total));
        if bar.is_none() {
            self.ui.note(&what);
        }
        self.open().push(Step { what, started: Instant::now(), bar });
    }

    fn advance(&self, by: u64) {
        if let Some(Step { bar: Some(late), .. }) = self.open().last() {
            late.bar.inc(by);
        }
    }

    fn detail(&self, text: &str) {
        if let Some(Step { what, bar: Some(late), .. }) = self.open().last() {
            let text: String = printable(text).chars().take(DETAIL).collect();
            late.bar.set_message(format!("{what}  {text}"));
        }
    }

    fn end(&self) {
        let Some(step) = self.open().pop() else { return };
        if let Some(bar) = step.bar {
            bar.clear();
        }
        if self.ui.detail == Detail::Verbose {
            let seconds = step.started.elapsed().as_secs_f64();
            self.ui.note(&format!("{}: done in {seconds:.1} s", step.what));
        }
    }
}

impl Drop for Steps {
    /// Work that failed half-way leaves its steps open; their bars must not stay on the screen.
    fn drop(&mut self) {
        for bar in self.open().drain(..).rev().filter_map(|step| step.bar) {
            bar.clear();
        }
    }
}

/// A bar with a thread that draws it when `DELAY` has passed.
#[derive(Debug)]
struct LateBar {
    bar: ProgressBar,
    /// Dropped to call the drawing off.
    waiting: mpsc::Sender<()>,
    drawer: JoinHandle<()>,
}

impl LateBar {
    fn new(bars: &MultiProgress, what: &str, total: u64) -> Self {
        let bar = ProgressBar::hidden();
        bar.set_style(style(total));
        bar.set_message(what.to_owned());
        if total > 0 {
            bar.set_length(total);
        }
        let (waiting, called_off) = mpsc::channel::<()>();
        let drawer = thread::spawn({
            let (bar, bars) = (bar.clone(), bars.clone());
            move || match called_off.recv_timeout(DELAY) {
                Err(RecvTimeoutError::Timeout) => bars.add(bar).enable_steady_tick(TICK),
                Ok(()) | Err(RecvTimeoutError::Disconnected) => {}
            }
        });
        LateBar { bar, waiting, drawer }
    }

    fn clear(self) {
        drop(self.waiting);
        // After this the bar is either drawn or never will be.
        let _ = self.drawer.join();
        self.bar.finish_and_clear();
    }
}

fn style(total: u64) -> ProgressStyle {
    let template = if total > 0 {
        "{spinner} [{bar:20}] {pos}/{len} {elapsed} {wide_msg}"
    } else {
        "{spinner} {wide_msg} {elapsed}"
    };
    ProgressStyle::with_template(template)
        .expect("the template is well-formed")
        .progress_chars("=> ")
}
