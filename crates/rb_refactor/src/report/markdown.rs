//! Foreign text in Markdown: it stays text, on one line, and calls nobody.

use std::fmt::Write as _;

/// The most characters of a foreign text shown in one place.
const LONGEST: usize = 300;

/// The most of a text that is shown whole.
const WHOLE: usize = 2_000;

/// A foreign text as plain words: no markup, no link, no mention of a person or an issue. What it quotes stays quoted.
pub(crate) fn plain(text: &str) -> String {
    without_markup(&one_line(text))
}

/// The same of a text that matters to its end.
pub(crate) fn whole(text: &str) -> String {
    without_markup(&line_of(text, WHOLE))
}

fn without_markup(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    if pieces.len().is_multiple_of(2)
        || pieces.iter().skip(1).step_by(2).any(|piece| piece.trim().is_empty())
    {
        return escaped(text);
    }
    let pieces = pieces.iter().enumerate();
    pieces
        .map(|(at, piece)| if at.is_multiple_of(2) { escaped(piece) } else { code(piece) })
        .collect()
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied().unwrap_or(' ');
        let inside_word = before.is_alphanumeric() && next.is_alphanumeric();
        match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '$' | '&' => {
                out.push('\\');
                out.push(c);
            }
            '_' if !inside_word => out.push_str("\\_"),
            // Broken by a character of no width: there is no other way to keep a name from being called.
            '@' if next.is_alphanumeric() => out.push_str("@&#8203;"),
            '#' if next.is_alphanumeric() => out.push_str("\\#&#8203;"),
            '#' => out.push_str("\\#"),
            ':' if next == '/' => out.push_str(":&#8203;"),
            '.' if before == 'w' && next.is_alphanumeric() => out.push_str("&#8203;."),
            _ => out.push(c),
        }
        before = c;
    }
    out
}

/// A name, a path or a command as code, whatever is in it.
pub(crate) fn code(text: &str) -> String {
    let text = one_line(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let is_padded = text.is_empty() || text.starts_with('`') || text.ends_with('`');
    let space = if is_padded { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// The same within a cell of a table, where a bar would end it even in code.
pub(crate) fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// The place of an artifact, for between the brackets of a link.
pub(crate) fn target(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"/._-#@+".contains(&byte);
        if is_plain {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Without line ends, control characters and those that turn the direction of writing; cut where it is too long.
pub(crate) fn one_line(text: &str) -> String {
    line_of(text, LONGEST)
}

fn line_of(text: &str, most: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line: String = words.join(" ").chars().filter(|c| !is_invisible(*c)).collect();
    shortened(&line, most)
}

/// At most so many characters, cut between words where that is possible.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most.saturating_sub(1)).collect();
    let cut = head.rfind(' ').filter(|at| *at > head.len() / 2).unwrap_or(head.len());
    format!("{}…", head[..cut].trim_end_matches([' ', ',', ';', ':', '.']))
}

fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf9_foreign_text_stays_text_in_markdown() {
        let check = |text: &str, expected: &str| assert_eq!(plain(text), expected, "{text}");
        check("Use a map, not user_id_list", "Use a map, not user_id_list");
        check("<script>alert(1)</script>", "\\<script\\>alert(1)\\</script\\>");
        check("[x](http://e.org) ![y](z)", "\\[x\\](http:&#8203;//e.org) !\\[y\\](z)");
        check("ping @team, fixes #12", "ping @&#8203;team, fixes \\#&#8203;12");
        check("see www.e.org", "see www&#8203;.e.org");
        check("a\n\n# b\u{202e}c\u{7}", "a \\# bc");
        check("**b** _i_ a|b &lt;", "\\*\\*b\\*\\* \\_i\\_ a\\|b \\&lt;");
        check("`a_b` is <gone>", "`a_b` is \\<gone\\>");
        check("one ` tick", "one \\` tick");
        check("``<b>``", "\\`\\`\\<b\\>\\`\\`");
        let long = format!("{}*", "x ".repeat(400));
        assert_eq!(whole(&long), format!("{}\\*", "x ".repeat(400)));
        assert!(plain(&long).ends_with("x…"));
    }

    #[test]
    fn rf9_code_holds_whatever_is_in_it() {
        let check = |text: &str, expected: &str| assert_eq!(code(text), expected, "{text}");
        check("src/a.ts", "`src/a.ts`");
        check("a`b", "``a`b``");
        check("``", "``` `` ```");
        check("", "`  `");
        assert_eq!(cell("a|b"), "`a\\|b`");
        assert_eq!(target("diffs/a b(1).patch#x"), "diffs/a%20b%281%29.patch#x");
    }

    #[test]
    fn rf9_long_text_is_cut_between_words() {
        assert_eq!(shortened("one two, three", 10), "one two…");
        assert_eq!(shortened("one", 3), "one");
        assert_eq!(shortened("onetwothree", 5), "onet…");
    }
}
