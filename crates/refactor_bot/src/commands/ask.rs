//! `refactor-bot ask`: answers a question about a repository, every claim with citations that were checked.

mod links;
mod screen;
mod session;

use std::path::{Path, PathBuf};

use rb_ask::Memory;
use rb_core::RunId;
use rb_core::fs::{self, Durability};
use rb_repo::Repo;

use self::links::Links;
use self::screen::Format;
use super::run::agree;
use crate::app::App;
use crate::ask_question::{Asked, Asker, MemoryFile};
use crate::ask_run;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::model_flags::ModelFlags;
use crate::repo_index::Scope;

const EXAMPLES: &str = "\
Examples:
  refactor-bot ask \"how does res.render find a template?\"
  refactor-bot ask ../shop \"where are sessions expired\" --provider anthropic
  refactor-bot ask ../shop
  refactor-bot ask --tour --output TOUR.md
  refactor-bot ask . \"who calls parseHeaders\" --json

Without a question, an interactive session begins. Without --provider no model is used: the answer is extracted from the \
source, and each statement is cited. Every citation is checked against the lines that were read; a claim that its \
citations do not support is marked. What was verified is remembered until the cited files change.";

/// Answer a question about a repository, with citations that are checked
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    scope: Scope,

    /// Question in plain English. Without REPO, about the current folder
    #[arg(value_name = "QUESTION")]
    question: Option<String>,

    /// Write an onboarding document: what the project is, how it is built, what to read first
    #[arg(long, conflicts_with_all = ["question", "forget"])]
    tour: bool,

    /// Output format: terminal, markdown or json
    #[arg(long, value_name = "FORMAT", value_enum, hide_possible_values = true)]
    format: Option<Format>,

    /// Leave out claims that could not be verified
    #[arg(long)]
    verified_only: bool,

    /// Write the answer to this file, as Markdown unless --format says otherwise
    #[arg(long, short, value_name = "FILE", conflicts_with = "forget")]
    output: Option<PathBuf>,

    /// Delete what earlier questions found out about the repository
    #[arg(long, conflicts_with = "question")]
    forget: bool,

    /// Use a paid model without asking for confirmation
    #[arg(long, short)]
    yes: bool,

    #[command(flatten)]
    pub(super) models: ModelFlags,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let (scope, question) = args.target();
    if question.as_ref().is_some_and(|question| question.trim().is_empty()) {
        return Err(nothing_asked());
    }
    if question.is_none() && !args.tour && args.output.is_some() {
        return Err(CliError::new(ErrorKind::Usage, "--output needs a question or --tour")
            .hint("in a session, `/save FILE.md` saves all answers"));
    }
    let repo = scope.open(app)?;
    if args.forget {
        return forget(app, &repo);
    }
    let mut talk = Conversation::open(args, app, repo)?;
    let asked = match question {
        _ if args.tour => talk.tour()?,
        Some(question) => talk.ask(question.trim())?,
        None => return session::run(talk),
    };
    match &args.output {
        Some(file) => talk.write(&asked, file)?,
        None => talk.show(&asked)?,
    }
    Ok(Outcome::Done)
}

impl Args {
    /// The files and the question. One argument alone is the question, unless it is a folder or can only be meant as one.
    fn target(&self) -> (Scope, Option<String>) {
        let scope = self.scope.clone();
        if self.question.is_some() || self.tour || self.forget {
            return (scope, self.question.clone());
        }
        let target = self.scope.target();
        let is_path =
            |text: &str| text.starts_with(['.', '/', '~']) && !text.contains(char::is_whitespace);
        match target.to_str() {
            Some(text) if !target.is_dir() && !is_path(text) => {
                (scope.at("."), Some(text.to_owned()))
            }
            Some(_) | None => (scope, None),
        }
    }
}

fn nothing_asked() -> CliError {
    CliError::new(ErrorKind::Usage, "nothing was asked")
        .hint("ask in plain English, as in: refactor-bot ask \"where are sessions expired\"")
}

