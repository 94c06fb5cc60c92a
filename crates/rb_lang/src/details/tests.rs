use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::*;

/// One line for each function, call and name.
fn shown(details: &Details) -> String {
    let mut out = String::new();
    for it in &details.functions {
        let owner = it.owner.as_ref().map_or(String::new(), |owner| format!("{owner}."));
        let _ = write!(out, "fn {owner}{}(", it.name);
        for (at, parameter) in it.parameters.iter().enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            let mark = match parameter.kind {
                ParameterKind::Any => "",
                ParameterKind::PositionOnly => "/",
                ParameterKind::NameOnly => "*:",
                ParameterKind::Rest => "...",
                ParameterKind::NamedRest => "**:",
            };
            let optional = if parameter.is_required { "" } else { "?" };
            let _ = write!(out, "{comma}{mark}{}{optional}", parameter.name);
            if let Some(keys) = &parameter.keys {
                let names: Vec<String> = keys
                    .names
                    .iter()
                    .map(|(name, required)| format!("{name}{}", if *required { "" } else { "?" }))
                    .collect();
                let _ = write!(
                    out,
                    " {{{}{}}}",
                    names.join(" "),
                    if keys.is_open { " .." } else { "" }
                );
            }
        }
        let _ = write!(out, ") {}", it.line);
        for (set, word) in [
            (it.is_async, " async"),
            (it.is_open, " open"),
            (it.is_signature, " signature"),
            (it.is_typed, " typed"),
        ] {
            out.push_str(if set { word } else { "" });
        }
        out.push('\n');
    }
    for it in &details.calls {
        let count = it.positional.map_or("..".to_owned(), |count| count.to_string());
        let named = it.named.as_ref().map_or("..".to_owned(), |named| named.join(" "));
        let _ = writeln!(
            out,
            "{:?} `{}` {} {count} [{named}] {:?} {:?} {}",
            it.form,
            it.qualifier,
            it.name,
            it.objects.iter().flatten().collect::<Vec<_>>(),
            it.fate,
            it.line
        );
    }
    for (name, it) in &details.uses {
        let free = if it.is_free { " free" } else { "" };
        let _ = writeln!(out, "use {name} {}+{} at {}{free}", it.values, it.types, it.line);
    }
    let _ = writeln!(
        out,
        "top {}",
        details.top.iter().map(|name| &**name).collect::<Vec<_>>().join(" ")
    );
    for (name, members) in &details.closed {
        let members: Vec<&str> = members.iter().map(|it| &**it).collect();
        let _ = writeln!(out, "closed {name}: {}", members.join(" "));
    }
    if details.is_open {
        out.push_str("open\n");
    }
    if !details.errors.is_empty() {
        let _ = writeln!(out, "errors {:?}", details.errors);
    }
    out
}

#[track_caller]
fn check(language: Language, text: &str, expected: &Expect) {
    expected.assert_eq(&shown(&details(language, text).expect("a language with a reader")));
}

