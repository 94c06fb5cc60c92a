//! Names in quoted annotations.

use expect_test::{Expect, expect};

use super::dump;

fn check(text: &str, expected: &Expect) {
    let lines = dump(text);
    let quoted: Vec<&str> = lines.lines().filter(|line| line.contains('"')).collect();
    expected.assert_eq(&quoted.join("\n"));
}

#[test]
fn st2_annotations_of_all_kinds() {
    check(
        "\
class A: pass
x: 'A'
y: List['A'] = 1
def f(a: 'A', *b: \"A\", c: r'A' = 1, **d: 'List[A]') -> 'Dict[str, List[\"A\"]]':
    z: '''
        A | None
    '''
type T = 'A'
def g[U: 'A'](): pass
",
        &expect![[r#"
            2:5 "A" -> module
            3:10 "A" -> module
            4:11 "A" -> module
            4:20 "A" -> module
            4:29 "A" -> module
            4:43 "List" -> ?
            4:48 "A" -> module
            4:57 "Dict" -> ?
            4:62 "str" -> ?
            4:67 "List" -> ?
            4:73 "A" -> module
            6:9 "A" -> module
            8:11 "A" -> module
            9:11 "A" -> module"#]],
    );
}

#[test]
fn st2_scopes_of_quoted_names() {
    check(
        "\
class A:
    class B: pass
    def f(self, b: 'B', c: 'A.B', t: 'Later', u: 'lambda q: q'):
        x: 'B'
class B: pass
class Later: pass
",
        &expect![[r#"
            3:21 "B" -> A
            3:29 "A" -> module
            3:39 "Later" -> module
            3:58 "q" = A.<lambda>
            3:61 "q" -> A.<lambda>
            4:13 "B" -> module"#]],
    );
}

#[test]
fn st2_calls_of_typing() {
    check(
        "\
import typing as t
from typing import cast, TypeVar as TV, NewType
class A: pass
cast('A', x)
t.cast('A | None', 'A')
TV('T', 'A', bound='A', default='A')
NewType('N', 'A')
other.cast('A', x)
",
        &expect![[r#"
            4:7 "A" -> module
            5:9 "A" -> module
            6:10 "A" -> module
            6:21 "A" -> module
            6:34 "A" -> module
            7:15 "A" -> module"#]],
    );
}

#[test]
fn st2_subscripts_of_typing_are_types_anywhere() {
    check(
        "\
import typing
from typing import List, Optional
class A: pass
Alias = Optional['A']
class B(typing.Generic['A']): pass
d['A']
d[List['A']]
",
        &expect![[r#"
            4:19 "A" -> module
            5:25 "A" -> module
            7:9 "A" -> module"#]],
    );
}

#[test]
fn st2_strings_that_are_no_types() {
    check(
        "\
from typing import Annotated, Literal
class A: pass
a: Literal['A']
b: Annotated['A', 'A', Query('A')]
c: 'A' 'A'
d: '\\x41'
e: b'A'
f: f'A'
g: 'not a type'
h: ''
i: '('
j: x('A')
k: \"Literal['A'] | List['A']\"
",
        &expect![[r#"
            4:15 "A" -> module
            13:5 "Literal" -> module
            13:20 "List" -> ?
            13:26 "A" -> module"#]],
    );
}
