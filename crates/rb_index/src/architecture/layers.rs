//! Layers: which folders stand above which, by who imports whom.
//!
//! Where a pattern has layers, they have its names and its order, and what goes against it is a breach of the pattern.
//! Else the order is computed: the one that the fewest imports contradict. It never guesses an order without imports.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::scene::{ArchitectureInput, folder_of, is_inside, join, name_of};
use super::{Family, Finding, Pattern};
use crate::tree::FileId;

/// One way to cut the product into layers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layering {
    /// Whose names and order these are; `None` where the order was computed from the imports between folders.
    pub pattern: Option<Pattern>,
    /// The topmost first: it imports those below.
    pub layers: Vec<Layer>,
    /// Imports that lead upwards, the most frequent first.
    pub against: Vec<Against>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    pub name: String,
    /// Several where they import each other, or where none is above the other.
    pub folders: Vec<LayerFolder>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerFolder {
    pub path: String,
    /// Product files that are code.
    pub files: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Against {
    pub from: String,
    pub to: String,
    pub imports: u32,
    /// One of them: the importing file and the imported one.
    pub example: (String, String),
}

pub(super) fn find(scene: &ArchitectureInput, patterns: &[Finding]) -> Vec<Layering> {
    let structural =
        patterns.iter().filter(|finding| finding.pattern.family() == Family::Structure);
    let named = structural.filter_map(|finding| by_pattern(scene, finding.pattern));
    let is_cut = |finding: &Finding| {
        matches!(
            finding.pattern,
            Pattern::Monorepo | Pattern::CargoWorkspace | Pattern::MultiModule
        )
    };
    let units = if patterns.iter().any(is_cut) { packages(scene) } else { top_folders(scene) };
    named.chain(by_imports(scene, &units)).collect()
}

const CONTROLLERS: &[&str] = &["controllers", "controller"];
const MODELS: &[&str] = &["models", "model", "entities", "entity"];

/// The folders of the pattern, the topmost first, if they are there.
pub(super) fn mvc(scene: &ArchitectureInput) -> Option<Vec<Option<String>>> {
    let kinds = [CONTROLLERS, &["views", "view", "templates"], MODELS];
    scene.side_by_side(&kinds, |found| found.iter().all(Option::is_some))
}

pub(super) fn clean(scene: &ArchitectureInput) -> Option<Vec<Option<String>>> {
    let kinds: [&[&str]; 4] = [
        &[
            "presentation",
            "interfaces",
            "interface",
            "ports",
            "delivery",
            "entrypoints",
            "ui",
            "web",
            "api",
        ],
        &["infrastructure", "infra", "adapters", "adapter"],
        &["application", "usecases", "usecase", "use_cases", "use-cases"],
        &["domain", "core"],
    ];
    scene.side_by_side(&kinds, |found| {
        let [outer, infrastructure, application, domain] = found else { return false };
        let is_ports = outer.as_deref().is_some_and(|path| name_of(path) == "ports");
        let is_domain = domain.as_deref().is_some_and(|path| name_of(path) != "core");
        infrastructure.is_some()
            && ((is_domain && application.is_some()) || (is_ports && domain.is_some()))
            || (is_domain && application.is_some() && outer.is_some())
    })
}

pub(super) fn layered(scene: &ArchitectureInput) -> Option<Vec<Option<String>>> {
    let kinds: [&[&str]; 4] = [
        &[
            "controllers",
            "controller",
            "handlers",
            "handler",
            "routes",
            "routers",
            "api",
            "rest",
            "web",
            "resources",
            "endpoints",
        ],
        &["services", "service", "business", "usecases", "logic"],
        &[
            "repositories",
            "repository",
            "dao",
            "dal",
            "persistence",
            "stores",
            "store",
            "db",
            "database",
            "data",
        ],
        &["models", "model", "entities", "entity", "domain", "schemas"],
    ];
    scene.side_by_side(&kinds, |found| {
        let [upper, services, stores, models] = found else { return false };
        upper.is_some() && services.is_some() && (stores.is_some() || models.is_some())
    })
}

/// What the layers of a pattern are called, and how high each stands. Equal heights do not look down on each other.
fn names_of(pattern: Pattern) -> Option<&'static [(&'static str, u32)]> {
    match pattern {
        Pattern::Mvc => Some(&[("controllers", 0), ("views", 1), ("models", 2)]),
        Pattern::Clean => {
            Some(&[("interfaces", 0), ("infrastructure", 0), ("application", 1), ("domain", 2)])
        }
        Pattern::Layered => {
            Some(&[("interface", 0), ("services", 1), ("data access", 2), ("models", 3)])
        }
        _ => None,
    }
}

