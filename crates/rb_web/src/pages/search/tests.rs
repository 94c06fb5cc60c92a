use super::page;
use crate::pages::code::testing::TestSite;

const FILES: &str = "\
//- src/session.js
export function expireSession(id) {
  sessions.delete(id);
}
//- src/other.js
export const other = 1;
";

#[test]
fn ux4_results_have_reasons_symbols_and_lines_that_open_the_source() {
    let site = TestSite::new(FILES);
    let page = site.page(page, &[], &[("q", "expireSession")]).unwrap();
    for part in [
        "value=\"expireSession\"",
        "<a href=\"/code/src/session.js\">src/session.js</a>",
        "<a href=\"/code/src/session.js?lines=1-3#L1\"><span class=\"kind\">function</span> expireSession</a>",
        "<a href=\"/code/src/session.js?lines=1#L1\"><span class=\"n\">1</span>",
        "has expiresession, expire, session",
        "words +",
        "Searched 2 files.",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
}

#[test]
fn ux4_what_is_asked_is_text() {
    let page = TestSite::new(FILES).page(page, &[], &[("q", "\"><script>zzqq")]).unwrap();
    assert!(!page.contains("<script"), "{page}");
    assert!(page.contains("value=\"&quot;&gt;&lt;script&gt;zzqq\""), "{page}");
}

#[test]
fn ux4_without_a_question_the_page_says_what_can_be_asked() {
    let page = TestSite::new(FILES).page(page, &[], &[("q", "  ")]).unwrap();
    assert!(page.contains("Ask in plain words"), "{page}");
}

#[test]
fn ux4_rules_are_found_with_the_reason() {
    let page = TestSite::new(FILES).page(page, &[], &[("q", "waterfalls async-parallel")]).unwrap();
    for part in [
        "<h2>Rules</h2>",
        "<a href=\"/rules/async-parallel\">async-parallel</a>",
        "id has async-parallel · category has waterfalls",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(!page.contains("<h2>Runs</h2>"), "{page}");
}

#[test]
fn ux4_runs_are_found_by_what_was_asked_for() {
    let site = crate::pages::review::testing::site(1, &[]);
    let found = |question| site.page(page, &[], &[("q", question)]).unwrap();
    let shown = found("promises refactor");
    for part in [
        "<a href=\"/runs/20260131T120000Z\">Use &lt;b&gt; &amp; promises</a>",
        "title has promises · workflow has refactor",
        "<time datetime=\"2026-01-31T12:00:00.000Z\">",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    assert!(!found("promises ticket").contains("<h2>Runs</h2>"));
}
