//! What is found, what is left alone, and what a fence holds.

#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]
#![expect(clippy::format_collect, reason = "small texts for people to read")]

mod bounds;
mod corpus;
mod fence;
mod injection_fuzz;
mod places;
mod support;
