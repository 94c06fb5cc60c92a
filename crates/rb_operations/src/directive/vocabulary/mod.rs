//! The words of structural requests: verbs with their forms, nouns, prepositions, and words that say nothing.
//!
//! A word that is listed here is not taken for the name of something in the project, except where nothing else can be meant ("put it in
//! base") and it is none of the words that never are one. The lists of words are in files of their own.

mod verbs;
mod words;

use std::collections::BTreeSet;
use std::sync::LazyLock;

pub(super) use self::verbs::*;
pub(super) use self::words::*;

/// English that says nothing by itself.
static PLAIN: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| include_str!("plain.txt").split_whitespace().collect());

/// Every verb, in its base form.
static VERBS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let lists =
        [RENAME, MOVE, MERGE, REMOVE, ADD, CHANGE, WRAP, REORDER, SET, KEEP, FOLLOW, LOCATE];
    let others = include_str!("other_verbs.txt").split_whitespace();
    lists.into_iter().flatten().copied().chain(others).collect()
});

/// In which form a verb was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `rename`: an order, if it stands where an order can stand.
    Base,
    /// `renames`
    Third,
    /// `renaming`
    Ing,
    /// `renamed`
    Past,
}

/// What kind of thing a noun stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noun {
    Function,
    Method,
    Class,
    /// A constant, variable or attribute.
    Value,
    Parameter,
    File,
    Folder,
    /// The whole of it: repository, code base.
    Project,
}

/// The verb of a word, and its form.
pub(super) fn verb(word: &str) -> Option<(&'static str, Form)> {
    if let Some((_, lemma, form)) = IRREGULAR.iter().find(|(surface, _, _)| *surface == word) {
        return Some((lemma, *form));
    }
    if let Some(lemma) = lemma(word) {
        return Some((lemma, Form::Base));
    }
    let stems = |ending: &str| {
        let stem = word.strip_suffix(ending)?;
        let undoubled = stem.char_indices().last().map(|(at, _)| &stem[..at]);
        let with_e = format!("{stem}e");
        lemma(&with_e)
            .or_else(|| lemma(stem))
            .or_else(|| {
                undoubled
                    .filter(|short| stem.ends_with(&short[short.len().saturating_sub(1)..]))
                    .and_then(lemma)
            })
            .or_else(|| stem.strip_suffix('i').and_then(|short| lemma(&format!("{short}y"))))
    };
    if let Some(lemma) = stems("ing") {
        return Some((lemma, Form::Ing));
    }
    if let Some(lemma) = stems("ed") {
        return Some((lemma, Form::Past));
    }
    let third = word.strip_suffix('s').and_then(lemma).or_else(|| stems("es"));
    third.map(|lemma| (lemma, Form::Third))
}

const IRREGULAR: &[(&str, &str, Form)] = &[
    ("made", "make", Form::Past),
    ("taken", "take", Form::Past),
    ("took", "take", Form::Past),
    ("given", "give", Form::Past),
    ("kept", "keep", Form::Past),
    ("left", "leave", Form::Past),
    ("brought", "bring", Form::Past),
    ("written", "write", Form::Past),
    ("found", "locate", Form::Past),
    ("broken", "break", Form::Past),
    ("done", "do", Form::Past),
    ("built", "build", Form::Past),
    ("held", "hold", Form::Past),
    ("known", "know", Form::Past),
    ("shown", "show", Form::Past),
    ("has", "have", Form::Third),
    ("had", "have", Form::Past),
    ("having", "have", Form::Ing),
    ("is", "be", Form::Third),
    ("are", "be", Form::Third),
    ("was", "be", Form::Past),
    ("were", "be", Form::Past),
    ("been", "be", Form::Past),
    ("being", "be", Form::Ing),
    ("does", "do", Form::Third),
];

fn lemma(word: &str) -> Option<&'static str> {
    VERBS.get(word).copied()
}

