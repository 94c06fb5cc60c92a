//! The preview server beside the browser: one that dies, one that never answers, one whose port is taken outside.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use expect_test::expect;
use rb_browser::{Server, ServerState};
use rb_sandbox::{Choice, NetworkGuarantee};

use crate::fixture::{Fixture, LOAD, PORT, SERVE, names, open, url, words};

#[test]
fn tk4_a_server_that_ends_is_noticed_with_its_last_words() {
    let Some(fixture) = Fixture::new(&[("a.html", "<h1>A</h1>")]) else { return };
    let browser = fixture.start();
    let page = browser.page().unwrap();
    open(&page, "a.html");
    assert!(matches!(browser.server(), ServerState::Running { pid } if pid > 0));
    assert_eq!(browser.guarantees(), fixture.sandbox().held());
    let started = Instant::now();
    let silent = words(page.goto(&url("hang"), Duration::from_millis(500)));
    expect![[r#"
        http://localhost:4173/hang did not answer within 0.5 s: no answer
    "#]]
    .assert_eq(&silent);
    open(&page, "a.html");
    let died = words(page.goto(&url("die"), LOAD));
    expect![[r#"
        the preview server ended with exit code 3 before http://localhost:4173/die answered. Its last output: listening on 4173
        the server cannot go on
    "#]].assert_eq(&died);
    let output = format!("listening on {PORT}\nthe server cannot go on");
    assert_eq!(browser.server(), ServerState::Ended { code: 3, output: output.clone() });
    assert!(started.elapsed() < LOAD, "nobody waits for a server that has ended");
    browser.close().unwrap();
    assert_eq!(names(&fixture.scratch()), ["server.log"]);
    let log = std::fs::read_to_string(fixture.scratch().join("server.log")).unwrap();
    assert_eq!(log, format!("{output}\n\nended with exit code 3\n"));
    assert!(words(page.goto(&url("a.html"), LOAD)).contains("it was closed"));
}

#[test]
fn tk4_a_server_that_starts_slowly_is_waited_for_and_one_that_never_listens_is_not() {
    let Some(fixture) = Fixture::new(&[("a.html", "<h1>A</h1>")]) else { return };
    let line = "while [ ! -e \"$GO\" ]; do sleep 0.05; done; exec python3 server.py";
    let go = fixture.root.join("work/go");
    let env = fixture.env().with("GO", &go);
    let browser = fixture.start_with(line, |setup| setup.env = Box::leak(Box::new(env))).unwrap();
    let page = browser.page().unwrap();
    expect![[r#"
        http://localhost:4173/a.html did not answer within 2 s: connection refused
    "#]]
    .assert_eq(&words(page.goto(&url("a.html"), Duration::from_secs(2))));
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| page.goto(&url("a.html"), LOAD));
        std::fs::write(&go, "").unwrap();
        assert_eq!(waiting.join().unwrap().unwrap().status, Some(200));
    });
}

#[test]
fn tk4_a_port_that_is_taken_outside_is_free_in_the_sandbox() {
    let Some(fixture) = Fixture::new(&[("a.html", "<h1>From the worktree</h1>")]) else { return };
    if fixture.sandbox().held().network != NetworkGuarantee::Cut {
        return;
    }
    // Another test may have it already, which serves as well.
    let _taken = TcpListener::bind(("127.0.0.1", PORT));
    let browser = fixture.start();
    let page = browser.page().unwrap();
    open(&page, "a.html");
    assert_eq!(page.text(None).unwrap(), "From the worktree");
}

#[test]
fn tk4_a_port_that_is_taken_is_refused_where_the_network_is_shared() {
    let Some(fixture) = Fixture::new(&[]) else { return };
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    let folder = fixture.root.join("work");
    let sandbox = fixture.chosen_sandbox(&Choice::Off);
    let refused = fixture.start_with("", |setup| {
        setup.sandbox = Box::leak(Box::new(sandbox));
        let folder = Box::leak(folder.into_boxed_path());
        setup.server = Server::Command { line: SERVE, folder, port, writable: Vec::new() };
    });
    let words = words(refused).replace(&port.to_string(), "PORT");
    expect![[r#"
        port PORT is in use by another program, and this sandbox does not separate the network. Stop that program, or choose another port
    "#]].assert_eq(&words);
    assert_eq!(names(&fixture.scratch()), Vec::<String>::new());
}

#[test]
fn tk4_an_external_server_is_reached_over_the_network_of_the_machine() {
    let Some(fixture) = Fixture::new(&[]) else { return };
    let stub = rb_testkit::stub::Stub::always(
        rb_testkit::stub::Reply::ok("<h1>External</h1>").header("content-type", "text/html"),
    );
    let browser = fixture.start_with("", |setup| setup.server = Server::External).unwrap();
    assert_eq!(browser.server(), ServerState::NotOurs);
    let page = browser.page().unwrap();
    page.goto(&stub.url(), LOAD).unwrap();
    assert_eq!(page.text(None).unwrap(), "External");
}
