//! Calls of a method as calls of a function: `self.m(x)` is `m(x)` or `m(self, x)`.

use std::collections::BTreeMap;
use std::sync::Arc;

use rb_python::ast::{Expr, ExprAttribute, ExprCall};
use rb_python::{Ranged, Source, TextRange};

use super::extraction::{Receiver, receiver_uses};
use crate::operations::arguments::is_simple;
use crate::operations::calls::{Callable, Use, is_bound, place, refusal};
use crate::operations::edits::FileEdits;
use crate::operations::functions::{Function, FunctionKind};
use crate::operations::item_list::ItemList;
use crate::operations::name_import::{Needed, with_import};
use crate::outcome::Refusal;
use crate::project::Project;

pub(super) fn rewrite(
    project: &Project<'_>,
    callable: &Callable,
    function: &Function<'_>,
    receiver: &Receiver,
    edits: &mut FileEdits,
) -> Result<(), Refusal> {
    let mut places = Vec::new();
    for file in callable.files(project) {
        let rewriting = Rewriting { project, callable, function, receiver, source: &file.source };
        for one in file.uses() {
            if let Err(why) = rewriting.rewrite(one, edits) {
                places.push(place(&file.source, one.range(), why));
            }
        }
    }
    if places.is_empty() {
        return Ok(());
    }
    let reason =
        format!("some uses of `{}` cannot become uses of a function", callable.symbol.name);
    Err(refusal(reason, places, "change these places first"))
}

struct Rewriting<'a> {
    project: &'a Project<'a>,
    callable: &'a Callable,
    function: &'a Function<'a>,
    receiver: &'a Receiver,
    source: &'a Source,
}

impl Rewriting<'_> {
    fn rewrite(&self, one: Use<'_>, edits: &mut FileEdits) -> Result<(), &'static str> {
        let (expression, call) = match one {
            Use::Call(call) => (&*call.func, Some(call)),
            Use::Decorator(expression) | Use::Value(expression) => (expression, None),
            Use::Partial(call) => match call.arguments.args.first() {
                Some(first) => (first, None),
                None => return Err("it is passed on"),
            },
            Use::Quoted(_) => return Err("it is named in an annotation"),
        };
        let Expr::Attribute(attribute) = expression else {
            return Err("it is used by its name alone, in its class");
        };
        self.check_name(attribute)?;
        match (call, self.receiver) {
            (Some(call), _) => self.rewrite_call(attribute, call, edits),
            (None, Receiver::Dropped) if is_simple(&attribute.value) => {
                self.replace_callee(attribute, edits);
                Ok(())
            }
            (None, _) => Err("it is passed on, with the object it belongs to"),
        }
    }

    /// The name of the function must be free where it is used.
    fn check_name(&self, attribute: &ExprAttribute) -> Result<(), &'static str> {
        let scopes = self.source.scopes();
        let scope = scopes.scope_at(attribute.range());
        match scopes.lookup(scope, self.callable.name()) {
            Some(_) => Err("the name of the function means something else here"),
            None => Ok(()),
        }
    }

    fn rewrite_call(
        &self,
        attribute: &ExprAttribute,
        call: &ExprCall,
        edits: &mut FileEdits,
    ) -> Result<(), &'static str> {
        let kind = self.function.kind();
        let is_bound = is_bound(self.project, self.source, &call.func, self.callable, kind);
        let has_receiver = matches!(kind, FunctionKind::Method);
        let list = ItemList::arguments(self.source, &call.arguments);
        match self.receiver {
            Receiver::Dropped if has_receiver && !is_bound => {
                let first = call.arguments.args.first();
                if !first.is_some_and(is_simple) {
                    return Err("the object it is called with cannot be left out");
                }
                list.remove(&[0]).into_iter().for_each(|edit| edits.add(self.source.path(), edit));
            }
            Receiver::Dropped if is_simple(&attribute.value) => {}
            Receiver::Dropped => return Err("the object it is called on cannot be left out"),
            Receiver::Parameter(_) if is_super(&attribute.value) => {
                return Err("`super()` is no object to pass");
            }
            Receiver::Parameter(name) if is_bound => {
                let object = self.object(&attribute.value, name);
                for edit in list.insert(0, &object) {
                    edits.add(self.source.path(), edit);
                }
            }
            Receiver::Parameter(_) => {}
        }
        self.replace_callee(attribute, edits);
        Ok(())
    }

    fn replace_callee(&self, attribute: &ExprAttribute, edits: &mut FileEdits) {
        edits.replace(self.source.path(), attribute.range(), self.callable.name());
    }

    /// The object as it is written, with the new name of `self` within the method.
    fn object(&self, value: &Expr, name: &str) -> String {
        let range = value.range();
        let mut text = String::new();
        let mut at = range.start();
        if self.source.path() == self.callable.symbol.path {
            for one in receiver_uses(self.source, self.function) {
                if range.contains_range(one.range) {
                    text.push_str(self.source.slice(TextRange::new(at, one.range.start())));
                    text.push_str(name);
                    at = one.range.end();
                }
            }
        }
        text.push_str(self.source.slice(TextRange::new(at, range.end())));
        text
    }
}

fn is_super(value: &Expr) -> bool {
    let call = value.as_call_expr();
    call.is_some_and(|call| {
        call.func.as_name_expr().is_some_and(|name| name.id.as_str() == "super")
    })
}

/// The changed files, importing the function where they call it.
pub(super) fn with_imports(
    project: &Project<'_>,
    callable: &Callable,
    edits: &FileEdits,
) -> Result<BTreeMap<String, Arc<str>>, Refusal> {
    let home = &callable.symbol.path;
    let class = callable.symbol.class().map(|class| class.name).unwrap_or_default();
    let mut texts = BTreeMap::new();
    for path in edits.paths() {
        let Some(text) = edits.text(project.files, path)? else { continue };
        let needed = Needed { home, name: callable.name(), beside: &class };
        texts.insert(path.to_owned(), with_import(project, path, text, &needed)?);
    }
    // A static method that nobody calls changes nothing before it is taken out.
    if !texts.contains_key(home) {
        texts.extend(project.files.text(home).map(|text| (home.clone(), text)));
    }
    Ok(texts)
}
