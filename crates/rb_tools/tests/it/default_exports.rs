//! Default exports, by the names that importing files give them.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::support::Fixture;

const WEB: &str = r"
//- index.js
module.exports = require('./lib/application')
//- lib/application.js
const isStream = require('./is-stream')
const pick = require('./only.js')

function respond (body) {
  if (isStream(body)) return body
  return pick(body, ['type'])
}

module.exports = respond
//- lib/is-stream.js
module.exports = (stream) => {
  return typeof stream.pipe === 'function'
}
//- lib/only.js
module.exports = function (object, keys) {
  return keys.map((key) => object[key])
}
//- src/cart.ts
import sum from './total'

export function cart(prices: number[]): number {
  return sum(prices)
}
//- src/total.ts
export default (prices: number[]): number => prices.length
//- test/web.test.js
const answer = require('..')

test('it answers', () => answer({}))
";

/// Each call in a session of its own.
#[track_caller]
fn check(calls: &[(&str, Value, Expect)]) {
    let fixture = Fixture::new(WEB);
    for (name, input, expected) in calls {
        expected.assert_eq(&fixture.session().show(name, input));
    }
}

#[test]
fn as2_callers_of_an_export_without_a_name_are_found_by_its_local_name() {
    check(&[
        (
            "callers",
            json!({ "symbol": "isStream" }),
            expect![[r#"
                A default export is imported as `isStream` by `lib/application.js`.
                function `default` in lib/is-stream.js:1-3.
                Called from 1 place:
                lib/application.js:5 in `respond`
                    5 |   if (isStream(body)) return body
                (Looked in 2 files that declare it or import it. Calls through values, callbacks or frameworks are not seen: `references` lists every use of the name.)
                -- shown lib/application.js:5-5
                -- files lib/is-stream.js lib/application.js
            "#]],
        ),
        (
            "callers",
            json!({ "symbol": "pick", "path": "lib/only.js" }),
            expect![[r#"
                A default export is imported as `pick` by `lib/application.js`.
                function `default` in lib/only.js:1-3.
                Called from 1 place:
                lib/application.js:6 in `respond`
                    6 |   return pick(body, ['type'])
                (Looked in 2 files that declare it or import it. Calls through values, callbacks or frameworks are not seen: `references` lists every use of the name.)
                -- shown lib/application.js:6-6
                -- files lib/only.js lib/application.js
            "#]],
        ),
        (
            "callers",
            json!({ "symbol": "sum" }),
            expect![[r#"
                A default export is imported as `sum` by `src/cart.ts`.
                function `default` in src/total.ts:1.
                Called from 1 place:
                src/cart.ts:4 in `cart`
                    4 |   return sum(prices)
                (Looked in 2 files that declare it or import it. Calls through values, callbacks or frameworks are not seen: `references` lists every use of the name.)
                -- shown src/cart.ts:4-4
                -- files src/total.ts src/cart.ts
            "#]],
        ),
    ]);
}

#[test]
fn as2_a_default_export_is_found_behind_the_file_that_gives_it_on() {
    check(&[(
        "callers",
        json!({ "symbol": "answer" }),
        expect![[r#"
            A default export is imported as `answer` by `test/web.test.js`.
            function `respond` in lib/application.js:4-7.
            Called from 1 place:
            test/web.test.js:3 at the top level
                3 | test('it answers', () => answer({}))
            (Looked in 3 files that declare it or import it. Calls through values, callbacks or frameworks are not seen: `references` lists every use of the name.)
            -- shown test/web.test.js:3-3
            -- files lib/application.js test/web.test.js
        "#]],
    )]);
}

#[test]
fn as2_a_default_export_is_found_by_the_path_of_its_file() {
    check(&[
        (
            "callers",
            json!({ "symbol": "lib/is-stream.js" }),
            expect![[r#"
            `lib/is-stream.js` is a file. What follows is about its default export.
            function `default` in lib/is-stream.js:1-3.
            Called from 1 place:
            lib/application.js:5 in `respond`
                5 |   if (isStream(body)) return body
            (Looked in 2 files that declare it or import it. Calls through values, callbacks or frameworks are not seen: `references` lists every use of the name.)
            -- shown lib/application.js:5-5
            -- files lib/is-stream.js lib/application.js
        "#]],
        ),
        (
            "callers",
            json!({ "symbol": "isStream", "path": "lib/only.js" }),
            expect![[r#"
            error: Nothing named `isStream` is declared in `lib/only.js`. Try `references` for uses of the name, or `search` with a description.
        "#]],
        ),
    ]);
}

#[test]
fn as2_references_say_which_default_export_a_name_stands_for() {
    check(&[(
        "references",
        json!({ "name": "isStream" }),
        expect![[r#"
            A default export is imported as `isStream` by `lib/application.js`.
            Declared: function `default` in lib/is-stream.js:1-3
            lib/application.js (calls it, imports it)
                1 | const isStream = require('./is-stream')
              in `respond`
                5 |   if (isStream(body)) return body
            (Lines that hold `isStream` as a word, comments and strings among them.)
            -- shown lib/application.js:1-1
            -- shown lib/application.js:5-5
            -- files lib/application.js
        "#]],
    )]);
}
