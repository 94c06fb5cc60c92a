//! Words that two texts may have in common: of questions, calls, paths and code.

use std::collections::BTreeSet;

/// Words that ask, or that every text about code has.
const EMPTY: &str = "about all and any are can class code codebase could describe did does each else every \
    explain find for from function get give had happen has have how into its look may method need not off one \
    out please program project repo repository see should show some src tell than that the them then there \
    these they this use used using was way what when where which who whole why will with work you";

/// The words of a text that say something: lower case, names split at their humps, without common endings.
pub(crate) fn words(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for token in text.split(|c: char| !c.is_alphanumeric()) {
        for word in humps(token) {
            let word = stem(&word.to_lowercase());
            if word.chars().count() >= 3 && !is_empty(&word) {
                found.insert(word);
            }
        }
    }
    found
}

/// Whether the word says nothing of what a text is about.
fn is_empty(word: &str) -> bool {
    EMPTY.split(' ').any(|empty| empty == word)
}

/// How many of `wanted` the other text has, too. A word counts as the same if it begins with the other.
pub(crate) fn in_common(wanted: &BTreeSet<String>, other: &BTreeSet<String>) -> usize {
    wanted.iter().filter(|word| other.iter().any(|has| is_same(word, has))).count()
}

fn is_same(one: &str, other: &str) -> bool {
    const BEGINNING: usize = 4;
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    short == long || (short.chars().count() >= BEGINNING && long.starts_with(short))
}

/// `readFileAsync` is three words, `HTTPServer` two.
fn humps(token: &str) -> Vec<String> {
    let chars: Vec<char> = token.chars().collect();
    let mut parts = vec![String::new()];
    for (at, &c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| chars.get(before));
        let after = chars.get(at + 1);
        let begins = c.is_uppercase()
            && before.is_some_and(|before| {
                !before.is_uppercase() || after.is_some_and(|after| after.is_lowercase())
            });
        if begins {
            parts.push(String::new());
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts
}

fn stem(word: &str) -> String {
    const STEM: usize = 4;
    if let Some(stem) = word.strip_suffix("ies")
        && stem.len() >= STEM - 1
    {
        return format!("{stem}y");
    }
    for ending in ["ing", "ed", "s"] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.len() >= STEM
            && !stem.ends_with('s')
        {
            return stem.to_owned();
        }
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as7_words_of_names_paths_and_sentences() {
        let check = |text: &str, expected: &str| {
            let found: Vec<String> = words(text).into_iter().collect();
            assert_eq!(found.join(" "), expected, "{text}");
        };
        check("How does the rate limiter work?", "limiter rate");
        check("readFileAsync", "async file read");
        check("HTTPServer.start_all", "http server start");
        check("server/rate_limit.py", "limit rate server");
        check("Where are the sessions stored?", "session stor");
        check("queries", "query");
        check("class pass", "pass");
        check("Öffnen der Datei", "datei der öffnen");
        check("a b c 1", "");
    }

    #[test]
    fn as7_a_word_is_found_in_a_longer_one() {
        let check = |wanted: &str, other: &str, expected: usize| {
            assert_eq!(in_common(&words(wanted), &words(other)), expected, "{wanted} / {other}");
        };
        check("rate limiter", "server/rate_limit.py", 2);
        check("stored sessions", "class Session: storage", 2);
        check("log", "login", 0);
        check("password", "check_password hash_password", 1);
        check("tickets", "worker/queue.go", 0);
        check("", "anything", 0);
    }

    #[test]
    fn as7_the_table_is_sorted_and_holds_stems() {
        let table: Vec<&str> = EMPTY.split(' ').collect();
        assert!(table.is_sorted());
        for word in table {
            assert_eq!(stem(word), word);
        }
    }
}
