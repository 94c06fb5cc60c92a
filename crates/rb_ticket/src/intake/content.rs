//! What a ticket asks for: title, summary, requirements and criteria, from the text that is visible.

use std::collections::BTreeSet;

use super::blocks::{Block, blocks};
use super::gherkin::{Scenario, Scenarios};
use super::section::{Part, Section, parts};
use super::sentence::{is_demand, is_user_story, sentences};
use crate::ticket::{Criterion, Origin};

#[derive(Debug, Default)]
pub(super) struct Content {
    /// Unless it was given.
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) requirements: Vec<String>,
    pub(super) criteria: Vec<Criterion>,
}

/// `text` is what a reader sees. Without a `title`, its first heading or line is one.
pub(super) fn read(text: &str, title: Option<&str>) -> Content {
    let mut blocks = blocks(text);
    let title = match title {
        Some(title) => title.to_owned(),
        None => take_title(&mut blocks),
    };
    let parts = parts(blocks);
    let scenarios = scenarios(&parts);
    let statements = Statements::of(&parts, &scenarios);
    let requirements = statements.requirements();
    let criteria = statements.criteria(&scenarios, &requirements);
    Content { title, summary: statements.summary(), requirements, criteria }
}

fn take_title(blocks: &mut Vec<Block>) -> String {
    let named = |block: &Block| match block {
        Block::Heading { level, text } => Section::named(text).is_none().then_some(*level),
        Block::Item(_) | Block::Paragraph(_) | Block::Code(_) => None,
    };
    let first = blocks.first().and_then(named).map(|_| 0);
    if let Some(at) = first.or_else(|| blocks.iter().position(|block| named(block) == Some(1)))
        && let Block::Heading { text, .. } = blocks.remove(at)
    {
        return without_label(&text);
    }
    let is_first = matches!(blocks.first(), Some(Block::Paragraph(_)));
    let lines = blocks.iter_mut().find_map(|block| match block {
        Block::Paragraph(lines) | Block::Item(lines) => Some(lines),
        Block::Heading { .. } | Block::Code(_) => None,
    });
    match lines {
        // The first line of a text; the rest of the paragraph stays.
        Some(lines) if is_first && lines.len() > 1 => without_label(&lines.remove(0)),
        Some(lines) => lines.first().map(|line| without_label(line)).unwrap_or_default(),
        None => String::new(),
    }
}

fn without_label(title: &str) -> String {
    match title.split_once(':') {
        Some((label, rest)) if label.eq_ignore_ascii_case("title") => rest.trim().to_owned(),
        _ => title.to_owned(),
    }
}

/// All lines that may belong to scenarios, numbered through the whole text.
fn scenarios(parts: &[Part]) -> Vec<Scenario> {
    let mut reader = Scenarios::default();
    let mut number = 0;
    let mut section = None;
    for part in parts {
        let is_code = matches!(part.block, Block::Code(_));
        if section.replace(part.section) != Some(part.section) || is_code {
            reader.close();
        }
        for line in lines(&part.block) {
            reader.line(number, line);
            number += 1;
        }
        if is_code {
            reader.close();
        }
    }
    reader.finish()
}

fn lines(block: &Block) -> &[String] {
    match block {
        Block::Item(lines) | Block::Paragraph(lines) | Block::Code(lines) => lines,
        Block::Heading { .. } => &[],
    }
}

/// A list item or a paragraph without the lines of scenarios.
struct Statement {
    section: Section,
    is_item: bool,
    text: String,
    /// The number of its first line.
    number: usize,
}

struct Statements(Vec<Statement>);

impl Statements {
    fn of(parts: &[Part], scenarios: &[Scenario]) -> Statements {
        let taken: BTreeSet<usize> =
            scenarios.iter().flat_map(|scenario| scenario.lines.iter().copied()).collect();
        let mut out = Vec::new();
        let mut number = 0;
        for part in parts {
            let first = number;
            let mut text = Vec::new();
            for line in lines(&part.block) {
                if !taken.contains(&number) {
                    text.push(line.as_str());
                }
                number += 1;
            }
            let is_code = matches!(part.block, Block::Code(_));
            let text = text.join(" ").trim().to_owned();
            if !is_code && !text.is_empty() {
                let is_item = matches!(part.block, Block::Item(_));
                out.push(Statement { section: part.section, is_item, text, number: first });
            }
        }
        Statements(out)
    }

