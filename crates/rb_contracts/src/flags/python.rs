//! Flags of argparse, click and typer.

use super::FoundFlag;
use crate::sources::stem;
use crate::syntax::{Parsed, Piece};

pub(super) fn read(path: &str, parsed: &Parsed) -> Vec<FoundFlag> {
    // Django names a command after its file.
    let command = if path.contains("management/commands/") { stem(path) } else { "" };
    let mut out = Vec::new();
    for call in parsed.root().all().filter(|piece| piece.is("call")) {
        let function = call.field_text("function").rsplit('.').next().unwrap_or_default();
        match function {
            "add_argument" => out.extend(argument(call, command)),
            "option" | "argument" if decorated(call).is_some() => {
                out.extend(argument(call, decorated(call).unwrap_or_default()));
            }
            "Option" | "Argument" => out.extend(typer(call)),
            _ => {}
        }
    }
    out
}

/// The function that a decorator stands on is the command.
fn decorated(call: Piece<'_>) -> Option<&str> {
    let decorator = call.parent().filter(|it| it.is("decorator"))?;
    decorator.parent()?.field("definition").map(|it| it.field_text("name"))
}

fn argument(call: Piece<'_>, command: &str) -> Option<FoundFlag> {
    let spelled: Vec<&str> = call.arguments().iter().filter_map(|it| it.literal()).collect();
    let flags: Vec<&str> = spelled.iter().copied().filter(|it| it.starts_with('-')).collect();
    let long = flags.iter().find(|it| it.starts_with("--")).or(flags.first());
    let short =
        flags.iter().find(|it| !it.starts_with("--")).filter(|short| Some(short) != long.as_ref());
    let is_flag = long.is_some();
    let name = (*long.or(spelled.first())?).split('/').next()?.to_owned();
    let text = |key: &str| keyword(call, key).map(Piece::normal);
    let action = text("action").unwrap_or_default();
    let takes_none = action.contains("store_true")
        || action.contains("store_false")
        || action.contains("store_const")
        || action.contains("count")
        || action.contains("help")
        || action.contains("version")
        || text("is_flag").as_deref() == Some("True");
    let default = text("default").filter(|it| it != "None" && it != "argparse.SUPPRESS");
    let may_miss = text("nargs").is_some_and(|it| matches!(it.as_str(), "\"?\"" | "\"*\"" | "-1"))
        || default.is_some();
    let required = match text("required").as_deref() {
        Some(given) => given == "True",
        None => !is_flag && !may_miss,
    };
    Some(FoundFlag {
        command: command.to_owned(),
        name,
        short: short.map(|it| (*it).to_owned()),
        value: !takes_none,
        required,
        default,
        line: call.line(),
    })
}

/// `port: int = typer.Option(80, "--port", "-p")`
fn typer(call: Piece<'_>) -> Option<FoundFlag> {
    let param = call
        .parent()
        .filter(|it| matches!(it.kind(), "typed_default_parameter" | "default_parameter"))?;
    let function = param.around(&["function_definition"])?;
    let arguments = call.arguments();
    let flags: Vec<&str> =
        arguments.iter().filter_map(|it| it.literal()).filter(|it| it.starts_with('-')).collect();
    let is_option = call.field_text("function").ends_with("Option");
    let plain = param.field_text("name").replace('_', "-");
    let named = flags
        .iter()
        .find(|it| it.starts_with("--"))
        .map(|it| it.split('/').next().unwrap_or_default().to_owned());
    let default = arguments
        .first()
        .filter(|it| {
            !it.is("keyword_argument") && !it.literal().is_some_and(|it| it.starts_with('-'))
        })
        .map(|it| it.normal());
    Some(FoundFlag {
        command: function.field_text("name").to_owned(),
        name: named.unwrap_or_else(|| if is_option { format!("--{plain}") } else { plain }),
        short: flags.iter().find(|it| !it.starts_with("--")).map(|it| (*it).to_owned()),
        value: param.field_text("type") != "bool",
        required: default.as_deref() == Some("..."),
        default: default.filter(|it| it != "..." && it != "None"),
        line: param.line(),
    })
}

fn keyword<'t>(call: Piece<'t>, name: &str) -> Option<Piece<'t>> {
    let arguments = call.arguments().into_iter().filter(|it| it.is("keyword_argument"));
    arguments.filter(|it| it.field_text("name") == name).find_map(|it| it.field("value"))
}
