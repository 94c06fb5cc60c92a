//! The prompts of a pack: the batch, what went before, the files, all within the budgets.
//!
//! The budgets hold whatever is asked: what does not fit any more is left out here as well, the files from the last on. A pack that
//! `build` made for what is asked fits as a whole.

use rb_core::plural;
use rb_models::Family;
use rb_trust::{Fence, FenceError, Source};
use serde::{Deserialize, Serialize};

use crate::assignment::{Assignment, LONGEST_ITEM, items};
use crate::block::{READING, REVIEWING, block};
use crate::budget::{Budgets, Room, tokens};
use crate::pack::{Omitted, Pack, RuleText};
use crate::text::inline;
use crate::writer::{Writer, measuring};

/// Characters for the list of what is not shown, at most.
const LONGEST_LEFT_OUT: usize = 3_000;
/// Characters of one of its lines.
const LONGEST_REASON: usize = 1_100;

/// The form in which a patcher is asked for its patch. It may answer in the other one all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerForm {
    /// One unified diff. Packs are measured with it, as its request is the longer one.
    #[default]
    Diff,
    /// Search/replace edits, and new files whole.
    Edits,
}

impl AnswerForm {
    fn request(self) -> &'static str {
        match self {
            AnswerForm::Diff => ", as one unified diff in \"patch_unified_diff\"",
            AnswerForm::Edits => ", as \"edits\" and \"new_files\"",
        }
    }
}

/// A prompt before it is known what fits.
pub(crate) struct Layout {
    begin: String,
    /// In the order of the prompt.
    sections: Vec<Section>,
    reading: &'static str,
    blocks: Vec<String>,
    /// Where the repository has the names of the goal.
    named: Vec<String>,
    left_out: Vec<String>,
    end: String,
}

struct Section {
    /// What is smaller gets its room first.
    turn: u8,
    text: String,
}

/// What became of a layout.
pub(crate) struct Composed {
    pub(crate) text: String,
    pub(crate) tokens: u64,
    /// For each block whether it is in.
    pub(crate) kept: Vec<bool>,
    /// What is left beside the files, as if there were none.
    pub(crate) for_files: Room,
}

impl Pack {
    /// The request to the patcher. Another fence must be drawn where this one does not hold.
    pub fn prompt(
        &self,
        assignment: &Assignment<'_>,
        form: AnswerForm,
        fence: &Fence,
    ) -> Result<String, FenceError> {
        let end = patcher_end(assignment, form);
        let layout = Layout { end, ..self.layout(assignment, fence)? };
        Ok(layout.compose(&self.budgets, assignment.family, fence).text)
    }

    /// The request to a coding agent, which edits the files itself.
    pub fn agent_prompt(
        &self,
        assignment: &Assignment<'_>,
        fence: &Fence,
    ) -> Result<String, FenceError> {
        let sections = self.sections(assignment, AGENT_FAILED, fence)?;
        let end =
            format!("\nDo {} alone. Edit the files; only the files count.\n", assignment.task.id);
        let layout =
            Layout { sections, reading: REVIEWING, end, ..self.layout(assignment, fence)? };
        Ok(layout.compose(&self.budgets, assignment.family, fence).text)
    }

    /// The request to the critic of a patch. Files that the patch names come first. The patch is cut where a pack that was built with
    /// `Budgets::beside_review` leaves no room for all of it.
    pub fn critic_prompt(
        &self,
        assignment: &Assignment<'_>,
        fence: &Fence,
        patch: &str,
        rationale: &str,
    ) -> Result<String, FenceError> {
        let begin = begin(assignment, fence)?;
        let end = end_of(assignment, "Judge the patch", "");
        let mut room = Room::new(&self.budgets, assignment.family);
        for text in [&begin, REVIEWING, &end] {
            room.take(room.cost(text, fence));
        }
        let mut sections: Vec<Section> =
            notes(assignment, self.budgets.chars / FOR_NOTES, fence)?.into_iter().collect();
        for section in &sections {
            room.take(room.cost(&section.text, fence));
        }
        let (named, others): (Vec<_>, Vec<_>) =
            self.files.iter().partition(|file| patch.contains(&file.path));
        let files = named.into_iter().chain(others);
        let blocks: Vec<String> = files.map(|file| block(file, fence)).collect::<Result<_, _>>()?;
        let mut after = rules(&self.rules, fence)?;
        after.extend(self.styles(fence)?);
        let texts = after.iter().map(|section| &section.text).chain(&blocks);
        sections.push(reviewed(&left_by(texts, &room, fence), fence, patch, rationale)?);
        sections.append(&mut after);
        let left_out = left_out(&self.omitted, fence)?;
        let named = name_lines(&self.names, fence)?;
        let layout = Layout { begin, sections, reading: REVIEWING, blocks, named, left_out, end };
        Ok(layout.compose(&self.budgets, assignment.family, fence).text)
    }

