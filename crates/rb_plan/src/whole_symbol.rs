//! One task for the symbols that a directive names, and for fields and other names that it writes as code: a change of such a name is
//! made everywhere or not at all, however many files that are.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rb_core::{Stage, at_most, plural};

use crate::documents;
use crate::draft::{Draft, for_model, for_model_alone, in_place};
use crate::names::{Names, is_code, is_of_name};
use crate::peers::identifier_lines;
use crate::reach::Reach;
use crate::readable::listed;
use crate::relevant::OPERATIONS;
use crate::repo_facts::{RepoFacts, repo_path};
use crate::smells::MOST_FILES;
use crate::symbols::NamedSymbol;
use crate::words::{is_in, tokens};

/// Who names more symbols asks for more than one change.
const FEW: usize = 3;
/// A planner's batch can name so many files.
const MOST: usize = 50;
/// The most declarations, files and lines that notes list.
const DECLARATIONS: usize = 10;
const USERS: usize = 30;
const LINES: usize = 10;
const CLOSED: usize = 5;
/// The most notes on words that the directive lists beside a symbol.
const PEERS: usize = 20;
const WHOLE: &str = "one task of";
const UNDECLARED: &str = "names no function, class or constant of the repository: it is a field, a parameter, a key or a name from elsewhere";
/// Between a name and the lines that have it.
const USED: &str = "is used in";
const OCCURS: &str = "occurs in";
const INSIDE: [&str; 3] = ["in", "inside", "within"];
/// Verbs behind which a name is that of something which goes, or which gets another name or place, and what may stand between.
const REPLACING: &str =
    "break combine delete divide drop eliminate inline merge remove replace separate split";
const MOVING: &str = "convert extract move refactor rename rewrite";
const BETWEEN: &str = "a an and both class constant current existing function helper method my old our the type unused up whole";

/// The task, and the file that it is about most of all. None where the directive names no symbol that can be told apart, or many.
pub(crate) fn task(
    repo: &RepoFacts<'_>,
    words: &str,
    symbols: &[NamedSymbol],
    reach: &Reach,
) -> Option<(Draft, String)> {
    let named = targets(words, symbols);
    if named.len() > FEW {
        return None;
    }
    let all = by_use(&named);
    // A file that is named beside the symbol says where it is declared, not where it is used; what goes, goes everywhere.
    let mut declarations = named.iter().flat_map(|it| &it.declarations);
    let is_address = declarations.any(|it| reach.is_file(&it.path))
        || named.iter().any(|it| is_replaced(words, &it.name));
    let is_meant = |path: &str| {
        let is_within = is_address || reach.allows(path);
        is_within && !reach.leaves_out(path) && repo_path(path).is_some()
    };
    let mut meant: Vec<&str> = all.into_iter().filter(|it| is_meant(it)).collect();
    let users = meant.len();
    let is_inside = is_inside(words, &named);
    let is_changed = |it: &&NamedSymbol, path: &str| {
        let is_used = !is_inside && !it.is_partial && it.lines.contains_key(path);
        it.is_declared_in(path) || is_used
    };
    meant.retain(|path| named.iter().any(|it| is_changed(it, path)));
    let users = users - meant.len();
    let (open, closed): (Vec<&str>, Vec<&str>) =
        meant.into_iter().partition(|it| (repo.input.may_touch)(it));
    let taken = &open[..open.len().min(MOST)];
    let lead = (*taken.first()?).to_owned();
    let goal = goal(words, &named, taken);
    let mut draft = if taken.len() > MOST_FILES {
        for_model_alone(repo, &goal, taken, Stage::Small, &OPERATIONS)
    } else {
        for_model(repo, &goal, taken, Stage::Small, &OPERATIONS)
    };
    let notes = &mut draft.task.notes;
    let is_partial = named.iter().any(|it| it.is_partial);
    if taken.len() > MOST_FILES && !is_partial && !named.iter().any(|it| it.is_foreign) {
        let files = plural(taken.len(), "file");
        notes.push(format!("{WHOLE} {files}: a symbol is changed everywhere or not at all"));
    }
    let left = open.len() - taken.len();
    if left > 0 {
        let left = plural(left, "file");
        notes.push(format!("{left} with fewer uses left out: a task has at most {MOST} files"));
    }
    if !closed.is_empty() {
        let closed = at_most(CLOSED, closed.iter().map(ToString::to_string)).join(", ");
        notes.push(format!("uses in files that this run may not touch: {closed}"));
    }
    if users > 0 {
        let users = plural(users, "other file");
        notes.push(format!("used in {users}, which this task does not change"));
    }
    let taken: BTreeSet<&str> = taken.iter().copied().collect();
    notes.extend(named.iter().map(|it| declared(it)));
    notes.extend(named.iter().flat_map(|it| used(it, &taken)));
    notes.extend(peers(repo, words, &taken));
    if users == 0 && !is_partial {
        documents::allow(repo, &mut draft.task, &named, &is_meant);
    }
    for symbol in named.iter().filter(|it| is_replaced(words, &it.name)) {
        let task = &mut draft.task;
        let places = symbol.declarations.iter();
        task.api_changes.names.extend(places.map(|it| format!("{}#{}", it.path, symbol.name)));
        let what = if is_object(words, &symbol.name, REMOVING) { "go" } else { "change or go" };
        // Nobody imports a member of its own.
        if symbol.declarations.iter().any(|it| it.container.is_some()) {
            continue;
        }
        let name = &symbol.name;
        task.notes.push(format!(
            "`{name}` may {what} where the goal says so, though others can import it"
        ));
    }
    Some((draft, lead))
}

