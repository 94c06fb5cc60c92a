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

#[cfg(all(test, feature = "man"))]
mod tests {
    #[test]
    fn ux2_every_command_has_a_manual_page() {
        super::run().unwrap();
        let folder = crate::shell::root().join("target/man");
        let commands = refactor_bot::command();
        let names = commands.get_subcommands().filter(|it| !it.is_hide_set());
        for name in names.map(|it| format!("refactor-bot-{}.1", it.get_name())) {
            let page = std::fs::read_to_string(folder.join(&name)).unwrap_or_default();
            assert!(page.contains("SYNOPSIS"), "{name}: {page}");
        }
    }
}
