//! What a page shows, and what goes wrong on it.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use expect_test::expect;
use rb_browser::Target;

use crate::fixture::{Fixture, LOAD, open, url, words};

const SHOP: &str = r#"
<body>
<h1>Shop</h1>
<nav aria-label="Main"><ul><li><a href="/a">Home</a></li><li><a href="/b">About <b>us</b></a></li></ul></nav>
<div><div><p>Two <em>fine</em> things</p></div></div>
<form aria-label="Order">
  <label>Name <input required value="Ann"></label>
  <label><input type=checkbox checked> Gift</label>
  <button disabled>Buy</button>
  <button aria-expanded=false>More</button>
  <select aria-label="Size"><option>S</option><option selected>L</option></select>
</form>
<img alt="A cat" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" width=10 height=10>
<p hidden>not shown</p><script>var ignored = "script";</script>
"#;

const WRONG: &str = r#"
<meta http-equiv="Content-Security-Policy" content="img-src 'self'">
<body>Wrong
<img src="missing.png"><img src="http://elsewhere.example/x.png">
<script>
  console.log("fine"); console.warn("odd");
  console.error("bad", 1, {a: 2}, new Error("inner").message);
  fetch("/broken", {method: "GET"}); fetch("http://127.0.0.1:1/");
  setTimeout(() => { undefined.x }, 0);
  Promise.reject(new Error("unheard \u001b[31m"));
  for (let i = 0; i < 1000; i++) console.error("again");
</script>
"#;

const WIDE: &str = r#"
<body style="margin: 0">
<div class="hero wide" style="width: 600px; height: 20px"><span style="display: block; width: 600px">x</span></div>
<p id=word>Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft</p>
<div style="overflow-x: auto"><table style="width: 900px"><tr><td>scrolls by itself</table></div>
<a style="position: absolute; left: -9999px">Skip</a>
<aside style="position: fixed; right: -300px; width: 300px; top: 0">Drawer</aside>
<p>fits</p>
"#;

const BLANK: &str = "<body><div id=root></div><script>window.broken = true</script>";

