//! The first real sentence of a README, as one line of plain text.
//!
//! A README is foreign text: what comes out has no control characters, no line ends, and at most `LONGEST` characters.

const LONGEST: usize = 200;
/// Whoever has not come to the point by then never will.
const MOST_BYTES: usize = 64 * 1024;

pub(super) fn is_readme(name: &str) -> bool {
    let (stem, extension) = name.split_once('.').unwrap_or((name, ""));
    // `README.ja.md` is for other readers.
    stem.eq_ignore_ascii_case("readme") && !extension.contains('.') && extension != "html"
}

/// The title: the first heading.
pub(super) fn title(text: &str) -> Option<String> {
    let text = &text[..text.floor_char_boundary(MOST_BYTES)];
    let mut before: Option<&str> = None;
    for line in text.lines().map(str::trim) {
        // A heading after prose is that of a chapter.
        if before.is_some_and(|before| !is_markup(before) && !is_markup(line)) {
            return None;
        }
        let is_underline = line.len() >= 3
            && (line.bytes().all(|byte| byte == b'=') || line.bytes().all(|byte| byte == b'-'));
        let heading = line.strip_prefix("# ").or(before.filter(|_| is_underline));
        if let Some(heading) =
            heading.map(plain).filter(|heading| heading.contains(char::is_alphabetic))
        {
            let name = heading.split([':', '–', '—']).next().unwrap_or(&heading);
            let name = name.split(" - ").next().unwrap_or(name).trim();
            return Some(clip(name, 60));
        }
        before = Some(line).filter(|line| !line.is_empty() && !is_underline);
    }
    None
}

pub(super) fn first_sentence(text: &str) -> Option<String> {
    let text = &text[..text.floor_char_boundary(MOST_BYTES)];
    paragraphs(text).iter().find_map(|paragraph| {
        let is_prose = paragraph.split_whitespace().count() >= 4 && !is_a_row_of_links(paragraph);
        let sentence = is_prose
            .then(|| plain(paragraph))
            .filter(|text| text.split_whitespace().count() >= 4)?;
        // What ends in a colon leads to a list or a picture, a question to an advertisement.
        let is_aside = ["Note", "NOTE", "Warning", "Tip", "Important"]
            .iter()
            .any(|word| sentence.starts_with(word));
        if sentence_of(&sentence).ends_with([':', '?']) || is_aside {
            return None;
        }
        Some(clip(sentence_of(&sentence), LONGEST))
    })
}

/// Runs of lines that are neither headings, lists, quotes, tables, code nor markup.
fn paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs = Vec::new();
    let mut current = String::new();
    let (mut in_code, mut in_comment, mut in_front) = (false, false, text.starts_with("---\n"));
    let mut is_after_markup = false;
    for (number, line) in text.lines().enumerate() {
        // Within markup, text is indented without being code.
        let indented = !is_after_markup && (line.starts_with("    ") || line.starts_with('\t'));
        if !line.trim().is_empty() {
            is_after_markup =
                line.trim_start().starts_with('<') || (is_after_markup && line.starts_with(' '));
        }
        let line = unquoted(line.trim());
        if in_front {
            in_front = number == 0 || line != "---";
            continue;
        }
        if line.starts_with("```") || line.starts_with("~~~") {
            in_code = !in_code;
        }
        in_comment |= line.starts_with("<!--");
        let is_underline =
            line.len() >= 3 && line.chars().all(|c| matches!(c, '=' | '-' | '~' | '^' | '*'));
        if is_underline {
            // What stands above it was a heading.
            current.clear();
        } else if in_code || in_comment || (indented && current.is_empty()) || is_markup(line) {
            finish(&mut current, &mut paragraphs);
            if !in_code && !in_comment && is_text_in_markup(line) {
                paragraphs.push(line.to_owned());
            }
        } else {
            current.push_str(line);
            current.push(' ');
        }
        in_comment &= !line.contains("-->");
    }
    finish(&mut current, &mut paragraphs);
    paragraphs
}

/// A quotation at the top is often the motto.
fn unquoted(line: &str) -> &str {
    let quoted = line.strip_prefix("> ").filter(|rest| !rest.starts_with("[!"));
    quoted.map_or(line, |rest| rest.trim_start_matches(['#', ' ']))
}

