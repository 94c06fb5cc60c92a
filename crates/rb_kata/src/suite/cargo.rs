//! What cargo prints of a build, the same each time.
//!
//! The library and its tests are built side by side, and each reports the same errors, as far as it gets.

use std::collections::BTreeSet;

/// Without a diagnostic that stood there before, and without the lines that tell which target failed first, or in which folder.
pub(super) fn diagnostics_once(printed: &str) -> String {
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    let printed = without_progress(printed);
    for block in printed.split("\n\n").map(|block| block.trim_matches('\n')) {
        let is_diagnostic = block.starts_with("error") || block.starts_with("warning");
        if !block.trim().is_empty() && (!is_diagnostic || seen.insert(block)) {
            kept.push(block);
        }
    }
    kept.join("\n\n")
}

fn without_progress(printed: &str) -> String {
    let is_progress = |line: &str| {
        let line = line.trim_start();
        line.starts_with("Compiling ")
            || line.starts_with("error: could not compile")
            || line.starts_with("warning: build failed")
    };
    printed.lines().filter(|line| !is_progress(line)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ka2_a_diagnostic_of_two_targets_is_shown_once() {
        let library = "   Compiling sum v0.1.0 (/home/me/sum)\nerror: no\n --> src/lib.rs:1:1\n\n";
        let tests = "error: no\n --> src/lib.rs:1:1\n\nerror: could not compile `sum` (lib test) due to 1 previous error\n\n";
        let end = "error: could not compile `sum` (lib) due to 1 previous error\nwarning: build failed, waiting for other jobs to finish...\n";
        let expected = "error: no\n --> src/lib.rs:1:1";
        assert_eq!(diagnostics_once(&[library, tests, end].concat()), expected);
        assert_eq!(diagnostics_once(&[library, end].concat()), expected);
        assert_eq!(diagnostics_once("ok\n\nok"), "ok\n\nok");
    }
}
