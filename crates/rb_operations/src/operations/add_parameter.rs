//! A function gets another parameter, and calls pass a value for it where the operation says so.
//!
//! With a default every call stays right as it is, so uses that cannot be followed are listed. Without one they are refused: each call has to
//! get a value.

use std::sync::Arc;

use rb_core::{Edit, plural};
use rb_python::ast::{Arguments, Expr, ExprCall, Stmt};
use rb_python::{Ranged, Source, TextRange};

use super::calls::{Callable, Definition, Use, place, refusal};
use super::certainty::{doubts, note_replacements};
use super::docstring_fields;
use super::edits::FileEdits;
use super::functions::{Function, functions, functions_named, last_name};
use super::item_list::ItemList;
use super::line_fit::fitted;
use super::logger;
use super::new_name::{check_identifier, is_public};
use super::signature::{NewParameter, check_decorators, shown, unknown_decorators};
use crate::operation::{CallValue, Operation, SymbolPath};
use crate::outcome::{ApiChange, FileChange, Outcome, Place, Refusal};
use crate::project::Project;

/// The operation, with its fields by name.
struct Addition<'o> {
    function: &'o SymbolPath,
    parameter: NewParameter<'o>,
    values: Vec<&'o CallValue>,
    logs: bool,
}

pub(super) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::AddParameter { function, name, default, annotation, values, logs } = operation
    else {
        return Err(Refusal::new("this is not an added parameter", "ask for another operation"));
    };
    check_identifier(name)?;
    let (default, annotation) = (default.as_deref(), annotation.as_deref());
    let parameter = NewParameter { name, default, annotation };
    let values = CallValue::in_order(values);
    let addition = Addition { function, parameter, values, logs: *logs };
    addition.plan(project)
}

