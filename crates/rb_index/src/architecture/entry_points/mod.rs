//! Where a reader starts: the files from which the product is started or used, each with its reasons.
//!
//! They are named by manifests, by the conventions of a framework, or by being a program. What a manifest names may
//! be built; it is led back to its source where that can be told. A file that nothing names and that cannot be
//! started is no entry point, however important it is.

mod compiled;
mod deploy;
pub(super) mod node;
mod python;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::patterns;
use super::scene::{ArchitectureInput, depth, name_of};
use crate::role::Role;
use crate::tree::FileId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryPoint {
    pub path: String,
    pub kind: EntryKind,
    /// Why it is thought to be one, the strongest first.
    pub reasons: Vec<String>,
    /// For those who work on the product, not for those who use it: scripts, tools, examples.
    pub secondary: bool,
}

/// In the order of the listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// Started by a person.
    Program,
    /// Started once, answers requests.
    Server,
    /// Where a user interface begins.
    App,
    /// Started by a platform for each event.
    Function,
    /// Takes its work from a queue.
    Worker,
    /// What others import.
    Library,
    /// Other parts that others can import by their own name.
    LibraryPart,
    /// Can be started by itself, though nothing says that it is meant to.
    Script,
}

impl EntryKind {
    pub fn name(self) -> &'static str {
        match self {
            EntryKind::Program => "program",
            EntryKind::Server => "server",
            EntryKind::App => "app",
            EntryKind::Function => "function",
            EntryKind::Worker => "worker",
            EntryKind::Library => "library",
            EntryKind::LibraryPart => "library part",
            EntryKind::Script => "script",
        }
    }
}

pub(super) fn find(scene: &ArchitectureInput) -> Vec<EntryPoint> {
    let mut found = EntryPoints { scene, list: BTreeMap::new() };
    for package in &scene.packages {
        node::find(&mut found, package);
        python::find(&mut found, package);
        compiled::find(&mut found, package);
    }
    compiled::named_after_package(&mut found);
    deploy::find(&mut found);
    by_name(&mut found);
    by_mark(&mut found);
    found.listed()
}

/// Entry points as they are found; a file found twice has two reasons.
struct EntryPoints<'s, 'a> {
    scene: &'s ArchitectureInput<'a>,
    list: BTreeMap<FileId, Candidate>,
}

struct Candidate {
    kind: EntryKind,
    reasons: Vec<String>,
    /// Something says that it is one; it is not only that it could be started.
    is_named: bool,
}

impl EntryPoints<'_, '_> {
    fn add(&mut self, file: FileId, kind: EntryKind, reason: impl Into<String>) {
        if !self.scene.is_code(file) {
            return;
        }
        let entry = self.list.entry(file).or_insert(Candidate {
            kind,
            reasons: Vec::new(),
            is_named: true,
        });
        let reason = reason.into();
        if !entry.reasons.contains(&reason) && entry.reasons.len() < MOST_REASONS {
            let place = if kind < entry.kind { 0 } else { entry.reasons.len() };
            entry.reasons.insert(place, reason);
        }
        entry.kind = kind.min(entry.kind);
    }

    /// A file that can be started. What is known of it already says more.
    fn add_unnamed(&mut self, file: FileId, kind: EntryKind) {
        let reasons = vec!["can be started by itself".to_owned()];
        self.list.entry(file).or_insert(Candidate { kind, reasons, is_named: false });
    }

    /// The first of these paths that is there.
    fn add_first(
        &mut self,
        paths: impl IntoIterator<Item = String>,
        kind: EntryKind,
        reason: &str,
    ) -> bool {
        let file = paths.into_iter().find_map(|path| self.scene.tree.find(&path));
        if let Some(file) = file {
            self.add(file, kind, reason);
        }
        file.is_some()
    }

    fn listed(self) -> Vec<EntryPoint> {
        let scene = self.scene;
        // The root's own package is the product; the others stand by their size.
        let weight = |path: &str| match scene.package_of(path) {
            Some(place) if scene.packages[place].dir.is_empty() => u64::MAX,
            Some(place) => scene.lines[scene.packages[place].dir],
            None => 0,
        };
        let mut listed: Vec<EntryPoint> = self
            .list
            .into_iter()
            .map(|(file, Candidate { kind, reasons, is_named })| {
                let path = scene.path(file).to_owned();
                let is_aside =
                    scene.role(file) != Role::Product || (!is_named && is_for_developers(&path));
                EntryPoint { kind, reasons, secondary: is_aside || kind == EntryKind::Script, path }
            })
            .collect();
        listed.sort_by_cached_key(|entry| {
            let order = (entry.secondary, std::cmp::Reverse(weight(&entry.path)), entry.kind);
            (order, depth(&entry.path), entry.path.clone())
        });
        let own = listed.iter().take_while(|entry| !entry.secondary).count();
        listed.truncate(own + MOST_SECONDARY);
        listed
    }
}

