use std::collections::BTreeSet;

use super::*;

mod meaning;

/// `expected`: ids, `+name` for the rules of a bundle, `prefix-*` for those of a category.
#[track_caller]
fn check(directive: &str, expected: &[&str]) {
    let understood = read(directive, &[], &|_| None);
    assert!(understood.missing.is_empty(), "{directive}: {:?}", understood.missing);
    assert!(expected.is_empty() || understood.lost.is_empty(), "{understood:?}");
    let found: BTreeSet<String> = understood.matched.into_iter().map(|it| it.id).collect();
    let mut wanted = BTreeSet::new();
    for name in expected {
        if let Some(name) = name.strip_prefix('+') {
            let rules = bundle(name).expect("a bundle").rules();
            wanted.extend(rules.iter().map(|it| it.id.to_owned()));
        } else if let Some(prefix) = name.strip_suffix("-*") {
            let all = rb_rules::rules::ALL.iter().filter(|it| it.category.prefix() == prefix);
            wanted.extend(all.map(|it| it.id.to_owned()));
        } else {
            wanted.insert((*name).to_owned());
        }
    }
    assert_eq!(found, wanted, "{directive}");
}

#[test]
fn rf3_directives_about_files_lead_to_fs_async() {
    for directive in [
        "Convert sync file ops to async",
        "Convert synchronous file operations to async across project.",
        "Convert all synchronous file operations to async",
        "Make file reading asynchronous",
        "Use fs/promises everywhere",
        "use fs.promises instead of readFileSync",
        "replace readFileSync",
        "Get rid of existsSync and writeFileSync",
        "Stop blocking the event loop with file I/O",
        "no more synchronous disk access",
        "Do not use synchronous file calls",
        "async file access, please",
        "Convert Synchronous File Operations To Async",
        "CONVERT SYNC FILE OPERATIONS TO ASYNC",
        "The files should be read without blocking",
        "Convert sync code to async",
        "fs-async",
        "apply the fs-async recipe",
        "Migrate blocking filesystem calls to promises",
    ] {
        check(directive, &["fs-async"]);
    }
}

#[test]
fn rf3_directives_lead_to_the_other_recipes() {
    for (directive, id) in [
        ("Replace raw SQL string interpolation with parameterized queries.", "sql-parameters"),
        ("Parameterise all SQL statements", "sql-parameters"),
        ("prevent SQL injection", "sql-parameters"),
        ("Use prepared statements", "sql-parameters"),
        (
            "queries should be built with placeholders, not by string concatenation",
            "sql-parameters",
        ),
        ("Fix unsafe queries", "sql-parameters"),
        ("Replace naive O(n²) search with indexed lookup strategy.", "indexed-lookup"),
        ("Replace O(n^2) loops", "indexed-lookup"),
        ("get rid of quadratic algorithms", "indexed-lookup"),
        ("use a Map for lookups in loops", "indexed-lookup"),
        ("Turn array.includes in loops into Set lookups", "indexed-lookup"),
        ("Remove unused imports", "unused-imports"),
        ("clean up the imports", "unused-imports"),
        ("Drop superfluous requires", "unused-imports"),
        ("imports that are never used should go", "unused-imports"),
        ("Remove dead code", "dead-code"),
        ("delete unused functions and variables", "dead-code"),
        ("Get rid of unreachable statements", "dead-code"),
        ("own-barrels", "own-barrels"),
        ("rename src/cart.ts#total to sum", "rename"),
        ("Rename total to sum in src/cart.ts", "rename"),
    ] {
        check(directive, &[id]);
    }
    check("Remove unused imports and dead code", &["unused-imports", "dead-code"]);
    check("Clean up the codebase", &["unused-imports", "dead-code"]);
    check("Fix barrel imports", &["own-barrels", "bundle-barrel-imports"]);
    check("Harden security", &["sql-parameters", "server-auth-actions"]);
}

