//! What tests put in the place of functions and modules: mocks, stubs, spies, `proxyquire`, and assignments to `fs` itself.
//!
//! A function that is replaced by name is left as it is: its double would still be the synchronous one. A double reaches
//! the files that the file which makes it loads, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, CallExpression, Expression, ObjectPropertyKind};
use oxc_span::Span;
use rb_ecma::Module;
use rb_rules::{FileKind, Target, World};

use super::table;
use crate::links::{Links, links};
use crate::recipe::{PlanError, Planning};

/// Words of which one stands in every file that replaces something.
const WORDS: &[&str] =
    &["stub", "spy", "ock", "proxyquire", "rewire", "replace(", "Sync =", "Sync=", "esmock"];
/// Calls that replace the member named by their second argument.
const BY_NAME: &[&str] = &[
    "stub",
    "spy",
    "spyOn",
    "method",
    "replace",
    "mock",
    "fake",
    "replaceGetter",
    "capture",
    "captureFn",
    "intercept",
    "mockMethod",
    "define",
];
/// Calls that replace a module for the whole file.
const MOCKS: &[&str] =
    &["mock", "doMock", "unstable_mockModule", "setMock", "mockModule", "module"];

/// Something that is replaced.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// A member, of this file, of `fs` (the empty name), or of who knows what.
    Member { name: String, of: Option<String> },
    /// A module that one file asks for.
    For { file: String, specifier: String },
    /// A module, for whoever asks for it: a specifier without `node:`, or a file.
    Module(String),
}

#[derive(Debug, Default)]
pub(super) struct Doubles {
    /// With the file and the place that replace it.
    all: BTreeMap<What, Vec<(String, String)>>,
    /// Files that lead to a file, itself among them.
    leading: Mutex<BTreeMap<String, Arc<BTreeSet<String>>>>,
}

impl Doubles {
    /// Where a member of `fs` is replaced, so that this file sees it.
    pub(super) fn of_fs(&self, world: &dyn World, name: &str, seen_by: &str) -> Option<&str> {
        let name = name.to_owned();
        [Some(String::new()), None]
            .into_iter()
            .find_map(|of| self.seen(world, &What::Member { name: name.clone(), of }, seen_by))
    }

    /// Where a member of something that a file exports is replaced.
    pub(super) fn of_member(&self, world: &dyn World, name: &str, file: &str) -> Option<&str> {
        let name = name.to_owned();
        [Some(file.to_owned()), None]
            .into_iter()
            .find_map(|of| self.seen(world, &What::Member { name: name.clone(), of }, file))
    }

    /// Where a module is replaced, so that this file gets another one.
    pub(super) fn of_module(&self, world: &dyn World, module: &str, seen_by: &str) -> Option<&str> {
        let only = What::For { file: seen_by.to_owned(), specifier: module.to_owned() };
        let place = self.all.get(&only).and_then(|it| it.first()).map(|it| it.1.as_str());
        place.or_else(|| self.seen(world, &What::Module(module.to_owned()), seen_by))
    }

    /// Where a file of the project is replaced for anybody.
    pub(super) fn of_file(&self, file: &str) -> Option<&str> {
        let found = self.all.iter().find(|(what, _)| match what {
            What::Module(it) => it == file,
            What::For { specifier, .. } => specifier == file,
            What::Member { .. } => false,
        });
        found.and_then(|(_, places)| places.first()).map(|it| it.1.as_str())
    }

    /// Is anything replaced under this specifier by a test that was understood?
    pub(super) fn knows(&self, module: &str) -> bool {
        self.all.keys().any(|it| match it {
            What::Module(it) | What::For { specifier: it, .. } => it == module,
            What::Member { .. } => false,
        })
    }

    fn seen(&self, world: &dyn World, what: &What, file: &str) -> Option<&str> {
        let places = self.all.get(what)?;
        // What a program itself puts into `fs` is there for all of it.
        let is_program = |path: &str| world.facts(path).is_none_or(|it| it.kind != FileKind::Test);
        if let Some((_, place)) = places.iter().find(|(path, _)| is_program(path)) {
            return Some(place);
        }
        let leading = self.leading_to(world, file);
        places.iter().find(|(path, _)| leading.contains(path)).map(|it| it.1.as_str())
    }

    /// Every file that loads this one, through others, too.
    fn leading_to(&self, world: &dyn World, file: &str) -> Arc<BTreeSet<String>> {
        if let Some(known) = self.leading.lock().expect("nobody panics with it").get(file) {
            return Arc::clone(known);
        }
        let mut found = BTreeSet::new();
        let mut open = vec![file.to_owned()];
        while let Some(path) = open.pop() {
            if found.insert(path.clone()) {
                open.extend(world.importers(&path));
            }
        }
        let found = Arc::new(found);
        let mut leading = self.leading.lock().expect("nobody panics with it");
        leading.insert(file.to_owned(), Arc::clone(&found));
        found
    }

    pub(super) fn read(planning: &Planning<'_>) -> Result<Self, PlanError> {
        let world = planning.world;
        let paths = world.paths();
        let found = planning.over(&paths, |path| {
            // Code that somebody else wrote is not run by this project's tests.
            let kind = world.facts(path)?.kind;
            if matches!(kind, FileKind::Vendored | FileKind::Generated)
                || path.starts_with(".yarn/")
            {
                return None;
            }
            let text = world.text(path)?;
            if !WORDS.iter().any(|word| text.contains(word)) {
                return None;
            }
            let links = links(world, path)?;
            world.with_module(path, |module| {
                let mut reader = Reader { world, path, module, links: &links, found: Vec::new() };
                reader.read();
                reader.found
            })
        })?;
        let mut doubles = Doubles::default();
        for (path, it) in found {
            for (what, place) in it {
                doubles.all.entry(what).or_default().push((path.clone(), place));
            }
        }
        Ok(doubles)
    }
}

