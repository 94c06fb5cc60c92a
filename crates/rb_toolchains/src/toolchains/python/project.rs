//! Which folders are Python projects, and which tools their settings name.

use crate::aside::{LeftOut, is_aside};
use crate::command::CommandOrigin;
use crate::tree::{Tree, ends, is_within, join, split};

use super::unittest::{self, Tests};

pub(super) struct Project<'t> {
    pub(super) folder: &'t str,
    pub(super) name: Option<String>,
    pub(super) manager: &'static str,
    pub(super) lockfiles: Vec<String>,
    pub(super) asks_for_packages: bool,
    pyproject: toml::Table,
    /// Settings files in the older form, and lists of requirements: path and text.
    texts: Vec<(String, String)>,
    /// Folders of projects further down, whose files are theirs.
    inner: Vec<&'t str>,
}

const MANIFESTS: [&str; 6] =
    ["pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", "manage.py"];
const LOCKFILES: [(&str, &str); 5] = [
    ("uv.lock", "uv"),
    ("poetry.lock", "poetry"),
    ("pdm.lock", "pip"),
    ("Pipfile.lock", "pip"),
    ("requirements.txt", "pip"),
];

pub(super) fn find<'t>(tree: &Tree<'t>) -> Vec<Project<'t>> {
    let mut folders: Vec<&str> =
        MANIFESTS.iter().flat_map(|name| tree.folders_with(name)).collect();
    // A folder of scripts with nothing but a list of requirements is a project too.
    folders.extend(tree.folders_with("requirements.txt"));
    // So is one with nothing but tests beside what they test: an exercise, a script.
    folders.extend(["", "tests", "test"].iter().filter(|at| has_tests(tree, at)).map(|_| ""));
    folders.sort_unstable();
    folders.dedup();
    let mut left_out = LeftOut::default();
    folders.retain(|folder| {
        let aside = is_aside(folder);
        if aside && tree.has(&join(folder, "pyproject.toml")) {
            left_out.add(folder);
        }
        !aside
    });
    left_out.tell(tree, "pyproject.toml");
    // Documentation has requirements of its own and no tests.
    folders.retain(|folder| !matches!(split(folder).1, "docs" | "doc"));
    let inner = |folder: &str| {
        folders.iter().copied().filter(|at| *at != folder && is_within(at, folder)).collect()
    };
    folders
        .iter()
        .map(|folder| Project::read(tree, folder, inner(folder)))
        .filter(|project| project.has_python(tree))
        .collect()
}

impl<'t> Project<'t> {
    fn read(tree: &Tree<'t>, folder: &'t str, inner: Vec<&'t str>) -> Self {
        let pyproject = tree.toml(&join(folder, "pyproject.toml")).unwrap_or_default();
        let mut texts = Vec::new();
        for name in tree.names_in(folder).filter(|name| is_settings(name)) {
            let path = join(folder, name);
            texts.extend(tree.read(&path).map(|text| (path, text)));
        }
        let lockfiles: Vec<(String, &'static str)> = LOCKFILES
            .iter()
            .map(|&(name, manager)| (join(folder, name), manager))
            .filter(|(path, _)| tree.has(path))
            .collect();
        let tool = |name: &str| pyproject.get("tool").is_some_and(|tool| tool.get(name).is_some());
        let manager = match lockfiles.first() {
            Some((_, manager)) => manager,
            None if tool("poetry") => "poetry",
            None if tool("uv") => "uv",
            None => "pip",
        };
        let name = |keys: &[&str]| {
            let (first, rest) = keys.split_first()?;
            let value = rest.iter().try_fold(pyproject.get(*first)?, |at, key| at.get(key))?;
            value.as_str().map(str::to_owned)
        };
        Project {
            folder,
            name: name(&["project", "name"]).or_else(|| name(&["tool", "poetry", "name"])),
            manager,
            lockfiles: lockfiles.into_iter().map(|(path, _)| path).collect(),
            asks_for_packages: pyproject
                .get("project")
                .is_some_and(|project| project.get("dependencies").is_some())
                || tool("poetry"),
            pyproject,
            texts,
            inner,
        }
    }

    pub(super) fn files<'s>(&'s self, tree: &'s Tree<'t>) -> impl Iterator<Item = &'t str> + 's {
        let own = |path: &&str| !self.inner.iter().any(|inner| is_within(path, inner));
        tree.below(self.folder).filter(own).filter(|path| ends(path, &[".py"]))
    }

    /// A `pyproject.toml` may only hold settings of a tool for another language.
    fn has_python(&self, tree: &Tree<'t>) -> bool {
        self.files(tree).next().is_some()
    }

    fn path(&self, name: &str) -> String {
        join(self.folder, name)
    }

