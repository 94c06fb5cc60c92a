//! Which models answer, as flags, configuration and environment choose: the one place where a name becomes
//! a provider with its key, its price and its limits.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rb_core::{Usd, fs};
use rb_flow::event::ModelChoice;
use rb_http::{BadSetting, HttpContext, HttpOptions, Secret, SystemClock};
use rb_models::catalog::{Catalog, ProviderSpec, Wire};
use rb_models::providers::anthropic::{Anthropic, AnthropicOptions};
use rb_models::providers::chat::{Chat, ChatOptions};
use rb_models::providers::claude_code::{ClaudeCode, ClaudeLogin, ClaudeOptions};
use rb_models::providers::codex::{Codex, CodexOptions};
use rb_models::providers::command::{Command, CommandOptions};
use rb_models::providers::ollama::{Ollama, OllamaOptions};
use rb_models::{
    CallEvent, Family, Fault, Halt, Host, ModelError, Models, ModelsContext, Patience, Provider,
    Purse, Recorder, Replay, Request, Route, Routes, Tape, tokens,
};
use rb_pack::AnswerForm;

use crate::app::App;
use crate::config::Flag;
use crate::config::settings::{Models as ModelKeys, Settings};
use crate::error::{CliError, ErrorKind};
use crate::search_model;

/// How long a server keeps a model that it has loaded.
const KEEP_ALIVE: &str = "10m";

/// What a call of a program that counts its own money may cost at most.
const MOST_OF_ONE_CALL: Usd = Usd::whole(2);

/// The cap that nobody has set.
const DEFAULT_CENTS: u32 = 500;

type MakeLogin = fn(Secret) -> ClaudeLogin;

/// Variables that count as a login of Claude Code, in the order in which it looks at them.
const CLAUDE_LOGINS: [(&str, MakeLogin); 3] = [
    ("ANTHROPIC_AUTH_TOKEN", ClaudeLogin::AuthToken),
    ("ANTHROPIC_API_KEY", ClaudeLogin::ApiKey),
    ("CLAUDE_CODE_OAUTH_TOKEN", ClaudeLogin::OauthToken),
];

fn estimated(request: &Request) -> u64 {
    tokens::estimate(request, Family::of(&request.model)).input
}

/// All that is chosen, before anything is asked.
pub(crate) struct ModelSettings<'a> {
    app: &'a App,
    catalog: Catalog,
    settings: Settings,
    /// What may be spent, where somebody said so in words of the command line.
    budget: Option<Usd>,
}

impl<'a> ModelSettings<'a> {
    /// For work on `project`, or without one.
    pub(crate) fn of(app: &'a App, project: Option<&Path>) -> Result<Self, CliError> {
        let settings = app.config(project, app.models.settings()?)?.settings;
        let catalog = Catalog::with(own_providers(app)?).map_err(|error| {
            CliError::new(ErrorKind::UnsafeInput, error)
                .hint("fix or remove the file in `providers` of the home folder")
        })?;
        Ok(ModelSettings { app, catalog, settings, budget: app.models.budget_usd })
    }

    /// As a run chose it when it began, for what no flag says now.
    pub(crate) fn again(
        app: &'a App,
        project: Option<&Path>,
        choice: &ModelChoice,
    ) -> Result<Self, CliError> {
        let mut settings = ModelSettings::of(app, project)?;
        settings.budget = settings.budget.or(choice.budget);
        let given: Vec<Flag> = app.models.settings()?;
        let models = &mut settings.settings.models;
        if !given.iter().any(|flag| flag.is("models.provider")) {
            models.provider.clone_from(&choice.provider);
            if !given.iter().any(|flag| flag.is("models.model")) {
                models.model.clone_from(&choice.model);
            }
            if !given.iter().any(|flag| flag.is("models.base_url")) {
                models.base_url.clone_from(&choice.base_url);
            }
            if !given.iter().any(|flag| flag.is("models.api_key_env")) {
                models.api_key_env.clone_from(&choice.api_key_env);
            }
            if !given.iter().any(|flag| flag.is("models.for")) {
                models.roles.clone_from(&choice.roles);
            }
        }
        Ok(settings)
    }