/// What the directive is about: the symbols that are declared here, and fields and the like; names from elsewhere if there are none.
/// A name that many files have is none of them.
fn targets<'s>(words: &str, symbols: &'s [NamedSymbol]) -> Vec<&'s NamedSymbol> {
    let has_few = |it: &&NamedSymbol| it.is_declared() || it.lines.len() <= MOST;
    let certain = symbols.iter().filter(|it| it.is_certain).filter(has_few);
    let (own, others): (Vec<_>, Vec<_>) = certain.partition(|it| it.is_own());
    let all = if own.is_empty() { others } else { own };
    let is_target = |it: &&NamedSymbol| !is_container(words, it, &all);
    all.iter().copied().filter(is_target).collect()
}

/// "`list` of `Loader`": the class only says which `list` is meant.
fn is_container(words: &str, symbol: &NamedSymbol, all: &[&NamedSymbol]) -> bool {
    let name = symbol.name.as_str();
    let holds = |it: &&NamedSymbol| {
        let mut declarations = it.declarations.iter();
        it.is_partial && declarations.any(|it| it.container.as_deref() == Some(name))
    };
    all.iter().any(holds) && !is_object(words, name, REPLACING) && !is_object(words, name, MOVING)
}

const REMOVING: &str = "delete drop eliminate remove";

/// "Split `total` into …", "Remove the old function `total`": the name itself is not there any more afterwards.
fn is_replaced(words: &str, name: &str) -> bool {
    is_object(words, name, REPLACING)
}

/// Whether a name stands behind one of these verbs.
fn is_object(words: &str, name: &str, verbs: &str) -> bool {
    let tokens = tokens(words);
    let plain = |token: &String| token.trim_matches(|c: char| !is_of_name(c)).to_lowercase();
    let is_name = |token: &String| {
        let token = token.split('(').next().unwrap_or(token);
        token.trim_matches(|c: char| !is_of_name(c)).rsplit(['.', '#', ':']).next() == Some(name)
    };
    let Some(at) = tokens.iter().position(is_name) else { return false };
    let before = tokens[..at].iter().rev().map(plain);
    let mut before = before.skip_while(|it| is_in(BETWEEN, it) || is_code(it));
    before.next().is_some_and(|it| is_in(verbs, &it))
}

/// "In `total`, …": what a symbol does inside changes, and not what it is to others.
fn is_inside(words: &str, symbols: &[&NamedSymbol]) -> bool {
    let is_led_in = |symbol: &&NamedSymbol| {
        let before = words.split_once(symbol.name.as_str()).map_or("", |(before, _)| before);
        let last = before.trim_end_matches([' ', '`']).rsplit(' ').next().unwrap_or_default();
        INSIDE.contains(&last.to_lowercase().as_str())
    };
    symbols.iter().all(|it| it.is_declared() && is_led_in(it))
}

/// All files that declare or use one of the symbols: first those that declare one, then those with the most uses.
fn by_use<'s>(symbols: &[&'s NamedSymbol]) -> Vec<&'s str> {
    let mut uses: BTreeMap<&'s str, (bool, usize)> = BTreeMap::new();
    for symbol in symbols {
        for (path, lines) in &symbol.lines {
            let (is_declaring, count) = uses.entry(path.as_str()).or_default();
            *is_declaring |= symbol.is_declared_in(path);
            *count += lines.len();
        }
    }
    let mut files: Vec<&'s str> = uses.keys().copied().collect();
    files.sort_by_key(|it| {
        let (is_declaring, count) = uses.get(it).copied().unwrap_or_default();
        (!is_declaring, Reverse(count), *it)
    });
    files
}

