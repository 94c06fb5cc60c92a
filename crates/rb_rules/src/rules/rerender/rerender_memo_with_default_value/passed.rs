//! Does the default of a prop ever apply? Not where the type of the props asks for the prop, nor where everybody who is
//! seen to use the component hands in something that is there.
//!
//! Users are looked for in this file and in those that import it, through files that export it on.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, BindingPattern, CallExpression, Expression, JSXAttributeItem, JSXAttributeValue,
    JSXElementName, JSXOpeningElement, ObjectPropertyKind, TSInterfaceDeclaration, TSSignature,
    TSType, TSTypeName,
};
use oxc_semantic::SymbolId;
use rb_ecma::{FunctionKind, Imported, Module, Types};

use super::DefaultValue;
use crate::cx::Cx;
use crate::exports::{Exported, exported};
use crate::world::{Target, World};

const DEPTH: u32 = 6;

/// How far a component is followed through files that export it on.
const STEPS: u32 = 3;

/// Is the prop handed in each time, as far as can be seen?
pub(super) fn is_always_passed<'a>(cx: &Cx<'_, 'a>, it: &DefaultValue<'a>) -> bool {
    let module = cx.module;
    let types = Written { module, world: cx.world, path: &cx.facts.path };
    if props_type(module, it).and_then(|written| types.asks_for(written, it.key, DEPTH))
        == Some(true)
    {
        return true;
    }
    let mut seen = Callers::default();
    if let Some(symbol) = it.view.symbol {
        seen.add(users(module, it.key, it.view.kind, |other| other == symbol));
    }
    if let Some(name) = it.view.name {
        users_elsewhere(cx, name, it, &mut seen);
    }
    seen.users > 0 && seen.all_pass
}

/// The type of the first parameter: written there, or at what the function is handed or assigned to.
fn props_type<'a>(module: &Module<'a>, it: &DefaultValue<'a>) -> Option<&'a TSType<'a>> {
    let parameter = it.view.func.params().items.first()?;
    if let Some(written) = &parameter.type_annotation {
        return Some(&written.type_annotation);
    }
    if let Some(given) = it.view.wrapper.and_then(|call| call.type_arguments.as_ref()) {
        return given.params.last();
    }
    let AstKind::VariableDeclarator(declarator) = module.parent(it.view.func.node()) else {
        return None;
    };
    let written = &declarator.type_annotation.as_ref()?.type_annotation;
    module.type_argument(written, &["FC", "FunctionComponent", "VFC"])
}

struct Written<'m, 'a> {
    module: &'m Module<'a>,
    world: &'m dyn World,
    path: &'m str,
}

impl<'a> Written<'_, 'a> {
    /// Must the member be there? `None` where the type does not name it, or cannot be read.
    fn asks_for(&self, written: &'a TSType<'a>, key: &str, depth: u32) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        match self.module.plain(written)? {
            TSType::TSTypeLiteral(it) => self.member(&it.members, key),
            TSType::TSIntersectionType(all) => {
                all.types.iter().find_map(|it| self.asks_for(it, key, depth))
            }
            TSType::TSTypeReference(it) => {
                let TSTypeName::IdentifierReference(name) = &it.type_name else { return None };
                let symbol = self.module.symbol(name)?;
                match self.module.declaration(symbol) {
                    AstKind::TSInterfaceDeclaration(it) => self.interface(it, key, depth),
                    AstKind::TSTypeAliasDeclaration(it) => {
                        self.asks_for(&it.type_annotation, key, depth)
                    }
                    _ => self.imported(symbol, key, depth),
                }
            }
            _ => None,
        }
    }

    fn interface(&self, it: &'a TSInterfaceDeclaration<'a>, key: &str, depth: u32) -> Option<bool> {
        self.member(&it.body.body, key).or_else(|| {
            let depth = depth.checked_sub(1)?;
            it.extends.iter().find_map(|base| {
                let TSTypeName::IdentifierReference(name) = &base.type_name else { return None };
                let symbol = self.module.symbol(name)?;
                match self.module.declaration(symbol) {
                    AstKind::TSInterfaceDeclaration(it) => self.interface(it, key, depth),
                    AstKind::TSTypeAliasDeclaration(it) => {
                        self.asks_for(&it.type_annotation, key, depth)
                    }
                    _ => self.imported(symbol, key, depth),
                }
            })
        })
    }

    fn member(&self, members: &'a [TSSignature<'a>], key: &str) -> Option<bool> {
        members.iter().find_map(|member| match member {
            TSSignature::TSPropertySignature(it) if it.key.is_specific_static_name(key) => {
                let types = it
                    .type_annotation
                    .as_ref()
                    .map(|it| self.module.types_of_written(&it.type_annotation));
                let may_miss = types.is_none_or(|it| it.includes(Types::UNDEFINED));
                Some(!it.optional && !may_miss)
            }
            TSSignature::TSMethodSignature(it) if it.key.is_specific_static_name(key) => {
                Some(!it.optional)
            }
            _ => None,
        })
    }

    /// A type of another file.
    fn imported(&self, symbol: SymbolId, key: &str, depth: u32) -> Option<bool> {
        let import = self.module.import(symbol)?;
        let name = imported_name(import.imported)?;
        let Target::File(file) = self.world.resolve(self.path, import.source) else { return None };
        let (path, name) =
            self.world.origin(&file, name).unwrap_or_else(|| (file, name.to_owned()));
        let world = self.world;
        let asked = format!("{depth} {name} {key}");
        world.ask("props that are asked for", &path, &asked, |module| {
            let there = Written { module, world, path: &path };
            let mut symbols = module.scoping().symbol_ids();
            let symbol = symbols.find(|&it| module.name(it) == name && module.is_top_level(it))?;
            match module.declaration(symbol) {
                AstKind::TSInterfaceDeclaration(it) => there.interface(it, key, depth),
                AstKind::TSTypeAliasDeclaration(it) => {
                    there.asks_for(&it.type_annotation, key, depth)
                }
                _ => None,
            }
        })?
    }
}

