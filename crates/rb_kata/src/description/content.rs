//! Requirements, examples and constraints, from the parts of a kata.
//!
//! Headings decide. Without a heading for requirements, list items count, then sentences with "must", then the whole text.

mod rules;

use super::example::{has_result, is_example, row};
use super::language::stated;
use super::markdown::{Block, BlockKind};
use super::marks::plain;
use super::section::{Part, Section};
use super::sentence::{is_obligation, sentences};
use crate::constraint::Constraint;
use rules::Rules;

/// The longest item whose words are repeated before the items below it.
const LONGEST_LEAD: usize = 200;
/// How much of a text counts as its only requirement, in characters.
const LONGEST_PROSE: usize = 2_000;

pub(super) struct Content {
    pub(super) requirements: Vec<String>,
    pub(super) source: Source,
    pub(super) examples: Vec<String>,
    pub(super) constraints: Vec<Constraint>,
}

/// Where the requirements were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// Below a heading, in a list, or in sentences that ask for something.
    Statements,
    /// Nothing of that: the text as a whole.
    WholeText,
    Nowhere,
}

impl Content {
    pub(super) fn of(parts: &[Part<'_>]) -> Content {
        let mut collection = Collection::default();
        for (index, part) in parts.iter().enumerate() {
            collection.heading(part, parts.get(index + 1));
            collection.part(part);
        }
        collection.into_content()
    }
}

#[derive(Default)]
struct Collection {
    /// Below a heading for requirements.
    requirements: Vec<String>,
    /// List items elsewhere.
    items: Vec<String>,
    /// Sentences elsewhere that ask for something.
    obligations: Vec<String>,
    /// All paragraphs and items that are neither examples nor constraints.
    prose: Vec<String>,
    examples: Vec<String>,
    rules: Rules,
}

impl Collection {
    fn into_content(self) -> Content {
        let mut lists = [self.requirements, self.items, self.obligations].into_iter();
        let (requirements, source) = match lists.find(|list| !list.is_empty()) {
            Some(requirements) => (requirements, Source::Statements),
            None if self.prose.is_empty() => (Vec::new(), Source::Nowhere),
            None => (vec![head(&self.prose)], Source::WholeText),
        };
        let constraints = self.rules.into_constraints();
        Content { requirements, source, examples: self.examples, constraints }
    }

    /// A heading may state a constraint itself, and one below the requirements with nothing after it is a requirement:
    /// "Step 3: negative numbers are refused".
    fn heading(&mut self, part: &Part<'_>, next: Option<&Part<'_>>) {
        let Some(heading) = &part.heading else { return };
        if self.rules.take(&heading.text) {
            return;
        }
        let is_parent = next
            .and_then(|next| next.heading.as_ref())
            .is_some_and(|inner| inner.level > heading.level);
        let is_alone = part.blocks.is_empty() && !is_parent && !Section::is_name(&heading.text);
        if part.section == Section::Requirements && is_alone {
            self.requirements.push(heading.text.clone());
        }
    }

    fn part(&mut self, part: &Part<'_>) {
        let has_list = part.blocks.iter().any(|block| is_list(part.section, block));
        // Depth and text of an item such as "A cell dies if:", which the items below it complete.
        let mut lead: Option<(usize, String)> = None;
        for (index, block) in part.blocks.iter().enumerate() {
            match &block.kind {
                BlockKind::Item { depth, text } => {
                    let text = plain(text);
                    lead = lead.filter(|(outer, _)| depth > outer);
                    let next = part.blocks.get(index + 1).map(|block| &block.kind);
                    if is_lead(*depth, &text, next) {
                        self.rules.take(&text);
                        lead = Some((*depth, text));
                    } else {
                        self.item(part.section, lead.as_ref().map(|(_, text)| text.as_str()), text);
                    }
                }
                BlockKind::Paragraph { lines } => self.paragraph(part.section, lines, has_list),
                BlockKind::Code { text, .. } => self.code(part.section, text),
                BlockKind::Table { header, rows } => self.table(part.section, header, rows),
                // A heading begins a part of its own.
                BlockKind::Heading { .. } => {}
            }
        }
    }

    fn item(&mut self, section: Section, lead: Option<&str>, text: String) {
        if text.is_empty() || stated(&text).is_some() {
            return;
        }
        let is_constraint = match section {
            Section::Constraints => self.rules.take_or_judge(&text),
            Section::Neutral | Section::Requirements | Section::Background => {
                self.rules.take(&text)
            }
            Section::Examples | Section::Language => false,
        };
        if is_constraint {
            return;
        }
        let is_example = is_example(&text);
        let text = match lead {
            Some(lead) => format!("{lead} {text}"),
            None => text,
        };
        match section {
            Section::Examples => self.examples.push(text),
            Section::Neutral | Section::Requirements if is_example => self.examples.push(text),
            Section::Requirements => self.requirements.push(text),
            Section::Neutral => {
                self.prose.push(text.clone());
                self.items.push(text);
            }
            Section::Background => self.prose.push(text),
            Section::Constraints | Section::Language => {}
        }
    }

