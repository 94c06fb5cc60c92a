//! The files that a directive asks to be made: where each would lie, and which task may create it.

use crate::batch_files::{NEW_FILES, is_creatable};
use crate::draft::Draft;
use crate::here;
use crate::reach::Reach;
use crate::repo_facts::{RepoFacts, folder, scope_glob, text};

/// Lets the task whose files lie in the folder of a new file create it, else the first. `words`: the part of the directive that the
/// tasks are for; `lead`: the file that they are about most of all.
pub(crate) fn allow(
    repo: &RepoFacts<'_>,
    words: &str,
    tasks: &mut [Draft],
    lead: &str,
    reach: &Reach,
) {
    let asked = reach.coming().filter(|it| words.contains(*it));
    let placed = asked.filter_map(|it| placed(repo, it, lead));
    let is_open = |it: &String| !reach.leaves_out(it) && !repo.exists(it) && is_creatable(repo, it);
    for path in placed.filter(is_open).take(NEW_FILES) {
        let is_beside =
            |it: &Draft| it.task.files.iter().any(|file| folder(text(file)) == folder(&path));
        let at = tasks.iter().position(is_beside).unwrap_or(0);
        let Some(draft) = tasks.get_mut(at) else { return };
        draft.task.scope_globs.push(scope_glob(&path));
        let operations = &mut draft.task.allowed_operations;
        if !operations.iter().any(|it| it == CREATE) {
            operations.push(CREATE.to_owned());
        }
    }
}

const CREATE: &str = "create-file";

/// Where a new file would lie: in its folder where there is one, else beside the file that the tasks are about. A module gets the
/// ending of that file.
fn placed(repo: &RepoFacts<'_>, name: &str, lead: &str) -> Option<String> {
    if name.contains('/') {
        let below = repo.input.folder.map(|it| format!("{}/{name}", text(it)));
        let mut places = std::iter::once(name.to_owned()).chain(below);
        return places.find(|it| here::is_folder(repo, folder(it)));
    }
    let ending = |path: &str| path.rsplit_once('.').map(|it| it.1.to_owned());
    let beside = |name: &str| match folder(lead) {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    };
    match (ending(name), ending(lead)) {
        (None, Some(ending)) => Some(beside(&format!("{name}.{ending}"))),
        (own, of_lead) if own.is_some() && own == of_lead => Some(beside(name)),
        (Some(_), _) => Some(name.to_owned()),
        (None, None) => None,
    }
}
