//! Search over everything: the runs, the rules, and what is indexed of the code, best first, and why.

mod rules;
mod runs;
mod words;

use rb_core::progress::Silent;
use rb_html::Page;
use rb_index::search::{Answer, Hit, Parts, Question};

use super::code::address::{self, Address};
use super::code::numbers::plural;
use crate::layout::{Frame, Tab};
use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

const LIMIT: usize = 20;
const MOST: usize = 200;
/// A longer question is no question.
const LONGEST: usize = 1000;

pub(crate) fn page(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let asked: String =
        request.query("q").unwrap_or_default().trim().chars().take(LONGEST).collect();
    let limit = request.query("limit").and_then(|limit| limit.parse().ok()).unwrap_or(LIMIT);
    let limit = limit.clamp(1, MOST);
    let mut body = Page::new();
    body.element("h1", "", "Search");
    form(&mut body, &asked);
    if asked.is_empty() {
        let words = "Ask in plain words, such as “where are sessions expired”, or type the name of a function, a file, a rule or a run.";
        body.element("p", "empty", words);
    } else {
        runs::write(&mut body, site, &asked)?;
        rules::write(&mut body, &asked);
        let question = Question { text: asked, limit, ..Question::default() };
        let model = &site.host.search;
        let answer =
            site.indexed(model.searchable(), |_, indexed| model.ask(indexed, &question, &Silent))?;
        results(&mut body, &question, &answer);
    }
    Ok(Frame { title: "Search", tab: Tab::None, scripts: &[], is_wide: false }.reply(site, &body))
}

fn form(body: &mut Page, asked: &str) {
    body.raw("<form class=\"search\" action=\"/search\" role=\"search\" aria-label=\"Search\">\n<label class=\"sr\" for=\"question\">Question or name</label>\n");
    let attributes = [("type", "search"), ("name", "q"), ("id", "question"), ("value", asked)];
    body.open("input", &attributes);
    body.raw("\n<button type=\"submit\">Search</button>\n</form>\n");
}

fn results(body: &mut Page, question: &Question, answer: &Answer) {
    body.raw("<h2>Code</h2>\n");
    if answer.hits.is_empty() {
        body.raw("<p class=\"empty\">");
        body.text(&format!("Nothing found for “{}”. ", question.text));
        body.raw(match answer.searched {
            0 => "There is no text to search here.",
            _ => "Try other words, or the name of something in the code.",
        });
        body.raw("</p>\n");
        return;
    }
    let files = plural(answer.hits.len() as u64, "file");
    let words =
        format!("{files}, best first. Searched {}.", plural(answer.searched as u64, "file"));
    body.element("p", "soft", &words);
    body.raw("<ol class=\"hits\">\n");
    answer.hits.iter().for_each(|found| hit(body, found));
    body.raw("</ol>\n");
    if answer.hits.len() == question.limit && question.limit < MOST {
        let more = (question.limit * 2).min(MOST).to_string();
        let address = Address::new("/search").with("q", &question.text).with("limit", &more);
        body.open("a", &[("class", "button"), ("href", address.text())]);
        body.raw("Show more</a>\n");
    }
}

fn hit(body: &mut Page, hit: &Hit) {
    body.raw("<li>\n<h2>");
    body.link(&address::file(&hit.path), &hit.path);
    body.raw(" ");
    body.element("span", "soft", &format!("{:.2}", hit.score));
    body.raw("</h2>\n");
    if !hit.symbols.is_empty() {
        body.raw("<p class=\"symbols\">");
        for symbol in &hit.symbols {
            let place = address::lines(&hit.path, symbol.first_line, symbol.last_line);
            body.open("a", &[("href", &place)]);
            body.element("span", "kind", symbol.kind);
            body.raw(" ");
            body.text(&symbol.name);
            body.raw("</a> ");
        }
        body.raw("</p>\n");
    }
    if !hit.lines.is_empty() {
        body.raw("<pre class=\"excerpt\">");
        for line in &hit.lines {
            body.open("a", &[("href", &address::lines(&hit.path, line.line, line.line))]);
            body.element("span", "n", &line.line.to_string());
            body.text(&line.text);
            body.raw("</a>\n");
        }
        body.raw("</pre>\n");
    }
    body.element("p", "soft why", &why(hit));
    body.raw("</li>\n");
}

/// The words that matched, and what the score is made of.
fn why(hit: &Hit) -> String {
    let mut reasons = Vec::new();
    if !hit.matched.is_empty() {
        reasons.push(format!("has {}", hit.matched.join(", ")));
    }
    let Parts { words, meaning, exact, graph, file } = hit.parts;
    let parts =
        [("words", words), ("meaning", meaning), ("name", exact), ("graph", graph), ("file", file)];
    let parts = parts.into_iter().filter(|(_, part)| part.abs() >= 0.005);
    reasons.extend(parts.map(|(name, part)| format!("{name} {part:+.2}")));
    reasons.join(" · ")
}

#[cfg(test)]
mod tests;
