//! Where words of interest stand in the project after the change, and in what: code, a string, a comment, prose, configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use rb_index::FileId;
use rb_lang::{Language, parse};

use super::history::is_record;
use crate::comparison::{Comparison, Side};

/// Larger files are data.
const MAX_BYTES: u64 = 512 << 10;

/// A word that more files have says nothing of one change.
const MOST_FILES: usize = 300;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Context {
    Code,
    /// With the place of the string, quotes included.
    String(Range<usize>),
    /// A comment or a docstring.
    Comment,
    Prose,
    Configuration,
}

pub(crate) struct Sighting {
    pub(crate) file: FileId,
    pub(crate) at: usize,
    pub(crate) line: u32,
    pub(crate) context: Context,
    /// The change wrote the line.
    pub(crate) is_edited: bool,
}

#[derive(Default)]
pub(crate) struct Sightings {
    by_word: BTreeMap<Box<str>, Vec<Sighting>>,
    /// Places of texts that need not be words.
    by_literal: BTreeMap<Box<str>, Vec<Sighting>>,
    /// Words that too many files have.
    common: BTreeSet<Box<str>>,
    texts: BTreeMap<FileId, Rc<str>>,
}

impl Sightings {
    /// Reads every text of the project, unless there is nothing to look for. Only those with something rare are parsed.
    pub(crate) fn of(
        comparison: &Comparison<'_>,
        words: BTreeSet<&str>,
        literals: BTreeSet<&str>,
    ) -> Sightings {
        let mut sightings = Sightings::default();
        if words.is_empty() && literals.is_empty() {
            return sightings;
        }
        let mut needles = Needles::new(words, literals);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut files = Vec::new();
        for file in comparison.after.view.tree.ids().take_while(|_| !comparison.is_cancelled()) {
            let Some(text) = readable(&comparison.after, file) else { continue };
            let (words, literals) = needles.found_in(&text);
            let found: BTreeSet<&str> = words.iter().chain(&literals).map(|it| it.1).collect();
            files.extend((!found.is_empty()).then_some(file));
            for needle in found {
                *counts.entry(needle).or_default() += 1;
            }
        }
        let common = counts.into_iter().filter(|(_, count)| *count > MOST_FILES);
        sightings.common = common.map(|(needle, _)| needle.into()).collect();
        needles.words.retain(|it| !sightings.common.contains(*it));
        needles.literals.retain(|it| !sightings.common.contains(*it));
        for file in files.into_iter().take_while(|_| !comparison.is_cancelled()) {
            sightings.read(comparison, file, &needles);
        }
        sightings
    }

    fn read(&mut self, comparison: &Comparison<'_>, file: FileId, needles: &Needles<'_>) {
        let Some(text) = readable(&comparison.after, file) else { return };
        let (words, literals) = needles.found_in(&text);
        if words.is_empty() && literals.is_empty() {
            return;
        }
        let mut offsets: Vec<usize> = words.iter().chain(&literals).map(|it| it.0).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let contexts = contexts(comparison.after.language(file), &text, &offsets);
        let changed = comparison.changed(comparison.after.path(file));
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let sighting = |at: usize| {
            let line = u32::try_from(ends.partition_point(|&end| end < at) + 1).unwrap_or(u32::MAX);
            let place = offsets.binary_search(&at).expect("all offsets are in the list");
            let is_edited = changed.is_some_and(|changed| changed.is_edited(line));
            Sighting { file, at, line, context: contexts[place].clone(), is_edited }
        };
        for (at, word) in words {
            self.by_word.entry(word.into()).or_default().push(sighting(at));
        }
        for (at, literal) in literals {
            self.by_literal.entry(literal.into()).or_default().push(sighting(at));
        }
        self.texts.insert(file, text.into());
    }

    /// Is the word in so many files that none of them was looked at?
    pub(crate) fn is_common(&self, word: &str) -> bool {
        self.common.contains(word)
    }

    pub(crate) fn of_word(&self, word: &str) -> &[Sighting] {
        self.by_word.get(word).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn of_literal(&self, literal: &str) -> &[Sighting] {
        self.by_literal.get(literal).map_or(&[], Vec::as_slice)
    }

    /// The text of a file in which something was sighted.
    pub(crate) fn text(&self, file: FileId) -> Rc<str> {
        self.texts.get(&file).cloned().unwrap_or_default()
    }
}

/// An offset, and what stands there.
type Found<'n> = (usize, &'n str);

