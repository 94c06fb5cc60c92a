//! Markdown fences: files in full, diffs inside, and examples to skip.

use rb_core::RepoPath;

use super::{Action, Reader, Step, block, ended, udiff};
use crate::answer::error::Malformed;
use crate::answer::names::Names;

/// An opening fence: its character, its length, and what follows on the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fence {
    mark: u8,
    len: usize,
    info: Vec<u8>,
}

impl Fence {
    pub(super) fn open(line: &[u8]) -> Option<Fence> {
        let line = line.trim_ascii();
        let &mark = line.first().filter(|mark| matches!(mark, b'`' | b'~'))?;
        let len = line.iter().take_while(|&&byte| byte == mark).count();
        let info = &line[len..];
        (len >= 3 && !info.contains(&mark)).then(|| Fence {
            mark,
            len,
            info: info.trim_ascii().to_vec(),
        })
    }

    pub(super) fn is_closed_by(&self, line: &[u8]) -> bool {
        Fence::open(line).is_some_and(|other| {
            other.mark == self.mark && other.len >= self.len && other.info.is_empty()
        })
    }

    /// A path in the info string: behind a language, or instead of one.
    pub(super) fn path(&self, names: &Names) -> Option<RepoPath> {
        let word = self.info.rsplit(|byte| matches!(byte, b' ' | b'=' | b':')).next()?;
        names.path_line(word)
    }
}

impl Reader<'_> {
    pub(super) fn fence(&mut self, fence: Fence) -> Step {
        let start = self.at;
        let body = start + 1;
        let close = (body..self.lines.len()).find(|&index| fence.is_closed_by(self.lines[index]));
        let end = close.unwrap_or(self.lines.len());
        if (body..end).any(|index| self.holds_edit(index)) {
            self.inside = Some(fence);
            self.at = body;
            return Ok(());
        }
        let path = fence.path(self.names).or_else(|| self.path_above(start));
        self.at = end + 1;
        let Some(path) = path else { return Ok(()) };
        if close.is_none() {
            return Err((start, Malformed::Open("the closing fence")));
        }
        if let Some(nested) = (body..end).find(|&index| Fence::open(self.lines[index]).is_some()) {
            return Err((nested, Malformed::NestedFence));
        }
        self.fenced.get_or_insert(start + 1);
        let content =
            self.lines[body..end].iter().map(|line| ended(line)).collect::<Vec<_>>().concat();
        self.push(start, path, Action::Whole(content));
        Ok(())
    }

    fn holds_edit(&self, index: usize) -> bool {
        let line = self.lines[index];
        block::is_start(line)
            || block::begin_file(line).is_some()
            || line.starts_with(b"diff --git ")
            || udiff::is_hunk(line)
            || self.at_names(index)
    }
}
