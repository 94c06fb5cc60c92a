//! A random operation on a program, on targets that exist.

use rb_operations::{CallPlace, CallValue, Operation, SymbolPath};

use crate::dice::Dice;
use crate::expression::{Form, Kind, NAMES, Parameter, Signature};
use crate::programs::{BARREL, MAIN, Program, Symbol};

const FRESH: &[&str] = &["fresh", "renamed", "$hidden", "loadAll", "Fresh"];
const NEW_FILES: &[&str] = &[
    "src/fresh.ts",
    "src/core/fresh.ts",
    "src/total.ts",
    "other/fresh.ts",
    "src/util/inner/fresh.ts",
];

/// None if the program has no target for the operation that was chosen.
pub(crate) fn random_operation(dice: &mut Dice, program: &Program) -> Option<Operation> {
    Some(match dice.roll(15) {
        0 | 1 => {
            let (function, signature) = function(dice, program)?;
            let parameter = dice.pick_from(&signature.parameters)?;
            let is_object = parameter.form == Form::Object;
            let parameter = if is_object { "x".to_owned() } else { parameter.name.clone() };
            Operation::RenameParameter { function, parameter, to: new_name(dice) }
        }
        2 => rename_module(dice, program)?,
        3..=5 => {
            let first = path_of(dice.pick_from(&program.symbols)?);
            let mut symbols = vec![first.clone()];
            symbols.extend(neighbour(dice, program, &first));
            Operation::Move { symbols, to: file(dice, program)? }
        }
        6 => Operation::Merge {
            modules: vec![module(dice, program)?],
            into: file(dice, program)?,
            merge_tests: false,
        },
        7 | 8 => add_parameter(dice, program)?,
        9 => {
            let (function, signature) = function(dice, program)?;
            let name = dice.pick_from(&signature.parameters)?.name.clone();
            Operation::RemoveParameter { function, name }
        }
        10 => reorder(dice, program)?,
        11 => parameter_object(dice, program)?,
        12 => encapsulate(dice, program)?,
        13 => {
            let name = dice.pick_from(&program.symbols)?.name.clone();
            let symbol = SymbolPath { path: BARREL.to_owned(), name };
            Operation::InlineReexport { symbol, files: vec![] }
        }
        _ => replace_duplicate(program)?,
    })
}

fn path_of(symbol: &Symbol) -> SymbolPath {
    SymbolPath { path: symbol.path.clone(), name: symbol.name.clone() }
}

/// Another symbol of the same file, sometimes.
fn neighbour(dice: &mut Dice, program: &Program, first: &SymbolPath) -> Option<SymbolPath> {
    let is_near = |other: &SymbolPath| other.path == first.path && other != first;
    let others: Vec<SymbolPath> = program.symbols.iter().map(path_of).filter(is_near).collect();
    dice.pick_from(&others).filter(|_| dice.once_in(3)).cloned()
}

/// A function, a method, a static method or a constructor.
fn function(dice: &mut Dice, program: &Program) -> Option<(SymbolPath, Signature)> {
    let mut functions = Vec::new();
    for symbol in &program.symbols {
        let path = path_of(symbol);
        match &symbol.kind {
            Kind::Function(signature) => functions.push((path, signature.clone())),
            Kind::Class(class) => {
                let constructor = ("constructor".to_owned(), class.constructor.clone());
                let members = class.methods.iter().chain(&class.statics);
                for (name, signature) in members.chain([&constructor]) {
                    let name = format!("{}.{name}", symbol.name);
                    let path = SymbolPath { path: symbol.path.clone(), name };
                    functions.push((path, signature.clone()));
                }
            }
            Kind::Number | Kind::Enum | Kind::Table | Kind::Type => {}
        }
    }
    dice.pick_from(&functions).cloned()
}

fn new_name(dice: &mut Dice) -> String {
    (if dice.once_in(3) { dice.pick(NAMES) } else { dice.pick(FRESH) }).to_owned()
}