#[test]
fn ve6_details_of_typescript() {
    check(
        Language::Tsx,
        r#"import { a, type B } from "./x";
import C from "c";
interface Props { one: string; two?: number }
export function View({ one, two }: Props) { return <C one={one} {...rest}><View one="1" /></C>; }
export const load = async (id: string, opts: { deep: boolean; wide?: 1 } = {}, ...more: B[]) => {
  const got = await a(id, { deep: true });
  if (a()) { var late = 1; let a = 2; a.b(); }
  return helper(...more).then((x) => x.y);
};
function over(a: string): void;
function over(a: any, b?: B) { late2(); return arguments[1]; }
class K { constructor(private x: B) {} go(a = 1) { this.go(2); new K(a); } }
const { d } = load("1");
"#,
        &expect![[r#"
            fn View({} {one two?}) 4 typed
            fn load(id, opts? {deep wide?}, ...more?) 5 async typed
            fn over(a) 10 signature typed
            fn over(a, b?) 11 open typed
            fn K.constructor(x) 12 typed
            fn K.go(a?) 12 typed
            Element `` C .. [..] [] Other 4
            Call `` a 2 [] [["deep"]] Awaited 6
            Call `` a 0 [] [] Used 7
            Call `?` then 1 [] [] Returned 8
            Call `` helper .. [] [] Chained 8
            Call `` late2 0 [] [] Statement 11
            Call `this` go 1 [] [] Statement 12
            New `` K 1 [] [] Statement 12
            Call `` load 1 [] [] Used 13
            use B 0+3 at 5
            use C 2+0 at 4
            use K 1+0 at 12
            use Props 0+1 at 4
            use a 2+0 at 6
            use arguments 1+0 at 11 free
            use helper 1+0 at 8 free
            use late2 1+0 at 11 free
            use load 1+0 at 13
            use rest 1+0 at 4 free
            top B C K Props View a d load over
        "#]],
    );
}

#[test]
fn ve6_a_written_type_says_how_a_function_is_called() {
    check(
        Language::TypeScript,
        "const plain = (a) => a;\nconst cast = ((a) => a) as Load;\nconst typed: Load = (a) => a;\n",
        &expect![[r#"
            fn plain(a) 1 typed
            fn cast(a) 2 open typed
            fn typed(a) 3 open typed
            use Load 0+2 at 2 free
            top cast plain typed
        "#]],
    );
}

#[test]
fn ve6_details_of_python() {
    check(
        Language::Python,
        r#"import os, a.b
from x import y as z, w
try:
    import fast
except ImportError:
    fast = None
def f(a, /, b, c=1, *args, d, e=2, **kw):
    return w(a, *b, d=c)
class K(Base):
    @classmethod
    def make(cls, x): return cls(x)
    async def go(self, n: int, *, m: str = ""): await self.go(n, m=z.q)
    @other
    def wrapped(self): pass
for i, j in gone(): (k := i)
with open(missing) as handle: handle.read(b=1)
"#,
        &expect![[r#"
            fn f(/a, b, c?, ...*args?, *:d, *:e?, **:**kw?) 7
            fn K.make(x) 11
            fn K.go(n, *:m?) 12 async
            fn K.wrapped() 14 open
            Call `` w .. [d] [] Returned 8
            Call `` cls 1 [] [] Returned 11
            Call `self` go 1 [m] [] Awaited 12
            Call `` gone 0 [] [] Used 15
            Call `` open 1 [] [] Other 16
            Call `handle` read 0 [b] [] Statement 16
            use Base 1+0 at 9 free
            use ImportError 1+0 at 5 free
            use a 1+0 at 8
            use b 1+0 at 8
            use c 1+0 at 8
            use classmethod 1+0 at 10 free
            use cls 1+0 at 11
            use gone 1+0 at 15 free
            use handle 1+0 at 16
            use i 1+0 at 15
            use int 1+0 at 12 free
            use missing 1+0 at 16 free
            use n 1+0 at 12
            use open 1+0 at 16 free
            use other 1+0 at 13 free
            use self 1+0 at 12
            use str 1+0 at 12 free
            use w 1+0 at 8
            use x 1+0 at 11
            use z 1+0 at 12
            top K a f fast go handle i j k make os w wrapped z
        "#]],
    );
}

#[test]
fn ve6_details_of_go() {
    check(
        Language::Go,
        r#"package a
import "fmt"
type T struct { Name string }
func (t *T) Do(a, b int, c ...string) error { fmt.Println(a, c...); return t.do(x(1)) }
func plain(int, string) { v, w := other(1, 2); for i := range v { use(T{Name: w, }) }; _ = i }
"#,
        &expect![[r#"
            fn T.Do(/a, /b, ...c?) 4 typed
            fn plain(/_, /_) 5 typed
            Call `fmt` Println .. [] [] Statement 4
            Call `t` do .. [] [] Other 4
            Call `` x 1 [] [] Other 4
            Call `` other 2 [] [] Other 5
            Call `` use 1 [] [] Statement 5
            use T 2+0 at 4
            use _ 1+0 at 5 free
            use a 1+0 at 4
            use c 1+0 at 4
            use error 1+0 at 4 free
            use fmt 1+0 at 4 free
            use i 1+0 at 5
            use int 2+0 at 4 free
            use other 1+0 at 5 free
            use string 3+0 at 3 free
            use t 1+0 at 4
            use use 1+0 at 5 free
            use v 1+0 at 5
            use w 1+0 at 5
            use x 1+0 at 4 free
            top T plain
        "#]],
    );
}

#[test]
fn ve6_details_of_rust() {
    check(
        Language::Rust,
        r#"use crate::a::{self, b, C as D};
struct S<T> { x: T }
impl<T> S<T> { fn new(x: T) -> Self { Self::check(&x); S { x } } async fn go(&self, n: u8) { self.go(n).await; } }
impl Show for S<u8> { fn show(&self) {} }
#[cfg(unix)]
fn plain(v: Vec<D>) { if let Some(y) = b::find(v, 1) { println!("{}", y, quoted(z)); } gone::<u8>(1); }
"#,
        &expect![[r#"
            fn S.new(/x) 3 typed
            fn S.go(/self, /n) 3 async typed
            fn S.show(/self) 4 open typed
            fn plain(/v) 6 open typed
            Call `Self` check 1 [] [] Statement 3
            Call `self.` go 1 [] [] Awaited 3
            Call `b` find 2 [] [] Other 6
            Call `` gone 1 [] [] Statement 6
            use D 1+0 at 6
            use S 3+0 at 3
            use Self 2+0 at 3 free
            use Show 1+0 at 4 free
            use Some 1+0 at 6 free
            use T 3+0 at 2
            use Vec 1+0 at 6 free
            use b 1+0 at 6
            use cfg 1+0 at 5 free
            use gone 1+0 at 6 free
            use n 1+0 at 3
            use println 1+0 at 6 free
            use quoted 1+0 at 6 free
            use unix 1+0 at 5 free
            use v 1+0 at 6
            use x 2+0 at 3
            use y 1+0 at 6
            use z 1+0 at 6 free
            top D S T a b go new plain self show
        "#]],
    );
}

#[test]
fn ve6_details_of_java() {
    check(
        Language::Java,
        r#"package p;
import q.R;
class A extends R { int n; A(int n) { this.n = n; } void f(String s, int... more) { g(n); new A(1); s.f(2); Map.of(); }
  @Override public void h() {} }
"#,
        &expect![[r#"
            fn A.constructor(/n) 3 typed
            fn A.f(/s, ...?) 3 typed
            fn A.h() 4 open typed
            Call `` g 1 [] [] Other 3
            New `` A 1 [] [] Other 3
            Call `s` f 1 [] [] Other 3
            Call `Map` of 0 [] [] Other 3
            use A 1+0 at 3
            use Map 1+0 at 3 free
            use Override 1+0 at 4 free
            use R 1+0 at 3 free
            use String 1+0 at 3 free
            use g 1+0 at 3 free
            use n 2+0 at 3
            use s 1+0 at 3
            top 
        "#]],
    );
}

#[test]
fn ve6_details_of_what_cannot_be_parsed() {
    check(
        Language::TypeScript,
        "const a = 1;\nconst b = (;\n",
        &expect![[r#"
        top 
        open
        errors [2]
    "#]],
    );
    check(
        Language::Python,
        "a = 1\ndef (:\n  pass\n",
        &expect![[r#"
        top a
        errors [1, 2]
    "#]],
    );
}

#[test]
fn ve6_details_of_what_has_a_fixed_set_of_members() {
    check(
        Language::TypeScript,
        "export enum Color { Red = 'r', 'Green' }
enum Color { Blue = 'b' }
export const Phase = { First: 1, 'second': 2 } as const;
const mixed = { ...Phase, Third: 3 };
const typed: Record<string, number> = { Fourth: 4 };
function f() { const inner = { Fifth: 5 }; return inner; }
",
        &expect![[r#"
            fn f() 6 typed
            use Phase 1+0 at 4
            use Record 0+1 at 5 free
            use const 0+1 at 3 free
            top Color Phase f mixed typed
            closed Color: Blue Green Red
            closed Phase: First second
        "#]],
    );
    check(
        Language::Python,
        "import enum
class Color(str, enum.Enum):
    RED = 'r'
    GREEN, BLUE = 'g', 'b'
    @property
    def dark(self): return self is Color.RED
class Plain:
    RED = 1
",
        &expect![[r#"
            fn Color.dark() 6 open
            use Color 1+0 at 6
            use enum 1+0 at 2
            use property 1+0 at 5 free
            use self 1+0 at 6
            use str 1+0 at 2 free
            top BLUE Color GREEN Plain RED dark enum
            closed Color: BLUE GREEN RED dark
        "#]],
    );
}

#[test]
fn ve6_details_of_qualified_types() {
    check(
        Language::Go,
        "package a
func f() []shared.Variable { return nil }
",
        &expect![[r#"
            fn f() 2 typed
            use shared 1+0 at 2 free
            top f
        "#]],
    );
    check(
        Language::Java,
        "class A { void f(Map.Entry<String, java.util.List> e) {} }
",
        &expect![[r#"
            fn A.f(/e) 1 typed
            use Map 1+0 at 1 free
            use String 1+0 at 1 free
            use java 1+0 at 1 free
            top 
        "#]],
    );
}
