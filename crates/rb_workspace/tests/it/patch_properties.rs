//! What holds for every patch: reading, writing, computing, applying and taking it back.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use rb_core::patch::{FilePatch, Hunk, LineKind, Patch};
use rb_workspace::patch::{File, MemoryTree, apply, diff, parse, reverse, write};

use crate::generate::{Files, States, states};

pub(crate) fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn tree(files: &Files) -> MemoryTree {
    MemoryTree::new(files.clone())
}

/// Sections are free text; `diff` leaves them empty.
fn with_sections(mut patch: Patch, sections: &[Vec<u8>]) -> Patch {
    let hunks = patch.files.iter_mut().flat_map(|file| &mut file.hunks);
    for (hunk, section) in hunks.zip(sections.iter().cycle()) {
        hunk.section.clone_from(section);
    }
    patch
}

fn section() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>().prop_filter("one line", |byte| !matches!(byte, b'\n' | 0)), 0..6)
}

/// A patch as another tool might have cut it: with less context around its hunks.
pub(crate) fn trimmed(patch: &Patch, cuts: &[(usize, usize)]) -> Patch {
    let mut cuts = cuts.iter().cycle();
    let mut trim = |hunk: &Hunk| {
        let &(head, tail) = cuts.next()?;
        let is_context = |index: &usize| hunk.lines[*index].kind == LineKind::Context;
        let head = (0..head.min(hunk.lines.len())).take_while(is_context).count();
        let last = hunk.lines.len();
        let tail = (0..tail.min(last)).take_while(|back| is_context(&(last - 1 - back))).count();
        let mut cut = hunk.clone();
        cut.lines = hunk.lines[head..last - tail].to_vec();
        let (old_len, new_len) = cut.lens();
        // A side without lines names the line before it.
        cut.old_start = hunk.old_start + head - usize::from(old_len == 0 && hunk.lens().0 > 0);
        cut.new_start = hunk.new_start + head - usize::from(new_len == 0 && hunk.lens().1 > 0);
        Some(cut)
    };
    let mut trim_file = |file: &FilePatch| FilePatch {
        change: file.change.clone(),
        hunks: file.hunks.iter().filter_map(&mut trim).collect(),
    };
    Patch { files: patch.files.iter().map(&mut trim_file).collect() }
}

/// The bytes of a patch after some damage.
pub(crate) fn damaged(bytes: &[u8], damage: &[(Index, u8, u8)]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> =
        bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    for (at, how, value) in damage {
        if lines.is_empty() {
            break;
        }
        let index = at.index(lines.len());
        match how % 6 {
            0 => drop(lines.remove(index)),
            1 => lines.insert(index, lines[index].clone()),
            2 => {
                let other = usize::from(*value) % lines.len();
                lines.swap(index, other);
            }
            3 => {
                let line = &mut lines[index];
                if let Some(byte) = line.first_mut() {
                    *byte = b" +-\\@d"[usize::from(*value) % 6];
                }
            }
            4 => {
                let line = &mut lines[index];
                let column = usize::from(*value) % line.len().max(1);
                if let Some(byte) = line.get_mut(column) {
                    *byte = byte.wrapping_add(1);
                }
            }
            _ => lines[index].truncate(usize::from(*value) % 8),
        }
    }
    lines.concat()
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn sa4_reading_what_was_written_gives_the_patch(
        states in states(),
        sections in vec(section(), 1..4),
    ) {
        let patch = with_sections(diff(&states.before, &states.after).unwrap(), &sections);
        let bytes = write(&patch);
        let read = parse(&bytes);
        prop_assert_eq!(read.as_ref(), Ok(&patch), "{}", bytes.escape_ascii());
        prop_assert_eq!(write(&read.unwrap()), bytes);
    }
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn sa4_applying_the_difference_gives_the_later_state_and_back(states in states()) {
        let States { before, after } = &states;
        let patch = diff(before, after).unwrap();
        let mut files = tree(before);
        let changes = apply(&patch, &files).unwrap();
        for change in &changes {
            prop_assert_eq!(change.before.as_ref(), before.get(&change.path));
        }
        files.land(&changes);
        prop_assert_eq!(&files, &tree(after));

        let undo = reverse(&patch);
        prop_assert_eq!(&reverse(&undo), &patch);
        let changes = apply(&undo, &files).unwrap();
        files.land(&changes);
        prop_assert_eq!(&files, &tree(before));
    }
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn sa4_damaged_patches_are_refused_or_still_mean_something(
        states in states(),
        damage in vec((any::<Index>(), any::<u8>(), any::<u8>()), 1..4),
    ) {
        let bytes = damaged(&write(&diff(&states.before, &states.after).unwrap()), &damage);
        if let Ok(patch) = parse(&bytes) {
            let again = parse(&write(&patch));
            prop_assert_eq!(again.as_ref(), Ok(&patch));
            let _ = apply(&patch, &tree(&states.before));
        }
    }

    #[test]
    fn sa4_any_bytes_are_read_without_panic(bytes in vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes);
    }
}

#[test]
fn sa4_all_files_or_none() {
    let path = |text: &str| rb_core::RepoPath::new(text).unwrap();
    let before =
        Files::from([(path("a"), File::regular("1\n")), (path("b"), File::regular("1\n"))]);
    let diffs = b"--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+2\n";
    assert!(apply(&parse(diffs).unwrap(), &tree(&before)).is_err());
}