    pub(crate) fn layout(
        &self,
        assignment: &Assignment<'_>,
        fence: &Fence,
    ) -> Result<Layout, FenceError> {
        let blocks = self.files.iter().map(|file| block(file, fence)).collect::<Result<_, _>>()?;
        Ok(Layout {
            begin: begin(assignment, fence)?,
            sections: self.sections(assignment, FAILED, fence)?,
            reading: READING,
            blocks,
            named: name_lines(&self.names, fence)?,
            left_out: left_out(&self.omitted, fence)?,
            end: patcher_end(assignment, AnswerForm::default()),
        })
    }

    /// `failed` introduces what went wrong before.
    fn sections(
        &self,
        assignment: &Assignment<'_>,
        failed: &str,
        fence: &Fence,
    ) -> Result<Vec<Section>, FenceError> {
        let most = self.budgets.chars / 20;
        let mut sections = Vec::new();
        let mut add = |turn, title: &str, parts: &[(Source, String, String)]| {
            if parts.iter().all(|(_, _, text)| text.is_empty()) {
                return Ok(());
            }
            let mut writer = Writer::new(fence);
            writer.say(title)?;
            for (source, name, text) in parts {
                writer.data(*source, name, text)?;
            }
            sections.push(Section { turn, text: writer.finish() });
            Ok(())
        };
        let one = |source, name: &str, text| [(source, name.to_owned(), text)];
        let commands = one(Source::File, "commands", assignment.commands(most));
        add(2, "\n## Commands that verify the change\n", &commands)?;
        let errors = self.errors.iter().enumerate();
        let tries = errors
            .map(|(nth, text)| (Source::ToolOutput, format!("failure {}", nth + 1), text.clone()));
        add(1, failed, &tries.collect::<Vec<_>>())?;
        let patch = one(Source::ToolOutput, "patch", self.tried.clone().unwrap_or_default());
        add(1, TRIED, &patch)?;
        let ledger: Vec<&str> = self.ledger.iter().map(|line| line.text.as_str()).collect();
        let ledger = one(Source::ToolOutput, "ledger", ledger.join("\n"));
        add(6, "\n## Earlier batches of this run, newest last\n", &ledger)?;
        let at = usize::from(sections.first().is_some_and(|section| section.turn == 2));
        sections.splice(at..at, self.styles(fence)?);
        sections.splice(0..0, notes(assignment, self.budgets.chars / FOR_NOTES, fence)?);
        let at = sections.iter().position(|section| section.turn == 6).unwrap_or(sections.len());
        sections.splice(at..at, rules(&self.rules, fence)?);
        Ok(sections)
    }

    fn styles(&self, fence: &Fence) -> Result<Option<Section>, FenceError> {
        if self.conventions.is_empty() {
            return Ok(None);
        }
        let mut writer = Writer::new(fence);
        writer.say("\n## Code style of the project\nMeasured in its files. Match the lines around your change.\n")?;
        let text = items(&self.conventions, LONGEST_ITEM, self.budgets.chars / 20);
        writer.data(Source::ToolOutput, "conventions", &text)?;
        Ok(Some(Section { turn: 5, text: writer.finish() }))
    }
}

fn notes(
    assignment: &Assignment<'_>,
    most: usize,
    fence: &Fence,
) -> Result<Option<Section>, FenceError> {
    let notes = assignment.notes(most);
    if notes.is_empty() {
        return Ok(None);
    }
    let mut writer = Writer::new(fence);
    writer.say(&format!("\n## Notes\n{notes}"))?;
    Ok(Some(Section { turn: 0, text: writer.finish() }))
}

const FAILED: &str = "\n## What went wrong before\nEarlier attempts at this batch failed, newest last. Do not repeat them. If there is no \
                      other way, answer \"noop\" or \"blocked\".\n";

const AGENT_FAILED: &str = "\n## What went wrong before\nEarlier attempts at this batch failed, newest last. Do not repeat them. If there \
                            is no other way, change nothing and say why.\n";

/// Notes take one of so many parts of the characters.
const FOR_NOTES: usize = 16;

const TRIED: &str =
    "\n## The patch of the last attempt\nIt was discarded: the files below do not contain it.\n";

