//! Which file a call means, as a text that is equal where the file is: constants, `path.join`, parameters, fields.
//!
//! Two texts that are equal mean one file within one call of the function around. Unequal texts may still mean one file.

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, CallExpression, Expression, ObjectPropertyKind};
use oxc_semantic::SymbolId;
use oxc_span::GetSpan;
use rb_ecma::{Func, Module};
use rb_rules::{Target, World};

use super::model::Key;
use crate::links::{Import, ImportKind, Links, links};

/// Prefix of a parameter's name; callers replace it with their argument.
const PARAMETER: char = '\u{1}';
const PARAMETER_END: char = '\u{2}';
/// Begins what differs from call to call.
const LOCAL: char = '\u{3}';
/// The most names followed to what they stand for.
const DEPTH: u32 = 12;
/// A longer text is cut: nobody writes such a path.
const LONGEST: usize = 400;

pub(super) struct Paths<'p, 'a> {
    pub(super) world: &'p dyn World,
    pub(super) path: &'p str,
    pub(super) module: &'p Module<'a>,
    pub(super) links: &'p Links,
}

/// Is it the same file in every call?
pub(super) fn is_fixed(path: &str) -> bool {
    !path.contains([PARAMETER, LOCAL])
}

/// The path with the function's parameters replaced by the arguments of a call.
pub(super) fn substitute(path: &str, func: &Key, arguments: &[String]) -> String {
    let mut out = path.to_owned();
    for at in 0..16 {
        let name = parameter(&func.path, func.start, at);
        if out.contains(&name) {
            let unknown = format!("{LOCAL}{}:{at}", func.path);
            out = out.replace(&name, arguments.get(at).unwrap_or(&unknown));
        }
    }
    normal(&out)
}

fn parameter(path: &str, func: u32, at: usize) -> String {
    format!("{PARAMETER}{path}:{func}:{at}{PARAMETER_END}")
}

/// Without `.`, `..` and doubled slashes.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." if !parts.is_empty() => {}
            "." => {}
            ".." if parts.last().is_some_and(|it| !matches!(*it, "" | "..")) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/").chars().take(LONGEST).collect()
}