    /// `has_list`: the part states its things in a list, so that a paragraph is likely to introduce it.
    fn paragraph(&mut self, section: Section, lines: &[String], has_list: bool) {
        let lines = lines.iter().map(|line| plain(line)).filter(|line| stated(line).is_none());
        let may_be_example = match section {
            Section::Neutral | Section::Requirements | Section::Examples => true,
            Section::Constraints | Section::Background | Section::Language => false,
        };
        let (examples, others): (Vec<String>, Vec<String>) =
            lines.partition(|line| may_be_example && is_example(line));
        let has_examples = !examples.is_empty();
        self.examples.extend(examples);
        let text = others.join(" ");
        match section {
            Section::Examples => {
                if !text.is_empty() && !text.ends_with(':') && !has_list && !has_examples {
                    self.examples.push(text);
                }
            }
            Section::Constraints => self.constraints(&text, has_list),
            Section::Neutral | Section::Requirements | Section::Background => {
                self.prose(section, &text, has_list);
            }
            Section::Language => {}
        }
    }

    fn constraints(&mut self, text: &str, has_list: bool) {
        for sentence in sentences(text) {
            if has_list || sentence.ends_with(':') {
                self.rules.take(sentence);
            } else {
                self.rules.take_or_judge(sentence);
            }
        }
    }

    fn prose(&mut self, section: Section, text: &str, has_list: bool) {
        let mut kept = sentences(text);
        kept.retain(|sentence| !self.rules.take(sentence));
        if kept.is_empty() {
            return;
        }
        self.prose.push(kept.join(" "));
        kept.retain(|sentence| !sentence.ends_with(':'));
        match section {
            Section::Requirements if !has_list => {
                self.requirements.extend((!kept.is_empty()).then(|| kept.join(" ")));
            }
            Section::Requirements => {
                let obligations = kept.into_iter().filter(|sentence| is_obligation(sentence));
                self.requirements.extend(obligations.map(str::to_owned));
            }
            Section::Neutral => {
                let results = kept.iter().filter(|sentence| has_result(sentence));
                self.examples.extend(results.map(|sentence| (*sentence).to_owned()));
                let obligations = kept.into_iter().filter(|sentence| is_obligation(sentence));
                self.obligations.extend(obligations.map(str::to_owned));
            }
            Section::Examples | Section::Constraints | Section::Language | Section::Background => {}
        }
    }

    fn code(&mut self, section: Section, text: &str) {
        match section {
            Section::Neutral | Section::Requirements | Section::Examples => {
                self.examples.extend((!text.trim().is_empty()).then(|| text.to_owned()));
            }
            Section::Constraints | Section::Background | Section::Language => {}
        }
    }

    fn table(&mut self, section: Section, header: &[String], rows: &[Vec<String>]) {
        let rows = rows.iter().map(|cells| row(header, cells)).filter(|row| !row.is_empty());
        match section {
            Section::Neutral | Section::Requirements | Section::Examples => {
                self.examples.extend(rows);
            }
            Section::Constraints => {
                for row in rows {
                    self.rules.take_or_judge(&row);
                }
            }
            Section::Background | Section::Language => {}
        }
    }
}

/// Examples are listed in tables and code, too.
fn is_list(section: Section, block: &Block) -> bool {
    match block.kind {
        BlockKind::Item { .. } => true,
        BlockKind::Code { .. } | BlockKind::Table { .. } => section == Section::Examples,
        BlockKind::Paragraph { .. } | BlockKind::Heading { .. } => false,
    }
}

/// Whether an item only introduces the items below it.
fn is_lead(depth: usize, text: &str, next: Option<&BlockKind>) -> bool {
    let is_introduction = text.ends_with(':') && text.len() <= LONGEST_LEAD;
    let has_items = match next {
        Some(BlockKind::Item { depth: inner, .. }) => *inner > depth,
        Some(
            BlockKind::Heading { .. }
            | BlockKind::Paragraph { .. }
            | BlockKind::Code { .. }
            | BlockKind::Table { .. },
        )
        | None => false,
    };
    is_introduction && has_items
}

fn head(prose: &[String]) -> String {
    let text = prose.join(" ");
    let head: String = text.chars().take(LONGEST_PROSE).collect();
    if head.len() < text.len() { format!("{}…", head.trim_end()) } else { head }
}

#[cfg(test)]
mod tests;
