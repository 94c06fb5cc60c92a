//! From what was found to the plan: chains of what belongs together, and what is left with the way to its barrier.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use oxc_span::Span;
use rb_core::Edit;

use super::graph::Graph;
use super::imports::{self, Changed};
use super::model::{Change, Key, Kind, Put, Site};
use crate::links::line_of;
use crate::plan::{Chain, Left, Plan, Site as PlanSite, one_line};
use crate::recipe::Planning;

pub(super) fn plan(planning: &Planning<'_>, graph: &Graph, sites: &BTreeMap<Key, Site>) -> Plan {
    let mut plan = Plan::default();
    let roots: Vec<Key> = graph.roots(sites).cloned().collect();
    let changed: BTreeSet<&Key> = roots.iter().collect();
    let is_call = |it: &&Key| graph.nodes.get(*it).is_some_and(|it| it.is_call);
    let all: BTreeSet<&Key> = sites.keys().chain(graph.twins.keys().filter(is_call)).collect();
    let is_wanted = |it: &Key| planning.only.is_none_or(|only| only(&it.path));
    for key in all.into_iter().filter(|it| !changed.contains(it) && is_wanted(it)) {
        plan.left.push(left(planning, graph, sites.get(key), key));
    }
    for members in components(graph, sites, &roots) {
        plan.chains.push(chain(planning, graph, sites, &members));
    }
    plan
}

fn left(planning: &Planning<'_>, graph: &Graph, site: Option<&Site>, key: &Key) -> Left {
    let (line, column, code) = match site {
        Some(site) => (site.line, site.column, site.code.clone()),
        None => called(planning, key),
    };
    let mut through = Vec::new();
    let mut at = key.clone();
    for _ in 0..256 {
        let Some(next) = graph.blocked.get(&at).filter(|it| **it != at) else { break };
        if matches!(next.kind, Kind::Func) || graph.blocked.get(next) == Some(next) {
            through.push(graph.nodes[next].label.clone());
        }
        at = next.clone();
    }
    through.dedup();
    let barrier = graph.nodes.get(&at).and_then(|it| it.barrier.clone());
    let (mut reason, suggestion) = match &barrier {
        Some(it) => (it.reason.clone(), it.suggestion.clone()),
        None => (
            "too many functions depend on each other here".to_owned(),
            "run the recipe on one folder at a time".to_owned(),
        ),
    };
    if let Some(it) = barrier.filter(|it| at != *key && it.line > 0) {
        reason = format!("{reason} ({}:{})", it.path, it.line);
    }
    Left { path: key.path.to_string(), line, column, code, reason, suggestion, through }
}

/// Place and text of a call that is no site of `fs`.
fn called(planning: &Planning<'_>, key: &Key) -> (u32, u32, String) {
    let Some(text) = planning.world.text(&key.path) else { return (0, 0, String::new()) };
    let start = key.start as usize;
    let line_start = text[..start].rfind('\n').map_or(0, |it| it + 1);
    let column = u32::try_from(text[line_start..start].chars().count()).unwrap_or(0) + 1;
    (line_of(&text, key.start), column, one_line(&text[start..key.end as usize]))
}

/// Everything that is changed, in groups that share something.
fn components(graph: &Graph, sites: &BTreeMap<Key, Site>, roots: &[Key]) -> Vec<BTreeSet<Key>> {
    let mut numbers: BTreeMap<&Key, usize> = BTreeMap::new();
    let mut open: Vec<&Key> = roots.iter().collect();
    let mut groups = Groups::default();
    while let Some(key) = open.pop() {
        if !numbers.contains_key(key) {
            numbers.insert(key, groups.add());
            open.extend(graph.nodes.get(key).into_iter().flat_map(|it| &it.ups));
        }
    }
    let mut importers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut functions: BTreeMap<(&str, u32, u32), usize> = BTreeMap::new();
    for (key, &at) in &numbers {
        for up in graph.nodes.get(*key).into_iter().flat_map(|it| &it.ups) {
            groups.join(at, numbers[up]);
        }
        // A callback that runs in place is edited together with what is around it.
        let node = graph.nodes.get(*key).filter(|_| key.kind == Kind::Func);
        if let Some(outer) = node.and_then(|it| it.within.as_ref()) {
            let place = (&*outer.path, outer.start, outer.end);
            groups.join(at, *functions.entry(place).or_insert(at));
        }
        let Some(site) = sites.get(*key) else { continue };
        // Names that are imported come and go together.
        if matches!(
            site.change,
            Change::Made { import: Some(_), .. } | Change::Made { helper: Some(_), .. }
        ) {
            groups.join(at, *importers.entry(&key.path).or_insert(at));
        }
        // What one function does is one step.
        if let Some(it) = site.within {
            groups.join(at, *functions.entry((&key.path, it.start, it.end)).or_insert(at));
        }
    }
    let mut found: BTreeMap<usize, BTreeSet<Key>> = BTreeMap::new();
    for (key, at) in numbers {
        found.entry(groups.first(at)).or_default().insert(key.clone());
    }
    found.into_values().collect()
}