/// `<h3>An editor for everybody</h3>`
fn is_text_in_markup(line: &str) -> bool {
    let is_text =
        ["<h", "<p", "<b", "<strong", "<em", "<i>"].iter().any(|tag| line.starts_with(tag));
    is_text && !line.contains("href") && plain(line).split_whitespace().count() >= 5
}

fn finish(current: &mut String, paragraphs: &mut Vec<String>) {
    if !current.is_empty() {
        paragraphs.push(std::mem::take(current));
    }
}

fn is_markup(line: &str) -> bool {
    const STARTS: &[&str] = &[
        "#", "<", "|", "- ", "* ", "+ ", "![", "[![", "..", ":", "=", "```", "~~~", "{", "!!!",
        "@", "\\", "//", "%", "[",
    ];
    let is_numbered =
        line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    line.is_empty()
        || is_numbered
        || (STARTS.iter().any(|start| line.starts_with(start)) && !is_linked_name(line))
        || line.starts_with("> [!")
}

/// `[Name](address) is a …` begins with a link, and is prose.
fn is_linked_name(line: &str) -> bool {
    let rest = line
        .strip_prefix('[')
        .filter(|rest| !rest.starts_with('!'))
        .and_then(|rest| rest.split_once(')'));
    rest.is_some_and(|(_, after)| after.split_whitespace().count() >= 3 && !after.contains("]("))
}

fn is_a_row_of_links(paragraph: &str) -> bool {
    let links = paragraph.matches("](").count();
    links >= 3 && plain(paragraph).split_whitespace().count() < links * 5
}

/// Without the marks of Markdown and reStructuredText, links by their text, white space as single blanks.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            '!' if after.starts_with('[') => {
                rest = skip_link(after).map_or(after, |(_, after)| after);
            }
            '[' if after.starts_with("![") => {
                // A badge: a picture in a link.
                let picture = skip_link(&after[1..]).map_or(after, |(_, after)| after);
                let by_address = picture.strip_prefix("](").and_then(|link| link.split_once(')'));
                let link = by_address
                    .or_else(|| picture.strip_prefix("][").and_then(|link| link.split_once(']')));
                rest = link.map_or(picture, |(_, after)| after);
            }
            '[' => match skip_link(rest) {
                Some((inner, after)) if !inner.contains('[') => {
                    out.push_str(inner);
                    rest = after;
                }
                _ => rest = after,
            },
            '<' => rest = after.split_once('>').map_or("", |(_, after)| after),
            '`' | '*' | '\\' | ']' => rest = after,
            _ => {
                out.push(if c.is_control() || is_invisible(c) { ' ' } else { c });
                rest = after;
            }
        }
    }
    let words: Vec<&str> = out.split_whitespace().map(|word| word.trim_matches('_')).collect();
    words.join(" ")
}

/// The text of a link, and what comes after it.
fn skip_link(text: &str) -> Option<(&str, &str)> {
    /// A link text is short; without an end in sight the bracket is just a bracket.
    const NEAR: usize = 400;
    let near = &text[..text.floor_char_boundary(NEAR)];
    let end = near.find(']')?;
    let inner = &text[1..end];
    let after = &text[end + 1..];
    let close = |open: char, close: char| {
        let rest = after.strip_prefix(open)?;
        let near = &rest[..rest.floor_char_boundary(NEAR)];
        near.find(close).map(|end| &rest[end + 1..])
    };
    Some((inner, close('(', ')').or_else(|| close('[', ']'))?))
}

/// Marks that change how other text is shown.
fn is_invisible(c: char) -> bool {
    const RANGES: &[std::ops::RangeInclusive<char>] = &[
        '\u{200b}'..='\u{200f}',
        '\u{202a}'..='\u{202e}',
        '\u{2060}'..='\u{206f}',
        '\u{feff}'..='\u{feff}',
        '\u{e0000}'..='\u{e007f}',
    ];
    RANGES.iter().any(|range| range.contains(&c))
}

