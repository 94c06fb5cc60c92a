//! What the rules find in the repository as it is now. The last result is kept: rules read every file, and several pages need it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rb_core::Sha256;
use rb_core::progress::Silent;
use rb_index::{IndexError, Indexed, OnDisk};
use rb_repo::Repo;
use rb_rules::engine::{self, Checked, Options, OverIndex};
use rb_rules::project::Project;
use rb_rules::{Certainty, Finding};

use crate::reply::Problem;
use crate::site::Site;

/// All that the default rules and the project's own rules find.
pub(in crate::pages) struct Findings {
    pub(in crate::pages) checked: Checked,
    /// Ids and messages of the rules that the project wrote itself.
    pub(in crate::pages) own: BTreeMap<String, String>,
}

impl Findings {
    pub(in crate::pages) fn of_file<'f>(&'f self, path: &str) -> &'f [Finding] {
        let all = &self.checked.findings;
        let first = all.partition_point(|finding| *finding.path < *path);
        let last = all.partition_point(|finding| *finding.path <= *path);
        &all[first..last]
    }
}

/// The files and the rules that a result is of.
#[derive(PartialEq, Eq)]
struct State {
    root: PathBuf,
    files: String,
    rules: Sha256,
}

static LAST: Mutex<Option<(State, Arc<Findings>)>> = Mutex::new(None);

/// Waits for a result that is under way rather than making it twice.
pub(in crate::pages) fn all(
    site: &Site,
    repo: &Repo,
    indexed: &Indexed,
) -> Result<Result<Arc<Findings>, Problem>, IndexError> {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let state = match state(repo, indexed) {
        Ok(state) => state,
        Err(problem) => return Ok(Err(problem)),
    };
    if let Some((of, findings)) = &*last
        && *of == state
    {
        return Ok(Ok(Arc::clone(findings)));
    }
    let findings = match checked(site, repo, indexed, None)? {
        Ok(findings) => Arc::new(findings),
        Err(problem) => return Ok(Err(problem)),
    };
    *last = Some((state, Arc::clone(&findings)));
    Ok(Ok(findings))
}

/// What the rules find in one file: from the last result if it is of the repository as it is now, else by the rules on this file alone. A
/// page of a file waits for no other one.
pub(in crate::pages) fn of_file(
    site: &Site,
    repo: &Repo,
    indexed: &Indexed,
    path: &str,
) -> Result<Result<Vec<Finding>, Problem>, IndexError> {
    let state = match state(repo, indexed) {
        Ok(state) => state,
        Err(problem) => return Ok(Err(problem)),
    };
    let known = match LAST.try_lock() {
        Ok(last) => last.as_ref().filter(|(of, _)| *of == state).map(|(_, all)| Arc::clone(all)),
        Err(_) => None,
    };
    if let Some(all) = known {
        return Ok(Ok(all.of_file(path).to_vec()));
    }
    let only = |other: &str| other == path;
    let found = checked(site, repo, indexed, Some(&only))?;
    Ok(found.map(|found| found.checked.findings))
}

fn state(repo: &Repo, indexed: &Indexed) -> Result<State, Problem> {
    let rules = rb_change::rule_files(repo.root()).map_err(Problem::failed)?;
    let bytes = serde_json::to_vec(&rules).expect("plain data");
    let files = indexed.update.state.clone();
    Ok(State { root: repo.root().to_owned(), files, rules: Sha256::of(&bytes) })
}

fn checked(
    site: &Site,
    repo: &Repo,
    indexed: &Indexed,
    only: Option<&(dyn Fn(&str) -> bool + Sync)>,
) -> Result<Result<Findings, Problem>, IndexError> {
    let own = match rb_change::own_rules(repo.root()) {
        Ok(own) => own,
        Err(error) => return Ok(Err(Problem::failed(error))),
    };
    let rules = engine::select(&[], &[]).expect("no name is asked for");
    with_world(repo, indexed, |world| {
        let ids: Vec<String> = own.iter().map(|rule| rule.id.to_owned()).collect();
        let checked = engine::check_with_own(world, &rules, &own, &ids, &options(site, only));
        if site.host.cancel.is_cancelled() {
            return Err(Problem::Failed("The server is stopping.".to_owned()));
        }
        let own = own.iter().map(|rule| (rule.id.to_owned(), rule.message.to_owned())).collect();
        Ok(Findings { checked, own })
    })
}

/// How the pages look at files: candidates are shown, tests are not looked at.
pub(in crate::pages) fn options<'o>(
    site: &'o Site,
    only: Option<&'o (dyn Fn(&str) -> bool + Sync)>,
) -> Options<'o> {
    Options {
        include_tests: false,
        ignore_suppressions: false,
        certainty: Certainty::Likely,
        trust_unused: false,
        only,
        cancel: &site.host.cancel,
        progress: &Silent,
    }
}

/// The project as rules see it.
pub(in crate::pages) fn with_world<T>(
    repo: &Repo,
    indexed: &Indexed,
    work: impl FnOnce(&mut OverIndex<'_>) -> T,
) -> Result<T, IndexError> {
    let view = indexed.view()?;
    let texts = OnDisk { root: repo.root() };
    let project = Project::of(&view, Some(repo.root()), &texts);
    Ok(work(&mut OverIndex::new(&view, &project, &texts)))
}

#[cfg(test)]
mod tests {
    use rb_index::search::Searchable;
    use rb_testkit::in_time;

    use super::*;
    use crate::pages::code::testing::TestSite;

    const RULE: &str = "id: no-price\nlanguage: JavaScript\nmessage: no price\nseverity: error\nrule:\n  pattern: price($A)\n";

    #[test]
    fn ux4_a_page_of_a_file_waits_for_no_look_at_the_whole_repository() {
        in_time(|| {
            let TestSite { repo, site } =
                TestSite::new("//- a.js\nprice(1);\nprice(2);\n//- b.js\nprice(3);\n");
            repo.write(".refactor-bot/rules/no-price.yml", RULE);
            let lines = || {
                let found = site.indexed(Searchable::Nothing, |repo, indexed| {
                    of_file(&site, repo, indexed, "a.js")
                });
                let found = found.unwrap().unwrap();
                assert!(found.iter().all(|finding| &*finding.path == "a.js"), "{found:?}");
                found.iter().map(|finding| finding.line).collect::<Vec<_>>()
            };
            // Somebody else looks at everything.
            let looking = LAST.lock().unwrap_or_else(PoisonError::into_inner);
            assert_eq!(lines(), [1, 2]);
            drop(looking);
            let all = site.indexed(Searchable::Nothing, |repo, indexed| all(&site, repo, indexed));
            assert_eq!(all.unwrap().unwrap().checked.findings.len(), 3);
            assert_eq!(lines(), [1, 2]);
        });
    }
}
