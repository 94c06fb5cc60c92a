//! Ollama in its own language, because only there the size of the window can be asked for.
//!
//! Its chat completions open a small window and cut what does not fit without a word. Here the window is made
//! as large as the request needs, and what was read is compared with what was sent.

mod body;
mod fault;
mod reading;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rb_http::{
    Auth, BadSetting, Http, HttpContext, HttpOptions, Incoming, Patience, Secret, Times,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::call::{Answer, Cost, Request};
use crate::catalog::ProviderSpec;
use crate::error::{Failed, Fault, ModelError};
use crate::provider::{Abilities, Calling, Heard, Probe, Provider, SchemaBy, Watch};
use crate::stream::lines::Lines;
use body::RequestBody;
use reading::Reading;

pub struct OllamaOptions {
    pub spec: ProviderSpec,
    /// In place of the provider's own.
    pub base_url: Option<String>,
    /// For a server behind a proxy that wants one.
    pub key: Option<Secret>,
    pub key_setting: String,
    /// The model that the probe looks for.
    pub model: Option<String>,
    /// How long the model stays loaded after a call, as Ollama writes it.
    pub keep_alive: String,
    /// Our own count of what a request sends.
    pub estimate: fn(&Request) -> u64,
    pub http: HttpOptions,
    pub context: HttpContext,
}

pub struct Ollama {
    spec: ProviderSpec,
    http: Http,
    key: Option<Secret>,
    key_setting: String,
    model: Option<String>,
    keep_alive: String,
    estimate: fn(&Request) -> u64,
    /// By model.
    known: Mutex<BTreeMap<String, About>>,
}

/// What the server says about a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct About {
    /// The largest window.
    window: Option<u64>,
    /// `None` where the server does not say.
    thinks: Option<bool>,
}

impl Ollama {
    pub fn new(options: OllamaOptions) -> Result<Self, BadSetting> {
        let spec = options.spec;
        let base = options.base_url.or_else(|| spec.base_url.clone()).ok_or(BadSetting::Address)?;
        let auth = options.key.clone().map(Auth::bearer);
        // Trying again is for who calls us.
        let patience = Patience { tries: 1, ..options.http.patience };
        let http = HttpOptions { patience, ..options.http };
        Ok(Ollama {
            http: Http::new(&base, auth, &http, &options.context)?,
            model: options.model.or_else(|| spec.default_model.clone()),
            spec,
            key: options.key,
            key_setting: options.key_setting,
            keep_alive: options.keep_alive,
            estimate: options.estimate,
            known: Mutex::default(),
        })
    }

    fn attempt(&self, request: &Request, calling: &Calling<'_>) -> Result<Answer, Failed> {
        let mut watch = Watch::start();
        let model = self.model(&request.model)?;
        let http = self.http.cancelled_by(calling.cancel);
        let about = self.about(&http, model)?;
        let sent = (self.estimate)(request);
        let asked = RequestBody::new(request, model, sent, about)?;
        let limits = request.limits;
        let times = Times { first: limits.first, idle: limits.idle, whole: limits.whole };
        let incoming = http
            .stream("/api/chat", &[], &asked.body(&self.keep_alive), times)
            .map_err(|error| fault::refused(error, model))?;
        watch.heard();
        (calling.heard)(Heard::Begun);
        let mut reading = Reading::new(&asked, calling, self.cost());
        let read = self.read(incoming, &mut reading);
        let used = reading.used();
        let answer = read.and_then(|()| reading.answer());
        let mut answer = answer.map_err(|fault| Failed { fault, used })?;
        answer.timing = watch.timing();
        answer.facts.provider.clone_from(&self.spec.name);
        answer.facts.tries = 1;
        Ok(answer)
    }

    /// The model of that name, or the usual one where none is named.
    fn model<'a>(&'a self, name: &'a str) -> Result<&'a str, Fault> {
        let named = Some(name).filter(|name| !name.is_empty());
        let words = || "no model is named".to_owned();
        named.or(self.model.as_deref()).ok_or_else(|| Fault::BadRequest { words: words() })
    }

    fn read(&self, incoming: Incoming, reading: &mut Reading<'_>) -> Result<(), Fault> {
        for line in Lines::new(incoming) {
            let line = line?;
            // A server that repeats the key does not make it ours to repeat.
            let line = self.key.as_ref().map_or(line.clone(), |key| key.struck_from(&line));
            if reading.take(&line)? {
                break;
            }
        }
        Ok(())
    }

