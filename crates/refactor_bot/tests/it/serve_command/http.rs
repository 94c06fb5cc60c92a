//! Requests as bytes, so that they can be as no browser would make them.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

use serde_json::Value;

pub(super) struct Answer {
    pub(super) status: u16,
    headers: Vec<(String, String)>,
    /// Empty for a stream that goes on.
    pub(super) body: String,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A stream of events that goes on.
pub(super) struct Events(BufReader<TcpStream>);

impl Events {
    /// The data of the next message, or `None` at the end of the stream.
    pub(super) fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        while self.0.read_line(&mut line).unwrap() > 0 {
            if let Some(data) = line.strip_prefix("data: ") {
                return Some(serde_json::from_str(data).unwrap());
            }
            line.clear();
        }
        None
    }
}

/// Follows a run. The request is one as for [`ask`].
pub(super) fn follow(host: &str, request: &str) -> Events {
    let mut stream = send(host, request);
    assert_eq!(head(&mut stream).header("content-type"), Some("text/event-stream"));
    Events(stream)
}

/// Sends a request that is written as `METHOD PATH`, a line for each header, and after an empty line the body of a form.
pub(super) fn ask(host: &str, request: &str) -> Answer {
    let mut stream = send(host, request);
    let mut answer = head(&mut stream);
    if answer.header("content-type") != Some("text/event-stream") {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        answer.body = String::from_utf8_lossy(&bytes).into_owned();
    }
    answer
}

fn send(host: &str, request: &str) -> BufReader<TcpStream> {
    let (head, body) = request.split_once("\n\n").unwrap_or((request, ""));
    let (first, headers) = head.split_once('\n').unwrap_or((head, ""));
    let mut text = format!("{first} HTTP/1.1\r\nConnection: close\r\n");
    for header in headers.lines() {
        let _ = write!(text, "{header}\r\n");
    }
    if !body.is_empty() {
        let form = "application/x-www-form-urlencoded";
        let _ = write!(text, "Content-Type: {form}\r\nContent-Length: {}\r\n", body.len());
    }
    let mut stream = TcpStream::connect(host).unwrap();
    stream.write_all(format!("{text}\r\n{body}").as_bytes()).unwrap();
    BufReader::new(stream)
}

fn head(stream: &mut BufReader<TcpStream>) -> Answer {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        lines.push(line.to_owned());
    }
    let status = lines[0].split(' ').nth(1).unwrap().parse().unwrap();
    let pairs = lines[1..].iter().filter_map(|line| line.split_once(": "));
    let headers: Vec<(String, String)> =
        pairs.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
    Answer { status, headers, body: String::new() }
}
