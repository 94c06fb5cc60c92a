//! `ticket --push`: the branch goes to `origin`, and a draft pull request is opened on GitHub. Only what passed is pushed.

use std::path::Path;

use rb_change::ChangeError;
use rb_core::{Verdict, fs};
use rb_http::Secret;
use rb_ticket::pr::Words;
use rb_ticket::workflow::event::TicketEvent;
use rb_ticket::workflow::state::{Phase, State};
use rb_ticket::workflow::{self, Ticketing};
use rb_ticket::{Github, PullRequest, Repository};
use rb_workspace::git::GitError;
use rb_workspace::preflight::{TargetPlace, locate};
use rb_workspace::repo::{Head, Repo};

use super::source;
use crate::app::App;
use crate::config::settings::Ticket as TicketSettings;
use crate::error::{CliError, ErrorKind};
use crate::scratch_repo::ScratchRepo;
use crate::ui::printable;
use crate::{change_run, ticket_run};

/// All that a push needs, found before the work begins.
pub(super) struct Push {
    repo: Repo,
    /// The branch to merge into.
    base: String,
    remote: Remote,
}

enum Remote {
    /// A repository on this machine, which has no pull requests.
    Local(String),
    Github {
        /// Where the branch goes.
        url: String,
        /// The host that gets the token; `None` where git writes to this machine.
        host: Option<String>,
        repository: Repository,
        github: Box<Github>,
        token: Secret,
    },
}

/// Where git's helper for credentials reads the token: it is in no argument and in no file.
const TOKEN: &str = "REFACTOR_BOT_PUSH_TOKEN";
const HELPER: &str =
    "!f() { echo username=x-access-token; echo \"password=$REFACTOR_BOT_PUSH_TOKEN\"; }; f";

impl Push {
    pub(super) fn prepare(
        app: &App,
        project: &Path,
        settings: &TicketSettings,
    ) -> Result<Push, CliError> {
        let place = locate(project, app.home()?, &app.env, &app.cancel);
        let TargetPlace::Checkout { root, scope } = place.map_err(ChangeError::from)? else {
            return Err(CliError::new(ErrorKind::Usage, "--push needs a git repository"));
        };
        let repo =
            Repo::open_git(&root, scope, &app.env, &app.cancel).map_err(ChangeError::from)?;
        let base = match repo.head().map_err(ChangeError::from)? {
            Head::Branch { name, .. } => name,
            Head::Detached { .. } | Head::Unborn { .. } => {
                let words = "--push needs a branch to open the pull request against";
                return Err(CliError::new(ErrorKind::Usage, words).hint("check a branch out first"));
            }
        };
        let Some(origin) = source::origin(app, &repo.root) else {
            return Err(CliError::new(ErrorKind::Usage, "this repository has no remote `origin`")
                .hint("add it with `git remote add origin URL`, or leave out --push"));
        };
        let remote = remote(app, settings, origin, source::origin_for_pushes(app, &repo.root))?;
        Ok(Push { repo, base, remote })
    }

    /// Pushes what waits and passed; says why not otherwise.
    pub(super) fn publish(self, app: &App, state: State) -> Result<State, CliError> {
        if state.phase() != Phase::Waiting {
            return Ok(state);
        }
        let is_tested = state.test_verdict() == Verdict::Pass;
        if !(is_tested && ticket_run::is_all_passed(&state)) {
            app.ui.warn("nothing was pushed: tests and browser have to pass first");
            return Ok(state);
        }
        let run = state.start.run.clone();
        if ticket_run::must_be_seen(&state) {
            let seen = change_run::changed_tests(&rb_change::changed_tests(&state));
            app.ui.warn(&format!(
                "nothing was pushed: {seen}If they are right, `refactor-bot accept {run} --keep-branch` keeps the branch for you to push"
            ));
            return Ok(state);
        }
        let branch = state.start.ticket.branch();
        let url = self.send(app, &state, &branch)?;
        let context = ticket_run::context(app)?;
        let mut driver = rb_change::reopen::<Ticketing>(&context, run.clone())?;
        driver.write(TicketEvent::Published { branch, url })?;
        drop(driver);
        let state = workflow::summary(&context, &run)?;
        workflow::record_branch(&state, state.branch())?;
        Ok(state)
    }

