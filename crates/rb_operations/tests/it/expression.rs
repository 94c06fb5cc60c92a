//! Python expressions whose value is a number, over the names that are in scope.

use crate::dice::Dice;

/// Few, so that locals, parameters, members and globals often share a name.
pub(crate) const NAMES: &[&str] = &["load", "parse", "total", "item", "scale", "merge", "size"];

#[derive(Clone)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) has_default: bool,
    pub(crate) is_keyword_only: bool,
}

#[derive(Clone, Default)]
pub(crate) struct Signature {
    /// Without `self` and `cls`.
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) has_rest: bool,
    pub(crate) has_options: bool,
}

#[derive(Clone)]
pub(crate) enum MemberKind {
    ClassAttribute,
    InstanceAttribute,
    Method(Signature),
    /// A class method or a static method.
    ClassMethod(Signature),
}

#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) kind: MemberKind,
    /// Of the class itself, not of a base.
    pub(crate) is_own: bool,
}

#[derive(Clone, Default)]
pub(crate) struct Class {
    pub(crate) constructor: Signature,
    pub(crate) members: Vec<Member>,
}

#[derive(Clone)]
pub(crate) enum Kind {
    Number,
    Function(Signature),
    Class(Class),
    Instance(Class),
    Decorator,
}

/// What can be used in a place: `core.load`, whose first name is `core`.
#[derive(Clone)]
pub(crate) struct Name {
    pub(crate) expression: String,
    pub(crate) root: String,
    pub(crate) kind: Kind,
}

#[derive(Clone, Default)]
pub(crate) struct Scope {
    pub(crate) names: Vec<Name>,
}

impl Scope {
    pub(crate) fn without(&self, root: &str) -> Scope {
        let names = self.names.iter().filter(|name| name.root != root).cloned().collect();
        Scope { names }
    }

    pub(crate) fn with(&self, name: &str, kind: Kind) -> Scope {
        let mut scope = self.without(name);
        scope.names.push(Name { expression: name.to_owned(), root: name.to_owned(), kind });
        scope
    }

    pub(crate) fn number(&self, name: &str) -> Scope {
        self.with(name, Kind::Number)
    }

    pub(crate) fn classes(&self) -> Vec<&Name> {
        self.names.iter().filter(|name| matches!(name.kind, Kind::Class(_))).collect()
    }
}

pub(crate) fn expression(dice: &mut Dice, scope: &Scope, depth: usize) -> String {
    if depth == 0 || dice.once_in(5) {
        let numbers: Vec<&Name> =
            scope.names.iter().filter(|name| matches!(name.kind, Kind::Number)).collect();
        return match dice.pick_from(&numbers) {
            Some(name) if !dice.once_in(4) => name.expression.clone(),
            _ => dice.roll(10).to_string(),
        };
    }
    let depth = depth - 1;
    match dice.roll(13) {
        0..=6 => use_of_name(dice, scope, depth),
        7 => format!("({} + {})", expression(dice, scope, depth), expression(dice, scope, depth)),
        8 => format!("len(\"{}\")", dice.pick(NAMES)),
        _ => binding_expression(dice, scope, depth),
    }
}

/// An expression that binds a name of its own.
fn binding_expression(dice: &mut Dice, scope: &Scope, depth: usize) -> String {
    let name = dice.pick(NAMES);
    let plain = expression(dice, scope, depth);
    let inner = expression(dice, &scope.number(name), depth);
    match dice.roll(7) {
        0 => format!("(lambda {name}: {inner})({plain})"),
        1 => format!("(lambda {name}={plain}: {inner})()"),
        2 => format!("(lambda *, {name}: {inner})({name}={plain})"),
        3 => format!("sum({inner} for {name} in [1, {plain}])"),
        4 => format!("sum([{inner} for {name} in range(3) if {name}])"),
        5 => format!("dict({name}={plain})[\"{name}\"]"),
        _ => format!("{{\"{name}\": {plain}}}[\"{name}\"]"),
    }
}

fn use_of_name(dice: &mut Dice, scope: &Scope, depth: usize) -> String {
    let Some(name) = dice.pick_from(&scope.names) else { return dice.roll(10).to_string() };
    let text = match name.expression.rsplit_once('.') {
        Some((module, last)) if dice.once_in(12) => format!("getattr({module}, \"{last}\")"),
        _ => name.expression.clone(),
    };
    match &name.kind {
        Kind::Number => text,
        Kind::Decorator => format!("{text}(lambda size: size + 1)(2)"),
        Kind::Function(signature) => call(dice, &text, signature, scope, depth),
        Kind::Instance(class) => member(dice, &text, class, scope, depth),
        Kind::Class(class) => {
            let shared: Vec<&Member> = class
                .members
                .iter()
                .filter(|member| {
                    matches!(member.kind, MemberKind::ClassAttribute | MemberKind::ClassMethod(_))
                })
                .collect();
            match dice.pick_from(&shared) {
                Some(shared) if dice.once_in(3) => use_of_member(dice, &text, shared, scope, depth),
                _ => {
                    let instance = call(dice, &text, &class.constructor, scope, depth);
                    member(dice, &instance, class, scope, depth)
                }
            }
        }
    }
}

/// A use of some member of an instance.
pub(crate) fn member(
    dice: &mut Dice,
    receiver: &str,
    class: &Class,
    scope: &Scope,
    depth: usize,
) -> String {
    match dice.pick_from(&class.members) {
        Some(member) => use_of_member(dice, receiver, member, scope, depth),
        None => dice.roll(10).to_string(),
    }
}

fn use_of_member(
    dice: &mut Dice,
    receiver: &str,
    member: &Member,
    scope: &Scope,
    depth: usize,
) -> String {
    let text = format!("{receiver}.{}", member.name);
    match &member.kind {
        MemberKind::ClassAttribute | MemberKind::InstanceAttribute => text,
        MemberKind::Method(signature) | MemberKind::ClassMethod(signature) => {
            call(dice, &text, signature, scope, depth)
        }
    }
}

/// A call with positional, keyword and starred arguments.
pub(crate) fn call(
    dice: &mut Dice,
    callee: &str,
    signature: &Signature,
    scope: &Scope,
    depth: usize,
) -> String {
    let mut arguments = Vec::new();
    let mut is_by_keyword = false;
    for parameter in &signature.parameters {
        if parameter.has_default && dice.once_in(2) {
            is_by_keyword = true;
            continue;
        }
        let value = expression(dice, scope, depth);
        is_by_keyword |= parameter.is_keyword_only || dice.once_in(3);
        let argument = format!("{}={value}", parameter.name);
        arguments.push(if is_by_keyword { argument } else { value });
    }
    if signature.has_rest && !is_by_keyword && dice.once_in(2) {
        arguments.push(format!("*[{}, 1]", dice.roll(5)));
    }
    if signature.has_options && dice.once_in(2) {
        arguments.push("other=3".to_owned());
    } else if dice.once_in(12) && is_by_keyword {
        // The last keyword argument in a dictionary.
        let last = arguments.last().and_then(|last| last.split_once('='));
        if let Some((name, value)) = last.filter(|(name, _)| NAMES.contains(name)) {
            let starred = format!("**{{\"{name}\": {value}}}");
            arguments.pop();
            arguments.push(starred);
        }
    }
    format!("{callee}({})", arguments.join(", "))
}
