//! Where an import statement goes: groups (standard library, installed, own), and the order that a file keeps in each.

use rb_python::ast::Stmt;
use rb_python::{Import, Ranged, Source, TextRange};

use super::names::NameOrder;
use super::standard_library::is_standard;
use crate::files::Files;
use crate::layout::{head_end, is_blank, line_end, line_start};

/// In the order in which they stand in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    Future,
    Standard,
    Installed,
    Own,
    Relative,
}

pub(super) fn group(files: &dyn Files, path: &str, module: &str) -> Group {
    let first = module.split('.').next().unwrap_or(module);
    if module.starts_with('.') {
        Group::Relative
    } else if first == "__future__" {
        Group::Future
    } else if files.resolve(path, first).is_some() {
        Group::Own
    } else if is_standard(module) {
        Group::Standard
    } else {
        Group::Installed
    }
}

/// A statement as far as its place goes.
#[derive(Debug, Clone)]
struct Entry {
    range: TextRange,
    group: Group,
    is_from: bool,
    module: String,
    /// Of its first name.
    name_key: (u8, String),
}

impl Entry {
    fn new(files: &dyn Files, source: &Source, import: &Import) -> Entry {
        let module = import.specifier(0);
        Entry {
            range: import.range,
            group: group(files, source.path(), &module),
            is_from: import.is_from,
            module,
            name_key: NameOrder::of_file(source)
                .key(import.names.first().map_or("", |name| &name.name)),
        }
    }
}

/// The orders that files keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// `import x` before `from x import y`.
    PlainFirst,
    /// By module alone.
    Mixed,
    Unsorted,
}

impl Order {
    fn key(self, entry: &Entry) -> (bool, String, (u8, String)) {
        // `..a` stands before `.a`, as import sorters have it.
        let rest = entry.module.trim_start_matches('.');
        let dots = entry.module.len() - rest.len();
        let depth = if dots == 0 { String::new() } else { format!("{:03}", 999 - dots.min(999)) };
        let module = format!("{depth}{}", rest.to_lowercase());
        (self == Order::PlainFirst && entry.is_from, module, entry.name_key.clone())
    }

    fn is_sorted(self, entries: &[Entry]) -> bool {
        let key = |entry: &Entry| {
            let (is_from, module, _) = self.key(entry);
            (is_from, module)
        };
        entries.windows(2).all(|pair| key(&pair[0]) <= key(&pair[1]))
    }

    /// `import` and `from` in one run tell; one alone tells nothing.
    fn of(runs: &[Vec<Entry>]) -> Order {
        let orders = [Order::PlainFirst, Order::Mixed];
        let fits = |order: &Order| runs.iter().all(|run| order.is_sorted_by_group(run));
        orders.into_iter().find(fits).unwrap_or(Order::Unsorted)
    }

    fn is_sorted_by_group(self, run: &[Entry]) -> bool {
        self.is_sorted(run) || {
            let mut groups: Vec<Group> = run.iter().map(|entry| entry.group).collect();
            let is_grouped = groups.is_sorted();
            groups.dedup();
            is_grouped && groups.iter().all(|group| self.is_sorted(&of_group(run, *group)))
        }
    }
}

fn of_group(run: &[Entry], group: Group) -> Vec<Entry> {
    run.iter().filter(|entry| entry.group == group).cloned().collect()
}

/// Where a new statement is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    /// The start of a line.
    pub(super) at: usize,
    pub(super) blank_before: usize,
    pub(super) blank_after: usize,
}

impl Spot {
    fn at(at: usize) -> Self {
        Spot { at, blank_before: 0, blank_after: 0 }
    }
}

/// A statement that is to be put in.
pub(super) struct Candidate<'c> {
    pub(super) is_from: bool,
    pub(super) module: &'c str,
    pub(super) name: &'c str,
    /// A statement next to which it goes where the file is not sorted: the one that had the name so far.
    pub(super) near: Option<TextRange>,
}

