//! Finding a run of lines in a file, in time that does not depend on how repetitive either is.

use std::collections::HashMap;

use super::file::without_bom;

/// How two lines are compared.
#[derive(Clone, Copy)]
pub(super) enum View {
    Raw,
    EndTrimmed,
    Trimmed,
}

impl View {
    /// Line ends and a byte order mark count only when everything does.
    pub(super) fn of(self, line: &[u8]) -> &[u8] {
        match self {
            View::Raw => line,
            View::EndTrimmed => without_bom(line).trim_ascii_end(),
            View::Trimmed => without_bom(line).trim_ascii(),
        }
    }
}

/// The lines of a file as numbers, the same number for lines that a view takes as equal.
pub(super) struct Table<'a> {
    view: View,
    numbers: HashMap<&'a [u8], usize>,
    lines: Vec<usize>,
}

impl<'a> Table<'a> {
    pub(super) fn new(lines: &[&'a [u8]], view: View) -> Self {
        let mut numbers = HashMap::new();
        let mut number = |line: &&'a [u8]| {
            let next = numbers.len();
            *numbers.entry(view.of(line)).or_insert(next)
        };
        let lines = lines.iter().map(&mut number).collect();
        Table { view, numbers, lines }
    }

    /// Every index at which `wanted` stands.
    pub(super) fn find(&self, wanted: &[&[u8]]) -> Vec<usize> {
        let number = |line: &&[u8]| self.numbers.get(self.view.of(line)).copied();
        let wanted: Option<Vec<usize>> = wanted.iter().map(number).collect();
        wanted
            .filter(|wanted| !wanted.is_empty())
            .map_or_else(Vec::new, |wanted| occurrences(&wanted, &self.lines))
    }
}

/// Knuth, Morris and Pratt: repetitive files must not make the search slow.
fn occurrences(wanted: &[usize], have: &[usize]) -> Vec<usize> {
    let extend = |mut matched: usize, borders: &[usize], item: usize| {
        while matched > 0 && (matched == wanted.len() || wanted[matched] != item) {
            matched = borders[matched - 1];
        }
        matched + usize::from(wanted[matched] == item)
    };
    let mut borders = vec![0];
    for &item in &wanted[1..] {
        let border = extend(borders[borders.len() - 1], &borders, item);
        borders.push(border);
    }
    let mut found = Vec::new();
    let mut matched = 0;
    for (index, &item) in have.iter().enumerate() {
        matched = extend(matched, &borders, item);
        if matched == wanted.len() {
            found.push(index + 1 - matched);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_occurrence_is_found_once() {
        let check = |wanted: &[usize], have: &[usize]| {
            let windows = have.windows(wanted.len()).enumerate();
            let expected: Vec<usize> =
                windows.filter(|(_, window)| *window == wanted).map(|(at, _)| at).collect();
            assert_eq!(occurrences(wanted, have), expected, "{wanted:?} in {have:?}");
        };
        for have in 0..2usize.pow(10) {
            let have: Vec<usize> = (0..10).map(|bit| have >> bit & 1).collect();
            for (len, wanted) in
                (1..5).flat_map(|len| (0..2usize.pow(len)).map(move |wanted| (len, wanted)))
            {
                let wanted: Vec<usize> = (0..len).map(|bit| wanted >> bit & 1).collect();
                check(&wanted, &have);
            }
        }
    }
}
