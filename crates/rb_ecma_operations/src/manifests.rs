//! Paths in manifests and configuration files that name a file or a folder.

mod published;

use rb_core::Edit;
use rb_ecma::links::ByteRange;
use rb_operations::{Files, Refusal};

pub(crate) use self::published::check_published;
use self::published::rebuilt;
use crate::edits::{FileEdits, number};
use crate::project::{Project, is_script};

/// Edits for what names an old path; folders also as the beginning of a path.
pub(crate) fn follow(
    files: &dyn Files,
    moves: &[(String, String)],
    is_folder: bool,
    edits: &mut FileEdits,
) {
    for path in files.paths().iter().filter(|it| is_manifest(it)) {
        let Some(text) = files.text(path) else { continue };
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_package = path.rsplit('/').next() == Some("package.json");
        for (start, value) in quoted(&text, &['"']) {
            let written = moves.iter().find_map(|(old, new)| {
                let built = || rebuilt(files, folder, value, old, new).filter(|_| is_package);
                replaced(folder, value, old, new, is_folder).or_else(built)
            });
            if let Some(written) = written {
                let end = number(start + value.len());
                edits.add(path, Edit::replace(number(start), end, written));
            }
        }
    }
}

/// Edits for strings of `vite.config.ts` and its like that name an old path. What is imported there is not among them.
pub(crate) fn follow_in_scripts(
    project: &Project<'_>,
    (old, new): (&str, &str),
    edits: &mut FileEdits,
) -> Result<(), Refusal> {
    let paths = project.files.paths();
    let is_config = |path: &&String| path.contains(".config.") && is_script(path);
    for path in paths.iter().filter(is_config) {
        let Some(facts) = project.module(path) else { continue };
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (start, value) in quoted(&facts.text, &['"', '\'', '`']) {
            let range = ByteRange { start: number(start), end: number(start + value.len()) };
            if is_computed(folder, value, old) && !is_computed(folder, value, new) {
                let places = vec![project.place(path, range.start, value)];
                let reason = format!("{path} names {old} by a path that is computed");
                let refusal = Refusal::new(reason, "write the path out there first");
                return Err(Refusal { places, ..refusal });
            }
            let is_import = facts.specifiers.iter().any(|it| it.range.start == range.start);
            let written = replaced(folder, value, old, new, false);
            if let Some(written) = written.filter(|_| !is_import && is_script(value)) {
                edits.replace(path, range, written);
            }
        }
    }
    Ok(())
}

/// May `src/entries/${name}.ts` name the path?
fn is_computed(folder: &str, template: &str, path: &str) -> bool {
    let (Some(start), Some(end)) = (template.find("${"), template.rfind('}')) else {
        return false;
    };
    let (before, after) = (&template[..start], &template[end + 1..]);
    let before = before.strip_prefix("./").unwrap_or(before);
    let below = if folder.is_empty() { Some(path) } else { path.strip_prefix(folder) };
    let rest = below.and_then(|it| it.trim_start_matches('/').strip_prefix(before));
    let inner = rest.and_then(|it| it.strip_suffix(after));
    before.contains('/') && is_script(template) && inner.is_some_and(|it| !it.contains('/'))
}

fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_config = name.starts_with("tsconfig") || name.starts_with("jsconfig");
    let is_json = name.rsplit_once('.').is_some_and(|(_, ending)| ending == "json");
    let is_known = matches!(name, "package.json" | "jsr.json" | "deno.json" | "deno.jsonc");
    !path.contains("node_modules/") && (is_known || (is_config && is_json))
}

/// Texts in quotes and where they begin.
fn quoted<'t>(text: &'t str, quotes: &[char]) -> Vec<(usize, &'t str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find(quotes) {
        let start = at + open + 1;
        let quote = char::from(text.as_bytes()[start - 1]);
        let Some(length) = text[start..].find([quote, '\n']) else { break };
        if text[start + length..].starts_with(quote) {
            found.push((start, &text[start..start + length]));
        }
        at = start + length + 1;
    }
    found
}

/// What is written instead of a path.
fn replaced(folder: &str, value: &str, old: &str, new: &str, is_folder: bool) -> Option<String> {
    let (dot, plain) = match value.strip_prefix("./") {
        Some(rest) => ("./", rest),
        None => ("", value),
    };
    let below = |path: &str| {
        if folder.is_empty() {
            Some(path.to_owned())
        } else {
            path.strip_prefix(&format!("{folder}/")).map(str::to_owned)
        }
    };
    let (old, new) = (below(old)?, below(new)?);
    if plain == old {
        return Some(format!("{dot}{new}"));
    }
    if is_folder {
        let rest = plain.strip_prefix(&format!("{old}/"))?;
        return Some(format!("{dot}{new}/{rest}"));
    }
    // `"main": "./lib/a"` names `lib/a.js`.
    let stem = |path: &str| path.rsplit_once('.').map(|(stem, _)| stem.to_owned());
    let is_stem = plain.contains('/') && Some(plain) == stem(&old).as_deref();
    is_stem.then(|| stem(&new).map(|new| format!("{dot}{new}"))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st2_paths_in_manifests() {
        let one = |value: &str| replaced("p", value, "p/src/a.ts", "p/src/b.ts", false);
        assert_eq!(one("./src/a.ts").as_deref(), Some("./src/b.ts"));
        assert_eq!(one("src/a").as_deref(), Some("src/b"));
        assert_eq!(one("src/a.tsx"), None);
        assert_eq!(one("a"), None);
        let all = |value: &str| replaced("", value, "src/x", "lib/y", true);
        assert_eq!(all("src/x/**/*").as_deref(), Some("lib/y/**/*"));
        assert_eq!(all("src/xy"), None);
        let computed = |path: &str| is_computed("", "./src/entries/${name}.ts", path);
        assert!(computed("src/entries/node.ts"));
        assert!(!computed("src/entries/node.js") && !computed("src/node.ts"));
        assert_eq!(quoted("{\"a\": \"b\"}", &['"']), [(2, "a"), (7, "b")]);
    }
}
