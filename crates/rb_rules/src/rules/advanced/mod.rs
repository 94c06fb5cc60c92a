//! Advanced: effects that should not run again.

pub mod hooks;

mod callbacks;

pub mod advanced_effect_event_deps;
pub mod advanced_event_handler_refs;
pub mod advanced_init_once;
pub mod advanced_use_latest;
