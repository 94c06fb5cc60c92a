//! What the person sees: results on stdout, everything else on stderr.
//!
//! The one place that writes to either. Foreign text passes `printable` before it gets to a terminal.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{MultiProgress, ProgressDrawTarget};
use rustix::termios::tcgetwinsize;
use serde::Serialize;
use serde_json::json;
use thiserror::Error;

use crate::cli::Globals;
use crate::color::Palette;
use crate::environment::Environment;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::progress::Steps;
use crate::wrap::wrapped;

/// Cheap to clone; all clones share the lines where progress is drawn.
#[derive(Debug, Clone)]
pub(crate) struct Ui {
    /// Results are JSON, one object a line.
    pub(crate) json: bool,
    pub(crate) detail: Detail,
    /// Colours of stdout.
    pub(crate) out: Palette,
    err: Palette,
    /// How wide lines may be, where the stream is a terminal.
    out_width: Option<usize>,
    err_width: Option<usize>,
    /// `--no-pager`
    pub(crate) no_pager: bool,
    /// Stderr is a terminal that can redraw a line.
    pub(crate) live: bool,
    pub(crate) bars: MultiProgress,
    /// A person is being asked something: no step is under way.
    asking: Arc<AtomicBool>,
}

/// Marks a question as open until it is dropped.
pub(crate) struct OpenQuestion(Option<Arc<AtomicBool>>);

impl OpenQuestion {
    /// Leaves the mark in place: the program ends at the question.
    pub(crate) fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for OpenQuestion {
    fn drop(&mut self) {
        if let Some(asking) = &self.0 {
            asking.store(false, Ordering::SeqCst);
        }
    }
}

/// How much is said on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    Quiet,
    Usual,
    Verbose,
}

