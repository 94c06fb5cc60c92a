//! Facts of a repository on disk, to be read by a person.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use rb_index::OnDisk;

use super::{Project, index, show_file, show_package};

#[test]
#[ignore = "prints the facts of the folder in RB_PROJECT"]
#[expect(clippy::disallowed_methods, reason = "the folder is given by whoever looks at it")]
fn ix5_facts_of_a_repository_on_disk() {
    let root = PathBuf::from(std::env::var_os("RB_PROJECT").expect("a folder in RB_PROJECT"));
    let store = tempfile::tempdir().expect("a folder");
    let indexed = index(&root, store.path());
    let view = indexed.view().expect("a view");
    let texts = OnDisk { root: &root };
    let began = Instant::now();
    let project = Project::of(&view, Some(&root), &texts);
    let took = began.elapsed();
    let mut shown = String::new();
    for package in project.packages() {
        show_package(&mut shown, package);
    }
    for id in view.tree.ids().filter(|&id| view.tree.get(id).language.is_some()) {
        show_file(&mut shown, &view.tree.get(id).path, *project.file(id));
    }
    let began = Instant::now();
    let mocked = project.mocked(&texts).names().count();
    let (files, packages) = (view.tree.files.len(), project.packages().len());
    writeln!(
        shown,
        "{files} files, {packages} packages: {took:?}; {mocked} mocked: {:?}",
        began.elapsed()
    )
    .expect("a string");
    println!("{shown}");
}
