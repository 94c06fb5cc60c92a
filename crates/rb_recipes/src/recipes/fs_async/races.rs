//! What was one step and would no longer be: a file that is read and then written, with a new wait between, or one that
//! is written as a whole while another function reads it.
//!
//! Two calls of such a function that run at a time read the same content, and the second overwrites what the first has
//! written. What each function does to which files is known through the functions that it calls.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use oxc_ast::AstKind;
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

use super::at::Cx;
use super::callers::{Callers, Overlap};
use super::graph::Graph;
use super::memory;
use super::model::{Barrier, How, Key, Kind, Node, Site, Touch};
use super::paths::{is_fixed, substitute};

/// A function with more to it does not tell anything.
const MOST: usize = 256;
const SUGGESTION: &str =
    "run the calls one after the other (a lock or queue per file), then change it by hand";

/// What one part of a function does: the place, and the files that it touches.
struct Event<'g> {
    key: &'g Key,
    /// Up to where it has run.
    end: u32,
    touches: Rc<Vec<Touch>>,
    waits: bool,
}

/// A file that is looked at and then changed, in one function.
struct Pair<'g> {
    first: &'g Key,
    last: &'g Key,
    look: How,
    change: How,
    /// The path as it is written where it is changed.
    code: String,
    /// What waits from the first to the last.
    waits: Vec<&'g Key>,
}

/// A place at which a function reads or writes a file that is the same in every call.
struct Use<'g> {
    func: &'g Key,
    key: &'g Key,
    how: How,
    code: String,
    waits: bool,
}

pub(super) struct Races<'g> {
    cx: &'g Cx<'g>,
    graph: &'g Graph,
    sites: &'g BTreeMap<Key, Site>,
    live: &'g BTreeSet<Key>,
    /// What stands in a function, in the order of the text.
    inside: BTreeMap<&'g Key, Vec<&'g Key>>,
    known: BTreeMap<&'g Key, Rc<Vec<Touch>>>,
}

/// What comes of the races of a project.
#[derive(Default)]
pub(super) struct RaceReport {
    /// Nodes that must not wait, with the reason.
    pub(super) barriers: Vec<(Key, Barrier)>,
    /// As `barriers`, for what is not left for a better reason.
    pub(super) writes: Vec<(Key, Barrier)>,
    /// What a reviewer has to know, by the function that it is about.
    pub(super) notes: BTreeMap<Key, Vec<String>>,
}

impl<'g> Races<'g> {
    pub(super) fn new(
        cx: &'g Cx<'g>,
        graph: &'g Graph,
        sites: &'g BTreeMap<Key, Site>,
        live: &'g BTreeSet<Key>,
    ) -> Self {
        let mut inside: BTreeMap<&Key, Vec<&Key>> = BTreeMap::new();
        for (key, node) in &graph.nodes {
            if let Some(within) = &node.within {
                inside.entry(within).or_default().push(key);
            }
        }
        Races { cx, graph, sites, live, inside, known: BTreeMap::new() }
    }

    pub(super) fn find(mut self) -> RaceReport {
        let mut found = RaceReport::default();
        let mut callers = Callers::new(self.cx, &self.graph.nodes);
        let functions: Vec<&Key> = self.inside.keys().copied().collect();
        for func in functions.into_iter().filter(|it| it.kind == Kind::Func) {
            let events = self.events(func);
            if !events.iter().any(|it| it.waits) {
                continue;
            }
            let pairs = self.pairs(func, &events);
            let is_memory = memory::may_matter(self.cx, func);
            let alone: Vec<&Event<'_>> =
                events.iter().filter(|it| it.waits && self.sites.contains_key(it.key)).collect();
            if pairs.is_empty() && !is_memory && alone.is_empty() {
                continue;
            }
            let overlap = callers.overlap(func);
            if overlap == Overlap::No {
                continue;
            }
            for pair in &pairs {
                self.judge(func, pair, &mut found);
            }
            for event in alone.into_iter().filter(|_| overlap == Overlap::Yes) {
                self.writes_twice(func, event, &mut found);
            }
            if is_memory {
                let waits: Vec<(u32, &Key)> =
                    events.iter().filter(|it| it.waits).map(|it| (it.end, it.key)).collect();
                found.barriers.extend(memory::barriers(self.cx, func, &waits));
            }
        }
        self.half_written(&mut callers, &mut found);
        found
    }

