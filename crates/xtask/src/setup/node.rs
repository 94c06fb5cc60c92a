//! A Node that runs TypeScript by itself, for the recorded katas: their prompts hold what it says.
//!
//! The packages hold nothing but the program, one for each kind of machine. Where there is none, these katas are not replayed.

use super::npm;
use crate::shell::{self, Result};

/// The version of the recordings.
const VERSION: &str = "24.21.0";

/// Does nothing where that version is installed already.
pub(super) fn run() -> Result<()> {
    let arch = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "x64",
        ("linux", "aarch64") => "arm64",
        _ => return Ok(()),
    };
    let folder = super::target().join("test-tools/node");
    let package = format!("node-linux-{arch}");
    let program = folder.join("node_modules").join(&package).join("bin/node");
    let link = folder.join("node");
    let version = || shell::ask(&link.to_string_lossy(), &["--version"]);
    let is_there = || version().is_some_and(|said| said.trim_start_matches('v') == VERSION);
    if is_there() {
        return Ok(());
    }
    eprintln!("xtask: installing Node {VERSION} in {}", folder.display());
    npm::install(&folder, &format!("{package}@{VERSION}")).map_err(|problem| {
        format!(
            "{problem}\nThe katas in TypeScript that are replayed need the package {package} {VERSION} (about 190 MB). \
             npm must be able to get it, from the network or from its cache."
        )
    })?;
    std::os::unix::fs::symlink(&program, &link)
        .map_err(|error| format!("cannot link {}: {error}", link.display()))?;
    if is_there() {
        return Ok(());
    }
    Err(format!(
        "Node {VERSION} was installed in {}, but it does not say its version",
        folder.display()
    ))
}
