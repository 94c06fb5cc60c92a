//! A function or method with its definitions and everything that uses it, over the whole project.
//!
//! Uses are calls, `functools.partial`, decorators, and others that only pass it on. Uses under another name (`from m import f as g`) are
//! found too. `Callable` says where they are; what has to change there is for the operations to decide.

mod uses;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rb_python::ast::Expr;
use rb_python::{Ranged, Source, StringLiteral, StringUse, TextRange, TextSize};

pub(super) use self::uses::{FileUses, Use};
use self::uses::{expressions_called, expressions_named};
use super::arguments::fits;
use super::functions::last_name_range;
use super::functions::{Function, FunctionKind, class_named, functions, functions_named};
use crate::operation::SymbolPath;
use crate::outcome::{Place, Refusal};
use crate::project::{Meaning, Project};
use crate::references::{Doubt, Found, Reference, ReferenceKind};

pub(super) struct Callable {
    /// The function itself; `Class.__init__` for a class.
    pub(super) symbol: SymbolPath,
    /// It is called by the name of its class.
    pub(super) is_constructor: bool,
    /// Overloads, alternatives, overrides and stubs.
    pub(super) definitions: Vec<Definition>,
    /// Strings that name it: `mock.patch("a.f")`.
    pub(super) strings: Vec<Reference>,
    /// Imports of it, and entries of `__all__`.
    pub(super) imports: Vec<Reference>,
    pub(super) exports: Vec<Reference>,
    pub(super) doubts: Vec<Doubt>,
    uses: BTreeMap<String, BTreeMap<TextSize, TextRange>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) path: String,
    /// Of the name behind `def`.
    pub(super) name: TextRange,
    /// Of the function that was named; an override otherwise.
    pub(super) is_own: bool,
}

impl Callable {
    pub(super) fn new(project: &Project<'_>, symbol: &SymbolPath) -> Result<Self, Refusal> {
        let Some(source) = project.source(&symbol.path) else {
            let reason = format!("{} is not a Python file without syntax errors", symbol.path);
            return Err(Refusal::new(reason, "name the file that defines the function"));
        };
        let (symbol, called) = target(&source, symbol)?;
        let found = project.references(&called);
        let mut callable = Callable {
            is_constructor: symbol != called,
            definitions: Vec::new(),
            strings: Vec::new(),
            imports: Vec::new(),
            exports: Vec::new(),
            doubts: found.doubts.clone(),
            uses: BTreeMap::new(),
            symbol,
        };
        callable.take_definitions(project, &source, &found)?;
        callable.take_uses(project, &called, &found);
        callable.settle_doubts(project);
        callable.doubts.extend(callable.lookups(project));
        Ok(callable)
    }

    /// `getattr(m, "f")`: what is done with it is not followed.
    pub(super) fn lookups(&self, project: &Project<'_>) -> Vec<Doubt> {
        let is_lookup = |string: &&Reference| {
            let source = project.source(&string.path);
            source.is_some_and(|source| {
                let calls = expressions_called(&source, "getattr");
                let mut names = calls.into_iter().filter_map(|call| call.arguments.args.get(1));
                names.any(|name| name.range().contains_range(string.range))
            })
        };
        let doubt = |string: &Reference| Doubt {
            path: string.path.clone(),
            range: string.range,
            why: "it is looked up by its name".to_owned(),
        };
        self.strings.iter().filter(is_lookup).map(doubt).collect()
    }

    /// A call that no definition could take is a call of something else.
    fn settle_doubts(&mut self, project: &Project<'_>) {
        let doubts = std::mem::take(&mut self.doubts);
        self.doubts =
            doubts.into_iter().filter(|doubt| self.may_be_called_at(project, doubt)).collect();
    }

    fn may_be_called_at(&self, project: &Project<'_>, doubt: &Doubt) -> bool {
        let Some(source) = project.source(&doubt.path) else { return true };
        let ranges = BTreeMap::from([(doubt.range.start(), doubt.range)]);
        let file = FileUses { source, ranges };
        let uses = file.uses();
        let Some(Use::Call(call)) = uses.first() else { return true };
        let may_take = |definition: &Definition| {
            let Some(source) = project.source(&definition.path) else { return true };
            let all = functions(&source);
            let function = all.iter().find(|one| one.node.name.range() == definition.name);
            function.is_none_or(|function| {
                let parameters = function.parameters();
                let skipped = usize::from(function.receiver().is_some());
                fits(&call.arguments, parameters.get(skipped..).unwrap_or_default())
                    || fits(&call.arguments, &parameters)
            })
        };
        self.definitions.is_empty() || self.definitions.iter().any(may_take)
    }

