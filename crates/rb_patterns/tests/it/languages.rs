//! Metavariables in the places where they are usually written, for every language.

use rb_patterns::{Rules, language_named};

/// Each row: language, pattern, code, what is found in it.
#[track_caller]
fn check(rows: &[(&str, &str, &str, &[&str])]) {
    let mut wrong = Vec::new();
    for (language, pattern, code, expected) in rows {
        let pattern = pattern.replace('\'', "''");
        let file = format!("id: a\nlanguage: {language}\nrule:\n  pattern: '{pattern}'\n");
        let (rules, errors) = Rules::load(&[("a.yml", &file)], &|_| false);
        wrong.extend(errors.iter().map(|error| format!("{language}: {pattern}: {error}")));
        let language = language_named(language).expect("a language with rules");
        let findings = rules.find("any/file", language, code);
        let found: Vec<&str> = findings
            .matches
            .iter()
            .map(|found| &code[found.start as usize..found.end as usize])
            .collect();
        if found != *expected {
            wrong.push(format!("{}: {pattern}: {found:?}", language.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ru4_patterns_match_in_every_language() {
    check(&[
        ("Bash", "rm -rf $A", "f() {\n  rm -rf \"$x\"\n}\n", &["rm -rf \"$x\""]),
        ("C", "$A = $B;", "int f() { x = 1; }", &["x = 1;"]),
        ("C", "return $A;", "int f() { return g(1); }", &["return g(1);"]),
        ("Cpp", "$A->$B($$$C)", "int f() { p->go(1, 2); }", &["p->go(1, 2)"]),
        ("CSharp", "$A.Wait()", "class A { void F() { task.Wait(); } }", &["task.Wait()"]),
        ("Elixir", "IO.inspect($A)", "def f(x) do\n  IO.inspect(x)\nend\n", &["IO.inspect(x)"]),
        (
            "Go",
            "fmt.Println($$$A)",
            "package a\nfunc f() { fmt.Println(1, 2) }\n",
            &["fmt.Println(1, 2)"],
        ),
        ("Go", "$A := $B", "package a\nfunc f() { x := g(); }\n", &["x := g()"]),
        (
            "Go",
            "if err != nil { $$$B }",
            "package a\nfunc f() {\n\tif err != nil {\n\t\treturn\n\t}\n}\n",
            &["if err != nil {\n\t\treturn\n\t}"],
        ),
        (
            "Java",
            "System.out.println($A)",
            "class A { void f() { System.out.println(1); } }",
            &["System.out.println(1)"],
        ),
        (
            "Java",
            "$T $N = new $C($$$A);",
            "class A { void f() { Foo x = new Bar(1); } }",
            &["Foo x = new Bar(1);"],
        ),
        (
            "JavaScript",
            "<$T key={$I}>$$$C</$T>",
            "const a = <li key={i}>x</li>;",
            &["<li key={i}>x</li>"],
        ),
        ("Kotlin", "$A!!", "fun f() { val x = g()!! }", &["g()!!"]),
        ("Lua", "print($$$A)", "local function f()\n  print(1, 2)\nend\n", &["print(1, 2)"]),
        ("Php", "var_dump($A)", "<?php function f() { var_dump($x); }", &["var_dump($x)"]),
        ("Php", "$x = $A;", "<?php $x = 1; $y = 2;", &["$x = 1;"]),
        ("Python", "print($$$A)", "def f():\n    print(1, 2)\n", &["print(1, 2)"]),
        (
            "Python",
            "def $F($$$P): $$$B",
            "def f(a, b):\n    return 1\n",
            &["def f(a, b):\n    return 1"],
        ),
        ("Ruby", "puts $A", "def f\n  puts x\nend\n", &["puts x"]),
        ("Rust", "$A.unwrap()", "fn f() { g(1).unwrap(); }", &["g(1).unwrap()"]),
        ("Rust", "let $A = $B;", "fn f() { let x = 1; }", &["let x = 1;"]),
        ("Scala", "println($A)", "object A { def f() = println(1) }", &["println(1)"]),
        ("Swift", "print($A)", "func f() { print(x) }", &["print(x)"]),
        ("Swift", "try! $A", "func f() { try! g() }", &["try! g()"]),
        ("Tsx", "<$T {...$P} />", "const a = <B {...c} />;", &["<B {...c} />"]),
        ("TypeScript", "$A as any", "const x = y as any;", &["y as any"]),
        ("TypeScript", "const $A: $T = $B", "const x: number = 1;", &["const x: number = 1;"]),
    ]);
}

#[test]
fn ru4_one_metavariable_is_one_code() {
    check(&[
        (
            "ts",
            "$A === $A",
            "a === a; a === b; f(1) === f(1); f(1) === f(2)",
            &["a === a", "f(1) === f(1)"],
        ),
        ("ts", "f($_, $_)", "f(1, 2)", &["f(1, 2)"]),
        ("py", "$A or $A", "x = a or a\ny = a or b\n", &["a or a"]),
    ]);
}

#[test]
fn ru4_text_and_comments_are_not_code() {
    check(&[
        ("ts", "f($A)", "// f(1)\nconst s = 'f(1)';\n/* f(1) */ f(1)", &["f(1)"]),
        ("py", "f($A)", "# f(1)\ns = 'f(1)'\nf(1)", &["f(1)"]),
        // Without a line end, and in other alphabets.
        ("ts", "f($A)", "g('äöü'); f('ß')", &["f('ß')"]),
        ("ts", "f($A)", "", &[]),
    ]);
}
