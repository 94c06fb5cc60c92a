//! The project that rules are run over: its index, its facts, its own rules.

use std::path::Path;

use rb_change::OwnRulesError;
use rb_index::OnDisk;
use rb_patterns::{RuleFileError, Rules};
use rb_repo::ReadOptions;
use rb_rules::engine::OverIndex;
use rb_rules::project::Project;
use rb_workspace::history::History;

use crate::app::App;
use crate::error::{CliError, ErrorKind};
use crate::repo_index::{self, Scope};
use crate::ui::printable;

/// Indexes the files as they are now, and hands the project to `work`.
pub(super) fn with_project<T>(
    app: &App,
    scope: &Scope,
    mut work: impl FnMut(&mut OverIndex<'_>, &Path) -> Result<T, CliError>,
) -> Result<T, CliError> {
    let repo = scope.open(app)?;
    let root = repo.root();
    let texts = OnDisk { root };
    repo_index::read(app, &repo, &ReadOptions::default(), |indexed| {
        let view = indexed.view()?;
        let project = Project::of(&view, Some(root), &texts);
        let mut world = OverIndex::new(&view, &project, &texts);
        Ok(work(&mut world, root))
    })?
}

/// The rules that the project wrote itself. One that cannot be read stops everything: silence would pass for "nothing found".
pub(super) fn own_rules(root: &Path) -> Result<Rules, CliError> {
    rb_change::own_rules(root).map_err(broken)
}

fn broken(error: OwnRulesError) -> CliError {
    match error {
        OwnRulesError::Fs(error) => error.into(),
        OwnRulesError::NotText(_) => CliError::new(ErrorKind::UnsafeInput, error),
        OwnRulesError::Broken(errors) => {
            let words = |it: &RuleFileError| printable(&it.to_string());
            let first = errors.first().map(words).unwrap_or_default();
            let mut error = CliError::new(ErrorKind::UnsafeInput, first);
            for other in errors.iter().skip(1).take(9) {
                error = error.hint(words(other));
            }
            error.hint("fix the rule, then run `refactor-bot rules test`")
        }
    }
}

/// The commit where the work since a revision began.
pub(super) fn begin_of(history: &History, revision: &str) -> Result<String, CliError> {
    history.begin_of(revision).map_err(|_| {
        let message = format!("there is no revision `{}` here", printable(revision));
        CliError::new(ErrorKind::Usage, message).hint("give a branch, a tag or a commit")
    })
}
