//! From sites up through their callers, file by file, until everything that has to wait is known; then what cannot.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, OnceLock};

use super::at::{At, Cx};
use super::doubles::Doubles;
use super::entry;
use super::model::{Barrier, Change, Key, Kind, Node, Parallel, Put, Site};
use super::package;
use super::races::Races;
use crate::links::links;
use crate::recipe::{PlanError, Planning};

/// The most parts that are followed; a larger project is done folder by folder.
const MOST: usize = 200_000;

pub(super) struct Graph {
    pub(super) nodes: BTreeMap<Key, Node>,
    /// Who leads to a node.
    pub(super) downs: BTreeMap<Key, Vec<Key>>,
    /// Calls of functions that have a twin, with the name of the function.
    pub(super) twins: BTreeMap<Key, String>,
    /// Nodes that cannot be changed: the next one towards the barrier, itself for the barrier.
    pub(super) blocked: BTreeMap<Key, Key>,
    /// What a reviewer has to know of a function that waits now.
    pub(super) notes: BTreeMap<Key, Vec<String>>,
}

/// Follows all sites.
pub(super) fn follow(
    planning: &Planning<'_>,
    doubles: &Doubles,
    sites: &BTreeMap<Key, Site>,
) -> Result<Graph, PlanError> {
    let cx = Cx { planning, doubles, sites, twins: Mutex::default(), words: OnceLock::new() };
    let mut nodes: BTreeMap<Key, Node> = BTreeMap::new();
    let is_left = |it: &Site| matches!(it.change, Change::Left { .. });
    let (left, made): (Vec<_>, Vec<_>) = sites.iter().partition(|(_, site)| is_left(site));
    follow_all(&cx, &mut nodes, made.into_iter().map(|it| it.0))?;
    let twins = cx.twins.lock().expect("nobody panics with it").clone();
    // What leads to sites that stay is known, too: they may stand beside others that change.
    follow_all(&cx, &mut nodes, left.into_iter().map(|it| it.0))?;
    stop_at_unseen(&mut nodes);
    let mut downs: BTreeMap<Key, Vec<Key>> = BTreeMap::new();
    for (key, node) in &nodes {
        for up in &node.ups {
            downs.entry(up.clone()).or_default().push(key.clone());
        }
    }
    let mut graph = Graph { nodes, downs, twins, blocked: BTreeMap::new(), notes: BTreeMap::new() };
    graph.settle(&cx, sites);
    Ok(graph)
}

/// Follows some sites up to where somebody waits.
fn follow_all<'k>(
    cx: &Cx<'_>,
    nodes: &mut BTreeMap<Key, Node>,
    keys: impl Iterator<Item = &'k Key>,
) -> Result<(), PlanError> {
    let planning = cx.planning;
    let mut pending: BTreeMap<Arc<str>, BTreeSet<Key>> = BTreeMap::new();
    for key in keys {
        pending.entry(Arc::clone(&key.path)).or_default().insert(key.clone());
    }
    while let Some((path, keys)) = pending.pop_first() {
        if planning.cancel.is_cancelled() {
            return Err(PlanError::Interrupted);
        }
        if nodes.len() > MOST {
            break;
        }
        for (key, node) in visit_file(cx, &path, keys, nodes) {
            for up in &node.ups {
                if up.path != path && !nodes.contains_key(up) {
                    pending.entry(Arc::clone(&up.path)).or_default().insert(up.clone());
                }
            }
            for used in node.twin.iter().flat_map(|it| &it.uses) {
                if used.path != path && !nodes.contains_key(used) {
                    pending.entry(Arc::clone(&used.path)).or_default().insert(used.clone());
                }
            }
            nodes.insert(key, node);
        }
    }
    Ok(())
}

