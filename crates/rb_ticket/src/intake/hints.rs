//! Paths, names and addresses that a ticket mentions, and its pictures. They are guesses: nothing is looked up.

use crate::ticket::{Attachment, Hints};

const MOST: usize = 50;
const LONGEST: usize = 300;
/// GitHub keeps files that were dropped into an issue there.
const UPLOADS: &str = "/user-attachments/";

const EXTENSIONS: [&str; 52] = [
    "c", "cc", "cjs", "cpp", "cs", "css", "dart", "ejs", "erb", "ex", "exs", "go", "gql",
    "graphql", "h", "hbs", "hpp", "htm", "html", "java", "js", "json", "jsx", "kt", "less",
    "liquid", "lua", "md", "mjs", "php", "proto", "py", "rb", "rs", "sass", "scala", "scss", "sh",
    "sql", "svelte", "svg", "swift", "toml", "ts", "tsx", "twig", "txt", "vue", "xml", "yaml",
    "yml", "zig",
];

pub(super) fn hints(text: &str) -> Hints {
    let mut hints = Hints::default();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
            continue;
        }
        let line = without_urls(line, &mut hints.urls);
        paths(&line, &mut hints.paths);
        if !in_code {
            symbols(&line, &mut hints.symbols);
        }
    }
    hints
}

pub(super) fn add<T: PartialEq>(list: &mut Vec<T>, value: T) {
    if list.len() < MOST && !list.contains(&value) {
        list.push(value);
    }
}

fn without_urls(line: &str, urls: &mut Vec<String>) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("http") {
        let found = &rest[at..];
        if !found.starts_with("http://") && !found.starts_with("https://") {
            out.push_str(&rest[..at + 4]);
            rest = &rest[at + 4..];
            continue;
        }
        let is_end = |c: char| c.is_whitespace() || "<>\"'()[]{}`|\\".contains(c);
        let end = found.find(is_end).unwrap_or(found.len());
        let url = found[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_']);
        if url.len() <= LONGEST && !url.ends_with("://") {
            add(urls, url.to_owned());
        }
        out.push_str(&rest[..at]);
        out.push(' ');
        rest = &found[end..];
    }
    out.push_str(rest);
    out
}

fn paths(line: &str, paths: &mut Vec<String>) {
    let is_part = |c: char| c.is_alphanumeric() || "_./@+$-[]".contains(c);
    for token in line.split(|c: char| !is_part(c)) {
        let token = token.trim_start_matches("./").trim_matches(['.', '/', '[', ']', '@']);
        if is_path(token) {
            add(paths, token.to_owned());
        }
    }
}

fn is_path(token: &str) -> bool {
    let name = token.rsplit('/').next().unwrap_or(token);
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty() && EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str())
    }) && token.len() <= LONGEST
        && !token.contains("..")
        && !token.contains("//")
}

fn symbols(line: &str, symbols: &mut Vec<String>) {
    for (at, piece) in line.split('`').enumerate() {
        if at % 2 == 1 {
            let name = piece.trim().trim_end_matches("()");
            if is_name(name) {
                add(symbols, name.to_owned());
            }
            continue;
        }
        for word in piece.split_whitespace() {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !"_()".contains(c));
            let name = word.trim_end_matches("()").trim_matches(['(', ')']);
            if is_name(name) && (word.ends_with("()") || looks_like_code(name)) {
                add(symbols, name.to_owned());
            }
        }
    }
}

/// `total`, `Cart.total`, `cart::total`, `Cart#total`, `$cart->total`.
fn is_name(text: &str) -> bool {
    let plain = text.replace("::", ".").replace("->", ".").replace('#', ".");
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    };
    (2..=100).contains(&text.len()) && plain.split('.').all(is_part) && !is_path(text)
}

/// `loyaltyPoints` and `loyalty_points`, not `GitHub`.
fn looks_like_code(word: &str) -> bool {
    let inner = word.trim_matches('_');
    let has_snake = inner.contains('_') && inner.is_ascii();
    let mut pairs = word.chars().zip(word.chars().skip(1));
    let has_camel = word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.len() >= 5
        && pairs.any(|(a, b)| a.is_ascii_lowercase() && b.is_ascii_uppercase());
    has_snake || has_camel
}

/// The pictures in a text, and links to files that were uploaded with it.
pub(super) fn attachments(text: &str) -> Vec<Attachment> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        let (before, behind) = (&rest[..at], &rest[at + 2..]);
        rest = behind;
        let before = &before[before.floor_char_boundary(before.len().saturating_sub(LONGEST))..];
        let Some(open) = before.rfind('[') else { continue };
        let near = &behind[..behind.floor_char_boundary(2 * LONGEST)];
        let Some(end) = near.find([')', ' ', '\n']) else { continue };
        let is_picture = before[..open].ends_with('!');
        if is_picture || behind[..end].contains(UPLOADS) {
            push(&mut out, &before[open + 1..], &behind[..end]);
        }
    }
    let mut rest = text;
    while let Some(at) = rest.find("<img ") {
        rest = &rest[at + 5..];
        let near = &rest[..rest.floor_char_boundary(2 * LONGEST)];
        let tag = &near[..near.find('>').unwrap_or(0)];
        let value = |name: &str| {
            let at = tag.find(&format!("{name}=\""))? + name.len() + 2;
            tag[at..].split('"').next()
        };
        if let Some(source) = value("src") {
            push(&mut out, value("alt").unwrap_or_default(), source);
        }
    }
    out
}

/// Neither code nor pictures written out as text are places.
pub(super) fn push(list: &mut Vec<Attachment>, name: &str, location: &str) {
    let location = location.trim_matches(['<', '>']);
    let lower = location.to_ascii_lowercase();
    let is_place = !["data:", "javascript:", "file:", "#"].iter().any(|it| lower.starts_with(it));
    if !is_place || location.is_empty() || location.len() > 2 * LONGEST {
        return;
    }
    let file = location.trim_end_matches('/').rsplit('/').next().unwrap_or(location);
    let name = if name.trim().is_empty() { file } else { name.trim() };
    let name = name.chars().take(120).collect();
    add(list, Attachment { name, location: location.to_owned() });
}
