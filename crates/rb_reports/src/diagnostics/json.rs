//! Tools that were asked for JSON by the project: eslint, ruff, pyright, golangci-lint.

use serde_json::Value;

use super::{Diagnostic, Severity, severity};

/// `None` where the output holds no JSON that is known.
pub(super) fn read(text: &str) -> Option<Vec<Diagnostic>> {
    // A package manager says what it runs first.
    let at = text.lines().find(|line| line.starts_with(['[', '{']))?;
    let start = at.as_ptr() as usize - text.as_ptr() as usize;
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    let value = values.next()?.ok()?;
    let list = value.as_array();
    let has = |key: &str| list.is_some_and(|all| all.iter().any(|it| it.get(key).is_some()));
    if has("messages") {
        return Some(list?.iter().flat_map(of_file).collect());
    }
    if has("location") {
        return Some(list?.iter().map(of_ruff).collect());
    }
    let pyright = value.get("generalDiagnostics").and_then(Value::as_array);
    if let Some(all) = pyright {
        return Some(all.iter().map(of_pyright).collect());
    }
    let all = value.get("Issues").and_then(Value::as_array)?;
    Some(all.iter().map(of_golangci).collect())
}

fn of_file(file: &Value) -> Vec<Diagnostic> {
    let all = file.get("messages").and_then(Value::as_array).into_iter().flatten();
    all.map(|message| Diagnostic {
        file: text(file, "/filePath"),
        line: number(message, "/line"),
        column: number(message, "/column"),
        severity: match message.get("severity").and_then(Value::as_u64) {
            Some(1) => Severity::Warning,
            _ => Severity::Error,
        },
        code: text(message, "/ruleId"),
        message: text(message, "/message"),
    })
    .collect()
}

fn of_ruff(found: &Value) -> Diagnostic {
    Diagnostic {
        file: text(found, "/filename"),
        line: number(found, "/location/row"),
        column: number(found, "/location/column"),
        severity: Severity::Error,
        code: text(found, "/code"),
        message: text(found, "/message"),
    }
}

fn of_pyright(found: &Value) -> Diagnostic {
    Diagnostic {
        file: text(found, "/file"),
        line: number(found, "/range/start/line") + 1,
        column: number(found, "/range/start/character") + 1,
        severity: severity(&text(found, "/severity")).unwrap_or(Severity::Error),
        code: text(found, "/rule"),
        message: text(found, "/message"),
    }
}

fn of_golangci(found: &Value) -> Diagnostic {
    Diagnostic {
        file: text(found, "/Pos/Filename"),
        line: number(found, "/Pos/Line"),
        column: number(found, "/Pos/Column"),
        severity: severity(&text(found, "/Severity")).unwrap_or(Severity::Error),
        code: text(found, "/FromLinter"),
        message: text(found, "/Text"),
    }
}

fn text(value: &Value, at: &str) -> String {
    value.pointer(at).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn number(value: &Value, at: &str) -> u32 {
    let number = value.pointer(at).and_then(Value::as_u64);
    number.and_then(|number| u32::try_from(number).ok()).unwrap_or(0)
}
