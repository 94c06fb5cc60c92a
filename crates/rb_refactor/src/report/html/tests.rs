//! The page holds what it should, and nothing foreign in it is markup.

use rb_audit::{Finding, FindingKind, Severity};

use super::text;
use crate::event::Outcome;
use crate::report::run_history::Node;
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
        let policy = "content=\"default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; ";
        assert!(page.contains(policy), "{name}");
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
fn rf8_rf9_the_page_says_how_to_decide_or_what_was_decided() {
    let mut facts = samples::good().facts();
    let mut page = |outcome: Option<Outcome>| {
        facts.history.state.course.outcome = outcome;
        text(&facts)
    };
    assert!(page(None).contains("To decide: <code>refactor-bot accept 20260131T120000Z</code>"));
    for (outcome, expected) in [
        (
            Outcome::Accepted,
            "checkout. To undo: <code>refactor-bot rollback 20260131T120000Z</code>",
        ),
        (Outcome::BranchKept, "on the branch <code>refactor-bot/20260131T120000Z</code>."),
        (Outcome::Rejected, "The change was rejected and removed."),
        (Outcome::RolledBack, "The change was rolled back"),
    ] {
        let page = page(Some(outcome));
        assert!(page.contains(expected) && !page.contains("To decide"), "{outcome:?}: {page}");
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
                None if ["!doctype", "meta", "br", "input", "col"].contains(&&*word) => {}
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
    assert_eq!(page.matches("<td class=\"code add\">").count(), 2 * (600 + 1), "in both layouts");
    let rest =
        "4400 more lines not shown. <a href=\"tasks/batch-001.patch\">Open the whole patch</a>";
    assert!(page.contains(rest), "{page}");
    assert!(page.contains("The whole patch: <a href=\"tasks/batch-001.patch\">"));
}

#[test]
fn ux4_findings_stand_at_their_lines_of_the_diff() {
    let mut facts = samples::good().facts();
    let patch =
        "diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1 +1,2 @@\n-f();\n+a();\n+b();\n";
    let finding = |path: &str, line, kind, message: &str| Finding {
        path: path.to_owned(),
        line,
        kind,
        severity: Severity::Warning,
        message: message.to_owned(),
        cause: None,
    };
    facts.tasks[0].patch = Some(patch.into());
    facts.tasks[0].examination.as_mut().unwrap().findings = vec![
        finding("a.js", 2, FindingKind::SyntaxError, "at the <new> line"),
        finding("a.js", 1, FindingKind::RemovedBehaviour, "at the old line"),
        finding("b.js", 7, FindingKind::SyntaxError, "in another file"),
    ];
    let page = text(&facts);
    let diffs = &page[page.find("Diffs by task").unwrap()..];
    let ids = [
        "batch-001-0-o1\"",
        "at the old line",
        "batch-001-0-n2\"",
        "at the &lt;new&gt; line",
        "b.js:7",
    ];
    let order: Vec<usize> = ids.iter().map(|id| diffs.find(id).unwrap()).collect();
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn ux4_the_report_is_the_page_of_the_run_frozen() {
    let mut facts = samples::mixed().facts();
    facts.history.nodes = vec![Node { name: "plan".to_owned(), visits: 2, ms: 1500 }];
    let page = text(&facts);
    for part in [
        "<b>plan</b><span>2 × · 1.5 s</span>",
        "<ol class=\"steps\">",
        "<figure class=\"chart\"><figcaption>Tests</figcaption>",
        "<figcaption>Time by step</figcaption>",
        "<input type=\"radio\" name=\"layout\" id=\"side-by-side\">",
        "<table class=\"diff unified\"",
        "<table class=\"diff split\"",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn ux4_the_diffs_of_the_report_begin_with_the_least_sure() {
    let mut facts = samples::good().facts();
    assert!(facts.tasks_by_confidence().len() > 1, "the sample has several changes");
    let last = facts.history.standing.last().copied().unwrap();
    let task = facts.tasks.iter_mut().find(|task| task.id() == last).unwrap();
    let confidence = task.confidence.as_mut().unwrap();
    (confidence.score, confidence.sum) = (1, 1);
    let page = text(&facts);
    let first = page.find("<details class=\"task\">").unwrap();
    assert!(
        page[first..]
            .starts_with(&format!("<details class=\"task\">\n<summary><code>{last}</code>"))
    );
}

#[test]
fn rf9_what_the_model_suggests_is_on_the_page() {
    let mut facts = samples::mixed().facts();
    let heading = "<h2>Suggested by the model, not done</h2>";
    assert!(!text(&facts).contains(heading));
    facts.tasks[0].said.followups = vec!["drop <b>it</b>".to_owned()];
    let page = text(&facts);
    assert!(page.contains(heading) && page.contains("<li>drop &lt;b&gt;it&lt;/b&gt;</li>"));
}
