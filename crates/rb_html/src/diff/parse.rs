//! Reading a unified diff. The input is foreign: each line is looked at once, and what makes no sense is passed over.

mod names;

use super::{Change, Ending, FileDiff, Hunk, Line, Row, pair};

/// Of a patch.
const MOST_BYTES: usize = 16 << 20;
const MOST_LINES: usize = 100_000;
/// Of one line, in bytes.
const LONGEST_LINE: usize = 2000;

/// A file whose lines have no places in rows yet.
pub(super) struct File {
    pub(super) head: FileDiff,
    pub(super) hunks: Vec<RawHunk>,
}

pub(super) struct RawHunk {
    range: String,
    section: String,
    pub(super) lines: Vec<Marked>,
    old_left: u32,
    new_left: u32,
    old_next: u32,
    new_next: u32,
}

pub(super) enum Marked {
    Same { old_number: u32, line: Line },
    Old(Line),
    New(Line),
}

/// The files of a patch, and how many bytes at its end were not read.
pub(super) fn parse(patch: &[u8]) -> (Vec<File>, usize) {
    let head = &patch[..patch.len().min(MOST_BYTES)];
    let lines = head.split_inclusive(|&byte| byte == b'\n').take(MOST_LINES);
    let shown = &head[..lines.map(<[u8]>::len).sum()];
    let mut reader = Reader { files: Vec::new(), in_hunk: false };
    let mut lines = shown.split_inclusive(|&byte| byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        let starts_plain =
            line.starts_with(b"--- ") && lines.peek().is_some_and(|next| next.starts_with(b"+++ "));
        reader.line(line, starts_plain);
    }
    (reader.files, patch.len() - shown.len())
}

struct Reader {
    files: Vec<File>,
    in_hunk: bool,
}

impl Reader {
    fn line(&mut self, line: &[u8], starts_plain: bool) {
        if let Some(names) = line.strip_prefix(b"diff --git ") {
            self.start(names::both(trimmed(names)));
        } else if line.starts_with(b"@@ ") && !self.files.is_empty() {
            self.in_hunk = self.hunk(line);
        } else if self.in_hunk && self.take(line, starts_plain) {
        } else if starts_plain && self.is_behind_hunks() {
            self.start(None);
            self.header(line);
        } else {
            self.in_hunk = false;
            self.header(line);
        }
    }

    fn start(&mut self, path: Option<String>) {
        self.in_hunk = false;
        let head = FileDiff {
            index: self.files.len(),
            path: path.unwrap_or_default().into(),
            from: None,
            change: Change::Modified,
            modes: None,
            is_binary: false,
            added: 0,
            removed: 0,
            hunks: Vec::new(),
        };
        self.files.push(File { head, hunks: Vec::new() });
    }

    /// A diff without git's header begins where the names of its files stand.
    fn is_behind_hunks(&self) -> bool {
        self.files.last().is_none_or(|file| !file.hunks.is_empty())
    }

    fn header(&mut self, line: &[u8]) {
        let Some(File { head, .. }) = self.files.last_mut() else { return };
        let line = trimmed(line);
        let rest = |prefix: &str| line.strip_prefix(prefix.as_bytes());
        if let Some(name) = rest("--- ").and_then(|name| names::side(name, b"a/")) {
            head.path = name.into();
        } else if let Some(name) = rest("+++ ").and_then(|name| names::side(name, b"b/")) {
            head.path = name.into();
        } else if rest("--- /dev/null").is_some() || rest("new file mode ").is_some() {
            head.change = Change::Created;
        } else if rest("+++ /dev/null").is_some() || rest("deleted file mode ").is_some() {
            head.change = Change::Deleted;
        } else if let Some(name) = rest("rename from ") {
            (head.change, head.from) = (Change::Renamed, Some(names::plain(name)));
        } else if let Some(name) = rest("copy from ") {
            (head.change, head.from) = (Change::Copied, Some(names::plain(name)));
        } else if let Some(name) = rest("rename to ").or(rest("copy to ")) {
            head.path = names::plain(name).into();
        } else if let Some(mode) = rest("old mode ") {
            head.modes = Some((lossy(mode), String::new()));
        } else if let Some(mode) = rest("new mode ") {
            head.modes.get_or_insert_default().1 = lossy(mode);
        } else if rest("Binary files ").is_some() || rest("GIT binary patch").is_some() {
            head.is_binary = true;
        }
    }

