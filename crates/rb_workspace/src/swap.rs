//! Replaces files of the user's checkout without losing a save that is made at the same moment.
//!
//! A new version is prepared in a slot inside `.git`, or beside its file, and the two exchange their names. What comes out is compared with what was
//! expected. If it differs, somebody saved the file a moment ago, and the two change back. What comes out stays in its slot until
//! every file is in place, because a program that had the file open may still write to it. Each step can be repeated after a kill.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rb_core::fs::{self, BehindLink, Durability, Exchange, FsError};
use rb_core::{RepoPath, Sha256};
use thiserror::Error;

use crate::fingerprint::MarkKind;
use crate::repo::Repo;
use crate::version::Version;

#[derive(Debug, Error)]
pub(crate) enum SwapError {
    /// Somebody saved it in this moment. Their version stands there.
    #[error("`{0}` was saved in this moment")]
    Saved(RepoPath),
    #[error("another program has `{0}` open for writing")]
    InUse(RepoPath),
    /// The new version is not the one that was planned.
    #[error("the new version of `{0}` is not what was planned")]
    Source(RepoPath),
    #[error(transparent)]
    BehindLink(#[from] BehindLink),
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// Files that are replaced together.
#[derive(Debug)]
pub(crate) struct Swaps {
    root: PathBuf,
    /// Where slots lie: git does not see them there. None where the repository is not inside the checkout.
    slots: Option<PathBuf>,
    files: Vec<Swap>,
    notes: RefCell<Vec<String>>,
}

/// One file that is replaced.
#[derive(Debug)]
struct Swap {
    path: RepoPath,
    place: PathBuf,
    slot: PathBuf,
    old: Version,
    new: Version,
}

/// How far taking back came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Undone {
    /// Every file is what it was, or what somebody saved since.
    Whole,
    /// An earlier process threw old versions away already.
    InPart,
}

impl Swaps {
    pub(crate) fn new(repo: &Repo) -> Swaps {
        let slots = repo.git_dir.starts_with(&repo.root).then(|| repo.git_dir.join(FOLDER));
        Swaps { root: repo.root.clone(), slots, files: Vec::new(), notes: RefCell::default() }
    }

    /// Adds a file that is to be replaced, or was.
    pub(crate) fn add(
        &mut self,
        path: &RepoPath,
        old: Version,
        new: Version,
    ) -> Result<(), SwapError> {
        let place = fs::contained(&self.root, path)?;
        let slot = match &self.slots {
            Some(folder) if is_same_disk(&self.root, &place) => {
                let name = Sha256::of(path.as_bytes());
                folder.join(format!("{name}.old"))
            }
            Some(_) | None => fs::temp_sibling(&place).with_extension("old"),
        };
        self.files.push(Swap { path: path.clone(), place, slot, old, new });
        Ok(())
    }

    /// Puts the new version of the file that was added last in its place. `bytes` are its content, or the target of a link.
    pub(crate) fn place(
        &self,
        bytes: impl FnOnce() -> Result<Vec<u8>, FsError>,
    ) -> Result<(), SwapError> {
        let Some(swap) = self.files.last() else { return Ok(()) };
        swap.adopt(&self.notes)?;
        let found = Version::at(&swap.place)?;
        if found.is(swap.new) {
            return Ok(());
        }
        if !found.is(swap.old) {
            return Err(SwapError::Saved(swap.path.clone()));
        }
        swap.clear_slot(&self.notes)?;
        if swap.new.is_absent() {
            return swap.take_away(swap.old, &self.notes);
        }
        swap.prepare(&bytes()?)?;
        if swap.old.is_absent() { swap.create() } else { swap.replace(&self.notes) }
    }

    /// Looks once more at everything that came out, when nobody can write to it any more.
    pub(crate) fn settle(&self) -> Result<(), SwapError> {
        if let Some(swap) = self.wait_for_writers() {
            return Err(SwapError::InUse(swap.path.clone()));
        }
        for swap in &self.files {
            let out = Version::at(&swap.slot)?;
            if !out.is_absent() && !out.is(swap.old) {
                return Err(SwapError::Saved(swap.path.clone()));
            }
        }
        let folders: BTreeSet<&Path> =
            self.files.iter().filter_map(|swap| swap.place.parent()).collect();
        for folder in folders.into_iter().filter(|folder| folder.is_dir()) {
            fs::sync_file(folder)?;
        }
        Ok(())
    }

    /// Waits a moment while another program may write to what came out; the file it still has open then.
    fn wait_for_writers(&self) -> Option<&Swap> {
        for _ in 0..LOOKS {
            self.written()?;
            thread::sleep(PAUSE);
        }
        self.written()
    }

    fn written(&self) -> Option<&Swap> {
        let slot = fs::open_for_writing(self.files.iter().map(|swap| swap.slot.as_path()))?;
        self.files.iter().find(|swap| swap.slot == slot)
    }

