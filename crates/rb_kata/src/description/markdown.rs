//! The blocks of a Markdown text, with their lines: headings, list items, paragraphs, code blocks, tables and front matter.
//!
//! Only what katas use is read. Marks inside a line stay (`marks` removes them), except those of quotations. Nothing fails, and
//! the time grows with the length of the text.

mod front_matter;
mod line;

use line::{Fence, cells, heading, indent, is_delimiter, is_rule, item, unquoted, without_margin};

pub(super) use front_matter::Entry;

#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) front_matter: Vec<Entry>,
    pub(super) blocks: Vec<Block>,
    /// The line of a code fence that is never closed. What follows it is read as text.
    pub(super) unclosed_fence: Option<usize>,
}

#[derive(Debug)]
pub(super) struct Block {
    /// Its first line, counted from 1.
    pub(super) line: usize,
    pub(super) kind: BlockKind,
}

#[derive(Debug)]
pub(super) enum BlockKind {
    Heading {
        level: usize,
        text: String,
    },
    /// Depth 0 is the outermost list.
    Item {
        depth: usize,
        text: String,
    },
    Paragraph {
        lines: Vec<String>,
    },
    /// `info` is what stands after the fence.
    Code {
        info: String,
        text: String,
    },
    Table {
        header: Vec<String>,
        rows: Vec<Vec<String>>,
    },
}

impl Document {
    pub(super) fn parse(text: &str) -> Document {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines: Vec<&str> = text.lines().collect();
        let (front_matter, first) = front_matter::read(&lines).unwrap_or_default();
        let mut reader = Reader::default();
        let mut at = first;
        while at < lines.len() {
            // Whatever is read, every turn goes on.
            at = reader.take(&lines, at).max(at + 1);
        }
        let Reader { blocks, unclosed_fence, .. } = reader;
        Document { front_matter, blocks, unclosed_fence }
    }
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    open: Open,
    /// Indentation of the list items around the next line, outermost first.
    items: Vec<usize>,
    unclosed_fence: Option<usize>,
}

/// What the next line may continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Open {
    #[default]
    Nothing,
    Paragraph,
    Item,
    /// A blank line came after the item: only an indented line continues it.
    ItemBeforeBlank,
}

impl Reader {
    /// Reads what begins in line `at`, and returns the line after it.
    fn take(&mut self, lines: &[&str], at: usize) -> usize {
        let line = unquoted(lines[at]);
        let text = line.trim();
        if text.is_empty() {
            self.blank();
            return at + 1;
        }
        if let Some(fence) = Fence::open(text) {
            return self.fenced_code(lines, at, &fence);
        }
        if text.starts_with("<!--") {
            return after_comment(lines, at);
        }
        if self.open == Open::Nothing && self.items.is_empty() && indent(line) >= 4 {
            return self.indented_code(lines, at);
        }
        if let Some((level, text)) = heading(text) {
            self.close();
            self.push(at, BlockKind::Heading { level, text: text.to_owned() });
        } else if self.underline(text) || is_rule(text) {
            self.close();
        } else if let Some(next) = self.table(lines, at) {
            return next;
        } else if let Some(body) = item(text, self.open == Open::Paragraph) {
            self.item(at, indent(line), body);
        } else {
            self.text(at, line);
        }
        at + 1
    }

    fn push(&mut self, at: usize, kind: BlockKind) {
        self.blocks.push(Block { line: at + 1, kind });
    }

    fn close(&mut self) {
        self.open = Open::Nothing;
        self.items.clear();
    }

    fn blank(&mut self) {
        self.open = match self.open {
            Open::Nothing | Open::Paragraph => Open::Nothing,
            Open::Item | Open::ItemBeforeBlank => Open::ItemBeforeBlank,
        };
    }

    /// Whether the line underlines the paragraph above and so makes it a heading.
    fn underline(&mut self, text: &str) -> bool {
        let level = match text.chars().next() {
            Some('=') => 1,
            Some('-') => 2,
            Some(_) | None => return false,
        };
        let is_line = text.len() >= 2 && text.chars().all(|sign| text.starts_with(sign));
        if self.open != Open::Paragraph || !is_line {
            return false;
        }
        let Some(block) = self.blocks.last_mut() else { return false };
        let text = match &block.kind {
            BlockKind::Paragraph { lines } if lines.len() == 1 => lines.concat(),
            BlockKind::Paragraph { .. }
            | BlockKind::Heading { .. }
            | BlockKind::Item { .. }
            | BlockKind::Code { .. }
            | BlockKind::Table { .. } => return false,
        };
        block.kind = BlockKind::Heading { level, text };
        true
    }

