//! Edits and new files that an answer gives one by one, not in one text.

use rb_core::RepoPath;

use super::error::{AnswerError, Malformed, Spot, Why};
use super::names::Names;
use super::place::{Piece, ambiguous};
use super::read::{Action, Proposal, ended};
use crate::patch::lines;

/// A text that stands in a file once, and what takes its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edit<'a> {
    pub path: &'a str,
    pub search: &'a str,
    pub replace: &'a str,
}

/// A file in full: a new one, or a small one that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewFile<'a> {
    pub path: &'a str,
    pub content: &'a str,
}

/// The edits in their order, then the new files.
pub(super) fn read(
    edits: &[Edit<'_>],
    new_files: &[NewFile<'_>],
    names: &Names,
) -> Result<Vec<Proposal>, AnswerError> {
    let mut proposals = Vec::new();
    for (Edit { path, search, replace }, number) in edits.iter().zip(1..) {
        let (search, replace) = ((*search).to_owned(), (*replace).to_owned());
        let action = Action::Replace { search, replace };
        proposals.push(proposal(Spot::Edit(number), path, action, names)?);
    }
    for (NewFile { path, content }, number) in new_files.iter().zip(1..) {
        let content: Vec<u8> = lines(content.as_bytes()).flat_map(ended).collect();
        proposals.push(proposal(Spot::NewFile(number), path, Action::New(content), names)?);
    }
    Ok(proposals)
}

fn proposal(at: Spot, path: &str, action: Action, names: &Names) -> Result<Proposal, AnswerError> {
    let path = RepoPath::new(path.strip_prefix("./").unwrap_or(path))
        .map_err(|bad| AnswerError::Malformed { at, why: Malformed::BadPath(bad) })?;
    Ok(Proposal { at, path: names.settle(path), action })
}

/// Both texts as whole lines, whether or not they end in a line break.
pub(super) fn whole_lines(search: &str, replace: &str) -> Piece {
    let whole = |text: &str| lines(text.as_bytes()).map(ended).collect::<Vec<Vec<u8>>>();
    let (old, new) = (whole(search), whole(replace));
    let old: Vec<&[u8]> = old.iter().map(Vec::as_slice).collect();
    let new: Vec<&[u8]> = new.iter().map(Vec::as_slice).collect();
    Piece::replacing(None, &old, &new)
}

/// The lines around a text that begins or ends inside of them. It must stand there once, and not inside of a word.
pub(super) fn part_of_lines(
    search: &str,
    replace: &str,
    file: &[u8],
) -> Result<Option<Piece>, Why> {
    let Ok(text) = std::str::from_utf8(file) else { return Ok(None) };
    let (search, replace) = match search.strip_suffix('\n') {
        Some(search) => (search, replace.strip_suffix('\n').unwrap_or(replace)),
        None => (search, replace),
    };
    if search.trim().is_empty() {
        return Ok(None);
    }
    let (mut seen, mut line) = (0, 0);
    let place = |(start, _): (usize, &str)| {
        line += text[seen..start].matches('\n').count();
        seen = start;
        (start, line)
    };
    let places: Vec<(usize, usize)> = text.match_indices(search).map(place).collect();
    let (start, line) = match places.as_slice() {
        [] => return Ok(None),
        [only] => *only,
        several => return Err(ambiguous(several.iter().map(|&(_, line)| line))),
    };
    let (before, after) = (&text[..start], &text[start + search.len()..]);
    if is_inside_word(before, search) || is_inside_word(search, after) {
        return Ok(None);
    }
    let from = before.rfind('\n').map_or(0, |at| at + 1);
    let rest = after.find('\n').map_or(after, |at| &after[..=at]);
    let replace = if rest.ends_with("\r\n") {
        replace.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        replace.to_owned()
    };
    let old = [&before[from..], search, rest].concat();
    let new = [&before[from..], replace.as_str(), rest].concat();
    let old: Vec<&[u8]> = lines(old.as_bytes()).collect();
    let new: Vec<&[u8]> = lines(new.as_bytes()).collect();
    Ok(Some(Piece::replacing(Some(line), &old, &new)))
}

/// Whether the border of two texts goes through a word.
fn is_inside_word(left: &str, right: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    is_word(left.chars().next_back()) && is_word(right.chars().next())
}
