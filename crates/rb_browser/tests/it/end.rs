//! Nothing outlives a browser, however it ends, and a browser that cannot start says why.

use std::path::Path;
use std::time::{Duration, Instant};

use expect_test::expect;
use rb_browser::BrowserError;
use rb_sandbox::Choice;

use crate::fixture::{Fixture, LOAD, names, open, url, words};

#[test]
fn tk4_nothing_is_left_after_drop_panic_and_cancel() {
    let Some(fixture) = Fixture::new(&[("a.html", "<h1>A</h1>")]) else { return };
    let browser = fixture.start();
    let page = browser.page().unwrap();
    open(&page, "a.html");
    assert!(!fixture.processes().is_empty(), "what runs can be seen");
    drop(browser);
    fixture.wait_until_nothing_is_left();
    assert_eq!(names(&fixture.scratch()), ["server.log"]);
    drop(page);

    let panicked = std::panic::catch_unwind(|| {
        let _browser = fixture.start();
        std::panic::resume_unwind(Box::new("on purpose"));
    });
    assert!(panicked.is_err());
    fixture.wait_until_nothing_is_left();

    let browser = fixture.start_with("exec sleep 600", |_| {}).unwrap();
    let page = browser.page().unwrap();
    let started = Instant::now();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| page.goto(&url("a.html"), LOAD));
        let until = Instant::now() + Duration::from_millis(200);
        while Instant::now() < until {
            std::thread::yield_now();
        }
        fixture.cancel.cancel();
        let error = waiting.join().unwrap().unwrap_err();
        assert!(matches!(error, BrowserError::Cancelled(_)), "{error}");
    });
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    drop(browser);
    fixture.wait_until_nothing_is_left();
    assert_eq!(names(&fixture.scratch()), ["server.log"]);
}

#[test]
fn tk4_weaker_sandboxes_hold_a_browser_too() {
    let Some(fixture) = Fixture::new(&[]) else { return };
    for choice in [Choice::Landlock, Choice::Off] {
        let sandbox = fixture.chosen_sandbox(&choice);
        let browser = fixture.start_with("exec sleep 600", |setup| {
            setup.sandbox = Box::leak(Box::new(sandbox));
        });
        let page = browser.as_ref().unwrap().page().unwrap();
        assert_eq!(page.goto("about:blank", LOAD).unwrap().url, "about:blank", "{choice:?}");
        drop(browser);
        fixture.wait_until_nothing_is_left();
        assert_eq!(names(&fixture.scratch()), ["server.log"], "{choice:?}");
    }
}

#[test]
fn tk4_a_browser_that_cannot_start_says_what_to_do() {
    let Some(fixture) = Fixture::new(&[]) else { return };
    let env = fixture.env().with("PATH", fixture.root.join("bin"));
    let mut all = String::new();
    all +=
        &words(fixture.start_with("true", |setup| setup.env = Box::leak(Box::new(env))).map(drop));
    let path = Path::new("/no/such/chromium");
    all += &words(fixture.start_with("true", |setup| setup.chromium = Some(path)).map(drop));
    let path = Path::new("/bin/false");
    all += &words(fixture.start_with("true", |setup| setup.chromium = Some(path)).map(drop));
    expect![[r#"
        Chromium was not found. Install the package `chromium` (or Google Chrome), or give the path of the program
        `/no/such/chromium` is not a program. Give the path of Chromium, or install the package `chromium`
        Chromium ended: exit code 1
    "#]].assert_eq(&all);
    fixture.wait_until_nothing_is_left();
}
