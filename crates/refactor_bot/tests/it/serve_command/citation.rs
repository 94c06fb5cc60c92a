//! A question, its answer, and the lines that the answer cites.

use rb_testkit::in_time;

use super::NOTES;
use super::browser::{LIMIT, Watched, button, css};

#[test]
fn ux4_a_citation_opens_the_lines_that_it_cites() {
    in_time(|| {
        let Some(watched) = Watched::start(NOTES) else { return };
        let page = watched.page();
        watched.open(&page, "/new");
        page.type_text(&css("#question"), "Where are notes stored?").unwrap();
        page.click(&button("Ask")).unwrap();
        page.wait_for(&css("a.cite"), LIMIT).unwrap();
        let cited = page.text(Some(&css("a.cite"))).unwrap();
        watched.assert_clean(&page);

        let (path, lines) = cited.rsplit_once(':').unwrap();
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        page.click(&css("a.cite")).unwrap();
        page.wait_for(&css(".line.marked"), LIMIT).unwrap();
        assert!(
            page.url().starts_with(&watched.served.url(&format!("/code/{path}?lines="))),
            "{}",
            page.url()
        );
        let marked = page.script(
            "return [...document.querySelectorAll('.line.marked')].map((line) => line.id).join(' ')",
        );
        let ids =
            (first.parse().unwrap()..=last.parse::<u32>().unwrap()).map(|line| format!("L{line}"));
        assert_eq!(marked.unwrap(), ids.collect::<Vec<_>>().join(" "));
        watched.assert_clean(&page);
    });
}
