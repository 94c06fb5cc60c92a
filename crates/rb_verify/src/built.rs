//! What a build makes for browsers: scripts and styles, with their sizes.
//!
//! Counted are the files that it wrote. A build that leaves alone what would not change still ships it: what it made before and is still
//! there counts, too, unless it wrote the same file with another hash in its name.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::time::SystemTime;

use flate2::Compression;
use flate2::write::GzEncoder;
use rb_core::RepoPath;
use rb_core::fs::{self, FsError};
use serde::{Deserialize, Serialize};

use crate::collect;

/// A file that browsers load.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BuiltFile {
    /// In the folder that the build runs in.
    pub path: String,
    pub bytes: u64,
    /// As it goes over the wire.
    pub gzipped: u64,
}

const ENDINGS: [&str; 5] = [".js", ".mjs", ".cjs", ".css", ".wasm"];

/// More than that is nothing that a browser loads.
const LARGEST: u64 = 32 << 20;

/// The most files that are measured.
const MOST: usize = 2_000;

/// What was written since `begun`, and what is left of `before`, sorted.
pub fn built_files(
    folder: &Path,
    begun: SystemTime,
    before: &[BuiltFile],
) -> Result<Vec<BuiltFile>, FsError> {
    // Clocks of file systems tick slowly: what was written at the same tick is from before, as no program starts so fast.
    let is_new = |path: &String| {
        let written = folder.join(path).symlink_metadata().and_then(|meta| meta.modified());
        written.is_ok_and(|written| written > begun)
    };
    let (mut made, left): (Vec<String>, Vec<String>) =
        collect::walk(folder, &is_shipped)?.into_iter().partition(is_new);
    let replaced: BTreeSet<String> = made.iter().map(|path| unhashed(path)).collect();
    let is_kept = |path: &String| {
        before.iter().any(|file| file.path == *path) && !replaced.contains(&unhashed(path))
    };
    made.extend(left.into_iter().filter(is_kept));
    made.sort();
    made.truncate(MOST);
    made.into_iter().filter_map(|path| size(folder, path).transpose()).collect()
}

/// Whether browsers load it, by its path alone.
fn is_shipped(path: &str) -> bool {
    ENDINGS.iter().any(|ending| path.ends_with(ending))
        && path.split_once(".next/").is_none_or(|(_, rest)| rest.starts_with("static/"))
        && !path.split('/').any(|folder| folder == "coverage")
}

fn size(folder: &Path, path: String) -> Result<Option<BuiltFile>, FsError> {
    let Ok(place) = RepoPath::new(Path::new(&path).as_os_str().as_bytes()) else { return Ok(None) };
    let Some(bytes) = fs::read_plain(folder, &place, LARGEST)? else { return Ok(None) };
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(&bytes).and_then(|()| encoder.finish());
    let gzipped = packed.map_or(bytes.len(), |packed| packed.len()) as u64;
    Ok(Some(BuiltFile { path, bytes: bytes.len() as u64, gzipped }))
}

/// `assets/index-*.js` of `assets/index-B2x_9fQ1.js`.
pub fn unhashed(path: &str) -> String {
    let parts: Vec<String> = path.split('/').map(unhashed_part).collect();
    parts.join("/")
}

fn unhashed_part(part: &str) -> String {
    // The number of a build, as the name of a folder.
    const BUILD_ID: usize = 21;
    if part.len() == BUILD_ID && is_hash(part) {
        return "*".to_owned();
    }
    let mut words: Vec<String> = part.split('.').map(str::to_owned).collect();
    let count = words.len();
    words[0] = unhashed_stem(&words[0]);
    // `name.0123abcd.js`
    for word in words.iter_mut().take(count.saturating_sub(1)).skip(1) {
        if word.len() >= 8 && is_hash(word) {
            "*".clone_into(word);
        }
    }
    words.join(".")
}

/// `name-*` of `name-0123abcd`; a hash of eight may itself hold a `-`.
fn unhashed_stem(stem: &str) -> String {
    let at_eight = stem.len().checked_sub(9).filter(|at| stem.as_bytes()[*at] == b'-');
    let at_last = stem.rfind('-').filter(|at| stem.len() - at > 8);
    let places = [at_eight, at_last].into_iter().flatten();
    if let Some(at) = places.into_iter().find(|at| is_hash(&stem[at + 1..])) {
        return format!("{}-*", &stem[..at]);
    }
    let is_all = stem.len() >= 16 && stem.bytes().all(|it| it.is_ascii_hexdigit());
    if is_all { "*".to_owned() } else { stem.to_owned() }
}

/// Letters and digits that no one wrote as a word.
fn is_hash(text: &str) -> bool {
    let fits = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_');
    let has = |test: fn(&u8) -> bool| text.as_bytes().iter().any(test);
    let is_mixed =
        has(u8::is_ascii_digit) || (has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase));
    text.bytes().all(fits) && is_mixed && has(u8::is_ascii_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ru6_what_browsers_load_is_told_by_its_path() {
        for path in
            ["dist/a.js", "assets/a.css", ".next/static/chunks/a.js", "app/.next/static/b.css"]
        {
            assert!(is_shipped(path), "{path}");
        }
        for path in ["dist/a.d.ts", "dist/a.js.map", ".next/server/a.js", "coverage/prettify.js"] {
            assert!(!is_shipped(path), "{path}");
        }
    }
}
