//! The door to the tree-sitter grammars, for whoever matches on syntax trees himself.
//!
//! `parse` bounds the work as `extract` does, but never gives a part of a text: a tree stands for all of it.

use tree_sitter_language::LanguageFn;

use crate::language::Language;
use crate::tree::parse_text;

/// Larger texts are data or generated.
const MAX_BYTES: usize = 2 << 20;

/// The grammar of a language that is read; `None` for one that is only counted.
pub fn grammar(language: Language) -> Option<tree_sitter::Language> {
    function(language).map(tree_sitter::Language::new)
}

/// The tree of the whole text, which is read as if its last line had an end. `None` for a language without a grammar
/// and for a text that is too large or too tangled.
pub fn parse(language: Language, text: &str) -> Option<tree_sitter::Tree> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let tree = parse_text(function(language)?, text)?;
    (tree.root_node().end_byte() >= text.trim_end().len()).then_some(tree)
}

fn function(language: Language) -> Option<LanguageFn> {
    let function = match language {
        Language::Bash => tree_sitter_bash::LANGUAGE,
        Language::C => tree_sitter_c::LANGUAGE,
        Language::CSharp => tree_sitter_c_sharp::LANGUAGE,
        Language::Cpp => tree_sitter_cpp::LANGUAGE,
        Language::Elixir => tree_sitter_elixir::LANGUAGE,
        Language::Go => tree_sitter_go::LANGUAGE,
        Language::Java => tree_sitter_java::LANGUAGE,
        Language::JavaScript => tree_sitter_javascript::LANGUAGE,
        Language::Kotlin => tree_sitter_kotlin_ng::LANGUAGE,
        Language::Lua => tree_sitter_lua::LANGUAGE,
        Language::Php => tree_sitter_php::LANGUAGE_PHP,
        Language::Python => tree_sitter_python::LANGUAGE,
        Language::Ruby => tree_sitter_ruby::LANGUAGE,
        Language::Rust => tree_sitter_rust::LANGUAGE,
        Language::Scala => tree_sitter_scala::LANGUAGE,
        Language::Swift => tree_sitter_swift::LANGUAGE,
        Language::Tsx => tree_sitter_typescript::LANGUAGE_TSX,
        Language::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        _ => return None,
    };
    Some(function)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ru4_what_is_read_has_a_grammar() {
        for &language in Language::ALL {
            assert_eq!(grammar(language).is_some(), language.is_read(), "{}", language.name());
            assert_eq!(parse(language, "").is_some(), language.is_read(), "{}", language.name());
        }
    }

    #[test]
    fn ru4_a_text_is_parsed_whole_or_not_at_all() {
        let parses = |text: &str| parse(Language::Tsx, text).is_some();
        assert!(parses("f(1)"));
        assert!(parses("f(1)  \n\n"));
        assert!(!parses(&"(".repeat(60_000)));
        assert!(!parses(&format!("f(1);\n{}", "(".repeat(60_000))));
        assert!(!parses(&"f(1);".repeat(500_000)));
    }
}
