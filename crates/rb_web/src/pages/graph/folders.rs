//! Folders that import each other: files put together by the folder they lie in, imports counted.

use std::collections::{BTreeMap, BTreeSet};

use rb_index::FileId;
use rb_index::graph::{self, Graph};

use crate::pages::code::folder::Folder;

/// What is put together.
pub(super) struct Input<'a> {
    /// Paths and lines of the files that can import, sorted; nothing for a file that is not looked at.
    pub(super) files: &'a [Option<(&'a str, u32)>],
    /// Who uses whom.
    pub(super) uses: &'a [(FileId, FileId)],
    /// Who brings in whom while loading, sorted.
    pub(super) loads: &'a [(FileId, FileId)],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    /// The whole path of the folder; nothing for several small folders together.
    pub(super) path: Option<String>,
    pub(super) files: u64,
    pub(super) lines: u64,
    /// There is a folder in it that could be looked at.
    pub(super) has_folders: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Pairs of files.
    pub(super) imports: u64,
    /// On a way that leads round while loading.
    pub(super) is_cyclic: bool,
    /// One of the imports: the importing file and the imported one.
    pub(super) example: (FileId, FileId),
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FolderGraph {
    /// The one with the most lines first.
    pub(super) nodes: Vec<Node>,
    /// Sorted by their ends.
    pub(super) edges: Vec<Edge>,
    /// Groups of folders that reach each other while loading: how many there are, and a short way round.
    pub(super) cycles: Vec<(usize, Vec<usize>)>,
    /// Imports from files of the folder to files outside, and the other way.
    pub(super) outward: u64,
    pub(super) inward: u64,
}

/// More boxes nobody reads.
pub(super) const MOST: usize = 60;

impl FolderGraph {
    /// The folders so many levels below `folder`.
    pub(super) fn of(input: &Input<'_>, folder: &Folder, depth: usize) -> FolderGraph {
        let (nodes, place) = nodes(input, folder, depth);
        let mut found = FolderGraph { nodes, ..FolderGraph::default() };
        let mut edges: BTreeMap<(usize, usize), (u64, (FileId, FileId))> = BTreeMap::new();
        for &(from, to) in input.uses {
            match (place[from.0 as usize], place[to.0 as usize]) {
                (Some(a), Some(b)) if a != b => {
                    let edge = edges.entry((a, b)).or_insert((0, (from, to)));
                    edge.0 += 1;
                    edge.1 = edge.1.min((from, to));
                }
                (Some(_), Some(_)) | (None, None) => {}
                (Some(_), None) => found.outward += 1,
                (None, Some(_)) => found.inward += 1,
            }
        }
        let loads: BTreeSet<(usize, usize)> = input
            .loads
            .iter()
            .filter_map(|(from, to)| Some((place[from.0 as usize]?, place[to.0 as usize]?)))
            .collect();
        let group = found.find_cycles(&loads);
        let is_cyclic = |from: usize, to: usize| {
            group[from].is_some() && group[from] == group[to] && loads.contains(&(from, to))
        };
        found.edges = edges
            .into_iter()
            .map(|((from, to), (imports, example))| Edge {
                from,
                to,
                imports,
                is_cyclic: is_cyclic(from, to),
                example,
            })
            .collect();
        found
    }

    /// The group of each node that is in one.
    fn find_cycles(&mut self, loads: &BTreeSet<(usize, usize)>) -> Vec<Option<usize>> {
        let mut group = vec![None; self.nodes.len()];
        for (at, cycle) in cycles(self.nodes.len(), loads.iter().copied()).into_iter().enumerate() {
            let places =
                |files: &[FileId]| files.iter().map(|id| id.0 as usize).collect::<Vec<_>>();
            for node in places(&cycle.files) {
                group[node] = Some(at);
            }
            self.cycles.push((cycle.files.len(), places(&cycle.example)));
        }
        group
    }
}

/// Groups of nodes that reach each other.
pub(super) fn cycles(
    nodes: usize,
    edges: impl Iterator<Item = (usize, usize)>,
) -> Vec<graph::Cycle> {
    let small = |node: usize| u32::try_from(node).expect("at most sixty nodes");
    let edges = edges.map(|(from, to)| (small(from), small(to), 1.0)).collect();
    graph::cycles(&Graph::new(nodes, edges))
}

/// The nodes, and for each file the node that it is in.
fn nodes(input: &Input<'_>, folder: &Folder, depth: usize) -> (Vec<Node>, Vec<Option<usize>>) {
    let mut sums: BTreeMap<&str, Node> = BTreeMap::new();
    let unit = |file: &Option<_>| unit((*file)?, folder, depth);
    for (path, lines, has_more) in input.files.iter().filter_map(unit) {
        let node = sums.entry(path).or_insert_with(|| Node {
            path: Some(path.to_owned()),
            files: 0,
            lines: 0,
            has_folders: false,
        });
        node.files += 1;
        node.lines += u64::from(lines);
        node.has_folders |= has_more;
    }
    let mut nodes: Vec<Node> = sums.into_values().collect();
    nodes.sort_by_key(|node| std::cmp::Reverse(node.lines));
    let place: BTreeMap<String, usize> = nodes
        .iter()
        .enumerate()
        .filter_map(|(at, node)| Some((node.path.clone()?, at.min(MOST - 1))))
        .collect();
    if nodes.len() > MOST {
        let rest = nodes.split_off(MOST - 1);
        nodes.push(Node {
            path: None,
            files: rest.iter().map(|node| node.files).sum(),
            lines: rest.iter().map(|node| node.lines).sum(),
            has_folders: false,
        });
    }
    let places = input.files.iter().map(|file| place.get(unit(file)?.0).copied()).collect();
    (nodes, places)
}

