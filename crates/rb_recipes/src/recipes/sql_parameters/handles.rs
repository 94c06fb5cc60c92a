//! From an expression to the driver behind it: through names, fields of classes, parameters, and other files.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, CallExpression, Expression, ObjectPropertyKind, Statement};
use oxc_semantic::SymbolId;
use oxc_span::GetSpan;
use rb_ecma::{Func, Imported, Module};
use rb_rules::{Target, World};

use super::driver::{Handle, package};
use crate::links::{WHOLE, links};

const DEPTH: u32 = 10;

#[derive(Clone, Copy)]
pub(super) struct Finder<'f, 'a> {
    pub(super) world: &'f dyn World,
    pub(super) path: &'f str,
    pub(super) module: &'f Module<'a>,
}

impl<'a> Finder<'_, 'a> {
    pub(super) fn handle(&self, expression: &Expression<'a>) -> Option<Handle> {
        self.find(expression, DEPTH)
    }

    /// What statements are given to, if it is such a thing.
    pub(super) fn connection(&self, expression: &Expression<'a>) -> Option<Handle> {
        let found = match self.handle(expression)? {
            Handle::File(path) => whole_of(self.world, &path)?,
            other => other,
        };
        matches!(found, Handle::Connection(_)).then_some(found)
    }

    /// Is it what another file gives as a whole?
    pub(super) fn is_file(&self, expression: &Expression<'a>, path: &str) -> bool {
        matches!(self.handle(expression), Some(Handle::File(file)) if file == path)
    }

    pub(super) fn find(&self, expression: &Expression<'a>, depth: u32) -> Option<Handle> {
        let depth = depth.checked_sub(1)?;
        match expression.get_inner_expression() {
            Expression::Identifier(name) => self.symbol(self.module.symbol(name)?, depth),
            Expression::AwaitExpression(it) => self.find(&it.argument, depth),
            Expression::NewExpression(it) => match self.whole(&it.callee, depth)? {
                Handle::Class(driver) => Some(Handle::Connection(driver)),
                _ => None,
            },
            Expression::CallExpression(it) => self.call(it, depth),
            Expression::ChainExpression(it) => match &it.expression {
                oxc_ast::ast::ChainElement::CallExpression(it) => self.call(it, depth),
                other => {
                    let member = other.as_member_expression()?;
                    self.member(member.object(), member.static_property_name()?, depth)
                }
            },
            Expression::StaticMemberExpression(it) => {
                self.member(&it.object, it.property.name.as_str(), depth)
            }
            Expression::PrivateFieldExpression(it) => {
                self.field(expression, it.field.name.as_str(), depth)
            }
            Expression::LogicalExpression(it) => {
                self.find(&it.right, depth).or_else(|| self.find(&it.left, depth))
            }
            Expression::AssignmentExpression(it) => self.find(&it.right, depth),
            it @ (Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_)) => {
                self.maker(self.module.function_of(it)?, depth)
            }
            Expression::ConditionalExpression(it) => {
                let first = self.find(&it.consequent, depth)?;
                (self.find(&it.alternate, depth)? == first).then_some(first)
            }
            _ => None,
        }
    }

    /// As `find`; a file stands for what it exports as a whole.
    fn whole(&self, expression: &Expression<'a>, depth: u32) -> Option<Handle> {
        match self.find(expression, depth)? {
            Handle::File(path) => whole_of(self.world, &path),
            other => Some(other),
        }
    }

    fn call(&self, call: &CallExpression<'a>, depth: u32) -> Option<Handle> {
        if let Some(specifier) = required(self.module, call) {
            return self.load(specifier);
        }
        let callee = call.callee.get_inner_expression();
        if let Some(member) = callee.as_member_expression() {
            let name = member.static_property_name()?;
            if let Some(owner) = self.whole(member.object(), depth)
                && let Some(found) = owner.method(name)
            {
                return Some(found);
            }
        }
        if let Some(found) = self.whole(callee, depth).and_then(|it| it.called()) {
            return Some(found);
        }
        if let Some(func) = self.module.function_of(callee) {
            return self.returned(func, depth);
        }
        self.method_of_class(callee).and_then(|func| self.returned(func, depth))
    }

    /// What a package or a file gives as a whole.
    fn load(&self, specifier: &str) -> Option<Handle> {
        package(specifier).or_else(|| match self.world.resolve(self.path, specifier) {
            Target::File(path) => Some(Handle::File(path)),
            Target::Package(_) | Target::Builtin | Target::Unknown => None,
        })
    }

    fn member(&self, object: &Expression<'a>, name: &str, depth: u32) -> Option<Handle> {
        if matches!(object.get_inner_expression(), Expression::ThisExpression(_)) {
            return self.field(object, name, depth);
        }
        if let Expression::ObjectExpression(it) = self.module.resolved(object) {
            let value = it.properties.iter().find_map(|property| match property {
                ObjectPropertyKind::ObjectProperty(it) if it.key.static_name()? == name => {
                    Some(&it.value)
                }
                _ => None,
            })?;
            return self.find(value, depth);
        }
        match self.find(object, depth)? {
            Handle::File(path) => exported(self.world, &path, name),
            other => other.member(name),
        }
    }

    fn symbol(&self, symbol: SymbolId, depth: u32) -> Option<Handle> {
        if let Some(import) = self.module.import(symbol) {
            let whole = self.load(import.source)?;
            return match (whole, import.imported) {
                (Handle::File(path), Imported::Named(name)) => exported(self.world, &path, name),
                (Handle::File(path), Imported::Default) => {
                    exported(self.world, &path, "default").or(Some(Handle::File(path)))
                }
                (whole, Imported::Named(name)) => whole.member(name),
                (whole, Imported::Default | Imported::Namespace) => Some(whole),
            };
        }
        if let Some(written) = self.module.declared_type_of(symbol)
            && let Some(found) = self.of_type(written)
        {
            return Some(found);
        }
        match self.module.declaration(symbol) {
            AstKind::VariableDeclarator(it) => {
                let name = self.module.name(symbol);
                let from = it.init.as_ref().filter(|it| !matches!(it, Expression::NullLiteral(_)));
                match (&it.id, from) {
                    (BindingPattern::BindingIdentifier(_), Some(init)) => self.find(init, depth),
                    (BindingPattern::BindingIdentifier(_), None) => self.assigned(symbol, depth),
                    (pattern @ BindingPattern::ObjectPattern(_), Some(init)) => {
                        self.member(init, &key_of(pattern, name)?, depth)
                    }
                    _ => None,
                }
            }
            AstKind::FormalParameter(_) => self.parameter(symbol, depth),
            kind @ AstKind::Function(_) => self.maker(Func::of(kind)?, depth),
            _ => None,
        }
    }

    /// `let db; … db = open()`, where all that is put there is of one driver.
    fn assigned(&self, symbol: SymbolId, depth: u32) -> Option<Handle> {
        let mut found = None;
        for used in self.module.uses(symbol).filter(rb_ecma::Use::is_write) {
            let AstKind::AssignmentExpression(it) = self.module.parent(used.node) else {
                return None;
            };
            if matches!(it.right, Expression::NullLiteral(_)) {
                continue;
            }
            let one = self.find(&it.right, depth)?;
            if found.as_ref().is_some_and(|it| *it != one) {
                return None;
            }
            found = Some(one);
        }
        found
    }

    /// `all.name = …`, where all that is put there is of one driver.
    fn put_on(&self, all: SymbolId, name: &str) -> Option<Handle> {
        if !self.module.is_stable(all) {
            return None;
        }
        let mut found = None;
        for used in self.module.uses(all) {
            let AstKind::StaticMemberExpression(member) = self.module.parent(used.node) else {
                continue;
            };
            let AstKind::AssignmentExpression(it) = self.module.parent(member.node_id.get()) else {
                continue;
            };
            if member.property.name != name || it.left.span() != member.span {
                continue;
            }
            let one = self.find(&it.right, DEPTH)?;
            if found.as_ref().is_some_and(|it| *it != one) {
                return None;
            }
            found = Some(one);
        }
        found
    }

    /// By what calls the function gives: a callback of a driver, or a function whose every call is seen.
    fn parameter(&self, symbol: SymbolId, depth: u32) -> Option<Handle> {
        let module = self.module;
        let node = module.scoping().symbol_declaration(symbol);
        let func = module.function_around(node)?;
        let at = func.params().items.iter().position(|it| {
            matches!(&it.pattern, BindingPattern::BindingIdentifier(id) if id.symbol_id.get() == Some(symbol))
        })?;
        if !module.is_stable(symbol) {
            return None;
        }
        if let AstKind::CallExpression(call) = module.parent(func.node())
            && let Some(member) = call.callee.get_inner_expression().as_member_expression()
        {
            let owner = self.whole(member.object(), depth)?;
            return (owner.gives_on(member.static_property_name()?)? == at).then_some(owner);
        }
        self.by_calls(func, at, depth)
    }

    fn by_calls(&self, func: Func<'a>, at: usize, depth: u32) -> Option<Handle> {
        let module = self.module;
        let symbol = match module.nodes().kind(func.node()) {
            AstKind::Function(it) if it.id.is_some() => it.id.as_ref()?.symbol_id.get()?,
            _ => match module.parent(func.node()) {
                AstKind::VariableDeclarator(it) => {
                    it.id.get_binding_identifier()?.symbol_id.get()?
                }
                _ => return None,
            },
        };
        let name = module.name(symbol);
        let is_exported =
            links(self.world, self.path).is_none_or(|it| it.names_of(name).next().is_some());
        if is_exported || !module.is_stable(symbol) {
            return None;
        }
        let mut found: Option<Handle> = None;
        for used in module.value_uses(symbol) {
            let AstKind::CallExpression(call) = module.parent(used.node) else { return None };
            if call.callee.span() != used.span {
                return None;
            }
            let one = self.whole(call.arguments.get(at)?.as_expression()?, depth)?;
            if found.as_ref().is_some_and(|it| *it != one) {
                return None;
            }
            found = Some(one);
        }
        found
    }

    /// A function that gives a connection is as good as one of the driver.
    fn maker(&self, func: Func<'a>, depth: u32) -> Option<Handle> {
        match self.returned(func, depth)? {
            Handle::Connection(driver) => Some(Handle::Maker(driver)),
            _ => None,
        }
    }

    /// The file and the name behind something that is called, where another file exports it.
    pub(super) fn foreign(&self, callee: &Expression<'a>) -> Option<(String, String)> {
        let module = self.module;
        match callee.get_inner_expression() {
            Expression::Identifier(name) => {
                let symbol = module.symbol(name)?;
                if let Some(import) = module.import(symbol) {
                    let Target::File(path) = self.world.resolve(self.path, import.source) else {
                        return None;
                    };
                    let name = match import.imported {
                        Imported::Named(name) => name,
                        Imported::Default => "default",
                        Imported::Namespace => return None,
                    };
                    return Some((path, name.to_owned()));
                }
                let declarator = module.declarator(symbol)?;
                let Handle::File(path) = self.handle(declarator.init.as_ref()?)? else {
                    return None;
                };
                match &declarator.id {
                    BindingPattern::BindingIdentifier(_) => Some((path, WHOLE.to_owned())),
                    pattern => Some((path, key_of(pattern, module.name(symbol))?)),
                }
            }
            Expression::StaticMemberExpression(member) => match self.handle(&member.object)? {
                Handle::File(path) => Some((path, member.property.name.to_string())),
                _ => None,
            },
            _ => None,
        }
    }

    /// What every `return` of a function gives.
    fn returned(&self, func: Func<'a>, depth: u32) -> Option<Handle> {
        if let Some(written) = func.return_type()
            && let Some(found) = self.of_type(&written.type_annotation)
        {
            return Some(found);
        }
        if let Some(only) = func.returned() {
            return self.find(only, depth);
        }
        let mut found: Option<Handle> = None;
        for value in returns(func.statements()) {
            let one = self.find(value?, depth)?;
            if found.as_ref().is_some_and(|it| *it != one) {
                return None;
            }
            found = Some(one);
        }
        found
    }
}

