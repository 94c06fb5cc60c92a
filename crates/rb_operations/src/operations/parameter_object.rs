//! The parameters of a function become the fields of a new class, and calls pass one instance.
//!
//! The class is declared before the function (and then moved, if it belongs elsewhere); the body takes the fields from its new parameter.
//! Calls keep their arguments as they are written, now of the class.

mod body;
mod call;
mod checks;
mod declaration;
mod imports;

use rb_core::plural;
use rb_python::{Ranged, Source};

use self::call::Wrapping;
use super::calls::{Callable, Use, is_bound, place, refusal};
use super::certainty::{check_owner, check_uses, each_definition, note_replacements};
use super::edits::FileEdits;
use super::functions::{Function, Parameter, ParameterKind, functions_named};
use super::item_list::ItemList;
use super::line_fit::fitted;
use super::move_symbols;
use super::new_name::{check_builtin, check_identifier, is_public};
use super::signature::{is_receiver, shown};
use crate::files::Overlay;
use crate::operation::{Operation, SymbolPath};
use crate::outcome::{ApiChange, Outcome, Refusal};
use crate::project::Project;

/// What is asked for, with the names that follow from it.
struct Request<'o> {
    function: &'o SymbolPath,
    class: &'o str,
    /// The new parameter: `reference_context` for `ReferenceContext`.
    instance: String,
    parameters: &'o [String],
}

pub(super) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::ParameterObject { function, class, module, parameters } = operation else {
        return Err(Refusal::new("this is not a parameter object", "ask for another operation"));
    };
    check_identifier(class)?;
    check_builtin(class)?;
    let request = Request { function, class, instance: snake_case(class), parameters };
    let mut outcome = request.plan(project)?;
    if module.is_empty() || *module == function.path {
        return Ok(outcome);
    }
    let mut overlay = Overlay::with(project.files, &outcome.files);
    let symbol = SymbolPath { path: function.path.clone(), name: class.clone() };
    let moving = Operation::Move { symbols: vec![symbol], to: module.clone() };
    let moved = move_symbols::plan(&Project::new(&overlay), &moving)?;
    for (path, change) in moved.files {
        overlay.put(&path, change);
    }
    outcome.files = overlay.into_changes();
    outcome.notes.extend(moved.notes);
    Ok(outcome)
}

