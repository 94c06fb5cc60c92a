//! The batch as a prompt says it: what is to be done, where, and within which limits.
//!
//! Every part has its own bound, so that the batch always fits into `Budgets::LEAST_CHARS`.

use std::fmt::Write as _;

use rb_core::path::quote;
use rb_core::{RepoPath, Task, VerifierLevel};
use rb_models::Family;

use crate::text::{inline, listed};

/// What a prompt says of a task.
#[derive(Debug, Clone, Copy)]
pub struct Assignment<'p> {
    pub task: &'p Task,
    /// In the person's words.
    pub directive: Option<&'p str>,
    /// The command lines that the change will be verified with.
    pub verifiers: &'p [String],
    /// Whose tokens are counted.
    pub family: Family,
}

const LONGEST_GOAL: usize = 1_500;
const LONGEST_DIRECTIVE: usize = 800;
const LONGEST_SCOPE: usize = 1_000;
const LONGEST_FILES: usize = 1_000;
const LONGEST_OPERATIONS: usize = 400;
/// Of one command, one convention.
pub(crate) const LONGEST_ITEM: usize = 400;
/// What a planner says of a batch is all that its author knows of the others.
const LONGEST_NOTE: usize = 2_100;

impl Assignment<'_> {
    /// The batch in at most 5,500 characters.
    pub(crate) fn batch(&self) -> String {
        let task = self.task;
        let mut out = format!("Goal: {}\n", inline(&task.goal, LONGEST_GOAL));
        if let Some(directive) = self.directive {
            let directive = inline(directive, LONGEST_DIRECTIVE);
            let _ = writeln!(
                out,
                "The user asked for: {directive}\nOf that, do what the goal says and nothing else."
            );
        }
        out.push_str(&self.scope());
        let operations = match task.allowed_operations.as_slice() {
            [] => "those that the goal needs".to_owned(),
            operations => listed(operations, LONGEST_OPERATIONS),
        };
        let _ = writeln!(out, "Allowed operations: {operations}");
        let budget = match task.diff_budget_loc {
            Some(lines) => format!("at most {lines} lines, counting added and removed"),
            None => "as few lines as the goal needs".to_owned(),
        };
        let _ = writeln!(out, "Diff budget: {budget}");
        let verifier = match task.verifier_level {
            _ if self.verifiers.is_empty() => {
                "no command, only checks of syntax, imports, exports and calls"
            }
            VerifierLevel::Fast => "fast, the tests that the change can affect",
            VerifierLevel::Full => "full, all tests",
        };
        let _ = writeln!(out, "Verifier: {verifier}");
        out
    }

    /// Patterns that name files and nothing else are shown as these files.
    fn scope(&self) -> String {
        let Task { files, scope_globs: globs, .. } = self.task;
        let quoted = |path: &RepoPath| quote(path.as_bytes());
        let named: Option<Vec<RepoPath>> = globs.iter().map(|glob| only_file(glob)).collect();
        let mut out = match &named {
            _ if globs.is_empty() => "Scope: the files below that may be changed\n".to_owned(),
            Some(named) if files.iter().all(|file| named.contains(file)) => String::new(),
            Some(_) | None => format!("Scope: files that match {}\n", listed(globs, LONGEST_SCOPE)),
        };
        if !files.is_empty() {
            let title = if out.is_empty() { "Scope" } else { "Files of the batch" };
            let all: Vec<String> = files.iter().map(quoted).collect();
            let _ = writeln!(out, "{title}: {}", listed(&all, LONGEST_FILES));
        }
        let new = named.iter().flatten().filter(|path| !files.contains(path));
        let new: Vec<String> = new.map(quoted).collect();
        if !new.is_empty() && !out.contains(" match ") {
            let new = listed(&new, LONGEST_SCOPE);
            let _ = writeln!(out, "May also be created or changed if the goal requires it: {new}");
        }
        out
    }

    pub(crate) fn notes(&self, most: usize) -> String {
        items(&self.task.notes, LONGEST_NOTE, most)
    }

    pub(crate) fn commands(&self, most: usize) -> String {
        items(self.verifiers, LONGEST_ITEM, most)
    }
}

/// The one file that a pattern means, from the root of the repository.
pub(crate) fn only_file(glob: &str) -> Option<RepoPath> {
    let mut path = String::new();
    let mut chars = glob.strip_prefix('/').unwrap_or(glob).chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => path.push(chars.next()?),
            '*' | '?' | '[' | ']' | '{' | '}' | '!' => return None,
            c => path.push(c),
        }
    }
    RepoPath::new(&path).ok()
}

/// One line each, as far as they fit; the rest is counted.
pub(crate) fn items(items: &[String], longest: usize, most: usize) -> String {
    let mut out = String::new();
    for (nth, item) in items.iter().enumerate() {
        let line = format!("- {}\n", inline(item, longest));
        let more = format!("- {} more\n", items.len() - nth);
        let room = most.saturating_sub(out.chars().count());
        let is_last = nth + 1 == items.len();
        if line.chars().count() + if is_last { 0 } else { more.len() } > room {
            if more.len() <= room {
                out.push_str(&more);
            }
            break;
        }
        out.push_str(&line);
    }
    out
}

#[cfg(test)]
mod tests {
    use rb_core::{TaskId, TaskKind};

    use super::*;

    #[test]
    fn rf4_a_batch_that_no_command_checks_says_so() {
        let task = Task::new(TaskId(1), "Split it".to_owned(), TaskKind::Change { format: None });
        let verifier = |verifiers: &[String]| {
            let family = Family::Other;
            let batch = Assignment { task: &task, directive: None, verifiers, family }.batch();
            batch.lines().find(|line| line.starts_with("Verifier")).unwrap().to_owned()
        };
        assert!(verifier(&["pytest".to_owned()]).ends_with("that the change can affect"));
        assert_eq!(
            verifier(&[]),
            "Verifier: no command, only checks of syntax, imports, exports and calls"
        );
    }

    #[test]
    fn rf4_a_batch_is_bounded_whatever_it_says() {
        let long = "\u{202e}x ".repeat(5_000);
        let mut task = Task::new(TaskId(u32::MAX), long.clone(), TaskKind::Change { format: None });
        task.files = (0..500)
            .map(|nth| RepoPath::new(format!("{nth}/\u{1}{}", "é".repeat(300))).unwrap())
            .collect();
        task.scope_globs = vec!["\n".repeat(50) + &long; 100];
        task.allowed_operations = vec![long.clone(); 100];
        task.diff_budget_loc = Some(usize::MAX);
        task.notes = vec![long.clone(); 100];
        let assignment = Assignment {
            task: &task,
            directive: Some(&long),
            verifiers: &vec![long.clone(); 50],
            family: Family::Other,
        };
        assert!(
            assignment.batch().chars().count() <= 5_500,
            "{}",
            assignment.batch().chars().count()
        );
        for most in [0, 10, 500, 1_000] {
            assert!(assignment.notes(most).chars().count() <= most);
            assert!(assignment.commands(most).chars().count() <= most);
        }
        assert!(assignment.notes(1_000).ends_with("more\n"));
    }
}
