//! What somebody asks for by name: files, lines, declarations, and the uses of a name.

use std::collections::BTreeSet;

use rb_core::{Cancel, plural};
use rb_index::{FileId, View};
use rb_lang::Facts;

use crate::candidates::IndexReader;
use crate::input::{Need, PackError};
use crate::pack::Omitted;
use crate::text::{inline, listed};

/// Lines of a file that are asked for. Counted from 1, both ends included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WantedLines {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) why: String,
}

impl WantedLines {
    pub(crate) fn is_whole(&self) -> bool {
        self.last == u32::MAX
    }
}

/// By file, in the order in which the files were asked for.
pub(crate) type Wanted = Vec<(FileId, Vec<WantedLines>)>;

/// Of one name, so many declarations and uses are shown; the others are listed.
const DECLARATIONS: usize = 8;
const USES: usize = 24;
const LONGEST_ASKED: usize = 120;
/// Phrases that ask for the uses of a name, in small letters.
const ASK_FOR_USES: &[&str] = &[
    "who calls",
    "who uses",
    "callers of",
    "calls of",
    "call sites of",
    "uses of",
    "usages of",
    "users of",
    "references to",
];

/// Where everything is that was asked for, and what of it was not found.
pub(crate) fn resolve(known: &IndexReader<'_>) -> Result<(Wanted, Vec<Omitted>), PackError> {
    let mut wanted = Wanted::new();
    let mut omitted = Vec::new();
    let mut add = |id: FileId, lines: WantedLines| match wanted.iter_mut().find(|it| it.0 == id) {
        Some((_, all)) if all.contains(&lines) => {}
        Some((_, all)) => all.push(lines),
        None => wanted.push((id, vec![lines])),
    };
    for need in known.input.needs {
        match need {
            Need::Lines { path, first, last, why } => {
                // A file that a patch creates is not there yet.
                if let Some(id) = known.input.view.tree.find(path) {
                    add(id, WantedLines { first: *first, last: *last, why: why.clone() });
                }
            }
            Need::Asked(text) => {
                let input = known.input;
                let (found, missing) = asked(input.view, input.cancel, text)?;
                for (id, lines) in found {
                    add(id, lines);
                }
                let path = format!("(asked for: {})", inline(text, LONGEST_ASKED));
                omitted.extend(missing.map(|reason| Omitted { path, reason }));
            }
        }
    }
    Ok((wanted, omitted))
}

pub(crate) type Places = Vec<(FileId, WantedLines)>;

/// What a model means by its words, and what is to be said where that is not all.
pub(crate) fn asked(
    view: &View<'_>,
    cancel: &Cancel,
    text: &str,
) -> Result<(Places, Option<String>), PackError> {
    if let Some((id, (first, last))) = file_named(view, text) {
        let why = "asked for".to_owned();
        return Ok((vec![(id, WantedLines { first, last, why })], None));
    }
    let small = text.to_lowercase();
    let asks_for_uses = ASK_FOR_USES.iter().any(|phrase| small.contains(phrase));
    let (mut found, mut others) = (Places::new(), Vec::new());
    let names = names(text, asks_for_uses);
    for &id in view.by_importance() {
        if cancel.is_cancelled() {
            return Err(PackError::Interrupted);
        }
        let Some(facts) = view.read_facts(id)? else { continue };
        let (lines, most) = if asks_for_uses {
            (uses(&facts, &names), USES)
        } else {
            (declarations(&facts, &names), DECLARATIONS)
        };
        for lines in lines {
            if found.len() < most {
                found.push((id, lines));
            } else {
                others.push(format!("{}:{}", view.file(id).path, lines.first));
            }
        }
    }
    let missing = match (found.is_empty(), others.len()) {
        (true, _) => Some("the index has no such file or name".to_owned()),
        (false, 0) => None,
        (false, more) => Some(format!("{}: {}", plural(more, "more place"), listed(&others, 100))),
    };
    Ok((found, missing))
}

/// The file that the words name, with the lines: all of them where none are named.
fn file_named(view: &View<'_>, text: &str) -> Option<(FileId, (u32, u32))> {
    let is_part = |c: char| !(c.is_whitespace() || "`'\"()<>,;#:".contains(c));
    for word in text.split(|c: char| !is_part(c)) {
        let path = word.trim_start_matches("./").trim_end_matches(['.', '?']);
        let Some(id) = view.tree.find(path) else { continue };
        let rest = text.replacen(word, " ", 1);
        let numbers = rest.split(|c: char| !c.is_ascii_digit());
        let numbers: Vec<u32> = numbers.filter_map(|it| it.parse().ok()).collect();
        let lines = match (numbers.iter().min(), numbers.iter().max()) {
            (Some(first), Some(last)) => (*first, *last),
            _ => (1, u32::MAX),
        };
        return Some((id, lines));
    }
    None
}

/// The names in what was asked: those that are written like one, or else all words. Of a path of names the last is meant.
fn names(text: &str, last_alone: bool) -> BTreeSet<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let words: Vec<&str> = text.split(|c: char| !is_part(c)).filter(|it| !it.is_empty()).collect();
    if last_alone {
        return words.last().map(|it| (*it).to_owned()).into_iter().collect();
    }
    let is_name = |word: &&str| word.contains('_') || word.chars().skip(1).any(char::is_uppercase);
    let written: BTreeSet<String> =
        words.iter().copied().filter(is_name).map(str::to_owned).collect();
    if written.is_empty() { words.into_iter().map(str::to_owned).collect() } else { written }
}

fn declarations(facts: &Facts, names: &BTreeSet<String>) -> Vec<WantedLines> {
    let of_name = facts.symbols.iter().filter(|it| names.contains(&*it.name));
    let lines = of_name.map(|it| WantedLines {
        first: it.span.first_line,
        last: it.span.last_line,
        why: format!("asked for: {}", inline(&it.name, LONGEST_ASKED)),
    });
    lines.collect()
}

fn uses(facts: &Facts, names: &BTreeSet<String>) -> Vec<WantedLines> {
    let of_name = facts.references.iter().filter(|it| names.contains(&*it.name));
    let lines = of_name.map(|it| WantedLines {
        first: it.line,
        last: it.line,
        why: format!("asked for: uses of {}", inline(&it.name, LONGEST_ASKED)),
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf5_names_are_read_from_what_was_asked() {
        let check = |text: &str, uses: bool, expected: &[&str]| {
            assert_eq!(names(text, uses).into_iter().collect::<Vec<_>>(), expected, "{text}");
        };
        check("parseHeader", false, &["parseHeader"]);
        check("the definition of `select_proxy`", false, &["select_proxy"]);
        check("Request.parseHeader()", false, &["parseHeader"]);
        check("resolve", false, &["resolve"]);
        check("callers of Request.parse?", true, &["parse"]);
    }
}
