//! Splits prose in Markdown into sentences. Nothing is split in code, after "e.g.", or in a name with a dot in it.
//!
//! List items and lines of tables keep their marker, so that they can be shown as they were; a fenced block is one sentence.

use super::spans::spans;
use super::terms::terms;

pub(super) fn sentences(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    for block in blocks(text) {
        if is_fence(&block) {
            sentences.push(block);
        } else {
            split(&block, &mut sentences);
        }
    }
    sentences
}

/// Whether a sentence can be true or false of the code. Headings, questions and "The steps are:" cannot; a lead-in that names
/// code can.
pub(super) fn is_claim(sentence: &str) -> bool {
    let body = body(sentence);
    if is_fence(body) {
        return true;
    }
    let is_bold = body.strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
    let is_heading = body.starts_with('#')
        || is_bold.is_some_and(|title| !title.contains("**") && !title.ends_with(['.', '!']));
    let claims_nothing = is_lead_in(sentence) && terms(sentence).is_empty();
    !is_heading
        && !claims_nothing
        && !without_marks(body).ends_with(['?', '？'])
        && body.contains(char::is_alphanumeric)
}

/// "The steps are:", "`load` does this:"
pub(super) fn is_lead_in(sentence: &str) -> bool {
    without_marks(body(sentence)).ends_with([':', '：'])
}

/// Without the marker of a list item.
fn body(sentence: &str) -> &str {
    sentence[marker(sentence)..].trim()
}

/// Without the emphasis and the quotation marks that it ends with.
fn without_marks(body: &str) -> &str {
    body.trim_end_matches(['*', '_', '"', '”', ')', ' '])
}

/// Paragraphs, headings, list items, table rows and fenced blocks. Lines of one paragraph are joined.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut joins = false;
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        if let Some(mark) = fence {
            let is_end = closes(line.trim(), mark);
            append(&mut blocks, '\n', if is_end { mark } else { line.trim_end() });
            fence = fence.filter(|_| !is_end);
            continue;
        }
        let line = line.trim();
        fence = fence_mark(line);
        let is_alone = line.starts_with(['#', '|']) || fence.is_some();
        if joins && !is_alone && marker(line) == 0 && !line.is_empty() {
            append(&mut blocks, ' ', line);
        } else if !line.is_empty() {
            blocks.push(line.to_owned());
        }
        joins = !line.is_empty() && !is_alone;
    }
    // What follows the block is no part of it, wherever it is shown.
    if let Some(mark) = fence {
        append(&mut blocks, '\n', mark);
    }
    blocks
}

fn append(blocks: &mut [String], joint: char, line: &str) {
    if let Some(block) = blocks.last_mut() {
        block.push(joint);
        block.push_str(line);
    }
}

/// The fence that a line opens. Backticks that are closed on the same line are code in a paragraph.
fn fence_mark(line: &str) -> Option<&str> {
    ['`', '~'].into_iter().find_map(|sign| {
        let rest = line.trim_start_matches(sign);
        let mark = &line[..line.len() - rest.len()];
        (mark.len() >= 3 && (sign == '~' || !rest.contains(sign))).then_some(mark)
    })
}

/// As in Markdown, a longer fence closes, too: what a reader's program shows as code is what is taken for code here.
fn closes(line: &str, mark: &str) -> bool {
    line.len() >= mark.len() && line.chars().all(|c| mark.starts_with(c))
}

/// Whether a sentence is shown on a line of its own: a list item, a heading, a row of a table, a fenced block.
pub(crate) fn starts_line(sentence: &str) -> bool {
    marker(sentence) > 0 || sentence.starts_with(['#', '|']) || is_fence(sentence)
}

pub(crate) fn is_fence(sentence: &str) -> bool {
    sentence.lines().next().and_then(fence_mark).is_some()
}

/// The length of the marker that a list item or a quotation begins with, and of the space after it.
fn marker(line: &str) -> usize {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let signs = match line.as_bytes().get(digits) {
        Some(b'-' | b'*' | b'+' | b'>') if digits == 0 => 1,
        Some(b'.' | b')') if (1..=3).contains(&digits) => 1,
        Some(_) | None => return 0,
    };
    let end = digits + signs;
    let space = line[end..].len() - line[end..].trim_start().len();
    if space == 0 { 0 } else { end + space }
}

