//! A recipe in words: for the terminal, and as a page of the documentation.

use rb_rules::engine::indented;

use crate::recipe::Recipe;

/// Plain text, as `rules explain` prints it.
pub fn explain(recipe: &Recipe) -> String {
    let doc = &recipe.doc;
    let parts = [
        format!("{}\n{}\n\nrecipe · over the whole project", recipe.id, recipe.title),
        doc.what.to_owned(),
        format!("Before:\n\n{}", indented(doc.before)),
        format!("After:\n\n{}", indented(doc.after)),
        format!("When it applies: {}", doc.safe),
        format!("Not changed, but reported: {}", doc.leaves),
        format!("To see its plan: {}", command(recipe)),
    ];
    parts.join("\n\n") + "\n"
}

/// A section of a page.
pub fn markdown(recipe: &Recipe) -> String {
    let doc = &recipe.doc;
    let parts = [
        format!("## `{}`", recipe.id),
        format!("**{}.** {}", recipe.title, doc.what),
        format!("```js\n// before\n{}\n\n// after\n{}\n```", doc.before.trim(), doc.after.trim()),
        format!("*When it applies:* {}", doc.safe),
        format!("*Not changed, but reported:* {}", doc.leaves),
        format!("```console\n$ {}\n```", command(recipe)),
    ];
    parts.join("\n\n") + "\n"
}

fn command(recipe: &Recipe) -> String {
    let mut words = vec![format!("refactor-bot rules fix --recipe {}", recipe.id)];
    words.extend(recipe.needs.iter().map(|name| format!("--{name} …")));
    words.push("--dry-run".to_owned());
    words.join(" ")
}
