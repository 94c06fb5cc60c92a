//! The lines that show why a test failed: those about one test, and as many of them as a person or a model reads.

const MAX_LINES: usize = 30;
const MAX_CHARACTERS: usize = 2000;
/// Lines before the one that says what is wrong, in a text that is too long to show whole.
const LINES_BEFORE: usize = 8;
const TAIL_LINES: usize = 10;

/// A line without its indent and without the marks that node's and pytest's reports put before it.
pub(super) fn bare(line: &str) -> &str {
    let line = line.trim();
    let line = line.strip_prefix("# ").unwrap_or(line);
    line.strip_prefix("E  ").unwrap_or(line).trim_start()
}

/// `ValueError: …`, `Error [ERR_X]: …`, `java.lang.IllegalStateException`.
pub(super) fn is_exception(line: &str) -> bool {
    let line = bare(line);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    let end = line.find(|c: char| !is_name(c)).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    (name.ends_with("Error") || name.ends_with("Exception"))
        && (rest.is_empty() || rest.starts_with(':') || rest.starts_with(" ["))
}

/// The line that most likely says what is wrong: the last exception, or else the first line that is not blank.
pub(super) fn main_line(lines: &[&str]) -> usize {
    let exception = lines.iter().rposition(|line| is_exception(line));
    exception.or_else(|| lines.iter().position(|line| !line.trim().is_empty())).unwrap_or(0)
}

/// The parts of an output about one test: from each line that names it up to the next test's.
pub(super) fn section<'a>(lines: &[&'a str], test: &str) -> Vec<&'a str> {
    let mut section = Vec::new();
    let mut is_open = false;
    let mut last: Option<&str> = None;
    for &line in lines {
        if names(line, test) {
            // minitest writes `1) Failure:` above the name.
            section.extend(last.filter(|line| !is_open && is_numbered(line)));
            is_open = true;
        } else if is_heading(line) {
            is_open = false;
        }
        if is_open {
            section.push(line);
        }
        last = Some(line);
    }
    section
}

/// Whether the name stands in the line, not as a part of a longer one.
fn names(line: &str, test: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    !test.is_empty()
        && line.match_indices(test).any(|(at, _)| {
            !line[..at].ends_with(is_word) && !line[at + test.len()..].starts_with(is_word)
        })
}

/// How the lines begin that test runners write before each test, or behind the last.
const HEADINGS: &[&str] = &[
    "======",
    "---- ",
    "--- FAIL",
    "--- PASS",
    "--- SKIP",
    "=== ",
    "# Subtest",
    "not ok ",
    "ok ",
    "✖ ",
    "✔ ",
    "ℹ ",
    "____",
    "test ",
    "FAIL: ",
    "ERROR: ",
    "Ran ",
];

fn is_heading(line: &str) -> bool {
    let line = line.trim_start();
    is_numbered(line) || HEADINGS.iter().any(|heading| line.starts_with(heading))
}

/// `  2) Error:`
fn is_numbered(line: &str) -> bool {
    let line = line.trim_start();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && rest.starts_with(") ")
}

/// The lines as they are shown; `at` is the one that must be among them.
pub(super) fn excerpt(lines: &[&str], at: usize) -> String {
    let start = if lines.len() <= MAX_LINES { 0 } else { at.saturating_sub(LINES_BEFORE) };
    let text = joined(lines, start);
    if text.chars().nth(MAX_CHARACTERS).is_none() {
        return text;
    }
    joined(lines, at).chars().take(MAX_CHARACTERS).collect()
}

/// The end of an output that says nothing else.
pub(super) fn tail(lines: &[&str]) -> String {
    let lines: Vec<&str> = lines.iter().copied().filter(|line| !line.trim().is_empty()).collect();
    let start = lines.len().saturating_sub(TAIL_LINES);
    joined(&lines, start).chars().take(MAX_CHARACTERS).collect()
}

fn joined(lines: &[&str], start: usize) -> String {
    let shown: Vec<&str> =
        lines.iter().skip(start).take(MAX_LINES).map(|line| line.trim_end()).collect();
    shown.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ka2_a_section_is_about_one_test() {
        let output = "test_one (t.T.test_one) ... ok\n\
                      test_two (t.T.test_two) ... FAIL\n\
                      \n\
                      ======\n\
                      FAIL: test_two (t.T.test_two)\n\
                      ------\n\
                      AssertionError: 1 != 2\n\
                      \n\
                      Ran 2 tests\n";
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(
            section(&lines, "test_two"),
            [
                "test_two (t.T.test_two) ... FAIL",
                "",
                "FAIL: test_two (t.T.test_two)",
                "------",
                "AssertionError: 1 != 2",
                ""
            ]
        );
        assert_eq!(section(&lines, "test_t"), [""; 0]);
        assert_eq!(section(&lines, ""), [""; 0]);
        let ruby = ["  1) Failure:", "T#test_one [t.rb:3]:", "Expected: 1", "  2) Error:", "T#x:"];
        assert_eq!(section(&ruby, "test_one"), ruby[..3]);
    }

    #[test]
    fn ka2_an_excerpt_is_short_and_shows_the_line() {
        let many: Vec<String> = (0..100).map(|line| format!("line {line}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let shown = excerpt(&many, 50);
        assert!(shown.starts_with("line 42\n") && shown.ends_with("\nline 71"), "{shown}");
        let long = "ä".repeat(5000);
        let shown = excerpt(&["first", long.as_str(), "last"], 1);
        assert_eq!(shown.chars().count(), MAX_CHARACTERS);
        assert!(shown.starts_with('ä'));
        assert_eq!(excerpt(&["", "  one ", ""], 1), "  one");
        assert_eq!(excerpt(&[], 3), "");
        assert_eq!(tail(&["", "a", " ", "b"]), "a\nb");
    }
}