/// For imports at the top level. `within`: those below `if TYPE_CHECKING:` instead.
pub(super) fn spot(
    files: &dyn Files,
    source: &Source,
    candidate: &Candidate<'_>,
    within: Option<&[Stmt]>,
) -> Spot {
    let entry = Entry {
        range: TextRange::default(),
        group: group(files, source.path(), candidate.module),
        is_from: candidate.is_from,
        module: candidate.module.to_owned(),
        name_key: NameOrder::of_file(source).key(candidate.name),
    };
    let body = within.unwrap_or_else(|| zone(source.body()));
    let runs = runs(files, source, body);
    let Some(run) = best_run(&runs, &entry) else { return new_run(source, &runs, &entry) };
    let order = match Order::of(&runs) {
        Order::Unsorted => Order::of(std::slice::from_ref(run)),
        order => order,
    };
    match order {
        Order::PlainFirst | Order::Mixed => sorted_spot(source, run, &entry, order),
        Order::Unsorted => unsorted_spot(source, run, &entry, candidate.near),
    }
}

/// Imports below the first definition stand there for a reason.
fn zone(body: &[Stmt]) -> &[Stmt] {
    let is_definition = |stmt: &Stmt| matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_));
    let end = body.iter().position(is_definition).unwrap_or(body.len());
    let has_import = |stmt: &Stmt| matches!(stmt, Stmt::Import(_) | Stmt::ImportFrom(_));
    if body[..end].iter().any(has_import) { &body[..end] } else { &body[..0] }
}

/// Imports that stand together, without a blank line between.
fn runs(files: &dyn Files, source: &Source, body: &[Stmt]) -> Vec<Vec<Entry>> {
    let mut runs: Vec<Vec<Entry>> = Vec::new();
    let mut before: Option<TextRange> = None;
    for statement in body {
        let import = source.imports().iter().find(|import| import.range == statement.range());
        let Some(import) = import else {
            before = None;
            continue;
        };
        let is_joined = before.is_some_and(|before| {
            let between = &source.text()[before.end().to_usize()..import.range.start().to_usize()];
            // The first piece is the end of a line, the last the indentation of the next statement.
            let lines: Vec<&str> = between.split('\n').collect();
            let inner = lines.get(1..lines.len() - 1).unwrap_or_default();
            !inner.iter().any(|line| line.trim().is_empty())
        });
        let entry = Entry::new(files, source, import);
        match runs.last_mut() {
            Some(run) if is_joined => run.push(entry),
            _ => runs.push(vec![entry]),
        }
        before = Some(import.range);
    }
    runs
}

/// The run that has imports of the same package, or of the same group.
fn best_run<'r>(runs: &'r [Vec<Entry>], entry: &Entry) -> Option<&'r Vec<Entry>> {
    let first = |module: &str| module.split('.').next().unwrap_or_default().to_owned();
    let count = |run: &Vec<Entry>| run.iter().filter(|other| other.group == entry.group).count();
    let package = |run: &Vec<Entry>| {
        let is_near = |other: &&Entry| first(&other.module) == first(&entry.module);
        run.iter().filter(|other| other.group == entry.group).filter(is_near).count()
    };
    let found = runs
        .iter()
        .rev()
        .filter(|run| count(run) > 0)
        .max_by_key(|run| (package(run) > 0, count(run)));
    // One run for everything: the file has no groups.
    let is_ungrouped = |run: &&Vec<Entry>| {
        let kind = |entry: &Entry| entry.group;
        let groups = run.iter().map(kind).filter(|group| *group != Group::Future);
        groups.collect::<std::collections::BTreeSet<_>>().len() > 1
    };
    let is_future = entry.group == Group::Future;
    found.or_else(|| runs.iter().find(is_ungrouped).filter(|_| !is_future))
}

