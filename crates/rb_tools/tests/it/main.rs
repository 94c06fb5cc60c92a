//! The tools on repositories that are written as strings.

mod support;

mod cache;
mod default_exports;
mod evidence;
mod hostile;
mod large;
mod tools;
mod wrong_calls;
