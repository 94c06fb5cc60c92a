//! Writing a patch in the one form that `parse` gives back unchanged and `git apply` takes.

use std::io::Write as _;

use rb_core::RepoPath;
use rb_core::patch::{Change, FilePatch, Hunk, LineKind, ModeChange, Patch};
use rb_core::path::quote;

/// The patch as git would print it, without blob ids.
pub fn write(patch: &Patch) -> Vec<u8> {
    let mut out = Vec::new();
    for file in &patch.files {
        write_file(&mut out, file);
    }
    out
}

fn write_file(out: &mut Vec<u8>, file: &FilePatch) {
    let (old, new) = match &file.change {
        Change::Create { path, .. } | Change::Delete { path, .. } | Change::Modify { path, .. } => {
            (path, path)
        }
        Change::Rename { from, to, .. } => (from, to),
    };
    let (old_name, new_name) = (prefixed(b"a/", old), prefixed(b"b/", new));
    // Where no other line names the file, git cannot tell two names with spaces apart.
    let is_only_name = file.hunks.is_empty() && !matches!(file.change, Change::Rename { .. });
    let told = |name: &str| {
        let apart = is_only_name && name.contains(' ') && !name.starts_with('"');
        if apart { format!("\"{name}\"") } else { name.to_owned() }
    };
    line(out, &format!("diff --git {} {}", told(&old_name), told(&new_name)));
    match &file.change {
        Change::Create { mode, .. } => line(out, &format!("new file mode {}", mode.git())),
        Change::Delete { mode, .. } => line(out, &format!("deleted file mode {}", mode.git())),
        Change::Modify { mode, .. } => write_mode(out, *mode),
        Change::Rename { from, to, mode } => {
            write_mode(out, *mode);
            if file.hunks.is_empty() {
                line(out, "similarity index 100%");
            }
            line(out, &format!("rename from {from}"));
            line(out, &format!("rename to {to}"));
        }
    }
    if file.hunks.is_empty() {
        return;
    }
    let (created, deleted) = match file.change {
        Change::Create { .. } => (true, false),
        Change::Delete { .. } => (false, true),
        Change::Modify { .. } | Change::Rename { .. } => (false, false),
    };
    line(out, &format!("--- {}", if created { "/dev/null".to_owned() } else { guarded(old_name) }));
    line(out, &format!("+++ {}", if deleted { "/dev/null".to_owned() } else { guarded(new_name) }));
    for hunk in &file.hunks {
        write_hunk(out, hunk);
    }
}

fn write_mode(out: &mut Vec<u8>, mode: Option<ModeChange>) {
    if let Some(ModeChange { old, new }) = mode {
        line(out, &format!("old mode {}", old.git()));
        line(out, &format!("new mode {}", new.git()));
    }
}

fn write_hunk(out: &mut Vec<u8>, hunk: &Hunk) {
    let (old_len, new_len) = hunk.lens();
    let range = |start: usize, len: usize| {
        if len == 1 { start.to_string() } else { format!("{start},{len}") }
    };
    let (old, new) = (range(hunk.old_start, old_len), range(hunk.new_start, new_len));
    out.extend_from_slice(format!("@@ -{old} +{new} @@").as_bytes());
    out.extend_from_slice(&hunk.section);
    out.push(b'\n');
    for line in &hunk.lines {
        out.push(match line.kind {
            LineKind::Context => b' ',
            LineKind::Remove => b'-',
            LineKind::Add => b'+',
        });
        out.extend_from_slice(&line.text);
        if !line.text.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

fn line(out: &mut Vec<u8>, text: &str) {
    writeln!(out, "{text}").expect("writing to memory does not fail");
}

fn prefixed(prefix: &[u8], path: &RepoPath) -> String {
    quote(&[prefix, path.as_bytes()].concat())
}

/// A name with spaces ends in a tab, so that no reader takes a part of it for a timestamp.
fn guarded(mut name: String) -> String {
    if name.contains(' ') && !name.starts_with('"') {
        name.push('\t');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::parse;

    #[test]
    fn sa4_a_name_with_spaces_is_closed_off() {
        let check = |text: &str| {
            assert_eq!(String::from_utf8(write(&parse(text.as_bytes()).unwrap())).unwrap(), text);
        };
        check("diff --git a/x y b/x y\n--- a/x y\t\n+++ b/x y\t\n@@ -1 +1 @@ f\n-a\n+b\n");
        check("diff --git \"a/x y\" \"b/x y\"\nnew file mode 100644\n");
        check(
            "diff --git \"a/\\303\\277\\t\" b/z\nsimilarity index 100%\nrename from \"\\303\\277\\t\"\nrename to z\n",
        );
    }
}
