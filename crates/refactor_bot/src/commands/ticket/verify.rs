//! `ticket verify`: the criteria of a ticket, tried against a branch that is there already. No model is asked, and nothing of the user's
//! repository is written.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rb_change::ChangeError;
use rb_core::Verdict;
use rb_core::fs::{self, Durability};
use rb_sandbox::Sandbox;
use rb_ticket::Ticket;
use rb_ticket::browse::{
    self, CheckResult, CheckVerdict, Head, Verification, VerifyContext, VerifyOptions,
    expected_pictures, head_since,
};
use rb_ticket::checks::{Unchecked, derive};
use rb_ticket::preview::{self, Preview, PreviewOptions};
use rb_toolchains::detect;
use rb_verify::{Shell, Site, Verifier, VerifyError};
use rb_workspace::preflight::{TargetPlace, locate};
use rb_workspace::repo::Repo;
use serde_json::json;

use super::order::PreviewFlags;
use super::source;
use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::numbers::plural;
use crate::repo_index::existing_folder;
use crate::scratch_repo::ScratchRepo;
use crate::ticket_run::headline;
use crate::ui::printable;
use crate::verify_settings::{self, VerifyFlags};

const EXAMPLES: &str = "\
Examples:
  refactor-bot ticket verify SHOP-31.md my-branch
  refactor-bot ticket verify acme/shop#42 HEAD --output evidence --json

Exit code 0 means that all checks were met, 7 that one was not met or that nothing could be checked.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// File, -, OWNER/REPO#N, #N, GitHub issue URL, Jira key or URL
    #[arg(value_name = "TICKET")]
    ticket: String,

    /// Branch, tag or commit to check
    #[arg(value_name = "BRANCH")]
    branch: String,

    /// Repository, or folder in a repository
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,

    #[command(flatten)]
    preview: PreviewFlags,

    /// Write screenshots and results to this folder
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// Sandbox for the app: auto, bubblewrap, landlock, docker:IMAGE or off
    #[arg(long, value_name = "SANDBOX")]
    sandbox: Option<String>,

    /// Install missing dependencies; uses the network and may run package scripts
    #[arg(long)]
    install: bool,
}

pub(super) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let project = existing_folder(&args.path)?;
    let config = app.config(Some(&project), Vec::new())?;
    if let Some(note) = config.untrusted_note() {
        app.ui.warn(&note);
    }
    let settings = &config.settings;
    let ticket = source::read(app, &args.ticket, &project, &settings.ticket)?;
    super::warn_of_hidden_text(app, &ticket);
    let repo = open(app, &project)?;
    let commit = commit(&repo, &args.branch)?;
    let derived = derive(&ticket);
    let subject = Subject { ticket: &ticket, branch: &args.branch, commit: &commit };
    if derived.checks.is_empty() {
        return show(app, &subject, &derived.unchecked, None);
    }
    let evidence = evidence(app, args, &subject)?;
    let flags = VerifyFlags {
        sandbox: args.sandbox.clone(),
        install: args.install,
        flake_runs: None,
        timeout: None,
    };
    let options = verify_settings::verify(settings, &flags)?.options;
    let copy = ScratchRepo::check_out(app, &repo, &commit)?;
    let place = place(&copy, &repo);
    let order = args.preview.order(&settings.ticket);
    let (command, url) = (order.command.as_deref(), order.url.as_deref());
    let preview = preview::find(&place, PreviewOptions { command, url })?;
    let verifier = verifier(app, &repo, &copy, &place, options)?;
    let head = || head(&copy, &verifier.site.made);
    let scratch = copy.folder("browser")?;
    let context = VerifyContext {
        sandbox: &verifier.sandbox,
        env: &app.env,
        chromium: None,
        scratch: &scratch,
        worktree: copy.tree(),
        preview: &preview,
        trust_url: order.trust_url,
        writable: Vec::new(),
        readable: verifier.site.borrowed.clone(),
        checkouts: verifier.site.checkouts.clone(),
        evidence: &evidence,
        pictures: &expected_pictures(&ticket),
        head: &head,
        cancel: &app.cancel,
        options: VerifyOptions::default(),
    };
    verifier.progress.begin("looking at the application", 0);
    let result = browse::verify(&context, &derived.checks);
    verifier.progress.end();
    let verification = result?;
    let report = serde_json::to_vec_pretty(&verification.report()).expect("plain data");
    fs::write(&evidence.join("verify.json"), &report, Durability::Relaxed)?;
    let seen = Seen { verification: &verification, preview: &preview, evidence: &evidence };
    show(app, &subject, &derived.unchecked, Some(&seen))
}