fn by_pattern(scene: &ArchitectureInput, pattern: Pattern) -> Option<Layering> {
    let names = names_of(pattern)?;
    let folders = match pattern {
        Pattern::Mvc => mvc(scene)?,
        Pattern::Clean => clean(scene)?,
        _ => layered(scene)?,
    };
    let layers = names
        .iter()
        .zip(&folders)
        .filter_map(|((name, _), path)| {
            let path = path.clone()?;
            let files = scene.folders.get(&*path).map_or(0, |folder| folder.files);
            Some(Layer { name: (*name).to_owned(), folders: vec![LayerFolder { path, files }] })
        })
        .collect();
    let units: Vec<(&str, u32)> = names
        .iter()
        .zip(&folders)
        .filter_map(|((_, height), path)| Some((path.as_deref()?, *height)))
        .collect();
    let counted = Counted::new(scene, &units.iter().map(|(path, _)| *path).collect::<Vec<_>>());
    let against = counted.against(|from, to| units[to].1 < units[from].1);
    Some(Layering { pattern: Some(pattern), layers, against })
}

/// How many imports lead from one folder (or file) to another, and how many back.
pub(super) fn between(scene: &ArchitectureInput, from: &str, to: &str) -> (u32, u32) {
    let is_in = |id: FileId, unit: &str| scene.path(id) == unit || is_inside(scene.path(id), unit);
    let (mut there, mut back) = (0, 0);
    for &(a, b) in scene.edges {
        there += u32::from(is_in(a, from) && is_in(b, to));
        back += u32::from(is_in(a, to) && is_in(b, from));
    }
    (there, back)
}

/// More than these nobody reads, and the search for an order takes their cube.
const MOST_UNITS: usize = 24;

/// The folders of the packages that hold code, the largest of them. The package of the root is all around the others; the
/// folders that it has for itself stand for it.
fn packages(scene: &ArchitectureInput) -> Vec<String> {
    let mut sizes: BTreeMap<&str, u32> = BTreeMap::new();
    for id in scene.product().filter(|&id| scene.is_code(id)) {
        let path = scene.path(id);
        let Some(place) = scene.package_of(path) else { continue };
        let dir = match scene.packages[place].dir {
            "" => own_folder(scene, path),
            dir => Some(dir),
        };
        if let Some(dir) = dir {
            *sizes.entry(dir).or_default() += 1;
        }
    }
    largest(sizes.into_iter().map(|(dir, size)| (dir.to_owned(), size)).collect())
}

/// The outermost folder of a file in which there is no package.
fn own_folder<'p>(scene: &ArchitectureInput, path: &'p str) -> Option<&'p str> {
    let holds_package =
        |folder: &str| scene.packages.iter().any(|package| is_inside(package.dir, folder));
    path.match_indices('/').map(|(at, _)| &path[..at]).find(|folder| !holds_package(folder))
}

fn largest(mut sized: Vec<(String, u32)>) -> Vec<String> {
    sized.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sized.truncate(MOST_UNITS);
    sized.into_iter().map(|(path, _)| path).collect()
}

/// The folders at the top; one that holds most of the code is opened, and its folders stand in for it.
fn top_folders(scene: &ArchitectureInput) -> Vec<String> {
    let code = |path: &str| scene.folders.get(path).map_or(0, |folder| folder.code);
    let children = |path: &str| -> Vec<String> {
        let names = scene.folders.get(path).map_or(&[][..], |folder| &folder.children);
        names.iter().map(|name| join(path, name)).filter(|path| code(path) > 0).collect()
    };
    let total = code("");
    // An opened folder stands for the files that lie directly in it.
    let mut is_open: BTreeMap<String, bool> =
        children("").into_iter().map(|path| (path, false)).collect();
    loop {
        let is_heavy = |path: &str| u64::from(code(path)) * 100 > u64::from(total) * 55;
        let heavy = is_open
            .iter()
            .find(|(path, is_open)| !**is_open && is_heavy(path) && !children(path).is_empty());
        let Some(heavy) = heavy.map(|(path, _)| path.clone()) else { break };
        let inner = children(&heavy);
        if is_open.len() + inner.len() > MOST_UNITS && is_open.len() > 2 {
            break;
        }
        if scene.folders[&*heavy].direct > 0 {
            is_open.insert(heavy, true);
        } else {
            is_open.remove(&heavy);
        }
        is_open.extend(inner.into_iter().map(|path| (path, false)));
    }
    let size =
        |path: &str, is_open: bool| if is_open { scene.folders[path].direct } else { code(path) };
    largest(
        is_open.into_iter().map(|(path, is_open)| (path.clone(), size(&path, is_open))).collect(),
    )
}

/// The order of the units in which the fewest imports lead upwards. `None` where no import leads from one to another.
fn by_imports(scene: &ArchitectureInput, units: &[String]) -> Option<Layering> {
    let mut units: Vec<&str> = units.iter().map(String::as_str).collect();
    units.sort_unstable();
    let counted = Counted::new(scene, &units);
    if counted.weights.iter().flatten().all(|&weight| weight == 0) {
        return None;
    }
    let order = counted.order();
    let levels = counted.levels(&order);
    let bottom = levels.iter().copied().max().unwrap_or(0);
    let layers = (0..=bottom)
        .map(|level| {
            let folders: Vec<LayerFolder> = (0..units.len())
                .filter(|&unit| levels[unit] == level && counted.is_linked(unit))
                .map(|unit| LayerFolder {
                    path: units[unit].to_owned(),
                    files: counted.files[unit],
                })
                .collect();
            let name =
                folders.iter().map(|folder| name_of(&folder.path)).collect::<Vec<_>>().join(", ");
            Layer { name, folders }
        })
        .filter(|layer| !layer.folders.is_empty())
        .collect();
    let against = counted.against(|from, to| levels[to] < levels[from]);
    Some(Layering { pattern: None, layers, against })
}

