//! Words taken apart: "i g n o r e", "i-g-n-o-r-e", "ig no re". Rows of very short pieces are read without their gaps.

use crate::fold::Skeleton;

/// Longest piece, in characters, and fewest pieces of a row.
const PIECE: usize = 3;
const ROW: usize = 6;

/// Each row of short pieces as a skeleton of its own, with the same way back to the text.
pub(crate) fn runs(view: &Skeleton) -> Vec<Skeleton> {
    let mut out = Vec::new();
    let mut row: Vec<(usize, usize)> = Vec::new();
    for piece in pieces(&view.text) {
        let text = &view.text[piece.0..piece.1];
        if text.len() <= PIECE * 4 && text.chars().count() <= PIECE {
            row.push(piece);
        } else {
            close(view, &mut row, &mut out);
        }
    }
    close(view, &mut row, &mut out);
    out
}

fn pieces(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    text.split([' ', '.']).map(move |piece| {
        let start = at;
        at += piece.len() + 1;
        (start, start + piece.len())
    })
}

fn close(view: &Skeleton, row: &mut Vec<(usize, usize)>, out: &mut Vec<Skeleton>) {
    if row.len() >= ROW {
        let mut run = Skeleton::default();
        for (start, end) in row.drain(..) {
            for (offset, c) in view.text[start..end].char_indices() {
                run.push(c, view.origin(start + offset));
            }
        }
        out.push(run);
    }
    row.clear();
}
