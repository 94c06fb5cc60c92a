//! axe-core, which finds barriers for people with disabilities on the pages of `serve`.

use std::fs;

use super::npm;
use crate::shell::Result;

const VERSION: &str = "4.14.0";

/// Does nothing where that version is installed already.
pub(super) fn run() -> Result<()> {
    let folder = super::target().join("test-tools/axe");
    let package = folder.join("node_modules/axe-core/package.json");
    let is_there = || {
        let text = fs::read_to_string(&package).unwrap_or_default();
        text.contains(&format!("\"version\": \"{VERSION}\""))
    };
    if is_there() {
        return Ok(());
    }
    eprintln!("xtask: installing axe-core {VERSION} in {}", folder.display());
    npm::install(&folder, &format!("axe-core@{VERSION}")).map_err(|problem| {
        format!(
            "{problem}\nThe tests of the pages of `serve` need the package axe-core {VERSION} (about 3 MB). npm must be able to get it, \
             from the network or from its cache."
        )
    })?;
    if is_there() {
        return Ok(());
    }
    Err(format!("axe-core was installed in {}, but not as version {VERSION}", folder.display()))
}
