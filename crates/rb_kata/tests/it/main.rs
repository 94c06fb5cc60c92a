//! Katas on projects in folders of their own.

mod runners;
