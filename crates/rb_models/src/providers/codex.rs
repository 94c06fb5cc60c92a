//! Codex: the `codex` program, run without a terminal and with the user's own login.
//!
//! It reads files of the request's folder by itself and changes none: its sandbox is read-only. It has no options for a system
//! prompt, turns or tools, so the system prompt comes first in the prompt. The answer is the text of its last message.

mod events;

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use rb_core::process::Exit;
use rb_schema::Schema;

use crate::call::{Answer, Cost, Counted, Facts, Request, Usage};
use crate::error::{Failed, Fault, ModelError};
use crate::programs::{
    Collected, Host, Job, Ran, Scratch, is_any, last_words, of_status, of_words, printable_of,
    prompt, run, shown, status_in,
};
use crate::provider::{Abilities, Calling, Probe, Provider, SchemaBy};

use events::{Events, TurnResult};

const NAME: &str = "codex";

const LOG_IN: &str = "Codex is not logged in. Run `codex login`, then rerun.";

const INSTALL: &str =
    "Install or repair Codex (for example with `npm install -g @openai/codex`), then rerun.";

/// A program that says its version for longer than this does not work.
const LONGEST_PROBE: Duration = Duration::from_mins(1);

#[derive(Debug, Clone)]
pub struct CodexOptions {
    /// A name on `PATH`, or a path.
    pub binary: String,
    /// Settings as `-c` takes them, such as another service.
    pub settings: Vec<String>,
}

impl Default for CodexOptions {
    fn default() -> Self {
        CodexOptions { binary: NAME.to_owned(), settings: Vec::new() }
    }
}

pub struct Codex {
    host: Host,
    options: CodexOptions,
}

impl Codex {
    pub fn new(host: Host, options: CodexOptions) -> Self {
        Codex { host, options }
    }

    fn try_once(&self, request: &Request, calling: &Calling<'_>) -> Result<Answer, Failed> {
        if !request.tools.is_empty() {
            return Err(Fault::Unable { what: "tools of the caller".to_owned() }.into());
        }
        let scratch = Scratch::new(self.host.scratch()).map_err(Fault::from)?;
        let empty = scratch.empty_folder().map_err(Fault::from)?;
        let folder = request.folder.as_deref().unwrap_or(&empty);
        let prompt = whole_prompt(request);
        let job = Job {
            program: &self.options.binary,
            args: self.args(request, folder, &scratch)?,
            env: Vec::new(),
            stdin: prompt.as_bytes(),
            cwd: folder,
            whole: request.limits.whole,
            repair: INSTALL,
        };
        let mut ear = Events::new(request.limits, calling.heard);
        let ran = run(&self.host, &scratch, &job, calling.cancel, &mut ear)?;
        judge(request, ear.finish(), &ran)
    }

    fn args(
        &self,
        request: &Request,
        folder: &Path,
        scratch: &Scratch,
    ) -> Result<Vec<OsString>, Fault> {
        let mut args: Vec<OsString> = Vec::new();
        // Nothing is kept, nothing of the user's settings counts but the login, and nothing is written.
        let fixed =
            ["exec", "--json", "--skip-git-repo-check", "--ephemeral", "--ignore-user-config"];
        args.extend(fixed.map(OsString::from));
        args.extend(["-s", "read-only", "-C"].map(OsString::from));
        args.push(folder.into());
        // Instructions that lie in the folder are not the user's.
        args.extend(["-c", "project_doc_max_bytes=0"].map(OsString::from));
        for setting in &self.options.settings {
            args.extend(["-c".into(), OsString::from(setting)]);
        }
        if let Some(strict) = strict(request) {
            let file = scratch.write("schema.json", strict.text().as_bytes())?;
            args.extend(["--output-schema".into(), file.into_os_string()]);
        }
        if !request.model.is_empty() {
            args.extend(["-m".into(), OsString::from(&request.model)]);
        }
        args.push("-".into());
        Ok(args)
    }

    fn say(&self, args: &[&str], calling: &Calling<'_>) -> Result<(Ran, String), Fault> {
        let scratch = Scratch::new(self.host.scratch()).map_err(Fault::from)?;
        let job = Job {
            program: &self.options.binary,
            args: args.iter().map(OsString::from).collect(),
            env: Vec::new(),
            stdin: &[],
            cwd: &scratch.empty_folder()?,
            whole: LONGEST_PROBE,
            repair: INSTALL,
        };
        let mut out = Collected::default();
        let ran = run(&self.host, &scratch, &job, calling.cancel, &mut out)?;
        Ok((ran, String::from_utf8_lossy(&out.0).trim().to_owned()))
    }

