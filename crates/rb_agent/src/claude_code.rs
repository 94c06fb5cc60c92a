//! Claude Code: the `claude` program, which edits the copy with its own tools.
//!
//! Hooks, servers, settings and instructions that lie in the repository stay off. How it went is judged by `is_error`:
//! `subtype` says "success" also where nobody is logged in.

use std::borrow::Cow;
use std::ffi::OsString;

use rb_core::Usd;
use rb_sandbox::Network;
use serde_json::{Value, json};

use crate::assignment::{Assignment, Place};
use crate::error::AgentError;
use crate::invocation::{Folders, Invocation, Told, find, server};
use crate::report::{Claims, Ended, Spend};
use crate::{login, programs, text};

pub(crate) const NAME: &str = "claude-code";

/// The variable that names its settings folder.
pub(crate) const SETTINGS: &str = "CLAUDE_CONFIG_DIR";

pub(crate) const VARIABLES: [&str; 4] =
    ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"];

const INSTALL: &str =
    "Install Claude Code (for example with `npm install -g @anthropic-ai/claude-code`), then rerun";

/// It edits, and runs commands: everything it does stays in the sandbox.
const TOOLS: &str = "Read,Edit,Write,Grep,Glob,Bash";

/// It tries a request again so often; by default it does for minutes.
const RETRIES: &str = "3";

/// Through a file on both sides: it cuts its output to a pipe, and takes no prompt of this size as an argument.
const SCRIPT: &str =
    r#"in=$1 out=$2; shift 2; "$@" <"$in" >"$out"; code=$?; cat "$out"; exit "$code""#;

pub(crate) fn invocation(
    assignment: &Assignment<'_>,
    place: &Place<'_>,
    folders: &Folders,
) -> Result<Invocation, AgentError> {
    let program = find("claude", place.program, place.scratch, place.env, INSTALL)?;
    if let Some(home) = place.agent_home {
        login::copy(home, &folders.settings, ".credentials.json", |value| {
            login::blank(value, &["refreshToken"]);
        })?;
        login::copy(home, &folders.settings, "settings.json", only_service)?;
    }
    let mut args: Vec<OsString> = vec!["-c".into(), SCRIPT.into(), "sh".into()];
    args.extend([folders.prompt.clone().into(), folders.work.join("answer.json").into()]);
    args.push(program.clone().into());
    args.extend(options(assignment, folders)?);
    let mut readable = programs::needs(&program, place.env);
    let mut env: Vec<(&str, OsString)> = vec![
        (SETTINGS, folders.settings.clone().into()),
        // Without it `@path` anywhere in the prompt, so also in quoted source, puts that file into the request.
        ("CLAUDE_CODE_DISABLE_ATTACHMENTS", "1".into()),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
        ("CLAUDE_CODE_MAX_RETRIES", RETRIES.into()),
        ("DISABLE_AUTOUPDATER", "1".into()),
        ("DISABLE_ERROR_REPORTING", "1".into()),
        ("DISABLE_TELEMETRY", "1".into()),
    ];
    if let Some(mcp) = &assignment.mcp {
        readable.extend(programs::needs(mcp.command, place.env));
        // Tools of a server may be offered by name only, to be looked up with a tool that the agent does not have.
        env.push(("ENABLE_TOOL_SEARCH", "false".into()));
    }
    Ok(Invocation { program: "sh".into(), args, env, readable, network: Network::Open })
}

/// Options that take several values are followed by another option: they would eat what stands there.
fn options(assignment: &Assignment<'_>, folders: &Folders) -> Result<Vec<OsString>, AgentError> {
    let mut args: Vec<String> = Vec::new();
    let mut say = |words: &[&str]| args.extend(words.iter().map(ToString::to_string));
    say(&["-p", "--output-format", "json"]);
    let allowed = match &assignment.mcp {
        Some(mcp) => format!("Bash,mcp__{}__*", mcp.name),
        None => "Bash".to_owned(),
    };
    say(&["--tools", TOOLS, "--allowedTools", &allowed, "--permission-mode", "acceptEdits"]);
    // Together they keep hooks, servers, permissions and instructions of the repository out.
    say(&["--setting-sources", "user", "--strict-mcp-config"]);
    if let Some(mcp) = &assignment.mcp {
        let (command, args) = server(mcp, folders)?;
        let config = json!({ "mcpServers": { mcp.name: { "command": command, "args": args } } });
        say(&["--mcp-config", &config.to_string()]);
    }
    say(&["--no-session-persistence"]);
    if let Some(turns) = assignment.max_turns {
        say(&["--max-turns", &turns.to_string()]);
    }
    if let Some(usd) = assignment.max_usd {
        say(&["--max-budget-usd", &usd.dollars().to_string()]);
    }
    if let Some(model) = assignment.model {
        say(&["--model", model]);
    }
    args.extend(assignment.args.iter().cloned());
    Ok(args.into_iter().map(OsString::from).collect())
}

/// Of the user's settings those that say which service and which model is used.
fn only_service(settings: &mut Value) {
    login::keep(settings, |key| matches!(key, "model" | "env"));
    if let Some(env) = settings.get_mut("env") {
        login::keep(env, |name| VARIABLES.contains(&name) || name.starts_with("ANTHROPIC_MODEL"));
    }
}

