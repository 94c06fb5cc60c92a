//! A parameter gets another name in its function; a property of a destructured parameter gets one in the calls, too.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingIdentifier, BindingPattern, BindingProperty, FormalParameter, TSSignature, TSType,
    TSTypePredicateName,
};
use oxc_span::{GetSpan, Span};
use rb_core::{Edit, plural};
use rb_ecma::Module;
use rb_operations::{ApiChange, Operation, Outcome, Place, Refusal, SymbolPath};

use super::callable::{Callable, refusal};
use super::declaration::{Declaration, declarations, key_is};
use super::doc_comment;
use super::finished;
use super::signature::Signature;
use super::source::check_identifier;
use crate::edits::FileEdits;
use crate::project::Project;

struct Renaming<'o> {
    function: &'o SymbolPath,
    parameter: &'o str,
    to: &'o str,
}

/// What the declarations of a file need.
struct Declared {
    line: u32,
    edits: Vec<Edit>,
    /// The index of the parameter whose property is renamed.
    property_of: Option<usize>,
}

pub(crate) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::RenameParameter { function, parameter, to } = operation else {
        return Err(Refusal::new("this is not a renamed parameter", "ask for another operation"));
    };
    check_identifier(to)?;
    project.required(&function.path)?;
    let renaming = Renaming { function, parameter, to };
    let declared = project.parsed(&function.path, |module| renaming.declared(module));
    let declared = declared.unwrap_or_else(|| Err(renaming.missing()))?;
    let mut edits = FileEdits::default();
    declared.edits.into_iter().for_each(|edit| edits.add(&function.path, edit));
    let mut title = format!("parameter `{parameter}` of `{}` renamed to `{to}`", function.name);
    let mut api = vec![];
    if let Some(index) = declared.property_of {
        let calls = renaming.rename_keys(project, index, &mut edits)?;
        title = format!("{title} in {}", plural(calls, "call"));
        let (before, after) = (parameter.clone(), to.clone());
        api.push(ApiChange { path: function.path.clone(), before, after });
    }
    let what = format!("`{to}`");
    Ok(Outcome {
        title,
        files: finished(project, &edits)?,
        sites: vec![Place { path: function.path.clone(), line: declared.line, what }],
        api,
        ..Outcome::default()
    })
}

