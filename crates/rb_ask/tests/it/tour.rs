//! The onboarding page.

use expect_test::expect;
use rb_ask::answer::Support;

use crate::extract_world::{DOWNLOADER, EXPRESS, World, cited_files, shown};

#[test]
fn as8_a_tour_shows_a_newcomer_around() {
    expect![[r##"
        # What it is
        `package.json` describes it as: "Small web framework for Node.js"
            package.json:3-3 "description": "Small web framework for Node.js",
        The README says: "A small web framework with views and a router."
            README.md:3-3 A small web framework with views and a router.
        # Where it starts
        Others import the library from `lib/express.js`, which declares `createApplication`.
            lib/express.js:9-9 function createApplication() {
            package.json:4-4 "main": "lib/express.js",
        # The first hour: read these files in this order
        `lib/express.js` declares the function `createApplication` and the function `app`.
            lib/express.js:9-13 function createApplication() {
            lib/express.js:10-10 const app = (req, res, next) => proto.handle(req, res, next);
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
        # How to build and test it
        `package.json` defines the script `"test": "mocha test"`.
            package.json:6-6 "test": "mocha test",
        `package.json` defines the script `"lint": "eslint ."`.
            package.json:7-7 "lint": "eslint ."
        `README.md` gives the command `npm install tiny-express`.
            README.md:5-5 npm install tiny-express
        # How it is tested
        The test `test/application.test.js` imports `lib/application.js`.
            test/application.test.js:1-1 const { render } = require('../lib/application');
            lib/application.js:20-20 function render(name, options, done) {
        # What to leave alone
        Leave `dist/bundle.js` alone: it is generated, and it has `function handle(a) { return a; }`.
            dist/bundle.js:2-2 function handle(a) { return a; }
    "##]].assert_eq(&shown(&World::new(EXPRESS).tour()));
}

#[test]
fn as8_every_statement_of_a_tour_is_verified() {
    for fixture in [EXPRESS, DOWNLOADER] {
        let answer = World::new(fixture).tour();
        for statement in answer.sections.iter().flat_map(|section| &section.statements) {
            assert_eq!(statement.support, Support::Verified, "{}", statement.text);
            for checked in &statement.citations {
                assert!(checked.is_valid(), "{}: {checked:?}", statement.text);
            }
        }
    }
}

#[test]
fn ix11_a_tour_says_what_to_leave_alone() {
    let answer = World::new(EXPRESS).tour();
    let alone = answer.sections.iter().find(|section| section.heading == "What to leave alone");
    let alone = alone.map(|section| section.statements[0].text.clone()).unwrap_or_default();
    assert!(alone.contains("dist/bundle.js"), "{}", shown(&answer));
    assert!(!cited_files(&answer)[..4].contains(&"dist/bundle.js".to_owned()));
}

#[test]
fn as8_a_tour_of_nothing_says_so() {
    let answer = World::new("//- data.bin\n\n").tour();
    assert!(answer.sections.is_empty(), "{}", shown(&answer));
    assert_eq!(answer.not_found, ["source code to show around in"]);
}

#[test]
fn as8_two_tours_of_the_same_state_are_the_same() {
    let tour = || shown(&World::new(DOWNLOADER).tour());
    assert_eq!(tour(), tour());
}
