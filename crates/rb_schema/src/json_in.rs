//! The JSON in a model's text.
//!
//! A model that was asked for JSON alone may still put a sentence, a fence or its thoughts around it. What is found is
//! taken as it is: broken JSON is not mended, and of two objects none is picked.

use serde_json::Value;
use thiserror::Error;

use crate::tree::Json;

/// The most bytes of a text that is searched.
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// The most brackets of prose that are open at a time; in a text with more nothing is looked for.
const MAX_AROUND: usize = 4096;

/// Why a text holds no answer, in words for the model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoJson {
    #[error("the answer has {bytes} bytes; at most {MAX_BYTES} are read")]
    TooLarge { bytes: usize },
    #[error("the answer holds no JSON object")]
    Nothing,
    #[error("the answer ends before its JSON does")]
    Unfinished,
    #[error("the answer holds {count} JSON objects, and only one may be there")]
    Several { count: usize },
    #[error("the JSON of the answer cannot be read: {why}")]
    Broken { why: String },
}

/// The whole text if it is JSON; else its only block fenced as `json`; else the only JSON object in it that is not part
/// of anything else. Thoughts at the beginning, up to `</think>`, are skipped.
pub fn json_in(text: &str) -> Result<Value, NoJson> {
    if text.len() > MAX_BYTES {
        return Err(NoJson::TooLarge { bytes: text.len() });
    }
    let text = text.trim_start_matches('\u{feff}').trim();
    if let Ok(value) = read(text) {
        return Ok(value);
    }
    let text = after_thoughts(text)?;
    if let Ok(value) = read(text) {
        return Ok(value);
    }
    let fenced = fenced(text);
    match fenced.as_slice() {
        [] => only_object(text),
        [block] => read(block),
        several => Err(NoJson::Several { count: several.len() }),
    }
}

fn read(text: &str) -> Result<Value, NoJson> {
    match serde_json::from_str::<Json>(text) {
        Ok(json) => Ok(json.into()),
        Err(_) if text.trim().is_empty() => Err(NoJson::Nothing),
        Err(error) if error.is_eof() => Err(NoJson::Unfinished),
        Err(error) => Err(NoJson::Broken { why: error.to_string() }),
    }
}

/// Some servers send the beginning mark of the thoughts as part of the prompt, so that only the end mark is left. Alone
/// on its line it cannot be part of JSON, in which no string holds a line break.
fn after_thoughts(text: &str) -> Result<&str, NoJson> {
    const END: &str = "</think>";
    if let Some(thoughts) = text.strip_prefix("<think>") {
        let end = thoughts.find(END).ok_or(NoJson::Unfinished)?;
        return Ok(thoughts[end + END.len()..].trim());
    }
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\n') {
        if line.trim() == END {
            return Ok(after.trim());
        }
        rest = after;
    }
    Ok(text)
}

/// The contents of blocks fenced as `json`. A block that is never closed goes to the end of the text.
fn fenced(text: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    let mut open: Option<Fence> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        match &open {
            Some(fence) if fence.is_closed_by(line) => {
                blocks.extend(fence.json.then(|| &text[fence.content..start]));
                open = None;
            }
            Some(_) => {}
            None => open = Fence::opened_by(line, end),
        }
        start = end;
    }
    blocks.extend(open.filter(|fence| fence.json).map(|fence| &text[fence.content..]));
    blocks
}

struct Fence {
    mark: char,
    width: usize,
    json: bool,
    /// Where the content begins.
    content: usize,
}

impl Fence {
    fn opened_by(line: &str, content: usize) -> Option<Self> {
        let line = line.trim();
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let info = line.trim_start_matches(mark);
        let width = line.len() - info.len();
        // With a mark behind it, this is code within a line.
        if width < 3 || info.contains('`') {
            return None;
        }
        let language = info.split_whitespace().next().unwrap_or("");
        Some(Fence { mark, width, json: language.eq_ignore_ascii_case("json"), content })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim();
        line.len() >= self.width && line.chars().all(|c| c == self.mark)
    }
}

/// The only object in prose. One within braces or brackets that are no JSON themselves is a part of something else.
fn only_object(text: &str) -> Result<Value, NoJson> {
    let bytes = text.as_bytes();
    let (mut first, mut count) = ("", 0);
    let mut around: Vec<(u8, usize)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let mut length = 1;
        match bytes[at] {
            b'{' if begins_object(&text[at..]) => {
                length = object_length(&bytes[at..]).ok_or(NoJson::Unfinished)?;
                first = if count == 0 { &text[at..at + length] } else { first };
                count += 1;
            }
            _ if around.len() == MAX_AROUND => return Err(NoJson::Nothing),
            b'{' => around.push((b'}', count)),
            b'[' => around.push((b']', count)),
            close => {
                if let Some((_, before)) = around.pop_if(|(expected, _)| *expected == close) {
                    count = before;
                }
            }
        }
        at += length;
    }
    match count {
        0 => Err(NoJson::Nothing),
        1 => read(first),
        count => Err(NoJson::Several { count }),
    }
}

/// Other braces are prose, or code.
fn begins_object(text: &str) -> bool {
    text[1..].trim_start().starts_with(['"', '}'])
}

/// Up to the brace that closes the first one; braces in strings do not count.
fn object_length(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (i, byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' if !in_string => depth += 1,
            b'}' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => {}
        }
    }
    None
}
