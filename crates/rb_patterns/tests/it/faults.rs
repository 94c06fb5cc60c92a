//! Complaints about rule files: where, what, and what to do.

use expect_test::{Expect, expect};
use rb_patterns::Rules;

#[track_caller]
fn check(files: &[(&str, &str)], expected: &Expect) {
    let (rules, errors) = Rules::load(files, &|id| id == "async-parallel");
    let ids: Vec<&str> = rules.iter().map(|rule| rule.id).collect();
    let errors: Vec<String> =
        errors.iter().map(|error| format!("{error} [{}]", error.document)).collect();
    expected.assert_eq(&format!("{}\nloaded: {}", errors.join("\n"), ids.join(" ")));
}

#[test]
fn ru4_one_bad_document_keeps_no_other_from_being_used() {
    check(
        &[
            (
                "a.yml",
                "{ id: a, language: ts, rule: { kind: number } }\n---\n: [\n---\nid: b\nlanguage: ts\nrule: { kind: number }\n",
            ),
            ("b.yml", ""),
            ("c.yml", "- id: c\n"),
            ("d.yml", "{ id: d, language: ts, rule: { kind: number } }"),
        ],
        &expect![[r#"
            a.yml:3: this is not valid YAML: cannot deserialize null into string; use Option<String> [2]
            c.yml:1: a rule is a list of `key: value` lines; begin with `id: my-rule` [1]
            loaded: a b d"#]],
    );
}

#[test]
fn ru4_a_misspelt_key_is_named_with_the_nearest() {
    check(
        &[(
            "a.yml",
            "id: a
language: ts
mesage: m
rule:
  pattren: f()
  inside:
    any:
      - { kind: number, stopby: end }
      - has:
          zzz:
            - 1
fix:
  templates: x
colour: red
tests:
  invalid:
    - { code: f(), fix: g() }
",
        )],
        &expect![[r#"
            a.yml:3: `mesage` is no key of a rule; did you mean `message`? [1]
            a.yml:5: `pattren` is no key of a matcher; did you mean `pattern`? [1]
            a.yml:8: `stopby` is no key of a matcher; it has pattern, kind, regex, nthChild, range, inside, has, precedes, follows, all, any, not, matches [1]
            a.yml:10: `zzz` is no key of a matcher that looks around; it has pattern, kind, regex, nthChild, range, inside, has, precedes, follows, all, any, not, matches, stopBy, field [1]
            a.yml:13: `templates` is no key of `fix`; did you mean `template`? [1]
            a.yml:14: `colour` is no key of a rule; it has id, language, message, severity, rule, fix, constraints, utils, transform, rewriters, files, ignores, note, url, labels, metadata, tests [1]
            a.yml:17: `fix` is no key of an invalid case; it has code, fixed [1]
            loaded: "#]],
    );
}

#[test]
fn ru4_ids_are_unique_and_not_built_in() {
    check(
        &[
            ("a.yml", "{ id: a, language: ts, rule: { kind: number } }"),
            ("b.yml", "# x\nid: a\nlanguage: ts\nrule: { kind: number }\n"),
            ("c.yml", "{ id: async-parallel, language: ts, rule: { kind: number } }"),
            ("d.yml", "{ id: 'a b', language: ts, rule: { kind: number } }"),
            ("e.yml", "{ language: ts, rule: { kind: number } }"),
            ("f.yml", "{ id: 5, language: ts, rule: { kind: number } }"),
        ],
        &expect![[r#"
            b.yml:2: the id `a` is already used in a.yml:1; choose another [1]
            c.yml:1: `async-parallel` is the id of a built-in rule; choose another [1]
            d.yml:1: `a b` cannot be an id; use letters, digits, `-`, `_`, `.` and `/`, 80 at most [1]
            e.yml:1: the key `id` is missing; add for example `id: no-console-log` [1]
            f.yml:1: the key `id` is missing; add for example `id: no-console-log` [1]
            loaded: a"#]],
    );
}

#[test]
fn ru4_values_that_do_not_fit_are_explained() {
    let rows = [
        "language: cobol\nrule: { kind: number }",
        "rule: { kind: number }",
        "language: ts",
        "language: ts\nrule: f()",
        "language: ts\nrule: { kind: nmber }",
        "language: ts\nrule: { pattern: 'f() g()' }",
        "language: ts\nrule: { pattern: '' }",
        "language: ts\nrule: { regex: '(' , kind: number }",
        "language: ts\nrule: { regex: a }",
        "language: ts\nrule: { matches: other }",
        "language: ts\nrule: { pattern: f($A) }\nfix: g($B)",
        "language: ts\nrule: { pattern: f($A) }\nfix: 3",
        "language: ts\nrule: { pattern: f($A) }\nconstraints: { B: { kind: number } }",
        "language: ts\nrule: { pattern: { context: 'f()', selector: pair } }",
        "language: ts\nrule: { kind: number }\nseverity: warn",
        "language: ts\nrule: { kind: number }\nfiles: ['a[']",
        "language: ts\nrule: { kind: number }\nfiles: a",
        "language: ts\nrule: { kind: number }\ntests: [a]",
        "language: ts\nrule: { kind: number }\ntests: { valid: [{ code: a }] }",
        "language: ts\nrule: { kind: number }\ntests: { invalid: [{ fixed: a }] }",
        "language: ts\nrule: { kind: number, nthChild: '99999999999n' }",
        "language: ts\nrule: { pattern: f($A) }\ntransform: { B: { substring: { source: $_A } } }",
    ];
    let names: Vec<String> = (b'a'..).map(|c| char::from(c).to_string()).take(rows.len()).collect();
    let texts: Vec<String> =
        names.iter().zip(rows).map(|(name, row)| format!("id: {name}\n{row}\n")).collect();
    let files: Vec<(&str, &str)> =
        names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
    check(
        &files,
        &expect![[r#"
            a:2: `cobol` is no language that rules can be written for; use one of Bash, C, Cpp, CSharp, Elixir, Go, Java, JavaScript, Kotlin, Lua, Php, Python, Ruby, Rust, Scala, Swift, Tsx, TypeScript [1]
            b:1: the key `language` is missing; add for example `language: TypeScript` [1]
            c:1: the key `rule` is missing; add for example `rule: { pattern: console.log($A) }` [1]
            d:3: plain text stands here; write `pattern: …` and such below it [1]
            e:3: Kind `nmber` is invalid; did you mean `number`? [1]
            f:3: the pattern `f() g()` does not parse as TypeScript at `g`; code that cannot stand alone needs `context` and `selector` [1]
            g:3: No AST root is detected. Please check the pattern source ``; a pattern is one piece of code [1]
            h:3: regex parse error: ( ^ error: unclosed group [1]
            i:3: Rule must specify a set of AST kinds to match. Try adding `kind` rule [1]
            j:3: Rule `other` is not defined; define it below `utils` [1]
            k:4: Undefined meta var `B` used in `fix`; use one that `rule` or `transform` gives a value [1]
            l:4: this does not belong here; write `template: …` and such below it [1]
            m:4: Undefined meta var `B` used in `constraints`; use one that `rule` or `transform` gives a value [1]
            n:3: Fails to create Contextual pattern: selector `pair` matches no node in the context `f()` [1]
            o:4: `warn` is no severity; use error, warning, info, hint or off [1]
            p:4: `a[` is no glob for files: unclosed character class; missing ']'; write for example `src/**/*.ts` [1]
            q:4: invalid type: string "a", expected a sequence [1]
            r:4: `tests` has the lists `valid` and `invalid`; write `valid:` and `invalid:` below it [1]
            s:4: `tests` has the lists `valid` and `invalid`; a valid case is a piece of code [1]
            t:4: `tests` has the lists `valid` and `invalid`; an invalid case is a piece of code, or has `code` and perhaps `fixed` [1]
            u:3: a position of 11 digits is too much for one rule; use a smaller one [1]
            v:4: a transformation takes a metavariable with a name, such as `$A` [1]
            loaded: "#]],
    );
}
