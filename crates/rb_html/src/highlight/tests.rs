//! Colours as text: `k:fn f:main`.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn shown(language: Language, text: &str) -> String {
    let spans = spans(language, text);
    let words =
        spans.iter().map(|(range, token)| format!("{}:{}", token.class(), &text[range.clone()]));
    words.collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(language: Language, text: &str, expected: &Expect) {
    expected.assert_eq(&shown(language, text));
}

#[test]
fn ux4_source_is_coloured_in_every_language_that_is_read() {
    let samples = [
        (Language::Bash, "if true; then echo \"a $b\"; fi # c"),
        (Language::C, "#include <a.h>\nint f(char *s) { return g(s, 'a', 1); } // c"),
        (Language::CSharp, "class A { int F(string s) => G($\"a{s}\", 1.5); } // c"),
        (Language::Cpp, "template <typename T> T f(T t) { return g<T>(t) + 0x1f; }"),
        (Language::Elixir, "def f(x), do: Enum.map(x, \"a#{x}\") # c"),
        (Language::Go, "func f(s string) int { return g(`a`, 'b', 1) } // c"),
        (Language::Java, "class A { int f(String s) { return g(s, \"a\", 1L); } } // c"),
        (Language::JavaScript, "const f = async (x) => g(`a${x.y()}b`, /r/, null, 1); // c"),
        (Language::Kotlin, "fun f(s: String): Int { return g(s, \"a$s\", 1) } // c"),
        (Language::Lua, "local function f(s) return g(s, 'a', 1) end -- c"),
        (Language::Php, "function f($s) { return g($s, 'a', 1); } // c"),
        (Language::Python, "def f(s):\n    return g(s, f'a{h(s)}b', 1, None)  # c\n"),
        (Language::Ruby, "def f(s) = Foo.g(s, \"a#{h(s)}\", 1) # c"),
        (Language::Rust, "fn f(s: &str) -> Option<u8> { s.g::<T>(\"a\", 'b', 1u8, h!()) } // c"),
        (Language::Scala, "def f(s: String): Int = g(s, \"a\", 1) // c"),
        (Language::Swift, "func f(s: String) -> Int { return g(s, \"a\\(s)\", 1) } // c"),
        (Language::Tsx, "function F(p: P): JSX.Element { return <A b=\"c\">{p.d()}</A>; }"),
        (Language::TypeScript, "export function f(s: string): Foo<number> { return g(s)!; }"),
    ];
    let all: Vec<String> = samples
        .iter()
        .map(|(language, text)| format!("{}: {}\n", language.name(), shown(*language, text)))
        .collect();
    let missing: Vec<_> = Language::ALL
        .iter()
        .filter(|language| {
            language.is_read() && !samples.iter().any(|(other, _)| other == *language)
        })
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    expect![[r#"
        Shell: k:if f:true k:then f:echo s:" s:a  s:" k:fi c:# c
        C: k:#include s:<a.h> t:int f:f t:char k:return f:g s:'a' d:1 c:// c
        C#: k:class t:int f:F t:string f:G s:" s:a s:" d:1.5 c:// c
        C++: k:template k:typename t:T t:T f:f t:T k:return f:g t:T d:0x1f
        Elixir: f:def f:f t:Enum f:map s:" s:a s:" c:# c
        Go: k:func f:f t:string t:int k:return f:g s:`a` s:'b' d:1 c:// c
        Java: k:class k:int f:f t:String k:return f:g s:"a" d:1L c:// c
        JavaScript: k:const k:async f:g s:` s:a f:y s:b s:` s:/r/ k:null d:1 c:// c
        Kotlin: k:fun f:f t:String t:Int k:return f:g s:"a$s" d:1 c:// c
        Lua: k:local k:function f:f k:return f:g s:'a' d:1 k:end c:-- c
        PHP: k:function f:f k:return f:g s:'a' d:1 c:// c
        Python: k:def f:f k:return f:g s:f' s:a f:h s:b s:' d:1 k:None c:# c
        Ruby: k:def f:f t:Foo f:g s:" s:a f:h s:" d:1 c:# c
        Rust: k:fn f:f t:str t:Option t:u8 f:g t:T s:"a" s:'b' d:1u8 f:h c:// c
        Scala: k:def f:f t:String t:Int f:g s:"a" d:1 c:// c
        Swift: k:func f:f t:String t:Int k:return f:g s:" s:a s:\( s:) s:" d:1 c:// c
        TSX: k:function f:F t:P t:Element k:return s:"c" f:d
        TypeScript: k:export k:function f:f k:string t:Foo k:number k:return f:g
    "#]]
    .assert_eq(&all.concat());
}

#[test]
fn ux4_a_part_of_a_file_is_coloured_too() {
    check(
        Language::Python,
        "        return self.total(x)\n\n    def next(self):\n",
        &expect!["k:return f:total k:def f:next"],
    );
    check(
        Language::Rust,
        "    }\n\n    pub fn a(&self) -> u8 {\n        1\n",
        &expect!["k:pub k:fn k:self t:u8 d:1"],
    );
}

#[test]
fn ux4_what_has_no_grammar_or_is_too_long_stays_plain() {
    check(Language::Json, "{\"a\": 1}", &expect![[""]]);
    assert!(spans(Language::Rust, &"fn f() {}\n".repeat(30_000)).is_empty());
}

fn languages() -> impl Strategy<Value = Language> {
    proptest::sample::select(Language::ALL)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn ux4_no_text_breaks_the_colours(
        language in languages(),
        text in "([a-z\"'`${}()#/*\\\\<?\n\t é🦀\0:=.0-9]|fn |def |class |return |\"\"\"|<<A\n){0,60}",
    ) {
        let mut end = 0;
        for (range, _) in spans(language, &text) {
            prop_assert!(range.start >= end && range.start < range.end);
            prop_assert!(text.get(range.clone()).is_some());
            end = range.end;
        }
    }
}
