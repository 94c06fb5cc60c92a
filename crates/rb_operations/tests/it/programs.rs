//! Python programs of several modules: a package `shop` with a package in it, and a `main.py` that prints numbers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::dice::Dice;
use crate::expression::{
    Class, Kind, Member, MemberKind, NAMES, Name, Parameter, Scope, Signature, call, expression,
    member,
};

const CLASSES: &[&str] = &["Shop", "Item", "Basket"];
const CONSTANTS: &[&str] = &["LIMIT", "RATE", "total", "size"];
const MODULES: &[&str] = &["core", "util", "load", "tools"];
const INNER_MODULES: &[&str] = &["deep", "extra", "scale"];
/// Declared the same in two modules of some programs.
const TWIN: &str = "\n\ndef twin(item, size=2):\n    return item * size + 1\n";
const DECORATOR: &str = "\n\ndef twice(load):\n    def wrapper(*args, **kwargs):\n        return load(*args, **kwargs) * 2\n\n    return wrapper\n";

/// Something at the top level of a module.
#[derive(Clone)]
pub(crate) struct Symbol {
    pub(crate) path: String,
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

#[derive(Default)]
pub(crate) struct Program {
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) symbols: Vec<Symbol>,
}

pub(crate) fn program(seed: u64) -> Program {
    let dice = &mut Dice::new(seed);
    let mut program = Program::default();
    let mut paths: Vec<String> =
        some_of(dice, MODULES, 2).into_iter().map(|module| format!("shop/{module}.py")).collect();
    paths.extend(some_of(dice, INNER_MODULES, 1).iter().map(|it| format!("shop/sub/{it}.py")));
    for path in &paths {
        let module = Module::new(dice, path, &program.symbols);
        let (text, symbols) = module.library();
        program.files.insert(path.clone(), text);
        program.symbols.extend(symbols);
    }
    for package in ["shop", "shop/sub"] {
        let (path, text) = reexports(dice, package, &mut program.symbols);
        program.files.insert(path, text);
    }
    let main = Module::new(dice, "main.py", &program.symbols).main();
    program.files.insert("main.py".to_owned(), main);
    program
}

fn some_of<'n>(dice: &mut Dice, names: &[&'n str], at_least: usize) -> Vec<&'n str> {
    let mut names = names.to_vec();
    dice.shuffle(&mut names);
    let count = at_least + dice.roll(2);
    names.truncate(count);
    names
}

/// The `__init__.py` of a package: what it takes from its modules can be imported from it, too.
fn reexports(dice: &mut Dice, package: &str, symbols: &mut Vec<Symbol>) -> (String, String) {
    let path = format!("{package}/__init__.py");
    let (mut text, mut exported, mut added) = (String::new(), Vec::new(), Vec::new());
    for symbol in symbols.iter().filter(|symbol| folder(&symbol.path) == package) {
        if !dice.once_in(3) || exported.contains(&symbol.name) {
            continue;
        }
        let name =
            if dice.once_in(4) { format!("{}_too", symbol.name) } else { symbol.name.clone() };
        let alias = if name == symbol.name { String::new() } else { format!(" as {name}") };
        let module =
            if dice.once_in(3) { dotted(&symbol.path) } else { format!(".{}", stem(&symbol.path)) };
        writeln!(text, "from {module} import {}{alias}", symbol.name).expect("a string takes it");
        exported.push(name.clone());
        added.push(Symbol { path: path.clone(), name, kind: symbol.kind.clone() });
    }
    if dice.once_in(2) && !exported.is_empty() {
        writeln!(text, "\n__all__ = [\"{}\"]", exported.join("\", \"")).expect("a string takes it");
    }
    symbols.extend(added);
    (path, text)
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn stem(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path).trim_end_matches(".py")
}

/// `shop.core` for `shop/core.py`, `shop` for `shop/__init__.py`.
fn dotted(path: &str) -> String {
    path.trim_end_matches(".py").trim_end_matches("/__init__").replace('/', ".")
}

/// A module that is being written.
struct Module<'p> {
    dice: &'p mut Dice,
    path: &'p str,
    others: &'p [Symbol],
    scope: Scope,
    taken: Vec<String>,
    text: String,
}

impl<'p> Module<'p> {
    fn new(dice: &'p mut Dice, path: &'p str, others: &'p [Symbol]) -> Self {
        let mut module = Module {
            dice,
            path,
            others,
            scope: Scope::default(),
            taken: vec!["shop".to_owned(), "main".to_owned()],
            text: String::new(),
        };
        if module.dice.once_in(4) {
            module.text.push_str("\"\"\"Has load, total and Item.\"\"\"\n\n");
        }
        module.imports();
        module
    }

