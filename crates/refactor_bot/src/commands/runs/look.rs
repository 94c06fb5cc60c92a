//! `runs show --plan`, `runs show --pack` and `runs graph`.

use rb_ask::workflow::Ask;
use rb_core::{RunId, TaskId, fs};
use rb_flow::graph::Drawing;
use rb_kata::workflow::Kata;
use rb_pack::Pack;
use rb_refactor::{drawings, summary};
use rb_ticket::workflow::Ticketing;

use crate::app::App;
use crate::commands::run::{left_text, plan_text};
use crate::error::{CliError, ErrorKind, Outcome};
use crate::run_view;
use crate::ui::printable;

/// How a graph is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum GraphForm {
    Text,
    Mermaid,
    Svg,
}

pub(super) fn plan(app: &App, id: &RunId) -> Result<Outcome, CliError> {
    let state = summary(&run_view::context(app)?, id)?;
    let plan = state.whole_plan()?;
    if app.ui.json {
        app.ui.print_json(&plan)?;
        return Ok(Outcome::Done);
    }
    app.ui.print(&format!("{}{}", plan_text(&state)?, left_text(&plan)))?;
    Ok(Outcome::Done)
}

pub(super) fn pack(app: &App, id: &RunId, task: TaskId) -> Result<Outcome, CliError> {
    let state = summary(&run_view::context(app)?, id)?;
    let Some(file) = state.packs.get(&task) else {
        let message = format!("no model was called for {task} in run {id}");
        return Err(CliError::new(ErrorKind::Usage, message)
            .hint(format!("`refactor-bot runs show {id} --plan` shows who does which task")));
    };
    let pack: Pack = serde_json::from_slice(&fs::read(file)?)
        .map_err(|error| CliError::new(ErrorKind::UnsafeInput, error))?;
    if app.ui.json {
        app.ui.print_json(&pack)?;
    } else {
        app.ui.print_foreign((pack.shown() + &pack.texts()).as_bytes())?;
    }
    Ok(Outcome::Done)
}

pub(super) fn graph(app: &App, workflow: &str, form: GraphForm) -> Result<Outcome, CliError> {
    let others = [Ask::drawing(), Kata::drawing(), Ticketing::drawing()];
    let all: Vec<Drawing> = drawings().into_iter().chain(others).collect();
    let Some(drawing) = all.iter().find(|drawing| drawing.name == workflow) else {
        let names: Vec<&str> = all.iter().map(|drawing| drawing.name).collect();
        let message = format!("there is no workflow `{}`", printable(workflow));
        let hint = format!("there are {}", names.join(", "));
        return Err(CliError::new(ErrorKind::Usage, message).hint(hint));
    };
    let drawn = match form {
        GraphForm::Text => drawing.text(),
        GraphForm::Mermaid => drawing.mermaid(),
        GraphForm::Svg => drawing.svg(),
    };
    if app.ui.json {
        app.ui.print_json(&serde_json::json!({ "workflow": workflow, "drawing": drawn }))?;
    } else {
        app.ui.print_raw(&drawn)?;
    }
    Ok(Outcome::Done)
}
