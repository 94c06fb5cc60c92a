//! The calls of a session on disk, with the lines that each of them showed: what citations can be checked against when another
//! program led the conversation.

use std::path::Path;

use rb_core::fs::{self, Appender, FsError};
use rb_tools::Shown;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::worker::{Answer, Call};

/// A call whose answer was sent.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct LoggedCall {
    tool: String,
    input: Value,
    shown: Vec<Shown>,
    files: Vec<String>,
    /// Why the tool gave nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The calls of a log, in their order. A line that was cut short by a kill is left out.
fn calls_in(log: &[u8]) -> Vec<LoggedCall> {
    let lines = log.split(|&byte| byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

pub(crate) struct CallLog {
    file: Appender,
    /// Calls in the file, those of earlier sessions among them.
    pub(crate) calls: u32,
}

impl CallLog {
    /// Continues the file if it exists.
    pub(crate) fn open(path: &Path) -> Result<Self, FsError> {
        let before = fs::read_optional(path)?.unwrap_or_default();
        let mut appender = Appender::open(path, None)?;
        // A kill can cut the last line short.
        if before.last().is_some_and(|&byte| byte != b'\n') {
            appender.append(b"\n")?;
        }
        let calls = u32::try_from(calls_in(&before).len()).unwrap_or(u32::MAX);
        Ok(CallLog { file: appender, calls })
    }

    pub(crate) fn write(&mut self, call: &Call, answer: &Answer) -> Result<(), FsError> {
        let (shown, files, error) = match answer {
            Ok(output) => (output.shown.clone(), output.files.clone(), None),
            Err(error) => (Vec::new(), Vec::new(), Some(error.clone())),
        };
        let (tool, input) = (call.tool.clone(), call.input.clone());
        let logged = LoggedCall { tool, input, shown, files, error };
        let mut line = serde_json::to_string(&logged).expect("a call is plain data");
        line.push('\n');
        self.calls += 1;
        self.file.append(line.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use rb_core::{Cancel, Sha256};
    use rb_tools::Output;
    use serde_json::json;
    use tokio::sync::oneshot;

    use super::*;

    fn call(tool: &str) -> Call {
        let (tool, input, cancel) = (tool.to_owned(), json!({ "path": "a.js" }), Cancel::new());
        Call { tool, input, cancel, answer: oneshot::channel().0 }
    }

    #[test]
    fn as8_what_was_shown_is_read_back_from_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.jsonl");
        let lines = vec!["let a;".to_owned(), "\u{2028}\"\t".to_owned()];
        let (hash, files) = (Sha256::of(b"x"), vec!["a.js".to_owned()]);
        let shown = vec![Shown { path: "a.js".to_owned(), hash, first: 7, lines }];
        let output = Output { shown: shown.clone(), files: files.clone(), ..Output::default() };
        CallLog::open(&path).unwrap().write(&call("read_file"), &Ok(output)).unwrap();
        // A killed server leaves half a line, and the next one continues the file.
        fs::write(
            &path,
            &[fs::read(&path).unwrap(), b"{\"tool\":\"sea".to_vec()].concat(),
            fs::Durability::Relaxed,
        )
        .unwrap();
        let refused = Err("no such file".to_owned());
        CallLog::open(&path).unwrap().write(&call("outline"), &refused).unwrap();
        let input = json!({ "path": "a.js" });
        let tool = |tool: &str| tool.to_owned();
        let error = Some("no such file".to_owned());
        let (no_lines, no_files) = (Vec::new(), Vec::new());
        let wanted = [
            LoggedCall { tool: tool("read_file"), input: input.clone(), shown, files, error: None },
            LoggedCall { tool: tool("outline"), input, shown: no_lines, files: no_files, error },
        ];
        assert_eq!(calls_in(&fs::read(&path).unwrap()), wanted);
    }
}
