//! Import statements and `__all__`.

use expect_test::{Expect, expect};

use super::{parse, scope_name};
use crate::BindingKind;

fn check(text: &str, expected: &Expect) {
    let source = parse(text);
    let mut lines = Vec::new();
    for import in source.imports() {
        let names = import.names.iter().enumerate().map(|(at, name)| {
            assert_eq!(source.slice(name.name_range).replace(char::is_whitespace, ""), name.name);
            let alias = name.alias.as_ref().map(|(alias, range)| {
                assert_eq!(source.slice(*range), alias);
                format!(" as {alias}")
            });
            let whole = source.slice(name.range);
            let alias = alias.unwrap_or_default();
            format!("[{whole}] {}:{}{alias} = {}", import.specifier(at), name.name, name.local())
        });
        let names: Vec<String> = names.collect();
        if let Some((module, range)) = &import.module {
            assert_eq!(source.slice(*range).replace(char::is_whitespace, ""), *module);
        }
        let scope = scope_name(&source, import.scope);
        let line = source.line(import.range.start());
        lines.push(format!("{line} {scope} {:?}: {}", import.place, names.join(", ")));
    }
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn st2_import_statements() {
    check(
        "\
import a
import a.b.c, d as e
from a import b, c as d
from . import x
from .. import y as z
from ..a . b import (c,  # comment
    d as e,
)
from m import *
",
        &expect![[r#"
            1 module Top: [a] a:a = a
            2 module Top: [a.b.c] a.b.c:a.b.c = a, [d as e] d:d as e = e
            3 module Top: [b] a:b = b, [c as d] a:c as d = d
            4 module Top: [x] .:x = x
            5 module Top: [y as z] ..:y as z = z
            6 module Top: [c] ..a.b:c = c, [d as e] ..a.b:d as e = e
            9 module Top: [*] m:* = *"#]],
    );
}

#[test]
fn st2_places_of_imports() {
    check(
        "\
import top
try:
    import tried
except ImportError:
    import other
if TYPE_CHECKING:
    import types
    if x: import nested
else:
    import runtime
if typing.TYPE_CHECKING: import more
if x:
    if TYPE_CHECKING: import inner
def f():
    import local
    if TYPE_CHECKING: import local_types
class C:
    import member
with x: import within
import last; import same_line
",
        &expect![[r#"
            1 module Top: [top] top:top = top
            3 module Conditional: [tried] tried:tried = tried
            5 module Conditional: [other] other:other = other
            7 module TypeChecking: [types] types:types = types
            8 module TypeChecking: [nested] nested:nested = nested
            10 module Conditional: [runtime] runtime:runtime = runtime
            11 module TypeChecking: [more] more:more = more
            13 module TypeChecking: [inner] inner:inner = inner
            15 f Local: [local] local:local = local
            16 f Local: [local_types] local_types:local_types = local_types
            18 C Local: [member] member:member = member
            19 module Conditional: [within] within:within = within
            20 module Top: [last] last:last = last
            20 module Top: [same_line] same_line:same_line = same_line"#]],
    );
}

#[test]
fn st2_import_bindings_have_the_range_of_the_local_name() {
    let source =
        parse("import a.b, c as d\nfrom e import f, g as h\nimport a . c\nfrom i import *\n");
    let scopes = source.scopes();
    assert!(scopes.scopes[0].has_star_import);
    let variables = scopes.variables.iter().map(|variable| {
        let bindings = variable.bindings.iter().map(|binding| {
            assert_eq!(source.slice(binding.range), variable.name);
            let BindingKind::Import { import, name } = binding.kind else { panic!() };
            format!("{import}.{name}")
        });
        format!("{} {}", variable.name, bindings.collect::<Vec<_>>().join(" "))
    });
    let variables: Vec<String> = variables.collect();
    assert_eq!(variables, ["a 0.0 2.0", "d 0.1", "f 1.0", "h 1.1"]);
}

fn check_all(text: &str, expected: &Expect) {
    let source = parse(text);
    let shown = source.all().map(|all| {
        let entries = all.entries.iter().map(|entry| {
            assert!(all.ranges[entry.list].contains_range(entry.range));
            format!("{} {} {}", entry.list, entry.name, source.slice(entry.range))
        });
        let ranges: Vec<&str> = all.ranges.iter().map(|range| source.slice(*range)).collect();
        let partial = if all.is_partial { ", partial" } else { "" };
        format!("{ranges:?}{partial}\n{}", entries.collect::<Vec<_>>().join("\n"))
    });
    expected.assert_eq(&shown.unwrap_or_default());
}

#[test]
fn st2_all_in_its_forms() {
    check_all(
        "__all__ = ['a', \"b\"]\n",
        &expect![[r#"
        ["['a', \"b\"]"]
        0 a 'a'
        0 b "b""#]],
    );
    check_all(
        "__all__ = 'a', 'b'\n",
        &expect![[r#"
        ["'a', 'b'"]
        0 a 'a'
        0 b 'b'"#]],
    );
    check_all(
        "__all__: list[str] = ('a',)\n__all__ += ['b']\n",
        &expect![[r#"
        ["('a',)", "['b']"]
        0 a 'a'
        1 b 'b'"#]],
    );
    check_all(
        "__all__ = ['a']\n__all__.extend(['b'])\n__all__.append('c')\n",
        &expect![[r#"
        ["['a']", "['b']", "'c'"]
        0 a 'a'
        1 b 'b'
        2 c 'c'"#]],
    );
    check_all(
        "__all__ = ('x')\n",
        &expect![[r#"
        ["'x'"]
        0 x 'x'"#]],
    );
    check_all(
        "if x:\n    __all__ = ['a' 'b', r'c']\n",
        &expect![[r#"
        ["['a' 'b', r'c']"]
        0 ab 'a' 'b'
        0 c r'c'"#]],
    );
}

#[test]
fn st2_all_that_is_partial() {
    check_all(
        "__all__ = ['a'] + other.__all__ + ['b']\n",
        &expect![[r#"
        ["['a']", "['b']"], partial
        0 a 'a'
        1 b 'b'"#]],
    );
    check_all(
        "__all__ = ['a', *b, c]\n",
        &expect![[r#"
        ["['a', *b, c]"], partial
        0 a 'a'"#]],
    );
    check_all(
        "__all__ = [n for n in x]\n",
        &expect![[r#"
        [], partial
    "#]],
    );
    check_all(
        "__all__ = ['a']\n__all__.remove('a')\n",
        &expect![[r#"
        ["['a']"], partial
        0 a 'a'"#]],
    );
}

#[test]
fn st2_all_elsewhere_is_none() {
    check_all("all = ['a']\n", &expect![[""]]);
    check_all("class C:\n    __all__ = ['a']\ndef f():\n    __all__ = ['a']\n", &expect![[""]]);
}