    /// Puts everything back. Versions that somebody saved since stay.
    pub(crate) fn undo(&self) -> Result<Undone, FsError> {
        let mut undone = Undone::Whole;
        for swap in self.files.iter().rev() {
            if swap.undo(&self.notes)? == Undone::InPart {
                undone = Undone::InPart;
            }
        }
        // What came out now may be open as well: somebody edits the new version already.
        if let Some(swap) = self.wait_for_writers() {
            swap.rescue(&self.notes)?;
        }
        for swap in &self.files {
            swap.finish(swap.old, &self.notes)?;
            swap.remove_empty_folders(&self.root)?;
        }
        self.remove_slots()?;
        Ok(undone)
    }

    /// Removes the old versions. One that turns out to be a save of the user's is put in place, or kept beside it.
    pub(crate) fn finish(&self) -> Result<(), FsError> {
        for swap in &self.files {
            swap.finish(swap.new, &self.notes)?;
            swap.remove_empty_folders(&self.root)?;
        }
        self.remove_slots()
    }

    fn remove_slots(&self) -> Result<(), FsError> {
        let Some(folder) = &self.slots else { return Ok(()) };
        fs::remove_empty_dirs(folder, folder.parent().unwrap_or(folder))
    }

    /// What the person has to know, in sentences.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.notes.borrow().clone()
    }
}

/// How often, and after which pause, it is looked whether a file is still open for writing: two seconds in all.
const LOOKS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(20);

type Notes = RefCell<Vec<String>>;

impl Swap {
    fn prepare(&self, bytes: &[u8]) -> Result<(), SwapError> {
        if Some(Sha256::of(bytes)) != self.new.sha256 {
            return Err(SwapError::Source(self.path.clone()));
        }
        self.make_folders()?;
        match (self.new.kind, self.new.mode) {
            (MarkKind::Link, _) => {
                fs::symlink(Path::new(&OsString::from_vec(bytes.to_vec())), &self.slot)?;
            }
            (_, Some(mode)) => fs::write_exact(&self.slot, bytes, mode, Durability::Synced)?,
            (_, None) => fs::write(&self.slot, bytes, Durability::Synced)?,
        }
        Ok(())
    }

    fn make_folders(&self) -> Result<(), FsError> {
        let folders = [&self.place, &self.slot].into_iter().filter_map(|path| path.parent());
        folders.into_iter().try_for_each(fs::create_dir_all)
    }

    fn saved(&self) -> SwapError {
        SwapError::Saved(self.path.clone())
    }

    fn create(&self) -> Result<(), SwapError> {
        if fs::rename_new(&self.slot, &self.place)? { Ok(()) } else { Err(self.saved()) }
    }

    fn replace(&self, notes: &Notes) -> Result<(), SwapError> {
        match fs::exchange(&self.slot, &self.place)? {
            Exchange::Done => {}
            Exchange::Missing => return Err(self.saved()),
            Exchange::Unsupported => {
                note(notes, CANNOT_EXCHANGE.to_owned());
                self.replace_without_exchange()?;
            }
        }
        if Version::at(&self.slot)?.is(self.old) {
            return Ok(());
        }
        self.put_back(notes)?;
        Err(self.saved())
    }

    /// The old version gets a second name, the new one is renamed over it, and the second name becomes the slot.
    fn replace_without_exchange(&self) -> Result<(), SwapError> {
        let second = self.second_name();
        if fs::hard_link(&self.place, &second).is_err() {
            let mode = self.old.mode.unwrap_or(0o644);
            fs::write_exact(&second, &fs::read(&self.place)?, mode, Durability::Synced)?;
        }
        if !Version::at(&second)?.is(self.old) {
            fs::remove_file(&second)?;
            return Err(self.saved());
        }
        fs::rename(&self.slot, &self.place)?;
        Ok(fs::rename(&second, &self.slot)?)
    }

    /// Moves what stands in the place into the empty slot, if it is `expected`.
    fn take_away(&self, expected: Version, notes: &Notes) -> Result<(), SwapError> {
        if self.place.symlink_metadata().is_err() {
            return Ok(());
        }
        self.make_folders()?;
        if !fs::rename_new(&self.place, &self.slot)? {
            return Err(self.saved());
        }
        if Version::at(&self.slot)?.is(expected) {
            return Ok(());
        }
        if !fs::rename_new(&self.slot, &self.place)? {
            self.rescue(notes)?;
        }
        Err(self.saved())
    }

    /// The slot holds what belongs in the place, and the place holds the new version. What comes out stays in the slot.
    fn put_back(&self, notes: &Notes) -> Result<(), FsError> {
        match fs::exchange(&self.slot, &self.place)? {
            Exchange::Done => {}
            Exchange::Missing => return self.return_to_empty_place(notes),
            Exchange::Unsupported => return fs::rename(&self.slot, &self.place),
        }
        if Version::at(&self.slot)?.is(self.new) {
            return Ok(());
        }
        // It was saved again meanwhile: the newest version goes back in place.
        match fs::exchange(&self.slot, &self.place)? {
            Exchange::Done => Ok(()),
            Exchange::Missing | Exchange::Unsupported => self.return_to_empty_place(notes),
        }
    }