    /// A file that one function reads and another one writes as a whole: what is read while it is written is half of it.
    fn half_written(&mut self, callers: &mut Callers<'_>, found: &mut RaceReport) {
        let mut uses: BTreeMap<String, Vec<Use<'g>>> = BTreeMap::new();
        let functions: Vec<&Key> = self.inside.keys().copied().collect();
        for func in functions.into_iter().filter(|it| it.kind == Kind::Func) {
            for Event { key, touches, waits, .. } in self.events(func) {
                for Touch { how, path, code } in touches.iter() {
                    if is_fixed(path) && matches!(how, How::Reads | How::Writes) {
                        let code = code.clone();
                        uses.entry(path.clone()).or_default().push(Use {
                            func,
                            key,
                            how: *how,
                            code,
                            waits,
                        });
                    }
                }
            }
        }
        uses.retain(|_, of| {
            let has = |how| of.iter().any(|it| it.how == how);
            has(How::Reads) && has(How::Writes) && of.iter().any(|it| it.waits)
        });
        for of in uses.values() {
            let overlaps: Vec<Overlap> = of.iter().map(|it| callers.overlap(it.func)).collect();
            for (one, own) in of.iter().zip(&overlaps).filter(|(it, _)| it.waits) {
                let meets = |(it, its): &(&Use<'g>, &Overlap)| {
                    it.how != one.how
                        && it.func != one.func
                        && *own.min(its) != Overlap::No
                        && *own.max(its) == Overlap::Yes
                };
                let Some((other, _)) = of.iter().zip(&overlaps).find(meets) else { continue };
                let (name, code) = (self.name(other.func), &one.code);
                let place = format!("{}:{}", other.key.path, self.line(other.key));
                let reason = if one.how == How::Reads {
                    format!("{name} ({place}) could write `{code}` while it is read")
                } else {
                    format!("{name} ({place}) could read `{code}` while it is half written")
                };
                let barrier = Barrier {
                    path: Arc::clone(&one.func.path),
                    line: self.line(one.key),
                    reason,
                    suggestion: SUGGESTION.to_owned(),
                };
                found.writes.push((one.key.clone(), barrier));
            }
        }
    }

    fn judge(&self, func: &Key, pair: &Pair<'_>, found: &mut RaceReport) {
        let lines = self.lines(pair);
        let code = &pair.code;
        if pair.change == How::Claims {
            let note =
                format!("{}: check-then-act on `{code}` ({lines}) is no longer atomic", func.path);
            found.notes.entry(func.clone()).or_default().push(note);
            return;
        }
        let what =
            if pair.look == How::Reads { "read-modify-write of" } else { "check-then-act on" };
        let name = self.name(func);
        let reason = format!(
            "{what} `{code}` ({lines}) would no longer be atomic: two calls of {name} could overwrite each other's changes"
        );
        let line = self.line(pair.last);
        for &key in &pair.waits {
            let barrier = Barrier {
                path: Arc::clone(&func.path),
                line,
                reason: reason.clone(),
                suggestion: SUGGESTION.to_owned(),
            };
            found.barriers.push((key.clone(), barrier));
        }
    }

    /// One file that every call writes as a whole: two promises that write it at a time mix their contents.
    fn writes_twice(&self, func: &Key, event: &Event<'_>, found: &mut RaceReport) {
        let is_it = |it: &&Touch| it.how == How::Writes && is_fixed(&it.path);
        let Some(touch) = event.touches.iter().find(is_it) else { return };
        let reason = format!(
            "two calls of {} could write `{}` at the same time and mix their contents",
            self.name(func),
            touch.code
        );
        let barrier = Barrier {
            path: Arc::clone(&func.path),
            line: self.line(event.key),
            reason,
            suggestion: SUGGESTION.to_owned(),
        };
        found.writes.push((event.key.clone(), barrier));
    }

