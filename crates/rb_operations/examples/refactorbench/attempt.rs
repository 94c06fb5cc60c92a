//! One task: from its directive to the verdict of its test.

use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rb_operations::testing::MemoryFiles;
use rb_operations::{Operation, Place, directive, plan};

use crate::Task;
use crate::arguments::Arguments;
use crate::scratch::{Scratch, TestResult};

pub(crate) enum Verdict {
    Pass,
    /// The files were changed, and the test is not content: why, in its words.
    Fail(String),
    Refused(String),
    NotUnderstood(String),
    Panicked(String),
}

impl Verdict {
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail(_) => "fail (wrong edit?)",
            Verdict::Refused(_) => "refused",
            Verdict::NotUnderstood(_) => "not understood",
            Verdict::Panicked(_) => "panicked",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Pass => f.write_str(self.word()),
            Verdict::Fail(why)
            | Verdict::Refused(why)
            | Verdict::NotUnderstood(why)
            | Verdict::Panicked(why) => write!(f, "{}: {why}", self.word()),
        }
    }
}

/// What is not written yet panics; the verdict says so, and the report of each panic would only be in the way.
pub(crate) fn keep_panics_quiet() {
    std::panic::set_hook(Box::new(|_| {}));
}

pub(crate) fn attempt(
    files: &MemoryFiles,
    task: &Task,
    scratch: &Scratch,
    arguments: &Arguments,
) -> Result<Verdict, Box<dyn Error>> {
    let operations = match operations(files, task, arguments)? {
        Ok(operations) => operations,
        Err(verdict) => return Ok(verdict),
    };
    println!("{}", serde_json::to_string(&operations)?);
    let outcome = match guarded(|| plan(files, &operations)) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(refusal)) => {
            print_places(&refusal.places);
            let suggestion = if refusal.suggestion.is_empty() { "" } else { "; " };
            let why = format!("{}{suggestion}{}", refusal.reason, refusal.suggestion);
            return Ok(Verdict::Refused(why));
        }
        Err(panic) => return Ok(Verdict::Panicked(format!("plan: {panic}"))),
    };
    println!("{} ({} files)", outcome.title, outcome.files.len());
    for note in &outcome.notes {
        println!("  note: {note}");
    }
    for mention in &outcome.mentions {
        println!("  mention: {}:{}: {}", mention.path, mention.line, mention.text);
    }
    scratch.apply(&outcome.files)?;
    if arguments.shows_diff {
        println!("{}", scratch.diff(&outcome.files)?);
    }
    let result = scratch.test(&task.test, &outcome.files)?;
    if arguments.keep.is_none() {
        scratch.undo(&outcome.files, files)?;
    }
    Ok(match result {
        TestResult::Passed => Verdict::Pass,
        TestResult::Failed(why) => Verdict::Fail(why),
    })
}

/// From the file that was named, or from the directive.
fn operations(
    files: &MemoryFiles,
    task: &Task,
    arguments: &Arguments,
) -> Result<Result<Vec<Operation>, Verdict>, Box<dyn Error>> {
    if let Some(path) = &arguments.operations {
        return Ok(Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?));
    }
    let understood = match guarded(|| directive::understand(files, &task.directive)) {
        Ok(Some(understood)) => understood,
        Ok(None) => return Ok(Err(Verdict::NotUnderstood("nothing structural".to_owned()))),
        Err(panic) => return Ok(Err(Verdict::Panicked(format!("understand: {panic}")))),
    };
    let mut reasons: Vec<String> =
        understood.not_understood.iter().map(|clause| format!("\"{clause}\"")).collect();
    for unclear in &understood.unclear {
        reasons.push(format!("{} (`{}`)", unclear.why, unclear.name));
        print_places(&unclear.candidates);
    }
    if understood.operations.is_empty() && reasons.is_empty() {
        reasons.push("no operations".to_owned());
    }
    let is_enough = arguments.is_partly && !understood.operations.is_empty();
    if reasons.is_empty() || is_enough {
        for reason in &reasons {
            println!("  not understood: {reason}");
        }
        return Ok(Ok(understood.operations));
    }
    if !understood.operations.is_empty() {
        println!("understood so far: {}", serde_json::to_string(&understood.operations)?);
    }
    Ok(Err(Verdict::NotUnderstood(reasons.join("; "))))
}

fn print_places(places: &[Place]) {
    for place in places {
        println!("  {}:{}: {}", place.path, place.line, place.what);
    }
}

/// The message of a panic as an error.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned()
    })
}
