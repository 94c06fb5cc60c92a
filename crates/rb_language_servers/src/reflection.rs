//! Members that a program finds by their name while it runs, in Go templates and in encoded data, and methods that the components of
//! records implement in Java.
//!
//! No server edits those places.

use rb_lang::Language;
use tree_sitter::Node;

use crate::symbol::words;

/// What Go's standard library and its usual companions encode by the names of fields.
const ENCODINGS: [&str; 10] =
    ["json", "yaml", "xml", "toml", "bson", "mapstructure", "form", "query", "db", "hcl"];

const TEMPLATES: [&str; 6] = ["go", "tmpl", "tpl", "gotmpl", "gohtml", "html"];

/// Where a member may be used or implemented without the server's knowledge.
pub(crate) struct HiddenUses {
    /// Of a file, by its path, its text and the name of the member; from 1.
    pub(crate) lines: fn(&str, &str, &str) -> Vec<u32>,
    pub(crate) why: fn(&str) -> String,
}

/// What there may be of the member that is declared there.
pub(crate) fn hidden_uses(language: &str, text: &str, offset: usize) -> Option<HiddenUses> {
    match language {
        "Go" if is_go_member(text, offset) => Some(HiddenUses {
            lines: in_templates,
            why: |name| format!("templates may use this `.{name}`, and are not renamed"),
        }),
        "Java" if is_java_method(text, offset) => Some(HiddenUses {
            lines: record_components,
            why: |name| {
                format!("a component of a record may implement `{name}`; rename it by hand")
            },
        }),
        _ => None,
    }
}

fn is_java_method(text: &str, offset: usize) -> bool {
    let is_method = |it: Node<'_>| it.parent().is_some_and(|it| it.kind() == "method_declaration");
    at(Language::Java, text, offset, is_method)
}

/// The lines where a record of Java declares a component of that name.
fn record_components(path: &str, text: &str, name: &str) -> Vec<u32> {
    if Language::of(path.as_bytes(), text) != Some(Language::Java) {
        return Vec::new();
    }
    let Some(tree) = rb_lang::parse(Language::Java, text) else { return Vec::new() };
    let is_component = |at: usize| {
        let node = tree.root_node().named_descendant_for_byte_range(at, at);
        let list = node.and_then(|it| it.parent()?.parent());
        let list = list.filter(|it| it.kind() == "formal_parameters");
        list.and_then(|it| it.parent()).is_some_and(|it| it.kind() == "record_declaration")
    };
    let found = words(text, name).filter(|at| is_component(*at));
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    found.map(|at| u32::try_from(line(at)).unwrap_or(u32::MAX)).collect()
}

/// The lines, from 1, where a Go template names the member. Templates see exported members only.
fn in_templates(path: &str, text: &str, member: &str) -> Vec<u32> {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension);
    if !extension.is_some_and(|it| TEMPLATES.contains(&it)) || !is_exported(member) {
        return Vec::new();
    }
    let is_in_action = |line: &str, at: usize| {
        line[..at].ends_with('.') && line[..at].rfind("{{") > line[..at].rfind("}}")
    };
    let lines = text.lines().zip(1..);
    let named = lines.filter(|(line, _)| words(line, member).any(|at| is_in_action(line, at)));
    named.map(|(_, number)| number).collect()
}

/// Is a field or a method of Go declared there?
fn is_go_member(text: &str, offset: usize) -> bool {
    at(Language::Go, text, offset, |node| node.kind() == "field_identifier")
}

/// What keeps a field from another name: it is encoded under its own.
pub(crate) fn encoding(path: &str, text: &str, offset: usize, name: &str) -> Option<String> {
    let language = Language::of(path.as_bytes(), text)?;
    let in_data = |how: &str, first: &str| {
        Some(format!("`{name}` is also its name in encoded data ({how}); {first} first"))
    };
    let mut found = None;
    at(language, text, offset, |node| {
        found = match language {
            Language::Go if is_exported(name) => go_encoding(node, text)
                .and_then(|key| in_data(key, &format!("give it a name in its `{key}` tag"))),
            Language::Rust if is_serde(node, text) => {
                in_data("serde", &format!("add `#[serde(rename = \"{name}\")]`"))
            }
            _ => None,
        };
        found.is_some()
    });
    found
}

