//! The history of a repository in its backup, unpacked once into a scratch repository before it is believed.
//!
//! History only grows, and a long one takes minutes to save and to try. So a backup shares the bundle of
//! an earlier one of the same repository: wholly when nothing moved, and as the base of a small bundle
//! when it is large. The shared file is one file under two names, so removing either backup harms neither.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rb_core::fs;
use rb_core::{Progress, RunId};

use super::bundle::{self, Refs};
use super::manifest::{Manifest, Piece};
use super::{BackupError, piece};
use crate::git::{Git, GitError};
use crate::preflight::Preflight;
use crate::repo::Repo;

/// The bundles of one backup, in their place.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) bundle: Option<Piece>,
    pub(super) base: Option<Piece>,
    pub(super) refs: Refs,
}

/// Up to this size a backup is simply whole: `git clone backup.bundle` is all it takes to restore it.
pub(super) const WHOLE_UP_TO: u64 = 32 << 20;

const BUNDLE: &str = "backup.bundle";
const BASE: &str = "base.bundle";

pub(super) fn save(
    target: &Preflight,
    run: &RunId,
    dir: &Path,
    whole_up_to: u64,
    progress: &dyn Progress,
) -> Result<History, BackupError> {
    // The run's own branch is no part of the history that it found.
    let own = format!("refs/heads/{}", run.branch());
    let mut refs = bundle::refs(&target.repo.git)?;
    refs.remove(&own);
    refs.extend(target.head.commit().map(|commit| ("HEAD".to_owned(), commit.to_owned())));
    if refs.is_empty() {
        return Ok(History::default());
    }
    let saver = Saver { repo: &target.repo, dir, own, refs, progress };
    let earlier = saver.earlier()?;
    let same = |earlier: &&Earlier| earlier.manifest.refs == saver.refs && earlier.is_intact();
    if let Some(same) = earlier.iter().find(same)
        && let Some(history) = saver.share(same)?
    {
        return Ok(history);
    }
    // Where a history ends shallow, what a bundle may build on is not simply what came before it.
    let large = |earlier: &&Earlier| earlier.whole().bytes > whole_up_to && earlier.is_intact();
    if !target.repo.common_dir.join("shallow").exists()
        && let Some(large) = earlier.iter().find(large)
        && let Some(history) = saver.build_on(large)?
    {
        return Ok(history);
    }
    saver.save_whole()
}

struct Saver<'a> {
    repo: &'a Repo,
    dir: &'a Path,
    own: String,
    refs: Refs,
    progress: &'a dyn Progress,
}

/// A backup that was made of the same repository before.
struct Earlier {
    dir: PathBuf,
    manifest: Manifest,
}

impl Earlier {
    /// The bundle that needs no other.
    fn whole(&self) -> &Piece {
        self.manifest.bundles().next().expect("only backups with a bundle are looked at")
    }

    /// Whether its bundles are still what they were. Reads them wholly.
    fn is_intact(&self) -> bool {
        let intact =
            |saved: &Piece| piece(&self.dir.join(&saved.file)).is_ok_and(|now| now == *saved);
        self.manifest.bundles().all(intact)
    }
}

