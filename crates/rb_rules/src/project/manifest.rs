//! `package.json` and the catalogs of a workspace: who depends on what, and in which range.
//!
//! A file that has no name and no dependencies (`{"type": "module"}`) speaks for no package; what is below it belongs to
//! the package around. A file that is not JSON is passed over.

use std::collections::BTreeMap;

use rb_index::Tree;
use rb_index::role::Role;

use super::json::Json;
use super::lines::lines;
use super::paths::{ancestors, file_name, parent};

#[derive(Debug)]
pub(super) struct Manifest {
    /// The folder; empty for the root.
    pub(super) dir: String,
    pub(super) doc: Json,
    /// All that it depends on, in whatever way; what it needs to run comes before what it is built with.
    pub(super) ranges: BTreeMap<String, String>,
}

impl Manifest {
    pub(super) fn parse(dir: &str, text: &str) -> Option<Manifest> {
        let doc = Json::parse(text)?;
        let lists = ["peerDependencies", "devDependencies", "optionalDependencies", "dependencies"];
        let entries = lists.iter().filter_map(|list| doc.get(list)).flat_map(Json::entries);
        let ranges: BTreeMap<String, String> = entries
            .map(|(name, range)| (name.to_string(), range.text().unwrap_or("").to_owned()))
            .collect();
        let is_package = doc.get("name").is_some() || !ranges.is_empty();
        is_package.then(|| Manifest { dir: dir.to_owned(), doc, ranges })
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.doc.text_at("name")
    }

    pub(super) fn is_private(&self) -> bool {
        self.doc.is_true("private")
    }

    pub(super) fn peer(&self, name: &str) -> Option<&str> {
        self.doc.get("peerDependencies")?.text_at(name)
    }
}

/// All packages of the repository, by folder.
#[derive(Debug, Default)]
pub(super) struct Manifests {
    pub(super) all: BTreeMap<String, Manifest>,
    catalogs: BTreeMap<String, Catalog>,
}

/// Ranges by the name of the catalog and of the package; the catalog without a name is `default`.
type Catalog = BTreeMap<(String, String), String>;

impl Manifests {
    pub(super) fn read(tree: &Tree, text_of: &dyn Fn(&str) -> Option<String>) -> Manifests {
        let mut found = Manifests::default();
        for file in &tree.files {
            let (dir, name) = (parent(&file.path), file_name(&file.path));
            if !matches!(name, "package.json" | "pnpm-workspace.yaml" | ".yarnrc.yml")
                || Role::of(&file.path) == Role::Vendored
            {
                continue;
            }
            let Some(text) =
                file.manifest.as_deref().map(str::to_owned).or_else(|| text_of(&file.path))
            else {
                continue;
            };
            if name == "package.json" {
                let manifest = Manifest::parse(dir, &text);
                let catalog = manifest.as_ref().map(|it| catalog_of_bun(&it.doc));
                found
                    .catalogs
                    .entry(dir.to_owned())
                    .or_default()
                    .extend(catalog.unwrap_or_default());
                found.all.extend(manifest.map(|it| (dir.to_owned(), it)));
            } else {
                found.catalogs.entry(dir.to_owned()).or_default().extend(catalog_of_yaml(&text));
            }
        }
        found.catalogs.retain(|_, catalog| !catalog.is_empty());
        found
    }

    /// The package that a folder belongs to.
    pub(super) fn around(&self, folder: &str) -> Option<&Manifest> {
        ancestors(folder).find_map(|dir| self.all.get(dir))
    }

    /// That package and those around it, the innermost first: what they install can be imported.
    pub(super) fn visible(&self, folder: &str) -> impl Iterator<Item = &Manifest> {
        ancestors(folder).filter_map(|dir| self.all.get(dir))
    }

    pub(super) fn named(&self, name: &str) -> Option<&Manifest> {
        self.all.values().find(|it| it.name() == Some(name))
    }

    /// The range behind `catalog:`, `catalog:name` or `npm:name@range`. `None` for another package under this name.
    pub(super) fn plain_range<'a>(
        &'a self,
        dir: &str,
        name: &str,
        range: &'a str,
    ) -> Option<&'a str> {
        if let Some(catalog) = range.strip_prefix("catalog:") {
            let catalog = if catalog.is_empty() { "default" } else { catalog };
            let key = (catalog.to_owned(), name.to_owned());
            return ancestors(dir)
                .find_map(|dir| self.catalogs.get(dir)?.get(&key))
                .map(|it| &**it);
        }
        match range.strip_prefix("npm:") {
            // Either `npm:^1.2` or `npm:other@^1.2`.
            Some(alias) => match alias.rsplit_once('@').filter(|(other, _)| !other.is_empty()) {
                Some((other, range)) => (other == name).then_some(range),
                None => Some(alias),
            },
            None => Some(range),
        }
    }
}

fn catalog_of_yaml(text: &str) -> Catalog {
    let mut catalog = Catalog::new();
    let (mut section, mut name) = ("", "default");
    for line in lines(text) {
        match (line.indent, section) {
            (0, _) => (section, name) = (line.key, "default"),
            (_, "catalogs") if line.value.is_empty() => name = line.key,
            (_, "catalog" | "catalogs") => {
                catalog.insert((name.to_owned(), line.key.to_owned()), line.value.to_owned());
            }
            _ => {}
        }
    }
    catalog
}

/// Bun keeps them in `package.json`, at the top or under `workspaces`.
fn catalog_of_bun(doc: &Json) -> Catalog {
    let mut catalog = Catalog::new();
    let mut add = |name: &str, entries: &Json| {
        for (package, range) in entries.entries() {
            let key = (name.to_owned(), package.to_string());
            catalog.insert(key, range.text().unwrap_or("").to_owned());
        }
    };
    for place in [Some(doc), doc.get("workspaces")].into_iter().flatten() {
        if let Some(entries) = place.get("catalog") {
            add("default", entries);
        }
        for (name, entries) in place.get("catalogs").map_or(&[][..], Json::entries) {
            add(name, entries);
        }
    }
    catalog
}
