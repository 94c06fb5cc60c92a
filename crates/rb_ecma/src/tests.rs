//! Bindings, proofs, style and edits, each on small texts.

use expect_test::{Expect, expect};
use oxc_ast::ast::Expression;
use rb_core::edit;
use rb_lang::Language;

use crate::{Module, Purity, Suppressions, with_module};

fn parsed<T: Send>(text: &str, work: impl FnOnce(&Module<'_>) -> T + Send) -> T {
    with_module(Language::Tsx, text, work).unwrap_or_else(|| panic!("it does not parse:\n{text}"))
}

/// The arguments of calls of `t`.
fn marked<'m, 'a>(module: &'m Module<'a>) -> impl Iterator<Item = &'a Expression<'a>> + 'm {
    let calls = module.calls().iter().filter(|call| call.callee.is_specific_id("t"));
    calls.flat_map(|call| call.arguments.iter()).filter_map(|it| it.as_expression())
}

#[expect(clippy::needless_pass_by_value, reason = "snapshots are written in place")]
fn check_purity(text: &str, expected: Expect) {
    let shown = parsed(text, |module| {
        let lines = marked(module).map(|it| {
            let words = match module.purity(it, &|_| false) {
                Purity::Pure0 if module.is_total(it) => "pure0, total",
                Purity::Pure0 => "pure0",
                Purity::Pure1 => "pure1",
                Purity::Impure => "impure",
            };
            format!("{}: {words}", module.code(it))
        });
        lines.collect::<Vec<_>>().join("\n")
    });
    expected.assert_eq(&shown);
}