impl Addition<'_> {
    fn plan(&self, project: &Project<'_>) -> Result<Outcome, Refusal> {
        let callable = Callable::new(project, self.function)?;
        let mut outcome = Outcome::default();
        let mut edits = FileEdits::default();
        for definition in &callable.definitions {
            self.define(project, definition, &mut edits, &mut outcome)?;
        }
        let calls = self.pass(project, &callable, &mut edits, &mut outcome)?;
        note_replacements(project, &callable, &mut outcome);
        outcome.title = self.title(&calls);
        outcome.files = edits.apply(project.files)?;
        if self.logs {
            self.add_logger(project, &mut outcome)?;
        }
        outcome.files = fitted(project.files, outcome.files);
        Ok(outcome)
    }

    /// The module's logger comes last: it is not part of what the other edits were made for.
    fn add_logger(&self, project: &Project<'_>, outcome: &mut Outcome) -> Result<(), Refusal> {
        let path = &self.function.path;
        let (Some(FileChange::Edited(text)), Some(before)) =
            (outcome.files.get(path), project.source(path))
        else {
            return Ok(());
        };
        let logger = logger::free_name(&before);
        if let Some(text) = logger::ensured(project.files, path, Arc::clone(text), logger)? {
            outcome.files.insert(path.clone(), FileChange::Edited(text));
        }
        Ok(())
    }

    fn define(
        &self,
        project: &Project<'_>,
        definition: &Definition,
        edits: &mut FileEdits,
        outcome: &mut Outcome,
    ) -> Result<(), Refusal> {
        let Some(source) = project.source(&definition.path) else { return Ok(()) };
        let all = functions(&source);
        let mut own = all.iter().filter(|function| function.node.name.range() == definition.name);
        let Some(function) = own.next() else { return Ok(()) };
        check_decorators(&source, function)?;
        self.check_free(&source, function)?;
        for edit in self.parameter.insertion(&source, function)? {
            edits.add(source.path(), edit);
        }
        let documented = self.documented(&source, function);
        if let Some(edit) = documented {
            edits.add(source.path(), edit);
        }
        if self.logs && definition.is_own && !function.is_stub() {
            edits.add(source.path(), self.log_statement(&source, function)?);
        }
        self.report_definition(&source, function, definition, outcome);
        Ok(())
    }

    /// Nothing in the function is called so: it would mean the parameter.
    fn check_free(&self, source: &Source, function: &Function<'_>) -> Result<(), Refusal> {
        let name = self.parameter.name;
        let another = "choose another name for the parameter";
        if let Some(taken) = function.parameter(name) {
            let reason =
                format!("`{}` has a parameter `{name}` already", function.node.name.as_str());
            return Err(refusal(
                reason,
                vec![place(source, taken.range, "declared here")],
                another,
            ));
        }
        let Some(first) = function.node.body.first() else { return Ok(()) };
        let body = TextRange::new(first.start(), function.node.range().end());
        let scopes = source.scopes();
        let captured = scopes.names.iter().filter(|one| {
            let is_inner = |variable| {
                let scope = scopes.scope(scopes.variable(variable).scope);
                body.contains_range(scope.range)
            };
            one.name == name
                && body.contains_range(one.range)
                && !one.variable.is_some_and(is_inner)
        });
        let places: Vec<Place> = captured
            .map(|one| place(source, one.range, format!("`{name}` is used here")))
            .collect();
        if places.is_empty() {
            return Ok(());
        }
        let reason = format!("`{}` uses the name `{name}` already", function.node.name.as_str());
        Err(refusal(reason, places, another))
    }

    fn documented(&self, source: &Source, function: &Function<'_>) -> Option<Edit> {
        let NewParameter { name, default, annotation } = self.parameter;
        let text = match default {
            _ if self.logs => "Log a debug message when the function is called.".to_owned(),
            Some(default) => format!("Defaults to ``{default}``."),
            None => return None,
        };
        let annotation = annotation.or(match default {
            Some("True" | "False") => Some("bool"),
            _ => None,
        });
        docstring_fields::added(source, function, name, annotation, &text)
    }

    fn log_statement(&self, source: &Source, function: &Function<'_>) -> Result<Edit, Refusal> {
        let name = self.parameter.name;
        let existing = logger::existing(source);
        let logger = existing.unwrap_or_else(|| logger::free_name(source));
        let is_visible = existing.is_none() || logger::is_visible(source, function, logger);
        let logger = Some(logger).filter(|logger| is_visible && *logger != name);
        let edit = logger.and_then(|logger| logger::statement(source, function, name, logger));
        edit.ok_or_else(|| {
            let places = vec![place(source, function.node.name.range(), "the function")];
            let reason =
                format!("the module's logger is hidden in `{}`", function.node.name.as_str());
            refusal(reason, places, "add the log statement by hand")
        })
    }

    fn report_definition(
        &self,
        source: &Source,
        function: &Function<'_>,
        definition: &Definition,
        outcome: &mut Outcome,
    ) {
        let name = function.node.name.as_str();
        let range = function.node.name.range();
        outcome.sites.push(place(source, range, format!("parameter `{}`", self.parameter.name)));
        for decorator in unknown_decorators(function) {
            let line = source.line(range.start());
            outcome.notes.push(format!(
                "{}:{line}: `{name}` is decorated with `@{decorator}`, which has to pass keyword arguments on",
                source.path()
            ));
        }
        let is_implementation = definition.is_own && definition.path == self.function.path;
        if is_implementation && is_public(&self.function.name) {
            let before = shown(source, function);
            let added = match self.parameter.default {
                Some(default) => format!("{}={default}", self.parameter.name),
                None => self.parameter.name.to_owned(),
            };
            let separator = if before.ends_with("()") { "" } else { ", " };
            let after =
                format!("{}{separator}{added})", before.strip_suffix(')').unwrap_or(&before));
            // Of several overloads the last one counts.
            outcome.api = vec![ApiChange { path: source.path().to_owned(), before, after }];
        }
    }

    /// How many calls pass which value.
    fn pass(
        &self,
        project: &Project<'_>,
        callable: &Callable,
        edits: &mut FileEdits,
        outcome: &mut Outcome,
    ) -> Result<Vec<String>, Refusal> {
        let mut passed = Vec::new();
        let (mut left, mut passed_before) = (Vec::new(), Vec::new());
        let mut met: Vec<&CallValue> = Vec::new();
        for file in callable.files(project) {
            let source = &file.source;
            for one in file.uses() {
                let (Use::Call(call) | Use::Partial(call)) = one else {
                    if !callable.is_constructor {
                        left.push(place(source, one.range(), "it is passed on, not called"));
                    }
                    continue;
                };
                if passes(call, self.parameter.name) {
                    passed_before.push(place(source, one.range(), "passed here"));
                    continue;
                }
                match self.value(callable, source, call) {
                    Some((value, asked)) => {
                        self.pass_value(source, call, value, edits);
                        passed.push(value.to_owned());
                        met.extend(asked);
                    }
                    None if self.parameter.default.is_none() => {
                        left.push(place(source, one.range(), "no value is given for this call"));
                    }
                    None => {}
                }
            }
        }
        self.check_places(&met)?;
        left.extend(doubts(project, callable));
        left.extend(self.subclasses(project, callable));
        self.check_keywords(project, callable, passed_before)?;
        self.leave(left, outcome)?;
        Ok(passed)
    }

    /// Calls of subclasses call the constructor, too: they are not looked for, so there must be a default.
    fn subclasses(&self, project: &Project<'_>, callable: &Callable) -> Vec<Place> {
        let class = callable.symbol.class().filter(|_| callable.is_constructor);
        let Some(class) = class.filter(|_| self.parameter.default.is_none()) else {
            return Vec::new();
        };
        let mut places = Vec::new();
        for subclass in project.descendants(&class) {
            for definition in project.definitions(&subclass) {
                let source = &definition.source;
                let bindings = &source.scopes().variable(definition.variable).bindings;
                let subclass = |range| place(source, range, "this subclass is constructed so, too");
                places.extend(bindings.first().map(|binding| subclass(binding.range)));
            }
        }
        places
    }

    fn pass_value(&self, source: &Source, call: &ExprCall, value: &str, edits: &mut FileEdits) {
        let text = format!("{}={value}", self.parameter.name);
        for edit in keyword_edits(source, &call.arguments, &text) {
            edits.add(source.path(), edit);
        }
    }

    /// Calls that pass it already mean `**kwargs` of the function, which would no longer get it.
    fn check_keywords(
        &self,
        project: &Project<'_>,
        callable: &Callable,
        passed: Vec<Place>,
    ) -> Result<(), Refusal> {
        let home = project.source(&callable.symbol.path);
        let all = home.as_ref().map(|home| functions_named(home, &callable.symbol.name));
        let takes_any =
            all.iter().flatten().any(|function| function.node.parameters.kwarg.is_some());
        if passed.is_empty() || !takes_any {
            return Ok(());
        }
        let reason =
            format!("calls pass `{}` already, for `**` of the function", self.parameter.name);
        Err(refusal(reason, passed, "choose another name for the parameter"))
    }

    /// Uses that stay as they are: right if the parameter has a default.
    fn leave(&self, left: Vec<Place>, outcome: &mut Outcome) -> Result<(), Refusal> {
        if left.is_empty() {
            return Ok(());
        }
        if self.parameter.default.is_none() {
            let reason = format!(
                "`{}` has no default, and not every call gets a value",
                self.parameter.name
            );
            return Err(refusal(reason, left, "give the parameter a default"));
        }
        for Place { path, line, what } in left {
            outcome.notes.push(format!("{path}:{line}: left as it is: {what}"));
        }
        Ok(())
    }

    /// A value for some places alone is for calls that are there.
    fn check_places(&self, met: &[&CallValue]) -> Result<(), Refusal> {
        let is_met = |value: &CallValue| met.iter().any(|it| std::ptr::eq(*it, value));
        let mut narrow = self.values.iter().filter(|value| !value.within.is_empty());
        let Some(unmet) = narrow.find(|value| !is_met(value)) else { return Ok(()) };
        let (name, places) = (&self.function.name, unmet.within.join(", "));
        let reason =
            format!("no call of `{name}` that could pass `{}` is in {places}", unmet.value);
        Err(Refusal::new(reason, "name files, folders with a `/`, or `path/to/file.py#function`"))
    }

    /// What the operation says for this place, and as which of its values. An override passes on what it gets.
    fn value(
        &self,
        callable: &Callable,
        source: &Source,
        call: &ExprCall,
    ) -> Option<(&str, Option<&CallValue>)> {
        if is_super(&call.func) && is_in_definition(callable, source, call.range()) {
            return Some((self.parameter.name, None));
        }
        let is_test = Project::is_test(source.path());
        let is_in = |name: &str| is_in_function(source.body(), name, call.range());
        let is_for = |value: &CallValue| value.is_for(source.path(), is_test, is_in);
        let chosen = self.values.iter().find(|value| is_for(value));
        chosen.map(|value| (value.value.as_str(), Some(*value)))
    }

    fn title(&self, passed: &[String]) -> String {
        let name = self.parameter.name;
        let mut title = format!("parameter `{name}` added to `{}`", self.function.name);
        let mut values: Vec<&String> = passed.iter().collect();
        values.sort();
        values.dedup();
        for value in values {
            let count = passed.iter().filter(|one| *one == value).count();
            let calls = plural(count, "call");
            title = format!("{title}, `{name}={value}` in {calls}");
        }
        title
    }
}

