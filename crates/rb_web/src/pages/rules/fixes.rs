//! What fixes make of the files, as diffs.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::RepoPath;
use rb_html::Page;
use rb_html::diff::{self, Budget, Diff, Layout, View};
use rb_rules::engine::{Applied, RuleChange};
use rb_rules::{Applicability, Finding};
use rb_workspace::patch::{self, File};

use crate::pages::code::address;
use crate::pages::code::prose::prose;

/// More files are not worked out for one page.
const MOST: usize = 20;
const LINES: usize = 3000;
const LINES_PER_FILE: usize = 500;

/// The files whose fixes are shown.
pub(super) struct FixedFiles<'f> {
    pub(super) paths: BTreeSet<&'f str>,
    pub(super) left_out: usize,
}

/// The first of the files that have a finding with an edit.
pub(super) fn files<'f>(findings: &[&'f Finding]) -> FixedFiles<'f> {
    let with_fix = findings.iter().filter(|finding| finding.fix.is_some());
    let all: BTreeSet<&str> = with_fix.map(|finding| finding.path.as_str()).collect();
    let left_out = all.len().saturating_sub(MOST);
    FixedFiles { paths: all.into_iter().take(MOST).collect(), left_out }
}

pub(super) fn write(body: &mut Page, changes: &[RuleChange]) {
    if changes.is_empty() {
        body.element("p", "soft", "The edits change nothing as the files are now.");
        return;
    }
    let mut budget = Budget { lines: LINES, lines_per_file: LINES_PER_FILE };
    for (number, change) in changes.iter().enumerate() {
        body.raw("<ul class=\"plain\">\n");
        change.applied.iter().for_each(|edit| applied(body, edit));
        body.raw("</ul>\n");
        let anchor = format!("fix-{number}");
        let view = View { layout: Layout::SideBySide, notes: &[], anchor: &anchor, patch: None };
        for file in &Diff::read(&patch_of(change)).files {
            diff::render(body, file, &view, &mut budget);
        }
    }
}

fn applied(body: &mut Page, edit: &Applied) {
    body.raw("<li>");
    let place = address::lines(&edit.path, edit.line, edit.line);
    body.link(&place, &format!("{}:{}", edit.path, edit.line));
    body.raw(" ");
    prose(body, &edit.title);
    match edit.applicability {
        Applicability::Auto => body.raw(" <span class=\"badge good\">proved</span>"),
        Applicability::Assist => body.raw(" <span class=\"badge open\">draft: review it</span>"),
    }
    body.raw("</li>\n");
}

/// Empty for a change whose paths no patch can name.
fn patch_of(change: &RuleChange) -> Vec<u8> {
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    for (path, (old, new)) in &change.files {
        let Ok(path) = RepoPath::new(path) else { continue };
        before.insert(path.clone(), File::regular(old.as_bytes()));
        after.insert(path, File::regular(new.as_bytes()));
    }
    patch::diff(&before, &after).map(|patch| patch::write(&patch)).unwrap_or_default()
}
