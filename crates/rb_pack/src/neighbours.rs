//! Files around those of a task: its tests, what it imports, and who uses what may change.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rb_index::FileId;
use rb_index::calls::FactsSource as _;
use rb_index::resolve::Resolution;
use rb_index::test_links::{self, TestLink, Why};
use rb_lang::{Facts, ImportKind};

use crate::assignment::only_file;
use crate::candidates::{IndexReader, Scoped};
use crate::input::PackError;
use crate::text::listed;
use crate::uses::taken;
use crate::words::Words;

/// A file that is shown because of another one.
pub(crate) struct Neighbour<'p> {
    pub(crate) id: FileId,
    pub(crate) path: &'p str,
    pub(crate) reason: String,
    pub(crate) facts: Option<Rc<Facts>>,
    /// The symbols that matter, as indices into its facts.
    pub(crate) symbols: BTreeSet<usize>,
    /// Lines on which it uses a file of the task, with the symbol.
    pub(crate) lines: Vec<(u32, String)>,
}

/// An import that leads to several files names a package: only those that declare what is taken are meant.
const FEW: usize = 1;

/// The most tests that are looked at.
const MOST_TESTS: usize = 100;

/// The tests of the files, the surest first; of those that are as sure, the ones that have most of the names of the goal.
pub(crate) fn tests<'p>(
    known: &IndexReader<'p>,
    scoped: &[Scoped<'p>],
    words: &Words,
) -> Result<Vec<Neighbour<'p>>, PackError> {
    let view = known.input.view;
    let links = test_links::link(view.tree, &view.edges());
    let mut chosen: Vec<(usize, &TestLink)> = Vec::new();
    for link in &links {
        let nth = scoped.iter().position(|file| file.id == link.source);
        let is_scoped = scoped.iter().any(|file| file.id == link.test);
        if let (Some(nth), false) = (nth, is_scoped) {
            chosen.push((nth, link));
        }
    }
    chosen.sort_by_key(|(nth, link)| (link.why, *nth, link.test));
    let mut seen = BTreeSet::new();
    chosen.retain(|(_, link)| seen.insert(link.test));
    chosen.truncate(MOST_TESTS);
    chosen.sort_by_cached_key(|(nth, link)| {
        let path = known.path(link.test);
        let text = known.input.texts.text(path).unwrap_or_default();
        let names = words.names_in(&String::from_utf8_lossy(&text));
        let is_named = matches!(link.why, Why::NameAndImport | Why::Name);
        (!is_named, Reverse((words.shared(stem(path), ""), names)), link.why, *nth, link.test)
    });
    let mut found = Vec::new();
    for (nth, link) in chosen {
        let source = &scoped[nth];
        let reason = format!("test of {}: {}", source.path, link.why.reason());
        found.push(user(known, link.test, reason, &[source])?);
    }
    Ok(found)
}

/// `body` of `test/body.test.js`
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// Files that the words of the task name by their paths, or that its scope names and that came to be since, in this order.
pub(crate) fn named<'p>(
    known: &IndexReader<'p>,
    scoped: &[Scoped<'p>],
) -> Result<Vec<Neighbour<'p>>, PackError> {
    let input = known.input;
    let task = input.task;
    let said = std::iter::once(task.goal.as_str()).chain(task.notes.iter().map(String::as_str));
    let said: Vec<&str> = said.chain(input.directive).collect();
    let is_part = |c: char| !(c.is_whitespace() || "`'\"()<>,:;#".contains(c));
    let words = said.iter().flat_map(|text| text.split(|c: char| !is_part(c)));
    let words = words.map(|word| word.trim_start_matches("./").trim_end_matches('.').to_owned());
    let in_scope = task.scope_globs.iter().filter_map(|glob| only_file(glob));
    let paths = in_scope.map(|path| path.to_string()).chain(words);
    let name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let names: BTreeSet<String> = said
        .iter()
        .flat_map(|text| text.split(|c: char| !name(c)))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let mut seen: BTreeSet<FileId> = scoped.iter().map(|file| file.id).collect();
    let mut found = Vec::new();
    for id in paths.filter_map(|path| input.view.tree.find(&path)) {
        if seen.insert(id) {
            let facts = known.facts(id)?;
            let symbols = facts.as_ref().map(|facts| symbols(facts, &names)).unwrap_or_default();
            let reason = "named by the task".to_owned();
            let path = known.path(id);
            found.push(Neighbour { id, path, reason, facts, symbols, lines: Vec::new() });
        }
    }
    Ok(found)
}

