//! The implementation without its behaviour: every function body replaced by one that fails. A test that still passes then does
//! not test the implementation.
//!
//! The text still compiles; each language has a file in `stub/` that says which bodies must stay for that. What runs while a
//! module is loaded is kept where the syntax shows it. Where it calls a stub, no test passes.

mod ecma;
mod go;
mod java;
mod python;
mod ruby;
mod rust;

use rb_core::Edit;
use rb_lang::Language;
use tree_sitter::{Node, Tree};

use crate::runner::Runner;
use crate::text_file::TextFile;

/// The files with all bodies replaced; `None` if there is no function to replace, or a file cannot be parsed.
pub(crate) fn stubbed(runner: Runner, files: &[TextFile]) -> Option<Vec<TextFile>> {
    stubbed_files(runner.language(), files)
}

/// `language` is that of files whose names do not tell it.
fn stubbed_files(language: Language, files: &[TextFile]) -> Option<Vec<TextFile>> {
    let mut any = false;
    let mut stubs = Vec::with_capacity(files.len());
    for file in files {
        let language = Language::of_path(file.path.as_bytes()).unwrap_or(language);
        let text = match stubbed_text(language, &file.text)? {
            Stub::Text(text) => {
                any = true;
                text
            }
            Stub::NoFunction => file.text.clone(),
        };
        stubs.push(TextFile::new(file.path.clone(), text));
    }
    any.then_some(stubs)
}

enum Stub {
    Text(String),
    /// There is no body to replace, or the language has none: data, a manifest.
    NoFunction,
}

/// `None` for a text that cannot be parsed, or would no longer be.
fn stubbed_text(language: Language, text: &str) -> Option<Stub> {
    let Some(bodies) = ALL.iter().find(|bodies| bodies.languages.contains(&language)) else {
        return Some(Stub::NoFunction);
    };
    let tree = parse(language, text)?;
    let mut edits = Vec::new();
    walk(&tree, |node, around| match (bodies.visit)(&Spot { node, around, text, language }) {
        Step::Walk => Below::Walk,
        Step::Keep => Below::Skip,
        Step::Replace(edit) => {
            edits.push(edit);
            Below::Skip
        }
    });
    if edits.is_empty() {
        return Some(Stub::NoFunction);
    }
    if let Some(consequences) = bodies.consequences {
        let more = consequences(&tree, text, &edits);
        edits.extend(more);
    }
    let stub = rb_core::edit::apply(text, &edits).ok()?;
    parse(language, &stub).map(|_| Stub::Text(stub))
}

fn parse(language: Language, text: &str) -> Option<Tree> {
    rb_lang::parse(language, text).filter(|tree| !tree.root_node().has_error())
}

type Consequences = fn(&Tree, &str, &[Edit]) -> Vec<Edit>;

/// How the functions of a language are stubbed. Each file in `stub/` has one as `BODIES`.
struct Bodies {
    languages: &'static [Language],
    visit: fn(&Spot<'_, '_>) -> Step,
    /// Further edits that the compiler demands when these bodies are gone.
    consequences: Option<Consequences>,
}

const ALL: &[Bodies] =
    &[ecma::BODIES, go::BODIES, java::BODIES, python::BODIES, ruby::BODIES, rust::BODIES];

/// A node of the tree and what is around it.
struct Spot<'a, 't> {
    node: Node<'t>,
    /// The kinds of the nodes around it, the nearest last.
    around: &'a [&'t str],
    text: &'a str,
    language: Language,
}

/// What becomes of a node.
enum Step {
    /// It is no function; there may be some below it.
    Walk,
    /// It stays as it is, with all below it.
    Keep,
    Replace(Edit),
}

