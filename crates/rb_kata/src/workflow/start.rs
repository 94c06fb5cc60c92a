//! Katas as this process plans them, begins them, goes on with them and looks at them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rb_core::fs::{self, Durability};
use rb_core::process::{Cmd, Env};
use rb_core::{Cancel, Home, Progress, RepoPath, RunId, Sha256, clock};
use rb_flow::event::ModelChoice;
use rb_flow::{Desk, Driver, Log, Observer, Run, RunDir, RunsError, fold, journal};
use rb_toolchains::{Detected, detect};
use rb_verify::{Options, Shell};
use rb_workspace::preflight::check_state;
use rb_workspace::project::{Place, ProjectError};
use rb_workspace::repo::{Head, Repo};

use super::Kata;
use super::event::{Kind, RunEvent, Start};
use super::state::State;
use super::world::{World, text_of};
use crate::description::{self, LanguageProblem};
use crate::error::KataError;
use crate::runner::Runner;
use crate::text_file::TextFile;

/// What every entry point needs from the outside.
pub struct Context {
    pub home: Home,
    pub env: Env,
    pub shell: Shell,
    pub cancel: Cancel,
    pub progress: Arc<dyn Progress + Send + Sync>,
    pub models: Arc<Desk>,
    pub observer: Option<Observer<Kata>>,
    /// The program itself, which confines commands.
    pub shim: Option<PathBuf>,
}

/// What a person asked for.
#[derive(Debug, Clone)]
pub struct StartOptions {
    /// The Markdown file.
    pub file: PathBuf,
    /// `None` takes the hints of the kata, then Rust.
    pub language: Option<Runner>,
    pub work_dir: PathBuf,
    pub max_cycles: u32,
    pub models: ModelChoice,
    pub verify: Options,
}

/// What a run would do, without any effect: for `--dry-run`, and the first lines of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub kata: description::Kata,
    pub runner: Runner,
    /// Why this language: "--language", "the file name", "the default".
    pub runner_source: String,
    pub place: Place,
    /// The files of the new project; empty where one exists.
    pub skeleton: Vec<TextFile>,
    /// The command that runs the tests; empty where it is not known before the project is made.
    pub test_command: String,
    /// What the reader should know: uncommitted changes that the run does not see, a repository around the folder.
    pub notes: Vec<String>,
}

/// A longer description is not one.
const LARGEST: u64 = 1 << 20;

/// Reads the kata, chooses the language and looks at the working directory. Changes nothing. A kata that cannot be begun is shown all
/// the same: its problems say why.
pub fn plan(
    env: &Env,
    cancel: &Cancel,
    home: &Home,
    options: &StartOptions,
) -> Result<Plan, KataError> {
    let kata = read(&options.file)?;
    let (runner, runner_source) =
        kata.choose_runner(options.language).map_err(|why| match why {
            LanguageProblem::Unknown { name } => KataError::UnknownLanguage { name },
            LanguageProblem::Ambiguous(names) => KataError::AmbiguousLanguage(names),
        })?;
    let work_dir = std::path::absolute(&options.work_dir)
        .map_err(|_| KataError::NotAFolder(options.work_dir.clone()))?;
    let mut notes = Vec::new();
    let place = place(env, cancel, home, &work_dir, &kata.slug, &mut notes)?;
    let paths = match &place {
        Place::NewRepository { .. } => Vec::new(),
        Place::Worktree { checkout, .. } => tracked(checkout, env, cancel)?,
    };
    let have = |program: &str| env.find(program).is_some();
    for (program, install) in runner.missing(&have) {
        notes.push(format!("`{program}` was not found; {install}"));
    }
    let skeleton = new_files(env, cancel, runner, &kata, &paths);
    let found = match &place {
        Place::NewRepository { .. } => detected_in(home, &skeleton, &have)?,
        Place::Worktree { checkout, .. } => detect(checkout, &paths, &have),
    };
    let test_command = runner.test_command(&found).map(|command| command.line).unwrap_or_default();
    Ok(Plan { kata, runner, runner_source, place, skeleton, test_command, notes })
}

