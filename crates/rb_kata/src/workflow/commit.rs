//! The only place that commits: a tree whose tests passed, after the commit that the run made last.

use std::fmt::Write as _;

use rb_workspace::project::ProjectError;

use super::event::{Commit, CommitKind, Event, KataEvent};
use super::state::State;
use super::world::World;
use crate::error::KataError;

/// Lines of an output that a commit message keeps.
const EVIDENCE: usize = 12;
/// Characters of the subject.
const SUBJECT: usize = 72;

/// Commits, and says so. A process that was killed in between finds its commit again and does not make it twice.
pub(super) fn commit(
    state: &State,
    world: &mut World,
    commit: Commit,
    message: &str,
) -> Result<Event, KataError> {
    world.write(KataEvent::CommitStarted {
        commit: Box::new(commit.clone()),
        message: message.to_owned(),
    })?;
    finish(state, world, commit, message)
}

/// The commit that a killed process was about to make, made or found.
pub(super) fn unfinished(state: &State, world: &mut World) -> Result<Option<Event>, KataError> {
    let Some((commit, message)) = state.committing.clone() else { return Ok(None) };
    world.restore(&state.start, &commit.tree)?;
    finish(state, world, commit, &message).map(Some)
}

fn finish(
    state: &State,
    world: &mut World,
    mut commit: Commit,
    message: &str,
) -> Result<Event, KataError> {
    let last = state.tip().map(str::to_owned);
    let project = world.project(&state.start)?;
    let tip = project.tip()?;
    let is_made = tip != last
        && project.tip_tree()?.as_deref() == Some(&commit.tree)
        && project.tip_message()? == message.trim_end();
    commit.id = match tip {
        Some(tip) if is_made => tip,
        Some(_) | None => {
            project.commit(&commit.tree, last.as_deref(), message).map_err(|error| match error {
                ProjectError::Moved { .. } => KataError::Disturbed {
                    folder: state.start.place.folder().to_owned(),
                    what: error.to_string(),
                },
                error => error.into(),
            })?
        }
    };
    Ok(KataEvent::Committed(Box::new(commit)).into())
}

/// The message of a commit: what it does, and for a new test why it failed first.
pub(super) fn message(state: &State, kind: CommitKind, summary: &str) -> String {
    let mut message = format!("{}\n", subject(kind, summary));
    if let Some(staged) = state.red.as_ref().filter(|_| kind != CommitKind::Refactor) {
        if let Some(reason) = staged.reason {
            message.push_str("\nBefore the change, the new test failed:\n\n");
            for line in staged.output.lines().take(EVIDENCE) {
                message.push_str("    ");
                message.push_str(line.trim_end());
                message.push('\n');
            }
            let _ = write!(
                message,
                "\nRed-Test: {}\nRed-Reason: {}\n",
                one_line(&staged.test.name),
                reason.words()
            );
        } else {
            message.push_str(
                "\nThe new test passed at once: the code already did what it asks for.\n",
            );
            let _ = write!(message, "\nTest: {}\n", one_line(&staged.test.name));
        }
        if !staged.requirement.trim().is_empty() {
            let _ = writeln!(message, "Requirement: {}", one_line(&staged.requirement));
        }
    }
    message
}

/// `feat: return Fizz for multiples of three`, in one line, whatever a model wrote before it.
pub(super) fn subject(kind: CommitKind, summary: &str) -> String {
    let summary = one_line(summary);
    let known = ["feat", "test", "refactor", "fix", "chore"];
    let bare = match summary.split_once(':') {
        Some((word, rest)) if known.contains(&word.trim()) => rest.trim().to_owned(),
        Some(_) | None => summary,
    };
    let bare = if bare.is_empty() { "make the new test pass".to_owned() } else { bare };
    let room = SUBJECT - kind.name().len() - 2;
    format!("{}: {}", kind.name(), shortened(bare.trim_end_matches('.'), room))
}

/// As many whole words as there is room for.
fn shortened(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(room).collect();
    if let Some((words, _)) = short.rsplit_once(' ') {
        short.truncate(words.len());
    }
    short.trim_end_matches([',', ';', ' ']).to_owned()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ka6_a_subject_is_one_line_with_the_kind_once() {
        let check = |kind: CommitKind, summary: &str, expected: &str| {
            assert_eq!(subject(kind, summary), expected);
        };
        check(CommitKind::Feat, "return Fizz\nfor 3.", "feat: return Fizz for 3");
        check(CommitKind::Feat, "feat: return Fizz", "feat: return Fizz");
        check(CommitKind::Refactor, "feat: use a table", "refactor: use a table");
        check(CommitKind::Test, "handle a: b", "test: handle a: b");
        check(CommitKind::Feat, "  ", "feat: make the new test pass");
        let long = subject(CommitKind::Feat, &"word ".repeat(40));
        assert!(long.chars().count() <= SUBJECT, "{long}");
    }
}
