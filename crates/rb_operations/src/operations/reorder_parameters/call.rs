//! The arguments of a call in another order.

use rb_python::ast::{Expr, ExprCall};
use rb_python::{Ranged, Source};

use super::is_positional;
use crate::operations::arguments::{bind, keeps_order};
use crate::operations::calls::{Callable, Use, is_bound, place, refusal};
use crate::operations::edits::FileEdits;
use crate::operations::functions::{Function, Parameter, ParameterKind};
use crate::operations::item_list::ItemList;
use crate::outcome::Refusal;
use crate::project::Project;

/// The number of calls that had to change. `order` is that of all that may be passed by position, `self` too.
pub(super) fn rewrite_all(
    project: &Project<'_>,
    callable: &Callable,
    function: &Function<'_>,
    order: &[String],
    edits: &mut FileEdits,
) -> Result<usize, Refusal> {
    let parameters = function.parameters();
    let (mut unknown, mut changed) = (Vec::new(), 0);
    for file in callable.files(project) {
        let source = &file.source;
        for one in file.uses() {
            let Use::Call(call) = one else { continue };
            let is_bound = is_bound(project, source, &call.func, callable, function.kind());
            let skipped = usize::from(is_bound);
            let filled = parameters.get(skipped..).unwrap_or_default();
            let reordering = Reordering {
                source,
                call,
                parameters: filled,
                before: filled.iter().filter(|one| is_positional(one)).collect(),
                after: order.get(skipped..).unwrap_or_default(),
            };
            match reordering.rewrite(edits) {
                Ok(is_changed) => changed += usize::from(is_changed),
                Err(why) => unknown.push(place(source, one.range(), why)),
            }
        }
    }
    if unknown.is_empty() {
        return Ok(changed);
    }
    let name = &callable.symbol.name;
    let reason = format!("the arguments of some calls of `{name}` cannot be reordered");
    Err(refusal(reason, unknown, "pass their arguments by name first"))
}

/// One call.
struct Reordering<'a> {
    source: &'a Source,
    call: &'a ExprCall,
    /// Those that the call fills.
    parameters: &'a [Parameter<'a>],
    before: Vec<&'a Parameter<'a>>,
    after: &'a [String],
}

impl Reordering<'_> {
    /// Whether it had to change, or why it cannot.
    fn rewrite(&self, edits: &mut FileEdits) -> Result<bool, &'static str> {
        let bound = bind(&self.call.arguments, self.parameters);
        let places = 0..self.before.len().min(self.after.len());
        let mut moved = places.filter(|at| self.before[*at].name != self.after[*at].as_str());
        let Some(first) = moved.next() else { return Ok(false) };
        let furthest = moved.next_back().unwrap_or(first);
        if bound.star.is_some_and(|(before, _)| furthest >= before) {
            return Err("`*` may pass a parameter that moves");
        }
        let passed: Vec<&Expr> =
            bound.arguments.iter().filter(|one| !one.is_keyword).map(|one| one.value).collect();
        let passed = &passed[..bound.star.map_or(passed.len(), |(before, _)| before)];
        let count = passed.len().min(self.before.len());
        if count <= first {
            return Ok(false);
        }
        let texts = self.texts(passed, first, count)?;
        let list = ItemList::arguments(self.source, &self.call.arguments);
        for (value, text) in passed[first..count].iter().zip(texts) {
            if let Some(index) = list.index_of(value.range()) {
                edits.replace(self.source.path(), list.range(index), text);
            }
        }
        Ok(true)
    }

    /// What stands at the places of the arguments from `first` on: those that can still be passed by position, then the others by name.
    fn texts(
        &self,
        passed: &[&Expr],
        first: usize,
        count: usize,
    ) -> Result<Vec<String>, &'static str> {
        let list = ItemList::arguments(self.source, &self.call.arguments);
        let text = |at: usize| {
            let index = list.index_of(passed[at].range());
            index.map_or("", |index| list.text(index))
        };
        let mut by_position: Vec<usize> = Vec::new();
        if keeps_order(&passed[first..count]) {
            let own = &self.before[..count];
            let index_of = |name: &String| own.iter().position(|one| one.name == name.as_str());
            by_position = self.after[first..].iter().map_while(index_of).collect();
        }
        let by_name: Vec<usize> = (first..count).filter(|at| !by_position.contains(at)).collect();
        if by_name.iter().any(|at| self.before[*at].kind == ParameterKind::PositionalOnly) {
            return Err("a parameter that moves cannot be passed by name");
        }
        let has_more = self.call.arguments.args.len() > count;
        if !by_name.is_empty() && has_more {
            return Err("arguments behind those that move are passed by position");
        }
        let named = by_name.into_iter().map(|at| {
            let (name, value) = (self.before[at].name, text(at));
            let is_bare = matches!(passed[at], Expr::Named(_) | Expr::Generator(_));
            let is_open = is_bare && !value.starts_with('(');
            if is_open { format!("{name}=({value})") } else { format!("{name}={value}") }
        });
        Ok(by_position.iter().map(|at| text(*at).to_owned()).chain(named).collect())
    }
}
