//! The side of Node: programs go in, what could be seen of them comes out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rb_core::Cancel;
use rb_core::process::{Cmd, Env};
use serde_json::Value;

/// Runs all cases in one process, and gives the trace of each by its id; `run.mjs` says what a case is.
pub(crate) fn run(input: &[Value]) -> BTreeMap<String, Vec<String>> {
    let harness = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/behaviour/harness/run.mjs");
    let output = Cmd::new("node", &env())
        .arg(harness)
        .arg(tools())
        .stdin(serde_json::to_vec(input).expect("plain data"))
        .timeout(Duration::from_mins(5))
        .run(&Cancel::new())
        .expect("node runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.success(),
        "the harness failed (`cargo xtask setup` installs what it needs):\n{stderr}"
    );
    let answers: Vec<Value> = serde_json::from_slice(&output.stdout).expect("traces");
    let lines = |answer: &Value| -> Vec<String> {
        let lines = answer["trace"].as_array().expect("a trace").iter();
        lines.map(|line| line.as_str().expect("a line").to_owned()).collect()
    };
    answers.iter().map(|it| (it["id"].as_str().expect("an id").to_owned(), lines(it))).collect()
}

#[expect(clippy::disallowed_methods, reason = "a test finds its tools where the person has them")]
fn env() -> Env {
    Env::passed_on(std::env::vars_os())
}

/// Where `cargo xtask setup` puts the packages that the harness needs.
fn tools() -> PathBuf {
    let binary = std::env::current_exe().expect("this test is a file");
    let target = binary.ancestors().find(|it| it.join("test-tools").is_dir());
    target.expect("`cargo xtask setup` was run").join("test-tools/react")
}
