//! One question to a model and one answer from it, the same for every provider. Plain data.

mod answer;
mod request;

pub use answer::{Answer, Cost, Counted, Facts, Stop, Timing, ToolCall, Usage};
pub use request::{Limits, McpServer, Message, Purpose, Request, Tool, ToolResult, Volatile};