/// Those who use the files, first those who use what will change: `changing` names symbols for each file of the task.
pub(crate) fn users<'p>(
    known: &IndexReader<'p>,
    scoped: &[Scoped<'p>],
    changing: &BTreeMap<FileId, BTreeSet<String>>,
) -> Result<Vec<Neighbour<'p>>, PackError> {
    let mut all: BTreeMap<FileId, (usize, Vec<&Scoped<'p>>)> = BTreeMap::new();
    for file in scoped {
        let names = changing.get(&file.id);
        for (&id, used) in &file.used {
            let is_other = scoped.iter().all(|file| file.id != id);
            if used.uses.is_empty() || !is_other || test_links::is_test_path(known.path(id)) {
                continue;
            }
            let weighty = |symbol: &String| names.is_some_and(|names| names.contains(symbol));
            let weight = used.uses.iter().map(|it| if weighty(&it.symbol) { 10 } else { 1 });
            let entry = all.entry(id).or_default();
            entry.0 += weight.sum::<usize>();
            entry.1.push(file);
        }
    }
    let mut ranked: Vec<(FileId, (usize, Vec<&Scoped<'p>>))> = all.into_iter().collect();
    ranked.sort_by(|(a, (wa, _)), (b, (wb, _))| {
        let importance = |id: &FileId| known.importance(*id);
        wb.cmp(wa).then_with(|| importance(b).total_cmp(&importance(a))).then(a.cmp(b))
    });
    let mut found = Vec::new();
    for (id, (_, files)) in ranked {
        let reason = using(known, id, &files);
        found.push(user(known, id, reason, &files)?);
    }
    Ok(found)
}

fn using(known: &IndexReader<'_>, id: FileId, files: &[&Scoped<'_>]) -> String {
    let one = |file: &&Scoped<'_>| {
        let used = file.used.get(&id)?;
        let symbols: BTreeSet<&str> = used.uses.iter().map(|it| it.symbol.as_str()).collect();
        let symbols: Vec<&str> = symbols.into_iter().collect();
        if symbols == ["*"] {
            return Some(format!("imports {}", file.path));
        }
        let via = used.via.map(|via| format!(" via {}", known.path(via)));
        Some(format!("uses {} of {}{}", listed(&symbols, 80), file.path, via.unwrap_or_default()))
    };
    let all: Vec<String> = files.iter().filter_map(one).collect();
    listed(&all, 240)
}

fn user<'p>(
    known: &IndexReader<'p>,
    id: FileId,
    reason: String,
    files: &[&Scoped<'p>],
) -> Result<Neighbour<'p>, PackError> {
    let facts = known.facts(id)?;
    let mut symbols = BTreeSet::new();
    let mut lines = Vec::new();
    for used in files.iter().filter_map(|file| file.used.get(&id)) {
        symbols.extend(used.uses.iter().filter_map(|it| it.from).map(|from| from as usize));
        lines.extend(used.uses.iter().map(|it| (it.line, it.symbol.clone())));
    }
    lines.sort();
    lines.dedup_by_key(|(line, _)| *line);
    Ok(Neighbour { id, path: known.path(id), reason, facts, symbols, lines })
}

/// What the files take from one file that they import.
#[derive(Default)]
struct ImportedNames<'p> {
    names: BTreeSet<String>,
    uses: u32,
    by: BTreeSet<&'p str>,
}