fn imported_name(imported: Imported<'_>) -> Option<&str> {
    match imported {
        Imported::Default => Some("default"),
        Imported::Named(name) => Some(name),
        Imported::Namespace => None,
    }
}

/// Users of the component or hook.
#[derive(Debug, Clone, Copy)]
struct Callers {
    users: u32,
    all_pass: bool,
}

impl Default for Callers {
    fn default() -> Self {
        Callers { users: 0, all_pass: true }
    }
}

impl Callers {
    fn add(&mut self, other: Callers) {
        self.users += other.users;
        self.all_pass &= other.all_pass;
    }
}

/// Adds the users in other files: those that import the file, or one that exports the name on.
fn users_elsewhere<'a>(cx: &Cx<'_, 'a>, name: &str, it: &DefaultValue<'a>, seen: &mut Callers) {
    let (world, own) = (cx.world, &*cx.facts.path);
    let (key, kind) = (it.key, it.view.kind);
    let mut givers = vec![own.to_owned()];
    for _ in 0..STEPS {
        let mut next = Vec::new();
        for importer in givers.iter().flat_map(|it| world.importers(it)) {
            if importer == own {
                continue;
            }
            let asked = format!("{} {name} {key}", givers.join(" "));
            let there = world.ask("users that pass a prop", &importer, &asked, |module| {
                users(module, key, kind, |symbol| {
                    let Some(import) = module.import(symbol) else { return false };
                    let is_name = match import.imported {
                        Imported::Default => import.local == name,
                        Imported::Named(imported) => imported == name,
                        Imported::Namespace => false,
                    };
                    let file = is_name.then(|| world.resolve(&importer, import.source));
                    matches!(file, Some(Target::File(file)) if givers.contains(&file))
                })
            });
            seen.add(there.unwrap_or_default());
            let given = world.ask("origin", &importer, name, |module| exported(module, name));
            let is_given = given.flatten().is_some_and(|it| it != Exported::Here);
            if is_given && !next.contains(&importer) {
                next.push(importer);
            }
        }
        givers = next;
    }
}

/// Those in a file who use what `is_it` says, as an element or, if it is a hook, by a call.
fn users(
    module: &Module<'_>,
    key: &str,
    kind: FunctionKind,
    is_it: impl Fn(SymbolId) -> bool,
) -> Callers {
    let mut seen = Callers::default();
    let mut add = |passes: bool| seen.add(Callers { users: 1, all_pass: passes });
    if kind == FunctionKind::Hook {
        for call in module.calls() {
            if module.symbol_of(&call.callee).is_some_and(&is_it) {
                add(call_passes(module, call, key));
            }
        }
        return seen;
    }
    for element in module.elements() {
        let opening = &element.opening_element;
        if let JSXElementName::IdentifierReference(tag) = &opening.name
            && module.symbol(tag).is_some_and(&is_it)
        {
            add(element_passes(module, opening, key));
        }
    }
    seen
}

