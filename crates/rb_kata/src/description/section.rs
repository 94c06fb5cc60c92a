//! The parts of a kata: what stands below a heading, and what kind of thing that is by the words of the heading.

use super::markdown::{Block, BlockKind};
use super::marks::plain;

/// What a part is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    /// The heading does not say it.
    Neutral,
    Requirements,
    Examples,
    Constraints,
    Language,
    /// Nothing that the code has to do: hints, links, thanks.
    Background,
}

/// The words of headings, in the order in which they are looked for: "Coding rules" are no requirements.
const PHRASES: &[(Section, &[&str])] = &[
    (
        Section::Constraints,
        &[
            "constraint",
            "constraints",
            "restriction",
            "restrictions",
            "limitation",
            "limitations",
            "calisthenics",
            "coding rules",
            "code rules",
            "design rules",
            "style rules",
            "coding style",
            "code style",
        ],
    ),
    (
        Section::Background,
        &[
            "background",
            "motivation",
            "hint",
            "hints",
            "tip",
            "tips",
            "note",
            "notes",
            "references",
            "resources",
            "links",
            "credits",
            "author",
            "authors",
            "licence",
            "license",
            "further reading",
            "see also",
            "next steps",
            "out of scope",
            "getting started",
        ],
    ),
    (
        Section::Examples,
        &[
            "example",
            "examples",
            "sample",
            "samples",
            "test case",
            "test cases",
            "test data",
            "scenario",
            "scenarios",
            "expected output",
            "expected results",
        ],
    ),
    (
        Section::Requirements,
        &[
            "requirement",
            "requirements",
            "rule",
            "rules",
            "acceptance criteria",
            "acceptance criterion",
            "user story",
            "user stories",
            "story",
            "stories",
            "step",
            "steps",
            "part",
            "iteration",
            "feature",
            "features",
            "task",
            "tasks",
            "specification",
            "behavior",
            "behaviour",
            "functionality",
            "instructions",
        ],
    ),
];

/// Headings that ask for nothing but the language.
const LANGUAGE: &[&str] = &[
    "language",
    "languages",
    "programming language",
    "target language",
    "implementation language",
];

/// As deep as no heading of Markdown: a line such as `**Examples:**` that stands for a heading.
const LINE_LEVEL: usize = 7;

pub(super) struct Part<'d> {
    pub(super) section: Section,
    /// `None` before the first heading.
    pub(super) heading: Option<Heading>,
    /// Without headings.
    pub(super) blocks: Vec<&'d Block>,
}

#[derive(Debug, Clone)]
pub(super) struct Heading {
    pub(super) line: usize,
    pub(super) level: usize,
    /// Without marks.
    pub(super) text: String,
}

/// The parts in their order. A heading that does not say what it is about belongs to the section around it.
pub(super) fn parts(blocks: &[Block], title_line: Option<usize>) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut current = Part { section: Section::Neutral, heading: None, blocks: Vec::new() };
    let mut around: Vec<(usize, Section)> = Vec::new();
    for block in blocks {
        let Some(heading) = heading_of(block) else {
            current.blocks.push(block);
            continue;
        };
        around.retain(|(level, _)| *level < heading.level);
        let is_title = title_line == Some(heading.line);
        let own = if is_title { Some(Section::Neutral) } else { Section::of(&heading.text) };
        let outer = around.last().map_or(Section::Neutral, |(_, section)| *section);
        let section = own.unwrap_or(outer);
        around.push((heading.level, section));
        let next = Part { section, heading: Some(heading), blocks: Vec::new() };
        parts.push(std::mem::replace(&mut current, next));
    }
    parts.push(current);
    parts
}

impl Section {
    fn of(heading: &str) -> Option<Section> {
        let words = words(heading);
        if LANGUAGE.contains(&words.trim()) {
            return Some(Section::Language);
        }
        let is_named =
            |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(&format!(" {phrase} ")));
        PHRASES.iter().find(|(_, phrases)| is_named(phrases)).map(|(section, _)| *section)
    }

    /// Whether the heading is the name of a section and nothing else: "Rules", but not "Rules of Bowling".
    pub(super) fn is_name(heading: &str) -> bool {
        let words = words(heading);
        let name = words.trim();
        LANGUAGE.contains(&name) || PHRASES.iter().any(|(_, phrases)| phrases.contains(&name))
    }
}

/// The words in lower case, a space around each.
fn words(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}

fn heading_of(block: &Block) -> Option<Heading> {
    let line = block.line;
    match &block.kind {
        BlockKind::Heading { level, text } => {
            Some(Heading { line, level: *level, text: plain(text) })
        }
        BlockKind::Paragraph { lines } => match lines.as_slice() {
            [only] if only.ends_with(':') || only.starts_with("**") => {
                let text = plain(only).trim_end_matches(':').to_owned();
                let is_name = Section::is_name(&text);
                is_name.then_some(Heading { line, level: LINE_LEVEL, text })
            }
            _ => None,
        },
        BlockKind::Item { .. } | BlockKind::Code { .. } | BlockKind::Table { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::markdown::Document;
    use super::*;

    #[test]
    fn ka1_headings_name_sections() {
        let check =
            |heading: &str, expected| assert_eq!(Section::of(heading), expected, "{heading:?}");
        check("Requirements", Some(Section::Requirements));
        check("Functional requirements (v2)", Some(Section::Requirements));
        check("Rules", Some(Section::Requirements));
        check("Acceptance Criteria", Some(Section::Requirements));
        check("User stories", Some(Section::Requirements));
        check("Step 2: new lines", Some(Section::Requirements));
        check("Features", Some(Section::Requirements));
        check("EXAMPLES", Some(Section::Examples));
        check("Sample input", Some(Section::Examples));
        check("Test cases", Some(Section::Examples));
        check("Constraints", Some(Section::Constraints));
        check("Restrictions", Some(Section::Constraints));
        check("Object Calisthenics", Some(Section::Constraints));
        check("The rules of Object Calisthenics", Some(Section::Constraints));
        check("Coding rules", Some(Section::Constraints));
        check("Language", Some(Section::Language));
        check("Programming language:", Some(Section::Language));
        check("Hints", Some(Section::Background));
        check("Next steps", Some(Section::Background));
        check("The language of Mars", None);
        check("Partners", None);
        check("", None);
    }

    #[test]
    fn ka1_parts_belong_to_the_section_around_them() {
        let text = "intro\n# Rules of Go\n## Requirements\n### Adding\n### Example\n#### Two\n## Other\n\
                    **Constraints:**\n\n- a\n\nExamples:\n- b\n# Notes";
        let document = Document::parse(text);
        let parts = parts(&document.blocks, Some(2));
        let sections: Vec<Section> = parts.iter().map(|part| part.section).collect();
        let expected = [
            Section::Neutral,
            Section::Neutral,
            Section::Requirements,
            Section::Requirements,
            Section::Examples,
            Section::Examples,
            Section::Neutral,
            Section::Constraints,
            Section::Examples,
            Section::Background,
        ];
        assert_eq!(sections, expected);
        let lines: Vec<Option<usize>> =
            parts.iter().map(|part| part.heading.as_ref().map(|heading| heading.line)).collect();
        assert_eq!(lines[7..], [Some(8), Some(12), Some(14)]);
    }
}
