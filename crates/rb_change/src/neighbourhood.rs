//! What stands around the files of a change, by imports: which of them a test reaches, and what they use.
//!
//! One walk over the graph, whatever the size of the change. It says that a test can get there, not that it does.

use std::collections::{BTreeMap, BTreeSet};

use rb_index::role::Role;
use rb_index::{FileId, View};
use serde::{Deserialize, Serialize};

/// The neighbourhood of the touched files. Both lists are sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbourhood {
    /// Touched files that a test reaches, and touched tests.
    pub tested: Vec<String>,
    /// Files that touched ones import.
    pub imported: Vec<String>,
}

/// Looks from all tests at once; where it is known whose tests `ran`, from those alone.
pub(crate) fn around(
    view: &View<'_>,
    touched: &[String],
    ran: Option<&BTreeSet<String>>,
) -> Neighbourhood {
    let mut uses: BTreeMap<FileId, Vec<FileId>> = BTreeMap::new();
    for (user, used) in view.edges() {
        uses.entry(user).or_default().push(used);
    }
    let path = |id: FileId| &*view.tree.get(id).path;
    let touched: BTreeSet<&str> = touched.iter().map(String::as_str).collect();
    // `#[cfg(test)] mod tests` in the file itself.
    let has_own_tests = |id: FileId| {
        let facts = || view.read_facts(id).ok().flatten();
        touched.contains(path(id)) && facts().is_some_and(|facts| facts.marks.tests)
    };
    let is_test = |id: FileId| match ran {
        Some(ran) => ran.contains(path(id)),
        None => Role::of(path(id)) == Role::Test || has_own_tests(id),
    };
    let mut open: Vec<FileId> = view.tree.ids().filter(|&id| is_test(id)).collect();
    let mut seen: BTreeSet<FileId> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        for &used in uses.get(&id).into_iter().flatten() {
            if seen.insert(used) {
                open.push(used);
            }
        }
    }
    let of = |ids: &mut dyn Iterator<Item = FileId>| -> Vec<String> {
        let paths: BTreeSet<String> = ids.map(|id| path(id).to_owned()).collect();
        paths.into_iter().collect()
    };
    let is_touched = |id: &FileId| touched.contains(path(*id));
    Neighbourhood {
        tested: of(&mut seen.iter().copied().filter(is_touched)),
        imported: of(&mut uses
            .iter()
            .filter(|(id, _)| is_touched(id))
            .flat_map(|(_, used)| used.iter().copied())),
    }
}

#[cfg(test)]
mod tests {
    use rb_core::Cancel;
    use rb_core::progress::Silent;
    use rb_index::{NoHistory, Options, Request, update};
    use rb_testkit::Repo;

    use super::*;

    #[test]
    fn rf10_what_a_test_reaches_is_found_by_imports() {
        let repo = Repo::plain(
            r"
//- package.json
{}
//- src/deep.js
export const deep = 1;
//- src/a.js
import { deep } from './deep.js';
export const a = deep;
//- src/alone.js
import { a } from './a.js';
export const alone = a;
//- test/a.test.js
import { a } from '../src/a.js';
//- src/own.rs
fn own() {}
#[cfg(test)]
mod tests {
    #[test]
    fn it() {
        super::own();
    }
}
",
        );
        let indexed = update(&Request {
            root: repo.root(),
            folder: &repo.beside("index"),
            options: &Options::default(),
            history: &NoHistory,
            progress: &Silent,
            cancel: &Cancel::new(),
        })
        .unwrap();
        let view = indexed.view().unwrap();
        let look = |ran: Option<&BTreeSet<String>>,
                    touched: &[&str],
                    tested: &[&str],
                    imported: &[&str]| {
            let touched: Vec<String> = touched.iter().map(ToString::to_string).collect();
            let found = around(&view, &touched, ran);
            assert_eq!(
                (found.tested.as_slice(), found.imported.as_slice()),
                (
                    tested.iter().map(ToString::to_string).collect::<Vec<_>>().as_slice(),
                    imported.iter().map(ToString::to_string).collect::<Vec<_>>().as_slice(),
                )
            );
        };
        let check = |touched: &[&str], tested: &[&str], imported: &[&str]| {
            look(None, touched, tested, imported);
        };
        check(&["src/deep.js"], &["src/deep.js"], &[]);
        check(&["src/alone.js"], &[], &["src/a.js"]);
        check(&["src/own.rs"], &["src/own.rs"], &[]);
        check(&["src/a.js", "src/alone.js"], &["src/a.js"], &["src/a.js", "src/deep.js"]);
        check(&["test/a.test.js", "no/such.js"], &["test/a.test.js"], &["src/a.js"]);
        // A test that no command runs vouches for nothing, not even for itself.
        let ran = |paths: &[&str]| paths.iter().map(ToString::to_string).collect();
        look(
            Some(&ran(&["other.js"])),
            &["test/a.test.js", "src/a.js"],
            &[],
            &["src/a.js", "src/deep.js"],
        );
        look(Some(&ran(&["test/a.test.js"])), &["src/deep.js"], &["src/deep.js"], &[]);
    }
}
