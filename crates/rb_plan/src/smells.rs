//! What a model could improve: hotspots, cycles of imports, copied functions, functions that are too long.
//!
//! Found from the index and the texts alone, in every language that is read. Only the product is looked at, not its tests, examples
//! or foreign code. Whether a smell becomes a task is decided elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::plural;
use rb_core::{Sha256, Stage};
use rb_index::FileId;
use rb_index::role::Role;
use rb_lang::{Facts, Language, Symbol, SymbolKind};

use crate::input::PlanError;
use crate::repo_facts::RepoFacts;

/// A function is too long past so many lines, or so many decisions.
const LONG: u32 = 80;
const TANGLED: u32 = 25;
/// The worst function of a hotspot has at least so many decisions.
const HOT: u32 = 10;
/// A copy has at least so many lines, so many of them with code in its body.
const COPIED: u32 = 8;
const COPIED_BODY: usize = 5;
/// A larger file was not written by hand.
pub(crate) const MAX_BYTES: u64 = 1 << 20;
/// A task is about so many files at most.
pub(crate) const MOST_FILES: usize = 5;

/// One thing that could be better. Its words are ours, with paths and names of symbols.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Smell {
    pub(crate) kind: Kind,
    pub(crate) files: Vec<String>,
    pub(crate) line: u32,
    pub(crate) what: String,
    /// As an order.
    pub(crate) goal: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Hotspot,
    Duplicate,
    Long,
    Cycle,
}

impl Kind {
    pub(crate) const ALL: [Kind; 4] = [Kind::Hotspot, Kind::Duplicate, Kind::Long, Kind::Cycle];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Hotspot => "hotspot",
            Kind::Duplicate => "duplicate",
            Kind::Long => "long-function",
            Kind::Cycle => "cycle",
        }
    }

    pub(crate) fn stage(self) -> Stage {
        match self {
            Kind::Hotspot | Kind::Duplicate | Kind::Long => Stage::Small,
            Kind::Cycle => Stage::Restructure,
        }
    }

    pub(crate) fn operations(self) -> &'static [&'static str] {
        match self {
            Kind::Hotspot => &["simplify", "extract-function"],
            Kind::Duplicate => &["extract-function", "replace-copy"],
            Kind::Long => &["extract-function", "split-function"],
            Kind::Cycle => &["move", "rewrite-import"],
        }
    }

    /// The most of a kind that become tasks: the worst ones.
    pub(crate) fn most(self) -> usize {
        match self {
            Kind::Hotspot | Kind::Cycle => 5,
            Kind::Duplicate | Kind::Long => 10,
        }
    }
}

/// All smells, by kind, the worst of each first.
pub(crate) fn smells(repo: &RepoFacts<'_>) -> Result<Vec<Smell>, PlanError> {
    let mut functions = Functions::default();
    for id in repo.view().tree.ids().filter(|&id| is_own(repo, id)) {
        crate::edits::interrupted(repo.input)?;
        functions.read(repo, id)?;
    }
    let hot = hotspots(repo, &functions);
    let known: BTreeSet<(String, u32)> =
        hot.iter().map(|it| (it.files[0].clone(), it.line)).collect();
    let mut smells = hot;
    smells.extend(functions.copies());
    smells.extend(functions.long(&known));
    smells.extend(cycles(repo));
    Ok(smells)
}

/// Is it code of the product that somebody here wrote?
pub(crate) fn is_own(repo: &RepoFacts<'_>, id: FileId) -> bool {
    let file = repo.view().file(id);
    file.language.is_some_and(Language::is_read)
        && file.trivial.is_none()
        && file.skipped.is_none()
        && file.size <= MAX_BYTES
        && Role::of(file.path) == Role::Product
        && (repo.input.may_touch)(file.path)
}

/// A function, method or component.
struct Function {
    path: String,
    name: String,
    line: u32,
    lines: u32,
    complexity: u32,
    /// The function that it stands in, as a place in the list.
    parent: Option<usize>,
    /// Of its body, without spaces and comments; none for a short one.
    body: Option<Sha256>,
}