/// `HTTPReferenceContext` is `http_reference_context`.
pub(super) fn snake_case(class: &str) -> String {
    let letters: Vec<char> = class.chars().collect();
    let mut name = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| letters[before]);
        let is_start = letter.is_uppercase()
            && before.is_some_and(|before| {
                let next = letters.get(index + 1);
                before.is_lowercase()
                    || before.is_numeric()
                    || (before.is_uppercase() && next.is_some_and(|next| next.is_lowercase()))
            });
        if is_start {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

impl Request<'_> {
    fn plan(&self, project: &Project<'_>) -> Result<Outcome, Refusal> {
        let callable = Callable::new(project, self.function)?;
        check_owner(project, &callable)?;
        check_uses(project, &callable)?;
        checks::check_single(project, &callable)?;
        let Some(home) = project.source(&self.function.path) else {
            return Err(Refusal::new("the function is gone", "name it again"));
        };
        self.check_class_is_free(&home)?;
        let own = functions_named(&home, &callable.symbol.name);
        let Some(function) = own.last() else {
            return Err(Refusal::new("the function is gone", "name it again"));
        };
        let fields = self.fields(&home, function)?;
        self.check_instance_is_free(&home, function)?;
        let mut edits = FileEdits::default();
        let mut outcome = Outcome::default();
        each_definition(project, &callable, |source, function, _| {
            declaration::declare(self, source, function, &fields, &mut edits)?;
            self.rewrite_signature(source, function, &fields, &mut edits)?;
            body::rewrite(source, function, &fields, &self.instance, &mut edits)
        })?;
        let calls = self.wrap_calls(project, &callable, function, &fields, &mut edits)?;
        note_replacements(project, &callable, &mut outcome);
        self.report(&home, function, &mut outcome);
        outcome.title = format!(
            "parameters of `{}` wrapped in `{}`, which {} now {}",
            callable.symbol.name,
            self.class,
            plural(calls, "call"),
            if calls == 1 { "passes" } else { "pass" }
        );
        let files = imports::with_imports(project, self, &callable, &fields, &edits)?;
        outcome.files = fitted(project.files, files);
        Ok(outcome)
    }

    fn report(&self, home: &Source, function: &Function<'_>, outcome: &mut Outcome) {
        let what = format!("takes a `{}`", self.class);
        outcome.sites.push(place(home, function.node.name.range(), what));
        if is_public(&self.function.name) {
            let after = format!("{}({})", self.function.name, self.instance);
            let (path, before) = (home.path().to_owned(), shown(home, function));
            outcome.api.push(ApiChange { path, before, after });
        }
    }

    /// The new parameter stands where the first of the others stood.
    fn rewrite_signature(
        &self,
        source: &Source,
        function: &Function<'_>,
        fields: &[Parameter<'_>],
        edits: &mut FileEdits,
    ) -> Result<(), Refusal> {
        let list = ItemList::parameters(source, &function.node.parameters);
        let is_annotated = fields.iter().any(|field| field.annotation.is_some());
        let annotation = if is_annotated { format!(": {}", self.class) } else { String::new() };
        let text = format!("{}{annotation}", self.instance);
        let indexes: Vec<usize> =
            fields.iter().filter_map(|field| list.index_of(field.range)).collect();
        let Some(first) = indexes.first().copied() else { return Ok(()) };
        let others = function.parameters().into_iter().filter(|parameter| {
            !is_receiver(function, parameter.name)
                && !fields.iter().any(|field| field.name == parameter.name)
        });
        let others: Vec<Parameter<'_>> = others.collect();
        if others.is_empty() {
            let receiver = function.receiver().map(|receiver| format!("{}, ", receiver.name));
            edits.replace(source.path(), list.inside(), receiver.unwrap_or_default() + &text);
            return Ok(());
        }
        let is_behind_default = others.iter().any(|parameter| {
            parameter.default.is_some() && parameter.range.end() < list.range(first).start()
        });
        if is_behind_default || fields.iter().any(|field| field.kind != ParameterKind::Plain) {
            let places = vec![place(source, list.range(first), "the first of them")];
            let reason = "the new parameter cannot stand where the others stood";
            return Err(refusal(reason, places, "wrap all parameters"));
        }
        edits.replace(source.path(), list.range(first), text);
        for edit in list.remove(&indexes[1..]) {
            edits.add(source.path(), edit);
        }
        Ok(())
    }

    fn wrap_calls(
        &self,
        project: &Project<'_>,
        callable: &Callable,
        function: &Function<'_>,
        fields: &[Parameter<'_>],
        edits: &mut FileEdits,
    ) -> Result<usize, Refusal> {
        let (mut count, mut unknown) = (0, Vec::new());
        for file in callable.files(project) {
            let source = &file.source;
            for one in file.uses() {
                let Use::Call(call) = one else { continue };
                let is_bound = is_bound(project, source, &call.func, callable, function.kind());
                let class = imports::class_expression(project, self, source, &call.func);
                let wrapping =
                    Wrapping { request: self, source, class: &class, function, fields, is_bound };
                match wrapping.edits(call) {
                    Ok(new) => new.into_iter().for_each(|edit| edits.add(source.path(), edit)),
                    Err(why) => unknown.push(place(source, one.range(), why)),
                }
                count += 1;
            }
        }
        if unknown.is_empty() {
            return Ok(count);
        }
        let reason =
            format!("the arguments of some calls of `{}` are not known", callable.symbol.name);
        Err(refusal(reason, unknown, "write their arguments out first"))
    }
}

#[cfg(test)]
mod tests;