/// What the files import, the most used first. Files that only give on lead to those that declare.
pub(crate) fn imported<'p>(
    known: &IndexReader<'p>,
    scoped: &[Scoped<'p>],
) -> Result<Vec<Neighbour<'p>>, PackError> {
    let mut all: BTreeMap<FileId, ImportedNames<'p>> = BTreeMap::new();
    for file in scoped {
        let Some(facts) = &file.facts else { continue };
        for (import, resolution) in facts.imports.iter().zip(known.input.view.resolutions(file.id))
        {
            let Resolution::Inside(targets) = resolution else { continue };
            if import.kind == ImportKind::Module {
                continue;
            }
            let names = taken(facts, import);
            for (target, names) in declaring(known, targets, &names)? {
                if scoped.iter().any(|file| file.id == target) {
                    continue;
                }
                let entry = all.entry(target).or_default();
                entry.names.extend(names);
                entry.uses += import.uses.max(1);
                entry.by.insert(file.path);
            }
        }
    }
    let mut ranked: Vec<(FileId, ImportedNames<'p>)> = all.into_iter().collect();
    ranked.sort_by_key(|(id, taken)| (Reverse(taken.by.len()), Reverse(taken.uses), *id));
    ranked.into_iter().map(|(id, taken)| taken_from(known, id, &taken)).collect()
}

fn taken_from<'p>(
    known: &IndexReader<'p>,
    id: FileId,
    taken: &ImportedNames<'p>,
) -> Result<Neighbour<'p>, PackError> {
    let facts = known.facts(id)?;
    let symbols = facts.as_ref().map(|facts| symbols(facts, &taken.names)).unwrap_or_default();
    let (names, by): (Vec<&String>, Vec<&&str>) =
        (taken.names.iter().collect(), taken.by.iter().collect());
    let what = if names.is_empty() { String::new() } else { format!(": {}", listed(&names, 100)) };
    let reason = format!("imported by {}{what}", listed(&by, 120));
    Ok(Neighbour { id, path: known.path(id), reason, facts, symbols, lines: Vec::new() })
}

/// Which of the files that an import leads to declare which of the names; one hop further where a file gives them on.
fn declaring(
    known: &IndexReader<'_>,
    targets: &[FileId],
    names: &BTreeSet<String>,
) -> Result<Vec<(FileId, BTreeSet<String>)>, PackError> {
    let mut found = Vec::new();
    for &target in targets {
        known.input.go_on()?;
        let Some(facts) = known.facts(target)? else { continue };
        let own = declared(&facts, names);
        let missing = || names.iter().any(|name| !own.contains(name));
        if missing() {
            for (import, resolution) in
                facts.imports.iter().zip(known.input.view.resolutions(target))
            {
                let Resolution::Inside(behind) = resolution else { continue };
                if import.kind != ImportKind::ReExport {
                    continue;
                }
                for &behind in behind.iter().filter(|behind| **behind != target) {
                    let Some(facts) = known.facts(behind)? else { continue };
                    let names = declared(&facts, names);
                    if !names.is_empty() {
                        found.push((behind, names));
                    }
                }
            }
        }
        let is_told = found.iter().any(|(_, names)| !names.is_empty());
        if !own.is_empty() || (targets.len() <= FEW && !is_told) {
            found.push((target, own));
        }
    }
    Ok(found)
}

/// What a file only gives on is not declared in it.
fn declared(facts: &Facts, names: &BTreeSet<String>) -> BTreeSet<String> {
    let own: BTreeSet<&str> = facts.symbols.iter().map(|symbol| &*symbol.name).collect();
    let exported = facts.exports.iter().filter(|export| own.contains(&*export.local));
    let all = own.iter().copied().chain(exported.map(|export| &*export.name));
    all.filter(|name| names.contains(*name)).map(str::to_owned).collect()
}

/// The symbols of these names; what is exported where none is meant.
fn symbols(facts: &Facts, names: &BTreeSet<String>) -> BTreeSet<usize> {
    let locals = facts.exports.iter().filter(|export| names.contains(&*export.name));
    let locals: BTreeSet<&str> = locals.map(|export| &*export.local).collect();
    let is_meant = |name: &str| names.contains(name) || locals.contains(name);
    let all = || facts.symbols.iter().enumerate();
    let meant: BTreeSet<usize> =
        all().filter(|(_, symbol)| is_meant(&symbol.name)).map(|(at, _)| at).collect();
    if meant.is_empty() {
        all().filter(|(_, symbol)| symbol.exported).map(|(at, _)| at).collect()
    } else {
        meant
    }
}