    fn send(&self, app: &App, state: &State, branch: &str) -> Result<Option<String>, CliError> {
        let tip = state.change.tip().unwrap_or_default();
        // Settings of the repository could send the branch, and the token, somewhere else.
        let scratch = ScratchRepo::open(app, &self.repo, tip)?;
        let refs = format!("{tip}:refs/heads/{branch}");
        let push = |git: &rb_workspace::git::Git, url: &str| {
            git.run(["push", "--quiet", "--no-verify", "--end-of-options", url, &refs])
        };
        match &self.remote {
            Remote::Local(path) => {
                push(&scratch.git, path).map_err(|error| not_pushed(error, branch))?;
                Ok(None)
            }
            Remote::Github { url, host, repository, github, token } => {
                let git = match host {
                    Some(host) => scratch
                        .git
                        .with_env(TOKEN, token.expose())
                        .with_setting(format!("credential.https://{host}.helper"), HELPER),
                    None => scratch.git.clone(),
                };
                push(&git, url).map_err(|error| not_pushed(error, branch))?;
                let (title, body) = texts(state)?;
                let request = PullRequest {
                    title: &title,
                    head: branch,
                    base: &self.base,
                    body: &body,
                    draft: true,
                };
                Ok(Some(github.open_pull_request(repository, &request)?.url))
            }
        }
    }
}

fn remote(
    app: &App,
    settings: &TicketSettings,
    origin: String,
    push_url: Option<String>,
) -> Result<Remote, CliError> {
    let host = source::github_host(&settings.github_url);
    if is_local(&origin) {
        return Ok(Remote::Local(push_url.filter(|url| is_local(url)).unwrap_or(origin)));
    }
    let Some(repository) = Repository::of_remote(&origin, &host) else {
        let words = format!(
            "the remote `origin` is not on {}, so --push cannot open a pull request",
            printable(&host)
        );
        return Err(CliError::new(ErrorKind::Usage, words)
            .hint("leave out --push, then push the branch of the run yourself")
            .hint("for GitHub Enterprise: --set ticket.github_url=https://HOST/api/v3"));
    };
    let Some(token) = source::github_token(app) else {
        return Err(CliError::new(ErrorKind::Environment, "--push needs a GitHub token")
            .hint("set GITHUB_TOKEN or GH_TOKEN to a token that may push and open pull requests"));
    };
    let github = Box::new(source::github(app, settings)?);
    let (url, host) = match push_url {
        // A mirror on this machine, which passes the branch on: it gets no token.
        Some(url) if is_local(&url) => (url, None),
        Some(url) if Repository::of_remote(&url, &host).as_ref() != Some(&repository) => {
            let words = "`remote.origin.pushurl` is another repository than `remote.origin.url`";
            return Err(CliError::new(ErrorKind::Usage, words)
                .hint("leave out --push, then push the branch of the run yourself"));
        }
        Some(_) | None => (format!("https://{host}/{repository}.git"), Some(host)),
    };
    Ok(Remote::Github { url, host, repository, github, token })
}

fn is_local(url: &str) -> bool {
    url.starts_with('/') || url.starts_with("file://")
}

fn not_pushed(error: GitError, branch: &str) -> CliError {
    let error = CliError::new(ErrorKind::Environment, error);
    error
        .hint(format!("the run waits for you; nothing was pushed. If {branch} is there already, delete or rename it there"))
}

/// Title and body, in the words of the report.
fn texts(state: &State) -> Result<(String, String), CliError> {
    let report = state.report.clone().unwrap_or_default();
    let words = serde_json::from_slice(&fs::read(&report.join("pr.json"))?);
    Ok(workflow::hosted(state, &words.unwrap_or_else(|_| Words::plain(state))))
}
