//! A folder outside of any repository is copied as a whole before anything else happens: that needs a person's word.

use rb_change::ChangeError;
use rb_refactor::RunError;
use rb_workspace::preflight::{NoRepository, Refused};

use super::go::{Answer, Answers, ask};
use crate::app::App;
use crate::error::{CliError, ErrorKind};
use crate::numbers::{self, plural};
use crate::ui::printable;

/// Who may say that a folder without git is copied: a flag, `--yes`, or the person at the terminal.
pub(crate) struct CopyConsent {
    /// `--allow-no-git`
    pub(crate) flag: bool,
    pub(crate) answers: Answers,
}

impl CopyConsent {
    /// Begins; where the target is no repository, asks and begins again.
    pub(crate) fn ask<T>(
        &self,
        app: &App,
        mut begin: impl FnMut(NoRepository) -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        if self.flag || self.answers.yes {
            return begin(NoRepository::Copy);
        }
        let refused = match begin(NoRepository::Refuse) {
            Err(error) if self.answers.is_terminal => error,
            result => return result,
        };
        let Some(question) = question(&refused) else { return Err(refused) };
        match ask(app, self.answers, &question) {
            Answer::Yes => begin(NoRepository::Copy),
            Answer::Interrupted => {
                Err(CliError::new(ErrorKind::Interrupted, "interrupted; nothing was copied"))
            }
            Answer::No | Answer::Later | Answer::Diff => {
                Err(CliError::new(ErrorKind::Rejected, "nothing was copied"))
            }
        }
    }
}

/// The question that an error raises; none unless the target is no repository.
fn question(error: &CliError) -> Option<String> {
    let error = error.source.downcast_ref::<RunError>()?;
    let RunError::Change(ChangeError::Preflight(Refused::NotARepository { root, files, bytes })) =
        error
    else {
        return None;
    };
    let copy = format!("{} ({})", plural(*files, "file"), numbers::bytes(*bytes));
    let root = printable(&root.display().to_string());
    Some(format!(
        "{root} is not a git repository. refactor-bot works on a copy of it: {copy}.\nCopy it? [y]es, [n]o: "
    ))
}