#[derive(Default)]
struct Functions {
    all: Vec<Function>,
}

impl Functions {
    fn read(&mut self, repo: &RepoFacts<'_>, id: FileId) -> Result<(), PlanError> {
        let Some(facts) = repo.view().read_facts(id)? else { return Ok(()) };
        let path = &*repo.view().tree.get(id).path;
        let lines = |it: &Symbol| it.span.last_line.saturating_sub(it.span.first_line) + 1;
        let is_copied = |it: &Symbol| is_function(it) && lines(it) >= COPIED;
        let bytes =
            if facts.symbols.iter().any(is_copied) { repo.input.texts.text(path) } else { None };
        let text = bytes.as_deref().and_then(|it| std::str::from_utf8(it).ok());
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        for (at, symbol) in facts.symbols.iter().enumerate().filter(|(_, it)| is_function(it)) {
            places.insert(at, self.all.len());
            let body = text.filter(|_| is_copied(symbol)).and_then(|it| body_of(it, symbol));
            self.all.push(Function {
                path: path.to_owned(),
                name: symbol.name.to_string(),
                line: symbol.span.first_line,
                lines: lines(symbol),
                complexity: symbol.complexity,
                parent: parent(&facts, symbol, &places),
                body,
            });
        }
        Ok(())
    }

    fn worst_of(&self, path: &str) -> Option<&Function> {
        let of_file = self.all.iter().filter(|it| it.path == path);
        of_file.max_by_key(|it| (it.complexity, std::cmp::Reverse(it.line)))
    }

    fn long(&self, known: &BTreeSet<(String, u32)>) -> Vec<Smell> {
        let is_long = |it: &Function| it.lines > LONG || it.complexity > TANGLED;
        let is_inner = |it: &Function| it.parent.is_some_and(|at| is_long(&self.all[at]));
        let mut found: Vec<&Function> = self
            .all
            .iter()
            .filter(|it| {
                is_long(it) && !is_inner(it) && !known.contains(&(it.path.clone(), it.line))
            })
            .collect();
        found.sort_by_key(|it| {
            (std::cmp::Reverse(it.lines / 10 + it.complexity), &it.path, it.line)
        });
        let smell = |it: &Function| Smell {
            kind: Kind::Long,
            files: vec![it.path.clone()],
            line: it.line,
            what: format!(
                "`{}` has {} lines and a complexity of {}",
                it.name, it.lines, it.complexity
            ),
            goal: format!("Split `{}` ({}:{}) into smaller functions", it.name, it.path, it.line),
        };
        found.into_iter().map(smell).collect()
    }

    fn copies(&self) -> Vec<Smell> {
        let mut by_body: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
        for (at, function) in self.all.iter().enumerate() {
            if let Some(body) = &function.body {
                by_body.entry(body.as_bytes()).or_default().push(at);
            }
        }
        let is_copy: BTreeSet<usize> =
            by_body.values().filter(|it| it.len() > 1).flatten().copied().collect();
        let mut groups: Vec<Vec<&Function>> = Vec::new();
        for places in by_body.into_values() {
            let outer = places.into_iter().filter(|&at| !self.stands_in(at, &is_copy));
            let group: Vec<&Function> = outer.map(|at| &self.all[at]).collect();
            if group.len() > 1 {
                groups.push(group);
            }
        }
        let weight = |it: &Vec<&Function>| it[0].lines as usize * (it.len() - 1);
        groups.sort_by_key(|it| (std::cmp::Reverse(weight(it)), &it[0].path, it[0].line));
        groups.iter().map(|it| copy(it)).collect()
    }

    fn stands_in(&self, at: usize, others: &BTreeSet<usize>) -> bool {
        let up = std::iter::successors(self.all[at].parent, |&it| self.all[it].parent);
        up.into_iter().any(|it| others.contains(&it))
    }
}

