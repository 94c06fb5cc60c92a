//! A real `ChromaDB` server for one test: on a free port, over a folder of its own, ended with the test.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// What the command `chroma` does, without what it loads for nothing. It ends when its standard input does,
/// so that no server outlives the tests however they end.
const CHROMA: &str = "
import os, sys, threading
import chromadb_rust_bindings

def end_with_the_test():
    sys.stdin.read()
    os._exit(0)

threading.Thread(target=end_with_the_test, daemon=True).start()
chromadb_rust_bindings.cli(['chroma'] + sys.argv[1:])
";

pub(crate) struct Chroma {
    folder: TempDir,
    port: u16,
    child: Option<Child>,
}

impl Chroma {
    pub(crate) fn start() -> Self {
        // Another program may take the port between here and the start.
        for _ in 0..5 {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            let mut chroma = Chroma { folder: TempDir::new().unwrap(), port, child: None };
            if chroma.start_again() {
                return chroma;
            }
        }
        panic!("chroma does not start");
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// On the same port and folder; whether it came up.
    pub(crate) fn start_again(&mut self) -> bool {
        assert!(self.child.is_none(), "it is running");
        let log = std::fs::File::create(self.folder.path().join("log")).unwrap();
        let mut command = Command::new(python());
        command.args([
            "-c",
            CHROMA,
            "run",
            "--host",
            "127.0.0.1",
            "--port",
            &self.port.to_string(),
        ]);
        command.arg("--path").arg(self.folder.path().join("data"));
        command.stdin(Stdio::piped()).stdout(log.try_clone().unwrap()).stderr(log);
        self.child = Some(command.spawn().unwrap());
        self.comes_up()
    }

    fn comes_up(&mut self) -> bool {
        let until = Instant::now() + Duration::from_mins(2);
        while !self.answers() {
            let child = self.child.as_mut().unwrap();
            if child.try_wait().unwrap().is_some() {
                self.child = None;
                return false;
            }
            let log = self.folder.path().join("log");
            assert!(Instant::now() < until, "{}", std::fs::read_to_string(log).unwrap());
            thread::yield_now();
        }
        true
    }

    fn answers(&self) -> bool {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else { return false };
        let mut answer = String::new();
        let asked = stream.write_all(b"GET /api/v2/heartbeat HTTP/1.0\r\n\r\n").is_ok();
        asked && stream.read_to_string(&mut answer).is_ok() && answer.contains(" 200 ")
    }
}

impl Drop for Chroma {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn python() -> PathBuf {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let python = tmp.parent().unwrap().join("services/chroma/bin/python");
    assert!(python.exists(), "{} is missing: run `cargo xtask setup`", python.display());
    python
}