#[test]
fn rf3_directives_about_react_lead_to_rules() {
    check("Eliminate request waterfalls across the project.", &["+waterfalls"]);
    check("Eliminate waterfalls", &["+waterfalls"]);
    check("run independent awaits in parallel", &["+waterfalls"]);
    check(
        "Reduce bundle size by fixing barrel imports and lazy-loading heavy components.",
        &["+bundle", "own-barrels"],
    );
    check("Reduce bundle size", &["+bundle"]);
    check("Shrink the JavaScript bundles", &["+bundle"]);
    check(
        "lazy load heavy components",
        &["bundle-dynamic-imports", "bundle-conditional", "bundle-preload"],
    );
    check("Fix unnecessary re-renders across components.", &["+rerenders"]);
    check("fix rerenders", &["+rerenders"]);
    check("avoid needless renders", &["+rerenders"]);
    check("Optimize server component data fetching and serialization.", &["+server"]);
    check("Optimize server components", &["+server"]);
    check("General performance audit", &["+audit"]);
    check("Make it faster", &["+audit"]);
    check("follow React best practices", &["+audit"]);
    check("Client-Side Data Fetching", &["client-*"]);
    check("JavaScript performance", &["js-*"]);
    check("apply the js rules", &["js-*"]);
    check("rerender-*", &["rerender-*"]);
    check("Advanced patterns", &["advanced-*"]);
    check("async-parallel", &["async-parallel"]);
    check(
        "Apply js_hoist_regexp and rerender-lazy-state-init",
        &["js-hoist-regexp", "rerender-lazy-state-init"],
    );
    check("rerender-derived-state-no-effect", &["rerender-derived-state-no-effect"]);
    check("Eliminate waterfalls and reduce bundle size", &["+waterfalls", "+bundle"]);
    check("Remove unused imports and fix re-renders", &["unused-imports", "+rerenders"]);
}

#[test]
fn rf3_what_is_ruled_out_leads_nowhere() {
    check(
        "Convert sync file operations to async. Do not touch SQL queries with raw strings.",
        &["fs-async"],
    );
    check("Remove unused imports without converting files to async", &["unused-imports"]);
    check("Remove dead code, but not unused imports", &["dead-code"]);
    check("Do not convert sync file operations to async", &[]);
    check("Remove dead code; never rename total to sum", &["dead-code"]);
    check("Fix re-renders, leave the barrel imports alone", &["+rerenders"]);
    check(
        "Remove unused imports, keep the synchronous file calls as they are",
        &["unused-imports"],
    );
    check("no changes to SQL queries with raw strings", &[]);
    check("Everything except dead code and unused imports", &[]);
    check("don't apply async-parallel", &[]);
}

#[test]
fn rf3_what_nothing_serves_leads_nowhere() {
    for directive in [
        "",
        "   ",
        "Add OpenTelemetry tracing to all handlers",
        "Migrate from Express to Fastify",
        "Write unit tests for the parser",
        "Optimize SQL queries",
        "Speed up the tests",
        "Convert sync database calls to async",
        "Synchronize files with S3",
        "Use dependency injection",
        "Rename all variables to camelCase",
        "Translate comments to English",
        "Upgrade to Python 3.12",
        "Sort the imports alphabetically",
        "Write tests for the dead code detection",
        "Add a file with async helpers",
        "Document the unused imports",
        "Create an endpoint for indexed search",
        "Übersetze alle Kommentare",
        "🚀🚀🚀",
        "async",
        "file",
    ] {
        check(directive, &[]);
    }
}

#[test]
fn rf3_the_words_that_led_somewhere_are_given() {
    let matched = understand("Please Convert SYNC file ops to async");
    assert_eq!(matched[0].words, ["SYNC", "file", "async"]);
    assert_eq!(matched[0].kind, MatchedKind::Recipe);
}