/// What was not looked at any more cannot be relied on.
fn stop_at_unseen(nodes: &mut BTreeMap<Key, Node>) {
    let ups = nodes.values().flat_map(|it| &it.ups).filter(|it| !nodes.contains_key(it));
    let unseen: BTreeSet<Key> = ups.cloned().collect();
    for key in unseen {
        let barrier = Barrier {
            path: Arc::clone(&key.path),
            line: 0,
            reason: "too many functions depend on each other here".to_owned(),
            suggestion: "run the recipe on one folder at a time".to_owned(),
        };
        let label = key.path.to_string();
        nodes.insert(key, Node { label, barrier: Some(barrier), ..Node::default() });
    }
}

/// Visits what is to be visited in one file, and what follows in the same file.
fn visit_file(
    cx: &Cx<'_>,
    path: &Arc<str>,
    keys: BTreeSet<Key>,
    known: &BTreeMap<Key, Node>,
) -> BTreeMap<Key, Node> {
    let world = cx.planning.world;
    let lost = |keys: &BTreeSet<Key>| {
        let barrier = Barrier {
            path: Arc::clone(path),
            line: 0,
            reason: format!("{path} cannot be read"),
            suggestion: "look at it by hand".to_owned(),
        };
        let node = Node { label: path.to_string(), barrier: Some(barrier), ..Node::default() };
        keys.iter().map(|key| (key.clone(), node.clone())).collect()
    };
    let Some(links) = links(world, path) else { return lost(&keys) };
    let first = keys.clone();
    let visited = world.with_module(path, |module| {
        let at = At::new(cx, path, module, links);
        let mut found: BTreeMap<Key, Node> = BTreeMap::new();
        let mut queue: VecDeque<Key> = keys.into_iter().collect();
        while let Some(key) = queue.pop_front() {
            if found.contains_key(&key) || known.contains_key(&key) {
                continue;
            }
            let mut node = match &key.kind {
                Kind::Use => at.visit_use(&key),
                Kind::Object(name) => at.visit_object(&key, name),
                Kind::Func => at.visit_func(&key),
                Kind::Top => at.visit_top(&key),
            };
            pass_twin(cx, &key, &mut node);
            let uses = node.twin.iter().flat_map(|it| it.uses.iter());
            queue.extend(node.ups.iter().chain(uses).filter(|it| it.path == *path).cloned());
            found.insert(key, node);
        }
        found
    });
    visited.unwrap_or_else(|| lost(&first))
}

/// A function that has a twin hands this on to its uses, up to where it is called.
fn pass_twin(cx: &Cx<'_>, key: &Key, node: &mut Node) {
    let mut twins = cx.twins.lock().expect("nobody panics with it");
    if let Some(twin) = &node.twin {
        twins.extend(twin.uses.iter().map(|it| (it.clone(), twin.name.clone())));
        return;
    }
    if matches!(key.kind, Kind::Func | Kind::Top) || node.is_call {
        return;
    }
    let Some(name) = twins.get(key).cloned() else { return };
    // Nothing is changed where the function is only handed on: it stays what it is.
    node.barrier = None;
    node.edits.clear();
    node.api.clear();
    let uses = std::mem::take(&mut node.ups);
    twins.extend(uses.iter().map(|it| (it.clone(), name.clone())));
    node.twin = Some(super::model::Twin { sync: String::new(), name, uses });
}

impl Graph {
    /// Decides what can be told only when all is known, then who is blocked.
    fn settle(&mut self, cx: &Cx<'_>, sites: &BTreeMap<Key, Site>) {
        self.settle_parallel(sites);
        self.block();
        self.settle_shared(sites);
        self.block();
        self.settle_races(cx, sites);
        self.settle_tops(cx.planning, sites);
        self.block();
    }

    /// Spreads from functions that cannot be async to everything that calls them.
    fn block(&mut self) {
        let mut queue: VecDeque<Key> = VecDeque::new();
        for (key, node) in &self.nodes {
            if node.barrier.is_some() && !self.blocked.contains_key(key) {
                self.blocked.insert(key.clone(), key.clone());
                queue.push_back(key.clone());
            }
        }
        while let Some(key) = queue.pop_front() {
            for down in self.downs.get(&key).into_iter().flatten() {
                if !self.blocked.contains_key(down) {
                    self.blocked.insert(down.clone(), key.clone());
                    queue.push_back(down.clone());
                }
            }
        }
    }

