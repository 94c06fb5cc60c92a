//! Marks that model formats use to part turns and roles. In a ticket they are an attempt to speak as somebody else; in code
//! that talks to models they are at home, so there they count only beside words that give the attempt away.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::finding::Kind;
use crate::place::TextKind;
use crate::scan::Draft;

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Anywhere,
    /// Only where nothing but markup stands before it on its line.
    LineStart,
}

/// A mark, where it counts, and its points in a message, in prose, and in code or data.
type Token = (&'static str, At, [i32; 3]);

const TOKENS: [Token; 46] = [
    ("<|im_start|>", At::Anywhere, [60, 45, 25]),
    ("<|im_end|>", At::Anywhere, [55, 40, 20]),
    ("<|im_sep|>", At::Anywhere, [55, 40, 20]),
    ("<|system|>", At::Anywhere, [60, 45, 25]),
    ("<|user|>", At::Anywhere, [50, 35, 20]),
    ("<|assistant|>", At::Anywhere, [55, 40, 20]),
    ("<|endoftext|>", At::Anywhere, [52, 35, 15]),
    ("<|eot_id|>", At::Anywhere, [55, 40, 20]),
    ("<|start_header_id|>", At::Anywhere, [55, 40, 20]),
    ("<|begin_of_text|>", At::Anywhere, [55, 40, 20]),
    ("<|start|>system", At::Anywhere, [60, 45, 25]),
    ("<|channel|>", At::Anywhere, [55, 40, 20]),
    ("<|tool_response|>", At::Anywhere, [55, 40, 20]),
    ("[INST]", At::Anywhere, [55, 40, 20]),
    ("[/INST]", At::Anywhere, [55, 40, 20]),
    ("<<SYS>>", At::Anywhere, [60, 45, 25]),
    ("<</SYS>>", At::Anywhere, [55, 40, 20]),
    ("<start_of_turn>", At::Anywhere, [55, 40, 20]),
    ("<end_of_turn>", At::Anywhere, [55, 40, 20]),
    ("<system>", At::LineStart, [40, 25, 15]),
    ("</system>", At::Anywhere, [40, 25, 15]),
    ("<system-reminder>", At::Anywhere, [55, 35, 20]),
    ("<system_prompt>", At::Anywhere, [45, 30, 15]),
    ("<tool_result>", At::Anywhere, [45, 30, 15]),
    ("<tool_response>", At::Anywhere, [45, 30, 15]),
    ("<function_results>", At::Anywhere, [45, 30, 15]),
    ("<function_response>", At::Anywhere, [45, 30, 15]),
    ("</function_results>", At::Anywhere, [50, 30, 15]),
    ("</tool_result>", At::Anywhere, [50, 30, 15]),
    ("</untrusted>", At::Anywhere, [50, 40, 20]),
    ("</untrusted_data>", At::Anywhere, [50, 40, 20]),
    ("</user_input>", At::Anywhere, [50, 40, 20]),
    ("### system:", At::LineStart, [52, 35, 20]),
    ("### system prompt", At::LineStart, [45, 25, 15]),
    ("### instruction:", At::LineStart, [45, 30, 15]),
    ("### assistant:", At::LineStart, [50, 35, 20]),
    ("system:", At::LineStart, [22, 18, 10]),
    ("system prompt:", At::LineStart, [35, 20, 10]),
    ("system message:", At::LineStart, [35, 20, 10]),
    ("[system]", At::LineStart, [36, 25, 15]),
    ("[system message]", At::LineStart, [45, 30, 15]),
    ("assistant:", At::LineStart, [35, 25, 10]),
    ("human:", At::LineStart, [30, 20, 10]),
    ("\"role\": \"system\"", At::Anywhere, [45, 18, 10]),
    ("\"role\":\"system\"", At::Anywhere, [45, 18, 10]),
    ("tool result:", At::LineStart, [35, 20, 10]),
];

static FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(TOKENS.map(|token| token.0))
        .expect("a few dozen words make an automaton")
});

/// How far from a mark the words may stand that give it away.
const NEAR: usize = 320;
/// At most so many marks are looked at: more is a table of them.
const MOST: usize = 500;

/// Adds marks to `out`, which holds what the words of the text gave.
pub(crate) fn look(text: &str, place: TextKind, out: &mut Vec<Draft>) {
    let column = match place {
        TextKind::Message => 0,
        TextKind::Prose | TextKind::Guide => 1,
        TextKind::Code | TextKind::Data => 2,
    };
    let words = out.clone();
    let mut last: Option<(usize, &'static str)> = None;
    for found in FINDER.find_iter(text).take(MOST) {
        let (token, at, points) = TOKENS[found.pattern().as_usize()];
        let (start, end) = (found.start(), found.end());
        if at == At::LineStart && !opens_line(text, start) {
            continue;
        }
        let mut score = points[column];
        let company = words.iter().filter(|it| it.end + NEAR > start && it.start < end + NEAR);
        let best = company.map(|it| it.score).max().unwrap_or(0);
        if best >= 30 {
            score += if best >= 50 { 32 } else { 20 };
        }
        // A second voice makes a conversation of it.
        if last.is_some_and(|(before, other)| start - before < NEAR && other != token) {
            score += 12;
        }
        last = Some((start, token));
        let why = format!("speaks as a part of the conversation: {token}");
        out.push(Draft { kind: Kind::Role, disguises: Vec::new(), start, end, score, why });
    }
}

fn opens_line(text: &str, at: usize) -> bool {
    let line = text[..at].rfind('\n').map_or(0, |n| n + 1);
    text[line..at]
        .chars()
        .all(|c| c.is_whitespace() || matches!(c, '*' | '>' | '#' | '/' | '-' | '_' | '"'))
}
