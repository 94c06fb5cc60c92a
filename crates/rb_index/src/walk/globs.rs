//! The globs of `--include` and `--exclude`, and of everybody else who asks for paths by a pattern.
//!
//! A glob without a slash is a name at any depth; one with a slash is a path from the root. Either one also stands for
//! everything below it when it is a folder. Unlike a line of `.gitignore` it may have braces, and cannot be negated.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use thiserror::Error;

/// Globs that are asked together.
#[derive(Debug)]
pub struct Globs {
    /// What is named itself.
    exact: GlobSet,
    /// What lies below something named.
    below: GlobSet,
}

#[derive(Debug, Error)]
#[error("`{glob}` is no valid glob: {why}")]
pub struct BadGlob {
    pub glob: String,
    pub why: String,
}

impl Globs {
    /// Each item may be a list, as in `node_modules,dist`; a comma in braces divides nothing.
    pub fn new(lists: &[String]) -> Result<Self, BadGlob> {
        let (mut exact, mut below) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for glob in lists.iter().flat_map(|list| split_list(list)) {
            let anchored = anchor(glob);
            let bad = |error: globset::Error| BadGlob {
                glob: glob.to_owned(),
                why: error.kind().to_string(),
            };
            let build = |text: &str| GlobBuilder::new(text).literal_separator(true).build();
            exact.add(build(&anchored).map_err(bad)?);
            below.add(build(&format!("{anchored}/**")).map_err(bad)?);
        }
        let built = |builder: &GlobSetBuilder| {
            builder.build().map_err(|error| BadGlob {
                glob: error.glob().unwrap_or("all of them together").to_owned(),
                why: error.kind().to_string(),
            })
        };
        Ok(Globs { exact: built(&exact)?, below: built(&below)? })
    }

    pub fn is_empty(&self) -> bool {
        self.exact.is_empty()
    }

    /// Is the path named, or does it lie below a folder that is?
    pub fn covers(&self, path: &[u8]) -> bool {
        let path = Path::new(OsStr::from_bytes(path));
        self.exact.is_match(path) || self.below.is_match(path)
    }

    /// Is the path itself named? Enough for whoever asks from the top down.
    pub(super) fn names(&self, path: &[u8]) -> bool {
        !self.is_empty() && self.exact.is_match(Path::new(OsStr::from_bytes(path)))
    }
}

fn anchor(glob: &str) -> String {
    let plain = glob.strip_prefix("./").unwrap_or(glob);
    let plain = plain.strip_suffix("/**").unwrap_or(plain).trim_end_matches('/');
    match plain.strip_prefix('/') {
        Some(from_root) => from_root.to_owned(),
        None if plain.contains('/') => plain.to_owned(),
        None => format!("**/{plain}"),
    }
}

fn split_list(list: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let divides = |c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    };
    list.split(divides).map(str::trim).filter(|glob| !glob.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(list: &str, covered: &[&str], left: &[&str]) {
        let globs = Globs::new(&[list.to_owned()]).unwrap();
        for path in covered {
            assert!(globs.covers(path.as_bytes()), "`{list}` must cover `{path}`");
        }
        for path in left {
            assert!(!globs.covers(path.as_bytes()), "`{list}` must not cover `{path}`");
        }
    }

    #[test]
    fn ix1_globs_name_files_and_folders() {
        check(
            "node_modules,dist",
            &["node_modules", "a/node_modules/b/c.js", "dist/a", "a/b/dist"],
            &["distant", "a/dist.js"],
        );
        check("**/*.ts, **/*.js", &["a.ts", "a/b.ts", "a/b/c.js"], &["a.tsx", "ts"]);
        check("*.{ts,tsx}", &["a.ts", "b/a.tsx"], &["a.js"]);
        check("src/lib", &["src/lib", "src/lib/a/b"], &["x/src/lib", "src/library"]);
        check("./src/*.ts", &["src/a.ts"], &["src/b/a.ts"]);
        check("/src", &["src/a"], &["a/src"]);
        check("src/", &["src/a", "a/src/b"], &["src.ts"]);
        check("src/**", &["src/a", "src/a/b"], &["b/a"]);
        check("", &[], &["a"]);
    }

    #[test]
    fn ix1_a_bad_glob_is_named() {
        let error = Globs::new(&["ok".to_owned(), "a[b".to_owned()]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`a[b` is no valid glob: unclosed character class; missing ']'"
        );
    }
}
