//! The call graph: which symbol calls which, as far as names tell.
//!
//! Best effort, and it says so: every call ends as a symbol, with the way it was found, as something from outside, or as
//! unresolved, with the reason; `Stats` has the shares. It reads the facts of one file at a time, twice: first what all files
//! declare goes into a compact table, then each file's calls are looked up in it. Types are taken from signatures, never inferred.

mod builtins;
mod lookup;
mod names;
mod resolve;
mod scope;
mod signatures;
mod table;

use std::collections::BTreeMap;
use std::sync::Arc;

use rb_lang::{Facts, Language, ReferenceKind};
use rustc_hash::FxHashMap;
use serde::Serialize;

use self::lookup::{Lookup, NameTarget};
use self::names::Names;
use self::resolve::Resolver;
use self::table::{Base, Of, Table};
use crate::ids;
use crate::resolve::Resolution;
use crate::tree::{FileId, Tree};

/// Where the facts come from: a store, or memory. Asked twice for each file, in the order of the tree.
pub trait FactsSource {
    /// `None` for a file that is not read.
    fn facts(&self, id: FileId) -> Option<Arc<Facts>>;

    /// What became of the imports in the facts, in their order.
    fn resolutions(&self, id: FileId) -> &[Resolution];
}

/// All calls of a tree.
pub struct CallGraph {
    table: Table,
    /// The names of external packages and of unresolved calls.
    labels: Names,
    /// By `from`, then in the order of the text.
    pub edges: Vec<CallEdge>,
    pub stats: Stats,
}

/// The place of a symbol, or of the top level of a file, in the call graph. Good for one graph only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

/// A name in the call graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(u32);

/// All calls of the same thing in the same symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallEdge {
    pub from: NodeId,
    pub to: Target,
    pub count: u32,
    /// Of the first of them.
    pub line: u32,
}

/// What a call leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    Symbol(NodeId, How),
    /// A package that is not in the tree.
    External(NameId),
    /// Part of the language or of what comes with it. Counted, but not among the edges of a graph.
    Builtin,
    /// The name that was called, and why nobody knows where it leads.
    Unresolved(NameId, Reason),
}

/// How a symbol was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// Declared around the call, or at the top of its file.
    Scope,
    /// By a name that the file imports.
    Imported,
    /// By a name that the file imports from one that has it from yet another.
    ReExported,
    /// `a.b()`, where `a` is a module, a namespace or a type that is known.
    Member,
    /// A method of the class around the call: `self.b()`, `this.b()`.
    Own,
    /// A method of one of the classes that a class extends.
    Inherited,
    /// A method of the type that the receiver is declared with in the signature around the call.
    Declared,
    /// Declared in a file that is seen without an import.
    Sibling,
    /// A class that is called or put after `new`; the symbol is its constructor where it declares one.
    Constructor,
    /// The receiver is not known, but only one method in the tree is called so.
    OnlyMethod,
}

impl How {
    /// Is it likely, rather than certain by the rules of the language?
    pub fn is_guess(self) -> bool {
        self == How::OnlyMethod
    }

    pub fn name(self) -> &'static str {
        match self {
            How::Scope => "scope",
            How::Imported => "imported",
            How::ReExported => "re-exported",
            How::Member => "member",
            How::Own => "own",
            How::Inherited => "inherited",
            How::Declared => "declared",
            How::Sibling => "sibling",
            How::Constructor => "constructor",
            How::OnlyMethod => "only-method",
        }
    }
}

/// Why it is not known where a call leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The receiver is a value whose type is not known, and no method in the tree is called so.
    DynamicReceiver,
    /// The receiver is a value whose type is not known, and this many methods in the tree are called so.
    Ambiguous(u32),
    /// Nothing in sight is called so: a parameter, a local variable, something generated.
    UnknownName,
    /// It is known what the call is of, but that declares no such thing.
    UnknownMember,
    /// By way of an import that leads nowhere.
    ImportNotFound,
}

impl Reason {
    pub fn name(self) -> &'static str {
        match self {
            Reason::DynamicReceiver => "dynamic receiver",
            Reason::Ambiguous(_) => "ambiguous",
            Reason::UnknownName => "unknown name",
            Reason::UnknownMember => "unknown member",
            Reason::ImportNotFound => "import not found",
        }
    }
}

/// How many calls ended how. Each call of the text counts, not each edge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    pub all: Counts,
    pub languages: BTreeMap<Language, Counts>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub references: u64,
    /// To a symbol of the tree, guesses not counted.
    pub resolved: u64,
    pub guessed: u64,
    pub external: u64,
    pub builtin: u64,
    pub unresolved: u64,
    /// The unresolved ones, by `Reason::name`.
    pub reasons: BTreeMap<&'static str, u64>,
}