    fn imports(&mut self) {
        if self.dice.once_in(6) {
            self.import_star();
        }
        for _ in 0..2 + self.dice.roll(4) {
            let Some(symbol) = self.dice.pick_from(self.others) else { return };
            let (line, name) = self.import(symbol);
            if !self.text.contains(&format!("{line}\n")) {
                writeln!(self.text, "{line}").expect("a string takes it");
            }
            self.scope = self.scope.without_if_bare(&name);
            self.scope.names.push(name);
        }
    }

    fn import_star(&mut self) {
        let Some(symbol) = self.dice.pick_from(self.others) else { return };
        writeln!(self.text, "from {} import *", dotted(&symbol.path)).expect("a string takes it");
        for symbol in self.others.iter().filter(|other| other.path == symbol.path) {
            self.scope = self.scope.with(&symbol.name, symbol.kind.clone());
            self.taken.push(symbol.name.clone());
        }
    }

    /// The import of a symbol in one of many forms, and how the symbol is called then.
    fn import(&mut self, symbol: &Symbol) -> (String, Name) {
        let module = dotted(&symbol.path);
        let name = symbol.name.as_str();
        let is_package = symbol.path.ends_with("__init__.py");
        let form = self.dice.roll(8);
        let (line, root, text) = match form {
            0..=2 => {
                let from = match form {
                    1 => relative(self.path, &symbol.path).unwrap_or(module),
                    _ => module,
                };
                let local = self.local(name);
                let alias = if local == name { String::new() } else { format!(" as {local}") };
                (format!("from {from} import {name}{alias}"), local.clone(), local)
            }
            3 => (format!("import {module}"), "shop".to_owned(), format!("{module}.{name}")),
            4 => {
                let local = self.local("whole");
                (format!("import {module} as {local}"), local.clone(), format!("{local}.{name}"))
            }
            _ if is_package => {
                (format!("import {module}"), "shop".to_owned(), format!("{module}.{name}"))
            }
            _ => {
                let parent = match form {
                    5 => folder(&symbol.path).replace('/', "."),
                    _ => relative(self.path, &format!("{}/__init__.py", folder(&symbol.path)))
                        .unwrap_or_else(|| folder(&symbol.path).replace('/', ".")),
                };
                let local = self.local(stem(&symbol.path));
                let plain = stem(&symbol.path);
                let alias = if local == plain { String::new() } else { format!(" as {local}") };
                (
                    format!("from {parent} import {plain}{alias}"),
                    local.clone(),
                    format!("{local}.{name}"),
                )
            }
        };
        (line, Name { expression: text, root, kind: symbol.kind.clone() })
    }

    /// A name that nothing in the module has; sometimes not the one that was wanted.
    fn local(&mut self, wanted: &str) -> String {
        let is_other = self.dice.once_in(4);
        let mut name = if is_other { self.dice.pick(NAMES) } else { wanted }.to_owned();
        while self.taken.contains(&name) {
            name.push('2');
        }
        self.taken.push(name.clone());
        name
    }

    /// A declared name, taken from a list.
    fn declared(&mut self, names: &[&str]) -> String {
        let mut name = self.dice.pick(names).to_owned();
        while self.taken.contains(&name) {
            name.push('3');
        }
        self.taken.push(name.clone());
        name
    }

    fn library(mut self) -> (String, Vec<Symbol>) {
        let mut symbols = Vec::new();
        for _ in 0..2 + self.dice.roll(3) {
            let (name, kind) = match self.dice.roll(8) {
                0 | 1 => self.constant(),
                2..=4 => self.function(),
                5 | 6 => self.class(),
                _ => self.fixed(),
            };
            self.scope = self.scope.with(&name, kind.clone());
            symbols.push(Symbol { path: self.path.to_owned(), name, kind });
        }
        if self.dice.once_in(4) {
            let names: Vec<String> =
                symbols.iter().map(|symbol| format!("\"{}\"", symbol.name)).collect();
            writeln!(self.text, "\n__all__ = [{}]", names.join(", ")).expect("a string takes it");
        }
        (self.text, symbols)
    }

    fn constant(&mut self) -> (String, Kind) {
        let value = expression(self.dice, &self.scope, 2);
        let name = self.declared(CONSTANTS);
        writeln!(self.text, "\n{name} = {value}").expect("a string takes it");
        if !self.dice.once_in(3) {
            return (name, Kind::Number);
        }
        // The function that counts is called by nobody else, so that the order of calls does not matter.
        let counter = self.declared(&["bump", "count"]);
        writeln!(
            self.text,
            "\n\ndef {counter}():\n    global {name}\n    {name} += 1\n    return {name}"
        )
        .expect("a string takes it");
        (name, Kind::Number)
    }

