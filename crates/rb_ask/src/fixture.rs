//! An indexed repository for the tests of this crate.

use rb_core::process::Env;
use rb_core::progress::Silent;
use rb_core::{Cancel, Home};
use rb_index::walk::WalkOptions;
use rb_repo::{Opener, ReadOptions, SearchModel};
use rb_testkit::{Repo, git_env};
use rb_tools::Repository;

/// Indexes a fixture and hands it over.
pub(crate) fn with_repository(files: &str, work: impl FnOnce(Repository<'_>)) {
    let repo = Repo::git_repo(files);
    let (home, env, cancel) = (Home::new(repo.beside("home")), env_of(&repo), Cancel::new());
    let opener = Opener { home: &home, env: &env, cancel: &cancel };
    let search = SearchModel::local();
    let checkout = opener.checkout(repo.root().to_owned(), WalkOptions::default(), |_| panic!());
    let options = ReadOptions { rebuild: false, search: search.searchable() };
    let indexed = checkout.update(&options, &Silent).unwrap();
    work(Repository { repo: &checkout, indexed: &indexed, search: &search, cancel: &cancel });
}

/// The environment in which git behaves the same everywhere.
pub(crate) fn env_of(repo: &Repo) -> Env {
    let variables = git_env(&repo.beside("")).into_iter();
    variables.fold(Env::default(), |env, (name, value)| env.with(name, value))
}
