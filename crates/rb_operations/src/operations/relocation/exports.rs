//! `__all__`: entries leave one list and join another, in the style of each.

use std::collections::BTreeSet;

use rb_core::Edit;
use rb_python::{AllEntry, Source, TextRange};

use crate::operations::item_list::ItemList;

/// The entries of these names, taken out.
pub(in crate::operations) fn removed(source: &Source, names: &BTreeSet<String>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (list, range) in lists(source) {
        let entries = entries(source, list);
        let nodes: Vec<TextRange> = entries.iter().map(|entry| entry.range).collect();
        let items = ItemList::new(source, range, &nodes);
        let gone = entries.iter().filter(|entry| names.contains(&entry.name));
        let indexes: Vec<usize> = gone.filter_map(|entry| items.index_of(entry.range)).collect();
        if indexes.is_empty() {
            continue;
        }
        edits.extend(items.remove(&indexes));
        let kept: Vec<usize> = (0..items.len()).filter(|index| !indexes.contains(index)).collect();
        let is_tuple = source.slice(range).starts_with('(');
        // `('a')` is no tuple.
        if let (true, [only]) = (is_tuple, kept.as_slice()) {
            edits.extend(single(source, &items, *only, indexes.iter().any(|gone| gone > only)));
        }
    }
    edits
}

/// The comma that makes a tuple of one.
fn single(source: &Source, items: &ItemList<'_>, only: usize, drops_last: bool) -> Option<Edit> {
    let end = items.range(only).end();
    let rest = source.text()[end.to_usize()..].trim_start();
    let is_vertical =
        source.text()[end.to_usize()..].trim_start_matches([',', ' ']).starts_with(['\n', '\r']);
    let has_comma = rest.starts_with(',');
    let loses_comma = drops_last && has_comma && !is_vertical;
    (!has_comma || loses_comma).then(|| Edit::insert(end.to_u32(), ","))
}

/// New entries, sorted in if the list is sorted. Names that it has are left out.
pub(in crate::operations) fn added(source: &Source, names: &[String]) -> Vec<Edit> {
    let Some((list, range)) = lists(source).into_iter().next() else { return Vec::new() };
    let entries = entries(source, list);
    let known: BTreeSet<&str> = source
        .all()
        .map(|all| all.entries.iter().map(|entry| entry.name.as_str()).collect())
        .unwrap_or_default();
    let nodes: Vec<TextRange> = entries.iter().map(|entry| entry.range).collect();
    let items = ItemList::new(source, range, &nodes);
    let listed: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    let lower = |name: &str| name.to_lowercase();
    let is_sorted = listed.len() > 1 && listed.is_sorted();
    let is_folded = listed.len() > 1 && listed.is_sorted_by_key(|name| lower(name));
    let quote = quote(source);
    let mut edits: Vec<Edit> = Vec::new();
    for name in names.iter().filter(|name| !known.contains(name.as_str())) {
        let position = if is_sorted {
            listed.iter().position(|other| *other > name.as_str())
        } else if is_folded {
            listed.iter().position(|other| lower(other) > lower(name))
        } else {
            None
        };
        let at =
            position.and_then(|index| items.index_of(entries[index].range)).unwrap_or(items.len());
        edits.extend(items.insert(at, &format!("{quote}{name}{quote}")));
    }
    merged(edits)
}

/// Several insertions at one place as one.
fn merged(edits: Vec<Edit>) -> Vec<Edit> {
    let mut merged: Vec<Edit> = Vec::new();
    for edit in edits {
        match merged.iter_mut().find(|known| known.start == edit.start && known.end == edit.end) {
            Some(known) if known.start == known.end => known.text.push_str(&edit.text),
            _ => merged.push(edit),
        }
    }
    merged
}

/// A list of its own, in the style of another file.
pub(in crate::operations) fn statement(like: &Source, names: &[String], limit: usize) -> String {
    let is_tuple =
        lists(like).first().is_some_and(|(_, range)| like.slice(*range).starts_with('('));
    let (open, close) = if is_tuple { ('(', ')') } else { ('[', ']') };
    let quote = quote(like);
    let entries: Vec<String> = names.iter().map(|name| format!("{quote}{name}{quote}")).collect();
    let comma = if is_tuple && names.len() == 1 { "," } else { "" };
    let short = format!("__all__ = {open}{}{comma}{close}", entries.join(", "));
    if short.len() <= limit {
        return short;
    }
    format!("__all__ = {open}\n    {},\n{close}", entries.join(",\n    "))
}

/// Names in the order of the list.
pub(in crate::operations) fn listed(source: &Source) -> Vec<String> {
    source
        .all()
        .map(|all| all.entries.iter().map(|entry| entry.name.clone()).collect())
        .unwrap_or_default()
}

/// The lists with brackets around them.
fn lists(source: &Source) -> Vec<(usize, TextRange)> {
    let Some(all) = source.all() else { return Vec::new() };
    let has_brackets = |range: &TextRange| {
        let text = source.slice(*range);
        (text.starts_with('(') && text.ends_with(')'))
            || (text.starts_with('[') && text.ends_with(']'))
    };
    all.ranges.iter().copied().enumerate().filter(|(_, range)| has_brackets(range)).collect()
}

fn entries(source: &Source, list: usize) -> Vec<&AllEntry> {
    let all = source.all().into_iter().flat_map(|all| &all.entries);
    all.filter(|entry| entry.list == list).collect()
}

/// The quotation mark of the list.
fn quote(source: &Source) -> char {
    let first = source.all().and_then(|all| all.entries.first());
    let text = first.map_or("\"", |entry| source.slice(entry.range));
    if text.starts_with('\'') { '\'' } else { '"' }
}
