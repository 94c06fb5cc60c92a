//! An interactive session: one question after the other, with history and line editing, and commands that begin with a slash.
//!
//! Where standard input is not a terminal, each of its lines is a question or a command, so that a session can be scripted.

use std::io::{self, BufRead as _};
use std::path::Path;
use std::sync::atomic::Ordering;

use rb_core::Usd;
use rb_core::fs::{self, Appender, Durability};
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};

use super::Conversation;
use super::screen::{self, Format};
use crate::app::App;
use crate::ask_question::Asked;
use crate::commands::run::go;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::numbers::plural;
use crate::ui::printable;

const PROMPT: &str = "ask> ";

/// The most lines of history that are kept.
const HISTORY: usize = 1000;

const HELP: &str = "\
Type a question about the repository, or a command:
  /files          files read so far, and how often
  /memory         what is remembered from earlier questions
  /plan           plan of the last question
  /cost           model calls, tokens and money so far
  /save FILE.md   save the session as Markdown; /save! replaces an existing file
  /help           this list
  /quit           end the session; so does Ctrl-D
Ctrl-C cancels a question. To begin a question with a slash, put a space in front of it.
";

/// What a line asks for.
#[derive(Debug, PartialEq, Eq)]
enum Input<'l> {
    Nothing,
    Question(&'l str),
    Files,
    Memory,
    Plan,
    Cost,
    Save {
        file: &'l str,
        existing: Existing,
    },
    Help,
    Quit,
    /// With what to do instead.
    Wrong(String),
}

/// What happens to a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Existing {
    Keep,
    Replace,
}

fn parse(line: &str) -> Input<'_> {
    let text = line.trim();
    let Some(command) = line.strip_prefix('/') else {
        return if text.is_empty() { Input::Nothing } else { Input::Question(text) };
    };
    let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    match (name, rest.trim()) {
        ("files", "") => Input::Files,
        ("memory", "") => Input::Memory,
        ("plan", "") => Input::Plan,
        ("cost", "") => Input::Cost,
        ("help" | "?", "") => Input::Help,
        ("quit" | "exit" | "q", "") => Input::Quit,
        ("save" | "save!", "") => Input::Wrong("give a file, as in: /save answers.md".to_owned()),
        ("save", file) => Input::Save { file, existing: Existing::Keep },
        ("save!", file) => Input::Save { file, existing: Existing::Replace },
        ("files" | "memory" | "plan" | "cost" | "help" | "?" | "quit" | "exit" | "q", _) => {
            Input::Wrong(format!("/{name} takes no argument"))
        }
        (name, _) => Input::Wrong(format!("there is no command /{name}; /help lists them")),
    }
}

/// Answers until the input ends.
pub(super) fn run(mut talk: Conversation<'_>) -> Result<Outcome, CliError> {
    let app = talk.app;
    let mut lines = Lines::open(app)?;
    let mut session = Session { asked: Vec::new(), failed: None };
    if lines.is_terminal() {
        let name = talk.repo.root().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = printable(&name);
        app.ui.say(&format!("Questions about {name}. /help lists the commands, Ctrl-D ends.\n"));
    }
    while let Some(line) = lines.next(app)? {
        match parse(&line) {
            Input::Quit => break,
            Input::Question(question) => {
                session.question(&mut talk, question, lines.is_terminal())?;
            }
            input => say(&talk, &session.text(&talk, &input))?,
        }
    }
    // Somebody at a terminal has seen what failed; a script is told at the end.
    let failed = session.failed.filter(|_| !lines.is_terminal());
    Ok(failed.map_or(Outcome::Done, Outcome::Reported))
}

/// What a command says: beside the answers for people, apart from them for programs.
fn say(talk: &Conversation<'_>, text: &str) -> Result<(), CliError> {
    if talk.format == Format::Json {
        talk.app.ui.say(text);
        return Ok(());
    }
    talk.app.ui.print(text)
}

/// The questions so far.
struct Session {
    asked: Vec<Asked>,
    /// Why the first question failed that did.
    failed: Option<ErrorKind>,
}

