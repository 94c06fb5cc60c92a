//! Recipes: refactorings that are planned over a whole project and need no model.
//!
//! A `Recipe` looks at the project through `World` and gives a `Plan`: chains of edits, each made as a whole or not at all,
//! and what it leaves, with the reason. `apply` turns a plan into texts. Nothing here writes a file or runs a program.

pub mod apply;
pub mod cleaning;
pub mod explain;
pub mod links;
pub mod operations;
pub mod plan;
pub mod recipe;
pub mod recipes;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use self::apply::{Applied, ChainChange, Refused, Texts, apply};
pub use self::plan::{ApiChange, Chain, INTERNAL_EXPORTS, Left, Mention, Plan, Site};
pub use self::recipe::{Arguments, Doc, DocLanguage, PlanError, Planning, Promised, Recipe};
pub use self::recipes::ALL;