/// The folder that stands for a file, the lines of the file, and whether that folder has folders on the way to it.
fn unit<'a>(
    (path, lines): (&'a str, u32),
    folder: &'a Folder,
    depth: usize,
) -> Option<(&'a str, u32, bool)> {
    let rest = folder.strip(path)?;
    let end = rest.match_indices('/').map(|(at, _)| at).take(depth).last();
    let begin = path.len() - rest.len();
    let has_more = end.is_some_and(|end| rest[end + 1..].contains('/'));
    let unit = end.map_or(folder.path(), |end| &path[..begin + end]);
    Some((unit, lines, has_more))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use expect_test::{Expect, expect};

    use super::*;

    /// Files by path; imports as `from>to`, where `from~to` loads nothing.
    fn shown(files: &[&str], imports: &str, folder: &str, depth: usize) -> String {
        let listed: Vec<Option<(&str, u32)>> = files.iter().map(|path| Some((*path, 10))).collect();
        let id = |name: &str| {
            let at = files.iter().position(|path| *path == name).unwrap();
            FileId(u32::try_from(at).unwrap())
        };
        let (mut uses, mut loads) = (Vec::new(), Vec::new());
        for import in imports.split_whitespace() {
            let (from, to) = import.split_once(['>', '~']).unwrap();
            uses.push((id(from), id(to)));
            loads.extend(import.contains('>').then(|| (id(from), id(to))));
        }
        let input = Input { files: &listed, uses: &uses, loads: &loads };
        let graph = FolderGraph::of(&input, &Folder::named(folder), depth);
        let name = |at: usize| graph.nodes[at].path.clone().unwrap_or("other".to_owned());
        let mut text = String::new();
        for (at, node) in graph.nodes.iter().enumerate().take(4) {
            let more = if node.has_folders { ", has folders" } else { "" };
            let _ = writeln!(text, "{:?}: {} files{more}", name(at), node.files);
        }
        for edge in &graph.edges {
            let red = if edge.is_cyclic { ", cyclic" } else { "" };
            let _ =
                writeln!(text, "{} -> {}: {}{red}", name(edge.from), name(edge.to), edge.imports);
        }
        for (size, way) in &graph.cycles {
            let way: Vec<String> = way.iter().map(|&at| name(at)).collect();
            let _ = writeln!(text, "cycle of {size}: {}", way.join(" "));
        }
        let _ =
            write!(text, "{} nodes, out {}, in {}", graph.nodes.len(), graph.outward, graph.inward);
        text
    }

    fn check(files: &[&str], imports: &str, folder: &str, depth: usize, expected: &Expect) {
        expected.assert_eq(&shown(files, imports, folder, depth));
    }

    #[test]
    fn ux4_imports_are_counted_between_folders_and_cycles_are_found() {
        let files = ["a/x.js", "a/y/z.js", "b/x.js", "c.js", "d/x.js"];
        let imports =
            "a/x.js>b/x.js a/y/z.js>b/x.js b/x.js>a/x.js a/x.js>a/y/z.js c.js>d/x.js d/x.js~c.js";
        check(
            &files,
            imports,
            "",
            1,
            &expect![[r#"
            "a": 2 files, has folders
            "": 1 files
            "b": 1 files
            "d": 1 files
            a -> b: 2, cyclic
             -> d: 1
            b -> a: 1, cyclic
            d -> : 1
            cycle of 2: a b
            4 nodes, out 0, in 0"#]],
        );
        check(
            &files,
            imports,
            "a",
            1,
            &expect![[r#"
            "a": 1 files
            "a/y": 1 files
            a -> a/y: 1
            2 nodes, out 2, in 1"#]],
        );
        check(
            &files,
            imports,
            "",
            2,
            &expect![[r#"
            "": 1 files
            "a": 1 files
            "a/y": 1 files
            "b": 1 files
             -> d: 1
            a -> a/y: 1, cyclic
            a -> b: 1, cyclic
            a/y -> b: 1, cyclic
            b -> a: 1, cyclic
            d -> : 1
            cycle of 3: a b
            5 nodes, out 0, in 0"#]],
        );
    }

    #[test]
    fn ux4_many_folders_are_put_together() {
        let names: Vec<String> = (0..70).map(|at| format!("f{at:02}/x.js")).collect();
        let files: Vec<&str> = names.iter().map(String::as_str).collect();
        check(
            &files,
            "f00/x.js>f65/x.js f66/x.js>f69/x.js",
            "",
            1,
            &expect![[r#"
            "f00": 1 files
            "f01": 1 files
            "f02": 1 files
            "f03": 1 files
            f00 -> other: 1
            60 nodes, out 0, in 0"#]],
        );
    }
}
