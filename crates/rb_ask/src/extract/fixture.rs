//! A repository with more files than are important, as the extraction sees it.

use std::fmt::Write as _;

use rb_core::process::Env;
use rb_core::progress::Silent;
use rb_core::{Cancel, Home};
use rb_index::walk::WalkOptions;
use rb_repo::{Opener, ReadOptions, SearchModel};
use rb_testkit::{Repo, git_env};
use rb_tools::{Repository, Toolbox};

use super::sources::Sources;

const MANIFEST: &str = r#"
//- package.json
{
  "name": "parts",
  "description": "Machine with many parts",
  "main": "lib/main.js"
}
"#;

/// The important files: `lib/main.js` and the 19 that it imports. Beside them the manifest, and whatever is in `others`.
pub(crate) fn many_files(others: &str) -> String {
    let mut files = MANIFEST.to_owned();
    files.push_str("//- lib/main.js\n");
    for n in 0..19 {
        let _ = writeln!(files, "import {{ part{n} }} from './part{n}.js';");
    }
    for n in 0..19 {
        let _ = writeln!(files, "//- lib/part{n}.js\n// Number {n} of the parts.");
        let _ = writeln!(files, "export function part{n}(given) {{");
        let _ = writeln!(files, "  const sum = given + {n};\n  return sum;\n}}");
    }
    files + others
}

/// Indexes a fixture and hands it over.
pub(crate) fn with_sources(files: &str, work: impl FnOnce(&mut Sources<'_, '_>)) {
    let repo = Repo::git_repo(files);
    let env = git_env(&repo.beside("")).into_iter();
    let env = env.fold(Env::default(), |env, (name, value)| env.with(name, value));
    let (home, cancel) = (Home::new(repo.beside("home")), Cancel::new());
    let opener = Opener { home: &home, env: &env, cancel: &cancel };
    let search = SearchModel::local();
    let checkout = opener.checkout(repo.root().to_owned(), WalkOptions::default(), |_| panic!());
    let options = ReadOptions { rebuild: false, search: search.searchable() };
    let indexed = checkout.update(&options, &Silent).unwrap();
    let on = Repository { repo: &checkout, indexed: &indexed, search: &search, cancel: &cancel };
    let mut toolbox = Toolbox::default();
    work(&mut Sources::new(on, &mut toolbox).unwrap());
}