impl Session {
    fn question(
        &mut self,
        talk: &mut Conversation<'_>,
        question: &str,
        is_terminal: bool,
    ) -> Result<(), CliError> {
        let app = talk.app;
        if !is_terminal && talk.format == Format::Terminal {
            app.ui.print(&format!("> {}\n\n", printable(question)))?;
        }
        match talk.ask(question) {
            Ok(asked) => {
                talk.show(&asked)?;
                self.asked.push(asked);
                Ok(())
            }
            Err(error) if error.kind == ErrorKind::Interrupted && is_terminal => {
                // The question is cancelled, the session goes on: the next Ctrl-C is a first one again.
                app.cancel.flag().store(false, Ordering::SeqCst);
                app.ui.error_lines(&error);
                Ok(())
            }
            Err(error) if error.kind == ErrorKind::Interrupted => Err(error),
            Err(error) => {
                if talk.format == Format::Json {
                    app.ui.error_object(&error);
                } else {
                    app.ui.error_lines(&error);
                }
                self.failed = self.failed.or(Some(error.kind));
                Ok(())
            }
        }
    }

    fn text(&self, talk: &Conversation<'_>, input: &Input<'_>) -> String {
        match input {
            Input::Nothing | Input::Question(_) | Input::Quit => String::new(),
            Input::Files => screen::files(&talk.memory.memory),
            Input::Memory => screen::memory(&talk.memory.memory),
            Input::Plan => screen::plan(self.asked.last()),
            Input::Cost => self.cost(),
            Input::Save { file, existing } => self.save(Path::new(file), *existing),
            Input::Help => HELP.to_owned(),
            Input::Wrong(what) => format!("{}\n", printable(what)),
        }
    }

    fn cost(&self) -> String {
        let sum = |of: fn(&Asked) -> u64| -> u64 { self.asked.iter().map(of).sum() };
        let questions = plural(self.asked.len() as u64, "question");
        let calls = plural(sum(|it| u64::from(it.session.calls)), "tool call");
        let model_calls = sum(|it| it.model_calls);
        if model_calls == 0 {
            return format!("{questions}, {calls}, no model calls\n");
        }
        let spent: Usd = self.asked.iter().map(|it| it.spent).sum();
        let model_calls = plural(model_calls, "model call");
        let tokens = plural(sum(|it| it.session.tokens), "token");
        format!("{questions}, {calls}, {model_calls}, {tokens}, {spent}\n")
    }

    /// The whole session as Markdown. Nothing that is there is overwritten unless that was said.
    fn save(&self, file: &Path, existing: Existing) -> String {
        let name = printable(&file.display().to_string());
        if self.asked.is_empty() {
            return "there is nothing to save yet\n".to_owned();
        }
        let is_there = file.symlink_metadata().is_ok();
        if is_there && existing == Existing::Keep {
            return format!("{name} exists and was not changed; /save! {name} replaces it\n");
        }
        let text = screen::session_markdown(&self.asked);
        let verb = if is_there { "replaced" } else { "saved" };
        match fs::write(file, text.as_bytes(), Durability::Relaxed) {
            Ok(()) => {
                let questions = plural(self.asked.len() as u64, "question");
                format!("{verb} {name}: {questions}\n")
            }
            Err(error) => {
                let why = error.source.to_string();
                format!("cannot write {name}: {}\n", printable(&why))
            }
        }
    }
}

/// Where lines come from.
enum Lines {
    Terminal { editor: Box<Editor<(), MemHistory>>, history: Option<Appender> },
    Pipe,
}

