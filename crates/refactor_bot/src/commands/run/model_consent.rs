//! Calling a model may cost money. Where nobody has allowed that, a person is asked once; a script has to allow it beforehand.

use super::go::{self, Answer, Answers};
use crate::app::App;
use crate::error::{CliError, ErrorKind};
use crate::run_desk::{ChosenDesk, Consent};
use crate::ui::printable;

/// Fails unless the models may be called. `yes` means that a person has agreed already.
pub(crate) fn agree(app: &App, desk: &ChosenDesk, yes: bool) -> Result<(), CliError> {
    let answers = Answers { yes, is_terminal: go::is_terminal(app) };
    let consent = Consent { yes, is_terminal: answers.is_terminal };
    if !consent.is_missing(app, Some(desk)) {
        return Ok(());
    }
    let who = printable(&desk.choice.provider);
    let refused = |words: String| {
        Err(CliError::new(ErrorKind::Limit, words)
            .hint("pass --budget-usd USD to set a limit, or --yes to use the default limit"))
    };
    if !answers.is_terminal {
        return refused(format!("calling {who} costs money, and nobody has agreed to that"));
    }
    let most = match desk.desk.models.purse().cap() {
        Some(cap) => format!("at most {cap}"),
        None => "without a limit, because its price is unknown".to_owned(),
    };
    let question = format!("This calls {who}, {most}. Continue? [y]es, [n]o: ");
    match go::ask(app, answers, &question) {
        Answer::Yes => Ok(()),
        Answer::No | Answer::Later | Answer::Diff => refused(format!("{who} was not called")),
        Answer::Interrupted => Err(CliError::new(ErrorKind::Interrupted, "interrupted")),
    }
}
