//! What one run of a command amounts to: how it ended, what its tests did, and the verdict on it by itself.

use std::time::Duration;

use rb_core::Verdict;
use rb_reports::Diagnostic;
use rb_sandbox::{Ended, Ran};
use rb_toolchains::{Command, Purpose};

use crate::diagnostic_comparison::counted;
use crate::record::{CommandRun, How, Named, Tests};
use crate::telling::telling;

/// Head and tail of an output that goes into a report.
const SAID: usize = 4 << 10;

/// A command that has not run.
pub(crate) fn blank(command: &Command) -> CommandRun {
    CommandRun {
        command: named(command),
        how: How::NotRun,
        ms: 0,
        cpu_ms: None,
        peak_memory: None,
        stdout: None,
        stderr: None,
        said: String::new(),
        tests: None,
        diagnostics: Vec::new(),
        errors: None,
        built: Vec::new(),
        verdict: Verdict::NoVerifierRan,
        reasons: Vec::new(),
        flakes: Vec::new(),
    }
}

pub(crate) fn named(command: &Command) -> Named {
    let found = match (&*command.found.file, &*command.found.what) {
        ("", what) => what.to_owned(),
        (file, "") => file.to_owned(),
        (file, what) => format!("{file} {what}"),
    };
    let Command { purpose, folder, line, optional, .. } = command;
    let (folder, line) = (folder.clone(), line.clone());
    Named { purpose: *purpose, folder, line, found, optional: *optional }
}

/// Why a command did not even begin, where its words say so: what is not installed cannot fail.
pub(crate) fn missing_tool(ran: &Ran) -> Option<String> {
    let Ended::Exit(code @ (1 | 127)) = ran.ended else { return None };
    let said = ran.stderr.excerpt(SAID);
    let said = rb_reports::without_colors(&said);
    let last = said.trim_end().lines().last().unwrap_or_default();
    if code == 127 {
        return Some(format!("a program was not found: {last}"));
    }
    let (_, module) = last.split_once(": No module named ")?;
    let is_python = last.split(':').next().is_some_and(|program| program.contains("python"));
    is_python.then(|| format!("the module {module} is not installed"))
}

/// Adds a process to what is known of the run, and says whether it went well. `before` is what the command took in the baseline, where
/// that is why it was given no more time.
pub(crate) fn enter(run: &mut CommandRun, ran: &Ran, before: Option<Duration>) -> bool {
    run.how = How::from(&ran.ended);
    run.ms += u64::try_from(ran.elapsed.as_millis()).unwrap_or(u64::MAX);
    let cpu = ran.cpu.map(|cpu| u64::try_from(cpu.as_millis()).unwrap_or(u64::MAX));
    run.cpu_ms = match (run.cpu_ms, cpu) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    };
    run.peak_memory = run.peak_memory.max(ran.peak_memory);
    run.stdout = Some(ran.stdout.path.clone());
    run.stderr = Some(ran.stderr.path.clone());
    let went_well = run.how.is_success();
    if run.how == How::Hung {
        run.flakes.push(format!("`{}` {}", run.command.line, run.how.words()));
    }
    if !went_well {
        run.verdict = Verdict::Fail;
        run.said = said(ran);
        run.reasons.push(format!("`{}` {}", run.command.line, ending(&run.how, before)));
    }
    if ran.stdout.cut || ran.stderr.cut {
        let bytes = ran.stdout.bytes + ran.stderr.bytes;
        run.reasons.push(format!(
            "it printed {} MiB; only the beginning and the end are kept",
            bytes >> 20
        ));
    }
    went_well
}

fn ending(how: &How, before: Option<Duration>) -> String {
    match (how, before) {
        (How::TimedOut { after_s }, Some(before)) => {
            let took = before.as_secs_f64();
            format!(
                "did not finish within {after_s} s and was stopped; before the change it took {took:.1} s"
            )
        }
        _ => how.words(),
    }
}

/// The most problems given as reasons; all are on record.
const MOST_TROUBLES: usize = 5;

/// What went wrong beside the tests, a line each, and where.
fn trouble_words(tests: &Tests) -> Vec<String> {
    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    let words = tests.troubles.iter().take(MOST_TROUBLES).map(|trouble| match &trouble.file {
        Some(file) => format!("{file}: {}", first(&trouble.message)),
        None => first(&trouble.message),
    });
    words.collect()
}

/// The verdict on one command by itself, from how it ended and what its tests did.
pub(crate) fn judge(run: &mut CommandRun, command: &Command) {
    let is_test = matches!(run.command.purpose, Purpose::Test | Purpose::Integration);
    if run.verdict == Verdict::Fail || !is_test {
        if run.how.is_success() {
            run.verdict = Verdict::Pass;
        }
        if let Some(tests) = &run.tests {
            let (failed, ran) = (tests.counts.failed, tests.ran());
            run.reasons.extend((failed > 0).then(|| format!("{failed} of {ran} tests failed")));
            // That the report of a command breaks off says nothing more where it was ended.
            if !run.how.was_ended() {
                run.reasons.extend(trouble_words(tests));
            }
        } else if matches!(run.how, How::Exit { .. }) && run.verdict == Verdict::Fail {
            let named: Vec<String> =
                counted(&run.diagnostics).take(MOST_TROUBLES).map(Diagnostic::words).collect();
            run.reasons.extend(if named.is_empty() { telling(&run.said) } else { named });
        }
        return;
    }
    match &run.tests {
        None => {
            run.reasons.push("it succeeded, but reported no tests".to_owned());
            if is_check_by_choice(command) {
                run.verdict = Verdict::Pass;
            }
        }
        Some(tests) if tests.counts.failed > 0 => {
            run.verdict = Verdict::Fail;
            let failed = tests.counts.failed;
            run.reasons.push(match run.how {
                How::Hung => format!("{failed} of {} tests failed", tests.ran()),
                _ => format!("{failed} tests failed, although it exited with code 0"),
            });
        }
        Some(tests) if !tests.troubles.is_empty() => {
            run.verdict = Verdict::Fail;
            run.reasons.extend(trouble_words(tests));
        }
        Some(tests) if tests.counts.passed == 0 => {
            run.reasons.push("no test ran".to_owned());
        }
        Some(_) => run.verdict = Verdict::Pass,
    }
}

/// A line that a person named as a verifier is one by how it ends, unless it is a test runner: that must have run tests.
fn is_check_by_choice(command: &Command) -> bool {
    command.is_configured() && command.runner.is_none()
}

fn said(ran: &Ran) -> String {
    let texts = [&ran.stdout, &ran.stderr].map(|output| output.excerpt(SAID));
    let texts = texts.each_ref().map(|text| rb_reports::without_colors(text));
    let parts = texts.iter().map(|text| text.trim_end()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ve2_a_command_that_was_ended_says_what_would_have_helped() {
        let check = |how: How, before: Option<u64>, words: &str| {
            assert_eq!(ending(&how, before.map(Duration::from_millis)), words);
        };
        let late = || How::TimedOut { after_s: 120 };
        check(
            late(),
            None,
            "did not finish within 120 s and was stopped; raise --timeout or verify.timeout_s",
        );
        check(
            late(),
            Some(1500),
            "did not finish within 120 s and was stopped; before the change it took 1.5 s",
        );
        check(How::Exit { code: 1 }, Some(1500), "exited with code 1");
    }
}
