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
    &[b"js", b"javascripts", b"css", b"stylesheets", b"assets", b"static", b"public", b"wwwroot"];

/// How far down a file its banner is looked for, in bytes.
const BANNER: usize = 600;

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

/// Is it served to browsers as it is?
pub(super) fn is_web_asset(path: &RepoPath) -> bool {
    let mut folders = path.as_bytes().split(|&byte| byte == b'/').rev().skip(1);
    folders.any(|it| WEB_ASSETS.contains(&it))
}

/// The folder of a library that was put among web assets. It is known by its banner, a version and a license, as
/// `/*! jQuery v3.6.0 | (c) OpenJS Foundation */`, or by a wrapper for every kind of module loader.
pub(super) fn library<'p>(path: &'p RepoPath, text: &str) -> Option<&'p [u8]> {
    let bytes = path.as_bytes();
    let is_script = [&b".js"[..], b".mjs", b".css"].iter().any(|end| bytes.ends_with(end));
    if !is_script || !is_web_asset(path) {
        return None;
    }
    let end = (0..=BANNER.min(text.len())).rev().find(|&at| text.is_char_boundary(at))?;
    let is_known = has_banner(&text[..end]) || text[..end].contains("define.amd");
    let folder = bytes.iter().rposition(|&byte| byte == b'/').map(|at| &bytes[..at]);
    folder.filter(|_| is_known)
}

fn has_banner(text: &str) -> bool {
    if !text.trim_start().starts_with("/*") {
        return false;
    }
    let banner = text.split("*/").next().unwrap_or_default().to_ascii_lowercase();
    let is_licensed = ["license", "copyright", "(c)", "©"].iter().any(|it| banner.contains(it));
    let is_version = |word: &str| {
        let word = word.trim_start_matches('v').trim_end_matches([',', ';', ':']);
        let mut parts = word.splitn(3, '.');
        let is_number = |it: &str| it.bytes().next().is_some_and(|it| it.is_ascii_digit());
        parts.next().is_some_and(is_number) && parts.next().is_some_and(is_number)
    };
    is_licensed && banner.split_whitespace().any(is_version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix11_libraries_among_web_assets_are_known_by_their_banner() {
        let jquery = "/*!\n * jQuery JavaScript Library v3.6.0\n * Released under the MIT license\n */\nx();\n";
        for (path, text, is_library) in [
            ("public/js/jquery.js", jquery, true),
            ("assets/chart.js", "/* Chart.js 2.9 | (c) 2020 */\n", true),
            ("public/js/app.js", "/* Copyright Acme */\nrun();\n", false),
            ("public/js/app.js", "run('v1.2 license');\n", false),
            ("src/jquery.js", jquery, false),
            (
                "assets/slider.js",
                "(function (a, b) {\n  if (define.amd) define(b);\n})(this, f);\n",
                true,
            ),
            (
                "src/slider.js",
                "(function (a, b) {\n  if (define.amd) define(b);\n})(this, f);\n",
                false,
            ),
        ] {
            let path = RepoPath::new(path).unwrap();
            assert_eq!(library(&path, text).is_some(), is_library, "{path}");
        }
    }

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
