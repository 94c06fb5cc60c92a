//! Programs that Python manifests install, and the package that others import.

use super::{EntryKind, EntryPoints};
use crate::architecture::scene::join;
use crate::manifests::text::all_quoted;
use crate::manifests::{Ecosystem, Package};
use crate::tree::FileId;

pub(super) fn find(found: &mut EntryPoints, package: &Package) {
    if package.ecosystem != Ecosystem::Python {
        return;
    }
    for keys in
        [&["project", "scripts"][..], &["project", "gui-scripts"], &["tool", "poetry", "scripts"]]
    {
        let table = package.toml(keys).and_then(toml::Value::as_table);
        for (name, target) in table.into_iter().flatten() {
            install(found, package, name, target.as_str().unwrap_or(""));
        }
    }
    console_scripts(found, package);
    library(found, package);
}

fn install(found: &mut EntryPoints, package: &Package, name: &str, target: &str) {
    if let Some(file) = module(found, package.dir, target) {
        found.add(file, EntryKind::Program, format!("{} installs it as {name}", package.path));
    }
}

/// `name = package.module:function`, in `setup.cfg` on a line of its own, in `setup.py` in quotes.
fn console_scripts(found: &mut EntryPoints, package: &Package) {
    let Some((_, after)) = package.text().split_once("console_scripts") else { return };
    let near =
        after.lines().skip(1).take(40).take_while(|line| {
            !line.starts_with('[') && !line.trim_start().starts_with([']', '}'])
        });
    for line in near {
        let quoted = all_quoted(line).find(|text| text.contains('='));
        if let Some((name, target)) = quoted.unwrap_or(line).split_once('=') {
            install(found, package, name.trim(), target.trim());
        }
    }
}

fn library(found: &mut EntryPoints, package: &Package) {
    let is_started = !crate::architecture::patterns::is_library(found.scene, package);
    let Some(name) = package.about.name.as_deref().filter(|_| !is_started) else { return };
    let folder = name.to_lowercase().replace(['-', '.'], "_");
    let paths =
        ["", "src"].map(|root| join(&join(package.dir, root), &format!("{folder}/__init__.py")));
    found.add_first(paths, EntryKind::Library, &format!("is what import {folder} loads"));
}

/// The file of `package.module:function`.
pub(super) fn module(found: &EntryPoints, dir: &str, target: &str) -> Option<FileId> {
    let module = target.split([':', '[', ' ']).next()?.trim();
    let is_name =
        !module.is_empty() && module.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    if !is_name || module.starts_with('.') || module.contains("..") {
        return None;
    }
    let path = module.replace('.', "/");
    let roots = [dir.to_owned(), join(dir, "src"), String::new(), "src".to_owned()];
    roots.iter().find_map(|root| {
        let path = join(root, &path);
        [format!("{path}.py"), format!("{path}/__main__.py"), format!("{path}/__init__.py")]
            .iter()
            .find_map(|path| found.scene.tree.find(path))
    })
}
