//! A workflow as a graph: nodes that see only what they declare, edges with conditions, cycles with limits.
//!
//! A node reads a `View` of the state and gives an `Update`, which is events: the state changes by folding them and in no other
//! way. `Graph::perform` carries out one node and `Graph::next` says where the graph goes on; every transition stands in the
//! journal before its effect, so that a process killed anywhere is continued by any later one at the same node. The graph knows no
//! workflow: state, world and errors are the caller's.

mod drawing;
mod position;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeSet;

use crate::event::Event;
use crate::workflow::{RunState as _, Workflow};

pub use drawing::{Drawing, DrawnEdge, DrawnNode};
pub use position::Position;

/// Where a graph ends.
pub const END: &str = "end";

/// The part of a state that a node may see.
pub trait View<'s, S: ?Sized>: Sized {
    fn of(state: &'s S) -> Self;
}

/// The whole of it, for nodes that are no agents: they carry out what was decided.
impl<'s, S> View<'s, S> for &'s S {
    fn of(state: &'s S) -> Self {
        state
    }
}

/// Nothing of it.
impl<S> View<'_, S> for () {
    fn of(_: &S) -> Self {}
}

/// What a node may change. It says so by events; which ones its type can give is all that the node can do to the state.
pub trait Update<W: Workflow> {
    fn events(self) -> Vec<Event<W>>;
}

/// Whatever the workflow can say.
impl<W: Workflow> Update<W> for Vec<Event<W>> {
    fn events(self) -> Vec<Event<W>> {
        self
    }
}

/// Nothing changes.
impl<W: Workflow> Update<W> for () {
    fn events(self) -> Vec<Event<W>> {
        Vec::new()
    }
}

/// One step of a workflow.
///
/// A node that looks at more than it declared does not compile:
///
/// ```compile_fail,E0609
/// use rb_flow::graph::View;
///
/// struct State { directive: String, secrets: String }
/// struct Directive<'s> { directive: &'s str }
/// impl<'s> View<'s, State> for Directive<'s> {
///     fn of(state: &'s State) -> Self { Directive { directive: &state.directive } }
/// }
/// fn run(reads: Directive<'_>) -> bool { reads.secrets.is_empty() }
/// fn perform(state: &State) -> bool { run(View::of(state)) }
/// ```
///
/// With the field that it was given, it does:
///
/// ```
/// # use rb_flow::graph::View;
/// # struct State { directive: String }
/// # struct Directive<'s> { directive: &'s str }
/// # impl<'s> View<'s, State> for Directive<'s> {
/// #     fn of(state: &'s State) -> Self { Directive { directive: &state.directive } }
/// # }
/// fn run(reads: Directive<'_>) -> bool { reads.directive.is_empty() }
/// fn perform(state: &State) -> bool { run(View::of(state)) }
/// ```
///
/// Nor can it change what it sees:
///
/// ```compile_fail,E0594
/// # use rb_flow::graph::View;
/// # struct State { directive: String }
/// fn run(reads: &State) { reads.directive = String::new(); }
/// fn perform(state: &State) { run(View::of(state)) }
/// ```
pub trait Node<W: Workflow> {
    const NAME: &'static str;
    /// In a few words, for the drawing.
    const DOES: &'static str;
    type Reads<'s>: View<'s, W::State>
    where
        W: 's;
    type Writes: Update<W>;