pub(crate) fn is_function(symbol: &Symbol) -> bool {
    match symbol.kind {
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Component => true,
        SymbolKind::Class
        | SymbolKind::Struct
        | SymbolKind::Interface
        | SymbolKind::Trait
        | SymbolKind::Enum
        | SymbolKind::Type
        | SymbolKind::Constant
        | SymbolKind::Variable
        | SymbolKind::Macro
        | SymbolKind::Module => false,
    }
}

/// The nearest function around a symbol.
fn parent(facts: &Facts, symbol: &Symbol, places: &BTreeMap<usize, usize>) -> Option<usize> {
    let up = |at: u32| facts.symbols.get(at as usize)?.parent;
    let mut outer = std::iter::successors(symbol.parent, |&at| up(at));
    outer.find_map(|at| places.get(&(at as usize)).copied())
}

/// Of the body with every line trimmed and without comments that have a line of their own.
fn body_of(text: &str, symbol: &Symbol) -> Option<Sha256> {
    let code = text.get(symbol.span.start as usize..symbol.span.end as usize)?;
    let first = code.lines().next()?;
    let begin =
        code.find('{').filter(|_| first.contains(['{', '('])).or_else(|| code.find('\n'))?;
    let lines = code[begin..].lines().map(str::trim).filter(|line| {
        !line.is_empty() && !["//", "/*", "*", "#"].iter().any(|it| line.starts_with(it))
    });
    let mut body = String::new();
    let mut count = 0;
    for line in lines {
        count += 1;
        body.extend(line.split_whitespace().flat_map(|it| [it, " "]));
        body.push('\n');
    }
    (count >= COPIED_BODY).then(|| Sha256::of(body.as_bytes()))
}

fn copy(group: &[&Function]) -> Smell {
    let mut files: Vec<String> = group.iter().map(|it| it.path.clone()).collect();
    files.dedup();
    let places: Vec<String> =
        group.iter().take(4).map(|it| format!("`{}` ({}:{})", it.name, it.path, it.line)).collect();
    let more = group.len().saturating_sub(places.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let places = format!("{}{more}", places.join(", "));
    Smell {
        kind: Kind::Duplicate,
        files,
        line: group[0].line,
        what: format!(
            "{} with the same body of {} lines: {places}",
            plural(group.len(), "function"),
            group[0].lines
        ),
        goal: format!("Extract what {places} have in common into one function"),
    }
}

fn hotspots(repo: &RepoFacts<'_>, functions: &Functions) -> Vec<Smell> {
    let hot = repo.input.overview.hotspots.iter().filter(|it| it.worst_complexity >= HOT);
    let smell = |it: &rb_index::HotFile| {
        let worst = functions.worst_of(&it.path)?;
        let (name, commits, used_by) =
            (&worst.name, plural(it.commits as usize, "commit"), it.used_by);
        Some(Smell {
            kind: Kind::Hotspot,
            files: vec![it.path.clone()],
            line: worst.line,
            what: format!(
                "`{name}` has a complexity of {}; {commits}, used by {used_by}",
                worst.complexity
            ),
            goal: format!("Simplify `{name}` ({}:{})", it.path, worst.line),
        })
    };
    hot.filter_map(smell).collect()
}

fn cycles(repo: &RepoFacts<'_>) -> Vec<Smell> {
    let view = repo.view();
    let own = view.cycles().iter().filter(|it| it.example.iter().all(|&id| is_own(repo, id)));
    let smell = |it: &rb_index::graph::Cycle| {
        let files: Vec<String> =
            it.example.iter().map(|&id| view.tree.get(id).path.to_string()).collect();
        let way = files.join(" → ");
        let more = it.files.len().saturating_sub(files.len());
        let more = if more > 0 {
            format!("; {} in the group", plural(it.files.len(), "file"))
        } else {
            String::new()
        };
        Smell {
            kind: Kind::Cycle,
            line: 1,
            what: format!("these files import each other: {way}{more}"),
            goal: format!("Break the import cycle {way}"),
            files,
        }
    };
    own.map(smell).collect()
}
