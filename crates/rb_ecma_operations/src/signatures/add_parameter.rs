//! A function gets another parameter, and calls pass a value for it where the operation says so.
//!
//! It comes last, before a rest parameter. With a default, calls that pass nothing stay as they are.

use rb_core::{Edit, plural};
use rb_operations::{ApiChange, CallValue, Operation, Outcome, Place, Refusal};

use super::callable::{Callable, refusal, shown};
use super::doc_comment;
use super::finished;
use super::signature::Signature;
use super::source::{Source, check_identifier, is_test};
use super::uses::{Call, ValueKind};
use crate::edits::FileEdits;
use crate::project::Project;

struct Addition<'o> {
    name: &'o str,
    default: Option<Source>,
    annotation: Option<String>,
    values: Vec<(&'o CallValue, Source)>,
}

pub(crate) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::AddParameter { function, name, default, annotation, values, logs } = operation
    else {
        return Err(Refusal::new("this is not an added parameter", "ask for another operation"));
    };
    check_identifier(name)?;
    if *logs {
        let reason = "log statements are written for Python alone";
        return Err(Refusal::new(reason, "add the parameter, then write the log statement"));
    }
    let mut read = Vec::new();
    if values.iter().flat_map(|value| &value.within).any(|place| place.contains('#')) {
        let reason = "calls in one function are told from others in Python alone";
        return Err(Refusal::new(reason, "name files, or folders with a `/`"));
    }
    for value in CallValue::in_order(values) {
        read.push((value, Source::read(&value.value)?));
    }
    let default = default.as_deref().map(Source::read).transpose()?;
    let literal = |source: &Source| source.literal_type.map(str::to_owned);
    let inferred = match &default {
        Some(default) => literal(default),
        None => common(read.iter().map(|(_, source)| literal(source))),
    };
    let annotation = annotation.clone().or(inferred);
    let addition = Addition { name, default, annotation, values: read };
    addition.plan(project, &Callable::new(project, function)?)
}

