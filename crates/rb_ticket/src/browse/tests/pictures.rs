//! Pictures that are expected, and pictures of what is wrong.

use super::*;

fn looks_like(picture: &str) -> Expectation {
    Expectation::LooksLike { picture: picture.to_owned(), tolerance_percent: 1 }
}

fn size_of(shop: &Shop, name: &str) -> Option<(u32, u32)> {
    rb_browser::png_size(&rb_core::fs::read(&shop.evidence().join(name)).unwrap())
}

#[test]
fn tk3_a_page_is_compared_with_the_picture_of_the_ticket() {
    let Some(shop) = Shop::new() else { return };
    shop.verify(RUN, &[check("C1", "/", vec![shows("Shop")])]).unwrap();
    let expected = shop.repo.beside("shop.png");
    let png = rb_core::fs::read(&shop.evidence().join("proof-C1.png")).unwrap();
    rb_core::fs::write(&expected, &png, rb_core::fs::Durability::Relaxed).unwrap();
    let pictures = BTreeMap::from([("shop.png".to_owned(), expected)]);
    let checks = [
        check("C1", "/", vec![looks_like("shop.png")]),
        check("C2", "/wide.html", vec![looks_like("shop.png")]),
    ];
    let url = format!("http://127.0.0.1:{}", shop.port);
    let options = PreviewOptions { command: Some(RUN), url: Some(&url) };
    let changes = Changes { pictures: Some(&pictures), ..Changes::default() };
    let verification = shop.verify_with(options, &checks, changes).unwrap();

    let report = verification.report();
    assert_eq!(
        report.screenshots,
        ["proof-C1.png", "issue-C2.png", "issue-C2-difference.png"],
        "{report:?}"
    );
    let [issue] = &report.issues[..] else { panic!("{report:?}") };
    assert_eq!(issue.expected, "the page looks like shop.png (at most 1% of the pixels differ)");
    let percent = issue.actual.strip_suffix("% of the pixels differ").unwrap();
    assert!(percent.parse::<f64>().unwrap() > 1.0, "{percent}");
    assert_eq!(issue.screenshot.as_deref(), Some("issue-C2.png"));
    assert_eq!(size_of(&shop, "issue-C2-difference.png"), size_of(&shop, "issue-C2.png"));
    let [_, page, difference] = &verification.evidence.pictures[..] else { panic!("{report:?}") };
    assert_ne!(page.sha256, difference.sha256);
    assert_eq!((&difference.url, &difference.commit), (&page.url, &page.commit));
    assert_eq!(verification.evidence.verify(&shop.evidence()), Ok(()));
}

#[test]
fn tk4_an_element_that_is_not_as_expected_has_a_picture_of_its_own() {
    let Some(shop) = Shop::new() else { return };
    let css = |css: &str| Target::Css(css.to_owned());
    let checks = [
        check("C1", "/cart.html", vec![Expectation::TextAbsent("+ loyalty points".to_owned())]),
        check("C2", "/cart.html", vec![Expectation::Enabled(button("Pay"))]),
        check("C3", "/wide.html", vec![Expectation::Absent(css(".banner"))]),
        // There is nothing to be seen of these.
        check("C4", "/cart.html", vec![Expectation::Exists(css(".banner"))]),
        check("C5", "/cart.html", vec![shows("Earn 10 points")]),
    ];
    let verification = shop.verify(RUN, &checks).unwrap();
    let report = verification.report();
    let elements: Vec<&String> =
        report.screenshots.iter().filter(|name| name.ends_with("-element.png")).collect();
    assert_eq!(elements, ["issue-C1-element.png", "issue-C2-element.png", "issue-C3-element.png"]);
    assert_eq!(report.issues[0].screenshot.as_deref(), Some("issue-C1.png"));
    let (_, height) = size_of(&shop, "issue-C1-element.png").unwrap();
    assert!(height < 100, "{height}");
    assert_eq!(size_of(&shop, "issue-C3-element.png").map(|(width, _)| width), Some(900));
}