fn forget(app: &App, repo: &Repo) -> Result<Outcome, CliError> {
    let file = app.home()?.ask_memory(&repo.name());
    let words = match Memory::forget(&file)? {
        None => "nothing was remembered about this repository".to_owned(),
        Some(memory) => format!("forgot {}", screen::size(&memory)),
    };
    if app.ui.json {
        app.ui.print_json(&serde_json::json!({ "forgotten": words }))?;
    } else {
        app.ui.print(&format!("{words}\n"))?;
    }
    Ok(Outcome::Done)
}

/// Resumes an interrupted question, and shows its answer.
pub(super) fn resume(app: &App, id: &RunId) -> Result<Outcome, CliError> {
    let (repo, asked) = ask_run::resume(app, id)?;
    let format = if app.ui.json { Format::Json } else { Format::Terminal };
    print(app, &Links::new(app, &repo), format, &asked)?;
    Ok(Outcome::Done)
}

/// Prints an answer on standard output.
fn print(app: &App, links: &Links, format: Format, asked: &Asked) -> Result<(), CliError> {
    match format {
        Format::Terminal => app.ui.print(&screen::terminal(&app.ui, links, asked)),
        Format::Markdown => app.ui.print_raw(&screen::markdown(asked)),
        Format::Json => app.ui.print_raw(&screen::json(asked)),
    }
}

/// What stays the same from one question to the next.
struct Conversation<'a> {
    app: &'a App,
    repo: Repo,
    asker: Asker,
    memory: MemoryFile,
    links: Links,
    format: Format,
    verified_only: bool,
    /// A person has agreed that money is spent, or said so on the command line.
    has_agreed: bool,
}

impl<'a> Conversation<'a> {
    fn open(args: &Args, app: &'a App, repo: Repo) -> Result<Conversation<'a>, CliError> {
        // A tour asks no model.
        let asker = if args.tour { Asker::builtin(app, &repo) } else { Asker::new(app, &repo) };
        let mut asker = asker?;
        asker.walk = args.scope.walk();
        let usual = match (&args.output, app.ui.json) {
            (_, true) => Format::Json,
            (Some(_), false) => Format::Markdown,
            (None, false) => Format::Terminal,
        };
        Ok(Conversation {
            app,
            links: Links::new(app, repo.root()),
            memory: MemoryFile::load(app, &repo)?,
            repo,
            asker,
            format: args.format.unwrap_or(usual),
            verified_only: args.verified_only,
            has_agreed: args.yes,
        })
    }

    /// Asks, and remembers what was verified.
    fn ask(&mut self, question: &str) -> Result<Asked, CliError> {
        self.agree()?;
        self.memory.refresh(self.app, &self.repo);
        self.asker.ask(self.app, &self.repo, question, Some(&mut self.memory))
    }

    fn tour(&self) -> Result<Asked, CliError> {
        self.asker.tour(self.app, &self.repo)
    }

    /// One consent is for all questions of a session.
    fn agree(&mut self) -> Result<(), CliError> {
        if let Some(desk) = self.asker.desk() {
            agree(self.app, desk, self.has_agreed)?;
            self.has_agreed = true;
        }
        Ok(())
    }

    fn show(&self, asked: &Asked) -> Result<(), CliError> {
        print(self.app, &self.links, self.format, &self.trimmed(asked))
    }

    /// Writes an answer to a file, without colors and links.
    fn write(&self, asked: &Asked, file: &Path) -> Result<(), CliError> {
        let asked = self.trimmed(asked);
        let text = match self.format {
            Format::Terminal => screen::plain(&asked),
            Format::Markdown => screen::markdown(&asked),
            Format::Json => screen::json(&asked),
        };
        let verb = if file.symlink_metadata().is_ok() { "replaced" } else { "wrote" };
        fs::write(file, text.as_bytes(), Durability::Relaxed)?;
        self.app.ui.note(&format!("{verb} {}", file.display()));
        Ok(())
    }

    fn trimmed(&self, asked: &Asked) -> Asked {
        let mut asked = asked.clone();
        if self.verified_only {
            asked.answer = asked.answer.without_unverified();
        }
        asked
    }
}
