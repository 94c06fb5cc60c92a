//! Rules: what is found in a project, and the edits that are proved safe.
//!
//! A `Rule` looks at one parsed file (`Cx::module`), at what the project says of it (`Cx::facts`), and asks about other files
//! through `World`. It gives findings, with edits where it has a proof or a draft. Nothing here writes a file or runs a
//! program.

pub mod cx;
pub mod engine;
pub mod exports;
pub mod facts;
pub mod finding;
pub mod impact;
pub mod project;
pub mod rule;
pub mod rules;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod version;
pub mod world;

pub use self::cx::{Cx, Hit};
pub use self::facts::{Directive, Facts, FileKind, PackageFacts, Realm, Route};
pub use self::finding::{Applicability, Certainty, Finding, Fix, Severity};
pub use self::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};
pub use self::version::Version;
pub use self::world::{Condition, Target, World};
