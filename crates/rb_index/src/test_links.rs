//! Which tests belong to which sources: by name or folder, as people lay tests out, and by what a test imports.
//!
//! A test is told by its path (`Role`). A name that could mean several files means none: a wrong link costs more than a
//! missing one, since the imports of a test mostly say the same.

use rb_lang::Language;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::role::{Role, is_code, subject_of};
use crate::tree::{FileId, Tree};

/// A test file and a file that it tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestLink {
    pub test: FileId,
    pub source: FileId,
    pub why: Why,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Named after it, and imports it.
    NameAndImport,
    Name,
    Import,
    /// Its folder is named after it.
    Folder,
}

impl Why {
    pub fn reason(self) -> &'static str {
        match self {
            Why::NameAndImport => "named after it and imports it",
            Why::Name => "named after it",
            Why::Import => "imports it",
            Why::Folder => "its folder is named after it",
        }
    }
}

pub fn is_test_path(path: &str) -> bool {
    Role::of(path) == Role::Test
}

/// All links, by test, then the surest first, then by source. `edges` lead from the importing file to the imported one.
pub fn link(tree: &Tree, edges: &[(FileId, FileId)]) -> Vec<TestLink> {
    let is_test: Vec<bool> = tree.files.iter().map(|file| is_test_path(&file.path)).collect();
    let names = Names::new(tree, &is_test);
    let mut links: Vec<TestLink> = tree
        .ids()
        .filter(|id| is_test[id.0 as usize])
        .filter_map(|test| {
            let (source, why) = names.subject(tree, test)?;
            Some(TestLink { test, source, why })
        })
        .collect();
    let by_pair: FxHashMap<(FileId, FileId), usize> =
        links.iter().enumerate().map(|(at, link)| ((link.test, link.source), at)).collect();
    let mut imports: Vec<(FileId, FileId)> = edges
        .iter()
        .copied()
        .filter(|(from, to)| is_test[from.0 as usize] && !is_test[to.0 as usize])
        .collect();
    imports.sort_unstable();
    imports.dedup();
    for (test, source) in imports {
        match by_pair.get(&(test, source)) {
            Some(&at) if links[at].why == Why::Name => links[at].why = Why::NameAndImport,
            Some(&at) => links[at].why = Why::Import,
            None => links.push(TestLink { test, source, why: Why::Import }),
        }
    }
    links.sort_by_key(|link| (link.test, link.why, link.source));
    links
}

/// The sources by the name that a test would take from them.
struct Names<'a> {
    sources: FxHashMap<&'a str, Vec<FileId>>,
    /// The names of all folders that sources lie in.
    folders: FxHashSet<&'a str>,
}

/// A name that so many files have says nothing by itself.
const TOO_COMMON: usize = 40;

impl<'a> Names<'a> {
    fn new(tree: &'a Tree, is_test: &[bool]) -> Names<'a> {
        let mut sources: FxHashMap<&str, Vec<FileId>> = FxHashMap::default();
        let mut folders = FxHashSet::default();
        for id in tree.ids().filter(|id| !is_test[id.0 as usize]) {
            let file = tree.get(id);
            if file.language.is_some_and(is_code)
                && matches!(Role::of(&file.path), Role::Product | Role::Example)
            {
                sources.entry(stem_of(&file.path).0).or_default().push(id);
                folders.extend(folder_of(&file.path).split('/'));
            }
        }
        Names { sources, folders }
    }

    /// The one file that the test, or else its folder, is named after.
    fn subject(&self, tree: &Tree, test: FileId) -> Option<(FileId, Why)> {
        let by_name = self.by_name(tree, test).map(|source| (source, Why::Name));
        by_name.or_else(|| Some((self.by_folder(tree, test)?, Why::Folder)))
    }

    fn by_name(&self, tree: &Tree, test: FileId) -> Option<FileId> {
        let file = tree.get(test);
        let (stem, extension) = stem_of(&file.path);
        let subject = match subject_of(stem, extension) {
            Some(subject) => subject,
            // In a folder of tests the name of the source itself will do: `__tests__/cart.ts`, `tests/cart.rs`.
            None if file.marks.tests || folder_of(&file.path).ends_with("__tests__") => stem,
            None => return None,
        };
        let wanted = family(file.language?);
        let candidates = self.sources.get(subject)?;
        let place = TestLocation::of(&file.path);
        let of_family =
            candidates.iter().filter(|&&id| tree.get(id).language.map(family) == Some(wanted));
        if candidates.len() > TOO_COMMON {
            // Only the folder of the test, or the one around `__tests__`, can tell which.
            return only(
                of_family
                    .filter(|&&id| folder_of(&tree.get(id).path) == place.home)
                    .map(|&id| (1, id)),
            );
        }
        only(of_family.filter_map(|&id| Some((place.likeness(&tree.get(id).path)?, id))))
    }

    /// `lib/application.js` of `__tests__/application/use.test.js`. Where sources have a folder of that name, that is meant.
    fn by_folder(&self, tree: &Tree, test: FileId) -> Option<FileId> {
        let file = tree.get(test);
        let (stem, extension) = stem_of(&file.path);
        if !file.marks.tests && subject_of(stem, extension).is_none() {
            return None;
        }
        let TestLocation { home, topic, .. } = TestLocation::of(&file.path);
        let topic = topic.filter(|topic| !self.folders.contains(topic))?;
        let wanted = family(file.language?);
        let mut candidates = self.sources.get(topic)?.iter().copied().filter(|&id| {
            let source = tree.get(id);
            source.language.map(family) == Some(wanted)
                && Role::of(&source.path) == Role::Product
                && is_below(&source.path, home)
        });
        candidates.next().filter(|_| candidates.next().is_none())
    }
}

/// The single best of them, if it is single.
fn only(candidates: impl Iterator<Item = (u32, FileId)>) -> Option<FileId> {
    let mut best: Option<(u32, FileId)> = None;
    let mut is_single = true;
    for (likeness, id) in candidates {
        match best {
            Some((most, _)) if likeness < most => {}
            Some((most, _)) if likeness == most => is_single = false,
            _ => (best, is_single) = (Some((likeness, id)), true),
        }
    }
    best.filter(|_| is_single).map(|(_, id)| id)
}

/// Where a test lies: the folder around all tests, and the folders from there to the test.
struct TestLocation<'a> {
    home: &'a str,
    inner: Vec<&'a str>,
    /// The folder of the test, if it lies directly in the one around all tests, or in one for a kind of tests.
    topic: Option<&'a str>,
}