fn is_exported(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

fn at(
    language: Language,
    text: &str,
    offset: usize,
    mut is_it: impl FnMut(Node<'_>) -> bool,
) -> bool {
    let tree = rb_lang::parse(language, text);
    let node = tree
        .as_ref()
        .and_then(|tree| tree.root_node().named_descendant_for_byte_range(offset, offset));
    node.is_some_and(&mut is_it)
}

/// The first encoding that uses the name of the field.
fn go_encoding(name: Node<'_>, text: &str) -> Option<&'static str> {
    let field = name.parent().filter(|it| it.kind() == "field_declaration")?;
    let tag = |field: Node<'_>| field.child_by_field_name("tag").map(|it| &text[it.byte_range()]);
    let value = |tag: &'_ str, key: &str| -> Option<String> {
        let (_, rest) = tag.split_once(&format!("{key}:\""))?;
        Some(rest.split(['"', ',']).next().unwrap_or_default().to_owned())
    };
    let own = tag(field).unwrap_or_default();
    let fields = field.parent()?;
    let mut cursor = fields.walk();
    let all: Vec<&str> = fields.named_children(&mut cursor).filter_map(tag).collect();
    ENCODINGS.into_iter().find(|key| match value(own, key) {
        Some(name) => name.is_empty(),
        None => all.iter().any(|tag| value(tag, key).is_some()),
    })
}

/// A field or a variant of a type that serde encodes, without a name of its own there.
fn is_serde(name: Node<'_>, text: &str) -> bool {
    let is_member = |it: &Node<'_>| ["field_declaration", "enum_variant"].contains(&it.kind());
    let Some(member) = name.parent().filter(is_member) else { return false };
    let has = |text: &str, word: &str| words(text, word).next().is_some();
    let is_named = attributes(member, text)
        .any(|it| has(it, "serde") && (has(it, "rename") || has(it, "skip")));
    let mut above = member.parent();
    while let Some(node) = above.filter(|it| !["struct_item", "enum_item"].contains(&it.kind())) {
        above = node.parent();
    }
    let is_derived = above.is_some_and(|item| {
        attributes(item, text)
            .any(|it| ["Serialize", "Deserialize"].iter().any(|word| words(it, word).count() > 0))
    });
    is_derived && !is_named
}

fn attributes<'t>(node: Node<'t>, text: &'t str) -> impl Iterator<Item = &'t str> {
    let before = std::iter::successors(node.prev_named_sibling(), Node::prev_named_sibling);
    before
        .take_while(|it| ["attribute_item", "line_comment"].contains(&it.kind()))
        .filter(|it| it.kind() == "attribute_item")
        .map(|it| &text[it.byte_range()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st5_templates_name_exported_members() {
        for (path, text, expected) in [
            ("a.go", "`{{.Short}}`\n`{{if .A}}{{.B.Short}}`\n", &[1, 2][..]),
            ("a.go", "`{{.Shorter}} .Short {{Short}}`\nc.Short // {{.A}}.Short\n", &[]),
            ("a.tmpl", "{{with or .Long .Short}}", &[1]),
            ("a.md", "{{.Short}}", &[]),
        ] {
            assert_eq!(in_templates(path, text, "Short"), expected, "{text}");
        }
        assert!(in_templates("a.go", "{{.short}}", "short").is_empty());
    }

    #[test]
    fn st5_members_of_go_are_known_from_other_names() {
        let text = "package a\n\ntype A struct{ B int }\n\nfunc (a A) C() {}\n\nfunc D() {}\n";
        let is_member = |name: &str| is_go_member(text, text.find(name).unwrap());
        assert_eq!(["B", "C()", "D()", "A s"].map(is_member), [true, true, false, false]);
    }

    #[test]
    fn st5_components_of_records_implement_methods_of_java() {
        let text = "interface Priced {\n    int price();\n    int PRICE = 1;\n}\n\nrecord Item(\n    int price,\n    \
                    String name\n) implements Priced {\n    int twice(int price) { return 2 * price; }\n}\n";
        let is_method = |name: &str| is_java_method(text, text.find(name).unwrap());
        assert_eq!(
            ["price()", "PRICE", "Item", "twice"].map(is_method),
            [true, false, false, true]
        );
        assert_eq!(record_components("a/Item.java", text, "price"), [7]);
        assert!(record_components("a/Item.java", text, "twice").is_empty());
        assert!(record_components("a/Item.kt", text, "price").is_empty());
    }

    #[track_caller]
    fn check(path: &str, text: &str, expected: Option<&str>) {
        let offset = text.find("Old").or_else(|| text.find("old")).unwrap();
        let name = &text[offset..offset + 3];
        let found = encoding(path, text, offset, name);
        let how = found.as_deref().and_then(|it| it.split(['(', ')']).nth(1));
        assert_eq!(how, expected, "{text}: {found:?}");
    }

    #[test]
    fn st5_a_field_that_is_encoded_under_its_own_name_is_found() {
        let go = |fields: &str| format!("package a\n\ntype A struct {{\n{fields}\n}}\n");
        for (fields, expected) in [
            ("Old int `yaml:\",omitempty\"`", Some("yaml")),
            ("Old int `json:\"old\"`", None),
            ("Old int `json:\"-\"`", None),
            ("Old int\nNew int `json:\"new\"`", Some("json")),
            ("Old int `validate:\"x\"`", None),
            ("old int\nNew int `json:\"new\"`", None),
            ("Old int", None),
        ] {
            check("a.go", &go(fields), expected);
        }
        check("a.go", "package a\n\nfunc Old() {}\n", None);
        for (text, expected) in [
            ("#[derive(Debug, Serialize)]\n/// A.\nstruct A {\n    old: u8,\n}\n", Some("serde")),
            ("#[derive(serde::Deserialize)]\nenum A {\n    B,\n    Old(u8),\n}\n", Some("serde")),
            (
                "#[derive(Serialize)]\nstruct A {\n    #[serde(rename = \"x\")]\n    old: u8,\n}\n",
                None,
            ),
            (
                "#[derive(Serialize)]\nstruct A {\n    #[serde(skip_serializing_if = \"x\")]\n    old: u8,\n}\n",
                Some("serde"),
            ),
            ("#[derive(Debug)]\nstruct A {\n    old: u8,\n}\n", None),
            ("#[derive(Serialize)]\nstruct Old;\n", None),
        ] {
            check("a.rs", text, expected);
        }
    }
}