    /// Its name alone: `f` of `Class.f`.
    pub(super) fn name(&self) -> &str {
        self.symbol.name.rsplit('.').next().unwrap_or(&self.symbol.name)
    }

    pub(super) fn files(&self, project: &Project<'_>) -> Vec<FileUses> {
        let with_source = |(path, ranges): (&String, &BTreeMap<TextSize, TextRange>)| {
            Some(FileUses { source: project.source(path)?, ranges: ranges.clone() })
        };
        self.uses.iter().filter_map(with_source).collect()
    }

    fn take_definitions(
        &mut self,
        project: &Project<'_>,
        source: &Source,
        found: &Found,
    ) -> Result<(), Refusal> {
        let own = functions_named(source, &self.symbol.name);
        for function in &own {
            self.define(source.path(), function, true);
        }
        let stubs = project.stubs_that_give(&self.symbol).into_iter();
        for stub in twin(project, &self.symbol.path).into_iter().chain(stubs) {
            for function in functions_named(&stub, &self.symbol.name) {
                self.define(stub.path(), &function, true);
            }
        }
        if self.is_constructor {
            return Ok(());
        }
        for reference in &found.references {
            if reference.kind == ReferenceKind::Definition {
                self.take_definition(project, reference)?;
            }
        }
        Ok(())
    }

    fn take_definition(
        &mut self,
        project: &Project<'_>,
        reference: &Reference,
    ) -> Result<(), Refusal> {
        let Some(source) = project.source(&reference.path) else { return Ok(()) };
        let all = functions(&source);
        match all.iter().find(|function| function.node.name.range() == reference.range) {
            Some(function) => self.define(&reference.path, function, false),
            None => {
                let reason = format!("`{}` is bound to something else as well", self.symbol.name);
                let place = place(&source, reference.range, "it is no `def`");
                return Err(refusal(reason, vec![place], "make it one function first"));
            }
        }
        Ok(())
    }

    fn define(&mut self, path: &str, function: &Function<'_>, is_own: bool) {
        let name = function.node.name.range();
        let is_known =
            self.definitions.iter().any(|known| known.path == path && known.name == name);
        if !is_known {
            self.definitions.push(Definition { path: path.to_owned(), name, is_own });
        }
    }

    fn take_uses(&mut self, project: &Project<'_>, called: &SymbolPath, found: &Found) {
        let mut aliases = BTreeSet::new();
        for reference in &found.references {
            match reference.kind {
                // `from m import f as f` names it twice.
                ReferenceKind::Name | ReferenceKind::Attribute
                    if is_in_import(project, reference) => {}
                ReferenceKind::Name | ReferenceKind::Attribute => {
                    self.use_at(&reference.path, reference.range);
                }
                ReferenceKind::String => self.strings.push(reference.clone()),
                ReferenceKind::All => self.exports.push(reference.clone()),
                ReferenceKind::Import { import, name } => {
                    self.imports.push(reference.clone());
                    let source = project.source(&reference.path);
                    let import = source.as_ref().and_then(|source| source.imports().get(import));
                    let name = import.and_then(|import| import.names.get(name));
                    aliases
                        .extend(name.and_then(|name| name.alias.clone()).map(|(alias, _)| alias));
                }
                ReferenceKind::Definition | ReferenceKind::Keyword => {}
            }
        }
        self.follow_aliases(project, called, aliases);
    }

    fn follow_aliases(
        &mut self,
        project: &Project<'_>,
        called: &SymbolPath,
        mut open: BTreeSet<String>,
    ) {
        let mut done = BTreeSet::new();
        while let Some(alias) = open.pop_first() {
            for path in project.files_with(&[&alias]) {
                let Some(source) = project.source(&path) else { continue };
                for expression in expressions_named(&source, &alias) {
                    let is_it =
                        project.meaning(&source, expression) == Meaning::Symbol(called.clone());
                    if let (true, Some(range)) = (is_it, last_name_range(expression)) {
                        self.use_at(&path, range);
                    }
                }
                self.doubts.extend(lookups_of_alias(&source, &alias));
                let imports = source.imports().iter().flat_map(|import| &import.names);
                let renamed = imports.filter(|name| name.name == alias);
                open.extend(
                    renamed.filter_map(|name| name.alias.as_ref()).map(|(to, _)| to.clone()),
                );
            }
            done.insert(alias);
            open.retain(|alias| !done.contains(alias));
        }
    }

