//! A panic is our bug: say so in a few lines, ask for a report, and leave with its exit code.

use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

use crate::error::{CliError, ErrorKind};
use crate::ui::Ui;

/// Runs `body`. The hook speaks on stderr at once, so that a panic on another thread is not lost
/// either; the object of `--json` follows when the main thread was hit.
pub(crate) fn guard(ui: &Ui, body: impl FnOnce() -> u8) -> u8 {
    let hook_ui = ui.clone();
    panic::set_hook(Box::new(move |info| say(&hook_ui, info)));
    panic::catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        ui.error_object(&bug(&format!("internal error: {}", words(payload.as_ref()))));
        ErrorKind::Bug.exit_code()
    })
}

fn say(ui: &Ui, info: &PanicHookInfo<'_>) {
    let place = info.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
    let error = bug(&format!("internal error at {place}: {}", words(info.payload())));
    // Captures only when RUST_BACKTRACE asks for it.
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        ui.error_lines(&error);
        ui.stderr(&format!("{backtrace}\n"));
    } else {
        ui.error_lines(&error.hint("set RUST_BACKTRACE=1 to see a backtrace"));
    }
}

fn bug(message: &str) -> CliError {
    CliError::new(ErrorKind::Bug, message).hint(
        "this is a bug in refactor-bot; please report it with this message, the command line and \
         the output of `refactor-bot --version`",
    )
}

fn words(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
