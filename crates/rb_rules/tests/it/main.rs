//! Rules over whole projects, and what their edits do to running code.

mod barrels;
mod behaviour;
mod docs;
mod engine;
mod harness;
mod robust;
mod support;