fn module(dice: &mut Dice, program: &Program) -> Option<String> {
    let modules: Vec<&String> = program.files.keys().filter(|path| *path != MAIN).collect();
    dice.pick_from(&modules).map(|path| (*path).clone())
}

/// A file of the program or a new one.
fn file(dice: &mut Dice, program: &Program) -> Option<String> {
    if dice.once_in(2) {
        return Some(dice.pick(NEW_FILES).to_owned());
    }
    module(dice, program)
}

fn rename_module(dice: &mut Dice, program: &Program) -> Option<Operation> {
    if dice.once_in(4) {
        let to = dice.pick(&["src/inner", "outer", "src/util/core"]).to_owned();
        return Some(Operation::RenameModule { path: "src/core".to_owned(), to });
    }
    let to = dice.pick(NEW_FILES).to_owned();
    Some(Operation::RenameModule { path: module(dice, program)?, to })
}

fn add_parameter(dice: &mut Dice, program: &Program) -> Option<Operation> {
    let (function, _) = function(dice, program)?;
    let default = (!dice.once_in(3)).then(|| "7".to_owned());
    let calls = if dice.once_in(3) { CallPlace::NotTests } else { CallPlace::All };
    let values = if default.is_some() && dice.once_in(2) {
        vec![]
    } else {
        vec![CallValue { value: "5".to_owned(), calls, within: vec![] }]
    };
    Some(Operation::AddParameter {
        function,
        name: new_name(dice),
        default,
        annotation: dice.once_in(2).then(|| "number".to_owned()),
        values,
        logs: false,
    })
}

fn reorder(dice: &mut Dice, program: &Program) -> Option<Operation> {
    let (function, signature) = function(dice, program)?;
    let group = |is_required: bool| -> Vec<String> {
        let is_wanted = |it: &&Parameter| {
            matches!(it.form, Form::Required | Form::Object) == is_required && it.form != Form::Rest
        };
        signature.parameters.iter().filter(is_wanted).map(|it| it.name.clone()).collect()
    };
    let (mut required, mut optional) = (group(true), group(false));
    dice.shuffle(&mut required);
    dice.shuffle(&mut optional);
    let rest = signature.parameters.iter().filter(|it| it.form == Form::Rest);
    let mut order = [required, optional, rest.map(|it| it.name.clone()).collect()].concat();
    if dice.once_in(6) {
        dice.shuffle(&mut order);
    }
    let names = signature.parameters.iter().map(|it| &it.name);
    let is_other = !names.eq(&order);
    is_other.then_some(Operation::ReorderParameters { function, order })
}

fn parameter_object(dice: &mut Dice, program: &Program) -> Option<Operation> {
    let (function, signature) = function(dice, program)?;
    let mut parameters: Vec<String> =
        signature.parameters.iter().map(|parameter| parameter.name.clone()).collect();
    match dice.roll(4) {
        0 | 1 => parameters.clear(),
        2 => parameters.truncate(1),
        _ => {}
    }
    let module = if dice.once_in(2) { String::new() } else { file(dice, program)? };
    let class = dice.pick(&["Options", "Item"]).to_owned();
    Some(Operation::ParameterObject { function, class, module, parameters })
}

fn encapsulate(dice: &mut Dice, program: &Program) -> Option<Operation> {
    let is_function = |symbol: &&Symbol| matches!(symbol.kind, Kind::Function(_));
    let functions: Vec<SymbolPath> =
        program.symbols.iter().filter(is_function).map(path_of).collect();
    let first = dice.pick_from(&functions)?.clone();
    let mut chosen = vec![first.clone()];
    chosen.extend(
        functions
            .into_iter()
            .filter(|other| other.path == first.path && *other != first && dice.once_in(2)),
    );
    let class = dice.pick(&["Tools", "Item"]).to_owned();
    Some(Operation::Encapsulate { functions: chosen, class })
}

fn replace_duplicate(program: &Program) -> Option<Operation> {
    let mut twins = program.symbols.iter().filter(|symbol| symbol.name == "twin").map(path_of);
    Some(Operation::ReplaceDuplicate { keep: twins.next()?, remove: twins.next()? })
}
