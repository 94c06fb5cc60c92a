//! Claude Code: the `claude` program, run without a terminal and with the user's own login.
//!
//! It reads files of the request's folder by itself and changes none. Hooks, servers, settings and instructions that lie in
//! that folder are untrusted and stay off; the one server that it may start is the request's. Success is never judged by the exit code or by `subtype`: both say "success"
//! where there is no answer.

mod argv;
mod events;
mod login;
mod verdict;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::OnceLock;

use rb_core::Usd;
use rb_http::Secret;

use crate::call::{Answer, Facts, Request};
use crate::error::{Fault, ModelError};
use crate::programs::{Host, Job, Ran, Scratch, prompt, run, uuid};
use crate::provider::{Abilities, Calling, Probe, Provider, SchemaBy};

use events::{Events, SessionResult};
use verdict::CallContext;

const NAME: &str = "claude-code";

/// Said where nobody is logged in.
pub const LOG_IN: &str =
    "Claude Code is not logged in. Run `claude` interactively and use `/login`, then rerun.";

/// Said where there is no program to run.
pub const INSTALL: &str = "Install or repair Claude Code (for example with \
     `npm install -g @anthropic-ai/claude-code`), then rerun.";

/// The program stops at this much by itself, with less to say about it.
const MOST_PROMPT: usize = 10_000_000;

/// One argument of a program may have so many bytes on Linux, its end mark among them.
const MOST_ARGUMENT: usize = 128 << 10;

/// What the user has set.
#[derive(Clone)]
pub struct ClaudeOptions {
    /// A name on `PATH`, or a path.
    pub binary: String,
    /// The tools that it has at all, where it may read; those that change files are of no use to a call that proposes.
    pub tools: String,
    /// Rules of what it may do without asking. Empty for what reading needs.
    pub allowed_tools: String,
    /// Turns by role, for roles that have a number of their own.
    pub max_turns: BTreeMap<String, u32>,
    pub login: ClaudeLogin,
    /// Used where `login` is the program's own and it has none: a key or a token in the user's environment.
    pub fallback: Option<ClaudeLogin>,
    /// Another service of the same kind.
    pub base_url: Option<String>,
    /// It ends a call by itself when that has cost so much.
    pub max_usd: Option<Usd>,
    /// How often it tries a request again by itself. Waiting is better done by the caller, who can tell of it.
    pub retries: u32,
}

/// Who pays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ClaudeLogin {
    /// The program's own login. It sees no keys in the user's environment.
    #[default]
    Own,
    ApiKey(Secret),
    AuthToken(Secret),
    OauthToken(Secret),
}

impl ClaudeLogin {
    fn secret(&self) -> Option<&Secret> {
        match self {
            ClaudeLogin::Own => None,
            ClaudeLogin::ApiKey(key)
            | ClaudeLogin::AuthToken(key)
            | ClaudeLogin::OauthToken(key) => Some(key),
        }
    }
}

impl Default for ClaudeOptions {
    fn default() -> Self {
        ClaudeOptions {
            binary: "claude".to_owned(),
            tools: READING.to_owned(),
            allowed_tools: String::new(),
            max_turns: BTreeMap::new(),
            login: ClaudeLogin::Own,
            fallback: None,
            base_url: None,
            max_usd: None,
            retries: 1,
        }
    }
}

const READING: &str = "Read,Grep,Glob";

/// What a configuration names that was never touched. Taken at its word it would let a model edit and run commands,
/// unasked, in a call that only wants a proposal.
const UNTOUCHED: &str = "Read,Edit,Bash,Grep,Glob";

impl ClaudeOptions {
    /// Takes the lists of tools of a configuration; those that were never touched stand for reading alone.
    pub fn with_tools(mut self, tools: &str, allowed: &str) -> Self {
        let chosen = |list: &str, otherwise: &str| {
            if list == UNTOUCHED { otherwise.to_owned() } else { list.to_owned() }
        };
        self.tools = chosen(tools, READING);
        self.allowed_tools = chosen(allowed, "");
        self
    }

    pub fn turns(mut self, role: &str, turns: u32) -> Self {
        self.max_turns.insert(role.to_owned(), turns);
        self
    }
}

pub struct ClaudeCode {
    host: Host,
    options: ClaudeOptions,
    /// Whose login is used, once the program has said whether it has one.
    settled: OnceLock<ClaudeLogin>,
}

impl ClaudeCode {
    pub fn new(host: Host, options: ClaudeOptions) -> Self {
        ClaudeCode { host, options, settled: OnceLock::new() }
    }

    fn secrets(&self) -> Vec<&Secret> {
        let logins = std::iter::once(&self.options.login).chain(&self.options.fallback);
        logins.filter_map(ClaudeLogin::secret).collect()
    }

    /// Whose login is used. The program is only asked for its own where there is another.
    fn login(&self, calling: &Calling<'_>) -> &ClaudeLogin {
        let chosen = &self.options.login;
        let fallback = match &self.options.fallback {
            Some(fallback) if *chosen == ClaudeLogin::Own => fallback,
            Some(_) | None => return chosen,
        };
        if let Some(settled) = self.settled.get() {
            return settled;
        }
        let status = login::status(&self.host, &self.options, &self.env(chosen), calling);
        match status.map(|status| login::is_logged_in(&status)) {
            Ok(Some(true)) => self.settled.get_or_init(|| ClaudeLogin::Own),
            Ok(Some(false)) => self.settled.get_or_init(|| fallback.clone()),
            // What is wrong, the probe or the call says.
            Ok(None) | Err(_) => chosen,
        }
    }

