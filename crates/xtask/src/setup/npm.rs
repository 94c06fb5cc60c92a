//! One package of npm in a folder of its own under the target folder.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::shell::{self, Result};

/// Installs the package, with its scripts, in place of whatever is in the folder.
pub(super) fn install(folder: &Path, package: &str) -> Result<()> {
    // What another version has left would stay beside it, and it is large.
    if folder.exists() {
        fs::remove_dir_all(folder)
            .map_err(|error| format!("cannot remove {}: {error}", folder.display()))?;
    }
    fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    write(&folder.join("package.json"), r#"{ "private": true }"#)?;
    let quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
    let mut npm = Command::new("npm");
    npm.args(["install", "--ignore-scripts=false"]).args(quiet).arg(package);
    shell::run(npm.current_dir(folder))
}

pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
