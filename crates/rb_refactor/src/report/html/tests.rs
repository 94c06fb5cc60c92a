//! The page holds what it should, and nothing foreign in it is markup.

use super::{POLICY, text};
use crate::report::samples;

#[test]
fn rf9_foreign_text_is_never_markup_on_the_page() {
    let page = text(&samples::hostile().facts());
    for bad in ["<script", "<img", "onerror=alert(1)>", "\u{202e}", "href=\"http"] {
        assert!(!page.contains(bad), "{bad}");
    }
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.contains("⟨U+202E⟩"));
}

#[test]
fn rf9_the_page_stands_alone() {
    for (name, sample) in samples::all() {
        let page = text(&sample.facts());
        assert!(page.starts_with("<!doctype html>"), "{name}");
        assert!(page.contains(POLICY), "{name}");
        for outside in ["<script", "<link", "src=", "@import", "url(", "http:", "https:"] {
            let ours = page.replace("http-equiv", "");
            let is_hostile = name == "hostile" && outside.starts_with("http");
            assert!(
                is_hostile || !ours.contains(outside) || name == "hostile",
                "{name}: {outside}"
            );
        }
    }
}

#[test]
fn rf9_every_tag_is_closed() {
    for (name, sample) in samples::all() {
        let page = text(&sample.facts());
        let mut open: Vec<String> = Vec::new();
        for piece in page.split('<').skip(1) {
            let tag = piece.split('>').next().unwrap();
            let word = tag.split([' ', '\n']).next().unwrap().to_lowercase();
            match word.strip_prefix('/') {
                Some(closed) => assert_eq!(open.pop().as_deref(), Some(closed), "{name}: {piece}"),
                None if ["!doctype", "meta", "br"].contains(&&*word) => {}
                None => open.push(word),
            }
        }
        assert!(open.is_empty(), "{name}: {open:?}");
    }
}

#[test]
fn rf9_a_long_diff_is_cut_and_its_patch_named() {
    let mut facts = samples::good().facts();
    let lines = "+x\n".repeat(5000);
    let patch = format!("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1,5000 @@\n{lines}");
    facts.tasks[0].patch = Some(patch.into_bytes());
    let page = text(&facts);
    assert_eq!(page.matches("<span class=\"a\">").count(), 600 - 4 + 1);
    assert!(page.contains("4404 more lines; the whole patch: <a href=\"tasks/batch-001.patch\">"));
}
