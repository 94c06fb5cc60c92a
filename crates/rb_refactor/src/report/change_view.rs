//! A change as people read it, on the pages of `serve` and in `report.html`: its diff, with the findings of the audit at their lines.

use rb_audit::{Finding, FindingKind, Severity};
use rb_html::Page;
use rb_html::diff::{Budget, Diff, FileDiff, Layout, Note, NoteKind, Side, View, render};

/// How a change is shown.
#[derive(Debug, Clone, Copy)]
pub struct ChangeView<'a> {
    pub layout: Layout,
    /// Begins the ids of its files and lines.
    pub anchor: &'a str,
    /// Where the whole patch is, for what is not shown.
    pub patch: Option<&'a str>,
}

/// Writes all files of a patch.
pub fn write_change(
    page: &mut Page,
    patch: &[u8],
    findings: &[Finding],
    view: ChangeView<'_>,
    budget: &mut Budget,
) {
    let ChangeView { layout, anchor, patch: whole } = view;
    let diff = Diff::read(patch);
    for file in &diff.files {
        let at_file = findings.iter().filter(|finding| *finding.path == *file.path);
        let notes: Vec<Note<'_>> = at_file.map(note).collect();
        render(page, file, &View { layout, notes: &notes, anchor, patch: whole }, budget);
    }
    if diff.bytes_left_out > 0 {
        let words = format!("The patch is too large: {} bytes not shown", diff.bytes_left_out);
        page.element("p", "remark", &words);
    }
    elsewhere(page, findings, &diff.files);
}

fn note(finding: &Finding) -> Note<'_> {
    let kind = match finding.severity {
        Severity::Error => NoteKind::Error,
        Severity::Warning => NoteKind::Warning,
    };
    // What was removed has no line in the new text.
    let side = if finding.kind == FindingKind::RemovedBehaviour { Side::Old } else { Side::New };
    Note { line: finding.line, side, kind, text: &finding.message }
}

/// Findings in files that the patch does not touch.
fn elsewhere(page: &mut Page, findings: &[Finding], files: &[FileDiff]) {
    let is_shown = |finding: &Finding| files.iter().any(|file| *file.path == *finding.path);
    for finding in findings.iter().filter(|finding| !is_shown(finding)) {
        let class = match finding.severity {
            Severity::Error => "note bad",
            Severity::Warning => "note open",
        };
        page.open("div", &[("class", class)]);
        page.element("b", "", &format!("{}:{}", finding.path, finding.line));
        page.raw(" ");
        page.element("span", "", &finding.message);
        page.raw("</div>\n");
    }
}
