//! The flags of `run` and `plan`, and what they come to.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rb_change::GivenChange;
use rb_refactor::StartOptions;
use rb_refactor::event::Orders;
use rb_workspace::preflight::{Dirty, NoRepository};

use crate::agent_flags::AgentFlags;
use crate::app::App;
use crate::config::Flag;
use crate::error::{CliError, ErrorKind};
use crate::verify_settings::{self, VerifyFlags};

/// What is looked at, and what may change.
#[derive(Debug, clap::Args)]
pub(crate) struct PlanFlags {
    /// Repository, folder in a repository, or folder without git
    #[arg(value_name = "REPO", default_value = ".")]
    target: PathBuf,

    /// Same as REPO
    #[arg(long, value_name = "REPO", conflicts_with = "target")]
    repo: Option<PathBuf>,

    /// What to change, in plain English. Omit it to scan the whole repository
    #[arg(long, value_name = "TEXT")]
    pub(crate) directive: Option<String>,

    /// Only change files that match, as `src/**/*.ts,lib/**`; repeatable
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,

    /// Never change files that match; repeatable
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,

    /// Include uncommitted changes
    #[arg(long)]
    allow_dirty: bool,

    /// Work on a copy of a folder that is not in a git repository
    #[arg(long)]
    pub(crate) allow_no_git: bool,

    /// Maximum number of lines one task may add and remove together
    #[arg(long, value_name = "LINES")]
    diff_budget: Option<u32>,

    /// Maximum number of tasks to plan
    #[arg(long, value_name = "N")]
    max_batches: Option<u32>,
}

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct RunFlags {
    #[command(flatten)]
    pub(super) plan: PlanFlags,

    /// Also write diffs, summary, validation report and log to this folder
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// Apply this patch instead of planning; one task each; repeatable
    #[arg(long, value_name = "FILE", conflicts_with = "directive")]
    patch: Vec<PathBuf>,

    /// Run this formatter first, as its own task; repeatable
    #[arg(long, value_name = "COMMAND")]
    format: Vec<String>,

    /// Only write diffs and reports; nothing can be accepted
    #[arg(long)]
    dry_run: bool,

    /// Maximum number of retries per task, 0 to 3 [default: `retry_per_batch`, or 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(MOST_RETRIES)))]
    max_retries: Option<u32>,

    /// Stop at the first task that keeps failing, and keep the tasks before it
    #[arg(long)]
    strict: bool,

    /// Let a second model review each patch of a model before it is applied
    #[arg(long)]
    critic: bool,

    /// Wait for your agreement once the plan is made
    #[arg(long, conflicts_with = "yes")]
    pub(super) confirm: bool,

    /// Ask about each change before it is kept
    #[arg(long, conflicts_with = "yes")]
    approve_each: bool,

    /// Stop after this time, such as 90s, 30m or 2h; `resume` continues the run
    #[arg(long, value_name = "TIME", value_parser = time)]
    max_runtime: Option<Duration>,

    /// Do not run the repository's own checks; changes are still checked statically
    #[arg(long)]
    no_verify: bool,

    /// Continue even if the repository fails its own checks before any change
    #[arg(long, conflicts_with = "no_verify")]
    allow_failing_baseline: bool,

    #[command(flatten)]
    verify: VerifyFlags,

    /// Answer yes to every question, and accept the result
    #[arg(long, short)]
    pub(super) yes: bool,

    // Last, so that no other flag comes below its heading.
    #[command(flatten)]
    agent: AgentFlags,
}

/// What the flags and the configuration come to.
pub(crate) struct Chosen {
    pub(crate) options: StartOptions,
    /// The folder whose configuration counts.
    pub(crate) project: Option<PathBuf>,
}

impl PlanFlags {
    fn target(&self) -> &Path {
        self.repo.as_ref().unwrap_or(&self.target)
    }

