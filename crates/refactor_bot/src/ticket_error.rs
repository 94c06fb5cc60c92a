//! Why a ticket was not worked on, as the person meets it.

use rb_agent::AgentError;
use rb_browser::BrowserError;
use rb_change::ChangeError;
use rb_core::RunId;
use rb_flow::RunFailure as _;
use rb_ticket::browse;
use rb_ticket::preview::PreviewError;
use rb_ticket::{ForgeError, IntakeError, TicketError};

use crate::error::{CliError, ErrorKind};
use crate::model_settings;
use crate::run_error::{Judgement, disk_hints, hint, judge_change};

impl From<TicketError> for CliError {
    fn from(error: TicketError) -> Self {
        if error.is_interruption() {
            return CliError::new(ErrorKind::Interrupted, "interrupted")
                .hint("`refactor-bot runs list` shows what can be resumed");
        }
        let (kind, hints) = judge(&error);
        hints.into_iter().fold(CliError::new(kind, error), CliError::hint)
    }
}

impl From<IntakeError> for CliError {
    fn from(error: IntakeError) -> Self {
        TicketError::from(error).into()
    }
}

impl From<PreviewError> for CliError {
    fn from(error: PreviewError) -> Self {
        TicketError::from(error).into()
    }
}

impl From<ForgeError> for CliError {
    fn from(error: ForgeError) -> Self {
        CliError::new(forge(&error), error)
    }
}

impl From<browse::VerifyError> for CliError {
    fn from(error: browse::VerifyError) -> Self {
        TicketError::from(error).into()
    }
}

/// Adds how to go on with the run, where it can be gone on with.
pub(crate) fn of_run(error: TicketError, run: &RunId) -> CliError {
    let again = format!("continue with `refactor-bot resume {run}`");
    if error.is_interruption() {
        return CliError::new(ErrorKind::Interrupted, format!("run {run} was interrupted"))
            .hint(again);
    }
    let is_open = match &error {
        TicketError::Browser(_)
        | TicketError::Browse(_)
        | TicketError::Agent(_)
        | TicketError::Preview(_)
        | TicketError::Search(_) => true,
        TicketError::Change(error) => matches!(
            error,
            ChangeError::DiskFull { .. }
                | ChangeError::CheckoutChanged(_)
                | ChangeError::Fs(_)
                | ChangeError::Worktree(_)
                | ChangeError::Agent(_)
                | ChangeError::NotLoggedIn { .. }
        ),
        TicketError::Intake(_)
        | TicketError::Model(_)
        | TicketError::NoAnswer { .. }
        | TicketError::Fence(_) => false,
    };
    let error = CliError::from(error);
    if is_open { error.hint(again) } else { error }
}

fn judge(error: &TicketError) -> Judgement {
    match error {
        TicketError::Intake(error) => intake(error),
        TicketError::Preview(error) => (preview(error), Vec::new()),
        TicketError::Change(error) => judge_change(error),
        TicketError::Browser(error) | TicketError::Browse(browse::VerifyError::Browser(error)) => {
            browser(error)
        }
        TicketError::Browse(browse::VerifyError::Fs(fs)) => {
            (ErrorKind::Environment, disk_hints(fs))
        }
        TicketError::Browse(browse::VerifyError::Head(_) | browse::VerifyError::NotClean(_)) => {
            (ErrorKind::UnsafeInput, Vec::new())
        }
        TicketError::Agent(error) => agent(error),
        TicketError::Model(model) => model_settings::way(model),
        TicketError::NoAnswer { run, error } => {
            let (kind, mut hints) = model_settings::way(error);
            hints.push(format!("what is done is kept; continue with: refactor-bot resume {run}"));
            (kind, hints)
        }
        TicketError::Fence(_) | TicketError::Search(_) => (ErrorKind::Environment, Vec::new()),
    }
}

/// Most of these messages say themselves what to do.
fn intake(error: &IntakeError) -> Judgement {
    match error {
        IntakeError::Forge(error) => (forge(error), Vec::new()),
        IntakeError::NoJiraSite => hint(
            ErrorKind::Usage,
            "or set the site with --set ticket.jira_url=https://SITE.atlassian.net",
        ),
        IntakeError::OtherOrigin { .. } => hint(
            ErrorKind::Usage,
            "for GitHub Enterprise: --set ticket.github_url=https://HOST/api/v3",
        ),
        IntakeError::File(_) => hint(
            ErrorKind::Usage,
            "a ticket is a file, -, OWNER/REPO#N, #N, a GitHub issue URL, or a Jira key or URL",
        ),
        IntakeError::NoOrder
        | IntakeError::UnknownAddress { .. }
        | IntakeError::BadRepository { .. }
        | IntakeError::NoOrigin
        | IntakeError::NoStdin
        | IntakeError::NoClient { .. }
        | IntakeError::NotText { .. }
        | IntakeError::TooLarge { .. }
        | IntakeError::Empty
        | IntakeError::NothingToCheck { .. }
        | IntakeError::BadJson { .. }
        | IntakeError::UnknownJson => (ErrorKind::Usage, Vec::new()),
    }
}

