//! Every place where a top-level symbol is used, in its own file and in those that import it, and where sight of it is lost.

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::AstKind;
use oxc_ast::ast::Argument;
use oxc_span::{GetSpan, Span};
use rb_ecma::links::{ByteRange, UseKind};
use rb_ecma::{Module, links};
use rb_operations::{Place, Refusal, SymbolPath};

use super::{Declaration, Project};

#[derive(Debug, Clone, Default)]
pub(crate) struct References {
    /// By file and place. The declaration is not among them.
    pub(crate) all: Vec<Reference>,
    /// Where sight of it is lost. Empty: `all` is all there is.
    pub(crate) doubts: Vec<Place>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reference {
    pub(crate) path: String,
    /// The name itself, as it is written there: an alias, `name` of `ns.name`.
    pub(crate) range: ByteRange,
    /// The name, or `ns.name`.
    pub(crate) whole: ByteRange,
    pub(crate) kind: ReferenceKind,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ReferenceKind {
    Call(Arguments),
    New(Arguments),
    /// `import { name }`, `const { name } = require()`
    Import,
    /// `export { name } from`
    Reexport,
    /// `export { name }`, `export default name`
    Export,
    /// `<Name>`
    Element,
    Value,
    Write,
    Type,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arguments {
    /// From `(` to behind `)`; `None` for `new A` and for a tagged template.
    pub(crate) list: Option<ByteRange>,
    pub(crate) each: Vec<ByteRange>,
    pub(crate) has_spread: bool,
}

impl Project<'_> {
    /// The declaration behind `path#name`, for a name of the top level.
    pub(crate) fn declaration(&self, symbol: &SymbolPath) -> Result<Declaration, Refusal> {
        let facts = self.required(&symbol.path)?;
        facts.declaration(&symbol.name).cloned().ok_or_else(|| {
            let mut refusal = Refusal::new(
                format!("`{}` is not declared at the top level of {}", symbol.name, symbol.path),
                "give the file that declares it, and its name there",
            );
            refusal.places = facts
                .declarations
                .iter()
                .map(|it| self.place(&symbol.path, it.start(), it.name.clone()))
                .take(10)
                .collect();
            refusal
        })
    }

    /// All references to a name of the top level, in all files.
    pub(crate) fn references(&self, symbol: &SymbolPath) -> References {
        let mut found = References::default();
        let Some(facts) = self.module(&symbol.path) else { return found };
        let mut seen: Vec<(String, ByteRange, ByteRange, UseKind)> = Vec::new();
        for used in facts.uses_of(&symbol.name) {
            seen.push((symbol.path.clone(), used.range, used.range, used.kind));
        }
        let mut imports = Vec::new();
        let exported: BTreeSet<String> =
            facts.links.names_of(&symbol.name).map(|it| it.name.clone()).collect();
        for name in exported {
            let theirs = links::references(self, &symbol.path, &name);
            for one in theirs.all {
                seen.push((one.path, one.used.name, one.used.whole, one.used.kind));
            }
            let lost = theirs.doubts.into_iter();
            found.doubts.extend(lost.map(|it| Place {
                path: it.path,
                line: it.line,
                what: it.what,
            }));
            for (path, given) in &theirs.names {
                self.import_places(path, given, &mut imports);
            }
            found.doubts.extend(self.unreadable_users(&symbol.path));
        }
        found.all.append(&mut imports);
        let mut by_path: BTreeMap<String, Vec<(ByteRange, ByteRange, UseKind)>> = BTreeMap::new();
        for (path, range, whole, kind) in seen {
            by_path.entry(path).or_default().push((range, whole, kind));
        }
        for (path, uses) in by_path {
            let calls = self.parsed(&path, calls).unwrap_or_default();
            found.all.extend(uses.into_iter().map(|(range, whole, kind)| {
                let kind = kind_of(kind, calls.get(&whole));
                Reference { path: path.clone(), range, whole, kind }
            }));
        }
        found.all.sort();
        found.all.dedup();
        found.doubts.sort();
        found.doubts.dedup();
        found
    }

    /// Where the name that `path` exports is written in imports and re-exports of others.
    fn import_places(&self, path: &str, name: &str, found: &mut Vec<Reference>) {
        for user in self.users_of(path).iter() {
            let Some(facts) = self.module(user) else { continue };
            for import in &facts.links.imports {
                let leads = matches!(&import.target, links::Target::File(file) if file == path);
                let kind = match &import.taken {
                    links::ImportKind::Name(taken) if taken == name => ReferenceKind::Import,
                    links::ImportKind::GivenOn { name: taken, .. } if taken == name => {
                        ReferenceKind::Reexport
                    }
                    _ => continue,
                };
                if let Some(range) = import.name.filter(|_| leads) {
                    found.push(Reference { path: user.clone(), range, whole: range, kind });
                }
            }
        }
    }
}

fn kind_of(kind: UseKind, call: Option<&Arguments>) -> ReferenceKind {
    let arguments =
        || call.cloned().unwrap_or(Arguments { list: None, each: Vec::new(), has_spread: false });
    match kind {
        UseKind::Call => ReferenceKind::Call(arguments()),
        UseKind::New => ReferenceKind::New(arguments()),
        UseKind::Element => ReferenceKind::Element,
        UseKind::Value => ReferenceKind::Value,
        UseKind::Write => ReferenceKind::Write,
        UseKind::Type => ReferenceKind::Type,
        UseKind::Export => ReferenceKind::Export,
    }
}

/// The arguments of each call, by the range of what is called.
fn calls(module: &Module<'_>) -> BTreeMap<ByteRange, Arguments> {
    let mut found = BTreeMap::new();
    for node in module.nodes().iter() {
        match node.kind() {
            AstKind::CallExpression(call) => {
                let arguments = arguments(module, call.callee.span(), call.span, &call.arguments);
                found.insert(call.callee.span().into(), arguments);
            }
            AstKind::NewExpression(new) => {
                let arguments = arguments(module, new.callee.span(), new.span, &new.arguments);
                found.insert(new.callee.span().into(), arguments);
            }
            _ => {}
        }
    }
    found
}

fn arguments(
    module: &Module<'_>,
    callee: Span,
    whole: Span,
    arguments: &[Argument<'_>],
) -> Arguments {
    let each: Vec<ByteRange> = arguments.iter().map(|it| it.span().into()).collect();
    // Type arguments stand between the name and the list: the list begins at the last `(` before its first argument.
    let until = each.first().map_or(whole.end, |first| first.start);
    let before = module.slice(Span::new(callee.end, until));
    let open = before.rfind('(').and_then(|at| u32::try_from(at).ok());
    let is_closed = module.slice(whole).ends_with(')');
    let list =
        open.filter(|_| is_closed).map(|at| ByteRange { start: callee.end + at, end: whole.end });
    let has_spread = arguments.iter().any(|it| matches!(it, Argument::SpreadElement(_)));
    Arguments { list, each, has_spread }
}
