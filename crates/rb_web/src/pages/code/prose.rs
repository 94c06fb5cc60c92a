//! Text with `code` in it, as rules and messages are written.

use rb_html::Page;

/// What stands between two backticks is code; a last backtick alone is text.
pub(in crate::pages) fn prose(body: &mut Page, text: &str) {
    let mut rest = text;
    while let Some((before, from)) = rest.split_once('`')
        && let Some((code, after)) = from.split_once('`')
    {
        body.text(before);
        body.element("code", "", code);
        rest = after;
    }
    body.text(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux4_code_in_prose_is_set_apart_and_stays_text() {
        let check = |text: &str, expected: &str| {
            let mut body = Page::new();
            prose(&mut body, text);
            assert_eq!(body.done(), expected);
        };
        check("Use `a < b` here", "Use <code>a &lt; b</code> here");
        check("`a``b`", "<code>a</code><code>b</code>");
        check("one ` alone", "one ` alone");
    }
}
