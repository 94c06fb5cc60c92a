//! What stood around the commands: sandbox, versions of the programs, hashes of the lockfiles.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rb_core::fs;
use rb_core::process::{Cmd, Env};
use rb_core::{Cancel, RepoPath, Sha256};
use rb_toolchains::{Command, Detected};

use crate::record::Surroundings;
use crate::verifier::{Verifier, VerifyError};

/// A program that does not say its version in this time has none.
const PATIENCE: Duration = Duration::from_secs(10);

/// What each program says of its version. Starting them all takes a while, so this is done beside the commands.
pub(crate) fn versions(env: &Env, commands: &[Command], cancel: &Cancel) -> Vec<(String, String)> {
    let programs: BTreeSet<&str> =
        commands.iter().flat_map(|command| &command.needs).map(String::as_str).collect();
    let version = |program: &&str| Some(((*program).to_owned(), version(env, program, cancel)?));
    programs.iter().filter_map(version).collect()
}

pub(crate) fn look(
    verifier: &Verifier,
    detected: &Detected,
    dependencies: Vec<String>,
) -> Result<Surroundings, VerifyError> {
    let mut lockfiles = BTreeMap::new();
    for path in detected.packages.iter().flat_map(|package| &package.lockfiles) {
        let Ok(place) = RepoPath::new(path) else { continue };
        if let Some(bytes) = fs::read_plain(&verifier.site.root, &place, u64::MAX)? {
            lockfiles.insert(path.clone(), Sha256::of(&bytes).to_string());
        }
    }
    Ok(Surroundings {
        sandbox: verifier.sandbox.held().clone(),
        versions: Vec::new(),
        lockfiles: lockfiles.into_iter().collect(),
        dependencies,
    })
}

/// Asked of the programs of this machine only, never of one that the repository brings.
fn version(env: &Env, program: &str, cancel: &Cancel) -> Option<String> {
    let path = env.find(program)?;
    let flag = if program == "go" { "version" } else { "--version" };
    let out = Cmd::new(path, env).arg(flag).timeout(PATIENCE).limit(4 << 10);
    let out = out.run(cancel).ok().filter(rb_core::process::Output::success)?;
    let text = String::from_utf8_lossy(&out.stdout);
    text.lines().next().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())
}
