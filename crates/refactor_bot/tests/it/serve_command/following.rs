//! The events of a run, as its page follows them.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;

use rb_testkit::in_time;

use super::http::{Events, ask, follow};
use super::{DIRECTIVE, NOTES, Served};

fn journal(served: &Served, run: &str) -> PathBuf {
    served.cli.home().join("runs").join(run).join("journal.jsonl")
}

fn events(served: &Served, path: &str) -> Events {
    let (host, cookie) = (&served.host, served.cookie());
    follow(host, &format!("GET {path}\nHost: {host}\nCookie: {cookie}"))
}

/// The address that a page gives its script.
fn events_of(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("data-events=\"")?;
    rest.split('"').next()
}

#[test]
fn ux4_no_event_is_lost_between_the_page_and_its_stream() {
    in_time(|| {
        let served = Served::start(NOTES);
        let run = served.run(DIRECTIVE);
        let page = served.get(&format!("/runs/{run}")).body;
        let address = events_of(&page).unwrap();
        let (_, seen) = address.split_once("?after=").unwrap();
        let seen: u32 = seen.parse().unwrap();
        assert!(page.contains(&format!("data-seq=\"{seen}\"")), "the page ends with it");
        assert!(!page.contains(&format!("data-seq=\"{}\"", seen + 1)));
        // As if the page had been made three events ago.
        let before = seen - 3;
        let message = events(&served, &format!("/runs/{run}/events?after={before}")).next();
        let log = message.unwrap()["log"].as_str().unwrap().to_owned();
        assert_eq!(log.matches("data-seq=").count(), 3, "{log}");
        assert!(log.contains(&format!("data-seq=\"{}\"", before + 1)), "{log}");
        assert!(log.contains(&format!("data-seq=\"{seen}\"")), "{log}");
    });
}

/// Browsers keep six connections to a server.
#[test]
fn ux4_a_run_that_is_over_is_not_followed() {
    in_time(|| {
        let served = Served::start(NOTES);
        let run = served.run(DIRECTIVE);
        let path = format!("/runs/{run}");
        let mut open = events(&served, &format!("{path}/events"));
        assert_eq!(open.next().unwrap()["over"], false);
        served.cli.run(["reject", &run]).expect_code(0);
        let mut last = None;
        while let Some(message) = open.next() {
            last = Some(message);
        }
        assert_eq!(last.unwrap()["over"], true, "the stream ends with the run");
        assert_eq!(events_of(&served.get(&path).body), None);
        // A browser that reconnects anyway gets a reply that stops it.
        let (host, cookie) = (&served.host, served.cookie());
        let head =
            format!("GET {path}/events\nHost: {host}\nCookie: {cookie}\nLast-Event-ID: 9 over");
        assert_eq!(ask(host, &head).status, 204);
    });
}

#[test]
fn ux4_a_journal_that_is_away_for_a_moment_is_waited_for() {
    in_time(|| {
        let served = Served::start(NOTES);
        let run = served.run(DIRECTIVE);
        let journal = journal(&served, &run);
        let away = journal.with_extension("away");
        fs::rename(&journal, &away).unwrap();
        // To refuse would end it for the browser: `follow` checks that it is a stream.
        let mut open = events(&served, &format!("/runs/{run}/events"));
        fs::rename(&away, &journal).unwrap();
        assert_eq!(open.next().unwrap()["title"], DIRECTIVE);
    });
}

#[test]
fn ux4_a_run_that_cannot_be_read_is_listed_as_such() {
    in_time(|| {
        let served = Served::start(NOTES);
        let run = served.run(DIRECTIVE);
        assert!(!served.get("/runs").body.contains("unreadable"));
        let mut file = OpenOptions::new().append(true).open(journal(&served, &run)).unwrap();
        file.write_all(b"no event\n").unwrap();
        let list = served.get("/runs").body;
        assert!(list.contains("unreadable"), "{list}");
        assert!(list.contains(&format!("Run {run}")), "{list}");
        let page = served.get(&format!("/runs/{run}"));
        assert_eq!(page.status, 500);
        assert!(page.body.contains("is damaged"), "{}", page.body);
    });
}