    /// A function whose text is always the same.
    fn fixed(&mut self) -> (String, Kind) {
        let is_twin = self.dice.once_in(2);
        let (name, text) = if is_twin { ("twin", TWIN) } else { ("twice", DECORATOR) };
        if self.taken.iter().any(|taken| taken == name) {
            return self.constant();
        }
        self.taken.push(name.to_owned());
        self.text.push_str(text);
        let parameters = vec![parameter("item", false), parameter("size", true)];
        let signature = Signature { parameters, ..Signature::default() };
        let kind = if is_twin { Kind::Function(signature) } else { Kind::Decorator };
        (name.to_owned(), kind)
    }

    fn function(&mut self) -> (String, Kind) {
        let decorators: Vec<Name> = self
            .scope
            .names
            .iter()
            .filter(|name| matches!(name.kind, Kind::Decorator))
            .cloned()
            .collect();
        let name = self.declared(NAMES);
        let signature = self.signature();
        self.text.push_str("\n\n");
        if let Some(decorator) = self.dice.pick_from(&decorators).filter(|it| it.root != name) {
            writeln!(self.text, "@{}", decorator.expression).expect("a string takes it");
        }
        let scope = self.scope.without(&name);
        self.define(&name, "", &signature, &scope, 0);
        (name, Kind::Function(signature))
    }

    fn signature(&mut self) -> Signature {
        let mut names = NAMES.to_vec();
        self.dice.shuffle(&mut names);
        let count = self.dice.roll(4);
        let with_default = self.dice.roll(count + 1);
        let mut parameters: Vec<Parameter> = names[..count]
            .iter()
            .enumerate()
            .map(|(at, name)| parameter(name, at >= with_default))
            .collect();
        let has_rest = self.dice.once_in(6);
        if self.dice.once_in(4) {
            let has_default = self.dice.once_in(2);
            let name = names[count].to_owned();
            parameters.push(Parameter { name, has_default, is_keyword_only: true });
        }
        Signature { parameters, has_rest, has_options: self.dice.once_in(6) }
    }

    /// A function or method at some depth.
    fn define(
        &mut self,
        name: &str,
        first: &str,
        signature: &Signature,
        scope: &Scope,
        depth: usize,
    ) {
        let indent = "    ".repeat(depth);
        let mut parameters: Vec<String> = Vec::new();
        if !first.is_empty() {
            parameters.push(first.to_owned());
        }
        let mut has_star = false;
        if signature.has_rest && !signature.parameters.iter().any(|it| it.is_keyword_only) {
            has_star = true;
        }
        for parameter in &signature.parameters {
            if parameter.is_keyword_only {
                parameters.push(if signature.has_rest { "*rest" } else { "*" }.to_owned());
            }
            let default = if parameter.has_default {
                format!("={}", expression(self.dice, scope, 1))
            } else {
                String::new()
            };
            parameters.push(format!("{}{default}", parameter.name));
        }
        if has_star {
            parameters.push("*rest".to_owned());
        }
        if signature.has_options {
            parameters.push("**options".to_owned());
        }
        writeln!(self.text, "{indent}def {name}({}):", parameters.join(", "))
            .expect("a string takes it");
        let mut inner = scope.clone();
        for parameter in &signature.parameters {
            inner = inner.number(&parameter.name);
        }
        if signature.has_rest {
            inner = inner.number("rest");
            let name = inner.names.last_mut().expect("it was added");
            "len(rest)".clone_into(&mut name.expression);
        }
        if signature.has_options {
            inner = inner.number("options");
            let name = inner.names.last_mut().expect("it was added");
            "len(options)".clone_into(&mut name.expression);
        }
        let taken: Vec<String> = signature.parameters.iter().map(|it| it.name.clone()).collect();
        self.body(inner, &taken, depth + 1);
    }