/// What is checked.
struct Subject<'a> {
    ticket: &'a Ticket,
    branch: &'a str,
    commit: &'a str,
}

/// What came of it.
struct Seen<'a> {
    verification: &'a Verification,
    preview: &'a Preview,
    evidence: &'a Path,
}

fn open(app: &App, project: &Path) -> Result<Repo, CliError> {
    let place = locate(project, app.home()?, &app.env, &app.cancel).map_err(ChangeError::from)?;
    match place {
        TargetPlace::Checkout { root, scope } => {
            let repo = Repo::open_git(&root, scope, &app.env, &app.cancel);
            Ok(repo.map_err(ChangeError::from)?)
        }
        TargetPlace::Folder { root } => {
            let root = printable(&root.display().to_string());
            Err(CliError::new(ErrorKind::UnsafeInput, format!("{root} is not a git repository"))
                .hint("give the folder of the repository that has the branch"))
        }
    }
}

fn commit(repo: &Repo, branch: &str) -> Result<String, CliError> {
    let name = format!("{branch}^{{commit}}");
    let args = ["rev-parse", "--verify", "--quiet", "--end-of-options", &name];
    let found = repo.git.optional_line(args).map_err(ChangeError::from)?;
    found.filter(|commit| !commit.is_empty()).ok_or_else(|| {
        let problem = format!("there is no branch, tag or commit `{}`", printable(branch));
        CliError::new(ErrorKind::Usage, problem).hint("`git branch --all` lists the branches")
    })
}

