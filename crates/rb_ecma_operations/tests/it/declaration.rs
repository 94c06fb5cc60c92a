//! Generated declarations: functions of all forms, classes, constants, types.

use std::fmt::Write as _;

use crate::dice::Dice;
use crate::expression::{Class, Env, Form, Kind, NAMES, Parameter, Signature, expression};

/// A text without `export`, and what it declares.
pub(crate) fn declaration(dice: &mut Dice, env: &Env, name: &str) -> (String, Kind) {
    match dice.roll(16) {
        0..=6 => function(dice, env, name),
        7 => overloaded(dice, env, name),
        8 => generic(dice, env, name),
        9 | 10 => (format!("const {name} = {};\n", expression(dice, env, 2)), Kind::Number),
        11 => (
            format!("const {name} = {{ size: {}, label: \"{name}\" }} as const;\n", dice.roll(9)),
            Kind::Table,
        ),
        12 => (format!("enum {name} {{\n  First = {},\n  Second,\n}}\n", dice.roll(9)), Kind::Enum),
        13 if dice.once_in(2) => (format!("type {name} = {{ size: number }};\n"), Kind::Type),
        13 => (format!("interface {name} {{\n  size: number;\n}}\n"), Kind::Type),
        _ => class(dice, env, name),
    }
}

fn parameters(dice: &mut Dice, most: usize) -> Signature {
    let mut names: Vec<&str> = NAMES.to_vec();
    let mut parameters = Vec::new();
    let (mut is_optional, mut has_object) = (false, false);
    for _ in 0..dice.roll(most + 1) {
        let name = names.remove(dice.roll(names.len())).to_owned();
        let form = match dice.roll(9) {
            0 | 1 => Form::Default,
            2 => Form::Optional,
            3 => Form::Rest,
            4 if !is_optional && !has_object => Form::Object,
            _ if is_optional => Form::Default,
            _ => Form::Required,
        };
        has_object |= form == Form::Object;
        is_optional |= matches!(form, Form::Default | Form::Optional);
        parameters.push(Parameter { name, form });
        if form == Form::Rest {
            break;
        }
    }
    Signature { parameters, is_generic: false }
}

fn shown(dice: &mut Dice, signature: &Signature) -> String {
    let one = |parameter: &Parameter| {
        let name = &parameter.name;
        match parameter.form {
            Form::Required => format!("{name}: number"),
            Form::Default => format!("{name} = {}", name.len()),
            Form::Optional => format!("{name}?: number"),
            Form::Rest => format!("...{name}: number[]"),
            Form::Object => "{ x, y = 4 }: { x: number; y?: number }".to_owned(),
        }
    };
    let all: Vec<String> = signature.parameters.iter().map(one).collect();
    if dice.once_in(6) && !all.is_empty() {
        let comma = if all.iter().any(|one| one.starts_with("...")) { "" } else { "," };
        return format!("\n  {}{comma}\n", all.join(",\n  "));
    }
    all.join(", ")
}

/// The names that a body sees, its parameters as numbers.
fn inside(env: &Env, signature: &Signature) -> Env {
    let mut env = env.clone();
    for parameter in &signature.parameters {
        env = match parameter.form {
            Form::Required | Form::Default => env.with(&parameter.name),
            Form::Optional | Form::Rest => {
                let mut next = env.without(&parameter.name);
                let text = match parameter.form {
                    Form::Rest => format!("{}.length", parameter.name),
                    _ => format!("({} ?? 5)", parameter.name),
                };
                next.values.push((text, Kind::Number));
                next
            }
            Form::Object => env.with("x").with("y"),
        };
    }
    // Some parameters are not used at all.
    if signature.parameters.len() == 2
        && let Some(first) = signature.parameters.first()
    {
        env = env.without(&first.name);
    }
    env
}

fn body(dice: &mut Dice, env: &Env, indent: &str) -> String {
    let name = dice.pick(NAMES);
    let outer = expression(dice, &env.without(name), 2);
    let inner = expression(dice, &env.with(name), 2);
    let lines = match dice.roll(7) {
        0 => vec![format!("const {name} = {outer};"), format!("return {inner};")],
        1 => vec![
            format!("let {name} = 0;"),
            format!("for (const step of [1, 2]) {name} += step + {outer};"),
            format!("return {inner};"),
        ],
        2 => vec![
            format!("function {name}(step: number): number {{"),
            format!("  return step + {outer};"),
            "}".to_owned(),
            format!("return {name}({});", dice.roll(5)),
        ],
        3 => {
            vec![format!("const {{ {name} }} = {{ {name}: {outer} }};"), format!("return {inner};")]
        }
        4 => vec![
            format!("try {{ throw {outer}; }} catch {{ /* {name} */ }}"),
            format!("return {};", expression(dice, env, 2)),
        ],
        _ => return format!("{indent}return {};\n", expression(dice, env, 3)),
    };
    let mut text = String::new();
    // In a block of its own a name may hide a parameter.
    writeln!(text, "{indent}{{").expect("a string takes it");
    for line in lines {
        writeln!(text, "{indent}  {line}").expect("a string takes it");
    }
    writeln!(text, "{indent}}}").expect("a string takes it");
    text
}