/// More say nothing new.
const MOST_REASONS: usize = 4;
/// Of the entry points beside the product, so many are kept.
pub const MOST_SECONDARY: usize = 30;

/// Programs beside the product that go by what they do for its makers.
pub(super) fn is_for_developers(path: &str) -> bool {
    const STARTS: &[&str] = &[
        "gen-", "gen_", "generate", "gendoc", "xtask", "build-", "build_", "release", "lint-",
        "mock", "bench", "test", "haml-", "i18n-", "bundle",
    ];
    // Programs of others that a project keeps a starter for.
    const WORDS: &[&str] = &[
        "build",
        "setup",
        "gulpfile",
        "gruntfile",
        "docs",
        "brakeman",
        "flatware",
        "rspec",
        "rubocop",
        "yarn",
        "rake",
        "dev",
        "spring",
        "erb_lint",
        "importmap",
        "webpack",
        "vite",
        "update",
        "ci",
    ];
    let mut parts = path.rsplit('/').take(2).map(|part| part.split('.').next().unwrap_or(part));
    let is_word = |part: &str| {
        let part = part.to_ascii_lowercase();
        STARTS.iter().any(|start| part.starts_with(start))
            || ["benchmark", "example", "demo", "sample"].iter().any(|end| part.ends_with(end))
    };
    let stem = name_of(path).split('.').next().unwrap_or_default();
    parts.any(is_word)
        || WORDS.contains(&stem)
        || name_of(path).contains(".config.")
        || name_of(path) == "setup.py"
}

/// Files that are entry points by their name, wherever they lie in the product.
fn by_name(found: &mut EntryPoints) {
    let scene = found.scene;
    for id in scene.product() {
        let path = scene.path(id);
        let is_top = depth(path) <= 1;
        match name_of(path) {
            "manage.py" => found.add(id, EntryKind::Program, "manages a Django project"),
            "wsgi.py" | "asgi.py" if !is_in_library(scene, path) => {
                found.add(id, EntryKind::Server, "is what a Python web server loads");
            }
            "__main__.py" => found.add(id, EntryKind::Program, "runs with python -m"),
            "config.ru" if is_top => {
                found.add(id, EntryKind::Server, "is what a Ruby web server loads");
            }
            "artisan" if is_top => found.add(id, EntryKind::Program, "is Laravel's command line"),
            "celery.py" => found.add(id, EntryKind::Worker, "sets up Celery"),
            "main.dart" => found.add(id, EntryKind::App, "starts a Flutter app"),
            "AppDelegate.swift" => found.add(id, EntryKind::App, "starts an iOS app"),
            "routes.rb" if path == "config/routes.rb" => {
                found.add(id, EntryKind::App, "maps requests to Rails controllers");
            }
            _ => {}
        }
        if path == "public/index.php" {
            found.add(id, EntryKind::Server, "takes every request");
        }
    }
}

fn is_in_library(scene: &ArchitectureInput, path: &str) -> bool {
    scene.package_of(path).is_some_and(|place| patterns::is_library(scene, &scene.packages[place]))
}

/// Files that the language can start. Those with a place and a name for it are programs, the others scripts.
fn by_mark(found: &mut EntryPoints) {
    let scene = found.scene;
    for id in scene.tree.ids().filter(|&id| scene.tree.get(id).marks.main && scene.is_code(id)) {
        let path = scene.path(id);
        match scene.role(id) {
            Role::Product => {
                let kind = if compiled::is_program(scene, id) {
                    EntryKind::Program
                } else {
                    EntryKind::Script
                };
                found.add_unnamed(id, kind);
            }
            Role::Tooling | Role::Example => {
                if depth(path) <= 3 {
                    found.add_unnamed(id, EntryKind::Script);
                }
            }
            Role::Docs | Role::Test | Role::Vendored => {}
        }
    }
}
