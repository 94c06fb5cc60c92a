//! Search/replace blocks and files between marks.

use rb_core::RepoPath;

use super::fence::Fence;
use super::{Action, Reader, Step, ended};
use crate::answer::error::Malformed;
use crate::answer::place::Piece;

const END_FILE: &[u8] = b"*** End File";

pub(super) fn is_start(line: &[u8]) -> bool {
    is_mark(line, b'<', b"SEARCH")
}

/// The path of `*** Begin File: PATH`.
pub(super) fn begin_file(line: &[u8]) -> Option<&[u8]> {
    line.strip_prefix(b"*** Begin File:").map(<[u8]>::trim_ascii)
}

/// Five or more of one character, then a word. Answers vary the count.
fn is_mark(line: &[u8], mark: u8, word: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    let count = line.iter().take_while(|&&byte| byte == mark).count();
    count >= 5 && line[count..].trim_ascii().eq_ignore_ascii_case(word)
}

impl Reader<'_> {
    pub(super) fn search_block(&mut self) -> Step {
        let start = self.at;
        let path = self.path_above(start).or_else(|| self.path_before(start));
        let path = path.ok_or((start, Malformed::NoPath))?;
        let divider = self.find_mark(start + 1, |line| is_mark(line, b'=', b""));
        let divider = divider.ok_or((start, Malformed::Open("`=======`")))?;
        let end = self.find_mark(divider + 1, |line| is_mark(line, b'>', b"REPLACE"));
        let end = end.ok_or((start, Malformed::Open("`>>>>>>> REPLACE`")))?;
        let (search, replace) = (&self.lines[start + 1..divider], &self.lines[divider + 1..end]);
        let piece = Piece::replacing(None, search, replace);
        self.push(start, path.clone(), Action::Edit(piece));
        self.at = end + 1;
        self.last_path = Some((path, self.at));
        Ok(())
    }

    /// The next mark, unless another block starts before it.
    fn find_mark(&self, from: usize, is_it: impl Fn(&[u8]) -> bool) -> Option<usize> {
        let rest = self.lines[from..].iter();
        let index = rest.take_while(|line| !is_start(line)).position(|line| is_it(line))?;
        Some(from + index)
    }

    /// A block right behind another one goes on with its file.
    fn path_before(&self, start: usize) -> Option<RepoPath> {
        let (path, end) = self.last_path.as_ref()?;
        let between = self.lines.get(*end..start)?;
        let is_gap = |line: &&[u8]| line.trim_ascii().is_empty() || Fence::open(line).is_some();
        between.iter().all(is_gap).then(|| path.clone())
    }

    pub(super) fn marked_file(&mut self, path: &[u8]) -> Step {
        let start = self.at;
        let path = RepoPath::new(path).map_err(|bad| (start, Malformed::BadPath(bad)))?;
        let path = self.names.settle(path);
        let is_end = |line: &&[u8]| line.trim_ascii_end() == END_FILE;
        let len = self.lines[start + 1..].iter().position(is_end);
        let end = start + 1 + len.ok_or((start, Malformed::Open("`*** End File`")))?;
        let content =
            self.lines[start + 1..end].iter().map(|line| ended(line)).collect::<Vec<_>>().concat();
        self.push(start, path, Action::Whole(content));
        self.at = end + 1;
        Ok(())
    }
}