pub(crate) fn told(stdout: &str) -> Told {
    let result = stdout
        .lines()
        .rev()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find(|value| value.get("is_error").is_some());
    let Some(result) = result else {
        let claims = Claims { words: text::last_words(stdout) };
        return Told { ended: Some(Ended::NoResult), claims, spend: None };
    };
    let words = result["result"].as_str().or_else(|| result["errors"][0].as_str());
    let words = text::last_words(words.unwrap_or_default());
    let ended = if result["is_error"] == false { None } else { Some(failure(&result, &words)) };
    let count = |name: &str| result["usage"][name].as_u64().unwrap_or_default();
    let cached = ["cache_read_input_tokens", "cache_creation_input_tokens"];
    let tokens_in =
        cached.iter().fold(count("input_tokens"), |sum, name| sum.saturating_add(count(name)));
    let usd = result["total_cost_usd"].as_f64().and_then(Usd::new);
    let spend = Spend { usd, tokens_in, tokens_out: count("output_tokens") };
    let spend = (result["usage"].is_object() || usd.is_some()).then_some(spend);
    Told { ended, claims: Claims { words }, spend }
}

fn failure(result: &Value, words: &str) -> Ended {
    if matches!(result["subtype"].as_str(), Some("error_max_turns" | "error_max_budget_usd")) {
        return Ended::AtLimit;
    }
    let words = words.to_lowercase();
    let login = ["not logged in", "/login", "invalid api key", "failed to authenticate"];
    if result["api_error_status"] == 401 || login.iter().any(|word| words.contains(word)) {
        return Ended::NotLoggedIn;
    }
    Ended::Failed { code: 1 }
}

/// A slash at the very beginning is a command of the program.
pub(crate) fn prompt(text: &str) -> Result<Cow<'_, str>, AgentError> {
    const MOST: usize = 10_000_000;
    if text.len() >= MOST {
        return Err(AgentError::PromptTooLong { bytes: text.len(), most: MOST });
    }
    Ok(if text.starts_with('/') { format!("\n{text}").into() } else { text.into() })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use expect_test::expect;

    use super::*;
    use crate::assignment::Mcp;

    #[test]
    fn ag1_success_is_judged_by_is_error() {
        let check = |line: &str, ended: Option<Ended>, words: &str| {
            let told = told(&format!("noise\n{line}\n"));
            assert_eq!((told.ended, told.claims.words.as_str()), (ended, words), "{line}");
        };
        check(r#"{"is_error": false, "result": "done"}"#, None, "done");
        check(
            r#"{"subtype": "success", "is_error": true, "result": "Not logged in · Please run /login"}"#,
            Some(Ended::NotLoggedIn),
            "Not logged in · Please run /login",
        );
        check(
            r#"{"subtype": "error_max_turns", "is_error": true, "errors": ["Reached maximum number of turns (2)"]}"#,
            Some(Ended::AtLimit),
            "Reached maximum number of turns (2)",
        );
        check(
            r#"{"is_error": true, "api_error_status": 500, "result": "API Error"}"#,
            Some(Ended::Failed { code: 1 }),
            "API Error",
        );
        check("[1]", Some(Ended::NoResult), "noise\n[1]");
    }

    #[test]
    fn ag1_what_it_says_it_used_is_read() {
        let line = r#"{"is_error": false, "total_cost_usd": 0.25, "usage": {"input_tokens": 10,
            "cache_read_input_tokens": 5, "cache_creation_input_tokens": 1, "output_tokens": 3}}"#;
        let spend = told(&line.replace('\n', " ")).spend;
        assert_eq!(spend, Some(Spend { usd: Usd::new(0.25), tokens_in: 16, tokens_out: 3 }));
        assert_eq!(told(r#"{"is_error": false}"#).spend, None);
    }

    #[test]
    fn ag1_options_are_whole_and_none_eats_another() {
        let folders = Folders {
            work: PathBuf::from("/w"),
            copy: PathBuf::from("/w/copy"),
            settings: PathBuf::from("/w/settings"),
            prompt: PathBuf::from("/p"),
        };
        let args = ["mcp".to_owned(), "{folder}".to_owned()];
        let mcp = Mcp { name: "index", command: "/bin/refactor-bot".as_ref(), args: &args };
        let assignment = Assignment {
            model: Some("sonnet"),
            max_usd: Usd::new(0.5),
            max_turns: Some(7),
            mcp: Some(mcp),
            ..Assignment::new("")
        };
        let args = options(&assignment, &folders).unwrap();
        let args: Vec<String> = args.into_iter().map(|arg| arg.into_string().unwrap()).collect();
        expect![[r#"
            -p
            --output-format json
            --tools Read,Edit,Write,Grep,Glob,Bash
            --allowedTools Bash,mcp__index__*
            --permission-mode acceptEdits
            --setting-sources user
            --strict-mcp-config
            --mcp-config {"mcpServers":{"index":{"args":["mcp","/w/copy"],"command":"/bin/refactor-bot"}}}
            --no-session-persistence
            --max-turns 7
            --max-budget-usd 0.5
            --model sonnet
        "#]]
        .assert_eq(&(args.join(" ").replace(" --", "\n--") + "\n"));
    }

    #[test]
    fn ag1_settings_keep_the_service_and_drop_programs_and_keys_of_others() {
        let mut settings = json!({
            "model": "opus", "hooks": { "Stop": [] }, "apiKeyHelper": "/bin/key", "permissions": {},
            "env": { "ANTHROPIC_BASE_URL": "http://proxy", "GITHUB_TOKEN": "secret" },
        });
        only_service(&mut settings);
        assert_eq!(
            settings,
            json!({ "model": "opus", "env": { "ANTHROPIC_BASE_URL": "http://proxy" } })
        );
        let mut odd = json!(["hooks"]);
        only_service(&mut odd);
        assert_eq!(odd, json!({}));
    }
}
