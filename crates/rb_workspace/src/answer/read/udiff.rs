//! Unified diffs as answers have them: the structure is taken from the marks on each line, and the
//! numbers in the headers only say where to look first.

use rb_core::RepoPath;
use rb_core::patch::{Line, LineKind, Mode};

use super::fence::Fence;
use super::{Action, Reader, Step, block, ended};
use crate::answer::error::Malformed;
use crate::answer::file::without_end;
use crate::answer::place::{Piece, Unmarked};
use crate::patch::{Name, Tail, git_line, pair, read_name};

/// `@@ -1,2 +1,2 @@`, `@@ ... @@` or a bare `@@`.
pub(super) fn is_hunk(line: &[u8]) -> bool {
    line.starts_with(b"@@ ") || line.trim_ascii_end() == b"@@"
}

/// What the header lines say.
#[derive(Default)]
struct Header {
    old: Option<RepoPath>,
    new: Option<RepoPath>,
    said: HeaderLine,
    mode: Option<Mode>,
    /// There were `---` and `+++` lines, so there must be a hunk.
    has_names: bool,
}

/// The lines of a hunk, and where it ends in the answer.
struct Body {
    lines: Vec<Line>,
    unmarked: Option<Unmarked>,
    end: usize,
}

/// What git's own header lines announce.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum HeaderLine {
    #[default]
    Nothing,
    Created,
    Deleted,
    Renamed,
}

impl<'a> Reader<'a> {
    pub(super) fn diff_entry(&mut self) -> Step {
        let start = self.at;
        let header = self.header()?;
        let mut pieces = Vec::new();
        loop {
            while self.line(self.at).is_some_and(|line| line.trim_ascii().is_empty()) {
                self.at += 1;
            }
            let index = self.at;
            let Some(line) = self.line(index) else { break };
            // Without any `@@` line, the lines below the names are the hunk.
            let is_bare =
                pieces.is_empty() && header.has_names && matches!(line[0], b' ' | b'+' | b'-');
            let piece = if is_hunk(line) {
                self.hunk()
            } else if is_bare && !self.at_names(index) {
                self.bare_hunk()
            } else {
                break;
            };
            pieces.extend(piece.map(|piece| (index, piece)));
        }
        let is_silent =
            header.has_names || header.said == HeaderLine::Nothing && header.mode.is_none();
        if pieces.is_empty() && is_silent {
            return Err((start, Malformed::EmptyEntry));
        }
        self.propose(start, header, pieces)
    }

    fn propose(&mut self, start: usize, header: Header, pieces: Vec<(usize, Piece)>) -> Step {
        let Header { old, new, said, mode, has_names: _ } = header;
        let fail = |why| Err((start, why));
        let renamed = said == HeaderLine::Renamed;
        let path = match (&old, &new) {
            (None, None) => return fail(Malformed::NoPath),
            (None, Some(_)) | (Some(_), None) if renamed => return fail(Malformed::NoPath),
            (Some(old), Some(new)) if old != new && !renamed => {
                return fail(Malformed::NamesDiffer(old.clone(), new.clone()));
            }
            (Some(path), _) | (None, Some(path)) => path.clone(),
        };
        let (is_created, is_deleted) = (
            said == HeaderLine::Created || old.is_none(),
            said == HeaderLine::Deleted || new.is_none(),
        );
        let pieces: Vec<(usize, Piece)> = if is_created || is_deleted {
            let without_prose = |piece: Piece| piece.without_prose().unwrap_or(piece);
            pieces.into_iter().map(|(index, piece)| (index, without_prose(piece))).collect()
        } else {
            pieces
        };
        if is_created {
            let lines = || pieces.iter().flat_map(|(_, piece)| &piece.lines);
            if lines().any(|line| line.kind != LineKind::Add) {
                return fail(Malformed::NotOnlyAdded);
            }
            let content = lines().flat_map(|line| line.text.iter().copied()).collect();
            self.push(start, path, Action::Create { mode: mode.unwrap_or(Mode::Regular), content });
            return Ok(());
        }
        if is_deleted {
            let lines: Vec<Line> = pieces.into_iter().flat_map(|(_, piece)| piece.lines).collect();
            let piece = (!lines.is_empty()).then(|| Piece::new(Some(0), lines));
            self.push(start, path, Action::Delete(piece));
            return Ok(());
        }
        for (index, piece) in pieces {
            self.push(index, path.clone(), Action::Edit(piece));
        }
        if let Some(mode) = mode {
            self.push(start, path.clone(), Action::Mode(mode));
        }
        if let Some(to) = new.filter(|_| renamed) {
            self.push(start, path, Action::Move(to));
        }
        Ok(())
    }

