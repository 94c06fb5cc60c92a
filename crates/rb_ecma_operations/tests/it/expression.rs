//! Generated expressions, all of the type `number`, over the names that a place can see.

use crate::dice::Dice;

pub(crate) const NAMES: &[&str] =
    &["alpha", "beta", "gamma", "delta", "load", "total", "value", "size"];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Required,
    Default,
    Optional,
    Rest,
    /// `{ x, y = 1 }`.
    Object,
}

#[derive(Clone)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) form: Form,
}

#[derive(Clone, Default)]
pub(crate) struct Signature {
    pub(crate) parameters: Vec<Parameter>,
    /// Called with a type argument sometimes.
    pub(crate) is_generic: bool,
}

#[derive(Clone, Default)]
pub(crate) struct Class {
    pub(crate) constructor: Signature,
    pub(crate) methods: Vec<(String, Signature)>,
    pub(crate) statics: Vec<(String, Signature)>,
    pub(crate) getters: Vec<String>,
}

#[derive(Clone)]
pub(crate) enum Kind {
    Number,
    Function(Signature),
    Class(Class),
    Enum,
    /// An object `as const` with the property `size`.
    Table,
    /// A type with the property `size`.
    Type,
}

/// What a place can use: source text that means a value.
#[derive(Clone, Default)]
pub(crate) struct Env {
    pub(crate) values: Vec<(String, Kind)>,
}

impl Env {
    /// A binding of this name hides what was called so.
    pub(crate) fn without(&self, name: &str) -> Env {
        let first =
            |text: &str| text.trim_start_matches('(').split(['.', ' ']).next() == Some(name);
        Env { values: self.values.iter().filter(|(text, _)| !first(text)).cloned().collect() }
    }

    pub(crate) fn with(&self, name: &str) -> Env {
        let mut next = self.without(name);
        next.values.push((name.to_owned(), Kind::Number));
        next
    }

    fn numbers(&self) -> Vec<&str> {
        let is_number = |kind: &Kind| matches!(kind, Kind::Number);
        self.values.iter().filter(|(_, kind)| is_number(kind)).map(|(text, _)| &**text).collect()
    }
}

pub(crate) fn expression(dice: &mut Dice, env: &Env, depth: usize) -> String {
    if depth == 0 || dice.once_in(5) {
        return leaf(dice, env);
    }
    let depth = depth - 1;
    if dice.once_in(2)
        && let Some((text, kind)) = dice.pick_from(&env.values).cloned()
    {
        return number_of(dice, env, &text, &kind, depth);
    }
    let plain = expression(dice, env, depth);
    let name = dice.pick(NAMES);
    let inner = expression(dice, &env.with(name), depth);
    match dice.roll(13) {
        0 => format!("({plain} + {inner})", inner = expression(dice, env, depth)),
        1 => format!("(({name}: number) => {inner})({plain})"),
        2 => format!(
            "(({name}: number = {plain}): number => {inner})()",
            plain = leaf(dice, &env.without(name))
        ),
        3 => format!("(({{ {name} }}: {{ {name}: number }}) => {inner})({{ {name}: {plain} }})"),
        4 => format!("({{ {name}: {plain} }}).{name}"),
        5 => format!("`{name} ${{{plain}}}`.length"),
        6 => format!("[1, 2].reduce((sum, {name}) => sum + {inner}, 0)"),
        7 => format!("({plain} > 3 ? {} : {plain})", leaf(dice, env)),
        8 => {
            let inner = expression(dice, &env.with(name).without("this"), depth);
            format!("(function ({name}: number): number {{ return {inner}; }})({plain})")
        }
        9 => format!("[{plain}, {}].length", leaf(dice, env)),
        10 if env.values.iter().any(|(text, _)| text == "trace") => format!("trace({plain})"),
        11 => format!("({plain} as number)"),
        _ => format!("({plain} % 97)"),
    }
}

