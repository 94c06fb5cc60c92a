//! What all files declare, import and give on, in numbers: the first pass of the call graph.

use std::ops::Range;

use rb_lang::{Facts, ImportKind, Language, Reference, ReferenceKind, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::FactsSource;
use super::builtins::Family;
use super::names::Names;
use super::signatures;
use crate::ids;
use crate::siblings::Sight;
use crate::tree::{FileId, Tree, TreeFile};

/// Nodes are numbered file by file: first the top level of the file, then its symbols as in its facts.
#[derive(Default)]
pub(super) struct Table {
    pub(super) names: Names,
    /// The top level of each file, and the number of nodes at the end.
    tops: Vec<u32>,
    rows: Vec<Row>,
    /// `(parent, name, child)`, sorted.
    children: Vec<(u32, u32, u32)>,
    /// Methods that stand outside of their class: `(group, name of the class, name of the method)`.
    outside: FxHashMap<(u32, u32, u32), u32>,
    bound: Vec<Bound>,
    opened: Vec<Opened>,
    /// `(file, name for others, name here)`, sorted.
    exports: Vec<(u32, u32, u32)>,
    groups: FxHashMap<Box<str>, u32>,
    group_of_file: Vec<Option<u32>>,
    /// What files of a group show each other: `(group, name)`.
    shown: FxHashMap<(u32, u32), Vec<u32>>,
    /// The first method of a name, and how many there are.
    methods: FxHashMap<(Family, u32), (u32, u32)>,
    /// By class, in the order of the text.
    bases: Vec<(u32, Base)>,
}

struct Row {
    name: u32,
    /// As in its id.
    qualified: u32,
    nth: u32,
    parent: u32,
    /// None for the top level of a file.
    kind: Option<SymbolKind>,
    /// It has a body: not only announced, as in a header.
    has_body: bool,
}

/// A name that a file imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bound {
    file: u32,
    local: u32,
    /// Only for others, not to be used in the file itself.
    pub(super) given_on: bool,
    pub(super) import: u32,
    /// As the other file calls it; `None` for all of it.
    pub(super) name: Option<u32>,
}

/// An import of all names that a file or package holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Opened {
    file: u32,
    pub(super) given_on: bool,
    pub(super) import: u32,
}

/// What a class extends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Base {
    Class(u32),
    /// From this package, by its place in the table's names.
    External(u32),
    Builtin,
}

/// Modules inside of modules; deeper ones are not looked at.
const MAX_MODULES: usize = 8;

impl Table {
    /// The bases of classes are not known yet: whoever has resolved them puts them in.
    pub(super) fn new(tree: &Tree, source: &dyn FactsSource) -> (Table, Vec<Inherit>) {
        let mut table = Table::default();
        let mut inherits = Vec::new();
        for file in tree.ids() {
            let top = table.nodes();
            table.tops.push(top);
            table.group_of_file.push(None);
            table.rows.push(Row {
                name: u32::MAX,
                qualified: u32::MAX,
                nth: 1,
                parent: top,
                kind: None,
                has_body: true,
            });
            let (Some(language), Some(facts)) = (tree.get(file).language, source.facts(file))
            else {
                continue;
            };
            table.add_symbols(top, &facts, language);
            table.add_shown(file, tree.get(file), &facts, language);
            table.add_imports(file, &facts, language);
            for export in &facts.exports {
                table.exports.push((
                    file.0,
                    table.names.add(&export.name),
                    table.names.add(&export.local),
                ));
            }
            inherits.extend(inherited(&facts).filter_map(|(reference, of)| {
                Inherit::new(top, file, reference, of, &mut table.names)
            }));
        }
        table.tops.push(table.nodes());
        table.children.sort_unstable();
        table.bound.sort_unstable();
        table.exports.sort_unstable();
        (table, inherits)
    }

    fn add_symbols(&mut self, top: u32, facts: &Facts, language: Language) {
        let family = Family::of(language);
        for (symbol, qualified) in facts.symbols.iter().zip(ids::names(facts)) {
            let node = self.nodes();
            // Parents come first; facts that say otherwise are not followed.
            let parent = symbol.parent.map_or(top, |parent| top + 1 + parent).min(node - 1);
            let name = self.names.add(&symbol.name);
            if symbol.kind == SymbolKind::Method {
                self.methods.entry((family, name)).or_insert((node, 0)).1 += 1;
            }
            self.children.push((parent, name, node));
            if family.has_open_modules() && self.is_in_open_module(parent) {
                self.children.push((top, name, node));
            }
            self.rows.push(Row {
                name,
                qualified: self.names.add(&qualified.name),
                nth: qualified.nth,
                parent,
                kind: Some(symbol.kind),
                has_body: symbol.complexity > 0,
            });
        }
    }

    fn is_in_open_module(&self, parent: u32) -> bool {
        let mut around =
            std::iter::successors(Some(parent), |&node| Some(self.parent(node))).take(MAX_MODULES);
        self.kind(parent).is_some()
            && around.all(|node| matches!(self.kind(node), None | Some(SymbolKind::Module)))
    }

