//! The HTML.

use super::*;
use crate::Page;

const PATCH: &str = "diff --git a/a.rs b/a.rs
--- a/a.rs
+++ b/a.rs
@@ -1,2 +1,2 @@ mod <a>
 fn a() {}
-let x = \"<b>\";
+let y = \"<b>\";
";

fn html(patch: &str, view: &View<'_>, mut budget: Budget) -> String {
    let mut page = Page::new();
    for file in &Diff::read(patch.as_bytes()).files {
        render(&mut page, file, view, &mut budget);
    }
    page.done()
}

const AMPLE: Budget = Budget { lines: 1000, lines_per_file: 1000 };

fn note(line: u32, text: &str) -> Note<'_> {
    Note { line, side: Side::New, kind: NoteKind::Warning, text }
}

#[test]
fn ux4_a_diff_is_a_table_with_its_notes() {
    let notes = [note(2, "unused <i>"), note(70, "far away")];
    let view = View { layout: Layout::Unified, notes: &notes, anchor: "d", patch: None };
    expect![[r#"
        <details class="file" id="d-0" open=""><summary><span class="path">a.rs</span> <span class="change">modified</span> <span class="size"><span class="plus">+1</span> <span class="minus">−1</span></span></summary>
        <div class="lines"><table class="diff unified" aria-label="Changes in a.rs"><thead><tr><th>Old line</th><th>New line</th><th>Code</th></tr></thead>
        <tbody>
        <tr class="hunk"><td colspan="3">@@ -1,2 +1,2 @@ <span class="section">mod &lt;a&gt;</span></td></tr>
        <tr><td class="n old" id="d-0-o1" data-line="1"></td><td class="n" id="d-0-n1" data-line="1"></td><td class="code"><span class="k">fn</span> <span class="f">a</span>() {}</td></tr>
        <tr><td class="n del" id="d-0-o2" data-line="2"></td><td class="n del"></td><td class="code del"><span class="spoken">Removed: </span><span class="k">let</span> <del>x</del> = <span class="s">&quot;&lt;b&gt;&quot;</span>;</td></tr>
        <tr><td class="n add"></td><td class="n add" id="d-0-n2" data-line="2"></td><td class="code add"><span class="spoken">Added: </span><span class="k">let</span> <ins>y</ins> = <span class="s">&quot;&lt;b&gt;&quot;</span>;</td></tr>
        <tr class="notes"><td colspan="3"><div class="note open"><b>Warning</b> <span>unused &lt;i&gt;</span></div>
        </td></tr>
        </tbody></table></div>
        <div class="note open"><b>Warning</b><span class="soft"> line 70</span> <span>far away</span></div>
        </details>
    "#]].assert_eq(&html(PATCH, &view, AMPLE));
}

#[test]
fn ux4_side_by_side_has_both_lines_in_a_row() {
    let view = View { layout: Layout::SideBySide, notes: &[], anchor: "d", patch: None };
    expect![[r#"
        <details class="file" id="d-0" open=""><summary><span class="path">a.rs</span> <span class="change">modified</span> <span class="size"><span class="plus">+1</span> <span class="minus">−1</span></span></summary>
        <div class="lines"><table class="diff split" aria-label="Changes in a.rs"><colgroup><col class="n"><col><col class="n"><col></colgroup>
        <thead><tr><th>Old line</th><th>Old code</th><th>New line</th><th>New code</th></tr></thead>
        <tbody>
        <tr class="hunk"><td colspan="4">@@ -1,2 +1,2 @@ <span class="section">mod &lt;a&gt;</span></td></tr>
        <tr><td class="n old" id="d-0-o1" data-line="1"></td><td class="code old"><span class="k">fn</span> <span class="f">a</span>() {}</td><td class="n" id="d-0-n1" data-line="1"></td><td class="code"><span class="k">fn</span> <span class="f">a</span>() {}</td></tr>
        <tr><td class="n del" id="d-0-o2" data-line="2"></td><td class="code del"><span class="spoken">Removed: </span><span class="k">let</span> <del>x</del> = <span class="s">&quot;&lt;b&gt;&quot;</span>;</td><td class="n add" id="d-0-n2" data-line="2"></td><td class="code add"><span class="spoken">Added: </span><span class="k">let</span> <ins>y</ins> = <span class="s">&quot;&lt;b&gt;&quot;</span>;</td></tr>
        </tbody></table></div>
        </details>
    "#]].assert_eq(&html(PATCH, &view, AMPLE));
}

#[test]
fn ux4_what_does_not_fit_is_counted() {
    let patch = format!("--- a/a\n+++ b/a\n@@ -0,0 +1,50 @@\n{}", "+x\n".repeat(50));
    let view = View { layout: Layout::Unified, notes: &[], anchor: "d", patch: None };
    let page = html(&patch, &view, Budget { lines: 30, lines_per_file: 20 });
    assert_eq!(page.matches("class=\"code add\"").count(), 20);
    assert!(page.contains("30 more lines not shown"), "{page}");
    let page = html(&format!("{patch}{patch}"), &view, Budget { lines: 30, lines_per_file: 20 });
    assert_eq!(page.matches("class=\"code add\"").count(), 30);
    assert!(page.contains("40 more lines not shown"), "{page}");
}

#[test]
fn ux4_what_does_not_fit_leads_to_the_whole_patch() {
    let patch = format!("--- a/a\n+++ b/a\n@@ -0,0 +1,50 @@\n{}", "+x\n".repeat(50));
    let href = "/runs/1/review/batch-001?form=patch&<b>";
    let view = View { layout: Layout::Unified, notes: &[], anchor: "d", patch: Some(href) };
    let page = html(&patch, &view, Budget { lines: 30, lines_per_file: 20 });
    let link = "30 more lines not shown. <a href=\"/runs/1/review/batch-001?form=patch&amp;&lt;b&gt;\">Open the whole patch</a>";
    assert!(page.contains(link), "{page}");
    let all = html(&patch, &view, AMPLE);
    assert!(!all.contains("Open the whole patch"), "{all}");
}

#[test]
fn ux4_moved_lines_link_to_their_other_place() {
    let patch = "--- a/a\n+++ b/a\n@@ -1,2 +1,1 @@\n-the quick brown fox jumps over the lazy dog, and again\n x
@@ -9 +8,3 @@\n y\n+the quick brown fox jumps over the lazy dog, and again\n";
    let view = View { layout: Layout::Unified, notes: &[], anchor: "d", patch: None };
    let page = html(patch, &view, AMPLE);
    for part in [
        "<a class=\"twin\" href=\"#d-0-n9\">Moved to line 9</a>",
        "href=\"#d-0-o1\">Moved from line 1</a>",
        "id=\"d-0-n9\"",
        "id=\"d-0-o1\"",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
}

#[test]
fn ux4_the_styles_load_nothing() {
    for outside in ["url(", "@import", "http"] {
        assert!(
            !crate::DIFF_STYLE.contains(outside) && !crate::STYLE.contains(outside),
            "{outside}"
        );
    }
}
