//! pytest on the terminal: with `-v` a line a test; without, the failures by the short summary, and the sums.

use super::{ClosedReport, Lines, Words, sums};
use crate::clean::Root;
use crate::collect::{Collector, FoundTest};
use crate::report::{Counts, Outcome};

const WORDS: Words = Words {
    passed: &["passed", "xpassed"],
    failed: &["failed", "error", "errors"],
    skipped: &["skipped", "xfailed"],
};

pub(super) fn read(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    let (at, mut summary) = lines.last(closing)?;
    let mut out = Collector::new(root.clone());
    let mut list = Vec::new();
    for line in lines.before(at) {
        // Behind the list, output of tests is shown.
        if line.starts_with('=') && (line.contains(" FAILURES ") || line.contains(" ERRORS ")) {
            break;
        }
        list.extend(verbose(line));
    }
    for (id, outcome) in &list {
        out.test(&found(id, *outcome, None));
    }
    let header = lines.before(at).collect::<Vec<_>>();
    let header = header.iter().rposition(|line| line.contains(" short test summary info "));
    for line in header.into_iter().flat_map(|header| lines.before(at).skip(header + 1)) {
        let Some(rest) = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR "))
        else {
            continue;
        };
        let (id, message) = rest.split_once(" - ").unwrap_or((rest, ""));
        if !id.contains("::") {
            summary.failed = summary.failed.saturating_sub(1);
            let cause = || cause(lines.before(at), id).unwrap_or("it cannot be collected");
            out.trouble(Some(id), if message.is_empty() { cause() } else { message });
        } else if list.is_empty() {
            out.test(&found(id, Outcome::Failed, Some(message)));
        }
    }
    Some(ClosedReport { report: out.finish_with(summary), at })
}

/// Why a file cannot be collected: the last error of its section, which the short summary leaves out under `-q`.
fn cause<'l>(lines: impl Iterator<Item = &'l str>, file: &str) -> Option<&'l str> {
    let title = format!(" ERROR collecting {file} ");
    let section = lines.skip_while(|line| !line.contains(&title)).skip(1);
    let section = section.take_while(|line| !line.starts_with("===") && !line.starts_with("___"));
    section.filter_map(|line| Some(line.strip_prefix("E ")?.trim())).last()
}

/// `==== 2 failed, 7 passed in 0.11s ====`, without its frame under `-q`.
fn closing(line: &str) -> Option<Counts> {
    let told = line.trim_matches('=').trim();
    let (told, time) = told.rsplit_once(" in ")?;
    time.split(' ').next()?.strip_suffix('s')?.parse::<f64>().ok()?;
    match told {
        "no tests ran" => Some(Counts::default()),
        _ if told.contains(" deselected") => Some(sums(told, &[','], &WORDS).unwrap_or_default()),
        _ => sums(told, &[','], &WORDS).filter(|_| told.starts_with(|c: char| c.is_ascii_digit())),
    }
}

/// `test_a.py::test_adds PASSED    [  7%]`, and with xdist `[gw0] [  7%] PASSED test_a.py::test_adds`.
fn verbose(line: &str) -> Option<(&str, Outcome)> {
    if line.starts_with("[gw") {
        let (word, id) = line.splitn(3, "] ").nth(2)?.split_once(' ')?;
        return Some((id.trim(), outcome(word)?));
    }
    if line.starts_with([' ', '=', '_']) {
        return None;
    }
    let told = line
        .trim_end()
        .strip_suffix("%]")
        .and_then(|told| told.rsplit_once('['))
        .map_or(line, |(told, _)| told);
    let told = told.trim_end();
    let (id, word) = match told.rsplit_once(" (").filter(|_| told.ends_with(')')) {
        Some((told, _))
            if told.rsplit_once(' ').is_some_and(|(_, word)| outcome(word).is_some()) =>
        {
            told.rsplit_once(' ')?
        }
        Some(_) | None => told.rsplit_once(' ')?,
    };
    Some((id.trim(), outcome(word)?)).filter(|(id, _)| id.contains("::"))
}

fn outcome(word: &str) -> Option<Outcome> {
    match word {
        "PASSED" | "XPASS" => Some(Outcome::Passed),
        "FAILED" | "ERROR" => Some(Outcome::Failed),
        "SKIPPED" | "XFAIL" => Some(Outcome::Skipped),
        _ => None,
    }
}

/// `file::Class::test[a::b]`: what stands in brackets is one part.
fn found<'a>(id: &'a str, outcome: Outcome, message: Option<&'a str>) -> FoundTest<'a> {
    let plain = id.find('[').unwrap_or(id.len());
    let mut path = Vec::new();
    let mut rest = id;
    while let Some(at) = rest.find("::").filter(|at| id.len() - rest.len() + at < plain) {
        path.push(&rest[..at]);
        rest = &rest[at + 2..];
    }
    path.push(rest);
    let file = Some(path.remove(0));
    FoundTest { file, path, outcome: Some(outcome), message, ..FoundTest::default() }
}
