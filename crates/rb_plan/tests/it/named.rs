//! Plans for directives that no recipe serves: symbols that they name, files that are searched for, files that are to be made.

use rb_core::{Proposer, Task};
use rb_plan::{Plan, brief, refine};
use rb_schema::roles::planner::PlannerResponse;
use serde_json::json;

use crate::support::{Repo, many, shown};

/// A function that is imported, called, handed on as a value and tested, and one whose name only looks like it.
fn proxies() -> String {
    let user = |at: usize| {
        format!(
            "//- net/f{at}.py\nfrom .proxy import select_proxy\n\n\ndef f{at}(url):\n    return select_proxy(url, {{}})\n"
        )
    };
    let users = (0..6).map(user).collect::<Vec<_>>().concat();
    users
        + "//- net/proxy.py\ndef select_proxy(url, proxies):\n    return proxies.get(url)\n\
           //- net/hooks.py\nfrom net import proxy\n\nHOOKS = [proxy.select_proxy]\n\
           //- net/other.py\ndef reselect_proxy():\n    return 1\n\
           //- tests/test_proxy.py\nfrom net.proxy import select_proxy\n\n\ndef test_it():\n    assert select_proxy('a', {}) is None\n"
}

/// A field, which is no symbol of the index, in three files. Two others have ordinary words of the directive, and a search finds them.
const SEPARATORS: &str = "//- src/config.rs
pub struct Config {
    pub null_separator: bool,
}
//- src/exec/job.rs
use crate::config::Config;

pub fn job(config: &Config) -> bool {
    config.null_separator
}
//- src/output.rs
use crate::config::Config;

pub fn last(config: &Config) -> char {
    if config.null_separator { '0' } else { 'n' }
}
//- src/regex.rs
/// The end of a line of output.
pub fn end(line: &str, output: &str) -> bool {
    line.ends_with(output)
}
//- scripts/deb.sh
OUTPUT=line
";

pub(crate) fn separators() -> Repo {
    let directive = "Replace the boolean null_separator of Config by an enum that says how a line of output ends";
    let mut repo = Repo::asked(SEPARATORS, directive).with_model();
    repo.found = ["src/regex.rs", "scripts/deb.sh"].map(str::to_owned).to_vec();
    repo
}

/// Two files with a name that is code and with plain words that a directive lists beside it, and one with such a word alone.
const BODIES: &str = "//- lib/application.js
export function respond(body) {
  if (Buffer.isBuffer(body)) return 'buffer';
  if (body instanceof Blob) return 'blob';
  if (body instanceof ReadableStream) return 'web';
  return Buffer.byteLength(body) + Buffer.poolSize;
}
//- lib/response.js
/** Response of a server: a Blob, or streams. */
export const kind = (it) => it instanceof ReadableStream || it instanceof Response;
//- lib/request.js
export const size = (body) => Buffer.byteLength(body);
";

pub(crate) fn bodies() -> Repo {
    let directive = "Let lib/application.js and lib/response.js tell the kinds of a body apart with one shared function instead \
                     of each checking for Buffer, Blob, ReadableStream, Response and streams by itself";
    Repo::asked(BODIES, directive).with_model()
}

