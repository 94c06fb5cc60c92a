//! Screenshots, and how two of them differ.

use expect_test::expect;
use rb_browser::{Target, png_size};

use crate::fixture::{Fixture, open};

const CARD: &str = r#"
<body style="margin: 0; font: 20px sans-serif">
<h1 style="margin: 20px">Invoices</h1>
<div id=card style="position: absolute; left: 20px; top: 100px; width: 200px; height: 100px; background: teal"></div>
"#;

#[test]
fn tk4_a_screenshot_is_a_png_and_two_of_them_can_be_compared() {
    let tall = "<body style='margin: 0'><div style='height: 20000px'>tall</div>";
    let moved = CARD.replace("top: 100px", "top: 150px");
    let pages = [("card.html", CARD), ("moved.html", moved.as_str()), ("tall.html", tall)];
    let Some(fixture) = Fixture::new(&pages) else { return };
    let browser = fixture.start();
    let page = browser.page().unwrap();
    page.set_viewport(400, 300).unwrap();
    open(&page, "card.html");
    let card = page.screenshot(None).unwrap();
    assert_eq!(png_size(&card), Some((400, 300)));
    let element = page.screenshot(Some(&Target::Css("#card".to_owned()))).unwrap();
    assert_eq!(png_size(&element), Some((200, 100)));
    open(&page, "moved.html");
    let moved = page.screenshot(None).unwrap();
    open(&page, "tall.html");
    assert_eq!(png_size(&page.screenshot(None).unwrap()), Some((400, 8000)));

    let same = browser.difference(&card, &card).unwrap();
    assert_eq!((same.share, same.same_size), (0.0, true));
    let differs = browser.difference(&card, &moved).unwrap();
    // Two stripes of 200 × 50 of 400 × 300 pixels.
    assert_eq!((differs.share, differs.same_size), (20_000.0 / 120_000.0, true));
    assert_eq!(png_size(&differs.picture), Some((400, 300)));
    let smaller = browser.difference(&card, &element).unwrap();
    assert!(!smaller.same_size && smaller.share > 0.8, "{}", smaller.share);
    let broken = browser.difference(b"no picture", &card).unwrap_err().to_string();
    expect!["the expected picture is not a PNG. Give a screenshot in this format"]
        .assert_eq(&broken);
}
