//! What somebody may have meant who wrote a name that does not exist.

/// A longer name is no slip of the pen, and comparing it with all others would take long.
const LONGEST: usize = 200;

/// The known names that are most like `name`, the likest first. Equals stay in their order.
pub(crate) fn nearest<'a>(
    name: &str,
    known: impl Iterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    if name.is_empty() || name.len() > LONGEST {
        return Vec::new();
    }
    let name = name.to_lowercase();
    let mut scored: Vec<(usize, &str)> =
        known.filter_map(|known| Some((distance(&name, known)?, known))).collect();
    scored.sort_by_key(|(distance, _)| *distance);
    let mut near: Vec<&str> = Vec::new();
    for (_, known) in scored {
        if near.len() == most {
            break;
        }
        if !near.contains(&known) {
            near.push(known);
        }
    }
    near
}

/// How unlike two names are; `None` where nobody would take one for the other. `name` is in lower case.
fn distance(name: &str, known: &str) -> Option<usize> {
    let known = known.to_lowercase();
    if name == known {
        return Some(0);
    }
    if name.len() > 2 && (known.contains(name) || (known.len() > 2 && name.contains(&known))) {
        return Some(1);
    }
    let most = (name.len().max(known.len()) / 3).max(1);
    if name.len().abs_diff(known.len()) > most {
        return None;
    }
    Some(strsim::damerau_levenshtein(name, &known)).filter(|distance| *distance <= most)
}

/// A sentence to put after another, or nothing: " Did you mean `a` or `b`?"
pub(crate) fn did_you_mean<S: AsRef<str>>(names: &[S]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => format!(" Did you mean {one}?"),
        [first @ .., last] => format!(" Did you mean {} or {last}?", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as2_slips_of_the_pen_are_seen_through() {
        let known = ["read_file", "list_files", "references", "callers", "callees"];
        let check = |name: &str, expected: &str| {
            assert_eq!(did_you_mean(&nearest(name, known.into_iter(), 2)), expected, "{name}");
        };
        check("readfile", " Did you mean `read_file`?");
        check("READ_FILE", " Did you mean `read_file`?");
        check("caller", " Did you mean `callers` or `callees`?");
        check("file", " Did you mean `read_file` or `list_files`?");
        check("write", "");
        check("", "");
        check(&"x".repeat(5000), "");
    }
}
