//! A repository, a home and a model that answers as a function says.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use rb_core::process::Env;
use rb_core::progress::Silent;
use rb_core::{Cancel, Home, RunId, Usd};
use rb_flow::desk::listener;
use rb_flow::journal::Follower;
use rb_flow::role::OwnTexts;
use rb_flow::{Desk, RunDir};
use rb_http::SystemClock;
use rb_models::{
    Abilities, Answer, Calling, Cost, Fault, Message, ModelError, Models, ModelsContext, Patience,
    Probe, Provider, Purse, Request, Route, Routes, SchemaBy, Tape, ToolCall,
};
use rb_repo::SearchModel;
use rb_testkit::{Repo, git_env};
use serde_json::{Value, json};

use crate::workflow::{Context, StartOptions, State, resume, start};

pub(crate) const LIMIT: &str = "\
//- README.md
# Desk
A help desk that limits its clients.
//- lib/limit.js
/** Lets a client make only so many requests. */
export class RateLimiter {
  constructor(max) {
    this.max = max;
    this.used = 0;
  }
  allow() {
    this.used += 1;
    return this.used <= this.max;
  }
}
//- lib/server.js
import { RateLimiter } from './limit.js';
const limiter = new RateLimiter(10);
export function handle(request) {
  if (!limiter.allow()) return 429;
  return 200;
}
";

pub(crate) type Script = fn(&Request) -> Result<Answer, Fault>;

/// What the model can do besides answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Can {
    CallTools,
    Nothing,
}

pub(crate) struct Scripted {
    script: Script,
    can: Can,
    pub(crate) asked: AtomicU32,
    pub(crate) requests: Mutex<Vec<Request>>,
}

impl Provider for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn abilities(&self) -> Abilities {
        let (tools, schema) = (self.can == Can::CallTools, SchemaBy::Provider);
        Abilities { tools, reads_files: false, schema, paid: false, window: None }
    }

    fn probe(&self, _: &Calling<'_>) -> Result<Probe, ModelError> {
        Ok(Probe::default())
    }

    fn ask(&self, request: &Request, _: &Calling<'_>) -> Result<Answer, ModelError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.requests.lock().unwrap().push(request.clone());
        (self.script)(request).map_err(|fault| ModelError::new("scripted", fault))
    }
}

pub(crate) struct Place {
    pub(crate) repo: Repo,
    pub(crate) home: Home,
    can: Can,
}

impl Place {
    pub(crate) fn new(files: &str, can: Can) -> Self {
        let repo = Repo::git_repo(files);
        let home = Home::new(repo.beside("home"));
        Place { repo, home, can }
    }

    fn context(&self, script: Script) -> (Context, Arc<Scripted>) {
        let (asked, requests) = Default::default();
        let provider = Arc::new(Scripted { script, can: self.can, asked, requests });
        let usual = Route {
            provider: Arc::clone(&provider) as Arc<dyn Provider>,
            model: "m".to_owned(),
            price: None,
            window: None,
            max_output: None,
        };
        let (to, heard) = mpsc::channel();
        let enter = listener(to);
        let models = ModelsContext {
            clock: Arc::new(SystemClock),
            cancel: Cancel::new(),
            told: Box::new(move |told| enter(&told)),
        };
        let routes = Routes { usual, roles: BTreeMap::new() };
        let purse = Purse::new(None, Usd::default());
        let models = Models::new(routes, Tape::Off, purse, Patience::default(), models);
        let env = git_env(&self.repo.beside("")).into_iter();
        let context = Context {
            home: self.home.clone(),
            env: env.fold(Env::default(), |env, (name, value)| env.with(name, value)),
            cancel: Cancel::new(),
            progress: Arc::new(Silent),
            search: Arc::new(SearchModel::local()),
            models: Arc::new(Desk::new(models, OwnTexts::default(), 1, heard)),
            observer: None,
            mcp: None,
        };
        (context, provider)
    }

    pub(crate) fn ask(&self, question: &str, script: Script) -> (State, Arc<Scripted>) {
        let (context, provider) = self.context(script);
        let options = StartOptions {
            repo: self.repo.root().to_owned(),
            question: question.to_owned(),
            memory: Some(self.home.root().join("memory.json")),
            ..StartOptions::default()
        };
        (start(&context, &options).unwrap(), provider)
    }

    /// Goes on with the run in another process, as it were.
    pub(crate) fn resume(&self, id: &RunId, script: Script) -> (State, u32) {
        let (context, provider) = self.context(script);
        let state = resume(&context, id.clone()).unwrap();
        (state, provider.asked.load(Ordering::SeqCst))
    }

    pub(crate) fn run_dir(&self, state: &State) -> RunDir {
        RunDir::new(&self.home, &state.start.run)
    }

    /// The names of the run's events.
    pub(crate) fn events(&self, state: &State) -> Vec<String> {
        let lines = Follower::<Value>::new(&self.run_dir(state)).read().unwrap();
        lines.iter().map(|line| line["event"].as_str().unwrap().to_owned()).collect()
    }
}

#[expect(clippy::unnecessary_wraps, reason = "a script can also fail")]
pub(crate) fn calls(name: &str, input: &Value) -> Result<Answer, Fault> {
    let call = ToolCall { id: "c1".to_owned(), name: name.to_owned(), input: input.clone() };
    Ok(Answer { tool_calls: vec![call], cost: Cost::Free, ..Answer::default() })
}

/// One statement with one citation.
pub(crate) fn says(text: &str, path: &str, line: u32, quote: &str) -> Result<Answer, Fault> {
    let cited = json!({"path": path, "first_line": line, "last_line": line, "quote": quote});
    let statements = json!([{ "text": text, "citations": [cited] }]);
    answer(json!({"sections": [{"heading": "", "statements": statements}], "not_found": []}))
}

#[expect(clippy::unnecessary_wraps, reason = "a script can also fail")]
pub(crate) fn answer(value: Value) -> Result<Answer, Fault> {
    Ok(Answer { value: Some(value), cost: Cost::Free, ..Answer::default() })
}

/// Rounds of calls that the conversation has had.
pub(crate) fn rounds(request: &Request) -> usize {
    request.messages.iter().filter(|message| matches!(message, Message::Tools { .. })).count()
}

/// What the model was asked in words.
pub(crate) fn user(request: &Request) -> &str {
    match request.messages.first() {
        Some(Message::User { text }) => text,
        _ => "",
    }
}

/// The last result of a tool.
pub(crate) fn last_result(request: &Request) -> &str {
    match request.messages.last() {
        Some(Message::Tools { results }) => &results.last().unwrap().text,
        _ => "",
    }
}
