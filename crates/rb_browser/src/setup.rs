//! What a browser is started with, and the command line of Chromium.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rb_core::Cancel;
use rb_core::process::Env;
use rb_sandbox::{Network, Sandbox};

use crate::error::BrowserError;

#[derive(Debug)]
pub struct Setup<'a> {
    pub sandbox: &'a Sandbox,
    /// What the preview command and Chromium see of the environment, and where Chromium is looked for.
    pub env: &'a Env,
    /// Instead of the first Chromium on `PATH`.
    pub chromium: Option<&'a Path>,
    /// An empty folder of the caller. In the end `server.log` is all that is in it.
    pub scratch: &'a Path,
    pub server: Server<'a>,
    /// As in [`rb_sandbox::Job`].
    pub readable: Vec<PathBuf>,
    /// As in [`rb_sandbox::Job`].
    pub checkouts: Vec<PathBuf>,
    pub cancel: &'a Cancel,
    pub limits: Limits,
}

/// The server whose pages are looked at.
#[derive(Debug, Clone)]
pub enum Server<'a> {
    /// Started in the sandbox of the browser, which has no other network.
    Command {
        /// For a shell.
        line: &'a str,
        folder: &'a Path,
        /// Its `PORT`.
        port: u16,
        writable: Vec<PathBuf>,
    },
    /// Somebody else's; the browser has the network of the machine.
    External,
}

#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Until Chromium answers for the first time.
    pub start: Duration,
    /// One call of the protocol. A page whose script never ends is noticed by it.
    pub call: Duration,
    /// An action waits so long for its target.
    pub action: Duration,
    /// Everything ends after this.
    pub total: Duration,
    /// Of Chromium and the server together.
    pub sandbox: rb_sandbox::Limits,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            start: Duration::from_mins(1),
            call: Duration::from_secs(15),
            action: Duration::from_secs(5),
            total: Duration::from_hours(1),
            sandbox: rb_sandbox::Limits::default(),
        }
    }
}

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const FLAGS: [&str; 27] = [
    "--headless=new",
    // It is in a sandbox already, in which it cannot make another one.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-proxy-server",
    "--no-pings",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-features=Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider",
    "--password-store=basic",
    "--mute-audio",
    // The same page gives the same picture.
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--lang=en-US",
];

/// With the network cut off, names of other machines do not even start a look-up.
const ONLY_LOOPBACK: &str =
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]";

impl Setup<'_> {
    pub(crate) fn program(&self) -> Result<PathBuf, BrowserError> {
        match self.chromium {
            Some(path) if path.is_file() => Ok(path.to_owned()),
            Some(path) => Err(BrowserError::NotAProgram { path: path.to_owned() }),
            None => NAMES.iter().find_map(|name| self.env.find(name)).ok_or(BrowserError::Missing),
        }
    }

    pub(crate) fn network(&self) -> Network {
        match self.server {
            Server::Command { .. } => Network::Loopback,
            Server::External => Network::Open,
        }
    }

    pub(crate) fn flags(&self, profile: &Path) -> Vec<OsString> {
        let mut flags: Vec<OsString> = FLAGS.iter().map(Into::into).collect();
        if self.network() == Network::Loopback {
            flags.push(ONLY_LOOPBACK.into());
        }
        let mut user_data = OsString::from("--user-data-dir=");
        user_data.push(profile);
        flags.extend([user_data, "about:blank".into()]);
        flags
    }
}