    /// What a plan alone needs; what is more comes from `run`.
    pub(crate) fn options(&self, app: &App) -> Result<Chosen, CliError> {
        if self.directive.as_ref().is_some_and(|words| words.trim().is_empty()) {
            return Err(CliError::new(ErrorKind::Usage, "the directive is empty")
                .hint("say what to change, or omit --directive to scan the whole repository"));
        }
        let number = |key: &str, flag, value: Option<u32>| {
            value.map(|value| Flag::new(key, flag, value.into()))
        };
        let flags = [
            number("diff_budget_loc", "--diff-budget", self.diff_budget),
            number("max_batches", "--max-batches", self.max_batches),
        ];
        // What is no folder has no configuration, and is refused with more to say than a missing file.
        let project = self.target().is_dir().then(|| self.target().to_owned());
        let flags = flags.into_iter().flatten().collect::<Result<_, _>>()?;
        let config = app.config(project.as_deref(), flags)?;
        if let Some(note) = config.untrusted_note() {
            app.ui.warn(&note);
        }
        let settings = &config.settings;
        if settings.retry_per_batch > MOST_RETRIES {
            let given = settings.retry_per_batch;
            let words = format!("`retry_per_batch` is {given}, but the maximum is {MOST_RETRIES}");
            let hint = format!("set it to {MOST_RETRIES} or less");
            return Err(CliError::new(ErrorKind::Usage, words).hint(hint));
        }
        let excluded = globs(&self.exclude);
        let orders = Orders {
            plans: true,
            directive: self.directive.clone(),
            includes: globs(&self.include),
            max_batches: settings.max_batches,
            keep_to_budget: config.is_set("diff_budget_loc"),
            max_retries: settings.retry_per_batch,
            ..Orders::default()
        };
        let options = StartOptions {
            target: self.target().to_owned(),
            proposals: Vec::new(),
            dirty: if self.allow_dirty { Dirty::Carry } else { Dirty::Refuse },
            no_repository: NoRepository::Refuse,
            diff_budget: settings.diff_budget_loc as usize,
            excludes: settings.scope_excludes.iter().chain(&excluded).cloned().collect(),
            verify: None,
            orders,
        };
        Ok(Chosen { options, project })
    }
}

impl RunFlags {
    pub(crate) fn options(&self, app: &App) -> Result<Chosen, CliError> {
        let Chosen { mut options, project } = self.plan.options(app)?;
        // Formatting comes first: later diffs then show only what they are about.
        let formats = self.format.iter().cloned().map(GivenChange::Format);
        options.proposals =
            formats.chain(self.patch.iter().cloned().map(GivenChange::Patch)).collect();
        let config = app.config(project.as_deref(), Vec::new())?;
        let mut verify = verify_settings::verify(&config.settings, &self.verify)?;
        verify.runs_commands = !self.no_verify;
        verify.allow_failing_baseline |= self.allow_failing_baseline;
        options.verify = Some(verify);
        let orders = &mut options.orders;
        // A formatter alone is all that is asked for, unless there is a directive, too.
        orders.plans = options.proposals.is_empty() || orders.directive.is_some();
        orders.max_retries = self.max_retries.unwrap_or(orders.max_retries);
        orders.strict = self.strict;
        orders.critic = self.critic;
        orders.approve_each = self.approve_each;
        orders.dry_run = self.dry_run;
        orders.agent = self.agent.order(app, &config.settings)?.filter(|_| orders.plans);
        orders.max_runtime_s = self.max_runtime.map(|time| time.as_secs());
        let output = self.output.as_deref().map(std::path::absolute).transpose();
        orders.output = output.map_err(|error| CliError::new(ErrorKind::Usage, error))?;
        Ok(Chosen { options, project })
    }
}

/// More tries of a task have not been seen to help.
const MOST_RETRIES: u32 = 3;

/// Patterns may come in one word, with commas between them; a comma inside of braces belongs to the pattern.
pub(crate) fn globs(words: &[String]) -> Vec<String> {
    let mut globs = Vec::new();
    for word in words {
        let (mut depth, mut glob) = (0_u32, String::new());
        for c in word.chars() {
            match c {
                ',' if depth == 0 => globs.push(std::mem::take(&mut glob)),
                _ => {
                    depth = match c {
                        '{' => depth + 1,
                        '}' => depth.saturating_sub(1),
                        _ => depth,
                    };
                    glob.push(c);
                }
            }
        }
        globs.push(glob);
    }
    globs.iter().map(|glob| glob.trim().to_owned()).filter(|glob| !glob.is_empty()).collect()
}

fn time(text: &str) -> Result<Duration, String> {
    let bad = || "it must be a time such as 90s, 30m or 2h".to_owned();
    let (number, unit) =
        text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let number: u64 = number.parse().map_err(|_| bad())?;
    let seconds = match unit {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err(bad()),
    };
    number.checked_mul(seconds).filter(|it| *it > 0).map(Duration::from_secs).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf1_patterns_may_be_joined_by_commas() {
        let check = |words: &[&str], expected: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(globs(&words), expected);
        };
        check(&["**/*.ts,**/*.js"], &["**/*.ts", "**/*.js"]);
        check(&["*.{ts,tsx}, lib/**", "dist"], &["*.{ts,tsx}", "lib/**", "dist"]);
        check(&["node_modules,dist"], &["node_modules", "dist"]);
        check(&[",", ""], &[]);
    }

    #[test]
    fn rf8_a_time_has_a_unit() {
        let check = |text: &str, seconds: Option<u64>| {
            assert_eq!(time(text).ok(), seconds.map(Duration::from_secs), "{text}");
        };
        check("90", Some(90));
        check("90s", Some(90));
        check("30m", Some(1800));
        check("2h", Some(7200));
        check("0s", None);
        check("m", None);
        check("5d", None);
        check("99999999999999999999h", None);
    }
}