    /// The list of further packages that tests need.
    pub(super) fn extra(&self) -> Option<&'static str> {
        let extras = self.pyproject.get("project")?.get("optional-dependencies")?;
        ["test", "tests", "testing", "dev"].into_iter().find(|name| extras.get(name).is_some())
    }

    /// Where the settings of a tool are, if they are anywhere.
    pub(super) fn tool(&self, tree: &Tree<'t>, name: &str) -> Option<CommandOrigin> {
        let table = self.pyproject.get("tool").and_then(|tool| match name {
            "ruff-format" => tool.get("ruff")?.get("format"),
            name => tool.get(name),
        });
        if table.is_some() {
            return Some(CommandOrigin {
                file: self.path("pyproject.toml"),
                what: format!("[tool.{}]", name.replace('-', ".")),
            });
        }
        let files: &[&str] = match name {
            "mypy" => &["mypy.ini", ".mypy.ini"],
            "pyright" => &["pyrightconfig.json"],
            "ruff" => &["ruff.toml", ".ruff.toml"],
            "flake8" => &[".flake8"],
            "pylint" => &[".pylintrc", "pylintrc"],
            _ => &[],
        };
        if let Some(file) = files.iter().map(|file| self.path(file)).find(|file| tree.has(file)) {
            return Some(CommandOrigin { file, what: format!("settings of {name}") });
        }
        let header = format!("[{name}]");
        let (file, _) = self
            .texts
            .iter()
            .find(|(path, text)| is_ini(path) && text.lines().any(|line| line.trim() == header))?;
        Some(CommandOrigin { file: file.clone(), what: header })
    }

    pub(super) fn tests(&self, tree: &Tree<'t>) -> Option<Tests> {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        if let Some(found) = self.pytest(tree) {
            return Some((words("-m pytest"), self.folder.to_owned(), found));
        }
        let runtests = self.path("tests/runtests.py");
        if tree.has(&runtests) {
            let found = CommandOrigin { file: runtests, what: "the project's own runner".to_owned() };
            return Some((words("runtests.py"), self.path("tests"), found));
        }
        let manage = self.path("manage.py");
        if tree.read(&manage).is_some_and(|text| text.contains("django")) {
            return Some((
                words("manage.py test"),
                self.folder.to_owned(),
                CommandOrigin { file: manage, what: "Django".to_owned() },
            ));
        }
        unittest::find(self, tree)
    }

    fn pytest(&self, tree: &Tree<'t>) -> Option<CommandOrigin> {
        let tool = self.pyproject.get("tool").and_then(|tool| tool.get("pytest"));
        if let Some(table) = tool {
            let what = if table.get("ini_options").is_some() {
                "[tool.pytest.ini_options]"
            } else {
                "[tool.pytest]"
            };
            return Some(CommandOrigin { file: self.path("pyproject.toml"), what: what.to_owned() });
        }
        let ini = [
            "pytest.ini",
            ".pytest.ini",
            "pytest.toml",
            "tests/conftest.py",
            "test/conftest.py",
            "conftest.py",
            "tests/pytest.ini",
        ];
        if let Some(file) = ini.iter().map(|name| self.path(name)).find(|path| tree.has(path)) {
            return Some(CommandOrigin { file, what: "settings of pytest".to_owned() });
        }
        let headers = ["[tool:pytest]", "[pytest]"];
        for (path, text) in &self.texts {
            if let Some(header) = headers
                .iter()
                .find(|header| is_ini(path) && text.lines().any(|line| line.trim() == **header))
            {
                return Some(CommandOrigin { file: path.clone(), what: (*header).to_owned() });
            }
            if names_pytest(path, text) {
                return Some(CommandOrigin { file: path.clone(), what: "asks for pytest".to_owned() });
            }
        }
        let file = self.files(tree).filter(|path| is_test(path)).take(200).find(|path| {
            tree.read(path).is_some_and(|text| {
                text.lines().any(|line| {
                    line.starts_with("import pytest") || line.starts_with("from pytest")
                })
            })
        })?;
        Some(CommandOrigin { file: file.to_owned(), what: "imports pytest".to_owned() })
    }
}

fn has_tests(tree: &Tree<'_>, folder: &str) -> bool {
    tree.names_in(folder).any(|name| ends(name, &[".py"]) && is_test(name))
}

fn is_settings(name: &str) -> bool {
    matches!(
        name,
        "pyproject.toml"
            | "setup.cfg"
            | "tox.ini"
            | "setup.py"
            | "noxfile.py"
            | ".flake8"
            | "Pipfile"
    ) || (name.contains("requirements") && ends(name, &[".txt", ".in"]))
}

fn is_ini(path: &str) -> bool {
    ends(path, &[".cfg", ".ini", ".flake8"])
}

/// `pytest>=7` or `"pytest"` in a list; `pytest-cov` alone comes with pytest as well.
fn names_pytest(path: &str, text: &str) -> bool {
    let is_list = !is_ini(path) || path.ends_with("tox.ini") || path.ends_with("setup.cfg");
    is_list
        && text.lines().any(|line| {
            let line = line.split('#').next().unwrap_or_default();
            line.match_indices("pytest").any(|(at, _)| {
                line[..at].chars().next_back().is_none_or(|c| " \t\"'[,(".contains(c))
            })
        })
}

pub(super) fn is_test(path: &str) -> bool {
    let name = split(path).1;
    name.starts_with("test_")
        || name.ends_with("_test.py")
        || name == "tests.py"
        || name == "test.py"
}
