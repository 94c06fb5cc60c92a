//! Client side: data, listeners and storage in the browser.

pub mod client_event_listeners;
pub mod client_localstorage_schema;
pub mod client_passive_event_listeners;
pub mod client_swr_dedup;
mod effects;
