//! A repository, a home and a model that answers as a function says.

use std::sync::Arc;

use rb_core::progress::Silent;
use rb_core::{Cancel, Home, RunId};
use rb_flow::RunDir;
use rb_flow::journal::Follower;
use rb_flow::scripted::{self, Said, Scripted};
use rb_models::{McpServer, Message, Request};
use rb_repo::SearchModel;
use rb_testkit::Repo;
use serde_json::{Value, json};

pub(crate) use rb_flow::scripted::{Can, user};

use crate::fixture::env_of;
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

pub(crate) type Script = fn(&Request) -> Said;

pub(crate) struct Place {
    pub(crate) repo: Repo,
    pub(crate) home: Home,
    can: Can,
    mcp: Option<McpServer>,
}

impl Place {
    pub(crate) fn new(files: &str, can: Can) -> Self {
        let repo = Repo::git_repo(files);
        let home = Home::new(repo.beside("home"));
        Place { repo, home, can, mcp: None }
    }

    /// The provider starts a server of the tools. No such program is run: a script writes what it would write down.
    pub(crate) fn with_server(self) -> Place {
        let (name, command) = ("refactor-bot".to_owned(), "refactor-bot".into());
        Place { mcp: Some(McpServer { name, command, args: Vec::new() }), ..self }
    }

    fn context(&self, script: Script) -> (Context, Arc<Scripted>) {
        let (models, provider) = Scripted::desk(script, self.can);
        let context = Context {
            home: self.home.clone(),
            env: env_of(&self.repo),
            cancel: Cancel::new(),
            progress: Arc::new(Silent),
            search: Arc::new(SearchModel::local()),
            models,
            observer: None,
            mcp: self.mcp.clone(),
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
    pub(crate) fn resume(&self, id: &RunId, script: Script) -> (State, usize) {
        let (context, provider) = self.context(script);
        let state = resume(&context, id.clone()).unwrap();
        (state, provider.calls())
    }

    pub(crate) fn run_dir(&self, state: &State) -> RunDir {
        RunDir::new(&self.home, &state.start.run)
    }

    /// The names of the run's events.
    pub(crate) fn events(&self, state: &State) -> Vec<String> {
        self.journal(state).iter().map(|line| text(line, "event").to_owned()).collect()
    }

    /// The calls in the journal, each with its input, and a mark if it failed.
    pub(crate) fn tool_calls(&self, state: &State) -> Vec<String> {
        let journal = self.journal(state);
        let called = journal.iter().filter(|line| line["event"] == "tool_called");
        let in_words = |line: &Value| {
            let failed = if line["failed"] == true { " failed" } else { "" };
            format!("{} {}{failed}", text(line, "tool"), text(line, "input"))
        };
        called.map(in_words).collect()
    }

    fn journal(&self, state: &State) -> Vec<Value> {
        Follower::<Value>::new(&self.run_dir(state)).read().unwrap()
    }
}

fn text<'v>(line: &'v Value, key: &str) -> &'v str {
    line[key].as_str().unwrap()
}

#[expect(clippy::unnecessary_wraps, reason = "a script can also fail")]
pub(crate) fn calls(name: &str, input: &Value) -> Said {
    Ok(scripted::calls(name, input))
}

/// One statement with one citation.
pub(crate) fn says(text: &str, path: &str, line: u32, quote: &str) -> Said {
    let cited = json!({"path": path, "first_line": line, "last_line": line, "quote": quote});
    let statements = json!([{ "text": text, "citations": [cited] }]);
    answer(json!({"sections": [{"heading": "", "statements": statements}], "not_found": []}))
}

#[expect(clippy::unnecessary_wraps, reason = "a script can also fail")]
pub(crate) fn answer(value: Value) -> Said {
    Ok(scripted::answer(value))
}

/// Rounds of calls that the conversation has had.
pub(crate) fn rounds(request: &Request) -> usize {
    request.messages.iter().filter(|message| matches!(message, Message::Tools { .. })).count()
}

/// The last result of a tool.
pub(crate) fn last_result(request: &Request) -> &str {
    match request.messages.last() {
        Some(Message::Tools { results }) => &results.last().unwrap().text,
        _ => "",
    }
}
