//! From what an answer proposes to the files before and after.

use std::collections::BTreeMap;

use rb_core::RepoPath;
use rb_core::fs::FsError;
use rb_core::patch::{LineKind, Mode};

use super::elision::is_elision;
use super::error::{AnswerError, Refused, Why};
use super::file::{LineEdit, Target};
use super::names::{Names, is_placeholder};
use super::nearest::shorten;
use super::place::{Piece, Placement, place};
use super::read::{Action, Proposal};
use super::{Placed, Rung};
use crate::patch::{Entry, File, Kind, Tree};

/// The touched files in both states.
pub(super) struct Built {
    pub(super) before: BTreeMap<RepoPath, File>,
    pub(super) after: BTreeMap<RepoPath, File>,
    pub(super) placed: Vec<Placed>,
}

/// Places every proposal, or gives the reasons of all that cannot be placed.
pub(super) fn build(
    proposals: Vec<Proposal>,
    names: &Names,
    tree: &dyn Tree,
) -> Result<Built, AnswerError> {
    let mut builder = Builder { names, tree, drafts: BTreeMap::new(), placed: Vec::new() };
    let mut refused = Vec::new();
    for Proposal { line, path, action } in proposals {
        if let Err(why) = builder.take(&path, action)? {
            refused.push(Refused { line, path, why });
        }
    }
    if refused.is_empty() { Ok(builder.finish()) } else { Err(AnswerError::Refused(refused)) }
}

struct Builder<'a> {
    names: &'a Names,
    tree: &'a dyn Tree,
    drafts: BTreeMap<RepoPath, Draft>,
    placed: Vec<Placed>,
}

/// One file while its edits are gathered.
struct Draft {
    before: Option<File>,
    edits: Vec<LineEdit>,
    mode: Option<Mode>,
    fate: Fate,
}

enum Fate {
    Edited,
    Replaced(Vec<u8>),
    Deleted,
    Moved(RepoPath),
    /// Another file moves here.
    Taken,
}

/// The outer error ends everything, the inner one refuses a proposal.
type Outcome = Result<Result<(), Why>, FsError>;

