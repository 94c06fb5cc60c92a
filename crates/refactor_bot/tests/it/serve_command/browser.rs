//! A real Chromium in front of the server. Where Chromium is not installed, the tests that need one return at once; in CI they fail.

use std::path::PathBuf;
use std::time::Duration;

use rb_browser::{Browser, Limits, Page, Server, Setup, Target};
use rb_core::Cancel;
use rb_core::process::Env;
use rb_sandbox::{Choice, Sandbox};
use tempfile::TempDir;

use super::Served;

/// Far more than a busy machine needs.
pub(super) const LIMIT: Duration = Duration::from_mins(1);

pub(super) struct Watched {
    pub(super) served: Served,
    browser: Browser,
    _scratch: TempDir,
}

impl Watched {
    pub(super) fn start(fixture: &str) -> Option<Watched> {
        Watched::over(|| Served::start(fixture))
    }

    /// The server is only made where there is a browser for it.
    pub(super) fn over(served: impl FnOnce() -> Served) -> Option<Watched> {
        let path = std::env::var("PATH").unwrap_or_default();
        let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let folder = |name: &str| {
            let folder = scratch.path().join(name);
            std::fs::create_dir(&folder).unwrap();
            folder
        };
        let (home, temp, work): (PathBuf, PathBuf, PathBuf) =
            (folder("home"), folder("tmp"), folder("work"));
        let env = Env::default().with("PATH", path).with("HOME", home).with("TMPDIR", temp);
        if env.find("chromium").is_none() {
            return missing("Chromium");
        }
        let cancel = Cancel::new();
        let sandbox = Sandbox::probe(&Choice::Off, &env, None, &cancel).unwrap();
        let browser = Browser::start(&Setup {
            sandbox: &sandbox,
            env: &env,
            chromium: None,
            scratch: &work,
            server: Server::External,
            readable: Vec::new(),
            checkouts: Vec::new(),
            cancel: &cancel,
            limits: Limits { call: LIMIT, action: LIMIT, ..Limits::default() },
        });
        Some(Watched { served: served(), browser: browser.unwrap(), _scratch: scratch })
    }

    /// A page of a browser that has opened the start address.
    pub(super) fn page(&self) -> Page {
        let page = self.browser.page().unwrap();
        let loaded = page.goto(&self.served.start_url(), LIMIT).unwrap();
        assert_eq!((loaded.url, loaded.status), (self.served.url("/runs"), Some(200)));
        page
    }

    pub(super) fn open(&self, page: &Page, path: &str) {
        let loaded = page.goto(&self.served.url(path), LIMIT).unwrap();
        assert_eq!(loaded.status, Some(200), "{path}");
    }

    /// Nothing went wrong on the page since it was opened, and it asked nobody else.
    pub(super) fn assert_clean(&self, page: &Page) {
        let url = page.url();
        assert_eq!(page.console_errors().unwrap(), [], "{url}");
        assert_eq!(page.failed_requests().unwrap(), [], "{url}");
        assert_eq!(page.notes().unwrap(), Vec::<String>::new(), "{url}");
        assert_eq!(page.origins().unwrap(), [self.served.url("")], "{url}");
    }
}

/// Nothing is checked where a tool is not installed, except in CI, which has all of them.
pub(super) fn missing<T>(tool: &str) -> Option<T> {
    assert!(std::env::var_os("CI").is_none(), "{tool} is not installed, but CI is set");
    None
}

pub(super) fn css(selector: &str) -> Target {
    Target::Css(selector.to_owned())
}

pub(super) fn button(name: &str) -> Target {
    Target::Role { role: "button".to_owned(), name: name.to_owned() }
}

pub(super) fn link(name: &str) -> Target {
    Target::Role { role: "link".to_owned(), name: name.to_owned() }
}

pub(super) fn wait_for_text(page: &Page, text: &str) {
    page.wait_for_text(text, LIMIT).unwrap_or_else(|error| panic!("{}: {error}", page.url()));
}

/// Fills in the form for a refactoring and waits for its plan. Returns the path of the run.
pub(super) fn plan(watched: &Watched, page: &Page, ticks: &[&str]) -> String {
    watched.open(page, "/new");
    page.type_text(&css("#directive"), super::DIRECTIVE).unwrap();
    for tick in ticks {
        page.click(&css(&format!("input[name={tick}]"))).unwrap();
    }
    page.click(&button("Make a plan")).unwrap();
    wait_for_text(page, "The plan waits for you");
    let url = page.url();
    url.strip_prefix(&watched.served.url("")).unwrap().to_owned()
}
