//! `file:` addresses of the files of a project, and the way back.

use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rb_core::RepoPath;

const SCHEME: &str = "file://";

pub(crate) fn of(path: &Path) -> String {
    let mut uri = SCHEME.to_owned();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => write!(uri, "%{byte:02X}").expect("a string takes it"),
        }
    }
    uri
}

/// The path within `root`. None for everything that lies elsewhere or is no file.
pub(crate) fn within(root: &Path, uri: &str) -> Option<String> {
    let path = decoded(uri.strip_prefix(SCHEME)?)?;
    let root = root.to_str()?;
    let inside = path.strip_prefix(root)?.strip_prefix('/')?;
    RepoPath::new(inside).ok().map(|path| path.to_string())
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (high, low) = (digit(rest.next())?, digit(rest.next())?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st5_only_files_of_the_project_have_a_path() {
        let root = Path::new("/a b/ü");
        let uri = of(&root.join("x#y.go"));
        assert_eq!(uri, "file:///a%20b/%C3%BC/x%23y.go");
        assert_eq!(within(root, &uri).as_deref(), Some("x#y.go"));
        for elsewhere in [
            "file:///a%20b/x.go",
            "file:///a%20b/%C3%BC2/x.go",
            "file:///a%20b/%C3%BC/../x.go",
            "file:///a%20b/%C3%BC/%2e%2e/x.go",
            "file:///a%20b/%C3%BC/.git/config",
            "file:///a%20b/%C3%BC/",
            "file:///a%20b/%C3%BC",
            "file:///a%20b/%C",
            "file:///%ff",
            "http://a/b",
            "x.go",
            "",
        ] {
            assert_eq!(within(root, elsewhere), None, "{elsewhere}");
        }
    }
}
