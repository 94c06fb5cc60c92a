//! The languages that a directive can be about: which files are theirs, and how definitions look in them.

use super::definitions::{Definition, DefinitionKind, ending, identifier, last};
use crate::operation::{CallValue, Operation};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Python,
    /// JavaScript and TypeScript.
    Script,
}

const PYTHON: [&str; 2] = ["py", "pyi"];
const SCRIPT: [&str; 8] = ["ts", "tsx", "js", "jsx", "mts", "cts", "mjs", "cjs"];

impl Dialect {
    pub(super) const ALL: [Dialect; 2] = [Dialect::Python, Dialect::Script];

    /// Of files, the usual one first.
    pub(super) fn endings(self) -> &'static [&'static str] {
        match self {
            Dialect::Python => &PYTHON,
            Dialect::Script => &SCRIPT,
        }
    }

    pub(super) fn owns(self, path: &str) -> bool {
        self.endings().contains(&ending(path))
    }

    /// The file of a folder that can be imported by the name of the folder.
    pub(super) fn package_stem(self) -> &'static str {
        match self {
            Dialect::Python => "__init__",
            Dialect::Script => "index",
        }
    }

    /// Values are read as Python has them.
    pub(super) fn with_literals(self, mut operation: Operation) -> Operation {
        if let (Dialect::Script, Operation::AddParameter { default, values, .. }) =
            (self, &mut operation)
        {
            let of_calls = values.iter_mut().map(|CallValue { value, .. }| value);
            for value in default.iter_mut().chain(of_calls) {
                let literal = match value.as_str() {
                    "True" => "true",
                    "False" => "false",
                    "None" => "undefined",
                    _ => continue,
                };
                literal.clone_into(value);
            }
        }
        operation
    }
}

/// Does it end like a source file of any dialect?
pub(super) fn is_source_name(name: &str) -> bool {
    Dialect::ALL.into_iter().any(|dialect| dialect.owns(name))
}

/// The definitions of a script, in order: top-level ones and members of classes. Members are recognized by their indentation.
pub(super) fn scan_script(path: &str, text: &str) -> Vec<Definition> {
    let mut definitions = Vec::new();
    // The class that is open, and the indentation of its members.
    let mut class: Option<(String, Option<usize>)> = None;
    for (number, line) in (1u32..).zip(text.lines()) {
        let code = line.trim_start_matches(['\u{feff}', ' ', '\t']);
        if code.is_empty() || code.starts_with(['/', '*', '@', '}', ')']) {
            continue;
        }
        let indent = line.len() - code.len();
        if indent == 0 {
            class = None;
        }
        let found = match &mut class {
            None if indent == 0 => top_level(code),
            None => None,
            Some((name, members)) => {
                let is_member = *members.get_or_insert(indent) == indent;
                member(code).filter(|_| is_member).map(|(it, kind)| (format!("{name}.{it}"), kind))
            }
        };
        let Some((name, kind)) = found else { continue };
        if kind == DefinitionKind::Class {
            class = Some((name.clone(), None));
        }
        definitions.push(Definition { path: path.to_owned(), line: number, name, kind });
    }
    definitions
}

fn top_level(code: &str) -> Option<(String, DefinitionKind)> {
    let code = without(code, &["export", "default", "declare", "async", "abstract"]);
    let (word, rest) = code.split_once([' ', '*'])?;
    let rest = rest.trim_start_matches(['*', ' ']);
    let kind = match word {
        "function" => DefinitionKind::Function,
        "class" => DefinitionKind::Class,
        "const" | "let" | "var" if is_function_value(rest) => DefinitionKind::Function,
        "const" | "let" | "var" | "interface" | "type" | "enum" => DefinitionKind::Constant,
        _ => return None,
    };
    identifier(rest).map(|name| (name, kind))
}

/// `f = (a) => a`, `f = function () {`
fn is_function_value(rest: &str) -> bool {
    let value = rest.split_once('=').map_or("", |(_, value)| value.trim_start());
    let value = value.strip_prefix("async").map_or(value, str::trim_start);
    value.starts_with("function") || value.starts_with('(') || value.contains("=>")
}

fn member(code: &str) -> Option<(String, DefinitionKind)> {
    const BEFORE: &[&str] = &[
        "public",
        "private",
        "protected",
        "static",
        "readonly",
        "override",
        "abstract",
        "declare",
        "async",
        "get",
        "set",
    ];
    let code = without(code, BEFORE).trim_start_matches('#');
    let name = identifier(code)?;
    let behind = code[name.len()..].trim_start();
    let is_statement =
        matches!(name.as_str(), "if" | "for" | "while" | "switch" | "return" | "constructor");
    match behind.chars().next() {
        _ if is_statement => None,
        Some('(' | '<') => Some((name, DefinitionKind::Method)),
        Some('=' | ':' | ';' | '?' | '!') => Some((name, DefinitionKind::Attribute)),
        _ => None,
    }
}

/// The code behind these words, in whatever order they stand.
fn without<'c>(code: &'c str, words: &[&str]) -> &'c str {
    let mut code = code;
    while let Some((_, rest)) = code.split_once(' ').filter(|(word, _)| words.contains(word)) {
        // `static = 1`: then the word is the name.
        if rest.trim_start().starts_with(['(', '=', ':', ';']) {
            break;
        }
        code = rest.trim_start();
    }
    code
}

/// `b` of `a/b.py`; the folder's name for the file that stands for a folder.
pub(super) fn stem(path: &str) -> &str {
    let name = last(path);
    let is_package =
        |stem: &str| Dialect::ALL.into_iter().any(|it| it.owns(name) && it.package_stem() == stem);
    match name.rsplit_once('.') {
        Some((stem, _)) if is_package(stem) => last(super::definitions::folder_of(path)),
        Some((stem, _)) => stem,
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn st3_definitions_of_scripts_are_found_line_by_line() {
        let text = "\u{feff}// class Not {}\nexport const LIMIT = 3;\nexport async function load(a: string) {\n  const inner = 1;\n}\n\
                    export default class Cart<T> extends Base {\n  static size = 3;\n  #own?: T;\n  constructor(a) {\n    if (a) {\n    }\n  }\n  \
                    async *each() {\n  }\n  private get total(): number {\n    return this.size;\n  }\n  get() {}\n}\n\
                    const add = (a, b) => a + b;\nfunction* walk() {}\ntype Id = string;\nexport interface Shape {\n  area: number;\n}\nexport { add };\n";
        let found: Vec<String> = scan_script("a.ts", text)
            .iter()
            .map(|one| format!("{} {} {:?}", one.line, one.name, one.kind))
            .collect();
        expect![[r#"
            2 LIMIT Constant
            3 load Function
            6 Cart Class
            7 Cart.size Attribute
            8 Cart.own Attribute
            15 Cart.total Method
            18 Cart.get Method
            20 add Function
            21 walk Function
            22 Id Constant
            23 Shape Constant"#]]
        .assert_eq(&found.join("\n"));
    }

    #[test]
    fn st3_files_that_stand_for_their_folder() {
        let check = |path: &str, expected: &str| assert_eq!(stem(path), expected, "{path}");
        check("a/b.py", "b");
        check("a/__init__.py", "a");
        check("a/index.py", "index");
        check("a/index.ts", "a");
        check("a/__init__.ts", "__init__");
        check("Makefile", "Makefile");
    }
}
