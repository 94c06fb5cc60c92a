//! Which files move where.

use std::collections::BTreeMap;

use crate::files::join;
use crate::operations::move_symbols::check_path;
use crate::outcome::Refusal;
use crate::project::Project;

#[derive(Debug, Clone)]
pub(super) struct Paths {
    /// The file that stands for the module: `a/b.py`, `a/b/__init__.py`.
    pub(super) old_module: String,
    pub(super) new_module: String,
    /// Every file that moves, and where to.
    pub(super) files: BTreeMap<String, String>,
}

impl Paths {
    pub(super) fn new(project: &Project<'_>, path: &str, to: &str) -> Result<Self, Refusal> {
        let path = path.trim_end_matches('/');
        let paths = match package(project, path) {
            Some(folder) => Paths::of_package(project, folder, to)?,
            None => Paths::of_file(project, path, to)?,
        };
        for new in paths.files.values() {
            let is_there = project.files.text(new).is_some() && !paths.files.contains_key(new);
            if is_there {
                return Err(Refusal::new(
                    format!("there is a file {new} already"),
                    "choose another name",
                ));
            }
        }
        Ok(paths)
    }

    fn of_file(project: &Project<'_>, path: &str, to: &str) -> Result<Self, Refusal> {
        if project.source(path).is_none() {
            let reason =
                format!("{path} is not a Python file of the project, or has syntax errors");
            return Err(Refusal::new(reason, "name the file of a module"));
        }
        let file = path.rsplit('/').next().unwrap_or(path);
        let is_folder = to.ends_with('/') || !to.contains('.');
        let to = if is_folder { join(to.trim_end_matches('/'), file) } else { to.to_owned() };
        check_path(&to)?;
        if to == path {
            return Err(Refusal::new(
                format!("{path} has that name already"),
                "choose another name",
            ));
        }
        let mut files = BTreeMap::from([(path.to_owned(), to.clone())]);
        let stub = path.strip_suffix(".py").map(|stem| format!("{stem}.pyi"));
        if let Some(stub) = stub.filter(|stub| project.exists(stub)) {
            files.insert(stub, format!("{to}i"));
        }
        Ok(Paths { old_module: path.to_owned(), new_module: to, files })
    }

    fn of_package(project: &Project<'_>, folder: &str, to: &str) -> Result<Self, Refusal> {
        let target = to.trim_end_matches('/');
        let target = target.strip_suffix("/__init__.py").unwrap_or(target);
        check_path(&format!("{target}.py"))?;
        let beginning = format!("{folder}/");
        if target == folder || target.starts_with(&beginning) {
            let reason = format!("{folder} cannot become {target}");
            return Err(Refusal::new(reason, "choose a folder outside of it"));
        }
        let files = project.files.paths().into_iter().filter_map(|path| {
            let new = path.strip_prefix(&beginning).map(|rest| format!("{target}/{rest}"));
            new.map(|new| (path, new))
        });
        Ok(Paths {
            old_module: join(folder, "__init__.py"),
            new_module: format!("{target}/__init__.py"),
            files: files.collect(),
        })
    }

    /// Where a file is afterwards.
    pub(super) fn renamed(&self, path: &str) -> String {
        self.files.get(path).cloned().unwrap_or_else(|| path.to_owned())
    }

    pub(super) fn title(&self) -> String {
        let short = |path: &str| path.strip_suffix("/__init__.py").unwrap_or(path).to_owned();
        format!("{} renamed to {}", short(&self.old_module), short(&self.new_module))
    }
}

/// The folder of a package that is named by itself or by its `__init__.py`.
fn package<'p>(project: &Project<'_>, path: &'p str) -> Option<&'p str> {
    let folder = path.strip_suffix("/__init__.py").unwrap_or(path);
    let is_package = project.exists(&join(folder, "__init__.py"));
    is_package.then_some(folder)
}
