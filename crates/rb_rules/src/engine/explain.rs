//! A rule in words: for the terminal, and as a page of the documentation.

use crate::rule::{Given, Level, Rule};

/// Plain text, as `rules explain` prints it.
pub fn explain(rule: &Rule) -> String {
    let head = format!(
        "{}\n{}\n\n{} · {} · fix: {}{}",
        rule.id,
        rule.title,
        rule.category.title(),
        rule.impact.name(),
        rule.fix.name(),
        if rule.level == Level::Audit { " · only with --all" } else { "" },
    );
    let parts = [
        head,
        format!("{}\n{}", rule.doc.what, rule.doc.why),
        format!("Wrong{}:\n\n{}", setting(rule), indented(rule.doc.wrong)),
        format!("Right:\n\n{}", indented(rule.doc.right)),
        format!("Fix: {}", rule.doc.safe),
        format!("Ignore it if: {}", rule.doc.leave),
        format!("To silence one place: // refactor-bot-disable-next-line {}", rule.id),
    ];
    parts.join("\n\n") + "\n"
}

/// A section of a page.
pub fn markdown(rule: &Rule) -> String {
    let parts = [
        format!("### `{}`", rule.id),
        format!("**{}.** Impact {}, fix: {}.", rule.title, rule.impact.name(), rule.fix.name()),
        format!("{} {}", rule.doc.what, rule.doc.why),
        format!(
            "```tsx\n// wrong{}\n{}\n// right\n{}\n```",
            setting(rule),
            rule.doc.wrong.trim(),
            rule.doc.right.trim()
        ),
        format!("*Fix:* {}", rule.doc.safe),
        format!("*Ignore it if:* {}", rule.doc.leave),
    ];
    parts.join("\n\n") + "\n"
}

/// ` (Next.js 15.1, in a route handler)`
fn setting(rule: &Rule) -> String {
    let words: Vec<String> = rule.doc.given.iter().filter_map(in_words).collect();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}

fn in_words(given: &Given) -> Option<String> {
    Some(match given {
        Given::Path(path) => (*path).to_owned(),
        Given::React(major, minor) => format!("React {major}.{minor}"),
        Given::Next(major, minor) => format!("Next.js {major}.{minor}"),
        Given::EsYear(year) => format!("ES{year}"),
        Given::Depends(name) => format!("with {name}"),
        Given::Ssr => "rendered on a server".to_owned(),
        Given::Root => "the root of the application".to_owned(),
        Given::Realm(_) | Given::Route(_) | Given::UseServer | Given::File(..) => return None,
    })
}

/// Code below a line of text.
pub fn indented(code: &str) -> String {
    let lines = code.trim_matches('\n').lines();
    lines
        .map(|line| if line.is_empty() { String::new() } else { format!("    {line}") })
        .collect::<Vec<_>>()
        .join("\n")
}
