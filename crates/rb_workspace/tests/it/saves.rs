//! Saves that a person makes while files land or are rolled back: none is lost.
//!
//! `REFACTOR_BOT_SAVES` sets how many saves the storms make each.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rb_testkit::Repo;
use rb_workspace::land::{self, LandError, Landing};
use rb_workspace::preflight::Dirty;
use rb_workspace::rollback::{self, Insist};

use crate::target::{Ready, Target};

const FILES: usize = 40;
/// Saves that are made into one landing or rollback.
const AT_ONCE: usize = 3;

fn target() -> Target {
    let repo = Repo::unborn("//- keep.txt\nkept\n");
    for nth in 0..FILES {
        repo.write(&name(nth), format!("line of {nth}\n"));
    }
    repo.commit_all("first");
    Target::new(repo)
}

fn name(nth: usize) -> String {
    format!("src/f{nth:02}.txt")
}

/// Changes most files, removes every eighth, and makes one new file for each of those.
fn diff() -> String {
    let one = |nth: usize| {
        let name = name(nth);
        if nth.is_multiple_of(8) {
            format!(
                "diff --git a/{name} b/{name}\ndeleted file mode 100644\n--- a/{name}\n+++ /dev/null\n\
                 @@ -1 +0,0 @@\n-line of {nth}\n\
                 diff --git a/made/{nth}.txt b/made/{nth}.txt\nnew file mode 100644\n--- /dev/null\n\
                 +++ b/made/{nth}.txt\n@@ -0,0 +1 @@\n+made\n"
            )
        } else {
            format!("--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-line of {nth}\n+LINE OF {nth}\n")
        }
    };
    (0..FILES).map(one).collect()
}

/// How a program saves a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Save {
    Truncate,
    /// Opens the file, writes to it a moment later, and never truncates.
    Overwrite,
    RenameOver,
    Remake,
}

const SAVES: [Save; 4] = [Save::Truncate, Save::Overwrite, Save::RenameOver, Save::Remake];

impl Save {
    /// Whether something was saved: a file that is not there cannot be overwritten.
    fn make(self, place: &Path, text: &str, pause: Duration) -> bool {
        let write = |file: &mut fs::File| {
            wait(pause);
            file.write_all(text.as_bytes()).unwrap();
        };
        match self {
            Save::Truncate => match fs::File::options().write(true).truncate(true).open(place) {
                Ok(mut file) => write(&mut file),
                Err(_) => return false,
            },
            Save::Overwrite => match fs::File::options().write(true).open(place) {
                Ok(mut file) => write(&mut file),
                Err(_) => return false,
            },
            Save::RenameOver => {
                let beside = place.with_extension("swp");
                if fs::write(&beside, text).is_err() {
                    return false;
                }
                wait(pause);
                return fs::rename(beside, place).is_ok();
            }
            Save::Remake => {
                let _ = fs::remove_file(place);
                wait(pause);
                return fs::write(place, text).is_ok();
            }
        }
        true
    }
}

fn wait(pause: Duration) {
    let until = Instant::now() + pause;
    while Instant::now() < until {
        thread::yield_now();
    }
}

/// A small generator of numbers, so that a storm can be repeated.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below.max(1)
    }

    fn choose(&mut self, of: usize) -> usize {
        usize::try_from(self.roll(of as u64)).unwrap()
    }
}

/// Where saves ended, counted.
#[derive(Debug, Default)]
struct Count {
    made: usize,
    /// Of these, before the work was done.
    during: usize,
    in_place: usize,
    beside: usize,
    done: usize,
    stopped: usize,
}

/// Lets `work` run while saves are made at moments spread over `lasts`, and looks for each save afterwards.
fn storm(
    root: &Path,
    dice: &mut Dice,
    lasts: Duration,
    count: &mut Count,
    work: impl FnOnce() -> bool,
) {
    let lasts = u64::try_from(lasts.as_micros()).unwrap();
    let mut saves: Vec<(u64, Save, PathBuf, String, Duration)> = (0..AT_ONCE)
        .map(|nth| {
            let file = (dice.choose(FILES) / AT_ONCE * AT_ONCE + nth) % FILES;
            let save = SAVES[dice.choose(SAVES.len())];
            let pause = Duration::from_micros(dice.roll(400));
            let text = format!("saved by a person {}\n", dice.roll(u64::MAX >> 32));
            (dice.roll(lasts), save, root.join(name(file)), text, pause)
        })
        .collect();
    saves.sort_by_key(|save| save.0);
    saves.dedup_by(|a, b| a.2 == b.2);
    let done = thread::scope(|scope| {
        let begun = Instant::now();
        let person = scope.spawn(move || {
            let mut ended = Vec::new();
            saves.retain(|(at, save, place, text, pause)| {
                wait(Duration::from_micros(*at).saturating_sub(begun.elapsed()));
                let is_made = save.make(place, text, *pause);
                if is_made {
                    ended.push(Instant::now());
                }
                is_made
            });
            (saves, ended)
        });
        let (done, at) = (work(), Instant::now());
        let (saves, ended) = person.join().unwrap();
        count.during += ended.iter().filter(|ended| **ended < at).count();
        (done, saves)
    });
    let (is_done, saves) = done;
    if is_done {
        count.done += 1;
    } else {
        count.stopped += 1;
    }
    for (at, save, place, text, _) in saves {
        count.made += 1;
        let holds = |place: &Path| fs::read_to_string(place).is_ok_and(|it| it.contains(&text));
        let kept = |nth: u32| PathBuf::from(format!("{}.saved-{nth}", place.display()));
        if holds(&place) {
            count.in_place += 1;
        } else if (1..4).any(|nth| holds(&kept(nth))) {
            count.beside += 1;
        } else {
            let now = fs::read_to_string(&place);
            panic!("{save:?} of {} at {at} us of {lasts} is lost: {now:?}", place.display());
        }
    }
    for entry in walk(root) {
        assert!(!entry.to_string_lossy().contains(".refactor-bot-"), "left: {}", entry.display());
    }
}

