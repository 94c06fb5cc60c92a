//! The toolchains, one file each.
//!
//! To add one: its file with `detect`, `recognise` and `caches`, and its line in the list below.

use serde::Serialize;

use crate::caches::Caches;
use crate::known::{Hints, KnownCommand};
use crate::package::Package;
use crate::shell::Part;
use crate::tree::Tree;

macro_rules! toolchains {
    ($($file:ident $toolchain:ident,)*) => {
        $(mod $file;)*

        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Toolchain {
            $($toolchain,)*
        }

        impl Toolchain {
            pub const ALL: &[Toolchain] = &[$(Toolchain::$toolchain,)*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Toolchain::$toolchain => stringify!($file),)*
                }
            }

            /// What it needs of a hidden home, and where its caches go.
            pub fn caches(self) -> Caches {
                match self {
                    $(Toolchain::$toolchain => $file::caches(),)*
                }
            }

            pub(crate) fn detect(self, tree: &Tree<'_>) -> Vec<Package> {
                match self {
                    $(Toolchain::$toolchain => $file::detect(tree),)*
                }
            }

            pub(crate) fn recognise(self, part: &Part, hints: &Hints) -> Option<KnownCommand> {
                match self {
                    $(Toolchain::$toolchain => $file::recognise(part, hints),)*
                }
            }
        }

        #[cfg(test)]
        const FILES: &[&str] = &[$(stringify!($file),)*];
    };
}

toolchains! {
    javascript Javascript,
    python Python,
    rust Rust,
    go Go,
    java Java,
    ruby Ruby,
    php Php,
    dotnet Dotnet,
}

/// The toolchain that knows the program, asked one after the other.
pub(crate) fn recognise(part: &Part, hints: &Hints) -> Option<KnownCommand> {
    Toolchain::ALL.iter().find_map(|toolchain| toolchain.recognise(part, hints))
}

/// Whether a line that no toolchain knows as a command of its own is a compiler which checks types.
pub(crate) fn checks_types(part: &Part) -> bool {
    javascript::is_compiler(part)
}

/// Fails when a file of the folder is in no list, and would be dead.
#[cfg(test)]
fn check_listed(folder: &str, listed: &[&str]) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<String> = rb_core::fs::list(&folder)
        .unwrap()
        .iter()
        .filter_map(|name| name.to_str())
        .map(|name| name.strip_suffix(".rs").unwrap_or(name).to_owned())
        .filter(|name| name != "mod")
        .collect();
    files.sort();
    let mut listed = listed.to_vec();
    listed.sort_unstable();
    assert_eq!(files, listed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_listed() {
        check_listed("src/toolchains", FILES);
    }
}