#[test]
fn ru1_purity() {
    check_purity(
        "function f(a: number, o: { x: number }, any: any, u?: { y: number }) {
           t(a, a + 1, -a, a > 1 ? a : 0, `${a}`, o.x, u?.y, u.y, any.z, any[0], any.f(), f(a), g(a));
           t([a], { a }, () => a, new Set([1]), new Date(), Math.max(a, 1), Math.random(), a++, delete any.x);
           t([1].map((x) => x + a), any.map((x) => x), [1].map((x) => any.f(x)), 'x'.trim(), JSON.stringify(o), h(a));
           t(x in o, later.y, [1].map(g), [1].map(any), 'a'.replace('a', any), withDefault(a));
         }
         const g = (n: number) => n * 2; const withDefault = (n = window.alert(1)) => 2;
         function h(n) { const m = n + 1; if (m > 2) return m; return window.alert(m); }",
        expect![[r#"
            a: pure0, total
            a + 1: pure0, total
            -a: pure0, total
            a > 1 ? a : 0: pure0, total
            `${a}`: pure0, total
            o.x: pure0, total
            u?.y: pure0, total
            u.y: pure0
            any.z: pure0
            any[0]: pure1
            any.f(): impure
            f(a): impure
            g(a): pure1
            [a]: pure1
            { a }: pure1
            () => a: pure1
            new Set([1]): pure1
            new Date(): impure
            Math.max(a, 1): pure1
            Math.random(): impure
            a++: impure
            delete any.x: impure
            [1].map((x) => x + a): pure1
            any.map((x) => x): impure
            [1].map((x) => any.f(x)): impure
            'x'.trim(): pure1
            JSON.stringify(o): pure1
            h(a): impure
            x in o: impure
            later.y: pure0
            [1].map(g): pure1
            [1].map(any): impure
            'a'.replace('a', any): impure
            withDefault(a): impure"#]],
    );
}

#[test]
fn ru1_objects_that_are_watched_are_not_pure() {
    check_purity(
        "import { observable } from 'mobx'; const o = observable({ a: 1 }); t(o.a, o);",
        expect![[r#"
            o.a: impure
            o: pure0, total"#]],
    );
}

#[test]
fn ru1_what_is_awaited_only_reads() {
    let text = "
        import { readFile } from 'node:fs/promises'; import fs from 'fs'; import { db } from './db'; import { other } from './x';
        async function load(id) { const r = await fetch(`/u/${id}`); return r.json(); }
        async function save(id) { await fetch('/u', { method: 'POST' }); }
        async function f(tx) {
          t(fetch('/a'), fetch('/a', { method: 'GET' }), fetch('/a', { method: 'POST' }), fetch('/a', init), fetch('/a', { body: b }));
          t(readFile('a'), fs.promises.readFile('a'), fs.readFile('a'), db.user.findMany({ where: { a } }), db.user.create({}));
          t(tx.user.findMany(), load(1), save(1), other(), await load(2), fetch(next()));
          t(fetch(request), fetch(new URL('/a', base)), fetch('/a').then(keep), fetch('/a').then((r) => r.ok), withDefault());
        }
        async function withDefault(x = effect()) { return fetch('/a'); }";
    let shown = parsed(text, |module| {
        let lines = marked(module)
            .map(|it| format!("{}: {}", module.code(it), module.is_readonly_async(it, &|_| false)));
        lines.collect::<Vec<_>>().join("\n")
    });
    expect![[r#"
        fetch('/a'): true
        fetch('/a', { method: 'GET' }): true
        fetch('/a', { method: 'POST' }): false
        fetch('/a', init): false
        fetch('/a', { body: b }): false
        readFile('a'): true
        fs.promises.readFile('a'): true
        fs.readFile('a'): false
        db.user.findMany({ where: { a } }): true
        db.user.create({}): false
        tx.user.findMany(): false
        load(1): true
        save(1): false
        other(): false
        await load(2): true
        fetch(next()): false
        fetch(request): false
        fetch(new URL('/a', base)): false
        fetch('/a').then(keep): false
        fetch('/a').then((r) => r.ok): true
        withDefault(): false"#]]
    .assert_eq(&shown);
}

#[test]
fn ru1_names_that_speak_of_checks_and_order() {
    let text = "t(requireUser(), await getSession(), db.tx.begin(), getAuthor(), authorize(), readAuth(), \
                lockfile(), insertRow(), readTextures(), waitFor(), awaitable(), session.user())";
    let shown = parsed(&format!("async function f() {{ {text} }}"), |module| {
        let lines = marked(module)
            .map(|it| format!("{}: {}", module.code(it), module.has_guarding_name(it)));
        lines.collect::<Vec<_>>().join("\n")
    });
    expect![[r#"
        requireUser(): true
        await getSession(): true
        db.tx.begin(): true
        getAuthor(): false
        authorize(): true
        readAuth(): true
        lockfile(): false
        insertRow(): true
        readTextures(): false
        waitFor(): true
        awaitable(): false
        session.user(): true"#]]
    .assert_eq(&shown);
}

#[test]
fn ru1_functions_and_what_they_are() {
    let text = "
        import React, { memo, forwardRef as fr } from 'react';
        function useThing() { return 1 } function user() { return 1 }
        const A = () => <b/>; const B = memo(function Inner() { return <b/>; }); const C = fr((p, r) => <i ref={r}/>);
        const D = React.memo(React.forwardRef((p, r) => null)); export default () => <u/>; const E = () => 1;
        function F() { const [a] = React.useState(0); return a } const a = b, b = a, c = a;";
    let shown = parsed(text, |module| {
        let line = |it: &crate::FunctionView<'_>| {
            format!("{:?} {:?} memo {}", it.name.unwrap_or("-"), it.kind, it.is_memo)
        };
        // A circle of names ends.
        for it in module.declarators() {
            module.function_of(it.init.as_ref().unwrap());
        }
        module.functions().iter().map(line).collect::<Vec<_>>().join("\n")
    });
    expect![[r#"
        "useThing" Hook memo false
        "user" Other memo false
        "A" Component memo false
        "B" Component memo true
        "C" Component memo false
        "D" Component memo true
        "-" Component memo false
        "E" Other memo false
        "F" Component memo false"#]]
    .assert_eq(&shown);
}

#[test]
fn ru1_react_is_known_by_its_import() {
    let text = "
        import R, { useState as us } from 'react'; import * as All from 'react'; import { useState } from 'other';
        us(0); R.useMemo(f); All.useRef(); useState(0); React.useState(0); { const us = 1; us(0) }";
    let shown = parsed(text, |module| {
        let lines = module.calls().iter().map(|call| {
            format!("{}: {}", module.slice(call.span), module.react_call(call).unwrap_or("-"))
        });
        lines.collect::<Vec<_>>().join("\n")
    });
    expect![[r#"
        us(0): useState
        R.useMemo(f): useMemo
        All.useRef(): useRef
        useState(0): -
        React.useState(0): -
        us(0): -"#]]
    .assert_eq(&shown);
}

#[track_caller]
fn check_edit(before: &str, after: &str, make: impl FnOnce(&Module<'_>) -> Vec<edit::Edit> + Send) {
    let edits = parsed(before, make);
    assert_eq!(edit::apply(before, &edits).expect("edits fit"), after);
}

#[test]
fn ru1_imports_are_removed_with_what_belongs_to_them() {
    #[track_caller]
    fn check(before: &str, name: &str, after: &str) {
        check_edit(before, after, |module| {
            let import = module.imports().values().find(|it| it.local == name).expect("imported");
            module.remove_import(import.symbol).into_iter().collect()
        });
    }
    check("import { a } from 'x';\nimport b from 'y';\n", "a", "import b from 'y';\n");
    check("import { a, b } from 'x';\n", "a", "import { b } from 'x';\n");
    check("import { a, b } from 'x';\n", "b", "import { a } from 'x';\n");
    check("import c, { a } from 'x';\n", "a", "import c from 'x';\n");
    check("import c, { a } from 'x';\n", "c", "import { a } from 'x';\n");
    check("import c, * as d from 'x';\n", "c", "import * as d from 'x';\n");
    check("import {\n  a,\n  b,\n} from 'x';\n", "b", "import {\n  a,\n} from 'x';\n");
    check("import { a /* why */, b } from 'x';\n", "a", "import { a /* why */, b } from 'x';\n");
}

#[test]
fn ru1_imports_are_added_in_the_author_s_way() {
    #[track_caller]
    fn check(before: &str, after: &str, expected_name: &str) {
        let name =
            parsed(before, |module| module.import_name("react", "useMemo").expect("a module").name);
        assert_eq!(name, expected_name);
        check_edit(before, after, |module| module.import_name("react", "useMemo").unwrap().edits);
    }
    check(
        "import { useState } from 'react';\n",
        "import { useState, useMemo } from 'react';\n",
        "useMemo",
    );
    check("import { useMemo as m } from 'react'\n", "import { useMemo as m } from 'react'\n", "m");
    check("import React from 'react'\n", "import React from 'react'\n", "React.useMemo");
    check(
        "import x from \"x\"\n",
        "import x from \"x\"\nimport { useMemo } from \"react\"\n",
        "useMemo",
    );
    check(
        "import {a} from 'x';\nconst useMemo = 1;\n",
        "import {a} from 'x';\nimport {useMemo as useMemo2} from 'react';\nconst useMemo = 1;\n",
        "useMemo2",
    );
    check(
        "import {\n  useState,\n} from 'react';\n",
        "import {\n  useState,\n  useMemo,\n} from 'react';\n",
        "useMemo",
    );
    check(
        "import type { FC } from 'react';\n",
        "import type { FC } from 'react';\nimport { useMemo } from 'react';\n",
        "useMemo",
    );
}

#[test]
fn ru1_code_goes_behind_directives_and_imports() {
    #[track_caller]
    fn check(before: &str, after: &str) {
        check_edit(before, after, |module| vec![module.insert_at_top("const X = 1;")]);
    }
    check("'use client';\nf();\n", "'use client';\n\nconst X = 1;\n\nf();\n");
    check("import a from 'a';\n\nf();\n", "import a from 'a';\n\nconst X = 1;\n\nf();\n");
    check("import a from 'a';", "import a from 'a';\n\nconst X = 1;");
    check(
        "import a from 'a'; // why\nf();\n",
        "import a from 'a'; // why\n\nconst X = 1;\n\nf();\n",
    );
    check("#!/usr/bin/env node\nf();\n", "#!/usr/bin/env node\nconst X = 1;\n\nf();\n");
    check("// about f\nf();\n", "const X = 1;\n\n// about f\nf();\n");
    check("/* licence */\n\nf();\n", "/* licence */\n\nconst X = 1;\n\nf();\n");
    check(
        "import a from 'a';\r\nf();\r\n",
        "import a from 'a';\r\n\r\nconst X = 1;\r\n\r\nf();\r\n",
    );
}

#[test]
fn ru1_statements_go_with_their_line() {
    #[track_caller]
    fn check(before: &str, after: &str) {
        check_edit(before, after, |module| {
            let spans = module.calls().iter().filter(|call| call.callee.is_specific_id("gone"));
            let statement =
                spans.map(|call| module.siblings(call.node_id.get()).unwrap()).next().unwrap();
            module
                .delete_statement(oxc_span::GetSpan::span(statement.statement()))
                .into_iter()
                .collect()
        });
    }
    check("a();\n  gone();\nb();\n", "a();\nb();\n");
    check("a();\n\ngone();\n\nb();\n", "a();\n\nb();\n");
    check("a(); gone(); b();\n", "a(); b();\n");
    check("gone();", "");
    check("gone(/* kept */);\n", "gone(/* kept */);\n");
}

#[test]
fn ru1_style_is_that_of_the_file() {
    let shown = |text: &str| {
        parsed(text, |module| {
            let style = module.style();
            format!(
                "{:?} {:?} {:?} {:?} {} {}",
                style.quote,
                style.semicolons,
                style.indent,
                style.line_end,
                style.trailing_commas,
                style.spaced_braces
            )
        })
    };
    expect![[r#"Single true "  " "\n" true true"#]]
        .assert_eq(&shown("import { a } from 'a';\nconst b = {\n  c: 'd',\n};\n"));
    expect![[r#"Double false "\t" "\n" false false"#]]
        .assert_eq(&shown("import {a} from \"a\"\nfunction f() {\n\tg()\n\th()\n}\n"));
    expect![[r#"Double true "    " "\r\n" false true"#]]
        .assert_eq(&shown("if (a) {\r\n    b(\"x\");\r\n}\r\n"));
    expect![[r#"Single false "  " "\n" false true"#]].assert_eq(&shown(
        "import type {} from 'a'\n\nexport * from 'a'\nexport {\n  b,\n} from 'b'\n",
    ));
    let quoted = |text: &str| parsed(text, |module| module.style().quoted("it's \\ \"x\""));
    assert_eq!(quoted("f('a')"), r#"'it\'s \\ "x"'"#);
    assert_eq!(quoted("f(\"a\")"), r#""it's \\ \"x\"""#);
    // Quotes that keep others from being escaped say nothing of what the author likes.
    let sql = "const a = 'x';\nconst b = \"WHERE c = '\" + c + \"' AND d = '\" + d + \"'\";\n";
    assert_eq!(quoted(sql), r#"'it\'s \\ "x"'"#);
}

#[test]
fn ru1_comments_ask_for_silence() {
    let text = "\
// refactor-bot-disable-next-line a, b: because
f();
g(); // refactor-bot-disable-line c -- why
/* refactor-bot-disable d */
h();
/* refactor-bot-enable d */
i();
// refactor-bot-disable
";
    let found = parsed(text, Suppressions::of);
    let is_silent = |rule: &str, line: u32| found.covering(rule, line).is_some();
    assert!(
        is_silent("a", 2) && is_silent("b", 2) && !is_silent("c", 2) && !is_silent("because", 2)
    );
    assert!(is_silent("c", 3) && !is_silent("why", 3) && !is_silent("a", 3));
    assert!(is_silent("d", 5) && !is_silent("d", 7) && !is_silent("x", 5));
    assert!(is_silent("anything", 9));
}

#[test]
fn ru1_fresh_names_collide_with_nothing() {
    let name = |text: &str, base: &str| parsed(text, |module| module.fresh_name(base));
    assert_eq!(name("f(x)", "y"), "y");
    assert_eq!(name("f(x)", "x"), "x2", "a global is taken, too");
    assert_eq!(name("{ { let x; let x2; } }", "x"), "x3");
    assert_eq!(name("", "delete"), "delete2");
    assert_eq!(name("", "Map"), "Map2");
}

#[test]
fn ix5_names_at_the_top_of_a_file() {
    let text = "import { a } from 'a';\nconst b = 1;\nfunction c() { const d = 2; }\nclass E {}\nexport interface F {}";
    let found = with_module(Language::TypeScript, text, |module| {
        let names = ["a", "b", "c", "d", "E", "F", "g"];
        names.map(|name| module.top_level(name).is_some_and(|it| module.name(it) == name))
    });
    assert_eq!(found, Some([true, true, true, false, true, true, false]));
}
