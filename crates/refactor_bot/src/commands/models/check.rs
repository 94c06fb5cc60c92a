//! Whether a provider is ready: its program, its login, its key. No model is asked and nothing is paid.

use rb_models::Calling;
use serde_json::json;

use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::model_settings::{ModelSettings, failed};

/// Check that the chosen provider is ready, without calling a model
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args, app: &App) -> Result<Outcome, CliError> {
    let settings = ModelSettings::of(app, None)?;
    let name = settings.chosen();
    if name == "builtin" {
        return ready(app, name, "recipes without a model", "nothing needed");
    }
    let provider = settings.provider(name)?;
    let calling = Calling { cancel: &app.cancel, heard: &|_| {} };
    let probe = provider.probe(&calling).map_err(failed)?;
    ready(app, name, &probe.found, &probe.login)
}

fn ready(app: &App, name: &str, found: &str, login: &str) -> Result<Outcome, CliError> {
    if app.ui.json {
        app.ui.print_json(&json!({ "provider": name, "found": found, "login": login }))?;
    } else {
        let words = crate::ui::printable(&format!("{name} is ready: {found}; {login}"));
        app.ui.print(&format!("{words}\n"))?;
    }
    Ok(Outcome::Done)
}