/// What is spread may hold it.
fn element_passes<'a>(module: &Module<'a>, element: &JSXOpeningElement<'a>, key: &str) -> bool {
    element.attributes.iter().any(|it| match it {
        JSXAttributeItem::SpreadAttribute(_) => true,
        JSXAttributeItem::Attribute(it) => {
            let is_it = it.name.as_identifier().is_some_and(|it| it.name == key);
            let given = match &it.value {
                Some(JSXAttributeValue::ExpressionContainer(it)) => it.expression.as_expression(),
                _ => None,
            };
            is_it && given.is_none_or(|it| !may_miss(module, it))
        }
    })
}

fn call_passes<'a>(module: &Module<'a>, call: &CallExpression<'a>, key: &str) -> bool {
    let given = call.arguments.first().and_then(Argument::as_expression);
    let Some(Expression::ObjectExpression(object)) = given.map(Expression::get_inner_expression)
    else {
        return given.is_some();
    };
    object.properties.iter().any(|it| match it {
        ObjectPropertyKind::SpreadProperty(_) => true,
        ObjectPropertyKind::ObjectProperty(it) => {
            it.key.is_specific_static_name(key) && !may_miss(module, &it.value)
        }
    })
}

/// Is there a sign that it may be `undefined`: by its type, by `?.`, or because it is what a query has loaded?
fn may_miss<'a>(module: &Module<'a>, value: &Expression<'a>) -> bool {
    if module.types(value).includes(Types::UNDEFINED) {
        return true;
    }
    match value.get_inner_expression() {
        Expression::ChainExpression(_) => true,
        Expression::StaticMemberExpression(it) => it.property.name == "data",
        Expression::Identifier(name) => module.symbol(name).is_some_and(|symbol| {
            is_loaded(module, symbol) || is_optional_prop(module, symbol, name.name.as_str())
        }),
        Expression::ConditionalExpression(it) => {
            may_miss(module, &it.consequent) || may_miss(module, &it.alternate)
        }
        _ => false,
    }
}

/// `const { data: rows } = useRows()`, `const rows = query.data`.
fn is_loaded(module: &Module<'_>, symbol: SymbolId) -> bool {
    let Some(declarator) = module.declarator(symbol) else { return false };
    let BindingPattern::ObjectPattern(pattern) = &declarator.id else {
        return matches!(&declarator.init, Some(Expression::StaticMemberExpression(it)) if it.property.name == "data")
            || matches!(&declarator.init, Some(Expression::ChainExpression(_)));
    };
    pattern.properties.iter().any(|it| {
        it.key.is_specific_static_name("data")
            && it.value.get_binding_identifier().is_some_and(|it| it.symbol_id() == symbol)
    })
}

/// A prop of the component around that may be left out, and has no default.
fn is_optional_prop(module: &Module<'_>, symbol: SymbolId, name: &str) -> bool {
    let AstKind::FormalParameter(parameter) = module.declaration(symbol) else { return false };
    let BindingPattern::ObjectPattern(pattern) = &parameter.pattern else { return false };
    let has_default = pattern.properties.iter().any(|it| {
        matches!(&it.value, BindingPattern::AssignmentPattern(it)
            if it.left.get_binding_identifier().is_some_and(|it| it.symbol_id() == symbol))
    });
    let written = parameter.type_annotation.as_ref().map(|it| &it.type_annotation);
    !has_default
        && written
            .is_some_and(|it| module.member_type(it, name).is_none() && names(module, it, name))
}

/// Does the type name the member?
fn names<'a>(module: &Module<'a>, written: &'a TSType<'a>, name: &str) -> bool {
    let has = |members: &[TSSignature<'a>]| {
        members.iter().any(|it| match it {
            TSSignature::TSPropertySignature(it) => it.key.is_specific_static_name(name),
            _ => false,
        })
    };
    match module.plain(written) {
        Some(TSType::TSTypeLiteral(it)) => has(&it.members),
        Some(TSType::TSIntersectionType(all)) => all.types.iter().any(|it| names(module, it, name)),
        Some(TSType::TSTypeReference(it)) => {
            let TSTypeName::IdentifierReference(id) = &it.type_name else { return false };
            match module.symbol(id).map(|it| module.declaration(it)) {
                Some(AstKind::TSInterfaceDeclaration(it)) => has(&it.body.body),
                _ => false,
            }
        }
        _ => false,
    }
}
