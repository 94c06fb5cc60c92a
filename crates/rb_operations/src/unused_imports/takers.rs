//! Who else uses what a module imports: files that import it from there, or write it behind the name of the module.

use rb_python::{Import, Source};

use crate::project::{Project, word_ranges};

/// How other files may write the module: its last part, and the names that they import it under.
pub(super) struct ModuleNames {
    path: String,
    names: Vec<String>,
}

impl ModuleNames {
    pub(super) fn of(project: &Project<'_>, path: &str) -> Self {
        let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".py").to_owned();
        let mut names = vec![stem.clone()];
        for user in project.files_with(&[&stem]) {
            let Some(source) = project.source(&user).filter(|_| user != path) else { continue };
            for (import, name) in all_names(&source) {
                if leads_to(project, &source, import, name, path) {
                    names.push(import.names[name].local().to_owned());
                }
            }
        }
        names.sort();
        names.dedup();
        ModuleNames { path: path.to_owned(), names }
    }

    /// Does another file take the name from the module, or write it behind the module's name?
    pub(super) fn is_taken(&self, project: &Project<'_>, local: &str) -> bool {
        let others = project.files_with(&[local]);
        others.iter().filter(|path| path.as_str() != self.path).any(|path| {
            let Some(source) = project.source(path) else { return true };
            let is_import = all_names(&source).any(|(import, name)| {
                import.is_from
                    && import.names[name].name == local
                    && project.files.resolve(path, &import.specifier(name)).as_deref()
                        == Some(&*self.path)
            });
            is_import || self.is_written(source.text(), local)
        }) || project.star_imports().iter().any(|(_, module)| *module == self.path)
            || project.files.paths().iter().filter(|it| is_settings(it)).any(|path| {
                let text = project.files.text(path);
                text.is_some_and(|text| self.is_written(&text, local))
            })
    }

    /// `module.name`, `module:name`, `module, "name"`.
    fn is_written(&self, text: &str, local: &str) -> bool {
        word_ranges(text, local).any(|place| {
            let before = &text[..place.start];
            let before = before.trim_end_matches(['"', '\'', 'r', 'b']).trim_end();
            let Some(before) = before.strip_suffix(['.', ':', ',']) else { return false };
            let before = before.trim_end();
            self.names.iter().any(|name| {
                before
                    .strip_suffix(name.as_str())
                    .is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
            })
        })
    }
}

fn is_settings(path: &str) -> bool {
    [".toml", ".cfg", ".ini", ".yaml", ".yml", ".json"].iter().any(|end| path.ends_with(end))
}

fn all_names(source: &Source) -> impl Iterator<Item = (&Import, usize)> {
    let imports = source.imports().iter();
    imports.flat_map(|import| (0..import.names.len()).map(move |name| (import, name)))
}

/// What `from a import b` names if `b` is a module: `a.b`.
pub(super) fn below(specifier: &str, import: &Import, name: usize) -> String {
    let dot = if specifier.ends_with('.') { "" } else { "." };
    format!("{specifier}{dot}{}", import.names[name].name)
}

/// Does the import bind the module itself?
pub(super) fn leads_to(
    project: &Project<'_>,
    source: &Source,
    import: &Import,
    name: usize,
    path: &str,
) -> bool {
    let specifier = import.specifier(name);
    let module = if import.is_from { below(&specifier, import, name) } else { specifier };
    project.files.resolve(source.path(), &module).as_deref() == Some(path)
}
