//! References to a parameter: its declaration, its uses in the body, and keyword arguments of calls.

use std::collections::BTreeSet;
use std::sync::Arc;

use rb_python::ast::{self, Expr};
use rb_python::{Ranged, Source, StringUse, TextRange, TextSize};

use super::walk::{expressions, last_part, last_part_range, string_content};
use super::{Found, ReferenceKind};
use crate::operation::SymbolPath;
use crate::project::{Project, SymbolKind, Value, decorator, word_ranges};

/// What is looked for.
struct Parameter<'p> {
    name: &'p str,
    /// The function and, for a method, those that override it or are overridden.
    functions: BTreeSet<SymbolPath>,
    /// Places that name one of them, and places that may.
    named: BTreeSet<(String, u32)>,
    doubted: BTreeSet<(String, u32)>,
}

impl Project<'_> {
    /// The parameters of a function: its declaration, its uses in the body, the keyword arguments of all calls that are known.
    pub(crate) fn parameter_references(&self, function: &SymbolPath, parameter: &str) -> Found {
        let known = self.references(function);
        let place = |path: &str, range: TextRange| (path.to_owned(), u32::from(range.start()));
        let parameter = Parameter {
            name: parameter,
            functions: self.same_functions(function),
            named: known.references.iter().map(|one| place(&one.path, one.range)).collect(),
            doubted: known.doubts.iter().map(|one| place(&one.path, one.range)).collect(),
        };
        let mut found = Found::default();
        for function in &parameter.functions {
            self.with_functions(function, |source, definition| {
                self.add_declaration(source, definition, parameter.name, &mut found);
            });
        }
        let mut files: BTreeSet<String> = self.files_with(&[parameter.name]).into_iter().collect();
        files.extend(known.references.iter().map(|one| one.path.clone()));
        for path in files {
            let Some(source) = self.source(&path) else { continue };
            for call in &expressions(&source).calls {
                self.add_keyword(&source, &parameter, call, &mut found);
            }
        }
        found.finish();
        found
    }

    fn same_functions(&self, function: &SymbolPath) -> BTreeSet<SymbolPath> {
        let is_constructor = matches!(function.last(), "__init__" | "__new__");
        match function.class() {
            // Subclasses have constructors of their own.
            Some(class) if !is_constructor => {
                let definers = self.family(&class, function.last()).definers;
                let member = |class: SymbolPath| SymbolPath {
                    name: format!("{}.{}", class.name, function.last()),
                    path: class.path,
                };
                definers.into_iter().map(member).collect()
            }
            Some(_) | None => BTreeSet::from([function.clone()]),
        }
    }

    fn add_declaration(
        &self,
        source: &Arc<Source>,
        function: &ast::StmtFunctionDef,
        name: &str,
        found: &mut Found,
    ) {
        let Some(scope) = self.outline(source).scope_of(function.range()) else { return };
        let is_parameter = function.parameters.includes(name);
        let variable = source.scopes().scope(scope).variables.get(name).copied();
        let Some(variable) = variable.filter(|_| is_parameter) else { return };
        found.add_variable(source, variable, true);
        found.add_decorator_strings(source, function, name);
        let is_fixture =
            function.decorator_list.iter().filter_map(decorator).any(|one| one == "fixture");
        let is_test = function.name.starts_with("test") && Project::is_test(source.path());
        let has_value = source.strings().iter().any(|literal| {
            let range = source.slice(literal.content);
            function.range().contains_range(literal.range) && range == name
        });
        if (is_fixture || is_test) && !has_value {
            let range = source.scopes().variable(variable).bindings[0].range;
            found.doubt(source, range, "a parameter of a test may name a fixture");
        }
    }

    fn add_keyword(
        &self,
        source: &Source,
        parameter: &Parameter<'_>,
        call: &ast::ExprCall,
        found: &mut Found,
    ) {
        let keyword = call.arguments.find_keyword(parameter.name);
        let spread: Vec<&Expr> = call
            .arguments
            .keywords
            .iter()
            .filter(|one| one.arg.is_none())
            .map(|one| &one.value)
            .collect();
        if keyword.is_none() && spread.is_empty() {
            return;
        }
        let range = keyword.and_then(|keyword| keyword.arg.as_ref()).map(Ranged::range);
        if self.is_call_of(source, parameter, &call.func)
            || self.is_partial_of(source, parameter, call)
        {
            if let Some(range) = range {
                found.add(source, range, ReferenceKind::Keyword);
            }
            for dictionary in spread {
                found.add_spread(source, parameter, dictionary);
            }
            return;
        }
        let Some(range) = range else { return };
        let is_doubted = last_part_range(&call.func)
            .is_some_and(|range| parameter.doubted.contains(&place(source, range)));
        if is_doubted {
            found.doubt(source, range, "it is not known what is called");
        } else if let Expr::Attribute(attribute) = &*call.func
            && self.is_function(source, parameter, &attribute.value)
        {
            // `task.delay(name=…)`, `f.partial(name=…)`.
            let why = format!("`{}` may pass it on", attribute.attr);
            found.doubt(source, range, why);
        }
    }

    fn is_call_of(&self, source: &Source, parameter: &Parameter<'_>, callee: &Expr) -> bool {
        if self.is_function(source, parameter, callee) {
            return true;
        }
        match self.settled(self.value(source, callee)) {
            Value::Symbol(class) if self.kind(&class) == SymbolKind::Class => {
                let constructors = ["__init__", "__new__"];
                let mut found = constructors.iter().filter_map(|name| self.member(&class, name));
                found.any(|constructor| parameter.functions.contains(&constructor))
            }
            _ => false,
        }
    }

    fn is_function(&self, source: &Source, parameter: &Parameter<'_>, expression: &Expr) -> bool {
        let is_named = last_part_range(expression)
            .is_some_and(|range| parameter.named.contains(&place(source, range)));
        is_named
            || match self.settled(self.value(source, expression)) {
                Value::Symbol(symbol) => parameter.functions.contains(&symbol),
                _ => false,
            }
    }

    /// `partial(f, name=…)`
    fn is_partial_of(
        &self,
        source: &Source,
        parameter: &Parameter<'_>,
        call: &ast::ExprCall,
    ) -> bool {
        let is_partial = matches!(last_part(&call.func), Some("partial" | "partialmethod"));
        let first = call.arguments.args.first().filter(|_| is_partial);
        first.is_some_and(|first| self.is_call_of(source, parameter, first))
    }
}

