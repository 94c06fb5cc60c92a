//! Packs of small repositories that are written as strings, and what a model would read of them.

mod support;

mod budgets;
mod hostile;
mod prompt;
mod select;
