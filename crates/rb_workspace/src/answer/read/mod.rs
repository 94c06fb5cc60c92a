//! Finding the edits in an answer, whatever stands around them.
//!
//! Recognised: unified diffs (fenced or not, with wrong or missing line numbers), blocks between
//! `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE` below a path line, a path line followed by a fenced
//! file, and files between `*** Begin File: PATH` and `*** End File`. Other fences are examples and are
//! skipped. Reading decides nothing about the files; it only knows their names.

mod block;
mod fence;
mod udiff;

use rb_core::RepoPath;
use rb_core::patch::Mode;

use self::fence::Fence;
use super::error::{AnswerError, Malformed, Spot};
use super::names::Names;
use super::place::Piece;

/// One edit of the answer, and where in the answer it stands.
#[derive(Debug)]
pub(super) struct Proposal {
    pub(super) at: Spot,
    pub(super) path: RepoPath,
    pub(super) action: Action,
}

#[derive(Debug)]
pub(super) enum Action {
    Edit(Piece),
    /// A text in place of another that stands in the file once.
    Replace {
        search: String,
        replace: String,
    },
    /// A file in full, there or not.
    Whole(Vec<u8>),
    /// A file that the answer says is new. One that is there gets this content if it is small.
    New(Vec<u8>),
    /// A file that a diff says is new.
    Create {
        mode: Mode,
        content: Vec<u8>,
    },
    Delete(Option<Piece>),
    Move(RepoPath),
    Mode(Mode),
}

/// All edits in their order. A fenced file in full next to other edits may be an illustration or may be
/// meant; such an answer is refused.
pub(super) fn read(answer: &[u8], names: &Names) -> Result<Vec<Proposal>, AnswerError> {
    let lines: Vec<&[u8]> = crate::patch::lines(answer).collect();
    let mut reader = Reader {
        lines,
        at: 0,
        names,
        inside: None,
        last_path: None,
        found: Vec::new(),
        fenced: None,
    };
    let malformed = |line, why| AnswerError::Malformed { at: Spot::Line(line), why };
    reader.run().map_err(|(index, why)| malformed(index + 1, why))?;
    match reader.fenced {
        Some(line)
            if reader.found.iter().any(|found| !matches!(found.action, Action::Whole(_))) =>
        {
            Err(malformed(line, Malformed::Mixed))
        }
        Some(_) | None => Ok(reader.found),
    }
}

struct Reader<'a> {
    lines: Vec<&'a [u8]>,
    at: usize,
    names: &'a Names,
    /// The fence whose content is being read.
    inside: Option<Fence>,
    /// The file of the block that ended last, and where it ended.
    last_path: Option<(RepoPath, usize)>,
    found: Vec<Proposal>,
    /// The first line of a fenced file in full.
    fenced: Option<usize>,
}

/// How far above an edit its path line may stand.
const MAX_ABOVE: usize = 4;

type Step<T = ()> = Result<T, (usize, Malformed)>;

impl<'a> Reader<'a> {
    fn run(&mut self) -> Step {
        while let Some(&line) = self.lines.get(self.at) {
            if block::is_start(line) {
                self.search_block()?;
            } else if let Some(path) = block::begin_file(line) {
                self.marked_file(path)?;
            } else if line.starts_with(b"diff --git ")
                || self.at_names(self.at)
                || udiff::is_hunk(line)
            {
                self.diff_entry()?;
            } else if let Some(fence) = &self.inside {
                if fence.is_closed_by(line) {
                    self.inside = None;
                }
                self.at += 1;
            } else if let Some(fence) = Fence::open(line) {
                self.fence(fence)?;
            } else {
                self.at += 1;
            }
        }
        Ok(())
    }

    fn line(&self, index: usize) -> Option<&'a [u8]> {
        self.lines.get(index).copied()
    }

    fn push(&mut self, index: usize, path: RepoPath, action: Action) {
        self.found.push(Proposal { at: Spot::Line(index + 1), path, action });
    }

    /// Whether a `---` and a `+++` line stand at `index`.
    fn at_names(&self, index: usize) -> bool {
        let starts =
            |index, prefix: &[u8]| self.line(index).is_some_and(|line| line.starts_with(prefix));
        starts(index, b"--- ") && starts(index + 1, b"+++ ")
    }

    /// The path named just above `index`, with nothing between but blank lines and the fence that is
    /// being read, which may itself carry the path.
    fn path_above(&self, index: usize) -> Option<RepoPath> {
        let mut fence = self.inside.as_ref();
        for line in self.lines[..index].iter().rev().take(MAX_ABOVE) {
            if line.trim_ascii().is_empty() {
                continue;
            }
            if Fence::open(line).is_none() {
                return self.names.path_line(line);
            }
            if let Some(path) = fence.take()?.path(self.names) {
                return Some(path);
            }
        }
        None
    }
}

/// A line that certainly has its end: the last one of an answer may have lost it.
pub(super) fn ended(line: &[u8]) -> Vec<u8> {
    let mut line = line.to_vec();
    if !line.ends_with(b"\n") {
        line.push(b'\n');
    }
    line
}
