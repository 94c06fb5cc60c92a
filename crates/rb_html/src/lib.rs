//! HTML that foreign text cannot break, for `report.html` and for the pages of `serve`.
//!
//! A [`Page`] takes markup only from this program's own source (`&'static str`); everything else is text or the value of an attribute,
//! and is escaped. Nothing here reads files.

pub mod chart;
pub mod diff;
pub mod highlight;
mod page;
pub mod steps;

pub use page::{Attribute, Page};

/// Colours, type scale, spacing and the shared parts of all pages, in dark and in light.
pub const STYLE: &str = include_str!("style.css");

/// The looks of [`diff::render`] and the colours of [`highlight`]; needs the colours of [`STYLE`].
pub const DIFF_STYLE: &str = include_str!("diff.css");