/// The imports between units, counted.
struct Counted<'s, 'a> {
    scene: &'s ArchitectureInput<'a>,
    paths: Vec<String>,
    files: Vec<u32>,
    /// From the one to the other.
    weights: Vec<Vec<u32>>,
    examples: FxHashMap<(usize, usize), (FileId, FileId)>,
}

impl<'s, 'a> Counted<'s, 'a> {
    fn new(scene: &'s ArchitectureInput<'a>, units: &[&str]) -> Counted<'s, 'a> {
        let by_path: FxHashMap<&str, usize> =
            units.iter().enumerate().map(|(unit, path)| (*path, unit)).collect();
        let mut unit_of: Vec<Option<usize>> = vec![None; scene.tree.files.len()];
        let mut files = vec![0; units.len()];
        for id in scene.product().filter(|&id| scene.is_code(id)) {
            let mut inner = folder_of(scene.path(id));
            while !inner.is_empty() && !by_path.contains_key(inner) {
                inner = folder_of(inner);
            }
            if let Some(&unit) = by_path.get(inner) {
                unit_of[id.0 as usize] = Some(unit);
                files[unit] += 1;
            }
        }
        let mut weights = vec![vec![0_u32; units.len()]; units.len()];
        let mut examples: FxHashMap<(usize, usize), (FileId, FileId)> = FxHashMap::default();
        for &(from, to) in scene.edges {
            if let (Some(a), Some(b)) = (unit_of[from.0 as usize], unit_of[to.0 as usize])
                && a != b
            {
                weights[a][b] += 1;
                let example = examples.entry((a, b)).or_insert((from, to));
                *example = (*example).min((from, to));
            }
        }
        let paths = units.iter().map(|&path| path.to_owned()).collect();
        Counted { scene, paths, files, weights, examples }
    }

    fn is_linked(&self, unit: usize) -> bool {
        (0..self.files.len()).any(|other| self.weights[unit][other] + self.weights[other][unit] > 0)
    }

    /// Those that import come before those that are imported; then each is moved to where it contradicts least.
    fn order(&self) -> Vec<usize> {
        let count = self.files.len();
        let outward = |unit: usize| -> i64 {
            (0..count)
                .map(|other| {
                    i64::from(self.weights[unit][other]) - i64::from(self.weights[other][unit])
                })
                .sum()
        };
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&unit| (-outward(unit), unit));
        for _ in 0..count {
            let mut is_better = false;
            for unit in 0..count {
                is_better |= self.improve(&mut order, unit);
            }
            if !is_better {
                break;
            }
        }
        order
    }

    /// Moves one unit to its best place. Did that help?
    fn improve(&self, order: &mut Vec<usize>, unit: usize) -> bool {
        let place =
            order.iter().position(|&other| other == unit).expect("every unit is in the order");
        order.remove(place);
        // What it costs to stand at each place: imports of it from below, and from it to those above.
        let mut cost: i64 = order.iter().map(|&other| i64::from(self.weights[other][unit])).sum();
        let mut costs = vec![cost];
        for &above in order.iter() {
            cost += i64::from(self.weights[unit][above]) - i64::from(self.weights[above][unit]);
            costs.push(cost);
        }
        let best = (0..costs.len())
            .min_by_key(|&at| (costs[at], at.abs_diff(place)))
            .expect("there is a place");
        order.insert(best, unit);
        costs[best] < costs[place]
    }

    /// How far below the top each unit stands. Two that import each other about as much stand on one level.
    fn levels(&self, order: &[usize]) -> Vec<u32> {
        let mut levels = vec![0_u32; order.len()];
        for (at, &unit) in order.iter().enumerate() {
            for &above in &order[..at] {
                let (down, up) = (self.weights[above][unit], self.weights[unit][above]);
                if down > 0 {
                    let step = u32::from(up.saturating_mul(4) <= down);
                    levels[unit] = levels[unit].max(levels[above] + step);
                }
            }
        }
        levels
    }

    fn against(&self, is_upward: impl Fn(usize, usize) -> bool) -> Vec<Against> {
        let mut against = Vec::new();
        for (from, row) in self.weights.iter().enumerate() {
            for (to, &imports) in
                row.iter().enumerate().filter(|&(to, &imports)| imports > 0 && is_upward(from, to))
            {
                let (importing, imported) = self.examples[&(from, to)];
                against.push(Against {
                    from: self.paths[from].clone(),
                    to: self.paths[to].clone(),
                    imports,
                    example: (
                        self.scene.path(importing).to_owned(),
                        self.scene.path(imported).to_owned(),
                    ),
                });
            }
        }
        against.sort_by(|a, b| {
            b.imports.cmp(&a.imports).then_with(|| (&a.from, &a.to).cmp(&(&b.from, &b.to)))
        });
        against
    }
}
