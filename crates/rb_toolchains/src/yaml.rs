//! YAML of foreign repositories as a JSON value, within bounds.
//!
//! `on`, `yes` and `no` stay words: the key `on` of a workflow is not a boolean.

use serde_json::Value;

pub(crate) fn parse(text: &str) -> Option<Value> {
    let mut options = serde_saphyr::options! { strict_booleans: true };
    options.budget = serde_saphyr::budget! { max_depth: 40, max_nodes: 100_000, max_aliases: 200 };
    serde_saphyr::from_str_with_options(text, options).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ve1_yaml_is_bounded_and_keeps_words() {
        assert_eq!(
            parse("on: push\nyes: no\n").unwrap().to_string(),
            r#"{"on":"push","yes":"no"}"#
        );
        assert_eq!(parse("a: [1, 2"), None);
        assert_eq!(parse(&"[".repeat(100_000)), None);
        let bomb = (1..40).fold("a0: &a0 x\n".to_owned(), |text, n| {
            let last = n - 1;
            format!("{text}a{n}: &a{n} [*a{last}, *a{last}, *a{last}]\n")
        });
        assert_eq!(parse(&bomb), None);
    }
}