struct Reader<'r, 'a> {
    world: &'r dyn World,
    path: &'r str,
    module: &'r Module<'a>,
    links: &'r Links,
    found: Vec<(What, String)>,
}

impl<'a> Reader<'_, 'a> {
    fn put(&mut self, span: Span, what: What) {
        let place = format!("{}:{}", self.path, self.module.line(span.start));
        self.found.push((what, place));
    }

    fn read(&mut self) {
        for call in self.module.calls() {
            let Some(name) = last_name(call) else { continue };
            self.by_name(call, name);
            if MOCKS.contains(&name) {
                self.mocked(call);
            }
            // Loaders go by any name: `const load = proxyquire.noCallThru()`.
            if !matches!(name, "require" | "resolve") {
                self.loaded(call, name);
            }
        }
        for node in self.module.nodes().iter() {
            let AstKind::AssignmentExpression(assignment) = node.kind() else { continue };
            let AssignmentTarget::StaticMemberExpression(left) = &assignment.left else { continue };
            let name = left.property.name.as_str();
            let is_fs = table::form(table::Family::Extra, name).is_some();
            let is_export = self.module.is_global_named(&left.object, "exports")
                || matches!(&left.object, Expression::StaticMemberExpression(it) if it.property.name == "exports");
            if is_fs && !is_export {
                let of = self.owner(&left.object);
                self.put(assignment.span, What::Member { name: name.to_owned(), of });
            }
        }
    }

    /// `sinon.stub(fs, 'readFileSync')`, `jest.spyOn(Loader.prototype, 'load')`
    fn by_name(&mut self, call: &CallExpression<'a>, name: &str) {
        if !BY_NAME.contains(&name) {
            return;
        }
        let first = call.arguments.first().and_then(|it| it.as_expression());
        let second = call.arguments.get(1).and_then(|it| it.as_expression());
        let (Some(object), Some(Expression::StringLiteral(member))) = (first, second) else {
            return;
        };
        let is_object = matches!(
            object.get_inner_expression(),
            Expression::Identifier(_)
                | Expression::StaticMemberExpression(_)
                | Expression::CallExpression(_)
        );
        if is_object {
            let of = self.owner(object);
            self.put(call.span, What::Member { name: member.value.to_string(), of });
        }
    }

    /// The file that something comes from; empty for `fs` and its kin, `None` where it cannot be told.
    fn owner(&self, object: &Expression<'a>) -> Option<String> {
        let mut object = object.get_inner_expression();
        while let Expression::StaticMemberExpression(member) = object {
            object = member.object.get_inner_expression();
        }
        let symbol = self.module.symbol_of(object)?;
        let at = self.module.scoping().symbol_span(symbol);
        let import = self
            .links
            .imports
            .iter()
            .find(|it| it.local.as_ref().is_some_and(|it| it.1.start == at.start))?;
        match &import.target {
            Target::File(file) => Some(file.clone()),
            Target::Builtin | Target::Package(_) if table::family(&import.specifier).is_some() => {
                Some(String::new())
            }
            Target::Builtin | Target::Package(_) => Some(import.specifier.clone()),
            Target::Unknown => None,
        }
    }

    /// `jest.mock('fs')`
    fn mocked(&mut self, call: &CallExpression<'a>) {
        let specifier = match call.arguments.first().and_then(|it| it.as_expression()) {
            Some(Expression::StringLiteral(it)) => it.value.as_str(),
            Some(Expression::ImportExpression(it)) => match &it.source {
                Expression::StringLiteral(it) => it.value.as_str(),
                _ => return,
            },
            _ => return,
        };
        let what = match self.world.resolve(self.path, specifier) {
            Target::File(file) => file,
            _ => specifier.trim_start_matches("node:").to_owned(),
        };
        self.put(call.span, What::Module(what));
    }

    /// `proxyquire('./a', { fs: … })`
    fn loaded(&mut self, call: &'a CallExpression<'a>, name: &str) {
        let first = call.arguments.first().and_then(|it| it.as_expression());
        let Some(Expression::StringLiteral(specifier)) = first else { return };
        let Target::File(target) = self.world.resolve(self.path, &specifier.value) else { return };
        if name == "rewire" {
            // Anything in it may be set to something else.
            self.put(call.span, What::Module(target.clone()));
        }
        for argument in call.arguments.iter().skip(1).filter_map(|it| it.as_expression()) {
            if rb_ecma::Func::of_expression(argument).is_some() {
                continue;
            }
            let Expression::ObjectExpression(object) = self.module.resolved(argument) else {
                let specifier = "fs".to_owned();
                self.put(call.span, What::For { file: target.clone(), specifier });
                continue;
            };
            for property in &object.properties {
                let ObjectPropertyKind::ObjectProperty(property) = property else { continue };
                let Some(name) = property.key.static_name() else { continue };
                let specifier = match (
                    self.world.resolve(&target, &name),
                    self.world.resolve(self.path, &name),
                ) {
                    (Target::File(file), _) | (_, Target::File(file)) => file,
                    _ => name.trim_start_matches("node:").to_owned(),
                };
                self.put(call.span, What::For { file: target.clone(), specifier });
            }
        }
    }
}

/// `stub` of `sinon.stub(…)` and of `stub(…)`.
fn last_name<'a>(call: &CallExpression<'a>) -> Option<&'a str> {
    match call.callee.get_inner_expression() {
        Expression::Identifier(it) => Some(it.name.as_str()),
        Expression::StaticMemberExpression(it) => Some(it.property.name.as_str()),
        _ => None,
    }
}