fn forge(error: &ForgeError) -> ErrorKind {
    match error {
        ForgeError::RateLimited { .. } => ErrorKind::Limit,
        ForgeError::NotFound { .. } => ErrorKind::Usage,
        ForgeError::Http { source: rb_http::HttpError::Interrupted, .. } => ErrorKind::Interrupted,
        ForgeError::BadCredentials { .. }
        | ForgeError::Forbidden { .. }
        | ForgeError::Invalid { .. }
        | ForgeError::Server { .. }
        | ForgeError::NotJson { .. }
        | ForgeError::Unexpected { .. }
        | ForgeError::TooManyPages { .. }
        | ForgeError::Http { .. }
        | ForgeError::Setting { .. } => ErrorKind::Environment,
    }
}

fn preview(error: &PreviewError) -> ErrorKind {
    match error {
        PreviewError::Unknown | PreviewError::Url { .. } | PreviewError::EmptyCommand => {
            ErrorKind::Usage
        }
        PreviewError::Manifest { .. } | PreviewError::Foreign { .. } => ErrorKind::UnsafeInput,
        PreviewError::NotListening { .. }
        | PreviewError::UnknownProcess { .. }
        | PreviewError::Fs(_) => ErrorKind::Environment,
    }
}

fn browser(error: &BrowserError) -> Judgement {
    match error {
        BrowserError::Missing | BrowserError::NotAProgram { .. } => {
            hint(ErrorKind::Environment, "--no-browser works without one, and checks no criterion")
        }
        BrowserError::Sandbox(_) => hint(
            ErrorKind::Environment,
            "`refactor-bot doctor` shows which sandbox works; --sandbox chooses another",
        ),
        BrowserError::PortTaken { .. } => hint(
            ErrorKind::Environment,
            "--preview COMMAND and --preview-url http://127.0.0.1:PORT together choose the port",
        ),
        BrowserError::Fs(fs) => (ErrorKind::Environment, disk_hints(fs)),
        BrowserError::Cancelled(_) => (ErrorKind::Interrupted, Vec::new()),
        BrowserError::Url { .. } | BrowserError::Picture { .. } => (ErrorKind::Usage, Vec::new()),
        BrowserError::Ended { .. }
        | BrowserError::TooSlow { .. }
        | BrowserError::Refused { .. }
        | BrowserError::Unreadable { .. }
        | BrowserError::Crashed
        | BrowserError::Failed { .. }
        | BrowserError::Unreachable { .. }
        | BrowserError::ServerEnded { .. }
        | BrowserError::NotLoaded { .. }
        | BrowserError::Element(_)
        | BrowserError::Pipe(_) => (ErrorKind::Environment, Vec::new()),
    }
}

/// The messages of an agent say what to do.
pub(crate) fn agent(error: &AgentError) -> Judgement {
    match error {
        AgentError::Fs(fs) => (ErrorKind::Environment, disk_hints(fs)),
        AgentError::EmptyPrompt
        | AgentError::PromptTooLong { .. }
        | AgentError::NotInstalled { .. }
        | AgentError::NotConfined { .. }
        | AgentError::NotUtf8(_)
        | AgentError::Git(_)
        | AgentError::Sandbox(_) => (ErrorKind::Environment, Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use rb_ticket::Service;

    use super::*;

    /// Every case that the user can do something about says what, with the exit code that the help lists.
    #[test]
    fn tk1_tk3_every_mistake_has_its_exit_code_and_says_what_to_do() {
        let check = |error: CliError, code: u8, expected: &str| {
            let text = format!("{} {}", error.message(), error.hints.join(" | "));
            assert_eq!(error.kind.exit_code(), code, "{text}");
            assert!(text.contains(expected), "{text}");
        };
        let service = Service::Github;
        let (what, words) = (|| "issue a/b#1".to_owned(), || "words".to_owned());
        check(IntakeError::NoJiraSite.into(), 2, "ticket.jira_url");
        let host = "github.com".to_owned();
        check(IntakeError::OtherOrigin { host }.into(), 2, "ticket.github_url");
        check(ForgeError::BadCredentials { service, words: words() }.into(), 3, "GITHUB_TOKEN");
        check(ForgeError::NotFound { service, what: what() }.into(), 2, "check the name");
        let limited = ForgeError::RateLimited { service, resets: None, wait: None };
        check(IntakeError::from(limited).into(), 4, "rate limit");
        let server = ForgeError::Server { service, status: 502, words: words() };
        check(IntakeError::from(server).into(), 3, "try again later");
        check(PreviewError::Unknown.into(), 2, "--preview");
        check(PreviewError::NotListening { port: 1 }.into(), 3, "--preview");
        check(TicketError::from(BrowserError::Missing).into(), 3, "--no-browser");
        let changed = vec!["a.js".to_owned()];
        check(browse::VerifyError::NotClean(changed).into(), 6, "Commit or discard");
    }

    #[test]
    fn tk2_what_can_be_resumed_says_how() {
        let run: RunId = "20260131T120000Z".parse().unwrap();
        let error = of_run(BrowserError::Missing.into(), &run);
        let last = error.hints.last().map(String::as_str);
        assert_eq!(last, Some("continue with `refactor-bot resume 20260131T120000Z`"));
        let error = of_run(IntakeError::Empty.into(), &run);
        assert_eq!(error.hints, Vec::<String>::new());
    }
}