fn split(block: &str, sentences: &mut Vec<String>) {
    let code: Vec<(usize, usize)> = spans(block)
        .into_iter()
        .filter(|span| span.is_code)
        .map(|span| (span.start, span.end()))
        .collect();
    let is_code = |at: usize| code.iter().any(|&(start, end)| start <= at && at < end);
    let mut begin = 0;
    let mut from = marker(block);
    while let Some(offset) = block[from..].find(ENDS) {
        let at = from + offset;
        let end = end_of(block, at);
        if !is_code(at) && is_boundary(block, at, end) {
            push(&block[begin..end], sentences);
            begin = end;
        }
        from = end;
    }
    push(&block[begin..], sentences);
}

fn push(sentence: &str, sentences: &mut Vec<String>) {
    let sentence = sentence.trim();
    if !sentence.is_empty() {
        sentences.push(sentence.to_owned());
    }
}

const ENDS: [char; 6] = ['.', '!', '?', '。', '！', '？'];

/// Where a sentence ends that has its full stop at `at`: after what closes it.
fn end_of(block: &str, at: usize) -> usize {
    let is_closing = |c: char| ENDS.contains(&c) || ")]\"'”’»*_…".contains(c);
    block[at..].find(|c: char| !is_closing(c)).map_or(block.len(), |length| at + length)
}

fn is_boundary(block: &str, at: usize, end: usize) -> bool {
    let (before, rest) = (&block[..at], &block[end..]);
    if block[at..].starts_with(['。', '！', '？']) {
        return true;
    }
    let Some(next) = rest.trim_start().chars().next() else {
        return true;
    };
    rest.starts_with(char::is_whitespace) && !next.is_lowercase() && !is_abbreviation(before)
}

/// Whether the text before a full stop ends with an abbreviation that a sentence goes on after.
fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || "([\"“".contains(c)).next();
    let word = word.unwrap_or_default().to_lowercase();
    matches!(
        word.as_str(),
        "e.g" | "eg" | "i.e" | "ie" | "cf" | "vs" | "approx" | "resp" | "incl" | "a.k.a" | "viz"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as8_text_is_split_into_sentences() {
        let check = |text: &str, expected: &[&str]| assert_eq!(sentences(text), expected, "{text}");
        check("", &[]);
        check("One. Two! Three? Four", &["One.", "Two!", "Three?", "Four"]);
        check("It uses `a. B` here. Then it ends.", &["It uses `a. B` here.", "Then it ends."]);
        check("Some, e.g. `Foo`, i.e. Bar, are used.", &["Some, e.g. `Foo`, i.e. Bar, are used."]);
        check("It is lib/view.js. Node.js runs it.", &["It is lib/view.js.", "Node.js runs it."]);
        check("Version 1.2.3 calls foo.bar() twice.", &["Version 1.2.3 calls foo.bar() twice."]);
        check("It needs Express 4. It runs.", &["It needs Express 4.", "It runs."]);
        check("It stops. then it goes on.", &["It stops. then it goes on."]);
        check("(It is so.) `run()` ends.", &["(It is so.)", "`run()` ends."]);
        check("He said \"stop.\" It stopped.", &["He said \"stop.\"", "It stopped."]);
        check("A line\nthat goes on.\n\nAnother", &["A line that goes on.", "Another"]);
        check("Steps:\n- One. More.\n- Two", &["Steps:", "- One.", "More.", "- Two"]);
        check("1. One. More.\n2) Two", &["1. One.", "More.", "2) Two"]);
        check("# Title\nText.", &["# Title", "Text."]);
        check("See:\n```js\nlet a. B\n\n```\nDone.", &["See:", "```js\nlet a. B\n\n```", "Done."]);
        check("```\nnever closed. No", &["```\nnever closed. No\n```"]);
        check("```\na\n  ````\nB. C", &["```\na\n```", "B.", "C"]);
        check("```a. B``` is code. Yes.", &["```a. B``` is code.", "Yes."]);
        check("これは。それは。", &["これは。", "それは。"]);
        check("Wait... What", &["Wait...", "What"]);
        check("**Bold.** Next.", &["**Bold.**", "Next."]);
        check("An open ` tick. Next.", &["An open ` tick.", "Next."]);
    }

    #[test]
    fn as8_headings_questions_and_lead_ins_claim_nothing() {
        let check = |text: &str, expected| assert_eq!(is_claim(text), expected, "{text}");
        check("The steps are:", false);
        check("**The steps are:**", false);
        check("**`load`:**", false);
        check("- `load` does this:", true);
        check("It is all in lib/view.js:", true);
        check("# How it works", false);
        check("**How it works**", false);
        check("Where does it start?", false);
        check("---", false);
        check("|---|---|", false);
        check("**It caches views.**", true);
        check("It caches views.", true);
        check("- `lib/view.js`", true);
        check("Probably it caches views.", true);
        check("```\nlet a\n```", true);
    }
}