fn function(dice: &mut Dice, env: &Env, name: &str) -> (String, Kind) {
    let signature = parameters(dice, 4);
    let env = inside(env, &signature).without(name);
    let head = shown(dice, &signature);
    let mut text = String::new();
    if dice.once_in(5) {
        writeln!(text, "/**\n * The {name} of it.").expect("a string takes it");
        for parameter in signature.parameters.iter().filter(|it| it.form != Form::Object) {
            writeln!(text, " * @param {} a number", parameter.name).expect("a string takes it");
        }
        text.push_str(" */\n");
    }
    let inner = body(dice, &env, "  ");
    match dice.roll(8) {
        0 => writeln!(text, "const {name} = ({head}): number => {};", expression(dice, &env, 2)),
        1 => writeln!(text, "const {name} = function ({head}): number {{\n{inner}}};"),
        2 => {
            let extra = inner.replacen("return ", "return arguments.length + ", 1);
            writeln!(text, "function {name}({head}): number {{\n{extra}}}")
        }
        3 => writeln!(text, "const {name} = ({head}) => {{\n{inner}}};"),
        _ => writeln!(text, "function {name}({head}): number {{\n{inner}}}"),
    }
    .expect("a string takes it");
    (text, Kind::Function(signature))
}

fn overloaded(dice: &mut Dice, env: &Env, name: &str) -> (String, Kind) {
    let signature = Signature {
        parameters: vec![
            Parameter { name: "alpha".to_owned(), form: Form::Required },
            Parameter { name: "beta".to_owned(), form: Form::Optional },
        ],
        is_generic: false,
    };
    let inner = body(dice, &env.without("beta").with("alpha"), "  ");
    let text = format!(
        "function {name}(alpha: number): number;\nfunction {name}(alpha: number, beta?: number): number;\n\
         function {name}(alpha: number, beta: number = 1): number {{\n{inner}}}\n"
    );
    (text, Kind::Function(signature))
}

fn generic(dice: &mut Dice, env: &Env, name: &str) -> (String, Kind) {
    let signature = Signature {
        parameters: vec![
            Parameter { name: "value".to_owned(), form: Form::Required },
            Parameter { name: "size".to_owned(), form: Form::Default },
        ],
        is_generic: true,
    };
    let text = format!(
        "function {name}<T extends number>(value: T, size: number = {}): number {{\n  return value + size;\n}}\n",
        expression(dice, &env.without("value").without("size"), 1)
    );
    (text, Kind::Function(signature))
}

fn class(dice: &mut Dice, env: &Env, name: &str) -> (String, Kind) {
    let parents: Vec<(String, Class)> = env
        .values
        .iter()
        .filter_map(|(text, kind)| match kind {
            Kind::Class(class) => Some((text.clone(), class.clone())),
            Kind::Number | Kind::Function(_) | Kind::Enum | Kind::Table | Kind::Type => None,
        })
        .collect();
    let env = env.without(name);
    if let Some((parent, class)) = dice.pick_from(&parents).cloned()
        && dice.once_in(2)
    {
        return subclass(dice, &env, name, &parent, class);
    }
    let constructor = parameters(dice, 3);
    let inner = inside(&env, &constructor);
    let mut text = format!("class {name} {{\n  base = 1;\n");
    let head = shown(dice, &constructor);
    writeln!(
        text,
        "  constructor({head}) {{\n    this.base = {};\n  }}",
        expression(dice, &inner, 2)
    )
    .expect("a string takes it");
    let mut class = Class { constructor, ..Class::default() };
    for method in ["load", "total"] {
        if dice.once_in(3) {
            continue;
        }
        let signature = parameters(dice, 3);
        let head = shown(dice, &signature);
        let mut inner = inside(&env, &signature);
        inner.values.push(("this.base".to_owned(), Kind::Number));
        let inner = expression(dice, &inner, 2);
        writeln!(text, "\n  {method}({head}): number {{\n    return {inner};\n  }}")
            .expect("a string takes it");
        class.methods.push((method.to_owned(), signature));
    }
    if dice.once_in(2) {
        writeln!(text, "\n  get area(): number {{\n    return this.base * 2;\n  }}")
            .expect("a string takes it");
        class.getters.push("area".to_owned());
    }
    if dice.once_in(2) {
        let signature = parameters(dice, 2);
        let head = shown(dice, &signature);
        let inner = body(dice, &inside(&env, &signature), "    ");
        writeln!(text, "\n  static make({head}): number {{\n{inner}  }}")
            .expect("a string takes it");
        class.statics.push(("make".to_owned(), signature));
    }
    text.push_str("}\n");
    (text, Kind::Class(class))
}

fn subclass(dice: &mut Dice, env: &Env, name: &str, parent: &str, class: Class) -> (String, Kind) {
    let mut text = format!("class {name} extends {parent} {{\n  extra = 2;\n");
    if let Some((method, signature)) = dice.pick_from(&class.methods)
        && dice.once_in(2)
    {
        let head = shown(dice, signature);
        let inner = inside(env, signature);
        let passed: Vec<String> = signature
            .parameters
            .iter()
            .map(|parameter| match parameter.form {
                Form::Rest => format!("...{}", parameter.name),
                Form::Object => "{ x, y }".to_owned(),
                Form::Required | Form::Default | Form::Optional => parameter.name.clone(),
            })
            .collect();
        writeln!(
            text,
            "\n  {method}({head}): number {{\n    return super.{method}({}) + {};\n  }}",
            passed.join(", "),
            expression(dice, &inner, 1)
        )
        .expect("a string takes it");
    }
    text.push_str("}\n");
    (text, Kind::Class(class))
}
