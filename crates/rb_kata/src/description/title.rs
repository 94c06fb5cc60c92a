//! The title of a kata, and the slug made from it, which names packages and branches.

use super::language_name;
use super::markdown::{Block, BlockKind, Document};
use super::marks::plain;
use super::section::{Heading, Section};

const LONGEST_TITLE: usize = 100;
const LONGEST_SLUG: usize = 40;

pub(super) struct Title {
    /// Counted from 1.
    pub(super) line: usize,
    pub(super) text: String,
}

/// The heading that is the title: the first of level 1, or the first block of all. The name of a section is none.
pub(super) fn heading(blocks: &[Block]) -> Option<Heading> {
    let top = blocks.iter().filter_map(as_title).find(|heading| heading.level == 1);
    top.or_else(|| blocks.first().and_then(as_title))
}

fn as_title(block: &Block) -> Option<Heading> {
    match &block.kind {
        BlockKind::Heading { level, text } => {
            let text = plain(text);
            let is_title = text.contains(char::is_alphanumeric) && !Section::is_name(&text);
            is_title.then_some(Heading { line: block.line, level: *level, text })
        }
        BlockKind::Item { .. }
        | BlockKind::Paragraph { .. }
        | BlockKind::Code { .. }
        | BlockKind::Table { .. } => None,
    }
}

/// From the front matter, then from the heading.
pub(super) fn of(document: &Document, heading: Option<&Heading>) -> Option<Title> {
    let mut entries = document.front_matter.iter();
    let entry = entries.find(|entry| entry.key == "title" && !entry.value.is_empty());
    let (line, text) = match (entry, heading) {
        (Some(entry), _) => (entry.line, plain(&entry.value)),
        (None, Some(heading)) => (heading.line, heading.text.clone()),
        (None, None) => return None,
    };
    let shown = text.chars().filter(|sign| !sign.is_control());
    let text: String = shown.take(LONGEST_TITLE).collect();
    (!text.trim().is_empty()).then_some(Title { line, text })
}