    /// Statements, of which some bind locals, and a return.
    fn body(&mut self, mut scope: Scope, parameters: &[String], depth: usize) {
        let indent = "    ".repeat(depth);
        let mut locals = some_of(self.dice, NAMES, 0);
        locals.retain(|name| !parameters.iter().any(|parameter| parameter == name));
        for local in &locals {
            scope = scope.without(local);
        }
        if self.dice.once_in(5)
            && let Some(symbol) = self.dice.pick_from(self.others)
        {
            let (line, name) = self.import(symbol);
            if !line.starts_with("import shop") || line.contains(" as ") {
                writeln!(self.text, "{indent}{line}").expect("a string takes it");
                scope.names.push(name);
            }
        }
        for local in locals {
            let (text, kind) = self.statement(local, &scope);
            for line in text.lines() {
                writeln!(self.text, "{indent}{line}").expect("a string takes it");
            }
            scope = scope.with(local, kind);
        }
        let value = expression(self.dice, &scope, 3);
        writeln!(self.text, "{indent}return {value}").expect("a string takes it");
    }

    /// A statement that binds a local, and what the local is.
    fn statement(&mut self, local: &str, scope: &Scope) -> (String, Kind) {
        let dice = &mut *self.dice;
        let value = expression(dice, scope, 2);
        let plain = format!("{local} = {value}");
        match dice.roll(7) {
            0 => (
                format!("{local} = 0\nfor step in [1, 2]:\n    {local} += step * {value}"),
                Kind::Number,
            ),
            1 => {
                let parameter = dice.pick(NAMES);
                let inner = expression(dice, &scope.without(local).number(parameter), 2);
                let text = format!("def {local}({parameter}):\n    return {inner}");
                let parameters = vec![self::parameter(parameter, false)];
                (text, Kind::Function(Signature { parameters, ..Signature::default() }))
            }
            2 => (
                format!(
                    "{plain}\n\ndef inner():\n    nonlocal {local}\n    {local} += 1\n\ninner()"
                ),
                Kind::Number,
            ),
            3 | 4 => {
                let classes = scope.classes();
                let Some(name) = dice.pick_from(&classes) else { return (plain, Kind::Number) };
                let Kind::Class(class) = &name.kind else { return (plain, Kind::Number) };
                let instance = call(dice, &name.expression, &class.constructor, scope, 1);
                if dice.once_in(3) {
                    let used = member(dice, "thing", class, &Scope::default(), 1);
                    let text = format!(
                        "def {local}(thing: {}):\n    return {used}\n\n{local} = {local}({instance})",
                        name.expression
                    );
                    return (text, Kind::Number);
                }
                (format!("{local} = {instance}"), Kind::Instance(class.clone()))
            }
            5 => (
                format!(
                    "try:\n    {local} = {value}\nexcept ValueError as error:\n    {local} = 0"
                ),
                Kind::Number,
            ),
            _ => (plain, Kind::Number),
        }
    }

    fn class(&mut self) -> (String, Kind) {
        let bases: Vec<Name> = self.scope.classes().into_iter().cloned().collect();
        let name = self.declared(CLASSES);
        let base = self.dice.pick_from(&bases).filter(|base| base.root != name).cloned();
        let mut class = match &base {
            Some(Name { kind: Kind::Class(class), .. }) => class.clone(),
            _ => Class::default(),
        };
        for member in &mut class.members {
            member.is_own = false;
        }
        let above = base.as_ref().map_or(String::new(), |base| format!("({})", base.expression));
        writeln!(self.text, "\n\nclass {name}{above}:").expect("a string takes it");
        self.text.push_str("    \"\"\"Holds a size and a total.\"\"\"\n\n");
        let scope = self.scope.without(&name);
        let attribute = self.dice.pick(NAMES);
        if !class.members.iter().any(|member| member.name == attribute) {
            let value = expression(self.dice, &scope, 1);
            writeln!(self.text, "    {attribute} = {value}\n").expect("a string takes it");
            class.add(attribute, MemberKind::ClassAttribute);
        }
        if base.is_none() {
            self.constructor(&mut class);
        }
        for _ in 0..=self.dice.roll(2) {
            self.method(&mut class, &scope);
        }
        (name, Kind::Class(class))
    }

    fn constructor(&mut self, class: &mut Class) {
        let parameter = self.dice.pick(NAMES);
        let attribute = self.dice.pick(NAMES);
        let default = if self.dice.once_in(2) { "=2" } else { "" };
        writeln!(
            self.text,
            "    def __init__(self, {parameter}{default}):\n        self.{attribute} = {parameter}\n"
        )
        .expect("a string takes it");
        class.constructor.parameters = vec![self::parameter(parameter, !default.is_empty())];
        if !class.members.iter().any(|member| member.name == attribute) {
            class.add(attribute, MemberKind::InstanceAttribute);
        }
    }