    /// Everything before the first hunk. A hunk without a header belongs to the path line above it.
    fn header(&mut self) -> Step<Header> {
        let mut header = Header::default();
        let start = self.at;
        if is_hunk(self.lines[start]) {
            header.new = self.path_above(start);
            header.old.clone_from(&header.new);
            return Ok(header);
        }
        if let Some(rest) = self.taken(b"diff --git ") {
            let path = git_line(rest);
            (header.old, header.new) = (path.clone(), path);
        }
        while self.header_line(&mut header)? {}
        if self.at_names(self.at) {
            header.has_names = true;
            let (old, new) = self.names()?;
            if header.said != HeaderLine::Renamed {
                (header.old, header.new) = (old, new);
            }
        }
        Ok(header)
    }

    /// Takes one of git's own header lines; false where none comes.
    fn header_line(&mut self, header: &mut Header) -> Step<bool> {
        if let Some(mode) = self.taken(b"new file mode ") {
            header.said = HeaderLine::Created;
            header.mode = Some(self.mode(mode)?);
        } else if let Some(mode) = self.taken(b"deleted file mode ") {
            header.said = HeaderLine::Deleted;
            self.mode(mode)?;
        } else if let Some(mode) = self.taken(b"new mode ") {
            header.mode = Some(self.mode(mode)?);
        } else if let Some(raw) = self.taken(b"rename from ") {
            header.said = HeaderLine::Renamed;
            header.old = Some(self.bare(raw)?);
        } else if let Some(raw) = self.taken(b"rename to ") {
            header.said = HeaderLine::Renamed;
            header.new = Some(self.bare(raw)?);
        } else if self.line(self.at).is_some_and(is_unsupported) {
            return Err((self.at, Malformed::Unsupported));
        } else if self.line(self.at).is_some_and(is_remark) {
            self.at += 1;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn taken(&mut self, prefix: &[u8]) -> Option<&'a [u8]> {
        let rest = self.line(self.at)?.strip_prefix(prefix)?;
        self.at += 1;
        Some(without_end(rest))
    }

    fn mode(&self, text: &[u8]) -> Step<Mode> {
        match text.trim_ascii() {
            b"100644" | b"100664" | b"100600" => Ok(Mode::Regular),
            b"100755" | b"100775" | b"100700" => Ok(Mode::Executable),
            _ => Err((self.at - 1, Malformed::Unsupported)),
        }
    }

    fn bare(&self, raw: &[u8]) -> Step<RepoPath> {
        match read_name(raw, Tail::Nothing) {
            Some(Name::Path(path)) => {
                RepoPath::new(path).map_err(|bad| (self.at - 1, Malformed::BadPath(bad)))
            }
            Some(Name::Null) | None => Err((self.at - 1, Malformed::NoPath)),
        }
    }

    /// The `---` and `+++` lines. Where they do not carry `a/` and `b/` as git does, a prefix on either
    /// side alone may still be one; a file that is new is called what it is called.
    fn names(&mut self) -> Step<(Option<RepoPath>, Option<RepoPath>)> {
        let index = self.at;
        let mut next = |prefix: &[u8]| {
            let raw = self.taken(prefix).unwrap_or_default();
            read_name(raw, Tail::Tab).ok_or((index, Malformed::NoPath))
        };
        let (old, new) = (next(b"--- ")?, next(b"+++ ")?);
        let starts =
            |name: &Name, with: &[u8]| matches!(name, Name::Path(path) if path.starts_with(with));
        let as_git_does =
            old == Name::Null || starts(&old, b"a/") && (new == Name::Null || starts(&new, b"b/"));
        let (old, new) = pair(&old, &new).map_err(|bad| (index, Malformed::BadPath(bad)))?;
        if as_git_does {
            return Ok((old, new));
        }
        let settle = |path: Option<RepoPath>| path.map(|path| self.names.settle(path));
        Ok((settle(old), settle(new)))
    }

    /// One hunk; nothing where it has no line at all.
    fn hunk(&mut self) -> Option<Piece> {
        let header = numbers(self.lines[self.at]);
        self.at += 1;
        let counted = header.and_then(|(_, old, new)| self.counted(old, new));
        let Body { lines, unmarked, end } = counted.unwrap_or_else(|| self.marked());
        self.at = end;
        let has_old = lines.iter().any(|line| line.kind != LineKind::Add);
        let at = header.map(|(start, _, _)| if has_old { start.saturating_sub(1) } else { start });
        (!lines.is_empty()).then_some(Piece { at, lines, unmarked })
    }

    /// A hunk that lost its header.
    fn bare_hunk(&mut self) -> Option<Piece> {
        let Body { lines, unmarked, end } = self.marked();
        // At least the line that the caller saw.
        self.at = end.max(self.at + 1);
        (!lines.is_empty()).then_some(Piece { at: None, lines, unmarked })
    }

    /// The body where the counts of the header hold.
    fn counted(&self, mut old: usize, mut new: usize) -> Option<Body> {
        let mut lines: Vec<Line> = Vec::new();
        let mut index = self.at;
        while old > 0 || new > 0 {
            let raw = self.line(index)?;
            index += 1;
            if is_end_marker(raw) {
                lines.last_mut()?.text.pop_if(|byte| *byte == b'\n');
                continue;
            }
            let line = marked_line(raw)?;
            match line.kind {
                LineKind::Context => (old, new) = (old.checked_sub(1)?, new.checked_sub(1)?),
                LineKind::Remove => old = old.checked_sub(1)?,
                LineKind::Add => new = new.checked_sub(1)?,
            }
            lines.push(line);
        }
        if self.line(index).is_some_and(is_end_marker) {
            lines.last_mut()?.text.pop_if(|byte| *byte == b'\n');
            index += 1;
        }
        let goes_on = self.line(index).is_some_and(|line| matches!(line[0], b' ' | b'+' | b'-'));
        let is_whole = !goes_on || self.at_names(index);
        is_whole.then_some(Body { lines, unmarked: None, end: index })
    }

    /// The body by the marks of its lines. A line without a mark is context that lost its space: it must be found in the file like any
    /// other. Blank lines at the end are no part of it.
    fn marked(&self) -> Body {
        let mut lines: Vec<Line> = Vec::new();
        let mut unmarked = None;
        let may_be_prose = self.inside.is_none();
        let goes_on_to = if may_be_prose { self.body_end() } else { self.lines.len() };
        let mut index = self.at;
        let mut kept = 0;
        while let Some(raw) = self.line(index) {
            if is_hunk(raw) || self.starts_other(index) {
                break;
            }
            if is_end_marker(raw) {
                if let Some(last) = lines.last_mut() {
                    last.text.pop_if(|byte| *byte == b'\n');
                }
            } else if let Some(line) = marked_line(raw) {
                lines.push(line);
                if !raw.trim_ascii().is_empty() {
                    kept = lines.len();
                }
            } else if index < goes_on_to {
                unmarked.get_or_insert(Unmarked { first: lines.len(), may_be_prose });
                lines.push(Line { kind: LineKind::Context, text: ended(raw) });
                kept = lines.len();
            } else {
                break;
            }
            index += 1;
        }
        lines.truncate(kept);
        Body { lines, unmarked, end: index }
    }

    /// How far the body of a hunk reaches where no fence shows it: to its last added or removed line, or to the next hunk of the file.
    fn body_end(&self) -> usize {
        let mut end = self.at;
        let mut index = self.at;
        while let Some(raw) = self.line(index) {
            if is_hunk(raw) {
                // A hunk below a path line is one of another file.
                let path = self.path_above(index).filter(|path| self.names.contains(path));
                return if path.is_some() { end } else { index };
            }
            let is_block = block::is_start(raw) || block::begin_file(raw).is_some();
            if is_block || self.starts_other(index) {
                break;
            }
            index += 1;
            if matches!(raw[0], b'+' | b'-') {
                end = index;
            }
        }
        end
    }

    /// Whether another file or the edge of a fence stands at `index`.
    fn starts_other(&self, index: usize) -> bool {
        self.line(index).is_some_and(|raw| {
            let is_fence = Fence::open(raw).is_some() && !raw.starts_with(b" ");
            is_fence || raw.starts_with(b"diff --git ") || self.at_names(index)
        })
    }
}

/// A line of a hunk by its first byte; a bare line end is an empty line of context.
fn marked_line(raw: &[u8]) -> Option<Line> {
    let kind = match raw[0] {
        b' ' => LineKind::Context,
        b'-' => LineKind::Remove,
        b'+' => LineKind::Add,
        b'\n' => return Some(Line { kind: LineKind::Context, text: raw.to_vec() }),
        b'\r' if raw == b"\r\n" => {
            return Some(Line { kind: LineKind::Context, text: raw.to_vec() });
        }
        _ => return None,
    };
    Some(Line { kind, text: ended(&raw[1..]) })
}

fn is_end_marker(raw: &[u8]) -> bool {
    raw.starts_with(b"\\ No newline")
}

fn is_unsupported(line: &[u8]) -> bool {
    let copied = line.starts_with(b"copy from ") || line.starts_with(b"copy to ");
    copied || line.starts_with(b"GIT binary patch") || line.starts_with(b"Binary files ")
}

fn is_remark(line: &[u8]) -> bool {
    const REMARKS: [&[u8]; 4] =
        [b"index ", b"similarity index ", b"dissimilarity index ", b"old mode "];
    REMARKS.iter().any(|remark| line.starts_with(remark))
}

/// The old line and both counts of a header that has them.
fn numbers(header: &[u8]) -> Option<(usize, usize, usize)> {
    let header = std::str::from_utf8(header.strip_prefix(b"@@ -")?).ok()?;
    let (old, rest) = header.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let range = |text: &str| match text.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    };
    let (old, new): ((usize, usize), (usize, usize)) = (range(old)?, range(new)?);
    Some((old.0, old.1, new.1))
}
