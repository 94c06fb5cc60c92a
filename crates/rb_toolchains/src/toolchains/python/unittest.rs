//! How a project without pytest runs its tests with the standard library's `unittest`.
//!
//! What `tox.ini` says is taken as it is. Else the files say where discovery must begin and which names it must look for:
//! by itself it finds `test*.py`, and does not go into a folder that is no package.

use crate::command::CommandOrigin;
use crate::shell;
use crate::tree::{Tree, join, split};

use super::project::{Project, is_test};

/// The words after the interpreter, the folder to run in, and where it was found.
pub(super) type Tests = (Vec<String>, String, CommandOrigin);

pub(super) fn find<'t>(project: &Project<'t>, tree: &Tree<'t>) -> Option<Tests> {
    tox(project, tree).or_else(|| discover(project, tree))
}

/// `commands` of `[testenv]`, where one of them calls unittest.
fn tox<'t>(project: &Project<'t>, tree: &Tree<'t>) -> Option<Tests> {
    let file = join(project.folder, "tox.ini");
    let text = tree.read(&file)?;
    let setting = |wanted: &str| settings(&text, wanted);
    let words = setting("commands").iter().find_map(|line| unittest(line))?;
    let folder = match setting("changedir").first() {
        Some(inner) => join(project.folder, inner),
        None => project.folder.to_owned(),
    };
    let is_there = folder.is_empty() || tree.below(&folder).next().is_some();
    let found = CommandOrigin { file, what: "[testenv]".to_owned() };
    is_there.then_some((words, folder, found))
}

/// The lines of a setting of `[testenv]`: what stands behind the `=`, and the lines further in.
fn settings<'t>(text: &'t str, wanted: &str) -> Vec<&'t str> {
    let section = text.lines().skip_while(|line| line.trim() != "[testenv]").skip(1);
    let section = section.take_while(|line| !line.starts_with('['));
    let mut lines = Vec::new();
    let mut inside = false;
    for line in section {
        if line.starts_with([' ', '\t']) {
            lines.extend(inside.then(|| line.trim()));
        } else if let Some((name, value)) = line.split_once('=') {
            inside = name.trim() == wanted;
            lines.extend(inside.then(|| value.trim()));
        }
    }
    lines.retain(|line| !line.is_empty() && !line.starts_with('#'));
    lines
}

/// `python -W error -m unittest discover {posargs}` without the interpreter and what only tox can fill in.
fn unittest(line: &str) -> Option<Vec<String>> {
    let parts = shell::parse(line)?;
    let [part] = parts.as_slice() else { return None };
    let is_python = part.program().starts_with("python") || part.word(0) == "{envpython}";
    let mut words: Vec<String> = part.words.iter().skip(1).map(|word| word.text.clone()).collect();
    words.retain(|word| !word.starts_with("{posargs"));
    let calls = words.windows(2).any(|pair| pair[0] == "-m" && pair[1] == "unittest");
    let needs_tox = words.iter().any(|word| word.contains('{'));
    (is_python && calls && part.env.is_empty() && !needs_tox).then_some(words)
}

fn discover<'t>(project: &Project<'t>, tree: &Tree<'t>) -> Option<Tests> {
    let is_mine = |path: &&str| {
        is_test(path) && tree.read(path).is_some_and(|text| text.contains("unittest"))
    };
    let files: Vec<&str> = project.files(tree).filter(is_mine).take(MOST_READ).collect();
    let file = *files.first()?;
    let mut words = ["-m", "unittest", "discover"].map(str::to_owned).to_vec();
    words.extend(start(project, tree, file));
    if !files.iter().any(|path| split(path).1.starts_with("test")) {
        words.extend(["-p", "*_test.py"].map(str::to_owned));
    }
    let found = CommandOrigin { file: file.to_owned(), what: "imports unittest".to_owned() };
    Some((words, project.folder.to_owned(), found))
}

/// This many test files say enough about how they are named.
const MOST_READ: usize = 200;

/// Where discovery begins: the usual folder, or the nearest one above a test that is no package.
fn start<'t>(project: &Project<'t>, tree: &Tree<'t>, file: &str) -> Vec<String> {
    let is_package = |folder: &str| tree.has(&join(folder, "__init__.py"));
    let usual = ["tests", "test"].map(|name| (name, join(project.folder, name)));
    if let Some((name, path)) = usual.iter().find(|(_, path)| tree.below(path).next().is_some()) {
        let top: &[&str] = if is_package(path) { &["-t", "."] } else { &[] };
        return ["-s", name].iter().chain(top).map(|&word| word.to_owned()).collect();
    }
    let mut folder = split(file).0;
    while folder != project.folder && is_package(folder) {
        folder = split(folder).0;
    }
    let inside = folder.strip_prefix(project.folder).unwrap_or(folder).trim_start_matches('/');
    if inside.is_empty() { Vec::new() } else { vec!["-s".to_owned(), inside.to_owned()] }
}
