//! Macros that hide C++ from the parser.
//!
//! `class API_EXPORT Window {` or a lone `LIB_BEGIN_NAMESPACE` is no C++ until the preprocessor has run, and one of them
//! can cost a whole class. They are blanked out with as many spaces, so that every other byte stays where it was.
//! Only words in capitals with an underscore are taken, and only where nothing else can stand.

use std::borrow::Cow;

/// The text with such macros blanked out.
pub(super) fn blanked(text: &str) -> Cow<'_, str> {
    let mut blanks = Vec::new();
    let mut at = 0;
    let mut before = Before::Statement;
    for line in text.split_inclusive('\n') {
        if before != Before::Directive && !line.trim_start().starts_with('#') {
            find(line, before, |start, end| blanks.push((at + start, at + end)));
        }
        before = Before::after(line, before);
        at += line.len();
    }
    if blanks.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut blanked = String::with_capacity(text.len());
    for (start, end) in blanks {
        blanked.push_str(&text[blanked.len()..start]);
        blanked.extend(std::iter::repeat_n(' ', end - start));
    }
    blanked.push_str(&text[blanked.len()..]);
    Cow::Owned(blanked)
}

/// What the lines so far end with.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    /// A declaration may begin here.
    Statement,
    /// The line belongs to a `#define` that goes on.
    Directive,
    /// Inside an expression, a list or an open block of names.
    Inside,
}

impl Before {
    fn after(line: &str, before: Before) -> Before {
        let line = line.trim();
        let directive = line.starts_with('#') || before == Before::Directive;
        match line {
            _ if directive && line.ends_with('\\') => Before::Directive,
            _ if directive || line.starts_with("//") || line.ends_with("*/") => Before::Statement,
            "" => before,
            _ if line.ends_with([';', '}', '>', ':']) || is_macro(line) => Before::Statement,
            _ => Before::Inside,
        }
    }
}

/// Calls `blank` for every macro of the line, in order.
fn find(line: &str, before: Before, mut blank: impl FnMut(usize, usize)) {
    let words = Words { line, at: 0 };
    let mut last = "";
    let mut leading = before == Before::Statement;
    for (start, word) in words {
        let end = start + word.len();
        if is_macro(word) {
            let rest = line[end..].trim_start();
            let next = rest.split(|c: char| !is_word(c)).next().unwrap_or_default();
            let head = matches!(last, "class" | "struct")
                && !next.is_empty()
                && is_class_head(&rest[next.len()..]);
            let prefix = leading && before_declaration(rest);
            if head || prefix {
                blank(start, end);
                continue;
            }
        }
        leading = false;
        last = word;
    }
}

/// Does a class body or its list of bases follow, once its name has been read?
fn is_class_head(rest: &str) -> bool {
    let rest = rest.trim_start();
    let rest = rest.strip_prefix("final").unwrap_or(rest).trim_start();
    rest.is_empty() || rest.starts_with('{') || (rest.starts_with(':') && !rest.starts_with("::"))
}

/// Does nothing but other macros stand between here and a declaration or the end of the line?
fn before_declaration(mut rest: &str) -> bool {
    for _ in 0..MAX_CHAIN {
        let word = rest.split(|c: char| !is_word(c)).next().unwrap_or_default();
        if !is_macro(word) {
            return rest.is_empty() || rest.starts_with('~') || starts_declaration(word);
        }
        rest = rest[word.len()..].trim_start();
    }
    false
}

/// More macros in a row than anybody writes.
const MAX_CHAIN: usize = 5;

/// Words that no type can stand before.
fn starts_declaration(word: &str) -> bool {
    matches!(
        word,
        "template"
            | "class"
            | "struct"
            | "static"
            | "virtual"
            | "inline"
            | "explicit"
            | "constexpr"
            | "extern"
            | "friend"
            | "typedef"
            | "using"
            | "namespace"
            | "enum"
            | "auto"
            | "void"
            | "bool"
            | "char"
            | "int"
            | "unsigned"
            | "long"
            | "double"
            | "float"
            | "std"
    )
}

pub(super) fn is_macro(word: &str) -> bool {
    word.len() > 3
        && word.contains('_')
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && word
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The words of a line with where they start; it ends at a comment or a string.
struct Words<'t> {
    line: &'t str,
    at: usize,
}

impl<'t> Iterator for Words<'t> {
    type Item = (usize, &'t str);

    fn next(&mut self) -> Option<(usize, &'t str)> {
        let rest = &self.line[self.at..];
        let gap = rest.find(|c: char| is_word(c) || c == '"')?;
        let start = self.at + gap;
        if rest[gap..].starts_with('"') || rest[..gap].contains("//") || rest[..gap].contains("/*")
        {
            return None;
        }
        let word = &self.line[start..];
        let word = &word[..word.find(|c: char| !is_word(c)).unwrap_or(word.len())];
        self.at = start + word.len();
        Some((start, word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let blanked = blanked(text);
        assert_eq!(blanked.len(), text.len());
        let shown: Vec<String> = blanked
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(shown.join("\n"), expected);
    }

    #[test]
    fn ix2_only_what_hides_declarations_is_blanked() {
        check("class MY_API Window : Base {", "class Window : Base {");
        check("struct MY_API Window final\n{", "struct Window final\n{");
        check("class MY_API;", "class MY_API;");
        check("LIB_BEGIN\nint x;\nLIB_END", "\nint x;\n");
        check("MY_API static MY_INLINE void f();", "static MY_INLINE void f();");
        check("MY_NODISCARD MY_API auto f() -> int;", "auto f() -> int;");
        check("MY_TYPE x = MY_VALUE;", "MY_TYPE x = MY_VALUE;");
        check("enum E {\n  FIRST_ONE,\n  LAST_ONE\n};", "enum E {\nFIRST_ONE,\nLAST_ONE\n};");
        check("#define A_B \\\n  C_D\nEND_F\n", "#define A_B \\\nC_D\n");
        check(
            "f(\"class MY_API Window {\"); // class MY_API W {",
            "f(\"class MY_API Window {\"); // class MY_API W {",
        );
    }
}
