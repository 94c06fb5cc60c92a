//! Generators of files, trees and changes that hold what real repositories hold: mixed line ends, byte
//! order marks, missing last newlines, bytes that are no UTF-8, odd names, modes and renames.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rb_core::RepoPath;
use rb_core::patch::Mode;
use rb_workspace::patch::File;

pub(crate) type Files = BTreeMap<RepoPath, File>;

/// A state of a few files and the one after it.
#[derive(Debug, Clone)]
pub(crate) struct States {
    pub(crate) before: Files,
    pub(crate) after: Files,
}

pub(crate) fn path() -> impl Strategy<Value = RepoPath> {
    let component = select(vec![
        &b"a"[..],
        b"b",
        b"src",
        b"A b",
        b" lead",
        b"trail ",
        b"tab\there",
        b"new\nline",
        b"quo\"te",
        b"back\\slash",
        b"\xff\xfe",
        b"-dash",
        b"na\xc3\xafve",
        b"b b",
        b"...",
        b"cr\r",
        b"\x7f\x01",
        b"\\303",
        b"'$x'",
        b"dev",
        b"null",
        b"#",
        b"f.rs",
    ]);
    vec(component, 1..4)
        .prop_map(|parts| RepoPath::new(parts.join(&b'/')).expect("components are plain"))
}

/// Few different lines, so that texts share some and repeat some.
fn line() -> impl Strategy<Value = &'static [u8]> {
    select(vec![
        &b""[..],
        b"a",
        b"b",
        b"c",
        b"    deep",
        b"\ttab",
        b"}",
        b"-- sql",
        b"++ plus",
        b"@@ -1 +1 @@",
        b"diff --git a/a b/a",
        b"\\ No newline at end of file",
        b"--- a/a",
        b"trailing  ",
        b"\xff\xfe",
        b"cr\rinside",
        b"\xe2\x80\xa8",
        b"long long long long long long line",
    ])
}

pub(crate) fn text() -> impl Strategy<Value = Vec<u8>> {
    let end = select(vec![&b"\n"[..], b"\n", b"\r\n"]);
    let lines = vec((line(), end.clone()), 0..24);
    // Most files keep to one line end.
    (lines, prop::option::of(end), prop::bool::weighted(0.1), prop::bool::weighted(0.2)).prop_map(
        |(lines, uniform, bom, cut)| {
            let mut text = if bom { b"\xef\xbb\xbf".to_vec() } else { Vec::new() };
            for (line, own) in lines {
                text.extend_from_slice(line);
                text.extend_from_slice(uniform.unwrap_or(own));
            }
            if cut {
                text.pop_if(|byte| *byte == b'\n');
            }
            text
        },
    )
}

pub(crate) fn file() -> impl Strategy<Value = File> {
    let mode = prop::bool::weighted(0.2);
    (text(), mode).prop_map(|(bytes, executable)| File {
        bytes,
        mode: if executable { Mode::Executable } else { Mode::Regular },
    })
}

#[derive(Debug, Clone)]
enum Step {
    Keep,
    Delete,
    Flip,
    Rewrite(File),
    Splice { at: Index, remove: usize, insert: Vec<u8> },
    Move(RepoPath),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        1 => Just(Step::Keep),
        1 => Just(Step::Delete),
        1 => Just(Step::Flip),
        1 => file().prop_map(Step::Rewrite),
        4 => (any::<Index>(), 0usize..4, text()).prop_map(|(at, remove, insert)| {
            Step::Splice { at, remove, insert: insert.into_iter().take(30).collect() }
        }),
        1 => path().prop_map(Step::Move),
    ]
}

pub(crate) fn states() -> impl Strategy<Value = States> {
    let files = vec((path(), file(), step()), 0..5);
    let created = vec((path(), file()), 0..2);
    (files, created).prop_map(|(files, created)| {
        let mut states = States { before: Files::new(), after: Files::new() };
        let mut moved = Vec::new();
        for (path, file, step) in files {
            if !is_free(&states.before, &path) || !is_free(&states.after, &path) {
                continue;
            }
            states.before.insert(path.clone(), file.clone());
            match step {
                Step::Move(to) => moved.push((to, file)),
                Step::Delete => {}
                Step::Keep => drop(states.after.insert(path, file)),
                Step::Rewrite(new) => drop(states.after.insert(path, new)),
                Step::Flip => {
                    let mode = match file.mode {
                        Mode::Regular => Mode::Executable,
                        Mode::Executable => Mode::Regular,
                    };
                    states.after.insert(path, File { mode, ..file });
                }
                Step::Splice { at, remove, insert } => {
                    let bytes = splice(&file.bytes, at, remove, &insert);
                    states.after.insert(path, File { bytes, ..file });
                }
            }
        }
        for (path, file) in moved.into_iter().chain(created) {
            if is_free(&states.after, &path) {
                states.after.insert(path, file);
            }
        }
        states
    })
}

/// No file may stand at a path, above it or below it.
fn is_free(files: &Files, path: &RepoPath) -> bool {
    files.keys().all(|other| !other.is_within(path) && !path.is_within(other))
}

fn splice(text: &[u8], at: Index, remove: usize, insert: &[u8]) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let start = at.index(lines.len() + 1);
    let end = lines.len().min(start + remove);
    lines.splice(start..end, insert.split_inclusive(|&byte| byte == b'\n'));
    lines.concat()
}