    fn cost(&self) -> Cost {
        if self.spec.local { Cost::Free } else { Cost::Unknown }
    }

    /// Asked for once for each model; nothing is loaded for it.
    fn about(&self, http: &Http, model: &str) -> Result<About, Fault> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(about) = known().get(model) {
            return Ok(*about);
        }
        let shown = http.post::<Value>("/api/show", &json!({ "model": model }));
        let about = match shown.map_err(|error| fault::refused(error, model)) {
            Ok(shown) => About::of(&shown),
            // A server that only speaks as Ollama does may not know this question; the call itself tells the rest.
            Err(Fault::BadRequest { .. }) => About::default(),
            Err(fault) => return Err(fault),
        };
        known().insert(model.to_owned(), about);
        Ok(about)
    }

    fn look(&self, calling: &Calling<'_>) -> Result<Probe, Fault> {
        let http = self.http.cancelled_by(calling.cancel);
        let version: Version =
            http.get("/api/version").map_err(|error| fault::refused(error, ""))?;
        if let Some(model) = &self.model {
            has(&http, model)?;
        }
        let found = format!("ollama {} at {}", rb_http::printable(&version.version), http.host());
        let login = match &self.key {
            Some(_) => format!("key from {}", self.key_setting),
            None => "none".to_owned(),
        };
        Ok(Probe { found, login })
    }

    fn error(&self, failed: Failed) -> ModelError {
        let hint = match &failed.fault {
            Fault::NoSuchModel { model, .. } => Some(format!("get it with `ollama pull {model}`")),
            Fault::Unreachable { .. } => Some(format!(
                "start it with `ollama serve`; it is looked for at {}",
                self.http.base()
            )),
            Fault::BadKey { .. } => Some(format!("check {}", self.key_setting)),
            Fault::Tls { .. } => Some(format!(
                "check that {} begins with the right one of http:// and https://",
                self.http.base()
            )),
            Fault::TooLong { .. } | Fault::PromptCut { .. } => {
                Some("use a model with a larger window".to_owned())
            }
            _ => None,
        };
        failed.into_error(&self.spec.name, hint)
    }
}

fn has(http: &Http, model: &str) -> Result<(), Fault> {
    let tags: Tags = http.get("/api/tags").map_err(|error| fault::refused(error, ""))?;
    let is_it = |tag: &Tag| tag.name == *model || tag.name == format!("{model}:latest");
    if tags.models.iter().any(is_it) {
        return Ok(());
    }
    let words = "the server does not have it".to_owned();
    Err(Fault::NoSuchModel { model: model.to_owned(), words })
}

impl About {
    fn of(shown: &Value) -> Self {
        let info = shown["model_info"].as_object();
        // Named for the kind of model: `llama.context_length`.
        let window = info.and_then(|info| {
            let mut lengths = info.iter().filter(|(key, _)| key.ends_with(".context_length"));
            lengths.find_map(|(_, length)| length.as_u64())
        });
        let abilities = shown["capabilities"].as_array();
        let thinks = abilities.map(|list| list.iter().any(|ability| ability == "thinking"));
        About { window, thinks }
    }
}

#[derive(Deserialize)]
struct Version {
    version: String,
}

#[derive(Deserialize)]
struct Tags {
    #[serde(default)]
    models: Vec<Tag>,
}

#[derive(Deserialize)]
struct Tag {
    name: String,
}

impl Provider for Ollama {
    fn name(&self) -> &str {
        &self.spec.name
    }

    fn abilities(&self) -> Abilities {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let about = self.model.as_ref().and_then(|model| known.get(model));
        Abilities {
            tools: true,
            reads_files: false,
            schema: SchemaBy::Provider,
            paid: !self.spec.local,
            window: about.and_then(|about| about.window).or(self.spec.window),
        }
    }

    fn probe(&self, calling: &Calling<'_>) -> Result<Probe, ModelError> {
        self.look(calling).map_err(|fault| self.error(fault.into()))
    }

    fn check_model(&self, model: &str, calling: &Calling<'_>) -> Result<(), ModelError> {
        let http = self.http.cancelled_by(calling.cancel);
        let found = self.model(model).and_then(|model| has(&http, model));
        found.map_err(|fault| self.error(fault.into()))
    }

    fn ask(&self, request: &Request, calling: &Calling<'_>) -> Result<Answer, ModelError> {
        self.attempt(request, calling).map_err(|failed| self.error(failed))
    }
}