/// The property that a pattern binds to a name.
fn key_of(pattern: &BindingPattern<'_>, name: &str) -> Option<String> {
    let BindingPattern::ObjectPattern(pattern) = pattern else { return None };
    pattern.properties.iter().find_map(|property| {
        let bound = property.value.get_identifier_name()?;
        (bound == name).then(|| property.key.static_name().map(|it| it.to_string()))?
    })
}

/// What a file exports under a name.
fn exported(world: &dyn World, path: &str, name: &str) -> Option<Handle> {
    let (path, name) = world.origin(path, name).unwrap_or((path.to_owned(), name.to_owned()));
    world.ask("sql-handle", &path, &name, |module| {
        let finder = Finder { world, path: &path, module };
        let links = links(world, &path)?;
        let Some(export) = links.export(&name) else {
            let whole = links.export(WHOLE)?.local.as_ref()?;
            return finder.put_on(top_level(module, whole)?, &name);
        };
        if let Some(local) = &export.local {
            return finder.symbol(top_level(module, local)?, DEPTH);
        }
        let value = export.value?;
        let expression = expression_at(module, value.start, value.end)?;
        finder.find(expression, DEPTH)
    })?
}

/// The symbol of a name at the top of the file.
pub(super) fn top_level(module: &Module<'_>, name: &str) -> Option<SymbolId> {
    module.scoping().symbol_ids().find(|&it| module.name(it) == name && module.is_top_level(it))
}

