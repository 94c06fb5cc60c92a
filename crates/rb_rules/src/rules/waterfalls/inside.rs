//! What is seen inside the functions that an awaited call leads to: in this file, in another one of the project, and in
//! those that they call in turn.
//!
//! What cannot be followed, such as a method of an object that was handed in, is taken to be what its name says.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrowFunctionExpression, AssignmentExpression, AwaitExpression, CallExpression, Class,
    ClassElement, Expression, Function, IdentifierReference, ObjectPropertyKind, ReturnStatement,
    TSType, TSTypeAnnotation, TSTypeName, ThrowStatement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{NodeId, ScopeFlags, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Imported, Module};

use super::awaits::is_checking;
use super::names::words;
use crate::cx::Cx;
use crate::exports::exported_function;
use crate::world::{Target, World};

/// Steps behind the function that is called itself.
const DEPTH: u32 = 1;

#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an answer of its own")]
pub struct Inside {
    /// Keeps something for those that come later: a field, a variable, a cache, a row, a file.
    pub writes: bool,
    /// Throws by itself, which the functions that it calls do not count for.
    pub throws: bool,
    /// Asks whether somebody may, or whether something holds.
    pub checks: bool,
    /// Asks whether somebody may.
    pub guards: bool,
    /// Is `async`, and waits for nothing.
    pub is_idle: bool,
}

/// What the calls of an awaited expression do, as far as they can be followed.
pub fn inside(cx: &Cx<'_, '_>, awaited: Span) -> Inside {
    let here = ModuleInProject { world: cx.world, path: &cx.facts.path, module: cx.module };
    here.of_calls(awaited, DEPTH)
}

/// A file that functions are looked for in.
struct ModuleInProject<'w, 'm, 'a> {
    world: &'w dyn World,
    path: &'w str,
    module: &'m Module<'a>,
}

impl<'a> ModuleInProject<'_, '_, 'a> {
    fn of_calls(&self, span: Span, depth: u32) -> Inside {
        let calls = self.module.calls();
        let first = calls.partition_point(|it| it.span.start < span.start);
        let within = calls[first..].iter().take_while(|it| it.span.start < span.end);
        let each = within.map(|call| self.of_call(call, depth));
        let both = |one: Inside, other: Inside| Inside {
            writes: one.writes || other.writes,
            throws: one.throws || other.throws,
            checks: one.checks || other.checks,
            guards: one.guards || other.guards,
            is_idle: one.is_idle && other.is_idle,
        };
        each.reduce(both).unwrap_or_default()
    }

    fn of_call(&self, call: &'a CallExpression<'a>, depth: u32) -> Inside {
        if let Some(func) = self.function(call) {
            return self.of_function(func, depth);
        }
        let Some((file, name, member)) = self.outside(call) else { return Inside::default() };
        let key = format!("{depth} {name}.{}", member.unwrap_or_default());
        let answer = self.world.ask("inside of a function", &file, &key, |module| {
            let there = ModuleInProject { world: self.world, path: &file, module };
            let func = match member {
                Some(member) => {
                    let mut symbols = module.scoping().symbol_ids();
                    symbols
                        .find(|&it| module.name(it) == name && module.is_top_level(it))
                        .and_then(|it| method_of(module, it, member))
                }
                None => exported_function(module, &name),
            };
            func.map_or(Inside::default(), |func| there.of_function(func, depth))
        });
        answer.unwrap_or_default()
    }

