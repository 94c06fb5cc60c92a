//! What is found in a repository, as a snapshot of words; one module for each toolchain.

mod ci;
mod dependencies;
mod javascript;
mod line;
mod monorepo;
mod optional;
mod others;
mod properties;
mod python;
mod rust;
mod scripts;

use std::path::Path;

use expect_test::Expect;
use rb_toolchains::{Detected, detect};

/// Programs that every fixture's machine has.
const HAVE: [&str; 8] =
    ["node", "npm", "python3", "cargo", "go", "cargo-clippy", "cargo-nextest", "rake"];

/// Detects the fixture. Files below a folder that git would ignore are on the disk and not in the list.
fn detected(fixture: &str) -> Detected {
    let folder = tempfile::tempdir().expect("a folder");
    rb_testkit::write_fixture(folder.path(), fixture);
    let mut files = Vec::new();
    list(folder.path(), "", &mut files);
    detect(folder.path(), &files, &|program: &str| HAVE.contains(&program))
}

fn list(root: &Path, folder: &str, files: &mut Vec<String>) {
    const IGNORED: [&str; 4] = ["node_modules", ".venv", "target", ".pnp.cjs"];
    for name in rb_core::fs::list(&root.join(folder)).expect("a folder") {
        let name = name.into_string().expect("fixtures have plain names");
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        if IGNORED.contains(&name.as_str()) {
            continue;
        }
        if root.join(&path).is_dir() {
            list(root, &path, files);
        } else {
            files.push(path);
        }
    }
}

fn check(fixture: &str, expect: &Expect) {
    expect.assert_eq(&detected(fixture).to_string());
}

/// A `package.json` with one script for tests.
fn check_script(script: &str, expect: &Expect) {
    let script = serde_json::to_string(script).expect("a string is JSON");
    let json = format!(
        r#"//- package.json
{{"name": "a", "scripts": {{
  "test": {script}, "jest": "jest --coverage", "lint": "eslint src", "build": "tsc -b && node copy.js", "unit": "TZ=UTC vitest"
}}}}
"#
    );
    let detected = detected(&json);
    let mut said = String::new();
    for line in detected.to_string().lines().skip(1) {
        // The two scripts that are always there.
        let line = line.strip_prefix("  ").unwrap_or(line);
        let is_usual = line.starts_with("build: npm run build")
            || line.starts_with("lint: eslint src  [package.json scripts.lint]");
        if !is_usual {
            said.push_str(line);
            said.push('\n');
        }
    }
    expect.assert_eq(&said);
}