impl Found {
    /// `@parametrize("name", …)` names it for sure; another decorator with the name in a string may.
    fn add_decorator_strings(
        &mut self,
        source: &Source,
        function: &ast::StmtFunctionDef,
        name: &str,
    ) {
        for one in &function.decorator_list {
            let inside =
                source.strings().iter().filter(|literal| one.range().contains_range(literal.range));
            for literal in inside {
                let content = source.slice(literal.content);
                let is_first =
                    matches!(&literal.usage, StringUse::Argument { position: Some(0), .. });
                let is_parametrize = decorator(one) == Some("parametrize") && is_first;
                for word in word_ranges(content, name) {
                    let size = |length: usize| {
                        u32::try_from(length).expect("a file is smaller than 4 GiB")
                    };
                    let start = literal.content.start() + TextSize::new(size(word.start));
                    let range = TextRange::at(start, TextSize::new(size(word.len())));
                    if is_parametrize {
                        self.add(source, range, ReferenceKind::String);
                    } else {
                        self.doubt(source, range, "a decorator may name the parameter");
                    }
                }
            }
        }
    }

    /// `f(**{"name": …})`, `f(**dict(name=…))`; of another dictionary the keys are not known.
    fn add_spread(&mut self, source: &Source, parameter: &Parameter<'_>, dictionary: &Expr) {
        match dictionary {
            Expr::Dict(dict) => {
                for item in &dict.items {
                    // `{**other}` has no key.
                    let key = item.key.as_ref().unwrap_or(&item.value);
                    let content = item.key.as_ref().and_then(|key| string_content(source, key));
                    match content {
                        Some(range) if source.slice(range) == parameter.name => {
                            self.add(source, range, ReferenceKind::String);
                        }
                        Some(_) => {}
                        None => self.doubt(source, key.range(), "the keys are not known"),
                    }
                }
            }
            Expr::Call(call) if last_part(&call.func) == Some("dict") => {
                if let Some(keyword) = call.arguments.find_keyword(parameter.name)
                    && let Some(name) = &keyword.arg
                {
                    self.add(source, name.range(), ReferenceKind::Keyword);
                }
            }
            _ => {
                let why = format!("`**{}` may hold it", source.slice(dictionary.range()));
                self.doubt(source, dictionary.range(), why);
            }
        }
    }
}

fn place(source: &Source, range: TextRange) -> (String, u32) {
    (source.path().to_owned(), range.start().into())
}
