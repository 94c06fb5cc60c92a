//! A `ChromaDB` server for the tests, in a Python environment of its own under the target folder.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::shell::{self, Result};

/// The version that the tests know.
const VERSION: &str = "1.5.9";

/// Says that the server can be started; it needs none of the package's many dependencies.
const PROBE: &str = "import chromadb_rust_bindings";

/// Does nothing where that version is installed already.
pub(super) fn run() -> Result<()> {
    let folder = super::target().join("services/chroma");
    let stamp = folder.join("version");
    let python = folder.join("bin/python");
    let is_there = || shell::ask(&python.to_string_lossy(), &["-c", PROBE]).is_some();
    if fs::read_to_string(&stamp).is_ok_and(|text| text == VERSION) && is_there() {
        return Ok(());
    }
    eprintln!("xtask: installing chromadb {VERSION} in {}", folder.display());
    install(&folder, &python).map_err(|problem| {
        format!(
            "{problem}\nThe tests of the ChromaDB client need Python 3.9 or newer with venv and pip, and the \
             package chromadb {VERSION}. pip must be able to get it, from the network or from a folder of \
             wheels (PIP_FIND_LINKS)."
        )
    })?;
    if !is_there() {
        return Err(format!("chromadb {VERSION} was installed, but Python cannot load it"));
    }
    // Last, so that an installation that was cut off is made again.
    fs::write(&stamp, VERSION).map_err(|error| format!("cannot write {}: {error}", stamp.display()))
}

fn install(folder: &Path, python: &Path) -> Result<()> {
    shell::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    // Built from source it would want more than a test may ask for.
    let only = ["--no-deps", "--only-binary", ":all:"];
    shell::run(Command::new(python).args(pip).args(only).arg(format!("chromadb=={VERSION}")))
}
