//! Parameters: "add a log parameter to f", "remove the x argument of f", "swap a and b in f".

mod addition;
mod function;
mod passed;

pub(super) use self::passed::Passed;
use super::Unclear;
use super::clause::Clause;
use super::phrase::{Link, Name, Phrase};
use super::reading::{self, Reading};
use super::resolve::{Resolver, plain};
use super::scope::Scope;
use super::sequence;
use super::signature;
use super::vocabulary::{self, Noun};
use crate::operation::{CallPlace, CallValue, Operation, SymbolPath};

#[derive(Debug, Clone)]
pub(super) struct Draft {
    what: What,
    function: Option<Name>,
    /// "to both f and g"
    others: Vec<Name>,
    places: Vec<Phrase>,
    pub(super) name: Option<String>,
    annotation: Option<String>,
    pub(super) default: Option<String>,
    /// A boolean one, or one that need not be passed.
    is_flag: bool,
    is_optional: bool,
    pub(super) logs: bool,
    pub(super) values: Vec<Passed>,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    Add,
    Remove,
    Reorder(signature::Reorder),
}

pub(super) fn read(reading: &mut Reading<'_>, at: usize) -> usize {
    let clause = &reading.clauses[at];
    if clause.is_negated() {
        return 0;
    }
    if addition::imports_logging(reading.group(at)) {
        reading.wants_logging = true;
        if let Some(reading::Draft::Parameter(draft)) = reading.drafts.last_mut() {
            draft.logs = true;
        }
        return reading.group(at).len();
    }
    if let Some(draft) = reordering(reading, clause) {
        reading.drafts.push(reading::Draft::Parameter(draft));
        return 1;
    }
    let next = reading.next(at).filter(|next| next.is_linked() && next.sentence == clause.sentence);
    if let Some(phrase) = addition::introduced(clause) {
        return addition::add(reading, at, at, phrase);
    }
    if let Some(next) = next
        && (clause.is(vocabulary::CHANGE) || clause.is(&["ensure", "have"]))
        && let Some(phrase) = addition::introduced(next)
    {
        return addition::add(reading, at, at + 1, phrase);
    }
    if let Some(draft) = removal(reading, clause) {
        reading.drafts.push(reading::Draft::Parameter(draft));
        return 1;
    }
    0
}

/// "remove the `x` parameter from f".
fn removal(reading: &Reading<'_>, clause: &Clause) -> Option<Draft> {
    let mentions = clause.phrases.iter().any(|phrase| phrase.has_noun(Noun::Parameter));
    if !clause.is(vocabulary::REMOVE) || !mentions {
        return None;
    }
    let object = clause.phrases.iter().find(|phrase| phrase.link == Link::Object)?;
    let name = addition::parameter_name(object)
        .or_else(|| object.names.first().map(|name| name.text.clone()));
    Some(draft(reading, clause, object, What::Remove, name))
}

fn reordering(reading: &Reading<'_>, clause: &Clause) -> Option<Draft> {
    let mentions = clause
        .phrases
        .iter()
        .any(|phrase| phrase.has_noun(Noun::Parameter) || phrase.has(&["signature"]));
    let order = mentions.then(|| signature::reorder(clause)).flatten()?;
    let object = clause.phrases.iter().find(|phrase| phrase.link == Link::Object)?;
    Some(draft(reading, clause, object, What::Reorder(order), None))
}

fn draft(
    reading: &Reading<'_>,
    clause: &Clause,
    object: &Phrase,
    what: What,
    name: Option<String>,
) -> Draft {
    let mut without = clause.clone();
    if let What::Reorder(order) = &what {
        for phrase in &mut without.phrases {
            phrase.names.retain(|name| !order.names().contains(&name.text.as_str()));
        }
    }
    let qualifier = object.names.first().and_then(|name| name.qualifiers.last());
    let (function, places) = function::function_of(reading, &[&without], object);
    let function = function.or_else(|| qualifier.map(|name| plain(name)));
    Draft { places, name, ..Draft::new(what, function, reading.text(clause)) }
}

