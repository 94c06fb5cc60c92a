//! Tasks for a model where nothing else serves: the files that a question is about, in groups that belong together, the most
//! relevant first.
//!
//! A directive that names a symbol or a field is one change of it: one task has all files that declare or use it. For any other
//! directive the index is searched, and what of its words and names is in each file tells which of those that were found matter most.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rb_core::{Stage, plural};
use rb_index::FileId;
use rb_index::role::Role;
use rb_lang::Language;

use crate::documents::{self, is_document};
use crate::draft::{Draft, for_model, in_place, number, place};
use crate::edits::interrupted;
use crate::input::PlanError;
use crate::names::Names;
use crate::new_files;
use crate::reach::Reach;
use crate::readable::listed;
use crate::repo_facts::{RepoFacts, common_folder, shared};
use crate::smells::MOST_FILES;
use crate::symbols::{NamedSymbol, resolve, sources};
use crate::terms::{self, Terms};
use crate::whole_symbol;

/// The most files that are looked at closely, and the most that become tasks.
const CANDIDATES: usize = 200;
const FILES: usize = 15;
const LEAST: usize = 3;
const MOST: usize = 6;
/// Places in the results of a search that are as good as each other.
const ALIKE: usize = 5;
/// Words that a goal names.
const ABOUT: usize = 3;

pub(crate) const OPERATIONS: [&str; 3] = ["edit", "update-callers", "update-tests"];

/// Which files a model gets where a search finds none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Otherwise {
    /// Those that matter most: the directive is about all of the code.
    Important,
    Nothing,
}

/// One task for the symbols that the words name; otherwise tasks over the files that the index finds for them, within the places
/// that are meant. A file that is named is one of them; in places where none is found, those that matter most are.
pub(crate) fn tasks(
    repo: &RepoFacts<'_>,
    words: &str,
    reach: &Reach,
    otherwise: Otherwise,
) -> Result<Vec<Draft>, PlanError> {
    let symbols = resolve(repo, &Names::of(words), reach)?;
    if let Some((draft, lead)) = whole_symbol::task(repo, words, &symbols, reach) {
        return Ok(finished(repo, words, vec![draft], &lead, reach));
    }
    let quoting = quoting(repo, words)?;
    let found = (repo.input.search)(words);
    let all = reach.files(repo).chain(quoting).chain(found.iter().map(String::as_str));
    let all = all.chain(symbols.iter().flat_map(NamedSymbol::files));
    let tasks = over_those(repo, words, all.collect(), &symbols, reach);
    if tasks.is_empty() && (reach.is_limited() || otherwise == Otherwise::Important) {
        return Ok(over(repo, words, important(repo), reach));
    }
    Ok(tasks)
}

/// The files of code that have a text which the directive quotes.
fn quoting<'s>(repo: &'s RepoFacts<'_>, words: &str) -> Result<Vec<&'s str>, PlanError> {
    let phrases: Vec<&str> = terms::phrases(words).collect();
    let mut quoting = Vec::new();
    if phrases.is_empty() {
        return Ok(quoting);
    }
    for id in sources(repo) {
        interrupted(repo.input)?;
        let text = repo.input.source(id).unwrap_or_default();
        if phrases.iter().any(|phrase| text.contains(phrase)) {
            quoting.push(&*repo.view().tree.get(id).path);
        }
    }
    Ok(quoting)
}

/// What is changed often and hard to read, then what others need most.
fn important<'s>(repo: &'s RepoFacts<'_>) -> Vec<&'s str> {
    let hot = repo.input.overview.hotspots.iter().map(|it| it.path.as_str());
    let tree = &repo.view().tree;
    hot.chain(repo.view().by_importance().iter().map(|id| &*tree.get(*id).path)).collect()
}

/// Tasks over these files, the best first, as far as a model may change them.
pub(crate) fn over(
    repo: &RepoFacts<'_>,
    words: &str,
    files: Vec<&str>,
    reach: &Reach,
) -> Vec<Draft> {
    over_those(repo, words, files, &[], reach)
}

