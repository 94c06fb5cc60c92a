//! Operations in plain English, one line each.

use std::fmt::Write as _;

use crate::operation::{CallPlace, CallValue, Operation, SymbolPath};

impl Operation {
    /// One line without a full stop: "rename `parse_kv` to `parse_key_value` (lib/parsing/splitter.py)".
    pub fn describe(&self) -> String {
        match self {
            Operation::Rename { .. } => self.describe_rename(),
            Operation::AddParameter { .. }
            | Operation::RenameParameter { .. }
            | Operation::RemoveParameter { .. }
            | Operation::ReorderParameters { .. }
            | Operation::ParameterObject { .. } => self.describe_parameters(),
            Operation::RenameModule { path, to } => format!("rename {path} to {to}"),
            Operation::Move { symbols, to } => format!("move {} to {to}", with_file(symbols)),
            Operation::MoveMethod { methods, to } => {
                format!("move {} out of the class into {to}", with_file(methods))
            }
            Operation::Merge { modules, into, merge_tests } => {
                let tests = if *merge_tests { ", their tests included" } else { "" };
                format!("merge {} into {into}{tests}", listed(modules.clone()))
            }
            Operation::Encapsulate { functions, class } => {
                format!("make {} static methods of a new class `{class}`", with_file(functions))
            }
            Operation::InlineReexport { symbol: SymbolPath { name, path }, files } => {
                let place = match files.as_slice() {
                    [] => "everywhere".to_owned(),
                    _ => format!("in {}", listed(files.clone())),
                };
                format!("import `{name}` from {path}, where it is defined, {place}")
            }
            Operation::ReplaceDuplicate { keep, remove } => {
                format!(
                    "remove `{}` from {} and import it from {}",
                    remove.name, remove.path, keep.path
                )
            }
        }
    }

    fn describe_rename(&self) -> String {
        let mut line = String::new();
        if let Operation::Rename {
            symbol,
            to,
            keep_name_in,
            alias,
            rename_tests,
            rename_files,
            note_in_changelogs,
        } = self
        {
            let _ = write!(line, "rename `{}` to `{to}` ({})", symbol.name, symbol.path);
            if !keep_name_in.is_empty() {
                let old = symbol.name.rsplit('.').next().unwrap_or_default();
                let _ = write!(line, ", still exported as `{old}` by {}", keep_name_in.join(", "));
            }
            if *alias {
                line.push_str(", with the old name as an alias");
            }
            if *rename_files {
                line.push_str(", files and tests named after it included");
            } else if *rename_tests {
                line.push_str(", tests named after it included");
            }
            if let Some(note) = note_in_changelogs {
                let _ = write!(line, ", with \"{note}\" in changelogs");
            }
        }
        line
    }

    fn describe_parameters(&self) -> String {
        let of = |function: &SymbolPath| format!("`{}` ({})", function.name, function.path);
        match self {
            Operation::AddParameter { function, name, default, annotation, values, logs } => {
                let annotation =
                    annotation.as_ref().map_or(String::new(), |text| format!(": {text}"));
                let default = default.as_ref().map_or(String::new(), |text| format!(" = {text}"));
                let logs = if *logs { ", which turns on logging" } else { "" };
                let function = of(function);
                let passed = passed(name, values);
                format!(
                    "add the parameter `{name}{annotation}{default}` to {function}{logs}{passed}"
                )
            }
            Operation::RenameParameter { function, parameter, to } => {
                format!("rename the parameter `{parameter}` of {} to `{to}`", of(function))
            }
            Operation::RemoveParameter { function, name } => {
                format!("remove the parameter `{name}` of {}", of(function))
            }
            Operation::ReorderParameters { function, order } => {
                format!("reorder the parameters of {} to {}", of(function), order.join(", "))
            }
            Operation::ParameterObject { function, class, module, parameters } => {
                let what = match parameters.as_slice() {
                    [] => "all parameters".to_owned(),
                    _ => names(parameters),
                };
                let is_elsewhere = !module.is_empty() && *module != function.path;
                let place = if is_elsewhere { format!(" in {module}") } else { String::new() };
                format!("wrap {what} of {} in a new class `{class}`{place}", of(function))
            }
            _ => String::new(),
        }
    }
}

