//! What the program that sets a sandbox up says on a pipe of its own: lines of JSON, as bubblewrap writes them.
//!
//! Only this tells a command that failed from a sandbox that did. A command could at most claim another
//! exit of itself here, and that it may choose anyway.

use std::io::{self, Read};

use rb_core::process::Exit;
use serde::{Deserialize, Serialize};

#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(crate) struct Status {
    /// Said only when the command began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) signal: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) landlock: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failed: Option<String>,
}

/// A few lines are expected; whoever writes more is not one of ours.
const MOST: u64 = 64 << 10;

impl Status {
    /// Reads until all writers are gone. Each line is told as it comes.
    pub(crate) fn read(pipe: impl Read, mut said: impl FnMut(Status)) -> io::Result<()> {
        let mut pipe = pipe.take(MOST);
        let mut waiting = Vec::new();
        let mut buffer = [0; 4096];
        loop {
            let count = match pipe.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            waiting.extend_from_slice(&buffer[..count]);
            while let Some(end) = waiting.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = waiting.drain(..=end).collect();
                if let Ok(status) = serde_json::from_slice(&line) {
                    said(status);
                }
            }
        }
    }

    pub(crate) fn learn(&mut self, other: Status) {
        self.exit_code = other.exit_code.or(self.exit_code);
        self.signal = other.signal.or(self.signal);
        self.landlock = self.landlock.or(other.landlock);
        if self.failed.is_none() {
            self.failed = other.failed;
        }
    }

    pub(crate) fn of_exit(exit: Exit) -> Self {
        match exit {
            Exit::Code(code) => Status { exit_code: Some(code), ..Status::default() },
            Exit::Signal(signal) => Status { signal: Some(signal), ..Status::default() },
        }
    }

    pub(crate) fn tell(&self, mut pipe: impl io::Write) -> io::Result<()> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        pipe.write_all(&line)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: &Expect) {
        let mut known = Status::default();
        Status::read(text.as_bytes(), |status| known.learn(status)).unwrap();
        expected.assert_eq(&serde_json::to_string(&known).unwrap());
    }

    #[test]
    fn sa7_status_lines_are_understood() {
        check(
            "{ \"child-pid\": 7, \"net-namespace\": 1 }\n{ \"exit-code\": 3 }\n",
            &expect![[r#"{"exit-code":3}"#]],
        );
        check("{\"signal\":9}\n{\"landlock\":7}\n", &expect![[r#"{"signal":9,"landlock":7}"#]]);
        check("no json\n[]\n{\"exit-code\":\"0\"}\n{\"exit-code\":1}", &expect!["{}"]);
    }
}
