//! The files of the project in a message. Sources are always whole; of long tests only the last are shown.

use rb_core::plural;
use rb_trust::FenceError;

use super::Files;
use super::message::{Message, offset};
use crate::text_file::TextFile;

/// Characters of all files together.
const MOST: usize = 60_000;
/// Characters of all tests, however long the sources are.
const LEAST_OF_TESTS: usize = 10_000;
const MOST_OTHERS: usize = 60;

pub(super) fn show(message: &mut Message<'_>, files: &Files<'_>) -> Result<(), FenceError> {
    if files.sources.is_empty() {
        message.paragraph("There is no implementation yet.");
    } else {
        message.say("The implementation:");
    }
    for file in files.sources {
        message.file(&file.path, &file.text)?;
    }
    if files.tests.is_empty() {
        message.paragraph("There is no test file yet.");
    } else {
        message.say("The tests:");
    }
    let size = |file: &TextFile| file.text.chars().count();
    let sources: usize = files.sources.iter().map(size).sum();
    let sizes: Vec<usize> = files.tests.iter().map(size).collect();
    let most = share(sizes, MOST.saturating_sub(sources).max(LEAST_OF_TESTS));
    for file in files.tests {
        test_file(message, file, most)?;
    }
    if files.others.is_empty() {
        return Ok(());
    }
    message.say("Other files, which no agent may write:");
    message.list("other files", rb_core::at_most(MOST_OTHERS, files.others.iter().cloned()))
}

fn test_file(message: &mut Message<'_>, file: &TextFile, most: usize) -> Result<(), FenceError> {
    let end = last_tests(&file.text, most);
    if end.len() < file.text.len() {
        let (shown, all) = (end.lines().count(), file.text.lines().count());
        message.say(&format!(
            "Of the next file only the last {shown} of {} are shown: the tests are too long. Do not write this file; a new test \
             goes into a new file.",
            plural(all, "line"),
        ));
    }
    message.file(&file.path, end)
}

/// How many characters each file may have, so that all of them have `budget` at most: only the largest are shortened.
fn share(mut sizes: Vec<usize>, budget: usize) -> usize {
    sizes.sort_unstable();
    let mut left = budget;
    for (nth, size) in sizes.iter().enumerate() {
        let share = left / (sizes.len() - nth);
        if *size > share {
            return share;
        }
        left -= size;
    }
    usize::MAX
}

/// The end of a text, of `most` characters at most, from the beginning of a test on where one can be told.
fn last_tests(text: &str, most: usize) -> &str {
    let count = text.chars().count();
    if count <= most {
        return text;
    }
    let rest = &text[offset(text, count - most)..];
    // The first line may have begun before.
    let end = rest.find('\n').map_or("", |newline| &rest[newline + 1..]);
    &end[block(end)..]
}

/// Where a test probably begins: after an empty line, indented least. Only the first half is looked at, so that much is shown in
/// any case.
fn block(text: &str) -> usize {
    let mut best: Option<(usize, usize)> = None;
    let (mut offset, mut is_after_empty) = (0, false);
    for line in text.split_inclusive('\n') {
        if offset > text.len() / 2 {
            break;
        }
        let code = line.trim_start();
        let indentation = line.len() - code.len();
        let is_start = is_after_empty && !code.is_empty() && !code.starts_with(['}', ')', ']']);
        if is_start && best.is_none_or(|(least, _)| indentation < least) {
            best = Some((indentation, offset));
        }
        is_after_empty = code.is_empty();
        offset += line.len();
    }
    best.map_or(0, |(_, offset)| offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ka2_only_the_largest_tests_are_shortened() {
        let check = |sizes: &[usize], budget: usize, expected: usize| {
            assert_eq!(share(sizes.to_vec(), budget), expected, "{sizes:?}");
        };
        check(&[], 10, usize::MAX);
        check(&[4, 6], 10, usize::MAX);
        check(&[20], 10, 10);
        check(&[20, 4], 10, 6);
        check(&[20, 30, 1], 11, 5);
        check(&[9, 9], 0, 0);
    }

    #[test]
    fn ka2_the_last_tests_begin_with_a_test() {
        let check = |text: &str, most: usize, expected: &str| {
            assert_eq!(last_tests(text, most), expected, "{text}");
        };
        let rust = "a\n\n#[test]\nfn a() {}\n\n#[test]\nfn b() {}\n";
        check(rust, 40, rust);
        check(rust, 25, "#[test]\nfn b() {}\n");
        check(rust, 5, "");
        let java = "    void a() {\n\n        x();\n    }\n\n    @Test\n    void b() {}\n}\n";
        check(java, 55, "    @Test\n    void b() {}\n}\n");
        check("äöü\näöü\näöü\n", 6, "äöü\n");
        check(&"x".repeat(1_000_000), 10, "");
        check("", 0, "");
    }
}
