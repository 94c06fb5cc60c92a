//! Import cycles that an operation makes: harmless where only functions use what is imported, refused where it is needed while the
//! files are loaded.

use std::collections::{BTreeMap, BTreeSet};

use rb_ecma::links::Target;
use rb_operations::{Files, Refusal};

use crate::project::{Origin, Project, tree_of};

/// The most files that are looked at for a way back.
const MOST: usize = 2000;

/// Notes for new cycles through one of the files, or a refusal for one that would be evaluated at load time.
pub(crate) fn check_cycles(
    before: &Project<'_>,
    after: &dyn Files,
    paths: &[&str],
) -> Result<Vec<String>, Refusal> {
    let tree = tree_of(after);
    let now = Project::new(after, &tree);
    let mut notes = BTreeSet::new();
    for path in paths {
        let Some(cycle) = cycle_through(&now, path) else { continue };
        let known = needs(before, &component(before, path));
        for need in needs(&now, &component(&now, path)) {
            if !known.iter().any(|it| (&it.file, &it.origin) == (&need.file, &need.origin)) {
                return Err(need.refusal(&now));
            }
        }
        let files: BTreeSet<String> = cycle.into_iter().collect();
        let had = cycle_through(before, path).map(|it| it.into_iter().collect::<BTreeSet<_>>());
        if had.as_ref() != Some(&files) {
            let names: Vec<String> = files.into_iter().collect();
            notes.insert(format!("{} import each other now", names.join(" and ")));
        }
    }
    Ok(notes.into_iter().collect())
}

/// A name that a file takes from another of its cycle, and reads while it is loaded.
pub(crate) struct Need {
    pub(crate) file: String,
    pub(crate) from: String,
    name: String,
    origin: Origin,
    at: u32,
}

impl Need {
    fn refusal(&self, now: &Project<'_>) -> Refusal {
        let (file, name) = (&self.file, &self.name);
        let both = if file < &self.from { [file, &self.from] } else { [&self.from, file] };
        let reason = format!(
            "{} and {} would import each other, and `{name}` is needed while {file} is loaded",
            both[0], both[1]
        );
        let suggestion = "move what they share along, or to a third file";
        let places = vec![now.place(file, self.at, name.clone())];
        Refusal { places, ..Refusal::new(reason, suggestion) }
    }
}

/// All files that load a file and are loaded by it, in whatever number of steps; itself among them.
fn component(project: &Project<'_>, path: &str) -> BTreeSet<String> {
    let mut users: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut seen = BTreeSet::from([path.to_owned()]);
    let mut open = vec![path.to_owned()];
    while let Some(file) = open.pop() {
        for next in loaded(project, &file) {
            users.entry(next.clone()).or_default().push(file.clone());
            if seen.len() <= MOST && seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    let mut found = BTreeSet::from([path.to_owned()]);
    open.push(path.to_owned());
    while let Some(file) = open.pop() {
        for user in users.get(&file).into_iter().flatten() {
            if found.insert(user.clone()) {
                open.push(user.clone());
            }
        }
    }
    found
}

/// Files that import each other by value, this one first.
pub(crate) fn cycle_through(project: &Project<'_>, path: &str) -> Option<Vec<String>> {
    let mut from: BTreeMap<String, String> = BTreeMap::new();
    let mut open = std::collections::VecDeque::from([path.to_owned()]);
    while let Some(file) = open.pop_front() {
        if from.len() > MOST {
            return None;
        }
        for next in loaded(project, &file) {
            if next == path {
                let mut cycle = vec![file.clone()];
                while let Some(previous) = from.get(&cycle[cycle.len() - 1]) {
                    cycle.push(previous.clone());
                }
                cycle.reverse();
                return Some(cycle);
            }
            if !from.contains_key(&next) {
                from.insert(next.clone(), file.clone());
                open.push_back(next);
            }
        }
    }
    None
}

/// The files that are loaded with a file.
pub(crate) fn loaded(project: &Project<'_>, path: &str) -> BTreeSet<String> {
    let Some(facts) = project.module(path) else { return BTreeSet::new() };
    let is_value = |it: &&crate::project::ImportStatement| {
        !it.is_type && (it.names.is_empty() || it.names.iter().any(|name| !name.is_type))
    };
    let targets = facts.statements.iter().filter(is_value).filter_map(|it| match &it.target {
        Target::File(file) => Some(file.clone()),
        Target::Package(_) | Target::Builtin | Target::Unknown => None,
    });
    targets.collect()
}

/// What the files of a cycle need of each other while they are loaded.
pub(crate) fn needs(project: &Project<'_>, files: &BTreeSet<String>) -> Vec<Need> {
    let mut found = Vec::new();
    for file in files {
        let Some(facts) = project.module(file) else { continue };
        let at_load = facts.names_at_load(&[]);
        for statement in facts.statements.iter().filter(|it| !it.is_reexport && !it.is_type) {
            let Target::File(from) = &statement.target else { continue };
            if !files.contains(from) {
                continue;
            }
            let names = statement.names.iter().filter(|it| !it.is_type);
            found.extend(names.filter(|it| at_load.contains(&it.local)).map(|name| Need {
                file: file.clone(),
                from: from.clone(),
                name: name.local.clone(),
                origin: project.imported_origin(&statement.target, &name.imported),
                at: name.range.start,
            }));
        }
    }
    found
}
