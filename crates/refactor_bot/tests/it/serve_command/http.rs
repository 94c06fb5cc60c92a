//! Requests as bytes, so that they can be as no browser would make them.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

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

/// Sends a request that is written as `METHOD PATH`, a line for each header, and after an empty line the body of a form.
pub(super) fn ask(host: &str, request: &str) -> Answer {
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
    read(BufReader::new(stream))
}

fn read(mut stream: BufReader<TcpStream>) -> Answer {
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
    let mut answer = Answer { status, headers, body: String::new() };
    if answer.header("content-type") != Some("text/event-stream") {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        answer.body = String::from_utf8_lossy(&bytes).into_owned();
    }
    answer
}
