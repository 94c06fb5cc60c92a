//! The repository as tasks are judged by: who uses a file, which tests are linked to it, what others may import from it.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::{RepoPath, Stage};
use rb_index::role::Role;
use rb_index::test_links::{self, Why};
use rb_index::{FileId, View};

use crate::input::PlanInput;
use crate::risk::{Api, Measure, is_build_file};

pub(crate) struct RepoFacts<'g> {
    pub(crate) input: &'g PlanInput<'g>,
    /// By source: the tests that are linked to it, the surest first.
    tests: BTreeMap<FileId, Vec<(Why, FileId)>>,
    /// Files with names that other packages can import.
    promised: BTreeSet<&'g str>,
}

impl<'g> RepoFacts<'g> {
    pub(crate) fn new(input: &'g PlanInput<'g>) -> Self {
        let view = input.view;
        let mut tests: BTreeMap<FileId, Vec<(Why, FileId)>> = BTreeMap::new();
        for link in test_links::link(view.tree, &view.edges()) {
            tests.entry(link.source).or_default().push((link.why, link.test));
        }
        for linked in tests.values_mut() {
            linked.sort_unstable();
        }
        let promised = input.promised.0.iter().map(|(path, _)| path.as_str()).collect();
        RepoFacts { input, tests, promised }
    }

    pub(crate) fn view(&self) -> &'g View<'g> {
        self.input.view
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        self.input.view.tree.find(path).is_some()
    }

    /// Tests that are named after a file.
    pub(crate) fn tests_named_after(&self, path: &str) -> Vec<&'g str> {
        let linked = self.input.view.tree.find(path).and_then(|id| self.tests.get(&id));
        let named = linked.into_iter().flatten().filter(|(why, _)| match why {
            Why::NameAndImport | Why::Name => true,
            Why::Import | Why::Folder => false,
        });
        named.map(|(_, test)| &*self.input.view.tree.get(*test).path).collect()
    }

    /// The sources that a test is linked to.
    pub(crate) fn sources_of(&self, test: &str) -> BTreeSet<&'g str> {
        let Some(test) = self.input.view.tree.find(test) else { return BTreeSet::new() };
        let of = self.tests.iter().filter(|(_, linked)| linked.iter().any(|(_, it)| *it == test));
        of.map(|(source, _)| &*self.input.view.tree.get(*source).path).collect()
    }

    /// What the risk of a task over these files is made of, but for its lines.
    pub(crate) fn measure<'f>(
        &self,
        files: impl Iterator<Item = &'f str>,
        stage: Stage,
        by_model: bool,
    ) -> Measure {
        let mut measure = Measure { stage, by_model, ..Measure::default() };
        for path in files {
            measure.files += 1;
            measure.touches_build |= is_build_file(path);
            let Some(id) = self.input.view.tree.find(path) else { continue };
            measure.fan_in = measure.fan_in.max(self.input.view.file(id).used_by);
            if Role::of(path) != Role::Test {
                measure.sources += 1;
                measure.tested += usize::from(self.tests.contains_key(&id));
            }
            let is_wide = by_model || stage >= Stage::Restructure;
            measure.is_near_contract |= is_wide && self.promised.contains(path);
        }
        measure
    }
}

/// What `measure` cannot see.
pub(crate) fn with_change(measure: Measure, lines: usize, api: Api, budget: usize) -> Measure {
    Measure { lines, api, is_over_budget: lines > budget, ..measure }
}

/// A path of the index as one of the repository. What has no such path is in no task.
pub(crate) fn repo_path(path: &str) -> Option<RepoPath> {
    RepoPath::new(path).ok()
}

/// All names in the index are UTF-8.
pub(crate) fn text(path: &RepoPath) -> &str {
    std::str::from_utf8(path.as_bytes()).unwrap_or("")
}

/// The file alone, as a pattern of `rb_workspace::patch::Scope`.
pub(crate) fn scope_glob(path: &str) -> String {
    let mut glob = String::from("/");
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\') {
            glob.push('\\');
        }
        glob.push(c);
    }
    glob
}

/// The folder of a file; empty for the root.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The innermost folder that all paths lie in; empty for the root.
pub(crate) fn common_folder<'p>(paths: impl IntoIterator<Item = &'p str>) -> &'p str {
    let mut paths = paths.into_iter();
    let Some(first) = paths.next().map(folder) else { return "" };
    paths.map(folder).fold(first, shared)
}

/// The folder that both are or lie in.
pub(crate) fn shared<'p>(one: &'p str, other: &str) -> &'p str {
    let mut end = 0;
    for (at, (a, b)) in one.split('/').zip(other.split('/')).enumerate() {
        if a != b || a.is_empty() {
            break;
        }
        end += a.len() + usize::from(at > 0);
    }
    &one[..end]
}

#[cfg(test)]
mod tests {
    use rb_workspace::patch::Scope;

    use super::*;

    #[test]
    fn rf3_a_scope_glob_means_one_file() {
        for path in [
            "a.ts",
            "app/[id]/page.tsx",
            "a*b?.ts",
            "x{y}.js",
            "app/(group)/[...all]/a!.ts",
            "-a/b c.ts",
            "a\\b.ts",
            "app/[[...slug]]/p.tsx",
        ] {
            let scope = Scope::new(&[scope_glob(path)], &[""; 0], None).unwrap();
            assert!(scope.contains(&RepoPath::new(path).unwrap()), "{path}");
            for other in ["b/a.ts", "app/i/page.tsx", "axb1.ts", "xy.js", "ab.ts"] {
                assert!(!scope.contains(&RepoPath::new(other).unwrap()), "{path} {other}");
            }
        }
    }

    #[test]
    fn rf3_folders_are_compared_by_whole_names() {
        let check = |paths: &[&str], expected: &str| {
            assert_eq!(common_folder(paths.iter().copied()), expected, "{paths:?}");
        };
        check(&[], "");
        check(&["a.ts"], "");
        check(&["src/a.ts"], "src");
        check(&["src/a.ts", "src/b/c.ts"], "src");
        check(&["src/ab/x.ts", "src/a/x.ts"], "src");
        check(&["src/a/x.ts", "src/a/y.ts"], "src/a");
        check(&["lib/x.ts", "src/y.ts"], "");
    }
}
