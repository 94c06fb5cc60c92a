//! A run as a person names it on the command line.

use std::str::FromStr;

use rb_core::RunId;
use rb_core::id::BadRunId;
use rb_flow::{RunsError, runs};
use rb_refactor::RunError;

use crate::app::App;
use crate::error::{CliError, ErrorKind};

/// The id of a run, the beginning of one that no other run shares, or `latest`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunName(String);

const LATEST: &str = "latest";

impl FromStr for RunName {
    type Err = BadRunId;

    fn from_str(text: &str) -> Result<Self, BadRunId> {
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, 'T' | 'Z' | '-');
        let is_beginning =
            text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(is_part);
        if text != LATEST && !is_beginning {
            text.parse::<RunId>()?;
        }
        Ok(RunName(text.to_owned()))
    }
}

impl RunName {
    /// The run that is meant.
    pub(crate) fn resolve(&self, app: &App) -> Result<RunId, CliError> {
        let known = runs::list(app.home()?).map_err(RunError::from)?;
        if let Some(exact) = known.iter().find(|id| id.as_str() == self.0) {
            return Ok(exact.clone());
        }
        if self.0 == LATEST {
            return known.last().cloned().ok_or_else(|| {
                CliError::new(ErrorKind::Usage, "there are no runs yet")
                    .hint("start one with `refactor-bot run`")
            });
        }
        let meant: Vec<&RunId> =
            known.iter().filter(|id| id.as_str().starts_with(&self.0)).collect();
        match (&meant[..], self.0.parse::<RunId>()) {
            ([only], _) => Ok((*only).clone()),
            ([], Ok(id)) => Err(RunError::from(RunsError::Unknown(id)).into()),
            ([], Err(_)) => {
                let message = format!("no run begins with {}", self.0);
                Err(CliError::new(ErrorKind::Usage, message)
                    .hint("`refactor-bot runs list` lists all runs"))
            }
            (several, _) => {
                let (count, last) = (several.len(), several[several.len() - 1]);
                let message = format!("{count} runs begin with {}", self.0);
                Err(CliError::new(ErrorKind::Usage, message)
                    .hint(format!("give more of the id; the latest of them is {last}")))
            }
        }
    }
}