    fn look(&self, calling: &Calling<'_>) -> Result<Probe, Fault> {
        let (ran, found) = self.say(&["--version"], calling)?;
        if ran.exit != Exit::Code(0) || found.is_empty() {
            let what = format!(
                "`{}` cannot be used: it does not say its version. {INSTALL}",
                self.options.binary
            );
            return Err(Fault::NotInstalled { what });
        }
        let (ran, out) = self.say(&["login", "status"], calling)?;
        // It says so beside its output.
        let said = if out.is_empty() { ran.stderr } else { out };
        if ran.exit != Exit::Code(0) {
            return Err(Fault::NotLoggedIn { what: LOG_IN.to_owned() });
        }
        Ok(Probe { found, login: printable_of(&said, &[]) })
    }
}

impl Provider for Codex {
    fn name(&self) -> &str {
        NAME
    }

    fn abilities(&self) -> Abilities {
        let schema = SchemaBy::Provider;
        Abilities { tools: false, reads_files: true, schema, paid: true, window: None }
    }

    fn probe(&self, calling: &Calling<'_>) -> Result<Probe, ModelError> {
        self.look(calling).map_err(|fault| ModelError::new(NAME, fault))
    }

    fn ask(&self, request: &Request, calling: &Calling<'_>) -> Result<Answer, ModelError> {
        self.try_once(request, calling).map_err(|failed| failed.into_error(NAME, None))
    }
}

/// The form in which its service takes a schema; some have none.
fn strict(request: &Request) -> Option<Schema> {
    request.schema.as_ref().and_then(|schema| schema.strict().ok())
}

fn whole_prompt(request: &Request) -> String {
    let mut parts = vec![request.system.clone(), prompt(&request.messages)];
    if let Some(schema) = &request.schema
        && strict(request).is_none()
    {
        let asks = "Answer with one JSON object that fits this JSON schema, and with nothing else:";
        parts.push(format!("{asks}\n{}", schema.text()));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

fn judge(request: &Request, said: TurnResult, ran: &Ran) -> Result<Answer, Failed> {
    let used = said.usage.map(|usage| (usage, Cost::Unknown));
    let spent = |fault: Fault| Failed { fault, used };
    let beside = last_words(&ran.stderr, &[]);
    if let Some(why) = &said.failed {
        return Err(of_failure(request, printable_of(why, &[])).into());
    }
    if !said.completed || ran.exit != Exit::Code(0) {
        return Err(unfinished(request, &said, ran, &beside).into());
    }
    let Some(text) = said.text else {
        return Err(spent(Fault::Malformed { why: "it ended well and said nothing".to_owned() }));
    };
    let value = match &request.schema {
        None => None,
        Some(schema) => {
            let value = rb_schema::json_in(&text)
                .map_err(|error| spent(Fault::NotAsAsked { why: error.to_string() }))?;
            // Nulls stand for what is absent only where the strict form was asked for.
            Some(if strict(request).is_some() { schema.unstrict(value) } else { value })
        }
    };
    let facts = Facts {
        provider: NAME.to_owned(),
        model: request.model.clone(),
        id: said.id,
        tries: 1,
        notes: Vec::new(),
    };
    let usage = said.usage.unwrap_or(Usage { counted: Counted::Estimate, ..Usage::default() });
    let timing = said.timing;
    Ok(Answer { text, value, usage, cost: Cost::Unknown, timing, facts, ..Answer::default() })
}

fn of_failure(request: &Request, words: String) -> Fault {
    if is_any(&words, &["not logged in", "codex login", "token_expired", "refresh token"]) {
        return Fault::NotLoggedIn { what: LOG_IN.to_owned() };
    }
    match status_in(&words) {
        Some(401) => Fault::NotLoggedIn { what: LOG_IN.to_owned() },
        Some(status) => of_status(status, &request.model, words),
        None => of_words(&words).unwrap_or(Fault::Program { why: words }),
    }
}

/// It ended in the middle, or before anything.
fn unfinished(request: &Request, said: &TurnResult, ran: &Ran, beside: &str) -> Fault {
    match (ran.exit, &said.complaint) {
        (Exit::Code(1..), Some(complaint)) => of_failure(request, printable_of(complaint, &[])),
        (exit, _) if said.events > 0 => {
            Fault::Half { why: format!("it ended with {} in the middle", shown(exit)) }
        }
        (Exit::Code(0), _) => match &said.stray {
            Some(stray) => {
                Fault::Malformed { why: format!("`{}` is no line of it", printable_of(stray, &[])) }
            }
            None => Fault::Half { why: "it ended without a word".to_owned() },
        },
        (Exit::Code(_), _) if is_any(beside, &["unexpected argument"]) => Fault::NotInstalled {
            what: format!("This version of Codex cannot be used: {beside}. {INSTALL}"),
        },
        (exit @ (Exit::Code(_) | Exit::Signal(_)), _) => {
            Fault::Program { why: format!("it ended with {}: {beside}", shown(exit)) }
        }
    }
}
