//! From the graph to numbers: what each entry loads at first and what later, on both sides.

use std::collections::BTreeMap;

use super::entries::Entry;
use super::graph::{Graph, Mode, entered};
use super::{EntryImpact, Impact, Load, PackageImpact, Sides, Size};

/// When a browser loads a module, as far as one walk or all of them know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum When {
    #[default]
    Never,
    Later,
    AtFirst,
}

#[derive(Debug, Clone, Copy)]
enum Side {
    Before = 0,
    After = 1,
}

pub(super) fn impact(graph: Graph, entries: &[Entry]) -> Impact {
    let (each_before, before) = side(&graph, entries, Side::Before);
    let (each_after, after) = side(&graph, entries, Side::After);
    let loads = each_before.into_iter().zip(each_after);
    let each = entries.iter().zip(loads).map(|(entry, (before, after))| EntryImpact {
        path: entry.path.clone(),
        load: Sides { before, after },
    });
    let mut by_package: BTreeMap<&str, Sides<Load>> = BTreeMap::new();
    let mut total = Sides::<Load>::default();
    for (at, slot) in graph.slots.iter().enumerate() {
        let name = slot.about.as_ref().map_or("", |about| about.name());
        let package = by_package.entry(name).or_default();
        let (size_before, size_after) =
            (size(&graph, at, Side::Before), size(&graph, at, Side::After));
        for sides in [package, &mut total] {
            add(&mut sides.before, before[at], size_before);
            add(&mut sides.after, after[at], size_after);
        }
    }
    let packages = by_package.into_iter().filter(|(_, load)| load.is_changed());
    let packages = packages.map(|(name, load)| PackageImpact { name: name.to_owned(), load });
    Impact { entries: each.collect(), total, packages: packages.collect(), doubts: graph.doubts }
}

fn size(graph: &Graph, slot: usize, side: Side) -> Size {
    let version = graph.slots[slot].sides[side as usize].as_ref();
    version.map_or_else(Size::default, |it| Size { modules: 1, bytes: it.loads.bytes })
}

fn add(to: &mut Load, when: When, size: Size) {
    match when {
        When::Never => {}
        When::Later => to.deferred += size,
        When::AtFirst => to.first += size,
    }
}

/// What each entry loads, and when each module is loaded at the earliest.
fn side(graph: &Graph, entries: &[Entry], side: Side) -> (Vec<Load>, Vec<When>) {
    let mut earliest = vec![When::Never; graph.slots.len()];
    let mut walk = Walk { graph, side, server: Vec::new(), browser: Vec::new(), found: Vec::new() };
    let mut each = Vec::with_capacity(entries.len());
    for (entry, roots) in entries.iter().zip(&graph.roots) {
        walk.run(roots, entry.start.into());
        let mut load = Load::default();
        for &slot in &walk.found {
            add(&mut load, walk.browser[slot], size(graph, slot, side));
            earliest[slot] = earliest[slot].max(walk.browser[slot]);
        }
        each.push(load);
    }
    (each, earliest)
}

struct Walk<'g> {
    graph: &'g Graph,
    side: Side,
    /// By slot, when the module runs on the server, and when in the browser.
    server: Vec<When>,
    browser: Vec<When>,
    /// What runs in the browser.
    found: Vec<usize>,
}

impl Walk<'_> {
    fn run(&mut self, roots: &[usize], mode: Mode) {
        let count = self.graph.slots.len();
        for marks in [&mut self.server, &mut self.browser] {
            marks.clear();
            marks.resize(count, When::Never);
        }
        self.found.clear();
        let mut later = Vec::new();
        let open = roots.iter().map(|&slot| (slot, mode)).collect();
        // All that is loaded at first is known before anything is taken for later.
        self.follow(open, When::AtFirst, &mut later);
        while !later.is_empty() {
            let open = std::mem::take(&mut later);
            self.follow(open, When::Later, &mut later);
        }
    }

    fn follow(&mut self, mut open: Vec<(usize, Mode)>, when: When, later: &mut Vec<(usize, Mode)>) {
        while let Some((slot, mode)) = open.pop() {
            let Some(version) = &self.graph.slots[slot].sides[self.side as usize] else { continue };
            let Some(inner) = entered(&version.loads, mode) else { continue };
            let mark = match inner {
                Mode::Server => &mut self.server[slot],
                Mode::Browser => &mut self.browser[slot],
            };
            if *mark >= when {
                continue;
            }
            if *mark == When::Never && inner == Mode::Browser {
                self.found.push(slot);
            }
            *mark = when;
            let edges = version.edges.iter().filter(|it| self.graph.slots[it.to].matters(inner));
            for edge in edges {
                if edge.is_later {
                    later.push((edge.to, inner));
                } else {
                    open.push((edge.to, inner));
                }
            }
        }
    }
}
