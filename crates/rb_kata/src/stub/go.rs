//! Go. It refuses imports that nothing uses: those that only the bodies used become imports of nothing but the package's effects.

use std::collections::BTreeSet;

use rb_core::Edit;
use rb_lang::Language;
use tree_sitter::{Node, Tree};

use super::{Below, Bodies, Spot, Step, offset, walk};

pub(super) const BODIES: Bodies =
    Bodies { languages: &[Language::Go], visit, consequences: Some(unused_imports) };

fn visit(spot: &Spot<'_, '_>) -> Step {
    let is_function = spot.node.kind() == "function_declaration";
    if is_function && matches!(spot.text_of("name"), "main" | "init") {
        return Step::Keep;
    }
    if is_function || spot.node.kind() == "method_declaration" {
        return spot.body_becomes("{ panic(\"stubbed\") }");
    }
    Step::Walk
}

fn unused_imports(tree: &Tree, text: &str, bodies: &[Edit]) -> Vec<Edit> {
    let starts: BTreeSet<u32> = bodies.iter().map(|edit| edit.start).collect();
    let mut imports = Vec::new();
    let mut used = BTreeSet::new();
    walk(tree, |node, _| {
        match node.kind() {
            "block" if starts.contains(&offset(node.start_byte())) => return Below::Skip,
            "import_spec" => {
                imports.push(node);
                return Below::Skip;
            }
            "identifier" | "package_identifier" => {
                used.insert(text.get(node.byte_range()).unwrap_or_default());
            }
            _ => {}
        }
        Below::Walk
    });
    imports.into_iter().filter_map(|import| without_name(import, text, &used)).collect()
}

/// The edit for an import whose name is not used.
fn without_name(import: Node<'_>, text: &str, used: &BTreeSet<&str>) -> Option<Edit> {
    let path = import.child_by_field_name("path")?;
    let Some(name) = import.child_by_field_name("name") else {
        let name = package_name(text.get(path.byte_range())?);
        let start = offset(path.start_byte());
        return (!used.contains(name)).then(|| Edit::insert(start, "_ "));
    };
    let is_unused = name.kind() == "package_identifier"
        && !used.contains(text.get(name.byte_range()).unwrap_or_default());
    is_unused.then(|| Edit::replace(offset(name.start_byte()), offset(name.end_byte()), "_"))
}

/// `rand` for `"math/rand/v2"`: the last part of the path that is no version.
fn package_name(path: &str) -> &str {
    let is_version =
        |part: &&str| part.strip_prefix('v').is_some_and(|number| number.parse::<u32>().is_ok());
    let path = path.trim_matches(['"', '`']);
    path.rsplit('/').find(|part| !is_version(part)).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_none};

    #[test]
    fn ka5_go_bodies() {
        let check = |before: &str, after: &str| check("roman.go", before, after);
        check(
            "package roman\n\nfunc Roman(n int) string {\n\tf := func() string { return \"I\" }\n\treturn f()\n}\n",
            "package roman\n\nfunc Roman(n int) string { panic(\"stubbed\") }\n",
        );
        check(
            "package roman\n\ntype R struct{ n int }\n\nfunc (r *R) Add(n int) (int, error) { return n, nil }\n\n\
             func init() { println(1) }\n",
            "package roman\n\ntype R struct{ n int }\n\nfunc (r *R) Add(n int) (int, error) \
             { panic(\"stubbed\") }\n\nfunc init() { println(1) }\n",
        );
    }

    #[test]
    fn ka5_go_imports_that_only_bodies_used() {
        check(
            "roman.go",
            "package roman\n\nimport (\n\t\"errors\"\n\ts \"strings\"\n\t\"time\"\n\t\"math/rand/v2\"\n)\n\n\
             var ErrRoman = errors.New(\"roman\")\n\nfunc At(t time.Time) string {\n\t\
             return s.Repeat(\"I\", rand.N(3))\n}\n",
            "package roman\n\nimport (\n\t\"errors\"\n\t_ \"strings\"\n\t\"time\"\n\t_ \"math/rand/v2\"\n)\n\n\
             var ErrRoman = errors.New(\"roman\")\n\nfunc At(t time.Time) string \
             { panic(\"stubbed\") }\n",
        );
    }

    #[test]
    fn ka5_go_without_bodies() {
        check_none("main.go", "package main\n\nfunc main() { println(1) }\n");
        check_none("roman.go", "package roman\n\nfunc f( {\n");
    }
}
