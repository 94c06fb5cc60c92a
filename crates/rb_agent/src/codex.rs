//! Codex: the `codex` program, which edits the copy with its own tools.
//!
//! Its own sandbox is off: it is in ours. Of the user's settings only the login counts. It has no option for turns or money.

use std::ffi::OsString;

use rb_sandbox::Network;
use serde_json::Value;

use crate::assignment::{Assignment, Place};
use crate::error::AgentError;
use crate::invocation::{Folders, Invocation, Told, find, server};
use crate::report::{Claims, Ended, Spend};
use crate::{login, programs, text};

pub(crate) const NAME: &str = "codex";

/// The variable that names its settings folder.
pub(crate) const SETTINGS: &str = "CODEX_HOME";

pub(crate) const VARIABLES: [&str; 3] = ["CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"];

const INSTALL: &str = "Install Codex (for example with `npm install -g @openai/codex`), then rerun";

const SCRIPT: &str = r#"in=$1; shift; exec "$@" <"$in""#;

pub(crate) fn invocation(
    assignment: &Assignment<'_>,
    place: &Place<'_>,
    folders: &Folders,
) -> Result<Invocation, AgentError> {
    let program = find(NAME, place.program, place.scratch, place.env, INSTALL)?;
    if let Some(home) = place.agent_home {
        login::copy(home, &folders.settings, "auth.json", |value| {
            login::blank(value, &["refresh_token"]);
        })?;
    }
    let mut args: Vec<OsString> = vec!["-c".into(), SCRIPT.into(), "sh".into()];
    args.extend([folders.prompt.clone().into(), program.clone().into()]);
    let fixed = ["exec", "--json", "--skip-git-repo-check", "--ephemeral", "--ignore-user-config"];
    args.extend(fixed.map(OsString::from));
    // Instructions that lie in the repository are not the user's.
    args.extend(["-s", "danger-full-access", "-c", "project_doc_max_bytes=0"].map(OsString::from));
    args.extend(["-C".into(), folders.copy.clone().into()]);
    let mut readable = programs::needs(&program, place.env);
    if let Some(mcp) = &assignment.mcp {
        readable.extend(programs::needs(mcp.command, place.env));
        let (command, words) = server(mcp, folders)?;
        // Strings and lists of JSON are also those of TOML.
        let (command, words) = (Value::from(command), Value::from(words));
        let setting = format!("mcp_servers.{}={{command={command},args={words}}}", mcp.name);
        args.extend(["-c".into(), OsString::from(setting)]);
    }
    if let Some(model) = assignment.model {
        args.extend(["-m".into(), OsString::from(model)]);
    }
    args.extend(assignment.args.iter().map(OsString::from));
    args.push("-".into());
    let env = vec![(SETTINGS, OsString::from(&folders.settings))];
    Ok(Invocation { program: "sh".into(), args, env, readable, network: Network::Open })
}

pub(crate) fn told(stdout: &str) -> Told {
    let mut words: Option<String> = None;
    let mut failed: Option<String> = None;
    let mut spend: Option<Spend> = None;
    let mut is_completed = false;
    let events = stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    for event in events {
        match event["type"].as_str() {
            Some("item.completed") if event["item"]["type"] == "agent_message" => {
                words = event["item"]["text"].as_str().map(str::to_owned);
            }
            Some("turn.completed") => {
                is_completed = true;
                let count = |name: &str| event["usage"][name].as_u64().unwrap_or_default();
                let before = spend.unwrap_or(Spend { usd: None, tokens_in: 0, tokens_out: 0 });
                spend = Some(Spend {
                    usd: None,
                    tokens_in: before.tokens_in.saturating_add(count("input_tokens")),
                    tokens_out: before.tokens_out.saturating_add(count("output_tokens")),
                });
            }
            Some("turn.failed") => {
                failed = event["error"]["message"].as_str().map(str::to_owned).or(failed);
            }
            _ => {}
        }
    }
    let ended = match &failed {
        Some(why) if is_login(why) => Some(Ended::NotLoggedIn),
        Some(_) => Some(Ended::Failed { code: 1 }),
        None if is_completed => None,
        None => Some(Ended::NoResult),
    };
    let words = text::last_words(&words.or(failed).unwrap_or_default());
    Told { ended, claims: Claims { words }, spend }
}

fn is_login(why: &str) -> bool {
    let why = why.to_lowercase();
    ["not logged in", "codex login", "token_expired", "refresh token", "401"]
        .iter()
        .any(|word| why.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ag1_the_last_message_is_the_claim_and_turns_add_up() {
        let lines = r#"{"type":"thread.started"}
{"type":"item.completed","item":{"type":"agent_message","text":"first"}}
{"type":"turn.completed","usage":{"input_tokens":10,"output_tokens":5}}
no JSON
{"type":"item.completed","item":{"type":"agent_message","text":"done"}}
{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":2}}"#;
        let spend = Some(Spend { usd: None, tokens_in: 11, tokens_out: 7 });
        let claims = Claims { words: "done".to_owned() };
        assert_eq!(told(lines), Told { ended: None, claims, spend });
        assert_eq!(told("").ended, Some(Ended::NoResult));
        let failed = |why: &str| {
            told(&format!(r#"{{"type":"turn.failed","error":{{"message":"{why}"}}}}"#)).ended
        };
        assert_eq!(failed("unexpected status 401"), Some(Ended::NotLoggedIn));
        assert_eq!(failed("stream closed"), Some(Ended::Failed { code: 1 }));
    }
}
