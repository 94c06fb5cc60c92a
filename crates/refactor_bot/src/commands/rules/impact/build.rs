//! Builds of the project before and after a change, in a throwaway worktree, confined like every foreign command.
//!
//! The checkout is only read: its installed packages are borrowed. The worktree and its branch go when the builds are done.

use std::path::PathBuf;
use std::sync::Arc;

use rb_change::{ChangeError, prepare};
use rb_core::fs::{self, Durability};
use rb_core::{Progress as _, RepoPath, Verdict};
use rb_flow::Run;
use rb_sandbox::Sandbox;
use rb_toolchains::{Command, Detected, Purpose, Toolchain, detect};
use rb_verify::{Part, Shell, Site, Verifier, VerifyError};
use rb_workspace::carry::carry;
use rb_workspace::preflight::{Dirty, NoRepository, Preflight};
use rb_workspace::repo::Kind;
use rb_workspace::worktree::Worktree;
use serde::Serialize;

use super::output::{self, FOLDERS, Output};
use super::{Args, ImpactSides};
use crate::app::App;
use crate::error::{CliError, ErrorKind};
use crate::{run_view, verify_settings};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ended {
    Measured,
    Failed,
    /// The project has no command that builds it.
    NoBuild,
    /// It was built, and nothing was found where bundlers write.
    NoOutput,
}

/// What came of building both sides.
#[derive(Debug, Serialize)]
pub(super) struct Built {
    pub(super) outcome: Ended,
    pub(super) packages: Vec<PackageBuild>,
    /// What the person should know, and what a failing build said at last.
    pub(super) words: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct PackageBuild {
    /// From the root of what was asked about; empty for the root itself.
    pub(super) folder: String,
    pub(super) line: String,
    pub(super) before: Option<Output>,
    pub(super) after: Option<Output>,
}

pub(super) fn both(args: &Args, app: &App, looked: &ImpactSides) -> Result<Built, CliError> {
    let config = app.config(Some(args.scope.target()), Vec::new())?;
    if let Some(note) = config.untrusted_note() {
        app.ui.warn(&note);
    }
    let options = verify_settings::verify(&config.settings, &args.verify)?.options;
    let host = run_view::context(app)?.host;
    let (run, target) = prepare(&host, args.scope.target(), Dirty::Carry, NoRepository::Copy)?;
    let built = Bench::new(app, &run, &target, options)
        .and_then(|mut bench| bench.both(looked).map_err(CliError::from));
    // It is no run that anyone could go on with.
    fs::remove_dir_all(run.dir.path())?;
    if app.cancel.is_cancelled() {
        return Err(CliError::new(ErrorKind::Interrupted, "interrupted"));
    }
    built
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

impl Side {
    fn name(self) -> &'static str {
        match self {
            Side::Before => "before",
            Side::After => "after",
        }
    }
}

/// The worktree, and what is needed to run commands in it.
struct Bench<'a> {
    app: &'a App,
    worktree: Worktree,
    verifier: Verifier,
    /// The user's checkout of the same folder, to borrow from.
    checkout: Option<PathBuf>,
    /// The files as they are now.
    base: String,
    /// The folder of the repository that is asked about; empty for all of it.
    inside: String,
}

impl<'a> Bench<'a> {
    fn new(
        app: &'a App,
        run: &Run,
        target: &Preflight,
        options: rb_verify::Options,
    ) -> Result<Self, CliError> {
        let (home, repo) = (app.home()?, &target.repo);
        let base = match target.head.commit() {
            Some(commit) if !target.carries(Dirty::Carry) => commit.to_owned(),
            _ => carry(target, run.dir.path()).map_err(ChangeError::from)?,
        };
        let worktree = Worktree::create(repo, home, &run.id, &base).map_err(ChangeError::from)?;
        let inside = repo.scope.as_ref().map(ToString::to_string).unwrap_or_default();
        let shim = std::env::current_exe().ok();
        let sandbox = Sandbox::probe(&options.sandbox, &app.env, shim.as_deref(), &app.cancel)
            .map_err(VerifyError::from)
            .map_err(ChangeError::from)?;
        let site = Site {
            worktree: worktree.dir().to_owned(),
            root: worktree.dir().join(&inside),
            checkouts: repo.checkouts(),
            borrowed: Vec::new(),
            python_path: Vec::new(),
            local: None,
            made: Vec::new(),
            scratch: home.cache(&repo.backup_name()),
            work: run.dir.join("builds"),
            home: app.env.get("HOME").map(PathBuf::from),
            env: app.env.clone(),
            passed: Shell::new(app.environment.all()).pass(&options.env),
        };
        let checkout = (repo.kind == Kind::Git).then(|| repo.root.join(&inside));
        let caches = rb_verify::caches(&Detected::default());
        let verifier = Verifier {
            site,
            sandbox,
            options,
            caches,
            cancel: app.cancel.clone(),
            progress: Arc::new(app.ui.progress()),
        };
        Ok(Bench { app, worktree, verifier, checkout, base, inside })
    }