    /// `@@ -LINE,COUNT +LINE,COUNT @@ SECTION`
    fn hunk(&mut self, line: &[u8]) -> bool {
        let Some(file) = self.files.last_mut() else { return false };
        let text = lossy(trimmed(line));
        let Some((range, section)) = text[3..].split_once(" @@") else { return false };
        let mut sides = range.split(' ');
        let mut side = |mark| sides.next().and_then(|side| numbers(side.strip_prefix(mark)?));
        let (Some(old), Some(new)) = (side('-'), side('+')) else { return false };
        file.hunks.push(RawHunk {
            range: format!("@@ {range} @@"),
            section: section.trim().to_owned(),
            lines: Vec::new(),
            old_left: old.1,
            new_left: new.1,
            old_next: old.0,
            new_next: new.0,
        });
        true
    }

    /// Takes a line of the hunk. More lines than the hunk announces are taken too, so that none is hidden.
    fn take(&mut self, raw: &[u8], starts_plain: bool) -> bool {
        let Some(File { head, hunks }) = self.files.last_mut() else { return false };
        let Some(hunk) = hunks.last_mut() else { return false };
        let is_full = hunk.old_left == 0 && hunk.new_left == 0;
        let is_signature = matches!(trimmed(raw), b"-- " | b"--");
        if is_full && (starts_plain || is_signature) {
            return false;
        }
        match raw[0] {
            b'+' => {
                head.added += 1;
                hunk.new_left = hunk.new_left.saturating_sub(1);
                hunk.lines.push(Marked::New(line(&raw[1..], hunk.new_next)));
                hunk.new_next = hunk.new_next.saturating_add(1);
            }
            b'-' => {
                head.removed += 1;
                hunk.old_left = hunk.old_left.saturating_sub(1);
                hunk.lines.push(Marked::Old(line(&raw[1..], hunk.old_next)));
                hunk.old_next = hunk.old_next.saturating_add(1);
            }
            b'\\' => hunk.lines.last_mut().map(Marked::line_mut).into_iter().for_each(end_file),
            // An empty context line may have lost its one space.
            b' ' | b'\n' | b'\r' if !is_full || raw[0] == b' ' => {
                hunk.old_left = hunk.old_left.saturating_sub(1);
                hunk.new_left = hunk.new_left.saturating_sub(1);
                let line = line(raw.strip_prefix(b" ").unwrap_or(raw), hunk.new_next);
                hunk.lines.push(Marked::Same { old_number: hunk.old_next, line });
                hunk.old_next = hunk.old_next.saturating_add(1);
                hunk.new_next = hunk.new_next.saturating_add(1);
            }
            _ => return false,
        }
        true
    }
}

impl File {
    pub(super) fn into_rows(self) -> FileDiff {
        let hunk = |hunk: RawHunk| Hunk {
            range: hunk.range,
            section: hunk.section,
            rows: rows(hunk.lines),
        };
        let modes = self.head.modes.filter(|(old, new)| old != new);
        FileDiff { modes, hunks: self.hunks.into_iter().map(hunk).collect(), ..self.head }
    }
}

fn rows(lines: Vec<Marked>) -> Vec<Row> {
    let (mut rows, mut old, mut new) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines {
        match line {
            Marked::Same { old_number, line } => {
                pair::rows(&mut rows, std::mem::take(&mut old), std::mem::take(&mut new));
                rows.push(Row::Same { old_number, line });
            }
            Marked::Old(line) => old.push(line),
            Marked::New(line) => new.push(line),
        }
    }
    pair::rows(&mut rows, old, new);
    rows
}

impl Marked {
    fn line_mut(&mut self) -> &mut Line {
        match self {
            Marked::Same { line, .. } | Marked::Old(line) | Marked::New(line) => line,
        }
    }
}

fn end_file(line: &mut Line) {
    line.ending = Ending::None;
}

fn line(raw: &[u8], number: u32) -> Line {
    let text = raw.strip_suffix(b"\n").unwrap_or(raw);
    let (text, ending) = match text.strip_suffix(b"\r") {
        Some(text) => (text, Ending::CrLf),
        None => (text, Ending::Lf),
    };
    let whole = lossy(text);
    let text = whole[..whole.floor_char_boundary(LONGEST_LINE)].to_owned();
    let bytes_left_out = whole.len() - text.len();
    Line { number, text, ending, bytes_left_out, words: Vec::new(), moved: None }
}

/// `LINE,COUNT`, where a missing count is one.
fn numbers(range: &str) -> Option<(u32, u32)> {
    match range.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((range.parse().ok()?, 1)),
    }
}

fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