    /// What the file shows to others that see it without an import.
    fn add_shown(&mut self, file: FileId, tree_file: &TreeFile, facts: &Facts, language: Language) {
        let Some(sight) = Sight::of(language) else { return };
        let next = u32::try_from(self.groups.len()).expect("fewer groups than files");
        let group = *self
            .groups
            .entry(sight.group(&tree_file.path, tree_file.package.as_deref()).into())
            .or_insert(next);
        self.group_of_file[file.0 as usize] = Some(group);
        for (node, symbol) in (self.tops[file.0 as usize] + 1..).zip(&facts.symbols) {
            if let Some(name) = sight.offered(facts, symbol) {
                self.shown.entry((group, self.names.add(&name))).or_default().push(node);
            } else if symbol.kind == SymbolKind::Method
                && symbol.parent.is_none()
                && let Some(owner) = signatures::owner(&symbol.signature, &symbol.name)
            {
                self.outside
                    .insert((group, self.names.add(owner), self.names.add(&symbol.name)), node);
            }
        }
    }

    fn add_imports(&mut self, file: FileId, facts: &Facts, language: Language) {
        let family = Family::of(language);
        let ecma = family == Family::Ecma;
        for (at, import) in (0..).zip(&facts.imports) {
            let given_on = ecma && import.kind == ImportKind::ReExport;
            // `#include "a.h"` and `using A;` name nothing and bring in all; `import "./a"` only runs the file.
            if import.names.is_empty() && !ecma {
                self.opened.push(Opened { file: file.0, given_on, import: at });
            }
            // `module.exports = require("./a")` and nothing else: the file is another by a new name.
            if ecma
                && import.kind == ImportKind::Require
                && import.names.is_empty()
                && facts.marks.only_reexports
            {
                let default = self.names.add("default");
                self.opened.push(Opened { file: file.0, given_on: true, import: at });
                self.bound.push(Bound {
                    file: file.0,
                    local: default,
                    given_on: true,
                    import: at,
                    name: Some(default),
                });
            }
            for name in &import.names {
                let all = &*name.name == "*";
                if !name.local.is_empty() {
                    // An alias of Elixir stands for one module among those of a file.
                    let module = all && family == Family::Elixir;
                    let other = if module { &import.specifier } else { &name.name };
                    let (local, name) = (self.names.add(&name.local), self.names.add(other));
                    let all = all && !module;
                    self.bound.push(Bound {
                        file: file.0,
                        local,
                        given_on,
                        import: at,
                        name: (!all).then_some(name),
                    });
                } else if all {
                    self.opened.push(Opened { file: file.0, given_on, import: at });
                }
            }
        }
    }

    pub(super) fn nodes(&self) -> u32 {
        u32::try_from(self.rows.len()).expect("fewer symbols than bytes")
    }

    pub(super) fn top(&self, file: FileId) -> u32 {
        self.tops[file.0 as usize]
    }

    /// `symbol` is a place in the facts of the file.
    pub(super) fn node(&self, file: FileId, symbol: Option<u32>) -> u32 {
        self.top(file) + symbol.map_or(0, |symbol| symbol + 1)
    }

    pub(super) fn file(&self, node: u32) -> FileId {
        let after = self.tops.partition_point(|&top| top <= node);
        FileId(u32::try_from(after - 1).expect("fewer files than nodes"))
    }

    pub(super) fn symbol(&self, node: u32) -> Option<u32> {
        (node - self.top(self.file(node))).checked_sub(1)
    }

    /// The name in its id, and which of that name it is; none for the top level of a file.
    pub(super) fn qualified(&self, node: u32) -> Option<(u32, u32)> {
        let row = &self.rows[node as usize];
        row.kind.map(|_| (row.qualified, row.nth))
    }

    /// Its own name; only for symbols.
    pub(super) fn name(&self, node: u32) -> u32 {
        self.rows[node as usize].name
    }

    pub(super) fn kind(&self, node: u32) -> Option<SymbolKind> {
        self.rows[node as usize].kind
    }

    /// Is it something that has members?
    pub(super) fn is_class(&self, node: u32) -> bool {
        matches!(
            self.kind(node),
            Some(
                SymbolKind::Class
                    | SymbolKind::Struct
                    | SymbolKind::Interface
                    | SymbolKind::Trait
                    | SymbolKind::Enum
                    | SymbolKind::Type
            )
        )
    }

    /// The top level of a file is its own parent.
    pub(super) fn parent(&self, node: u32) -> u32 {
        self.rows[node as usize].parent
    }

    /// What `parent` declares under this name. Of several the first that has a body.
    pub(super) fn child(&self, parent: u32, name: u32) -> Option<u32> {
        let all = range(&self.children, |&(of, child, _)| (of, child).cmp(&(parent, name)));
        self.with_body(self.children[all].iter().map(|&(_, _, node)| node))
    }