fn over_those(
    repo: &RepoFacts<'_>,
    words: &str,
    files: Vec<&str>,
    symbols: &[NamedSymbol],
    reach: &Reach,
) -> Vec<Draft> {
    let mut seen = BTreeSet::new();
    let is_meant = |path: &&str| {
        let Some(id) = repo.view().tree.find(path) else { return false };
        let file = repo.view().file(id);
        let is_wanted = |it: Language| it.is_read() || (is_document(it) && reach.is_file(path));
        let is_text = file.language.is_some_and(is_wanted) && file.trivial.is_none();
        let is_usual = Role::of(path) <= Role::Tooling || reach.means(path);
        is_text && is_usual && (repo.input.may_touch)(path) && reach.allows(path)
    };
    let files = files.into_iter().filter(is_meant).filter(|it| seen.insert(*it)).take(CANDIDATES);
    let terms = Terms::of(words);
    let mut files = ranked(repo, &terms, files.collect(), symbols, reach);
    files.truncate(FILES);
    let edges: BTreeSet<(FileId, FileId)> = repo.view().edges().into_iter().collect();
    let is_named = |path: &str| reach.is_file(path);
    let mut groups = grouped(&with_companions(repo, &edges, &files), &files, &is_named);
    groups.retain(|group| !is_helper(&edges, group, &files));
    let Some(lead) = groups.first().map(|it| it[0].path) else { return Vec::new() };
    let goals = goals(words, &terms, &groups);
    let task = |(goal, group): (&String, &Vec<&Ranked<'_>>)| {
        let paths: Vec<&str> = group.iter().map(|it| it.path).collect();
        for_model(repo, goal, &paths, Stage::Small, &OPERATIONS)
    };
    let mut tasks: Vec<Draft> = goals.iter().zip(&groups).map(task).collect();
    if let Some(first) = tasks.first_mut() {
        let named: Vec<&NamedSymbol> = symbols.iter().collect();
        documents::allow(repo, &mut first.task, &named, &|path| reach.allows(path));
    }
    finished(repo, words, tasks, lead, reach)
}

/// Tasks in their order, within the reach of the directive, with the files that it asks to be made.
fn finished(
    repo: &RepoFacts<'_>,
    words: &str,
    mut tasks: Vec<Draft>,
    lead: &str,
    reach: &Reach,
) -> Vec<Draft> {
    for (at, draft) in tasks.iter_mut().enumerate() {
        reach.trim(&mut draft.task);
        draft.relevance = at + 1;
    }
    new_files::allow(repo, words, &mut tasks, lead, reach);
    number(&mut tasks, 0);
    tasks
}

/// A file that was found, and what of the directive is in it.
#[derive(Debug, Clone)]
struct Ranked<'f> {
    path: &'f str,
    id: FileId,
    /// Among those that were found.
    place: usize,
    /// How much in the file speaks for it.
    evidence: usize,
    score: usize,
    names: BTreeSet<String>,
    /// Of the directive, by their places.
    words: BTreeSet<usize>,
}

/// The files by what the search and their texts say of them. Where no text says anything, they stay as they were found.
fn ranked<'f>(
    repo: &RepoFacts<'_>,
    terms: &Terms,
    files: Vec<&'f str>,
    symbols: &[NamedSymbol],
    reach: &Reach,
) -> Vec<Ranked<'f>> {
    let mut all: Vec<Ranked<'f>> = Vec::new();
    for (place, path) in files.into_iter().enumerate() {
        let Some(id) = repo.view().tree.find(path) else { continue };
        let text = repo.input.source(id).unwrap_or_default();
        let mut matches = terms.matches(&text);
        let lines = terms::lines(std::slice::from_ref(&matches)).concat().len();
        matches.words.extend(terms.words_in(path));
        let has = |it: &&NamedSymbol| it.is_certain && it.lines.contains_key(path);
        matches.names.extend(symbols.iter().filter(has).map(|it| it.name.clone()));
        let declared = symbols.iter().filter(|it| it.is_declared_in(path)).count();
        let lines = (lines + 1).ilog2() as usize;
        let evidence = 8 * declared + 4 * matches.names.len() + lines;
        let (names, words) = (matches.names, matches.words);
        all.push(Ranked { path, id, place, evidence, score: 0, names, words });
    }
    let mut having: BTreeMap<usize, usize> = BTreeMap::new();
    for word in all.iter().flat_map(|it| &it.words) {
        *having.entry(*word).or_default() += 1;
    }
    let count = all.len();
    for file in &mut all {
        // A word that few have tells more.
        let rare = |it: &usize| 1 + 3 * (count - having.get(it).copied().unwrap_or(count)) / count;
        let words: usize = file.words.iter().map(rare).sum();
        file.evidence += words;
        let by_search = 16_usize.saturating_sub(2 * (file.place / ALIKE));
        let by_name = if reach.is_file(file.path) { 1_000 } else { 0 };
        file.score = by_name + by_search + 2 * file.evidence;
    }
    all.sort_by_key(|it| {
        let place = if it.evidence == 0 { it.place } else { 0 };
        (Reverse(it.score), place, it.path)
    });
    all
}

