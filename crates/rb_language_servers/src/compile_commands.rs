//! The compiler's command lines of a C or C++ project, for the folder that the server reads.
//!
//! Build tools write them with absolute paths into the user's checkout, and git seldom tracks them: in a worktree they are those of
//! the checkout, with its paths exchanged.

use std::path::Path;

use rb_core::fs;

use crate::renamer::LanguageServers;

pub(crate) const FILE: &str = "compile_commands.json";

/// Where build tools put it.
const FOLDERS: [&str; 2] = ["", "build"];
const MAX_BYTES: u64 = 64 << 20;

pub(crate) fn read(servers: &LanguageServers) -> Option<String> {
    let roots = std::iter::once(&servers.root).chain(&servers.checkouts);
    let mut files =
        roots.flat_map(|root| FOLDERS.map(|folder| (root, root.join(folder).join(FILE))));
    let (from, file) = files.find(|(_, file)| file.is_file())?;
    let text = fs::read_head(&file, MAX_BYTES).ok()?;
    Some(moved(&String::from_utf8(text).ok()?, from, &servers.root))
}

fn moved(text: &str, from: &Path, to: &Path) -> String {
    let (Some(from), Some(to)) = (from.to_str(), to.to_str()) else { return text.to_owned() };
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let (before, found) = rest.split_at(at);
        let after = &found[from.len()..];
        let is_path = after.starts_with(['/', '"', ' ', '\\', ':', ';']);
        out.push_str(before);
        out.push_str(if is_path { to } else { from });
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st5_command_lines_of_the_checkout_are_those_of_the_worktree() {
        let text = r#"{"directory":"/a/b","command":"cc -I/a/b/include -I /a/b2 -c /a/b/x.c"}"#;
        let expected = r#"{"directory":"/w","command":"cc -I/w/include -I /a/b2 -c /w/x.c"}"#;
        assert_eq!(moved(text, Path::new("/a/b"), Path::new("/w")), expected);
    }
}