/// Where pictures and results go: a folder that was asked for, or one below the home that an earlier check of the same commit had.
fn evidence(app: &App, args: &Args, subject: &Subject<'_>) -> Result<PathBuf, CliError> {
    let folder = match &args.output {
        Some(folder) => {
            std::path::absolute(folder).map_err(|error| CliError::new(ErrorKind::Usage, error))?
        }
        None => {
            let name = subject.ticket.branch().replace('/', "-");
            let folder = app.home()?.cache("ticket-evidence");
            let folder = folder.join(format!("{name}-{}", short(subject.commit)));
            fs::remove_dir_all(&folder)?;
            folder
        }
    };
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

/// The folder of the copy that the path named.
fn place(copy: &ScratchRepo, repo: &Repo) -> PathBuf {
    match &repo.scope {
        Some(scope) => scope.below(copy.tree()),
        None => copy.tree().to_owned(),
    }
}

/// The sandbox and the dependencies that the app is started with, as a run has them.
fn verifier(
    app: &App,
    repo: &Repo,
    copy: &ScratchRepo,
    place: &Path,
    options: rb_verify::Options,
) -> Result<Verifier, CliError> {
    let shim = std::env::current_exe().ok();
    let sandbox = Sandbox::probe(&options.sandbox, &app.env, shim.as_deref(), &app.cancel)
        .map_err(|error| ChangeError::from(VerifyError::from(error)))?;
    let prefix = repo.scope.as_ref().map(|scope| format!("{scope}/")).unwrap_or_default();
    let files = copy.files().map_err(ChangeError::from)?;
    let files: Vec<String> =
        files.iter().filter_map(|file| file.strip_prefix(&prefix)).map(str::to_owned).collect();
    let detected = detect(place, &files, &|program: &str| app.env.find(program).is_some());
    let shell = Shell::new(app.environment.all()).with_values(&options.env);
    let site = Site {
        worktree: copy.tree().to_owned(),
        root: place.to_owned(),
        checkouts: repo.checkouts(),
        borrowed: Vec::new(),
        made: Vec::new(),
        local: None,
        python_path: Vec::new(),
        scratch: app.home()?.cache(&repo.backup_name()),
        work: copy.folder("verify")?,
        home: app.env.get("HOME").map(PathBuf::from),
        env: app.env.clone(),
        passed: shell.pass(&options.env),
    };
    let mut verifier = Verifier {
        site,
        sandbox,
        caches: rb_verify::caches(&detected),
        options,
        cancel: app.cancel.clone(),
        progress: Arc::new(app.ui.progress()),
    };
    let checkout = match &repo.scope {
        Some(scope) => scope.below(&repo.root),
        None => repo.root.clone(),
    };
    let prepared = rb_verify::prepare(&mut verifier, &detected, Some(&checkout));
    for words in prepared.map_err(ChangeError::from)?.words {
        app.ui.note(&words);
    }
    Ok(verifier)
}

/// The copy as git sees it, without the dependencies that were put there.
fn head(copy: &ScratchRepo, made: &[String]) -> Result<Head, String> {
    let commit = copy.head().map_err(|error| error.to_string())?;
    let since = head_since(&copy.git).map_err(|error| error.to_string())?;
    let mut changes = copy.changes().map_err(|error| error.to_string())?;
    let is_made = |path: &String| {
        made.iter().any(|folder| path == folder || path.starts_with(&format!("{folder}/")))
    };
    changes.retain(|path| !is_made(path));
    Ok(Head { commit, since, changes })
}

fn show(
    app: &App,
    subject: &Subject<'_>,
    unchecked: &[Unchecked],
    seen: Option<&Seen<'_>>,
) -> Result<Outcome, CliError> {
    let Subject { ticket, branch, commit } = subject;
    let verdict = seen.map_or(Verdict::NoVerifierRan, |seen| seen.verification.verdict());
    if app.ui.json {
        app.ui.print_json(&json!({
            "ticket": { "key": ticket.key, "title": ticket.title },
            "branch": branch,
            "commit": commit,
            "verdict": verdict,
            "report": seen.map(|seen| seen.verification.report()),
            "results": seen.map(|seen| &seen.verification.results),
            "unchecked": unchecked,
            "evidence": seen.map(|seen| seen.evidence),
        }))?;
    } else {
        app.ui.print(&text(subject, unchecked, seen))?;
    }
    Ok(match verdict {
        Verdict::Pass => Outcome::Done,
        Verdict::Fail | Verdict::NoVerifierRan => Outcome::Reported(ErrorKind::Incomplete),
    })
}

fn text(subject: &Subject<'_>, unchecked: &[Unchecked], seen: Option<&Seen<'_>>) -> String {
    let Subject { ticket, branch, commit } = subject;
    let mut text = format!("{}\n", headline(ticket));
    let _ = writeln!(text, "commit  {} ({})", short(commit), printable(branch));
    if let Some(Seen { verification, preview, .. }) = seen {
        let app = preview.command.as_deref().unwrap_or(&preview.url);
        let _ = writeln!(text, "app     {} ({})", printable(app), printable(&preview.why));
        for result in &verification.results {
            let _ = writeln!(text, "{}", printable(&result_line(result)));
        }
    }
    for Unchecked { criterion, why } in unchecked {
        let _ = writeln!(text, "{}", printable(&format!("{criterion:<5} not checked  {why}")));
    }
    let results = seen.map_or(&[][..], |seen| &seen.verification.results);
    let met = results.iter().filter(|result| result.verdict == CheckVerdict::Met).count();
    let all = plural(results.len() as u64, "check");
    let left = match unchecked.len() {
        0 => String::new(),
        1 => "; 1 criterion was not checked".to_owned(),
        many => format!("; {many} criteria were not checked"),
    };
    if results.is_empty() {
        text.push_str("\nNothing was checked: no criterion can be checked without a model.\n");
    } else {
        let _ = writeln!(text, "\n{met} of {all} met{left}");
    }
    if let Some(seen) = seen {
        let folder = printable(&seen.evidence.display().to_string());
        let _ = writeln!(text, "Evidence: {folder}");
    }
    text
}

fn result_line(result: &CheckResult) -> String {
    let id = result.check.criterion.as_deref().unwrap_or("page");
    let says = &result.check.says;
    match result.verdict {
        CheckVerdict::Met => format!("{id:<5} met          {says}"),
        CheckVerdict::NotMet => {
            let picture = result.screenshot.as_ref().map(|name| format!("  ({name})"));
            format!(
                "{id:<5} not met      {says}; expected: {}; actual: {}{}",
                result.expected,
                result.actual,
                picture.unwrap_or_default()
            )
        }
        CheckVerdict::NotRun => format!("{id:<5} not run      {says}: {}", result.actual),
    }
}