fn walk(root: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(root).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with(".git") {
            all.extend(walk(&path));
        } else {
            all.push(path);
        }
    }
    all
}

fn rounds() -> usize {
    let wanted = std::env::var("REFACTOR_BOT_SAVES").ok().and_then(|it| it.parse().ok());
    wanted.map_or(4, |saves: usize| saves.div_ceil(AT_ONCE))
}

fn perform(ready: &Ready, landing: &Landing) -> Result<(), LandError> {
    land::perform(&ready.preflight.repo, &ready.worktree, landing, "test", &mut Vec::new())
}

fn ready(target: &Target) -> (Ready, Landing) {
    let mut ready = target.ready(Dirty::Refuse);
    ready.change(&diff());
    let landing = ready.plan().unwrap();
    (ready, landing)
}

#[test]
fn sa1_no_save_is_lost_while_files_land() {
    let (mut dice, mut count, mut lasts) = (Dice(1), Count::default(), Duration::from_millis(100));
    for round in 0..=rounds() {
        let target = target();
        let (ready, landing) = ready(&target);
        let begun = Instant::now();
        if round == 0 {
            perform(&ready, &landing).unwrap();
            lasts = begun.elapsed();
            continue;
        }
        storm(target.repo.root(), &mut dice, lasts, &mut count, || {
            match perform(&ready, &landing) {
                Ok(()) => true,
                Err(LandError::NotLanded { .. }) => false,
                Err(error) => panic!("{error}"),
            }
        });
        assert_eq!(target.repo.read("keep.txt"), "kept\n");
    }
    println!("landings of {lasts:?}: {count:?}");
}

#[test]
fn sa2_no_save_is_lost_while_files_are_rolled_back() {
    let (mut dice, mut count, mut lasts) = (Dice(2), Count::default(), Duration::from_millis(100));
    for round in 0..=rounds() {
        let target = target();
        let (ready, landing) = ready(&target);
        perform(&ready, &landing).unwrap();
        let Ready { worktree, backup, .. } = ready;
        worktree.discard().unwrap();
        let repo = target.reopened();
        let plan = rollback::plan(&repo, &backup, Some(&landing), Insist::No).unwrap();
        let work = || rollback::perform(&repo, &backup, &plan, "test", &mut Vec::new());
        let begun = Instant::now();
        if round == 0 {
            work().unwrap();
            lasts = begun.elapsed();
            continue;
        }
        storm(target.repo.root(), &mut dice, lasts, &mut count, || match work() {
            Ok(()) => true,
            Err(rollback::RollbackError::OtherWork(_)) => false,
            Err(error) => panic!("{error}"),
        });
        assert_eq!(target.repo.read("keep.txt"), "kept\n");
    }
    println!("rollbacks of {lasts:?}: {count:?}");
}

/// A save through a descriptor that was opened before the landing, when the file is already replaced.
#[test]
#[cfg(target_os = "linux")]
fn sa1_a_file_that_is_open_for_writing_stops_the_landing() {
    let target = target();
    let (ready, landing) = ready(&target);
    let place = target.repo.root().join(name(1));
    let mut open = fs::File::options().write(true).open(&place).unwrap();
    let stopped = perform(&ready, &landing).unwrap_err();
    assert_eq!(stopped.to_string(), "another program has `src/f01.txt` open for writing");
    open.write_all(b"late").unwrap();
    drop(open);
    assert_eq!(target.repo.read(&name(1)), "late of 1\n");
    assert_eq!(target.repo.git(&["status", "--porcelain"]), " M src/f01.txt\n");
    fs::write(&place, "line of 1\n").unwrap();
    perform(&ready, &landing).unwrap();
    assert_eq!(target.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn sa1_a_changed_mode_is_a_change() {
    let target = target();
    let mut ready = target.ready(Dirty::Refuse);
    ready.change(&diff());
    let set = |nth: usize, mode: u32| {
        let place = target.repo.root().join(name(nth));
        fs::set_permissions(place, fs::Permissions::from_mode(mode)).unwrap();
    };
    set(1, 0o755);
    let refused = ready.plan().unwrap_err().to_string();
    assert_eq!(refused, "`src/f01.txt` was changed in your checkout since the run began");
    set(1, 0o664);
    let landing = ready.plan().unwrap();
    set(2, 0o600);
    let stopped = perform(&ready, &landing).unwrap_err();
    assert!(
        matches!(stopped.cause(), LandError::Saved(path) if *path == crate::target::path(&name(2)))
    );
    let mode = |nth: usize| {
        target.repo.root().join(name(nth)).metadata().unwrap().permissions().mode() & 0o777
    };
    assert_eq!((mode(1), mode(2)), (0o664, 0o600));
    let landing = ready.plan().unwrap();
    perform(&ready, &landing).unwrap();
    assert_eq!((mode(1), mode(2)), (0o664, 0o600));
    // The person's own `chmod` is later work for a rollback.
    set(3, 0o755);
    let repo = target.reopened();
    let plan = |insist| rollback::plan(&repo, &ready.backup, Some(&landing), insist);
    assert_eq!(plan(Insist::No).unwrap_err().to_string(), "other work was done since: src/f03.txt");
    let forced = plan(Insist::Yes).unwrap();
    rollback::perform(&repo, &ready.backup, &forced, "test", &mut Vec::new()).unwrap();
    assert_eq!((mode(1), mode(3)), (0o644, 0o644));
}
