//! Flags of clap: fields of a derived parser, commands of a derived enum, and `Arg::new` chains.

use super::FoundFlag;
use crate::syntax::{Parsed, Piece};

pub(super) fn read(_path: &str, parsed: &Parsed) -> Vec<FoundFlag> {
    let mut out = Vec::new();
    for piece in parsed.root().all() {
        match piece.kind() {
            "struct_item" if derives(piece, &["Parser", "Args", "StructOpt"]) => {
                let fields = piece.field("body").map(Piece::children).unwrap_or_default();
                out.extend(
                    fields
                        .into_iter()
                        .filter(|it| it.is("field_declaration"))
                        .filter_map(|it| field(it, "")),
                );
            }
            "enum_item" if derives(piece, &["Subcommand", "Parser", "StructOpt"]) => {
                commands(piece, &mut out);
            }
            "call_expression" => out.extend(built(piece)),
            _ => {}
        }
    }
    out
}

fn derives(item: Piece<'_>, names: &[&str]) -> bool {
    attributes(item).iter().any(|text| {
        let list = text.strip_prefix("#[derive(").map(|list| list.trim_end_matches([')', ']']));
        list.is_some_and(|list| {
            list.split(',')
                .any(|one| names.contains(&one.trim().rsplit("::").next().unwrap_or_default()))
        })
    })
}

fn attributes(item: Piece<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let mut at = item.previous();
    while let Some(piece) = at {
        match piece.kind() {
            "attribute_item" => out.push(piece.normal()),
            "line_comment" | "block_comment" => {}
            _ => break,
        }
        at = piece.previous();
    }
    out
}

/// What `#[arg(…)]` says, key by key.
fn settings(item: Piece<'_>) -> Vec<(String, Option<String>)> {
    let mut out = Vec::new();
    for text in attributes(item) {
        let Some(inner) = ["arg", "clap", "command", "structopt"]
            .iter()
            .find_map(|it| text.strip_prefix(&format!("#[{it}(")))
        else {
            continue;
        };
        for part in top_level_parts(inner.trim_end_matches(']').strip_suffix(')').unwrap_or(inner))
        {
            let (key, value) = match part.split_once('=') {
                Some((key, value)) => {
                    (key.trim(), Some(value.trim().trim_matches(['"', '\'']).to_owned()))
                }
                None => (part.trim(), None),
            };
            out.push((key.to_owned(), value));
        }
    }
    out
}

/// The parts between commas that are not in brackets or quotes.
fn top_level_parts(text: &str) -> Vec<&str> {
    let (mut out, mut depth, mut start, mut quoted) = (Vec::new(), 0_usize, 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                out.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(&text[start..]);
    out
}

fn field(piece: Piece<'_>, command: &str) -> Option<FoundFlag> {
    let settings = settings(piece);
    let get = |key: &str| settings.iter().find(|(name, _)| name == key);
    if ["flatten", "subcommand", "skip"].iter().any(|key| get(key).is_some()) {
        return None;
    }
    let plain = piece.field_text("name").trim_start_matches("r#").replace('_', "-");
    let ty = piece.field("type").map(Piece::normal).unwrap_or_default();
    let long = get("long")
        .map(|(_, value)| format!("--{}", value.clone().unwrap_or_else(|| plain.clone())));
    let first: String = plain.chars().take(1).collect();
    let short = get("short").map(|(_, value)| format!("-{}", value.clone().unwrap_or(first)));
    let is_flag = long.is_some() || short.is_some();
    let default = ["default_value", "default_value_t", "default_values_t"]
        .iter()
        .find_map(|key| get(key)?.1.clone());
    let may_miss = ty.starts_with("Option<")
        || ty.starts_with("Vec<")
        || ty == "bool"
        || default.is_some()
        || get("default_value_t").is_some();
    let counts = get("action").is_some_and(|(_, value)| {
        value.as_deref().is_some_and(|it| it.contains("Count") || it.contains("SetTrue"))
    });
    let name = long.clone().or_else(|| short.clone()).unwrap_or(plain);
    Some(FoundFlag {
        command: command.to_owned(),
        name,
        short: long.and(short),
        value: !counts && (!is_flag || ty != "bool"),
        required: !may_miss
            && !counts
            && get("required").is_none_or(|(_, value)| value.as_deref() != Some("false")),
        default,
        line: piece.line(),
    })
}

fn commands(item: Piece<'_>, out: &mut Vec<FoundFlag>) {
    let variants = item.field("body").map(Piece::children).unwrap_or_default();
    for variant in variants.into_iter().filter(|it| it.is("enum_variant")) {
        let named = settings(variant)
            .into_iter()
            .find(|(key, _)| key == "name")
            .and_then(|(_, value)| value);
        let name = named.unwrap_or_else(|| kebab(variant.field_text("name")));
        out.push(FoundFlag { name: name.clone(), line: variant.line(), ..FoundFlag::default() });
        let fields = variant
            .field("body")
            .filter(|it| it.is("field_declaration_list"))
            .map(Piece::children)
            .unwrap_or_default();
        out.extend(
            fields
                .into_iter()
                .filter(|it| it.is("field_declaration"))
                .filter_map(|it| field(it, &name)),
        );
    }
}

fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// `Arg::new("port").long("port").short('p').required(true)`, from its beginning.
fn built(call: Piece<'_>) -> Option<FoundFlag> {
    let function = call.field("function").map_or("", Piece::text);
    if !matches!(function, "Arg::new" | "Arg::with_name" | "clap::Arg::new") {
        return None;
    }
    let id = call.arguments().first()?.literal()?;
    let mut found =
        FoundFlag { name: id.to_owned(), value: true, line: call.line(), ..FoundFlag::default() };
    let mut at = call;
    while let Some(next) = at
        .parent()
        .filter(|it| it.is("field_expression"))
        .and_then(Piece::parent)
        .filter(|it| it.is("call_expression"))
    {
        set(&mut found, next);
        at = next;
    }
    if !found.name.starts_with('-')
        && let Some(short) = found.short.take()
    {
        found.name = short;
    }
    Some(found)
}

/// What one call of the chain says.
fn set(found: &mut FoundFlag, call: Piece<'_>) {
    let argument = call.arguments().first().copied();
    let text = argument.map_or("", Piece::text).trim_matches(['"', '\'']);
    let takes_none = ["SetTrue", "SetFalse", "Count"].iter().any(|action| text.contains(action));
    match call.field("function").map_or("", |it| it.field_text("field")) {
        "long" => found.name = format!("--{text}"),
        "short" => found.short = Some(format!("-{text}")),
        "required" => found.required = text == "true",
        "default_value" => found.default = Some(text.to_owned()),
        "action" if takes_none => found.value = false,
        "takes_value" => found.value = text == "true",
        _ => {}
    }
}
