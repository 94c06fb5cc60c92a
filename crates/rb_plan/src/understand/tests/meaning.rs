//! Which way a directive goes, what it asks, and how long it may be.

use super::*;

/// Its words are those of a concept, and it asks for the way back.
#[test]
fn rf3_a_directive_for_the_opposite_is_not_served_by_it() {
    #[track_caller]
    fn check(directive: &str, who: &str) {
        let understood = read(directive, &[], &|_| None);
        assert!(understood.matched.is_empty(), "{directive}: {:?}", understood.matched);
        assert!(understood.unmatched.is_empty(), "{directive}: {:?}", understood.unmatched);
        let words: Vec<String> = understood.lost.iter().map(Lost::words).collect();
        assert!(words.iter().any(|it| it.contains(who)), "{directive}: {words:?}");
        assert!(understood.lost.iter().all(Lost::is_for_a_model), "{directive}");
    }
    for directive in [
        "Convert all async file operations to synchronous",
        "Convert async file operations to sync",
        "Move file access from async to sync",
        "Make all file operations synchronous",
        "Make file reads blocking again",
        "make the file reads sync instead of async",
        "Use readFileSync everywhere",
        "Use synchronous file calls rather than promises",
        "Use readFileSync instead of fs.promises",
        "Replace fs.promises with readFileSync",
        "Replace async file reads by blocking ones",
        "Do not use async file calls",
        "Stop using promises for files",
        "Remove async file operations",
        "Go back to synchronous file calls",
        "Revert the async file operations",
        "Revert the change to async file operations",
        "Restore the synchronous file calls",
        "async -> sync",
        "async file calls → sync",
        "Turn the async file reads into synchronous ones",
        "File operations should be synchronous",
        "Prefer synchronous file calls over async ones",
        "Please switch the file code back to sync",
        "Instead of async file calls, use sync ones",
        "Make sure that file calls are synchronous",
    ] {
        check(
            directive,
            "it is the opposite of what fs-async does, which removes synchronous file calls",
        );
    }
    for directive in [
        "Replace parameterized queries with raw SQL string interpolation",
        "Use string interpolation for SQL",
        "Use raw SQL strings instead of prepared statements",
        "Stop using placeholders in SQL",
        "Convert parameterized queries to template strings",
    ] {
        check(directive, "it is the opposite of what sql-parameters does");
    }
    for directive in [
        "Replace direct imports with barrel imports",
        "Use barrel files",
        "Import through barrel files instead of directly",
        "Introduce re-exports of components",
    ] {
        check(directive, "it is the opposite of what own-barrels does");
    }
    for directive in [
        "Replace Map lookups with linear search",
        "Use linear search rather than a hash lookup",
        "Remove the Set lookups",
    ] {
        check(directive, "it is the opposite of what indexed-lookup does");
    }
    for directive in [
        "Revert the parallel fetching and make requests sequential again",
        "Make requests sequential",
        "Replace Promise.all with sequential awaits",
        "Use sequential awaits",
        "Undo the waterfall fixes",
    ] {
        check(directive, "the rules about sequential awaits that could run in parallel");
    }
    check("Undo fs-async", "it is the opposite of what fs-async does");
    check("Bring the dead code back", "it is the opposite of what dead-code does");
    check("Restore the dead code", "it is the opposite of what dead-code does");
    check("Undo the removal of unused imports", "it is the opposite of what unused-imports does");
    check(
        "Replace dynamic imports with static imports",
        "the rules about components that could load lazily",
    );
    check("Undo the performance work", "the rules about patterns that the React");
}

