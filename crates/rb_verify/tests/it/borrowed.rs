//! What is installed in the checkout comes into the worktree by links, and the checkout is not written.

use std::path::Path;

use rb_testkit::write_fixture;
use rb_verify::prepare;

use crate::Project;

const CHECKOUT: &str = r#"
//- package.json
{ "name": "shop", "workspaces": ["packages/*"], "scripts": { "test": "node --test" }, "dependencies": { "dep": "1" } }
//- package-lock.json
{ "lockfileVersion": 3 }
//- packages/own/package.json
{ "name": "own" }
//- node_modules/dep/index.js
module.exports = 'dep';
//- node_modules/@scope/dep/index.js
module.exports = 'scoped';
//- node_modules/.cache/left.txt
of the checkout
//- node_modules/.c12/left.txt
of the checkout
//- node_modules/own -> ../packages/own
"#;

const FILES: [&str; 3] = ["package-lock.json", "package.json", "packages/own/package.json"];

/// A worktree of the checkout: what git keeps of it, with another lockfile if one is given.
fn worktree(lockfile: Option<&str>) -> (Project, std::path::PathBuf) {
    let tracked = CHECKOUT.split("//- node_modules").next().unwrap();
    let project = Project::new(tracked);
    if let Some(text) = lockfile {
        project.write("package-lock.json", text);
    }
    let checkout = project.temp.path().join("checkout");
    write_fixture(&checkout, CHECKOUT);
    (project, checkout.canonicalize().unwrap())
}

fn prepared(project: &Project, checkout: &Path) -> Vec<String> {
    let detected = project.detected(&FILES);
    let mut verifier = project.verifier(&detected);
    prepare(&mut verifier, &detected, Some(checkout)).unwrap().words
}

#[test]
fn ve1_installed_packages_are_linked_and_those_of_the_workspace_are_its_own() {
    let (project, checkout) = worktree(None);
    assert_eq!(prepared(&project, &checkout), ["node_modules is linked from your checkout"]);
    let modules = project.root().join("node_modules");
    let real = |name: &str| modules.join(name).canonicalize().unwrap();
    assert_eq!(real("dep"), checkout.join("node_modules/dep"));
    assert_eq!(real("@scope/dep"), checkout.join("node_modules/@scope/dep"));
    assert_eq!(real("own"), project.root().join("packages/own"));
    for cache in [".cache", ".c12"] {
        assert!(!modules.join(cache).exists(), "{cache}: caches are not shared");
    }
    assert!(modules.symlink_metadata().unwrap().is_dir(), "tools may write beside the links");
}

#[test]
fn ve1_another_lockfile_means_other_packages() {
    let (project, checkout) = worktree(Some("{ \"lockfileVersion\": 2 }\n"));
    let words = prepared(&project, &checkout);
    assert!(words[0].contains("package-lock.json differs"), "{words:?}");
    assert!(words[1].starts_with("dependencies are not installed: run `npm ci"), "{words:?}");
    assert!(!project.root().join("node_modules").exists());
}

#[test]
fn ve1_a_copy_stands_for_itself() {
    let (mut project, checkout) = worktree(None);
    project.options.dependencies = rb_verify::FromCheckout::Copy;
    prepared(&project, &checkout);
    let file = project.root().join("node_modules/dep/index.js");
    assert_eq!(file.canonicalize().unwrap(), file);
    project.write("node_modules/dep/index.js", "changed");
    let kept = std::fs::read_to_string(checkout.join("node_modules/dep/index.js")).unwrap();
    assert_eq!(kept, "module.exports = 'dep';\n");
}

/// A process that goes on with a run finds the links of the one before, maybe half of them.
#[test]
fn ve1_sa6_what_was_borrowed_is_borrowed_again_by_the_next_process() {
    let (project, checkout) = worktree(None);
    let detected = project.detected(&FILES);
    let known = || {
        let mut verifier = project.verifier(&detected);
        let words = prepare(&mut verifier, &detected, Some(&checkout)).unwrap().words;
        // A reset takes nothing of it away: the same process has nothing to do.
        let again = prepare(&mut verifier, &detected, Some(&checkout)).unwrap().words;
        assert_eq!(again, Vec::<String>::new());
        (words, verifier.site.borrowed, verifier.site.made)
    };
    let first = known();
    assert!(first.1.contains(&checkout.join("node_modules")), "{first:?}");
    rb_core::fs::remove_file(&project.root().join("node_modules/dep")).unwrap();
    assert_eq!(known(), first);
    assert!(project.root().join("node_modules/dep/index.js").exists());
    assert!(checkout.join("node_modules/dep/index.js").exists(), "the checkout is only read");
}

/// A suite may have turned a folder of the worktree into a link to the checkout; nothing is removed or written behind it.
#[test]
fn ve1_sa7_nothing_is_borrowed_or_taken_back_behind_a_link() {
    const PACKAGE: &str = r#"
//- app/package.json
{ "name": "app", "scripts": { "test": "node --test" }, "dependencies": { "dep": "1" } }
//- app/package-lock.json
{ "lockfileVersion": 3 }
"#;
    let project = Project::new(PACKAGE);
    let checkout = project.temp.path().join("checkout");
    write_fixture(&checkout, &format!("{PACKAGE}//- app/node_modules/dep/index.js\nmine\n"));
    let detected = project.detected(&["app/package-lock.json", "app/package.json"]);
    let words = || {
        let mut verifier = project.verifier(&detected);
        prepare(&mut verifier, &detected, Some(&checkout)).unwrap().words
    };
    assert_eq!(words(), ["app/node_modules is linked from your checkout"]);
    let (app, theirs) = (project.root().join("app"), checkout.join("app"));
    rb_core::fs::remove_dir_all(&app).unwrap();
    rb_core::fs::symlink(&theirs, &app).unwrap();
    words();
    let kept = std::fs::read_to_string(theirs.join("node_modules/dep/index.js")).unwrap();
    assert_eq!(kept, "mine\n");
    assert!(theirs.join("node_modules/dep").symlink_metadata().unwrap().is_dir());
}
