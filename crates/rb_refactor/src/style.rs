//! How code looks in a repository, counted: the habit of the majority with its share.
//!
//! It looks at lines and knows just enough of each language not to count what is no choice. A habit that few places show is
//! left out: to be silent is better than to make up a rule.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rb_core::RepoPath;
use rb_core::plural;
use rb_index::role::Role;
use rb_index::{FileView, OnDisk, Texts as _, View};
use rb_lang::Language;
use rb_toolchains::Detected;

/// The most files of a language that are read, the nearest and most important first, and the largest size of one.
const FILES: usize = 40;
const ENOUGH: usize = 10;
const BYTES: u64 = 200_000;
/// The most languages.
const LANGUAGES: usize = 4;
/// Fewer places say nothing, and so do habits that are not those of nearly all.
const LEAST: usize = 5;
const LEAST_SHARE: usize = 70;

/// What most places do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Habit {
    pub(crate) what: &'static str,
    pub(crate) found: String,
    /// In percent of `of` places.
    pub(crate) share: usize,
    pub(crate) of: usize,
}

impl Habit {
    fn words(&self) -> String {
        format!("{} {} ({} %)", self.what, self.found, self.share)
    }
}

/// A line for each of the languages that `files` are written in, or for those with most lines where there are none. Of a repository that
/// holds several projects, what lies next to the files counts.
pub(crate) fn lines(view: &View<'_>, root: &Path, files: &[RepoPath]) -> Vec<String> {
    let texts = OnDisk { root };
    let near: Vec<&str> =
        files.iter().filter_map(|it| str::from_utf8(it.as_bytes()).ok()).collect();
    let mut sources: BTreeMap<Language, Vec<FileView<'_>>> = BTreeMap::new();
    for file in view.by_importance().iter().map(|&id| view.file(id)) {
        let Some(language) = file.language.filter(|it| it.is_read()) else { continue };
        if file.trivial.is_none() && file.size <= BYTES && Role::of(file.path) == Role::Product {
            sources.entry(language).or_default().push(file);
        }
    }
    let is_of = |language: &Language| near.iter().any(|it| of_path(it) == Some(*language));
    sources.retain(|language, _| near.is_empty() || is_of(language));
    let lines = |some: &[FileView<'_>]| some.iter().map(|it| u64::from(it.lines)).sum::<u64>();
    let mut sources: Vec<_> = sources.into_iter().collect();
    sources.sort_by_key(|(language, some)| (Reverse(lines(some)), *language));
    let said = sources.into_iter().take(LANGUAGES).filter_map(|(language, mut some)| {
        let nearness = |it: &FileView<'_>| near.iter().map(|near| shared(near, it.path)).max();
        some.sort_by_key(|it| Reverse(nearness(it)));
        // What lies further away is looked at only where little is near.
        let reach = some.get(ENOUGH - 1).map(nearness);
        some.retain(|it| reach.is_none_or(|reach| nearness(it) >= reach));
        let read = some.iter().take(FILES).filter_map(|it| texts.text(it.path));
        let sample: Vec<String> =
            read.map(|text| String::from_utf8_lossy(&text).into_owned()).collect();
        let habits: Vec<String> = habits(language, &sample).iter().map(Habit::words).collect();
        let looked_at = format!("{} ({} looked at)", language.name(), plural(sample.len(), "file"));
        (!habits.is_empty()).then(|| format!("{looked_at}: {}", habits.join(", ")))
    });
    said.collect()
}

fn of_path(path: &str) -> Option<Language> {
    Language::of_path(path.as_bytes())
}

/// How many folders two paths have in common.
fn shared(one: &str, other: &str) -> usize {
    let (one, other) = (folder(one).split('/'), folder(other).split('/'));
    one.zip(other).take_while(|(a, b)| a == b && !a.is_empty()).count()
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |it| it.0)
}

fn is_script(language: Language) -> bool {
    matches!(language, Language::JavaScript | Language::TypeScript | Language::Tsx)
}

fn habits(language: Language, texts: &[String]) -> Vec<Habit> {
    let lines = || texts.iter().flat_map(|text| text.lines());
    let mut habits = vec![habit("indented by", LEAST, texts.iter().flat_map(|text| indents(text)))];
    if is_script(language) || language == Language::Python {
        habits.push(habit("quotes", LEAST, lines().filter_map(|line| quotes(language, line))));
    }
    if is_script(language) {
        habits.push(habit("semicolons", LEAST, lines().filter_map(semicolons)));
        habits.push(habit("modules by", LEAST, lines().filter_map(modules)));
        habits.push(habit("own modules are imported", LEAST, lines().filter_map(endings)));
    }
    // The usual end of lines is not worth a word.
    let ends = habit("lines end in", LEAST, texts.iter().map(|text| ends(text)));
    habits.push(ends.filter(|habit| habit.found != "LF"));
    habits.into_iter().flatten().filter(|it| it.share >= LEAST_SHARE).collect()
}