/// Folders that sort tests by kind, and say nothing of what is tested.
const KINDS: &[&str] =
    &["unit", "integration", "functional", "system", "lib", "src", "js", "ts", "unittests"];
const DEEPEST: usize = 40;

impl<'a> TestLocation<'a> {
    fn of(test: &'a str) -> TestLocation<'a> {
        let folder = folder_of(test);
        let mut at = 0;
        for part in folder.split('/').take(DEEPEST) {
            if is_test_folder(part) {
                let below = folder[at..].split('/').take(DEEPEST);
                let below: Vec<&str> = below.filter(|part| !KINDS.contains(&bare(part))).collect();
                let topic = match below.as_slice() {
                    [tests, topic] if bare(tests).is_empty() && bare(topic) == *topic => {
                        Some(*topic)
                    }
                    _ => None,
                };
                let inner = below.into_iter().map(bare).filter(|part| !part.is_empty()).collect();
                let home = folder[..at].trim_end_matches('/');
                return TestLocation { home, inner, topic };
            }
            at += part.len() + 1;
        }
        TestLocation { home: folder, inner: Vec::new(), topic: None }
    }

    /// How well the folder of a source mirrors that of the test; `None` where it lies elsewhere. Each folder of the
    /// test must be found again, in order: `tests/unit/cart/…` and `src/cart/…`. The fewer others, the better.
    fn likeness(&self, source: &str) -> Option<u32> {
        let folder = folder_of(source);
        let rest = if self.home.is_empty() { folder } else { folder.strip_prefix(self.home)? };
        if !self.home.is_empty() && !rest.is_empty() && !rest.starts_with('/') {
            return None;
        }
        let mut wanted = self.inner.iter().peekable();
        let mut others = 0_u32;
        for part in rest.split('/').filter(|part| !part.is_empty()) {
            if wanted.next_if(|wanted| **wanted == part).is_none() {
                others += 1;
            }
        }
        // Where a header and a source have one name, the source is meant.
        let is_header = matches!(stem_of(source).1, "h" | "hpp" | "hh");
        wanted.peek().is_none().then(|| u32::MAX - others * 2 - u32::from(is_header))
    }
}

fn is_test_folder(part: &str) -> bool {
    is_test_path(&format!("{part}/x.js"))
}

/// `gis` of `gis_tests`; nothing of a folder that is only called `tests`.
fn bare(part: &str) -> &str {
    let ends = ["_tests", "-tests", "_test", "-test", ".Tests", ".Test"];
    let inner = ends.iter().find_map(|end| part.strip_suffix(end)).unwrap_or(part);
    if is_test_folder(inner) { "" } else { inner }
}

/// Empty stands for the root.
fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn stem_of(path: &str) -> (&str, &str) {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.rsplit_once('.').unwrap_or((name, ""))
}

/// Languages that test each other.
fn family(language: Language) -> Language {
    match language {
        Language::TypeScript | Language::Tsx | Language::Vue | Language::Svelte => {
            Language::JavaScript
        }
        Language::Cpp => Language::C,
        Language::Kotlin | Language::Scala | Language::Groovy => Language::Java,
        other => other,
    }
}

#[cfg(test)]
mod tests {