fn goal(words: &str, symbols: &[&NamedSymbol], files: &[&str]) -> String {
    if let [file] = files {
        return in_place(words, file);
    }
    let words = words.trim().trim_end_matches('.');
    let names: Vec<String> = symbols.iter().map(|it| format!("`{}`", it.name)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    format!("{words}: {} in {}", listed(&names), plural(files.len(), "file"))
}

/// "`total` is declared in src/cart.py:12 (method of Cart)"
fn declared(symbol: &NamedSymbol) -> String {
    let name = &symbol.name;
    if !symbol.is_declared() {
        return format!("`{name}` {UNDECLARED}");
    }
    let of = |container: &String| format!(" of {container}");
    let places = symbol.declarations.iter().map(|it| {
        let of = it.container.as_ref().map(of).unwrap_or_default();
        format!("{}:{} ({}{of})", it.path, it.line, it.kind)
    });
    format!("`{name}` is declared in {}", at_most(DECLARATIONS, places).join(", "))
}

/// Takes out the notes that no longer hold once these files are not in the task.
pub(crate) fn forget(notes: &mut Vec<String>, gone: &[String]) {
    if gone.is_empty() {
        return;
    }
    let is_of = |note: &String, path: &String| {
        [USED, OCCURS].iter().any(|words| note.contains(&format!(" {words} {path}:")))
    };
    let is_gone = |note: &String| gone.iter().any(|it| is_of(note, it));
    notes.retain(|it| !it.starts_with(WHOLE) && !is_gone(it));
}

/// "`total` is used in src/main.py:3, 17", a note for each file; the rest is counted.
fn used(symbol: &NamedSymbol, files: &BTreeSet<&str>) -> Vec<String> {
    let is_declaration = |path: &str, line: u32| {
        symbol.declarations.iter().any(|it| it.path == path && it.line == line)
    };
    let mut users: Vec<(&str, Vec<u32>)> = Vec::new();
    for (path, lines) in symbol.lines.iter().filter(|it| files.contains(it.0.as_str())) {
        let lines: Vec<u32> =
            lines.iter().copied().filter(|line| !is_declaration(path, *line)).collect();
        if !lines.is_empty() {
            users.push((path.as_str(), lines));
        }
    }
    let name = &symbol.name;
    let mut notes: Vec<String> = Vec::new();
    for (path, lines) in users.iter().take(USERS) {
        let lines = at_most(LINES, lines.iter().map(ToString::to_string)).join(", ");
        notes.push(format!("`{name}` {USED} {path}:{lines}"));
    }
    let rest = users.get(USERS..).unwrap_or_default();
    if !rest.is_empty() {
        let number: usize = rest.iter().map(|it| it.1.len()).sum();
        let files = plural(rest.len(), "more file");
        notes.push(format!("`{name}` {USED} {files} ({})", plural(number, "line")));
    }
    notes
}

/// "`Blob` occurs in src/body.js:3, 17", for the words that the directive lists beside a name that is code, in each of these files.
fn peers(repo: &RepoFacts<'_>, words: &str, files: &BTreeSet<&str>) -> Vec<String> {
    let peers = Names::of(words).peers;
    if peers.is_empty() {
        return Vec::new();
    }
    let mut notes: Vec<String> = Vec::new();
    for path in files {
        let Some(id) = repo.view().tree.find(path) else { continue };
        let text = repo.input.source(id).unwrap_or_default();
        for (name, lines) in identifier_lines(&peers, repo.view().file(id).language, &text) {
            let lines = at_most(LINES, lines.iter().map(ToString::to_string)).join(", ");
            notes.push(format!("`{name}` {OCCURS} {path}:{lines}"));
        }
    }
    notes.truncate(PEERS);
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::Declaration;

    /// A symbol that is declared once.
    fn symbol(name: &str, container: Option<&str>) -> NamedSymbol {
        let container = container.map(str::to_owned);
        let is_partial = container.is_some();
        let (path, kind) = ("app.py".to_owned(), "method");
        NamedSymbol {
            name: name.to_owned(),
            is_certain: true,
            declarations: vec![Declaration { path, line: 1, kind, container }],
            is_partial,
            is_foreign: false,
            lines: BTreeMap::new(),
            documents: BTreeMap::new(),
        }
    }

    #[test]
    fn rf3_a_class_that_only_says_which_method_is_meant_is_not_changed_itself() {
        #[track_caller]
        fn check(words: &str, expected: bool) {
            let all = [symbol("Loader", None), symbol("list", Some("Loader"))];
            let [loader, list] = &all;
            assert_eq!(is_container(words, loader, &[loader, list]), expected, "{words}");
        }
        check("Let Loader and Other share their list methods", true);
        check("Remove the list method of Loader", true);
        check("Remove Loader and its list method", false);
        check("Move the class Loader with its list method", false);
    }

    #[test]
    fn rf4_notes_on_files_that_leave_a_task_go() {
        let all = [
            "one task of 2 files: a symbol is changed everywhere or not at all",
            "`total` is used in src/a.js:1, 5",
            "`total` is used in src/b.js:2",
            "`Cart` occurs in src/a.js:3",
            "`Cart` occurs in src/b.js:4",
        ];
        let mut notes: Vec<String> = all.map(str::to_owned).to_vec();
        forget(&mut notes, &["src/b.js".to_owned()]);
        assert_eq!(notes, [all[1], all[3]]);
    }
}
