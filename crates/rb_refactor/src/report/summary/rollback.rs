//! How to get rid of the change again, in commands that can be pasted.

use std::fmt::Write as _;
use std::path::Path;

use rb_change::Base;
use rb_core::RunId;
use rb_toolchains::quote;
use rb_workspace::repo::Kind;

use super::short;
use crate::event::Outcome;
use crate::report::facts::Facts;

pub(super) fn section(facts: &Facts) -> String {
    let mut text = String::from("## Rollback\n\n");
    let history = &facts.history;
    if facts.files.is_empty() {
        text.push_str("Nothing to undo: your checkout is unchanged.\n");
    } else if history.state.started.orders.dry_run {
        text.push_str("A dry run changes nothing. To undo patches that you applied by hand:\n");
        block(&mut text, "git apply --reverse diffs/*.patch");
    } else {
        undo(&mut text, facts);
    }
    if let Some(dir) = &history.state.change.backup {
        backup(&mut text, facts, dir);
    }
    text
}

/// By where the change is.
fn undo(text: &mut String, facts: &Facts) {
    let run = &facts.history.state.started.run;
    match facts.history.state.course.outcome {
        Some(Outcome::Accepted) => {
            text.push_str("The change is in your checkout.\n\nUndo it with");
            roll_back(text, run);
            by_git(text, facts);
        }
        Some(Outcome::Rejected) => text.push_str("The change was rejected and removed.\n"),
        Some(Outcome::RolledBack) => {
            text.push_str("The change was rolled back: it is no longer in your checkout.\n");
        }
        Some(Outcome::BranchKept) => {
            text.push_str("The change is on its own branch. To drop it:\n");
            block(text, &format!("git branch -D {}", run.branch()));
            by_git(text, facts);
        }
        Some(_) | None => {
            text.push_str("Before you accept it, drop the change with:\n");
            block(text, &format!("refactor-bot reject {run}"));
            text.push_str("\nAfter you accept it, undo it with");
            roll_back(text, run);
            by_git(text, facts);
        }
    }
}

/// Ends a sentence that asks for it.
fn roll_back(text: &mut String, run: &RunId) {
    text.push_str(" (newer work is never overwritten):\n");
    block(text, &format!("refactor-bot rollback {run}"));
}

/// Where the commits are somewhere that refactor-bot is not.
fn by_git(text: &mut String, facts: &Facts) {
    let Some(base) = &facts.history.state.change.base else { return };
    if facts.history.state.started.kind != Kind::Git {
        return;
    }
    if base.carried {
        text.push_str("\nWith git, in the checkout (the patches are next to this file):\n");
        block(text, "git apply --reverse diffs/*.patch");
        return;
    }
    text.push_str("\nWith git, if the commits were merged or pushed unchanged:\n");
    block(text, &format!("git revert --no-edit {}", commits(facts, base)));
}

/// What git has to revert: the commits of the run, or what landed in their place.
fn commits(facts: &Facts, base: &Base) -> String {
    let change = &facts.history.state.change;
    match facts.landed() {
        // The branch had moved, so that the run was merged.
        Some((from, to)) if from != base.commit && change.squash.is_none() => {
            format!("-m 1 {}", short(to))
        }
        Some((from, to)) => format!("{}..{}", short(from), short(to)),
        None => format!("{}..{}", short(&base.commit), short(&facts.tip)),
    }
}

fn backup(text: &mut String, facts: &Facts, dir: &Path) {
    let has = |name: &str| facts.backup.iter().any(|file| file == name);
    let at = |name: &str| quote(&dir.join(name).display().to_string());
    let _ = writeln!(text, "\nTo restore the backup that was made before the run:");
    let mut lines = Vec::new();
    if has("base.bundle") {
        lines.push(format!("git clone {} restored", at("base.bundle")));
        if has("backup.bundle") {
            let refs = "'refs/heads/*:refs/restored/*'";
            lines.push(format!("git -C restored fetch {} {refs}", at("backup.bundle")));
        }
    } else if has("backup.bundle") {
        lines.push(format!("git clone {} restored", at("backup.bundle")));
    }
    if has("snapshot.tar.gz") {
        lines.push(format!("mkdir files && tar -xzf {} -C files", at("snapshot.tar.gz")));
    }
    if lines.is_empty() {
        lines.push(format!("ls {}", quote(&dir.display().to_string())));
    }
    block(text, &lines.join("\n"));
}

fn block(text: &mut String, command: &str) {
    // A fence longer than any that a path could hold.
    let longest = command.split(|c| c != '`').map(str::len).max().unwrap_or(0).max(2);
    let fence = "`".repeat(longest + 1);
    let _ = writeln!(text, "\n{fence}sh\n{command}\n{fence}");
}
