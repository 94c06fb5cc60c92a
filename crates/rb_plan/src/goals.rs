//! What tells tasks with the same goal apart: a file that only one of them has, or the line where it begins.
//!
//! "Part 2 of 4" would tell a reader nothing.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::{Proposer, Task};

use crate::draft::place;
use crate::readable::{and_more, first_of};
use crate::repo_facts::text;

/// Gives each task a goal of its own. `first_lines` are the lines of their first places, where these are known.
pub(crate) fn tell_apart(tasks: &mut [Task], first_lines: &[Option<u32>]) {
    let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, task) in tasks.iter().enumerate() {
        alike.entry(without_size(&task.goal).0.to_owned()).or_default().push(at);
    }
    for group in alike.into_values().filter(|group| group.len() > 1) {
        let marks = marks(tasks, &group, first_lines);
        for (at, mark) in group.into_iter().zip(marks) {
            tasks[at].goal = marked(&tasks[at], &mark);
        }
    }
}

/// A goal, and in how many places it is reached: they say nothing of which one it is.
fn without_size(goal: &str) -> (&str, &str) {
    let is_size = |tail: &str| tail.ends_with(" place)") || tail.ends_with(" places)");
    match goal.rfind(" (").map(|at| goal.split_at(at)) {
        Some((name, size)) if is_size(size) => (name, size),
        Some(_) | None => (goal, ""),
    }
}

/// What each task of a group alone has.
fn marks(tasks: &[Task], group: &[usize], first_lines: &[Option<u32>]) -> Vec<String> {
    let mut having: BTreeMap<&str, usize> = BTreeMap::new();
    for file in group.iter().flat_map(|&at| files(&tasks[at])) {
        *having.entry(file).or_default() += 1;
    }
    let mark = |&at: &usize| {
        let files = files(&tasks[at]);
        let own = files.iter().find(|file| having.get(*file) == Some(&1));
        match (own, first_lines.get(at).copied().flatten()) {
            (Some(own), _) => and_more(own, files.len() - 1),
            (None, Some(line)) => format!("{} from line {line}", first_of(&files)),
            (None, None) => first_of(&files),
        }
    };
    let marks: Vec<String> = group.iter().map(mark).collect();
    let is_own = |mark: &String| marks.iter().filter(|other| *other == mark).count() == 1;
    let unique = group.iter().zip(&marks).map(|(&at, mark)| {
        if is_own(mark) { mark.clone() } else { format!("{mark}, {}", tasks[at].id) }
    });
    unique.collect()
}

/// The goal with the mark in place of its folder, or appended if it names none.
fn marked(task: &Task, mark: &str) -> String {
    let (name, size) = without_size(&task.goal);
    let folder = format!(" in {}", place(&files(task)));
    match name.strip_suffix(&folder).filter(|_| task.by != Proposer::Model) {
        Some(head) => format!("{head} in {mark}{size}"),
        None => format!("{}: {mark}", task.goal),
    }
}

fn files(task: &Task) -> BTreeSet<&str> {
    task.files.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use rb_core::{TaskId, TaskKind};

    use super::*;
    use crate::repo_facts::repo_path;

    /// Tasks of goals, files and first lines, with the goals that they are given.
    #[track_caller]
    fn check(rows: &[(&str, &str, Option<u32>)], expected: &[&str]) {
        let task = |(id, (goal, files, _)): (u32, &(&str, &str, Option<u32>))| {
            let mut task = Task::new(TaskId(id), *goal, TaskKind::Change { format: None });
            task.by = Proposer::Rule { id: "dead-code".to_owned() };
            task.files = files.split(' ').filter_map(repo_path).collect();
            task
        };
        let mut tasks: Vec<Task> = (1..).zip(rows).map(task).collect();
        let lines: Vec<Option<u32>> = rows.iter().map(|row| row.2).collect();
        tell_apart(&mut tasks, &lines);
        let goals: Vec<&str> = tasks.iter().map(|task| task.goal.as_str()).collect();
        assert_eq!(goals, expected);
    }

    #[test]
    fn rf3_tasks_with_one_goal_are_named_by_what_one_of_them_has() {
        check(
            &[
                ("Clean up in src/ (3 places)", "src/a.js src/b.js", None),
                ("Clean up in src/ (8 places)", "src/b.js src/c.js src/d.js", None),
                ("Clean up in lib/ (8 places)", "lib/a.js lib/b.js", None),
            ],
            &[
                "Clean up in src/a.js and 1 more file (3 places)",
                "Clean up in src/c.js and 2 more files (8 places)",
                "Clean up in lib/ (8 places)",
            ],
        );
        // The goal does not name the folder of the files.
        check(
            &[("Tidy (1 place)", "src/a.js", None), ("Tidy (2 places)", "src/b.js", None)],
            &["Tidy (1 place): src/a.js", "Tidy (2 places): src/b.js"],
        );
        // What is in brackets is part of the goal.
        check(
            &[("Use f(x) (fast)", "src/a.js", None), ("Use f(x) (slow)", "src/a.js", None)],
            &["Use f(x) (fast)", "Use f(x) (slow)"],
        );
    }

    #[test]
    fn rf3_tasks_over_the_same_files_are_named_by_their_lines() {
        check(
            &[
                ("Clean up in src/a.js (1 place)", "src/a.js", Some(4)),
                ("Clean up in src/a.js (1 place)", "src/a.js", Some(90)),
            ],
            &[
                "Clean up in src/a.js from line 4 (1 place)",
                "Clean up in src/a.js from line 90 (1 place)",
            ],
        );
        check(
            &[
                ("Clean up in src/a.js (1 place)", "src/a.js", None),
                ("Clean up in src/a.js (1 place)", "src/a.js", None),
            ],
            &[
                "Clean up in src/a.js, batch-001 (1 place)",
                "Clean up in src/a.js, batch-002 (1 place)",
            ],
        );
    }
}