    fn item(&mut self, at: usize, indent: usize, body: &str) {
        while self.items.last().is_some_and(|outer| indent < outer + 2) {
            self.items.pop();
        }
        let depth = self.items.len();
        self.items.push(indent);
        self.push(at, BlockKind::Item { depth, text: body.to_owned() });
        self.open = Open::Item;
    }

    fn text(&mut self, at: usize, line: &str) {
        let is_indented = indent(line) >= 2;
        let is_continuation = match self.open {
            Open::Nothing => false,
            Open::Paragraph | Open::Item => true,
            Open::ItemBeforeBlank => is_indented,
        };
        let text = line.trim();
        match self.blocks.last_mut().map(|block| &mut block.kind) {
            Some(BlockKind::Paragraph { lines }) if is_continuation => lines.push(text.to_owned()),
            Some(BlockKind::Item { text: body, .. }) if is_continuation => {
                body.push(' ');
                body.push_str(text);
                self.open = Open::Item;
            }
            Some(_) | None => {
                if !is_indented {
                    self.close();
                }
                self.push(at, BlockKind::Paragraph { lines: vec![text.to_owned()] });
                self.open = Open::Paragraph;
            }
        }
    }

    fn fenced_code(&mut self, lines: &[&str], at: usize, fence: &Fence<'_>) -> usize {
        // After a fence that is never closed, the ends and beginnings of code blocks cannot be told apart.
        if self.unclosed_fence.is_some() {
            return at + 1;
        }
        let is_quoted = lines[at].trim_start().starts_with('>');
        let margin = indent(unquoted_if(is_quoted, lines[at]));
        let inside = &lines[at + 1..];
        let is_end = |line: &&str| fence.is_closed_by(unquoted_if(is_quoted, line));
        let Some(length) = inside.iter().position(is_end) else {
            self.unclosed_fence = Some(at + 1);
            return at + 1;
        };
        let code = inside[..length]
            .iter()
            .map(|line| without_margin(unquoted_if(is_quoted, line), margin));
        let text = code.collect::<Vec<_>>().join("\n");
        self.push_code(at, fence.info, &text);
        at + length + 2
    }

    fn indented_code(&mut self, lines: &[&str], at: usize) -> usize {
        // It may be quoted, as the line was by which it was recognised.
        let is_code = |line: &&str| line.trim().is_empty() || indent(line) >= 4;
        let code = lines[at..].iter().map(|line| unquoted(line)).take_while(is_code);
        let code: Vec<&str> = code.map(|line| without_margin(line, 4)).collect();
        self.push_code(at, "", &code.join("\n"));
        at + code.len()
    }

    fn push_code(&mut self, at: usize, info: &str, text: &str) {
        let text = text.trim_end().to_owned();
        self.push(at, BlockKind::Code { info: info.to_owned(), text });
        self.open = Open::Nothing;
    }

    fn table(&mut self, lines: &[&str], at: usize) -> Option<usize> {
        let first = unquoted(lines[at]);
        if !first.contains('|') || !is_delimiter(unquoted(lines.get(at + 1)?)) {
            return None;
        }
        let body = lines[at + 2..].iter().map(|line| unquoted(line));
        let rows: Vec<Vec<String>> =
            body.take_while(|line| line.contains('|')).map(cells).collect();
        let next = at + 2 + rows.len();
        self.close();
        self.push(at, BlockKind::Table { header: cells(first), rows });
        Some(next)
    }
}

/// Code in a quotation has the marks of the quotation; other code may begin with `>` itself.
fn unquoted_if(is_quoted: bool, line: &str) -> &str {
    if is_quoted { unquoted(line) } else { line }
}

