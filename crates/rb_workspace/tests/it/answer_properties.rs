//! What holds for every answer: it is placed at the one right place, or refused.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rb_core::RepoPath;
use rb_workspace::answer::{AnswerError, Rung, Why, resolve};
use rb_workspace::patch::{Entry, File, MemoryTree, Tree as _, apply, diff, parse, write};

use crate::generate::{Files, states, text};
use crate::patch_properties::{cases, damaged};

fn path() -> RepoPath {
    RepoPath::new("src/f.rs").unwrap()
}

fn tree(text: &[u8]) -> MemoryTree {
    MemoryTree::new([(path(), File::regular(text))])
}

fn content(tree: &MemoryTree) -> Vec<u8> {
    match tree.entry(&path()).unwrap() {
        Some(Entry::File(file)) => file.bytes,
        other => panic!("{other:?}"),
    }
}

/// Distinct lines, indented as code is.
fn distinct() -> impl Strategy<Value = Vec<String>> {
    vec(0usize..4, 4..30).prop_map(|depths| {
        let line =
            |(number, depth): (usize, usize)| format!("{}line {number}\n", "    ".repeat(depth));
        depths.into_iter().enumerate().map(line).collect()
    })
}

fn block(search: &[String], replace: &[String]) -> String {
    format!(
        "src/f.rs\n<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE\n",
        search.concat(),
        replace.concat()
    )
}

fn part(lines: &[String], at: Index, len: usize) -> std::ops::Range<usize> {
    let start = at.index(lines.len());
    start..lines.len().min(start + len)
}

fn outdented(lines: &[String]) -> Option<(Vec<String>, usize)> {
    let indent = |line: &String| line.len() - line.trim_start().len();
    let least = lines.iter().map(indent).min()?;
    Some((lines.iter().map(|line| line[least..].to_owned()).collect(), least))
}

