//! A recipe in words: for the terminal, and as a page of the documentation.

use rb_rules::engine::indented;

use crate::recipe::{Doc, DocLanguage, Recipe};

/// Plain text, as `rules explain` prints it.
pub fn explain(recipe: &Recipe) -> String {
    let doc = &recipe.doc;
    let mut parts = vec![
        format!("{}\n{}\n\nrecipe · over the whole project", recipe.id, recipe.title),
        doc.what.to_owned(),
        format!("Before:\n\n{}", indented(doc.before)),
        format!("After:\n\n{}", indented(doc.after)),
        format!("When it applies: {}", doc.safe),
        format!("Not changed, but reported: {}", doc.leaves),
    ];
    parts.extend(optional(recipe));
    parts.push(format!("To see its plan: {}", command(recipe)));
    parts.join("\n\n") + "\n"
}

/// A section of a page.
pub fn markdown(recipe: &Recipe) -> String {
    let doc = &recipe.doc;
    let mut parts = vec![
        format!("## `{}`", recipe.id),
        format!("**{}.** {}", recipe.title, doc.what),
        example(doc),
        format!("*When it applies:* {}", doc.safe),
        format!("*Not changed, but reported:* {}", doc.leaves),
    ];
    parts.extend(optional(recipe));
    parts.push(format!("```console\n$ {}\n```", command(recipe)));
    parts.join("\n\n") + "\n"
}

fn example(doc: &Doc) -> String {
    let (fence, comment) = match doc.language {
        DocLanguage::JavaScript => ("js", "//"),
        DocLanguage::Python => ("python", "#"),
    };
    let (before, after) = (doc.before.trim(), doc.after.trim());
    format!("```{fence}\n{comment} before\n{before}\n\n{comment} after\n{after}\n```")
}

/// How an argument is given on the command line.
fn argument(name: &str) -> String {
    match name {
        "symbol" | "to" => format!("--{name} …"),
        _ => format!("--arg {name}=…"),
    }
}

/// The arguments that may be left out, in words.
fn optional(recipe: &Recipe) -> Option<String> {
    let names: Vec<String> = recipe.takes.iter().map(|name| format!("`{name}`")).collect();
    (!names.is_empty())
        .then(|| format!("Optional arguments (--arg NAME=VALUE): {}.", names.join(", ")))
}

fn command(recipe: &Recipe) -> String {
    let mut words = vec![format!("refactor-bot rules fix --recipe {}", recipe.id)];
    words.extend(recipe.needs.iter().map(|name| argument(name)));
    words.push("--dry-run".to_owned());
    words.join(" ")
}
