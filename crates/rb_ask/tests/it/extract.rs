//! Answers without a model.

use expect_test::{Expect, expect};
use rb_ask::answer::Support;
use rb_ask::{Answer, extract};
use rb_tools::Toolbox;

use crate::extract_world::{DOWNLOADER, EXPRESS, World, cited_files, shown};

const QUESTIONS: &[&str] = &[
    "What is this?",
    "Where does a request enter?",
    "How is the code organised?",
    "How do I run the tests?",
    "Where are the tests?",
    "How is the View class tested?",
    "What happens when a request is handled?",
    "How does `render` find a template?",
    "Where is the router implemented?",
    "Where is `View` defined?",
    "Who calls etag?",
    "What uses select_proxy?",
    "What is the select proxy function?",
    "What does Client do?",
    "When did lib/view.js last change?",
    "How are downloads retried?",
    "main",
    "",
    "?",
];

fn check(fixture: &str, question: &str, expected: &Expect) {
    expected.assert_eq(&shown(&World::new(fixture).answer(question)));
}

#[test]
fn as8_an_overview_is_made_of_cited_facts() {
    check(
        EXPRESS,
        "What is this?",
        &expect![[r##"
            # What it is
            `package.json` describes it as: "Small web framework for Node.js"
                package.json:3-3 "description": "Small web framework for Node.js",
            The README says: "A small web framework with views and a router."
                README.md:3-3 A small web framework with views and a router.
            # Where it starts
            Others import the library from `lib/express.js`, which declares `createApplication`.
                lib/express.js:9-9 function createApplication() {
                package.json:4-4 "main": "lib/express.js",
            # The most important files
            `lib/application.js` declares the function `handle`, the function `render` and the function `lookupView`.
                lib/application.js:12-15 function handle(req, res, callback) {
                lib/application.js:20-24 function render(name, options, done) {
                lib/application.js:27-29 function lookupView(name) {
            `lib/view.js` declares the class `View`, the method `constructor` and the method `render`.
                lib/view.js:8-16 class View {
                lib/view.js:9-11 constructor(name) {
                lib/view.js:13-15 render(options) {
            `lib/router.js` declares the class `Router`, the method `constructor` and the method `route`.
                lib/router.js:6-14 class Router {
                lib/router.js:7-9 constructor() {
                lib/router.js:11-13 route(path) {
            `lib/router.js` begins with: "Find the route that a request is for and call its handlers."
                lib/router.js:4-4 * Find the route that a request is for and call its handlers.
            `lib/utils.js` declares the function `etag`.
                lib/utils.js:6-8 function etag(body) {
            `lib/utils.js` begins with: "Create an entity tag for a response body."
                lib/utils.js:4-4 * Create an entity tag for a response body.
            # How it is tested
            `package.json` defines the script `"test": "mocha test"`.
                package.json:6-6 "test": "mocha test",
        "##]],
    );
}

#[test]
fn as8_entry_points_are_shown_with_their_line() {
    check(
        EXPRESS,
        "Where does a request enter?",
        &expect![[r##"
        # Where it starts
        Others import the library from `lib/express.js`, which declares `createApplication`.
            lib/express.js:9-9 function createApplication() {
            package.json:4-4 "main": "lib/express.js",
        # The most important files
        `lib/application.js` declares the function `handle`, the function `render` and the function `lookupView`.
            lib/application.js:12-15 function handle(req, res, callback) {
            lib/application.js:20-24 function render(name, options, done) {
            lib/application.js:27-29 function lookupView(name) {
        `lib/view.js` declares the class `View`, the method `constructor` and the method `render`.
            lib/view.js:8-16 class View {
            lib/view.js:9-11 constructor(name) {
            lib/view.js:13-15 render(options) {
        `lib/router.js` declares the class `Router`, the method `constructor` and the method `route`.
            lib/router.js:6-14 class Router {
            lib/router.js:7-9 constructor() {
            lib/router.js:11-13 route(path) {
        `lib/router.js` begins with: "Find the route that a request is for and call its handlers."
            lib/router.js:4-4 * Find the route that a request is for and call its handlers.
        `lib/utils.js` declares the function `etag`.
            lib/utils.js:6-8 function etag(body) {
        `lib/utils.js` begins with: "Create an entity tag for a response body."
            lib/utils.js:4-4 * Create an entity tag for a response body.
    "##]],
    );
    check(
        DOWNLOADER,
        "Where does the program start?",
        &expect![[r##"
        # Where it starts
        The program starts in `fetcher/cli.py`, which declares `main`.
            fetcher/cli.py:6-6 def main(argv=None):
        # The most important files
        `fetcher/proxy.py` declares the function `select_proxy`.
            fetcher/proxy.py:4-9 def select_proxy(url):
        `fetcher/proxy.py` begins with: "Which proxy a request goes through."
            fetcher/proxy.py:1-1 """Which proxy a request goes through."""
        `fetcher/client.py` declares the class `Client`, the method `__init__` and the method `download`.
            fetcher/client.py:6-15 class Client:
            fetcher/client.py:9-10 def __init__(self, retries):
            fetcher/client.py:12-15 def download(self, url):
        `fetcher/client.py` begins with: "Downloads over HTTP."
            fetcher/client.py:1-1 """Downloads over HTTP."""
    "##]],
    );
}

#[test]
fn as8_commands_are_quoted_from_manifests() {
    check(
        EXPRESS,
        "How do I run the tests?",
        &expect![[r##"
        # How to build, run and test it
        `package.json` defines the script `"test": "mocha test"`.
            package.json:6-6 "test": "mocha test",
        `package.json` defines the script `"lint": "eslint ."`.
            package.json:7-7 "lint": "eslint ."
        `README.md` gives the command `npm install tiny-express`.
            README.md:5-5 npm install tiny-express
    "##]],
    );
}

#[test]
fn as8_how_something_works_is_told_by_its_calls() {
    check(
        EXPRESS,
        "How does `render` find and cache a template?",
        &expect![[r##"
            # Where to look
            `lib/application.js` declares the function `render` and the function `lookupView`.
                lib/application.js:20-24 function render(name, options, done) {
                lib/application.js:27-29 function lookupView(name) {
            The comment on `render` says: "Render a template by its name."
                lib/application.js:18-18 * Render a template by its name. The view is kept in a cache.
                lib/application.js:20-20 function render(name, options, done) {
            Line 21 of `lib/application.js` is `const cached = lookupView(name);`.
                lib/application.js:21-21 const cached = lookupView(name);
            Line 22 of `lib/application.js` is `const body = cached.render(options);`.
                lib/application.js:22-22 const body = cached.render(options);
            `lib/view.js` declares the method `render` and the class `View`.
                lib/view.js:13-15 render(options) {
                lib/view.js:8-16 class View {
            `lib/router.js` declares the method `route` and the class `Router`.
                lib/router.js:11-13 route(path) {
                lib/router.js:6-14 class Router {
            Line 12 of `lib/router.js` is `return this.stack.find((layer) => layer.path === path);`.
                lib/router.js:12-12 return this.stack.find((layer) => layer.path === path);
            `lib/utils.js` declares the function `etag`.
                lib/utils.js:6-8 function etag(body) {
            The comment on `etag` says: "Create an entity tag for a response body."
                lib/utils.js:4-4 * Create an entity tag for a response body.
                lib/utils.js:6-6 function etag(body) {
            `test/application.test.js` mentions `render`.
                test/application.test.js:1-1 const { render } = require('../lib/application');
            `test/view.test.js` mentions `render`.
                test/view.test.js:5-5 new View('a.html').render({});
            # How it works
            `render` calls `lookupView`: `const cached = lookupView(name);`.
                lib/application.js:21-21 const cached = lookupView(name);
                lib/application.js:27-27 function lookupView(name) {
                lib/application.js:20-20 function render(name, options, done) {
            `render` calls `etag` in `lib/utils.js`: `done(null, body, etag(body));`.
                lib/application.js:23-23 done(null, body, etag(body));
                lib/utils.js:6-6 function etag(body) {
                lib/application.js:20-20 function render(name, options, done) {
            `lookupView` calls `View` in `lib/view.js`: `return new View(name);`.
                lib/application.js:28-28 return new View(name);
                lib/view.js:8-8 class View {
                lib/application.js:27-27 function lookupView(name) {
        "##]],
    );
}

#[test]
fn as8_what_a_name_is_comes_with_its_comment_and_its_users() {
    check(
        DOWNLOADER,
        "What is the select proxy function?",
        &expect![[r##"
            # What it is
            `select_proxy` is a function in `fetcher/proxy.py`.
                fetcher/proxy.py:4-9 def select_proxy(url):
            The comment on `select_proxy` says: "Choose the proxy for an address."
                fetcher/proxy.py:5-5 """Choose the proxy for an address.
                fetcher/proxy.py:4-4 def select_proxy(url):
            # How it works
            `download` calls `select_proxy` in `fetcher/proxy.py`: `proxy = select_proxy(url)`.
                fetcher/client.py:14-14 proxy = select_proxy(url)
                fetcher/proxy.py:4-4 def select_proxy(url):
                fetcher/client.py:12-12 def download(self, url):
            # How it is tested
            The test `tests/test_proxy.py` uses `select_proxy`.
                tests/test_proxy.py:5-5 assert select_proxy("http://a") == "http"
                fetcher/proxy.py:4-4 def select_proxy(url):
            # Related files
            `pyproject.toml` mentions `proxy`.
                pyproject.toml:6-6 description = "Downloads files through a proxy"
        "##]],
    );
}

#[test]
fn as8_callers_are_named_with_the_line_that_calls() {
    check(
        EXPRESS,
        "Who calls etag?",
        &expect![[r##"
            # What it is
            `etag` is a function in `lib/utils.js`.
                lib/utils.js:6-8 function etag(body) {
            The comment on `etag` says: "Create an entity tag for a response body."
                lib/utils.js:4-4 * Create an entity tag for a response body.
                lib/utils.js:6-6 function etag(body) {
            # Who uses it
            `render` calls `etag` in `lib/utils.js`: `done(null, body, etag(body));`.
                lib/application.js:23-23 done(null, body, etag(body));
                lib/utils.js:6-6 function etag(body) {
                lib/application.js:20-20 function render(name, options, done) {
        "##]],
    );
}

#[test]
fn as8_tests_are_named_first_where_tests_are_asked_for() {
    check(
        EXPRESS,
        "How is the View class tested?",
        &expect![[r##"
            # How it is tested
            The test `test/view.test.js` uses `View`.
                test/view.test.js:3-3 describe('View', () => {
                lib/view.js:8-8 class View {
            # What it is
            `View` is a class in `lib/view.js`.
                lib/view.js:8-16 class View {
            The comment on `View` says: "Initialize a view with the name of a template file."
                lib/view.js:6-6 * Initialize a view with the name of a template file.
                lib/view.js:8-8 class View {
            `View` has the methods `constructor` and `render`.
                lib/view.js:8-8 class View {
                lib/view.js:9-9 constructor(name) {
                lib/view.js:13-13 render(options) {
            # Related files
            `lib/application.js` declares the function `lookupView` and the function `render`.
                lib/application.js:27-29 function lookupView(name) {
                lib/application.js:20-24 function render(name, options, done) {
            The comment on `lookupView` says: "Finds a view in the cache or on disk."
                lib/application.js:26-26 // Finds a view in the cache or on disk.
                lib/application.js:27-27 function lookupView(name) {
            Line 28 of `lib/application.js` is `return new View(name);`.
                lib/application.js:28-28 return new View(name);
        "##]],
    );
    check(
        EXPRESS,
        "Where are the tests?",
        &expect![[r##"
        # How it is tested
        The test `test/application.test.js` imports `lib/application.js`.
            test/application.test.js:1-1 const { render } = require('../lib/application');
            lib/application.js:20-20 function render(name, options, done) {
        The test `test/view.test.js` imports `lib/view.js`.
            test/view.test.js:1-1 const { View } = require('../lib/view');
            lib/view.js:8-8 class View {
        # How to run the tests
        `package.json` defines the script `"test": "mocha test"`.
            package.json:6-6 "test": "mocha test",
        `package.json` defines the script `"lint": "eslint ."`.
            package.json:7-7 "lint": "eslint ."
        `README.md` gives the command `npm install tiny-express`.
            README.md:5-5 npm install tiny-express
    "##]],
    );
}

#[test]
fn as8_what_is_not_there_is_said_to_be_missing() {
    let world = World::new(EXPRESS);
    let answer = world.answer("Where is the quantum flux capacitor charged?");
    assert!(answer.sections.is_empty(), "{}", shown(&answer));
    assert_eq!(answer.not_found.len(), 1, "{:?}", answer.not_found);
    let answer = world.answer("Who calls no_such_thing?");
    let missing = "a declaration of no_such_thing".to_owned();
    assert!(answer.not_found.contains(&missing), "{:?}", answer.not_found);
}

/// Whatever is asked: each citation is valid, and each claim is verified by it.
#[test]
fn as8_every_statement_of_an_extraction_is_verified() {
    for fixture in [EXPRESS, DOWNLOADER] {
        let world = World::new(fixture);
        for question in QUESTIONS {
            let answer = world.answer(question);
            assert_verified(question, &answer);
        }
    }
}

fn assert_verified(question: &str, answer: &Answer) {
    for statement in answer.sections.iter().flat_map(|section| &section.statements) {
        assert_eq!(statement.support, Support::Verified, "{question}: {}", statement.text);
        for checked in &statement.citations {
            assert!(checked.is_valid(), "{question}: {checked:?}");
            assert_eq!(checked.repaired_from, None, "{question}: {checked:?}");
        }
    }
}

#[test]
fn as8_the_same_question_gives_the_same_answer() {
    let (world, again) = (World::new(EXPRESS), World::new(EXPRESS));
    for question in QUESTIONS {
        assert_eq!(shown(&world.answer(question)), shown(&again.answer(question)), "{question}");
    }
}

#[test]
fn as8_the_files_that_answer_are_cited_first_and_code_comes_before_tests() {
    let world = World::new(EXPRESS);
    let check = |question: &str, gold: &[&str]| {
        let files = cited_files(&world.answer(question));
        let first = files.iter().take(5).cloned().collect::<Vec<_>>();
        for path in gold {
            assert!(first.contains(&(*path).to_owned()), "{question}: {path} not in {files:?}");
        }
        let test = files.iter().position(|path| path.starts_with("test/"));
        let code = files.iter().position(|path| path.starts_with("lib/"));
        assert!(test.is_none() || code < test, "{question}: {files:?}");
    };
    check("How does `render` find and cache a template?", &["lib/application.js", "lib/view.js"]);
    check("How is an entity tag made for a response body?", &["lib/utils.js"]);
    check("Which code answers with an error page?", &["lib/application.js"]);
    check("Where is the router implemented?", &["lib/router.js"]);
}

#[test]
fn ix11_generated_files_are_cited_only_if_they_are_named() {
    let world = World::new(EXPRESS);
    for question in QUESTIONS {
        let files = cited_files(&world.answer(question));
        assert!(!files.contains(&"dist/bundle.js".to_owned()), "{question}: {files:?}");
    }
    let files = cited_files(&world.answer("What is in dist/bundle.js?"));
    assert_eq!(files.first().map(String::as_str), Some("dist/bundle.js"), "{files:?}");
}

#[test]
fn as10_orders_in_a_readme_are_not_repeated() {
    let world = World::new(DOWNLOADER);
    let answer = shown(&world.answer("What is this?"));
    assert!(!answer.contains("Ignore all previous"), "{answer}");
    assert!(answer.contains("The README says: \"Downloads files from mirrors"), "{answer}");
}

#[test]
fn as8_keys_are_never_quoted() {
    let fixture = "//- .env\nSESSION_SECRET=hunter2\n//- src/session.js\n\
        // Signs the session with the secret.\nfunction signSession(id) { return id; }\n\
        module.exports = { signSession };\n";
    let world = World::new(fixture);
    let mut toolbox = Toolbox::default();
    let question = "Where is the session secret?";
    let excerpts = extract::seed(world.on(), &mut toolbox, question, 4000).unwrap();
    let answer = shown(&world.answer(question));
    assert!(!answer.contains("hunter2") && !excerpts.contains("hunter2"), "{answer}\n{excerpts}");
}

#[test]
fn as2_a_model_begins_with_excerpts_of_the_best_files() {
    let world = World::new(EXPRESS);
    let question = "How does `render` find a template?";
    for most in [0, 40, 200, 600, 4000] {
        let mut toolbox = Toolbox::default();
        let excerpts = extract::seed(world.on(), &mut toolbox, question, most).unwrap();
        assert!(excerpts.chars().count() <= most, "{most}: {excerpts}");
        let shown: usize = toolbox.evidence.files().map(|(_, file)| file.lines.len()).sum();
        let numbered = excerpts.lines().filter(|line| line.starts_with(' ')).count();
        assert_eq!(shown, numbered, "{most}: {excerpts}");
    }
    let mut toolbox = Toolbox::default();
    let excerpts = extract::seed(world.on(), &mut toolbox, question, 2000).unwrap();
    expect![[r#"
        lib/application.js
           17 | /**
           18 |  * Render a template by its name. The view is kept in a cache.
           19 |  */
           20 | function render(name, options, done) {
           21 |   const cached = lookupView(name);
           22 |   const body = cached.render(options);
           23 |   done(null, body, etag(body));
           24 | }
           26 | // Finds a view in the cache or on disk.
           27 | function lookupView(name) {
           28 |   return new View(name);
           29 | }

        lib/view.js
            1 | 'use strict';
            2 | 
            3 | const fs = require('fs');
            4 | 
            5 | /**
            6 |  * Initialize a view with the name of a template file.
            7 |  */
            8 | class View {
            9 |   constructor(name) {
           10 |     this.name = name;
           11 |   }
           12 | 
           13 |   render(options) {
           14 |     return fs.readFileSync(this.name, 'utf8') + options;
           15 |   }
           16 | }
           17 | 
           18 | module.exports = { View };

        lib/router.js
            1 | 'use strict';
            2 | 
            3 | /**
            4 |  * Find the route that a request is for and call its handlers.
            5 |  */
            6 | class Router {
            7 |   constructor() {
            8 |     this.stack = [];
            9 |   }
           10 | 
           11 |   route(path) {
           12 |     return this.stack.find((layer) => layer.path === path);
           13 |   }
           14 | }
           15 | 
           16 | module.exports = { Router };

        lib/utils.js
            1 | 'use strict';
            2 | 
            3 | /**
            4 |  * Create an entity tag for a response body.
            5 |  */
            6 | function etag(body) {
            7 |   return '"' + body.length.toString(16) + '"';
            8 | }
            9 | 
           10 | module.exports = { etag };

        test/application.test.js
            1 | const { render } = require('../lib/application');
            2 | 
            3 | describe('render', () => {
            4 |   it('finds the template', (done) => {
            5 |     render('a.html', {}, done);
            6 |   });
            7 | });
    "#]]
    .assert_eq(&excerpts);
}

#[test]
fn as8_when_a_file_changed_is_a_note_and_not_a_statement() {
    let world = World::new(EXPRESS);
    let mut toolbox = Toolbox::default();
    let question = "When did lib/view.js last change?";
    let draft = extract::answer(world.on(), &mut toolbox, question).unwrap();
    let notes = extract::history_notes(world.on(), question, &draft);
    assert!(notes[0].starts_with("lib/view.js last changed on "), "{notes:?}");
    assert!(notes[0].ends_with(").") && notes[0].contains("(commit "), "{notes:?}");
}

#[test]
fn as1_tests_in_a_file_of_the_product_do_not_answer_and_what_decides_is_shown() {
    const WALK: &str = r#"
//- Cargo.toml
[package]
name = "walker"
version = "0.1.0"
//- src/lib.rs
pub struct Walk;

impl Walk {
    pub fn next_entry(&self, name: &str) -> bool {
        // A hidden file is skipped in a parallel walk.
        !name.starts_with('.')
    }

    pub fn close(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_file_skipped_in_parallel_walk() {
        assert!(!Walk.next_entry(".git"));
    }
}
"#;
    let answer = World::new(WALK).answer("How is a hidden file skipped in the parallel walk?");
    let first = &answer.sections[0].statements[0].text;
    assert!(first.contains("`next_entry`"), "{first}");
    assert!(!first.contains("hidden_file_skipped_in_parallel_walk"), "{first}");
}

#[test]
fn as10_only_what_is_cited_counts_as_read() {
    for question in QUESTIONS {
        let world = World::new(EXPRESS);
        let mut toolbox = Toolbox::default();
        let draft = extract::answer(world.on(), &mut toolbox, question).unwrap();
        let statements = draft.sections.iter().flat_map(|section| &section.statements);
        let cited = statements.flat_map(|statement| &statement.citations);
        let cited: std::collections::BTreeSet<&str> = cited.map(|one| &*one.path).collect();
        let read: std::collections::BTreeSet<&str> =
            toolbox.evidence.files().map(|(path, _)| path).collect();
        assert_eq!(read, cited, "{question}");
    }
}

#[test]
fn as2_a_cut_excerpt_says_how_far_its_symbol_goes() {
    let body = "  total += price;\n".repeat(200);
    let world =
        World::new(&format!("//- lib/cart.js\nexport function total(prices) {{\n{body}}}\n"));
    let mut toolbox = Toolbox::default();
    let question = "How does `total` add prices?";
    let excerpts = extract::seed(world.on(), &mut toolbox, question, 2000).unwrap();
    assert!(excerpts.ends_with("\n… `total` goes on to line 202\n"), "{excerpts}");
    assert!(excerpts.chars().count() <= 2000, "{excerpts}");
}