    fn method(&mut self, class: &mut Class, scope: &Scope) {
        let name = self.dice.pick(NAMES);
        // The scope of a class is not that of its methods; only defaults see both.
        let old = class.members.iter().find(|member| member.name == name).cloned();
        let (signature, is_override) = match &old {
            None => (self.signature(), false),
            Some(Member { kind: MemberKind::Method(signature), is_own: false, .. }) => {
                (signature.clone(), true)
            }
            Some(_) => return,
        };
        if !is_override && self.dice.once_in(5) {
            self.text.push_str("    @staticmethod\n");
            self.define(name, "", &signature, &no_defaults(scope, &signature), 1);
            self.text.push('\n');
            class.add(name, MemberKind::ClassMethod(signature));
            return;
        }
        let mut inner = no_defaults(scope, &signature);
        inner.names.push(Name {
            expression: "self".to_owned(),
            root: "self".to_owned(),
            kind: Kind::Instance(class.clone()),
        });
        if is_override {
            let arguments = vec![Name {
                expression: format!("super().{name}"),
                root: "super".to_owned(),
                kind: Kind::Function(signature.clone()),
            }];
            inner.names.retain(|it| it.root != "self");
            inner.names.extend(arguments);
        }
        let signature = Signature {
            parameters: signature
                .parameters
                .into_iter()
                .filter(|it| !it.has_default || is_override)
                .collect(),
            ..signature
        };
        self.define_method(name, &signature, &inner);
        class.members.retain(|member| member.name != name);
        class.add(name, MemberKind::Method(signature));
    }

    fn define_method(&mut self, name: &str, signature: &Signature, scope: &Scope) {
        // Defaults are evaluated outside of the method, where there is no `self`.
        let at = self.text.len();
        self.define(name, "self", signature, scope, 1);
        let header_end = at + self.text[at..].find(":\n").unwrap_or(0);
        if self.text[at..header_end].contains("self.")
            || self.text[at..header_end].contains("super()")
        {
            self.text.truncate(at);
            self.define(name, "self", signature, &Scope::default(), 1);
        }
        self.text.push('\n');
    }

    fn main(mut self) -> String {
        if self.dice.once_in(2) {
            let (name, kind) = self.function();
            self.scope = self.scope.with(&name, kind);
        }
        self.text.push_str("\n\ndef main():\n");
        for _ in 0..3 {
            let value = expression(self.dice, &self.scope, 3);
            writeln!(self.text, "    print({value})").expect("a string takes it");
        }
        let names: Vec<Name> = self.scope.names.clone();
        for name in names {
            let scope = Scope { names: vec![name] };
            let value = expression(self.dice, &scope, 2);
            writeln!(self.text, "    print({value})").expect("a string takes it");
        }
        writeln!(self.text, "    print(\"{}\")", self.dice.pick(NAMES)).expect("a string takes it");
        self.text.push_str("\n\nif __name__ == \"__main__\":\n    main()\n");
        self.text
    }
}

/// In a class body, a default may see an attribute of the class instead of a global of that name: such names are not used.
fn no_defaults(scope: &Scope, signature: &Signature) -> Scope {
    if signature.parameters.iter().any(|parameter| parameter.has_default) {
        let names = scope.names.iter().filter(|name| !NAMES.contains(&name.root.as_str()));
        return Scope { names: names.cloned().collect() };
    }
    scope.clone()
}

fn parameter(name: &str, has_default: bool) -> Parameter {
    Parameter { name: name.to_owned(), has_default, is_keyword_only: false }
}

/// `.core`, `..core`, `.` or `..`, for files in packages.
fn relative(from: &str, to: &str) -> Option<String> {
    let here = folder(from);
    if here.is_empty() {
        return None;
    }
    let module = to.trim_end_matches(".py").trim_end_matches("__init__").trim_end_matches('/');
    let beginning = format!("{here}/");
    if module == here {
        return Some(".".to_owned());
    }
    if let Some(rest) = module.strip_prefix(&beginning) {
        return Some(format!(".{}", rest.replace('/', ".")));
    }
    let above = folder(here);
    if !above.is_empty() && module == above {
        return Some("..".to_owned());
    }
    let rest = module.strip_prefix(&format!("{above}/")).filter(|_| !above.is_empty())?;
    Some(format!("..{}", rest.replace('/', ".")))
}

impl Class {
    fn add(&mut self, name: &str, kind: MemberKind) {
        self.members.push(Member { name: name.to_owned(), kind, is_own: true });
    }
}

impl Scope {
    /// `import shop.core` binds `shop` again, which is the same `shop`.
    fn without_if_bare(&self, name: &Name) -> Scope {
        if name.root == "shop" { self.clone() } else { self.without(&name.root) }
    }
}