    fn name(&self, func: &Key) -> String {
        let label = self.graph.nodes.get(func).map_or("", |it| it.label.as_str());
        match label.split_once(' ').map_or("", |it| it.1) {
            "" => "the function".to_owned(),
            name if name.contains(' ') => name.to_owned(),
            name => format!("`{name}`"),
        }
    }

    fn lines(&self, pair: &Pair<'_>) -> String {
        match (self.line(pair.first), self.line(pair.last)) {
            (first, last) if first == last => format!("line {first}"),
            (first, last) => format!("lines {first} and {last}"),
        }
    }

    fn line(&self, key: &Key) -> u32 {
        let text = self.cx.planning.world.text(&key.path);
        text.map_or(0, |text| crate::links::line_of(&text, key.start))
    }

    /// Files that a function looks at and changes behind that, with a new wait on the way.
    fn pairs(&self, func: &Key, events: &[Event<'g>]) -> Vec<Pair<'g>> {
        let mut found: Vec<Pair<'g>> = Vec::new();
        for (at, first) in events.iter().enumerate() {
            for (behind, last) in events.iter().enumerate().skip(at + 1) {
                let waits: Vec<&Key> =
                    events[at..=behind].iter().filter(|it| it.waits).map(|it| it.key).collect();
                let Some((look, change)) = meet(&first.touches, &last.touches) else { continue };
                let is_known = found.iter().any(|it| it.first == first.key && it.last == last.key);
                if waits.is_empty() || is_known {
                    continue;
                }
                let code = change.code.clone();
                let (look, change) = (look.how, change.how);
                found.push(Pair { first: first.key, last: last.key, look, change, code, waits });
            }
        }
        if found.is_empty() {
            return found;
        }
        let kept = self.cx.planning.world.with_module(&func.path, |module| {
            let span = func.span();
            let keeps = |it: &Pair<'_>| {
                !waits_between(module, span, it.first.span(), it.last.span())
                    && !is_either_or(module, span, it.first.span(), it.last.span())
            };
            found.iter().map(keeps).collect::<Vec<bool>>()
        });
        let mut kept = kept.unwrap_or_default().into_iter();
        found.retain(|_| kept.next().unwrap_or(true));
        found
    }

    fn events(&mut self, func: &'g Key) -> Vec<Event<'g>> {
        let keys = self.inside.get(func).cloned().unwrap_or_default();
        let mut events = Vec::new();
        for key in keys {
            let node = &self.graph.nodes[key];
            let touches = self.touches(key, node);
            let is_call = node.is_call || key.kind == Kind::Func;
            let end = node.call.map_or(key.end, |it| it.end);
            events.push(Event { key, end, touches, waits: is_call && self.live.contains(key) });
        }
        // A callback stands before what is called in it, and a call behind its arguments.
        events.sort_by_key(|it| it.end);
        events
    }

    /// What a call, or a callback, does to files: paths in the words of the function around it.
    fn touches(&mut self, key: &'g Key, node: &'g Node) -> Rc<Vec<Touch>> {
        if key.kind == Kind::Func {
            return self.of_func(key);
        }
        if let Some(site) = self.sites.get(key) {
            return Rc::new(site.touches.clone());
        }
        let mut found = Vec::new();
        for target in self.targets(key) {
            for touch in self.of_func(target).iter() {
                let path = substitute(&touch.path, target, &node.arguments);
                let touch = Touch { path, ..touch.clone() };
                if !found.contains(&touch) && found.len() < MOST {
                    found.push(touch);
                }
            }
        }
        Rc::new(found)
    }

    fn of_func(&mut self, func: &'g Key) -> Rc<Vec<Touch>> {
        if let Some(known) = self.known.get(func) {
            return Rc::clone(known);
        }
        // A function that leads back to itself adds nothing.
        self.known.insert(func, Rc::default());
        let mut found: Vec<Touch> = Vec::new();
        for event in self.events(func) {
            let new = event.touches.iter().filter(|it| !found.contains(it));
            let new: Vec<Touch> = new.take(MOST).cloned().collect();
            found.extend(new);
        }
        found.truncate(MOST);
        let found = Rc::new(found);
        self.known.insert(func, Rc::clone(&found));
        found
    }

    /// The functions that a use leads to.
    fn targets(&self, used: &Key) -> Vec<&'g Key> {
        let mut found = Vec::new();
        let mut seen: BTreeSet<&Key> = BTreeSet::new();
        let mut open: Vec<&'g Key> = self.graph.downs.get(used).into_iter().flatten().collect();
        while let Some(key) = open.pop() {
            if !seen.insert(key) {
                continue;
            }
            match key.kind {
                Kind::Func => found.push(key),
                // A call is no other name of what it calls.
                _ if self.graph.nodes[key].is_call => {}
                _ => open.extend(self.graph.downs.get(key).into_iter().flatten()),
            }
        }
        found.sort();
        found
    }
}

/// What is looked at first and changed behind that, the gravest first.
fn meet<'t>(first: &'t [Touch], last: &'t [Touch]) -> Option<(&'t Touch, &'t Touch)> {
    let pair = |looks: How, changes: How| {
        first.iter().filter(move |it| it.how == looks).find_map(|look| {
            let is_it = |it: &&Touch| it.how == changes && it.path == look.path;
            last.iter().find(is_it).map(|change| (look, change))
        })
    };
    pair(How::Reads, How::Writes)
        .or_else(|| pair(How::Looks, How::Writes))
        .or_else(|| pair(How::Looks, How::Claims))
        .or_else(|| pair(How::Reads, How::Claims))
}