#[test]
fn tk4_a_page_is_read_as_a_person_and_a_screen_reader_have_it() {
    let Some(fixture) = Fixture::new(&[("shop.html", SHOP)]) else { return };
    let browser = fixture.start();
    assert!(browser.version().contains("Chrome/"), "{}", browser.version());
    let page = browser.page().unwrap();
    open(&page, "shop.html");
    expect![[r#"
        Shop
        Home
        About us

        Two fine things

        Name   Gift Buy More
        S
        L"#]]
    .assert_eq(&page.text(None).unwrap());
    expect![[r#"
        page "shop.html"
          heading "Shop" [level 1]
          navigation "Main"
            list
              listitem
                link "Home"
              listitem
                link "About us"
          text "Two"
          text "fine"
          text "things"
          form "Order"
            text "Name"
            textbox "Name" = "Ann" [required]
            checkbox "Gift" [checked]
            button "Buy" [disabled]
            button "More" [collapsed]
            combobox "Size" = "L" [collapsed]
              option "S"
              option "L" [selected]
          image "A cat"
    "#]]
    .assert_eq(&page.accessibility_tree(100).unwrap());
    expect![[r#"
        page "shop.html"
          heading "Shop" [level 1]
        (19 more lines)
    "#]]
    .assert_eq(&page.accessibility_tree(2).unwrap());
    assert_eq!(page.console_errors().unwrap(), []);
    assert_eq!(page.failed_requests().unwrap(), []);
}

#[test]
fn tk4_errors_requests_overflow_and_blank_pages_are_noticed() {
    let pages = [
        ("wrong.html", WRONG),
        ("wide.html", WIDE),
        ("blank.html", BLANK),
        ("shapes.html", "<body><svg width=9 height=9><circle r=9 /></svg>"),
        ("stripe.html", "<body><div style='height: 9px; background: red'></div>"),
        ("endless.html", "<body>never<script>for (;;) console.error('x' + Math.random())</script>"),
    ];
    let Some(fixture) = Fixture::new(&pages) else { return };
    let browser = fixture.start();
    let page = browser.page().unwrap();
    open(&page, "wrong.html");
    let mut all = String::new();
    let mut errors = page.console_errors().unwrap();
    errors.sort_by_key(|error| error.line);
    for error in errors {
        let (url, line) = (error.url.unwrap_or_default(), error.line.unwrap_or_default());
        // What follows is worded anew from time to time.
        let text = error.text.split(" directive").next().unwrap();
        writeln!(all, "{text} ({url}, {line})").unwrap();
    }
    let mut requests = page.failed_requests().unwrap();
    requests.sort_by_key(|request| request.url.clone());
    for request in requests {
        let status = request.status.map(|status| format!(" {status}")).unwrap_or_default();
        writeln!(all, "{} {}:{status} {}", request.method, request.url, request.reason).unwrap();
    }
    expect![[r#"
        bad 1 Object inner (http://localhost:4173/wrong.html, 8)
        Uncaught (in promise) TypeError: Failed to fetch (http://localhost:4173/wrong.html, 9)
        Uncaught TypeError: Cannot read properties of undefined (reading 'x') (http://localhost:4173/wrong.html, 10)
        Uncaught (in promise) Error: unheard [31m (http://localhost:4173/wrong.html, 11)
        again (http://localhost:4173/wrong.html, 12)
        Loading the image 'http://elsewhere.example/x.png' violates the following Content Security Policy (http://localhost:4173/wrong.html, 13)
        GET http://127.0.0.1:1/: unsafe port
        GET http://elsewhere.example/x.png: blocked (csp)
        GET http://localhost:4173/broken: 500 Broken
        GET http://localhost:4173/missing.png: 404 File not found
    "#]].assert_eq(&all);

    open(&page, "wide.html");
    assert_eq!(page.console_errors().unwrap(), [], "those of the page before are forgotten");
    assert_eq!(page.overflow().unwrap(), Vec::<String>::new());
    page.set_viewport(375, 667).unwrap();
    assert_eq!(page.overflow().unwrap(), ["div.hero.wide", "p#word"]);

    for (name, is_blank) in
        [("blank.html", true), ("wide.html", false), ("shapes.html", false), ("stripe.html", false)]
    {
        open(&page, name);
        assert_eq!(page.is_blank().unwrap(), is_blank, "{name}");
    }

    let mut refused = words(page.goto("file:///etc/passwd", LOAD));
    refused += &words(page.goto("http://elsewhere.example/", LOAD));
    let started = Instant::now();
    refused += &words(page.goto(&url("endless.html"), Duration::from_millis(1500)));
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    expect![[r#"
        `file:///etc/passwd` cannot be opened. Use an http or https URL
        http://elsewhere.example/ cannot be reached: name not resolved
        http://localhost:4173/endless.html did not finish loading within 1.5 s
    "#]]
    .assert_eq(&refused);
    // The page is usable again.
    open(&page, "wide.html");
    assert!(page.is_visible(&Target::Text("fits".to_owned())).unwrap());
    assert_eq!(page.goto(&url("absent.html"), LOAD).unwrap().status, Some(404));
}

#[test]
fn tk4_a_script_of_ours_sees_the_document_and_its_colours_but_no_script_of_the_page() {
    let Some(fixture) = Fixture::new(&[("blank.html", BLANK)]) else { return };
    let browser = fixture.start();
    let page = browser.page().unwrap();
    open(&page, "blank.html");
    let seen = page.script("return [document.querySelectorAll('#root').length, typeof broken]");
    assert_eq!(seen.unwrap(), serde_json::json!([1, "undefined"]));
    for scheme in ["dark", "light"] {
        page.set_color_scheme(scheme).unwrap();
        let query = format!("return matchMedia('(prefers-color-scheme: {scheme})').matches");
        assert_eq!(page.script(&query).unwrap(), true, "{scheme}");
    }
    assert!(words(page.script("throw new Error('no')")).contains("Error: no"));
    assert_eq!(page.origins().unwrap(), [url("").trim_end_matches('/')]);
}