fn after_comment(lines: &[&str], at: usize) -> usize {
    let length = lines[at..].iter().take_while(|line| !line.contains("-->")).count();
    at + length + 1
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    /// One line for each block, with its line number.
    fn blocks(text: &str) -> String {
        let document = Document::parse(text);
        let show = |block: &Block| {
            let shown = match &block.kind {
                BlockKind::Heading { level, text } => format!("h{level} {text}"),
                BlockKind::Item { depth, text } => format!("item{depth} {text}"),
                BlockKind::Paragraph { lines } => format!("text {}", lines.join(" / ")),
                BlockKind::Code { info, text } => format!("code[{info}] {text:?}"),
                BlockKind::Table { header, rows } => format!("table {header:?} {rows:?}"),
            };
            format!("{}: {shown}\n", block.line)
        };
        document.blocks.iter().map(show).collect()
    }

    #[test]
    fn ka1_headings_are_read() {
        let check = |text: &str, expected: &str| assert_eq!(blocks(text), expected, "{text:?}");
        check("# A", "1: h1 A\n");
        check("\u{feff}## A ##\n", "1: h2 A\n");
        check("### C#", "1: h3 C#\n");
        check("#No heading", "1: text #No heading\n");
        check("####### Seven", "1: text ####### Seven\n");
        check("Title\n=====\ntext", "1: h1 Title\n3: text text\n");
        check("Part\n--", "1: h2 Part\n");
        check("one\ntwo\n---\nthree", "1: text one / two\n4: text three\n");
        check("a\n\n---\n\nb", "1: text a\n5: text b\n");
        check("* * *", "");
        check("a\r\n===\r\nb\r\n", "1: h1 a\n3: text b\n");
    }

    #[test]
    fn ka1_lists_are_read() {
        let check = |text: &str, expected: &str| assert_eq!(blocks(text), expected, "{text:?}");
        check(
            "- a\n* b\n+ c\n1. d\n12) e",
            "1: item0 a\n2: item0 b\n3: item0 c\n4: item0 d\n5: item0 e\n",
        );
        check("- a\n  b\nc\n\n  d\n\ne", "1: item0 a b c d\n7: text e\n");
        check(
            "1. a\n   - b\n   - c\n     - d\n2. e",
            "1: item0 a\n2: item1 b\n3: item1 c\n4: item2 d\n5: item0 e\n",
        );
        check("- [ ] a\n- [x] b", "1: item0 a\n2: item0 b\n");
        check("text\n- a", "1: text text\n2: item0 a\n");
        // A number at the beginning of a line does not begin a list inside a paragraph, except 1.
        check("at most\n10. The", "1: text at most / 10. The\n");
        check("list:\n1. a", "1: text list:\n2: item0 a\n");
        check("-3 is negative", "1: text -3 is negative\n");
        check("> - a\n> b", "1: item0 a b\n");
    }

    #[test]
    fn ka1_code_blocks_are_read() {
        let check = |text: &str, expected: &str| assert_eq!(blocks(text), expected, "{text:?}");
        check("```rust\n# a\n\n- b\n```\nc", "1: code[rust] \"# a\\n\\n- b\"\n6: text c\n");
        check("~~~\n```\n~~~", "1: code[] \"```\"\n");
        check("````md\n```\n````", "1: code[md] \"```\"\n");
        check("- a\n  ```\n  b\n    c\n  ```", "1: item0 a\n2: code[] \"b\\n  c\"\n");
        check("> ```\n> a\n> ```", "1: code[] \"a\"\n");
        check("```a``` b", "1: text ```a``` b\n");
        check("a\n\n    b\n\n\tc\n\nd", "1: text a\n3: code[] \"b\\n\\nc\"\n7: text d\n");
        check("a\n    b", "1: text a / b\n");
        check("a\n```\n- b", "1: text a\n3: item0 b\n");
    }

    #[test]
    fn ka1_a_fence_that_is_not_closed_is_known() {
        let check = |text: &str, expected| {
            assert_eq!(Document::parse(text).unclosed_fence, expected, "{text:?}");
        };
        check("a\n```\nb", Some(2));
        check("```\n~~~\n", Some(1));
        check("```\n````\n", None);
        check("````\n```\n", Some(1));
    }

    #[test]
    fn ka1_tables_comments_and_front_matter_are_read() {
        let text = "---\ntitle: \"Leap years\"\n# comment\nlanguage:\n  - python\n  - go\n---\n\
                    <!-- not\n# shown -->\n| In | Out |\n|---|:-:|\n| 1 | a \\| b |\n|2|c|\nend";
        expect![[r#"
            [
                Entry {
                    line: 2,
                    key: "title",
                    value: "Leap years",
                },
                Entry {
                    line: 4,
                    key: "language",
                    value: "python, go",
                },
            ]
            10: table ["In", "Out"] [["1", "a | b"], ["2", "c"]]
            14: text end
        "#]]
        .assert_eq(&format!("{:#?}\n{}", Document::parse(text).front_matter, blocks(text)));
    }

    #[test]
    fn ka1_lines_at_the_top_are_not_always_front_matter() {
        let check =
            |text: &str| assert_eq!(Document::parse(text).front_matter.len(), 0, "{text:?}");
        check("---\ntitle: A\n");
        check("---\nA sentence without a key\n---\n");
        check("\n---\ntitle: A\n---\n");
        check("---\n---\n");
        check("---");
    }
}
