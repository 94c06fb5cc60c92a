//! How changes are verified, as configuration and flags choose.

use std::path::Path;

use rb_change::Verify;
use rb_core::RunId;
use rb_refactor::{Phase, State};
use rb_sandbox::Choice;
use rb_verify::{Benchmark, FromCheckout, Options, Shell, Thresholds};

use crate::app::App;
use crate::config::settings::Settings;
use crate::error::{CliError, ErrorKind};

/// The flags of every command that verifies.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct VerifyFlags {
    /// Sandbox for the repository's commands: auto, bubblewrap, landlock, docker:IMAGE or off
    #[arg(long, value_name = "SANDBOX")]
    pub(crate) sandbox: Option<String>,

    /// Install missing dependencies; uses the network and may run package scripts
    #[arg(long)]
    pub(crate) install: bool,

    /// Repeat all tests N times before the first change, to find flaky ones
    #[arg(long, value_name = "N")]
    pub(crate) flake_runs: Option<u32>,

    /// Maximum time for one command, in seconds
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<u32>,
}

/// What a run keeps of it.
pub(crate) fn verify(settings: &Settings, flags: &VerifyFlags) -> Result<Verify, CliError> {
    let set = &settings.verify;
    let sandbox = flags.sandbox.as_deref().unwrap_or(&set.sandbox);
    let options = Options {
        sandbox: choice(sandbox)?,
        timeout_s: flags.timeout.unwrap_or(set.timeout_s).into(),
        memory_mb: set.memory_mb.into(),
        processes: set.processes,
        fast: settings.fast_verifier.clone(),
        full: settings.full_verifier.clone(),
        optional: set.optional_checks,
        flake_runs: flags.flake_runs.unwrap_or(set.flake_runs),
        confirm_runs: set.confirm_runs,
        report_grace_s: Options::default().report_grace_s,
        affected_first_ms: Options::default().affected_first_ms,
        dependencies: dependencies(&set.dependencies)?,
        carry: set.carry.clone(),
        env: env(&set.env)?,
        install: flags.install || set.install,
        thresholds: Thresholds {
            wanted: set.pass_rate_wanted,
            abort: set.pass_rate_abort,
            unstable: set.broken_unstable,
        },
        benchmark: (!set.benchmark.is_empty()).then(|| Benchmark {
            line: set.benchmark.clone(),
            runs: set.benchmark_runs,
            threshold: set.benchmark_threshold,
        }),
    };
    Ok(Verify {
        runs_commands: true,
        options,
        full_every: settings.run_full_verifier_every,
        allow_failing_baseline: set.allow_failing_baseline,
        allow_public_api_changes: settings.allow_public_api_changes,
        max_residue: (set.max_residue > 0).then_some(set.max_residue as usize),
    })
}

fn choice(text: &str) -> Result<Choice, CliError> {
    Ok(match text {
        "auto" => Choice::Auto,
        "bubblewrap" => Choice::Bubblewrap,
        "landlock" => Choice::Landlock,
        "off" => Choice::Off,
        _ => match text.strip_prefix("docker:").filter(|image| !image.is_empty()) {
            Some(image) => Choice::Docker { image: image.to_owned() },
            None => {
                let message = format!("`{text}` is not a sandbox");
                return Err(CliError::new(ErrorKind::Usage, message)
                    .hint("choose auto, bubblewrap, landlock, docker:IMAGE or off"));
            }
        },
    })
}

/// The variables for a run that was begun by another process: values that it was given then are not kept, and must be given
/// again.
pub(crate) fn shell_again(app: &App, state: &State) -> Result<Shell, CliError> {
    let started = &state.started;
    match &started.verify {
        Some(verify) if !matches!(state.phase(), Phase::Ended(_)) => {
            let project = started.repo.is_dir().then_some(started.repo.as_path());
            shell_for(app, project, &started.run, &verify.options)
        }
        Some(_) | None => Ok(Shell::new(app.environment.all())),
    }
}

/// The same for an open run of any workflow.
pub(crate) fn shell_for(
    app: &App,
    project: Option<&Path>,
    run: &RunId,
    options: &Options,
) -> Result<Shell, CliError> {
    let config = app.config(project, Vec::new())?;
    let shell = Shell::new(app.environment.all()).with_values(&config.settings.verify.env);
    let missing = shell.missing(&options.env);
    if missing.is_empty() {
        return Ok(shell);
    }
    let names = missing.join(", ");
    let message = format!("run {run} was started with a value for {names}, which is not stored");
    let hint =
        format!("set {0} in your shell, or pass --set verify.env={0}=VALUE again", missing[0]);
    Err(CliError::new(ErrorKind::Usage, message).hint(hint))
}

fn env(entries: &[String]) -> Result<Vec<String>, CliError> {
    match entries.iter().find(|entry| !rb_verify::is_entry(entry)) {
        None => Ok(entries.to_vec()),
        Some(entry) => {
            // A mistaken entry may hold a secret behind its name.
            let name = entry.split_once('=').map_or(entry.as_str(), |(name, _)| name);
            let message = format!("verify.env: `{name}` is not a valid variable name");
            Err(CliError::new(ErrorKind::Usage, message).hint("give NAME, or NAME=VALUE"))
        }
    }
}

fn dependencies(text: &str) -> Result<FromCheckout, CliError> {
    Ok(match text {
        "link" => FromCheckout::Link,
        "copy" => FromCheckout::Copy,
        "nothing" => FromCheckout::Nothing,
        _ => {
            let message = format!("verify.dependencies cannot be `{text}`");
            return Err(
                CliError::new(ErrorKind::Usage, message).hint("choose link, copy or nothing")
            );
        }
    })
}