impl Lines {
    fn open(app: &App) -> Result<Lines, CliError> {
        if !go::is_terminal(app) {
            return Ok(Lines::Pipe);
        }
        let size = Config::builder().max_history_size(HISTORY).map_err(unusable)?;
        let config = size.auto_add_history(true).build();
        let past = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, past).map_err(unusable)?;
        let file = app.home()?.ask_history();
        // A history that cannot be read or written is no reason not to answer.
        for line in recent(&file) {
            let _ = editor.add_history_entry(line);
        }
        let history = appender(&file).inspect_err(|error| app.ui.warn(&error.to_string())).ok();
        Ok(Lines::Terminal { editor: Box::new(editor), history })
    }

    fn is_terminal(&self) -> bool {
        matches!(self, Lines::Terminal { .. })
    }

    /// The next line; `None` at the end.
    fn next(&mut self, app: &App) -> Result<Option<String>, CliError> {
        let (editor, history) = match self {
            Lines::Terminal { editor, history } => (editor, history),
            Lines::Pipe => return piped(app),
        };
        let _question_open = app.ui.open_question();
        match editor.readline(PROMPT) {
            Ok(line) => {
                let line = line.replace(['\n', '\r'], " ");
                if let Some(history) = history
                    && !line.trim().is_empty()
                {
                    let _ = history.append(format!("{line}\n").as_bytes());
                }
                Ok(Some(line))
            }
            Err(ReadlineError::Eof) => Ok(None),
            // Ctrl-C drops the line.
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => Ok(Some(String::new())),
            Err(error) => Err(unusable(error)),
        }
    }
}

fn unusable(error: ReadlineError) -> CliError {
    CliError::new(ErrorKind::Environment, error)
        .hint("to ask without line editing, pipe the questions in, one per line")
}

fn piped(app: &App) -> Result<Option<String>, CliError> {
    let mut line = Vec::new();
    let read = io::stdin().lock().read_until(b'\n', &mut line);
    let count = read.map_err(|error| CliError::new(ErrorKind::Environment, error))?;
    let ends = count == 0 || app.cancel.is_cancelled();
    Ok((!ends).then(|| String::from_utf8_lossy(&line).trim_end().to_owned()))
}

/// The last lines of the history, oldest first. A long file is cut to them.
fn recent(file: &Path) -> Vec<String> {
    let bytes = fs::read_optional(file).ok().flatten().unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let all: Vec<&str> = text.lines().collect();
    let recent = &all[all.len().saturating_sub(HISTORY)..];
    if all.len() > 2 * HISTORY {
        let _ = fs::write(file, format!("{}\n", recent.join("\n")).as_bytes(), Durability::Relaxed);
    }
    recent.iter().map(|line| (*line).to_owned()).collect()
}

fn appender(file: &Path) -> Result<Appender, fs::FsError> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    Appender::open(file, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as4_a_line_is_a_question_or_a_command() {
        let check = |line: &str, expected: Input<'_>| assert_eq!(parse(line), expected, "{line:?}");
        check("", Input::Nothing);
        check("  \t", Input::Nothing);
        check(" how does it work? ", Input::Question("how does it work?"));
        check(" /users is handled where?", Input::Question("/users is handled where?"));
        check("/files", Input::Files);
        check("/memory ", Input::Memory);
        check("/plan", Input::Plan);
        check("/cost", Input::Cost);
        check("/?", Input::Help);
        check("/help", Input::Help);
        check("/q", Input::Quit);
        check("/quit", Input::Quit);
        check("/exit", Input::Quit);
        let save = |file, existing| Input::Save { file, existing };
        check("/save a b.md", save("a b.md", Existing::Keep));
        check("/save! out.md", save("out.md", Existing::Replace));
        let wrong = |what: &str| Input::Wrong(what.to_owned());
        check("/save", wrong("give a file, as in: /save answers.md"));
        check("/files all", wrong("/files takes no argument"));
        check("/", wrong("there is no command /; /help lists them"));
        check("/fils", wrong("there is no command /fils; /help lists them"));
        check("/users is handled where?", wrong("there is no command /users; /help lists them"));
    }

    #[test]
    fn as4_history_is_read_from_its_end_and_cut() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("ask/history");
        assert_eq!(recent(&file), Vec::<String>::new());
        let mut history = appender(&file).unwrap();
        for number in 0..=2 * HISTORY {
            history.append(format!("{number}\n").as_bytes()).unwrap();
        }
        let lines = recent(&file);
        assert_eq!((lines.len(), lines[0].as_str()), (HISTORY, "1001"));
        let kept = String::from_utf8(fs::read(&file).unwrap()).unwrap();
        assert_eq!(kept.lines().count(), HISTORY);
    }
}
