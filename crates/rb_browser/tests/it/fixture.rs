//! A worktree with a small site and a server for it, and a browser that looks at it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rb_browser::{Browser, BrowserError, Limits, Page, Server, Setup};
use rb_core::Cancel;
use rb_core::process::Env;
use rb_sandbox::{Choice, Sandbox};

const SHIM: &str = env!("CARGO_BIN_EXE_rb_browser_confine");

pub(crate) const PORT: u16 = 4173;
pub(crate) const SERVE: &str = "exec python3 server.py";
pub(crate) const LOAD: Duration = Duration::from_secs(20);

/// Serves files of `site`; some paths are special.
const SERVER: &str = r#"
import http.server, os, sys, threading
class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/hang":
            threading.Event().wait()
        if self.path == "/die":
            print("the server cannot go on", flush=True)
            os._exit(3)
        if self.path == "/broken":
            return self.send_error(500, "Broken")
        super().do_GET()
    def log_message(self, *args): pass
print("listening on", os.environ["PORT"], flush=True)
address = ("127.0.0.1", int(os.environ["PORT"]))
http.server.ThreadingHTTPServer(address, lambda *args: Handler(*args, directory="site")).serve_forever()
"#;

pub(crate) struct Fixture {
    _dir: tempfile::TempDir,
    pub(crate) root: PathBuf,
    pub(crate) cancel: Cancel,
}

impl Fixture {
    /// None where Chromium is not installed.
    pub(crate) fn new(pages: &[(&str, &str)]) -> Option<Self> {
        // Not below the shared temporary folder, which sandboxes hide; and too long for the path of a socket.
        let target = env!("CARGO_TARGET_TMPDIR");
        let long = "long ".repeat(20);
        let dir = tempfile::Builder::new().prefix(&long).tempdir_in(target).unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("work/site")).unwrap();
        std::fs::create_dir_all(root.join("scratch")).unwrap();
        std::fs::create_dir_all(root.join("tmp")).unwrap();
        std::fs::write(root.join("work/server.py"), SERVER).unwrap();
        for (name, body) in pages {
            let html = format!(
                "<!doctype html><html lang=en><meta charset=utf-8><title>{name}</title>\n{body}"
            );
            std::fs::write(root.join("work/site").join(name), html).unwrap();
        }
        let fixture = Fixture { _dir: dir, root, cancel: Cancel::new() };
        let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
        names.iter().any(|name| fixture.env().find(name).is_some()).then_some(fixture)
    }

    pub(crate) fn env(&self) -> Env {
        Env::default()
            .with("PATH", "/usr/bin:/bin")
            .with("HOME", self.root.join("home"))
            .with("LANG", "C.UTF-8")
            .with("TMPDIR", self.root.join("tmp"))
    }

    pub(crate) fn sandbox(&self) -> Sandbox {
        self.chosen_sandbox(&Choice::Auto)
    }

    pub(crate) fn chosen_sandbox(&self, choice: &Choice) -> Sandbox {
        Sandbox::probe(choice, &self.env(), Some(Path::new(SHIM)), &Cancel::new()).unwrap()
    }

    pub(crate) fn scratch(&self) -> PathBuf {
        self.root.join("scratch")
    }

    pub(crate) fn start(&self) -> Browser {
        self.start_with(SERVE, |_| {}).unwrap()
    }

    pub(crate) fn start_with(
        &self,
        line: &str,
        change: impl FnOnce(&mut Setup<'_>),
    ) -> Result<Browser, BrowserError> {
        let (sandbox, env) = (self.sandbox(), self.env());
        let (scratch, folder) = (self.scratch(), self.root.join("work"));
        let mut setup = Setup {
            sandbox: &sandbox,
            env: &env,
            chromium: None,
            scratch: &scratch,
            server: Server::Command { line, folder: &folder, port: PORT, writable: Vec::new() },
            readable: Vec::new(),
            checkouts: Vec::new(),
            cancel: &self.cancel,
            limits: Limits::default(),
        };
        change(&mut setup);
        Browser::start(&setup)
    }

    /// Processes whose command line has a path of this fixture.
    pub(crate) fn processes(&self) -> Vec<String> {
        let root = self.root.to_str().unwrap();
        let command = |entry: std::fs::DirEntry| std::fs::read(entry.path().join("cmdline")).ok();
        let commands = std::fs::read_dir("/proc").unwrap().flatten().filter_map(command);
        let commands = commands.map(|bytes| String::from_utf8_lossy(&bytes).replace('\0', " "));
        commands.filter(|command| command.contains(root)).collect()
    }

    pub(crate) fn wait_until_nothing_is_left(&self) {
        let until = Instant::now() + Duration::from_secs(10);
        while !self.processes().is_empty() {
            assert!(Instant::now() < until, "left: {:?}", self.processes());
            std::thread::yield_now();
        }
        assert_eq!(names(&self.root.join("tmp")), Vec::<String>::new());
    }
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

pub(crate) fn url(path: &str) -> String {
    format!("http://localhost:{PORT}/{path}")
}

pub(crate) fn open(page: &Page, path: &str) {
    assert_eq!(page.goto(&url(path), LOAD).unwrap().status, Some(200), "{path}");
}

/// One line for an error, with those below it.
pub(crate) fn words<T: std::fmt::Debug>(result: Result<T, BrowserError>) -> String {
    format!("{}\n", result.unwrap_err())
}
