//! A function, method or constructor with all its declarations and uses: what every change of a signature begins with.

use std::collections::{BTreeMap, BTreeSet};

use oxc_span::Span;
use rb_core::Edit;
use rb_ecma::Module;
use rb_operations::{Place, Refusal, SymbolPath};

use super::declaration::declarations;
use super::signature::Signature;
use super::uses::{Call, Use, ValueKind, ValueUse, uses_at};
use super::{constructor, method};
use crate::edits::FileEdits;
use crate::project::{Project, ReferenceKind};

pub(crate) struct Callable {
    pub(crate) symbol: SymbolPath,
    /// Overloads and overriding methods are among them; the file of each. Never empty.
    pub(crate) declarations: Vec<(String, Signature)>,
    pub(crate) calls: Vec<(String, Call)>,
    pub(crate) values: Vec<(String, ValueUse)>,
    /// Where sight of it is lost.
    pub(crate) doubts: Vec<Place>,
    /// Members of the same name that may stand for it without saying so: objects that fit an interface of it.
    pub(crate) look_alikes: Vec<Place>,
}

/// Places in files.
pub(crate) type Places = BTreeMap<String, BTreeSet<(u32, u32)>>;

impl Callable {
    pub(crate) fn new(project: &Project<'_>, symbol: &SymbolPath) -> Result<Callable, Refusal> {
        project.required(&symbol.path)?;
        let own = own_signatures(project, symbol)?;
        let mut callable = Callable {
            symbol: symbol.clone(),
            declarations: own.into_iter().map(|it| (symbol.path.clone(), it)).collect(),
            calls: vec![],
            values: vec![],
            doubts: vec![],
            look_alikes: vec![],
        };
        match symbol.name.split_once('.') {
            None => {
                let mut places = Places::default();
                callable.follow(project, &symbol.path, &symbol.name, &mut places);
                callable.read(project, &places);
            }
            Some((class, "constructor")) => constructor::collect(project, &mut callable, class),
            Some((class, member)) => method::collect(project, &mut callable, class, member),
        }
        callable.check_form()?;
        Ok(callable)
    }

    /// The declaration with the body, or the only one.
    pub(crate) fn main(&self) -> &Signature {
        let own = self.declarations.iter().filter(|(path, _)| *path == self.symbol.path);
        let mut own = own.map(|(_, signature)| signature);
        let first = own.clone().next();
        own.find(|it| it.has_body).or(first).expect("a callable has a declaration")
    }

    /// Adds the places of a name of the top level, in its own file and wherever it is taken to.
    pub(crate) fn follow(
        &mut self,
        project: &Project<'_>,
        path: &str,
        name: &str,
        places: &mut Places,
    ) {
        let symbol = SymbolPath { path: path.to_owned(), name: name.to_owned() };
        let found = project.references(&symbol);
        for reference in found.all {
            if !matches!(reference.kind, ReferenceKind::Import | ReferenceKind::Reexport) {
                let whole = (reference.whole.start, reference.whole.end);
                places.entry(reference.path).or_default().insert(whole);
            }
        }
        self.doubts.extend(found.doubts);
    }

    /// Takes in the uses at some places; gives those at which a class extends it.
    pub(crate) fn read(&mut self, project: &Project<'_>, places: &Places) -> Vec<(String, Span)> {
        let mut bases = Vec::new();
        for (path, spans) in places {
            let spans: Vec<Span> = spans.iter().map(|(from, to)| Span::new(*from, *to)).collect();
            let Some(found) = project.parsed(path, |module| uses_at(module, &spans)) else {
                continue;
            };
            for (span, found) in spans.into_iter().zip(found) {
                match found {
                    Use::Call(call) => self.calls.push((path.clone(), call)),
                    Use::Value(value) if value.kind == ValueKind::Base => {
                        bases.push((path.clone(), span));
                    }
                    Use::Value(value) => self.values.push((path.clone(), value)),
                }
            }
        }
        bases
    }

    fn check_form(&self) -> Result<(), Refusal> {
        for (path, signature) in &self.declarations {
            if let Some(obstacle) = signature.obstacle {
                let what = obstacle.to_owned();
                let reason =
                    format!("the signature of `{}` is not its own: {obstacle}", self.symbol.name);
                let places = vec![Place { path: path.clone(), line: signature.line, what }];
                return Err(refusal(reason, places, "change it by hand"));
            }
        }
        Ok(())
    }