    fn return_to_empty_place(&self, notes: &Notes) -> Result<(), FsError> {
        if fs::rename_new(&self.slot, &self.place)? { Ok(()) } else { self.rescue(notes) }
    }

    /// Puts the old version back; the new one comes out into the slot.
    fn undo(&self, notes: &Notes) -> Result<Undone, FsError> {
        self.adopt(notes)?;
        if !Version::at(&self.place)?.is(self.new) || self.old.is(self.new) {
            return Ok(Undone::Whole);
        }
        if self.old.is_absent() {
            self.drop_slot(notes)?;
            // Where it was saved in this moment, it stays.
            return match self.take_away(self.new, notes) {
                Err(SwapError::Fs(error)) => Err(error),
                Ok(()) | Err(_) => Ok(Undone::Whole),
            };
        }
        if self.slot.symlink_metadata().is_err() {
            return Ok(Undone::InPart);
        }
        if self.new.is_absent() {
            self.return_to_empty_place(notes)?;
        } else {
            self.put_back(notes)?;
        }
        Ok(Undone::Whole)
    }

    /// Empties the slot. What turns out to be a save goes in place, if `ours` still stands there.
    fn finish(&self, ours: Version, notes: &Notes) -> Result<(), FsError> {
        self.adopt(notes)?;
        let out = Version::at(&self.slot)?;
        let is_save = !out.is_absent() && !out.is(self.old) && !out.is(self.new);
        if !is_save || !Version::at(&self.place)?.is(ours) {
            return self.drop_slot(notes);
        }
        let path = &self.path;
        note(notes, format!("`{path}` was saved in the same moment; your version is in place"));
        if ours.is_absent() {
            return self.return_to_empty_place(notes);
        }
        match fs::exchange(&self.slot, &self.place)? {
            Exchange::Done => self.drop_slot(notes),
            Exchange::Missing => self.return_to_empty_place(notes),
            Exchange::Unsupported => fs::rename(&self.slot, &self.place),
        }
    }

    /// What a kill left of a replacement without exchange.
    fn adopt(&self, notes: &Notes) -> Result<(), FsError> {
        let second = self.second_name();
        if second.symlink_metadata().is_err() {
            return Ok(());
        }
        if !fs::rename_new(&second, &self.slot)? {
            // The new version was not yet in place, and the slot still holds it.
            self.drop_slot(notes)?;
            fs::rename(&second, &self.slot)?;
        }
        Ok(())
    }

    fn clear_slot(&self, notes: &Notes) -> Result<(), FsError> {
        fs::remove_file(&fs::temp_sibling(&self.slot))?;
        fs::remove_file(&fs::temp_sibling(&self.place))?;
        self.drop_slot(notes)
    }

    /// Empties the slot. What is neither the old nor the new version is the user's, and is kept.
    fn drop_slot(&self, notes: &Notes) -> Result<(), FsError> {
        let found = Version::at(&self.slot)?;
        if found.is_absent() {
            return Ok(());
        }
        if found.is(self.old) || found.is(self.new) {
            return fs::remove_file(&self.slot);
        }
        self.rescue(notes)
    }

    /// Gives a version of the user's that has no place a name of its own beside the file.
    fn rescue(&self, notes: &Notes) -> Result<(), FsError> {
        for nth in 1.. {
            let mut name = self.place.file_name().unwrap_or_default().to_owned();
            name.push(format!(".saved-{nth}"));
            let at = self.place.with_file_name(name);
            if fs::rename_new(&self.slot, &at)? {
                let path = &self.path;
                let at = at.display();
                note(notes, format!("a version of `{path}` that you saved is kept at {at}"));
                return Ok(());
            }
        }
        unreachable!("the loop ends only by returning")
    }

    fn second_name(&self) -> PathBuf {
        self.slot.with_extension("second")
    }

    fn remove_empty_folders(&self, root: &Path) -> Result<(), FsError> {
        fs::remove_file(&fs::temp_sibling(&self.slot))?;
        fs::remove_file(&fs::temp_sibling(&self.place))?;
        fs::remove_empty_dirs(self.place.parent().unwrap_or(root), root)
    }
}

const CANNOT_EXCHANGE: &str = "this file system cannot exchange two files in one step; a file that \
    another program replaces at the very moment it is written may lose that save";

fn note(notes: &Notes, text: String) {
    let mut notes = notes.borrow_mut();
    if !notes.contains(&text) {
        notes.push(text);
    }
}

/// The folder inside `.git` that slots lie in while files are replaced.
const FOLDER: &str = "refactor-bot";

/// Whether what lies at `place` can be renamed into the checkout's own folders.
fn is_same_disk(root: &Path, place: &Path) -> bool {
    let device = |path: &Path| path.symlink_metadata().ok().map(|meta| meta.dev());
    let nearest = place.ancestors().skip(1).find_map(device);
    nearest.is_some() && nearest == device(root)
}

#[cfg(test)]
mod tests;
