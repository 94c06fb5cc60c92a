//! The search through one file.

use std::collections::BTreeSet;
use std::ops::Range;

use rb_core::Edit;
use rb_python::{Source, StringUse};

use super::DocumentQuery;
use super::kind::{Kind, kind};
use super::markup::code_ranges;
use super::wording::{is_distinctive, names_itself, reads_as_code};
use crate::outcome::Mention;
use crate::project::{Project, is_identifier_part, word_ranges};
use crate::references::is_common_member;

pub(super) struct Search<'s> {
    project: &'s Project<'s>,
    /// Longest first, so that `a.b.c` is not taken for `a.b`.
    dotted: Vec<(String, String)>,
    files: Vec<(String, String)>,
    names: Vec<Name>,
}

struct Name {
    old: String,
    new: String,
    /// No other symbol of the project has it.
    is_unique: bool,
}

/// A part of a file that is looked through.
struct Region {
    range: Range<usize>,
    kind: Kind,
    /// A string of Python code: only paths of files count, the rest is known as references.
    is_string: bool,
}

/// What was found in one file.
#[derive(Default)]
struct Hits {
    edits: Vec<Edit>,
    mentions: BTreeSet<usize>,
}

impl<'s> Search<'s> {
    pub(super) fn new(project: &'s Project<'s>, query: &DocumentQuery) -> Self {
        let mut dotted = query.dotted.clone();
        // Entry points: `a.b:name`.
        for (old, new) in &query.dotted {
            if let (Some((module, name)), Some((to, new))) =
                (old.rsplit_once('.'), new.rsplit_once('.'))
            {
                dotted.push((format!("{module}:{name}"), format!("{to}:{new}")));
            }
        }
        dotted.sort_by_key(|(old, _)| std::cmp::Reverse(old.len()));
        dotted.retain(|(old, _)| !old.is_empty());
        let mut names: Vec<Name> =
            query.names.iter().map(|(old, new)| Name::new(project, old, new)).collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.old.len()));
        let mut files = query.files.clone();
        files.retain(|(old, _)| !old.is_empty());
        files.sort_by_key(|(old, _)| std::cmp::Reverse(old.len()));
        Search { project, dotted, files, names }
    }

    /// The edits of a file, in the order of the text, and the mentions.
    pub(super) fn file(&self, path: &str) -> (Vec<Edit>, Vec<Mention>) {
        let nothing = (Vec::new(), Vec::new());
        let Some(text) = self.project.files.text(path) else { return nothing };
        if !self.needles().any(|needle| text.contains(needle)) {
            return nothing;
        }
        let Some(kind) = kind(path, &text) else { return nothing };
        let mut hits = Hits::default();
        for region in self.regions(path, &text, kind) {
            self.region(&text, &region, &mut hits);
        }
        hits.edits.sort();
        let mentions = hits.mentions.iter().map(|start| Mention::at(path, &text, *start));
        (hits.edits, mentions.collect())
    }

    fn needles(&self) -> impl Iterator<Item = &str> {
        let pairs = self.dotted.iter().chain(&self.files).map(|(old, _)| old.as_str());
        pairs.chain(self.names.iter().map(|name| name.old.rsplit('.').next().unwrap_or(&name.old)))
    }

    fn regions(&self, path: &str, text: &str, kind: Kind) -> Vec<Region> {
        match kind {
            Kind::Text | Kind::Settings | Kind::History => {
                vec![Region { range: 0..text.len(), kind, is_string: false }]
            }
            Kind::Python => match self.project.source(path) {
                Some(source) => python_regions(&source, !self.files.is_empty()),
                None => Vec::new(),
            },
        }
    }

    fn region(&self, text: &str, region: &Region, hits: &mut Hits) {
        let part = &text[region.range.clone()];
        let code = match region.kind {
            Kind::Text | Kind::Python | Kind::History => code_ranges(part),
            Kind::Settings => Vec::new(),
        };
        let mut taken: Vec<Range<usize>> = Vec::new();
        let dotted = self.dotted.iter().filter(|_| !region.is_string).map(|pair| (pair, false));
        let files = self.files.iter().map(|pair| (pair, true));
        for ((old, new), is_file) in dotted.chain(files) {
            for (start, _) in part.match_indices(old.as_str()) {
                let range = start..start + old.len();
                let is_path =
                    if is_file { is_file_path(part, &range) } else { is_dotted_path(part, &range) };
                if !is_path || overlaps(&taken, &range) {
                    continue;
                }
                taken.push(range.clone());
                let is_sure = region.kind != Kind::History
                    && !is_in_url(part, start)
                    && (is_file || old.contains(['.', ':']));
                hits.add(text, &region.range, range, is_sure.then_some(new.as_str()));
            }
        }
        for name in self.names.iter().filter(|_| !region.is_string) {
            for range in name_ranges(part, &name.old) {
                if overlaps(&taken, &range) {
                    continue;
                }
                let is_code =
                    contains(&code, &range) || names_itself(part, &range, region.kind, &name.old);
                let is_sure = is_code
                    && name.is_unique
                    && matches!(region.kind, Kind::Text | Kind::Python)
                    && name.is_meant(part, &range)
                    && reads_as_code(part, &range, &name.old);
                if is_sure {
                    taken.push(range.clone());
                    hits.add(text, &region.range, range, Some(&name.new));
                } else if is_code || is_distinctive(&name.old) {
                    hits.add(text, &region.range, range, None);
                }
            }
        }
    }
}

