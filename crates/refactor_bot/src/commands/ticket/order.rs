//! What a person asked for, from flags and configuration.

use std::path::PathBuf;

use rb_ticket::browse::expected_pictures;
use rb_ticket::workflow::StartOptions;
use rb_ticket::workflow::event::{Orders, PreviewOrder};
use rb_workspace::preflight::Dirty;

use super::source;
use crate::agent_flags::AgentFlags;
use crate::app::App;
use crate::commands::run::globs;
use crate::config::Flag;
use crate::config::settings::Ticket as TicketSettings;
use crate::error::{CliError, ErrorKind};
use crate::repo_index::existing_folder;
use crate::verify_settings::{self, VerifyFlags};

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(super) struct TicketFlags {
    /// File, -, OWNER/REPO#N, #N, GitHub issue URL, Jira key or URL
    #[arg(value_name = "TICKET", required = true)]
    ticket: Option<String>,

    /// Repository, or folder in a repository
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,

    /// Show what was understood, the affected files and the checks; no model is called
    #[arg(long)]
    pub(super) plan: bool,

    #[command(flatten)]
    preview: PreviewFlags,

    /// Do not look at the app; no criterion is checked
    #[arg(long, conflicts_with_all = ["preview", "preview_url"])]
    no_browser: bool,

    /// Maximum number of rounds of fixes after the first look [default: 3]
    #[arg(long, value_name = "N")]
    max_rounds: Option<u32>,

    /// Only change files that match, as `src/**/*.ts,lib/**`; repeatable
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,

    /// Never change files that match; repeatable
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,

    /// Include uncommitted changes
    #[arg(long)]
    allow_dirty: bool,

    /// Maximum number of lines one task may add and remove together
    #[arg(long, value_name = "LINES")]
    diff_budget: Option<u32>,

    /// Do not run the repository's own checks; changes are still checked statically
    #[arg(long)]
    no_verify: bool,

    /// Continue even if the repository fails its own checks before any change
    #[arg(long, conflicts_with = "no_verify")]
    allow_failing_baseline: bool,

    #[command(flatten)]
    verify: VerifyFlags,

    /// Push the branch and open a draft pull request on GitHub, if tests and browser pass
    #[arg(long, conflicts_with = "plan")]
    pub(super) push: bool,

    /// Answer yes to every question, and accept the result if everything passed
    #[arg(long, short)]
    pub(super) yes: bool,

    // Its heading holds for all that follows.
    #[command(flatten)]
    agent: AgentFlags,
}

/// How the app is reached.
#[derive(Debug, clap::Args)]
pub(super) struct PreviewFlags {
    /// Command that starts the app; {port} and $PORT are its port
    #[arg(long, value_name = "COMMAND")]
    preview: Option<String>,

    /// Address of an app that runs already
    #[arg(long, value_name = "URL")]
    preview_url: Option<String>,

    /// Take the server at --preview-url for one of this commit, without proof
    #[arg(long, requires = "preview_url")]
    trust_preview_url: bool,
}

impl PreviewFlags {
    pub(super) fn order(&self, settings: &TicketSettings) -> PreviewOrder {
        let configured = Some(settings.preview.clone()).filter(|line| !line.trim().is_empty());
        let configured = configured.filter(|_| self.preview_url.is_none());
        PreviewOrder {
            command: self.preview.clone().or(configured),
            url: self.preview_url.clone(),
            port: None,
            trust_url: self.trust_preview_url,
            off: false,
        }
    }
}

/// What flags and configuration come to.
pub(super) struct Order {
    /// Without the models, which are chosen later.
    pub(super) options: StartOptions,
    /// The folder whose configuration holds.
    pub(super) project: PathBuf,
    pub(super) settings: TicketSettings,
}

impl Order {
    pub(super) fn new(flags: &TicketFlags, app: &App) -> Result<Order, CliError> {
        let project = existing_folder(&flags.path)?;
        let number = |key: &str, flag, value: Option<u32>| {
            value.map(|value| Flag::new(key, flag, value.into()))
        };
        let own = [
            number("diff_budget_loc", "--diff-budget", flags.diff_budget),
            number("ticket.max_rounds", "--max-rounds", flags.max_rounds),
        ];
        let own = own.into_iter().flatten().collect::<Result<_, _>>()?;
        let config = app.config(Some(&project), own)?;
        if let Some(note) = config.untrusted_note() {
            app.ui.warn(&note);
        }
        let settings = &config.settings;
        let agent = flags.agent.order(app, settings)?;
        let mut verify = verify_settings::verify(settings, &flags.verify)?;
        verify.runs_commands = !flags.no_verify;
        verify.allow_failing_baseline |= flags.allow_failing_baseline;
        let name = flags.ticket.as_deref().unwrap_or_default();
        let ticket = source::read(app, name, &project, &settings.ticket)?;
        let excluded = globs(&flags.exclude);
        let preview =
            PreviewOrder { off: flags.no_browser, ..flags.preview.order(&settings.ticket) };
        let orders = Orders {
            diff_budget: settings.diff_budget_loc as usize,
            includes: globs(&flags.include),
            excludes: settings.scope_excludes.iter().chain(&excluded).cloned().collect(),
            verify: Some(Box::new(verify)),
            models: None,
            agent,
            preview,
            max_rounds: rounds(settings.ticket.max_rounds)?,
            max_tries: settings.retry_per_batch + 1,
            pictures: expected_pictures(&ticket),
            output: None,
        };
        let dirty = if flags.allow_dirty { Dirty::Carry } else { Dirty::Refuse };
        let options = StartOptions { target: flags.path.clone(), ticket, dirty, orders };
        Ok(Order { options, project, settings: settings.ticket.clone() })
    }
}

/// More rounds have not been seen to help.
const MOST_ROUNDS: u32 = 10;

fn rounds(number: u32) -> Result<u32, CliError> {
    if number <= MOST_ROUNDS {
        return Ok(number);
    }
    let words = format!("{number} rounds of fixes are too many: the maximum is {MOST_ROUNDS}");
    let hint = format!("set --max-rounds or `ticket.max_rounds` to {MOST_ROUNDS} or less");
    Err(CliError::new(ErrorKind::Usage, words).hint(hint))
}