/// Did the function wait between the two already?
fn waits_between(module: &Module<'_>, func: Span, first: Span, last: Span) -> bool {
    module.nodes().iter().any(|node| {
        let span = match node.kind() {
            AstKind::AwaitExpression(it) => it.span,
            AstKind::ForOfStatement(it) if it.r#await => {
                Span::new(it.span.start, it.right.span().end)
            }
            _ => return false,
        };
        func.contains_inclusive(span)
            && first.end <= span.end
            && span.end <= last.start
            && module.function_around(node.id()).is_some_and(|it| it.span() == func)
    })
}

/// Does only one of the two run: in branches of one choice, or behind a `return`?
fn is_either_or(module: &Module<'_>, func: Span, first: Span, last: Span) -> bool {
    let holds = |span: Span, it: Span| span.contains_inclusive(it);
    module.nodes().iter().any(|node| {
        let kind = node.kind();
        if !holds(func, kind.span()) || !holds(kind.span(), first) {
            return false;
        }
        match kind {
            AstKind::IfStatement(it) => {
                holds(it.consequent.span(), first)
                    && it.alternate.as_ref().is_some_and(|it| holds(it.span(), last))
            }
            AstKind::ConditionalExpression(it) => {
                holds(it.consequent.span(), first) && holds(it.alternate.span(), last)
            }
            AstKind::SwitchCase(it) => {
                !holds(it.span, last) && it.consequent.last().is_some_and(ends)
            }
            AstKind::BlockStatement(it) => {
                !holds(it.span, last) && it.body.last().is_some_and(leaves)
            }
            AstKind::ReturnStatement(it) => !holds(it.span, last),
            _ => false,
        }
    })
}

fn leaves(statement: &oxc_ast::ast::Statement<'_>) -> bool {
    use oxc_ast::ast::Statement as S;
    matches!(statement, S::ReturnStatement(_) | S::ThrowStatement(_))
}

fn ends(statement: &oxc_ast::ast::Statement<'_>) -> bool {
    use oxc_ast::ast::Statement as S;
    match statement {
        S::BlockStatement(it) => it.body.last().is_some_and(ends),
        S::BreakStatement(_) | S::ContinueStatement(_) => true,
        other => leaves(other),
    }
}
