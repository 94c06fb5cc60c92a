//! A tree of files in one string, each under a `//- path` header.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

/// Writes the files of `fixture` below `root`.
///
/// ```text
/// //- src/a.js
/// export const a = 1;
/// //- run.sh exec
/// #!/bin/sh
/// //- link -> src/a.js
/// ```
/// `crlf` after the path gives the file Windows line ends. Text before the first header is an error.
pub fn write_fixture(root: &Path, fixture: &str) {
    let mut rest = fixture.trim_start_matches('\n');
    assert!(rest.is_empty() || rest.starts_with("//- "), "a fixture begins with a `//- path` line");
    while let Some(entry) = rest.strip_prefix("//- ") {
        let (header, body) = entry.split_once('\n').unwrap_or((entry, ""));
        let end = body.find("\n//- ").map_or(body.len(), |at| at + 1);
        let end = if body.starts_with("//- ") { 0 } else { end };
        write_entry(root, header, &body[..end]);
        rest = &body[end..];
    }
}

fn write_entry(root: &Path, header: &str, body: &str) {
    if let Some((path, target)) = header.split_once(" -> ") {
        let link = prepare(root, path);
        symlink(target, &link).unwrap_or_else(|error| panic!("cannot link {path}: {error}"));
        return;
    }
    let mut words = header.split(' ');
    let path = prepare(root, words.next().unwrap_or_default());
    let flags: Vec<&str> = words.collect();
    let text = if flags.contains(&"crlf") { body.replace('\n', "\r\n") } else { body.to_owned() };
    fs::write(&path, text).unwrap_or_else(|error| panic!("cannot write {header}: {error}"));
    if flags.contains(&"exec") {
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("chmod");
    }
}

fn prepare(root: &Path, path: &str) -> std::path::PathBuf {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a file has a folder")).expect("mkdir");
    path
}
