//! What counts as an example: a line with an input and its result, and a row of a table.

use super::marks::plain;

/// The longest name of a column that is repeated in each of its rows.
const LONGEST_NAME: usize = 40;

/// Whether a line is an example and nothing else: `3 -> Fizz`, `add("1,2") returns 3`. An arrow inside code in the middle of a
/// sentence is part of a signature.
pub(super) fn is_example(line: &str) -> bool {
    let is_value = |sign: char| sign.is_ascii_digit() || "`\"'“‘([{-".contains(sign);
    let has_arrow_outside_code = line.split('`').step_by(2).any(has_arrow);
    let begins_with_value = line.starts_with(is_value);
    let is_call = |before: &str| {
        let value = before.trim_end().trim_end_matches('`');
        value.ends_with([')', '"', '\'', '”', ']'])
            || value.ends_with(|sign: char| sign.is_ascii_digit())
    };
    has_arrow_outside_code
        || (begins_with_value && has_arrow(line))
        || line.split_once(" returns ").is_some_and(|(before, _)| is_call(before))
}

/// Whether a sentence names a result, so that it is an example beside what else it is: "It returns `Fizz` for 3."
pub(super) fn has_result(sentence: &str) -> bool {
    let is_value = |sign: char| sign.is_ascii_digit() || "`\"“".contains(sign);
    sentence.split_once(" returns ").is_some_and(|(_, result)| result.contains(is_value))
}

/// `Number: 3, Result: Fizz`.
pub(super) fn row(header: &[String], cells: &[String]) -> String {
    let short = |name: &String| if name.len() > LONGEST_NAME { String::new() } else { plain(name) };
    let names = header.iter().map(short).chain(std::iter::repeat(String::new()));
    let columns = cells.iter().map(|cell| plain(cell)).zip(names);
    let shown = columns
        .filter(|(cell, _)| !cell.is_empty())
        .map(|(cell, name)| if name.is_empty() { cell } else { format!("{name}: {cell}") });
    shown.collect::<Vec<_>>().join(", ")
}

fn has_arrow(text: &str) -> bool {
    ["->", "=>", "→", "⇒"].iter().any(|arrow| text.contains(*arrow))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ka1_examples_are_recognised() {
        let check = |text: &str, expected: bool| assert_eq!(is_example(text), expected, "{text:?}");
        check("3 -> Fizz", true);
        check("`\"1,2\" => 3`", true);
        check("an empty string → 0", true);
        check("`[1, 2] -> 3`", true);
        check("`add(\"\")` returns 0", true);
        check("add(1, 2) returns 3", true);
        check("Write `fn add(text: &str) -> u32`.", false);
        check("The method returns 0 for an empty string.", false);
        check("Numbers from 1 to 100", false);
        check("`add` takes a text", false);
        check("`add` returns the sum", false);
    }

    #[test]
    fn ka1_sentences_name_results() {
        let check = |text: &str, expected: bool| assert_eq!(has_result(text), expected, "{text:?}");
        check("The method returns 0 for an empty string.", true);
        check("It returns `Fizz`.", true);
        check("It returns the sum.", false);
        check("`add` takes 2 numbers and returns their sum.", false);
        check("It prints 3.", false);
    }

    #[test]
    fn ka1_rows_carry_the_names_of_their_columns() {
        let check = |header: &[&str], cells: &[&str], expected: &str| {
            let owned =
                |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
            assert_eq!(row(&owned(header), &owned(cells)), expected);
        };
        check(&["In", "**Out**"], &["`1`", "*I*"], "In: `1`, Out: I");
        check(&["", "Out"], &["1", "", "3"], "1, 3");
        check(&["In"], &["1", "2"], "In: 1, 2");
        check(&[], &[], "");
    }
}
