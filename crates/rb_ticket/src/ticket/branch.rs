//! The name of a ticket's branch.

use rb_core::Sha256;

const LONGEST: usize = 60;
const LONGEST_KEY: usize = 24;

pub(super) fn name(key: &str, title: &str) -> String {
    let key = words(key).join("-");
    let key = match cut(&key, LONGEST_KEY) {
        "" => "ticket",
        key => key,
    };
    let mut name = format!("fix/{key}");
    let start = name.len();
    for word in words(&title.to_lowercase()) {
        // The first word is cut, so that a title of one long word still shows.
        let room = LONGEST.saturating_sub(name.len() + 1);
        if word.len() > room && name.len() > start {
            break;
        }
        // Titles often begin with the key.
        let is_key = name.len() == start && key.to_lowercase().split('-').any(|part| part == word);
        if !is_key {
            name.push('-');
            name.push_str(cut(&word, room));
        }
    }
    if name.len() == start && key == "ticket" {
        name.push('-');
        name.push_str(&Sha256::of(title.as_bytes()).short());
    }
    name
}

/// ASCII letters and digits in words; letters with accents lose them, other alphabets are left out.
fn words(text: &str) -> Vec<String> {
    let mut plain = String::new();
    for c in text.chars().take(1000) {
        match c {
            c if c.is_ascii_alphanumeric() => plain.push(c),
            'à'..='å' | 'ā' | 'ă' | 'ą' => plain.push('a'),
            'ç' | 'ć' | 'č' => plain.push('c'),
            'ď' | 'đ' => plain.push('d'),
            'è'..='ë' | 'ē' | 'ę' | 'ě' => plain.push('e'),
            'ì'..='ï' | 'ī' | 'ı' => plain.push('i'),
            'ł' => plain.push('l'),
            'ñ' | 'ń' | 'ň' => plain.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => plain.push('o'),
            'ř' => plain.push('r'),
            'ś' | 'ş' | 'š' => plain.push('s'),
            'ß' => plain.push_str("ss"),
            'ť' | 'ţ' => plain.push('t'),
            'ù'..='ü' | 'ū' | 'ů' | 'ű' => plain.push('u'),
            'ý' | 'ÿ' => plain.push('y'),
            'ź' | 'ż' | 'ž' => plain.push('z'),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            // "doesn't" is one word.
            '\'' | '’' => {}
            _ => plain.push(' '),
        }
    }
    plain.split_whitespace().map(str::to_owned).collect()
}

/// At most `most` bytes of an ASCII text, without a dash at the end.
fn cut(text: &str, most: usize) -> &str {
    text.get(..most).unwrap_or(text).trim_end_matches('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk1_a_branch_has_the_key_and_the_words_of_the_title() {
        let check = |key: &str, title: &str, expected: &str| {
            let branch = name(key, title);
            assert_eq!(branch, expected, "{key} {title}");
            assert!(branch.len() <= LONGEST && branch.is_ascii(), "{branch}");
        };
        check("SSI-1883", "Loyalty points", "fix/SSI-1883-loyalty-points");
        check("SSI-1883", "SSI-1883: Loyalty points", "fix/SSI-1883-loyalty-points");
        check("#42", "It doesn't scroll…", "fix/42-it-doesnt-scroll");
        check("ticket", "Größe ÄNDERN", "fix/ticket-grosse-andern");
        check("ticket", "積分が表示されない", "fix/ticket-2d8f93d3");
        check("#7", "積分", "fix/7");
        check("", "..//@{u}.lock ~^:?*[\\", "fix/ticket-u-lock");
        check("A-1", &"x".repeat(100), &format!("fix/A-1-{}", "x".repeat(52)));
        let long = "points of the loyalty programme vanish when a product loads dynamically";
        check("SSI-1", long, "fix/SSI-1-points-of-the-loyalty-programme-vanish-when-a");
        check(&"K".repeat(100), "a", &format!("fix/{}-a", "K".repeat(24)));
    }
}
