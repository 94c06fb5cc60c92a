//! Asks the questions of all suites, one repository after the other, and keeps what became of each.

use std::collections::BTreeSet;
use std::path::Path;

use rb_ask::eval::reading::Landmarks;
use rb_ask::eval::report::{Builder, Checkout, Report};
use rb_ask::eval::suite::{Question, Suite, SuiteRepo};
use rb_core::{Progress as _, Usd};
use rb_index::walk::WalkOptions;
use rb_repo::{ReadOptions, Repo};

use super::Loaded;
use crate::app::App;
use crate::ask_question::{Asked, Asker, landmarks};
use crate::error::{CliError, ErrorKind};
use crate::progress::Steps;
use crate::repo_index;
use crate::run_desk::Consent;
use crate::search_model;
use crate::ui::printable;

pub(super) fn ask_all(app: &App, suites: &[Loaded]) -> Result<Report, CliError> {
    let number: usize = suites.iter().map(|loaded| loaded.suite.questions.len()).sum();
    let progress = app.ui.progress();
    progress.begin("asking questions", number as u64);
    let (spent, builder) = (Usd::default(), Builder::default());
    let mut asking = Asking { app, spent, stopped: None, builder, progress: &progress };
    for Loaded { suite, repos } in suites {
        asking.builder.suite(&suite.name);
        for repo in &suite.repos {
            asking.repository(suite, repo, repos)?;
        }
    }
    let report = asking.builder.finish();
    progress.end();
    Ok(report)
}

struct Asking<'a> {
    app: &'a App,
    /// By all questions together.
    spent: Usd,
    /// Why no further question is asked.
    stopped: Option<String>,
    builder: Builder,
    progress: &'a Steps,
}

/// A repository that is ready to be asked about.
struct Opened {
    repo: Repo,
    commit: Option<String>,
    files: BTreeSet<String>,
    landmarks: Landmarks,
}

impl Asking<'_> {
    fn repository(
        &mut self,
        suite: &Suite,
        repo: &SuiteRepo,
        folder: &Path,
    ) -> Result<(), CliError> {
        let path = folder.join(&repo.path);
        let mut checkout = Checkout::default();
        match self.open(&path) {
            Ok(opened) => {
                checkout.notes.extend(other_commit(repo, opened.commit.as_deref()));
                for question in suite.questions_about(&repo.name) {
                    self.question(suite, question, &opened)?;
                }
                checkout.commit = opened.commit;
                checkout.landmarks = opened.landmarks;
            }
            Err(error) if error.kind == ErrorKind::Interrupted => return Err(error),
            Err(error) => {
                let reason = error.message();
                for question in suite.questions_about(&repo.name) {
                    self.skip(suite, question, reason.clone());
                }
                checkout.skipped = Some(reason);
            }
        }
        for note in checkout.skipped.iter().chain(&checkout.notes) {
            self.app.ui.warn(&format!("{}: {note}", repo.name));
        }
        self.builder.repository(&suite.name, &repo.name, checkout);
        Ok(())
    }

    /// Indexes once, so that no question waits for it.
    fn open(&self, path: &Path) -> Result<Opened, CliError> {
        if !path.is_dir() {
            let problem = format!("there is no folder {}", printable(&path.display().to_string()));
            return Err(CliError::new(ErrorKind::Usage, problem));
        }
        let repo = repo_index::open(self.app, path, WalkOptions::default())?;
        let model = search_model::of(self.app, &repo)?;
        let options = ReadOptions { rebuild: false, search: model.searchable() };
        let (commit, files, landmarks) = repo_index::read(self.app, &repo, &options, |indexed| {
            let files = indexed.walk.files.iter().map(|file| file.path.to_string()).collect();
            Ok((indexed.update.head.clone(), files, landmarks(indexed)?))
        })?;
        Ok(Opened { repo, commit, files, landmarks })
    }

    fn question(
        &mut self,
        suite: &Suite,
        question: &Question,
        opened: &Opened,
    ) -> Result<(), CliError> {
        self.progress.detail(&question.id);
        if let Some(missing) = question.gold_files.iter().find(|file| !opened.files.contains(*file))
        {
            let reason = format!("the gold file {missing} is not in the repository");
            self.skip(suite, question, reason);
            return Ok(());
        }
        if let Some(reason) = self.stopped.clone() {
            self.skip(suite, question, reason);
            return Ok(());
        }
        let Some(app) = self.within_budget() else {
            self.skip(suite, question, "the spending limit is reached".to_owned());
            return Ok(());
        };
        match ask(&app, &opened.repo, &question.question) {
            Ok(asked) => {
                self.spent = self.spent + asked.spent;
                self.builder.answered(&suite.name, question, &asked.answer, &asked.session);
                self.progress.advance(1);
            }
            Err(error) => match error.kind {
                // The next question would fail in the same way.
                ErrorKind::Usage
                | ErrorKind::Environment
                | ErrorKind::UnsafeInput
                | ErrorKind::Bug
                | ErrorKind::Interrupted => return Err(error),
                ErrorKind::Limit
                | ErrorKind::Refused
                | ErrorKind::Rejected
                | ErrorKind::Incomplete => self.failed(suite, question, &error),
            },
        }
        Ok(())
    }

    /// Ends the asking where a limit is reached, and where a limit is set: what a failed question spent is not known.
    fn failed(&mut self, suite: &Suite, question: &Question, error: &CliError) {
        if error.kind == ErrorKind::Limit || self.app.models.budget_usd.is_some() {
            self.stopped = Some(format!("not asked, because `{}` failed", question.id));
        }
        self.skip(suite, question, error.message());
    }

    /// What the next question is asked with: it may spend what the ones before it left. `None` if that is nothing.
    fn within_budget(&self) -> Option<App> {
        let left = self.app.models.budget_usd.map(|cap| cap.saturating_sub(self.spent));
        let is_used_up = left == Some(Usd::default()) && self.spent > Usd::default();
        (!is_used_up).then(|| self.app.with_budget(left))
    }

    fn skip(&mut self, suite: &Suite, question: &Question, reason: String) {
        self.builder.skipped(&suite.name, question, reason);
        self.progress.advance(1);
    }
}

/// Asks without a memory, so that no answer depends on an earlier one.
fn ask(app: &App, repo: &Repo, question: &str) -> Result<Asked, CliError> {
    let asker = Asker::new(app, repo)?;
    let consent = Consent { yes: false, is_terminal: false };
    if consent.is_missing(app, asker.desk()) {
        let problem = "the chosen model costs money, and no limit is set for the evaluation";
        return Err(CliError::new(ErrorKind::Usage, problem)
            .hint("pass --budget-usd USD; it holds for all questions together"));
    }
    asker.ask(app, repo, question, None)
}

/// Says that another commit is checked out than the questions were written for.
fn other_commit(repo: &SuiteRepo, found: Option<&str>) -> Option<String> {
    let wanted = repo.commit.as_deref()?;
    let short = |commit: &str| commit.chars().take(8).collect::<String>();
    match found {
        Some(found) if found == wanted => None,
        Some(found) => {
            Some(format!("the suite is about commit {}, not {}", short(wanted), short(found)))
        }
        None => Some(format!("the suite is about commit {}; no commit is known", short(wanted))),
    }
}