/// What is looked for.
struct Needles<'n> {
    words: BTreeSet<&'n str>,
    /// The first bytes of the words.
    firsts: [bool; 256],
    literals: BTreeSet<&'n str>,
}

impl<'n> Needles<'n> {
    fn new(words: BTreeSet<&'n str>, literals: BTreeSet<&'n str>) -> Self {
        let mut firsts = [false; 256];
        words.iter().filter_map(|it| it.bytes().next()).for_each(|it| firsts[it as usize] = true);
        Needles { words, firsts, literals }
    }

    /// Words and literals with their offsets.
    fn found_in(&self, text: &str) -> (Vec<Found<'n>>, Vec<Found<'n>>) {
        let words = identifiers(text)
            .filter(|range| self.firsts[text.as_bytes()[range.start] as usize])
            .filter_map(|range| Some((range.start, *self.words.get(&text[range])?)));
        let literals = self
            .literals
            .iter()
            .flat_map(|&literal| text.match_indices(literal).map(move |(at, _)| (at, literal)));
        (words.collect(), literals.collect())
    }
}

/// What a file is called elsewhere: its name without the ending, or the folder of an `index` or `__init__`.
pub(crate) fn stem(path: &str) -> &str {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    match stem {
        "__init__" | "index" | "mod" | "" => {
            folder.rsplit('/').next().filter(|it| !it.is_empty()).unwrap_or(name)
        }
        _ => stem,
    }
}

/// The text of a file that somebody here wrote and that is no record of the past.
fn readable(side: &Side<'_>, file: FileId) -> Option<String> {
    let view = side.view.file(file);
    if view.size > MAX_BYTES || !side.is_own(file) || is_record(view.path) || is_lock(view.path) {
        return None;
    }
    if rb_index::role::Role::of(view.path) == rb_index::role::Role::Vendored {
        return None;
    }
    side.load(view.path).filter(|text| !text.contains('\0'))
}

fn is_lock(path: &str) -> bool {
    matches!(
        path.rsplit('/').next(),
        Some("go.sum" | "package-lock.json" | "yarn.lock" | "pnpm-lock.yaml" | "Cargo.lock")
    )
}

fn identifiers(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let is_part =
        |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes[at..].iter().position(|&byte| is_part(byte))?;
        at = bytes[start..]
            .iter()
            .position(|&byte| !is_part(byte))
            .map_or(bytes.len(), |end| start + end);
        Some(start..at)
    })
}

/// The line around an offset.
pub(crate) fn line_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    text[start..].lines().next().unwrap_or_default()
}

fn contexts(language: Option<Language>, text: &str, offsets: &[usize]) -> Vec<Context> {
    let plain = |context: Context| vec![context; offsets.len()];
    match language {
        Some(Language::Markdown | Language::ReStructuredText | Language::Text) => {
            plain(Context::Prose)
        }
        None
        | Some(
            Language::Json
            | Language::Yaml
            | Language::Toml
            | Language::Xml
            | Language::Ini
            | Language::Html
            | Language::Make
            | Language::CMake
            | Language::Docker
            | Language::Bash,
        ) => plain(Context::Configuration),
        Some(language) => in_code(language, text, offsets),
    }
}

/// What each offset stands in, read off the way from the root of the tree to it: `f"{name}"` is code again.
fn in_code(language: Language, text: &str, offsets: &[usize]) -> Vec<Context> {
    let Some(tree) = parse(language, text) else { return vec![Context::Code; offsets.len()] };
    let context = |&at: &usize| {
        let mut cursor = tree.walk();
        let (mut context, mut is_statement) = (Context::Code, false);
        loop {
            let node = cursor.node();
            let kind = node.kind();
            if kind.contains("comment") {
                return Context::Comment;
            }
            let is_piece =
                ["content", "fragment", "start", "end"].iter().any(|it| kind.contains(it));
            if kind.contains("interpolation") || kind.contains("substitution") {
                context = Context::Code;
            } else if kind.contains("string") && !is_piece {
                let is_doc = is_statement && language == Language::Python;
                context =
                    if is_doc { Context::Comment } else { Context::String(node.byte_range()) };
            }
            is_statement = kind == "expression_statement";
            if cursor.goto_first_child_for_byte(at).is_none()
                || !cursor.node().byte_range().contains(&at)
            {
                return context;
            }
        }
    };
    offsets.iter().map(context).collect()
}