fn sorted_spot(source: &Source, run: &[Entry], entry: &Entry, order: Order) -> Spot {
    let is_plain = order.is_sorted(run);
    let own = of_group(run, entry.group);
    let candidates = if is_plain || own.is_empty() { run.to_vec() } else { own };
    let key = |other: &Entry| {
        let group = if is_plain { Group::Future } else { other.group };
        (group, order.key(other))
    };
    match candidates.iter().find(|other| key(other) > key(entry)) {
        Some(next) => Spot::at(start_of(source, next)),
        None => Spot::at(end_of(source, candidates.last().unwrap_or(entry))),
    }
}

/// Behind the import that it comes from, behind the last of its package, or at the end.
fn unsorted_spot(source: &Source, run: &[Entry], entry: &Entry, near: Option<TextRange>) -> Spot {
    let is_near = |other: &&Entry| Some(other.range) == near;
    if let Some(other) = run.iter().find(is_near) {
        return Spot::at(end_of(source, other));
    }
    let shared = |other: &Entry| {
        let pairs = other.module.split('.').zip(entry.module.split('.'));
        pairs.take_while(|(left, right)| left == right).count()
    };
    let nearest = run.iter().max_by_key(|other| (other.group == entry.group, shared(other)));
    Spot::at(end_of(source, nearest.unwrap_or(entry)))
}

/// The first import of its group.
fn new_run(source: &Source, runs: &[Vec<Entry>], entry: &Entry) -> Spot {
    let group_of = |run: &Vec<Entry>| run.first().map(|first| first.group);
    let before = runs.iter().rev().find(|run| group_of(run) < Some(entry.group));
    if let Some(last) = before.and_then(|run| run.last()) {
        return Spot { at: end_of(source, last), blank_before: 1, blank_after: 0 };
    }
    if let Some(next) = runs.first().and_then(|run| run.first()) {
        return Spot { at: start_of(source, next), blank_before: 0, blank_after: 1 };
    }
    first_import(source)
}

/// Behind the docstring or the comments that open the file.
fn first_import(source: &Source) -> Spot {
    let text: &str = source.text();
    let body = source.body();
    let docstring = body.first().filter(|stmt| is_docstring(stmt));
    let from =
        docstring.map_or_else(|| head_end(text), |stmt| line_end(text, stmt.end().to_usize()));
    let rest = &text[from.min(text.len())..];
    let next = body.get(usize::from(docstring.is_some()));
    let is_definition = matches!(next, Some(Stmt::FunctionDef(_) | Stmt::ClassDef(_)));
    let has_head = !is_blank(&text[..from]);
    let blank_before = usize::from(has_head);
    if rest.trim().is_empty() {
        return Spot { at: from, blank_before, blank_after: 0 };
    }
    let blank = rest[..rest.len() - rest.trim_start().len()].matches('\n').count();
    let wanted: usize = if is_definition { 2 } else { 1 };
    Spot { at: from, blank_before, blank_after: wanted.saturating_sub(blank) }
}

pub(crate) fn is_docstring(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Expr(expr) if expr.value.is_string_literal_expr())
}

/// In front of a statement and the comments directly above it.
fn start_of(source: &Source, entry: &Entry) -> usize {
    let text: &str = source.text();
    let mut start = line_start(text, entry.range.start().to_usize());
    while start > 0 {
        let above = line_start(text, start - 1);
        if !text[above..start].trim_start().starts_with('#') || above < head_end(text) {
            break;
        }
        start = above;
    }
    start
}

fn end_of(source: &Source, entry: &Entry) -> usize {
    line_end(source.text(), entry.range.end().to_usize())
}

/// Was the file sorted, and is it no longer?
pub(super) fn is_disturbed(files: &dyn Files, before: &Source, after: &Source) -> bool {
    let order = |source: &Source| {
        let mut all = runs(files, source, zone(source.body()));
        all.extend(
            source
                .body()
                .iter()
                .filter_map(|statement| match statement {
                    Stmt::If(guard) => Some(runs(files, source, &guard.body)),
                    _ => None,
                })
                .flatten(),
        );
        Order::of(&all)
    };
    order(before) != Order::Unsorted && order(before) != order(after)
}