    /// What is chosen, to be kept with a run. Keys are not part of it.
    pub(crate) fn choice(&self) -> ModelChoice {
        let ModelKeys { model, roles, base_url, api_key_env, .. } = self.keys().clone();
        let budget = self.budget;
        let provider = self.chosen().to_owned();
        ModelChoice { provider, model, roles, base_url, api_key_env, budget }
    }

    /// How a model of that provider is asked for a patch.
    pub(crate) fn answer_form(&self, provider: &str) -> Result<AnswerForm, CliError> {
        Ok(match self.keys().answer_form.as_str() {
            "diff" => AnswerForm::Diff,
            "edits" => AnswerForm::Edits,
            "auto" => usual_form(self.spec(provider)?.wire),
            other => {
                let message = format!("`{other}` is not a form of answers");
                return Err(CliError::new(ErrorKind::Usage, message)
                    .hint("set `models.answer_form` to auto, diff or edits"));
            }
        })
    }

    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    fn keys(&self) -> &ModelKeys {
        &self.settings.models
    }

    /// The name of the provider that is asked. An address alone is that of a server like `OpenAI`'s.
    pub(crate) fn chosen(&self) -> &str {
        match self.keys().provider.as_str() {
            "builtin" if !self.keys().base_url.is_empty() => "custom",
            name => name,
        }
    }

    pub(crate) fn spec(&self, name: &str) -> Result<&ProviderSpec, CliError> {
        let unknown = |error| {
            CliError::new(ErrorKind::Usage, error).hint("`refactor-bot models` lists the providers")
        };
        self.catalog.get(name).map_err(unknown)
    }

    /// What the key of a provider is set by, and the key if there is one. The flags are about the chosen one
    /// alone: nobody else gets its key. They count where no variable is set, as the environment is the safer place.
    pub(crate) fn key(&self, spec: &ProviderSpec) -> (String, Option<Secret>) {
        let is_chosen = spec.name == self.chosen();
        let named = &self.keys().api_key_env;
        let is_named = is_chosen && !named.is_empty();
        let variables = if is_named { std::slice::from_ref(named) } else { spec.keys.as_slice() };
        let value = |name: &String| self.app.environment.text(name).map(Secret::new);
        let set = variables.iter().find_map(|name| Some((name.clone(), Some(value(name)?))));
        set.unwrap_or_else(|| {
            let setting = variables.first().map_or("--api-key", String::as_str);
            let flag = self.app.models.api_key.as_ref().filter(|_| is_chosen);
            (setting.to_owned(), flag.map(|key| key.0.clone()))
        })
    }

    /// Where a provider is asked.
    pub(crate) fn base_url(&self, spec: &ProviderSpec) -> Result<String, CliError> {
        let ours = &self.keys().base_url;
        if spec.name == self.chosen() && !ours.is_empty() {
            return Ok(ours.clone());
        }
        let of_environment = |name: &str| self.app.environment.text(name);
        let usual = match (spec.wire, spec.name.as_str()) {
            (Wire::Ollama, _) => of_environment("OLLAMA_HOST").map(ollama_host),
            (_, "anthropic") => of_environment("ANTHROPIC_BASE_URL").map(str::to_owned),
            (_, "openai") => of_environment("OPENAI_BASE_URL").map(str::to_owned),
            _ => None,
        };
        usual.or_else(|| spec.base_url.clone()).ok_or_else(|| {
            let words = format!("the provider `{}` has no address", spec.name);
            CliError::new(ErrorKind::Usage, words).hint("give it with --base-url URL")
        })
    }

    /// The provider of that name, with everything it needs.
    pub(crate) fn provider(&self, name: &str) -> Result<Arc<dyn Provider>, CliError> {
        let spec = self.spec(name)?;
        Ok(match spec.wire {
            Wire::Builtin => return Err(no_model()),
            Wire::ClaudeCode => Arc::new(self.claude(spec)?),
            Wire::Codex => Arc::new(Codex::new(self.host()?, CodexOptions::default())),
            Wire::Command => {
                let options = CommandOptions { argv: self.keys().command.clone(), env: Vec::new() };
                Arc::new(Command::new(self.host()?, options))
            }
            Wire::Anthropic | Wire::Chat | Wire::Ollama => self.server(spec)?,
        })
    }

