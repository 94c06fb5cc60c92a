//! Leads a model through a repository: the tools of `rb_tools`, and the rules by which they are used well.
//!
//! Each rule is a small module with a table of tests; the guide asks them in turn, before and after a call. Advice
//! for the model is placed beside the result, outside the fence. Every piece of advice is also an event, so the journal has it. The
//! guide decides nothing about the answer.

mod breaker;
mod call_record;
mod focus;
mod journey;
mod look_up;
pub(crate) mod reflection;
mod routing;
mod shown_lines;
mod suspicion;
#[cfg(test)]
mod tests;
mod tools;
mod usefulness;
mod words;

use std::collections::BTreeSet;

use rb_core::RepoPath;
use rb_tools::{Output, Repository, Shown, ToolError, Toolbox};
use serde_json::Value;

use crate::extract::IMPORTANT;
use crate::memory::{SearchMade, contents_of};
use crate::plan::{self, Plan};
use crate::workflow::event::{AskEvent, Event, RunEvent};
use call_record::CallRecord;
use focus::Focus;
use reflection::{Measure, Recommendation};
use shown_lines::ShownLines;
use suspicion::Suspicions;

pub(crate) use call_record::meaning_of;
pub(crate) use journey::Journey;
pub(crate) use look_up::{has_answered, look_up, take_logged};
pub(crate) use shown_lines::numbered;
pub use suspicion::injection_note;
pub(crate) use suspicion::runs;

const READ_FILE: &str = "read_file";
const SEARCH: &str = "search";
const LIST_FILES: &str = "list_files";
/// May be called before there is a plan: a plan needs to know where it is.
const BEFORE_A_PLAN: [&str; 2] = ["overview", "list_files"];

/// One exploration.
pub(crate) struct Guide<'r> {
    on: Repository<'r>,
    toolbox: &'r mut Toolbox,
    question: &'r str,
    tell: Box<dyn FnMut(Event) + 'r>,
    /// A plan is asked for, as long as there is none.
    wants_plan: bool,
    plans: u32,
    /// Calls that were not carried out and may be made again, with their input as text.
    put_off: BTreeSet<(String, String)>,
    number: u32,
    calls: Vec<CallRecord>,
    /// Paths and names of files as the question has them.
    named_files: Vec<String>,
    known_files: BTreeSet<String>,
    /// Those of the known files that more than a listing named.
    pointed_files: BTreeSet<String>,
    /// The most important files, best first.
    important: Vec<String>,
    warned: BTreeSet<&'static str>,
    lines: ShownLines,
    focus: Focus,
    question_words: BTreeSet<String>,
    seen_words: BTreeSet<String>,
    recommended: Option<Recommendation>,
    /// How many calls there were when the model was last told that it is off its track.
    refocused: usize,
    suspicions: Suspicions,
    advice: Vec<String>,
    /// Whether the model gets the advice. It does not with a look-up, nor after it made its calls at a server.
    hears_advice: bool,
    journey: Journey,
    failure: Option<ToolError>,
}

impl<'r> Guide<'r> {
    /// What the toolbox has shown so far counts as shown in the request.
    pub(crate) fn new(
        on: Repository<'r>,
        toolbox: &'r mut Toolbox,
        question: &'r str,
        tell: Box<dyn FnMut(Event) + 'r>,
    ) -> Self {
        let lines = ShownLines::of_request(&toolbox.evidence);
        let known_files: BTreeSet<String> =
            toolbox.evidence.files().map(|(path, _)| path.to_owned()).collect();
        let mut focus = Focus::new(question);
        focus.add_files(known_files.iter().map(String::as_str));
        let mut guide = Guide {
            on,
            question,
            tell,
            wants_plan: plan::is_complex(question),
            plans: 0,
            put_off: BTreeSet::new(),
            number: 0,
            calls: Vec::new(),
            named_files: named_files(question),
            pointed_files: known_files.clone(),
            important: important(on),
            known_files,
            warned: BTreeSet::new(),
            lines,
            focus,
            question_words: words::words(question),
            seen_words: BTreeSet::new(),
            recommended: None,
            refocused: 0,
            suspicions: Suspicions::default(),
            advice: Vec::new(),
            hears_advice: true,
            journey: Journey::default(),
            failure: None,
            toolbox,
        };
        guide.look_at_request();
        guide
    }