    fn use_at(&mut self, path: &str, range: TextRange) {
        self.uses.entry(path.to_owned()).or_default().insert(range.start(), range);
    }
}

/// `getattr(m, "alias")`, `patch("m.alias")`.
fn lookups_of_alias(source: &Source, alias: &str) -> Vec<Doubt> {
    let is_lookup = |literal: &&StringLiteral| {
        let StringUse::Argument { callee, position: Some(position) } = &literal.usage else {
            return false;
        };
        let content = source.slice(literal.content);
        let last = callee.rsplit('.').next().unwrap_or(callee);
        let is_member = matches!(last, "getattr" | "setattr" | "hasattr" | "delattr" | "object");
        let is_path = content.strip_suffix(alias).is_some_and(|path| path.ends_with('.'));
        (*position == 1 && is_member && content == alias) || (*position == 0 && is_path)
    };
    let doubt = |literal: &StringLiteral| Doubt {
        path: source.path().to_owned(),
        range: literal.content,
        why: "it is looked up by its other name".to_owned(),
    };
    source.strings().iter().filter(is_lookup).map(doubt).collect()
}

fn is_in_import(project: &Project<'_>, reference: &Reference) -> bool {
    let source = project.source(&reference.path);
    source.is_some_and(|source| {
        source.imports().iter().any(|import| import.range.contains_range(reference.range))
    })
}

/// The function, and the name by which it is called: a class for its constructor.
fn target(source: &Source, symbol: &SymbolPath) -> Result<(SymbolPath, SymbolPath), Refusal> {
    let init = match symbol.name.strip_suffix(".__init__") {
        Some(class) => Some((symbol.name.clone(), class.to_owned())),
        None if class_named(source, &symbol.name).is_some() => {
            Some((format!("{}.__init__", symbol.name), symbol.name.clone()))
        }
        None => None,
    };
    let (name, called) = init.unwrap_or((symbol.name.clone(), symbol.name.clone()));
    if functions_named(source, &name).is_empty() {
        let reason = format!("there is no function `{name}` in {}", symbol.path);
        return Err(Refusal::new(reason, "name a function or method that the file defines"));
    }
    let at = |name| SymbolPath { path: symbol.path.clone(), name };
    Ok((at(name), at(called)))
}

/// `a.pyi` of `a.py` and the other way round.
fn twin(project: &Project<'_>, path: &str) -> Option<Arc<Source>> {
    let other = match path.strip_suffix(".pyi") {
        Some(stem) => format!("{stem}.py"),
        None => format!("{path}i"),
    };
    project.source(&other)
}

/// Does the call fill `self` or `cls` by what stands before the full stop?
pub(super) fn is_bound(
    project: &Project<'_>,
    source: &Source,
    callee: &Expr,
    callable: &Callable,
    kind: FunctionKind,
) -> bool {
    if callable.is_constructor {
        return true;
    }
    match (kind, callee) {
        (FunctionKind::ClassMethod, _) => true,
        (FunctionKind::Method, Expr::Attribute(attribute)) => {
            !is_class(project, &project.meaning(source, &attribute.value))
        }
        (FunctionKind::Method | FunctionKind::Function | FunctionKind::StaticMethod, _) => false,
    }
}

fn is_class(project: &Project<'_>, meaning: &Meaning) -> bool {
    let Meaning::Symbol(symbol) = meaning else { return false };
    let source = project.source(&symbol.path);
    source.is_some_and(|source| class_named(&source, &symbol.name).is_some())
}

pub(super) fn place(source: &Source, range: TextRange, what: impl Into<String>) -> Place {
    let (path, line) = (source.path().to_owned(), source.line(range.start()));
    Place { path, line, what: what.into() }
}

pub(super) fn refusal(
    reason: impl Into<String>,
    places: Vec<Place>,
    suggestion: impl Into<String>,
) -> Refusal {
    Refusal { places, ..Refusal::new(reason, suggestion) }
}
