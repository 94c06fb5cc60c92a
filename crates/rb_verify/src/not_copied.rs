//! What commands look for in vain because git does not keep it: the worktree has none of what a build left in the checkout.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rb_core::{RepoPath, Verdict, at_most};

use crate::record::CommandRun;
use crate::shell::texts;

/// The most files and folders that are named.
const NAMED: usize = 3;

/// Where commands failed: what they speak of that is in a checkout and not in the copy, and what helps. `inside` is the folder of the
/// repository that the commands run in.
pub(crate) fn hint(
    runs: &[CommandRun],
    root: &Path,
    inside: &Path,
    checkouts: &[PathBuf],
) -> Option<String> {
    let failed = runs.iter().filter(|run| run.verdict == Verdict::Fail);
    let is_end = |c: char| c.is_whitespace() || "'\"`()[]<>,;:".contains(c);
    let prefix = format!("{}/", root.display());
    let words = failed.flat_map(texts).flat_map(|text| text.split(is_end));
    let words = words.map(|word| word.strip_prefix(&prefix).unwrap_or(word));
    let paths: BTreeSet<&str> = words
        .map(|word| word.trim_start_matches("./"))
        .filter(|word| word.contains('/') && !word.starts_with('/'))
        .collect();
    let is_missing = |path: &RepoPath| {
        let is_there = |checkout: &PathBuf| path.below(&checkout.join(inside)).exists();
        !path.below(root).exists() && checkouts.iter().any(is_there)
    };
    let missing = paths.iter().filter_map(|path| RepoPath::new(path).ok()).filter(is_missing);
    // The outermost folder that is not there: all of it is.
    let missing: BTreeSet<String> = missing
        .map(|path| {
            let path = path.to_string();
            let ends = path.match_indices('/').map(|(at, _)| &path[..at]);
            let folder = ends.into_iter().find(|folder| !root.join(folder).exists());
            folder.map_or_else(|| path.clone(), |folder| format!("{folder}/"))
        })
        .collect();
    if missing.is_empty() {
        return None;
    }
    let names = at_most(NAMED, missing.into_iter()).join(", ");
    Some(format!(
        "missing from the copy that is checked, because git ignores it: {names}; let a command of `full_verifier` make it"
    ))
}

#[cfg(test)]
mod tests {
    use rb_core::fs::{self, Durability};
    use rb_toolchains::{Detected, line_command};

    use super::*;
    use crate::command_run;

    #[test]
    fn ve2_what_only_the_checkout_has_is_named_where_a_command_fails() {
        let folder = tempfile::tempdir().unwrap();
        let (copy, checkout) = (folder.path().join("copy"), folder.path().join("own"));
        for file in ["own/web/dist/lib/shop.js", "own/web/src/a.js", "copy/web/src/a.js"] {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, b"", Durability::Relaxed).unwrap();
        }
        let root = copy.join("web");
        let hint = |verdict: Verdict, said: &str| {
            let mut run = command_run::blank(&line_command("make test", &Detected::default()));
            (run.verdict, run.said) = (verdict, said.to_owned());
            let found = hint(&[run], &root, Path::new("web"), std::slice::from_ref(&checkout));
            found.unwrap_or_default()
        };
        let expected = "missing from the copy that is checked, because git ignores it: dist/; let a command of `full_verifier` make it";
        for said in [
            format!("Cannot find module '{}/dist/lib/shop.js' imported from a", root.display()),
            "cannot open ./dist/lib/shop.js: no such file".to_owned(),
        ] {
            assert_eq!(hint(Verdict::Fail, &said), expected, "{said}");
            assert_eq!(hint(Verdict::Pass, &said), "", "{said}");
        }
        for said in ["src/a.js: 3 failed", "dist/other.js", "../own/web/dist/lib/shop.js", "dist"] {
            assert_eq!(hint(Verdict::Fail, said), "", "{said}");
        }
    }
}
