//! Parameters of a function become the properties of one object, which calls pass as a literal.
//!
//! The function destructures the object in its signature, so that its body stays as it is. In TypeScript the object has an interface.

mod interface;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rb_core::{Edit, plural};
use rb_ecma::Style;
use rb_operations::{ApiChange, Operation, Outcome, Place, Refusal, SymbolPath};

use crate::check::check;
use crate::edits::FileEdits;
use crate::project::{ModuleFacts, Project};
use crate::signatures::signature::{Parameter, Signature};
use crate::signatures::source::check_identifier;
use crate::signatures::uses::{Call, ValueKind};
use crate::signatures::{Callable, keeps_effects, refusal, shown};

struct Request<'o> {
    function: &'o SymbolPath,
    class: &'o str,
    /// Where the interface is declared.
    module: &'o str,
    /// The parameters that go into the object.
    wrapped: Vec<usize>,
}

pub(crate) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::ParameterObject { function, class, module, parameters } = operation else {
        return Err(Refusal::new("this is not a parameter object", "ask for another operation"));
    };
    check_identifier(class)?;
    let callable = Callable::new(project, function)?;
    let module = if module.is_empty() { &function.path } else { module };
    let wrapped = wrapped(&callable, parameters)?;
    let request = Request { function, class, module, wrapped };
    request.plan(project, &callable)
}

fn wrapped(callable: &Callable, parameters: &[String]) -> Result<Vec<usize>, Refusal> {
    let main = callable.main();
    let mut found = Vec::new();
    for (index, parameter) in main.parameters.iter().enumerate() {
        let is_named = parameter.name.as_ref().is_some_and(|name| parameters.contains(name));
        if parameters.is_empty() || is_named {
            found.push(index);
        }
    }
    let is_plain = |&index: &usize| {
        let parameter = &main.parameters[index];
        parameter.name.is_some() && !parameter.is_rest && !parameter.is_member
    };
    if !parameters.is_empty() && found.len() != parameters.len() || found.is_empty() {
        let reason = format!("`{}` does not have all these parameters", callable.symbol.name);
        return Err(Refusal::new(reason, "name some of its parameters"));
    }
    if !found.iter().all(is_plain) {
        let reason = "a rest parameter, a pattern or a member cannot go into the object";
        return Err(Refusal::new(reason, "name the other parameters"));
    }
    Ok(found)
}

