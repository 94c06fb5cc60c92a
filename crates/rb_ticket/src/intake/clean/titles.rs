//! Instructions in the alternative text of a picture or the title of a link, which a page seldom shows. `rb_trust` finds them.

use rb_trust::{Disguise, Finding, TextKind, scan};

use super::Cleaner;
use crate::ticket::StrippedKind;

/// A scan reports a bounded number of places, so a text with many is scanned again.
const ROUNDS: usize = 3;

pub(super) fn removed(mut text: String, cleaner: &mut Cleaner) -> String {
    for _ in 0..ROUNDS {
        let mut findings = scan(&text, TextKind::Message);
        findings.retain(|finding| finding.disguises.contains(&Disguise::Title));
        if findings.is_empty() {
            break;
        }
        text = without(&text, &findings, cleaner);
    }
    text
}

fn without(text: &str, findings: &[Finding], cleaner: &mut Cleaner) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for finding in findings {
        if finding.start < copied {
            continue;
        }
        let (start, end) = around(text, finding);
        let start = start.max(copied);
        out.push_str(&text[copied..start]);
        cleaner.report(StrippedKind::ImageText, &text[start..end], finding.line);
        copied = end;
    }
    out.push_str(&text[copied..]);
    out
}

/// The whole text between the brackets or quotes around a finding.
fn around(text: &str, finding: &Finding) -> (usize, usize) {
    let line = text[..finding.start].rfind('\n').map_or(0, |at| at + 1);
    let before = &text[line..finding.start];
    let alt = before.rfind("![").map(|at| line + at + 2);
    let quote = before.rfind('"').map(|at| line + at + 1);
    let (start, close) = match (alt, quote) {
        (Some(alt), quote) if quote.is_none_or(|quote| quote < alt) => (alt, "]("),
        (_, Some(quote)) => (quote, "\""),
        (_, None) => (finding.start, "\n"),
    };
    let end = text[finding.end..].find(close).map_or(finding.end, |at| finding.end + at);
    (start, end)
}