impl Renaming<'_> {
    fn missing(&self) -> Refusal {
        let reason = format!("`{}` has no parameter `{}`", self.function.name, self.parameter);
        Refusal::new(reason, "name one of its parameters")
    }

    fn refused(&self, line: u32, what: &str) -> Refusal {
        let path = self.function.path.clone();
        let places = vec![Place { path, line, what: what.to_owned() }];
        let reason = format!("`{}` cannot be renamed to `{}`: {what}", self.parameter, self.to);
        refusal(reason, places, "choose another name")
    }

    fn declared(&self, module: &Module<'_>) -> Result<Declared, Refusal> {
        let all = declarations(module, &self.function.name);
        let Some(main) = all.iter().find(|it| it.has_body()).or(all.first()) else {
            let reason =
                format!("{} declares no function `{}`", self.function.path, self.function.name);
            return Err(Refusal::new(reason, "name a function or `Class.method`"));
        };
        let line = module.line(main.name.start);
        let mut edits = Vec::new();
        if let Some(index) = parameter_index(main, self.parameter) {
            for declaration in &all {
                if parameter_index(declaration, self.parameter) == Some(index) {
                    edits.extend(self.rename_in(module, declaration, index)?);
                }
            }
            return Ok(Declared { line, edits, property_of: None });
        }
        let index = main.params.items.iter().position(|it| property(it, self.parameter).is_some());
        let Some(index) = index else { return Err(self.missing()) };
        if all.len() > 1 {
            return Err(self.refused(line, "the function has overloads"));
        }
        let edits = self.rename_property(module, main, &main.params.items[index])?;
        Ok(Declared { line, edits, property_of: Some(index) })
    }

    fn rename_in<'a>(
        &self,
        module: &Module<'a>,
        declaration: &Declaration<'a>,
        index: usize,
    ) -> Result<Vec<Edit>, Refusal> {
        let signature = Signature::read(module, declaration);
        let parameter = &signature.parameters[index];
        let line = signature.line;
        if parameter.is_member {
            return Err(self.refused(line, "it declares a member of the class"));
        }
        if signature.taken.contains(self.to) {
            return Err(self.refused(line, "the function uses this name already"));
        }
        let id = binding_at(declaration, index).ok_or_else(|| self.missing())?;
        let mut edits = vec![self.edit(parameter.binding)];
        edits.extend(self.rename_uses(module, declaration, id)?);
        edits.extend(self.predicates(module, declaration));
        let documented =
            doc_comment::renamed(module.text(), declaration.whole.start, self.parameter, self.to);
        edits.extend(documented);
        Ok(edits)
    }

    fn edit(&self, span: Span) -> Edit {
        // `x?: number` may have the mark in its span.
        let end = span.start + u32::try_from(self.parameter.len()).unwrap_or(0);
        Edit::replace(span.start, end, self.to)
    }

    fn rename_uses<'a>(
        &self,
        module: &Module<'a>,
        declaration: &Declaration<'a>,
        id: &BindingIdentifier<'a>,
    ) -> Result<Vec<Edit>, Refusal> {
        let Some(symbol) = id.symbol_id.get() else { return Ok(vec![]) };
        let mut edits = Vec::new();
        for used in module.uses(symbol) {
            let scopes = module.scoping().scope_ancestors(module.scope_of(used.node));
            let mut inner = scopes.take_while(|scope| Some(*scope) != declaration.scope);
            let hides = |name: &str| name == self.to;
            if inner.any(|it| module.scoping().get_bindings(it).keys().any(|name| hides(name))) {
                let line = module.line(used.span.start);
                return Err(self.refused(line, "another `let` or function of this name is here"));
            }
            let is_shorthand = match module.parent(used.node) {
                AstKind::ObjectProperty(it) => it.shorthand,
                AstKind::AssignmentTargetPropertyIdentifier(_) => true,
                _ => false,
            };
            edits.push(if is_shorthand {
                let text = format!("{}: {}", self.parameter, self.to);
                Edit::replace(used.span.start, used.span.end, text)
            } else {
                self.edit(used.span)
            });
        }
        Ok(edits)
    }

    /// `x is string`, `asserts x`.
    fn predicates<'a>(&self, module: &Module<'a>, declaration: &Declaration<'a>) -> Vec<Edit> {
        let Some(span) = declaration.return_type else { return vec![] };
        let nodes = module.nodes().iter();
        nodes
            .filter_map(|node| match node.kind() {
                AstKind::TSTypePredicate(it)
                    if span.start <= it.span.start && it.span.end <= span.end =>
                {
                    match &it.parameter_name {
                        TSTypePredicateName::Identifier(name) if name.name == self.parameter => {
                            Some(self.edit(name.span))
                        }
                        _ => None,
                    }
                }
                _ => None,
            })
            .collect()
    }

    fn rename_property<'a>(
        &self,
        module: &Module<'a>,
        declaration: &Declaration<'a>,
        parameter: &'a FormalParameter<'a>,
    ) -> Result<Vec<Edit>, Refusal> {
        let signature = Signature::read(module, declaration);
        let line = signature.line;
        if property(parameter, self.to).is_some() {
            return Err(self.refused(line, "there is a property of this name"));
        }
        let Some(found) = property(parameter, self.parameter) else { return Err(self.missing()) };
        let mut edits = Vec::new();
        let typed = parameter.type_annotation.as_deref().map(|it| &it.type_annotation);
        match typed {
            Some(TSType::TSTypeLiteral(literal)) => {
                let key = literal.members.iter().find_map(|member| match member {
                    TSSignature::TSPropertySignature(it) if key_is(&it.key, self.parameter) => {
                        Some(it.key.span())
                    }
                    _ => None,
                });
                edits.extend(key.map(|span| self.edit(span)));
            }
            Some(_) => return Err(self.refused(line, "its type is declared elsewhere")),
            None if module.is_typescript() => {
                return Err(self.refused(line, "its type is not written"));
            }
            None => {}
        }
        let local = match &found.value {
            BindingPattern::BindingIdentifier(id) => Some(&**id),
            BindingPattern::AssignmentPattern(it) => it.left.get_binding_identifier(),
            _ => None,
        };
        let key = found.key.span();
        match local.filter(|_| found.shorthand && !signature.taken.contains(self.to)) {
            Some(id) => {
                edits.push(self.edit(key));
                edits.extend(self.rename_uses(module, declaration, id)?);
            }
            None if found.shorthand => {
                let text = format!("{}: {}", self.to, self.parameter);
                edits.push(Edit::replace(key.start, key.end, text));
            }
            None => edits.push(self.edit(key)),
        }
        Ok(edits)
    }

    /// Every call passes an object literal, whose key follows.
    fn rename_keys(
        &self,
        project: &Project<'_>,
        index: usize,
        edits: &mut FileEdits,
    ) -> Result<usize, Refusal> {
        let callable = Callable::new(project, self.function)?;
        callable.require_calls(|_| false)?;
        callable.require_no_arguments_object()?;
        if callable.declarations.len() > 1 {
            let line = callable.main().line;
            return Err(self.refused(line, "another declaration has to agree with it"));
        }
        let mut refused = Vec::new();
        for (path, call) in &callable.calls {
            let at = index + usize::from(call.is_indirect);
            let is_spread = call.arguments.iter().take(at + 1).any(|it| it.is_spread);
            let Some(argument) = call.arguments.get(at).filter(|_| !is_spread) else {
                if is_spread {
                    refused.push((path, call.line));
                }
                continue;
            };
            let has_new = |name: &str| name == self.to;
            match &argument.keys {
                Some(keys) if !keys.iter().any(|key| has_new(&key.name)) => {
                    for key in keys.iter().filter(|key| key.name == self.parameter) {
                        let text = if key.is_shorthand {
                            format!("{}: {}", self.to, self.parameter)
                        } else {
                            self.to.to_owned()
                        };
                        edits.add(path, Edit::replace(key.span.start, key.span.end, text));
                    }
                }
                _ => refused.push((path, call.line)),
            }
        }
        if refused.is_empty() {
            return Ok(callable.calls.len());
        }
        let what = "what is passed here is not a plain object literal".to_owned();
        let place =
            |(path, line): (&String, u32)| Place { path: path.clone(), line, what: what.clone() };
        let reason = format!("not every call of `{}` passes an object literal", self.function.name);
        let places = refused.into_iter().map(place).collect();
        Err(refusal(reason, places, "write object literals there first"))
    }
}

fn binding_at<'a>(
    declaration: &Declaration<'a>,
    index: usize,
) -> Option<&'a BindingIdentifier<'a>> {
    let params = declaration.params;
    match params.items.get(index) {
        Some(item) => item.pattern.get_binding_identifier(),
        None => params.rest.as_ref().and_then(|it| it.rest.argument.get_binding_identifier()),
    }
}

fn parameter_index(declaration: &Declaration<'_>, name: &str) -> Option<usize> {
    let count = declaration.params.items.len() + usize::from(declaration.params.rest.is_some());
    (0..count).find(|&index| binding_at(declaration, index).is_some_and(|id| id.name == name))
}

fn property<'a>(parameter: &'a FormalParameter<'a>, name: &str) -> Option<&'a BindingProperty<'a>> {
    let BindingPattern::ObjectPattern(pattern) = &parameter.pattern else { return None };
    pattern.properties.iter().find(|it| !it.computed && key_is(&it.key, name))
}