pub(super) fn noun(word: &str) -> Option<Noun> {
    Some(match word {
        "function" | "functions" | "func" | "funcs" | "def" | "helper-function" | "routine"
        | "routines" => Noun::Function,
        "method" | "methods" | "staticmethod" | "classmethod" => Noun::Method,
        "class" | "classes" | "exception" | "exceptions" | "dataclass" | "mixin" | "struct" => {
            Noun::Class
        }
        "constant" | "constants" | "variable" | "variables" | "attribute" | "attributes"
        | "property" | "field" | "global" | "globals" | "symbol" | "symbols" => Noun::Value,
        "parameter" | "parameters" | "param" | "params" | "argument" | "arguments" | "arg"
        | "args" | "flag" | "option" | "kwarg" | "keyword" | "switch" => Noun::Parameter,
        "file" | "files" | "module" | "modules" | "script" | "scripts" | "filename"
        | "filenames" => Noun::File,
        "folder" | "folders" | "directory" | "directories" | "dir" | "package" | "packages"
        | "subpackage" | "subfolder" | "subdirectory" => Noun::Folder,
        "repository" | "repositories" | "repo" | "codebase" | "project" | "library"
        | "framework" | "code-base" | "app" | "application" => Noun::Project,
        _ => return None,
    })
}

/// Is it a word of the language of such requests?
pub(super) fn is_word(word: &str) -> bool {
    let lists = [
        REFERENCES,
        TESTS,
        NOT_TESTS,
        RESTRICTIONS,
        IDLE_CONDITIONS,
        OPENERS,
        DETERMINERS,
        PRONOUNS,
        TYPES,
        PREPOSITIONS,
    ];
    verb(word).is_some()
        || noun(word).is_some()
        || lists.iter().any(|list| list.contains(&word))
        || word.ends_with("ly") && word.len() > 4
        || word.chars().all(|c| c.is_ascii_digit())
        || PLAIN.contains(word)
}

pub(super) fn annotation(word: &str) -> Option<&'static str> {
    Some(match word {
        "boolean" | "bool" => "bool",
        "string" | "str" => "str",
        "integer" | "int" => "int",
        "float" => "float",
        "list" => "list",
        "dict" | "dictionary" => "dict",
        "tuple" => "tuple",
        "bytes" => "bytes",
        _ => return None,
    })
}

/// A word that may be the name of a module all the same, if it stands alone behind a preposition: "put it in base".
pub(super) fn may_be_name(word: &str) -> bool {
    let lists = [
        REFERENCES,
        TESTS,
        NOT_TESTS,
        RESTRICTIONS,
        IDLE_CONDITIONS,
        OPENERS,
        DETERMINERS,
        PRONOUNS,
        NEVER_NAMES,
        PREPOSITIONS,
    ];
    let is_closed = lists.iter().any(|list| list.contains(&word));
    !is_closed && noun(word) != Some(Noun::Project) && !word.chars().all(|c| c.is_ascii_digit())
}

/// Corrects the spelling of a long word that is one slip away from exactly one word that matters.
pub(super) fn corrected(word: &str) -> Option<&'static str> {
    if word.len() < 6 || is_word(word) {
        return None;
    }
    let mut close = CORRECTED.iter().filter(|known| super::close::distance(word, known) == 1);
    match (close.next(), close.next()) {
        (Some(known), None) => Some(known),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st3_forms_of_verbs() {
        for (word, expected) in [
            ("rename", Some(("rename", Form::Base))),
            ("renaming", Some(("rename", Form::Ing))),
            ("moved", Some(("move", Form::Past))),
            ("splitting", Some(("split", Form::Ing))),
            ("copies", Some(("copy", Form::Third))),
            ("kept", Some(("keep", Form::Past))),
            ("passes", Some(("pass", Form::Third))),
            ("table", None),
            ("s", None),
            ("ing", None),
        ] {
            assert_eq!(verb(word), expected, "{word}");
        }
    }

    #[test]
    fn st3_slips_of_the_keyboard() {
        assert_eq!(corrected("paramter"), Some("parameter"));
        assert_eq!(corrected("fucntion"), Some("function"));
        assert_eq!(corrected("parser"), None);
        assert_eq!(corrected("functional"), None);
    }
}
