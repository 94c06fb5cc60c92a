//! A random operation on a program, on targets that exist.

use rb_operations::{CallPlace, CallValue, Operation, SymbolPath};

use crate::dice::Dice;
use crate::expression::{Kind, Member, MemberKind, NAMES, Parameter, Signature};
use crate::programs::{Program, Symbol};

const FRESH: &[&str] = &["fresh", "renamed", "_hidden", "load_all", "Fresh"];
const NEW_FILES: &[&str] = &[
    "shop/fresh.py",
    "shop/sub/fresh.py",
    "fresh.py",
    "shop/total.py",
    "other/fresh.py",
    "shop/inner/fresh.py",
];

/// None if the program has no target for the operation that was chosen.
pub(crate) fn random_operation(dice: &mut Dice, program: &Program) -> Option<Operation> {
    Some(match dice.roll(16) {
        0 | 1 => {
            let symbol = if dice.once_in(2) {
                path_of(symbol(dice, program)?)
            } else {
                member(dice, program, |_| true)?.0
            };
            let to = new_name(dice);
            Operation::Rename {
                symbol,
                to,
                keep_name_in: vec![],
                alias: dice.once_in(4),
                rename_tests: false,
                rename_files: false,
                note_in_changelogs: None,
            }
        }
        2 => {
            let (function, signature) = function(dice, program)?;
            let parameter = dice.pick_from(&signature.parameters)?.name.clone();
            Operation::RenameParameter { function, parameter, to: new_name(dice) }
        }
        3 => rename_module(dice, program)?,
        4 | 5 => {
            let first = path_of(symbol(dice, program)?);
            let mut symbols = vec![first.clone()];
            symbols.extend(neighbour(dice, program, &first));
            Operation::Move { symbols, to: file(dice, program)? }
        }
        6 => {
            let is_method = |member: &Member| {
                matches!(member.kind, MemberKind::Method(_) | MemberKind::ClassMethod(_))
            };
            let (method, _) = member(dice, program, is_method)?;
            Operation::MoveMethod { methods: vec![method], to: file(dice, program)? }
        }
        7 => Operation::Merge {
            modules: vec![module(dice, program)?],
            into: file(dice, program)?,
            merge_tests: false,
        },
        8 => add_parameter(dice, program)?,
        9 => {
            let (function, signature) = function(dice, program)?;
            let name = dice.pick_from(&signature.parameters)?.name.clone();
            Operation::RemoveParameter { function, name }
        }
        10 => reorder(dice, program)?,
        11 | 12 => parameter_object(dice, program)?,
        13 => encapsulate(dice, program)?,
        14 => Operation::InlineReexport { symbol: path_of(symbol(dice, program)?), files: vec![] },
        _ => replace_duplicate(program)?,
    })
}

fn symbol<'p>(dice: &mut Dice, program: &'p Program) -> Option<&'p Symbol> {
    dice.pick_from(&program.symbols)
}

fn path_of(symbol: &Symbol) -> SymbolPath {
    SymbolPath { path: symbol.path.clone(), name: symbol.name.clone() }
}

/// Another symbol of the same file, sometimes.
fn neighbour(dice: &mut Dice, program: &Program, first: &SymbolPath) -> Option<SymbolPath> {
    let others: Vec<SymbolPath> = program
        .symbols
        .iter()
        .map(path_of)
        .filter(|other| other.path == first.path && other != first)
        .collect();
    dice.pick_from(&others).filter(|_| dice.once_in(3)).cloned()
}

fn member(
    dice: &mut Dice,
    program: &Program,
    is_wanted: impl Fn(&Member) -> bool,
) -> Option<(SymbolPath, Member)> {
    let mut members = Vec::new();
    for symbol in program.symbols.iter().filter(|symbol| !symbol.path.ends_with("__init__.py")) {
        let Kind::Class(class) = &symbol.kind else { continue };
        for member in class.members.iter().filter(|member| member.is_own && is_wanted(member)) {
            let name = format!("{}.{}", symbol.name, member.name);
            members.push((SymbolPath { path: symbol.path.clone(), name }, member.clone()));
        }
    }
    dice.pick_from(&members).cloned()
}

