//! A call that passes an instance of the class instead of the arguments.

use rb_core::Edit;
use rb_python::Source;
use rb_python::ast::{Expr, ExprCall};

use super::Request;
use crate::operations::arguments::{BoundArgument, bind, keeps_order};
use crate::operations::functions::{Function, Parameter};
use crate::operations::item_list::ItemList;
use crate::operations::signature::is_receiver;

pub(super) struct Wrapping<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) source: &'a Source,
    /// How this file names the class.
    pub(super) class: &'a str,
    pub(super) function: &'a Function<'a>,
    pub(super) fields: &'a [Parameter<'a>],
    pub(super) is_bound: bool,
}

impl Wrapping<'_> {
    pub(super) fn edits(&self, call: &ExprCall) -> Result<Vec<Edit>, &'static str> {
        let list = ItemList::arguments(self.source, &call.arguments);
        let receivers = usize::from(!self.is_bound && self.function.receiver().is_some());
        let has_all = self.function.parameters().iter().all(|parameter| {
            is_receiver(self.function, parameter.name)
                || self.fields.iter().any(|field| field.name == parameter.name)
        });
        if has_all && list.len() >= receivers {
            return Ok(list.wrapped(receivers, self.class));
        }
        self.some(call, &list)
    }

    /// Only some parameters go: their arguments are passed to the class by name.
    fn some(&self, call: &ExprCall, list: &ItemList<'_>) -> Result<Vec<Edit>, &'static str> {
        let parameters = self.function.parameters();
        let filled = parameters.get(usize::from(self.is_bound)..).unwrap_or_default();
        let bound = bind(&call.arguments, filled);
        if bound.star.is_some() || bound.double_star.is_some() {
            return Err("`*` or `**` passes arguments that are not known");
        }
        let is_field = |argument: &&BoundArgument<'_>| {
            let name = argument.parameter;
            self.fields.iter().any(|field| Some(field.name) == name)
        };
        let wrapped: Vec<BoundArgument<'_>> =
            bound.arguments.iter().filter(is_field).copied().collect();
        let values: Vec<&Expr> = bound.arguments.iter().map(|argument| argument.value).collect();
        if !keeps_order(&values) {
            return Err("its arguments would be evaluated in another order");
        }
        let instance = self.instance(&wrapped, list);
        let by_name = format!("{}={instance}", self.request.instance);
        let indexes: Vec<usize> =
            wrapped.iter().filter_map(|argument| list.index_of(argument.range)).collect();
        let Some(first) = indexes.first().copied() else {
            return Ok(list.insert(list.len(), &by_name));
        };
        let begin = list.range(first).start();
        let positional = || bound.arguments.iter().filter(|argument| !argument.is_keyword);
        let first_field = filled.iter().position(|one| self.fields[0].name == one.name);
        let is_by_position = first < positional().count() && Some(first) == first_field;
        let has_more = positional().any(|one| !is_field(&one) && one.range.start() > begin);
        if has_more && !is_by_position {
            return Err("arguments behind the wrapped ones are passed by position");
        }
        let text = if is_by_position { instance } else { by_name };
        let end = list.range(first).end();
        let mut edits = vec![Edit::replace(begin.into(), end.into(), text)];
        edits.extend(list.remove(&indexes[1..]));
        Ok(edits)
    }

    /// `Class(a=1, b=2)`
    fn instance(&self, wrapped: &[BoundArgument<'_>], list: &ItemList<'_>) -> String {
        let texts = wrapped.iter().map(|argument| {
            let text = list.index_of(argument.range).map_or("", |index| list.text(index));
            match argument.parameter {
                Some(name) if !argument.is_keyword => format!("{name}={text}"),
                _ => text.to_owned(),
            }
        });
        let texts: Vec<String> = texts.collect();
        format!("{}({})", self.class, texts.join(", "))
    }
}
