//! Tool calls, put together from pieces. Servers differ in what they leave out: the number of a call, its id;
//! some repeat the name with every piece, some give all calls the same number, some send the arguments as an object.

use serde_json::{Map, Value};

use super::chunk::CallPiece;
use crate::call::ToolCall;
use crate::error::Fault;

/// More at once is no answer.
const MOST: usize = 128;

#[derive(Default)]
pub(super) struct Calls {
    calls: Vec<Open>,
}

struct Open {
    index: Option<usize>,
    id: String,
    name: String,
    /// JSON text that grows.
    arguments: String,
}

impl Calls {
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    pub(super) fn add(&mut self, piece: CallPiece) -> Result<(), Fault> {
        let at = match self.place(&piece) {
            Some(at) => at,
            None if self.calls.len() == MOST => {
                return Err(Fault::Malformed { why: format!("more than {MOST} tool calls") });
            }
            None => {
                let (index, id) = (piece.index, piece.id.clone());
                let (name, arguments) = (String::new(), String::new());
                self.calls.push(Open { index, id, name, arguments });
                self.calls.len() - 1
            }
        };
        let call = &mut self.calls[at];
        if call.id.is_empty() {
            call.id = piece.id;
        }
        if call.name.is_empty() {
            call.name = piece.function.name;
        }
        match piece.function.arguments {
            Value::Null => {}
            Value::String(more) => call.arguments.push_str(&more),
            whole => call.arguments = whole.to_string(),
        }
        Ok(())
    }

    /// The call that a piece belongs to; `None` for a new one.
    fn place(&self, piece: &CallPiece) -> Option<usize> {
        let is_same =
            |call: &Open| piece.id.is_empty() || call.id.is_empty() || call.id == piece.id;
        match piece.index {
            Some(index) => {
                let numbered = |call: &Open| call.index == Some(index) && is_same(call);
                self.calls.iter().rposition(numbered)
            }
            None if !piece.id.is_empty() => self.calls.iter().position(|call| call.id == piece.id),
            // A name begins a call where nothing else tells them apart.
            None if !piece.function.name.is_empty() => None,
            None => self.calls.len().checked_sub(1),
        }
    }

    /// Calls without an id are numbered, so that their results can be told apart.
    pub(super) fn finish(self) -> Result<Vec<ToolCall>, Fault> {
        let finish = |(at, call): (usize, Open)| {
            let input = match call.arguments.trim() {
                "" => Value::Object(Map::new()),
                text => serde_json::from_str(text).map_err(|error| Fault::NotAsAsked {
                    why: format!("the arguments of `{}` are no JSON: {error}", call.name),
                })?,
            };
            let id = if call.id.is_empty() { format!("call_{}", at + 1) } else { call.id };
            Ok(ToolCall { id, name: call.name, input })
        };
        self.calls.into_iter().enumerate().map(finish).collect()
    }
}
