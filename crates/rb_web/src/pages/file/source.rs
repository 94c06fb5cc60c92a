//! Source text with numbers, colours, marks, and findings below their lines.

use std::ops::Range;

use rb_html::Page;
use rb_html::highlight::{self, Token};
use rb_lang::Language;
use rb_rules::{Certainty, Finding, Severity};

use super::window::{Marked, Window};
use crate::pages::code::prose::prose;

pub(super) struct Source<'s> {
    pub(super) language: Option<Language>,
    pub(super) text: &'s str,
    pub(super) marked: Marked,
    pub(super) window: Window,
    /// Of this file, by place.
    pub(super) findings: &'s [Finding],
}

type Spans = [(Range<usize>, Token)];

impl Source<'_> {
    pub(super) fn write(&self, body: &mut Page, path: &str) {
        if self.text.is_empty() {
            body.element("p", "empty", "The file is empty.");
            return;
        }
        let spans = self.language.map(|it| highlight::spans(it, self.text)).unwrap_or_default();
        let mut spans = &spans[..];
        self.window.note(body, path, "Parts of the file, above");
        body.raw(
            "<div class=\"source\" role=\"region\" aria-label=\"Source\" tabindex=\"0\"><pre>",
        );
        let mut begin = 0;
        for (number, whole) in (1..).zip(self.text.split_inclusive('\n')) {
            let line = begin..begin + whole.trim_end_matches(['\n', '\r']).len();
            begin += whole.len();
            let gone = spans.iter().take_while(|(span, _)| span.end <= line.start).count();
            spans = &spans[gone..];
            if (self.window.first..=self.window.last).contains(&number) {
                self.line(body, number, line, spans);
            }
        }
        body.raw("</pre></div>\n");
        self.window.note(body, path, "Parts of the file, below");
    }

    fn line(&self, body: &mut Page, number: usize, line: Range<usize>, spans: &Spans) {
        let text = number.to_string();
        let (id, place) = (format!("L{text}"), format!("#L{text}"));
        let class = if self.marked.has(number) { "line marked" } else { "line" };
        body.open("span", &[("class", class), ("id", &id)]);
        // The number is drawn by the style sheet, so that it is not copied with the code.
        body.open(
            "a",
            &[
                ("href", &place),
                ("data-line", &text),
                ("tabindex", "-1"),
                ("aria-label", &format!("Line {text}")),
            ],
        );
        body.raw("</a><span>");
        let mut at = line.start;
        for (span, token) in spans.iter().take_while(|(span, _)| span.start < line.end) {
            let (start, end) = (span.start.max(line.start), span.end.min(line.end));
            body.text(&self.text[at..start]);
            body.element("span", token.class(), &self.text[start..end]);
            at = end;
        }
        body.text(&self.text[at..line.end]);
        body.raw("\n</span></span>");
        let findings = self.findings.iter().filter(|finding| finding.line as usize == number);
        findings.for_each(|finding| note(body, finding));
    }
}

fn note(body: &mut Page, finding: &Finding) {
    let class = match (finding.severity, finding.certainty) {
        (_, Certainty::Likely) | (Severity::Note, _) => "remark info",
        (Severity::Warning, Certainty::Proved) => "remark warning",
        (Severity::Error, Certainty::Proved) => "remark error",
    };
    body.open("span", &[("class", class), ("role", "note")]);
    let kind = match finding.certainty {
        Certainty::Likely => "candidate",
        Certainty::Proved => finding.severity.name(),
    };
    body.element("b", "", kind);
    body.raw(" ");
    prose(body, &finding.message);
    body.raw(" ");
    body.link(&Page::path("/rules/", &finding.rule), &finding.rule);
    body.raw("\n</span>");
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::request::Request;

    fn shown(text: &str, query: &[(&str, &str)]) -> String {
        let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let request = Request { query: query.collect(), ..Request::default() };
        let marked = Marked::of(&request);
        let window = Window::of(&request, marked, text.lines().count());
        let language = Some(Language::JavaScript);
        let mut body = Page::new();
        Source { language, text, marked, window, findings: &[] }.write(&mut body, "a.js");
        body.done()
    }

    #[test]
    fn ux4_source_is_text_with_anchors_colours_and_marked_lines() {
        let text = "/* two\r\n lines */ let a = '<script>';\n";
        expect![[r##"
            <div class="source" role="region" aria-label="Source" tabindex="0"><pre><span class="line" id="L1"><a href="#L1" data-line="1" tabindex="-1" aria-label="Line 1"></a><span><span class="c">/* two</span>
            </span></span><span class="line marked" id="L2"><a href="#L2" data-line="2" tabindex="-1" aria-label="Line 2"></a><span><span class="c"> lines */</span> <span class="k">let</span> a = <span class="s">&#39;&lt;script&gt;&#39;</span>;
            </span></span></pre></div>
        "##]].assert_eq(&shown(text, &[("lines", "2")]));
    }

    #[test]
    fn ux4_an_empty_file_is_called_empty() {
        assert_eq!(shown("", &[]), "<p class=\"empty\">The file is empty.</p>");
    }
}