/// The other way round, and where nobody can tell, they mean what they meant before.
#[test]
fn rf3_a_directive_for_the_usual_way_is_served() {
    for directive in [
        "Remove blocking file calls, use async",
        "Remove sync calls, use async",
        "Stop using readFileSync",
        "sync -> async",
        "sync => async",
        "make it async instead of sync",
        "avoid blocking reads of files",
        "Move from sync to async",
        "Use async file calls instead of blocking ones",
        "Use non-blocking file reads",
        "Make the file reads non-blocking",
        "Do not block the event loop with file I/O",
        "Never use readFileSync",
        "Use async file calls, not sync ones",
        "Refactor functions with sync file calls to async",
        "Refactor files with blocking reads",
        "Fix places that use readFileSync instead of promises",
        "Replace promise chains of file calls with async/await",
        "Make sync file calls faster",
        "Make blocking file reads async",
        "Make sure that file calls are async",
        "All synchronous file operations should be async",
        "Drop readFileSync in favor of fs.promises",
        "Prefer async file calls over synchronous ones",
        "Remove all use of synchronous file calls",
        "We need to get rid of sync file calls",
        "Revert to async file calls",
        "Find a way to read files asynchronously",
        "Go through all sync file operations and make them async",
        "We used to read files synchronously, but should not",
        "Fix functions that need to be sync for files",
        "Can you convert sync file operations to async?",
    ] {
        check(directive, &["fs-async"]);
    }
    for (directive, id) in [
        ("Add SQL injection protection", "sql-parameters"),
        ("Use bind parameters in raw SQL", "sql-parameters"),
        ("Add placeholders to raw SQL queries", "sql-parameters"),
        ("Remove string interpolation from SQL", "sql-parameters"),
        ("Replace indexOf in loops", "indexed-lookup"),
        ("Remove linear search inside map callbacks", "indexed-lookup"),
        ("Remove find calls in map callbacks", "indexed-lookup"),
        ("Use a Set instead of includes in loops", "indexed-lookup"),
        ("Add dead code elimination", "dead-code"),
        ("Use dead code elimination", "dead-code"),
        ("Find dead code and remove it", "dead-code"),
        ("Bring dead code down", "dead-code"),
    ] {
        check(directive, &[id]);
    }
    check(
        "Import directly instead of through barrel files",
        &["own-barrels", "bundle-barrel-imports"],
    );
    check("Stop importing through barrel files", &["own-barrels", "bundle-barrel-imports"]);
    check("Replace sequential awaits with Promise.all", &["+waterfalls"]);
    check("Make requests run in parallel", &["+waterfalls"]);
    check("Find and fix waterfalls", &["+waterfalls"]);
    check("Restore performance", &["+audit"]);
}

#[test]
fn rf3_a_directive_that_contradicts_itself_is_said_to() {
    #[track_caller]
    fn check(directive: &str, matched: &[&str], why: &str) {
        let understood = read(directive, &[], &find);
        let found: Vec<&str> = understood.matched.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(found, matched, "{directive}");
        let words: Vec<String> = understood.lost.iter().map(Lost::words).collect();
        assert_eq!(words.join("; "), why, "{directive}");
    }
    let why = "the directive asks both to change synchronous file calls and to keep them: ";
    for keep in ["keep everything synchronous", "leave all file calls sync"] {
        let directive = format!("Convert sync file operations to async, but {keep}");
        check(&directive, &[], &format!("{why}{keep}"));
        let directive =
            format!("Convert sync file operations to async and remove dead code. {keep}");
        check(&directive, &["dead-code"], &format!("{why}{keep}"));
    }
    // Some of it stays.
    for keep in ["keep everything synchronous in src/store", "keep the config loader synchronous"] {
        check(&format!("Convert sync file operations to async, but {keep}"), &["fs-async"], "");
    }
}

#[test]
fn rf3_a_question_leads_to_no_change() {
    #[track_caller]
    fn check(directive: &str, matched: &[&str], asked: &str) {
        let understood = read(directive, &[], &find);
        let found: Vec<&str> = understood.matched.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(found, matched, "{directive}");
        let words: Vec<String> = understood.lost.iter().map(Lost::words).collect();
        let why = format!(
            "this is a question, not a change: {asked}; `refactor-bot search` and `refactor-bot map` answer questions without a model"
        );
        assert_eq!(words, [why], "{directive}");
        assert!(!understood.lost[0].is_for_a_model() && understood.unmatched.is_empty());
    }
    for directive in [
        "Explain which files use synchronous file operations",
        "Which files use synchronous file operations",
        "List all dead code",
        "Show unused imports",
        "Count the waterfalls",
    ] {
        check(directive, &[], directive);
    }
    check(
        "Remove dead code. Which imports are unused?",
        &["dead-code"],
        "Which imports are unused",
    );
}

/// Each of these would take minutes if words were searched for again for each pattern, part and word.
#[test]
fn rf3_the_longest_directive_is_read() {
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let directive: String = text.chars().cycle().take(LONGEST).collect();
        let understood = read(&directive, &[], &find);
        let found: Vec<&str> = understood.matched.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(found, expected, "{text}");
        assert!(understood.missing.is_empty());
    }
    check(
        "Convert sync file operations to async, then rename total to sum. ",
        &["fs-async", "rename"],
    );
    check("Remove dead code in src and ", &["dead-code"]);
    check("Cache all responses and ", &[]);
    check("keep src as it is ", &[]);
    check("not ", &[]);
    check("rename a to b and ", &["rename"]);
    check("Remove dead-code; apply fs-async; ", &["fs-async", "dead-code"]);
    let long: String = "Remove dead code. ".chars().cycle().take(LONGEST + 1).collect();
    assert!(understand(&long).is_empty());
}
