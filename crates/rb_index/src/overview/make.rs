//! How an overview is made: every list is counted from the files and sorted, nothing is guessed.

use super::counts::is_source;
use super::{
    Counts, CycleGroup, Cycles, HotFile, Overview, PackageUse, ReactProject, Tests, TopFile,
};
use crate::analysis::{self, Analysis};
use crate::architecture::{self, Input};
use crate::history::Activity;
use crate::hotspots::{self, Measured};
use crate::project;
use crate::role::Role;
use crate::store::{FileRow, Link};
use crate::test_links;
use crate::tree::{FileId, Tree};

/// How many entries of a list are kept. The whole lists are in the artifacts.
const KEPT: usize = 50;

pub(crate) fn make(rows: &[FileRow], tree: &Tree, activity: &Activity) -> Overview {
    let analysis = Analysis::of(rows, tree, activity);
    let edges = analysis.edges();
    let externals: Vec<(FileId, &str)> = tree
        .ids()
        .zip(rows)
        .flat_map(|(id, row)| row.links.imports.iter().map(move |link| (id, link)))
        .filter_map(|(id, link)| match link {
            Link::External(name) => Some((id, &**name)),
            Link::Inside(_) | Link::Builtin | Link::Unresolved => None,
        })
        .collect();
    let counts = Counts::of(rows);
    Overview {
        totals: counts.totals,
        languages: counts.languages(),
        architecture: architecture::detect(&Input { tree, edges: &edges, externals: &externals }),
        react: react(tree, &analysis::loading(rows)),
        top: top(rows, tree, &analysis, KEPT),
        hotspots: hot(rows, tree, &analysis, activity),
        cycles: cycles(tree, &analysis),
        imports: counts.imports,
        packages: packages(&externals),
        tests: tests(rows, tree, &edges),
        // What the walk leaves out is seen anew each time.
        set_aside: Vec::new(),
        broken: broken(rows),
    }
}

fn react(tree: &Tree, edges: &[(FileId, FileId)]) -> Vec<ReactProject> {
    let react = project::react(tree, edges);
    let projects = react.packages.into_iter().map(|package| ReactProject {
        folder: package.dir,
        react: package.react,
        next: package.next,
        app_router: package.app_router,
        pages_router: package.pages_router,
        react_compiler: package.react_compiler,
        typescript: package.typescript,
        component_files: package.component_files,
    });
    let mut projects: Vec<ReactProject> = projects
        .filter(|project| Role::of(&format!("{}/package.json", project.folder)) == Role::Product)
        .collect();
    projects.sort_by(|a, b| {
        b.component_files.cmp(&a.component_files).then_with(|| a.folder.cmp(&b.folder))
    });
    projects.truncate(KEPT);
    projects
}

/// The most important files that somebody here wrote.
pub(crate) fn top(
    rows: &[FileRow],
    tree: &Tree,
    analysis: &Analysis,
    count: usize,
) -> Vec<TopFile> {
    analysis
        .order
        .iter()
        .filter(|id| {
            let row = &rows[id.0 as usize];
            is_source(row) && row.state.trivial.is_none()
        })
        .take(count)
        .map(|&id| TopFile {
            path: tree.get(id).path.to_string(),
            lines: rows[id.0 as usize].state.lines,
            used_by: analysis.used_by[id.0 as usize],
            importance: analysis.importance[id.0 as usize],
        })
        .collect()
}

fn hot(rows: &[FileRow], tree: &Tree, analysis: &Analysis, activity: &Activity) -> Vec<HotFile> {
    let measured = tree
        .ids()
        .zip(rows)
        .filter(|(_, row)| is_source(row) && row.state.trivial.is_none())
        .filter(|(id, _)| Role::of(&tree.get(*id).path) == Role::Product)
        .map(|(id, row)| Measured {
            name: tree.get(id).path.clone(),
            complexity_sum: row.state.complexity.0,
            complexity_max: row.state.complexity.1,
            commits: activity.of(&row.path).map_or(0, |active| active.commits),
            fan_in: analysis.used_by[id.0 as usize],
        })
        .collect();
    // What changed once says nothing yet about what will.
    let often = |hot: &hotspots::Hotspot| hot.measured.commits > 1;
    let ranking = hotspots::rank(measured).into_iter().filter(often).take(KEPT);
    ranking
        .map(|hot| HotFile {
            path: hot.measured.name.to_string(),
            score: (hot.score * 10_000.0).round() / 10_000.0,
            commits: hot.measured.commits,
            complexity: hot.measured.complexity_sum,
            worst_complexity: hot.measured.complexity_max,
            used_by: hot.measured.fan_in,
        })
        .collect()
}

fn cycles(tree: &Tree, analysis: &Analysis) -> Cycles {
    let path = |id: &FileId| tree.get(*id).path.to_string();
    Cycles {
        groups: analysis.cycles.len() as u64,
        files: analysis.cycles.iter().map(|cycle| cycle.files.len() as u64).sum(),
        largest: analysis
            .cycles
            .iter()
            .take(KEPT)
            .map(|cycle| CycleGroup {
                files: cycle.files.len() as u64,
                example: cycle.example.iter().map(path).collect(),
            })
            .collect(),
    }
}

fn packages(externals: &[(FileId, &str)]) -> Vec<PackageUse> {
    let mut uses: Vec<(&str, FileId)> = externals.iter().map(|&(id, name)| (name, id)).collect();
    uses.sort_unstable();
    uses.dedup();
    let mut packages: Vec<PackageUse> = uses
        .chunk_by(|a, b| a.0 == b.0)
        .map(|files| PackageUse { name: files[0].0.to_owned(), files: files.len() as u64 })
        .collect();
    packages.sort_by(|a, b| b.files.cmp(&a.files).then_with(|| a.name.cmp(&b.name)));
    packages.truncate(KEPT);
    packages
}

fn tests(rows: &[FileRow], tree: &Tree, edges: &[(FileId, FileId)]) -> Tests {
    let is_test = |id: FileId| test_links::is_test_path(&tree.get(id).path);
    let mut tested: Vec<FileId> =
        test_links::link(tree, edges).into_iter().map(|link| link.source).collect();
    tested.sort_unstable();
    tested.dedup();
    let sources = tree.ids().zip(rows).filter(|(_, row)| is_source(row));
    let (mut tests, mut others) = (0, 0);
    for (id, _) in sources {
        if is_test(id) {
            tests += 1;
        } else if Role::of(&tree.get(id).path) == Role::Product {
            others += 1;
        }
    }
    tested.retain(|&id| Role::of(&tree.get(id).path) == Role::Product);
    Tests { files: tests, tested: tested.len() as u64, source_files: others }
}

fn broken(rows: &[FileRow]) -> Vec<String> {
    rows.iter().filter(|row| is_broken(row)).take(KEPT).map(|row| row.path.to_string()).collect()
}

/// Could it be read only in part?
pub(crate) fn is_broken(row: &FileRow) -> bool {
    !row.state.is_foreign() && (row.state.syntax_errors > 0 || row.state.cut.is_some())
}