    /// A provider that is reached over HTTP.
    fn server(&self, spec: &ProviderSpec) -> Result<Arc<dyn Provider>, CliError> {
        let (key_setting, key) = self.key(spec);
        let base_url = self.base_url(spec)?;
        let (http, context) = self.http(&base_url);
        let made: Result<Arc<dyn Provider>, BadSetting> = match spec.wire {
            Wire::Anthropic => {
                let own = AnthropicOptions::new(context);
                let name = spec.name.clone();
                let quirks = spec.quirks.clone();
                let options =
                    AnthropicOptions { name, base_url, key, key_setting, quirks, http, ..own };
                Anthropic::new(options).map(|made| Arc::new(made) as _)
            }
            Wire::Ollama => Ollama::new(OllamaOptions {
                spec: spec.clone(),
                base_url: Some(base_url),
                key,
                key_setting,
                model: Some(self.keys().model.clone())
                    .filter(|model| spec.name == self.chosen() && !model.is_empty()),
                keep_alive: KEEP_ALIVE.to_owned(),
                estimate: estimated,
                http,
                context,
            })
            .map(|made| Arc::new(made) as _),
            Wire::Chat | Wire::ClaudeCode | Wire::Codex | Wire::Command | Wire::Builtin => {
                let (spec, base_url) = (spec.clone(), Some(base_url));
                Chat::new(ChatOptions { spec, base_url, key, key_setting, http, context })
                    .map(|made| Arc::new(made) as _)
            }
        };
        made.map_err(|error| CliError::new(ErrorKind::Usage, error))
    }

    fn claude(&self, spec: &ProviderSpec) -> Result<ClaudeCode, CliError> {
        let claude = &self.settings.claude;
        let is_chosen = spec.name == self.chosen();
        let key = self.key(spec).1.filter(|_| is_chosen);
        let options = ClaudeOptions {
            binary: claude.binary.clone(),
            login: key.map_or(ClaudeLogin::Own, ClaudeLogin::ApiKey),
            fallback: self.claude_logins().next(),
            base_url: Some(self.keys().base_url.clone())
                .filter(|url| is_chosen && !url.is_empty())
                .or_else(|| Some(self.app.environment.text("ANTHROPIC_BASE_URL")?.to_owned())),
            max_usd: Some(self.cap_set().min(MOST_OF_ONE_CALL)),
            ..ClaudeOptions::default()
        };
        let options = options
            .with_tools(&claude.tools, &claude.allowed_tools)
            .turns("planner", claude.max_turns_planner)
            .turns("patcher", claude.max_turns_patcher);
        Ok(ClaudeCode::new(self.host()?, options))
    }

    /// The logins of Claude Code that the environment holds.
    fn claude_logins(&self) -> impl Iterator<Item = ClaudeLogin> {
        CLAUDE_LOGINS.into_iter().filter_map(move |(name, login)| {
            self.app.environment.text(name).map(|text| login(Secret::new(text)))
        })
    }

    /// What programs find around them. Keys are not part of it.
    fn host(&self) -> Result<Host, CliError> {
        let scratch = self.app.home()?.root().join("scratch");
        Ok(Host::new(&self.app.env, self.app.environment.all(), scratch))
    }

    fn http(&self, url: &str) -> (HttpOptions, HttpContext) {
        let options =
            HttpOptions { proxy: search_model::proxy(self.app, url), ..HttpOptions::default() };
        (options, search_model::context(self.app))
    }

    fn route(&self, provider: &str, model: &str) -> Result<Route, CliError> {
        let spec = self.spec(provider)?;
        let usual = spec.default_model.clone().unwrap_or_default();
        let model = if model.is_empty() { usual } else { model.to_owned() };
        // A server that only its address tells of may offer anybody's model.
        let is_anybody = spec.wire == Wire::Chat && spec.base_url.is_none();
        let known = spec.price(&model).cloned();
        let price = known.or_else(|| self.catalog.dearest(&model).filter(|_| is_anybody));
        let (window, max_output) = (spec.window(&model), spec.max_output(&model));
        Ok(Route { provider: self.provider(provider)?, model, price, window, max_output })
    }