/// Standard output is gone or full.
#[derive(Debug, Error)]
#[error("cannot write to standard output")]
struct StdoutError(#[source] io::Error);

impl Ui {
    pub(crate) fn new(globals: &Globals, environment: &Environment) -> Self {
        let terminal = io::stderr().is_terminal();
        let detail = match (globals.quiet, globals.verbose) {
            (true, _) => Detail::Quiet,
            (false, false) => Detail::Usual,
            (false, true) => Detail::Verbose,
        };
        let live = terminal && detail != Detail::Quiet && environment.text("TERM") != Some("dumb");
        let target = if live { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Ui {
            json: globals.json,
            detail,
            out: Palette::new(globals.color, environment, io::stdout().is_terminal()),
            err: Palette::new(globals.color, environment, terminal),
            out_width: width(&io::stdout(), environment),
            err_width: width(&io::stderr(), environment),
            no_pager: globals.no_pager,
            live,
            bars: MultiProgress::with_draw_target(target),
            asking: Arc::default(),
        }
    }

    pub(crate) fn open_question(&self) -> OpenQuestion {
        self.asking.store(true, Ordering::SeqCst);
        OpenQuestion(Some(Arc::clone(&self.asking)))
    }

    pub(crate) fn is_asking(&self) -> bool {
        self.asking.load(Ordering::SeqCst)
    }

    /// Prints a result that people read, fitted to their terminal.
    pub(crate) fn print(&self, text: &str) -> Result<(), CliError> {
        match self.out_width {
            Some(width) => self.print_raw(&wrapped(text, width)),
            None => self.print_raw(text),
        }
    }

    /// Prints a result as it is: code, or something for a program.
    pub(crate) fn print_raw(&self, text: &str) -> Result<(), CliError> {
        self.write_out(text.as_bytes())
    }

    fn write_out(&self, bytes: &[u8]) -> Result<(), CliError> {
        self.bars
            .suspend(|| {
                let mut stdout = io::stdout().lock();
                stdout.write_all(bytes)?;
                stdout.flush()
            })
            .map_err(|error| CliError::new(ErrorKind::Environment, StdoutError(error)))
    }

    /// Prints foreign bytes: made safe on a terminal, as they are elsewhere.
    pub(crate) fn print_foreign(&self, bytes: &[u8]) -> Result<(), CliError> {
        if is_out_terminal() {
            let text = String::from_utf8_lossy(bytes).replace('\t', "        ");
            return self.print_raw(&printable(&text));
        }
        self.write_out(bytes)
    }

    /// Prints a result as one line of JSON.
    pub(crate) fn print_json(&self, value: &impl Serialize) -> Result<(), CliError> {
        let mut line = serde_json::to_string(value).expect("results have text keys");
        line.push('\n');
        self.print_raw(&line)
    }

    /// Something worth knowing that does not stop the work.
    pub(crate) fn warn(&self, text: &str) {
        if self.detail != Detail::Quiet {
            self.say(&format!("{} {}\n", self.err.yellow("warning:"), printable(text)));
        }
    }

    /// A line about what is going on.
    pub(crate) fn note(&self, text: &str) {
        if self.detail != Detail::Quiet {
            self.say(&format!("{}\n", printable(text)));
        }
    }

    /// Draws or lists the steps of long work.
    pub(crate) fn progress(&self) -> Steps {
        Steps::new(self.clone())
    }

    /// Says how it ended, and gives the exit code.
    pub(crate) fn finish(&self, result: Result<Outcome, CliError>) -> u8 {
        match result {
            Ok(Outcome::Done) => 0,
            Ok(Outcome::Reported(kind)) => kind.exit_code(),
            // Whoever closed the pipe has read enough.
            Err(error) if is_broken_pipe(&error) => 0,
            Err(error) => {
                if self.json {
                    self.error_object(&error);
                } else {
                    self.error_lines(&error);
                }
                error.kind.exit_code()
            }
        }
    }

    /// Shows what clap has to say: help and version are results, the rest is a mistake in the arguments.
    pub(crate) fn usage(&self, error: &clap::Error) -> Result<Outcome, CliError> {
        let rendered = error.render();
        let text = |palette: Palette| {
            if palette.on { rendered.ansi().to_string() } else { rendered.to_string() }
        };
        if !error.use_stderr() {
            self.print_raw(&text(self.out))?;
            return Ok(Outcome::Done);
        }
        if self.json {
            return Err(usage_error(&rendered.to_string()));
        }
        self.say(&text(self.err));
        Ok(Outcome::Reported(ErrorKind::Usage))
    }

    /// The error as a person reads it.
    pub(crate) fn error_lines(&self, error: &CliError) {
        let mut text = format!("{} {}\n", self.err.red("error:"), printable(&error.message()));
        for cause in error.causes() {
            let _ = writeln!(text, "{} {}", self.err.dim("caused by:"), printable(&cause));
        }
        for hint in &error.hints {
            let _ = writeln!(text, "{} {}", self.err.cyan("hint:"), printable(hint));
        }
        self.say(&text);
    }

    /// The error as a program reads it; nothing unless `--json` was given.
    pub(crate) fn error_object(&self, error: &CliError) {
        if self.json {
            // There is nobody left to tell that stdout is gone.
            let _ = self.print_json(&json!({ "error": {
                "kind": error.kind,
                "exit_code": error.kind.exit_code(),
                "message": error.message(),
                "causes": error.causes(),
                "hints": error.hints,
            }}));
        }
    }

    /// Writes words for people to stderr, fitted to their terminal.
    pub(crate) fn say(&self, text: &str) {
        match self.err_width {
            Some(width) => self.stderr(&wrapped(text, width)),
            None => self.stderr(text),
        }
    }

    /// Writes to stderr as it is; a closed stderr is no reason to stop.
    pub(crate) fn stderr(&self, text: &str) {
        self.bars.suspend(|| {
            let _ = io::stderr().lock().write_all(text.as_bytes());
        });
    }
}

pub(crate) fn is_out_terminal() -> bool {
    io::stdout().is_terminal()
}

/// The width of a terminal: `COLUMNS` if it is set, else what the terminal says. None elsewhere.
fn width(stream: &(impl IsTerminal + AsFd), environment: &Environment) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    let set = environment.text("COLUMNS").and_then(|text| text.parse().ok());
    let columns = set.or_else(|| Some(tcgetwinsize(stream).ok()?.ws_col.into()));
    columns.filter(|&columns| columns >= NARROWEST)
}

/// In fewer columns nothing can be read anyway.
const NARROWEST: usize = 20;

fn is_broken_pipe(error: &CliError) -> bool {
    error
        .source
        .downcast_ref::<StdoutError>()
        .is_some_and(|StdoutError(io)| io.kind() == io::ErrorKind::BrokenPipe)
}

/// The first paragraph is what is wrong; tips and usage are what to do.
fn usage_error(rendered: &str) -> CliError {
    let mut paragraphs = rendered
        .trim()
        .split("\n\n")
        .map(|text| text.lines().map(str::trim).collect::<Vec<_>>().join(" "));
    let message = paragraphs.next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(&message).to_owned();
    paragraphs.fold(CliError::new(ErrorKind::Usage, message), CliError::hint)
}

/// Foreign text made safe for a terminal: control characters and those that reorder or hide text are
/// written as escapes. Line ends stay.
pub(crate) fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        let hides = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
        if c != '\n' && (c.is_control() || hides) {
            safe.extend(c.escape_unicode());
        } else {
            safe.push(c);
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux5_foreign_text_cannot_steer_the_terminal() {
        assert_eq!(printable("plain ä 漢\nline"), "plain ä 漢\nline");
        assert_eq!(printable("\x1b[2J\u{9b}x\r"), "\\u{1b}[2J\\u{9b}x\\u{d}");
        assert_eq!(printable("a\u{202e}b"), "a\\u{202e}b");
    }

    #[test]
    fn ux2_usage_errors_keep_their_tips() {
        let error = usage_error("error: no such flag\n\n  tip: try\n  this\n\nUsage: x\n");
        assert_eq!(error.message(), "no such flag");
        assert_eq!(error.hints, ["tip: try this", "Usage: x"]);
    }
}
