//! Which paths a change may touch.

use globset::{Candidate, GlobBuilder, GlobSet, GlobSetBuilder};
use rb_core::RepoPath;
use thiserror::Error;

/// Include and exclude globs below an optional folder. By default everything is in scope.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// A path matches each of them; nothing here means everything.
    include: Vec<GlobSet>,
    exclude: GlobSet,
    folder: Option<RepoPath>,
}

#[derive(Debug, Error)]
#[error("`{glob}` is no valid pattern")]
pub struct ScopeError {
    pub glob: String,
    #[source]
    pub source: globset::Error,
}

impl Scope {
    /// A pattern is matched against the whole path, `*` within one component and `**` across. One
    /// without a slash matches a name at any depth, and one that names a folder all that lies below it.
    /// A leading `/` or `./` ties it to the root.
    pub fn new(
        include: &[impl AsRef<str>],
        exclude: &[impl AsRef<str>],
        folder: Option<RepoPath>,
    ) -> Result<Self, ScopeError> {
        let include = if include.is_empty() { Vec::new() } else { vec![set(include)?] };
        Ok(Scope { include, exclude: set(exclude)?, folder })
    }

    /// What of it matches one of these patterns, too. No pattern takes nothing away.
    pub fn narrowed(mut self, globs: &[impl AsRef<str>]) -> Result<Self, ScopeError> {
        if !globs.is_empty() {
            self.include.push(set(globs)?);
        }
        Ok(self)
    }

    pub fn contains(&self, path: &RepoPath) -> bool {
        let candidate = Candidate::new(path.as_path());
        self.folder.as_ref().is_none_or(|folder| path.is_within(folder))
            && self.include.iter().all(|include| include.is_match_candidate(&candidate))
            && !self.exclude.is_match_candidate(&candidate)
    }
}

fn set(globs: &[impl AsRef<str>]) -> Result<GlobSet, ScopeError> {
    let mut builder = GlobSetBuilder::new();
    for glob in globs.iter().map(AsRef::as_ref) {
        let bad = |source| ScopeError { glob: glob.to_owned(), source };
        let rooted = glob.strip_prefix("./").or_else(|| glob.strip_prefix('/'));
        let plain = rooted.unwrap_or(glob).trim_end_matches('/');
        let anywhere = rooted.is_none() && !plain.contains('/');
        let whole = if anywhere { format!("**/{plain}") } else { plain.to_owned() };
        for glob in [format!("{whole}/**"), whole] {
            builder.add(GlobBuilder::new(&glob).literal_separator(true).build().map_err(bad)?);
        }
    }
    builder.build().map_err(|source| ScopeError { glob: String::new(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sa4_scope_is_folder_and_include_and_not_exclude() {
        let check =
            |include: &[&str], exclude: &[&str], folder: &str, path: &str, expected: bool| {
                let folder = RepoPath::new(folder).ok();
                let scope = Scope::new(include, exclude, folder).unwrap();
                let found = scope.contains(&RepoPath::new(path).unwrap());
                assert_eq!(found, expected, "{include:?} {exclude:?} {path}");
            };
        check(&[], &[], "", "any/thing", true);
        check(&["src/**/*.ts"], &[], "", "src/a.ts", true);
        check(&["src/**/*.ts"], &[], "", "src/x/a.ts", true);
        check(&["src/*.ts"], &[], "", "src/x/a.ts", false);
        check(&["*.ts"], &[], "", "src/x/a.ts", true);
        check(&["/*.ts"], &[], "", "src/x/a.ts", false);
        check(&["./a.ts"], &[], "", "a.ts", true);
        check(&["src/"], &[], "", "src/x/a.ts", true);
        check(&["src"], &[], "", "lib/a.ts", false);
        check(&["src"], &["*.test.ts"], "", "src/a.test.ts", false);
        check(&["src"], &["node_modules"], "", "src/node_modules/x/a.ts", false);
        check(&[], &[], "src", "src/a", true);
        check(&[], &[], "src", "srcs/a", false);
        check(&["*.{ts,tsx}"], &[], "", "a.tsx", true);
        assert_eq!(Scope::new(&["a["], &[""; 0], None).unwrap_err().glob, "a[");
        let narrow = Scope::new(&["src"], &[""; 0], None).unwrap().narrowed(&["*.ts"]).unwrap();
        for (path, expected) in [("src/a.ts", true), ("src/a.js", false), ("lib/a.ts", false)] {
            assert_eq!(narrow.contains(&RepoPath::new(path).unwrap()), expected, "{path}");
        }
    }
}