    fn routes(&self) -> Result<Routes, CliError> {
        let usual = self.route(self.chosen(), &self.keys().model)?;
        let mut roles = BTreeMap::new();
        for entry in &self.keys().roles {
            let (role, model) = entry.split_once('=').ok_or_else(|| {
                CliError::new(ErrorKind::Usage, format!("`{entry}` is not of the form ROLE=MODEL"))
            })?;
            let (provider, model) = match model.split_once(':') {
                Some((name, rest)) if self.catalog.get(name).is_ok() => (name, rest),
                _ => (self.chosen(), model),
            };
            roles.insert(role.to_owned(), self.route(provider, model)?);
        }
        Ok(Routes { usual, roles })
    }

    /// All models, ready to be called; `spent` is what the same run spent before.
    pub(crate) fn models(
        &self,
        spent: Usd,
        told: impl Fn(CallEvent<'_>) + Send + Sync + 'static,
    ) -> Result<Models, CliError> {
        let flags = &self.app.models;
        let secrets = self.secrets();
        let tape = match (&flags.record, &flags.replay) {
            (Some(path), _) => Tape::Record(Recorder::new(path, &secrets).map_err(tape_fault)?),
            (None, Some(path)) => Tape::Replay(Replay::open(path, &secrets).map_err(tape_fault)?),
            (None, None) => Tape::Off,
        };
        let routes = self.routes()?;
        let purse = Purse::new(self.cap(&routes), spent);
        let context = ModelsContext {
            clock: Arc::new(SystemClock),
            cancel: self.app.cancel.clone(),
            told: Box::new(told),
        };
        Ok(Models::new(routes, tape, purse, Patience::default(), context))
    }

    /// The cap. One that nobody set does not keep a model from being used whose price nobody knows; that it
    /// is not known is said.
    fn cap(&self, routes: &Routes) -> Option<Usd> {
        let is_set = self.budget.is_some() || self.keys().max_cents != DEFAULT_CENTS;
        let mut all = std::iter::once(&routes.usual).chain(routes.roles.values());
        match all.find(|route| route.is_unpriced()) {
            Some(route) if !is_set => {
                let provider = route.provider.name();
                let of = match route.model.as_str() {
                    "" => provider.to_owned(),
                    model => format!("`{model}` of {provider}"),
                };
                let words = "is unknown, so spending is not limited; state it in a provider file (docs/models.md)";
                self.app.ui.warn(&format!("the price of {of} {words}"));
                None
            }
            _ => Some(self.cap_set()),
        }
    }

    fn cap_set(&self) -> Usd {
        let cents = f64::from(self.keys().max_cents);
        let usual = || Usd::new(cents / 100.0).expect("the number of cents is bounded");
        self.budget.unwrap_or_else(usual)
    }

    /// Every key that is known here, to be struck from whatever is written.
    pub(crate) fn secrets(&self) -> Vec<Secret> {
        let specs = self.catalog.names().filter_map(|name| self.catalog.get(name).ok());
        let keys = specs.filter_map(|spec| self.key(spec).1);
        let logins = CLAUDE_LOGINS.into_iter();
        let tokens = logins.filter_map(|(name, _)| self.app.environment.text(name));
        keys.chain(tokens.map(Secret::new)).collect()
    }
}

/// Models copy lines well and write hunks badly, so that edits are asked for. Codex is made for patches, and an own program gets the
/// form that needs no optional key.
fn usual_form(wire: Wire) -> AnswerForm {
    match wire {
        Wire::Anthropic | Wire::Chat | Wire::ClaudeCode | Wire::Ollama => AnswerForm::Edits,
        Wire::Codex | Wire::Command | Wire::Builtin => AnswerForm::Diff,
    }
}

/// A call that failed, as the person meets it.
pub(crate) fn failed(error: ModelError) -> CliError {
    let (kind, hints) = way(&error);
    hints.into_iter().fold(CliError::new(kind, error), CliError::hint)
}

/// The exit code of a call that failed, and what helps against it.
pub(crate) fn way(error: &ModelError) -> (ErrorKind, Vec<String>) {
    let kind = match error.fault.halt() {
        Halt::Environment => ErrorKind::Environment,
        Halt::Limit => ErrorKind::Limit,
        Halt::Refused => ErrorKind::Refused,
        Halt::Usage => ErrorKind::Usage,
        Halt::Interrupted => ErrorKind::Interrupted,
    };
    let hint = error.hint.clone().or_else(|| way_out(&error.fault));
    (kind, hint.into_iter().collect())
}

/// What helps against faults that are the same whatever the provider.
fn way_out(fault: &Fault) -> Option<String> {
    let words = match fault {
        Fault::OverCap { .. } => "allow more with --budget-usd, or use a cheaper model",
        Fault::PriceUnknown { .. } => {
            "state its price, `input` and `output`, in a provider file (docs/models.md), or omit --budget-usd"
        }
        Fault::RateLimited { wait: Some(wait), .. }
        | Fault::Overloaded { wait: Some(wait), .. } => {
            return Some(format!("the provider asks to wait {} s; try again then", wait.as_secs()));
        }
        Fault::RateLimited { .. } | Fault::Overloaded { .. } | Fault::Stalled(_) => {
            "try again later"
        }
        Fault::TooSlow(_) => "use a faster model, or a smaller request",
        Fault::Tls { .. } => "check the address, the proxy and the certificates of this machine",
        Fault::Unreachable { .. } => "check the address, the network and the proxy",
        Fault::Half { .. } | Fault::Malformed { .. } => {
            "check the address: something between here and the provider may have answered"
        }
        Fault::AnswerCut { .. } => "allow a longer answer, or make a smaller request",
        Fault::TooLong { .. } | Fault::PromptCut { .. } => {
            "make a smaller request, or use a model with a larger context"
        }
        Fault::NotAsAsked { .. } => "use another model, or a simpler schema",
        Fault::ReplayDiffers { .. } => {
            "record again with --record, or go back to what was recorded"
        }
        Fault::NotInstalled { .. }
        | Fault::NotLoggedIn { .. }
        | Fault::NoKey
        | Fault::BadKey { .. }
        | Fault::NoCredit { .. }
        | Fault::NoSuchModel { .. }
        | Fault::BadRequest { .. }
        | Fault::Refusal { .. }
        | Fault::Unable { .. }
        | Fault::Program { .. }
        | Fault::Recording { .. }
        | Fault::Interrupted => return None,
    };
    Some(words.to_owned())
}

fn tape_fault(fault: Fault) -> CliError {
    CliError::new(ErrorKind::UnsafeInput, fault).hint("choose another file, or remove this one")
}

fn no_model() -> CliError {
    CliError::new(ErrorKind::Usage, "the provider `builtin` has no model")
        .hint("choose one with --provider; `refactor-bot models` lists them")
}

/// `OLLAMA_HOST` may be a host, a host with a port, or an address.
fn ollama_host(text: &str) -> String {
    let text = text.trim().trim_end_matches('/').replace("0.0.0.0", "127.0.0.1");
    let (scheme, host) = text.split_once("://").unwrap_or(("http", &text));
    match host.rsplit_once(':') {
        Some((_, port)) if port.parse::<u16>().is_ok() => format!("{scheme}://{host}"),
        _ => format!("{scheme}://{host}:11434"),
    }
}

/// The user's own descriptions of providers.
fn own_providers(app: &App) -> Result<Vec<(String, String)>, CliError> {
    let folder = app.home()?.root().join("providers");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for name in fs::list(&folder)? {
        let path = folder.join(&name);
        if path.extension().is_some_and(|end| end == "toml") {
            let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
            files.push((path.display().to_string(), text));
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf5_mo2_each_provider_is_asked_for_the_form_that_suits_it() {
        let catalog = Catalog::bundled();
        let form = |name: &str| usual_form(catalog.get(name).unwrap().wire);
        for name in ["anthropic", "claude-code", "openai", "ollama"] {
            assert_eq!(form(name), AnswerForm::Edits, "{name}");
        }
        for name in ["codex", "command"] {
            assert_eq!(form(name), AnswerForm::Diff, "{name}");
        }
    }
}