    fn summary(&self) -> String {
        let paragraph = |wanted: &[Section]| {
            let mut all = self.0.iter();
            all.find(|statement| !statement.is_item && wanted.contains(&statement.section))
        };
        paragraph(&[Section::Summary])
            .or_else(|| paragraph(&[Section::Other]))
            .or_else(|| paragraph(&[Section::Actual, Section::Requirements]))
            .map(|statement| statement.text.clone())
            .unwrap_or_default()
    }

    fn requirements(&self) -> Vec<String> {
        let in_section: Vec<String> =
            self.listed(Section::Requirements).into_iter().map(|(_, text)| text).collect();
        if !in_section.is_empty() {
            return in_section;
        }
        let mut out: Vec<String> = self
            .0
            .iter()
            .filter(|statement| statement.is_item && statement.section == Section::Summary)
            .map(|statement| statement.text.clone())
            .collect();
        if out.is_empty() {
            let all = self.0.iter().flat_map(|statement| sentences(&statement.text));
            out.extend(all.filter(|text| is_user_story(text)).map(str::to_owned));
        }
        out
    }

    /// The items of a section, or the sentences of one without a list, with their places.
    fn listed(&self, section: Section) -> Vec<(usize, String)> {
        let all = || self.0.iter().filter(|statement| statement.section == section);
        let items: Vec<_> = all()
            .filter(|statement| statement.is_item)
            .map(|statement| (statement.number, statement.text.clone()))
            .collect();
        if !items.is_empty() {
            return items;
        }
        all()
            .flat_map(|statement| {
                sentences(&statement.text).map(|text| (statement.number, text.to_owned()))
            })
            .collect()
    }

    /// The author's own criteria, or else what can be derived from the rest.
    fn criteria(&self, scenarios: &[Scenario], requirements: &[String]) -> Vec<Criterion> {
        let mut out: Vec<(usize, Criterion)> = scenarios.iter().map(of_scenario).collect();
        let has_lists = |statement: &Statement| statement.is_item || scenarios.is_empty();
        if self.0.iter().any(|it| it.section == Section::Criteria && has_lists(it)) {
            let listed = self.listed(Section::Criteria).into_iter();
            out.extend(listed.map(|(number, text)| (number, statement(text, Origin::Section))));
        }
        out.sort_by_key(|(number, _)| *number);
        let mut out: Vec<Criterion> = out.into_iter().map(|(_, criterion)| criterion).collect();
        if out.is_empty() {
            out = self.derived(requirements);
        }
        number(&mut out);
        out
    }

    fn derived(&self, requirements: &[String]) -> Vec<Criterion> {
        let expected = self.listed(Section::Expected).into_iter();
        let mut out: Vec<Criterion> =
            expected.map(|(_, text)| statement(text, Origin::Expected)).collect();
        out.extend(requirements.iter().map(|text| statement(text.clone(), Origin::Requirement)));
        let demands = self
            .0
            .iter()
            .filter(|it| matches!(it.section, Section::Summary | Section::Other | Section::Actual))
            .flat_map(|it| sentences(&it.text))
            .filter(|text| is_demand(text));
        out.extend(demands.map(|text| statement(text.to_owned(), Origin::Sentence)));
        out
    }
}

fn statement(text: String, from: Origin) -> Criterion {
    let id = String::new();
    Criterion { id, text, given: Vec::new(), when: Vec::new(), then: Vec::new(), from }
}

fn of_scenario(scenario: &Scenario) -> (usize, Criterion) {
    let Scenario { lines, name, given, when, then } = scenario.clone();
    let text = if name.is_empty() { then.join("; ") } else { name };
    let first = lines.into_iter().min().unwrap_or(0);
    (first, Criterion { given, when, then, ..statement(text, Origin::Gherkin) })
}

/// Without those that say the same again.
pub(super) fn number(criteria: &mut Vec<Criterion>) {
    let mut seen = BTreeSet::new();
    criteria.retain(|c| seen.insert((c.text.to_lowercase(), c.given.clone(), c.when.clone())));
    for (at, criterion) in criteria.iter_mut().enumerate() {
        criterion.id = format!("C{}", at + 1);
    }
}
