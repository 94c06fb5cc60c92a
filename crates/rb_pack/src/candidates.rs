//! The files of a task, the most relevant first: with places, much used, lately changed, important.

use std::cell::RefCell;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rb_core::RepoPath;
use rb_core::plural;
use rb_index::calls::FactsSource as _;
use rb_index::graph::Graph;
use rb_index::{FileId, StoreError};
use rb_lang::Facts;

use crate::input::{PackError, PackInput, TaskSite};
use crate::never;
use crate::pack::Omitted;
use crate::text::{inline, listed};
use crate::uses::{Use, gives_on, uses};
use crate::words::Words;

/// More files are never looked at for one task.
const MOST_FILES: usize = 40;
/// Of the users of one file, the most important.
const MOST_USERS: usize = 60;
const MOST_BEHIND_BARREL: usize = 20;

/// The index, and what of it was read already.
pub(crate) struct IndexReader<'p> {
    pub(crate) input: &'p PackInput<'p>,
    users: Graph,
    facts: RefCell<BTreeMap<FileId, Option<Rc<Facts>>>>,
}

/// A file of the task.
pub(crate) struct Scoped<'p> {
    pub(crate) id: FileId,
    pub(crate) path: &'p str,
    pub(crate) reason: String,
    pub(crate) places: Vec<&'p TaskSite>,
    /// How many words of the goal its path has, where the task names no files.
    near: usize,
    pub(crate) facts: Option<Rc<Facts>>,
    /// By user.
    pub(crate) used: BTreeMap<FileId, Used>,
}

/// What a file uses of a file of the task.
#[derive(Default)]
pub(crate) struct Used {
    pub(crate) uses: Vec<Use>,
    /// The file that gave it on.
    pub(crate) via: Option<FileId>,
}

impl<'p> IndexReader<'p> {
    pub(crate) fn new(input: &'p PackInput<'p>) -> IndexReader<'p> {
        IndexReader { input, users: input.view.graph().reversed(), facts: RefCell::default() }
    }

    pub(crate) fn facts(&self, id: FileId) -> Result<Option<Rc<Facts>>, StoreError> {
        if let Some(known) = self.facts.borrow().get(&id) {
            return Ok(known.clone());
        }
        let facts = self.input.view.read_facts(id)?.map(Rc::new);
        self.facts.borrow_mut().insert(id, facts.clone());
        Ok(facts)
    }

    pub(crate) fn path(&self, id: FileId) -> &'p str {
        &self.input.view.tree.get(id).path
    }

    /// Those who use a file, the most important first.
    fn users(&self, id: FileId, most: usize) -> Vec<FileId> {
        let mut users: Vec<FileId> = self.users.targets(id).map(|(user, _)| user).collect();
        users.sort_by(|&a, &b| self.importance(b).total_cmp(&self.importance(a)).then(a.cmp(&b)));
        users.truncate(most);
        users
    }

    pub(crate) fn importance(&self, id: FileId) -> f64 {
        self.input.view.file(id).importance.score
    }

    /// Who uses what of a file, also by way of files that only give it on.
    fn used(&self, id: FileId, declared: &Facts) -> Result<BTreeMap<FileId, Used>, PackError> {
        let mut found: BTreeMap<FileId, Used> = BTreeMap::new();
        for user in self.users(id, MOST_USERS) {
            self.input.go_on()?;
            let Some(facts) = self.facts(user)? else { continue };
            let resolutions = self.input.view.resolutions(user);
            let direct = uses(&facts, resolutions, id, declared);
            found.insert(user, Used { uses: direct, via: None });
            if !gives_on(&facts, resolutions, id) {
                continue;
            }
            for behind in self.users(user, MOST_BEHIND_BARREL) {
                let Some(facts) = self.facts(behind)? else { continue };
                let names: BTreeSet<&str> = declared.symbols.iter().map(|it| &*it.name).collect();
                let mut uses = uses(&facts, self.input.view.resolutions(behind), user, declared);
                uses.retain(|it| names.contains(it.symbol.as_str()));
                if !uses.is_empty() && behind != id {
                    found.entry(behind).or_insert(Used { uses, via: Some(user) });
                }
            }
        }
        Ok(found)
    }
}

/// The files of the task in their order, and those of them that are not shown.
pub(crate) fn scoped<'p>(
    known: &IndexReader<'p>,
    words: &Words,
) -> Result<(Vec<Scoped<'p>>, Vec<Omitted>), PackError> {
    let input = known.input;
    let mut omitted = Vec::new();
    let mut chosen = Vec::new();
    for (near, path) in wanted(input, words) {
        match found(input, &path) {
            Ok(id) => chosen.push((near, id)),
            Err(reason) => omitted.push(Omitted { path, reason }),
        }
    }
    // Before anything is read: which of very many.
    chosen.sort_by_cached_key(|&(near, id)| {
        let file = input.view.file(id);
        let places = input.places.iter().filter(|place| place.path == file.path).count();
        (Reverse(places), Reverse(near), Reverse(file.used_by), id)
    });
    let mut files = Vec::new();
    for (near, id) in chosen {
        input.go_on()?;
        if files.len() == MOST_FILES {
            let reason = format!("more than {MOST_FILES} files are in scope");
            omitted.push(Omitted { path: known.path(id).to_owned(), reason });
            continue;
        }
        files.push(one(known, id, near)?);
    }
    files.sort_by(|a, b| relevance(known, a, b));
    Ok((files, omitted))
}

