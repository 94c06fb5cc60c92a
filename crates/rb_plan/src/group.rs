//! Which units go into one task: those that share files, then those that lie near each other, within bounds.
//!
//! Units are in the order of their paths, so that neighbours in the list are neighbours in the tree. Again and again the two
//! neighbours with the deepest common folder are put together, the smaller first, until the bounds say that it is enough.

use std::collections::BTreeSet;

use crate::repo_facts::{common_folder, shared};
use crate::unit::Unit;

/// How large a group may be, and how many there should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Added and removed. A unit alone may pass it.
    pub(crate) lines: usize,
    pub(crate) files: usize,
    /// There is nothing to be gained below this.
    pub(crate) least: usize,
    /// Groups are put together until there are no more than these, or none fits.
    pub(crate) most: usize,
}

/// How many groups one source has where there is enough for them; more only where the other bounds make it so.
pub(crate) const LEAST: usize = 3;
pub(crate) const MOST: usize = 6;

/// The units of each group.
pub(crate) fn grouped(units: &[Unit], bounds: Bounds) -> Vec<Vec<Unit>> {
    let of = |group: Vec<usize>| group.into_iter().map(|at| units[at].clone()).collect();
    groups(units, bounds).into_iter().map(of).collect()
}

/// The units of each group, as places in the list.
fn groups(units: &[Unit], bounds: Bounds) -> Vec<Vec<usize>> {
    let mut groups: Vec<Group> =
        units.iter().enumerate().map(|(at, unit)| Group::of(at, unit)).collect();
    share(&mut groups, bounds);
    while groups.len() > bounds.most.max(1) {
        let Some(at) = nearest(&groups, bounds) else { break };
        let next = groups.remove(at + 1);
        groups[at].take(next);
    }
    groups.into_iter().map(|it| it.units).collect()
}

struct Group {
    units: Vec<usize>,
    files: BTreeSet<String>,
    folder: String,
    lines: usize,
}

impl Group {
    fn of(at: usize, unit: &Unit) -> Self {
        Group {
            units: vec![at],
            files: unit.files.clone(),
            folder: common_folder(unit.sites.iter().map(String::as_str)).to_owned(),
            lines: unit.lines,
        }
    }

    fn take(&mut self, other: Group) {
        self.units.extend(other.units);
        self.units.sort_unstable();
        self.files.extend(other.files);
        self.folder = shared(&self.folder, &other.folder).to_owned();
        self.lines += other.lines;
    }

    fn fits(&self, other: &Group, bounds: Bounds) -> bool {
        let is_few = self.files.len() + other.files.len() <= bounds.files;
        let may_be_few = || self.files.len().max(other.files.len()) <= bounds.files;
        self.lines + other.lines <= bounds.lines
            && (is_few || (may_be_few() && self.files.union(&other.files).count() <= bounds.files))
    }
}

/// Puts together what edits the same files, as long as it fits and enough are left.
fn share(groups: &mut Vec<Group>, bounds: Bounds) {
    let mut at = 0;
    while at < groups.len() {
        let mut next = at + 1;
        while next < groups.len() && groups.len() > bounds.least {
            let is_shared = !groups[at].files.is_disjoint(&groups[next].files);
            if is_shared && groups[at].fits(&groups[next], bounds) {
                let other = groups.remove(next);
                groups[at].take(other);
            } else {
                next += 1;
            }
        }
        at += 1;
    }
}

/// The first of the two neighbours that are put together next.
fn nearest(groups: &[Group], bounds: Bounds) -> Option<usize> {
    let pairs = groups.windows(2).enumerate().filter(|(_, pair)| pair[0].fits(&pair[1], bounds));
    let key = |pair: &[Group]| {
        let common = shared(&pair[0].folder, &pair[1].folder);
        let depth = if common.is_empty() { 0 } else { common.matches('/').count() + 1 };
        (std::cmp::Reverse(depth), pair[0].lines + pair[1].lines)
    };
    pairs.min_by_key(|(at, pair)| (key(pair), *at)).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::risk::Api;
    use crate::unit::Work;

    /// `path path …:lines`, the first path holding the sites.
    fn unit(text: &str) -> Unit {
        let (paths, lines) = text.rsplit_once(':').unwrap();
        let files: BTreeSet<String> = paths.split(' ').map(str::to_owned).collect();
        Unit {
            sites: paths.split(' ').take(1).map(str::to_owned).collect(),
            count: 1,
            files,
            lines: lines.parse().unwrap(),
            work: Work::Texts(BTreeMap::new()),
            api: Api::Same,
            notes: Vec::new(),
            is_part: false,
            places: Vec::new(),
        }
    }

    const ASKED: Bounds = Bounds { lines: 300, files: usize::MAX, least: 3, most: 6 };

    #[track_caller]
    fn check(units: &[&str], bounds: Bounds, expected: &[&[usize]]) {
        let units: Vec<Unit> = units.iter().map(|it| unit(it)).collect();
        assert_eq!(groups(&units, bounds), expected);
    }

    #[test]
    fn rf3_three_to_six_groups_where_there_is_enough() {
        check(&[], ASKED, &[]);
        check(&["a.js:10"], ASKED, &[&[0]]);
        check(&["a.js:10", "b.js:10"], ASKED, &[&[0], &[1]]);
        check(&["a.js:10", "b.js:10", "c.js:10"], ASKED, &[&[0], &[1], &[2]]);
        let many: Vec<String> =
            (0..20).map(|at| format!("src/{}/f{at:02}.js:10", at / 5)).collect();
        let many: Vec<Unit> = many.iter().map(|it| unit(it)).collect();
        let found = groups(&many, ASKED);
        assert_eq!(found.len(), 6, "{found:?}");
        assert!(found.iter().all(|it| it.len() <= 5), "{found:?}");
    }

    #[test]
    fn rf3_what_edits_the_same_files_goes_together_down_to_three() {
        check(
            &["a.js t.js:9", "b.js t.js:9", "c.js t.js:9", "d.js:9", "e.js:9"],
            ASKED,
            &[&[0, 1, 2], &[3], &[4]],
        );
        check(&["a.js t.js:9", "b.js t.js:9", "c.js t.js:9"], ASKED, &[&[0], &[1], &[2]]);
        check(
            &["a.js t.js:200", "b.js t.js:200", "c.js:9", "d.js:9"],
            ASKED,
            &[&[0], &[1], &[2], &[3]],
        );
    }

    #[test]
    fn rf3_only_the_budget_makes_more_than_six() {
        let large: Vec<String> = (0..8).map(|at| format!("f{at}.js:200")).collect();
        let large: Vec<Unit> = large.iter().map(|it| unit(it)).collect();
        assert_eq!(groups(&large, ASKED).len(), 8);
        check(&["a.js:900", "b.js:1"], ASKED, &[&[0], &[1]]);
    }

    #[test]
    fn rf3_folders_stay_together() {
        let bounds = Bounds { lines: 300, files: 3, least: 0, most: 1 };
        check(
            &["lib/a.js:9", "lib/b.js:9", "src/a.js:9", "src/b.js:9", "src/c.js:9", "z.js:9"],
            bounds,
            &[&[0, 1], &[2, 3, 4], &[5]],
        );
    }
}