    use std::fmt::Write;

    use expect_test::{Expect, expect};

    use super::*;
    use crate::fixture::{edges, tree};

    #[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
    #[track_caller]
    fn check(files: &str, imports: &str, expected: Expect) {
        let tree = tree(files, &[]);
        let mut shown = String::new();
        for TestLink { test, source, why } in link(&tree, &edges(&tree, imports)) {
            let (test, source) = (&tree.get(test).path, &tree.get(source).path);
            writeln!(shown, "{test} -> {source}: {}", why.reason()).unwrap();
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn ix3_tests_are_found_by_name() {
        check(
            "src/cart.ts src/cart.test.ts src/ui/Button.tsx src/ui/__tests__/Button.ts src/ui/__tests__/Button.spec.tsx
             pkg/run/run.go pkg/run/run_test.go src/walk.rs tests/walk.rs:tests tests/help.rs src/help.rs shop/models.py tests/test_models.py lib/cart.rb spec/cart_spec.rb
             src/main/java/a/Cart.java src/test/java/a/CartTest.java
             src/main/java/b/Cart.java src/test/java/b/CartTest.java
             django/db/models/query.py tests/models_tests/test_query.py c/a.c c/a.h c/a_test.c",
            "",
            expect![[r#"
                c/a_test.c -> c/a.c: named after it
                pkg/run/run_test.go -> pkg/run/run.go: named after it
                spec/cart_spec.rb -> lib/cart.rb: named after it
                src/cart.test.ts -> src/cart.ts: named after it
                src/test/java/a/CartTest.java -> src/main/java/a/Cart.java: named after it
                src/test/java/b/CartTest.java -> src/main/java/b/Cart.java: named after it
                src/ui/__tests__/Button.spec.tsx -> src/ui/Button.tsx: named after it
                src/ui/__tests__/Button.ts -> src/ui/Button.tsx: named after it
                tests/models_tests/test_query.py -> django/db/models/query.py: named after it
                tests/test_models.py -> shop/models.py: named after it
                tests/walk.rs -> src/walk.rs: named after it
            "#]],
        );
    }

    #[test]
    fn ix3_an_unclear_name_links_nothing() {
        check(
            "a/utils.py b/utils.py tests/test_utils.py tests/test_nothing.py tests/b/test_utils.py tests/helpers.py helpers.py
             docs/utils.md core/checks/commands.py tests/migrations/test_commands.py
             packages/a/cli.ts packages/b/__tests__/cli.spec.ts packages/a/__tests__/fixtures/cli.ts",
            "",
            expect![[r#"
                tests/b/test_utils.py -> b/utils.py: named after it
            "#]],
        );
    }

    #[test]
    fn ix3_tests_are_found_by_their_folder() {
        check(
            "lib/application.js lib/context.js __tests__/application/use.test.js __tests__/application/context.test.js
             __tests__/context/throws.js:tests __tests__/context/helper.js test/unit/context/inspect.test.js
             packages/a/src/cart.ts packages/a/test/cart/total.spec.ts",
            "__tests__/application/use.test.js>lib/application.js __tests__/application/use.test.js>lib/context.js",
            expect![[r#"
                __tests__/application/context.test.js -> lib/application.js: its folder is named after it
                __tests__/application/use.test.js -> lib/application.js: imports it
                __tests__/application/use.test.js -> lib/context.js: imports it
                __tests__/context/throws.js -> lib/context.js: its folder is named after it
                packages/a/test/cart/total.spec.ts -> packages/a/src/cart.ts: its folder is named after it
                test/unit/context/inspect.test.js -> lib/context.js: its folder is named after it
            "#]],
        );
    }

    #[test]
    fn ix3_an_unclear_folder_links_nothing() {
        check(
            // Two files, a folder of sources, another package, another language, an example.
            "a/cart.py b/cart.py tests/cart/test_total.py
             shop/models.py shop/db/models/query.py tests/models/test_rows.py
             packages/a/src/price.ts packages/b/test/price/total.test.ts
             lib/stock.rb test/stock/count.test.js
             examples/page.js test/page/show.test.js
             src/view.js test/fixtures/view/a.test.js test/view/parts/b.test.js test/view_tests/c.test.js",
            "",
            expect![[""]],
        );
    }

    #[test]
    fn ix3_imports_link_and_confirm() {
        check(
            "src/a.ts src/b.ts src/a.test.ts src/fixtures/c.ts",
            "src/a.test.ts>src/a.ts src/a.test.ts>src/b.ts src/a.test.ts>src/fixtures/c.ts src/a.ts>src/b.ts
             src/a.test.ts>src/b.ts",
            expect![[r#"
                src/a.test.ts -> src/a.ts: named after it and imports it
                src/a.test.ts -> src/b.ts: imports it
            "#]],
        );
    }
}