impl Request<'_> {
    fn plan(&self, project: &Project<'_>, callable: &Callable) -> Result<Outcome, Refusal> {
        let main = callable.main();
        let path = &self.function.path;
        callable.require_calls(|kind| kind == ValueKind::Base)?;
        callable.require_plain_parameters()?;
        self.check(callable)?;
        let facts = project.required(path)?;
        let mut edits = FileEdits::default();
        let items = self.items(&facts, main);
        edits.add(path, main.list.rewrite(&items));
        let mut created = BTreeMap::new();
        if main.is_typescript {
            self.declare(project, &facts, main, &mut edits, &mut created)?;
        }
        let count = self.wrap_calls(project, callable, &mut edits)?;
        let mut files = edits.apply(project.files)?;
        files.extend(created);
        check(project, &files)?;
        let what = format!("`{}`", self.class);
        let name = &self.function.name;
        Ok(Outcome {
            title: format!(
                "parameters of `{name}` wrapped in `{}`, with {}",
                self.class,
                plural(count, "call")
            ),
            files,
            sites: vec![Place { path: path.clone(), line: main.line, what }],
            api: vec![ApiChange {
                path: path.clone(),
                before: shown(name, &main.list.items(&facts.text)),
                after: shown(name, &items),
            }],
            ..Outcome::default()
        })
    }

    fn check(&self, callable: &Callable) -> Result<(), Refusal> {
        let main = callable.main();
        let order = self.order(main.parameters.len());
        let parameter = |index: &usize| &main.parameters[*index];
        let reads_later = order.iter().enumerate().any(|(at, index)| {
            let default = parameter(index).default.as_ref();
            let later = order[at..].iter().filter_map(|index| parameter(index).name.as_ref());
            default.is_some_and(|default| later.into_iter().any(|it| default.names.contains(it)))
        });
        let has_effects = main
            .parameters
            .iter()
            .any(|it| it.default.as_ref().is_some_and(|default| !default.is_pure));
        let problem = if callable.declarations.len() > 1 {
            "it has several declarations"
        } else if main.has_rest() {
            "it has a rest parameter"
        } else if main.has_directive {
            "it has a directive, which forbids patterns"
        } else if main.has_comments {
            "there are comments between its parameters"
        } else if reads_later || (has_effects && !order.is_sorted()) {
            "a default depends on the order of the parameters"
        } else {
            return Ok(());
        };
        let path = self.function.path.clone();
        let places = vec![Place { path, line: main.line, what: problem.to_owned() }];
        let reason = format!("`{}` cannot take an object: {problem}", self.function.name);
        Err(refusal(reason, places, "change it by hand"))
    }

    /// The parameters as they come now: the object stands where the first of its own stood.
    fn order(&self, count: usize) -> Vec<usize> {
        let first = self.wrapped.first().copied().unwrap_or(0);
        let is_other = |index: &usize| !self.wrapped.contains(index);
        let before = (0..first).filter(is_other);
        let behind = (first..count).filter(is_other);
        before.chain(self.wrapped.iter().copied()).chain(behind).collect()
    }

    /// The new parameters.
    fn items(&self, facts: &ModuleFacts, main: &Signature) -> Vec<String> {
        let first = self.wrapped.first().copied().unwrap_or(0);
        let properties: Vec<String> =
            self.wrapped.iter().map(|&index| property(facts, &main.parameters[index])).collect();
        let is_whole = self.wrapped.len() == main.parameters.len();
        let lines = main.list.lines(&facts.text).filter(|_| is_whole);
        let pattern = literal(&facts.style, &properties, lines);
        let annotation =
            if main.is_typescript { format!(": {}", self.class) } else { String::new() };
        let default = if self.is_optional(main) { " = {}" } else { "" };
        let object = format!("{pattern}{annotation}{default}");
        let mut items = Vec::new();
        for (index, text) in main.list.items(&facts.text).into_iter().enumerate() {
            if index == first {
                items.push(object.clone());
            }
            if !self.wrapped.contains(&index) {
                items.push(text);
            }
        }
        items
    }

    /// Can a call leave the object out?
    fn is_optional(&self, main: &Signature) -> bool {
        self.wrapped.iter().all(|&index| main.parameters[index].is_optional())
    }

    fn wrap_calls(
        &self,
        project: &Project<'_>,
        callable: &Callable,
        edits: &mut FileEdits,
    ) -> Result<usize, Refusal> {
        let style = &project.required(&self.function.path)?.style;
        let rewrite = |text: &str, call: &Call, inner: &mut Vec<Edit>| {
            self.wrapped_call(text, callable.main(), call, style, inner)
        };
        callable.rewrite_calls(project, edits, rewrite).map_err(|places| {
            let reason = format!("some calls of `{}` cannot pass an object", self.function.name);
            refusal(reason, places, "write their arguments out first")
        })
    }

    fn wrapped_call(
        &self,
        text: &str,
        main: &Signature,
        call: &Call,
        style: &Style,
        inner: &mut Vec<Edit>,
    ) -> Result<Vec<Edit>, &'static str> {
        if call.arguments.iter().any(|argument| argument.is_spread) {
            return Err("it spreads a list over the parameters");
        }
        let skipped = usize::from(call.is_indirect);
        let count = call.arguments.len().saturating_sub(skipped);
        if count > main.parameters.len() {
            return Err("it passes more arguments than there are parameters");
        }
        let given = call.arguments.get(skipped..).unwrap_or_default();
        let order: Vec<usize> =
            self.order(main.parameters.len()).into_iter().filter(|&at| at < count).collect();
        if !keeps_effects(given, &order) {
            return Err("its arguments may do something, and would be evaluated in another order");
        }
        let first = self.wrapped.first().copied().unwrap_or(0);
        if count <= first && self.is_optional(main) {
            return Ok(vec![]);
        }
        if call.has_comments {
            return Err("there are comments between its arguments");
        }
        let all = call.list.take_items(text, inner);
        let properties: Vec<String> = self
            .wrapped
            .iter()
            .filter(|&&index| index < count)
            .map(|&index| pair(main.parameters[index].name.as_deref(), &all[skipped + index]))
            .collect();
        let is_other = |at: &usize| !self.wrapped.contains(at);
        let lines = call.list.lines(text).filter(|_| !(0..count).any(|at| is_other(&at)));
        let object = literal(style, &properties, lines);
        let item = |at: usize| all[skipped + at].clone();
        let mut items: Vec<String> = all[..skipped].to_vec();
        items.extend((0..first.min(count)).filter(is_other).map(item));
        items.push(object);
        items.extend((first..count).filter(is_other).map(item));
        Ok(vec![call.list.rewrite(&items)])
    }
}

/// `{ a, b }`, on lines of their own where the list had them.
fn literal(style: &Style, properties: &[String], lines: Option<(&str, &str)>) -> String {
    match lines {
        _ if properties.is_empty() => "{}".to_owned(),
        Some((inner, outer)) => {
            let eol = style.line_end;
            let all = properties.join(&format!(",{eol}{inner}"));
            format!("{{{eol}{inner}{all},{eol}{outer}}}")
        }
        None => style.braced(&properties.join(", ")),
    }
}

/// As it stands in the pattern.
fn property(facts: &ModuleFacts, parameter: &Parameter) -> String {
    let name = parameter.name.as_deref().unwrap_or_default();
    match &parameter.default {
        Some(default) => {
            let text = facts.text.get(default.span.start as usize..default.span.end as usize);
            format!("{name} = {}", text.unwrap_or_default())
        }
        None => name.to_owned(),
    }
}

/// As it stands in a call.
fn pair(name: Option<&str>, argument: &str) -> String {
    let name = name.unwrap_or_default();
    if name == argument { name.to_owned() } else { format!("{name}: {argument}") }
}