/// A function, or a method.
fn function(dice: &mut Dice, program: &Program) -> Option<(SymbolPath, Signature)> {
    let mut functions = Vec::new();
    for symbol in program.symbols.iter().filter(|symbol| !symbol.path.ends_with("__init__.py")) {
        match &symbol.kind {
            Kind::Function(signature) => functions.push((path_of(symbol), signature.clone())),
            Kind::Class(class) => {
                let name = format!("{}.__init__", symbol.name);
                let path = symbol.path.clone();
                functions.push((SymbolPath { path, name }, class.constructor.clone()));
            }
            Kind::Number | Kind::Instance(_) | Kind::Decorator => {}
        }
    }
    let method = member(dice, program, |_| true);
    match method.map(|(path, member)| (path, member.kind)) {
        Some((path, MemberKind::Method(signature) | MemberKind::ClassMethod(signature)))
            if dice.once_in(2) =>
        {
            Some((path, signature))
        }
        _ => dice.pick_from(&functions).cloned(),
    }
}

fn new_name(dice: &mut Dice) -> String {
    (if dice.once_in(3) { dice.pick(NAMES) } else { dice.pick(FRESH) }).to_owned()
}

fn module(dice: &mut Dice, program: &Program) -> Option<String> {
    // What is run as a program stays where it is.
    let is_module = |path: &&String| !path.ends_with("__init__.py") && *path != "main.py";
    let modules: Vec<&String> = program.files.keys().filter(is_module).collect();
    dice.pick_from(&modules).map(|path| (*path).clone())
}

/// A file of the program or a new one.
fn file(dice: &mut Dice, program: &Program) -> Option<String> {
    if dice.once_in(2) {
        return Some(dice.pick(NEW_FILES).to_owned());
    }
    let files: Vec<&String> = program.files.keys().collect();
    dice.pick_from(&files).map(|path| (*path).clone())
}

fn rename_module(dice: &mut Dice, program: &Program) -> Option<Operation> {
    if dice.once_in(4) {
        let to = dice.pick(&["shop/inner", "outer", "shop/load"]).to_owned();
        return Some(Operation::RenameModule { path: "shop/sub".to_owned(), to });
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
        annotation: dice.once_in(2).then(|| "int".to_owned()),
        values,
        logs: false,
    })
}

fn reorder(dice: &mut Dice, program: &Program) -> Option<Operation> {
    let (function, signature) = function(dice, program)?;
    let by_group = |wanted: [bool; 2]| -> Vec<String> {
        let is_wanted = |it: &&Parameter| [it.has_default, it.is_keyword_only] == wanted;
        signature.parameters.iter().filter(is_wanted).map(|it| it.name.clone()).collect()
    };
    let (mut required, mut optional) = (by_group([false, false]), by_group([true, false]));
    dice.shuffle(&mut required);
    dice.shuffle(&mut optional);
    let mut order = [required, optional, by_group([false, true]), by_group([true, true])].concat();
    if dice.once_in(6) {
        dice.shuffle(&mut order);
    }
    if function.name.contains('.') {
        order.insert(0, "self".to_owned());
    }
    Some(Operation::ReorderParameters { function, order })
}

fn parameter_object(dice: &mut Dice, program: &Program) -> Option<Operation> {
    let (function, signature) = function(dice, program)?;
    let mut parameters: Vec<String> =
        signature.parameters.iter().map(|parameter| parameter.name.clone()).collect();
    let (all, one) = (dice.once_in(2), dice.once_in(2));
    parameters.truncate(match (all, one) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => parameters.len(),
    });
    let module = if dice.once_in(2) { String::new() } else { file(dice, program)? };
    let class = dice.pick(&["Options", "Item"]).to_owned();
    Some(Operation::ParameterObject { function, class, module, parameters })
}

fn encapsulate(dice: &mut Dice, program: &Program) -> Option<Operation> {
    let functions: Vec<SymbolPath> = program
        .symbols
        .iter()
        .filter(|symbol| matches!(symbol.kind, Kind::Function(_)))
        .map(path_of)
        .collect();
    let first = dice.pick_from(&functions)?.clone();
    let mut chosen = vec![first.clone()];
    chosen.extend(
        functions
            .into_iter()
            .filter(|other| other.path == first.path && *other != first && dice.once_in(2)),
    );
    Some(Operation::Encapsulate {
        functions: chosen,
        class: dice.pick(&["Tools", "Item"]).to_owned(),
    })
}

fn replace_duplicate(program: &Program) -> Option<Operation> {
    let mut twins = program
        .symbols
        .iter()
        .filter(|symbol| symbol.name == "twin" && !symbol.path.ends_with("__init__.py"))
        .map(path_of);
    Some(Operation::ReplaceDuplicate { keep: twins.next()?, remove: twins.next()? })
}