/// `super().f`
fn is_super(callee: &Expr) -> bool {
    let value = callee.as_attribute_expr().and_then(|attribute| attribute.value.as_call_expr());
    value.is_some_and(|call| last_name(&call.func) == Some("super"))
}

/// Whether a place is in the function of this name: `Class.method`.
fn is_in_function(body: &[Stmt], name: &str, at: TextRange) -> bool {
    let (first, rest) = name.split_once('.').map_or((name, None), |(a, b)| (a, Some(b)));
    let holds = |own: &str, range: TextRange, body: &[Stmt]| {
        own == first
            && range.contains_range(at)
            && rest.is_none_or(|rest| is_in_function(body, rest, at))
    };
    body.iter().any(|statement| match statement {
        Stmt::FunctionDef(it) => holds(&it.name, it.range, &it.body),
        Stmt::ClassDef(it) => holds(&it.name, it.range, &it.body),
        _ => false,
    })
}

fn is_in_definition(callable: &Callable, source: &Source, range: TextRange) -> bool {
    let all = functions(source);
    let mut around = all.iter().filter(|function| function.node.range().contains_range(range));
    let innermost = around.next_back().map(|function| function.node.name.range());
    let mut own = callable.definitions.iter().filter(|one| one.path == source.path());
    own.any(|definition| Some(definition.name) == innermost)
}

fn passes(call: &ExprCall, name: &str) -> bool {
    call.arguments.keywords.iter().any(|keyword| keyword.arg.as_deref() == Some(name))
}

/// `name=value` behind the other arguments, but before `**kwargs`.
fn keyword_edits(source: &Source, arguments: &Arguments, text: &str) -> Vec<Edit> {
    if let [Expr::Generator(generator)] = &*arguments.args
        && !generator.parenthesized
    {
        let range = generator.range();
        return vec![
            Edit::insert(range.start().into(), "("),
            Edit::insert(range.end().into(), format!("), {text}")),
        ];
    }
    let list = ItemList::arguments(source, arguments);
    let unpacked = arguments.keywords.iter().find(|keyword| keyword.arg.is_none());
    let at = unpacked.and_then(|keyword| list.index_of(keyword.range())).unwrap_or(list.len());
    list.insert(at, text)
}

#[cfg(test)]
mod tests;
