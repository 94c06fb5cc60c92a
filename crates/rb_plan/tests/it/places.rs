//! Directives that name files and folders, and parts of directives that nothing serves.

use rb_core::RepoPath;

use crate::directed::FILES;
use crate::support::Repo;

/// The files of all tasks, and what is said not to be served.
#[track_caller]
fn check(repo: &Repo, files: &[&str], why: &str) {
    let plan = repo.plan();
    let mut found: Vec<String> =
        plan.tasks.iter().flat_map(|it| &it.files).map(ToString::to_string).collect();
    found.sort();
    found.dedup();
    assert_eq!(found, files, "{:?}", repo.directive);
    assert_eq!(plan.unserved.map(|it| it.why).unwrap_or_default(), why, "{:?}", repo.directive);
}

fn asked(directive: &str) -> Repo {
    Repo::asked(FILES, directive)
}

#[test]
fn rf3_a_path_that_is_not_there_is_not_the_whole_repository() {
    for (path, why) in [
        ("src/nothere.js", "src/nothere.js does not exist"),
        ("src/logs/tial.js", "src/logs/tial.js does not exist; did you mean `src/logs/tail.js`?"),
        ("src/tail.js", "src/tail.js does not exist; did you mean `src/logs/tail.js`?"),
        ("../repo", "../repo is not in this repository"),
        ("/etc/hosts", "/etc/hosts is not in this repository"),
        ("src/../../x.js", "src/../../x.js is not in this repository"),
    ] {
        let directive = format!("Convert {path} to async file operations");
        check(&asked(&directive), &[], why);
        check(&asked(&directive).with_model(), &[], why);
        check(
            &asked(&format!("Convert sync file operations to async, except in {path}")),
            &[],
            why,
        );
    }
}

#[test]
fn rf3_a_path_that_is_there_in_some_way_is_found() {
    let tail = &["src/logs/tail.js"];
    for path in [
        "src/logs/tail.js",
        "./src/logs",
        "tail.js",
        "logs/tail.js",
        "src/x/../logs/",
        "src/logs/**",
    ] {
        check(&asked(&format!("Convert sync file operations to async in {path}")), tail, "");
    }
    // From the folder that is asked about.
    for path in ["logs", "logs/tail.js", "./logs", "../src/logs", "src/logs"] {
        let mut repo = asked(&format!("Convert sync file operations to async in {path}"));
        repo.inside = Some(RepoPath::new("src").expect("a path"));
        check(&repo, tail, "");
    }
    let mut repo = asked("");
    let path = repo.root().join("src/logs");
    repo.directive = Some(format!("Convert sync file operations to async in {}", path.display()));
    check(&repo, tail, "");
}

/// One import too many in each of two folders.
const IMPORTS: &str = "//- package.json\n{\"private\": true, \"type\": \"module\"}\n\
    //- lib/commands.js\nimport fs from 'node:fs';\nexport const a = 1;\n\
    //- src/b.js\nimport fs from 'node:fs';\nexport const b = 1;\nfunction unused() {}\n";

#[test]
fn rf3_each_clause_is_served_or_said_not_to_be() {
    let both = &["lib/commands.js", "src/b.js"];
    for (directive, files, why) in [
        ("Remove unused imports", &both[..], ""),
        (
            "Remove unused imports and then cache all HTTP responses",
            both,
            "no recipe or rule does this: cache all HTTP responses",
        ),
        (
            "Remove unused imports and deploy to a CDN",
            both,
            "no recipe or rule does this: deploy to a CDN",
        ),
        (
            "Remove unused imports and split lib/commands.js into modules",
            both,
            "no recipe or rule does this: split lib/commands.js into modules",
        ),
        ("Remove unused imports in lib and remove dead code in src", both, ""),
        ("Remove unused imports in lib and remove dead code in lib", &both[..1], ""),
        ("In lib/, remove unused imports and remove dead code", &both[..1], ""),
    ] {
        check(&Repo::asked(IMPORTS, directive), files, why);
    }
    // The one is looked for in its place alone.
    let plan =
        Repo::asked(IMPORTS, "Remove unused imports in lib and remove dead code in src").plan();
    let goals: Vec<&str> = plan.tasks.iter().map(|it| it.goal.as_str()).collect();
    assert_eq!(
        goals,
        [
            "Remove unused imports in lib/commands.js (1 place)",
            "Remove unused and unreachable code in src/b.js (1 place)"
        ]
    );
}
