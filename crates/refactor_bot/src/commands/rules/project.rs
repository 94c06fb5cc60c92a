//! The project that rules are run over: its index, its facts, its own rules.

use std::path::{Path, PathBuf};

use rb_core::fs;
use rb_index::OnDisk;
use rb_patterns::Rules;
use rb_rules::engine::{OverIndex, own};
use rb_rules::project::Project;
use rb_workspace::history::History;

use crate::app::App;
use crate::error::{CliError, ErrorKind};
use crate::repo_index::{self, Place, Scope, Wanted};
use crate::ui::printable;

/// Indexes the files as they are now, and hands the project to `work`.
pub(super) fn with_project<T>(
    app: &App,
    scope: &Scope,
    mut work: impl FnMut(&mut OverIndex<'_>, &Path) -> Result<T, CliError>,
) -> Result<T, CliError> {
    let root = Place::of(app, scope)?.root().to_owned();
    let texts = OnDisk { root: &root };
    repo_index::read(app, scope, &Wanted::default(), |indexed| {
        let view = indexed.view()?;
        let project = Project::of(&view, Some(&root), &texts);
        let mut world = OverIndex::new(&view, &project, &texts);
        Ok(work(&mut world, &root))
    })?
}

/// The rules that the project wrote itself. One that cannot be read stops everything: silence would pass for "nothing found".
pub(super) fn own_rules(root: &Path) -> Result<Rules, CliError> {
    let files = rule_files(root)?;
    let (rules, errors) = own::load(&files);
    let Some(first) = errors.first() else { return Ok(rules) };
    let mut error = CliError::new(ErrorKind::UnsafeInput, printable(&first.to_string()));
    for other in errors.iter().skip(1).take(9) {
        error = error.hint(printable(&other.to_string()));
    }
    Err(error.hint("mend the rule, then run `refactor-bot rules test`"))
}

/// Paths and texts, sorted.
pub(super) fn rule_files(root: &Path) -> Result<Vec<(String, String)>, CliError> {
    let folder: PathBuf = root.join(own::FOLDER);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for name in fs::list(&folder)? {
        let Some(name) = name.to_str() else { continue };
        if own::is_rule_file(name) {
            let path = format!("{}/{name}", own::FOLDER);
            let bytes = fs::read_head(&folder.join(name), 1 << 20)?;
            let text = String::from_utf8(bytes).map_err(|_| {
                CliError::new(ErrorKind::UnsafeInput, format!("{path} is not UTF-8"))
            })?;
            files.push((path, text));
        }
    }
    files.sort();
    Ok(files)
}

/// The commit where the work since a revision began.
pub(super) fn begin_of(history: &History, revision: &str) -> Result<String, CliError> {
    history.begin_of(revision).map_err(|_| {
        let message = format!("there is no revision `{}` here", printable(revision));
        CliError::new(ErrorKind::Usage, message).hint("give a branch, a tag or a commit")
    })
}