#[test]
fn rf3_words_and_parts_that_lead_nowhere_are_kept() {
    let read = |directive: &str| read(directive, &[], &|_| None);
    let understood = read("Remove unused imports and add OpenTelemetry tracing");
    assert_eq!(lost(&understood), ["add OpenTelemetry tracing"]);
    assert_eq!(understood.unmatched, ["OpenTelemetry", "tracing"]);
    let understood = read("Convert synchronous file operations to async across the project.");
    assert!(understood.lost.is_empty() && understood.unmatched.is_empty(), "{understood:?}");
    let understood = read("Convert sync file ops to async. Make sure that the tests pass.");
    assert_eq!(understood.matched.len(), 1);
}

#[test]
fn rf3_rules_of_the_project_are_served_by_name() {
    let own = [("no-moment", "use the platform's dates")];
    let understood = read("apply no-moment", &own, &|_| None);
    assert_eq!(understood.matched[0].kind, MatchedKind::OwnRule);
    assert!(read("do not apply no-moment", &own, &|_| None).matched.is_empty());
}

#[test]
fn rf3_every_directive_that_is_offered_is_understood() {
    for (directive, matched) in menu() {
        assert!(!matched.is_empty(), "{directive}");
    }
}

/// The parts that are not served.
fn lost(understood: &Understood) -> Vec<String> {
    understood.lost.iter().map(|it| it.text.clone()).collect()
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|it| (*it).to_owned()).collect()
}

/// A small repository.
fn find(path: &str) -> Option<String> {
    let places = ["src", "src/store", "lib", "lib/commands.js", "src/a.ts", "packages/ui"];
    places.contains(&path).then(|| path.to_owned())
}

#[test]
fn rf3_a_path_limits_its_own_clause() {
    #[track_caller]
    fn check(directive: &str, imports: &[&str], code: &[&str], unserved: &[&str]) {
        let understood = read(directive, &[], &find);
        assert_eq!(understood.inside("unused-imports"), strings(imports), "{directive}");
        assert_eq!(understood.inside("dead-code"), strings(code), "{directive}");
        assert_eq!(lost(&understood), strings(unserved), "{directive}");
    }
    let split = &["split lib/commands.js into modules"];
    check("Remove unused imports and split lib/commands.js into modules", &[], &[], split);
    check(
        "Split lib/commands.js into modules. Remove unused imports",
        &[],
        &[],
        &["Split lib/commands.js into modules"],
    );
    check("Remove unused imports in src and remove dead code in lib", &["src"], &["lib"], &[]);
    check("Remove unused imports in src. Remove dead code.", &["src"], &[], &[]);
    check("Remove unused imports. Remove dead code in src.", &[], &["src"], &[]);
    // About all of it.
    for directive in [
        "In src/, remove unused imports and remove dead code",
        "In src remove unused imports and remove dead code",
        "Remove unused imports and remove dead code in src/",
        "Remove unused imports and remove dead code, both in src/.",
        "Remove unused imports; remove dead code. Only in src/",
        "Refactor src/: remove unused imports, remove dead code",
        "Clean up src/: remove unused imports, remove dead code",
    ] {
        check(directive, &["src"], &["src"], &[]);
    }
    check(
        "Remove unused imports and add logging in src/a.ts",
        &[],
        &[],
        &["add logging in src/a.ts"],
    );
}

#[test]
fn rf3_a_clause_that_nothing_serves_is_kept() {
    #[track_caller]
    fn check(directive: &str, expected: &[&str]) {
        assert_eq!(lost(&read(directive, &[], &find)), strings(expected), "{directive}");
    }
    check("Remove unused imports and then cache all HTTP responses", &["cache all HTTP responses"]);
    check("Remove unused imports and cache HTTP responses", &["cache HTTP responses"]);
    check("Remove unused imports and deploy to a CDN", &["deploy to a CDN"]);
    check("Remove unused imports, log every request, and fix re-renders", &["log every request"]);
    check("Remove unused imports. Cache all HTTP responses.", &["Cache all HTTP responses"]);
    check("Cache all responses; remove dead code", &["Cache all responses"]);
    check("Remove unused imports, test files included", &[]);
    check("Remove unused imports and type definitions", &[]);
    check("Remove dead code and do not cache all responses", &[]);
}

