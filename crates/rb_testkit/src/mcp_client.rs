//! A client of the Model Context Protocol over the pipes of a child process: a line of JSON for each message.
//!
//! It is written by hand, so that a test sees the very bytes, and can send bytes that no library would.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::cli::Ran;

/// A running server and the conversation with it.
pub struct McpClient {
    child: Child,
    /// Until it is closed.
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    next_id: u64,
    /// Responses that came before somebody waited for them.
    early: BTreeMap<u64, Value>,
}

impl McpClient {
    /// Starts the server: a command with all its arguments.
    pub fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the server can be run");
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        McpClient { child, stdin, stdout, next_id: 1, early: BTreeMap::new() }
    }

    /// The handshake. Returns what the server says about itself.
    pub fn initialize(&mut self) -> Value {
        let params = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        let response = self.request("initialize", &params);
        self.notify("notifications/initialized", &json!({}));
        response["result"].clone()
    }

    /// Calls a tool. Returns the whole response, with `result` or `error`.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.request("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    /// The text of a result, which must not be an error.
    #[track_caller]
    pub fn call_text(&mut self, tool: &str, arguments: &Value) -> String {
        let response = self.call(tool, arguments);
        assert_eq!(response["result"]["isError"], false, "{tool} {arguments}: {response:#}");
        let text = response["result"]["content"][0]["text"].as_str();
        text.expect("a result has a text").to_owned()
    }

    /// Sends a request and waits for its response.
    pub fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.begin(method, params);
        self.response(id)
    }

    /// Sends a request. Returns its id.
    pub fn begin(&mut self, method: &str, params: &Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    pub fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send(&mut self, message: &Value) {
        self.write_bytes(format!("{message}\n").as_bytes());
    }

    /// Writes bytes as they are.
    pub fn write_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("it is piped");
        stdin.write_all(bytes).expect("the server reads");
        stdin.flush().expect("the server reads");
    }

    /// Reads until the response to a request comes.
    #[track_caller]
    pub fn response(&mut self, id: u64) -> Value {
        loop {
            if let Some(response) = self.early.remove(&id) {
                return response;
            }
            let mut line = String::new();
            let read = self.stdout.read_line(&mut line).expect("the server writes text");
            assert!(read > 0, "the server ended before it answered request {id}");
            self.take(&line);
        }
    }

    fn take(&mut self, line: &str) {
        let message: Value = serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("not a message of the protocol: {line:?}: {error}"));
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        // Errors about messages that could not be read have no id.
        if let Some(id) = message["id"].as_u64() {
            self.early.insert(id, message);
        }
    }

    /// Reads until the server ends by itself, while its input stays open.
    pub fn wait_for_end(&mut self) {
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("the server writes text");
        for line in rest.lines() {
            self.take(line);
        }
    }

    /// The process, to send it a signal.
    pub fn child(&self) -> &Child {
        &self.child
    }

    /// Closes the server's input and waits for its end. Returns the ids of responses that nobody waited for, too.
    pub fn finish(mut self) -> (Ran, Vec<u64>) {
        drop(self.stdin.take());
        let (mut stdout, mut stderr) = (String::new(), String::new());
        self.stdout.read_to_string(&mut stdout).expect("the server writes text");
        for line in stdout.lines() {
            self.take(line);
        }
        let mut errors = self.child.stderr.take().expect("it is piped");
        errors.read_to_string(&mut stderr).expect("the server writes text");
        let status = self.child.wait().expect("the server can be waited for");
        let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
        (Ran { code, stdout, stderr }, self.early.into_keys().collect())
    }
}
