//! Text fitted to the width of a terminal: lines break between words, never inside one.

/// A label at the beginning of a line is at most so wide.
const LABEL: usize = 16;

/// Breaks lines that are wider than `width`. What follows is set below the text of its line, beside the label.
///
/// Lines that are commands stay whole, so that they can be copied. A word that is wider than the terminal stays whole, too.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        if columns(body) <= width || is_command(body) {
            out.push_str(body);
        } else {
            wrap_line(&mut out, body, width);
        }
        out.push_str(end);
    }
    out
}

fn is_command(line: &str) -> bool {
    let words = line.trim_start();
    line.starts_with(' ') && (words.starts_with("refactor-bot ") || words.starts_with("git "))
}

fn wrap_line(out: &mut String, line: &str, width: usize) {
    let indent = indent(line).min(width / 2);
    let mut at = 0;
    let mut rest = line;
    while !rest.is_empty() {
        let word_at = rest.find(|c| c != ' ').unwrap_or(rest.len());
        let (gap, words) = rest.split_at(word_at);
        let (word, after) = words.split_at(words.find(' ').unwrap_or(words.len()));
        let wide = columns(word);
        if at > indent && wide > 0 && at + gap.len() + wide > width {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            at = indent;
        } else {
            out.push_str(gap);
            at += gap.len();
        }
        out.push_str(word);
        at += wide;
        rest = after;
    }
}

/// Where the text of a line begins: after its label, if it has one.
fn indent(line: &str) -> usize {
    let plain: String = without_codes(line).collect();
    let leading = plain.len() - plain.trim_start().len();
    let text = &plain[leading..];
    let label = text.find("  ").map(|end| end + text[end..].len() - text[end..].trim_start().len());
    let colon = text.find(": ").map(|end| end + 2);
    let is_label = |end: &usize| *end <= LABEL;
    let is_prose = leading == 0 && label.is_none();
    let beside = label.filter(is_label).or(colon.filter(is_label));
    leading + beside.unwrap_or(if is_prose { 0 } else { 2 })
}

/// How many columns a text takes. Colours and the targets of links take none.
fn columns(text: &str) -> usize {
    without_codes(text).count()
}

/// What a character belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Text,
    /// After the first character of a code.
    Escape,
    /// `ESC [ … m`
    Color,
    /// `ESC ] … ESC \`
    Link,
}

fn without_codes(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut part = Part::Text;
    text.chars().filter(move |&c| {
        let was = part;
        part = match (part, c) {
            (Part::Text | Part::Link, '\x1b') => Part::Escape,
            (Part::Escape, '[') => Part::Color,
            (Part::Escape, ']') => Part::Link,
            (Part::Color, 'm') | (Part::Escape, _) => Part::Text,
            (part, _) => part,
        };
        was == Part::Text && part == Part::Text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux1_lines_break_between_words_and_below_their_text() {
        let check = |line: &str, expected: &str| assert_eq!(wrapped(line, 30), expected);
        check("short\n", "short\n");
        check(
            "report   one two three four five six seven\n",
            "report   one two three four\n         five six seven\n",
        );
        check(
            "hint: commit or stash them, or pass --allow-dirty\n",
            "hint: commit or stash them, or\n      pass --allow-dirty\n",
        );
        check(
            "  batch-001  \x1b[32mapplied\x1b[0m  Make file calls async\n",
            "  batch-001  \x1b[32mapplied\x1b[0m  Make\n             file calls async\n",
        );
        let link =
            |to: &str, shown: &str| format!("\x1b]8;;file://{to}\x1b\\{shown}\x1b]8;;\x1b\\");
        let cited = link("box/home/me/src/main.rs#L1", "main.rs:1-2");
        check(
            &format!("The program begins there {cited} and here\n"),
            &format!("The program begins there\n{cited} and here\n"),
        );
        let path = format!("backup   /{}\n", "x".repeat(40));
        assert_eq!(wrapped(&path, 30), path, "a path stays whole");
        let command = "  refactor-bot accept 20260131T120000Z --failing\n";
        assert_eq!(wrapped(command, 30), command, "a command can be copied");
        check("Continue? [y]es, [n]o: drop it, ", "Continue? [y]es, [n]o: drop\nit, ");
    }
}
