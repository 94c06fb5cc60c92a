//! The patch that takes a patch back.

use rb_core::patch::{Change, FilePatch, Hunk, Line, LineKind, ModeChange, Patch};

/// Applied after `patch`, gives what was there before.
pub fn reverse(patch: &Patch) -> Patch {
    Patch { files: patch.files.iter().map(reverse_file).collect() }
}

fn reverse_file(file: &FilePatch) -> FilePatch {
    let swap = |mode: Option<ModeChange>| {
        mode.map(|ModeChange { old, new }| ModeChange { old: new, new: old })
    };
    let change = match file.change.clone() {
        Change::Create { path, mode } => Change::Delete { path, mode },
        Change::Delete { path, mode } => Change::Create { path, mode },
        Change::Modify { path, mode } => Change::Modify { path, mode: swap(mode) },
        Change::Rename { from, to, mode } => {
            Change::Rename { from: to, to: from, mode: swap(mode) }
        }
    };
    FilePatch { change, hunks: file.hunks.iter().map(reverse_hunk).collect() }
}

fn reverse_hunk(hunk: &Hunk) -> Hunk {
    let mut lines = Vec::with_capacity(hunk.lines.len());
    for run in
        hunk.lines.chunk_by(|a, b| (a.kind == LineKind::Context) == (b.kind == LineKind::Context))
    {
        // Removed lines stand before added ones, as `diff` and git write them.
        let swapped = |from, to| {
            let of_kind = run.iter().filter(move |line| line.kind == from);
            of_kind.map(move |line| Line { kind: to, text: line.text.clone() })
        };
        lines.extend(swapped(LineKind::Context, LineKind::Context));
        lines.extend(swapped(LineKind::Add, LineKind::Remove));
        lines.extend(swapped(LineKind::Remove, LineKind::Add));
    }
    Hunk {
        old_start: hunk.new_start,
        new_start: hunk.old_start,
        section: hunk.section.clone(),
        lines,
    }
}