/// A file that others of the directive use and that says nothing of it itself is read, not changed: it needs no task of its own.
fn is_helper(
    edges: &BTreeSet<(FileId, FileId)>,
    group: &[&Ranked<'_>],
    files: &[Ranked<'_>],
) -> bool {
    let [only] = group else { return false };
    let is_used = || files.iter().any(|it| edges.contains(&(it.id, only.id)));
    only.evidence == 0 && only.place >= ALIKE && is_used()
}

/// For each group the directive, where it lies, and the words that no other group has.
fn goals(words: &str, terms: &Terms, groups: &[Vec<&Ranked<'_>>]) -> Vec<String> {
    let places: Vec<String> = groups.iter().map(|it| place(&paths(it))).collect();
    let goal = |(at, group): (usize, &Vec<&Ranked<'_>>)| {
        let is_shared = places.iter().filter(|it| **it == places[at]).count() > 1;
        let place = if is_shared { by_first(group) } else { places[at].clone() };
        let others: BTreeSet<usize> = groups
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .flat_map(|(_, it)| it.iter().flat_map(|it| it.words.iter().copied()))
            .collect();
        let own: BTreeSet<usize> = group.iter().flat_map(|it| it.words.iter().copied()).collect();
        let own = own.difference(&others).take(ABOUT);
        let own: Vec<&str> = own.map(|it| terms.word(*it)).collect();
        let about = if groups.len() > 1 && !own.is_empty() {
            format!(", about {}", listed(&own))
        } else {
            String::new()
        };
        in_place(words, &place) + &about
    };
    groups.iter().enumerate().map(goal).collect()
}

fn paths<'f>(group: &[&Ranked<'f>]) -> BTreeSet<&'f str> {
    group.iter().map(|it| it.path).collect()
}

/// "src/a.js and 2 more files": the most relevant one is named.
fn by_first(group: &[&Ranked<'_>]) -> String {
    format!("{} and {}", group[0].path, plural(group.len() - 1, "more file"))
}

/// Who uses whom, and which of the files mostly change together.
fn with_companions(
    repo: &RepoFacts<'_>,
    edges: &BTreeSet<(FileId, FileId)>,
    files: &[Ranked<'_>],
) -> BTreeSet<(FileId, FileId)> {
    let mut links = edges.clone();
    for (at, one) in files.iter().enumerate() {
        let others = files[at + 1..].iter();
        let companions = others.filter(|it| repo.view().together.has(one.path, it.path));
        links.extend(companions.map(|it| (one.id, it.id)));
    }
    links
}

/// Three to six groups of few files, by their best file: those that the directive names are one change; of the others those that
/// are linked or have a name in common come together first, then those of one folder.
fn grouped<'r, 'f>(
    links: &BTreeSet<(FileId, FileId)>,
    files: &'r [Ranked<'f>],
    is_named: &dyn Fn(&str) -> bool,
) -> Vec<Vec<&'r Ranked<'f>>> {
    let (named, others): (Vec<_>, Vec<_>) = files.iter().partition(|it| is_named(it.path));
    let mut groups: Vec<Vec<&'r Ranked<'f>>> = match named.len() {
        0 => Vec::new(),
        few if few <= MOST_FILES => vec![named],
        _ => named.into_iter().map(|it| vec![it]).collect(),
    };
    groups.extend(others.into_iter().map(|it| vec![it]));
    while groups.len() > LEAST {
        let Some((near, one, other)) = nearest(links, &groups) else { break };
        // Few enough already: only what is linked is put together.
        if !near.is_linked && groups.len() <= MOST {
            break;
        }
        let files = groups.remove(other);
        groups[one].extend(files);
    }
    groups
}

/// How near two groups are; the nearest is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Near {
    is_linked: bool,
    common_folders: usize,
    size: Reverse<usize>,
}

