//! Changed files keep to the project's own formatter, if they kept to it before.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use rb_testkit::Repo;

use crate::cli;

const FIXTURE: &str = r#"
//- .gitignore
node_modules/
//- .prettierrc
{}
//- package.json
{ "name": "reader", "private": true, "devDependencies": { "prettier": "3.0.0" } }
//- lib/kept.js
const fs = require('fs');
module.exports.kept = async (path) => {
  const text = fs.readFileSync(path, 'utf8');
  return text.trim();
};
//- lib/loose.js
const fs = require('fs');
module.exports.loose = async (path) => {
  await path;
  const text = fs.readFileSync(path, 'utf8');
  return text.trim();
};
"#;

/// Two blanks behind every `await`.
const FORMATTER: &str = "for file in \"$@\"; do case $file in --*) ;; *) sed -i 's/await \\([^ ]\\)/await  \\1/' \"$file\" ;; esac; done";

/// What became of the two files.
fn check(formatter: &str, kept: &str, loose: &str) {
    let repo = Repo::git_repo(FIXTURE);
    let program = repo.root().join("node_modules/.bin/prettier");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::write(&program, format!("#!/bin/sh\n{formatter}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let cli = cli();
    let root = repo.root().to_str().unwrap().to_owned();
    let order = ["run", &root, "--directive", "Convert synchronous file operations to async"];
    cli.run(
        [&order[..], &["--yes", "--set", "fast_verifier=true", "--set", "full_verifier=true"]]
            .concat(),
    )
    .expect_code(0);
    for (path, expected) in [("lib/kept.js", kept), ("lib/loose.js", loose)] {
        let text = repo.read(path);
        assert!(text.contains(&format!("const text = {expected}fs.promises.readFile(")), "{text}");
    }
}

#[test]
fn rf5_changed_files_keep_to_the_formatter_that_they_kept_to_before() {
    check(FORMATTER, "await  ", "await ");
}

#[test]
fn rf5_a_formatter_that_fails_or_reaches_further_costs_the_formatting_alone() {
    check("exit 3", "await ", "await ");
    check(&format!("{FORMATTER}; echo >> package.json"), "await ", "await ");
}
