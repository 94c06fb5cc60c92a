//! Tasks for a model where nothing else serves: the files that a question is about, in groups that belong together.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rb_core::Stage;
use rb_index::FileId;
use rb_index::role::Role;
use rb_lang::Language;

use crate::draft::{Draft, for_model, number, place};
use crate::reach::Reach;
use crate::repo_facts::{RepoFacts, common_folder, shared};
use crate::smells::MOST_FILES;

/// The most files taken from the results of a search.
const FILES: usize = 15;
const LEAST: usize = 3;
const MOST: usize = 6;

/// Which files a model gets where a search finds none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Otherwise {
    /// Those that matter most: the directive is about all of the code.
    Important,
    Nothing,
}

/// Tasks over the files that the index finds for these words, within the places that are meant. A file that is named is one of them;
/// in places where none is found, those that matter most are.
pub(crate) fn tasks(
    repo: &RepoFacts<'_>,
    words: &str,
    reach: &Reach,
    otherwise: Otherwise,
) -> Vec<Draft> {
    let found = (repo.input.search)(words);
    let all = reach.files(repo).chain(found.iter().map(String::as_str));
    let tasks = over(repo, words, all.collect(), reach);
    if tasks.is_empty() && (reach.is_limited() || otherwise == Otherwise::Important) {
        return over(repo, words, important(repo), reach);
    }
    tasks
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
    let mut seen = BTreeSet::new();
    let is_meant = |path: &&str| {
        let Some(id) = repo.view().tree.find(path) else { return false };
        let file = repo.view().file(id);
        let is_code = file.language.is_some_and(Language::is_read) && file.trivial.is_none();
        let is_usual = Role::of(path) <= Role::Tooling || reach.means(path);
        is_code && is_usual && (repo.input.may_touch)(path) && reach.allows(path)
    };
    let mut files: Vec<&str> =
        files.into_iter().filter(is_meant).filter(|it| seen.insert(*it)).take(FILES).collect();
    files.sort_unstable();
    let mut tasks: Vec<Draft> =
        grouped(repo, &files).iter().map(|it| task(repo, words, it)).collect();
    for draft in &mut tasks {
        reach.trim(&mut draft.task);
    }
    number(&mut tasks, 0);
    tasks
}

fn task(repo: &RepoFacts<'_>, words: &str, files: &[&str]) -> Draft {
    let of: BTreeSet<&str> = files.iter().copied().collect();
    let goal = format!("{}, in {}", words.trim().trim_end_matches('.'), place(&of));
    for_model(repo, &goal, files, Stage::Small, &["edit", "update-callers", "update-tests"])
}

/// Three to six groups of few files: those that import each other first, then those of one folder.
fn grouped<'f>(repo: &RepoFacts<'_>, files: &[&'f str]) -> Vec<Vec<&'f str>> {
    let edges: BTreeSet<(FileId, FileId)> = repo.view().edges().into_iter().collect();
    let mut groups: Vec<Vec<&'f str>> = files.iter().map(|it| vec![*it]).collect();
    while groups.len() > LEAST {
        let Some((near, one, other)) = nearest(repo, &edges, &groups) else { break };
        // Few enough already: only what is linked is put together.
        if !near.is_linked && groups.len() <= MOST {
            break;
        }
        let files = groups.remove(other);
        groups[one].extend(files);
        groups[one].sort_unstable();
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
    repo: &RepoFacts<'_>,
    edges: &BTreeSet<(FileId, FileId)>,
    groups: &[Vec<&str>],
) -> Option<(Near, usize, usize)> {
    let id = |path: &&str| repo.view().tree.find(path);
    let mut best: Option<(Near, usize, usize)> = None;
    for (one, other) in
        (0..groups.len()).flat_map(|one| (one + 1..groups.len()).map(move |it| (one, it)))
    {
        let (a, b) = (&groups[one], &groups[other]);
        if a.len() + b.len() > MOST_FILES {
            continue;
        }
        let mut pairs = a.iter().flat_map(|a| b.iter().filter_map(move |b| Some((id(a)?, id(b)?))));
        let is_linked = pairs.any(|(a, b)| edges.contains(&(a, b)) || edges.contains(&(b, a)));
        let folder = shared(common_folder(a.iter().copied()), common_folder(b.iter().copied()));
        let common_folders = folder.split('/').filter(|it| !it.is_empty()).count();
        let near = Near { is_linked, common_folders, size: Reverse(a.len() + b.len()) };
        if best.is_none_or(|(than, ..)| near > than) {
            best = Some((near, one, other));
        }
    }
    best
}