impl Counts {
    fn add(&mut self, target: Target, count: u32) {
        let count = u64::from(count);
        self.references += count;
        match target {
            Target::Symbol(_, how) if how.is_guess() => self.guessed += count,
            Target::Symbol(..) => self.resolved += count,
            Target::External(_) => self.external += count,
            Target::Builtin => self.builtin += count,
            Target::Unresolved(_, reason) => {
                self.unresolved += count;
                *self.reasons.entry(reason.name()).or_default() += count;
            }
        }
    }

    /// Of all calls, from 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "a share, to be read by people")]
    pub fn unresolved_share(&self) -> f64 {
        if self.references == 0 { 0.0 } else { self.unresolved as f64 / self.references as f64 }
    }
}

/// Finds what each call of each file leads to.
pub fn call_graph(tree: &Tree, source: &dyn FactsSource) -> CallGraph {
    let table = declarations(tree, source);
    let lookup = Lookup { tree, source, table: &table };
    let mut labels = Names::default();
    let mut edges: Vec<CallEdge> = Vec::new();
    let mut stats = Stats::default();
    for file in tree.ids() {
        let (Some(language), Some(facts)) = (tree.get(file).language, source.facts(file)) else {
            continue;
        };
        let resolver = Resolver::new(lookup, file, &facts);
        let first = edges.len();
        let mut known: FxHashMap<(NodeId, Target), usize> = FxHashMap::default();
        for reference in facts.references.iter().filter(|reference| is_call(reference.kind)) {
            let to = resolver.target(reference, &mut labels);
            stats.all.add(to, reference.count);
            stats.languages.entry(language).or_default().add(to, reference.count);
            if to == Target::Builtin {
                continue;
            }
            let from = NodeId(table.node(file, reference.from));
            let at = *known.entry((from, to)).or_insert(edges.len());
            match edges.get_mut(at) {
                Some(edge) => edge.count = edge.count.saturating_add(reference.count),
                None => {
                    edges.push(CallEdge { from, to, count: reference.count, line: reference.line });
                }
            }
        }
        edges[first..].sort_by_key(|edge| edge.from);
    }
    edges.shrink_to_fit();
    CallGraph { table, labels, edges, stats }
}

fn is_call(kind: ReferenceKind) -> bool {
    match kind {
        ReferenceKind::Call | ReferenceKind::New | ReferenceKind::Element => true,
        ReferenceKind::Inherit | ReferenceKind::Type => false,
    }
}

fn declarations(tree: &Tree, source: &dyn FactsSource) -> Table {
    let (mut table, inherits) = Table::new(tree, source);
    let lookup = Lookup { tree, source, table: &table };
    let mut bases = Vec::new();
    let mut packages: Vec<(u32, String)> = Vec::new();
    for inherit in &inherits {
        match scope::base_of(lookup, inherit) {
            // The result of a function that is not known is not a class.
            Some(NameTarget::Node(base)) if inherit.of == Of::Class || table.is_class(base) => {
                bases.push((inherit.class, Base::Class(base)));
            }
            Some(NameTarget::Builtin) => bases.push((inherit.class, Base::Builtin)),
            Some(NameTarget::External(package)) => {
                packages.push((inherit.class, package.to_owned()));
            }
            Some(
                NameTarget::Node(_)
                | NameTarget::Files(_)
                | NameTarget::File(_)
                | NameTarget::Missing
                | NameTarget::Several(_),
            )
            | None => {}
        }
    }
    bases.extend(
        packages
            .into_iter()
            .map(|(class, package)| (class, Base::External(table.names.add(&package)))),
    );
    table.set_bases(bases);
    table
}

impl CallGraph {
    /// All symbols of the tree, and the top levels of its files, in the order of the tree and of the text.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.table.nodes()).map(NodeId)
    }

    pub fn file(&self, node: NodeId) -> FileId {
        self.table.file(node.0)
    }

    /// Its place in the facts of its file; none for the top level.
    pub fn symbol(&self, node: NodeId) -> Option<u32> {
        self.table.symbol(node.0)
    }

    /// The symbol's id; the path of the file for its top level.
    pub fn id(&self, tree: &Tree, node: NodeId) -> String {
        let path = &tree.get(self.file(node)).path;
        match self.table.qualified(node.0) {
            Some((name, nth)) => ids::join_id(path, self.table.names.text(name), nth),
            None => path.to_string(),
        }
    }

    pub fn name(&self, name: NameId) -> &str {
        self.labels.text(name.0)
    }
}

#[cfg(test)]
mod tests;
