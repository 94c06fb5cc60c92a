//! What of this run somebody should look at, from its ledger.

use rb_audit::LostLine;
use rb_core::TaskId;
use rb_core::plural;
use rb_workspace::ledger::{LedgerEntry, TaskStatus};

use super::{Kind, Risk, Severity, risk};

/// Below these a change is looked at by somebody.
const LOW: u8 = 70;
const VERY_LOW: u8 = 40;

pub(super) fn risks(ledger: &[LedgerEntry], lost: &[(TaskId, LostLine)]) -> Vec<Risk> {
    let mut risks: Vec<Risk> = ledger.iter().flat_map(of_task).collect();
    risks.extend(lost.iter().map(|(task, line)| {
        let evidence = format!("{task} removed or rewrote this line: {}", line.text);
        risk(Severity::Medium, Kind::LostLogic, &line.path, line.line, evidence)
    }));
    risks
}

fn of_task(entry: &LedgerEntry) -> Vec<Risk> {
    let LedgerEntry { task, goal, reasons, attempts, .. } = entry;
    let path = entry.touched_files.first().map(ToString::to_string).unwrap_or_default();
    let why =
        if reasons.is_empty() { "no reason was given".to_owned() } else { reasons.join("; ") };
    let tries = if *attempts == 1 { "1 try".to_owned() } else { format!("{attempts} tries") };
    let failed = |severity: Severity, kind: Kind| {
        vec![risk(severity, kind, &path, 0, format!("{task} ({goal}), after {tries}: {why}"))]
    };
    let mut risks = match entry.status {
        TaskStatus::Refused => failed(Severity::High, Kind::TaskRefused),
        TaskStatus::RolledBack => failed(Severity::High, Kind::TaskTakenBack),
        TaskStatus::Skipped => failed(Severity::Medium, Kind::TaskSkipped),
        TaskStatus::Applied => unsure(entry, &path),
        TaskStatus::Noop => Vec::new(),
    };
    if entry.status == TaskStatus::Applied {
        risks.extend(entry.notes.iter().map(|note| warning(*task, note)));
    }
    risks
}

fn unsure(entry: &LedgerEntry, path: &str) -> Vec<Risk> {
    let Some(confidence) = entry.confidence.filter(|it| *it < LOW) else { return Vec::new() };
    let severity = if confidence < VERY_LOW { Severity::High } else { Severity::Medium };
    let LedgerEntry { task, goal, touched_files, .. } = entry;
    let evidence = format!(
        "{task} ({goal}): a confidence of {confidence} of 100 for a change of {}",
        plural(touched_files.len(), "file")
    );
    vec![risk(severity, Kind::LowConfidence, path, 0, evidence)]
}

/// A note is `PATH:LINE: words` where it is about a place.
fn warning(task: TaskId, note: &str) -> Risk {
    let place = note.split_once(": ").and_then(|(place, words)| {
        let (path, line) = place.rsplit_once(':')?;
        Some((path, line.parse::<u32>().ok()?, words))
    });
    let (path, line, words) = place.unwrap_or(("", 0, note));
    risk(Severity::Medium, Kind::AuditWarning, path, line, format!("{task}: {words}"))
}
