//! Java. Constructors stay, because a call of another constructor has to be their first statement; so do lambdas and initialisers.

use rb_lang::Language;

use super::{Bodies, Spot, Step};

pub(super) const BODIES: Bodies =
    Bodies { languages: &[Language::Java], visit, consequences: None };

fn visit(spot: &Spot<'_, '_>) -> Step {
    match spot.node.kind() {
        "method_declaration" => spot.body_becomes("{ throw new RuntimeException(\"stubbed\"); }"),
        "constructor_declaration" | "compact_constructor_declaration" | "static_initializer" => {
            Step::Keep
        }
        _ => Step::Walk,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_none};

    #[test]
    fn ka5_java_bodies() {
        let check = |before: &str, after: &str| check("src/main/java/Roman.java", before, after);
        check(
            "class Roman {\n  private final int n;\n  Roman(int n) { this.n = n; }\n  \
             static { System.out.println(1); }\n  static String of(int n) throws Exception {\n    \
             return \"\" + n;\n  }\n}\n",
            "class Roman {\n  private final int n;\n  Roman(int n) { this.n = n; }\n  \
             static { System.out.println(1); }\n  static String of(int n) throws Exception \
             { throw new RuntimeException(\"stubbed\"); }\n}\n",
        );
        check(
            "interface R {\n  int a();\n  default int b() { return 1; }\n}\n",
            "interface R {\n  int a();\n  default int b() { throw new RuntimeException(\"stubbed\"); }\n}\n",
        );
        check(
            "record P(int x) {\n  P { if (x < 0) throw new IllegalArgumentException(); }\n  \
             int twice() { return 2 * x; }\n}\n",
            "record P(int x) {\n  P { if (x < 0) throw new IllegalArgumentException(); }\n  \
             int twice() { throw new RuntimeException(\"stubbed\"); }\n}\n",
        );
    }

    #[test]
    fn ka5_java_without_bodies() {
        check_none("Roman.java", "abstract class Roman { abstract int a(); Roman() { } }\n");
        check_none("Roman.java", "class Roman { int a( { return 1; } }\n");
    }
}