/// What a file gives to those who take it whole.
fn whole_of(world: &dyn World, path: &str) -> Option<Handle> {
    exported(world, path, WHOLE).or_else(|| exported(world, path, "default"))
}

/// The expression that stands at these bytes, where it is the value of an assignment, a property or a default export.
pub(super) fn expression_at<'a>(
    module: &Module<'a>,
    start: u32,
    end: u32,
) -> Option<&'a Expression<'a>> {
    let is_it = |it: &Expression<'_>| it.span().start == start && it.span().end == end;
    module.nodes().iter().find_map(|node| {
        let value = match node.kind() {
            AstKind::AssignmentExpression(it) => &it.right,
            AstKind::ObjectProperty(it) => &it.value,
            AstKind::ExportDefaultDeclaration(it) => it.declaration.as_expression()?,
            AstKind::VariableDeclarator(it) => it.init.as_ref()?,
            _ => return None,
        };
        is_it(value).then_some(value)
    })
}

/// The specifier of `require('…')`, or of `import('…')`.
fn required<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> Option<&'a str> {
    if !module.is_global_named(&call.callee, "require") {
        return None;
    }
    match call.arguments.first()?.as_expression()? {
        Expression::StringLiteral(it) => Some(it.value.as_str()),
        _ => None,
    }
}

/// The values of all `return`s, without those of inner functions. `None` for one that gives nothing.
fn returns<'s, 'a>(statements: &'s [Statement<'a>]) -> Vec<Option<&'s Expression<'a>>> {
    let mut found = Vec::new();
    for statement in statements {
        match statement {
            Statement::ReturnStatement(it) => found.push(it.argument.as_ref()),
            Statement::BlockStatement(it) => found.extend(returns(&it.body)),
            Statement::IfStatement(it) => {
                found.extend(returns(std::slice::from_ref(&it.consequent)));
                if let Some(other) = &it.alternate {
                    found.extend(returns(std::slice::from_ref(other)));
                }
            }
            Statement::TryStatement(it) => found.extend(returns(&it.block.body)),
            _ => {}
        }
    }
    found
}
