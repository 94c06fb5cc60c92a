//! Rules over a whole project: which are meant, what they find, what their fixes make of the files.

mod baseline;
mod bundles;
mod check;
mod explain;
mod fix;
mod imports;
mod over_index;
pub mod own;
mod report;
mod select;
mod with_own;

pub use self::baseline::{Baseline, BaselineError, Known, fingerprints};
pub use self::bundles::{BUNDLES, Bundle, bundle, by_directive};
pub use self::check::{Checked, Options, Silenced, check};
pub use self::explain::{explain, indented, markdown};
pub use self::fix::{Applied, FixOptions, Fixes, RuleChange, fix, fix_own, still_parses};
pub use self::over_index::OverIndex;
pub use self::own::check_own;
pub use self::report::{github, sarif};
pub use self::select::{SelectError, rule, select};
pub use self::with_own::{check_with_own, fix_with_own};
