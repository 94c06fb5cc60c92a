//! One call: to see that a provider works, and for scripts. It goes the way of every other call: the cap, the
//! schema, the retries, the recording.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rb_core::{Progress as _, Usd, fs};
use rb_models::{Answer, CallEvent, Cost, Counted, Message, Request, Tool, Volatile};
use rb_schema::Schema;
use rb_trust::{Fence, Finding, Label, Source, TextKind, scan};
use serde::Deserialize;

use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::model_settings::{ModelSettings, failed};
use crate::numbers;
use crate::ui::{Detail, Ui};

/// Make one call to the chosen model
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Prompt; `-` reads it from standard input
    #[arg(value_name = "PROMPT", required_unless_present = "request")]
    prompt: Option<String>,

    /// Conversation as JSON: {system, messages, tools}; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["prompt", "system"])]
    request: Option<PathBuf>,

    /// Role of the call: selects the model, and is used for cost tracking
    #[arg(long, value_name = "ROLE", default_value = "call")]
    role: String,

    /// File with the system prompt
    #[arg(long, value_name = "FILE")]
    system: Option<PathBuf>,

    /// File to include as data; repeatable
    #[arg(long, value_name = "FILE", conflicts_with = "request")]
    data: Vec<PathBuf>,

    /// File with the JSON schema of the answer
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// Maximum number of tokens in the answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    max_output: Option<u64>,

    /// Folder that a provider with file access may read
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let settings = ModelSettings::of(app, None)?;
    let mut request = request(args)?;
    enclose(&args.data, &mut request, &app.ui)?;
    let ui = app.ui.clone();
    let models = settings.models(Usd::default(), move |told| tell(&ui, &told))?;
    let steps = app.ui.progress();
    steps.begin(&format!("asking {}", models.route(&args.role).provider.name()), 0);
    let result = models.call(request);
    steps.end();
    let answer = result.map_err(failed)?;
    if app.ui.json {
        app.ui.print_json(&answer)?;
    } else {
        app.ui.print_foreign(shown(&answer).as_bytes())?;
        app.ui.note(&summary(&answer));
    }
    for left in models.unused() {
        app.ui.warn(&format!("a recorded call was not used ({left})"));
    }
    Ok(Outcome::Done)
}

/// What the file of `--request` holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Conversation {
    #[serde(default)]
    system: String,
    messages: Vec<Message>,
    #[serde(default)]
    tools: Vec<Tool>,
}

fn request(args: &Args) -> Result<Request, CliError> {
    let mut request = match (&args.request, &args.prompt) {
        (Some(file), _) => {
            let conversation: Conversation =
                serde_json::from_str(&text_of(file)?).map_err(|error| {
                    CliError::new(ErrorKind::Usage, format!("{}: {error}", file.display()))
                        .hint("it is an object with `system`, `messages` and `tools`; a message is {\"from\": \"user\", \"text\": …}")
                })?;
            let mut request = Request::new(&args.role, conversation.system, "");
            request.messages = conversation.messages;
            request.tools = conversation.tools;
            request
        }
        (None, prompt) => {
            let prompt = prompt.as_deref().unwrap_or_default();
            let prompt = if prompt == "-" { text_of(Path::new("-"))? } else { prompt.to_owned() };
            let system = args.system.as_deref().map(text_of).transpose()?.unwrap_or_default();
            Request::new(&args.role, system, prompt)
        }
    };
    if let Some(file) = &args.schema {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default().split('.').next().unwrap_or_default().to_owned();
        let schema = Schema::parse(&name, &text_of(file)?).map_err(|error| {
            CliError::new(ErrorKind::Usage, format!("{}: {error}", file.display()))
        })?;
        request.schema = Some(Arc::new(schema));
    }
    if let Some(most) = args.max_output {
        request.limits.output_tokens = most;
    }
    request.folder.clone_from(&args.folder);
    Ok(request)
}

