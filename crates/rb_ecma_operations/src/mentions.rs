//! Lines of any file that name an old path or an old place, and were left.

use std::collections::BTreeMap;

use rb_operations::{FileChange, Files, Mention};

/// The most mentions that are listed.
const MOST: usize = 50;

/// Lines that hold one of the texts, in the files as they will be.
pub(crate) fn mentions(
    files: &dyn Files,
    changes: &BTreeMap<String, FileChange>,
    texts: &[String],
) -> Vec<Mention> {
    let mut found = Vec::new();
    for path in files.paths() {
        if !is_prose(&path) {
            continue;
        }
        let text = match changes.get(&path) {
            Some(FileChange::Removed) => continue,
            Some(FileChange::Created(text) | FileChange::Edited(text)) => {
                Some(std::sync::Arc::clone(text))
            }
            None => files.text(&path),
        };
        let Some(text) = text else { continue };
        if !texts.iter().any(|it| text.contains(it.as_str())) {
            continue;
        }
        for (line, content) in (1..).zip(text.lines()) {
            if texts.iter().any(|it| names(content, it)) {
                found.push(Mention { path: path.clone(), line, text: content.trim().to_owned() });
                if found.len() == MOST {
                    return found;
                }
            }
        }
    }
    found
}

/// Does it stand there as a path of its own?
fn names(line: &str, text: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    line.match_indices(text).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + text.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

fn is_prose(path: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "md", "mdx", "rst", "txt", "adoc", "json", "jsonc", "yml", "yaml", "toml", "html", "sh",
        "js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte", "astro",
    ];
    let is_locked = path.ends_with("package-lock.json") || path.ends_with("pnpm-lock.yaml");
    let ending = path.rsplit_once('.').map(|(_, ending)| ending);
    !is_locked && (ending.is_some_and(|it| ENDINGS.contains(&it)) || path.ends_with("Dockerfile"))
}