/// How a project of these files is tested. It is written to a folder of its own for as long as that takes.
fn detected_in(
    home: &Home,
    files: &[TextFile],
    have: &dyn Fn(&str) -> bool,
) -> Result<Detected, KataError> {
    let number = u64::from_le_bytes(rb_core::random::bytes());
    let folder = home.root().join(format!("new-project-{number:016x}"));
    let mut paths = Vec::new();
    for file in files {
        let place = folder.join(&file.path);
        fs::create_dir_all(place.parent().unwrap_or(&folder))?;
        fs::write(&place, file.text.as_bytes(), Durability::Relaxed)?;
        paths.push(file.path.clone());
    }
    let found = detect(&folder, &paths, &have);
    fs::remove_dir_all(&folder)?;
    Ok(found)
}

fn read(file: &Path) -> Result<description::Kata, KataError> {
    if !file.exists() {
        return Err(KataError::NoFile(file.to_owned()));
    }
    let bad = |why: &str| KataError::BadKata { file: file.to_owned(), why: why.to_owned() };
    if file.is_dir() {
        return Err(bad("it is a folder"));
    }
    let bytes = fs::read_head(file, LARGEST)?;
    let text = String::from_utf8(bytes).map_err(|_| bad("it is not UTF-8 text"))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Ok(description::Kata::read(&name, &text))
}

/// Where the project will be, by what the folder is now.
fn place(
    env: &Env,
    cancel: &Cancel,
    home: &Home,
    folder: &Path,
    slug: &str,
    notes: &mut Vec<String>,
) -> Result<Place, KataError> {
    if folder.exists() && !folder.is_dir() {
        return Err(KataError::NotAFolder(folder.to_owned()));
    }
    if !folder.exists() || fs::list(folder)?.is_empty() {
        let around = folder.ancestors().skip(1).find(|above| above.join(".git").exists());
        notes.extend(around.map(|above| {
            format!("the new repository lies inside of another one, {}", above.display())
        }));
        return Ok(Place::NewRepository { folder: folder.to_owned() });
    }
    if !folder.join(".git").exists() {
        return Err(KataError::NotEmpty(folder.to_owned()));
    }
    let repo = Repo::open_git(folder, None, env, cancel).map_err(ProjectError::from)?;
    check_state(&repo).map_err(|why| KataError::RepositoryBusy {
        folder: folder.to_owned(),
        why: why.to_string(),
    })?;
    if matches!(repo.head().map_err(ProjectError::from)?, Head::Unborn { .. }) {
        // Somebody else's files would become part of the first commit.
        let is_bare = fs::list(folder)?.iter().all(|name| name == ".git");
        return if is_bare {
            Ok(Place::NewRepository { folder: folder.to_owned() })
        } else {
            Err(KataError::NotEmpty(folder.to_owned()))
        };
    }
    let changed = repo.git.run(["status", "--porcelain", "--untracked-files=no"]);
    if changed.map_err(ProjectError::from)?.contains(&b'\n') {
        notes.push("uncommitted changes in the repository are not part of the kata".to_owned());
    }
    let branch = free_branch(&repo, slug)?;
    notes.push(format!(
        "{} is a repository: the commits go to the new branch {branch}, and your files are not touched",
        folder.display()
    ));
    let name = format!(
        "kata-{}-{branch}",
        &Sha256::of(folder.display().to_string().as_bytes()).to_string()[..8]
    );
    let worktree = home.worktrees().join(name.replace('/', "-"));
    Ok(Place::Worktree { checkout: folder.to_owned(), folder: worktree, branch })
}

fn free_branch(repo: &Repo, slug: &str) -> Result<String, KataError> {
    for number in 1..1_000 {
        let name = match number {
            1 => format!("kata/{slug}"),
            number => format!("kata/{slug}-{number}"),
        };
        if !repo.branch_exists(&name).map_err(ProjectError::from)? {
            return Ok(name);
        }
    }
    Err(KataError::RepositoryBusy {
        folder: repo.root.clone(),
        why: format!("there are too many branches named kata/{slug}"),
    })
}

fn tracked(checkout: &Path, env: &Env, cancel: &Cancel) -> Result<Vec<String>, KataError> {
    let repo = Repo::open_git(checkout, None, env, cancel).map_err(ProjectError::from)?;
    let out = repo.git.run(["ls-files", "-z"]).map_err(ProjectError::from)?;
    let names = out.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}

