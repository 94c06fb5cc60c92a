//! One request after the other: a later one names what an earlier one moved or renamed, and operations are planned one by one.

use crate::operation::{Operation, SymbolPath};

/// The operation as it has to be after these.
pub(super) fn follow(earlier: &[Operation], mut operation: Operation) -> Operation {
    for before in earlier {
        match &mut operation {
            Operation::Rename { symbol, .. } | Operation::InlineReexport { symbol, .. } => {
                move_symbol(before, symbol);
            }
            Operation::RenameParameter { function, .. }
            | Operation::AddParameter { function, .. }
            | Operation::RemoveParameter { function, .. }
            | Operation::ReorderParameters { function, .. } => move_symbol(before, function),
            Operation::ParameterObject { function, module, .. } => {
                move_symbol(before, function);
                move_path(before, module);
            }
            Operation::RenameModule { path, .. } => move_path(before, path),
            Operation::Move { symbols, to } | Operation::MoveMethod { methods: symbols, to } => {
                move_symbols(before, symbols);
                move_path(before, to);
            }
            Operation::Merge { modules, into, .. } => {
                for path in modules {
                    move_path(before, path);
                }
                move_path(before, into);
            }
            Operation::Encapsulate { functions, .. } => {
                move_symbols(before, functions);
            }
            Operation::ReplaceDuplicate { keep, remove } => {
                move_symbol(before, keep);
                move_symbol(before, remove);
            }
        }
    }
    operation
}

fn move_path(before: &Operation, path: &mut String) {
    match before {
        Operation::RenameModule { path: from, to } if path == from => path.clone_from(to),
        Operation::RenameModule { path: from, to } => {
            if let Some(rest) = path.strip_prefix(&format!("{from}/")) {
                *path = format!("{to}/{rest}");
            }
        }
        Operation::Merge { modules, into, .. } if modules.contains(path) => path.clone_from(into),
        _ => {}
    }
}

fn move_symbols(before: &Operation, symbols: &mut [SymbolPath]) {
    for symbol in symbols {
        move_symbol(before, symbol);
    }
}

fn move_symbol(before: &Operation, symbol: &mut SymbolPath) {
    match before {
        Operation::Rename { symbol: from, to, .. } if from == symbol => {
            symbol.name = renamed(&from.name, to);
        }
        Operation::Rename { symbol: from, to, .. } if from.path == symbol.path => {
            if let Some(rest) = symbol.name.strip_prefix(&format!("{}.", from.name)) {
                symbol.name = format!("{to}.{rest}");
            }
        }
        Operation::Move { symbols, to } if symbols.contains(symbol) => symbol.path.clone_from(to),
        Operation::MoveMethod { methods, to } if methods.contains(symbol) => {
            symbol.path.clone_from(to);
            symbol.name = last(&symbol.name).to_owned();
        }
        Operation::Encapsulate { functions, class } if functions.contains(symbol) => {
            symbol.name = format!("{class}.{}", symbol.name);
        }
        _ => move_path(before, &mut symbol.path),
    }
}

fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// `Class.old` becomes `Class.new`.
fn renamed(name: &str, to: &str) -> String {
    name.rsplit_once('.').map_or_else(|| to.to_owned(), |(class, _)| format!("{class}.{to}"))
}

/// A symbol that has this name only since an earlier operation.
pub(super) fn made_symbol(earlier: &[Operation], name: &str) -> Option<SymbolPath> {
    earlier.iter().rev().find_map(|operation| match operation {
        Operation::Rename { symbol, to, .. } if to == name => {
            Some(SymbolPath { path: symbol.path.clone(), name: renamed(&symbol.name, to) })
        }
        _ => None,
    })
}

/// "rename a to b, then b to c".
pub(super) fn renamed_again(earlier: &[Operation], name: &str, to: &str) -> Option<Operation> {
    let symbol = made_symbol(earlier, name)?;
    let to = to.to_owned();
    Some(Operation::Rename {
        symbol,
        to,
        keep_name_in: Vec::new(),
        alias: false,
        rename_tests: false,
        rename_files: false,
        note_in_changelogs: None,
    })
}
