//! More than one dot in an expression: `basket.items().first()`.
//!
//! Counted are the dots along one chain, also if it is spread over several lines; the arguments of a call are expressions of
//! their own. The dot after `self`, `this` or the receiver of a Go method is free, and so is the one after a package, module or
//! class. `::` of Rust, `.await`, and dots in numbers, texts, types and imports do not count. The arguments of Rust macros are
//! not read.

use std::collections::BTreeSet;

use super::Finding;
use super::getters::receiver_name;
use super::source::{Id, Source};
use super::syntax::Family;

pub(super) fn check(source: &Source<'_>) -> Vec<Finding> {
    let modules = modules(source);
    let mut is_part = vec![false; source.len()];
    let mut findings = Vec::new();
    for id in source.ids() {
        if is_part[id] {
            continue;
        }
        let mut dots = 0_u32;
        let mut place = id;
        // Down the chain, from its last part to its first.
        while let Some((rest, is_dot)) = next_part(source, place) {
            is_part[place] = true;
            dots += u32::from(is_dot);
            place = rest;
        }
        if dots > 0 && is_free(source, place, &modules) {
            dots -= 1;
        }
        if dots > 1 {
            let what = format!("`{}` has {dots} dots (at most 1)", source.snippet(id));
            findings.push(Finding::new(source.line(id), what));
        }
    }
    findings
}

/// The rest of the chain in front of this part, and whether there is a dot between them.
fn next_part(source: &Source<'_>, id: Id) -> Option<(Id, bool)> {
    let link = source.syntax.links.iter().find(|link| source.is(id, &[link.kind]))?;
    let rest = match link.rest {
        "" => source.named(id).next(),
        field => source.field(id, field),
    };
    Some((rest?, link.is_dot))
}

/// Does a chain that begins here have its first dot for free?
fn is_free(source: &Source<'_>, id: Id, modules: &BTreeSet<&str>) -> bool {
    let text = source.text(id);
    if source.syntax.selves.contains(&text) {
        return true;
    }
    if !source.is(id, &["identifier", "constant"]) {
        return false;
    }
    let is_receiver = || {
        let method = source.function_of(id);
        method.and_then(|method| receiver_name(source, method)) == Some(text)
    };
    let is_class = source.syntax.family != Family::Rust
        && text.starts_with(char::is_uppercase)
        && text.contains(char::is_lowercase);
    is_class || modules.contains(text) || is_receiver()
}

/// The names of imported modules and packages.
fn modules<'t>(source: &Source<'t>) -> BTreeSet<&'t str> {
    let mut modules = BTreeSet::new();
    for id in source.ids() {
        let name = match source.kind(id) {
            // Python: `import a.b`, `import a as b`.
            "dotted_name" if source.is_in(id, &["import_statement"]) => source.named(id).next(),
            "aliased_import" if source.is_in(id, &["import_statement"]) => {
                source.field(id, "alias")
            }
            // JavaScript: `import * as a`.
            "namespace_import" => source.named(id).next(),
            // Go: `import a "b/c"`, `import "b/c"`.
            "import_spec" => source.field(id, "name").or_else(|| source.field(id, "path")),
            _ => None,
        };
        let text = name.map_or("", |name| source.text(name)).trim_matches(['"', '`']);
        modules.extend(text.rsplit('/').next());
    }
    modules.remove("");
    modules
}

#[cfg(test)]
mod tests {
    use rb_lang::Language::{self, Go, Java, JavaScript, Python, Ruby, Rust, TypeScript};

    use super::super::expect_findings;
    use crate::constraint::ConstraintKind;

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        expect_findings(ConstraintKind::OneDotPerLine, language, text, expected);
    }

    #[test]
    fn ka4_chains_are_found() {
        check(Rust, "fn f() { a.b().c(); }", &["1: `a.b().c()` has 2 dots (at most 1)"]);
        check(Rust, "fn f() { self.a.b.c?; }", &["1: `self.a.b.c?` has 2 dots (at most 1)"]);
        check(
            Rust,
            "fn f() {\n a.b()\n  .c()\n  .d[0]\n}\n",
            &["2: `a.b().c().d[0]` has 3 dots (at most 1)"],
        );
        check(Python, "a.b().c\n", &["1: `a.b().c` has 2 dots (at most 1)"]);
        check(Python, "a(b.c.d)\n", &["1: `b.c.d` has 2 dots (at most 1)"]);
        check(TypeScript, "a!.b?.c();", &["1: `a!.b?.c()` has 2 dots (at most 1)"]);
        check(JavaScript, "a.b[0].c;\n", &["1: `a.b[0].c` has 2 dots (at most 1)"]);
        check(
            Go,
            "package p\nfunc f() { a.b().c() }\n",
            &["2: `a.b().c()` has 2 dots (at most 1)"],
        );
        check(
            Java,
            "class A { void f() { a.b.c(); d().e().f(); } }",
            &["1: `a.b.c()` has 2 dots (at most 1)", "1: `d().e().f()` has 2 dots (at most 1)"],
        );
        check(Ruby, "a.b.c\n", &["1: `a.b.c` has 2 dots (at most 1)"]);
        check(Ruby, "@a&.b { |c| d }.e\n", &["1: `@a&.b { |c| d }.e` has 2 dots (at most 1)"]);
    }

    #[test]
    fn ka4_one_dot_is_fine() {
        check(Rust, "fn f() { a::b::c(self.d.e(), g.h); i.j.await?; 0..k.l }", &[]);
        check(Rust, "fn f() { \"a.b.c\"; // a.b.c\n}\n", &[]);
        check(Python, "import os.path\nfrom a.b import c\nos.path.join(self.a.b(), c.d)\n", &[]);
        check(Python, "class A:\n  def f(self): super().f(Board.c.d)\n", &[]);
        check(TypeScript, "import * as a from 'a';\na.b.c(this.d.e);\nlet g: a.B.C;\n", &[]);
        check(JavaScript, "this.a.b(); Math.max(a.b, c.d); new A().b();", &[]);
        check(
            Go,
            "package p\nimport \"a/strings\"\nfunc (a A) f() { a.b.c(); strings.B(1).c() }\n",
            &[],
        );
        check(Java, "class A { void f() { this.a.b(); System.out.println(c.d()); e(); } }", &[]);
        check(Ruby, "self.a.b\nputs a.b\nA::B.c\n@a.b\n", &[]);
    }
}