    /// All that `parent` declares.
    pub(super) fn children(&self, parent: u32) -> impl Iterator<Item = u32> + '_ {
        let all = range(&self.children, |&(of, _, _)| of.cmp(&parent));
        self.children[all].iter().map(|&(_, _, node)| node)
    }

    pub(super) fn has_body(&self, node: u32) -> bool {
        self.rows[node as usize].has_body
    }

    pub(super) fn with_body(&self, mut nodes: impl Iterator<Item = u32> + Clone) -> Option<u32> {
        nodes.clone().find(|&node| self.has_body(node)).or_else(|| nodes.next())
    }

    /// The imports behind a name of a file.
    pub(super) fn bound(&self, file: FileId, local: u32) -> &[Bound] {
        &self.bound[range(&self.bound, |bound| (bound.file, bound.local).cmp(&(file.0, local)))]
    }

    /// The imports of a file that name nothing and bring in all.
    pub(super) fn opened(&self, file: FileId) -> &[Opened] {
        &self.opened[range(&self.opened, |opened| opened.file.cmp(&file.0))]
    }

    /// The names here behind a name for others.
    pub(super) fn exported(&self, file: FileId, name: u32) -> Option<u32> {
        let found = range(&self.exports, |&(of, export, _)| (of, export).cmp(&(file.0, name)));
        self.exports.get(found.start).filter(|_| !found.is_empty()).map(|&(_, _, local)| local)
    }

    pub(super) fn exports_anything(&self, file: FileId) -> bool {
        !range(&self.exports, |&(of, _, _)| of.cmp(&file.0)).is_empty()
    }

    pub(super) fn group(&self, name: &str) -> Option<u32> {
        self.groups.get(name).copied()
    }

    pub(super) fn group_of(&self, file: FileId) -> Option<u32> {
        self.group_of_file[file.0 as usize]
    }

    pub(super) fn shown(&self, group: u32, name: u32) -> &[u32] {
        self.shown.get(&(group, name)).map_or(&[], |nodes| nodes)
    }

    /// A method that stands outside of its class, by the class's name.
    pub(super) fn outside(&self, group: u32, class: u32, name: u32) -> Option<u32> {
        self.outside.get(&(group, class, name)).copied()
    }

    /// The first method of this name, and how many there are in the tree.
    pub(super) fn methods(&self, family: Family, name: u32) -> Option<(u32, u32)> {
        self.methods.get(&(family, name)).copied()
    }

    /// Each class with what it extends, in the order of the text.
    pub(super) fn set_bases(&mut self, mut bases: Vec<(u32, Base)>) {
        bases.sort_by_key(|&(class, _)| class);
        self.bases = bases;
    }

    pub(super) fn bases(&self, class: u32) -> impl Iterator<Item = Base> + '_ {
        self.bases[range(&self.bases, |&(of, _)| of.cmp(&class))].iter().map(|&(_, base)| base)
    }
}

/// What a class extends, or what a variable is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Class,
    Variable,
}

/// The bases of the classes of a file. A variable that holds a new object has all that its class has, so it counts too.
fn inherited(facts: &Facts) -> impl Iterator<Item = (&Reference, Of)> {
    let mut seen = FxHashSet::default();
    facts.references.iter().filter_map(move |reference| match reference.kind {
        ReferenceKind::Inherit => Some((reference, Of::Class)),
        ReferenceKind::Call | ReferenceKind::New => {
            let variable = facts.symbols.get(reference.from? as usize)?;
            let holds = matches!(variable.kind, SymbolKind::Variable | SymbolKind::Constant);
            // The first call in the text of a variable is the outermost.
            (holds && seen.insert(reference.from) && makes_object(reference))
                .then_some((reference, Of::Variable))
        }
        ReferenceKind::Element | ReferenceKind::Type => None,
    })
}

fn makes_object(reference: &Reference) -> bool {
    reference.qualifier.is_empty()
        || &*reference.qualifier != "?"
            && (reference.kind == ReferenceKind::New
                || reference.name.starts_with(char::is_uppercase))
}

/// A base as it is written.
pub(super) struct Inherit {
    pub(super) of: Of,
    pub(super) class: u32,
    pub(super) file: FileId,
    pub(super) qualifier: u32,
    pub(super) name: u32,
}

impl Inherit {
    fn new(
        top: u32,
        file: FileId,
        reference: &Reference,
        of: Of,
        names: &mut Names,
    ) -> Option<Inherit> {
        let class = top + 1 + reference.from?;
        Some(Inherit {
            of,
            class,
            file,
            qualifier: names.add(&reference.qualifier),
            name: names.add(&reference.name),
        })
    }
}

/// Where `sorted` holds what compares as equal.
fn range<T>(sorted: &[T], compare: impl Fn(&T) -> std::cmp::Ordering) -> Range<usize> {
    let start = sorted.partition_point(|item| compare(item).is_lt());
    let length = sorted[start..].partition_point(|item| compare(item).is_eq());
    start..start + length
}
