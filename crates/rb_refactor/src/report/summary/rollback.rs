//! How to get rid of the change again, in commands that can be pasted.

use std::fmt::Write as _;
use std::path::Path;

use rb_core::RunId;
use rb_flow::Outcome;
use rb_toolchains::quote;
use rb_workspace::repo::Kind;

use crate::report::facts::Facts;

pub(super) fn section(facts: &Facts) -> String {
    let mut text = String::from("## Rollback\n\n");
    let (told, run) = (&facts.told, &facts.told.started.run);
    if facts.files.is_empty() {
        text.push_str("There is nothing to take back: your checkout was not written.\n");
    } else if told.started.orders.dry_run {
        text.push_str(
            "A dry run lands nothing. Patches that were applied by hand are taken back so:\n",
        );
        block(&mut text, "git apply --reverse diffs/*.patch");
    } else {
        before_landing(&mut text, told.outcome, run);
        text.push_str(
            "\nAfter it has landed, this brings branch, index and files back to what they were, and refuses where newer work would be lost:\n",
        );
        block(&mut text, &format!("refactor-bot rollback {run}"));
        by_git(&mut text, facts);
    }
    if let Some(dir) = &told.backup {
        backup(&mut text, facts, dir);
    }
    text
}

fn before_landing(text: &mut String, outcome: Option<Outcome>, run: &RunId) {
    match outcome {
        Some(Outcome::Accepted) => text.push_str("The change has landed in your checkout.\n"),
        Some(Outcome::Rejected) => {
            text.push_str("The change was rejected; nothing is left of it.\n");
        }
        Some(Outcome::BranchKept) => {
            text.push_str("The change is on a branch of its own. To drop it:\n");
            block(text, &format!("git branch -D {}", run.branch()));
        }
        Some(_) | None => {
            text.push_str("Until it is accepted nothing lands, and this drops the change:\n");
            block(text, &format!("refactor-bot reject {run}"));
        }
    }
}

/// Where the commits are somewhere that refactor-bot is not.
fn by_git(text: &mut String, facts: &Facts) {
    let Some(branch) = &facts.told.branch else { return };
    if facts.told.started.kind != Kind::Git {
        return;
    }
    if branch.carried {
        text.push_str("\nBy git alone, in the checkout (the patches lie beside this file):\n");
        block(text, "git apply --reverse diffs/*.patch");
        return;
    }
    text.push_str("\nBy git alone, where the commits were merged or pushed as they are:\n");
    block(text, &format!("git revert --no-edit {}..{}", branch.base, facts.tip));
}

fn backup(text: &mut String, facts: &Facts, dir: &Path) {
    let has = |name: &str| facts.backup.iter().any(|file| file == name);
    let at = |name: &str| quote(&dir.join(name).display().to_string());
    let _ = writeln!(
        text,
        "\nThe backup from before the run holds everything, and was restored once to see that it can be:"
    );
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