    /// The index cannot be read, or the run was interrupted: nothing that follows counts.
    pub(crate) fn failure(&mut self) -> Option<ToolError> {
        self.failure.take()
    }

    pub(crate) fn journey(&self) -> &Journey {
        &self.journey
    }

    fn look_at_request(&mut self) {
        for shown in runs(&self.toolbox.evidence) {
            // The system prompt says what the request's data is; advice belongs to results.
            let _ = self.suspect(&shown);
            self.seen_words.extend(words::words(&shown.lines.join(" ")));
        }
    }

    /// Reports suspicious text in shown lines, and returns a warning for the model.
    fn suspect(&mut self, shown: &Shown) -> Option<String> {
        let findings = self.suspicions.look(shown);
        let path = RepoPath::new(&shown.path).ok()?;
        if findings.is_empty() {
            return None;
        }
        let advice = suspicion::advice(&findings);
        (self.tell)(RunEvent::Suspected { task: None, path, findings }.into());
        Some(advice)
    }

    fn set_plan(&mut self, input: &Value) -> Result<String, String> {
        let Plan { steps, reason } = plan::read(input, self.plans == 0)?;
        self.plans += 1;
        self.wants_plan = false;
        self.focus.add_words(&steps.join(" "));
        let told = format!("The plan has {}.", rb_core::plural(steps.len(), "step"));
        (self.tell)(AskEvent::Planned { call: self.number, steps, reason }.into());
        Ok(told)
    }

    /// Whether the call has to wait for a plan. The model is asked for one once.
    fn waits_for_plan(&mut self, tool: &str) -> bool {
        let waits = self.wants_plan && !BEFORE_A_PLAN.contains(&tool);
        self.wants_plan &= !waits;
        waits
    }

    /// An earlier call that means the same and whose result is still there.
    fn same_before(&self, call: &CallRecord) -> Option<u32> {
        let is_same = |earlier: &&CallRecord| {
            earlier.meaning == call.meaning && !earlier.failed && !earlier.removed
        };
        self.calls.iter().find(is_same).map(|earlier| earlier.number)
    }

    /// Whether the question or a result named the file.
    fn is_known(&self, path: &str) -> bool {
        self.is_named(path, &self.known_files)
    }

