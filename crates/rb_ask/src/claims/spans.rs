//! A text in Markdown as prose and the code in backticks.

/// A piece of a text. Of code, without the backticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span<'t> {
    /// Where it begins in the text, in bytes.
    pub(crate) start: usize,
    pub(crate) text: &'t str,
    pub(crate) is_code: bool,
}

impl<'t> Span<'t> {
    pub(crate) fn end(self) -> usize {
        self.start + self.text.len()
    }

    /// Its words, with where each begins in the text.
    pub(crate) fn words(self) -> impl Iterator<Item = (usize, &'t str)> {
        let mut at = self.start;
        self.text.split_inclusive(char::is_whitespace).filter_map(move |piece| {
            let start = at;
            at += piece.len();
            let word = piece.trim_end();
            (!word.is_empty()).then_some((start, word))
        })
    }
}

/// As in Markdown, as many backticks close a span as opened it; one that stays open is prose.
pub(crate) fn spans(text: &str) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    let mut prose = 0;
    let mut at = 0;
    let span = |start: usize, end: usize, is_code| Span { start, text: &text[start..end], is_code };
    while let Some((open, count)) = backticks(text, at) {
        let start = open + count;
        match closing(text, start, count) {
            Some(end) => {
                spans.push(span(prose, open, false));
                spans.push(span(start, end, true));
                at = end + count;
                prose = at;
            }
            None => at = start,
        }
    }
    spans.push(span(prose, text.len(), false));
    spans.retain(|span| !span.text.is_empty());
    spans
}

/// The next backticks from `from` on: where they begin, and how many there are.
fn backticks(text: &str, from: usize) -> Option<(usize, usize)> {
    let start = from + text[from..].find('`')?;
    Some((start, text[start..].bytes().take_while(|byte| *byte == b'`').count()))
}

fn closing(text: &str, from: usize, count: usize) -> Option<usize> {
    let mut at = from;
    while let Some((start, found)) = backticks(text, at) {
        if found == count {
            return Some(start);
        }
        at = start + found;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as8_code_in_backticks_is_told_from_prose() {
        let check = |text: &str, expected: &[(&str, bool)]| {
            let spans = spans(text);
            let shown: Vec<(&str, bool)> =
                spans.iter().map(|span| (span.text, span.is_code)).collect();
            assert_eq!(shown, expected, "{text}");
            assert!(spans.iter().all(|span| text[span.start..span.end()] == *span.text));
        };
        check("", &[]);
        check("plain", &[("plain", false)]);
        check("a `b.c` d", &[("a ", false), ("b.c", true), (" d", false)]);
        check("``a`b`` c", &[("a`b", true), (" c", false)]);
        check("an open ` stays", &[("an open ` stays", false)]);
        check("an open `` and `x`", &[("an open `` and ", false), ("x", true)]);
        check("`ä`", &[("ä", true)]);
    }
}
