//! Lists of names that were sorted stay sorted when a name in them changes: `__all__`, the names of an import, imports of one name each.

use std::collections::BTreeMap;
use std::sync::Arc;

use rb_core::Edit;
use rb_python::{ImportName, Source, TextRange};

use super::names::NameOrder;
use crate::files::Files;
use crate::outcome::FileChange;
use crate::project::is_python;

/// Edited files with these lists in order.
pub(crate) fn in_order(
    files: &dyn Files,
    mut changes: BTreeMap<String, FileChange>,
) -> BTreeMap<String, FileChange> {
    for (path, change) in changes.iter_mut().filter(|(path, _)| is_python(path)) {
        let before = files.text(path);
        if let (FileChange::Edited(text), Some(before)) = (change, before) {
            *text = resorted(path, &before, Arc::clone(text));
        }
    }
    changes
}

/// The text with these lists in order. `after` differs from `before` in names alone.
fn resorted(path: &str, before: &Arc<str>, after: Arc<str>) -> Arc<str> {
    let parse = |text: &Arc<str>| Source::parse(path, Arc::clone(text)).ok();
    let (Some(old), Some(new)) = (parse(before), parse(&after)) else { return after };
    let (old_lists, new_lists) = (lists(&old), lists(&new));
    let is_same_shape = old_lists.len() == new_lists.len()
        && old_lists.iter().zip(&new_lists).all(|(old, new)| old.len() == new.len());
    if !is_same_shape {
        return after;
    }
    let mut edits = Vec::new();
    for (old, list) in old_lists.iter().zip(&new_lists) {
        if let Some(order) = lost_order(old, list, &old_lists) {
            edits.extend(sorted(&new, list, order));
        }
    }
    rb_core::edit::apply(new.text(), &edits).map_or(after, Into::into)
}

/// A name, and the text that goes with it: `c as d`, `"c"`, `from a import c`.
struct Item {
    name: String,
    range: TextRange,
}

type List = Vec<Item>;

fn lists(source: &Source) -> Vec<List> {
    let mut lists: Vec<List> = Vec::new();
    for import in source.imports().iter().filter(|import| import.is_from && import.names.len() > 1)
    {
        let item = |name: &ImportName| Item { name: name.name.clone(), range: name.range };
        lists.push(import.names.iter().map(item).collect());
    }
    lists.extend(single_imports(source));
    for (index, _) in source.all().into_iter().flat_map(|all| &all.ranges).enumerate() {
        let entries = source.all().into_iter().flat_map(|all| &all.entries);
        let own = entries.filter(|entry| entry.list == index);
        lists.push(own.map(|one| Item { name: one.name.clone(), range: one.range }).collect());
    }
    lists.retain(|list| !has_comments(source, list));
    lists
}

/// Statements on lines that follow each other and import one name each from the same module.
fn single_imports(source: &Source) -> Vec<List> {
    let mut lists: Vec<List> = Vec::new();
    let mut before: Option<(String, u32)> = None;
    for import in source.imports() {
        let line = source.line(import.range.start());
        let is_single = import.is_from && import.names.len() == 1;
        if !is_single || source.slice(import.range).contains('\n') {
            before = None;
            continue;
        }
        let module = import.specifier(0);
        let item = Item { name: import.names[0].name.clone(), range: import.range };
        match (&before, lists.last_mut()) {
            (Some((known, above)), Some(list)) if *known == module && above + 1 == line => {
                list.push(item);
            }
            _ => lists.push(vec![item]),
        }
        before = Some((module, line));
    }
    lists
}

/// A comment stands at one item, also behind the last.
fn has_comments(source: &Source, list: &[Item]) -> bool {
    let [first, ..] = list else { return false };
    let end = source.line_end(list[list.len() - 1].range.end());
    let range = TextRange::new(first.range.start(), end);
    source.comments().iter().any(|comment| range.contains_range(*comment))
}

/// The order that the list had and no longer has. If several fit, that of all lists of the file.
fn lost_order(old: &[Item], new: &[Item], all: &[List]) -> Option<NameOrder> {
    let orders = NameOrder::ALL.into_iter().filter(|order| is_sorted(*order, old));
    let fitting: Vec<NameOrder> = orders.collect();
    if old.len() < 2 || fitting.iter().any(|order| is_sorted(*order, new)) {
        return None;
    }
    let of_file = |order: &&NameOrder| all.iter().all(|list| is_sorted(**order, list));
    fitting.iter().find(of_file).or(fitting.first()).copied()
}

fn is_sorted(order: NameOrder, list: &[Item]) -> bool {
    list.is_sorted_by_key(|item| order.key(&item.name))
}

fn sorted(source: &Source, list: &[Item], order: NameOrder) -> Vec<Edit> {
    let mut items: Vec<&Item> = list.iter().collect();
    items.sort_by_key(|item| order.key(&item.name));
    let pairs = list.iter().zip(items).filter(|(place, item)| place.range != item.range);
    let edit = |(place, item): (&Item, &Item)| {
        let (start, end) = (place.range.start().into(), place.range.end().into());
        Edit::replace(start, end, source.slice(item.range))
    };
    pairs.map(edit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, old: &str, to: &str, expected: &str) {
        let after = before.replace(old, to);
        let text = resorted("a.py", &before.into(), after.into());
        assert_eq!(&*text, expected, "{old} becomes {to}");
    }

    #[test]
    fn st1_sorted_names_stay_sorted() {
        let all = "__all__ = [\n    'aa',\n    'Bb',\n    'cc',\n]\n";
        check(all, "cc", "_x", "__all__ = [\n    '_x',\n    'aa',\n    'Bb',\n]\n");
        check("from m import aa, bb, cc as b\n", "aa", "zz", "from m import bb, cc as b, zz\n");
        check(
            "from .m import Aa as Aa\nfrom .m import bb as bb\nfrom .m import Cc\nfrom .n import a\n",
            "Aa",
            "Dd",
            "from .m import bb as bb\nfrom .m import Cc\nfrom .m import Dd as Dd\nfrom .n import a\n",
        );
    }

    #[test]
    fn st1_imports_of_a_renamed_module_stay_sorted() {
        let before = "from .m import Aa\nfrom .m import bb\nfrom .m import Cc\n";
        let after = "from .n import Cc\nfrom .n import Aa\nfrom .n import bb\n";
        let text = resorted("a.py", &before.into(), after.into());
        assert_eq!(&*text, "from .n import Aa\nfrom .n import bb\nfrom .n import Cc\n");
    }

    #[test]
    fn st1_lists_in_another_order_stay() {
        for text in [
            "__all__ = ['z', 'aa', 'c']\n",
            "from m import (\n    aa,  # first\n    c,\n)\n",
            "from m import z\nfrom m import aa\nfrom m import c\n",
            "from m import aa\n\nfrom m import c\n",
        ] {
            check(text, "aa", "zz", &text.replace("aa", "zz"));
        }
    }
}