impl Draft {
    fn new(what: What, function: Option<Name>, text: &str) -> Self {
        Draft {
            what,
            function,
            others: Vec::new(),
            places: Vec::new(),
            name: None,
            annotation: None,
            default: None,
            is_flag: false,
            is_optional: false,
            logs: false,
            values: Vec::new(),
            text: text.to_owned(),
        }
    }

    pub(super) fn is_addition(&self) -> bool {
        self.what == What::Add
    }

    /// Later words win where they speak of fewer calls; the same again adds nothing.
    pub(super) fn add_value(&mut self, value: Passed) {
        let is_covered = |known: &Passed| {
            known.value == value.value
                && (known.calls == value.calls
                    || known.calls == CallPlace::All
                    || !value.files.is_empty())
        };
        if !self.values.iter().any(is_covered) {
            self.values.push(value);
        }
    }

    pub(super) fn operations(
        &self,
        resolver: &Resolver<'_>,
        earlier: &[Operation],
    ) -> Result<Vec<Operation>, Unclear> {
        let Some(function) = &self.function else {
            return Err(Unclear::new(&self.text, "the function is not named"));
        };
        std::iter::once(function)
            .chain(&self.others)
            .map(|function| self.operation(resolver, earlier, function))
            .collect()
    }

    fn operation(
        &self,
        resolver: &Resolver<'_>,
        earlier: &[Operation],
        function: &Name,
    ) -> Result<Operation, Unclear> {
        let scope = Scope::of(resolver.index, &self.places);
        let function = match sequence::made_symbol(earlier, &function.text) {
            Some(symbol) => symbol,
            None => resolver.symbol(function, &scope, None)?,
        };
        let Some(name) =
            self.name.clone().or_else(|| matches!(self.what, What::Reorder(_)).then(String::new))
        else {
            return Err(Unclear::new(&self.text, "the name of the parameter is not given"));
        };
        Ok(match &self.what {
            What::Add => self.addition(resolver, function, name)?,
            What::Remove => {
                signature::check(resolver.index, &function, &name)?;
                Operation::RemoveParameter { function, name }
            }
            What::Reorder(order) => {
                let order = order.apply(resolver.index, &function)?;
                Operation::ReorderParameters { function, order }
            }
        })
    }

    fn addition(
        &self,
        resolver: &Resolver<'_>,
        function: SymbolPath,
        name: String,
    ) -> Result<Operation, Unclear> {
        let mut values = Vec::new();
        for value in &self.values {
            let (calls, within) = value.place(resolver, &function)?;
            values.push(CallValue { value: value.value.clone(), calls, within });
        }
        let is_wide = |value: &CallValue| value.within.is_empty();
        let (wide, narrow): (Vec<CallValue>, Vec<CallValue>) =
            values.into_iter().partition(is_wide);
        let mut values = wide;
        if values.len() > 1 && values.iter().any(|value| value.calls == CallPlace::All) {
            values = passed::split_places(&values, &self.text)?;
        }
        values.extend(narrow);
        let default = match &self.default {
            Some(default) => Some(default.clone()),
            None => self.assumed_default(resolver, &name, &values)?,
        };
        Ok(Operation::AddParameter {
            function,
            name,
            default,
            annotation: self.annotation.clone(),
            values,
            logs: self.logs,
        })
    }

    /// A flag defaults to false unless the directive says otherwise; any other parameter needs a value for its calls.
    fn assumed_default(
        &self,
        resolver: &Resolver<'_>,
        name: &str,
        values: &[CallValue],
    ) -> Result<Option<String>, Unclear> {
        let is_boolean = |value: &CallValue| matches!(value.value.as_str(), "True" | "False");
        let is_flag = self.is_flag || !values.is_empty() && values.iter().all(is_boolean);
        let assumed = if is_flag {
            "False"
        } else if self.is_optional {
            "None"
        } else if values.iter().any(|value| value.calls == CallPlace::All) {
            return Ok(None);
        } else {
            let why = format!("`{name}` has no default, and what calls pass for it is not said");
            return Err(Unclear::new(name, why));
        };
        resolver.note(format!("no default was given for `{name}`; it is `{assumed}`, so that other calls go on working"));
        Ok(Some(assumed.to_owned()))
    }
}