impl Budgets {
    /// For the pack of a critic: what the patch and its author's reasons leave of these budgets.
    #[must_use]
    pub fn beside_review(self, patch: &str, rationale: &str, family: Family) -> Budgets {
        let text = format!("{patch}{rationale}");
        let fence = measuring(&text);
        let chars = (text.chars().count() + 2 * FRAMES).min(self.chars / 100 * MOST_REVIEWED);
        let bytes = (text.len() + 2 * FRAMES).min(self.bytes / 100 * MOST_REVIEWED);
        let count = tokens(&text, family, fence.mark()) + FRAMES as u64;
        let most_tokens = self.tokens.map_or(u64::MAX, |all| all / 100 * MOST_REVIEWED as u64);
        let count = count.min(most_tokens);
        Budgets {
            chars: self.chars.saturating_sub(chars).max(Budgets::LEAST_CHARS.min(self.chars)),
            most_chars: self.most_chars.saturating_sub(chars),
            bytes: self.bytes - bytes,
            tokens: self.tokens.map(|all| all - count),
            most_tokens: self.most_tokens.saturating_sub(count),
            ..self
        }
    }
}

/// Hundredths of the budgets that a review takes from the pack, at most.
const MOST_REVIEWED: usize = 60;
/// Hundredths of the room that it has, at least, whatever the pack holds.
const LEAST_REVIEWED: usize = 20;

/// What texts leave of a room, as far as they fit into their share of it.
fn left_by<'t>(texts: impl Iterator<Item = &'t String>, room: &Room, fence: &Fence) -> Room {
    let share = room.share(100 - LEAST_REVIEWED);
    let mut free = share;
    for text in texts {
        free.take(free.cost(text, fence));
    }
    room.without(&share.without(&free))
}

/// The patch and the reasons of its author, as much of them as fits: one that is shown in part is better than none.
fn reviewed(
    room: &Room,
    fence: &Fence,
    patch: &str,
    rationale: &str,
) -> Result<Section, FenceError> {
    let mut most = room.chars.saturating_sub(FRAMES);
    loop {
        let for_reasons = most.saturating_sub(patch.chars().count()).max(most / 10);
        let reasons = by_lines(rationale, for_reasons);
        let for_patch = most.saturating_sub(reasons.chars().count());
        let mut writer = Writer::new(fence);
        writer.say("\n## The patch\nIt applies. The files below do not contain it.\n")?;
        writer.data(Source::ToolOutput, "patch", &by_lines(patch, for_patch))?;
        writer.say("\n## Its author's reasons\n")?;
        writer.data(Source::ToolOutput, "rationale", &reasons)?;
        let section = Section { turn: 0, text: writer.finish() };
        if most == 0 || room.holds(room.cost(&section.text, fence)) {
            return Ok(section);
        }
        most /= 2;
    }
}

/// The patch and the reasons of its author have headings and marks of their own.
const FRAMES: usize = 500;

fn begin(assignment: &Assignment<'_>, fence: &Fence) -> Result<String, FenceError> {
    let mut writer = Writer::new(fence);
    writer.say(&format!("# {}\n", assignment.task.id))?;
    writer.name_fence();
    writer.say(&format!("\n{}", assignment.batch()))?;
    Ok(writer.finish())
}

fn patcher_end(assignment: &Assignment<'_>, form: AnswerForm) -> String {
    end_of(assignment, "Answer with the patch", form.request())
}

fn end_of(assignment: &Assignment<'_>, what: &str, form: &str) -> String {
    let task = assignment.task.id;
    format!("\n{what} for {task} alone{form}: one JSON value by the schema, nothing else.\n")
}

/// A section each, so that those that fit are in.
fn rules(rules: &[RuleText], fence: &Fence) -> Result<Vec<Section>, FenceError> {
    let mut sections = Vec::new();
    for (nth, rule) in rules.iter().enumerate() {
        let mut writer = Writer::new(fence);
        if nth == 0 {
            writer.say(RULES)?;
        }
        writer.data(Source::ToolOutput, &format!("rule {}", rule.id), &rule_text(rule))?;
        sections.push(Section { turn: if nth == 0 { 3 } else { 4 }, text: writer.finish() });
    }
    Ok(sections)
}

const RULES: &str = "\n## Rules\nIf the goal asks for it, replace the wrong form with the right one. Never introduce the wrong form.\n";

fn rule_text(rule: &RuleText) -> String {
    let RuleText { id, title, wrong, right } = rule;
    let (wrong, right) = (wrong.trim_end(), right.trim_end());
    format!("{}: {}\nWrong:\n{wrong}\nRight:\n{right}\n", inline(id, 100), inline(title, 200))
}

fn name_lines(names: &[String], fence: &Fence) -> Result<Vec<String>, FenceError> {
    let line = |name: &String| {
        let mut writer = Writer::new(fence);
        writer.say(&format!("- {name}\n"))?;
        Ok(writer.finish())
    };
    names.iter().map(line).collect()
}

