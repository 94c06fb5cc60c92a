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
    let findings = match checked(site, repo, indexed)? {
        Ok(findings) => Arc::new(findings),
        Err(problem) => return Ok(Err(problem)),
    };
    *last = Some((state, Arc::clone(&findings)));
    Ok(Ok(findings))
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
) -> Result<Result<Findings, Problem>, IndexError> {
    let own = match rb_change::own_rules(repo.root()) {
        Ok(own) => own,
        Err(error) => return Ok(Err(Problem::failed(error))),
    };
    let rules = engine::select(&[], &[]).expect("no name is asked for");
    with_world(repo, indexed, |world| {
        let ids: Vec<String> = own.iter().map(|rule| rule.id.to_owned()).collect();
        let checked = engine::check_with_own(world, &rules, &own, &ids, &options(site, None));
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
