//! Claude Code, for the tests that run the real program against a server on this machine.
//!
//! Installed into a folder of its own under the target folder. It is one native program, put in its place by a script of the
//! package, so scripts are run for this package alone. Nobody is logged in, and no test lets it reach a network.

use std::fs;

use super::npm;
use crate::shell::{self, Result};

/// The version that the tests know. Without it npm takes the newest one that suits its own Node, which the program does
/// not use.
const VERSION: &str = "2.1.325";

/// Does nothing where that version is installed already.
pub(super) fn run() -> Result<()> {
    let folder = super::target().join("test-tools/claude-code");
    let stamp = folder.join("installed");
    let program = folder.join("node_modules/.bin/claude");
    let is_there = || {
        let said = shell::ask(&program.to_string_lossy(), &["--version"]);
        said.is_some_and(|said| said.starts_with(VERSION))
    };
    if fs::read_to_string(&stamp).is_ok_and(|text| text == VERSION) && is_there() {
        return Ok(());
    }
    eprintln!("xtask: installing Claude Code {VERSION} in {}", folder.display());
    npm::install(&folder, &format!("@anthropic-ai/claude-code@{VERSION}")).map_err(|problem| {
        format!(
            "{problem}\nThe tests of the provider `claude-code` need the package @anthropic-ai/claude-code {VERSION} \
             (about 370 MB). npm must be able to get it, from the network or from its cache."
        )
    })?;
    if !is_there() {
        return Err(format!(
            "Claude Code {VERSION} was installed in {}, but it does not say its version",
            folder.display()
        ));
    }
    // Last, so that an installation that was cut off is made again.
    npm::write(&stamp, VERSION)
}
