//! "Rename X to Y in FILE": which symbol, and what it is to be called.
//!
//! Read from the text as it was written, because names have capitals and signs. Whether there is such a symbol is the
//! recipe's to say.

/// One symbol that is to have another name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rename {
    /// `path#name` where a file was named, else the name alone.
    pub(crate) symbol: String,
    pub(crate) to: String,
    pub(crate) words: Vec<String>,
}

/// What may stand before a name.
const KINDS: &[&str] = &[
    "the",
    "function",
    "method",
    "class",
    "variable",
    "const",
    "constant",
    "type",
    "interface",
    "component",
    "hook",
    "enum",
    "property",
    "prop",
    "member",
    "symbol",
    "field",
    "helper",
    "export",
    "parameter",
    "name",
    "of",
    "exported",
];

/// What is no name, though it may stand in the place of one.
const NOT_NAMES: &[&str] = &[
    "all",
    "any",
    "every",
    "everything",
    "files",
    "variables",
    "functions",
    "classes",
    "methods",
    "symbols",
    "types",
    "components",
    "names",
    "it",
    "them",
    "things",
    "be",
    "something",
    "better",
    "more",
    "camelcase",
    "kebab",
    "snake",
    "pascalcase",
    "use",
    "follow",
    "match",
    "have",
    "english",
    "file",
    "folder",
    "folders",
    "modules",
    "props",
    "hooks",
];

/// Every pair of names that the directive gives.
pub(crate) fn renames(directive: &str) -> Vec<Rename> {
    let tokens: Vec<&str> =
        directive.split_whitespace().map(bare).filter(|it| !it.is_empty()).collect();
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let (is_order, mut next) = begins(&tokens, at);
        if !is_order || is_forbidden(&tokens, at) {
            continue;
        }
        while let Some((rename, end)) = pair(&tokens, next) {
            found.push(rename);
            if tokens.get(end).is_none_or(|it| *it != "and") {
                break;
            }
            next = end + 1;
        }
    }
    for rename in &mut found {
        rename.words.insert(0, "rename".to_owned());
    }
    found
}

/// Without quotes and the signs of a sentence.
fn bare(token: &str) -> &str {
    let token = token.trim_matches(|c: char| matches!(c, '`' | '"' | '\'' | '“' | '”' | '(' | ')'));
    let token = token.trim_end_matches([',', ';', '.', '!', '?', ':']);
    let token = token.trim_matches(|c: char| matches!(c, '`' | '"' | '\'' | '“' | '”' | ')'));
    token.strip_suffix("()").or_else(|| token.strip_suffix('(')).unwrap_or(token)
}

fn begins(tokens: &[&str], at: usize) -> (bool, usize) {
    let is = |at: usize, words: &[&str]| {
        tokens.get(at).is_some_and(|it| words.contains(&it.to_lowercase().as_str()))
    };
    if is(at, &["rename", "renaming", "rename:"]) {
        return (true, at + 1);
    }
    let has_name = is(at + 1, &["name"]) || (is(at + 1, &["the"]) && is(at + 2, &["name"]));
    (is(at, &["change"]) && has_name, at + 1)
}

fn is_forbidden(tokens: &[&str], at: usize) -> bool {
    let before = &tokens[at.saturating_sub(2)..at];
    before.iter().any(|it| {
        matches!(
            it.to_lowercase().as_str(),
            "not" | "don't" | "don’t" | "never" | "without" | "avoid" | "no"
        )
    })
}

/// A pair that begins at `at`, and the place behind it.
fn pair(tokens: &[&str], at: usize) -> Option<(Rename, usize)> {
    let at = past_kinds(tokens, at);
    let from = tokens.get(at).copied().filter(|it| is_symbol(it))?;
    let (early, at) = file(tokens, at + 1);
    let joint = tokens.get(at)?;
    if !is_joint(joint) {
        return None;
    }
    let at = past_kinds(tokens, at + 1);
    let to = tokens.get(at).copied().filter(|it| is_name(it.rsplit('.').next().unwrap_or(it)))?;
    let (late, end) = file(tokens, at + 1);
    let path = early.or(late);
    let symbol = match path {
        Some(path) if !from.contains('#') => format!("{path}#{from}"),
        _ => from.to_owned(),
    };
    let mut words = vec![from.to_owned(), to.to_owned()];
    words.extend(path.map(str::to_owned));
    let to = to.rsplit('.').next().unwrap_or(to).to_owned();
    Some((Rename { symbol, to, words }, end))
}

fn past_kinds(tokens: &[&str], at: usize) -> usize {
    let rest = tokens.get(at..).unwrap_or_default();
    let is_kind = |(place, it): &(usize, &&str)| {
        let is_last = rest.get(place + 1).is_none_or(|next| is_joint(next));
        KINDS.contains(&it.to_lowercase().as_str()) && !is_last
    };
    at + rest.iter().enumerate().take_while(is_kind).count()
}

fn is_joint(token: &str) -> bool {
    matches!(token.to_lowercase().as_str(), "to" | "as" | "into" | "->" | "→" | "=>" | "=")
}

/// "in src/cart.ts", "from the file cart.ts".
fn file<'t>(tokens: &[&'t str], at: usize) -> (Option<&'t str>, usize) {
    let Some(word) = tokens.get(at) else { return (None, at) };
    if !matches!(word.to_lowercase().as_str(), "in" | "from" | "of" | "inside" | "within") {
        return (None, at);
    }
    let skipped = tokens[at + 1..]
        .iter()
        .take_while(|it| matches!(it.to_lowercase().as_str(), "the" | "file" | "module"))
        .count();
    let place = at + 1 + skipped;
    match tokens.get(place) {
        Some(path) if path.contains('.') && !path.contains('#') => {
            (Some(path.trim_start_matches("./")), place + 1)
        }
        _ => (None, at),
    }
}

/// `name`, `Owner.member` or `path#name`.
fn is_symbol(token: &str) -> bool {
    let name = token.split_once('#').map_or(token, |(_, name)| name);
    !name.is_empty() && name.split('.').all(is_name)
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '$' | '#'))
        && chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
        && !NOT_NAMES.contains(&text.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf3_a_rename_is_read_with_its_arguments() {
        #[track_caller]
        fn check(directive: &str, expected: &[(&str, &str)]) {
            let found = renames(directive);
            let found: Vec<(&str, &str)> =
                found.iter().map(|it| (it.symbol.as_str(), it.to.as_str())).collect();
            assert_eq!(found, expected, "{directive}");
        }
        check("rename src/a.ts#x to y", &[("src/a.ts#x", "y")]);
        check("Rename `total` to `sum` in src/cart.ts.", &[("src/cart.ts#total", "sum")]);
        check("rename total in src/cart.ts to sum", &[("src/cart.ts#total", "sum")]);
        check("Please rename the function loadAll() as readAll()", &[("loadAll", "readAll")]);
        check("Rename Cart.total to Cart.sum", &[("Cart.total", "sum")]);
        check("rename a -> b and c -> d", &[("a", "b"), ("c", "d")]);
        check("change the name of getUser to findUser", &[("getUser", "findUser")]);
        check("rename foo to bar in the file lib/x.js, please", &[("lib/x.js#foo", "bar")]);
        check("rename name to title", &[("name", "title")]);
        check("do not rename total to sum", &[]);
        check("rename all files to kebab-case", &[]);
        check("rename variables to be more descriptive", &[]);
        check("rename", &[]);
        check("rename x", &[]);
        check("rename x to", &[]);
        check("rename x to 2y", &[]);
    }
}
