//! The names of files in the header of a diff, quoted by git where they hold odd characters.

use rb_core::path::unquote;

use super::lossy;

/// The one name that stands twice behind `diff --git`. A renamed file has two, and other lines name them.
pub(super) fn both(names: &[u8]) -> Option<String> {
    let half = names.len() / 2;
    let first = bare(names.get(..half)?).strip_prefix(b"a/")?.to_vec();
    let second = bare(names.get(half + 1..)?).strip_prefix(b"b/")?.to_vec();
    (first == second).then(|| lossy(&first))
}

/// The name behind `---` or `+++`; `None` for a file that is not there.
pub(super) fn side(name: &[u8], prefix: &[u8]) -> Option<String> {
    let name = match name.iter().position(|&byte| byte == b'\t') {
        // A time may stand behind the name.
        Some(tab) if !name.starts_with(b"\"") => &name[..tab],
        Some(_) | None => name,
    };
    let name = bare(name);
    (name != b"/dev/null").then(|| lossy(name.strip_prefix(prefix).unwrap_or(&name)))
}

pub(super) fn plain(name: &[u8]) -> String {
    lossy(&bare(name))
}

fn bare(name: &[u8]) -> Vec<u8> {
    let unquoted = std::str::from_utf8(name).ok().and_then(unquote);
    unquoted.unwrap_or_else(|| name.to_vec())
}
