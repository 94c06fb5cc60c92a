//! What holds for every patch.

use proptest::prelude::*;

use super::*;

fn patches() -> impl Strategy<Value = String> {
    let line =
        "[-+ ]( {0,3})(return the same value again|let a = b;|f\\(x, y\\)|[a-c ]{0,6}|)(\r)?\n";
    let hunk = proptest::collection::vec(line, 0..24)
        .prop_map(|lines| format!("@@ -1,9 +1,9 @@ f()\n{}", lines.concat()));
    let file =
        (proptest::collection::vec(hunk, 0..3), "[a-c]\\.(rs|py|txt)").prop_map(|(hunks, path)| {
            format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n{}", hunks.concat())
        });
    proptest::collection::vec(file, 0..3).prop_map(|files| files.concat())
}

/// The lines of a patch, as the diff has them: first a block's old lines, then its new ones.
fn texts(diff: &Diff) -> (Vec<String>, Vec<String>) {
    let (mut old_lines, mut new_lines) = (Vec::new(), Vec::new());
    for row in diff.files.iter().flat_map(|file| &file.hunks).flat_map(|hunk| &hunk.rows) {
        match row {
            Row::Same { line, .. } => {
                old_lines.push(line.text.clone());
                new_lines.push(line.text.clone());
            }
            Row::Changed { old, new } => {
                old_lines.extend(old.iter().map(|line| line.text.clone()));
                new_lines.extend(new.iter().map(|line| line.text.clone()));
            }
        }
    }
    (old_lines, new_lines)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn ux4_marking_never_changes_the_text(patch in patches()) {
        let side = |other: char| -> Vec<String> {
            let is_code = |line: &&str| {
                !["+++ ", "--- ", "@@ ", "diff "].iter().any(|head| line.starts_with(head))
                    && !line.starts_with(other)
            };
            patch.split_terminator('\n').filter(is_code).map(|line| {
                let text = line.get(1..).unwrap_or_default();
                text.strip_suffix('\r').unwrap_or(text).to_owned()
            }).collect()
        };
        let diff = Diff::read(patch.as_bytes());
        prop_assert_eq!(texts(&diff), (side('+'), side('-')));
    }

    #[test]
    fn ux4_words_are_sorted_places_of_their_line(old in "[a-z ().é🦀]{0,40}", new in "[a-z ().é🦀]{0,40}") {
        let (in_old, in_new) = words::changes(&old, &new);
        for (text, places) in [(&old, in_old), (&new, in_new)] {
            let mut end = 0;
            for place in places {
                prop_assert!(place.start >= end && place.start < place.end);
                prop_assert!(text.get(place.clone()).is_some());
                end = place.end;
            }
        }
    }

    #[test]
    fn ux4_no_bytes_break_the_reader(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        patch in patches(),
        at in any::<proptest::sample::Index>(),
    ) {
        let at = at.index(patch.len() + 1);
        let mixed = [&patch.as_bytes()[..at], &bytes, &patch.as_bytes()[at..]].concat();
        let diff = Diff::read(&mixed);
        let mut budget = Budget { lines: 1000, lines_per_file: 100 };
        for file in &diff.files {
            for layout in [Layout::Unified, Layout::SideBySide] {
                let view = View { layout, notes: &[], anchor: "d", patch: None };
                render(&mut crate::Page::new(), file, &view, &mut budget);
            }
        }
    }
}
