use std::fmt::Write as _;

use rb_contracts::{Snapshot, compare};

use crate::support::of_fixture;

/// Everything at once, so that the order of any list would show.
const MIXED: &str = "
//- package.json
{ \"name\": \"p\", \"exports\": { \".\": \"./a.js\", \"./b\": \"./b.js\" }, \"bin\": { \"p\": \"a.js\", \"q\": \"b.js\" } }
//- a.js
export * from './b.js';
export const z = 1, y = 2;
program.option('--b').option('--a');
//- b.js
export * from './a.js';
export class C { m() {} k() {} }
app.get('/b', x); app.get('/a', y);
const app = express();
//- s.graphql
type B { x: Int } type A { y: Int }
";

#[test]
fn ve7_the_same_state_gives_the_same_bytes_and_survives_being_written() {
    let first = of_fixture(MIXED);
    let json = serde_json::to_string_pretty(&first).unwrap();
    assert_eq!(json, serde_json::to_string_pretty(&of_fixture(MIXED)).unwrap());
    let read: Snapshot = serde_json::from_str(&json).unwrap();
    assert_eq!(read, first);
    assert_eq!(compare(&read, &first), []);
    assert!(first.exports.len() >= 5 && first.flags.len() == 4 && first.routes.len() == 2);
}

#[test]
fn ve7_what_is_broken_endless_or_circular_is_survived() {
    let deep = "[".repeat(20_000);
    let mut fixture = String::new();
    for (path, text) in [
        ("package.json", "{ \"name\": \"p\", \"exports\": { \".\": "),
        ("a/package.json", "{ \"name\": \"a\", \"main\": \"x.js\" }"),
        (
            "a/x.js",
            "export * from './y'; export { gone } from './y'; export { a as b } from './x';",
        ),
        (
            "a/y.js",
            "export * from './x'; module.exports = { ...y, [z]: 1 }; export const {q, ...r} = f(;",
        ),
        ("Cargo.toml", "[package]\nname = \"c\""),
        (
            "src/lib.rs",
            "pub use self::a::*; pub mod a { pub use super::*; pub use b::c; } pub use crate::missing::*; impl",
        ),
        ("setup.py", ""),
        ("p/__init__.py", "from .a import *\nfrom . import b\nclass X(X): pass"),
        ("p/a.py", "from . import *\nfrom .a import q\n__all__ = names()\ndef f(*, a, /, **k"),
        ("p/urls.py", "from django.urls import *\nurlpatterns = [path('a/', include('p.urls'))]"),
        (
            "o.yaml",
            "openapi: 3.0.0\npaths: {/a: {get: {parameters: [{$ref: '#/x'}], responses: {'200': {$ref: '#/paths'}}}}}\nx: {$ref: '#/x'}",
        ),
        ("bad.yaml", "openapi: [3\n  - {"),
        ("bomb.yaml", "openapi: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\nd: 1"),
        ("r.schema.json", "{\"properties\": {\"a\": {\"$ref\": \"#\"}}}"),
        ("s.graphql", "type A { a(b: [[[[: } type union enum X {{{ \"unclosed"),
        (
            "m.proto",
            "message A { } } } } message { = ; = 3; x y = 99999999999999999999; message B {{{ /* ",
        ),
        (
            "router.js",
            "const app = express(); app.use('/a', app); app.get('/:(', x); app.use(require('./router'));",
        ),
        ("main.go", "package m\nfunc ("),
        ("go.mod", "module"),
        ("deep.js", &format!("export const deep = {deep};")),
        ("deep.json", &format!("{{\"$schema\": \"json-schema.org\", \"a\": {deep}")),
    ] {
        let _ = writeln!(fixture, "//- {path}\n{text}");
    }
    let snapshot = of_fixture(&fixture);
    assert_eq!(compare(&snapshot, &snapshot), []);
    let unread: Vec<&str> = snapshot.unread.iter().map(|it| it.file.as_str()).collect();
    assert_eq!(unread, ["bad.yaml", "package.json"]);
}
