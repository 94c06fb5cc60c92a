//! Keeps changed files to the project's own formatter, where they kept to it before.
//!
//! Whether a file does is seen by formatting it as it was: one that changes by this is nobody's to format now. A formatter that fails
//! or reaches further costs the formatting, never the task.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rb_core::{RepoPath, Task};
use rb_toolchains::Formatter;
use rb_verify::How;

use crate::error::ChangeError;
use crate::event::ChangeEvent;
use crate::verify_setup;
use crate::world::ChangeWorld;

const TIMEOUT: Duration = Duration::from_mins(10);

/// The files of a task that each formatter keeps.
pub(crate) type Kept = BTreeMap<Formatter, Vec<RepoPath>>;

/// Looks which of the files are kept by a formatter, in a worktree without changes, and leaves it so.
pub(crate) fn kept(
    world: &mut ChangeWorld,
    task: &Task,
    paths: &[RepoPath],
) -> Result<Kept, ChangeError> {
    let tip = world.tip()?;
    let root = world.worktree()?.dir().to_owned();
    verify_setup::prepare(world)?;
    let env = world.host.env.clone();
    let have = |program: &str| env.find(program).is_some();
    let mut all = Kept::new();
    for path in paths {
        let text = std::str::from_utf8(path.as_bytes()).ok();
        if let Some(house) = text.and_then(|text| Formatter::of(&root, text, &have)) {
            all.entry(house).or_default().push(path.clone());
        }
    }
    let mut kept = Kept::new();
    while let Some((house, paths)) = all.pop_first() {
        let (there, new): (Vec<RepoPath>, Vec<RepoPath>) =
            paths.into_iter().partition(|path| path.below(&root).is_file());
        let changed = if there.is_empty() {
            Some(BTreeSet::new())
        } else {
            let changed = formatted(world, task, &house, &there)?;
            world.worktree()?.reset(&tip)?;
            changed
        };
        // One that changes other files works on more than it is given.
        let Some(changed) = changed.filter(|it| it.iter().all(|path| there.contains(path))) else {
            continue;
        };
        let (loose, mut those): (Vec<RepoPath>, Vec<RepoPath>) =
            there.iter().cloned().partition(|path| changed.contains(path));
        if let Some(plain) = house.without_imports().filter(|_| !loose.is_empty()) {
            all.insert(plain, loose);
        }
        if !those.is_empty() || there.is_empty() {
            those.extend(new);
            kept.insert(house, those);
        }
    }
    Ok(kept)
}

/// Formats what is kept. Says whether nothing but these files came to be other than the change made them.
pub(crate) fn format(
    world: &mut ChangeWorld,
    task: &Task,
    kept: &Kept,
    touched: &[RepoPath],
) -> Result<bool, ChangeError> {
    let root = world.worktree()?.dir().to_owned();
    for (house, paths) in kept {
        let there: Vec<RepoPath> =
            paths.iter().filter(|path| path.below(&root).is_file()).cloned().collect();
        if there.is_empty() {
            continue;
        }
        match formatted(world, task, house, &there)? {
            Some(changed) if changed.iter().all(|path| touched.contains(path)) => {}
            Some(_) | None => return Ok(false),
        }
    }
    Ok(true)
}

/// What is changed in the worktree after a formatter ran; `None` where it failed.
fn formatted(
    world: &mut ChangeWorld,
    task: &Task,
    house: &Formatter,
    paths: &[RepoPath],
) -> Result<Option<BTreeSet<RepoPath>>, ChangeError> {
    let texts: Vec<&str> =
        paths.iter().filter_map(|path| std::str::from_utf8(path.as_bytes()).ok()).collect();
    if run(world, task, &house.line(&texts))?.is_some() {
        return Ok(None);
    }
    let mut changed = world.worktree()?.changed_paths()?;
    changed.retain(|path| !verify_setup::is_made(world, path));
    Ok(Some(changed.into_iter().collect()))
}

/// Why the formatter failed, if it did.
pub(crate) fn run(
    world: &mut ChangeWorld,
    task: &Task,
    command: &str,
) -> Result<Option<String>, ChangeError> {
    world.write(ChangeEvent::CommandStarted { task: task.id, command: command.to_owned() })?;
    let ran = verify_setup::shell(world, command, &format!("{}-format", task.id), TIMEOUT)?;
    let how = How::from(&ran.ended);
    let exit = match how {
        How::Exit { code } => code,
        How::Signal { signal } => 128 + signal,
        How::TimedOut { .. }
        | How::TooManyProcesses { .. }
        | How::OutOfMemory { .. }
        | How::Hung
        | How::NotRun => 128,
    };
    let ms = u64::try_from(ran.elapsed.as_millis()).unwrap_or(u64::MAX);
    world.write(ChangeEvent::CommandEnded { task: task.id, exit, ms })?;
    if !how.is_success() {
        let words = ran.stderr.excerpt(1 << 10);
        let last = words.trim().lines().last().unwrap_or_default();
        return Ok(Some(format!("`{command}` {}: {last}", how.words())));
    }
    Ok(None)
}
