//! Files of the user's checkout that git does not keep and tests may need, such as `.env.test`.
//!
//! They often hold secrets, so that none comes along unless its name was given. What may be missing is said.

use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use rb_core::RepoPath;
use rb_core::fs::{self, Durability, FsError};

use crate::collect;
use crate::verifier::Verifier;

/// Larger ones are no settings.
const LARGEST: u64 = 1 << 20;

/// Copies what was chosen into the worktree, and names settings that stay behind.
pub(crate) fn bring(verifier: &mut Verifier, checkout: &Path) -> Result<Vec<String>, FsError> {
    let root = verifier.site.root.clone();
    let chosen = patterns(&verifier.options.carry);
    let mut words = Vec::new();
    let found = match verifier.site.local.clone() {
        Some(known) => known,
        None => collect::walk(checkout, &|path| chosen.is_match(path) || is_env(path))?,
    };
    verifier.site.local = Some(found.clone());
    for path in found {
        let place = root.join(&path);
        if place.symlink_metadata().is_ok() {
            continue;
        }
        if !chosen.is_match(&path) {
            words.push(format!(
                "{path} is in your checkout but not in git, so it is missing here; to copy it: --set verify.carry={path}"
            ));
            continue;
        }
        let plain = RepoPath::new(&path).map(|path| fs::read_plain(checkout, &path, LARGEST));
        let Some(bytes) = plain.ok().transpose()?.flatten() else { continue };
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&place, &bytes, Durability::Relaxed)?;
        words.push(format!("{path} was copied from your checkout"));
        verifier.site.made.push(path);
    }
    Ok(words)
}

fn patterns(globs: &[String]) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for glob in
        globs.iter().filter_map(|glob| GlobBuilder::new(glob).literal_separator(true).build().ok())
    {
        set.add(glob);
    }
    set.build().unwrap_or_default()
}

/// `.env`, `.env.local`, `.env.test`; examples of them are in git.
fn is_env(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name == ".env" || name.starts_with(".env.")
}