/// Applies what `resolve` made of the answer.
fn resolved(answer: &[u8], text: &[u8]) -> Result<(Vec<u8>, Rung, usize), AnswerError> {
    let mut tree = tree(text);
    let resolved = resolve(answer, &tree)?;
    tree.land(&apply(&resolved.patch, &tree).unwrap());
    Ok((content(&tree), resolved.rung(), resolved.placed[0].line))
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn sa4_a_block_is_found_where_it_stands(lines in distinct(), at in any::<Index>(), len in 1usize..5) {
        let range = part(&lines, at, len);
        let new = ["new 1\n".to_owned(), "    new 2\n".to_owned()];
        let answer = block(&lines[range.clone()], &new);
        let (found, rung, line) = resolved(answer.as_bytes(), lines.concat().as_bytes()).unwrap();
        let mut expected = lines.clone();
        expected.splice(range.clone(), new);
        prop_assert_eq!(String::from_utf8(found).unwrap(), expected.concat());
        prop_assert_eq!((rung, line), (Rung::Exact, range.start + 1));
    }

    #[test]
    fn sa4_a_shifted_block_is_re_indented_in_place(lines in distinct(), at in any::<Index>(), len in 1usize..5) {
        let range = part(&lines, at, len);
        let (search, shift) = outdented(&lines[range.clone()]).unwrap();
        prop_assume!(shift > 0);
        let answer = block(&search, &["new 1\n".to_owned(), "\n".to_owned(), "  new 2\n".to_owned()]);
        let (found, rung, line) = resolved(answer.as_bytes(), lines.concat().as_bytes()).unwrap();
        let indent = " ".repeat(shift);
        let mut expected = lines.clone();
        expected.splice(range.clone(), [format!("{indent}new 1\n"), "\n".to_owned(), format!("{indent}  new 2\n")]);
        prop_assert_eq!(String::from_utf8(found).unwrap(), expected.concat());
        prop_assert_eq!((rung, line), (Rung::Whitespace, range.start + 1));
    }

    #[test]
    fn sa4_a_hunk_with_wrong_numbers_is_found_at_its_place(
        lines in distinct(),
        at in any::<Index>(),
        len in 1usize..5,
        wrong in 40usize..90,
    ) {
        let range = part(&lines, at, len);
        let mut expected = lines.clone();
        expected.splice(range.clone(), ["new\n".to_owned()]);
        let (old, new) = (lines.concat(), expected.concat());
        let state = |text: &str| Files::from([(path(), File::regular(text))]);
        let mut patch = diff(&state(&old), &state(&new)).unwrap();
        let placed = patch.files[0].hunks[0].old_start;
        patch.files[0].hunks[0].old_start = wrong;
        let (found, rung, line) = resolved(&write(&patch), old.as_bytes()).unwrap();
        prop_assert_eq!(String::from_utf8(found).unwrap(), new);
        prop_assert_eq!((rung, line), (Rung::Context, placed));
    }

    #[test]
    fn sa4_a_place_that_is_not_unique_is_refused(lines in distinct(), at in any::<Index>(), len in 1usize..5) {
        let range = part(&lines, at, len);
        let twice = [lines.clone(), vec!["between\n".to_owned()], lines.clone()].concat();
        let answer = block(&lines[range.clone()], &["new\n".to_owned()]);
        let error = resolve(answer.as_bytes(), &tree(twice.concat().as_bytes())).unwrap_err();
        let AnswerError::Refused(refused) = error else { panic!("{error}") };
        let places = vec![range.start + 1, lines.len() + range.start + 2];
        prop_assert_eq!(&refused[0].why, &Why::Ambiguous { lines: places, more: 0 });
    }

    #[test]
    fn sa4_edits_never_overlap(
        lines in distinct(),
        parts in vec((any::<Index>(), 1usize..4), 2..5),
    ) {
        let ranges: Vec<_> = parts.iter().map(|&(at, len)| part(&lines, at, len)).collect();
        let new = |index: usize| [format!("new {index}\n")];
        let blocks = ranges.iter().enumerate().map(|(index, range)| block(&lines[range.clone()], &new(index)));
        let answer: String = blocks.collect();
        let covered: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        let mut distinct: Vec<usize> = ranges.iter().cloned().flatten().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let result = resolved(answer.as_bytes(), lines.concat().as_bytes());
        if distinct.len() < covered {
            let is_overlap = |error: AnswerError| matches!(error, AnswerError::Refused(refused)
                if refused.iter().all(|refused| matches!(refused.why, Why::Overlap { .. })));
            prop_assert!(result.is_err_and(is_overlap));
        } else {
            let found = String::from_utf8(result.unwrap().0).unwrap();
            prop_assert_eq!(found.lines().count(), lines.len() - covered + ranges.len());
        }
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    /// A patch of ours, given as an answer, comes back as itself. An answer may not put a file where a
    /// folder is.
    #[test]
    fn sa4_our_own_patches_resolve_exactly(states in states()) {
        let patch = diff(&states.before, &states.after).unwrap();
        let in_the_way = |path: &RepoPath| states.before.keys().any(|old| old != path && old.is_within(path));
        prop_assume!(!patch.files.is_empty() && !states.after.keys().any(in_the_way));
        let resolved = resolve(&write(&patch), &MemoryTree::new(states.before.clone()));
        match resolved {
            Ok(resolved) => {
                prop_assert_eq!(&resolved.patch, &patch);
                prop_assert_eq!(resolved.rung(), Rung::Exact);
            }
            Err(error) => prop_assert!(false, "{}\n{}", error, write(&patch).escape_ascii()),
        }
    }

    #[test]
    fn sa4_any_answer_is_resolved_or_refused_without_panic(
        text in text(),
        words in vec(select(words()), 0..30),
        damage in vec((any::<Index>(), any::<u8>(), any::<u8>()), 0..4),
    ) {
        let answer = damaged(&words.concat(), &damage);
        let tree = tree(&text);
        if let Ok(resolved) = resolve(&answer, &tree) {
            let again = parse(&write(&resolved.patch));
            prop_assert_eq!(again.as_ref(), Ok(&resolved.patch));
            prop_assert!(apply(&resolved.patch, &tree).is_ok());
        }
    }
}

fn words() -> Vec<&'static [u8]> {
    vec![
        b"src/f.rs\n",
        b"```rust\n",
        b"```\n",
        b"<<<<<<< SEARCH\n",
        b"=======\n",
        b">>>>>>> REPLACE\n",
        b"a\n",
        b"b\n",
        b"    deep\n",
        b"\n",
        b"\r\n",
        b"--- a/src/f.rs\n",
        b"+++ b/src/f.rs\n",
        b"@@ -1,2 +1,2 @@\n",
        b"@@ ... @@\n",
        b" a\n",
        b"-b\n",
        b"+c\n",
        b"+\n",
        b"\\ No newline at end of file\n",
        b"diff --git a/src/f.rs b/src/f.rs\n",
        b"new file mode 100755\n",
        b"deleted file mode 100644\n",
        b"rename from src/f.rs\n",
        b"rename to src/g.rs\n",
        b"*** Begin File: src/f.rs\n",
        b"*** End File\n",
        b"+++ /dev/null\n",
        b"--- /dev/null\n",
        b"\xff\xfe\n",
        b"new mode 100755\n",
    ]
}
