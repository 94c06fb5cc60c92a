//! Runs every fuzz target for a while. Needs cargo-fuzz and a nightly compiler.

use std::num::NonZeroU32;
use std::process::Command;

use crate::shell::{self, Result};

pub(crate) fn run(seconds: &str) -> Result<()> {
    // Zero would mean for ever.
    let seconds: NonZeroU32 =
        seconds.parse().map_err(|_| format!("`{seconds}` is no number of seconds"))?;
    if shell::ask("cargo", &["+nightly", "fuzz", "--version"]).is_none() {
        return Err("cargo-fuzz on a nightly compiler is needed:\n  \
                    rustup toolchain install nightly\n  cargo install cargo-fuzz"
            .to_owned());
    }
    for target in targets()? {
        eprintln!("xtask: fuzzing {target} for {seconds} s");
        let mut command = Command::new("cargo");
        command.current_dir(shell::root()).args(["+nightly", "fuzz", "run", &target, "--"]);
        shell::run(command.arg(format!("-max_total_time={seconds}")))?;
    }
    Ok(())
}

/// The names of the files in `fuzz/fuzz_targets`, sorted.
fn targets() -> Result<Vec<String>> {
    let folder = shell::root().join("fuzz/fuzz_targets");
    let said = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    let mut targets = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(said)? {
        let path = entry.map_err(said)?.path();
        if path.extension().is_some_and(|extension| extension == "rs")
            && let Some(name) = path.file_stem()
        {
            targets.push(name.to_string_lossy().into_owned());
        }
    }
    targets.sort();
    Ok(targets)
}