    fn both(&mut self, looked: &ImpactSides) -> Result<Built, ChangeError> {
        let mut built = Built { outcome: Ended::Measured, packages: Vec::new(), words: Vec::new() };
        for side in [Side::Before, Side::After] {
            self.bring(side, looked)?;
            let commands = self.prepare(looked, &mut built)?;
            if commands.is_empty() {
                built.outcome = Ended::NoBuild;
                return Ok(built);
            }
            for command in commands {
                if !self.build(side, &command, &mut built)? {
                    built.outcome = Ended::Failed;
                    return Ok(built);
                }
            }
        }
        if built.packages.iter().all(|it| it.before.is_none() && it.after.is_none()) {
            built.outcome = Ended::NoOutput;
        }
        Ok(built)
    }

    /// The files of one side.
    fn bring(&mut self, side: Side, looked: &ImpactSides) -> Result<(), ChangeError> {
        let commit = match (side, &looked.before) {
            (Side::Before, Some(commit)) => commit,
            (Side::Before | Side::After, _) => &self.base,
        };
        self.worktree.reset(commit)?;
        if side == Side::Before || looked.before.is_some() {
            return Ok(());
        }
        for (path, change) in &looked.changed {
            let path = if self.inside.is_empty() {
                path.clone()
            } else {
                format!("{}/{path}", self.inside)
            };
            let (Ok(path), Some(text)) = (RepoPath::new(path.as_bytes()), &change.after) else {
                continue;
            };
            let place = fs::contained(self.worktree.dir(), &path)
                .map_err(rb_workspace::worktree::WorktreeError::from)?;
            fs::write(&place, text.as_bytes(), Durability::Relaxed)?;
        }
        Ok(())
    }

    /// Makes the worktree ready, and finds what builds the entries.
    fn prepare(
        &mut self,
        looked: &ImpactSides,
        built: &mut Built,
    ) -> Result<Vec<Command>, ChangeError> {
        let first = self.detect()?;
        self.verifier.caches = rb_verify::caches(&first);
        let prepared = rb_verify::prepare(&mut self.verifier, &first, self.checkout.as_deref())?;
        for words in prepared.words {
            if !built.words.contains(&words) {
                built.words.push(words);
            }
        }
        // What is installed decides how programs are called.
        Ok(builds(&self.detect()?, looked))
    }

    fn detect(&self) -> Result<Detected, ChangeError> {
        let prefix =
            if self.inside.is_empty() { String::new() } else { format!("{}/", self.inside) };
        let paths = self.worktree.paths()?;
        let files: Vec<String> = paths
            .iter()
            .filter_map(|path| std::str::from_utf8(path.as_bytes()).ok()?.strip_prefix(&prefix))
            .map(str::to_owned)
            .collect();
        let have = |program: &str| self.app.env.find(program).is_some();
        Ok(detect(&self.verifier.site.root, &files, &have))
    }

    /// Whether it went well.
    fn build(
        &mut self,
        side: Side,
        command: &Command,
        built: &mut Built,
    ) -> Result<bool, ChangeError> {
        let folder = self.verifier.site.root.join(&command.folder);
        for output in FOLDERS {
            fs::remove_dir_all(&folder.join(output))?;
        }
        let place = built.packages.iter().position(|it| it.folder == command.folder);
        let place = place.unwrap_or_else(|| {
            built.packages.push(PackageBuild {
                folder: command.folder.clone(),
                line: command.line.clone(),
                before: None,
                after: None,
            });
            built.packages.len() - 1
        });
        let steps = self.app.ui.progress();
        steps.begin(&format!("building, {}: {}", side.name(), command.line), 1);
        let ran = self.verifier.run(command, Part::All, &format!("{}-{place}", side.name()), None);
        steps.end();
        let ran = ran?;
        if ran.verdict != Verdict::Pass {
            let words = |why: &str| format!("{} the change: {why}", side.name());
            built.words.extend(ran.reasons.iter().map(|why| words(why)));
            if ran.reasons.is_empty() {
                built.words.push(words(&format!("`{}` {}", command.line, ran.how.words())));
            }
            built.words.extend(last_lines(&ran.said));
            return Ok(false);
        }
        let output = output::measure(&folder, &ran.built);
        match side {
            Side::Before => built.packages[place].before = output,
            Side::After => built.packages[place].after = output,
        }
        Ok(true)
    }
}

/// For each entry the build that lies nearest around it; all of them where nothing is known.
fn builds(detected: &Detected, looked: &ImpactSides) -> Vec<Command> {
    let packages =
        detected.packages.iter().filter(|package| package.toolchain == Toolchain::Javascript);
    let all: Vec<&Command> = packages
        .flat_map(|package| &package.commands)
        .filter(|command| command.purpose == Purpose::Build)
        .collect();
    let holds = |folder: &str, path: &str| {
        folder.is_empty() || path.strip_prefix(folder).is_some_and(|it| it.starts_with('/'))
    };
    let mut wanted: Vec<&str> = Vec::new();
    for entry in looked.entries.iter().filter(|_| looked.are_real) {
        let around = all.iter().map(|it| it.folder.as_str()).filter(|it| holds(it, &entry.path));
        wanted.extend(around.max_by_key(|it| it.len()));
    }
    let is_wanted = |it: &&&Command| !looked.are_real || wanted.contains(&it.folder.as_str());
    all.iter().filter(is_wanted).map(|it| (*it).clone()).collect()
}

/// What a build says at its end is mostly why it failed.
fn last_lines(said: &str) -> Vec<String> {
    const LINES: usize = 20;
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(LINES)..].iter().map(|line| format!("  {line}")).collect()
}
