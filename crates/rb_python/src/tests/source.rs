//! Lines, comments, syntax errors, places in scopes.

use expect_test::{Expect, expect};
use ruff_text_size::{TextRange, TextSize};

use super::{parse, scope_name};
use crate::Source;

#[test]
fn st2_lines_end_with_any_line_break() {
    let source = parse("a\r\nb\rc\n\nd");
    let at = |offset| TextSize::new(offset);
    let lines: Vec<u32> = (0..=source.text().len())
        .map(|offset| source.line(at(u32::try_from(offset).unwrap())))
        .collect();
    assert_eq!(lines, [1, 1, 1, 2, 2, 3, 3, 4, 5, 5]);
    assert_eq!((source.line_start(at(1)), source.line_end(at(1))), (at(0), at(3)));
    assert_eq!((source.line_start(at(8)), source.line_end(at(8))), (at(8), at(9)));
    assert_eq!((source.line_start(at(9)), source.line_end(at(9))), (at(8), at(9)));
}

#[test]
fn st2_empty_and_odd_files() {
    for text in [
        "",
        "\n",
        "\u{feff}",
        "\u{feff}x = 1",
        "\t",
        "#",
        "x = 1 # no line break",
        "\r\n\r\n",
        "\x0c\n",
    ] {
        let source = parse(text);
        assert_eq!(&**source.text(), text);
        assert_eq!(source.line_end(TextSize::new(0)).to_usize().min(1), text.len().min(1));
    }
    assert_eq!(parse("\u{feff}x").scopes().names[0].range, TextRange::at(3.into(), 1.into()));
    assert!(Source::parse("a.pyi", "def f(x: int) -> str: ...\n".into()).is_ok());
}

#[test]
fn st2_sources_are_shared_between_threads() {
    fn check<T: Send + Sync>() {}
    check::<Source>();
}

#[test]
fn st2_comments_are_in_order() {
    let source = parse("#!x\nf(1, # one\n  '#')  # two\n'''\n# no\n'''\n#");
    let comments = source.comments();
    let comments: Vec<&str> = comments.iter().map(|range| source.slice(*range)).collect();
    assert_eq!(comments, ["#!x", "# one", "# two", "#"]);
}

fn check_error(text: &str, expected: &Expect) {
    let error = Source::parse("a.py", text.into()).map(|_| String::new());
    expected.assert_eq(&error.unwrap_or_else(|error| error.to_string()));
}

#[test]
fn st2_syntax_errors_have_a_line() {
    check_error(
        "x = 1\nprint 'a'\n",
        &expect!["line 2: Simple statements must be separated by newlines or semicolons"],
    );
    check_error(
        "def f(:\n    pass\n",
        &expect!["line 1: Expected a parameter or the end of the parameter list"],
    );
    check_error("x = (\n\n", &expect!["line 3: unexpected EOF while parsing"]);
    check_error(
        "if x:\n    y\n  z\n",
        &expect!["line 3: unindent does not match any outer indentation level"],
    );
    check_error("'a", &expect!["line 1: missing closing quote in string literal"]);
    check_error(
        &format!("x = '''\n'''\ny = {}\n", "(".repeat(5000)),
        &expect!["line 3: nested too deeply"],
    );
}

#[test]
fn st2_new_and_old_versions_are_no_errors() {
    check_error("match x:\n    case 1: pass\ntype X = int\nf'{f'{x}'}'\n", &expect![[""]]);
    check_error("try: pass\nexcept A, B: pass\nlazy import x\n", &expect![[""]]);
}

#[test]
fn st2_scope_at_a_place() {
    let text = "\
@d0
def f(p1=lambda q2: r2, *, s1: t1) -> u1:
    v1
    [w2 for x2 in y1 if z2 for x2 in [k3 for k3 in l2]]
    class C(B1):
        m3 = (lambda n4: n4)
        def g(self): o4
o0
";
    let source = parse(text);
    let mut lines = Vec::new();
    for name in &source.scopes().names {
        let scope = scope_name(&source, source.scopes().scope_at(name.range));
        lines.push(format!("{} {scope}", name.name));
    }
    let whole = text.find("[w2").unwrap()..text.find("]]").unwrap() + 2;
    let whole = TextRange::new(whole.start.try_into().unwrap(), whole.end.try_into().unwrap());
    lines.push(format!("comprehension {}", scope_name(&source, source.scopes().scope_at(whole))));
    expect![[r#"
        d0 module
        f module
        p1 module
        q2 module
        r2 <lambda>
        s1 module
        t1 module
        u1 module
        v1 f
        w2 f.<comprehension>
        x2 f.<comprehension>
        y1 f
        z2 f.<comprehension>
        x2 f.<comprehension>
        k3 f.<comprehension>.<comprehension>
        k3 f.<comprehension>.<comprehension>
        l2 f.<comprehension>
        C f
        B1 f
        m3 f.C
        n4 f.C
        n4 f.C.<lambda>
        g f.C
        self f.C
        o4 f.C.g
        o0 module
        comprehension f"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn st2_names_of_a_variable() {
    let source = parse("x = 1\ndef f():\n    global x\n    return x\ndef g(x): x\nx\n");
    let scopes = source.scopes();
    let x = scopes.global("x").unwrap();
    let lines: Vec<u32> = scopes.names_of(x).map(|name| source.line(name.range.start())).collect();
    assert_eq!(lines, [1, 3, 4, 6]);
    assert_eq!(scopes.lookup(crate::ScopeId(1), "x"), Some(x));
    assert_ne!(scopes.lookup(crate::ScopeId(2), "x"), Some(x));
    assert_eq!(scopes.lookup(crate::ScopeId(2), "f"), scopes.global("f"));
    assert_eq!(scopes.name_at(TextRange::empty(0.into())), None);
}