/// `katas/string-calculator.py.md` is "String Calculator".
pub(super) fn of_file(file_name: &str) -> String {
    let stem = language_name::without_language(file_name);
    let words = stem.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
    let title: String = words.map(capitalised).collect::<Vec<_>>().join(" ");
    if title.is_empty() { "Kata".to_owned() } else { title.chars().take(LONGEST_TITLE).collect() }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// "String Calculator" is `string-calculator`.
pub(super) fn slug(title: &str) -> String {
    let lower = without_kata(title).to_lowercase();
    let is_kept = |sign: &char| sign.is_ascii() && *sign != '\'';
    let ascii: String = lower.chars().filter(is_kept).collect();
    let words = ascii.split(|sign: char| !sign.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let slug = words.join("-");
    let first = slug.chars().next();
    let slug = match first {
        None => "kata".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("kata-{slug}"),
        Some(_) => slug,
    };
    let slug = shortened(&slug);
    if BAD_NAMES.contains(&slug) { format!("{slug}-kata") } else { slug.to_owned() }
}

/// The title without "Kata:" at its beginning.
fn without_kata(title: &str) -> &str {
    let Some((first, rest)) = title.split_once([':', '-', '–', '—']) else { return title };
    let first = first.trim().to_lowercase();
    let is_kind = matches!(first.as_str(), "kata" | "code kata" | "coding kata" | "the kata");
    if is_kind && rest.contains(|sign: char| sign.is_ascii_alphanumeric()) { rest } else { title }
}

/// At most 40 characters, whole words if there is more than one.
fn shortened(slug: &str) -> &str {
    let Some(head) = slug.get(..LONGEST_SLUG) else { return slug };
    let is_whole = slug[LONGEST_SLUG..].is_empty() || slug[LONGEST_SLUG..].starts_with('-');
    let shortened = match head.rsplit_once('-') {
        Some((words, _)) if !is_whole => words,
        Some(_) | None => head,
    };
    shortened.trim_end_matches('-')
}

/// Names that a package cannot have, or should not, in one of the languages: keywords, and what a standard library has.
const BAD_NAMES: &[&str] = &[
    "abstract",
    "alloc",
    "and",
    "array",
    "as",
    "assert",
    "async",
    "await",
    "aux",
    "become",
    "bool",
    "boolean",
    "box",
    "break",
    "build",
    "byte",
    "calendar",
    "case",
    "catch",
    "chan",
    "char",
    "class",
    "collections",
    "con",
    "const",
    "continue",
    "core",
    "crate",
    "def",
    "default",
    "defer",
    "del",
    "delete",
    "deps",
    "do",
    "double",
    "dyn",
    "elif",
    "else",
    "end",
    "enum",
    "ensure",
    "except",
    "export",
    "extends",
    "extern",
    "fallthrough",
    "false",
    "final",
    "finally",
    "float",
    "fn",
    "for",
    "from",
    "func",
    "function",
    "gen",
    "global",
    "go",
    "goto",
    "if",
    "impl",
    "implements",
    "import",
    "in",
    "incremental",
    "int",
    "interface",
    "is",
    "json",
    "lambda",
    "let",
    "lib",
    "long",
    "loop",
    "macro",
    "main",
    "map",
    "match",
    "math",
    "mod",
    "module",
    "move",
    "mut",
    "native",
    "new",
    "nil",
    "node",
    "none",
    "not",
    "nul",
    "null",
    "or",
    "override",
    "package",
    "pass",
    "priv",
    "private",
    "prn",
    "proc-macro",
    "protected",
    "pub",
    "public",
    "queue",
    "raise",
    "random",
    "range",
    "record",
    "redo",
    "ref",
    "require",
    "rescue",
    "retry",
    "return",
    "select",
    "self",
    "short",
    "src",
    "static",
    "statistics",
    "std",
    "strictfp",
    "string",
    "struct",
    "super",
    "switch",
    "synchronized",
    "test",
    "tests",
    "then",
    "this",
    "throw",
    "throws",
    "time",
    "trait",
    "transient",
    "true",
    "try",
    "turtle",
    "type",
    "typeof",
    "types",
    "undef",
    "union",
    "unless",
    "unsafe",
    "unsized",
    "until",
    "use",
    "var",
    "virtual",
    "void",
    "volatile",
    "when",
    "where",
    "while",
    "with",
    "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ka1_slugs_are_names_of_packages() {
        let check = |title: &str, expected: &str| assert_eq!(slug(title), expected, "{title:?}");
        check("String Calculator", "string-calculator");
        check("Kata: FizzBuzz", "fizzbuzz");
        check("Code Kata - Bowling!", "bowling");
        check("Kata", "kata");
        check("Kata:", "kata");
        check("21", "kata-21");
        check("99 Bottles", "kata-99-bottles");
        check("Conway's Game of Life", "conways-game-of-life");
        check("Größe & Äpfel", "gre-pfel");
        check("数字", "kata");
        check("", "kata");
        check("--", "kata");
        check("C++ / C#", "c-c");
        check("Test", "test-kata");
        check("core", "core-kata");
        check("Std", "std-kata");
        check("Match", "match-kata");
        check("Self", "self-kata");
        check("Tic-Tac-Toe", "tic-tac-toe");
        check(
            "The long and winding road to a string calculator",
            "the-long-and-winding-road-to-a-string",
        );
        check(&"a".repeat(60), &"a".repeat(40));
        check(&format!("{} b", "a".repeat(40)), &"a".repeat(40));
        check(&format!("{} b", "a".repeat(39)), &"a".repeat(39));
    }

    #[test]
    fn ka1_titles_come_from_the_text() {
        let check = |text: &str, expected: Option<(usize, &str)>| {
            let document = Document::parse(text);
            let heading = heading(&document.blocks);
            let title = of(&document, heading.as_ref());
            let shown = title.as_ref().map(|title| (title.line, title.text.as_str()));
            assert_eq!(shown, expected, "{text:?}");
        };
        check("# FizzBuzz\n# Rules", Some((1, "FizzBuzz")));
        check("intro\n\n**Fizz**\n===\n", Some((3, "Fizz")));
        check("# Requirements\n# Fizz", Some((2, "Fizz")));
        check("# Rules of Bowling", Some((1, "Rules of Bowling")));
        check("## Small\n### b", Some((1, "Small")));
        check("text\n## Small", None);
        check("## Requirements\n- a", None);
        check("---\ntitle: 'Leap years'\n---\n# Other", Some((2, "Leap years")));
        check("# \n", None);
        check("", None);
    }

    #[test]
    fn ka9_a_file_name_is_a_title_where_the_text_has_none() {
        let check = |file: &str, expected: &str| assert_eq!(of_file(file), expected, "{file:?}");
        check("string-calculator.md", "String Calculator");
        check("katas/mars_rover-python.md", "Mars Rover");
        check("a\\fizzbuzz.rs.md", "Fizzbuzz");
        check("leap years", "Leap Years");
        check(".md", "Kata");
        check("", "Kata");
        check("été.md", "Été");
    }
}
