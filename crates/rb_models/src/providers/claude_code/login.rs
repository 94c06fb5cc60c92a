//! Whether a call could be made: is the program there, and is somebody logged in. No model is asked.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::time::Duration;

use rb_core::process::Exit;
use serde_json::Value;

use super::{ClaudeOptions, INSTALL, LOG_IN};
use crate::error::Fault;
use crate::programs::{Collected, Host, Job, Ran, Scratch, run};
use crate::provider::{Calling, Probe};

/// Older ones drop a schema or the end of an answer without a word. Both are noticed, but nothing comes of such a call.
const OLDEST: [u32; 3] = [2, 1, 197];

/// A program that says its version for longer than this does not work.
const LONGEST: Duration = Duration::from_mins(1);

pub(super) fn probe(
    host: &Host,
    options: &ClaudeOptions,
    env: &[(String, OsString)],
    calling: &Calling<'_>,
) -> Result<Probe, Fault> {
    let (ran, out) = say(host, options, env, &["--version"], calling)?;
    let mut found = out.trim().to_owned();
    if ran.exit != Exit::Code(0) || found.is_empty() {
        return Err(not_usable(options, "it does not say its version"));
    }
    if version(&found).is_none_or(|version| version < OLDEST) {
        let [major, minor, patch] = OLDEST;
        let _ = write!(found, ", older than {major}.{minor}.{patch}: an update is advised");
    }
    let status = status(host, options, env, calling)?;
    let login = match is_logged_in(&status) {
        Some(true) => status["authMethod"].as_str().unwrap_or("logged in"),
        Some(false) => return Err(Fault::NotLoggedIn { what: LOG_IN.to_owned() }),
        // Older ones do not know the question. The first call tells.
        None => "it does not say whether somebody is logged in",
    };
    Ok(Probe { found, login: login.to_owned() })
}

/// What the program says about its login.
pub(super) fn status(
    host: &Host,
    options: &ClaudeOptions,
    env: &[(String, OsString)],
    calling: &Calling<'_>,
) -> Result<Value, Fault> {
    let (_, out) = say(host, options, env, &["auth", "status"], calling)?;
    Ok(serde_json::from_str(&out).unwrap_or_default())
}

/// `None` where it does not say.
pub(super) fn is_logged_in(status: &Value) -> Option<bool> {
    status["loggedIn"].as_bool()
}

fn say(
    host: &Host,
    options: &ClaudeOptions,
    env: &[(String, OsString)],
    args: &[&str],
    calling: &Calling<'_>,
) -> Result<(Ran, String), Fault> {
    let scratch = Scratch::new(host.scratch())?;
    let job = Job {
        program: &options.binary,
        args: args.iter().map(OsString::from).collect(),
        env: env.to_vec(),
        stdin: &[],
        cwd: &scratch.empty_folder()?,
        whole: LONGEST,
        repair: INSTALL,
    };
    let mut out = Collected::default();
    let ran = run(host, &scratch, &job, calling.cancel, &mut out)?;
    Ok((ran, String::from_utf8_lossy(&out.0).into_owned()))
}

fn not_usable(options: &ClaudeOptions, why: &str) -> Fault {
    Fault::NotInstalled { what: format!("`{}` cannot be used: {why}. {INSTALL}", options.binary) }
}

/// The numbers at the beginning: `2.1.325 (Claude Code)`.
fn version(text: &str) -> Option<[u32; 3]> {
    let mut numbers = text.split([' ', '-', '+']).next()?.split('.').map(|part| part.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mo2_versions_compare_as_numbers() {
        assert_eq!(version("2.1.325 (Claude Code)"), Some([2, 1, 325]));
        assert!(version("2.1.99 (Claude Code)") < Some(OLDEST));
        assert!(version("10.0.0-beta") > Some(OLDEST));
        assert_eq!(version("Error: no"), None);
    }
}
