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

/// A line break behind every `await`.
const FORMATTER: &str = "for file in \"$@\"; do case $file in --*) ;; *) sed -i 's/await \\([^ ]\\)/await\\n    \\1/' \"$file\" ;; esac; done";

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
    let more = ["--yes", "--set", "fast_verifier=true", "--set", "full_verifier=true"];
    let ran = cli.run([&order[..], &more].concat());
    ran.expect_code(0);
    for (path, expected) in [("lib/kept.js", kept), ("lib/loose.js", loose)] {
        let text = repo.read(path);
        assert!(text.contains(&format!("const text = {expected}fs.promises.readFile(")), "{text}");
    }
    let first = repo.git(&["rev-list", "--max-parents=0", "HEAD"]);
    let landed = repo.git(&["diff", "--numstat", first.trim(), "HEAD"]);
    let count = |text: &str| text.parse::<usize>().unwrap();
    let sum =
        |all: Vec<(usize, usize)>| all.into_iter().fold((0, 0), |(a, b), it| (a + it.0, b + it.1));
    let landed = landed.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let landed = sum(landed.map(|it| (count(it[0]), count(it[1]))).collect());
    let told = ran.stdout.lines().filter_map(|line| line.split_once(", +")?.1.split_once(')'));
    let told = told.filter_map(|(sizes, _)| sizes.split_once(" -"));
    let told = sum(told.map(|(added, removed)| (count(added), count(removed))).collect());
    assert_eq!(told, landed, "{}", ran.stdout);
}

#[test]
fn rf5_changed_files_keep_to_the_formatter_that_they_kept_to_before() {
    check(FORMATTER, "await\n    ", "await ");
}

#[test]
fn rf5_a_formatter_that_fails_or_reaches_further_costs_the_formatting_alone() {
    check("exit 3", "await ", "await ");
    check(&format!("{FORMATTER}; echo >> package.json"), "await ", "await ");
}

const RULES: &str = r#"
//- .gitignore
node_modules/
//- biome.json
{}
//- package.json
{ "name": "shop", "private": true, "dependencies": { "react": "19.2.0" } }
//- src/cart.tsx
export const Cart = ({ count }: { count: number }) => <b>{count && <i>{count}</i>}</b>;
"#;

/// Edits of rules go through the formatter that their files kept to, here one that breaks the line before `: null`.
#[test]
fn ru1_edits_of_rules_keep_to_the_formatter() {
    let repo = Repo::git_repo(RULES);
    let program = repo.root().join("node_modules/.bin/biome");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    let body = "case $1 in check) for file in \"$@\"; do case $file in ./*) sed -i 's/ : null/\\n  : null/' \"$file\" ;; esac; done ;; *) exit 3 ;; esac";
    fs::write(&program, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let root = repo.root().to_str().unwrap().to_owned();
    let cli = cli();
    let order = ["rules", "fix", &root, "--rule", "rendering-conditional-render", "--yes"];
    let ran = cli.run(
        [&order[..], &["--set", "fast_verifier=true", "--set", "full_verifier=true"]].concat(),
    );
    ran.expect_code(0);
    let text = repo.read("src/cart.tsx");
    assert!(text.contains("{count ? <i>{count}</i>\n  : null}"), "{text}");
}