    /// The function of this file that is called.
    fn function(&self, call: &'a CallExpression<'a>) -> Option<Func<'a>> {
        match call.callee.get_inner_expression() {
            Expression::StaticMemberExpression(it) => {
                let name = it.property.name.as_str();
                if matches!(it.object, Expression::ThisExpression(_)) {
                    return class_method(class_around(self.module, call.node_id.get())?, name);
                }
                method_of(self.module, self.object(call, &it.object)?, name)
            }
            callee => self.module.function_of(callee),
        }
    }

    /// What a method is called on: a name, or the class of a field.
    fn object(&self, call: &'a CallExpression<'a>, object: &'a Expression<'a>) -> Option<SymbolId> {
        match object.get_inner_expression() {
            Expression::StaticMemberExpression(it)
                if matches!(it.object, Expression::ThisExpression(_)) =>
            {
                let class = class_around(self.module, call.node_id.get())?;
                self.module.symbol(class_of_field(class, it.property.name.as_str())?)
            }
            other => self.module.symbol_of(other),
        }
    }

    /// The file and the name of the function of another file: `load()`, `api.load()` of `import * as api`. Of `Users.load()`
    /// the method, too.
    fn outside(&self, call: &'a CallExpression<'a>) -> Option<(String, String, Option<&'a str>)> {
        let (symbol, member) = match call.callee.get_inner_expression() {
            Expression::StaticMemberExpression(it) => {
                (self.object(call, &it.object)?, Some(it.property.name.as_str()))
            }
            callee => (self.module.symbol_of(callee)?, None),
        };
        let import = self.module.import(symbol)?;
        let (name, member) = match (import.imported, member) {
            (Imported::Default, member) => ("default", member),
            (Imported::Named(name), member) => (name, member),
            (Imported::Namespace, Some(name)) => (name, None),
            (Imported::Namespace, None) => return None,
        };
        let Target::File(file) = self.world.resolve(self.path, import.source) else { return None };
        let (file, name) = self.world.origin(&file, name)?;
        Some((file, name, member))
    }

    fn of_function(&self, func: Func<'a>, depth: u32) -> Inside {
        let body = match (func.body(), func.returned()) {
            (Some(body), _) => body.span,
            (None, Some(value)) => value.span(),
            (None, None) => return Inside::default(),
        };
        let mut look = Look {
            module: self.module,
            body,
            found: Inside::default(),
            nested: 0,
            gives: func.returned().into_iter().map(|it| is_value(self.module, it)).collect(),
        };
        match func.body() {
            Some(body) => look.visit_function_body(body),
            None => func.returned().into_iter().for_each(|it| look.visit_expression(it)),
        }
        let mut found = look.found;
        found.is_idle = func.is_async()
            && !self.module.slice(body).contains("await")
            && !look.gives.is_empty()
            && look.gives.iter().all(|it| *it);
        found.writes |= self.module.identifiers_in(body).iter().any(|name| {
            let id = name.reference_id.get();
            id.is_some_and(|id| self.module.scoping().get_reference(id).flags().is_write())
                && is_around(self.module, name, body)
        });
        if let Some(depth) = depth.checked_sub(1) {
            let further = self.of_calls(body, depth);
            found.writes |= further.writes;
            found.checks |= further.checks;
            found.guards |= further.guards;
        }
        found
    }
}

/// Is a name bound outside of a body, or handed to it?
fn is_around<'a>(module: &Module<'a>, name: &IdentifierReference<'a>, body: Span) -> bool {
    let bound = module.symbol(name).map(|it| module.scoping().symbol_span(it));
    bound.is_none_or(|it| !body.contains_inclusive(it))
}

fn class_around<'a>(module: &Module<'a>, node: NodeId) -> Option<&'a Class<'a>> {
    module.ancestors(node).find_map(|kind| match kind {
        AstKind::Class(it) => Some(it),
        _ => None,
    })
}

/// `Users` of `users: Users`, `users = new Users()` and `constructor(private users: Users)`.
fn class_of_field<'a>(class: &'a Class<'a>, name: &str) -> Option<&'a IdentifierReference<'a>> {
    class.body.body.iter().find_map(|element| match element {
        ClassElement::PropertyDefinition(it) if it.key.is_specific_static_name(name) => {
            match it.value.as_ref().map(Expression::get_inner_expression) {
                Some(Expression::NewExpression(new)) => new.callee.get_identifier_reference(),
                _ => named_type(it.type_annotation.as_ref()?),
            }
        }
        ClassElement::MethodDefinition(it) if it.kind.is_constructor() => {
            let mut params = it.value.params.items.iter();
            let own = params.find(|it| {
                let id = it.pattern.get_binding_identifier();
                (it.accessibility.is_some() || it.readonly) && id.is_some_and(|id| id.name == name)
            })?;
            named_type(own.type_annotation.as_ref()?)
        }
        _ => None,
    })
}