impl Hits {
    /// An edit if there is a new text, a mention otherwise.
    fn add(&mut self, text: &str, region: &Range<usize>, range: Range<usize>, new: Option<&str>) {
        let offset = |at: usize| u32::try_from(region.start + at);
        match (new, offset(range.start), offset(range.end)) {
            (Some(new), Ok(start), Ok(end)) => self.edits.push(Edit::replace(start, end, new)),
            _ => {
                self.mentions.insert(line_start(text, region.start + range.start));
            }
        }
    }
}

impl Name {
    fn new(project: &Project<'_>, old: &str, new: &str) -> Self {
        let last = old.rsplit('.').next().unwrap_or(old);
        let mut symbols = project.symbols_named(last);
        if symbols.iter().any(|symbol| !Project::is_test(&symbol.path)) {
            symbols.retain(|symbol| !Project::is_test(&symbol.path));
        }
        // A module that is called so makes the word ambiguous, too.
        let is_module = project.python_files().iter().any(|path| {
            let stem = path.trim_end_matches(".py").trim_end_matches("/__init__");
            stem.rsplit('/').next() == Some(last)
        });
        let is_family = || {
            let mut classes = symbols.iter().map(crate::operation::SymbolPath::class);
            let Some(Some(first)) = classes.next() else { return false };
            let family = project.family(&first, last);
            classes.all(|class| class.is_some_and(|class| family.definers.contains(&class)))
        };
        let is_unique = symbols.len() <= 1 || old.contains('.') || is_family();
        let is_common = !old.contains('.') && is_common_member(last);
        let is_unique = is_unique && !is_module && !is_common;
        Name { old: old.to_owned(), new: new.to_owned(), is_unique }
    }

    /// In code: is it the symbol, and not an attribute of something else, a keyword argument, or a definition of the example's own?
    fn is_meant(&self, text: &str, range: &Range<usize>) -> bool {
        let line = &text[line_start(text, range.start)..range.start];
        let after = text[range.end..].trim_start_matches([' ', '\t']);
        let is_definition = line.trim_end().ends_with("def") || line.trim_end().ends_with("class");
        let is_assigned = after.starts_with('=') && !after.starts_with("==");
        let is_attribute = line.ends_with('.') && !self.old.contains('.');
        // `~.name` and `.name` of a role.
        let is_role = line.ends_with("`.") || line.ends_with("~.");
        // A comment within code is prose.
        let is_comment = line.contains("# ") && !is_distinctive(&self.old);
        !is_definition && !is_assigned && !is_comment && (!is_attribute || is_role)
    }
}

/// Docstrings and comments; for paths of files all strings.
fn python_regions(source: &Source, has_files: bool) -> Vec<Region> {
    let region = |range: rb_python::TextRange, is_string| Region {
        range: usize::from(range.start())..usize::from(range.end()),
        kind: Kind::Python,
        is_string,
    };
    let comments = source.comments().into_iter().map(|range| region(range, false));
    let strings = source.strings().iter().filter_map(|literal| match literal.usage {
        StringUse::Docstring => Some(region(literal.content, false)),
        StringUse::Argument { .. } | StringUse::Other if has_files => {
            Some(region(literal.content, true))
        }
        StringUse::Argument { .. } | StringUse::Other | StringUse::Annotation | StringUse::All => {
            None
        }
    });
    comments.chain(strings).collect()
}

/// A name as a whole: `member` not within `Other.member` if it is written with its class.
fn name_ranges<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    word_ranges(text, name)
        .filter(move |range| !name.contains('.') || !text[..range.start].ends_with('.'))
}

/// Not a part of a longer path to the left, and a whole identifier to the right.
fn is_dotted_path(text: &str, range: &Range<usize>) -> bool {
    let before = text[..range.start].chars().next_back();
    let after = text[range.end..].chars().next();
    let is_longer = before == Some('.') && {
        let further = text[..range.start - 1].chars().next_back();
        further.is_some_and(is_identifier_part)
    };
    !before.is_some_and(|letter| is_identifier_part(letter) || matches!(letter, '/' | '-'))
        && !after.is_some_and(is_identifier_part)
        && !is_longer
}

fn is_file_path(text: &str, range: &Range<usize>) -> bool {
    let before = &text[..range.start];
    let before = before.strip_suffix("./").unwrap_or(before).chars().next_back();
    let after = text[range.end..].chars().next();
    let joins = |letter: char| is_identifier_part(letter) || matches!(letter, '-' | '/');
    !before.is_some_and(|letter| joins(letter) || letter == '.') && !after.is_some_and(joins)
}

/// Is the word at this place a part of a web address?
fn is_in_url(text: &str, at: usize) -> bool {
    let start = text[..at].rfind(char::is_whitespace).map_or(0, |space| space + 1);
    text.get(start..at).is_some_and(|word| word.contains("://"))
}

fn overlaps(taken: &[Range<usize>], range: &Range<usize>) -> bool {
    taken.iter().any(|one| one.start < range.end && range.start < one.end)
}

fn contains(ranges: &[Range<usize>], range: &Range<usize>) -> bool {
    let index = ranges.partition_point(|one| one.end < range.end);
    ranges.get(index).is_some_and(|one| one.start <= range.start && range.end <= one.end)
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |line_break| line_break + 1)
}
