//! What came before, in a few lines each: the last tasks of the run, and the failed tries of this one.

use rb_core::path::quote;
use rb_workspace::ledger::{LedgerEntry, TaskStatus};

use crate::budget::Budgets;
use crate::pack::LedgerLine;
use crate::text::{cut, inline, listed};

const LONGEST_LINE: usize = 200;
/// Of an error: its beginning names it, its end is where programs say what is wrong.
const ERROR_HEAD: usize = 20;
const ERROR_TAIL: usize = 12;

/// The last entries within the budgets, the newest last.
pub(crate) fn tail(entries: &[LedgerEntry], budgets: &Budgets) -> Vec<LedgerLine> {
    let from = entries.len().saturating_sub(budgets.ledger_entries);
    let line = |entry: &LedgerEntry| LedgerLine {
        task: entry.task,
        text: words(entry, budgets.ledger_lines),
    };
    entries[from..].iter().map(line).filter(|line| !line.text.is_empty()).collect()
}

fn words(entry: &LedgerEntry, most: usize) -> String {
    let LedgerEntry { task, goal, added, removed, verdict, attempts, .. } = entry;
    let status = status(entry.status);
    let tries = if *attempts > 1 { format!(", {attempts} tries") } else { String::new() };
    let verdict = verdict.words();
    let goal = inline(goal, LONGEST_LINE);
    let mut lines = vec![format!("{task} {status}, {verdict}, +{added} -{removed}{tries}: {goal}")];
    if !entry.touched_files.is_empty() {
        let files: Vec<String> =
            entry.touched_files.iter().map(|path| quote(path.as_bytes())).collect();
        lines.push(format!("  files: {}", listed(&files, LONGEST_LINE)));
    }
    let said = entry.reasons.iter().map(|it| ("why", it));
    let said = said.chain(entry.notes.iter().map(|it| ("note", it)));
    lines.extend(said.map(|(what, it)| format!("  {what}: {}", inline(it, LONGEST_LINE))));
    let gone = lines.len().saturating_sub(most);
    if gone > 0 {
        lines.truncate(most);
        if let (Some(last), true) = (lines.last_mut(), most > 1) {
            *last = format!("  and {} more lines", gone + 1);
        }
    }
    lines.join("\n")
}

fn status(status: TaskStatus) -> &'static str {
    match status {
        TaskStatus::Applied => "applied",
        TaskStatus::Noop => "noop",
        TaskStatus::Refused => "refused",
        TaskStatus::Skipped => "skipped",
        TaskStatus::RolledBack => "rolled back",
    }
}

/// An error without its middle, where it is long.
pub(crate) fn error(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| cut(line, 2 * LONGEST_LINE)).collect();
    let gone = lines.len().saturating_sub(ERROR_HEAD + ERROR_TAIL);
    if gone <= 1 {
        return lines.join("\n");
    }
    let (head, rest) = lines.split_at(ERROR_HEAD);
    let tail = &rest[gone..];
    format!("{}\n… {gone} lines left out …\n{}", head.join("\n"), tail.join("\n"))
}

#[cfg(test)]
mod tests {
    use rb_core::clock::Timestamp;
    use rb_core::{RepoPath, TaskId, Verdict};

    use super::*;

    fn entry(task: u32, reasons: usize) -> LedgerEntry {
        LedgerEntry {
            task: TaskId(task),
            goal: "Split\nthe cart".to_owned(),
            status: TaskStatus::RolledBack,
            commit: None,
            touched_files: vec![RepoPath::new("src/cart.ts").unwrap()],
            added: 4,
            removed: 2,
            rung: None,
            verdict: Verdict::Fail,
            attempts: 2,
            confidence: None,
            reasons: (1..=reasons).map(|nth| format!("test {nth} fails")).collect(),
            notes: Vec::new(),
            at: Timestamp::from_unix_ms(0),
        }
    }

    #[test]
    fn rf4_the_ledger_is_the_last_entries_in_a_few_lines() {
        let entries: Vec<LedgerEntry> = (1..=12).map(|task| entry(task, 20)).collect();
        let lines = tail(&entries, &Budgets::default());
        assert_eq!(lines.len(), 10);
        assert_eq!((lines[0].task, lines[9].task), (TaskId(3), TaskId(12)));
        assert!(lines.iter().all(|line| line.text.lines().count() == 8));
        let budgets = Budgets { ledger_entries: 1, ledger_lines: 4, ..Budgets::default() };
        assert_eq!(
            tail(&entries, &budgets)[0].text,
            "batch-012 rolled back, fail, +4 -2, 2 tries: Split the cart\n  files: src/cart.ts\n  why: test 1 fails\n  and 19 more lines"
        );
        assert_eq!(tail(&entries, &Budgets { ledger_entries: 0, ..budgets }), []);
        assert_eq!(tail(&entries, &Budgets { ledger_lines: 0, ..budgets }), []);
    }

    #[test]
    fn rf4_a_long_error_keeps_both_ends() {
        let long: Vec<String> = (1..=100).map(|nth| format!("line {nth}")).collect();
        let shown = error(&long.join("\n"));
        assert_eq!(shown.lines().count(), ERROR_HEAD + ERROR_TAIL + 1);
        assert!(shown.starts_with("line 1\n") && shown.ends_with("\nline 100"), "{shown}");
        assert!(shown.contains("\n… 68 lines left out …\nline 89\n"), "{shown}");
        assert_eq!(error("a\nb"), "a\nb");
    }
}
