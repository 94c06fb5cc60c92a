//! Chat completions: the language of `openai`, and of every service and server that speaks like it.
//!
//! What they differ in is data (`catalog`), so a new one needs no code. One try, always as a stream; a server
//! that answers in one piece instead is understood too. Nothing here tries again or checks a schema.

mod answer;
mod body;
mod calls;
mod chunk;
mod fault;
mod reading;
mod think;

use rb_http::{
    Auth, BadSetting, Http, HttpContext, HttpError, HttpOptions, Incoming, Patience, Secret, Times,
};
use serde_json::Value;

use crate::call::{Answer, Request};
use crate::catalog::{ProviderSpec, SchemaAs, Thinking};
use crate::error::{Failed, Fault, ModelError};
use crate::provider::{
    Abilities, Calling, Heard, Probe, Provider, SchemaBy, Watch, forbids, is_path,
};
use crate::stream::sse::Event;
use crate::stream::{self, Body};
use body::RequestBody;
pub(crate) use body::{Function, in_words, said};
pub(crate) use fault::{page, uncalled_for};
use reading::Reading;

pub struct ChatOptions {
    pub spec: ProviderSpec,
    /// In place of the provider's own.
    pub base_url: Option<String>,
    pub key: Option<Secret>,
    /// Where the key is to be set, as users know it.
    pub key_setting: String,
    pub http: HttpOptions,
    pub context: HttpContext,
}

pub struct Chat {
    spec: ProviderSpec,
    http: Http,
    key: Option<Secret>,
    key_setting: String,
    headers: Vec<(String, String)>,
}

impl Chat {
    pub fn new(options: ChatOptions) -> Result<Self, BadSetting> {
        let spec = options.spec;
        let base = options.base_url.or_else(|| spec.base_url.clone()).ok_or(BadSetting::Address)?;
        let auth = options.key.clone().map(Auth::bearer);
        // Only the looks before a call use the client that tries again, and they should tell soon.
        let http = HttpOptions {
            patience: Patience { tries: 1, ..options.http.patience },
            ..options.http
        };
        let http = Http::new(&base, auth, &http, &options.context)?;
        let headers = spec.quirks.headers.clone().into_iter().collect();
        Ok(Chat { spec, http, key: options.key, key_setting: options.key_setting, headers })
    }

    fn attempt(&self, request: &Request, calling: &Calling<'_>) -> Result<Answer, Failed> {
        self.check_key()?;
        let asked = RequestBody::new(&self.spec, request, self.model(&request.model)?)?;
        let mut watch = Watch::start();
        let incoming = self.send(&asked, calling)?;
        watch.heard();
        (calling.heard)(Heard::Begun);
        let mut reading = Reading::new(&asked, calling);
        let read = self.read(incoming, &mut reading);
        let used = reading.used();
        let answer = read.and_then(|()| reading.answer());
        let mut answer = answer.map_err(|fault| Failed { fault, used })?;
        answer.timing = watch.timing();
        answer.facts.provider.clone_from(&self.spec.name);
        answer.facts.tries = 1;
        Ok(answer)
    }

    fn send(&self, asked: &RequestBody<'_>, calling: &Calling<'_>) -> Result<Incoming, Fault> {
        let limits = asked.request.limits;
        let times = Times { first: limits.first, idle: limits.idle, whole: limits.whole };
        let headers: Vec<_> = self.headers.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let http = self.http.cancelled_by(calling.cancel);
        http.stream(&self.spec.quirks.path, &headers, &asked.body(), times)
            .map_err(|error| fault::refused(error, asked.model))
    }

    fn read(&self, incoming: Incoming, reading: &mut Reading<'_>) -> Result<(), Fault> {
        match stream::body(incoming)? {
            Body::Events(events) => {
                for event in events {
                    let over = match event? {
                        Event::Message { data, .. } => reading.take(&self.hushed(&data))?.is_over(),
                        Event::Comment => reading.alive(),
                    };
                    if over {
                        break;
                    }
                }
                Ok(())
            }
            Body::Json(value) => reading.whole(&self.hushed(&value.to_string())),
            Body::Page(page) => Err(fault::page(&self.hushed(&page))),
            Body::Empty => Err(Fault::Half { why: "it is empty".to_owned() }),
        }
    }

