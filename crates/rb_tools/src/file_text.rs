//! The text of one file, by line.

/// A decoded text. Lines are counted from 1, and their ends are not part of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileText {
    text: String,
    /// Where each line begins.
    starts: Vec<usize>,
    /// The encoding of the file, if it is not plain UTF-8.
    encoding: Option<&'static str>,
}

impl FileText {
    pub fn new(text: String, encoding: Option<&'static str>) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(ends).filter(|&at| at < text.len()).collect();
        FileText { text, starts, encoding }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn encoding(&self) -> Option<&'static str> {
        self.encoding
    }

    pub fn lines(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(u32::MAX)
    }

    pub fn line(&self, number: u32) -> Option<&str> {
        let at = usize::try_from(number.checked_sub(1)?).ok()?;
        let start = *self.starts.get(at)?;
        let end = self.starts.get(at + 1).copied().unwrap_or(self.text.len());
        // The same lines as `str::lines`: a lone CR is part of its line.
        self.text[start..end].lines().next()
    }

    /// The numbers of the lines that hold a name as a whole word.
    pub fn lines_with(&self, name: &str) -> Vec<u32> {
        (1..=self.lines())
            .filter(|&number| self.line(number).is_some_and(|line| has_word(line, name)))
            .collect()
    }

    /// What it takes to hold it.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len() + self.starts.len() * size_of::<usize>()
    }
}

/// Does `line` hold `word`, with nothing around it that could be part of a name?
pub(crate) fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    !word.is_empty()
        && line.match_indices(word).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + word.len()..].chars().next();
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn as5_names_are_found_as_whole_words() {
        let check = |line: &str, word: &str, expected: bool| {
            assert_eq!(has_word(line, word), expected, "{line}: {word}");
        };
        check("a.get(b)", "get", true);
        check("getAll(); forget()", "get", false);
        check("_get $get get_", "get", false);
        check("forget(get)", "get", true);
        check("näme(äme)", "äme", true);
        check("a", "", false);
    }

    proptest! {
        #[test]
        fn as8_lines_are_those_of_the_text(text in "[ab\r\n\u{e4}]{0,40}") {
            let file = FileText::new(text.clone(), None);
            let lines: Vec<&str> = (1..=file.lines()).filter_map(|at| file.line(at)).collect();
            prop_assert_eq!(lines, text.lines().collect::<Vec<_>>());
            prop_assert_eq!(file.line(0), None);
            prop_assert_eq!(file.line(file.lines() + 1), None);
        }
    }
}
