//! String literals and what each is for.

use expect_test::{Expect, expect};

use super::parse;

fn check(text: &str, expected: &Expect) {
    let source = parse(text);
    let lines = source.strings().iter().map(|string| {
        let line = source.line(string.range.start());
        let escapes = if string.has_escapes { " escapes" } else { "" };
        let bytes = if string.is_bytes { " bytes" } else { "" };
        let (whole, content) = (source.slice(string.range), source.slice(string.content));
        format!("{line} {whole:?} {content:?}{escapes}{bytes} {:?}", string.usage)
    });
    expected.assert_eq(&lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn st2_quotes_prefixes_and_escapes() {
    check(
        r#"
x = 'a', "b\n", r'\d', b"\x00", rb'\x', u'u', '''t
x''', 'one' "two" 'three', '', f'{y["k"]}' 'part'
"#,
        &expect![[r#"
            2 "'a'" "a" Other
            2 "\"b\\n\"" "b\\n" escapes Other
            2 "r'\\d'" "\\d" Other
            2 "b\"\\x00\"" "\\x00" escapes bytes Other
            2 "rb'\\x'" "\\x" bytes Other
            2 "u'u'" "u" Other
            2 "'''t\nx'''" "t\nx" Other
            3 "'one'" "one" Other
            3 "\"two\"" "two" Other
            3 "'three'" "three" Other
            3 "''" "" Other
            3 "\"k\"" "k" Other
            3 "'part'" "part" Other"#]],
    );
}

#[test]
fn st2_docstrings() {
    check(
        "'m'\n'other'\nclass C:\n    'c'\n    x = 1\n    'attribute'\n    def f(self):\n        'f' 'g'\ndef g(): 'x'; 'y'\n",
        &expect![[r#"
            1 "'m'" "m" Docstring
            2 "'other'" "other" Other
            4 "'c'" "c" Docstring
            6 "'attribute'" "attribute" Other
            8 "'f'" "f" Docstring
            8 "'g'" "g" Docstring
            9 "'x'" "x" Docstring
            9 "'y'" "y" Other"#]],
    );
}

#[test]
fn st2_arguments_know_what_is_called() {
    check(
        "\
mock.patch('a.b', 'c' 'd', new='e')
f(('x'), ['y'])
@patch.object(m, 'n')
def f(): pass
g().h.i('j')
k[0]('l')
(lambda: 1)('m')
a.b(*'n', **'o')
super().__init__('p')
a . b ('q', b'r')
",
        &expect![[r#"
            1 "'a.b'" "a.b" Argument { callee: "mock.patch", position: Some(0) }
            1 "'c'" "c" Argument { callee: "mock.patch", position: Some(1) }
            1 "'d'" "d" Argument { callee: "mock.patch", position: Some(1) }
            1 "'e'" "e" Argument { callee: "mock.patch", position: None }
            2 "'x'" "x" Argument { callee: "f", position: Some(0) }
            2 "'y'" "y" Other
            3 "'n'" "n" Argument { callee: "patch.object", position: Some(1) }
            5 "'j'" "j" Argument { callee: ".i", position: Some(0) }
            6 "'l'" "l" Argument { callee: "", position: Some(0) }
            7 "'m'" "m" Argument { callee: "", position: Some(0) }
            8 "'n'" "n" Other
            8 "'o'" "o" Argument { callee: "a.b", position: None }
            9 "'p'" "p" Argument { callee: ".__init__", position: Some(0) }
            10 "'q'" "q" Argument { callee: "a.b", position: Some(0) }
            10 "b'r'" "r" bytes Argument { callee: "a.b", position: Some(1) }"#]],
    );
}

#[test]
fn st2_annotations_and_all() {
    check(
        "x: 'A' = 'v'\n__all__ = ['a', 'b' 'c', d('e')]\ny: \"L['A']\"\nz: Literal['q']\n",
        &expect![[r#"
            1 "'A'" "A" Annotation
            1 "'v'" "v" Other
            2 "'a'" "a" All
            2 "'b'" "b" All
            2 "'c'" "c" All
            2 "'e'" "e" Argument { callee: "d", position: Some(0) }
            3 "\"L['A']\"" "L['A']" Annotation
            4 "'q'" "q" Other"#]],
    );
}
