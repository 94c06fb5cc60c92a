//! Why a kata was not developed, as the person meets it.

use rb_core::RunId;
use rb_flow::RunFailure as _;
use rb_kata::{KataError, Runner};
use rb_workspace::project::ProjectError;
use rb_workspace::repo::RepoError;

use crate::error::{CliError, ErrorKind};
use crate::model_settings;
use crate::run_error::{Judgement, disk_hints, flowing, git_hints, hint, verifying};

impl From<KataError> for CliError {
    fn from(error: KataError) -> Self {
        if error.is_interruption() {
            return CliError::new(ErrorKind::Interrupted, "interrupted");
        }
        let (kind, hints) = judge(&error);
        hints.into_iter().fold(CliError::new(kind, error), CliError::hint)
    }
}

/// Adds how to resume the run, where it can be resumed and the error does not say so itself.
pub(crate) fn of_run(error: KataError, run: &RunId) -> CliError {
    let is_open = matches!(
        &error,
        KataError::Fs(_)
            | KataError::Model(_)
            | KataError::Verify(_)
            | KataError::Project(_)
            | KataError::TestsNotRun { .. }
            | KataError::Disturbed { .. }
    ) || error.is_interruption();
    let error = CliError::from(error);
    if is_open { error.hint(format!("continue with `refactor-bot resume {run}`")) } else { error }
}

fn judge(error: &KataError) -> Judgement {
    match error {
        KataError::NoFile(_) => {
            hint(ErrorKind::Usage, "give the Markdown file that describes the kata")
        }
        KataError::BadKata { .. } => hint(
            ErrorKind::Usage,
            "write a title, and what the program should do, one requirement per line",
        ),
        KataError::UnknownLanguage { .. } => {
            hint(ErrorKind::Usage, &format!("choose one with --language: {}", Runner::names()))
        }
        KataError::AmbiguousLanguage(_) => {
            hint(ErrorKind::Usage, "choose one with --language NAME")
        }
        KataError::MissingTool { install, .. } => {
            let other = format!("or choose another language with --language: {}", Runner::names());
            (ErrorKind::Environment, vec![install.clone(), other])
        }
        KataError::NoTestCommand(_) => hint(
            ErrorKind::Environment,
            "add a manifest that has a test command, or choose an empty folder with --work-dir DIR",
        ),
        KataError::NotEmpty(_) => {
            let hints = [
                "choose another folder with --work-dir DIR",
                "or commit its files, to work on a branch: git init && git add . && git commit",
            ];
            (ErrorKind::Usage, hints.map(str::to_owned).into())
        }
        KataError::NotAFolder(_) => {
            hint(ErrorKind::Usage, "choose another folder with --work-dir DIR")
        }
        KataError::RepositoryBusy { .. } => {
            hint(ErrorKind::Refused, "finish or abort that first, or choose another --work-dir DIR")
        }
        KataError::RedBefore { .. } => hint(
            ErrorKind::Refused,
            "fix these tests and commit, or choose an empty folder with --work-dir DIR",
        ),
        KataError::Disturbed { .. } => hint(
            ErrorKind::Refused,
            "undo that change; only refactor-bot may write there while it develops the kata",
        ),
        KataError::Flow(flow) => flowing(flow),
        KataError::Model(model) => model_settings::way(model),
        KataError::NoAnswer { run, error } => {
            let (kind, mut hints) = model_settings::way(error);
            hints.push(format!("commits are kept; continue with: refactor-bot resume {run}"));
            (kind, hints)
        }
        KataError::Verify(error) => verifying(error),
        KataError::TestsNotRun { .. } => hint(
            ErrorKind::Environment,
            "install what is missing; `refactor-bot doctor` shows what was found",
        ),
        KataError::Project(ProjectError::Git(git) | ProjectError::Repo(RepoError::Git(git))) => {
            git_hints(git)
        }
        KataError::Project(ProjectError::Fs(fs) | ProjectError::Repo(RepoError::Fs(fs))) => {
            (ErrorKind::Environment, disk_hints(fs))
        }
        KataError::Project(ProjectError::Moved { .. } | ProjectError::Repo(RepoError::Gone(_))) => {
            hint(ErrorKind::Refused, "put the repository back to where the kata left it")
        }
        KataError::BehindLink(_) => hint(
            ErrorKind::UnsafeInput,
            "put a real folder in its place, or choose another folder with --work-dir DIR",
        ),
        KataError::Fs(fs) => (ErrorKind::Environment, disk_hints(fs)),
        KataError::Fence(_) => (ErrorKind::Environment, Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// Every case that the user can do something about says what, with the exit code that the help lists.
    #[test]
    fn ka1_ka9_every_mistake_has_its_exit_code_and_says_what_to_do() {
        let check = |error: KataError, code: u8, expected: &str| {
            let error = CliError::from(error);
            assert_eq!(error.kind.exit_code(), code, "{}", error.message());
            let hints = error.hints.join(" | ");
            assert!(hints.contains(expected), "{}: {hints}", error.message());
        };
        let folder = || PathBuf::from("/there");
        let why = || "reason".to_owned();
        check(KataError::NoFile(folder()), 2, "Markdown file");
        check(KataError::BadKata { file: folder(), why: why() }, 2, "write a title");
        check(KataError::UnknownLanguage { name: "cobol".to_owned() }, 2, "rust, python");
        let several = vec!["rust".to_owned(), "go".to_owned()];
        check(KataError::AmbiguousLanguage(several), 2, "--language");
        let missing = KataError::MissingTool {
            language: "Go",
            program: "go".to_owned(),
            install: "install Go".to_owned(),
        };
        check(missing, 3, "install Go");
        check(KataError::NoTestCommand(folder()), 3, "--work-dir");
        check(KataError::NotEmpty(folder()), 2, "git init");
        check(KataError::NotAFolder(folder()), 2, "--work-dir");
        check(KataError::RepositoryBusy { folder: folder(), why: why() }, 1, "finish or abort");
        check(KataError::RedBefore { folder: folder(), why: why() }, 1, "fix these tests");
        check(KataError::Disturbed { folder: folder(), what: why() }, 1, "undo that change");
    }

    #[test]
    fn ka9_what_can_be_resumed_says_how() {
        let run: RunId = "20260131T120000Z".parse().unwrap();
        let disturbed =
            KataError::Disturbed { folder: PathBuf::from("/there"), what: "a.txt".to_owned() };
        let error = of_run(disturbed, &run);
        let last = error.hints.last().map(String::as_str);
        assert_eq!(last, Some("continue with `refactor-bot resume 20260131T120000Z`"));
    }
}
