//! What tests put in the place of functions and modules: mocks, stubs, spies, `proxyquire`, and assignments to `fs` itself.
//!
//! A function that is replaced by name is left as it is: its double would still be the synchronous one. A double reaches
//! the files that the file which makes it loads, and no others; one that prepares every test reaches them all. `jest.mock`
//! does nothing to an `import` that Node itself resolves.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, CallExpression, Expression, ObjectPropertyKind};
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;
use rb_rules::{FileKind, Target, World};

use super::at::first_name;
use super::{package, table};
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

/// Where something is replaced.
#[derive(Debug, Clone)]
struct Double {
    /// The file that replaces it.
    file: String,
    /// `a.test.js:3`
    place: String,
    /// Only `require` gives the double, not `import`.
    is_for_require: bool,
}

#[derive(Debug, Default)]
pub(super) struct Doubles {
    all: BTreeMap<What, Vec<Double>>,
    /// Files that a test runner loads before every test.
    setups: BTreeSet<String>,
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
        let place = self.all.get(&only).and_then(|it| it.first()).map(|it| it.place.as_str());
        place.or_else(|| self.seen(world, &What::Module(module.to_owned()), seen_by))
    }

    /// Where a file of the project is replaced for anybody.
    pub(super) fn of_file(&self, file: &str) -> Option<&str> {
        let found = self.all.iter().find(|(what, _)| match what {
            What::Module(it) => it == file,
            What::For { specifier, .. } => specifier == file,
            What::Member { .. } => false,
        });
        found.and_then(|(_, places)| places.first()).map(|it| it.place.as_str())
    }

    fn seen(&self, world: &dyn World, what: &What, file: &str) -> Option<&str> {
        let doubles = self.all.get(what)?;
        let is_esm = links(world, file).is_some_and(|it| it.is_esm);
        let mut doubles = doubles.iter().filter(|it| !(it.is_for_require && is_esm)).peekable();
        doubles.peek()?;
        let leading = self.leading_to(world, file);
        let reaches = |it: &&Double| {
            // What a program itself puts into `fs` is there for all of it.
            let is_program = world.facts(&it.file).is_none_or(|it| it.kind != FileKind::Test)
                && !matches!(what, What::Module(_));
            is_program || self.setups.contains(&it.file) || leading.contains(&it.file)
        };
        doubles.find(reaches).map(|it| it.place.as_str())
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
        let mut doubles = Doubles { setups: setups(world), ..Doubles::default() };
        doubles.read_automocks(&paths);
        for (path, it) in found {
            for (what, place, is_for_require) in it {
                let double = Double { file: path.clone(), place, is_for_require };
                doubles.all.entry(what).or_default().push(double);
            }
        }
        Ok(doubles)
    }
}

impl Doubles {
    /// `__mocks__/fs-extra.js` replaces the package in every test. Modules of Node are only replaced where a test says so.
    fn read_automocks(&mut self, paths: &[String]) {
        for path in paths {
            let Some((_, name)) = path.rsplit_once("__mocks__/") else { continue };
            let stem = name.split('.').next().unwrap_or(name);
            if matches!(stem, "fs-extra" | "graceful-fs") {
                let double =
                    Double { file: path.clone(), place: path.clone(), is_for_require: false };
                self.setups.insert(path.clone());
                self.all.entry(What::Module(stem.to_owned())).or_default().push(double);
            }
        }
    }
}

struct Reader<'r, 'a> {
    world: &'r dyn World,
    path: &'r str,
    module: &'r Module<'a>,
    links: &'r Links,
    /// With the place, and whether only `require` gives the double.
    found: Vec<(What, String, bool)>,
}

impl<'a> Reader<'_, 'a> {
    fn put(&mut self, span: Span, what: What) {
        let place = format!("{}:{}", self.path, self.module.line(span.start));
        self.found.push((what, place, false));
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
    fn mocked(&mut self, call: &'a CallExpression<'a>) {
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
        let is_jest = first_name(&call.callee) == Some("jest")
            && last_name(call) != Some("unstable_mockModule");
        let is_for_require = is_jest && package::is_native_esm(self.world, self.path);
        let replaced = match self.replaced_members(call) {
            Some(names) => {
                let is_fs = table::family(&what).is_some();
                let of = Some(if is_fs { String::new() } else { what });
                names.into_iter().map(|name| What::Member { name, of: of.clone() }).collect()
            }
            None => vec![What::Module(what)],
        };
        let place = format!("{}:{}", self.path, self.module.line(call.span.start));
        for what in replaced {
            self.found.push((what, place.clone(), is_for_require));
        }
    }

    /// The functions that a factory replaces, where it gives the others on as they are:
    /// `() => ({ ...jest.requireActual('fs'), existsSync: jest.fn() })`.
    fn replaced_members(&self, call: &'a CallExpression<'a>) -> Option<Vec<String>> {
        let factory = call.arguments.get(1)?.as_expression()?;
        let made = rb_ecma::Func::of_expression(factory)?.returned()?;
        let Expression::ObjectExpression(object) = made.get_inner_expression() else { return None };
        let mut names = Vec::new();
        let mut has_rest = false;
        for property in &object.properties {
            match property {
                ObjectPropertyKind::SpreadProperty(it) => {
                    let code = self.module.slice(it.argument.span()).to_ascii_lowercase();
                    has_rest |= code.contains("actual") || code.contains("original");
                }
                ObjectPropertyKind::ObjectProperty(it) => {
                    names.push(it.key.static_name()?.into_owned());
                }
            }
        }
        let is_plain = !names.iter().any(|it| matches!(it.as_str(), "default" | "promises"));
        (has_rest && is_plain).then_some(names)
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

/// Files that the configuration of a test runner names.
fn setups(world: &dyn World) -> BTreeSet<String> {
    let names = ["jest.config.", "vitest.config.", "vite.config.", "package.json", ".mocharc"];
    let is_config = |path: &String| {
        let name = path.rsplit('/').next().unwrap_or(path);
        names.iter().any(|it| name.starts_with(it))
    };
    let mut found = BTreeSet::new();
    for config in world.all_paths().into_iter().filter(is_config) {
        let Some(text) = world.text(&config) else { continue };
        if !["setup", "require", "\"file\""].iter().any(|it| text.contains(it)) {
            continue;
        }
        let folder = config.rsplit_once('/').map_or(String::new(), |it| format!("{}/", it.0));
        let words = text.split(['"', '\'', '`']).filter(|it| it.len() < 200);
        for word in words {
            let inner = word.trim_start_matches("<rootDir>/").trim_start_matches("./");
            let path = format!("{folder}{inner}");
            if !inner.is_empty() && world.facts(&path).is_some() {
                found.insert(path);
            }
        }
    }
    found
}

/// `stub` of `sinon.stub(…)` and of `stub(…)`.
fn last_name<'a>(call: &CallExpression<'a>) -> Option<&'a str> {
    match call.callee.get_inner_expression() {
        Expression::Identifier(it) => Some(it.name.as_str()),
        Expression::StaticMemberExpression(it) => Some(it.property.name.as_str()),
        _ => None,
    }
}