    /// May be performed again after a kill, so it takes nothing of what it did before for granted.
    fn run(reads: Self::Reads<'_>, world: &mut W::World) -> Result<Self::Writes, W::Error>;
}

/// All nodes of a workflow, and what comes after what.
pub struct Graph<W: Workflow> {
    pub name: &'static str,
    spots: Vec<Spot<W>>,
}

/// A node with the edges that leave it.
struct Spot<W: Workflow> {
    name: &'static str,
    does: &'static str,
    run: Performs<W>,
    /// Whether a person has to say something first.
    waits: Option<fn(&W::State) -> bool>,
    edges: Vec<Edge<W::State>>,
}

type Performs<W> = fn(
    &<W as Workflow>::State,
    &mut <W as Workflow>::World,
) -> Result<Vec<Event<W>>, <W as Workflow>::Error>;

/// A condition in words, and as it is asked.
type When<S> = (&'static str, fn(&S) -> bool);

struct Edge<S> {
    to: &'static str,
    /// `None` is always.
    when: Option<When<S>>,
    /// How often it may be taken within one lap. Past it the edge is as if it were not there.
    most: Option<fn(&S) -> u32>,
}

impl<W: Workflow> Graph<W> {
    /// An empty graph; the first node that is added is where it begins.
    pub fn new(name: &'static str) -> Self {
        Graph { name, spots: Vec::new() }
    }

    /// Adds a node; the edges that follow leave it.
    #[must_use]
    pub fn node<N: Node<W>>(mut self) -> Self {
        self.spots.push(Spot {
            name: N::NAME,
            does: N::DOES,
            run: |state, world| Ok(N::run(N::Reads::of(state), world)?.events()),
            waits: None,
            edges: Vec::new(),
        });
        self
    }

    /// The node added last is not performed while this holds.
    #[must_use]
    pub fn waits_while(mut self, waits: fn(&W::State) -> bool) -> Self {
        self.last().waits = Some(waits);
        self
    }

    /// An edge to `N` that is taken where none before it was.
    #[must_use]
    pub fn then<N: Node<W>>(self) -> Self {
        self.edge(N::NAME, None, None)
    }

    /// The graph ends here where no edge before was taken.
    #[must_use]
    pub fn end(self) -> Self {
        self.edge(END, None, None)
    }

    #[must_use]
    pub fn when<N: Node<W>>(self, words: &'static str, holds: fn(&W::State) -> bool) -> Self {
        self.edge(N::NAME, Some((words, holds)), None)
    }

    /// An edge back, which may be taken so often within one lap.
    #[must_use]
    pub fn again<N: Node<W>>(
        self,
        words: &'static str,
        holds: fn(&W::State) -> bool,
        most: fn(&W::State) -> u32,
    ) -> Self {
        self.edge(N::NAME, Some((words, holds)), Some(most))
    }

    fn edge(
        mut self,
        to: &'static str,
        when: Option<When<W::State>>,
        most: Option<fn(&W::State) -> u32>,
    ) -> Self {
        self.last().edges.push(Edge { to, when, most });
        self
    }

    fn last(&mut self) -> &mut Spot<W> {
        self.spots.last_mut().expect("edges are given after a node")
    }

    /// Where a run begins.
    pub fn first(&self) -> &'static str {
        self.spots.first().map_or(END, |spot| spot.name)
    }

    /// What is wrong with the graph: edges to nowhere, nodes that nobody reaches, nodes without a way out. A test asks.
    pub fn faults(&self) -> Vec<String> {
        let names: BTreeSet<&str> = self.spots.iter().map(|spot| spot.name).collect();
        let mut faults = Vec::new();
        if names.len() != self.spots.len() {
            faults.push("two nodes have one name".to_owned());
        }
        let mut reached = BTreeSet::from([self.first()]);
        for spot in &self.spots {
            reached.extend(spot.edges.iter().map(|edge| edge.to));
            for edge in spot.edges.iter().filter(|edge| !names.contains(edge.to) && edge.to != END)
            {
                faults.push(format!("{} leads to {}, which is no node", spot.name, edge.to));
            }
            let is_open = |edge: &Edge<W::State>| edge.when.is_none() && edge.most.is_none();
            if !spot.edges.last().is_some_and(is_open) {
                faults.push(format!("{} has no last way out", spot.name));
            }
        }
        let lost = names.difference(&reached).map(|name| format!("nothing leads to {name}"));
        faults.extend(lost);
        faults
    }

    fn spot(&self, name: &str) -> Option<&Spot<W>> {
        self.spots.iter().find(|spot| spot.name == name)
    }

    /// Whether the node cannot go on before a person has said something.
    pub fn waits(&self, name: &str, state: &W::State) -> bool {
        self.spot(name).and_then(|spot| spot.waits).is_some_and(|waits| waits(state))
    }

    /// Performs a node. What it gives is to be folded before `next` is asked.
    pub fn perform(
        &self,
        name: &str,
        state: &W::State,
        world: &mut W::World,
    ) -> Result<Vec<Event<W>>, W::Error> {
        match self.spot(name) {
            Some(spot) => (spot.run)(state, world),
            None => Ok(Vec::new()),
        }
    }

    /// Where the graph goes on after a node: a pure function of the state and of the way so far.
    pub fn next(&self, name: &str, state: &W::State, position: &Position) -> &'static str {
        let Some(spot) = self.spot(name) else { return END };
        let lap = state.lap();
        let open = |edge: &&Edge<W::State>| {
            edge.when.is_none_or(|(_, holds)| holds(state))
                && edge.most.is_none_or(|most| position.taken(&lap, name, edge.to) < most(state))
        };
        spot.edges.iter().find(open).map_or(END, |edge| edge.to)
    }

    /// The graph as a picture can show it.
    pub fn drawing(&self) -> Drawing {
        let nodes = self.spots.iter().map(|spot| DrawnNode {
            name: spot.name,
            does: spot.does,
            waits: spot.waits.is_some(),
        });
        let edges = self.spots.iter().flat_map(|spot| {
            spot.edges.iter().map(|edge| DrawnEdge {
                from: spot.name,
                to: edge.to,
                when: edge.when.map(|(words, _)| words),
                is_limited: edge.most.is_some(),
            })
        });
        Drawing { name: self.name, nodes: nodes.collect(), edges: edges.collect() }
    }
}
