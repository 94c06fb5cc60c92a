//! What the parts of a ticket are called, and which block belongs to which.

use super::blocks::{Block, LABEL_LEVEL};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    /// Before the first heading, or what tells the story.
    Summary,
    Requirements,
    Criteria,
    Steps,
    Expected,
    Actual,
    Hints,
    Screenshots,
    /// Of a name that is not listed here.
    Other,
}

const NAMES: [(Section, &[&str]); 8] = [
    (
        Section::Summary,
        &[
            "summary",
            "description",
            "background",
            "context",
            "overview",
            "problem",
            "user story",
            "story",
        ],
    ),
    (
        Section::Requirements,
        &[
            "requirements",
            "requirement",
            "tasks",
            "to do",
            "todo",
            "scope",
            "goals",
            "what to do",
            "changes",
        ],
    ),
    (
        Section::Criteria,
        &[
            "acceptance criteria",
            "acceptance criterion",
            "acceptance",
            "acceptance tests",
            "ac",
            "acs",
            "a/c",
            "criteria",
            "success criteria",
            "definition of done",
            "dod",
            "done when",
            "scenarios",
        ],
    ),
    (
        Section::Steps,
        &[
            "steps to reproduce",
            "steps",
            "reproduction",
            "reproduction steps",
            "how to reproduce",
            "to reproduce",
            "repro",
        ],
    ),
    (
        Section::Expected,
        &[
            "expected",
            "expected behavior",
            "expected behaviour",
            "expected result",
            "expected results",
            "expected outcome",
            "what you expected to happen",
            "what did you expect to happen",
        ],
    ),
    (
        Section::Actual,
        &[
            "actual",
            "actual behavior",
            "actual behaviour",
            "actual result",
            "actual results",
            "current behavior",
            "current behaviour",
            "what happened",
            "what actually happened",
        ],
    ),
    (
        Section::Hints,
        &[
            "hints",
            "hint",
            "files",
            "affected files",
            "relevant files",
            "affected areas",
            "affected area",
            "technical notes",
            "implementation notes",
            "notes",
            "environment",
            "out of scope",
        ],
    ),
    (
        Section::Screenshots,
        &[
            "screenshots",
            "screenshot",
            "attachments",
            "mockups",
            "mockup",
            "designs",
            "design",
            "images",
        ],
    ),
];

impl Section {
    /// By its name in any case, with or without marks around it.
    pub(super) fn named(name: &str) -> Option<Section> {
        let name = name.to_lowercase();
        let name = name.trim_matches(|c: char| !c.is_alphanumeric());
        // "Acceptance Criteria (AC)"
        let name = name.split(" (").next().unwrap_or(name).trim_end();
        NAMES.iter().find(|(_, names)| names.contains(&name)).map(|(section, _)| *section)
    }
}

/// A block and the section that it is in. Headings of sections are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) section: Section,
    pub(super) block: Block,
}

pub(super) fn parts(blocks: Vec<Block>) -> Vec<Part> {
    let mut out = Vec::new();
    let (mut section, mut level) = (Section::Summary, 0);
    for block in blocks {
        match block {
            Block::Heading { level: found, text } => match Section::named(&text) {
                Some(named) => (section, level) = (named, found),
                // "### On phones" below "## Acceptance criteria".
                None if found > level && section != Section::Summary => {}
                None if found == LABEL_LEVEL => {}
                None => (section, level) = (Section::Other, found),
            },
            Block::Paragraph(lines) => labelled(lines, &mut section, &mut level, &mut out),
            Block::Item(mut lines) => {
                let label = lines.first().and_then(|line| label(line));
                match label.map(|(named, text)| (named, text.to_owned())) {
                    Some((named, text)) if !text.is_empty() => {
                        lines[0] = text;
                        out.push(Part { section: named, block: Block::Item(lines) });
                    }
                    _ => out.push(Part { section, block: Block::Item(lines) }),
                }
            }
            Block::Code(_) => out.push(Part { section, block }),
        }
    }
    out
}

/// Lines such as "Expected: the total is shown" begin a section of their own.
fn labelled(lines: Vec<String>, section: &mut Section, level: &mut usize, out: &mut Vec<Part>) {
    let mut text: Vec<String> = Vec::new();
    for line in lines {
        let Some((named, rest)) = label(&line) else {
            text.push(line);
            continue;
        };
        if !text.is_empty() {
            let block = Block::Paragraph(std::mem::take(&mut text));
            out.push(Part { section: *section, block });
        }
        (*section, *level) = (named, LABEL_LEVEL - 1);
        if !rest.is_empty() {
            text.push(rest.to_owned());
        }
    }
    if !text.is_empty() {
        out.push(Part { section: *section, block: Block::Paragraph(text) });
    }
}

fn label(line: &str) -> Option<(Section, &str)> {
    let (name, text) = line.split_once(':')?;
    (name.len() <= 40).then(|| Section::named(name)).flatten().map(|named| (named, text.trim()))
}