impl<'a> Paths<'_, 'a> {
    pub(super) fn of(&self, expression: &Expression<'a>) -> String {
        normal(&self.value(expression, DEPTH))
    }

    fn value(&self, expression: &Expression<'a>, depth: u32) -> String {
        let Some(depth) = depth.checked_sub(1) else { return self.unknown(expression) };
        match expression.get_inner_expression() {
            Expression::StringLiteral(it) => it.value.to_string(),
            Expression::NumericLiteral(it) => self.module.slice(it.span).to_owned(),
            Expression::TemplateLiteral(it) => {
                let mut out = String::new();
                for (at, quasi) in it.quasis.iter().enumerate() {
                    out.push_str(quasi.value.raw.as_str());
                    out.extend(it.expressions.get(at).map(|it| self.value(it, depth)));
                }
                out
            }
            Expression::BinaryExpression(it) if it.operator.as_str() == "+" => {
                self.value(&it.left, depth) + &self.value(&it.right, depth)
            }
            Expression::LogicalExpression(it) => {
                format!("({}|{})", self.value(&it.left, depth), self.value(&it.right, depth))
            }
            Expression::Identifier(name) => match self.module.symbol(name) {
                Some(symbol) => self.bound(symbol, depth),
                None => self.global(&name.name),
            },
            Expression::StaticMemberExpression(it) => {
                self.member(&it.object, &it.property.name, depth)
            }
            Expression::CallExpression(it) => self.called(it, depth),
            // `new URL('x.json', import.meta.url)`
            Expression::NewExpression(it) if self.module.is_global_named(&it.callee, "URL") => {
                match it.arguments.as_slice() {
                    [name, base] if self.module.slice(base.span()) == "import.meta.url" => {
                        let name = name.as_expression().map(|it| self.value(it, depth));
                        format!("{}/{}", self.folder(), name.unwrap_or_default())
                    }
                    _ => self.unknown(expression),
                }
            }
            _ => self.unknown(expression),
        }
    }

    /// The folder of this file, which is the same for whoever asks.
    fn folder(&self) -> String {
        format!("$/{}", self.path.rsplit_once('/').map_or("", |it| it.0))
    }

    fn global(&self, name: &str) -> String {
        match name {
            "__dirname" => self.folder(),
            "__filename" => format!("$/{}", self.path),
            _ => name.to_owned(),
        }
    }

    fn unknown(&self, expression: &Expression<'a>) -> String {
        let span = expression.span();
        format!("{LOCAL}{}:{}:{}", self.path, span.start, span.end)
    }

    fn bound(&self, symbol: SymbolId, depth: u32) -> String {
        if let Some(import) = self.import(symbol) {
            return match (&import.target, &import.taken) {
                (Target::File(file), ImportKind::Name(name)) => {
                    exported(self.world, file, name, depth)
                }
                (Target::File(file), _) => format!("{file}#"),
                _ => import.specifier.clone(),
            };
        }
        if let Some(value) = self.module.initializer(symbol) {
            return self.value(value, depth);
        }
        let name = self.module.name(symbol);
        if let Some(found) = self.parameter(symbol) {
            return found;
        }
        if self.module.is_top_level(symbol) {
            return format!("{}#{name}", self.path);
        }
        format!("{LOCAL}{}:{}", self.path, self.module.scoping().symbol_span(symbol).start)
    }

    fn import(&self, symbol: SymbolId) -> Option<&Import> {
        let at = self.module.scoping().symbol_span(symbol).start;
        let is_it = |it: &&Import| it.local.as_ref().is_some_and(|it| it.1.start == at);
        self.links.imports.iter().find(is_it)
    }

    /// A parameter, or a name that is taken out of one.
    fn parameter(&self, symbol: SymbolId) -> Option<String> {
        let at = self.module.scoping().symbol_span(symbol);
        let declaration = self.module.scoping().symbol_declaration(symbol);
        let kinds = std::iter::once(self.module.nodes().kind(declaration));
        let func = kinds.chain(self.module.ancestors(declaration)).find_map(Func::of)?;
        let items = &func.params().items;
        let index = items.iter().position(|it| it.span.contains_inclusive(at))?;
        let name = parameter(self.path, func.span().start, index);
        let is_whole = items[index].pattern.get_binding_identifier().is_some();
        let stable = self.module.is_stable(symbol);
        stable.then(|| if is_whole { name } else { format!("{name}.{}", self.module.name(symbol)) })
    }

    fn member(&self, object: &Expression<'a>, name: &str, depth: u32) -> String {
        let object = object.get_inner_expression();
        if let Expression::ThisExpression(it) = object {
            let class = self.module.ancestors(it.node_id.get()).find_map(|kind| match kind {
                AstKind::Class(it) => Some(it.span.start),
                _ => None,
            });
            return format!("this.{name} of {}:{}", self.path, class.unwrap_or(0));
        }
        if self.module.slice(object.span()) == "import.meta" {
            return match name {
                "dirname" => self.folder(),
                _ => format!("$/{}", self.path),
            };
        }
        let whole = self.module.symbol_of(object).and_then(|it| self.import(it));
        if let Some(Import { target: Target::File(file), taken, .. }) = whole
            && matches!(taken, ImportKind::Whole)
        {
            return exported(self.world, file, name, depth);
        }
        if let Expression::ObjectExpression(it) = self.module.resolved(object) {
            let value = it.properties.iter().find_map(|it| match it {
                ObjectPropertyKind::ObjectProperty(it) => {
                    it.key.static_name().is_some_and(|it| it == name).then_some(&it.value)
                }
                ObjectPropertyKind::SpreadProperty(_) => None,
            });
            if let Some(value) = value {
                return self.value(value, depth);
            }
        }
        format!("{}.{name}", self.value(object, depth))
    }

    fn called(&self, call: &CallExpression<'a>, depth: u32) -> String {
        let arguments: Vec<String> = call
            .arguments
            .iter()
            .map(|it| it.as_expression().map_or_else(String::new, |it| self.value(it, depth)))
            .collect();
        let name = super::at::last_name(&call.callee).unwrap_or_default();
        match name {
            "join" | "resolve" => return arguments.join("/"),
            "normalize" | "fileURLToPath" | "String" | "toString" if arguments.len() == 1 => {
                return arguments.into_iter().next().unwrap_or_default();
            }
            "cwd" => return ".".to_owned(),
            "dirname" if arguments == [format!("$/{}", self.path)] => return self.folder(),
            _ => {}
        }
        if let Some(func) = self.module.function_of(&call.callee)
            && let Some(returned) = func.returned()
        {
            let key = Key::new(&self.path.into(), func.span(), super::model::Kind::Func);
            return substitute(&self.value(returned, depth), &key, &arguments);
        }
        let differs = ["rand", "uuid", "temp", "tmp", "now", "next", "unique", "nanoid"];
        let lower = name.to_ascii_lowercase();
        if name.is_empty() || differs.iter().any(|it| lower.contains(it)) {
            return format!("{LOCAL}{}:{}", self.path, call.span.start);
        }
        format!("{}({})", self.callee(call, depth), arguments.join(","))
    }

    fn callee(&self, call: &CallExpression<'a>, depth: u32) -> String {
        match call.callee.get_inner_expression() {
            it @ Expression::Identifier(_) => self.value(it, depth),
            Expression::StaticMemberExpression(it) => {
                self.member(&it.object, &it.property.name, depth)
            }
            other => self.module.slice(other.span()).to_owned(),
        }
    }

    /// What is given in a call, argument by argument.
    pub(super) fn arguments(&self, call: &CallExpression<'a>) -> Vec<String> {
        let value = |it: &Argument<'a>| it.as_expression().map(|it| self.of(it));
        call.arguments.iter().map(|it| value(it).unwrap_or_default()).collect()
    }
}

/// What another file exports under a name.
fn exported(world: &dyn World, file: &str, name: &str, depth: u32) -> String {
    let unknown = || format!("{file}#{name}");
    let Some(theirs) = links(world, file) else { return unknown() };
    let Some(local) = theirs.export(name).and_then(|it| it.local.clone()) else { return unknown() };
    let found = world.ask("path of", file, name, |module| {
        let paths = Paths { world, path: file, module, links: &theirs };
        let symbol = module.top_level(&local)?;
        let value = module.initializer(symbol)?;
        Func::of_expression(value).is_none().then(|| paths.value(value, depth))
    });
    found.flatten().unwrap_or_else(unknown)
}
