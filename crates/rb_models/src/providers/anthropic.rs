//! Anthropic's messages API, always as a stream.
//!
//! The form of an answer is asked for as a tool whose input it is, forced where the model takes that. What
//! can be told apart is: a bad key, no credit, a prompt that is too long, an overloaded server, half an
//! answer. Thinking is neither asked for nor handed on.

mod answer;
mod body;
mod capabilities;
mod faults;
mod wire;

use rb_http::{
    Auth, BadSetting, Http, HttpContext, HttpOptions, Incoming, Patience, Secret, Times,
};
use serde_json::Value;

use crate::call::{Answer, Cost, Request};
use crate::catalog::{Catalog, Quirks};
use crate::error::{Failed, Fault, ModelError};
use crate::provider::{
    Abilities, Calling, Heard, Probe, Provider, SchemaBy, Watch, forbids, is_path,
};
use answer::Assembly;
use body::RequestBody;
use capabilities::Capabilities;
use faults::Shown;

/// What the API promises not to change.
const VERSION: &str = "2023-06-01";

pub struct AnthropicOptions {
    /// As the provider is chosen by.
    pub name: String,
    /// Without `/v1/messages`.
    pub base_url: String,
    pub key: Option<Secret>,
    /// Where a user sets the key, such as the name of a variable.
    pub key_setting: String,
    /// Which models refuse what.
    pub quirks: Quirks,
    pub http: HttpOptions,
    pub context: HttpContext,
}

impl AnthropicOptions {
    /// Anthropic's own server.
    pub fn new(context: HttpContext) -> Self {
        AnthropicOptions {
            name: "anthropic".to_owned(),
            base_url: "https://api.anthropic.com".to_owned(),
            key: None,
            key_setting: "ANTHROPIC_API_KEY".to_owned(),
            quirks: bundled(),
            http: HttpOptions::default(),
            context,
        }
    }
}

/// Of the file that comes with the program.
fn bundled() -> Quirks {
    let catalog = Catalog::bundled();
    catalog.get("anthropic").map(|spec| spec.quirks.clone()).unwrap_or_default()
}

pub struct Anthropic {
    name: String,
    key: Option<Secret>,
    key_setting: String,
    quirks: Quirks,
    http: Http,
}

impl Anthropic {
    pub fn new(options: AnthropicOptions) -> Result<Self, BadSetting> {
        let AnthropicOptions { name, base_url, key, key_setting, quirks, http, context } = options;
        let key = key.filter(|key| !key.expose().is_empty());
        let auth = |key| Auth { header: "x-api-key".to_owned(), prefix: "", key };
        let base = base_url.trim().trim_end_matches('/');
        // Addresses of other services end so, and both forms are in use.
        let base = base.strip_suffix("/v1").unwrap_or(base);
        // Only the look for a model uses the client that tries again, and it should tell soon.
        let http = HttpOptions { patience: Patience { tries: 1, ..http.patience }, ..http };
        let http = Http::new(base, key.clone().map(auth), &http, &context)?;
        Ok(Anthropic { name, key, key_setting, quirks, http })
    }

    fn try_once(&self, request: &Request, calling: &Calling<'_>) -> Result<Answer, Failed> {
        if self.key.is_none() {
            return Err(Fault::NoKey.into());
        }
        let asked = RequestBody::new(request, Capabilities::of(&self.quirks, &request.model))?;
        let mut watch = Watch::start();
        let incoming = self.send(&asked, calling)?;
        watch.heard();
        (calling.heard)(Heard::Begun);
        let id = incoming.header("request-id").map(str::to_owned);
        let mut assembly = Assembly::new(&asked, Shown { key: self.key.as_ref() });
        let read = assembly.read(incoming, calling);
        let used = assembly.used();
        let answer = read.and_then(|()| assembly.answer());
        let used = used.map(|usage| (usage, Cost::Unknown));
        let mut answer = answer.map_err(|fault| Failed { fault, used })?;
        answer.facts.provider.clone_from(&self.name);
        answer.facts.id = id.or(answer.facts.id);
        answer.timing = watch.timing();
        Ok(answer)
    }

    fn send(&self, asked: &RequestBody<'_>, calling: &Calling<'_>) -> Result<Incoming, Fault> {
        let limits = asked.request.limits;
        let times = Times { first: limits.first, idle: limits.idle, whole: limits.whole };
        let headers = [("anthropic-version", VERSION)];
        let http = self.http.cancelled_by(calling.cancel);
        http.stream("/v1/messages", &headers, &asked.body(), times)
            .map_err(|error| faults::refused(error, &asked.request.model))
    }

    fn error(&self, failed: Failed) -> ModelError {
        let hint = faults::hint(&failed.fault, &self.key_setting, self.http.base());
        failed.into_error(&self.name, hint)
    }
}

impl Provider for Anthropic {
    fn name(&self) -> &str {
        &self.name
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            tools: true,
            reads_files: false,
            schema: SchemaBy::Provider,
            paid: true,
            window: None,
        }
    }

    fn probe(&self, _calling: &Calling<'_>) -> Result<Probe, ModelError> {
        match &self.key {
            Some(_) => Ok(Probe {
                found: self.http.host().to_owned(),
                login: format!("key from {}", self.key_setting),
            }),
            None => Err(self.error(Fault::NoKey.into())),
        }
    }

    fn check_model(&self, model: &str, calling: &Calling<'_>) -> Result<(), ModelError> {
        if !is_path(model) {
            return Ok(());
        }
        let http = self.http.cancelled_by(calling.cancel);
        let get = |path: &str| {
            let found = http.get_with::<Value>(path, &[("anthropic-version", VERSION)]);
            found.map_err(|error| faults::refused(error, model))
        };
        match get(&format!("/v1/models/{model}")) {
            // A server that only speaks as this one does may know no models at all.
            Err(Fault::NoSuchModel { .. }) if get("/v1/models").is_err() => Ok(()),
            Err(fault) if forbids(&fault) => Err(self.error(fault.into())),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// It is not asked to; those that always do cannot be forced to call a tool.
    fn thinks(&self, model: &str) -> bool {
        !self.quirks.takes_forced_tool(model)
    }

    fn ask(&self, request: &Request, calling: &Calling<'_>) -> Result<Answer, ModelError> {
        self.try_once(request, calling).map_err(|failed| self.error(failed))
    }
}
