//! A rule in words, as `rules explain` prints it.

use rb_html::{Page, highlight};
use rb_lang::Language;
use rb_rules::engine::own::FOLDER;
use rb_rules::{Level, Rule};

use crate::pages::code::prose::prose;

pub(super) fn built_in(body: &mut Page, rule: &Rule) {
    head(body, rule.id);
    body.element("p", "lead", rule.title);
    let mut facts = vec![
        rule.category.title().to_owned(),
        format!("impact {}", rule.impact.name()),
        format!("fix: {}", rule.fix.name()),
    ];
    if rule.level == Level::Audit {
        facts.push("only with --all".to_owned());
    }
    body.element("p", "soft", &facts.join(" · "));
    body.raw("<section class=\"explanation\">\n");
    for text in [rule.doc.what, rule.doc.why] {
        body.raw("<p>");
        prose(body, text);
        body.raw("</p>\n");
    }
    body.raw("<div class=\"examples\">\n");
    example(body, "Wrong", rule.doc.wrong);
    example(body, "Right", rule.doc.right);
    body.raw("</div>\n<dl>\n<dt>Fix</dt><dd>");
    prose(body, rule.doc.safe);
    body.raw("</dd>\n<dt>Ignore it if</dt><dd>");
    prose(body, rule.doc.leave);
    body.raw("</dd>\n<dt>Silence one place</dt><dd><code>");
    body.text(&format!("// refactor-bot-disable-next-line {}", rule.id));
    body.raw("</code></dd>\n</dl>\n</section>\n");
}

/// A rule that the project wrote itself.
pub(super) fn own(body: &mut Page, id: &str, message: &str) {
    head(body, id);
    body.element("p", "lead", message);
    body.element("p", "soft", &format!("Your own rule, from {FOLDER}"));
}

fn head(body: &mut Page, id: &str) {
    body.raw("<nav class=\"crumbs\" aria-label=\"Rules\"><a href=\"/rules\">Rules</a></nav>\n");
    body.element("h1", "", id);
}

fn example(body: &mut Page, title: &'static str, code: &str) {
    let code = code.trim_matches('\n');
    body.raw("<figure><figcaption>");
    body.raw(title);
    body.raw("</figcaption>\n<pre class=\"source\" tabindex=\"0\">");
    let mut at = 0;
    for (span, token) in highlight::spans(Language::Tsx, code) {
        body.text(&code[at..span.start]);
        body.element("span", token.class(), &code[span.clone()]);
        at = span.end;
    }
    body.text(&code[at..]);
    body.raw("</pre></figure>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux4_every_rule_is_explained_as_the_command_does() {
        for rule in rb_rules::rules::ALL {
            let mut body = Page::new();
            built_in(&mut body, rule);
            let page = body.done();
            for part in [rule.id, "Wrong", "Right", "Ignore it if"] {
                assert!(page.contains(part), "{}: {part}", rule.id);
            }
        }
    }
}