/// "`a` and `b` (x.py)", or each with its file.
fn with_file(symbols: &[SymbolPath]) -> String {
    let Some(first) = symbols.first() else { return "nothing".to_owned() };
    if symbols.iter().all(|symbol| symbol.path == first.path) {
        let names: Vec<String> = symbols.iter().map(|symbol| symbol.name.clone()).collect();
        return format!("{} ({})", self::names(&names), first.path);
    }
    listed(symbols.iter().map(|symbol| format!("`{}` ({})", symbol.name, symbol.path)).collect())
}

fn names(names: &[String]) -> String {
    listed(names.iter().map(|name| format!("`{name}`")).collect())
}

/// "a, b and c"
fn listed(mut items: Vec<String>) -> String {
    match (items.pop(), items.is_empty()) {
        (Some(last), false) => format!("{} and {last}", items.join(", ")),
        (Some(last), true) => last,
        (None, _) => String::new(),
    }
}

fn passed(name: &str, values: &[CallValue]) -> String {
    let one = |value: &CallValue| {
        let calls = match value.calls {
            CallPlace::All => "all calls",
            CallPlace::Tests => "calls in tests",
            CallPlace::NotTests => "calls outside of tests",
        };
        let place = match value.within.as_slice() {
            [] => String::new(),
            places => format!(" in {}", listed(places.to_vec())),
        };
        format!("; {calls}{place} pass `{name}={}`", value.value)
    };
    values.iter().map(one).collect::<Vec<String>>().concat()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn st3_operations_in_words() {
        let operations = r#"[
            {"operation":"rename","symbol":"a.py#C.f","to":"g","keep_name_in":["__init__.py"],"rename_files":true,"note_in_changelogs":"now g"},
            {"operation":"rename-parameter","function":"a.py#f","parameter":"x","to":"y"},
            {"operation":"rename-module","path":"a.py","to":"b.py"},
            {"operation":"move","symbols":["a.py#f","a.py#g","a.py#h"],"to":"b.py"},
            {"operation":"move","symbols":["a.py#f","c.py#g"],"to":"b.py"},
            {"operation":"move-method","methods":["a.py#C.f"],"to":"b.py"},
            {"operation":"merge","modules":["a.py","b.py"],"into":"c.py","merge_tests":true},
            {"operation":"add-parameter","function":"a.py#f","name":"log","default":"False","annotation":"bool","values":[{"value":"True","calls":"not-tests"}],"logs":true},
            {"operation":"remove-parameter","function":"a.py#f","name":"x"},
            {"operation":"reorder-parameters","function":"a.py#f","order":["b","a"]},
            {"operation":"parameter-object","function":"a.py#f","class":"C","module":"b.py","parameters":[]},
            {"operation":"encapsulate","functions":["a.py#f"],"class":"C"},
            {"operation":"inline-reexport","symbol":"a.py#f","files":["b.py"]},
            {"operation":"replace-duplicate","keep":"a.py#f","remove":"b.py#f"}
        ]"#;
        let operations: Vec<Operation> = serde_json::from_str(operations).unwrap();
        let lines: Vec<String> = operations.iter().map(Operation::describe).collect();
        expect![[r#"
            rename `C.f` to `g` (a.py), still exported as `f` by __init__.py, files and tests named after it included, with "now g" in changelogs
            rename the parameter `x` of `f` (a.py) to `y`
            rename a.py to b.py
            move `f`, `g` and `h` (a.py) to b.py
            move `f` (a.py) and `g` (c.py) to b.py
            move `C.f` (a.py) out of the class into b.py
            merge a.py and b.py into c.py, their tests included
            add the parameter `log: bool = False` to `f` (a.py), which turns on logging; calls outside of tests pass `log=True`
            remove the parameter `x` of `f` (a.py)
            reorder the parameters of `f` (a.py) to b, a
            wrap all parameters of `f` (a.py) in a new class `C` in b.py
            make `f` (a.py) static methods of a new class `C`
            import `f` from a.py, where it is defined, in b.py
            remove `f` from b.py and import it from a.py"#]].assert_eq(&lines.join("\n"));
    }
}
