//! A result of bounded size: blocks that are shown whole or not at all, and the lines of source that they show.

use std::fmt::Write as _;

use super::source::SourceFile;
use crate::evidence::Shown;
use crate::toolbox::{Output, ToolError};

/// The most characters of a result, unless a tool says otherwise.
const MOST_CHARS: usize = 12_000;
/// Kept free for the sentences that say what was left out.
const RESERVE: usize = 800;
/// A longer line of source is cut: nobody reads it, and one of them could fill a result.
const LONGEST_LINE: usize = 400;
/// A longer line of a tool's own words is cut.
const LONGEST_SENTENCE: usize = 1200;

/// A result in the making.
pub(crate) struct Page {
    output: Output,
    chars: usize,
    most: usize,
}

/// A part of a result.
#[derive(Debug, Default)]
pub(crate) struct Block {
    text: String,
    shown: Vec<Shown>,
    files: Vec<String>,
}

impl Page {
    pub(crate) fn new() -> Page {
        Page::with_room(MOST_CHARS)
    }

    /// For so many characters of blocks, and what is said of the rest.
    pub(crate) fn with_room(most: usize) -> Page {
        Page { output: Output::default(), chars: 0, most }
    }

    /// Adds a line, whether there is room or not: a tool writes few of them.
    pub(crate) fn line(&mut self, line: &str) {
        let mut block = Block::default();
        block.line(line);
        self.append(block);
    }

    pub(crate) fn blank(&mut self) {
        self.output.text.push('\n');
        self.chars += 1;
    }

    /// Adds a block, or nothing and `false` if there is no room for it.
    pub(crate) fn add(&mut self, block: Block) -> bool {
        let fits = self.has_room(block.chars());
        if fits {
            self.append(block);
        }
        fits
    }

    /// Whether blocks of so many characters fit.
    pub(crate) fn has_room(&self, chars: usize) -> bool {
        self.chars + chars + RESERVE <= self.most
    }

    /// Adds a block for each item, `most` of them at most, until there is no room. Returns how many items were left out; these are
    /// not rendered.
    pub(crate) fn each<T>(
        &mut self,
        items: &[T],
        most: usize,
        mut render: impl FnMut(&T) -> Result<Block, ToolError>,
    ) -> Result<usize, ToolError> {
        for (at, item) in items.iter().enumerate() {
            if at == most || !self.add(render(item)?) {
                return Ok(items.len() - at);
            }
        }
        Ok(0)
    }

    /// Names a file that the result is about, without a line of its own.
    pub(crate) fn file(&mut self, path: &str) {
        if !self.output.files.iter().any(|known| known == path) {
            self.output.files.push(path.to_owned());
        }
    }

    /// How many lines of source are shown so far.
    pub(crate) fn lines_shown(&self) -> usize {
        self.output.shown.iter().map(|shown| shown.lines.len()).sum()
    }

    fn append(&mut self, block: Block) {
        self.chars += block.chars();
        self.output.text.push_str(&block.text);
        for shown in block.shown {
            join(&mut self.output.shown, shown);
        }
        for path in block.files {
            self.file(&path);
        }
    }

    pub(crate) fn finish(self) -> Output {
        self.output
    }
}

impl Block {
    /// A block about a file.
    pub(crate) fn about(path: &str) -> Block {
        Block { files: vec![path.to_owned()], ..Block::default() }
    }

    pub(crate) fn chars(&self) -> usize {
        self.text.chars().count()
    }

    pub(crate) fn line(&mut self, line: &str) {
        match line.char_indices().nth(LONGEST_SENTENCE) {
            Some((at, _)) => {
                let _ = writeln!(self.text, "{}…", &line[..at]);
            }
            None => {
                self.text.push_str(line);
                self.text.push('\n');
            }
        }
    }

    /// Shows a line of a file with its number. `false` if the file has no such line.
    pub(crate) fn source(&mut self, file: &SourceFile, number: u32) -> bool {
        let Some(line) = file.text.line(number) else { return false };
        let (visible, end) = match line.char_indices().nth(LONGEST_LINE) {
            Some((at, _)) => (&line[..at], "…"),
            None => (line, ""),
        };
        let _ = writeln!(self.text, "{number:>5} | {visible}{end}");
        // What is behind the cut was not shown, so it proves nothing.
        let lines = vec![visible.to_owned()];
        let line = Shown { path: file.path.clone(), hash: file.hash, first: number, lines };
        join(&mut self.shown, line);
        true
    }
}

/// Adds what was shown: to the last entry if it goes on there.
fn join(all: &mut Vec<Shown>, shown: Shown) {
    match all.last_mut() {
        Some(last) if goes_on(last, &shown) => last.lines.extend(shown.lines),
        Some(_) | None => all.push(shown),
    }
}

fn goes_on(last: &Shown, shown: &Shown) -> bool {
    let length = u32::try_from(last.lines.len()).ok();
    let next = length.and_then(|length| last.first.checked_add(length));
    last.path == shown.path && last.hash == shown.hash && next == Some(shown.first)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rb_core::Sha256;

    use super::*;
    use crate::file_text::FileText;

    fn file(text: &str) -> SourceFile {
        SourceFile {
            path: "a.txt".to_owned(),
            hash: Sha256::of(text.as_bytes()),
            text: Arc::new(FileText::new(text.to_owned(), None)),
        }
    }

    #[test]
    fn as8_what_is_cut_off_a_line_is_not_evidence() {
        let long = "ä".repeat(LONGEST_LINE + 1);
        let file = file(&format!("short\n{long}\n\nlast"));
        let mut block = Block::default();
        for number in [1, 2, 4] {
            assert!(block.source(&file, number));
        }
        assert!(!block.source(&file, 5) && !block.source(&file, 0));
        let visible = "ä".repeat(LONGEST_LINE);
        let expected = format!("    1 | short\n    2 | {visible}…\n    4 | last\n");
        assert_eq!(block.text, expected);
        let lines: Vec<(u32, Vec<String>)> =
            block.shown.into_iter().map(|shown| (shown.first, shown.lines)).collect();
        assert_eq!(lines, [(1, vec!["short".to_owned(), visible]), (4, vec!["last".to_owned()])]);
    }

    #[test]
    fn as9_a_page_takes_blocks_while_there_is_room() {
        let mut page = Page::with_room(RESERVE + 12);
        let mut rendered = 0;
        let left = page
            .each(&["12345", "1234", "123", "12"], 9, |item| {
                rendered += 1;
                let mut block = Block::about(item);
                block.line(item);
                Ok(block)
            })
            .unwrap();
        assert_eq!((left, rendered), (2, 3));
        let output = page.finish();
        assert_eq!(output.text, "12345\n1234\n");
        assert_eq!(output.files, ["12345", "1234"]);
        let mut page = Page::new();
        assert_eq!(page.each(&[1, 2, 3], 2, |_| Ok(Block::default())).unwrap(), 1);
    }
}