    /// A server that repeats the key does not make it ours to repeat.
    fn hushed(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.struck_from(text))
    }

    fn error(&self, failed: Failed) -> ModelError {
        let hint = self.hint(&failed.fault);
        failed.into_error(&self.spec.name, hint)
    }

    fn hint(&self, fault: &Fault) -> Option<String> {
        let (title, setting) = (&self.spec.title, &self.key_setting);
        match fault {
            Fault::NoKey => Some(format!("set {setting}")),
            Fault::BadKey { .. } => Some(format!("check {setting}")),
            Fault::NoCredit { .. } => {
                Some(format!("look at the balance of your account at {title}"))
            }
            Fault::NoSuchModel { .. } => {
                let name = "name a model that the account can use with `--model`".to_owned();
                Some(self.spec.note.as_ref().map_or(name.clone(), |note| format!("{name}. {note}")))
            }
            Fault::BadRequest { .. } => self.spec.note.clone(),
            Fault::Unreachable { .. } if self.spec.local => {
                Some(format!("start {title}, or give its address with `--base-url`"))
            }
            Fault::Unreachable { .. } => {
                Some(format!("check the network, the proxy and the address {}", self.http.base()))
            }
            Fault::Tls { .. } => Some(format!(
                "check that {} begins with the right one of http:// and https://",
                self.http.base()
            )),
            _ => None,
        }
    }

    fn check_key(&self) -> Result<(), Fault> {
        if self.spec.needs_key && self.key.is_none() { Err(Fault::NoKey) } else { Ok(()) }
    }

    /// The model of that name, or the provider's own where none is named.
    fn model<'a>(&'a self, name: &'a str) -> Result<&'a str, Fault> {
        let named = Some(name).filter(|name| !name.is_empty());
        named.or(self.spec.default_model.as_deref()).ok_or_else(|| Fault::BadRequest {
            words: format!("no model is named, and {} has none of its own", self.spec.title),
        })
    }

    /// Why the service says that this model cannot be asked. Where its list lacks the model, the model itself is asked for: some
    /// lists leave out names that are known.
    fn objection(&self, model: &str, calling: &Calling<'_>) -> Option<Fault> {
        let http = self.http.cancelled_by(calling.cancel);
        let get =
            |path: &str| http.get::<Value>(path).map_err(|error| fault::refused(error, model));
        let fault = match get("/models") {
            Ok(list) if may_have(&list, model) => None,
            Ok(_) => get(&format!("/models/{model}")).err(),
            // There is no list.
            Err(Fault::NoSuchModel { .. }) => None,
            Err(fault) => Some(fault),
        };
        fault.filter(forbids)
    }

    /// Whether it is asked at its own address. A server elsewhere may take any name.
    fn is_at_home(&self) -> bool {
        let home = self.spec.base_url.as_deref().map(|url| url.trim().trim_end_matches('/'));
        home == Some(self.http.base())
    }
}

/// Whether a list of models has this one, or says nothing.
fn may_have(list: &Value, model: &str) -> bool {
    let all = list["data"].as_array().or_else(|| list.as_array());
    // `NAME:VARIANT` is a way to be served.
    let plain = model.split(':').next().unwrap_or(model);
    let is_it = |known: &Value| {
        let id = known["id"].as_str().map(|id| id.strip_prefix("models/").unwrap_or(id));
        id.is_some_and(|id| id == model || id == plain)
    };
    all.is_none_or(|all| all.is_empty() || all.iter().any(is_it))
}

impl Provider for Chat {
    fn name(&self) -> &str {
        &self.spec.name
    }

    fn abilities(&self) -> Abilities {
        let model = self.spec.default_model.as_deref().unwrap_or("");
        Abilities {
            tools: self.spec.quirks.tools,
            reads_files: false,
            schema: match self.spec.quirks.schema {
                SchemaAs::JsonSchemaStrict | SchemaAs::JsonSchema | SchemaAs::Tool => {
                    SchemaBy::Provider
                }
                SchemaAs::JsonObject | SchemaAs::Prompt => SchemaBy::Prompt,
            },
            paid: !self.spec.local,
            window: self.spec.window(model),
        }
    }

    fn probe(&self, calling: &Calling<'_>) -> Result<Probe, ModelError> {
        self.check_key().map_err(|fault| self.error(fault.into()))?;
        if self.spec.local {
            let http = self.http.cancelled_by(calling.cancel);
            let models: Result<Value, HttpError> = http.get("/models");
            models.map_err(|error| self.error(fault::refused(error, "").into()))?;
        }
        let login = match &self.key {
            Some(_) => format!("key from {}", self.key_setting),
            None => "none".to_owned(),
        };
        Ok(Probe { found: self.http.host().to_owned(), login })
    }

    fn check_model(&self, model: &str, calling: &Calling<'_>) -> Result<(), ModelError> {
        let model = self.model(model).map_err(|fault| self.error(fault.into()))?;
        if self.spec.local || !self.is_at_home() || !is_path(model) {
            return Ok(());
        }
        match self.objection(model, calling) {
            Some(fault) => Err(self.error(fault.into())),
            None => Ok(()),
        }
    }

    /// Models that think refuse a temperature; where such are listed, the others do not think.
    fn thinks(&self, model: &str) -> bool {
        let quirks = &self.spec.quirks;
        let is_listed = !quirks.no_temperature.is_empty();
        quirks.thinking != Thinking::Off && !(is_listed && quirks.takes_temperature(model))
    }

    fn ask(&self, request: &Request, calling: &Calling<'_>) -> Result<Answer, ModelError> {
        self.attempt(request, calling).map_err(|failed| self.error(failed))
    }
}
