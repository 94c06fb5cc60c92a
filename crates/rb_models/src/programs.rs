//! Providers that are programs on this machine: one way to run them all.
//!
//! The question goes in by a file, the answer comes out into a file that is read while it grows, and nothing of the program
//! outlives the call. What is asked, and what the answer means, is each provider's affair. No shell is ever involved.

mod prompt;
mod run;
mod scratch;
mod words;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use rb_core::process::Env;

pub(crate) use prompt::prompt;
pub(crate) use run::{Collected, Ear, Job, Lines, Ran, run};
pub(crate) use scratch::{Scratch, uuid};
pub(crate) use words::{is_any, last_words, of_status, of_words, printable_of, shown, status_in};

/// How a program reaches its service from this network. None of it says who the user is.
pub const NETWORK: [&str; 11] = [
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// Where the programs keep their own logins, for users who have moved them.
pub const LOGINS: [&str; 2] = ["CLAUDE_CONFIG_DIR", "CODEX_HOME"];

/// What programs find around them: some variables, and a place for the files of one call.
#[derive(Clone)]
pub struct Host {
    env: Env,
    scratch: PathBuf,
}

impl Host {
    /// `outside` is the environment of the user, of which `NETWORK` and `LOGINS` are kept. Below `scratch` each call
    /// makes a folder of its own and removes it.
    pub fn new(
        env: &Env,
        outside: impl IntoIterator<Item = (OsString, OsString)>,
        scratch: impl Into<PathBuf>,
    ) -> Self {
        let known = |name: &OsStr| NETWORK.iter().chain(&LOGINS).any(|known| name == *known);
        let kept = outside.into_iter().filter(|(name, _)| known(name));
        let env = kept.fold(env.clone(), |env, (name, value)| env.with(name, value));
        Host { env, scratch: scratch.into() }
    }

    pub(crate) fn env(&self) -> &Env {
        &self.env
    }

    pub(crate) fn scratch(&self) -> &Path {
        &self.scratch
    }

    /// The program of a name on `PATH`, or of a path; `None` where there is nothing that could be run.
    pub(crate) fn find(&self, program: &str) -> Option<PathBuf> {
        if program.contains('/') {
            // The program gets a working folder of its own, which is no base for the user's path.
            let path = std::path::absolute(program).ok()?;
            return path.is_file().then_some(path);
        }
        self.env.find(program)
    }
}
