//! The TypeScript compiler, for the tests that check and run generated programs before and after an operation.

use super::npm;
use crate::shell::{self, Result};

const VERSION: &str = "5.9.3";

/// Does nothing where that version is installed already.
pub(super) fn run() -> Result<()> {
    let folder = super::target().join("test-tools/typescript");
    let program = folder.join("node_modules/.bin/tsc");
    let is_there = || {
        let said = shell::ask(&program.to_string_lossy(), &["--version"]);
        said.is_some_and(|said| said.contains(VERSION))
    };
    if is_there() {
        return Ok(());
    }
    eprintln!("xtask: installing TypeScript {VERSION} in {}", folder.display());
    npm::install(&folder, &format!("typescript@{VERSION}")).map_err(|problem| {
        format!(
            "{problem}\nThe tests of TypeScript operations need the package typescript {VERSION} (about 23 MB). \
             npm must be able to get it, from the network or from its cache."
        )
    })?;
    if is_there() {
        return Ok(());
    }
    Err(format!(
        "TypeScript {VERSION} was installed in {}, but it does not say its version",
        folder.display()
    ))
}