    /// Refuses unless every use is a call; `is_harmless` says which other uses the change does not touch.
    pub(crate) fn require_calls(
        &self,
        is_harmless: impl Fn(ValueKind) -> bool,
    ) -> Result<(), Refusal> {
        let mut places = self.doubts.clone();
        for (path, value) in &self.values {
            if value.kind != ValueKind::Plain && !is_harmless(value.kind) {
                let what = value.kind.what().to_owned();
                places.push(Place { path: path.clone(), line: value.line, what });
            }
        }
        if places.is_empty() {
            return Ok(());
        }
        let reason =
            format!("not every use of `{}` is a call that can be changed", self.symbol.name);
        Err(refusal(reason, places, "change these places by hand first"))
    }

    /// Rewrites the argument lists of all calls, those within the arguments of others first: `rewrite` is given the edits so far and takes
    /// out those that it writes itself. How many calls changed, or where that is not possible.
    pub(crate) fn rewrite_calls(
        &self,
        project: &Project<'_>,
        edits: &mut FileEdits,
        rewrite: impl Fn(&str, &Call, &mut Vec<Edit>) -> Result<Vec<Edit>, &'static str>,
    ) -> Result<usize, Vec<Place>> {
        let mut files: BTreeMap<&str, Vec<&Call>> = BTreeMap::new();
        for (path, call) in &self.calls {
            files.entry(path).or_default().push(call);
        }
        let mut refused = Vec::new();
        let mut count = 0;
        for (path, mut calls) in files {
            let text = project.files.text(path).unwrap_or_default();
            calls.sort_by_key(|call| std::cmp::Reverse(call.list.start()));
            let mut own = Vec::new();
            for call in calls {
                match rewrite(&text, call, &mut own) {
                    Ok(new) => {
                        count += usize::from(!new.is_empty());
                        own.extend(new);
                    }
                    Err(what) => {
                        let (path, what) = (path.to_owned(), what.to_owned());
                        refused.push(Place { path, line: call.line, what });
                    }
                }
            }
            edits.extend(path, own);
        }
        refused.sort();
        if refused.is_empty() { Ok(count) } else { Err(refused) }
    }

    /// Refuses if a body sees its arguments as a list, or if something else may be called in its place.
    pub(crate) fn require_plain_parameters(&self) -> Result<(), Refusal> {
        self.require_no_arguments_object()?;
        if self.look_alikes.is_empty() {
            return Ok(());
        }
        let reason = format!("another function may be called instead of `{}`", self.symbol.name);
        Err(refusal(reason, self.look_alikes.clone(), "change its signature by hand"))
    }

    /// Refuses if a body sees its arguments as a list.
    pub(crate) fn require_no_arguments_object(&self) -> Result<(), Refusal> {
        let reads = |(path, it): &(String, Signature)| {
            let what = "`arguments` is used in it".to_owned();
            it.reads_arguments.then(|| Place { path: path.clone(), line: it.line, what })
        };
        let places: Vec<Place> = self.declarations.iter().filter_map(reads).collect();
        if places.is_empty() {
            return Ok(());
        }
        let reason = format!("`{}` reads `arguments`", self.symbol.name);
        Err(refusal(reason, places, "give its arguments names first"))
    }
}

fn own_signatures(project: &Project<'_>, symbol: &SymbolPath) -> Result<Vec<Signature>, Refusal> {
    let read = |module: &Module<'_>| {
        let found = declarations(module, &symbol.name);
        let top = module.top_level(symbol.name.split('.').next().unwrap_or_default());
        let is_mutated = top.is_some_and(|it| module.scoping().symbol_is_mutated(it));
        let all = found.iter().map(|it| Signature::read(module, it)).collect::<Vec<_>>();
        (all, is_mutated)
    };
    let (found, is_mutated) = project.parsed(&symbol.path, read).unwrap_or_default();
    let bodies = found.iter().filter(|it| it.has_body).count();
    if found.is_empty() {
        let reason = format!("{} declares no function `{}`", symbol.path, symbol.name);
        return Err(Refusal::new(reason, "name a function, `Class.method` or `Class.constructor`"));
    }
    if is_mutated || bodies > 1 {
        let reason = format!("`{}` is assigned more than once", symbol.name);
        return Err(Refusal::new(reason, "make it a constant first"));
    }
    Ok(found)
}

/// `f(a, b)`, on one line.
pub(crate) fn shown(name: &str, parameters: &[String]) -> String {
    let text = format!("{name}({})", parameters.join(", "));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn refusal(
    reason: impl Into<String>,
    places: Vec<Place>,
    suggestion: impl Into<String>,
) -> Refusal {
    Refusal { places, ..Refusal::new(reason, suggestion) }
}