/// Up to the first full stop that a blank and a capital follow. `e.g.` and `v1.0` have none of both.
fn sentence_of(text: &str) -> &str {
    for (at, _) in text.match_indices(['.', '!', '?']) {
        let after = &text[at + 1..];
        let begins = after
            .strip_prefix(' ')
            .is_some_and(|next| next.starts_with(|c: char| !c.is_lowercase()));
        if begins && !text[..at].ends_with("e.g") && !text[..at].ends_with("i.e") && at > 15 {
            return &text[..=at];
        }
    }
    text
}

/// At most so many characters, cut between words.
pub(super) fn clip(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else { return text.to_owned() };
    let room = &text[..text[..end].char_indices().last().map_or(0, |(at, _)| at)];
    let cut = room.rfind(' ').filter(|&at| at > room.len() / 2).map_or(room, |at| &room[..at]);
    format!("{}…", cut.trim_end_matches([',', ' ', ';']))
}

/// One line of text that somebody else wrote.
pub(super) fn one_line(text: &str) -> String {
    let clean: String =
        text.chars().map(|c| if c.is_control() || is_invisible(c) { ' ' } else { c }).collect();
    let line = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().nth(LONGEST).is_some() { clip(sentence_of(&line), LONGEST) } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(first_sentence(text).as_deref(), expected);
    }

    #[test]
    fn ix12_the_first_real_sentence_is_found() {
        check(
            "<p align=\"center\"><img src=x></p>\n\n# Shop\n\n[![ci](a)](b) ![x](y)\n\n**Shop** is a [small](http://a) `shop`, e.g. for\nbooks. It sells.\n",
            Some("Shop is a small shop, e.g. for books."),
        );
        check(
            "Flask\n=====\n\nFlask is a lightweight `WSGI`_ web framework. More.\n",
            Some("Flask is a lightweight WSGI web framework."),
        );
        check(
            "---\ntitle: x y z w\n---\n```\nnpm install the thing now\n```\n\n- a list of four words\n\nThis one is really it\n",
            Some("This one is really it"),
        );
        check(
            "[Docs](a) | [Chat](b) | [Site](c) | [Blog](d)\n\n[Vite](https://v) is a fast build tool.\n",
            Some("Vite is a fast build tool."),
        );
        check("# Only a title\n", None);
        check(
            "See the pictures over here:\n\n1. one of the things\n\n<h3>An editor for <b>all</b> of us<br/></h3>\n",
            Some("An editor for all of us"),
        );
        check(
            "<div>\n  <h2>\n    A whiteboard for all of us. </br>\n    Encrypted.\n  </h2>\n</div>\n",
            Some("A whiteboard for all of us."),
        );
        check(
            "> **Note:** this is about something else\n\nIt is a real shop.\n",
            Some("It is a real shop."),
        );
        check("> ### An example of a code base\n", Some("An example of a code base"));
        check("<!-- a comment with many words\nmore words in the comment here\n-->\n", None);
    }

    #[test]
    fn ix12_foreign_text_is_kept_to_one_short_line() {
        let long = format!("It is {}\u{1b}[31m\u{202e}end", "very ".repeat(200));
        let sentence = first_sentence(&long).unwrap();
        assert!(sentence.chars().count() <= LONGEST && sentence.ends_with('…'), "{sentence}");
        assert_eq!(one_line("a\nb\u{202e}c\0"), "a b c");
        // Neither runs away nor panics on brackets without end.
        assert_eq!(first_sentence(&"[".repeat(100_000)), None);
        assert_eq!(
            first_sentence(&"a [b ".repeat(50_000)).map(|text| text.chars().count() <= LONGEST),
            Some(true)
        );
        assert_eq!(first_sentence(&"é< ".repeat(50_000)), None);
    }

    #[test]
    fn ix12_a_title_is_the_first_heading() {
        assert_eq!(title("<x>\n\n# `jq` [![badge](a)](b) [![b][1]][2]\n").as_deref(), Some("jq"));
        assert_eq!(title("======\nDjango\n======\n").as_deref(), Some("Django"));
        assert_eq!(title("Git - fast revision control\n====\n").as_deref(), Some("Git"));
        assert_eq!(title("no heading\n"), None);
        assert_eq!(title("![x](y)\n\nIt is prose\nand more\n\n# Features\n"), None);
    }
}