/// What most votes are for; equals by name.
fn habit<T: Into<String>>(
    what: &'static str,
    least: usize,
    votes: impl IntoIterator<Item = T>,
) -> Option<Habit> {
    let mut tally: BTreeMap<String, usize> = BTreeMap::new();
    for vote in votes {
        *tally.entry(vote.into()).or_default() += 1;
    }
    let of: usize = tally.values().sum();
    let most = tally.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
    let (found, votes) = most?;
    (of >= least).then(|| Habit { what, found, share: votes * 100 / of, of })
}

/// By how much a line is further in than the one above it.
fn indents(text: &str) -> Vec<&'static str> {
    let mut votes = Vec::new();
    let mut above = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let inner = line.trim_start();
        let blank = &line[..line.len() - inner.len()];
        // The second line of a comment is in by one, whatever the code is.
        if inner.starts_with('*') {
            continue;
        }
        let width = blank.len();
        if width > above {
            let step = match (blank.contains('\t'), width - above) {
                (true, _) => Some("tabs"),
                (false, 2) => Some("2 spaces"),
                (false, 4) => Some("4 spaces"),
                (false, 8) => Some("8 spaces"),
                (false, _) => None,
            };
            votes.extend(step);
        }
        above = width;
    }
    votes
}

/// In scripts those of imports: attributes of elements have their own custom.
fn quotes(language: Language, line: &str) -> Option<&'static str> {
    let line = line.trim();
    let is_import = line.starts_with("import ")
        || line.starts_with("export ") && line.contains(" from ")
        || line.contains("require(");
    let is_meant = if is_script(language) { is_import } else { !line.starts_with('#') };
    if !is_meant || line.contains("\"\"\"") || line.contains("'''") {
        return None;
    }
    match line.chars().find(|letter| matches!(letter, '\'' | '"'))? {
        '\'' => Some("single"),
        _ => Some("double"),
    }
}

/// Of statements that end with their line.
fn semicolons(line: &str) -> Option<&'static str> {
    let line = line.trim();
    let is_statement = (line.starts_with("import ") && line.contains(" from "))
        || line.starts_with("return ")
        || line.starts_with("throw ");
    let last = line.chars().last()?;
    let is_whole = last == ';' || last.is_alphanumeric() || matches!(last, ')' | '\'' | '"' | ']');
    (is_statement && is_whole).then_some(if last == ';' { "yes" } else { "no" })
}

fn modules(line: &str) -> Option<&'static str> {
    let line = line.trim_start();
    if line.starts_with("import ") || line.starts_with("export ") {
        return Some("import and export");
    }
    let is_require = (line.starts_with("const ") || line.starts_with("var "))
        && line.contains("= require(")
        || line.starts_with("module.exports");
    is_require.then_some("require and module.exports")
}

/// Of imports of the project's own modules, how the name ends.
fn endings(line: &str) -> Option<&'static str> {
    let line = line.trim();
    let is_import = line.contains(" from ") || line.contains("require(");
    let quoted = line.split(['\'', '"']).nth(1).filter(|it| is_import && it.starts_with('.'))?;
    let name = quoted.rsplit('/').next()?;
    match name.rsplit_once('.').map(|it| it.1) {
        Some("js" | "mjs" | "cjs" | "jsx") => Some("with .js"),
        Some("ts" | "mts" | "cts" | "tsx") => Some("with .ts"),
        Some("" | "json" | "css" | "scss" | "svg" | "png") => None,
        _ => Some("without an ending"),
    }
}

fn ends(text: &str) -> &'static str {
    if text.contains("\r\n") { "CRLF" } else { "LF" }
}

/// How files of tests are named, as a pattern.
pub(crate) fn names_of_tests(view: &View<'_>) -> Option<Habit> {
    let tests = view.tree.files.iter().filter(|file| {
        file.language.is_some_and(Language::is_read) && Role::of(&file.path) == Role::Test
    });
    habit("tests are named", 1, tests.filter_map(|file| pattern(&file.path)))
}

fn pattern(path: &str) -> Option<String> {
    let name = path.rsplit('/').next()?;
    let (stem, end) = name.rsplit_once('.')?;
    for word in ["test", "spec"] {
        if stem.ends_with(&format!(".{word}")) {
            return Some(format!("*.{word}.{end}"));
        }
        if stem.ends_with(&format!("_{word}")) {
            return Some(format!("*_{word}.{end}"));
        }
        if stem.starts_with(&format!("{word}_")) {
            return Some(format!("{word}_*.{end}"));
        }
    }
    if stem.ends_with("Test") {
        return Some(format!("*Test.{end}"));
    }
    let folder = path.split('/').find(|part| matches!(*part, "tests" | "test" | "__tests__"))?;
    Some(format!("{folder}/*.{end}"))
}

