//! Waterfalls: work that waits for other work without a need.

pub mod async_api_routes;
pub mod async_cheap_condition_before_await;
pub mod async_defer_await;
pub mod async_dependencies;
pub mod async_parallel;
pub mod async_suspense_boundaries;

pub mod awaits;
pub mod components;
pub mod inside;
pub mod likely;
pub mod names;
pub mod proofs;
pub mod runs;
