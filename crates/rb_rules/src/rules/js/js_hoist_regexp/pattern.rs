//! Patterns that are valid for sure, in every engine and with every flag: a small part of the language, read strictly.

/// Unsure is no: whatever is not known here may well be valid.
pub(super) fn is_surely_valid(pattern: &str) -> bool {
    let mut rest = pattern.chars().peekable();
    let (mut depth, mut has_atom) = (0_u32, false);
    while let Some(character) = rest.next() {
        match character {
            '(' => {
                if rest.next_if_eq(&'?').is_some() && rest.next_if_eq(&':').is_none() {
                    return false;
                }
                depth += 1;
                has_atom = false;
            }
            ')' => {
                let Some(outer) = depth.checked_sub(1) else { return false };
                depth = outer;
                has_atom = true;
            }
            '|' | '^' | '$' => has_atom = false,
            '*' | '+' | '?' => {
                if !has_atom {
                    return false;
                }
                // `a+?` is lazy.
                if character != '?' {
                    rest.next_if_eq(&'?');
                }
                has_atom = false;
            }
            '[' => {
                if !reads_class(&mut rest) {
                    return false;
                }
                has_atom = true;
            }
            '\\' => match rest.next() {
                Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'n' | 't') => has_atom = true,
                Some(
                    '.' | '/' | '(' | ')' | '[' | ']' | '+' | '*' | '?' | '$' | '^' | '|' | '\\',
                ) => {
                    has_atom = true;
                }
                Some('b' | 'B') => has_atom = false,
                _ => return false,
            },
            ']' | '{' | '}' => return false,
            _ => has_atom = true,
        }
    }
    depth == 0
}

/// The rest of `[a-z0-9_]`: characters, and ranges of digits and letters.
fn reads_class(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    rest.next_if_eq(&'^');
    let mut is_first = true;
    while let Some(character) = rest.next() {
        match character {
            ']' => return !is_first,
            '\\' => {
                if !matches!(rest.next(), Some('d' | 'w' | 's' | '.' | '/' | '\\' | ']' | '[')) {
                    return false;
                }
                if rest.peek() == Some(&'-') {
                    return false;
                }
            }
            '[' | '-' => return false,
            first => {
                if rest.next_if_eq(&'-').is_some() {
                    let same_kind = |last: char| {
                        first.is_ascii_digit() && last.is_ascii_digit()
                            || first.is_ascii_lowercase() && last.is_ascii_lowercase()
                            || first.is_ascii_uppercase() && last.is_ascii_uppercase()
                    };
                    if !rest.next().is_some_and(|last| same_kind(last) && first <= last) {
                        return false;
                    }
                }
            }
        }
        is_first = false;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_surely_valid;

    #[test]
    fn ru1_js_hoist_regexp_knows_valid_patterns() {
        for pattern in
            ["a", "^a+b*?$", "(a|b)c?", "(?:ab)+", "[a-z0-9_]+", "\\d\\.\\d", "[^a]", "a b"]
        {
            assert!(is_surely_valid(pattern), "{pattern}");
        }
        for pattern in [
            "(", ")", "a)", "*", "a**", "a???", "[", "[z-a]", "[]", "a{2", "(?<a>b)", "(?=a)",
            "\\", "\\1", "+a", "^*", "(a", "[a-", "]",
        ] {
            assert!(!is_surely_valid(pattern), "{pattern}");
        }
    }
}
