//! Where a text has a name as code: not in comments and strings.

use rb_lang::Language;

use crate::symbol::words;

/// Offsets of the name, in order. All words of a text that cannot be parsed count.
pub fn identifiers(path: &str, text: &str, name: &str) -> Vec<usize> {
    let all: Vec<usize> = words(text, name).collect();
    if all.is_empty() {
        return all;
    }
    let tree = Language::of(path.as_bytes(), text).and_then(|it| rb_lang::parse(it, text));
    let Some(tree) = tree else { return all };
    let is_code = |at: &usize| {
        let leaf = tree.root_node().descendant_for_byte_range(*at, at + name.len());
        leaf.is_none_or(|leaf| {
            let kind = leaf.kind();
            !["string", "comment", "char", "text"].iter().any(|prose| kind.contains(prose))
        })
    };
    all.into_iter().filter(is_code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st5_names_in_comments_and_strings_are_no_code() {
        for (path, text, expected) in [
            ("a.go", "package a\n\n// old\nfunc old() { f(\"old\", `old`) /* old */ }\n", 1),
            ("a.rs", "/// old\nfn old() { m!(old, \"old\", r#\"old\"#) } // old\n", 2),
            ("A.java", "class A { /** old */ int old = \"old\".size(); }", 1),
            ("a.h", "int old(void); /* old */\n", 1),
            ("a.go", "old is not Go at all: old", 2),
            ("a.go", "", 0),
        ] {
            assert_eq!(identifiers(path, text, "old").len(), expected, "{path}: {text}");
        }
    }
}