impl<'a, 't> Spot<'a, 't> {
    fn field(&self, name: &str) -> Option<Node<'t>> {
        self.node.child_by_field_name(name)
    }

    /// The text of a field; empty where there is none.
    fn text_of(&self, name: &str) -> &'a str {
        self.field(name).and_then(|node| self.text.get(node.byte_range())).unwrap_or_default()
    }

    /// The field `body` becomes `stub`; a function without one stays.
    fn body_becomes(&self, stub: &str) -> Step {
        match self.field("body") {
            Some(body) => self.becomes(body.start_byte(), body.end_byte(), stub),
            None => Step::Keep,
        }
    }

    /// This part of the text becomes `stub`, except for white space at its edges.
    fn becomes(&self, start: usize, end: usize, stub: &str) -> Step {
        let part = self.text.get(start..end.min(self.text.len())).unwrap_or_default();
        let start = start + (part.len() - part.trim_start().len());
        Step::Replace(Edit::replace(offset(start), offset(start + part.trim().len()), stub))
    }
}

fn offset(byte: usize) -> u32 {
    u32::try_from(byte).expect("`rb_lang::parse` reads no text of this size")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    Walk,
    Skip,
}

/// Visits the nodes top down, without recursion, so that no nesting can exhaust the stack.
fn walk<'t>(tree: &'t Tree, mut visit: impl FnMut(Node<'t>, &[&'t str]) -> Below) {
    let mut cursor = tree.walk();
    let mut around = Vec::new();
    loop {
        let node = cursor.node();
        if visit(node, &around) == Below::Walk && cursor.goto_first_child() {
            around.push(node.kind());
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            around.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The text with its bodies replaced; replacing them once more changes nothing.
    pub(super) fn check(path: &str, before: &str, after: &str) {
        assert_eq!(stub(path, before).as_deref(), Some(after), "{before}");
        assert_eq!(stub(path, after).as_deref(), Some(after), "{after}");
    }

    /// There is nothing to replace, or it cannot be parsed.
    pub(super) fn check_none(path: &str, text: &str) {
        assert_eq!(stub(path, text), None, "{text}");
    }

    fn stub(path: &str, text: &str) -> Option<String> {
        let files = stubbed_files(Language::Text, &[TextFile::new(path, text)])?;
        files.into_iter().next().map(|file| file.text)
    }

    #[test]
    fn ka5_one_broken_file_stops_all() {
        let whole = TextFile::new("a.py", "def a():\n    return 1\n");
        let broken = TextFile::new("b.py", "def b(:\n");
        let data = TextFile::new("data.json", "{");
        assert_eq!(stubbed_files(Language::Python, &[whole.clone(), broken]), None);
        let stubs = stubbed_files(Language::Python, &[whole, data.clone()]);
        let stub = TextFile::new("a.py", "def a():\n    raise RuntimeError(\"stubbed\")\n");
        assert_eq!(stubs, Some(vec![stub, data]));
        assert_eq!(stubbed_files(Language::Python, &[]), None);
    }

    #[test]
    fn ka5_deep_nesting_is_no_danger() {
        for (path, open) in [("a.js", "(()=>"), ("a.rs", "{fn f()"), ("a.py", "[lambda:")] {
            let _ = stub(path, &open.repeat(20_000));
        }
    }

    proptest! {
        #[test]
        fn ka5_any_text_is_taken(
            words in proptest::collection::vec(
                prop_oneof![
                    Just("def f():\n".to_owned()),
                    Just("  return 1\n".to_owned()),
                    Just("fn f() -> u8 {".to_owned()),
                    Just("func f() {".to_owned()),
                    Just("import \"strings\"\n".to_owned()),
                    Just("() => 1".to_owned()),
                    Just("class A {".to_owned()),
                    Just("}\n".to_owned()),
                    Just("end\n".to_owned()),
                    any::<String>(),
                ],
                0..20,
            ),
            path in prop_oneof![
                Just("a.rs"),
                Just("a.py"),
                Just("a.js"),
                Just("a.ts"),
                Just("a.go"),
                Just("A.java"),
                Just("a.rb"),
            ],
        ) {
            let text = words.concat();
            if let Some(once) = stub(path, &text) {
                let language = Language::of_path(path.as_bytes()).unwrap();
                prop_assert!(parse(language, &once).is_some());
            }
        }
    }
}
