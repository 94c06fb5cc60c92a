//! `rules new`: a rule of the project's own to begin with.

use std::path::PathBuf;

use rb_core::fs::{self, Durability};
use rb_patterns::{is_id, language_named, languages, template};
use rb_rules::engine::{own, rule};

use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};

const EXAMPLES: &str = "\
Examples:
  refactor-bot rules new no-console-log --language typescript
  refactor-bot rules test";

/// Create a custom rule with tests in `.refactor-bot/rules/`
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Rule id: lowercase letters, digits and dashes
    #[arg(value_name = "ID")]
    id: String,

    /// Language of the rule
    #[arg(long, value_name = "LANGUAGE", default_value = "tsx")]
    language: String,

    /// Repository of the rule
    #[arg(long, value_name = "REPO", default_value = ".")]
    repo: PathBuf,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    if !is_id(&args.id) {
        let message = format!("`{}` cannot be the id of a rule", args.id);
        return Err(CliError::new(ErrorKind::Usage, message)
            .hint("use lowercase letters, digits and dashes, as in `no-console-log`"));
    }
    if rule(&args.id).is_some() {
        let message = format!("`{}` is a built-in rule", args.id);
        return Err(CliError::new(ErrorKind::Usage, message).hint("choose another id"));
    }
    let text = language_named(&args.language).and_then(|it| template(&args.id, it));
    let Some(text) = text else {
        let names: Vec<&str> = languages().map(rb_lang::Language::name).collect();
        let message = format!("rules cannot be written for `{}`", args.language);
        return Err(CliError::new(ErrorKind::Usage, message)
            .hint(format!("choose one of {}", names.join(", "))));
    };
    if !args.repo.is_dir() {
        let message = format!("{} is not a folder", args.repo.display());
        return Err(
            CliError::new(ErrorKind::Usage, message).hint("give the folder of a repository")
        );
    }
    let path = args.repo.join(own::FOLDER).join(format!("{}.yml", args.id));
    if path.exists() {
        let message = format!("{} already exists", path.display());
        return Err(CliError::new(ErrorKind::UnsafeInput, message)
            .hint("choose another id, or edit that file"));
    }
    fs::create_dir_all(&args.repo.join(own::FOLDER))?;
    fs::write(&path, text.as_bytes(), Durability::Relaxed)?;
    if app.ui.json {
        app.ui.print_json(&serde_json::json!({ "path": path }))?;
    } else {
        app.ui.print(&format!("{}\n", path.display()))?;
    }
    app.ui.note("edit it, then run `refactor-bot rules test`");
    Ok(Outcome::Done)
}