fn named_type<'a>(annotation: &'a TSTypeAnnotation<'a>) -> Option<&'a IdentifierReference<'a>> {
    match &annotation.type_annotation {
        TSType::TSTypeReference(it) => match &it.type_name {
            TSTypeName::IdentifierReference(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// `load` of `class Users { static load() {} }`, and of `const users = { load() {} }`.
fn method_of<'a>(module: &Module<'a>, symbol: SymbolId, name: &str) -> Option<Func<'a>> {
    if let AstKind::Class(it) = module.declaration(symbol) {
        return class_method(it, name);
    }
    let Expression::ObjectExpression(it) = module.initializer(symbol)?.get_inner_expression()
    else {
        return None;
    };
    it.properties.iter().find_map(|property| match property {
        ObjectPropertyKind::ObjectProperty(it) if it.key.is_specific_static_name(name) => {
            module.function_of(&it.value)
        }
        _ => None,
    })
}

fn class_method<'a>(class: &'a Class<'a>, name: &str) -> Option<Func<'a>> {
    class.body.body.iter().find_map(|element| match element {
        ClassElement::MethodDefinition(it) if it.key.is_specific_static_name(name) => {
            Some(Func::Function(&it.value))
        }
        ClassElement::PropertyDefinition(it) if it.key.is_specific_static_name(name) => {
            Func::of_expression(it.value.as_ref()?)
        }
        _ => None,
    })
}

/// `canAccessRoom`, `checkPermission`
fn is_guarding(name: &str) -> bool {
    const STEMS: &[&str] = &["access", "authoriz", "authoris", "forbid", "permi", "unauthor"];
    words(name).iter().any(|word| STEMS.iter().any(|it| word.starts_with(it)))
}

/// Looks at one body.
struct Look<'m, 'a> {
    module: &'m Module<'a>,
    body: Span,
    found: Inside,
    /// How many functions of the body are around.
    nested: u32,
    /// Of each value that is given back, whether it is no promise for sure.
    gives: Vec<bool>,
}

fn is_value<'a>(module: &Module<'a>, given: &Expression<'a>) -> bool {
    match given.get_inner_expression() {
        Expression::Identifier(name) => {
            // Taken out of a variable of the body: nothing was called for it.
            let declarator = module.symbol(name).and_then(|it| module.declarator(it));
            let init =
                declarator.and_then(|it| it.init.as_ref()).map(Expression::get_inner_expression);
            init.is_some_and(|it| match it {
                Expression::Identifier(inner) => {
                    module.symbol(inner).is_some_and(|it| module.declarator(it).is_some())
                }
                other => is_value(module, other),
            })
        }
        Expression::ConditionalExpression(it) => {
            is_value(module, &it.consequent) && is_value(module, &it.alternate)
        }
        Expression::LogicalExpression(it) => {
            is_value(module, &it.left) && is_value(module, &it.right)
        }
        other => {
            other.is_literal()
                || matches!(
                    other,
                    Expression::ObjectExpression(_)
                        | Expression::ArrayExpression(_)
                        | Expression::TemplateLiteral(_)
                        | Expression::BinaryExpression(_)
                        | Expression::UnaryExpression(_)
                )
        }
    }
}

impl<'a> Look<'_, 'a> {
    /// Does `a` of `a.b.c` come from outside of the body? So does `this`.
    fn is_kept(&self, object: &Expression<'a>) -> bool {
        let mut current = object.get_inner_expression();
        loop {
            current = match current {
                Expression::ThisExpression(_) => return true,
                Expression::Identifier(name) => return is_around(self.module, name, self.body),
                other => match other.as_member_expression() {
                    Some(member) => member.object().get_inner_expression(),
                    None => return false,
                },
            };
        }
    }
}

impl<'a> Visit<'a> for Look<'_, 'a> {
    fn visit_throw_statement(&mut self, it: &ThrowStatement<'a>) {
        self.found.throws = true;
        walk::walk_throw_statement(self, it);
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        if self.nested == 0 {
            self.gives.push(it.argument.as_ref().is_none_or(|it| is_value(self.module, it)));
        }
        walk::walk_return_statement(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        self.nested += 1;
        walk::walk_function(self, it, flags);
        self.nested -= 1;
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.nested += 1;
        walk::walk_arrow_function_expression(self, it);
        self.nested -= 1;
    }

    /// `this.user = user`
    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        let member = it.left.as_simple_assignment_target().and_then(|it| it.as_member_expression());
        self.found.writes |= member.is_some_and(|it| self.is_kept(it.object()));
        walk::walk_assignment_expression(self, it);
    }

    /// `cache.set(key, row)`, `assertOwner(row)`
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        const CHANGES: &[&str] =
            &["add", "clear", "delete", "push", "set", "setItem", "unshift", "splice"];
        if let Some(member) = it.callee.get_inner_expression().as_member_expression()
            && member.static_property_name().is_some_and(|it| CHANGES.contains(&it))
        {
            self.found.writes |= self.is_kept(member.object());
        }
        self.found.checks |= it.callee_name().is_some_and(is_checking);
        self.found.guards |= it.callee_name().is_some_and(is_guarding);
        walk::walk_call_expression(self, it);
    }

    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        const VERBS: &[&str] = &[
            "add", "clone", "copy", "create", "delete", "insert", "mkdir", "remove", "rename",
            "rm", "save", "unlink", "update", "upsert", "write",
        ];
        // What only makes the way to the data.
        const TOOLS: &[&str] = &["client", "connection", "context", "server"];
        if let Expression::CallExpression(call) = it.argument.get_inner_expression() {
            let words = call.callee_name().map(words).unwrap_or_default();
            let is_one = |list: &[&str], word: &String| list.contains(&word.as_str());
            self.found.writes |= words.first().is_some_and(|it| is_one(VERBS, it))
                && !words.iter().any(|it| is_one(TOOLS, it));
        }
        walk::walk_await_expression(self, it);
    }
}
