//! Python. Lambdas stay.

use rb_lang::Language;

use super::{Bodies, Spot, Step};

pub(super) const BODIES: Bodies =
    Bodies { languages: &[Language::Python], visit, consequences: None };

fn visit(spot: &Spot<'_, '_>) -> Step {
    if spot.node.kind() != "function_definition" {
        return Step::Walk;
    }
    let Some(body) = spot.field("body") else {
        return Step::Keep;
    };
    // A comment may have any indent, the first statement has the right one.
    let mut cursor = body.walk();
    let statement = body.named_children(&mut cursor).find(|child| child.kind() != "comment");
    match statement {
        Some(statement) => {
            let start = statement.start_byte();
            spot.becomes(start, body.end_byte(), "raise RuntimeError(\"stubbed\")")
        }
        None => Step::Keep,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_none};

    #[test]
    fn ka5_python_bodies() {
        let check = |before: &str, after: &str| check("roman.py", before, after);
        check(
            "def roman(n):\n    \"\"\"Doc.\"\"\"\n    def inner():\n        return n\n    return inner()\n",
            "def roman(n):\n    raise RuntimeError(\"stubbed\")\n",
        );
        check(
            "class R:\n    @property\n    def a(self):\n        return 1\n\n    async def b(self): return 2\n",
            "class R:\n    @property\n    def a(self):\n        raise RuntimeError(\"stubbed\")\n\n    \
             async def b(self): raise RuntimeError(\"stubbed\")\n",
        );
        check(
            "def f():\n  # Why.\n  x = 1; return x\n\nSQUARE = lambda x: x * x\n",
            "def f():\n  # Why.\n  raise RuntimeError(\"stubbed\")\n\nSQUARE = lambda x: x * x\n",
        );
        check(
            "if True:\n\tdef f():\n\t\tfor x in []:\n\t\t\tprint(x)\n\n\ndef g(\n    a,\n):\n    pass",
            "if True:\n\tdef f():\n\t\traise RuntimeError(\"stubbed\")\n\n\ndef g(\n    a,\n):\n    \
             raise RuntimeError(\"stubbed\")",
        );
    }

    #[test]
    fn ka5_python_without_bodies() {
        check_none("roman.py", "");
        check_none("roman.py", "X = lambda: 1\n");
        check_none("roman.py", "def f(:\n    return 1\n");
    }
}
