//! One assignment, from the copy to the report.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rb_core::fs::{self, Durability};
use rb_core::process::Env;
use rb_sandbox::{Job, Ran, SandboxError};

use crate::agent::Agent;
use crate::assignment::{Assignment, Confinement, Place};
use crate::compare::{Difference, compare};
use crate::copy::{self, Copy};
use crate::error::AgentError;
use crate::invocation::{Folders, Invocation, told};
use crate::refusal::{Reason, Refusal};
use crate::report::{Ended, Report};
use crate::{claude_code, left_running, text};

/// Variables of the caller that every agent sees. `HOME` and `TMPDIR` tell the sandbox what to hide; the agent gets its own.
const PASSED_ON: [&str; 5] = ["PATH", "LANG", "LC_ALL", "HOME", "TMPDIR"];

/// Lets the agent work in a copy of the commit, and reads what it changed. The copy is gone afterwards; the prompt and the
/// output stay in the scratch folder.
pub fn run(
    agent: &Agent,
    assignment: &Assignment<'_>,
    place: &Place<'_>,
) -> Result<Report, AgentError> {
    let is_confined = place.sandbox.held().confines();
    if !is_confined && place.confinement == Confinement::Required {
        return Err(AgentError::NotConfined { guarantees: place.sandbox.held().words() });
    }
    if assignment.prompt.trim().is_empty() {
        return Err(AgentError::EmptyPrompt);
    }
    let own = ["work", "base"].map(|name| place.scratch.join(name));
    let remove = || own.iter().try_for_each(|folder| copy::remove(folder));
    // Left by a run that was killed.
    remove()?;
    let report = run_in(agent, assignment, place, &own);
    let removed = remove();
    let report = report?;
    removed?;
    Ok(report)
}

fn run_in(
    agent: &Agent,
    assignment: &Assignment<'_>,
    place: &Place<'_>,
    [work, base]: &[PathBuf; 2],
) -> Result<Report, AgentError> {
    let folders = Folders {
        work: work.clone(),
        copy: work.join("copy"),
        settings: work.join("settings"),
        prompt: place.scratch.join("prompt.md"),
    };
    fs::create_dir_all(&folders.settings)?;
    fs::set_mode(&folders.settings, 0o700)?;
    let prompt = match agent {
        Agent::ClaudeCode => claude_code::prompt(assignment.prompt)?,
        Agent::Codex | Agent::Command(_) => assignment.prompt.into(),
    };
    fs::write(&folders.prompt, prompt.as_bytes(), Durability::Relaxed)?;
    let copy = Copy::make(place, folders.copy.clone(), base)?;
    let invocation = Invocation::of(agent, assignment, place, &folders)?;
    let job = job(agent, assignment, place, &folders, invocation)?;
    let (ran, mut refused) = match place.sandbox.run(&job, place.cancel) {
        Ok(ran) => (ran, Vec::new()),
        Err(SandboxError::GitChanged { paths, ran }) => {
            let relative = |path: &PathBuf| match path.strip_prefix(work) {
                Ok(inside) => Path::new("..").join(inside),
                Err(_) => path.clone(),
            };
            let shown = |path: &PathBuf| text::shown(relative(path).as_os_str().as_encoded_bytes());
            let refuse = |path: &PathBuf| Refusal::new(shown(path), Reason::GitFolder);
            (*ran, paths.iter().map(refuse).collect())
        }
        Err(error) => return Err(error.into()),
    };
    let left_running = left_running::is_any(&folders);
    let committed = copy.has_commits();
    let Difference { changes, refused: found } = compare(&copy)?;
    refused.extend(found);
    let most = usize::try_from(job.limits.output).unwrap_or(usize::MAX);
    let told = told(agent, &ran.stdout.excerpt(most));
    let ended = ended(&ran, told.ended);
    let Ran { elapsed, stdout, stderr, .. } = ran;
    let (claims, spend) = (told.claims, told.spend);
    Ok(Report {
        ended,
        changes,
        refused,
        committed,
        left_running,
        claims,
        spend,
        elapsed,
        stdout,
        stderr,
    })
}

