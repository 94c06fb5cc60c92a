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
        let languages = languages(&target)?;
        if languages.is_empty() {
            eprintln!("xtask: fuzzing {target} for {seconds} s");
            shell::run(fuzz(&target).arg("--").arg(format!("-max_total_time={seconds}")))?;
        }
        for language in languages {
            eprintln!("xtask: fuzzing {target}, {language}, for {seconds} s");
            let corpus = format!("fuzz/corpus/{target}-{language}");
            let made = shell::root().join(&corpus);
            std::fs::create_dir_all(&made).map_err(|error| format!("{corpus}: {error}"))?;
            let mut command = fuzz(&target);
            command.env("RB_FUZZ_LANGUAGE", &language).arg(corpus);
            command.arg(format!("fuzz/seeds/{target}-{language}")).arg("--");
            // Looking for leaks after each input would take most of the time.
            command.args(["-detect_leaks=0", "-timeout=60"]);
            shell::run(command.arg(format!("-max_total_time={seconds}")))?;
        }
    }
    Ok(())
}

fn fuzz(target: &str) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(shell::root()).args(["+nightly", "fuzz", "run", target]);
    command
}

/// The languages of a target that reads one at a time, sorted: it has seeds for each.
fn languages(target: &str) -> Result<Vec<String>> {
    let names = names_in("fuzz/seeds")?;
    let language = |name: &String| Some(name.strip_prefix(target)?.strip_prefix('-')?.to_owned());
    Ok(names.iter().filter_map(language).collect())
}

/// Those of `fuzz/fuzz_targets`, sorted.
fn targets() -> Result<Vec<String>> {
    let names = names_in("fuzz/fuzz_targets")?;
    Ok(names.iter().filter_map(|name| name.strip_suffix(".rs")).map(ToOwned::to_owned).collect())
}

/// What a folder of the repository holds, sorted.
fn names_in(folder: &str) -> Result<Vec<String>> {
    let said = |error: std::io::Error| format!("cannot read {folder}: {error}");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(shell::root().join(folder)).map_err(said)? {
        names.push(entry.map_err(said)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}
