//! React, a document without a browser, and a translator of TypeScript, for the tests that run what a rule has changed.
//!
//! Installed from the lockfile beside those tests, into a folder of its own under the target folder. No script of a package is run.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::npm;
use crate::shell::{self, Result};

/// What says which packages, below the root of the workspace.
const HARNESS: &str = "crates/rb_rules/tests/behaviour/harness";

/// Says that the packages can be loaded, the translator's own program among them.
const PROBE: &str = "\
const esbuild = require('esbuild');
for (const name of ['react', 'react-dom/server', 'jsdom']) require(name);
esbuild.transformSync('let x: number', { loader: 'ts' });";

/// Does nothing where the packages of the lockfile are installed already.
pub(super) fn run() -> Result<()> {
    let harness = shell::root().join(HARNESS);
    let folder = super::target().join("test-tools/react");
    let stamp = folder.join("installed");
    let lock = read(&harness.join("package-lock.json"))?;
    if fs::read_to_string(&stamp).is_ok_and(|text| text == lock) && is_there(&folder) {
        return Ok(());
    }
    eprintln!("xtask: installing React in {}", folder.display());
    install(&harness, &folder, &lock).map_err(|problem| {
        format!(
            "{problem}\nThe tests that run what rules have changed need the packages of \
             {HARNESS}/package-lock.json. npm must be able to get them, from the network or from its cache."
        )
    })?;
    if !is_there(&folder) {
        return Err(format!(
            "React was installed in {}, but Node cannot load it",
            folder.display()
        ));
    }
    // Last, so that an installation that was cut off is made again.
    npm::write(&stamp, &lock)
}

fn install(harness: &Path, folder: &Path, lock: &str) -> Result<()> {
    fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    npm::write(&folder.join("package.json"), &read(&harness.join("package.json"))?)?;
    npm::write(&folder.join("package-lock.json"), lock)?;
    let quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    let mut npm = Command::new("npm");
    shell::run(npm.args(["ci", "--ignore-scripts"]).args(quiet).current_dir(folder))
}

fn is_there(folder: &Path) -> bool {
    let mut node = Command::new("node");
    node.args(["-e", PROBE]).current_dir(folder);
    node.output().is_ok_and(|out| out.status.success())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}
