//! How much a rule may be, told from its YAML before ast-grep builds it.
//!
//! Utility rules that use each other twice double with every level; a replacement can multiply what it is given. ast-grep
//! follows both without a limit. What can only be told while matching is left to `fuel`.

use std::collections::BTreeMap;

use crate::error::Problem;
use crate::yaml::{Item, Value};

/// Matchers of a rule, each utility counted wherever it is used.
const MAX_MATCHERS: usize = 10_000;
/// Bytes of what a transformation puts in place of each match.
const MAX_REPLACEMENT: usize = 256;
/// Bytes of a fix or a message.
const MAX_TEMPLATE: usize = 16 << 10;
/// Digits in the position of `nthChild`: the library takes more for a number that it cannot hold.
const MAX_DIGITS: usize = 9;

/// The first thing that is too much, with its line.
pub(crate) fn too_much(document: &Item) -> Option<(u32, Problem)> {
    let mut utils = Utils { sizes: BTreeMap::new(), rules: BTreeMap::new() };
    collect_utils(document, &mut utils);
    let size = utils.size(document);
    if size > MAX_MATCHERS {
        let what = format!("a rule of {MAX_MATCHERS} matchers and more, utilities counted");
        return Some((
            document.line,
            too_much_of(what, "use fewer utilities inside of each other"),
        ));
    }
    template(document).or_else(|| values(document))
}

fn too_much_of(what: String, what_to_do: &'static str) -> Problem {
    Problem::TooMuch { what, what_to_do }
}

/// The rules of every `utils`, by name.
struct Utils<'d> {
    rules: BTreeMap<&'d str, &'d Item>,
    /// `None` while it is being counted: a rule may look for itself further up or down the tree.
    sizes: BTreeMap<&'d str, Option<usize>>,
}

fn collect_utils<'d>(item: &'d Item, utils: &mut Utils<'d>) {
    if let Some(rules) = item.get("utils") {
        utils.rules.extend(rules.entries().iter().map(|(name, rule)| (name.as_str(), rule)));
    }
    for rewriter in item.get("rewriters").map_or(&[][..], Item::items) {
        collect_utils(rewriter, utils);
    }
}

impl<'d> Utils<'d> {
    fn size(&mut self, item: &'d Item) -> usize {
        match &item.value {
            Value::Null | Value::Text(_) | Value::Bool(_) | Value::Other => 1,
            Value::List(items) => self.sum(items.iter()),
            Value::Map(entries) => {
                let used = item.get("matches").and_then(Item::text);
                let used = used.map_or(0, |name| self.size_of_util(name));
                self.sum(entries.iter().map(|(_, item)| item)).saturating_add(used)
            }
        }
    }

    fn sum(&mut self, items: impl Iterator<Item = &'d Item>) -> usize {
        items.fold(1, |sum, item| sum.saturating_add(self.size(item)))
    }

    fn size_of_util(&mut self, name: &'d str) -> usize {
        match (self.sizes.get(name), self.rules.get(name)) {
            (Some(size), _) => size.unwrap_or(1),
            (None, None) => 1,
            (None, Some(&rule)) => {
                self.sizes.insert(name, None);
                let size = self.size(rule);
                self.sizes.insert(name, Some(size));
                size
            }
        }
    }
}

fn template(document: &Item) -> Option<(u32, Problem)> {
    let templates = ["message", "fix"].into_iter().filter_map(|key| document.get(key));
    templates.filter_map(|item| item.text().map(|text| (item, text))).find_map(|(item, text)| {
        let what = format!("a text of {} bytes", text.len());
        (text.len() > MAX_TEMPLATE).then(|| (item.line, too_much_of(what, "make it shorter")))
    })
}

/// Recursion goes as deep as the YAML reader lets a document nest.
fn values(item: &Item) -> Option<(u32, Problem)> {
    let own = item.entries().iter().find_map(|(key, item)| value(key, item));
    own.or_else(|| item.entries().iter().find_map(|(_, item)| values(item)))
        .or_else(|| item.items().iter().find_map(values))
}

fn value(key: &str, item: &Item) -> Option<(u32, Problem)> {
    match key {
        "by" | "joinBy" | "separatedBy" => replacement(item),
        "transform" => {
            item.entries().iter().find_map(|(_, item)| replacement(item).or_else(|| source(item)))
        }
        "nthChild" | "position" => {
            let digits = item.text()?.chars().filter(char::is_ascii_digit).count();
            let what = format!("a position of {digits} digits");
            (digits > MAX_DIGITS).then(|| (item.line, too_much_of(what, "use a smaller one")))
        }
        _ => None,
    }
}

fn replacement(item: &Item) -> Option<(u32, Problem)> {
    let bytes = item.text()?.len();
    let what = format!("a replacement of {bytes} bytes");
    (bytes > MAX_REPLACEMENT)
        .then(|| (item.line, too_much_of(what, "put the text into `fix` instead")))
}

/// The library stops the program for a source without a name.
fn source(transformation: &Item) -> Option<(u32, Problem)> {
    let short = transformation.text().and_then(|text| text.split_once('(')).map(|(_, rest)| rest);
    let long = transformation.entries().iter().find_map(|(_, item)| item.get("source")?.text());
    let source = short.or(long)?.trim_start();
    let name = source.trim_start_matches('$');
    (source.starts_with('$') && !name.starts_with(|c: char| c.is_ascii_uppercase())).then(|| {
        let message = "a transformation takes a metavariable with a name, such as `$A`";
        (transformation.line, Problem::BadRule(message.to_owned()))
    })
}
