//! The frames of the protocol: a header with the length of what follows, an empty line, JSON.

use serde_json::Value;

/// A header has two lines.
const LONGEST_HEADER: usize = 4 << 10;
/// More than the rename of a name that a large project uses everywhere.
const LONGEST_MESSAGE: usize = 64 << 20;
/// Of all messages together: a server that goes on is not listened to.
const MOST: usize = 1 << 30;

const END: &[u8] = b"\r\n\r\n";

/// Bytes of a server on their way to become messages.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    unread: Vec<u8>,
    /// How much of `unread` has become messages.
    done: usize,
    total: usize,
}

impl Frames {
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.total += bytes.len();
        if self.total > MOST {
            return Err("it sends without end".to_owned());
        }
        if self.done > 0 {
            self.unread.drain(..self.done);
            self.done = 0;
        }
        self.unread.extend(bytes);
        Ok(())
    }

    /// The next message that is there as a whole.
    pub(crate) fn next(&mut self) -> Result<Option<Value>, String> {
        let rest = &self.unread[self.done..];
        let head = &rest[..rest.len().min(LONGEST_HEADER)];
        let Some(end) = head.windows(END.len()).position(|window| window == END) else {
            if rest.len() >= LONGEST_HEADER {
                return Err("a header without end".to_owned());
            }
            return Ok(None);
        };
        let length = length(&head[..end])?;
        if length > LONGEST_MESSAGE {
            return Err(format!("a message of {length} bytes"));
        }
        let start = end + END.len();
        let Some(body) = rest.get(start..start + length) else { return Ok(None) };
        let message = serde_json::from_slice(body);
        self.done += start + length;
        message.map(Some).map_err(|error| format!("a message that is not JSON ({error})"))
    }
}

fn length(header: &[u8]) -> Result<usize, String> {
    let header = String::from_utf8_lossy(header);
    let mut lengths = header.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-length").then(|| value.trim())
    });
    let last = lengths.next_back().ok_or("a header without a length")?;
    last.parse().map_err(|_| "a header whose length is no number".to_owned())
}

pub(crate) fn framed(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages of all pieces, or what is wrong with them.
    fn read(pieces: &[&[u8]]) -> Result<String, String> {
        let (mut frames, mut shown) = (Frames::default(), Vec::new());
        for piece in pieces {
            frames.push(piece)?;
            while let Some(message) = frames.next()? {
                shown.push(message.to_string());
            }
        }
        Ok(shown.join(" "))
    }

    #[test]
    fn st5_messages_are_read_however_they_are_cut() {
        let two = [framed(&serde_json::json!({"a": "ü"})), framed(&Value::from(2))].concat();
        assert_eq!(read(&[&two]).unwrap(), "{\"a\":\"ü\"} 2");
        let bytes: Vec<&[u8]> = two.chunks(1).collect();
        assert_eq!(read(&bytes).unwrap(), "{\"a\":\"ü\"} 2");
        let typed = b"content-length:1 \r\nContent-Type: x\r\n\r\n7";
        assert_eq!(read(&[typed]).unwrap(), "7");
        assert_eq!(read(&[b"Content-Length: 5\r\n\r\n12"]).unwrap(), "");
    }

    #[test]
    fn st5_what_is_no_message_ends_the_talk() {
        let long = vec![b'x'; LONGEST_HEADER];
        for (bytes, expected) in [
            (&b"Content-Length: x\r\n\r\n"[..], "a header whose length is no number"),
            (b"Content-Length: -1\r\n\r\n", "a header whose length is no number"),
            (b"Content-Type: x\r\n\r\n1", "a header without a length"),
            (b"Content-Length: 99999999999\r\n\r\n", "a message of 99999999999 bytes"),
            (&long, "a header without end"),
            (
                b"Content-Length: 2\r\n\r\n{\"a\"",
                "a message that is not JSON (EOF while parsing a string at line 1 column 2)",
            ),
        ] {
            assert_eq!(read(&[bytes]).unwrap_err(), expected);
        }
    }
}
