//! Models behind one call: providers, structured output, retries, money, record and replay.
//!
//! `Models::call` is the only way in. A provider makes one try and says what came of it; what is tried again,
//! paid for, checked, recorded and booked is decided here, the same for all of them. Nothing here reads the
//! environment or the home folder, and nothing knows git or rules.

pub mod call;
pub mod catalog;
pub mod error;
pub mod ledger;
pub mod models;
pub mod programs;
pub mod provider;
pub mod providers;
pub mod purse;
pub mod record;
mod stream;
pub mod tokens;

pub use call::{
    Answer, Cost, Counted, Facts, Limits, McpServer, Message, Purpose, Request, Stop, Timing, Tool,
    ToolCall, ToolResult, Usage, Volatile,
};
pub use catalog::{Catalog, CatalogError, Price, ProviderSpec};
pub use error::{Advice, Fault, Halt, ModelError, Spent};
pub use ledger::{Booking, By, Ledger, Sum};
pub use models::{CallEvent, Models, ModelsContext, Patience, Route, Routes, Tape};
pub use programs::Host;
pub use provider::{Abilities, Calling, Heard, Probe, Provider, SchemaBy};
pub use purse::{Purse, Reservation};
pub use record::{Recorder, Replay};
pub use tokens::{Calibration, Estimate, Family, OwnCount};
