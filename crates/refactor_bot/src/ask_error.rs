//! Why a question was not answered, as the person meets it.

use rb_ask::AskError;
use rb_core::RunId;
use rb_flow::RunFailure as _;
use rb_tools::ToolError;

use crate::error::{CliError, ErrorKind};
use crate::model_settings;
use crate::run_error::{Judgement, disk_hints, flowing};

impl From<AskError> for CliError {
    fn from(error: AskError) -> Self {
        if error.is_interruption() {
            return CliError::new(ErrorKind::Interrupted, "interrupted");
        }
        match error {
            // Says itself what helps.
            AskError::Index(error) | AskError::Tool(ToolError::Index(error)) => error.into(),
            error => {
                let (kind, hints) = judge(&error);
                hints.into_iter().fold(CliError::new(kind, error), CliError::hint)
            }
        }
    }
}

/// Adds how to resume the run, where it can be resumed.
pub(crate) fn of_run(error: AskError, run: &RunId) -> CliError {
    let is_open = matches!(&error, AskError::Fs(_) | AskError::Model(_) | AskError::Index(_))
        || error.is_interruption();
    let error = CliError::from(error);
    if is_open { error.hint(format!("continue with `refactor-bot resume {run}`")) } else { error }
}

fn judge(error: &AskError) -> Judgement {
    match error {
        AskError::Flow(flow) => flowing(flow),
        AskError::Model(model) => model_settings::way(model),
        AskError::NoAnswer { run, error } => {
            let (kind, mut hints) = model_settings::way(error);
            hints.push(format!("earlier calls are kept; continue with: refactor-bot resume {run}"));
            (kind, hints)
        }
        AskError::Fs(fs) => (ErrorKind::Environment, disk_hints(fs)),
        AskError::Index(_) | AskError::Fence(_) => (ErrorKind::Environment, Vec::new()),
        // Nobody but this program made the call.
        AskError::Tool(_) => (ErrorKind::Bug, Vec::new()),
    }
}