/// Puts foreign texts behind the question, between marks that they cannot know, and says what in them tries to
/// be more than data.
fn enclose(files: &[PathBuf], request: &mut Request, ui: &Ui) -> Result<(), CliError> {
    if files.is_empty() {
        return Ok(());
    }
    let fence = Fence::new(rb_core::random::bytes());
    let mut enclosed = String::new();
    for file in files {
        let (name, text) = (file.display().to_string(), text_of(file)?);
        for found in scan(&text, TextKind::of_path(&name)) {
            let Finding { line, score, excerpt, .. } = &found;
            let kind = found.kind.name();
            ui.warn(&format!("{name}:{line}: suspicious text ({kind}, {score} of 100): {excerpt}"));
        }
        let label = Label { source: Source::File, name };
        let around = fence.around(&label, &text);
        // It would have to guess 128 random bits.
        enclosed += &around.map_err(|error| CliError::new(ErrorKind::UnsafeInput, error))?;
    }
    let system = [request.system.as_str(), &fence.explanation()];
    request.system =
        system.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n\n");
    if let Some(Message::User { text }) = request.messages.last_mut() {
        *text = format!("{text}\n\n{enclosed}");
    }
    let text = fence.mark().to_owned();
    request.volatile.push(Volatile { text, stands_for: "fence" });
    Ok(())
}

/// A file, or standard input for `-`.
fn text_of(file: &Path) -> Result<String, CliError> {
    let bytes = if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(|error| {
            CliError::new(ErrorKind::Environment, format!("standard input: {error}"))
        })?;
        bytes
    } else {
        fs::read(file)?
    };
    String::from_utf8(bytes)
        .map_err(|_| CliError::new(ErrorKind::Usage, format!("{} is not text", file.display())))
}

/// What is going on, for who waits.
fn tell(ui: &Ui, told: &CallEvent<'_>) {
    match told {
        CallEvent::Waiting { fault, wait } => {
            ui.note(&format!("{fault}; retrying in {:.0} s", wait.as_secs_f64().ceil()));
        }
        CallEvent::AskingAgain { why } => {
            ui.note(&format!("the answer does not match the schema, retrying: {why}"));
        }
        CallEvent::Asking { model, estimate, .. } if ui.detail == Detail::Verbose => {
            ui.note(&format!("calling `{model}` with about {} tokens", estimate.input));
        }
        CallEvent::Asking { .. }
        | CallEvent::Sending(_)
        | CallEvent::Heard(_)
        | CallEvent::Booked(_)
        | CallEvent::Failed(_) => {}
    }
}

fn shown(answer: &Answer) -> String {
    let mut text = String::new();
    match &answer.value {
        Some(value) => {
            let _ = writeln!(text, "{value:#}");
        }
        None if !answer.text.is_empty() => {
            let _ = writeln!(text, "{}", answer.text.trim_end());
        }
        None => {}
    }
    for call in &answer.tool_calls {
        let line = serde_json::to_string(call).expect("a tool call is JSON");
        let _ = writeln!(text, "{line}");
    }
    text
}

/// `anthropic claude-sonnet-4-5: 1,203 + 88 tokens, $0.004929, 2.1 s`
fn summary(answer: &Answer) -> String {
    let (facts, usage) = (&answer.facts, &answer.usage);
    let estimated = if usage.counted == Counted::Estimate { " (our estimate)" } else { "" };
    let cost = match answer.cost {
        Cost::Reported(usd) | Cost::Priced(usd) => usd.to_string(),
        Cost::Free => "free".to_owned(),
        Cost::Unknown => "price unknown".to_owned(),
    };
    let (input, output) = (numbers::count(usage.all_input()), numbers::count(usage.output));
    let seconds = std::time::Duration::from_millis(answer.timing.whole_ms).as_secs_f64();
    let tries = if facts.tries > 1 { format!(", {} tries", facts.tries) } else { String::new() };
    let who = format!("{} {}", facts.provider, facts.model);
    let mut text = format!(
        "{}: {input} + {output} tokens{estimated}, {cost}, {seconds:.1} s{tries}",
        who.trim_end()
    );
    for note in &facts.notes {
        let _ = write!(text, "\n{note}");
    }
    text
}
