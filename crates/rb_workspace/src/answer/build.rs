//! From what an answer proposes to the files before and after.

use std::collections::BTreeMap;

use rb_core::RepoPath;
use rb_core::fs::FsError;
use rb_core::patch::{LineKind, Mode};

use super::edits;
use super::elision::is_elision;
use super::error::{AnswerError, MAX_WHOLE_LINES, Refused, Why};
use super::file::{LineEdit, Target};
use super::names::{Names, is_placeholder};
use super::nearest::shorten;
use super::place::{Piece, Placement, place};
use super::read::{Action, Proposal};
use super::{Placed, Rung};
use crate::patch::{Entry, File, Kind, Tree, lines};

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
    let files = load(&proposals, tree)?;
    let mut builder = Builder { names, files: &files, drafts: BTreeMap::new(), placed: Vec::new() };
    let mut refused = Vec::new();
    for Proposal { at, path, action } in proposals {
        if let Err(why) = builder.take(&path, action) {
            refused.push(Refused { at, path, why });
        }
    }
    if refused.is_empty() { Ok(builder.finish()) } else { Err(AnswerError::Refused(refused)) }
}

/// What stands at each path that the answer names: a file, nothing, or something that is no file.
type Files = BTreeMap<RepoPath, Result<Option<File>, Kind>>;

fn load(proposals: &[Proposal], tree: &dyn Tree) -> Result<Files, FsError> {
    let mut files = Files::new();
    for proposal in proposals {
        let target = match &proposal.action {
            Action::Move(to) => Some(to),
            Action::Edit(_)
            | Action::Replace { .. }
            | Action::Whole(_)
            | Action::New(_)
            | Action::Create { .. }
            | Action::Delete(_)
            | Action::Mode(_) => None,
        };
        for path in [&proposal.path].into_iter().chain(target) {
            if !files.contains_key(path) {
                let found = match tree.entry(path)? {
                    None => Ok(None),
                    Some(Entry::File(file)) => Ok(Some(file)),
                    Some(entry) => Err(Kind::of(&entry)),
                };
                files.insert(path.clone(), found);
            }
        }
    }
    Ok(files)
}

struct Builder<'a> {
    names: &'a Names,
    files: &'a Files,
    drafts: BTreeMap<RepoPath, Draft<'a>>,
    placed: Vec<Placed>,
}

/// One file while its edits are gathered.
struct Draft<'a> {
    before: Option<&'a File>,
    is_binary: bool,
    target: Target<'a>,
    /// By their first line; they do not overlap.
    edits: BTreeMap<usize, LineEdit>,
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

impl<'a> Builder<'a> {
    fn take(&mut self, path: &RepoPath, action: Action) -> Result<(), Why> {
        let Draft { before, is_binary, .. } = *self.draft(path)?;
        let has_nothing_to_find = |piece: &Piece| piece.side(LineKind::Add).is_empty();
        match action {
            Action::Edit(_)
            | Action::Replace { .. }
            | Action::Whole(_)
            | Action::New(_)
            | Action::Delete(_)
                if is_binary =>
            {
                Err(Why::Binary)
            }
            Action::Replace { search, replace } => {
                let piece = self.draft(path)?.piece(&search, &replace)?;
                self.take(path, Action::Edit(piece))
            }
            Action::New(content) if before.is_none() => self.create(path, Mode::Regular, content),
            Action::New(content) => {
                let lines = self.draft(path)?.target.lines.len();
                if lines > MAX_WHOLE_LINES {
                    return Err(Why::TooLongForWhole { lines });
                }
                self.whole(path, &content)
            }
            Action::Edit(piece) if before.is_none() && has_nothing_to_find(&piece) => {
                self.whole(path, &piece.side(LineKind::Remove).concat())
            }
            Action::Whole(content) => self.whole(path, &content),
            Action::Create { mode, content } => self.create(path, mode, content),
            Action::Edit(_) | Action::Delete(_) | Action::Move(_) | Action::Mode(_)
                if before.is_none() =>
            {
                Err(Why::Missing { similar: self.names.similar(path) })
            }
            Action::Edit(piece) => self.edit(path, &piece),
            Action::Delete(piece) => self.delete(path, piece.as_ref()),
            Action::Move(to) => self.rename(path, &to),
            Action::Mode(mode) => {
                self.draft(path)?.mode = Some(mode);
                Ok(())
            }
        }
    }