fn job(
    agent: &Agent,
    assignment: &Assignment<'_>,
    place: &Place<'_>,
    folders: &Folders,
    invocation: Invocation,
) -> Result<Job, AgentError> {
    let mut env = Env::default().with("TERM", "dumb");
    for name in PASSED_ON {
        if let Some(value) = place.env.get(name) {
            env = env.with(name, value);
        }
    }
    let own = agent.variables().iter().copied();
    let keys = keys(place.env, own.chain(assignment.variables.iter().map(String::as_str)));
    let invocation =
        if keys.is_empty() { invocation } else { by_file(&keys, folders, invocation)? };
    let invocation = left_running::watched(folders, invocation);
    if !place.sandbox.held().confines() {
        // No sandbox gives it a home of its own.
        let home = folders.work.join("home");
        fs::create_dir_all(&home)?;
        env = env.with("HOME", home);
    }
    for (name, value) in invocation.env {
        env = env.with(name, value);
    }
    let mut readable = place.readable.to_vec();
    readable.extend(invocation.readable);
    readable.push(folders.prompt.clone());
    let mut checkouts = place.checkouts.to_vec();
    checkouts.push(place.worktree.to_owned());
    Ok(Job {
        program: invocation.program,
        args: invocation.args,
        cwd: folders.copy.clone(),
        env,
        // The folder around the copy: `.git` right in a writable folder is protected, and the copy's is the agent's own.
        writable: vec![folders.work.clone()],
        readable,
        checkouts,
        hidden: Vec::new(),
        network: invocation.network,
        timeout: place.timeout,
        limits: place.limits,
        log: place.scratch.join("agent"),
    })
}

/// The variables as a shell sets them.
fn keys<'n>(env: &Env, names: impl Iterator<Item = &'n str>) -> Vec<u8> {
    let mut script = Vec::new();
    for name in names {
        let Some(value) = env.get(name) else { continue };
        script.extend_from_slice(format!("export {name}='").as_bytes());
        for &byte in value.as_encoded_bytes() {
            match byte {
                b'\'' => script.extend_from_slice(b"'\\''"),
                byte => script.push(byte),
            }
        }
        script.extend_from_slice(b"'\n");
    }
    script
}

/// Keys come by a file that is gone before the agent begins: every user of the machine can read the command line of a sandbox.
fn by_file(
    keys: &[u8],
    folders: &Folders,
    invocation: Invocation,
) -> Result<Invocation, AgentError> {
    let file = folders.settings.join("keys");
    fs::write(&file, keys, Durability::Relaxed)?;
    fs::set_mode(&file, 0o600)?;
    let script = r#". "$0" && rm -f -- "$0" && exec "$@""#;
    let mut args: Vec<OsString> = vec!["-c".into(), script.into(), file.into()];
    args.push(invocation.program);
    args.extend(invocation.args);
    Ok(Invocation { program: "/bin/sh".into(), args, ..invocation })
}

/// Words of the agent count only where it came to an end by itself.
fn ended(ran: &Ran, told: Option<Ended>) -> Ended {
    match ran.ended {
        rb_sandbox::Ended::Exit(code) => match told {
            Some(Ended::NoResult) if code != 0 => Ended::Failed { code },
            Some(told) => told,
            None if code == 0 => Ended::Done,
            None => Ended::Failed { code },
        },
        rb_sandbox::Ended::Signal(signal) => Ended::Killed { signal },
        rb_sandbox::Ended::TimedOut(after) => Ended::TimedOut { after },
        rb_sandbox::Ended::TooManyProcesses(most) => Ended::TooManyProcesses { most },
        rb_sandbox::Ended::OutOfMemory(bytes) => Ended::OutOfMemory { bytes },
        // Nobody ends it so here.
        rb_sandbox::Ended::Enough => Ended::NoResult,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ag1_keys_are_in_a_file_and_on_no_command_line() {
        let env = Env::default().with("KEY", "it's\na $secret").with("OTHER", "x");
        let script = keys(&env, ["KEY", "MISSING"].into_iter());
        assert_eq!(
            String::from_utf8(script.clone()).unwrap(),
            "export KEY='it'\\''s\na $secret'\n"
        );
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        let folders = Folders { work: at("w"), copy: at("c"), settings: at("s"), prompt: at("p") };
        fs::create_dir_all(&folders.settings).unwrap();
        let invocation = Invocation {
            program: "agent".into(),
            args: vec!["--go".into()],
            env: Vec::new(),
            readable: Vec::new(),
            network: rb_sandbox::Network::Loopback,
        };
        let invocation = by_file(&script, &folders, invocation).unwrap();
        let line: Vec<String> =
            invocation.args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        assert!(!line.iter().any(|word| word.contains("secret")), "{line:?}");
        assert_eq!(line[3..], ["agent", "--go"]);
        assert_eq!(fs::read(&folders.settings.join("keys")).unwrap(), script);
    }
}
