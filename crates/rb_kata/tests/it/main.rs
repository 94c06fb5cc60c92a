//! Katas on projects in folders of their own.

mod evidence;
mod runners;
