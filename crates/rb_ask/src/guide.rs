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
pub(crate) use words::{in_common, words};

const READ_FILE: &str = "read_file";
const SEARCH: &str = "search";
const LIST_FILES: &str = "list_files";
/// A result with fewer words that no result before it had says nothing new.
const NEW_WORDS: usize = 3;

/// One exploration.
pub(crate) struct Guide<'r> {
    on: Repository<'r>,
    toolbox: &'r mut Toolbox,
    question: &'r str,
    tell: Box<dyn FnMut(Event) + 'r>,
    /// The steps of the program's own plan, until the model has heard of them.
    first_steps: Vec<String>,
    /// Plans of the model.
    plans: u32,
    /// Calls that were not carried out and may be made again, with their input as text.
    put_off: BTreeSet<(String, String)>,
    number: u32,
    /// The answer of the model that the next call belongs to, from 1.
    round: u32,
    calls: Vec<CallRecord>,
    /// Paths and names of files as the question has them, in lower case.
    named_files: Vec<String>,
    known_files: BTreeSet<String>,
    /// Those of the known files that more than a listing named.
    pointed_files: BTreeSet<String>,
    /// The words of the question, and of what was shown other than listings.
    pointed_words: BTreeSet<String>,
    /// The most important files, best first.
    important: Vec<String>,
    warned: BTreeSet<&'static str>,
    lines: ShownLines,
    focus: Focus,
    question_words: BTreeSet<String>,
    seen_words: BTreeSet<String>,
    recommended: Option<Recommendation>,
    /// How many calls and rounds there were at the last look back.
    reflected: (usize, u32),
    /// How many calls there were when the model was last told that it is off its track.
    refocused: usize,
    suspicions: Suspicions,
    advice: Vec<String>,
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
        let question_words = words::words(question);
        let mut guide = Guide {
            on,
            question,
            tell,
            first_steps: Vec::new(),
            plans: 0,
            put_off: BTreeSet::new(),
            number: 0,
            round: 1,
            calls: Vec::new(),
            named_files: named_files(question),
            pointed_files: known_files.clone(),
            important: important(on),
            known_files,
            warned: BTreeSet::new(),
            lines,
            focus,
            pointed_words: question_words.clone(),
            question_words,
            seen_words: BTreeSet::new(),
            recommended: None,
            reflected: (0, 0),
            refocused: 0,
            suspicions: Suspicions::default(),
            advice: Vec::new(),
            journey: Journey::default(),
            failure: None,
            toolbox,
        };
        guide.look_at_request();
        guide.begin_plan();
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
            let words = words::words(&shown.lines.join(" "));
            self.pointed_words.extend(words.iter().cloned());
            self.seen_words.extend(words);
        }
    }

    /// Records the program's own plan of a complex question, before anything is explored.
    fn begin_plan(&mut self) {
        if let Some(Plan { steps, reason }) = plan::first(self.question) {
            self.first_steps.clone_from(&steps);
            (self.tell)(AskEvent::Planned { call: 0, steps, reason }.into());
        }
    }

    /// Tells the model of the program's plan, beside the first result.
    fn tell_plan(&mut self) {
        let steps = std::mem::take(&mut self.first_steps);
        if !steps.is_empty() {
            let steps = plan::in_a_line(&steps);
            self.advice.push(format!("The plan so far: {steps}. `set_plan` changes it."));
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
        self.first_steps.clear();
        self.focus.add_words(&steps.join(" "));
        let told = format!("The plan is now: {}.", plan::in_a_line(&steps));
        (self.tell)(AskEvent::Planned { call: self.number, steps, reason }.into());
        Ok(told)
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

    /// Whether the question, a shown line or one of these results named the file, or nothing has to, because it is a manifest.
    fn is_named(&self, path: &str, files: &BTreeSet<String>) -> bool {
        let lower = path.to_lowercase();
        let ends_so = |name: &String| {
            lower
                .strip_suffix(name.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let name = routing::file_name(path);
        let stem = words::words(name.rsplit_once('.').map_or(name, |(stem, _)| stem));
        let is_in_words = !stem.is_empty() && stem.is_subset(&self.pointed_words);
        files.contains(path)
            || is_in_words
            || routing::is_manifest(path)
            || self.named_files.iter().any(ends_so)
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
                self.calls.push(call);
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
        call.words = words::words(&text);
        if call.tool != LIST_FILES {
            self.pointed_files.extend(named.iter().map(|file| (*file).clone()));
            self.pointed_words.extend(call.words.iter().cloned());
        }
        call.new_files =
            named.into_iter().filter(|file| self.known_files.insert((*file).clone())).count();
        call.lines = shown.iter().map(|shown| shown.lines.len()).sum();
        call.new_lines = new_lines;
        // What says that nothing was found names no file.
        call.has_new_words = !is_read && !files.is_empty() && self.says_something_new(&call);
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
        self.calls.push(call);
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

    /// Whether the result has words that no result before it had, other than those that were asked for, and numbers.
    fn says_something_new(&self, call: &CallRecord) -> bool {
        let asked = words::words(&call.subject);
        let is_new = |word: &&String| {
            let is_number = word.chars().all(|c| c.is_ascii_digit());
            !is_number && !asked.contains(*word) && !self.seen_words.contains(*word)
        };
        call.words.iter().filter(is_new).nth(NEW_WORDS - 1).is_some()
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

    /// Looks back at the calls so far, if it is time to.
    fn reflect(&mut self) {
        if !reflection::is_due(self.calls.len(), self.round, self.reflected) {
            return;
        }
        self.reflected = (self.calls.len(), self.round);
        let seen = words::in_common(&self.question_words, &self.seen_words);
        let measure = Measure::of(&self.calls, self.question_words.len(), seen);
        let recommendation = reflection::recommend(&measure, self.recommended);
        self.recommended = Some(recommendation);
        let files = self.toolbox.evidence.files();
        let shown =
            files.fold((0, 0), |(lines, files), (_, file)| (lines + file.lines.len(), files + 1));
        self.advice.push(reflection::text(measure.calls, shown, recommendation));
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
    words.filter(is_path).map(str::to_lowercase).collect()
}
