//! Reasoning that a model writes before its answer, between `<think>` and `</think>`.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Whether a text that grows is still reasoning.
#[derive(Default)]
pub(super) struct Think {
    over: bool,
}

impl Think {
    /// `text` ends with `piece`, which is new.
    pub(super) fn goes_on(&mut self, text: &str, piece: &str) -> bool {
        if self.over {
            return false;
        }
        let begin = text.trim_start();
        if !begin.starts_with(OPEN) {
            // The mark itself may arrive in pieces.
            self.over = !OPEN.starts_with(begin);
            return !self.over;
        }
        // So far back the end mark may begin; bytes, since the place may lie inside of a character.
        let from = text.len().saturating_sub(piece.len() + CLOSE.len());
        let tail = &text.as_bytes()[from..];
        self.over = tail.windows(CLOSE.len()).any(|bytes| bytes == CLOSE.as_bytes());
        // The piece with the mark may hold the first words of the answer; those are seen in the end.
        true
    }
}

/// The answer alone; nothing where the reasoning never ended.
pub(super) fn without(text: &str) -> &str {
    match text.trim_start().strip_prefix(OPEN) {
        None => text,
        Some(thoughts) => thoughts.split_once(CLOSE).map_or("", |(_, answer)| answer.trim_start()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mo1_reasoning_is_no_part_of_an_answer() {
        let check = |text: &str, answer: &str| assert_eq!(without(text), answer, "{text}");
        check("plain <think>x</think>", "plain <think>x</think>");
        check("\n<think>a</think>\n\nb</think>", "b</think>");
        check("<think>never ends", "");
        check("<think></think>", "");
    }

    #[test]
    fn mo1_reasoning_is_told_from_an_answer_while_it_arrives() {
        // What is heard is the end of `most`, and all of `least` is.
        let check = |text: &str, most: &str, least: &str| {
            let chars: Vec<char> = text.chars().collect();
            let (mut think, mut so_far, mut heard) =
                (Think::default(), String::new(), String::new());
            for piece in chars.chunks(2) {
                let piece: String = piece.iter().collect();
                so_far.push_str(&piece);
                if !think.goes_on(&so_far, &piece) {
                    heard.push_str(&piece);
                }
            }
            assert!(most.ends_with(&heard) && heard.ends_with(least), "{heard}");
        };
        check("<think>äöü < /think </think>answer", "answer", "swer");
        check("<thin air", "<thin air", " air");
        check("Hi.", "Hi.", "Hi.");
    }
}
