//! The order of a function's parameters: what a directive says about it, and what it is now.

use super::Unclear;
use super::clause::Clause;
use super::definitions::Index;
use super::phrase::{Item, Link, Phrase};
use super::token::is_identifier;
use super::vocabulary::{self, Noun};
use crate::operation::SymbolPath;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reorder {
    To(Vec<String>),
    Swap(String, String),
    First(String),
    Last(String),
    Before(String, String),
    After(String, String),
}

/// "swap a and b", "reorder the parameters to b, a", "make x the first parameter".
pub(super) fn reorder(clause: &Clause) -> Option<Reorder> {
    let objects: Vec<String> = clause
        .phrases
        .iter()
        .filter(|phrase| phrase.link == Link::Object)
        .flat_map(listed)
        .collect();
    let near = |link: Link| {
        clause.linked(link).flat_map(|phrase| &phrase.names).next().map(|name| name.text.clone())
    };
    if clause.is(&["swap", "exchange", "switch"]) {
        return match objects.as_slice() {
            [a, b] => Some(Reorder::Swap(a.clone(), b.clone())),
            _ => None,
        };
    }
    if clause.is(vocabulary::REORDER)
        || clause.is(vocabulary::CHANGE) && clause.has(&["order", "signature"])
    {
        let order = clause
            .all_phrases()
            .filter(|phrase| matches!(phrase.link, Link::To | Link::As))
            .map(listed);
        return order.into_iter().find(|order| order.len() > 1).map(Reorder::To);
    }
    let [object] = objects.as_slice() else { return None };
    if !clause.is(&["make", "put", "move", "place"]) {
        return None;
    }
    if let Some(other) = near(Link::Before) {
        return Some(Reorder::Before(object.clone(), other));
    }
    if let Some(other) = near(Link::After) {
        return Some(Reorder::After(object.clone(), other));
    }
    if clause.has(&["first", "front", "beginning", "start"]) {
        return Some(Reorder::First(object.clone()));
    }
    clause.has(&["last", "end"]).then(|| Reorder::Last(object.clone()))
}

/// The names of a phrase, those in a quoted list too.
fn listed(phrase: &Phrase) -> Vec<String> {
    let mut names = Vec::new();
    for item in &phrase.items {
        match item {
            Item::Name(index) => names.push(phrase.names[*index].text.clone()),
            Item::Text(text) => names
                .extend(text.split(',').map(|name| name.trim_matches(['(', ')', ' ']).to_owned())),
            Item::Word { word, text } if is_plain_name(word) => names.push(text.clone()),
            Item::Word { .. } | Item::Separator | Item::Assignment { .. } => {}
        }
    }
    names.into_iter().filter(|name| is_identifier(name)).collect()
}

fn is_plain_name(word: &str) -> bool {
    !vocabulary::is_word(word) && vocabulary::noun(word) != Some(Noun::Parameter)
}

impl Reorder {
    /// The parameters that it names.
    pub(super) fn names(&self) -> Vec<&str> {
        match self {
            Reorder::To(names) => names.iter().map(String::as_str).collect(),
            Reorder::Swap(a, b) | Reorder::Before(a, b) | Reorder::After(a, b) => vec![a, b],
            Reorder::First(name) | Reorder::Last(name) => vec![name],
        }
    }

    /// All parameters in their new order, `self` and `cls` left out.
    pub(super) fn apply(
        &self,
        index: &Index<'_>,
        function: &SymbolPath,
    ) -> Result<Vec<String>, Unclear> {
        let mut order = parameters(index, function);
        for name in self.names() {
            check(index, function, name)?;
        }
        let place =
            |order: &[String], name: &str| order.iter().position(|it| it == name).unwrap_or(0);
        match self {
            Reorder::To(names) => {
                if names.len() != order.len() {
                    let (name, all) = (&function.name, order.join(", "));
                    let why = format!("the new order must name all parameters of `{name}`: {all}");
                    return Err(Unclear::new(name, why));
                }
                order.clone_from(names);
            }
            Reorder::Swap(a, b) => {
                let (a, b) = (place(&order, a), place(&order, b));
                order.swap(a, b);
            }
            Reorder::First(name) | Reorder::Last(name) => {
                order.retain(|known| known != name);
                let at = if matches!(self, Reorder::First(_)) { 0 } else { order.len() };
                order.insert(at, name.clone());
            }
            Reorder::Before(name, other) | Reorder::After(name, other) => {
                order.retain(|known| known != name);
                let at = place(&order, other) + usize::from(matches!(self, Reorder::After(..)));
                order.insert(at, name.clone());
            }
        }
        Ok(order)
    }
}

/// The function must have this parameter.
pub(super) fn check(index: &Index<'_>, function: &SymbolPath, name: &str) -> Result<(), Unclear> {
    let known = parameters(index, function);
    if known.iter().any(|known| known == name) {
        return Ok(());
    }
    let why = format!("`{}` has no parameter `{name}`; it has {}", function.name, known.join(", "));
    Err(Unclear::new(name, why))
}

/// The names between the brackets of a `def`, without `self`, `cls`, `*` and `/`.
pub(super) fn parameters(index: &Index<'_>, function: &SymbolPath) -> Vec<String> {
    let short = function.name.rsplit('.').next().unwrap_or_default();
    let definition = index
        .definitions(short)
        .iter()
        .find(|one| one.path == function.path && one.name == function.name);
    let Some(definition) = definition else { return Vec::new() };
    let text = index.files.text(&function.path).unwrap_or_default();
    let start = text
        .split_inclusive('\n')
        .take(definition.line.saturating_sub(1) as usize)
        .map(str::len)
        .sum::<usize>();
    let Some(open) = text[start..].find('(') else { return Vec::new() };
    let mut parameters = Vec::new();
    for part in parts(&text[start + open + 1..]) {
        let name: String = part
            .trim()
            .trim_start_matches('*')
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        let is_self = parameters.is_empty()
            && function.name.contains('.')
            && matches!(name.as_str(), "self" | "cls");
        if !name.is_empty() && !is_self {
            parameters.push(name);
        }
    }
    parameters
}

/// What is between commas, up to the closing bracket; commas in brackets and quotes do not count.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut quote) = (0, 0, None);
    let mut is_comment = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if is_comment => is_comment = c != '\n',
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '#') => is_comment = true,
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') if depth == 0 => {
                parts.push(&text[start..at]);
                return parts;
            }
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            (Some(_) | None, _) => {}
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::super::dialect::Dialect;
    use super::*;
    use crate::testing::MemoryFiles;

    #[test]
    fn st3_parameters_of_a_signature() {
        let files = MemoryFiles::new(
            "//- a.py\nclass A:\n    def f(\n        self, a: int, *,\n        b=(1, 2), c: 'x, y' = {\"k\": 1}, **rest\n    ):\n        pass\n",
        );
        let index = Index::new(&files, Dialect::Python);
        let function = "a.py#A.f".parse().unwrap();
        assert_eq!(parameters(&index, &function), ["a", "b", "c", "rest"]);
        let swapped = Reorder::Swap("a".into(), "c".into()).apply(&index, &function).unwrap();
        assert_eq!(swapped, ["c", "b", "a", "rest"]);
        let moved = Reorder::Before("c".into(), "a".into()).apply(&index, &function).unwrap();
        assert_eq!(moved, ["c", "a", "b", "rest"]);
        assert!(Reorder::First("z".into()).apply(&index, &function).is_err());
    }
}