    fn is_named(&self, path: &str, files: &BTreeSet<String>) -> bool {
        let ends_so = |name: &String| {
            path.strip_suffix(name.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        files.contains(path) || self.named_files.iter().any(ends_so)
    }

    /// A call that the rules have nothing against: carried out, and looked at.
    fn carry_out(&mut self, call: CallRecord) -> Result<String, String> {
        let called = self.toolbox.call(self.on, &call.tool, &call.input);
        self.take_result(call, called)
    }

    fn take_result(
        &mut self,
        mut call: CallRecord,
        called: Result<Output, ToolError>,
    ) -> Result<String, String> {
        match called {
            Ok(output) => Ok(self.take(call, output)),
            Err(error) => {
                let why = match &error {
                    ToolError::Call(why) => why.clone(),
                    ToolError::Index(_) => "The repository cannot be read any more.".to_owned(),
                    ToolError::Interrupted => "Interrupted.".to_owned(),
                };
                if !matches!(error, ToolError::Call(_)) {
                    self.failure = Some(error);
                }
                call.failed = true;
                self.finish(call);
                Err(why)
            }
        }
    }

    /// Takes in what a call gave, and returns what the model is shown of it.
    fn take(&mut self, mut call: CallRecord, output: Output) -> String {
        let Output { text, shown, files, new_lines } = output;
        let is_read = call.tool == READ_FILE;
        let before = if is_read { self.lines.where_shown(&shown) } else { None };
        for shown in &shown {
            let advice = self.suspect(shown);
            self.advice.extend(advice);
            if before.is_none() {
                self.lines.add(shown, call.number);
            }
            if is_read && !self.journey.files_read.contains(&shown.path) {
                self.journey.files_read.push(shown.path.clone());
            }
        }
        let named = files.iter().chain(shown.iter().map(|shown| &shown.path));
        let named: BTreeSet<&String> = named.collect();
        if call.tool != LIST_FILES {
            self.pointed_files.extend(named.iter().map(|file| (*file).clone()));
        }
        call.new_files =
            named.into_iter().filter(|file| self.known_files.insert((*file).clone())).count();
        call.lines = shown.iter().map(|shown| shown.lines.len()).sum();
        call.new_lines = new_lines;
        call.words = words::words(&text);
        self.seen_words.extend(call.words.iter().cloned());
        if call.tool == SEARCH {
            self.note_search(&call, &files);
        }
        call.files = files;
        if before.is_some() {
            self.journey.reads_avoided += 1;
            // Once the lines are removed from the conversation, the call can be made again.
            self.put_off.insert((call.tool.clone(), call.input.to_string()));
            call.removed = true;
        }
        self.finish(call);
        before.map_or(text, |where_shown| format!("{where_shown}\n"))
    }

    /// What the first search finds is what the question is about, unless the model is off from the start.
    fn note_search(&mut self, call: &CallRecord, files: &[String]) {
        if self.journey.searches.is_empty() {
            self.focus.add_files(files.iter().map(String::as_str));
        }
        let query = call.query();
        if !self.journey.searches.iter().any(|search| search.query == query) {
            let files = files.to_vec();
            let contents = if files.is_empty() { contents_of(self.on.indexed) } else { None };
            self.journey.searches.push(SearchMade { query, files, contents });
        }
    }

    /// Enters the call, and says what the rules have to say about the calls so far.
    fn finish(&mut self, call: CallRecord) {
        self.calls.push(call);
        if self.hears_advice {
            self.correct();
        }
        if self.calls.len().is_multiple_of(reflection::EVERY) {
            self.reflect();
        }
    }

    /// Warns of a wasteful chain of calls, and calls a model back that is off its track.
    fn correct(&mut self) {
        if let Some(advice) = routing::wasteful_chain(&self.calls) {
            self.warn(advice);
        }
        if self.calls.len() >= self.refocused + focus::OFF && self.focus.is_lost(&self.calls) {
            self.refocused = self.calls.len();
            self.advice.push(focus::refocus(self.question));
            let calls = self.calls.iter().rev().take(focus::OFF).rev();
            let calls = calls.map(CallRecord::in_words).collect();
            (self.tell)(AskEvent::OffTrack { call: self.number, calls }.into());
        }
    }

    /// Says something once.
    fn warn(&mut self, advice: &'static str) {
        self.warn_in_words(advice, advice.to_owned());
    }

    /// Says something once, in words that differ from case to case.
    fn warn_in_words(&mut self, rule: &'static str, text: String) {
        if self.warned.insert(rule) {
            self.advice.push(text.clone());
            (self.tell)(AskEvent::Warned { call: self.number, text }.into());
        }
    }

    fn reflect(&mut self) {
        let seen = words::in_common(&self.question_words, &self.seen_words);
        let measure = Measure::of(&self.calls, self.question_words.len(), seen);
        let recommendation = reflection::recommend(&measure, self.recommended);
        let text = reflection::text(self.question, &self.calls, &measure, recommendation);
        self.recommended = Some(recommendation);
        self.advice.push(text);
        (self.tell)(AskEvent::Reflected { call: self.number, recommendation, measure }.into());
    }
}

/// The paths of the most important files, best first. None where the index cannot be read: the next call says so.
fn important(on: Repository<'_>) -> Vec<String> {
    let Ok(view) = on.indexed.view() else { return Vec::new() };
    let files = view.by_importance().iter().take(IMPORTANT);
    files.map(|file| view.file(*file).path.to_owned()).collect()
}

/// Paths and names of files in a question: words with a dot or a slash in them.
fn named_files(question: &str) -> Vec<String> {
    let is_edge = |c: char| !c.is_alphanumeric() && c != '_';
    let words = question.split_whitespace().map(|word| word.trim_matches(is_edge));
    let is_path = |word: &&str| word.contains(['.', '/']);
    words.filter(is_path).map(str::to_owned).collect()
}
