//! JavaScript and TypeScript.

use rb_lang::Language;

use super::{Bodies, Spot, Step};

pub(super) const BODIES: Bodies = Bodies {
    languages: &[Language::JavaScript, Language::TypeScript, Language::Tsx],
    visit,
    consequences: None,
};

const FUNCTIONS: &[&str] = &[
    "arrow_function",
    "function_declaration",
    "function_expression",
    "generator_function",
    "generator_function_declaration",
    "method_definition",
];

fn visit(spot: &Spot<'_, '_>) -> Step {
    if !FUNCTIONS.contains(&spot.node.kind()) {
        return Step::Walk;
    }
    let user = spot.around.iter().rev().copied().find(|kind| *kind != "parenthesized_expression");
    match user {
        // Called where it stands: its body is a part of the module's own code.
        Some("call_expression" | "member_expression") => Step::Walk,
        // `ROWS.map((row) => …)` runs while the module is loaded.
        Some("arguments") => Step::Keep,
        Some(_) | None if needs_super(spot) => Step::Keep,
        Some(_) | None => spot.body_becomes("{ throw new Error(\"stubbed\"); }"),
    }
}

/// TypeScript refuses a constructor of a derived class that does not call `super`.
fn needs_super(spot: &Spot<'_, '_>) -> bool {
    spot.language != Language::JavaScript
        && spot.node.kind() == "method_definition"
        && spot.text_of("name") == "constructor"
        && spot.text_of("body").contains("super(")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_none};

    #[test]
    fn ka5_javascript_bodies() {
        let check = |before: &str, after: &str| check("roman.mjs", before, after);
        check(
            "export function roman(n) {\n  const f = () => n;\n  return f();\n}\n",
            "export function roman(n) { throw new Error(\"stubbed\"); }\n",
        );
        check(
            "const f = (n) => n + 1;\nconst g = async n => ({ n });\nlet h = function* () { yield 1; };\n",
            "const f = (n) => { throw new Error(\"stubbed\"); };\n\
             const g = async n => { throw new Error(\"stubbed\"); };\n\
             let h = function* () { throw new Error(\"stubbed\"); };\n",
        );
        check(
            "class R extends B {\n  constructor() { super(); }\n  get x() { return 1; }\n  \
             static one = (n) => n;\n}\n",
            "class R extends B {\n  constructor() { throw new Error(\"stubbed\"); }\n  \
             get x() { throw new Error(\"stubbed\"); }\n  \
             static one = (n) => { throw new Error(\"stubbed\"); };\n}\n",
        );
        check(
            "module.exports = { add(a) { return a; }, sub: (a) => -a };\n",
            "module.exports = { add(a) { throw new Error(\"stubbed\"); }, \
             sub: (a) => { throw new Error(\"stubbed\"); } };\n",
        );
    }

    #[test]
    fn ka5_javascript_that_runs_on_load_stays() {
        check(
            "roman.js",
            "const T = [1].map((n) => n);\n(() => {\n  exports.f = () => T;\n})();\n",
            "const T = [1].map((n) => n);\n(() => {\n  \
             exports.f = () => { throw new Error(\"stubbed\"); };\n})();\n",
        );
        check_none("roman.js", "const T = [1].map((n) => n);\n");
        check_none("roman.js", "function f( {\n");
    }

    #[test]
    fn ka5_typescript_bodies() {
        let check = |before: &str, after: &str| check("src/roman.ts", before, after);
        check(
            "export function f(n: number): string;\nexport function f(n: any): any { return n; }\n",
            "export function f(n: number): string;\n\
             export function f(n: any): any { throw new Error(\"stubbed\"); }\n",
        );
        check(
            "abstract class R extends B {\n  constructor(private n: number) { super(n); }\n  \
             abstract a(): void;\n  private b = (): number => this.n;\n}\n",
            "abstract class R extends B {\n  constructor(private n: number) { super(n); }\n  \
             abstract a(): void;\n  private b = (): number => { throw new Error(\"stubbed\"); };\n}\n",
        );
        check_none("src/roman.ts", "export interface R { f(): void }\n");
    }
}
