//! What has to be so before the parameters can be wrapped.

use rb_python::{Ranged, Source, TextRange};

use super::Request;
use crate::operations::calls::{Callable, place, refusal};
use crate::operations::functions::{Function, Parameter, ParameterKind};
use crate::operations::signature::is_receiver;
use crate::outcome::Refusal;
use crate::project::Project;

impl Request<'_> {
    /// The parameters that become fields.
    pub(super) fn fields<'s>(
        &self,
        source: &Source,
        function: &Function<'s>,
    ) -> Result<Vec<Parameter<'s>>, Refusal> {
        let name = function.node.name.as_str();
        let at = |range: TextRange| vec![place(source, range, "declared here")];
        let mut fields = function.parameters();
        fields.retain(|parameter| !is_receiver(function, parameter.name));
        let is_field = |name: &&String| fields.iter().any(|field| field.name == name.as_str());
        if let Some(missing) = self.parameters.iter().find(|name| !is_field(name)) {
            let reason = format!("`{name}` has no parameter `{missing}`");
            return Err(refusal(reason, at(function.node.name.range()), "name its parameters"));
        }
        if !self.parameters.is_empty() {
            fields.retain(|field| self.parameters.iter().any(|name| name == field.name));
        }
        let mut variadic = fields.iter().filter(|field| {
            matches!(field.kind, ParameterKind::Variadic | ParameterKind::Keywords)
        });
        if let Some(variadic) = variadic.next() {
            let taker = variadic.name;
            let reason =
                format!("`{taker}` takes any number of arguments, which no field can hold");
            return Err(refusal(reason, at(variadic.range), "name the other parameters only"));
        }
        if fields.is_empty() {
            let reason = format!("`{name}` has no parameters to wrap");
            return Err(Refusal::new(reason, "choose another function"));
        }
        Ok(fields)
    }

    pub(super) fn check_class_is_free(&self, home: &Source) -> Result<(), Refusal> {
        let taken = home.scopes().names.iter().find(|name| name.name == self.class);
        let global = home.scopes().global(self.class);
        if taken.is_none() && global.is_none() {
            return Ok(());
        }
        let binding = global.and_then(|id| home.scopes().variable(id).bindings.first());
        let range = taken.map(|name| name.range).or(binding.map(|binding| binding.range));
        let places = vec![place(home, range.unwrap_or_default(), "it is used here")];
        let reason = format!("the name `{}` is taken in {}", self.class, home.path());
        Err(refusal(reason, places, "choose another name for the class"))
    }

    pub(super) fn check_instance_is_free(
        &self,
        home: &Source,
        function: &Function<'_>,
    ) -> Result<(), Refusal> {
        let names = home.scopes().names.iter();
        let inside = names.filter(|name| function.node.range().contains_range(name.range));
        let places: Vec<_> = inside
            .filter(|name| name.name == self.instance)
            .map(|name| place(home, name.range, "it is used here"))
            .collect();
        if places.is_empty() {
            return Ok(());
        }
        let reason =
            format!("the name `{}` is taken in `{}`", self.instance, function.node.name.as_str());
        Err(refusal(reason, places, "choose another name for the class"))
    }
}

/// One definition, so that nobody else declares or overrides it.
pub(super) fn check_single(project: &Project<'_>, callable: &Callable) -> Result<(), Refusal> {
    if callable.definitions.len() == 1 {
        return Ok(());
    }
    let places = callable.definitions.iter().filter_map(|definition| {
        let source = project.source(&definition.path)?;
        Some(place(&source, definition.name, "a definition"))
    });
    let reason = format!("`{}` is defined more than once, or overridden", callable.symbol.name);
    Err(refusal(reason, places.collect(), "change these signatures by hand"))
}
