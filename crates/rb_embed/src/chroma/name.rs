//! The name of a collection: readable, valid, and its own for each repository and model.

use rb_core::Sha256;

/// Of each part, so that the whole stays far below the server's 512 characters.
const LONGEST_PART: usize = 40;

/// Two names never meet: the digest at the end is of both texts whole, with their border.
pub(super) fn collection(repository: &str, model: &str) -> String {
    let whole = format!("{}:{repository}{model}", repository.len());
    let digest = Sha256::of(whole.as_bytes()).to_string();
    format!("rb-{}-{}-{}", readable(repository), readable(model), &digest[..32])
}

/// The end of the text, which says more than its beginning, in the characters that names may have.
fn readable(text: &str) -> String {
    let plain: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect();
    let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
    let joined = words.join("-");
    joined[joined.len().saturating_sub(LONGEST_PART)..].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix7_names_of_collections_are_valid_stable_and_distinct() {
        let model = "api.openai.com/text-embedding-3-small/1536";
        assert_eq!(
            collection("github.com/o/repo", model),
            "rb-github.com-o-repo-i.openai.com-text-embedding-3-small-1536-75dab6ccd8215bd6b86807a360a3711a"
        );
        let pairs = [
            ("a", "bc"),
            ("ab", "c"),
            ("a/b", "m"),
            ("a-b", "m"),
            ("", ""),
            ("ü/", "漢"),
            ("/", "."),
        ];
        let mut names = pairs.map(|(repository, model)| collection(repository, model)).to_vec();
        names.push(collection(&"x".repeat(9000), &"y".repeat(9000)));
        for name in &names {
            let valid = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            assert!(name.chars().all(valid) && (3..=512).contains(&name.len()), "{name}");
            assert!(name.starts_with("rb-") && name.ends_with(|c: char| c.is_ascii_alphanumeric()));
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), pairs.len() + 1);
    }
}
