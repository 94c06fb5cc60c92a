//! Removes the marks of Markdown inside a line: emphasis, links, escapes. Code spans stay as they are, with their backticks.

/// Marks of emphasis that may be open at once; more are shown as they are.
const DEEPEST: usize = 8;
/// How far the end of a link is looked for, in characters.
const LONGEST_LINK: usize = 500;
const SIGNS: [char; 6] = ['`', '\\', '!', '[', '*', '_'];

/// The text as a reader sees it, in one line.
pub(super) fn plain(text: &str) -> String {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    // Indices of marks that are not closed yet.
    let mut open: Vec<usize> = Vec::new();
    let mut before = None;
    let mut rest = text;
    while !rest.is_empty() {
        let (shown, length) = token(rest);
        let after = rest[length..].chars().next();
        let index = pieces.len();
        pieces.push(Piece { text: shown, is_mark: false });
        if rest.starts_with(['*', '_']) {
            let side = Side::of(shown, before, after);
            let partner = open.iter().rposition(|&other| pieces[other].text == shown);
            if let Some(partner) = partner.filter(|_| side.closes) {
                pieces[open[partner]].is_mark = true;
                pieces[index].is_mark = true;
                open.truncate(partner);
            } else if side.opens && open.len() < DEEPEST {
                open.push(index);
            }
        }
        before = rest[..length].chars().next_back();
        rest = &rest[length..];
    }
    let shown = pieces.iter().filter(|piece| !piece.is_mark).map(|piece| piece.text);
    shown.collect::<String>().trim().replace(['\n', '\r', '\t'], " ")
}

struct Piece<'t> {
    text: &'t str,
    is_mark: bool,
}

/// On which side of a mark of emphasis its words are.
struct Side {
    opens: bool,
    closes: bool,
}

impl Side {
    /// `2*3`, `a * b` and `snake_case` are no emphasis.
    fn of(mark: &str, before: Option<char>, after: Option<char>) -> Side {
        let is_letter = |side: Option<char>| side.is_some_and(char::is_alphanumeric);
        let is_mark = |side: Option<char>| side.is_some_and(|sign| !sign.is_whitespace());
        let is_in_word = is_letter(before) && is_letter(after) && mark != "**";
        Side { opens: !is_in_word && is_mark(after), closes: !is_in_word && is_mark(before) }
    }
}

/// What is shown of the next few characters, and their length: at least one character of a text that is not empty.
fn token(rest: &str) -> (&str, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    match first {
        '`' => {
            let length = code_span(rest);
            (&rest[..length], length)
        }
        '\\' if rest[1..].starts_with(|sign: char| sign.is_ascii_punctuation()) => (&rest[1..2], 2),
        '!' | '[' => link(rest).unwrap_or((&rest[..1], 1)),
        '*' | '_' => {
            let length = rest.len() - rest.trim_start_matches(first).len();
            (&rest[..length], length)
        }
        '\\' => (&rest[..1], 1),
        _ => {
            let length = rest.find(SIGNS).unwrap_or(rest.len());
            (&rest[..length], length)
        }
    }
}

fn code_span(rest: &str) -> usize {
    let run = rest.len() - rest.trim_start_matches('`').len();
    match rest[run..].find(&rest[..run]) {
        Some(end) => run + end + run,
        None => run,
    }
}

/// Label and length of `[label](address)` and `![label](address)`.
fn link(rest: &str) -> Option<(&str, usize)> {
    let image = usize::from(rest.starts_with('!'));
    let inner = rest[image..].strip_prefix('[')?;
    let label = &inner[..end_of(inner, ']')?];
    let address = inner[label.len() + 1..].strip_prefix('(')?;
    let length = image + 1 + label.len() + 2 + end_of(address, ')')? + 1;
    Some((label.trim_matches(['*', '_']), length))
}

fn end_of(text: &str, sign: char) -> Option<usize> {
    text.char_indices().take(LONGEST_LINK).find(|(_, other)| *other == sign).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ka1_marks_go_and_code_stays() {
        let check = |text: &str, expected: &str| assert_eq!(plain(text), expected, "{text:?}");
        check("", "");
        check(" **Fizz** for *three*, __Buzz__ for _five_ ", "Fizz for three, Buzz for five");
        check("***both***", "both");
        check("**Language:** Python", "Language: Python");
        check(
            "see [the rules](http://a.b/c) and ![a picture](x.png)",
            "see the rules and a picture",
        );
        check("[**bold**](x)", "bold");
        check("[1, 2] (two)", "[1, 2] (two)");
        check("`a * b` and `snake_case` and ``x ` y``", "`a * b` and `snake_case` and ``x ` y``");
        check("`**x**` **`y`**", "`**x**` `y`");
        check("2 * 3 * 4 and 2*3*4", "2 * 3 * 4 and 2*3*4");
        check("snake_case_name, _private", "snake_case_name, _private");
        check("*open", "*open");
        check(r"\*not bold\* and C:\temp", r"*not bold* and C:\temp");
        check("end\\", "end\\");
        check("\"\\n\" is a new line!", "\"\\n\" is a new line!");
        check("é*è*é `", "é*è*é `");
    }

    #[test]
    fn ka9_hostile_marks_take_no_time() {
        for sign in ["*a ", "[", "`", "_a", "\\", "![", "** a", "``` ` `` "] {
            let text = sign.repeat(50_000);
            assert!(plain(&text).len() <= text.len(), "{sign:?}");
        }
    }
}