/// What all agree on.
fn common(mut types: impl Iterator<Item = Option<String>>) -> Option<String> {
    let first = types.next()??;
    types.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

impl Addition<'_> {
    fn plan(&self, project: &Project<'_>, callable: &Callable) -> Result<Outcome, Refusal> {
        let name = &callable.symbol.name;
        self.check_uses(callable)?;
        let mut edits = FileEdits::default();
        for (path, signature) in &callable.declarations {
            if !self.is_wanted(callable, path, signature)? {
                continue;
            }
            self.check_free(path, signature, name)?;
            let text = project.files.text(path).unwrap_or_default();
            let new = self.text(path, signature, name)?;
            edits.add(path, signature.list.insert(&text, signature.fixed(), &[new]));
            if let Some(edit) = doc_comment::added(&text, signature.whole.start, self.name) {
                edits.add(path, edit);
            }
        }
        let passed = self.pass(project, callable, &mut edits)?;
        let title = match passed {
            0 => format!("parameter `{}` added to `{name}`", self.name),
            _ => format!(
                "parameter `{}` added to `{name}`, passed by {}",
                self.name,
                plural(passed, "call")
            ),
        };
        let main = callable.main();
        let path = &callable.symbol.path;
        let what = format!("parameter `{}`", self.name);
        let text = project.files.text(path).unwrap_or_default();
        let before = main.list.items(&text);
        let mut after = before.clone();
        after.insert(main.fixed().min(after.len()), self.text(path, main, name)?);
        Ok(Outcome {
            title,
            files: finished(project, &edits)?,
            sites: vec![Place { path: path.clone(), line: main.line, what }],
            api: vec![ApiChange {
                path: path.clone(),
                before: shown(name, &before),
                after: shown(name, &after),
            }],
            ..Outcome::default()
        })
    }

    fn check_uses(&self, callable: &Callable) -> Result<(), Refusal> {
        // A default leaves the number of required parameters, and the types of those who call it, as they were.
        let is_optional = self.default.is_some();
        callable.require_calls(|kind| match kind {
            ValueKind::Plain | ValueKind::Base => true,
            ValueKind::Length | ValueKind::Type => is_optional,
            ValueKind::Element | ValueKind::Passed => false,
        })?;
        if !is_optional {
            callable.require_plain_parameters()?;
        } else if !self.values.is_empty() {
            callable.require_no_arguments_object()?;
        }
        Ok(())
    }

    /// Does the parameter come last in this declaration, too? An overload with fewer parameters stays as it is.
    fn is_wanted(
        &self,
        callable: &Callable,
        path: &str,
        signature: &Signature,
    ) -> Result<bool, Refusal> {
        let is_same = signature.fixed() == callable.main().fixed();
        if is_same || (!signature.has_body && self.default.is_some() && self.values.is_empty()) {
            return Ok(is_same);
        }
        let what = "this declaration has other parameters".to_owned();
        let places = vec![Place { path: path.to_owned(), line: signature.line, what }];
        let reason = format!("the declarations of `{}` differ", callable.symbol.name);
        Err(refusal(reason, places, "give them the same parameters first"))
    }

    fn check_free(&self, path: &str, signature: &Signature, name: &str) -> Result<(), Refusal> {
        let place = |what: &str| {
            vec![Place { path: path.to_owned(), line: signature.line, what: what.to_owned() }]
        };
        if signature.taken.contains(self.name) || signature.index_of(self.name).is_some() {
            let reason = format!("`{name}` uses the name `{}` already", self.name);
            return Err(refusal(reason, place("in this function"), "choose another name"));
        }
        if signature.has_directive && self.default.is_some() {
            let reason = format!("`{name}` has a directive, which forbids defaults");
            return Err(refusal(
                reason,
                place("in this function"),
                "move the directive to the file",
            ));
        }
        let known = |used: &String| signature.taken.contains(used);
        let names = self.default.as_ref().map(|default| &default.names);
        if signature.has_body && names.is_some_and(|names| !names.iter().all(known)) {
            let reason = "the default uses names that the function does not use";
            return Err(refusal(reason, place("in this function"), "give a literal default"));
        }
        Ok(())
    }

    /// As it is written in a declaration.
    fn text(&self, path: &str, signature: &Signature, function: &str) -> Result<String, Refusal> {
        let place =
            Place { path: path.to_owned(), line: signature.line, what: "the signature".to_owned() };
        let follows_optional = signature.parameters.iter().any(|it| it.is_marked_optional);
        if self.default.is_none() && follows_optional && signature.is_typescript {
            let reason = format!("`{}` needs a default: one before it is optional", self.name);
            return Err(refusal(reason, vec![place], "say which default it has"));
        }
        let annotation = self.annotation.as_deref().filter(|_| signature.is_typescript);
        let default = self.default.as_ref().map(|default| default.text.as_str());
        Ok(match (annotation, default) {
            (Some(annotation), Some(_)) if !signature.has_body => {
                format!("{}?: {annotation}", self.name)
            }
            (Some(annotation), Some(default)) => format!("{}: {annotation} = {default}", self.name),
            (Some(annotation), None) => format!("{}: {annotation}", self.name),
            (None, _) if signature.is_typescript && (default.is_none() || !signature.has_body) => {
                let reason = format!("the type of `{}` is not known", self.name);
                let suggestion = format!("say which type the parameter of `{function}` has");
                return Err(refusal(reason, vec![place], suggestion));
            }
            (None, Some(default)) => format!("{} = {default}", self.name),
            (None, None) => self.name.to_owned(),
        })
    }

    /// How many calls pass a value.
    fn pass(
        &self,
        project: &Project<'_>,
        callable: &Callable,
        edits: &mut FileEdits,
    ) -> Result<usize, Refusal> {
        let at = callable.main().fixed();
        let mut refused = Vec::new();
        let mut passed = 0;
        for (path, call) in &callable.calls {
            let is_for = |value: &CallValue| value.is_for(path, is_test(path), |_| false);
            let value = self.values.iter().find(|(value, _)| is_for(value));
            let text = project.files.text(path).unwrap_or_default();
            match self.passed(&text, at, call, value.map(|(_, source)| source)) {
                Ok(Some(edit)) => {
                    edits.add(path, edit);
                    passed += 1;
                }
                Ok(None) => {}
                Err(what) => {
                    let what = what.to_owned();
                    refused.push(Place { path: path.clone(), line: call.line, what });
                }
            }
        }
        if refused.is_empty() {
            return Ok(passed);
        }
        let reason = format!("some calls of `{}` cannot be kept right", callable.symbol.name);
        Err(refusal(reason, refused, "give a default, or a value for these calls"))
    }

    fn passed(
        &self,
        text: &str,
        at: usize,
        call: &Call,
        value: Option<&Source>,
    ) -> Result<Option<Edit>, &'static str> {
        if call.arguments.iter().any(|argument| argument.is_spread) {
            return Err("it spreads a list, which may be longer");
        }
        let at = at + usize::from(call.is_indirect);
        let count = call.arguments.len();
        let Some(value) = value else {
            return match count > at {
                _ if self.default.is_none() => Err("no value is given for this call"),
                true => Err("it passes more arguments than there are parameters"),
                false => Ok(None),
            };
        };
        if !value.names.is_empty() {
            return Err("what the names in the value mean here is not known");
        }
        if count > at {
            return Err("it passes more arguments than there are parameters");
        }
        let mut new = vec!["undefined".to_owned(); at - count];
        new.push(value.text.clone());
        Ok(Some(call.list.insert(text, count, &new)))
    }
}
