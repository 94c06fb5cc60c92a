//! `search` from outside.

use expect_test::expect;
use rb_testkit::{Cli, Repo};
use serde_json::Value;

use crate::cli;
use rb_testkit::desk::DESK;

struct Desk {
    repo: Repo,
    cli: Cli,
}

impl Desk {
    fn new() -> Self {
        let repo = Repo::git_repo(DESK);
        let head = repo.head();
        let cli = cli().cwd(repo.root());
        Desk { cli: cli.hide(head[..8].to_owned(), "[HEAD]").hide(head, "[HEAD]"), repo }
    }

    fn shown(&self, args: &[&str]) -> String {
        self.cli.shown(&self.cli.run([&["search"], args].concat()))
    }
}

#[test]
fn ix8_a_search_shows_where_and_why() {
    let desk = Desk::new();
    let before = desk.repo.state();
    expect![[r#"
        exit 0
        --- stdout
         1. worker/retry.go  10.14
            struct Backoff 9-12 · function Retry 24-33 · method Wait 15-21
             8  // Backoff waits longer after each failure, with some chance in it so that clients do not come back all at onc
             9  type Backoff struct {
            has backoff · words +0.98 meaning +7.52 file +1.64

         2. worker/time.ts  3.78
            function parseDuration 2-9 · function formatDuration 11-13
             1  /** "1h 30m" in seconds. */
            meaning +2.64 file +1.14

        searched 26 files · tree e143421b · commit [HEAD] · generation 1
    "#]].assert_eq(&desk.shown(&[".", "exponential backoff with jitter", "--limit", "2"]));
    desk.repo.state().assert_same(&before, "after a search");
}

#[test]
fn ix8_a_name_is_found_and_what_stands_around_it() {
    let desk = Desk::new();
    expect![[r#"
        exit 0
        --- stdout
         1. worker/time.ts  116.11
            function parseDuration 2-9 · function formatDuration 11-13
             2  export function parseDuration(text: string): number {
            has parseduration, parse, duration · words +5.33 meaning +9.64 name +100.00 file +1.14

        Related
          worker/schedule.ts:7 schedule  calls parseDuration
          worker/time.test.ts:3  calls parseDuration
          worker/time.test.ts  tests worker/time.ts: it is named after it and imports it
          worker/schedule.ts  uses worker/time.ts

        searched 26 files · tree e143421b · commit [HEAD] · generation 1
    "#]]
    .assert_eq(&desk.shown(&["parseDuration", "--limit", "1", "--related"]));
}

#[test]
fn ix8_results_as_json() {
    let desk = Desk::new();
    let ran = desk.cli.run(["search", ".", "how is a password stored", "--limit", "1", "--json"]);
    ran.expect_code(0);
    let mut answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    answer["state"]["commit"] = "[HEAD]".into();
    for part in answer["results"][0]["parts"].as_object_mut().unwrap().values_mut() {
        *part = part.is_number().into();
    }
    answer["results"][0]["score"] = answer["results"][0]["score"].is_number().into();
    for symbol in answer["results"][0]["symbols"].as_array_mut().unwrap() {
        symbol["similarity"] = symbol["similarity"].is_number().into();
    }
    expect![[r#"
        {
          "model": "local-1",
          "query": "how is a password stored",
          "results": [
            {
              "language": "Python",
              "lines": [
                {
                  "line": 13,
                  "text": "def check_password(password, salt, stored):"
                },
                {
                  "line": 14,
                  "text": "    return hmac.compare_digest(hash_password(password, salt), stored)"
                }
              ],
              "matched": [
                "password",
                "stored"
              ],
              "parts": {
                "exact": true,
                "file": true,
                "graph": true,
                "meaning": true,
                "words": true
              },
              "path": "server/auth.py",
              "score": true,
              "symbols": [
                {
                  "first_line": 13,
                  "kind": "function",
                  "last_line": 14,
                  "name": "check_password",
                  "similarity": true
                },
                {
                  "first_line": 8,
                  "kind": "function",
                  "last_line": 10,
                  "name": "hash_password",
                  "similarity": true
                },
                {
                  "first_line": 27,
                  "kind": "method",
                  "last_line": 28,
                  "name": "token",
                  "similarity": true
                }
              ]
            }
          ],
          "searched": 26,
          "state": {
            "commit": "[HEAD]",
            "generation": 1,
            "tree": "e143421b82a36aed9cb8dd1b7b50a9fc39924953bdafcc6effdf2fd107015d45"
          }
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&answer).unwrap());
}

#[test]
fn ix8_what_cannot_be_searched_for_is_said() {
    let desk = Desk::new();
    for (args, expect) in [
        (
            &[][..],
            expect![[r#"
            exit 2
            --- stderr
            error: nothing to search for
            hint: say what to look for, as in: refactor-bot search . "where are sessions expired"
        "#]],
        ),
        (
            &[".", " "],
            expect![[r#"
            exit 2
            --- stderr
            error: nothing to search for
            hint: say what to look for, as in: refactor-bot search . "where are sessions expired"
        "#]],
        ),
        (
            &[".", "zzqx wwvv"],
            expect![[r#"
            exit 0
            --- stdout
            Nothing found for "zzqx wwvv".
            Try other words, or the name of something in the code.

            searched 26 files · tree e143421b · commit [HEAD] · generation 1
        "#]],
        ),
        (
            &[".", "ticket", "--path", "nowhere"],
            expect![[r#"
            exit 0
            --- stdout
            Nothing found for "ticket".
            No file passes the filters: leave out --lang, --kind or --path.

            searched 0 files · tree e143421b · commit [HEAD] · generation 1
        "#]],
        ),
        (
            &[".", "ticket", "--kind", "klass"],
            expect![[r#"
            exit 2
            --- stderr
            error: invalid value 'klass' for '--kind <KIND>': it is one of function, method, class, component, struct, interface, trait, enum, type, constant, variable, macro, module

            For more information, try '--help'.
        "#]],
        ),
        (
            &[".", "ticket", "--lang", "klingon"],
            expect![[r#"
            exit 2
            --- stderr
            error: invalid value 'klingon' for '--lang <LANGUAGE>': it is one of javascript, typescript, tsx, python, rust, go, java, c, cpp, csharp, ruby, php, kotlin, swift, scala, elixir, lua, bash, html, css, scss, vue, svelte, astro, sql, graphql, protobuf, perl, r, dart, haskell, ocaml, clojure, erlang, zig, objective_c, groovy, powershell, assembly, nix, terraform, make, cmake, docker, markdown, rst, text, json, yaml, toml, xml, ini

            For more information, try '--help'.
        "#]],
        ),
        (
            &[".", "ticket", "--limit", "0"],
            expect![[r#"
            exit 2
            --- stderr
            error: invalid value '0' for '--limit <N>': 0 is not in 1..=1000

            For more information, try '--help'.
        "#]],
        ),
        (
            &[".", "ticket", "--path", "a["],
            expect![[r#"
            exit 2
            --- stderr
            error: `a[` is no valid glob: unclosed character class; missing ']'
        "#]],
        ),
        (
            &["nowhere", "ticket"],
            expect![[r#"
            exit 2
            --- stderr
            error: nowhere does not exist
            hint: give the folder of a repository
        "#]],
        ),
    ] {
        expect.assert_eq(&desk.shown(args));
    }
}

/// A model that is not there, and one that wants a key: each says what to do. Nothing is sent anywhere.
#[test]
fn ix6_a_model_that_cannot_be_used_says_why() {
    let desk = Desk::new();
    for (setting, expect) in [
        (
            "search.model=potion",
            expect![[r#"
            exit 2
            --- stderr
            error: search.model is `potion`, which is not a model
            hint: set it to local, to openai:text-embedding-3-small, or to the folder of a model2vec model
        "#]],
        ),
        (
            "search.model=server",
            expect![[r#"
            exit 3
            --- stderr
            error: server/tokenizer.json cannot be used: there is no such file
            hint: name the folder that holds model.safetensors, tokenizer.json and config.json
        "#]],
        ),
        (
            "search.model=openai:text-embedding-3-small",
            expect![[r#"
            exit 3
            --- stderr
            error: no embeddings from api.openai.com
            caused by: https://api.openai.com/v1 cannot be reached: failed to lookup address information: Name or service not known
            hint: check the network and the proxy, or use the local model
        "#]],
        ),
        (
            "search.chroma=not an address",
            expect![[r#"
            exit 2
            --- stderr
            error: the address of the server is not of the form http://HOST:PORT or https://HOST
        "#]],
        ),
    ] {
        let shown = desk.shown(&[".", "ticket", "--set", setting]);
        expect.assert_eq(&shown);
    }
}

/// The repository may not decide where its code is sent.
#[test]
fn ix6_a_repository_cannot_choose_a_model_unasked() {
    let desk = Desk::new();
    desk.repo.write(
        ".refactor-bot.config.json",
        r#"{"search": {"model": "openai:x", "openai_url": "http://127.0.0.1:1/v1"}}"#,
    );
    let ran = desk.cli.run(["search", ".", "parseDuration", "--json"]);
    ran.expect_code(0);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["model"], "local-1");
}
