//! The lines of a failed command's output that say what is wrong, where no report does.

/// The most lines quoted; the whole output is kept.
const MOST: usize = 3;

/// The longest part of a line.
const WIDTH: usize = 240;

/// Lines that speak of an error, with the file above them where a linter groups by files; else how the output ends.
pub(crate) fn telling(said: &str) -> Vec<String> {
    let mut heading = "";
    let mut found = Vec::new();
    let lines = || said.lines().filter(|line| !line.trim().is_empty() && !is_noise(line));
    for line in lines() {
        let is_indented = line.starts_with([' ', '\t']);
        if !is_indented {
            heading = if line.contains(' ') { "" } else { line.trim_end() };
        }
        if found.len() < MOST && speaks_of_error(line) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let at = if is_indented && !heading.is_empty() {
                format!("{heading}: ")
            } else {
                String::new()
            };
            found.push(format!("{at}{}", words.join(" ")));
        }
    }
    if found.is_empty() {
        found.extend(lines().next_back().map(|line| line.trim().to_owned()));
    }
    found.into_iter().map(|line| cut(&line)).collect()
}

/// What a package manager says around the command, and where in a runtime it was.
fn is_noise(line: &str) -> bool {
    let line = line.trim_start();
    ["> ", "npm ", "at ", "ELIFECYCLE", "error Command failed", "info Visit"]
        .iter()
        .any(|start| line.starts_with(start))
}

/// Sums are no errors: `2 errors and 1 warning`.
fn speaks_of_error(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let is_sum =
        line.contains("errors") || line.contains(" problem") || line.trim().starts_with("found ");
    line.contains("error") && !is_sum
}

fn cut(line: &str) -> String {
    if line.chars().count() <= WIDTH {
        return line.to_owned();
    }
    line.chars().take(WIDTH - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ve2_a_check_that_fails_says_why_in_its_own_words() {
        let check = |said: &str, expected: &[&str]| assert_eq!(telling(said), expected);
        check("", &[]);
        check(
            "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\n\nFound 1 error.",
            &["src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'."],
        );
        check(
            "\n> shop@1.0.0 lint\n> eslint .\n\nlib/a.js\n  3:5   error    'x' is not defined  no-undef\n  4:1   warning  dull\n\nlib/b.js\n  1:1  error  Parsing error\n\n✖ 3 problems (2 errors, 1 warning)\n",
            &[
                "lib/a.js: 3:5 error 'x' is not defined no-undef",
                "lib/b.js: 1:1 error Parsing error",
            ],
        );
        check(
            "checking\nlib/a.js is not formatted\nnpm ERR! code 1\n",
            &["lib/a.js is not formatted"],
        );
        check("error: 1\nerror: 2\nerror: 3\nerror: 4", &["error: 1", "error: 2", "error: 3"]);
        check(&format!("error {}", "ä".repeat(300)), &[&format!("error {}…", "ä".repeat(233))]);
    }
}
