//! Operations over whole programs.

mod declaration;
#[path = "../../../rb_operations/tests/it/dice.rs"]
mod dice;
mod expression;
mod fuzz;
mod programs;
mod random_operation;
