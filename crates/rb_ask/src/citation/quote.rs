//! A quote, and where it stands in lines that follow each other.
//!
//! Both sides are compared with every run of whitespace as one space, so that indentation, line ends and reflowed lines do not
//! matter. Everything else does.

use super::MAX_LINES;

/// Fewer characters other than whitespace do not tell a line by.
const MIN_CHARACTERS: usize = 6;

pub(super) struct Quote {
    /// All of it. Empty if there is nothing but whitespace.
    whole: Vec<String>,
    /// What stands between its ellipses. Empty if there are none.
    parts: Vec<String>,
}

impl Quote {
    pub(super) fn new(text: &str) -> Self {
        let some = |part: &str| Some(squeezed(part)).filter(|part| !part.is_empty());
        let whole: Vec<String> = some(text).into_iter().collect();
        // `...` is also code: a quote is first looked for as it stands.
        let parts = text.split("...").flat_map(|part| part.split('…')).filter_map(some);
        let parts: Vec<String> = parts.collect();
        Quote { parts: if parts == whole { Vec::new() } else { parts }, whole }
    }

    /// Whether it is long enough to tell a line by.
    pub(super) fn is_telling(&self) -> bool {
        self.readings().next().is_some()
    }

    /// The lines of its first occurrence. A short quote counts only if it is a whole line.
    pub(super) fn within(&self, run: &Run) -> Option<(u32, u32)> {
        let telling = || self.readings().find_map(|parts| run.first(parts));
        telling().or_else(|| self.whole.first().and_then(|whole| run.whole_line(whole)))
    }

    /// The lines of its only occurrence, or `None` if there is none or more than one. Short quotes have none.
    pub(super) fn only_place(&self, runs: &[Run]) -> Option<(u32, u32)> {
        for parts in self.readings() {
            let mut places = runs.iter().flat_map(|run| run.places(parts)).take(2);
            match (places.next(), places.next()) {
                (None, _) => {}
                (Some(place), None) => return Some(place),
                (Some(_), Some(_)) => return None,
            }
        }
        None
    }

    /// The ways to read it that are long enough: as it stands, then with what its ellipses leave out.
    fn readings(&self) -> impl Iterator<Item = &[String]> {
        let telling =
            |part: &String| part.chars().filter(|c| !c.is_whitespace()).count() >= MIN_CHARACTERS;
        [self.whole.as_slice(), self.parts.as_slice()]
            .into_iter()
            .filter(move |parts| parts.iter().any(telling))
    }
}

/// Lines that follow each other, as one text.
pub(super) struct Run {
    text: String,
    /// Where each line begins and its number, without lines that are empty.
    starts: Vec<(usize, u32)>,
}

impl Run {
    pub(super) fn new<'l>(lines: impl IntoIterator<Item = (u32, &'l str)>) -> Self {
        let mut run = Run { text: String::new(), starts: Vec::new() };
        for (number, line) in lines {
            let line = squeezed(line);
            if line.is_empty() {
                continue;
            }
            if !run.text.is_empty() {
                run.text.push(' ');
            }
            run.starts.push((run.text.len(), number));
            run.text.push_str(&line);
        }
        run
    }

    fn first(&self, parts: &[String]) -> Option<(u32, u32)> {
        let (start, end) = in_order(&self.text, parts, 0)?;
        Some((self.line_at(start), self.line_at(end - 1)))
    }

    fn whole_line(&self, text: &str) -> Option<(u32, u32)> {
        self.starts.iter().enumerate().find_map(|(at, &(start, number))| {
            let end = self.starts.get(at + 1).map_or(self.text.len(), |next| next.0 - 1);
            (self.text[start..end] == *text).then_some((number, number))
        })
    }

    /// Where the parts stand, at most once for each line that they begin in.
    fn places(&self, parts: &[String]) -> Vec<(u32, u32)> {
        let mut places = Vec::new();
        let mut from = Some(0);
        while let Some(at) = from
            && let Some((start, _)) = in_order(&self.text, &parts[..1], at)
            && places.len() < 2
        {
            let first = self.line_at(start);
            let reach = self.start_after(first.saturating_add(MAX_LINES - 1));
            let text = &self.text[..reach.unwrap_or(self.text.len())];
            if let Some((_, end)) = in_order(text, parts, start) {
                places.push((first, self.line_at(end - 1)));
            }
            from = self.start_after(first);
        }
        places
    }

    fn line_at(&self, offset: usize) -> u32 {
        let after = self.starts.partition_point(|&(start, _)| start <= offset);
        self.starts[..after].last().expect("the first line begins at 0").1
    }

    /// Where the first line with a higher number begins.
    fn start_after(&self, line: u32) -> Option<usize> {
        let after = self.starts.partition_point(|&(_, number)| number <= line);
        self.starts.get(after).map(|start| start.0)
    }
}

/// Where the first part begins and the last one ends, one after the other from `from` on.
fn in_order(text: &str, parts: &[String], from: usize) -> Option<(usize, usize)> {
    let mut begin = None;
    let mut at = from;
    for part in parts {
        let start = at + text.get(at..)?.find(part.as_str())?;
        begin = begin.or(Some(start));
        at = start + part.len();
    }
    begin.map(|begin| (begin, at))
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
