//! May this be a name in Python? Shared by all that give something a new name.

use crate::outcome::Refusal;

const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Can it be written where a name is expected?
pub(super) fn check_identifier(name: &str) -> Result<(), Refusal> {
    let another = "choose another name";
    if KEYWORDS.contains(&name) {
        return Err(Refusal::new(format!("`{name}` is a keyword of Python"), another));
    }
    if !is_identifier(name) {
        return Err(Refusal::new(format!("`{name}` is not a name in Python"), another));
    }
    if is_dunder(name) {
        let reason = format!("names such as `{name}` have a meaning of their own in Python");
        return Err(Refusal::new(reason, another));
    }
    Ok(())
}

/// Would a top-level name or a parameter hide a builtin?
pub(super) fn check_builtin(name: &str) -> Result<(), Refusal> {
    if rb_python::is_builtin(name) {
        let reason = format!("`{name}` is a builtin of Python, which the new name would hide");
        return Err(Refusal::new(reason, "choose another name"));
    }
    Ok(())
}

pub(super) fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// `__init__` and its like.
pub(super) fn is_dunder(name: &str) -> bool {
    name.len() > 4 && name.starts_with("__") && name.ends_with("__")
}

/// `__x`, which Python stores as `_Class__x`.
pub(super) fn is_mangled(name: &str) -> bool {
    name.starts_with("__") && !name.ends_with("__")
}

/// Every part of a dotted name is for others to use.
pub(super) fn is_public(name: &str) -> bool {
    name.split('.').all(|part| !part.starts_with('_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st1_names_that_python_has_for_itself_are_refused() {
        for name in ["class", "None", "2x", "", "a-b", "a.b", "a b", "__init__", "ä-"] {
            assert!(check_identifier(name).is_err(), "{name}");
        }
        for name in ["match", "type_", "_x", "__x", "größe", "list"] {
            assert!(check_identifier(name).is_ok(), "{name}");
        }
        assert!(check_builtin("list").is_err());
        assert!(check_builtin("ValueError").is_err());
        assert!(check_builtin("listing").is_ok());
    }

    #[test]
    fn st1_private_and_mangled_names() {
        assert!(is_public("A.b") && !is_public("A._b") && !is_public("_A.b"));
        assert!(is_mangled("__x") && !is_mangled("__x__") && !is_mangled("_x"));
        assert!(is_dunder("__x__") && !is_dunder("____"));
    }
}
