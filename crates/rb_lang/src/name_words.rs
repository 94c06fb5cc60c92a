//! The words that a name consists of.

/// The words of a name, or of the names of a line, in lower case: `parseURL` is "parse" and "url".
pub fn name_words(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut words = vec![String::new()];
    for (at, &c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| chars[before]);
        let is_last_capital = before.is_some_and(char::is_uppercase)
            && chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        let is_hump = before.is_some_and(|before| before.is_lowercase() || before.is_numeric());
        if !c.is_alphanumeric() || (c.is_uppercase() && (is_hump || is_last_capital)) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf3_a_name_is_split_at_its_humps_and_signs() {
        let check = |name: &str, expected: &[&str]| assert_eq!(name_words(name), expected);
        check("select_proxy", &["select", "proxy"]);
        check("selectProxy", &["select", "proxy"]);
        check("SelectProxy", &["select", "proxy"]);
        check("select-proxy", &["select", "proxy"]);
        check("_SELECT_PROXY", &["select", "proxy"]);
        check("parseURL", &["parse", "url"]);
        check("HTTPServer2", &["http", "server2"]);
        check("", &[]);
        check("select_proxy2", &["select", "proxy2"]);
        check("v2Parser", &["v2", "parser"]);
        check("a.b", &["a", "b"]);
        check("", &[]);
    }
}