    /// The draft of a path, started where there is none.
    fn draft(&mut self, path: &RepoPath) -> Result<&mut Draft<'a>, Why> {
        let before = match self.files.get(path).expect("every path of the answer was loaded") {
            Ok(file) => file.as_ref(),
            Err(kind) => return Err(Why::NotAFile(*kind)),
        };
        Ok(self.drafts.entry(path.clone()).or_insert_with(|| Draft {
            before,
            is_binary: before.is_some_and(File::is_binary),
            target: Target::new(before.map_or(&b""[..], |file| &file.bytes)),
            edits: BTreeMap::new(),
            mode: None,
            fate: Fate::Edited,
        }))
    }

    fn edit(&mut self, path: &RepoPath, piece: &Piece) -> Result<(), Why> {
        let draft = self.draft(path)?;
        if matches!(draft.fate, Fate::Replaced(_) | Fate::Deleted | Fate::Taken) {
            return Err(Why::Contradiction);
        }
        let has_nothing_to_find = piece.side(LineKind::Add).is_empty();
        if draft.target.lines.is_empty() && has_nothing_to_find && draft.edits.is_empty() {
            let added = piece.side(LineKind::Remove);
            complete(added.iter().copied(), &draft.target)?;
            draft.fate = Fate::Replaced(added.concat());
            self.note(path, Rung::Exact, 0);
            return Ok(());
        }
        let Placement { rung, start, edits } = place(piece, &draft.target)?;
        complete(edits.iter().flat_map(|edit| &edit.new).map(Vec::as_slice), &draft.target)?;
        if let Some(line) = edits.iter().find_map(|edit| draft.overlap(edit)) {
            return Err(Why::Overlap { line: line + 1 });
        }
        draft.edits.extend(edits.into_iter().map(|edit| (edit.start, edit)));
        self.note(path, rung, start);
        Ok(())
    }

    /// A file in full: in place of the old one, or new where a new one is plausible.
    fn whole(&mut self, path: &RepoPath, content: &[u8]) -> Result<(), Why> {
        let names = self.names;
        let draft = self.untouched(path)?;
        if draft.before.is_none() && !names.is_plausible(path) {
            return Err(Why::Implausible { similar: names.similar(path) });
        }
        complete(lines(content), &draft.target)?;
        let replaced = draft.target.replaced(content);
        let rung = if replaced == content { Rung::Exact } else { Rung::Whitespace };
        draft.fate = Fate::Replaced(replaced);
        self.note(path, rung, 0);
        Ok(())
    }

    /// A diff says itself that the file is new, so only the example path is mistrusted.
    fn create(&mut self, path: &RepoPath, mode: Mode, content: Vec<u8>) -> Result<(), Why> {
        let draft = self.untouched(path)?;
        if draft.before.is_some() {
            return Err(Why::Exists);
        }
        if is_placeholder(path) {
            return Err(Why::Implausible { similar: Vec::new() });
        }
        complete(lines(&content), &draft.target)?;
        (draft.fate, draft.mode) = (Fate::Replaced(content), Some(mode));
        self.note(path, Rung::Exact, 0);
        Ok(())
    }

    /// A deletion must show every line that it deletes.
    fn delete(&mut self, path: &RepoPath, piece: Option<&Piece>) -> Result<(), Why> {
        let draft = self.untouched(path)?;
        let rung = match piece {
            None if draft.target.lines.is_empty() => Rung::Exact,
            None => return Err(Why::PartialDelete),
            Some(piece) => {
                let placement = place(piece, &draft.target)?;
                if !draft.target.edited(&placement.edits).trim_ascii().is_empty() {
                    return Err(Why::PartialDelete);
                }
                placement.rung
            }
        };
        draft.fate = Fate::Deleted;
        self.note(path, rung, 0);
        Ok(())
    }

    fn rename(&mut self, path: &RepoPath, to: &RepoPath) -> Result<(), Why> {
        if self.untouched(to)?.before.is_some() {
            return Err(Why::Exists);
        }
        let draft = self.draft(path)?;
        if !matches!(draft.fate, Fate::Edited) {
            return Err(Why::Contradiction);
        }
        draft.fate = Fate::Moved(to.clone());
        self.draft(to)?.fate = Fate::Taken;
        self.note(path, Rung::Exact, 0);
        Ok(())
    }

    /// A draft that nothing was decided about yet.
    fn untouched(&mut self, path: &RepoPath) -> Result<&mut Draft<'a>, Why> {
        let draft = self.draft(path)?;
        let is_untouched = matches!(draft.fate, Fate::Edited) && draft.edits.is_empty();
        if is_untouched { Ok(draft) } else { Err(Why::Contradiction) }
    }

    fn note(&mut self, path: &RepoPath, rung: Rung, start: usize) {
        self.placed.push(Placed { path: path.clone(), rung, line: start + 1 });
    }

    fn finish(self) -> Built {
        let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
        for (path, draft) in self.drafts {
            let mode = draft.mode.or(draft.before.map(|file| file.mode)).unwrap_or(Mode::Regular);
            let edits: Vec<LineEdit> = draft.edits.into_values().collect();
            let edited = || draft.before.map(|_| File { bytes: draft.target.edited(&edits), mode });
            match draft.fate {
                Fate::Deleted | Fate::Taken => {}
                Fate::Replaced(bytes) => drop(after.insert(path.clone(), File { bytes, mode })),
                Fate::Edited => after.extend(edited().map(|file| (path.clone(), file))),
                Fate::Moved(to) => after.extend(edited().map(|file| (to, file))),
            }
            before.extend(draft.before.map(|file| (path, file.clone())));
        }
        Built { before, after, placed: self.placed }
    }
}

impl Draft<'_> {
    /// The piece of an edit: whole lines where they are found, else the lines around a part of them that stands there once.
    fn piece(&self, search: &str, replace: &str) -> Result<Piece, Why> {
        let piece = edits::whole_lines(search, replace);
        if let (Err(Why::NoMatch { .. }), Some(file)) = (place(&piece, &self.target), self.before)
            && let Some(part) = edits::part_of_lines(search, replace, &file.bytes)?
        {
            return Ok(part);
        }
        Ok(piece)
    }

    /// The first line of an edit that is in the way of another. Two edits at one place have no order,
    /// so they overlap even where both only insert.
    fn overlap(&self, edit: &LineEdit) -> Option<usize> {
        let before = self.edits.range(..=edit.start).next_back();
        let after = self.edits.range(edit.start..).next();
        let is_hit = |other: &LineEdit| {
            other.start == edit.start || other.start < edit.end && edit.start < other.end
        };
        before
            .into_iter()
            .chain(after)
            .map(|(_, other)| other)
            .find(|other| is_hit(other))
            .map(|other| other.start)
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
