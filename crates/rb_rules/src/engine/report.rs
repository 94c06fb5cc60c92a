//! Findings for other programs: SARIF for code scanning, annotations for build logs.

mod annotations;
mod sarif;

pub use self::annotations::github;
pub use self::sarif::sarif;
