//! As much of HTTP/1.1 as a test server needs.

use std::fmt::Write as _;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};

use super::reply::{Form, Reply};
use crate::script::Seen;

/// The next request; `None` where the client left or speaks something else.
pub(super) fn read(stream: &TcpStream) -> Option<Seen> {
    /// What a TLS client begins with.
    const HANDSHAKE: u8 = 22;
    let mut reader = BufReader::new(stream);
    let first = *reader.fill_buf().ok()?.first()?;
    if first == HANDSHAKE {
        // As web servers do. What the client sent is taken in first, or the connection is reset before the
        // client reads this.
        let length = reader.buffer().len();
        reader.consume(length);
        let mut stream = stream;
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
        return None;
    }
    let line = line(&mut reader)?;
    let mut headers = Vec::new();
    loop {
        match self::line(&mut reader)? {
            header if header.is_empty() => break,
            header => headers.push(header),
        }
    }
    let line = line.strip_suffix(" HTTP/1.1").unwrap_or(&line).to_owned();
    let mut seen = Seen { line, headers, body: String::new() };
    let body = if seen.header("transfer-encoding") == Some("chunked") {
        chunks(&mut reader)?
    } else {
        let length = seen.header("content-length").map_or(0, |text| text.parse().unwrap());
        exactly(&mut reader, length)?
    };
    seen.body = String::from_utf8(body).unwrap();
    Some(seen)
}

fn line(reader: &mut BufReader<&TcpStream>) -> Option<String> {
    let mut line = String::new();
    let read = reader.read_line(&mut line).ok()?;
    (read > 0).then(|| line.trim_end().to_owned())
}

fn exactly(reader: &mut BufReader<&TcpStream>, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

fn chunks(reader: &mut BufReader<&TcpStream>) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let length = usize::from_str_radix(&line(reader)?, 16).unwrap();
        body.extend(exactly(reader, length)?);
        line(reader)?;
        if length == 0 {
            return Some(body);
        }
    }
}

/// Whether the client took all of it.
pub(super) fn write(stream: &TcpStream, reply: &Reply, is_head: bool, over: &AtomicBool) -> bool {
    let mut left = reply.cut.unwrap_or(usize::MAX);
    let mut send = |bytes: &[u8]| -> io::Result<bool> {
        let bytes = &bytes[..bytes.len().min(left)];
        left -= bytes.len();
        let mut stream = stream;
        stream.write_all(bytes)?;
        Ok(left > 0)
    };
    let mut said = || -> io::Result<()> {
        if !send(head(reply).as_bytes())? || is_head {
            return Ok(());
        }
        for piece in &reply.pieces {
            if reply.gate.as_ref().is_some_and(|gate| !gate.pass(over))
                || !send(&framed(reply, piece))?
            {
                return Ok(());
            }
        }
        if reply.form == Form::Chunked && reply.ends {
            send(b"0\r\n\r\n")?;
        }
        Ok(())
    };
    said().is_ok()
}

fn head(reply: &Reply) -> String {
    let mut head = match reply.form {
        Form::Raw => return String::new(),
        Form::Whole => {
            let length = reply.pieces.iter().map(Vec::len).sum::<usize>();
            format!("HTTP/1.1 {} X\r\nContent-Length: {length}\r\n", reply.status)
        }
        Form::Chunked => format!("HTTP/1.1 {} X\r\nTransfer-Encoding: chunked\r\n", reply.status),
    };
    for (name, value) in &reply.headers {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    head + "Connection: close\r\n\r\n"
}

fn framed(reply: &Reply, piece: &[u8]) -> Vec<u8> {
    match reply.form {
        // A chunk without bytes would end the stream.
        Form::Chunked if piece.is_empty() => Vec::new(),
        Form::Chunked => [format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat(),
        Form::Whole | Form::Raw => piece.to_vec(),
    }
}

/// Waits for the client to leave; false once it did, true where the test was over first.
pub(super) fn drain(stream: &TcpStream, over: &AtomicBool) -> bool {
    let mut stream = stream;
    let mut buffer = [0; 1024];
    while matches!(stream.read(&mut buffer), Ok(read) if read > 0) {}
    over.load(Ordering::SeqCst)
}
