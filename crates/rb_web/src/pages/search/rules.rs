//! Built-in rules by their id, their title, their category and what they find.

use rb_html::Page;
use rb_rules::Rule;
use rb_rules::rules::ALL;

use super::words::{reasons, words};
use crate::pages::code::prose::prose;

const SHOWN: usize = 10;

pub(super) fn write(body: &mut Page, asked: &str) {
    let words = words(asked);
    let mut hits = ALL.iter().filter_map(|rule| Some((*rule, why(rule, &words)?))).peekable();
    if hits.peek().is_none() {
        return;
    }
    body.raw("<h2>Rules</h2>\n<ol class=\"hits\">\n");
    for (rule, why) in hits.take(SHOWN) {
        body.raw("<li>\n<h2>");
        body.link(&Page::path("/rules/", rule.id), rule.id);
        body.raw(" <span class=\"soft\">");
        prose(body, rule.title);
        body.raw("</span></h2>\n");
        let words = format!("{} · impact {} · {why}", rule.category.title(), rule.impact.name());
        body.element("p", "soft why", &words);
        body.raw("</li>\n");
    }
    body.raw("</ol>\n");
}

fn why(rule: &Rule, words: &[String]) -> Option<String> {
    let texts = [
        ("id", rule.id),
        ("title", rule.title),
        ("category", rule.category.title()),
        ("description", rule.doc.what),
    ];
    reasons(words, &texts)
}
