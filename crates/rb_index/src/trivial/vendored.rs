//! Folders that hold other people's code, by their name.
//!
//! `vendor` alone is no proof: a shop has vendors. It counts below a folder of web assets; with a package manager's
//! list in it (`Attributes::vendor_folder`) it counts everywhere.

use rb_core::RepoPath;

/// Names under which nobody keeps code of their own.
const FOLDERS: &[&[u8]] = &[
    b"node_modules",
    b"bower_components",
    b"jspm_packages",
    b"web_modules",
    b"third_party",
    b"third-party",
    b"thirdparty",
    b"3rdparty",
    b"3rd_party",
    b"Pods",
    b"Carthage",
    b"site-packages",
    b"dist-packages",
    b"__pypackages__",
    b"Godeps",
    b"elm-stuff",
    b".yarn",
    b"_vendor",
    b"_vendored",
];

const WEB_ASSETS: &[&[u8]] =
    &[b"js", b"javascripts", b"css", b"stylesheets", b"assets", b"static", b"public"];

/// The outermost folder on the way to `path` that is not the repository's own.
pub(super) fn folder(path: &RepoPath) -> Option<&[u8]> {
    let bytes = path.as_bytes();
    let mut above: &[u8] = b"";
    let mut start = 0;
    for (at, _) in bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'/') {
        let name = &bytes[start..at];
        if FOLDERS.contains(&name) || (name == b"vendor" && WEB_ASSETS.contains(&above)) {
            return Some(&bytes[..at]);
        }
        above = name;
        start = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, expected: Option<&str>) {
        let path = RepoPath::new(path).unwrap();
        assert_eq!(folder(&path), expected.map(str::as_bytes), "{path}");
    }

    #[test]
    fn ix11_vendored_folders_are_known_by_name() {
        check("node_modules/a/index.js", Some("node_modules"));
        check("lib/third_party/zlib/node_modules/x", Some("lib/third_party"));
        check(
            "admin/static/admin/js/vendor/jquery/jquery.js",
            Some("admin/static/admin/js/vendor"),
        );
        check("pip/_vendor/idna/core.py", Some("pip/_vendor"));
        check("src/vendor/models.py", None);
        check("vendor/models.py", None);
        check("src/third_party.py", None);
        check("third_party_report/a.py", None);
    }
}