impl Saver<'_> {
    /// The backups beside this one that hold a history, newest first.
    fn earlier(&self) -> Result<Vec<Earlier>, BackupError> {
        let Some(beside) = self.dir.parent() else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for name in fs::list(beside)?.iter().rev() {
            let dir = beside.join(name);
            // One that cannot be read is no help and no obstacle.
            let Ok(manifest) = Manifest::load(&dir) else { continue };
            if manifest.bundles().next().is_some() {
                found.push(Earlier { dir, manifest });
            }
            if found.len() == ENOUGH {
                break;
            }
        }
        Ok(found)
    }

    /// The same history under a second name; nothing where the file system knows no second names.
    fn share(&self, earlier: &Earlier) -> Result<Option<History>, BackupError> {
        for saved in earlier.manifest.bundles() {
            if fs::hard_link(&earlier.dir.join(&saved.file), &self.dir.join(&saved.file)).is_err() {
                return self.give_up_sharing();
            }
        }
        let Manifest { bundle, base, .. } = earlier.manifest.clone();
        Ok(Some(History { bundle, base, refs: self.refs.clone() }))
    }

    /// An earlier whole history under a second name, and a bundle of what came since.
    fn build_on(&self, earlier: &Earlier) -> Result<Option<History>, BackupError> {
        let (whole, base) = (earlier.dir.join(&earlier.whole().file), self.dir.join(BASE));
        let known = bundle::list(&self.repo.git, &whole)?;
        let known = bundle::present(&self.repo.git, known.values().collect())?;
        if known.is_empty() || fs::hard_link(&whole, &base).is_err() {
            return self.give_up_sharing();
        }
        self.progress.begin("saving new history", 0);
        let made = bundle::create(&self.repo.git, &self.dir.join(BUNDLE), &known, &self.own);
        self.progress.end();
        let bundle = if made? {
            self.try_restore(&known)?;
            Some(self.bundle()?)
        } else {
            None
        };
        Ok(Some(History { bundle, base: Some(piece(&base)?), refs: self.refs.clone() }))
    }

    fn give_up_sharing(&self) -> Result<Option<History>, BackupError> {
        fs::remove_file(&self.dir.join(BASE))?;
        fs::remove_file(&self.dir.join(BUNDLE))?;
        Ok(None)
    }

    fn save_whole(self) -> Result<History, BackupError> {
        self.progress.begin("saving the history", 0);
        let made = bundle::create(&self.repo.git, &self.dir.join(BUNDLE), &[], &self.own);
        self.progress.end();
        made?;
        self.try_restore(&[])?;
        let bundle = Some(self.bundle()?);
        Ok(History { bundle, base: None, refs: self.refs })
    }

    /// The bundle that git wrote, closed to others.
    fn bundle(&self) -> Result<Piece, fs::FsError> {
        let bundle = self.dir.join(BUNDLE);
        fs::set_mode(&bundle, 0o600)?;
        piece(&bundle)
    }

    /// Unpacks the new bundle into an empty repository, which checks every object, and looks for every ref.
    ///
    /// What an increment builds on is lent by the repository itself: it was tried when it was saved, and
    /// its bytes are still the same.
    fn try_restore(&self, known: &[String]) -> Result<(), BackupError> {
        self.progress.begin("checking the saved history", 0);
        let restored = self.unpack_into_scratch(known);
        self.progress.end();
        restored
    }

    fn unpack_into_scratch(&self, known: &[String]) -> Result<(), BackupError> {
        let scratch = self.dir.join("trial.git");
        let plain = self.repo.git_at(self.dir);
        let format = self.repo.git.line(["rev-parse", "--show-object-format"])?;
        let init =
            ["init", "--quiet", "--bare", "--template=", &format!("--object-format={format}")];
        plain.run(init.map(OsString::from).into_iter().chain([scratch.clone().into()]))?;
        let git = if known.is_empty() {
            plain.at(&scratch)
        } else {
            let lent = self.repo.common_dir.join("objects");
            plain.at(&scratch).with_env("GIT_ALTERNATE_OBJECT_DIRECTORIES", lent)
        };
        bundle::hold(&git, known)?;
        bundle::unpack(&git, &self.dir.join(BUNDLE))?;
        let found = bundle::present(&git, self.refs.values().collect())?;
        let found: BTreeSet<String> = found.into_iter().collect();
        if let Some((name, _)) = self.refs.iter().find(|(_, commit)| !found.contains(*commit)) {
            return Err(BackupError::Bundle(format!("it lacks {name}")));
        }
        Ok(fs::remove_dir_all(&scratch)?)
    }
}

/// How many earlier backups are looked at: the newest are the likeliest to help.
const ENOUGH: usize = 3;

/// Brings commits that the repository lost back, under names that `bundle::release` takes away again.
pub(super) fn bring_back(repo: &Repo, dir: &Path, manifest: &Manifest) -> Result<(), BackupError> {
    if manifest.bundles().next().is_none() {
        return Err(BackupError::Bundle("the backup has none".to_owned()));
    }
    Ok(unpack_all(&repo.git, dir, manifest)?)
}