    /// Everything that waits now: what can be changed, with all that has to follow.
    fn live(&self, sites: &BTreeMap<Key, Site>) -> BTreeSet<Key> {
        let mut open: Vec<&Key> = self.roots(sites).collect();
        let mut found = BTreeSet::new();
        while let Some(key) = open.pop() {
            if found.insert(key.clone()) {
                open.extend(self.nodes.get(key).into_iter().flat_map(|it| &it.ups));
            }
        }
        found
    }

    /// Sites, and calls of functions with a twin, that can be changed.
    pub(super) fn roots<'g>(
        &'g self,
        sites: &'g BTreeMap<Key, Site>,
    ) -> impl Iterator<Item = &'g Key> {
        let is_call = |it: &&Key| self.nodes.get(*it).is_some_and(|it| it.is_call);
        let all = sites.keys().chain(self.twins.keys().filter(is_call));
        all.filter(|it| !self.blocked.contains_key(*it) && self.nodes.contains_key(*it))
    }

    /// Leaves alone what was one step and would no longer be. What is left may free other places from waiting.
    fn settle_races(&mut self, cx: &Cx<'_>, sites: &BTreeMap<Key, Site>) {
        loop {
            let live = self.live(sites);
            let found = Races::new(cx, self, sites, &live).find();
            let mut is_new = false;
            let all = if found.barriers.is_empty() { found.writes } else { found.barriers };
            for (key, barrier) in all {
                let node = self.nodes.get_mut(&key).expect("it is there");
                is_new |= node.barrier.is_none();
                node.barrier.get_or_insert(barrier);
            }
            self.notes = found.notes;
            if !is_new {
                return;
            }
            self.block();
        }
    }

    fn settle_parallel(&mut self, sites: &BTreeMap<Key, Site>) {
        let parallel: Vec<(Key, Parallel)> = self
            .nodes
            .iter()
            .filter_map(|(key, node)| Some((key.clone(), node.parallel.clone()?)))
            .collect();
        for (key, it) in parallel {
            let readers = it.of.iter().all(|of| match of.kind {
                Kind::Func => self.only_reads(of, sites, &mut BTreeSet::new()),
                _ => self.target_reads(of, sites, &mut BTreeSet::new()),
            });
            if readers {
                continue;
            }
            let waits = |called: &Key| self.nodes.contains_key(called);
            let is_awaited = it.otherwise.as_ref().is_ok_and(|it| it.called.iter().any(waits));
            let node = self.nodes.get_mut(&key).expect("it is there");
            match it.otherwise {
                Ok(mut sequence) => {
                    if let Some(last) = sequence.edits.last_mut().filter(|_| is_awaited) {
                        last.edit.text.push_str("await ");
                    }
                    node.edits = sequence.edits;
                }
                Err(barrier) => node.barrier = Some(barrier),
            }
        }
    }

    /// Does a function do nothing but read, with all that it calls?
    fn only_reads(
        &self,
        func: &Key,
        sites: &BTreeMap<Key, Site>,
        open: &mut BTreeSet<Key>,
    ) -> bool {
        if !open.insert(func.clone()) {
            return true;
        }
        let Some(calls) = self.nodes.get(func).and_then(|it| it.calls.as_ref()) else {
            return false;
        };
        calls.iter().all(|&(start, end)| {
            let key = Key { path: Arc::clone(&func.path), start, end, kind: Kind::Use };
            self.nodes.contains_key(&key) && self.target_reads(&key, sites, open)
        })
    }

    /// Does what is used here do nothing but read?
    fn target_reads(
        &self,
        used: &Key,
        sites: &BTreeMap<Key, Site>,
        open: &mut BTreeSet<Key>,
    ) -> bool {
        if let Some(site) = sites.get(used) {
            return site.reads;
        }
        let targets = self.downs.get(used).map_or(&[][..], Vec::as_slice);
        !targets.is_empty()
            && targets.iter().all(|it| match it.kind {
                Kind::Func => self.only_reads(it, sites, open),
                _ => self.target_reads(it, sites, open),
            })
    }

    /// State that others see must not be read before a wait and written behind it.
    fn settle_shared(&mut self, sites: &BTreeMap<Key, Site>) {
        let live = self.live(sites);
        let mut found = Vec::new();
        for (key, node) in &self.nodes {
            for (right, name, line) in &node.shared {
                let from = Key {
                    path: Arc::clone(&key.path),
                    start: right.start,
                    end: 0,
                    kind: Kind::Use,
                };
                let to = Key {
                    path: Arc::clone(&key.path),
                    start: right.end,
                    end: u32::MAX,
                    kind: Kind::Top,
                };
                let mut within = self.nodes.range(from..=to);
                let waits = within.any(|(it, other)| {
                    it.kind == Kind::Use
                        && other.is_call
                        && it.end <= right.end
                        && live.contains(it)
                });
                if waits {
                    let barrier = Barrier {
                        path: Arc::clone(&key.path),
                        line: *line,
                        reason: format!(
                            "`{name}` is shared, and would be read before the `await` and written after it"
                        ),
                        suggestion: format!(
                            "read the file first, then update `{name}` in one step"
                        ),
                    };
                    found.push((key.clone(), barrier));
                }
            }
        }
        for (key, barrier) in found {
            self.nodes.get_mut(&key).expect("it is there").barrier.get_or_insert(barrier);
        }
    }

    /// What is put behind the last call of a program, which nobody awaits.
    fn handler_of(&self, planning: &Planning<'_>, last: &Key) -> Option<Put> {
        let call = self.nodes[last].call?;
        planning.world.with_module(&last.path, |module| {
            let text = entry::handler(module, module.indent_at(call.start));
            Put::close(&last.path, call, text)
        })
    }

    /// Programs that cannot wait at their top level are wrapped, where they can be.
    fn settle_tops(&mut self, planning: &Planning<'_>, sites: &BTreeMap<Key, Site>) {
        let live = self.live(sites);
        let tops: Vec<Key> = self.nodes.keys().filter(|it| it.kind == Kind::Top).cloned().collect();
        for top in tops {
            let node = &self.nodes[&top];
            if node.barrier.is_some() || !node.notes.iter().any(|it| it == entry::WRAPPED) {
                continue;
            }
            let downs = self.downs.get(&top).cloned().unwrap_or_default();
            let downs: Vec<Key> = downs.into_iter().filter(|it| live.contains(it)).collect();
            if downs.is_empty() {
                continue;
            }
            let warns_only = package::may_be_before_node_15(planning.world, &top.path);
            if let [only] = downs.as_slice()
                && self.nodes[only].tail
            {
                if warns_only && let Some(put) = self.handler_of(planning, only) {
                    self.nodes.get_mut(only).expect("it is there").edits.push(put);
                }
                continue;
            }
            let first = downs.iter().map(|it| it.start).min().unwrap_or(0);
            let made = planning.world.with_module(&top.path, |module| {
                if top.end > 0 {
                    entry::wrap_block(module, &top.path, top.span(), warns_only)
                } else {
                    entry::wrap(module, &top.path, first, warns_only)
                }
            });
            let node = self.nodes.get_mut(&top).expect("it is there");
            match made {
                Some(Ok(puts)) => {
                    node.edits = puts;
                    for down in &downs {
                        self.nodes.get_mut(down).expect("it is there").tail = false;
                    }
                }
                Some(Err(reason)) => {
                    node.barrier = Some(Barrier {
                        path: Arc::clone(&top.path),
                        line: 1,
                        reason: format!(
                            "the top level of {} cannot use `await`, and cannot be moved into a function: {reason}",
                            top.path
                        ),
                        suggestion: "put it into an async `main` by hand, then run again"
                            .to_owned(),
                    });
                }
                None => {}
            }
        }
    }
}