/// What is more relevant is less.
fn relevance(known: &IndexReader<'_>, a: &Scoped<'_>, b: &Scoped<'_>) -> Ordering {
    let rank = |it: &Scoped| Reverse((it.places.len(), it.near, it.fan_in()));
    let recent = |it: &Scoped| recent(known.input, it.path);
    rank(a)
        .cmp(&rank(b))
        .then_with(|| recent(b).total_cmp(&recent(a)))
        .then_with(|| known.importance(b.id).total_cmp(&known.importance(a.id)))
        .then_with(|| a.path.cmp(b.path))
}

fn one<'p>(known: &IndexReader<'p>, id: FileId, near: usize) -> Result<Scoped<'p>, PackError> {
    let (input, path) = (known.input, known.path(id));
    let places: Vec<&TaskSite> = input.places.iter().filter(|place| place.path == path).collect();
    let facts = known.facts(id)?;
    let used = match &facts {
        Some(facts) => known.used(id, facts)?,
        None => BTreeMap::new(),
    };
    let mut scoped = Scoped { id, path, reason: String::new(), places, near, facts, used };
    scoped.reason = reason(&scoped, input);
    Ok(scoped)
}

fn reason(scoped: &Scoped<'_>, input: &PackInput<'_>) -> String {
    let mut reason = "in scope".to_owned();
    if scoped.near > 0 {
        reason = format!("{reason}; its path matches the goal");
    }
    if !scoped.places.is_empty() {
        let said = |place: &&TaskSite| inline(&format!("line {}: {}", place.line, place.why), 150);
        let places: BTreeSet<String> = scoped.places.iter().map(said).collect();
        let places: Vec<String> = places.into_iter().collect();
        let number = plural(scoped.places.len(), "place");
        reason = format!("{reason}; {number} ({})", listed(&places, 400));
    }
    let file = input.view.file(scoped.id);
    if file.used_by > 0 {
        reason = format!("{reason}; used by {}", plural(file.used_by as usize, "file"));
    }
    if file.commits > 0 {
        reason = format!("{reason}; {} lately", plural(file.commits as usize, "commit"));
    }
    reason
}

impl Scoped<'_> {
    /// How many files use the symbol that most use.
    fn fan_in(&self) -> usize {
        let mut users: BTreeMap<&str, usize> = BTreeMap::new();
        for used in self.used.values() {
            let symbols: BTreeSet<&str> = used.uses.iter().map(|it| it.symbol.as_str()).collect();
            for symbol in symbols {
                *users.entry(symbol).or_default() += 1;
            }
        }
        users.into_values().max().unwrap_or(0)
    }
}

fn recent(input: &PackInput<'_>, path: &str) -> f32 {
    let path = RepoPath::new(path).ok();
    path.and_then(|path| input.view.activity.of(&path)).map_or(0.0, |active| active.weight)
}

/// The paths that the task is about: its files and places, or else those of its scope that are nearest to its goal.
fn wanted(input: &PackInput<'_>, words: &Words) -> Vec<(usize, String)> {
    // A path that is no UTF-8 is in no index, and is listed as such.
    let files = input.task.files.iter().map(|path| {
        std::str::from_utf8(path.as_bytes()).map_or_else(|_| path.to_string(), str::to_owned)
    });
    let places = input.places.iter().map(|place| place.path.clone());
    let mut seen = BTreeSet::new();
    let named = files.chain(places).filter(|path| seen.insert(path.clone()));
    let named: Vec<(usize, String)> = named.map(|path| (0, path)).collect();
    if !named.is_empty() {
        return named;
    }
    let mut ranked: Vec<(usize, &str)> = Vec::new();
    for &id in input.view.by_importance() {
        let file = input.view.file(id);
        if (input.may_change)(file.path) && never::by_file(&file).is_none() {
            let stem = file.path.rsplit_once('.').map_or(file.path, |(stem, _)| stem);
            ranked.push((words.shared("", stem), file.path));
        }
    }
    // Equals stay in the order of their importance.
    ranked.sort_by_key(|(shared, _)| Reverse(*shared));
    ranked.into_iter().take(MOST_FILES).map(|(near, path)| (near, path.to_owned())).collect()
}

/// The file of a path, or why it is not shown.
fn found(input: &PackInput<'_>, path: &str) -> Result<FileId, String> {
    let id = input.view.tree.find(path).ok_or("in scope, but not in the index")?;
    match never::by_file(&input.view.file(id)) {
        Some(reason) => Err(format!("in scope; {reason}")),
        None => Ok(id),
    }
}