fn leaf(dice: &mut Dice, env: &Env) -> String {
    let numbers = env.numbers();
    match dice.pick_from(&numbers) {
        Some(name) if !dice.once_in(4) => (*name).to_owned(),
        _ => dice.roll(10).to_string(),
    }
}

/// A number from a value of some kind.
pub(crate) fn number_of(
    dice: &mut Dice,
    env: &Env,
    text: &str,
    kind: &Kind,
    depth: usize,
) -> String {
    match kind {
        Kind::Number => text.to_owned(),
        Kind::Function(signature) => call(dice, env, text, signature, depth),
        Kind::Enum => format!("{text}.{}", dice.pick(&["First", "Second"])),
        Kind::Table => format!("{text}.size"),
        Kind::Type => format!("({{ size: {} }} as {text}).size", leaf(dice, env)),
        Kind::Class(class) => {
            if dice.once_in(4)
                && let Some((name, signature)) = dice.pick_from(&class.statics)
            {
                return call(dice, env, &format!("{text}.{name}"), signature, depth);
            }
            let object = format!("new {text}({})", arguments(dice, env, &class.constructor, depth));
            match dice.pick_from(&class.methods) {
                Some((name, signature)) if !dice.once_in(3) => {
                    call(dice, env, &format!("{object}.{name}"), signature, depth)
                }
                _ => match dice.pick_from(&class.getters) {
                    Some(getter) => format!("{object}.{getter}"),
                    None => format!("{object}.base"),
                },
            }
        }
    }
}

/// A call in one form or another.
fn call(dice: &mut Dice, env: &Env, function: &str, signature: &Signature, depth: usize) -> String {
    let plain: Vec<Form> = signature.parameters.iter().map(|it| it.form).collect();
    let is_member = function.contains('(');
    match dice.roll(30) {
        0 if plain == [Form::Required] && !is_member => format!("[1, 2].map({function}).length"),
        1 if plain == [Form::Required, Form::Required] && !is_member => {
            format!("{function}(...([{}, 2] as const))", leaf(dice, env))
        }
        2 if !is_member && !plain.contains(&Form::Object) && !signature.is_generic => {
            let arguments = arguments(dice, env, signature, depth);
            let separator = if arguments.is_empty() { "" } else { ", " };
            format!("{function}.call(null{separator}{arguments})")
        }
        3 if !is_member => format!("{function}.length"),
        4 if !is_member => format!("{function}.name.length"),
        5 if !is_member => {
            format!(
                "((call: typeof {function}) => call)({function})({})",
                arguments(dice, env, signature, depth)
            )
        }
        6 | 7 if signature.is_generic => {
            format!("{function}<number>({})", arguments(dice, env, signature, depth))
        }
        8 if !is_member => format!("{function}?.({})", arguments(dice, env, signature, depth)),
        9 => format!("{function}(\n    {},\n  )", arguments(dice, env, signature, depth))
            .replace("(\n    ,\n  )", "()"),
        _ => format!("{function}({})", arguments(dice, env, signature, depth)),
    }
}

pub(crate) fn arguments(dice: &mut Dice, env: &Env, signature: &Signature, depth: usize) -> String {
    let depth = depth.min(1);
    let mut all = Vec::new();
    for parameter in &signature.parameters {
        match parameter.form {
            Form::Default | Form::Optional if dice.once_in(3) => break,
            Form::Default | Form::Optional if dice.once_in(6) => all.push("undefined".to_owned()),
            Form::Required | Form::Default | Form::Optional => {
                all.push(expression(dice, env, depth));
            }
            Form::Rest => {
                for _ in 0..dice.roll(3) {
                    all.push(expression(dice, env, depth));
                }
            }
            Form::Object => {
                let first = expression(dice, env, depth);
                all.push(match dice.roll(3) {
                    0 => format!("{{ x: {first} }}"),
                    1 => format!("{{ y: {first}, x: {} }}", leaf(dice, env)),
                    _ => format!("{{ x: {first}, y: {} }}", leaf(dice, env)),
                });
            }
        }
    }
    all.join(", ")
}