/// The programs that run tests, sorted.
pub(crate) fn runners(detected: &Detected) -> Vec<String> {
    let commands = detected.packages.iter().flat_map(|package| &package.commands);
    let runners: BTreeSet<_> = commands.filter_map(|command| command.runner).collect();
    let name = |runner| serde_json::to_value(runner).ok()?.as_str().map(|it| it.replace('_', " "));
    runners.into_iter().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use rb_core::fs::Durability;

    use super::*;

    #[track_caller]
    fn check(language: Language, text: &str, expected: &str) {
        let found = habits(language, &[text.to_owned()]);
        let shown: Vec<String> =
            found.iter().map(|it| format!("{} {} {}", it.what, it.found, it.share)).collect();
        assert_eq!(shown.join(", "), expected);
    }

    #[test]
    fn ix13_habits_are_those_of_the_majority() {
        let script = "import a from 'a';\nimport b from \"b\"\nimport c from 'c';\nimport d from 'd';\nexport { e } from 'e';\n\
                      function f() {\n  if (a) {\n    return <i title=\"x\" />;\n  }\n}\nfunction g() {\n  return b(() => {\n    c();\n  });\n}\n\
                      function h() {\n  return d;\n}\n";
        check(
            Language::Tsx,
            script,
            "indented by 2 spaces 100, quotes single 80, semicolons yes 83, modules by import and export 100",
        );
        let own = "import a from './a.js'\nimport b from '../b.js'\nimport c from './c.js'\nimport d from './d.json'\nimport e from 'e'\n\
                   import f from './f/f.js'\nexport * from './g.mjs'\n";
        check(
            Language::JavaScript,
            own,
            "quotes single 100, semicolons no 100, modules by import and export 100, own modules are imported with .js 100",
        );
        // As often this way as that way: nothing that anybody keeps to.
        let torn = "import a from 'a';\nimport b from \"b\"\n".repeat(3);
        check(Language::TypeScript, &torn, "modules by import and export 100");
        let python = "def a():\n    x = 'a'\n    # don't\n    y = \"b\"\n\"\"\"it's\"\"\"\nz = ['c']\ndef b():\n    return 'd'\ndef c():\n    return 'e'\n\
                      def d():\n    return 'f'\nclass E:\n    def f(self):\n        pass\n";
        check(Language::Python, python, "indented by 4 spaces 100, quotes single 83");
        // Too little to say anything.
        check(Language::Python, "x = 'a'\n", "");
        let go = "func a() {\n\tif b {\n\t\tc()\n\t}\n}\nfunc d() {\n\tif b {\n\t\tc()\n\t}\n}\nfunc e() {\n\tf()\n}\n";
        check(Language::Go, go, "indented by tabs 100");
    }

    #[test]
    fn rf5_what_lies_next_to_the_files_of_a_task_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("repo");
        let body = |tab: &str| format!("def f():\n{tab}return 1\n").repeat(6);
        let module = |place: &str, tab: &str| {
            (0..12).map(|at| (format!("{place}/m{at}.py"), body(tab))).collect::<Vec<_>>()
        };
        let mut files = [module("apps/new", "    "), module("apps/old/src", "\t")].concat();
        files.extend(module("apps/old/lib", "\t"));
        files.push(("web/page.js".to_owned(), "import a from 'a'\n".repeat(6)));
        for (path, text) in files {
            let place = root.join(path);
            rb_core::fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
            rb_core::fs::write(&place, text.as_bytes(), Durability::Relaxed).expect("a file");
        }
        let indexed = rb_index::update(&rb_index::Request {
            root: &root,
            folder: &folder.path().join("store"),
            options: &rb_index::Options::default(),
            history: &rb_index::NoHistory,
            progress: &rb_core::progress::Silent,
            cancel: &rb_core::Cancel::new(),
        });
        let indexed = indexed.expect("an index");
        let view = indexed.view().expect("a view");
        let said = |files: &[&str]| {
            let files: Vec<RepoPath> =
                files.iter().map(|it| RepoPath::new(it).expect("a path")).collect();
            lines(&view, &root, &files)
        };
        let python =
            |habit: &str| vec![format!("Python (12 files looked at): indented by {habit} (100 %)")];
        assert_eq!(said(&["apps/old/src/m1.py"]), python("tabs"));
        assert_eq!(said(&["apps/new/deep/new.py"]), python("4 spaces"));
        // Two of three are no habit of the whole.
        let all = said(&[]);
        assert!(all.len() == 1 && all[0].starts_with("JavaScript (1 file looked at)"), "{all:?}");
        assert!(said(&["web/style.css"]).is_empty());
    }

    #[test]
    fn ix13_names_of_tests_are_patterns() {
        let patterns = [
            ("src/a.test.ts", "*.test.ts"),
            ("a.spec.js", "*.spec.js"),
            ("tests/test_a.py", "test_*.py"),
            ("a_test.go", "*_test.go"),
            ("src/test/java/FooTest.java", "*Test.java"),
            ("tests/it.rs", "tests/*.rs"),
        ];
        for (path, expected) in patterns {
            assert_eq!(pattern(path).as_deref(), Some(expected), "{path}");
        }
    }
}