/// A path that is not there must not widen a run to everything; a word with a stroke is no path.
#[test]
fn rf3_paths_that_are_not_there_are_known() {
    #[track_caller]
    fn check(directive: &str, expected: &[&str]) {
        assert_eq!(read(directive, &[], &find).missing, strings(expected), "{directive}");
    }
    check("Convert lib/nothere.js to async file operations", &["lib/nothere.js"]);
    check("Remove dead code in `nothere.ts`.", &["nothere.ts"]);
    check("Remove dead code in lib/nothere", &["lib/nothere"]);
    check("Remove dead code in tools/nothere and src", &["tools/nothere"]);
    check("Remove dead code in nothere/", &["nothere/"]);
    check("Remove dead code in nothere/**", &["nothere/"]);
    check("Remove dead code in ./nothere", &["./nothere"]);
    check("Remove dead code in ../repo", &["../repo"]);
    check("Remove dead code in /etc/nothere", &["/etc/nothere"]);
    check("Remove dead code except in lib/nothere.js", &["lib/nothere.js"]);
    check("Remove dead code in config/nothere.json", &["config/nothere.json"]);
    for directive in [
        "Remove dead code and/or unused imports",
        "Convert sync read/write calls of files to async",
        "Remove dead code for TCP/IP, CI/CD and A/B tests",
        "Use fs/promises everywhere",
        "Use async/await for files",
        "Import from next/dynamic, @scope/ui/button or node:fs/promises",
        "Remove dead code of the Next.js app, see https://example.com/a/b.js",
        "Remove dead code in src/**/*.ts",
        "Remove dead code 24/7 w/ care",
        "Import from @scope/ui/button.js everywhere",
        "Remove dead code for v1.beta",
        "Remove dead code of the /api/users endpoint",
        "use fs.promises instead of readFileSync",
        "Split lib/commands.js into lib/one.js and lib/two.js",
        "Create lib/new.js",
        "Move src/a.ts to lib/b.ts",
        "Rename total to sum in cart.ts",
        "Remove dead code in src/a.ts:12",
    ] {
        check(directive, &[]);
    }
}

/// What is served as a whole leaves nothing to be said.
#[test]
fn rf3_what_is_offered_is_served_as_a_whole() {
    for (directive, _) in menu() {
        let understood = read(directive, &[], &find);
        assert!(understood.lost.is_empty() && understood.missing.is_empty(), "{understood:?}");
    }
}

#[test]
fn rf3_a_directive_can_be_limited_to_places() {
    #[track_caller]
    fn check(directive: &str, inside: &[&str], outside: &[&str]) {
        let understood = read(directive, &[], &find);
        assert_eq!(understood.inside("dead-code"), strings(inside), "{directive}");
        assert_eq!(understood.outside, strings(outside), "{directive}");
        assert!(understood.missing.is_empty(), "{:?}", understood.missing);
        assert_eq!(
            understood.matched.first().map(|it| it.id.as_str()),
            Some("dead-code"),
            "{directive}"
        );
        assert!(understood.unmatched.is_empty(), "{:?}", understood.unmatched);
    }
    check("Remove dead code", &[], &[]);
    check("Remove dead code in src/store.", &["src/store"], &[]);
    check(
        "Remove dead code in `src/store/` and packages/ui/**",
        &["src/store", "packages/ui"],
        &[],
    );
    check("Remove dead code in lib", &["lib"], &[]);
    check("Remove dead code from ./src/a.ts", &["src/a.ts"], &[]);
    check("Remove dead code in src/store and lib", &["src/store", "lib"], &[]);
    check("Remove dead code except in src/store", &[], &["src/store"]);
    check("Remove dead code except in src/store and lib", &[], &["src/store", "lib"]);
    check("Remove dead code in src, but not in src/store", &["src"], &["src/store"]);
}

#[test]
fn rf3_what_is_ruled_out_is_known() {
    let understood = read("Do not convert sync file operations to async", &[], &|_| None);
    assert_eq!(understood.forbidden[0].id, "fs-async");
    assert!(read("Remove dead code", &[], &|_| None).forbidden.is_empty());
}