fn files(task: &Task) -> Vec<String> {
    task.files.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn only(plan: &Plan) -> &Task {
    assert_eq!(plan.tasks.len(), 1, "{}", shown(plan));
    &plan.tasks[0]
}

#[test]
fn rf3_a_symbol_that_a_directive_names_is_one_task_with_every_use() {
    let users = ["f0", "f1", "f2", "f3", "f4", "f5", "hooks", "proxy"];
    let mut expected: Vec<String> = users.iter().map(|it| format!("net/{it}.py")).collect();
    expected.push("tests/test_proxy.py".to_owned());
    for directive in [
        "Replace the select proxy function by choose_proxy",
        "Inline the select proxy",
        "Document what `select_proxy` returns.",
        "Move net/proxy.py#select_proxy elsewhere",
    ] {
        let plan = Repo::asked(&proxies(), directive).with_model().plan();
        let task = only(&plan);
        assert_eq!(files(task), expected, "{directive}");
        let directive = directive.trim_end_matches('.');
        assert_eq!(task.goal, format!("{directive}: `select_proxy` in 9 files"));
        assert_eq!((&task.by, task.is_critical), (&Proposer::Model, true));
        for note in [
            "one task of 9 files: a symbol is changed everywhere or not at all",
            "`select_proxy` is declared in net/proxy.py:1 (function)",
            "`select_proxy` is used in net/f0.py:1, 5",
            "`select_proxy` is used in net/hooks.py:3",
            "`select_proxy` is used in tests/test_proxy.py:1, 5",
        ] {
            assert!(task.notes.iter().any(|it| it == note), "{note}: {:#?}", task.notes);
        }
    }
}

#[test]
fn rf3_what_a_symbol_does_inside_concerns_no_user() {
    for directive in [
        "In select_proxy, look for the host first",
        "Look for the host first inside `select_proxy`",
    ] {
        let plan = Repo::asked(&proxies(), directive).with_model().plan();
        let task = only(&plan);
        assert_eq!(files(task)[0], "net/proxy.py", "{directive}");
        assert!(!files(task).contains(&"net/f0.py".to_owned()), "{:?}", files(task));
        let note = "used in 8 other files, which this task does not change";
        assert!(task.notes.iter().any(|it| it == note), "{:#?}", task.notes);
    }
}

#[test]
fn rf3_a_planner_is_shown_where_a_symbol_is_declared_and_used() {
    let repo = Repo::asked(&proxies(), "Replace the select proxy function by choose_proxy");
    let repo = repo.with_model();
    let plan = repo.plan();
    let text = repo.with(|input| brief(input, &plan));
    for line in [
        "  note: `select_proxy` is declared in net/proxy.py:1 (function)\n",
        "  note: `select_proxy` is used in net/hooks.py:3\n",
        "net/f0.py: 5 lines; 2 lines match: 1, 5; exports f0; imports net/proxy.py\n",
    ] {
        assert!(text.contains(line), "{line}{text}");
    }
}

/// Files that the run may not touch are named; of a symbol with several declarations all are.
#[test]
fn rf3_what_a_symbol_task_leaves_out_is_said() {
    let mut repo = Repo::asked(&proxies(), "Rename select_proxy to choose_proxy").with_model();
    repo.closed = vec!["tests/".to_owned()];
    let plan = repo.plan();
    let task = only(&plan);
    assert_eq!(task.files.len(), 8);
    let note = "uses in files that this run may not touch: tests/test_proxy.py";
    assert!(task.notes.iter().any(|it| it == note), "{:#?}", task.notes);
    let twice = "//- a.py\ndef load_all():\n    return 1\n//- b.py\ndef load_all():\n    return 2\n\
                 //- c.py\nfrom b import load_all\n\nload_all()\n";
    let plan = Repo::asked(twice, "Simplify load_all").with_model().plan();
    let task = only(&plan);
    assert_eq!(files(task), ["a.py", "b.py", "c.py"]);
    let both = "`load_all` is declared in a.py:1 (function), b.py:1 (function)";
    assert_eq!(task.notes[0], both);
    // The file beside the name says which one it is.
    let plan = Repo::asked(twice, "Simplify load_all in b.py").with_model().plan();
    let task = only(&plan);
    assert_eq!(files(task), ["b.py", "c.py"]);
    assert_eq!(task.notes[0], "`load_all` is declared in b.py:1 (function)");
}

#[test]
fn rf3_no_symbol_task_is_larger_than_a_planner_can_name() {
    let fixture = many(60, |at| {
        format!("//- src/f{at:02}.js\nimport {{ loadAll }} from './load.js';\nloadAll({at});\n")
    });
    let fixture = fixture + "//- src/load.js\nexport const loadAll = (it) => it;\n";
    let plan = Repo::asked(&fixture, "Simplify loadAll").with_model().plan();
    let task = only(&plan);
    assert_eq!(task.files.len(), 50);
    assert!(files(task).contains(&"src/load.js".to_owned()));
    let note = "11 files with fewer uses left out: a task has at most 50 files";
    assert_eq!(task.notes[1], note);
}

#[test]
fn rf3_what_a_directive_is_about_comes_first() {
    let fixture = "//- app/first.py\ndef first():\n    return 1\n//- app/second.py\ndef second():\n    return 2\n\
                   //- app/completion.py\ndef complete():\n    # the completion of a shell\n    return []\n";
    let directive = "Quote the words of shell completion";
    let mut repo = Repo::asked(fixture, directive).with_model();
    repo.found = ["app/first.py", "app/second.py", "app/completion.py"].map(str::to_owned).to_vec();
    let plan = repo.plan();
    let goals: Vec<&str> = plan.tasks.iter().map(|it| it.goal.as_str()).collect();
    let expected = [
        "Quote the words of shell completion, in app/completion.py, about shell and completion",
        "Quote the words of shell completion, in app/first.py",
        "Quote the words of shell completion, in app/second.py",
    ];
    assert_eq!(goals, expected);
}

#[test]
fn rf3_a_name_from_elsewhere_leads_to_the_files_that_have_it() {
    let fixture = many(3, |at| format!("//- src/f{at}.js\nexport const f{at} = {at};\n"));
    let fixture =
        fixture + "//- src/net.js\nexport const get = (url) => globalThis.fetch_all(url);\n";
    let mut repo = Repo::asked(&fixture, "Call fetch_all with a signal").with_model();
    repo.found = vec!["src/f0.js".to_owned()];
    let plan = repo.plan();
    assert_eq!(files(only(&plan)), ["src/net.js"], "{}", shown(&plan));
}

#[test]
fn rf3_a_text_that_a_directive_quotes_leads_to_the_files_that_have_it() {
    let fixture = many(3, |at| format!("//- src/f{at}.js\nexport const f{at} = 'please wait';\n"));
    let fixture = fixture + "//- src/page.js\nexport const said = 'Please wait for the page';\n";
    let mut repo =
        Repo::asked(&fixture, "Print \"Please wait for the page\" when it is late").with_model();
    repo.found = vec!["src/f0.js".to_owned()];
    let plan = repo.plan();
    let goals: Vec<String> = plan.tasks.iter().map(|task| task.goal.clone()).collect();
    assert_eq!(files(&plan.tasks[0]), ["src/page.js"], "{goals:?}");
}

#[test]
fn rf3_a_field_that_a_directive_names_is_one_task_with_every_use() {
    let repo = separators();
    let plan = repo.plan();
    let task = only(&plan);
    assert_eq!(files(task), ["src/config.rs", "src/exec/job.rs", "src/output.rs"]);
    let directive = repo.directive.as_deref().expect("it has one");
    assert_eq!(task.goal, format!("{directive}: `null_separator` in 3 files"));
    let notes = [
        "`null_separator` names no function, class or constant of the repository: it is a field, a parameter, a key or a name from elsewhere",
        "`null_separator` is used in src/config.rs:2",
        "`null_separator` is used in src/exec/job.rs:4",
        "`null_separator` is used in src/output.rs:4",
    ];
    assert_eq!(task.notes, notes);
    let text = repo.with(|input| brief(input, &plan));
    assert!(text.contains("src/output.rs: 5 lines; 1 line matches: 4; exports last"), "{text}");
}

#[test]
fn rf3_a_name_that_many_files_have_is_no_task_by_itself() {
    let fixture = many(60, |at| {
        format!("//- src/f{at:02}.js\nexport const f{at} = (it) => it.null_separator;\n")
    });
    let plan = Repo::asked(&fixture, "Simplify null_separator").with_model().plan();
    assert!(plan.tasks.len() > 1, "{}", shown(&plan));
}

#[test]
fn rf3_plain_words_in_a_list_with_a_name_are_looked_up_in_its_files() {
    let plan = bodies().plan();
    let task = only(&plan);
    assert_eq!(files(task), ["lib/application.js", "lib/response.js"]);
    let notes = [
        "`ReadableStream` is used in lib/application.js:4",
        "`ReadableStream` is used in lib/response.js:2",
        "`Blob` occurs in lib/application.js:3",
        "`Buffer` occurs in lib/application.js:2, 5",
        "`Response` occurs in lib/response.js:2",
    ];
    assert_eq!(task.notes[1..], notes);
}

/// A word that may be prose leads to no file, and a comment has no identifiers.
#[test]
fn rf3_plain_words_in_a_list_widen_no_task() {
    #[track_caller]
    fn check(fixture: &str, directive: &str, expected: &[&str]) {
        let plan = Repo::asked(fixture, directive).with_model().plan();
        let task = only(&plan);
        assert_eq!(files(task), ["src/load.js", "src/main.js"], "{directive}");
        let notes = task.notes.iter().filter(|it| it.contains(" occurs in "));
        assert_eq!(notes.collect::<Vec<_>>(), expected, "{directive}");
    }
    let fixture = "//- src/load.js
// Anna wrote it
export const load_all = (it) => (it instanceof Blob ? [it] : Buffer.from(it));
//- src/main.js
import { load_all } from './load.js';
// Buffer
load_all(new Blob([]));
//- src/other.js
export const size = (it) => Buffer.byteLength(it) + new Blob([it]).size;
";
    check(fixture, "Simplify load_all", &[]);
    check(
        fixture,
        "Simplify load_all, Anna, Blob and Buffer",
        &[
            "`Blob` occurs in src/load.js:2",
            "`Buffer` occurs in src/load.js:2",
            "`Blob` occurs in src/main.js:3",
        ],
    );
}

/// A plain word in backticks is a name where few files have it.
#[test]
fn rf3_a_plain_word_in_backticks_is_a_name_where_it_is_rare() {
    let fixture = many(4, |at| format!("//- src/f{at}.js\nexport const f{at} = {at};\n"));
    let fixture = fixture + "//- src/slow.js\nexport const slow = (it) => it.delay;\n";
    let asked = |directive: &str| Repo::asked(&fixture, directive).with_model().plan();
    assert_eq!(files(only(&asked("Let `delay` count seconds"))), ["src/slow.js"]);
    let plan = asked("Use `const` less often");
    assert!(plan.tasks.len() > 1, "{}", shown(&plan));
}

/// What is called and comes from elsewhere does not widen a task for what is declared here.
#[test]
fn rf3_a_name_from_elsewhere_widens_no_task() {
    let fixture = many(1, |_| {
        "//- src/page.js\nexport function load_page(url) {\n  return globalThis.fetch_all(url);\n}\n\
         //- src/net.js\nexport const get = (url) => globalThis.fetch_all(url);\n"
            .to_owned()
    });
    let directive = "Let load_page call fetch_all with a signal";
    let plan = Repo::asked(&fixture, directive).with_model().plan();
    assert_eq!(files(only(&plan)), ["src/page.js"]);
}

/// Four classes with a method of one name, and who calls it.
const LOADERS: &str = "//- app/loaders.py
class BaseLoader:
    def list_templates(self):
        raise TypeError


class FileSystemLoader(BaseLoader):
    def list_templates(self):
        return []


class PackageLoader(BaseLoader):
    def list_templates(self):
        return []
//- app/environment.py
from .loaders import FileSystemLoader


class Environment:
    def list_templates(self):
        return FileSystemLoader().list_templates()
//- app/main.py
from .loaders import FileSystemLoader, PackageLoader

print(FileSystemLoader().list_templates(), PackageLoader())
//- docs/api.rst
``list_templates`` of a loader
";

#[test]
fn rf3_classes_that_a_directive_names_say_which_declarations_are_meant() {
    let directive = "Let FileSystemLoader and PackageLoader share the walk over directories that their list_templates methods do";
    let plan = Repo::asked(LOADERS, directive).with_model().plan();
    let task = only(&plan);
    assert_eq!(task.goal, format!("{directive}, in app/loaders.py"));
    assert_eq!(task.scope_globs, ["/app/loaders.py"]);
    let notes = [
        "used in 1 other file, which this task does not change",
        "`list_templates` is declared in app/loaders.py:7 (method of FileSystemLoader), app/loaders.py:12 (method of PackageLoader)",
    ];
    assert_eq!(task.notes, notes);
    // Without the classes all of them are.
    let plan = Repo::asked(LOADERS, "Let list_templates return a tuple").with_model().plan();
    let task = only(&plan);
    assert_eq!(files(task), ["app/environment.py", "app/loaders.py", "app/main.py"]);
    let first = "`list_templates` is declared in app/environment.py:5 (method of Environment), app/loaders.py:2 (method of BaseLoader), ";
    assert!(task.notes[0].starts_with(first), "{:#?}", task.notes);
    assert!(task.scope_globs.contains(&"/docs/api.rst".to_owned()), "{:?}", task.scope_globs);
}

#[test]
fn rf3_tasks_of_a_model_are_no_parts() {
    let fixture = "//- package.json\n{\"private\": true, \"type\": \"module\"}\n\
        //- src/a0.js\nimport { a1 } from './a1.js';\nexport const a0 = a1;\n//- src/a1.js\nexport const a1 = 1;\n\
        //- src/b0.js\nimport { b1 } from './b1.js';\nexport const b0 = b1;\n//- src/b1.js\nexport const b1 = 1;\n\
        //- src/c.js\nexport const c = 1;\n";
    let mut repo = Repo::asked(fixture, "Use guard clauses").with_model();
    repo.found = ["b0", "b1", "c", "a0", "a1"].map(|it| format!("src/{it}.js")).to_vec();
    let plan = repo.plan();
    let goals: Vec<&str> = plan.tasks.iter().map(|it| it.goal.as_str()).collect();
    let expected = [
        "Use guard clauses, in src/b0.js and 1 more file",
        "Use guard clauses, in src/c.js",
        "Use guard clauses, in src/a0.js and 1 more file",
    ];
    assert_eq!(goals, expected);
}

/// Neither an import nor a name says that these two belong together; the history does.
#[test]
fn rf3_files_that_change_together_are_one_task() {
    let fixture = "//- package.json\n{\"private\": true, \"type\": \"module\"}\n\
        //- src/a.js\nexport const a = 1;\n//- lib/b.js\nexport const b = 1;\n\
        //- web/c.js\nexport const c = 1;\n//- api/d.js\nexport const d = 1;\n";
    let check = |commits: &[&'static str], expected: &[&[&str]]| {
        let mut repo = Repo::asked(fixture, "Use guard clauses").with_model();
        repo.found = ["src/a.js", "lib/b.js", "web/c.js", "api/d.js"].map(str::to_owned).to_vec();
        repo.commits = commits.to_vec();
        let found: Vec<Vec<String>> = repo.plan().tasks.iter().map(files).collect();
        assert_eq!(found, expected, "{commits:?}");
    };
    let alone: &[&[&str]] = &[&["src/a.js"], &["lib/b.js"], &["web/c.js"], &["api/d.js"]];
    check(&[], alone);
    check(
        &["api/d.js src/a.js", "src/a.js api/d.js", "lib/b.js web/c.js"],
        &[&["api/d.js", "src/a.js"], &["lib/b.js"], &["web/c.js"]],
    );
    // Once is chance.
    check(&["api/d.js src/a.js"], alone);
}

#[test]
fn rf3_exports_and_matches_are_told_in_every_language() {
    let fixture = "//- app/cut.py\ndef cut(it):\n    return it[1:]\n\n\ndef _own():\n    pass\n\n\n\
                   class Line:\n    def cut(self):\n        pass\n";
    let mut repo = Repo::asked(fixture, "Cut texts in one place").with_model();
    repo.found = vec!["app/cut.py".to_owned()];
    let plan = repo.plan();
    let text = repo.with(|input| brief(input, &plan));
    let (_, part) = text.split_once("## Files of the batches by a model\n").expect("the part");
    assert_eq!(part, "app/cut.py: 11 lines; 2 lines match: 1, 10; exports Line, cut\n\n");
}

#[test]
fn rf3_a_file_that_a_directive_asks_for_may_be_created() {
    #[track_caller]
    fn check(directive: &str, new: Option<&str>) {
        let fixture = "//- package.json\n{\"private\": true, \"type\": \"module\"}\n\
                       //- src/api.js\nexport const api = 1;\n";
        let mut repo = Repo::asked(fixture, directive).with_model();
        repo.found = vec!["src/api.js".to_owned()];
        let plan = repo.plan();
        let task = only(&plan);
        let scope: Vec<&str> = ["/src/api.js"].into_iter().chain(new).collect();
        assert_eq!(task.scope_globs, scope, "{directive}");
        let may_create = task.allowed_operations.iter().any(|it| it == "create-file");
        assert_eq!(may_create, new.is_some(), "{directive}");
        let text = repo.with(|input| brief(input, &plan));
        assert_eq!(text.contains("  may create: src/rows.js\n"), new.is_some(), "{text}");
    }
    check("Move the reading of rows into src/rows.js", Some("/src/rows.js"));
    check("Put the reading of rows in a new file src/rows.js", Some("/src/rows.js"));
    check("Put the reading of rows in a new file called rows.js", Some("/src/rows.js"));
    check("Put the reading of rows in a new module rows", Some("/src/rows.js"));
    check("Put the reading of rows in a new module named `rows`.", Some("/src/rows.js"));
    check("Move the reading of rows into nowhere/rows.js", None);
    check("Put the reading of rows in a new module for them", None);
}

/// Documents are shown by their lines and may be changed; changelogs are not, and neither are documents of what only changes inside.
#[test]
fn st4_documents_that_mention_a_symbol_may_follow_it() {
    let fixture = proxies()
        + "//- docs/net.rst\nProxies\n=======\n\n``select_proxy`` picks one.\n\nSee select_proxy.\n\
           //- README.md\nCall `select_proxy`, not `reselect_proxy`.\n\
           //- CHANGES.rst\nselect_proxy is faster\n//- docs/other.md\nreselect_proxy\n";
    let repo = Repo::asked(&fixture, "Let select_proxy return a list").with_model();
    let plan = repo.plan();
    let task = only(&plan);
    let documents = ["/docs/net.rst", "/README.md"];
    assert_eq!(task.scope_globs[task.files.len()..], documents);
    let notes = [
        "`select_proxy` is mentioned in docs/net.rst:4, 6",
        "`select_proxy` is mentioned in README.md:1",
    ];
    assert_eq!(task.notes[task.notes.len() - 2..], notes);
    let text = repo.with(|input| brief(input, &plan));
    assert!(text.contains("  may also change: docs/net.rst, README.md\n"), "{text}");
    assert!(!text.contains("may create"), "{text}");

    // A planner may repeat them among the files, leave them out, or make a batch of its own of one.
    let batch = |id: &str, goal: &str, files: Vec<String>| {
        json!({
            "id": id, "goal": goal, "scope_globs": files, "allowed_operations": ["edit"],
            "diff_budget_loc": 50, "risk_score": 10, "verifier_level": "fast",
        })
    };
    let with_documents = files(task).into_iter().chain(["README.md".to_owned()]).collect();
    let batches = json!([{
        "id": "batch-001", "goal": "Return a list", "scope_globs": ["net/proxy.py", "net/f0.py"],
        "allowed_operations": ["edit"], "diff_budget_loc": 50, "risk_score": 10, "verifier_level": "fast",
        "notes": "callers follow later",
    }]);
    let answer: PlannerResponse =
        serde_json::from_value(json!({ "batches": batches })).expect("an answer");
    let refined = repo.with(|input| refine(input, &plan, &answer));
    let expected = [
        "planner: callers follow later",
        "`select_proxy` is declared in net/proxy.py:1 (function)",
        "`select_proxy` is used in net/f0.py:1, 5",
    ];
    assert_eq!(only(&refined.plan).notes[..3], expected);
    assert!(
        !only(&refined.plan).notes.iter().any(|it| it.contains("f1.py") || it.contains("9 files"))
    );
    for of_first in [files(task), with_documents] {
        let batches = json!([
            batch("batch-001", "Return a list", of_first),
            batch("batch-002", "Tell it", vec!["docs/net.rst".to_owned()]),
        ]);
        let answer: PlannerResponse =
            serde_json::from_value(json!({ "batches": batches })).expect("an answer");
        let refined = repo.with(|input| refine(input, &plan, &answer));
        assert_eq!(refined.refused, Vec::<String>::new());
        let [first, second] = refined.plan.tasks.as_slice() else { panic!("{:#?}", refined.plan) };
        assert_eq!(first.scope_globs[first.files.len()..], documents);
        assert_eq!(files(second), ["docs/net.rst"]);
    }

    let plan = Repo::asked(&fixture, "In select_proxy, look for the host").with_model().plan();
    assert_eq!(only(&plan).scope_globs.len(), only(&plan).files.len());
    let plan = Repo::asked(&fixture, "Rewrite README.md for beginners").with_model().plan();
    assert_eq!(files(only(&plan)), ["README.md"]);
}

/// What is asked to go may go, although others can import it.
#[test]
fn st4_a_symbol_that_is_split_or_removed_is_no_broken_promise() {
    #[track_caller]
    fn check(directive: &str, expected: bool) {
        let repo = Repo::asked(&proxies(), directive).with_model();
        let plan = repo.plan();
        let task = only(&plan);
        let names: &[&str] = if expected { &["net/proxy.py#select_proxy"] } else { &[] };
        assert_eq!(task.api_changes.names, names, "{directive}");
        let note =
            "`select_proxy` may change or go where the goal says so, though others can import it"
                .to_owned();
        assert_eq!(task.notes.contains(&note), expected, "{directive}");
        // A batch that a planner splits off keeps it.
        let answer: PlannerResponse = serde_json::from_value(json!({ "batches": [{
            "id": "batch-002", "goal": "One step", "scope_globs": ["net/proxy.py", "net/f0.py"],
            "allowed_operations": ["edit"], "diff_budget_loc": 50, "risk_score": 10, "verifier_level": "fast",
        }] }))
        .expect("an answer");
        let refined = repo.with(|input| refine(input, &plan, &answer));
        assert_eq!(only(&refined.plan).api_changes.names, names, "{directive}");
    }
    check("split select_proxy into a function for hosts and one for ports", true);
    check("Split the existing function `select_proxy()` in net/proxy.py into two", true);
    check("Inline proxy.select_proxy", true);
    check("Replace calls of select_proxy by a table", false);
    check("Let select_proxy return a list and remove nothing", false);
    check("Move net/proxy.py#select_proxy elsewhere", false);
}

/// A name that several files have is no place by itself: the symbols beside it say what is meant, or a person does.
#[test]
fn rf3_the_name_of_several_files_limits_nothing() {
    let fixture = proxies() + "//- web/proxy.py\nPORT = 1\n";
    let directive = "Split the function `select_proxy` in proxy.py into two, and use them in f0.py";
    let plan = Repo::asked(&fixture, directive).with_model().plan();
    let task = only(&plan);
    assert!(files(task).contains(&"net/proxy.py".to_owned()), "{:?}", files(task));
    assert!(files(task).contains(&"net/hooks.py".to_owned()), "{:?}", files(task));
    let plan =
        Repo::asked(&fixture, "Convert synchronous file operations in proxy.py to async").plan();
    let why = plan.unserved.expect("a reason").why;
    assert_eq!(
        why,
        "proxy.py could be any of `net/proxy.py`, `web/proxy.py`; name one by its path"
    );
}