/// The files that a project gets; none where it has a manifest and sources of its own.
pub(super) fn skeleton(
    env: &Env,
    cancel: &Cancel,
    start: &Start,
    paths: &[RepoPath],
) -> Vec<TextFile> {
    let paths: Vec<String> = paths.iter().map(text_of).collect();
    new_files(env, cancel, start.runner, &start.kata, &paths)
}

fn new_files(
    env: &Env,
    cancel: &Cancel,
    runner: Runner,
    kata: &description::Kata,
    paths: &[String],
) -> Vec<TextFile> {
    let have = |program: &str| env.find(program).is_some();
    let files = runner.skeleton(&kata.slug, &kata.title, &have, node_version(env, cancel, runner));
    // A project that has a file of each kind is one; what a killed process left of a skeleton is completed.
    let own: Vec<&String> = paths.iter().filter(|path| runner.is_source(path)).collect();
    let is_project = own.iter().any(|path| !files.iter().any(|file| file.path == **path));
    if is_project {
        return Vec::new();
    }
    files.into_iter().filter(|file| !paths.contains(&file.path)).collect()
}

/// Which node runs the tests decides how TypeScript is run.
fn node_version(env: &Env, cancel: &Cancel, runner: Runner) -> Option<(u32, u32)> {
    if runner != Runner::Typescript {
        return None;
    }
    let asked = Cmd::new("node", env).arg("--version").timeout(Duration::from_secs(20)).run(cancel);
    let text = String::from_utf8(asked.ok()?.stdout).ok()?;
    let mut numbers = text.trim().trim_start_matches('v').split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Develops the kata until it is complete, stuck, or out of cycles.
pub fn start(context: &Context, options: &StartOptions) -> Result<State, KataError> {
    let Context { home, env, cancel, .. } = context;
    let Plan { kata, runner, place, notes, .. } = plan(env, cancel, home, options)?;
    if let Some(problem) = kata.problems.iter().find(|problem| problem.is_fatal) {
        let (file, why) = (options.file.clone(), problem.text.clone());
        return Err(KataError::BadKata { file, why });
    }
    let have = |program: &str| env.find(program).is_some();
    if let Some((program, install)) = runner.missing(&have).first() {
        let (language, program) = (runner.title(), (*program).to_owned());
        return Err(KataError::MissingTool { language, program, install: (*install).to_owned() });
    }
    fs::create_dir_all(home.root())?;
    let run = Run::create(home, clock::now(), |_| Ok::<_, KataError>(false))?;
    let start = Start {
        run: run.id.clone(),
        workflow: Kind::kata(),
        file: options.file.clone(),
        kata,
        runner,
        place,
        max_cycles: options.max_cycles,
        models: options.models.clone(),
        verify: options.verify.clone(),
    };
    let mut driver = Driver::begin(run, start.clone(), context.observer.clone(), |run, log| {
        world(context, &start, run, log)
    })?;
    for text in notes {
        driver.write(RunEvent::Noted { text })?;
    }
    driver.drive()
}

/// Goes on with a run that was interrupted. One that has ended stays as it is.
pub fn resume(context: &Context, id: RunId) -> Result<State, KataError> {
    let run = Run::open(&context.home, id)?;
    let mut driver =
        Driver::<Kata>::reopen(run, context.observer.clone(), |run, state: &State, log| {
            Ok(world(context, &state.start, run, log))
        })?;
    if driver.state.course.outcome.is_none() {
        driver.write(RunEvent::Resumed)?;
    }
    driver.drive()
}

/// What a run's journal says, without a lock and without any change.
pub fn state_of(home: &Home, id: &RunId) -> Result<State, KataError> {
    let dir = RunDir::new(home, id);
    if !dir.path().is_dir() {
        return Err(RunsError::Unknown(id.clone()).into());
    }
    Ok(fold::<Kata>(id, &journal::read(&dir)?.records)?)
}

fn world(context: &Context, start: &Start, run: Run, log: Log<Kata>) -> World {
    World {
        run,
        log,
        desk: Arc::clone(&context.models),
        env: context.env.clone(),
        passed: context.shell.pass(&start.verify.env),
        shim: context.shim.clone(),
        progress: Arc::clone(&context.progress),
        cancel: context.cancel.clone(),
        project: None,
        bench: None,
    }
}
