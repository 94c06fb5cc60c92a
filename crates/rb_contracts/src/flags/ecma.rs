//! Flags of commander, cac, yargs and `util.parseArgs`.

use super::FoundFlag;
use crate::syntax::{Parsed, Piece};

pub(super) fn read(_path: &str, parsed: &Parsed) -> Vec<FoundFlag> {
    let mut out = Vec::new();
    for call in parsed.root().all().filter(|piece| piece.is("call_expression")) {
        let Some(function) = call.field("function") else { continue };
        if function.text() == "parseArgs" || function.text() == "util.parseArgs" {
            out.extend(parse_args(call));
            continue;
        }
        if !function.is("member_expression") {
            continue;
        }
        match function.field_text("property") {
            "option" | "requiredOption" => out.extend(option(call)),
            "argument" => out.extend(argument(call)),
            "command" => out.extend(command(call)),
            "options" => out.extend(options(call)),
            _ => {}
        }
    }
    out
}

/// The command that a chain of calls began with: `program.command('serve').option(…)`.
fn command_of(call: Piece<'_>) -> String {
    let mut at = call.field("function").and_then(|it| it.field("object"));
    while let Some(piece) = at.filter(|it| it.is("call_expression")) {
        let Some(function) = piece.field("function") else { break };
        if function.field_text("property") == "command" {
            return piece
                .arguments()
                .first()
                .and_then(|it| it.literal())
                .map(first_word)
                .unwrap_or_default();
        }
        at = function.field("object");
    }
    String::new()
}

/// `serve` of `serve [root]`; a default command has no word of its own.
fn first_word(text: &str) -> String {
    text.split_whitespace()
        .next()
        .filter(|word| !word.starts_with(['[', '<', '$', '*']))
        .unwrap_or_default()
        .to_owned()
}

fn option(call: Piece<'_>) -> Option<FoundFlag> {
    let arguments = call.arguments();
    let text = arguments.first()?.literal()?;
    let line =
        call.field("function").and_then(|it| it.field("property")).map_or(call.line(), Piece::line);
    let command = command_of(call);
    let settings = arguments.iter().find(|it| it.is("object")).copied();
    if !text.starts_with('-') {
        // Yargs names the flag and says the rest in an object.
        return settings.map(|settings| yargs(text, settings, command, line));
    }
    let required = call.field("function")?.field_text("property") == "requiredOption";
    let in_settings = settings.and_then(|it| property(it, "default")).map(Piece::normal);
    let default =
        arguments.get(2).filter(|it| !is_code(**it) && !it.is("object")).map(|it| it.normal());
    let default = default.or_else(|| arguments.get(3).map(|it| it.normal())).or(in_settings);
    Some(FoundFlag { command, required, default, line, ..spelled(text)? })
}

/// A function that reads the value, not the value.
fn is_code(piece: Piece<'_>) -> bool {
    matches!(
        piece.kind(),
        "arrow_function" | "function_expression" | "identifier" | "member_expression"
    )
}

/// `-p, --port <number>`
fn spelled(text: &str) -> Option<FoundFlag> {
    let words: Vec<&str> = text.split([',', ' ', '|']).filter(|word| !word.is_empty()).collect();
    let long = words.iter().find(|word| word.starts_with("--"));
    let short = words.iter().find(|word| word.starts_with('-') && !word.starts_with("--"));
    let value = text.contains('<') || text.contains('[');
    let name = long.or(short)?.split('=').next()?.to_owned();
    let short = long.and(short).map(|short| (*short).to_owned());
    Some(FoundFlag { name, short, value, ..FoundFlag::default() })
}

fn yargs(name: &str, settings: Piece<'_>, command: String, line: u32) -> FoundFlag {
    let text = |key: &str| property(settings, key).map(Piece::text);
    let alias = property(settings, "alias").and_then(Piece::literal);
    let is_flag = property(settings, "type").and_then(Piece::literal) == Some("boolean")
        || text("boolean") == Some("true");
    FoundFlag {
        command,
        name: format!("--{name}"),
        short: alias
            .map(|alias| if alias.len() == 1 { format!("-{alias}") } else { format!("--{alias}") }),
        value: !is_flag,
        required: ["demandOption", "demand", "required"]
            .iter()
            .any(|key| text(key).is_some_and(|it| it != "false")),
        default: property(settings, "default").map(Piece::normal),
        line,
    }
}

/// `.options({ port: { … } })`
fn options(call: Piece<'_>) -> Vec<FoundFlag> {
    let Some(object) = call.arguments().first().copied().filter(|it| it.is("object")) else {
        return Vec::new();
    };
    let command = command_of(call);
    let pairs = object.children().into_iter().filter(|it| it.is("pair"));
    pairs
        .filter_map(|pair| {
            let settings = pair.field("value").filter(|it| it.is("object"))?;
            let name = pair.field_text("key").trim_matches(['\'', '"']);
            Some(yargs(name, settings, command.clone(), pair.line()))
        })
        .collect()
}

fn argument(call: Piece<'_>) -> Option<FoundFlag> {
    let text = call.arguments().first()?.literal()?;
    let required = !text.starts_with('[');
    let name = text.trim_matches(['<', '>', '[', ']']).to_owned();
    Some(FoundFlag {
        command: command_of(call),
        name,
        value: true,
        required,
        line: call.line(),
        ..FoundFlag::default()
    })
}

fn command(call: Piece<'_>) -> Option<FoundFlag> {
    let name =
        call.arguments().first()?.literal().map(first_word).filter(|name| !name.is_empty())?;
    Some(FoundFlag { name, line: call.line(), ..FoundFlag::default() })
}

/// `parseArgs({ options: { port: { type: 'string', short: 'p' } } })`
fn parse_args(call: Piece<'_>) -> Vec<FoundFlag> {
    let Some(options) = call.arguments().first().and_then(|it| property(*it, "options")) else {
        return Vec::new();
    };
    let pairs = options.children().into_iter().filter(|it| it.is("pair"));
    pairs
        .filter_map(|pair| {
            let settings = pair.field("value").filter(|it| it.is("object"))?;
            let literal = |key: &str| property(settings, key).and_then(Piece::literal);
            Some(FoundFlag {
                name: format!("--{}", pair.field_text("key").trim_matches(['\'', '"'])),
                short: literal("short").map(|short| format!("-{short}")),
                value: literal("type") == Some("string"),
                default: property(settings, "default").map(Piece::normal),
                line: pair.line(),
                ..FoundFlag::default()
            })
        })
        .collect()
}

fn property<'t>(object: Piece<'t>, name: &str) -> Option<Piece<'t>> {
    let pairs = object.children().into_iter().filter(|it| it.is("pair"));
    pairs
        .filter(|it| it.field_text("key").trim_matches(['\'', '"']) == name)
        .find_map(|it| it.field("value"))
}
