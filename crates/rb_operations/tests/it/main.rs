//! Operations over whole programs.

mod dice;
mod expression;
mod fuzz;
mod programs;
mod random_operation;
