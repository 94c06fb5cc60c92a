//! The title of a goal, for a line of a list, a heading or the subject of a commit.
//!
//! Models write goals of several sentences. Whoever shows a title shows the whole goal elsewhere.

/// The most characters of a title.
const MOST: usize = 72;

/// Fewer say too little.
const LEAST: usize = 20;

/// A sentence or a part of one ends before each of these.
const ENDS: [&str; 4] = [". ", "; ", ": ", " — "];

/// Words that lead on: a title neither ends in one nor, if more follows, begins with one.
const LINKS: [&str; 42] = [
    "a", "after", "an", "and", "are", "as", "at", "be", "before", "but", "by", "does", "each",
    "for", "from", "how", "if", "in", "into", "is", "it", "its", "not", "of", "on", "or", "so",
    "than", "that", "the", "their", "this", "to", "what", "when", "where", "whether", "which",
    "while", "who", "with", "without",
];

/// A short goal itself; of a long one its first sentence or clause, else as many of its words as fit.
pub fn goal_title(goal: &str) -> String {
    let line = goal.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MOST {
        return line;
    }
    match clause(&line) {
        Some(clause) => clause.to_owned(),
        None => format!("{}…", beginning(&line)),
    }
}

/// The first sentence or part of one that makes a title, else all before the last comma that does.
fn clause(line: &str) -> Option<&str> {
    let parts = ENDS.into_iter().flat_map(|end| before_each(line, end));
    parts.min_by_key(|part| part.len()).or_else(|| before_each(line, ", ").last())
}

fn before_each<'l>(line: &'l str, mark: &'static str) -> impl Iterator<Item = &'l str> {
    line.match_indices(mark).map(move |(at, _)| &line[..at]).filter(|part| is_title(part))
}

/// Whether it says what to do: a label or a place in front of that does not.
fn is_title(part: &str) -> bool {
    let words: Vec<&str> = part.split(' ').collect();
    let [first, .., last] = words.as_slice() else { return false };
    let is_phrase = words.len() > 2 && !is_link(first) && !is_link(last);
    is_phrase && (LEAST..=MOST).contains(&part.chars().count()) && unclosed(part).is_none()
}

fn is_link(word: &str) -> bool {
    LINKS.iter().any(|link| link.eq_ignore_ascii_case(word))
}

/// Whole words, with room for an ellipsis behind them.
fn beginning(line: &str) -> &str {
    let at = |most: usize| line.char_indices().nth(most).map_or(line.len(), |(at, _)| at);
    let space = line[..at(MOST)].rfind(' ').filter(|space| *space >= LEAST);
    let words = trimmed(&line[..space.unwrap_or_else(|| at(MOST - 1))]);
    match unclosed(words).filter(|open| *open >= LEAST) {
        Some(open) => trimmed(&words[..open]),
        None => words,
    }
}

/// Without marks and words at its end that lead on.
fn trimmed(text: &str) -> &str {
    let text = text.trim_end_matches([' ', ',', ';', ':', '.', '—', '–']);
    match text.rsplit_once(' ') {
        Some((before, last)) if is_link(last) => trimmed(before),
        Some(_) | None => text,
    }
}

/// Where the first bracket or quote begins that does not end.
fn unclosed(text: &str) -> Option<usize> {
    let mut open: Vec<(usize, char)> = Vec::new();
    for (at, c) in text.char_indices() {
        if open.last().is_some_and(|(_, end)| *end == c) {
            open.pop();
            continue;
        }
        match c {
            '(' => open.push((at, ')')),
            '[' => open.push((at, ']')),
            '{' => open.push((at, '}')),
            '“' => open.push((at, '”')),
            '`' | '"' => open.push((at, c)),
            _ => {}
        }
    }
    open.first().map(|(at, _)| *at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::TaskId;
    use crate::task::{Proposer, Task, TaskKind};

    fn check(goal: &str, expected: &str) {
        let title = goal_title(goal);
        assert_eq!(title, expected, "{goal}");
        assert!(title.chars().count() <= MOST, "{title}");
        assert_eq!(goal_title(&title), title, "a title is its own title");
    }

    #[test]
    fn rf9_a_short_goal_is_its_own_title() {
        check("Rename qty to quantity", "Rename qty to quantity");
        check("  two\nlines\r\n\tand more ", "two lines and more");
        check("", "");
        let fits = format!("{} {}", "x".repeat(35), "y".repeat(36));
        check(&fits, &fits);
    }

    #[test]
    fn rf9_the_title_of_a_long_goal_is_its_first_clause() {
        check(
            "Move the parser into a file of its own. Keep every public name where it is, and change no test.",
            "Move the parser into a file of its own",
        );
        check(
            "Split the parser from the lexer; keep the public names, and add a test for each of the two parts",
            "Split the parser from the lexer",
        );
        check(
            "Give the walk over a directory one place: a private function of the module that both loaders call",
            "Give the walk over a directory one place",
        );
        check(
            "Give the walk over a directory one place — a private function of the module that both loaders call",
            "Give the walk over a directory one place",
        );
        check(
            "Create src/text.js with an exported function shorten(text, width), which puts the text on one line and cuts it",
            "Create src/text.js with an exported function shorten(text, width)",
        );
        check(
            "Rename qty to quantity in the cart, in the order, and in every test that names one of the two",
            "Rename qty to quantity in the cart, in the order",
        );
    }

    #[test]
    fn rf9_a_title_that_no_clause_gives_ends_between_words() {
        check(
            "Replace the bool field null_separator of Config in src/config.rs by an enum LineEnding with two variants",
            "Replace the bool field null_separator of Config in src/config.rs…",
        );
        check(
            "Add a test to TestFileSystemLoader in tests/test_loader.py that pins what FileSystemLoader.list_templates returns today: sorted names",
            "Add a test to TestFileSystemLoader in tests/test_loader.py that pins…",
        );
        // A place in front, and a label, say nothing of what to do.
        check(
            "In src/jinja2/loaders.py, extract the walk over a directory that FileSystemLoader.list_templates does",
            "In src/jinja2/loaders.py, extract the walk over a directory…",
        );
        check(
            "rendering-conditional-render: A number before `&&` is shown when it is zero",
            "rendering-conditional-render: A number before `&&` is shown…",
        );
        // What is quoted, or in brackets, is whole or not there.
        check(
            "Use the one constant instead of the bare number in the lines of `src/billing/csv.js and more`",
            "Use the one constant instead of the bare number in the lines…",
        );
        check(
            "Make synchronous file calls async in examples/filetool/lib/trash.js (7 places)",
            "Make synchronous file calls async in examples/filetool/lib/trash.js…",
        );
        check(&"ä".repeat(300), &format!("{}…", "ä".repeat(71)));
        check(&format!("a {}", "b".repeat(300)), &format!("a {}…", "b".repeat(69)));
    }

    #[test]
    fn rf9_only_a_models_goal_is_made_shorter() {
        let goal = "async-parallel: Independent reads are awaited one after the other in lib/ and app/ (9 places)";
        let title = |by: Proposer| {
            let task = Task::new(TaskId(1), goal, TaskKind::Change { format: None });
            Task { by, ..task }.title()
        };
        assert_eq!(title(Proposer::Rule { id: "async-parallel".to_owned() }), goal);
        assert_eq!(title(Proposer::Given), goal);
        let cut = "async-parallel: Independent reads are awaited one after the other…";
        assert_eq!(title(Proposer::Model), cut);
    }
}
