//! Names of functions, types, fields and parameters that are short for something.
//!
//! Found are names with fewer than three letters and names with a word from `ABBREVIATIONS`. Short words of English, coordinates
//! and loop indices are allowed, and names that somebody else chose: methods of a Rust trait, overridden methods of Java, and
//! methods with underscores around them in Python. Type parameters, local variables and the parameters of closures are not
//! checked.

use super::Finding;
use super::declarations::{classes, parameters};
use super::primitives::is_override;
use super::source::{Id, Source};

const ABBREVIATIONS: &[&str] = &[
    "acc", "addr", "amt", "arr", "attr", "avg", "btn", "buf", "calc", "cb", "cfg", "cmd", "cnt",
    "col", "conf", "ctr", "ctx", "cur", "curr", "cust", "desc", "dest", "dst", "elem", "err",
    "evt", "fld", "fn", "func", "idx", "lst", "mgr", "msg", "nbr", "num", "obj", "ord", "param",
    "pkg", "pos", "prev", "ptr", "qty", "req", "resp", "ret", "rslt", "src", "str", "svc", "tbl",
    "temp", "tmp", "tot", "txt", "usr", "val",
];

/// Names of less than three letters that are words, coordinates or indices.
const SHORT_NAMES: &[&str] = &[
    "i", "j", "k", "x", "y", "z", "id", "ok", "of", "to", "is", "at", "in", "on", "by", "or", "as",
    "up", "go", "no", "do", "if",
];

/// Names that the language has made customary.
const CUSTOMARY: &[&str] = &["as_str", "from_str", "to_str", "str"];

pub(super) fn check(source: &Source<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for id in source.ids() {
        if source.is(id, source.syntax.types) {
            findings.extend(source.name_id(id).and_then(|name| check_name(source, "type", name)));
        }
        let is_function = source.is_function(id) || source.is(id, source.syntax.signatures);
        if !is_function || is_prescribed(source, id) {
            continue;
        }
        findings.extend(source.name_id(id).and_then(|name| check_name(source, "function", name)));
        let names = parameters(source, id).into_iter().filter_map(|parameter| parameter.name);
        findings.extend(names.filter_map(|name| check_name(source, "parameter", name)));
    }
    for field in classes(source).into_values().flatten() {
        findings.extend(check_text(&field.name, "field", source.line(field.id)));
    }
    findings
}

/// A name that its trait or superclass chose.
fn is_prescribed(source: &Source<'_>, id: Id) -> bool {
    let block = source.parent(id).and_then(|list| source.parent(list));
    let is_of_trait =
        |block: Id| source.is(block, &["impl_item"]) && source.field(block, "trait").is_some();
    block.is_some_and(is_of_trait) || is_override(source, id)
}

fn check_name(source: &Source<'_>, role: &str, id: Id) -> Option<Finding> {
    check_text(source.text(id), role, source.line(id))
}

fn check_text(name: &str, role: &str, line: u32) -> Option<Finding> {
    let bare = name.trim_matches(['_', '@', '#', '$']);
    let letters = bare.chars().filter(|sign| sign.is_alphabetic()).count();
    let is_special = name.starts_with("__") && name.ends_with("__");
    if letters == 0 || is_special || SHORT_NAMES.contains(&bare) || CUSTOMARY.contains(&bare) {
        return None;
    }
    if letters < 3 {
        let what = format!("the name of the {role} `{name}` has fewer than 3 letters");
        return Some(Finding::new(line, what));
    }
    let word = rb_lang::name_words(bare).into_iter().find(|word| is_abbreviation(word))?;
    Some(Finding::new(line, format!("the name of the {role} `{name}` abbreviates (`{word}`)")))
}

/// Also with a number or in the plural.
fn is_abbreviation(word: &str) -> bool {
    let word = word.trim_end_matches(|sign: char| sign.is_ascii_digit());
    let singular = word.strip_suffix('s').unwrap_or(word);
    ABBREVIATIONS.contains(&word) || ABBREVIATIONS.contains(&singular)
}

#[cfg(test)]
mod tests {
    use rb_lang::Language::{self, Go, Java, JavaScript, Python, Ruby, Rust, TypeScript};

    use super::super::expect_findings;
    use crate::constraint::ConstraintKind;

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        expect_findings(ConstraintKind::NoAbbreviations, language, text, expected);
    }

    #[test]
    fn ka4_abbreviations_are_found() {
        check(
            Rust,
            "fn calc_score(n: u8) {}\nstruct Mgr { cnt: u8 }\n",
            &[
                "1: the name of the function `calc_score` abbreviates (`calc`)",
                "1: the name of the parameter `n` has fewer than 3 letters",
                "2: the name of the field `cnt` abbreviates (`cnt`)",
                "2: the name of the type `Mgr` abbreviates (`mgr`)",
            ],
        );
        check(
            Python,
            "class Game:\n  def roll(self, nums):\n    self.ps = 1\n",
            &[
                "2: the name of the parameter `nums` abbreviates (`nums`)",
                "3: the name of the field `ps` has fewer than 3 letters",
            ],
        );
        check(
            TypeScript,
            "interface Ctx { fb(): void }\n",
            &[
                "1: the name of the function `fb` has fewer than 3 letters",
                "1: the name of the type `Ctx` abbreviates (`ctx`)",
            ],
        );
        check(
            JavaScript,
            "const fb = (prevScore) => prevScore;",
            &[
                "1: the name of the function `fb` has fewer than 3 letters",
                "1: the name of the parameter `prevScore` abbreviates (`prev`)",
            ],
        );
        check(
            Go,
            "package p\nfunc Roll(num2 int) {}\n",
            &["2: the name of the parameter `num2` abbreviates (`num2`)"],
        );
        check(
            Java,
            "class Game { int qty; }",
            &["1: the name of the field `qty` abbreviates (`qty`)"],
        );
        check(
            Ruby,
            "def fmt_msg(s) = s\n",
            &[
                "1: the name of the function `fmt_msg` abbreviates (`msg`)",
                "1: the name of the parameter `s` has fewer than 3 letters",
            ],
        );
    }

    #[test]
    fn ka4_whole_words_and_customary_names_are_fine() {
        check(
            Rust,
            "fn score<T>(rolls: T, _: u8, x: u8) {}\nstruct Game { id: u8, is_ok: bool }",
            &[],
        );
        check(Rust, "impl Display for Game { fn fmt(&self, f: &mut F) {} }", &[]);
        check(Python, "class Game:\n  def __eq__(self, other): return self.id\n", &[]);
        check(TypeScript, "const score = (rolls: number[]) => rolls.map((n) => n);", &[]);
        check(JavaScript, "function move(x, y) { const n = 1; return n; }", &[]);
        check(Go, "package p\nfunc (g Game) Score() {}\n", &[]);
        check(Java, "class Game<T> { @Override void cmp(T o) {} }", &[]);
        check(Ruby, "class Game\n  def to_s = 1\n  def ==(other); end\nend\n", &[]);
    }
}
