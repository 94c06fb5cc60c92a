//! `from m import *`: it brings the new name along to files that may have one, and brings none that begins with `_`.

use std::collections::BTreeSet;

use super::Request;
use super::exposure::{Exposure, Kept};
use crate::operations::calls::refusal;
use crate::outcome::{Place, Refusal};
use crate::project::Project;

pub(super) fn check(
    project: &Project<'_>,
    request: &Request<'_>,
    exposure: &Exposure,
    kept: &Kept,
) -> Result<(), Refusal> {
    let mut exposing: BTreeSet<&str> = exposure.importing_modules();
    exposing.insert(&request.symbol.path);
    exposing.retain(|path| !kept.modules.contains(*path));
    let mut places = Vec::new();
    for path in project.files_with(&[request.to]) {
        let Some(source) = project.source(&path) else { continue };
        let stars = source.imports().iter().filter(|import| import.names.iter().any(is_star));
        let is_reached = |import: &&rb_python::Import| {
            let file = project.files.resolve(&path, &import.specifier(0));
            file.is_some_and(|file| exposing.contains(file.as_str()))
        };
        let reaching = stars.filter(is_reached);
        let is_used = source.scopes().global(request.to).is_some()
            || source.scopes().names.iter().any(|n| n.variable.is_none() && n.name == request.to);
        places.extend(reaching.filter(|_| is_used).map(|import| Place {
            path: path.clone(),
            line: source.line(import.range.start()),
            what: format!("`import *` would bring `{}` to a file that has one", request.to),
        }));
    }
    let hides = request.to.starts_with('_') && !request.old.starts_with('_');
    let hidden = exposing.iter().filter(|path| !lists(project, path, request.old));
    for file in hidden.flat_map(|path| exposure.star_importers(path)).filter(|_| hides) {
        let what = format!("`import *` does not bring `{}`", request.to);
        places.push(Place { path: file.to_owned(), line: 1, what });
    }
    if places.is_empty() {
        return Ok(());
    }
    let reason = format!("`{}` is reached by `import *`", request.symbol.name);
    let suggestion = "import it by name in these files first, or choose another name";
    Err(refusal(reason, places, suggestion))
}

fn is_star(name: &rb_python::ImportName) -> bool {
    name.name == "*"
}

/// Is it in `__all__` of this file?
pub(super) fn lists(project: &Project<'_>, path: &str, name: &str) -> bool {
    let source = project.source(path);
    let all = source.as_ref().and_then(|source| source.all());
    all.is_some_and(|all| all.entries.iter().any(|entry| entry.name == name))
}
