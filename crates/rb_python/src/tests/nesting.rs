//! No text overflows the stack.

use std::sync::Arc;

use crate::nesting::LIMIT;
use crate::{Source, SyntaxError};

/// A text that nests so many times.
type Shape = fn(usize) -> String;

const EXPRESSIONS: &[(&str, Shape)] = &[
    ("parentheses", |n| format!("x = {}1{}\n", "(".repeat(n), ")".repeat(n))),
    ("lists", |n| format!("x = {}1{}\n", "[".repeat(n), "]".repeat(n))),
    ("dicts", |n| format!("x = {}1{}\n", "{1: ".repeat(n), "}".repeat(n))),
    ("calls", |n| format!("x = {}1{}\n", "f(".repeat(n), ")".repeat(n))),
    ("chained calls", |n| format!("x = f{}\n", "()".repeat(n))),
    ("subscripts", |n| format!("x: {}int{}\n", "List[".repeat(n), "]".repeat(n))),
    ("attributes", |n| format!("x = a{}\n", ".a".repeat(n))),
    ("attributes in brackets", |n| {
        let (count, accesses) = (n / 400, ".a".repeat(400));
        format!("x = {}a{}\n", "(".repeat(count), format!("{accesses})").repeat(count))
    }),
    ("sum", |n| format!("x = 1{}\n", " + 1".repeat(n))),
    ("product", |n| format!("x = 1{}\n", "*1".repeat(n))),
    ("power", |n| format!("x = 1{}\n", "**1".repeat(n))),
    ("minus", |n| format!("x = {}1\n", "-".repeat(n))),
    ("not", |n| format!("x = {}1\n", "not ".repeat(n))),
    ("lambdas", |n| format!("x = {}1\n", "lambda a, b: ".repeat(n))),
    ("conditions", |n| format!("x = {}1\n", "1 if a else ".repeat(n))),
    ("comprehensions", |n| format!("x = {}1{}\n", "[".repeat(n), " for a in b]".repeat(n))),
    ("first iterables", |n| format!("x = {}1{}\n", "[a for a in ".repeat(n), "]".repeat(n))),
    ("f-strings", |n| format!("x = {}1{}\n", "f'{".repeat(n), "}'".repeat(n))),
    ("patterns", |n| format!("match x:\n case {}a{}: pass\n", "[".repeat(n), "]".repeat(n))),
    ("targets", |n| format!("for {}a{} in b: pass\n", "[".repeat(n), "]".repeat(n))),
    ("__all__", |n| format!("__all__ = []{}\n", " + []".repeat(n))),
    ("unclosed", |n| format!("x = {}\n", "a(b[".repeat(n))),
    ("unclosed with", |n| format!("with {}a: pass\n", "(".repeat(n))),
    ("unclosed match", |n| format!("match {}a = 1\n", "(".repeat(n))),
    ("print statement", |n| format!("print a{}\n", ".a".repeat(n))),
];

const BLOCKS: &[(&str, Shape)] = &[
    ("ifs", |n| blocks(n, "if x:")),
    ("functions", |n| blocks(n, "def f(a=1):")),
    ("classes", |n| blocks(n, "class C[T](B):")),
    ("withs", |n| blocks(n, "with a as b:")),
];

/// One block in another, each indented by one more space.
fn blocks(n: usize, header: &str) -> String {
    let mut lines: Vec<String> = (0..n).map(|at| " ".repeat(at) + header).collect();
    lines.push(" ".repeat(n) + "pass\n");
    lines.join("\n")
}

/// In a thread with half of the stack that threads have by default.
fn parse(text: String) -> Option<SyntaxError> {
    let parse = move || Source::parse("a.py", Arc::from(text)).err();
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    thread.spawn(parse).unwrap().join().unwrap()
}

fn is_too_deep(text: String) -> bool {
    parse(text).is_some_and(|error| error.message == "nested too deeply")
}

#[test]
fn st2_what_is_too_deep_is_refused() {
    for (name, shape) in EXPRESSIONS {
        assert!(is_too_deep(shape(100_000)), "{name}");
    }
    for (name, shape) in BLOCKS {
        assert!(is_too_deep(shape(2_000)), "{name}");
    }
}

#[test]
fn st2_what_is_not_too_deep_fits_the_stack() {
    let sizes: Vec<usize> = (1..=LIMIT).collect();
    for (name, shape) in EXPRESSIONS.iter().chain(BLOCKS) {
        // The search tries the deepest that is accepted.
        let deepest = sizes.partition_point(|n| !is_too_deep(shape(*n)));
        assert!(deepest >= LIMIT / 6, "{name}: {deepest}");
    }
}

#[test]
fn st2_quoted_annotations_that_are_too_deep_are_not_read() {
    let text = format!("x: '{}int{}'\n", "List[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(parse(text), None);
}

#[test]
fn st2_long_is_not_deep() {
    let rows = "    ('a', b.c, [d + e], lambda f, g: not f, 1 if h else 2),\n".repeat(5_000);
    assert_eq!(parse(format!("x = [\n{rows}]\n")), None);
    assert_eq!(parse(format!("x = {}b\n", "a.b == c and ".repeat(5_000))), None);
    assert_eq!(parse(format!("x = f'{}'\n", "{a.b} ".repeat(5_000))), None);
    assert_eq!(parse(format!("if a: b\n{}", "elif c: d\n".repeat(5_000))), None);
    assert_eq!(parse(format!("{}1\n", "a = ".repeat(5_000))), None);
    assert_eq!(parse(format!("x = {}''\n", "'a' ".repeat(5_000))), None);
}
