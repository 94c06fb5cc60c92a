//! The work that no index can avoid if it parses with tree-sitter: each file of a list is read and parsed, nothing else.
//!
//! `parse_floor read|parse FILE_WITH_ONE_PATH_A_LINE`, one thread. The benchmarks compare the index with it.

#![expect(clippy::print_stdout, reason = "a program for the benchmarks")]

use rb_lang::Language;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, mode, list] = arguments.as_slice() else {
        println!("usage: parse_floor read|parse LIST");
        return;
    };
    let list = std::fs::read_to_string(list).expect("a list of paths");
    let mut parser = tree_sitter::Parser::new();
    let (mut files, mut bytes) = (0_u64, 0_usize);
    for path in list.lines() {
        let Some(grammar) = Language::of_path(path.as_bytes()).and_then(grammar) else { continue };
        let Ok(text) = std::fs::read(path) else { continue };
        if mode == "parse" {
            parser.set_language(&grammar.into()).expect("grammar and runtime are built together");
            parser.parse(&text, None).expect("nothing stops the parser");
        }
        files += 1;
        bytes += text.len();
    }
    println!("{files} files, {bytes} bytes");
}

fn grammar(language: Language) -> Option<tree_sitter_language::LanguageFn> {
    Some(match language {
        Language::JavaScript => tree_sitter_javascript::LANGUAGE,
        Language::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        Language::Tsx => tree_sitter_typescript::LANGUAGE_TSX,
        Language::Python => tree_sitter_python::LANGUAGE,
        Language::Rust => tree_sitter_rust::LANGUAGE,
        Language::Go => tree_sitter_go::LANGUAGE,
        Language::Java => tree_sitter_java::LANGUAGE,
        Language::C => tree_sitter_c::LANGUAGE,
        Language::Cpp => tree_sitter_cpp::LANGUAGE,
        Language::Ruby => tree_sitter_ruby::LANGUAGE,
        Language::Php => tree_sitter_php::LANGUAGE_PHP,
        Language::Bash => tree_sitter_bash::LANGUAGE,
        _ => return None,
    })
}
