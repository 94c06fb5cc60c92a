//! Rules that a project writes itself, in ast-grep's rule language, with their tests in the same file.
//!
//! `Rules::load` reads the files, `Rules::find` matches them against a text, `Rules::test` runs their tests, `template`
//! begins a new one. Everything is bounded by counted work, because rules and code both come from the repository.
//! It reads and writes no files and knows no suppression comments: both are the caller's.

mod bounds;
mod error;
mod fuel;
mod keys;
mod language;
mod load;
mod refused;
mod rules;
mod run_tests;
mod scan;
mod stack;
mod syntax;
mod template;
mod yaml;

pub use self::error::{Problem, RuleFileError};
pub use self::language::{language_named, languages};
pub use self::load::is_id;
pub use self::rules::{Findings, Match, RuleInfo, Rules, Severity};
pub use self::run_tests::{Outcome, TestResult};
pub use self::template::template;
