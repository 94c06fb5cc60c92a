//! Processes as `/proc` shows them: who was born of whom, and what they use.
//!
//! All of it may be gone in the next moment, so that what cannot be read is passed over.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// One look at a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) parent: i32,
    pub(crate) group: i32,
    pub(crate) session: i32,
    pub(crate) is_dead: bool,
    /// Clock ticks that it used itself.
    pub(crate) own_ticks: u64,
    /// Clock ticks of the children that it waited for.
    pub(crate) waited_ticks: u64,
    pub(crate) resident: u64,
}

pub(crate) fn stat(pid: i32) -> Option<Stat> {
    parse_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// The name of a program may hold anything, so fields are counted from the last `)`.
fn parse_stat(text: &str) -> Option<Stat> {
    let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
    let number = |field: usize| fields.get(field)?.parse::<u64>().ok();
    let pid = |field: usize| fields.get(field)?.parse::<i32>().ok();
    let state = *fields.first()?;
    Some(Stat {
        parent: pid(1)?,
        group: pid(2)?,
        session: pid(3)?,
        is_dead: matches!(state, "Z" | "X" | "x"),
        own_ticks: number(11)? + number(12)?,
        waited_ticks: number(13)? + number(14)?,
        resident: number(21)? * rustix::param::page_size() as u64,
    })
}

/// Those that descend from `root`, parents first, without `root`. It stops looking after about `most`:
/// they may come faster than they are found.
pub(crate) fn descendants(root: i32, most: usize) -> Vec<(i32, Stat)> {
    walk(root, most, children, stat).unwrap_or_else(|| descendants_by_scan(root))
}

/// [`descendants`] over any source of process data; `None` if the children of `root` are unknown.
fn walk(
    root: i32,
    most: usize,
    children: impl Fn(i32) -> Option<Vec<i32>>,
    stat: impl Fn(i32) -> Option<Stat>,
) -> Option<Vec<(i32, Stat)>> {
    let mut found = Vec::new();
    // One whose parent ends meanwhile goes to another, and would be found there again.
    let mut seen = BTreeSet::new();
    let mut queue = VecDeque::from([root]);
    while let Some(pid) = queue.pop_front() {
        let Some(children) = children(pid) else {
            // The kernel keeps no such list, or the process is gone.
            if pid == root {
                return None;
            }
            continue;
        };
        for child in children {
            if seen.insert(child)
                && let Some(stat) = stat(child)
            {
                found.push((child, stat));
                queue.push_back(child);
            }
        }
        if found.len() > most {
            break;
        }
    }
    Some(found)
}

/// None where the process is gone, or the kernel keeps no such list.
fn children(pid: i32) -> Option<Vec<i32>> {
    let mut children = None;
    for thread in fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten() {
        // A thread may end meanwhile.
        let Ok(list) = fs::read_to_string(thread.path().join("children")) else { continue };
        let pids = list.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok());
        children.get_or_insert_with(Vec::new).extend(pids);
    }
    children
}

fn descendants_by_scan(root: i32) -> Vec<(i32, Stat)> {
    let mut by_parent: BTreeMap<i32, Vec<(i32, Stat)>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = entry.file_name().to_str().and_then(|name| name.parse().ok());
        if let Some(pid) = pid
            && let Some(stat) = stat(pid)
        {
            by_parent.entry(stat.parent).or_default().push((pid, stat));
        }
    }
    let mut found: Vec<(i32, Stat)> = by_parent.remove(&root).unwrap_or_default();
    let mut next = 0;
    while let Some((pid, _)) = found.get(next) {
        found.extend(by_parent.remove(pid).unwrap_or_default());
        next += 1;
    }
    found
}

/// Whether a process of the group still runs.
pub(crate) fn is_alive(group: Pid) -> bool {
    let group = group.as_raw_nonzero().get();
    let pids = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(stat).any(|stat| stat.group == group && !stat.is_dead)
}

/// How many are ended by one round; each group goes at once, however many are in it.
const ROUND: usize = 512;

/// Ends those that descend from `root`, as far as one look finds them.
pub(crate) fn end_descendants(root: i32) {
    let found = descendants(root, ROUND);
    let ours: BTreeSet<i32> = found.iter().map(|(pid, _)| *pid).chain([root]).collect();
    // A group that none of ours leads, in a session that none of ours leads, has others in it.
    let is_ours = |stat: &Stat| ours.contains(&stat.group) || ours.contains(&stat.session);
    let groups: BTreeSet<i32> =
        found.iter().filter(|(_, stat)| is_ours(stat)).map(|(_, stat)| stat.group).collect();
    for group in groups.into_iter().filter(|group| *group != root).filter_map(Pid::from_raw) {
        // In one step: nobody in it can have another child meanwhile.
        let _ = kill_process_group(group, Signal::KILL);
    }
    for pid in found.iter().filter_map(|(pid, _)| Pid::from_raw(*pid)) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// What a process holds with shared pages counted by share; dear to ask for.
pub(crate) fn proportional(pid: i32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib << 10)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    /// 4 is a child of 2, which ends: it is found with 2, and again with 1, who gets it then.
    #[test]
    fn sa7_a_process_that_gets_another_parent_meanwhile_is_found_once() {
        let looks = std::cell::Cell::new(0);
        let children = |pid: i32| match pid {
            1 => Some(vec![2, 3]),
            2 => Some(vec![4]),
            3 => Some(vec![4, 5]),
            _ => Some(Vec::new()),
        };
        let stat = |pid: i32| {
            looks.set(looks.get() + 1);
            Some(Stat {
                parent: pid - 1,
                group: pid,
                session: pid,
                is_dead: false,
                own_ticks: 1,
                waited_ticks: 0,
                resident: 1,
            })
        };
        let found = walk(1, 100, children, stat).unwrap();
        let pids: Vec<i32> = found.iter().map(|(pid, _)| *pid).collect();
        assert_eq!((pids, looks.get()), (vec![2, 3, 4, 5], 4));
    }

    #[test]
    fn sa7_a_process_may_be_named_like_a_stat_line() {
        let check = |text: &str, expected: expect_test::Expect| {
            let stat = parse_stat(text).map(|stat| Stat {
                resident: stat.resident / rustix::param::page_size() as u64,
                ..stat
            });
            expected.assert_debug_eq(&stat);
        };
        check(
            "12 (a) Z 9 (b) S 7 12 12 0 -1 4194560 100 200 0 0 5 6 70 80 20 0 1 0 100 1000000 250 18446744073709551615 1",
            expect![[r#"
                Some(
                    Stat {
                        parent: 7,
                        group: 12,
                        session: 12,
                        is_dead: false,
                        own_ticks: 11,
                        waited_ticks: 150,
                        resident: 250,
                    },
                )
            "#]],
        );
        check(
            "12 (a) S",
            expect![[r#"
            None
        "#]],
        );
        check(
            "",
            expect![[r#"
            None
        "#]],
        );
    }
}