impl Builder<'_> {
    fn take(&mut self, path: &RepoPath, action: Action) -> Outcome {
        let (known, binary) = match self.draft(path)? {
            Ok(draft) => {
                (draft.before.is_some(), draft.before.as_ref().is_some_and(File::is_binary))
            }
            Err(why) => return Ok(Err(why)),
        };
        let missing = || Why::Missing { similar: self.names.similar(path) };
        let empty_find = |piece: &Piece| piece.side(LineKind::Add).is_empty();
        Ok(match action {
            Action::Edit(_) | Action::Whole(_) | Action::Delete(_) if binary => Err(Why::Binary),
            Action::Edit(piece) if !known && empty_find(&piece) => {
                self.whole(path, &piece.side(LineKind::Remove).concat())
            }
            Action::Whole(content) => self.whole(path, &content),
            Action::Create { mode, content } => self.create(path, mode, content),
            Action::Edit(_) | Action::Delete(_) | Action::Move(_) | Action::Mode(_) if !known => {
                Err(missing())
            }
            Action::Edit(piece) => self.edit(path, &piece),
            Action::Delete(piece) => self.delete(path, piece.as_ref()),
            Action::Move(to) => return self.rename(path, &to),
            Action::Mode(mode) => {
                self.known_draft(path).mode = Some(mode);
                Ok(())
            }
        })
    }

    /// The draft of a path, started from the tree where there is none.
    fn draft(&mut self, path: &RepoPath) -> Result<Result<&mut Draft, Why>, FsError> {
        if !self.drafts.contains_key(path) {
            let before = match self.tree.entry(path)? {
                Some(Entry::File(file)) => Some(file),
                Some(entry) => return Ok(Err(Why::NotAFile(Kind::of(&entry)))),
                None => None,
            };
            let draft = Draft { before, edits: Vec::new(), mode: None, fate: Fate::Edited };
            self.drafts.insert(path.clone(), draft);
        }
        Ok(Ok(self.known_draft(path)))
    }

    fn known_draft(&mut self, path: &RepoPath) -> &mut Draft {
        self.drafts.get_mut(path).expect("the draft was started")
    }

    fn edit(&mut self, path: &RepoPath, piece: &Piece) -> Result<(), Why> {
        let draft = self.known_draft(path);
        if matches!(draft.fate, Fate::Replaced(_) | Fate::Deleted | Fate::Taken) {
            return Err(Why::Contradiction);
        }
        let bytes = draft.before.as_ref().map_or(&b""[..], |file| &file.bytes);
        let target = Target::new(bytes);
        if target.lines.is_empty() && piece.side(LineKind::Add).is_empty() && draft.edits.is_empty()
        {
            let added = piece.side(LineKind::Remove);
            complete(added.iter().copied(), &target)?;
            draft.fate = Fate::Replaced(added.concat());
            self.note(path, Rung::Exact, 0);
            return Ok(());
        }
        let Placement { rung, start, edits } = place(piece, &target)?;
        let added = edits.iter().flat_map(|edit| &edit.new).map(Vec::as_slice);
        complete(added, &target)?;
        for edit in &edits {
            if let Some(other) = draft.edits.iter().find(|other| overlap(edit, other)) {
                return Err(Why::Overlap { line: other.start + 1 });
            }
        }
        draft.edits.extend(edits);
        self.note(path, rung, start);
        Ok(())
    }

    /// A file in full: in place of the old one, or new where a new one is plausible.
    fn whole(&mut self, path: &RepoPath, content: &[u8]) -> Result<(), Why> {
        let (plausible, similar) = (self.names.is_plausible(path), self.names.similar(path));
        let draft = self.known_draft(path);
        if !matches!(draft.fate, Fate::Edited) || !draft.edits.is_empty() {
            return Err(Why::Contradiction);
        }
        if draft.before.is_none() && !plausible {
            return Err(Why::Implausible { similar });
        }
        let target = Target::new(draft.before.as_ref().map_or(&b""[..], |file| &file.bytes));
        complete(content.split_inclusive(|&byte| byte == b'\n'), &target)?;
        let replaced = target.replaced(content);
        let rung = if replaced == content { Rung::Exact } else { Rung::Whitespace };
        draft.fate = Fate::Replaced(replaced);
        self.note(path, rung, 0);
        Ok(())
    }

    /// A diff says itself that the file is new, so only the example path is mistrusted.
    fn create(&mut self, path: &RepoPath, mode: Mode, content: Vec<u8>) -> Result<(), Why> {
        let draft = self.known_draft(path);
        if !matches!(draft.fate, Fate::Edited) {
            return Err(Why::Contradiction);
        }
        if draft.before.is_some() {
            return Err(Why::Exists);
        }
        if is_placeholder(path) {
            return Err(Why::Implausible { similar: Vec::new() });
        }
        complete(content.split_inclusive(|&byte| byte == b'\n'), &Target::new(b""))?;
        (draft.fate, draft.mode) = (Fate::Replaced(content), Some(mode));
        self.note(path, Rung::Exact, 0);
        Ok(())
    }

    /// A deletion must show every line that it deletes.
    fn delete(&mut self, path: &RepoPath, piece: Option<&Piece>) -> Result<(), Why> {
        let draft = self.known_draft(path);
        if !matches!(draft.fate, Fate::Edited) || !draft.edits.is_empty() {
            return Err(Why::Contradiction);
        }
        let target = Target::new(draft.before.as_ref().map_or(&b""[..], |file| &file.bytes));
        let rung = match piece {
            None if target.lines.is_empty() => Rung::Exact,
            None => return Err(Why::PartialDelete),
            Some(piece) => {
                let placement = place(piece, &target)?;
                if !target.edited(&placement.edits).trim_ascii().is_empty() {
                    return Err(Why::PartialDelete);
                }
                placement.rung
            }
        };
        draft.fate = Fate::Deleted;
        self.note(path, rung, 0);
        Ok(())
    }

    fn rename(&mut self, path: &RepoPath, to: &RepoPath) -> Outcome {
        match self.draft(to)? {
            Err(why) => return Ok(Err(why)),
            Ok(draft) if draft.before.is_some() => return Ok(Err(Why::Exists)),
            Ok(draft) if !matches!(draft.fate, Fate::Edited) => return Ok(Err(Why::Contradiction)),
            Ok(_) => {}
        }
        let draft = self.known_draft(path);
        if !matches!(draft.fate, Fate::Edited) || path == to {
            return Ok(Err(Why::Contradiction));
        }
        draft.fate = Fate::Moved(to.clone());
        self.known_draft(to).fate = Fate::Taken;
        self.note(path, Rung::Exact, 0);
        Ok(Ok(()))
    }

    fn note(&mut self, path: &RepoPath, rung: Rung, start: usize) {
        self.placed.push(Placed { path: path.clone(), rung, line: start + 1 });
    }

    fn finish(self) -> Built {
        let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
        for (path, mut draft) in self.drafts {
            draft.edits.sort_by_key(|edit| (edit.start, edit.end));
            let old = draft.before;
            let mode = draft.mode.or(old.as_ref().map(|file| file.mode)).unwrap_or(Mode::Regular);
            let edited = |old: &File| Target::new(&old.bytes).edited(&draft.edits);
            match draft.fate {
                Fate::Deleted | Fate::Taken => {}
                Fate::Replaced(bytes) => drop(after.insert(path.clone(), File { bytes, mode })),
                Fate::Edited => {
                    let file = old.as_ref().map(|old| File { bytes: edited(old), mode });
                    after.extend(file.map(|file| (path.clone(), file)));
                }
                Fate::Moved(to) => {
                    let file = old.as_ref().map(|old| File { bytes: edited(old), mode });
                    after.extend(file.map(|file| (to, file)));
                }
            }
            before.extend(old.map(|old| (path, old)));
        }
        Built { before, after, placed: self.placed }
    }
}

/// Refuses new lines that stand for code left out, unless the file has that line already.
fn complete<'a>(added: impl Iterator<Item = &'a [u8]>, target: &Target<'_>) -> Result<(), Why> {
    for line in added.filter(|line| is_elision(line)) {
        if !target.lines.iter().any(|old| old.trim_ascii() == line.trim_ascii()) {
            return Err(Why::Elided { text: shorten(line.trim_ascii()) });
        }
    }
    Ok(())
}

/// Two edits at one place have no order, so they overlap even where both only insert.
fn overlap(a: &LineEdit, b: &LineEdit) -> bool {
    a.start == b.start || a.start < b.end && b.start < a.end
}