/// Numbers in groups: each points to another one of its group, or to itself.
#[derive(Default)]
struct Groups(Vec<usize>);

impl Groups {
    fn add(&mut self) -> usize {
        self.0.push(self.0.len());
        self.0.len() - 1
    }

    fn first(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        self.0[one.max(other)] = one.min(other);
    }
}

fn chain(
    planning: &Planning<'_>,
    graph: &Graph,
    sites: &BTreeMap<Key, Site>,
    members: &BTreeSet<Key>,
) -> Chain {
    let mut chain = Chain::default();
    let mut puts: Vec<Put> = Vec::new();
    let mut changed: BTreeMap<Arc<str>, Changed> = BTreeMap::new();
    let mut functions = Vec::new();
    for key in members {
        let node = &graph.nodes[key];
        let edits = match &node.receiver {
            Some((callback, edits)) if members.contains(callback) => edits,
            _ => &node.edits,
        };
        let waits = |it: &&Put| {
            !(node.tail && is_bare_wait(it) && key.kind == Kind::Use && at_top(graph, key))
        };
        puts.extend(edits.iter().filter(waits).cloned());
        chain.api.extend(node.api.iter().cloned());
        if key.kind == Kind::Func && !node.is_async {
            functions.push(node.label.split_once(' ').map_or("", |it| it.1).to_owned());
        }
        if let Some(site) = sites.get(key) {
            chain.sites.push(PlanSite {
                path: key.path.to_string(),
                line: site.line,
                what: site.what.clone(),
            });
            if let Change::Made { import: Some(named), .. } = &site.change {
                let span = Span::new(key.start, key.end);
                changed.entry(Arc::clone(&key.path)).or_default().push((span, named.clone()));
            }
        } else if let Some(twin) = graph.twins.get(key) {
            let (line, _, code) = called(planning, key);
            let what = format!("`{code}` → its async counterpart `{twin}`");
            chain.sites.push(PlanSite { path: key.path.to_string(), line, what });
        }
    }
    for (path, changed) in &changed {
        let made = planning.world.with_module(path, |module| imports::edits(module, path, changed));
        puts.extend(made.into_iter().flatten());
    }
    chain.title = title(&chain, &functions);
    let notes = members.iter().filter_map(|it| graph.notes.get(it));
    chain.notes = notes.flatten().cloned().collect();
    for (path, edits) in merged(puts) {
        chain.edits.insert(path, edits);
    }
    chain
}

fn is_bare_wait(put: &Put) -> bool {
    put.edit.start == put.edit.end && put.edit.text == "await "
}

/// The last call of a program that is not wrapped.
fn at_top(graph: &Graph, key: &Key) -> bool {
    graph.nodes[key].ups.iter().any(|it| {
        it.kind == Kind::Top && graph.nodes[it].notes.iter().any(|it| it == super::entry::WRAPPED)
    })
}

fn title(chain: &Chain, functions: &[String]) -> String {
    let sites = chain.sites.len();
    let calls =
        if sites == 1 { "1 call awaited".to_owned() } else { format!("{sites} calls awaited") };
    let named: Vec<&String> = functions.iter().filter(|it| !it.contains(' ')).collect();
    match (named.as_slice(), functions.len()) {
        ([], 0) => {
            let file = chain.sites.first().map_or("", |it| it.path.as_str());
            format!("{file}: {calls}, in functions that are already async")
        }
        ([], 1) => format!("{calls}; 1 enclosing function becomes async"),
        ([], count) => format!("{calls}; {count} enclosing functions become async"),
        ([only], 1) => format!("`{only}` becomes async: {calls}"),
        ([first, ..], 2) => format!("`{first}` and 1 more function become async: {calls}"),
        ([first, ..], count) => {
            format!("`{first}` and {} more functions become async: {calls}", count - 1)
        }
    }
}

/// Edits by file, those at one place joined in their order.
fn merged(mut puts: Vec<Put>) -> BTreeMap<String, Vec<Edit>> {
    let mut by_path: BTreeMap<String, Vec<Edit>> = BTreeMap::new();
    puts.sort_by_key(|it| (Arc::clone(&it.path), it.edit.start, it.edit.end, it.rank));
    let mut last: Option<Put> = None;
    for put in puts {
        let edits = by_path.entry(put.path.to_string()).or_default();
        let joins =
            last.as_ref().is_some_and(|it| it.path == put.path && it.edit.start == put.edit.start);
        if last.as_ref() == Some(&put) {
            continue;
        }
        match edits.last_mut().filter(|it| joins && it.start == it.end) {
            Some(before) => {
                before.end = put.edit.end;
                before.text.push_str(&put.edit.text);
            }
            None => edits.push(put.edit.clone()),
        }
        last = Some(put);
    }
    by_path
}