    fn env(&self, login: &ClaudeLogin) -> Vec<(String, OsString)> {
        let mut env: Vec<(&str, OsString)> = vec![
            // Without it `@path` anywhere in the prompt, so also in quoted source, puts that file into the request.
            ("CLAUDE_CODE_DISABLE_ATTACHMENTS", "1".into()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
            ("CLAUDE_CODE_MAX_RETRIES", self.options.retries.to_string().into()),
            ("DISABLE_AUTOUPDATER", "1".into()),
            ("DISABLE_ERROR_REPORTING", "1".into()),
            ("DISABLE_TELEMETRY", "1".into()),
        ];
        if let Some(url) = &self.options.base_url {
            env.push(("ANTHROPIC_BASE_URL", url.into()));
        }
        match login {
            ClaudeLogin::Own => {}
            ClaudeLogin::ApiKey(key) => env.push(("ANTHROPIC_API_KEY", key.expose().into())),
            ClaudeLogin::AuthToken(key) => env.push(("ANTHROPIC_AUTH_TOKEN", key.expose().into())),
            ClaudeLogin::OauthToken(key) => {
                env.push(("CLAUDE_CODE_OAUTH_TOKEN", key.expose().into()));
            }
        }
        env.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn run(
        &self,
        request: &Request,
        session: &str,
        login: &ClaudeLogin,
        calling: &Calling<'_>,
    ) -> Result<(SessionResult, Ran), Fault> {
        let prompt = safe_prompt(request)?;
        let scratch = Scratch::new(self.host.scratch())?;
        let system = scratch.write("system.txt", request.system.as_bytes())?;
        let empty = scratch.empty_folder()?;
        let mut env = self.env(login);
        let most = request.limits.output_tokens.to_string();
        env.push(("CLAUDE_CODE_MAX_OUTPUT_TOKENS".to_owned(), most.into()));
        if request.mcp.is_some() {
            // Tools of a server may be offered by name only, to be looked up with a tool that the call does not have.
            env.push(("ENABLE_TOOL_SEARCH".to_owned(), "false".into()));
        }
        let job = Job {
            program: &self.options.binary,
            args: argv::of(&self.options, request, &system, session)?,
            env,
            stdin: prompt.as_bytes(),
            cwd: request.folder.as_deref().unwrap_or(&empty),
            whole: request.limits.whole,
            repair: INSTALL,
        };
        let mut ear = Events::new(request.limits, calling.heard);
        let ran = run(&self.host, &scratch, &job, calling.cancel, &mut ear)?;
        Ok((ear.finish(), ran))
    }
}

impl Provider for ClaudeCode {
    fn name(&self) -> &str {
        NAME
    }

    fn most(&self) -> Option<Usd> {
        self.options.max_usd
    }

    fn abilities(&self) -> Abilities {
        let schema = SchemaBy::Provider;
        Abilities { tools: false, reads_files: true, schema, paid: true, window: None }
    }

    fn probe(&self, calling: &Calling<'_>) -> Result<Probe, ModelError> {
        let env = self.env(self.login(calling));
        login::probe(&self.host, &self.options, &env, calling)
            .map_err(|fault| ModelError::new(NAME, fault))
    }

    fn ask(&self, request: &Request, calling: &Calling<'_>) -> Result<Answer, ModelError> {
        let session = uuid();
        let login = self.login(calling);
        let ran = self.run(request, &session, login, calling);
        let (said, ran) = ran.map_err(|fault| ModelError::new(NAME, fault))?;
        let (options, secrets) = (&self.options, &self.secrets());
        let asked = CallContext { options, login, request, secrets };
        let judged = verdict::judge(&asked, &said, &ran)?;
        let facts = Facts {
            provider: NAME.to_owned(),
            model: judged.model,
            id: Some(judged.id.unwrap_or(session)),
            tries: 1,
            notes: judged.notes,
        };
        Ok(Answer { timing: said.timing, facts, ..judged.answer })
    }
}

fn safe_prompt(request: &Request) -> Result<String, Fault> {
    if !request.tools.is_empty() {
        return Err(Fault::Unable { what: "tools of the caller".to_owned() });
    }
    let mut prompt = prompt(&request.messages);
    // A slash at the very beginning is a command of the program.
    if prompt.starts_with('/') {
        prompt.insert(0, '\n');
    }
    if prompt.trim().is_empty() {
        return Err(Fault::BadRequest { words: "the prompt is empty".to_owned() });
    }
    if prompt.len() > MOST_PROMPT {
        let words = format!("{} bytes of prompt, and Claude Code takes 10 MB", prompt.len());
        return Err(Fault::TooLong { words });
    }
    Ok(prompt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mo2_lists_of_tools_that_nobody_touched_stand_for_reading() {
        let check = |tools: &str, allowed: &str, wanted: (&str, &str)| {
            let options = ClaudeOptions::default().with_tools(tools, allowed);
            assert_eq!((options.tools.as_str(), options.allowed_tools.as_str()), wanted);
        };
        check(UNTOUCHED, UNTOUCHED, (READING, ""));
        check("Read,Bash", "Bash(git log:*)", ("Read,Bash", "Bash(git log:*)"));
        check("", "", ("", ""));
    }
}
