//! Runs as a process begins them, opens them and looks at them.

use std::path::Path;

use rb_core::fs::{self, Lock};
use rb_core::{RunId, clock};
use rb_flow::{
    Driver, FlowError, Run, RunDir, RunEvent, RunState as _, RunsError, fold, journal, runs,
};
use rb_workspace::backup::{self, Manifest};
use rb_workspace::preflight::{
    Dirty, NoRepository, Preflight, TargetPlace, inspect_checkout, inspect_folder, locate,
};
use rb_workspace::repo::{Kind, Repo};

use crate::changes::{Changes, Context, Target};
use crate::error::ChangeError;
use crate::host::Host;
use crate::world::ChangeWorld;

/// Looks at the target and takes a name for the run. A refused target leaves no run behind.
pub fn prepare(
    host: &Host,
    target: &Path,
    dirty: Dirty,
    no_repository: NoRepository,
) -> Result<(Run, Preflight), ChangeError> {
    let Host { home, env, cancel, .. } = host;
    fs::create_dir_all(home.root())?;
    match locate(target, home, env, cancel)? {
        TargetPlace::Checkout { root, scope } => {
            let target = inspect_checkout(&root, scope, dirty, env, cancel)?;
            let taken = |id: &RunId| Ok::<_, ChangeError>(target.repo.branch_exists(&id.branch())?);
            Ok((Run::create(home, clock::now(), taken)?, target))
        }
        TargetPlace::Folder { root } => {
            let run = Run::create(home, clock::now(), |_| Ok::<_, ChangeError>(false))?;
            let inspected = inspect_folder(&root, home, &run.id, env, cancel).and_then(|target| {
                if no_repository == NoRepository::Refuse {
                    target.must_be_repository()?;
                }
                Ok(target)
            });
            match inspected {
                Ok(target) => Ok((run, target)),
                Err(refused) => {
                    fs::remove_dir_all(run.dir.path())?;
                    Err(refused.into())
                }
            }
        }
    }
}

/// Begins a journal for a run that has just been made.
pub fn begin<W: Changes>(
    context: &Context<W>,
    run: Run,
    start: &W::Start,
    target: Preflight,
) -> Result<Driver<W>, W::Error> {
    let notes: Vec<String> = target.notes.iter().map(ToString::to_string).collect();
    let mut driver = Driver::begin(run, start.clone(), context.observer.clone(), |run, log| {
        let (host, repo) = (context.host.clone(), target.repo.clone());
        let options = W::options(context, start);
        let change = ChangeWorld::new(host, run, options, repo, log.clone(), Some(target));
        W::world(context, log, change)
    })?;
    for text in notes {
        driver.write(RunEvent::Noted { text })?;
    }
    Ok(driver)
}

/// Opens a run to go on with it.
pub fn reopen<W: Changes>(context: &Context<W>, id: RunId) -> Result<Driver<W>, W::Error> {
    let run = Run::open(&context.host.home, id).map_err(ChangeError::from)?;
    Driver::reopen(run, context.observer.clone(), |run, state, log| {
        let start = state.start();
        let repo = open_repo(&context.host, &run.id, &W::target(start))?;
        let options = W::options(context, start);
        let change = ChangeWorld::new(context.host.clone(), run, options, repo, log.clone(), None);
        Ok(W::world(context, log, change))
    })
}

/// What a run's journal says, without a lock and without any change.
pub fn summary<W: Changes>(host: &Host, id: &RunId) -> Result<W::State, ChangeError> {
    let dir = RunDir::new(&host.home, id);
    if !dir.path().is_dir() {
        return Err(RunsError::Unknown(id.clone()).into());
    }
    Ok(fold::<W>(id, &journal::read(&dir)?.records)?)
}

/// Opens the repository that a run works on, as it was when the run began.
pub(crate) fn open_repo(host: &Host, run: &RunId, target: &Target) -> Result<Repo, ChangeError> {
    let Host { home, env, cancel, .. } = host;
    Ok(match target.kind {
        Kind::Git => Repo::open_git(&target.repo, target.folder.clone(), env, cancel)?,
        Kind::Folder => Repo::open_folder(&target.repo, home, run, env, cancel)?,
    })
}

impl ChangeWorld {
    /// Held over plan and performance of whatever writes into the checkout. That must be the one that was backed up.
    pub fn lock_repo(&self) -> Result<Lock, ChangeError> {
        let ChangeWorld { host, repo, run, .. } = self;
        for dir in backup::places(&host.home, &run.id)? {
            // One that cannot be read says nothing.
            let Ok(manifest) = Manifest::load(&dir) else { continue };
            if manifest.repo != repo.root {
                let (run, repo) = (run.id.clone(), repo.root.clone());
                return Err(ChangeError::OtherRepository { run, repo, backup: manifest.repo });
            }
        }
        let lock = runs::lock_repo(&host.home, &repo.backup_name(), &repo.root);
        Ok(lock.map_err(FlowError::from)?)
    }

    pub fn wrong_state(&self, state: &str) -> ChangeError {
        ChangeError::WrongState { run: self.run.id.clone(), state: state.to_owned() }
    }
}
