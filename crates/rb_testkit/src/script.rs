//! A server on this machine that answers by a script, one connection after the other.
#![expect(clippy::unwrap_used, reason = "a test fails where its server fails")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

pub enum Reply {
    /// A status, more headers (each with its line end), and a body.
    Say(u16, &'static str, String),
    /// Reads the request and breaks the connection off.
    HangUp,
    /// Reads the request, does this, and never answers.
    Silence(Box<dyn Fn() + Send>),
    /// Opens a tunnel as a proxy does; the next reply goes through it.
    Tunnel,
}

impl Reply {
    pub fn ok(body: impl Into<String>) -> Self {
        Reply::Say(200, "", body.into())
    }

    pub fn status(status: u16, body: &str) -> Self {
        Reply::Say(status, "", body.to_owned())
    }
}

/// A request, as far as tests look at it.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Method and path.
    pub line: String,
    pub headers: Vec<String>,
    pub body: String,
}

pub struct Script {
    port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<Ended>>,
}

impl Script {
    /// Connections after the last reply are refused.
    pub fn new(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (seen, over) = (Arc::<Mutex<Vec<Seen>>>::default(), Arc::<AtomicBool>::default());
        let (noted, ended) = (Arc::clone(&seen), Arc::clone(&over));
        let thread = thread::spawn(move || serve(&listener, replies, &noted, &ended));
        Script { port, seen, over, thread: Some(thread) }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// What was asked; every reply must have been given.
    pub fn finish(mut self) -> Vec<Seen> {
        assert_eq!(self.end(), 0, "replies that nobody asked for");
        self.seen()
    }

    fn end(&mut self) -> usize {
        self.over.store(true, Ordering::SeqCst);
        // Wakes the thread where it waits for a connection.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        self.thread.take().map_or(0, |thread| thread.join().unwrap().left)
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        if self.thread.is_some() && !thread::panicking() {
            self.end();
        }
    }
}

/// How many replies are left, and the connections that are still to be open.
struct Ended {
    left: usize,
    silent: Vec<TcpStream>,
}

fn serve(
    listener: &TcpListener,
    replies: Vec<Reply>,
    seen: &Mutex<Vec<Seen>>,
    over: &AtomicBool,
) -> Ended {
    let mut ended = Ended { left: replies.len(), silent: Vec::new() };
    let mut tunnel: Option<TcpStream> = None;
    for reply in replies {
        let mut stream = match tunnel.take() {
            Some(stream) => stream,
            None => listener.accept().unwrap().0,
        };
        if over.load(Ordering::SeqCst) {
            return ended;
        }
        ended.left -= 1;
        let request = read(&stream);
        seen.lock().unwrap().push(request);
        match reply {
            Reply::Say(status, headers, body) => {
                let length = body.len();
                let head = format!(
                    "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n"
                );
                // A client that reads no further closes the connection.
                let _ = stream.write_all(format!("{head}{body}").as_bytes());
            }
            Reply::HangUp => {}
            Reply::Silence(happens) => {
                happens();
                ended.silent.push(stream);
            }
            Reply::Tunnel => {
                stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
                tunnel = Some(stream);
            }
        }
    }
    ended
}

fn read(stream: &TcpStream) -> Seen {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let length = lines.iter().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        if name.eq_ignore_ascii_case("content-length") { value.parse().ok() } else { None }
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).unwrap();
    let line = lines.remove(0);
    let line = line.strip_suffix(" HTTP/1.1").unwrap_or(&line).to_owned();
    Seen { line, headers: lines, body: String::from_utf8(body).unwrap() }
}
