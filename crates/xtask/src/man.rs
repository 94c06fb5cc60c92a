//! Manual pages, one a command, from the same data as `--help`.

use crate::shell::Result;

/// Without the feature `man` this program knows nothing of the command line, so it starts itself with it.
#[cfg(not(feature = "man"))]
pub(crate) fn run() -> Result<()> {
    // The feature `fault` changes no page, and the tests have built that already.
    let features = "man,refactor_bot/fault";
    let args = ["run", "--quiet", "--locked", "-p", "xtask", "--features", features, "--", "man"];
    crate::shell::run(crate::shell::cargo().args(args))
}

#[cfg(feature = "man")]
pub(crate) fn run() -> Result<()> {
    let folder = crate::shell::root().join("target/man");
    let said = |error: std::io::Error| format!("cannot write {}: {error}", folder.display());
    std::fs::create_dir_all(&folder).map_err(said)?;
    clap_mangen::generate_to(refactor_bot::command(), &folder).map_err(said)?;
    eprintln!("xtask: manual pages in {}", folder.display());
    Ok(())
}