/// Lines about files that are not shown, as many as may be listed.
fn left_out(omitted: &[Omitted], fence: &Fence) -> Result<Vec<String>, FenceError> {
    let mut lines = Vec::new();
    let mut left = LONGEST_LEFT_OUT;
    for Omitted { path, reason } in omitted {
        let mut writer = Writer::new(fence);
        writer.say(&format!("- {}: {}\n", inline(path, 200), inline(reason, LONGEST_REASON)))?;
        let line = writer.finish();
        let Some(rest) = left.checked_sub(line.chars().count()) else { break };
        left = rest;
        lines.push(line);
    }
    if lines.len() < omitted.len() {
        lines.push(format!("- and {}\n", plural(omitted.len() - lines.len(), "other")));
    }
    Ok(lines)
}

/// The first lines of a text that have so many characters together, with a word on what is missing.
pub(crate) fn by_lines(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut left = most.saturating_sub(40);
    let fits = |line: &&str| match left.checked_sub(line.chars().count()) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    let lines: Vec<&str> = text.split_inclusive('\n').take_while(fits).collect();
    let gone = text.split_inclusive('\n').count() - lines.len();
    format!("{}… {gone} more lines are not shown\n", lines.concat())
}

const NAMED: &str = "\n## Names of the goal, in all files of the repository\n";

/// The lines that there is room for, below a title; nothing without one.
fn list<'l>(
    room: &mut Room,
    title: &str,
    lines: impl Iterator<Item = &'l String>,
    fence: &Fence,
) -> String {
    let title_cost = room.cost(title, fence);
    if !room.take(title_cost) {
        return String::new();
    }
    let fits = |line: &&String| room.take(room.cost(line, fence));
    let out: String = lines.filter(fits).map(String::as_str).collect();
    if out.is_empty() {
        room.give_back(title_cost);
        return out;
    }
    format!("{title}{out}")
}

impl Layout {
    /// Puts together what fits. The batch itself is always in.
    pub(crate) fn compose(&self, budgets: &Budgets, family: Family, fence: &Fence) -> Composed {
        let mut room = Room::new(budgets, family);
        let must = [&self.begin, self.reading, &self.end].map(|text| room.cost(text, fence));
        for cost in must {
            room.take(cost);
        }
        let mut said = vec![false; self.sections.len()];
        let mut turns: Vec<usize> = (0..said.len()).collect();
        turns.sort_by_key(|&at| self.sections[at].turn);
        for at in turns {
            said[at] = room.take(room.cost(&self.sections[at].text, fence));
        }
        let for_files = room;
        let mut kept: Vec<bool> =
            self.blocks.iter().map(|block| room.take(room.cost(block, fence))).collect();
        let missing = kept.iter().filter(|kept| !**kept).count();
        let mut listed = self.left_out.len();
        let mut left_out = self.left_out(room, missing, listed, fence);
        // Tokens of pieces are not quite those of the whole.
        loop {
            let text = self.joined(&said, &kept, &left_out);
            let tokens = tokens(&text, family, fence.mark());
            let fits = budgets.tokens.is_none_or(|most| tokens <= most);
            let last = kept.iter().rposition(|kept| *kept);
            let section = said.iter().rposition(|said| *said);
            if !fits && !left_out.is_empty() {
                listed /= 2;
                left_out = match listed {
                    0 => String::new(),
                    some => self.left_out(room, missing, some, fence),
                };
                continue;
            }
            match (fits, last, section) {
                (true, _, _) | (false, None, None) => {
                    return Composed { text, tokens, kept, for_files };
                }
                (false, Some(at), _) => kept[at] = false,
                (false, None, Some(at)) => said[at] = false,
            }
        }
    }

    /// The names of the goal and the first of the lines on what is not shown, as far as there is room.
    fn left_out(&self, mut room: Room, missing: usize, most: usize, fence: &Fence) -> String {
        let missing = match missing {
            0 => None,
            number => Some(format!("- {} without room here\n", plural(number, "file"))),
        };
        let unshown = missing.iter().chain(self.left_out.iter().take(most));
        let mut out = list(&mut room, NAMED, self.named.iter(), fence);
        out.push_str(&list(&mut room, "\n## Not shown\n", unshown, fence));
        out
    }

    fn joined(&self, said: &[bool], kept: &[bool], left_out: &str) -> String {
        let sections = self.sections.iter().zip(said).filter(|(_, said)| **said);
        let blocks = self.blocks.iter().zip(kept).filter(|(_, kept)| **kept);
        let mut out = self.begin.clone();
        out.extend(sections.map(|(section, _)| section.text.as_str()));
        if kept.contains(&true) {
            out.push_str(self.reading);
        }
        out.extend(blocks.map(|(block, _)| block.as_str()));
        out.push_str(left_out);
        out.push_str(&self.end);
        out
    }
}