/// The nearest two groups that fit into one task; the first of equals.
fn nearest(
    links: &BTreeSet<(FileId, FileId)>,
    groups: &[Vec<&Ranked<'_>>],
) -> Option<(Near, usize, usize)> {
    let is_linked = |a: &Ranked<'_>, b: &Ranked<'_>| {
        let has_link = links.contains(&(a.id, b.id)) || links.contains(&(b.id, a.id));
        has_link || !a.names.is_disjoint(&b.names)
    };
    let folder = |group: &[&Ranked<'_>]| common_folder(group.iter().map(|it| it.path)).to_owned();
    let mut best: Option<(Near, usize, usize)> = None;
    for (one, other) in
        (0..groups.len()).flat_map(|one| (one + 1..groups.len()).map(move |it| (one, it)))
    {
        let (a, b) = (&groups[one], &groups[other]);
        if a.len() + b.len() > MOST_FILES {
            continue;
        }
        let is_linked = a.iter().any(|a| b.iter().any(|b| is_linked(a, b)));
        let (of_a, of_b) = (folder(a), folder(b));
        let common = shared(&of_a, &of_b);
        let common_folders = common.split('/').filter(|it| !it.is_empty()).count();
        let near = Near { is_linked, common_folders, size: Reverse(a.len() + b.len()) };
        if best.is_none_or(|(than, ..)| near > than) {
            best = Some((near, one, other));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that was found at a place, with what speaks for it.
    fn file(path: &str, place: usize, evidence: usize) -> Ranked<'_> {
        let id = FileId(u32::try_from(place).expect("few"));
        let (names, words) = (BTreeSet::new(), BTreeSet::new());
        Ranked { path, id, place, evidence, score: 0, names, words }
    }

    #[test]
    fn rf3_a_file_that_is_only_read_has_no_task_of_its_own() {
        let files = [file("a.py", 0, 4), file("b.py", 6, 0), file("c.py", 2, 0)];
        let edges = BTreeSet::from([(FileId(0), FileId(6)), (FileId(0), FileId(2))]);
        let is_dropped = |group: &[&Ranked<'_>]| is_helper(&edges, group, &files);
        assert!(is_dropped(&[&files[1]]));
        assert!(!is_dropped(&[&files[0], &files[1]]));
        // Among the first that were found, or with something to change.
        assert!(!is_dropped(&[&files[2]]));
        assert!(!is_dropped(&[&files[0]]));
        assert!(!is_helper(&BTreeSet::new(), &[&files[1]], &files));
    }

    #[test]
    fn rf3_files_that_have_a_name_in_common_go_together() {
        let mut files = [
            file("a/a.py", 0, 1),
            file("b/b.py", 1, 1),
            file("a/c.py", 2, 1),
            file("d/d.py", 3, 1),
        ];
        for at in [0, 3] {
            files[at].names.insert("load_all".to_owned());
        }
        let groups = grouped(&BTreeSet::new(), &files, &|_| false);
        let paths = groups.iter().map(|it| it.iter().map(|it| it.path).collect::<Vec<_>>());
        let expected = [vec!["a/a.py", "d/d.py"], vec!["b/b.py"], vec!["a/c.py"]];
        assert_eq!(paths.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn rf3_files_that_the_directive_names_are_one_change() {
        let files = [file("lib/a.js", 0, 9), file("lib/c.js", 2, 5), file("lib/b.js", 1, 1)];
        let is_named = |path: &str| path != "lib/c.js";
        let groups = grouped(&BTreeSet::new(), &files, &is_named);
        let paths: Vec<Vec<&str>> =
            groups.iter().map(|it| it.iter().map(|it| it.path).collect()).collect();
        assert_eq!(paths, [vec!["lib/a.js", "lib/b.js"], vec!["lib/c.js"]]);
    }
}