fn unpack_all(git: &Git, dir: &Path, manifest: &Manifest) -> Result<(), GitError> {
    for piece in manifest.bundles() {
        let refs = bundle::unpack(git, &dir.join(&piece.file))?;
        bundle::hold(git, &refs.into_values().collect::<Vec<_>>())?;
    }
    Ok(())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests look at and damage files of the backup")]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::MetadataExt as _;

    use rb_core::progress::Silent;
    use rb_core::{Cancel, clock, process::Env};
    use rb_testkit::{Repo as TestRepo, git_env};

    use crate::backup::manifest::VERSION;
    use crate::preflight::{Dirty, inspect_checkout};

    struct Backups {
        repo: TestRepo,
        env: Env,
    }

    impl Backups {
        fn new() -> Self {
            let repo = TestRepo::git_repo("//- a.txt\none\n");
            let env = git_env(&repo.beside("")).into_iter();
            Backups { env: env.fold(Env::default(), |env, (n, v)| env.with(n, v)), repo }
        }

        /// Saves the history as the backup `name`, as if a whole one were small up to `whole_up_to`.
        fn save(&self, name: &str, whole_up_to: u64) -> (PathBuf, Manifest) {
            let dir = self.repo.beside("backups").join(name);
            fs::create_dir_all(&dir).unwrap();
            let target =
                inspect_checkout(self.repo.root(), None, Dirty::Refuse, &self.env, &Cancel::new())
                    .unwrap();
            let run: RunId = "20010203T040506Z".parse().unwrap();
            let saved = save(&target, &run, &dir, whole_up_to, &Silent);
            let History { bundle, base, refs } = saved.unwrap();
            fs::write(dir.join("snapshot.tar.gz"), "").unwrap();
            let manifest = Manifest {
                version: VERSION,
                run,
                created: clock::now(),
                repo: self.repo.root().to_owned(),
                kind: target.repo.kind,
                head: target.head,
                bundle,
                base,
                refs,
                shallow: None,
                snapshot: piece(&dir.join("snapshot.tar.gz")).unwrap(),
                index: None,
                files: Vec::new(),
            };
            manifest.save(&dir).unwrap();
            (dir, manifest)
        }

        fn commit(&self, text: &str) -> String {
            self.repo.write("a.txt", text);
            self.repo.commit_all(text);
            self.repo.head()
        }

        /// What foreign hands get out of the backup: the commit that each ref is at.
        fn restored(&self, dir: &Path, name: &str) -> String {
            let place = self.repo.beside(name);
            let place = place.to_str().unwrap();
            let whole = if dir.join(BASE).exists() { BASE } else { BUNDLE };
            self.repo.git(&[
                "clone",
                "--quiet",
                "--mirror",
                dir.join(whole).to_str().unwrap(),
                place,
            ]);
            if whole == BASE && dir.join(BUNDLE).exists() {
                let bundle = dir.join(BUNDLE);
                let fetch = ["fetch", "--quiet", bundle.to_str().unwrap(), "+refs/*:refs/*"];
                rb_testkit::git(Path::new(place), &fetch);
            }
            rb_testkit::git(Path::new(place), &["rev-parse", "refs/heads/main"]).trim().to_owned()
        }
    }

    #[test]
    fn sa2_the_same_history_is_one_file_under_two_names() {
        let backups = Backups::new();
        let (first, _) = backups.save("1", WHOLE_UP_TO);
        // The branch of the run that is backed up for is no history of the user's.
        backups.repo.git(&["branch", "refactor-bot/20010203T040506Z"]);
        let (second, manifest) = backups.save("2", WHOLE_UP_TO);
        let inode = |dir: &Path| fs::metadata(dir.join(BUNDLE)).unwrap().ino();
        assert_eq!(inode(&first), inode(&second));
        fs::remove_dir_all(first).unwrap();
        assert_eq!(manifest.base, None);
        assert_eq!(backups.restored(&second, "restored"), backups.repo.head());
    }

    #[test]
    fn sa2_a_small_history_is_always_whole() {
        let backups = Backups::new();
        backups.save("1", WHOLE_UP_TO);
        let head = backups.commit("two");
        let (dir, manifest) = backups.save("2", WHOLE_UP_TO);
        assert_eq!(manifest.base, None);
        assert_eq!(backups.restored(&dir, "restored"), head);
    }

    #[test]
    fn sa2_a_large_history_goes_on_from_an_earlier_backup() {
        let backups = Backups::new();
        backups.save("1", 0);
        let mut heads = Vec::new();
        for (name, text) in [("2", "two"), ("3", "three")] {
            heads.push(backups.commit(text));
            let (dir, manifest) = backups.save(name, 0);
            assert!(manifest.base.is_some() && manifest.bundle.is_some());
            assert!(!dir.join("trial.git").exists());
            assert_eq!(backups.restored(&dir, &format!("restored-{name}")), heads[heads.len() - 1]);
        }
        // Another ref, but no commit that the base lacks: there is nothing new to bundle.
        backups.repo.git(&["reset", "--quiet", "--hard", "HEAD~2"]);
        backups.repo.git(&["branch", "other"]);
        let (dir, manifest) = backups.save("4", 0);
        assert_eq!(manifest.bundle, None);
        assert_eq!(backups.restored(&dir, "restored-4"), backups.repo.head());
    }

    #[test]
    fn sa2_lost_commits_come_back_from_base_and_bundle() {
        let backups = Backups::new();
        backups.save("1", 0);
        let head = backups.commit("two");
        let (dir, manifest) = backups.save("2", 0);
        let empty = TestRepo::git_repo("//- b.txt\n");
        let repo = Repo::open_git(empty.root(), None, &backups.env, &Cancel::new()).unwrap();
        bring_back(&repo, &dir, &manifest).unwrap();
        bundle::release(&repo.git).unwrap();
        assert!(empty.git_ok(&["cat-file", "-e", &head]));
        assert_eq!(empty.git(&["for-each-ref", "--format=%(refname)"]), "refs/heads/main\n");
    }

    #[test]
    fn sa2_a_damaged_earlier_backup_is_not_built_on() {
        let backups = Backups::new();
        let (first, _) = backups.save("1", 0);
        let bundle = first.join(BUNDLE);
        let mut bytes = fs::read(&bundle).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(&bundle, bytes).unwrap();
        let (dir, manifest) = backups.save("2", 0);
        assert_eq!(manifest.base, None);
        assert_eq!(backups.restored(&dir, "restored"), backups.repo.head());
    }
}
