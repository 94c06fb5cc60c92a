//! Which files a tsconfig counts as its own: `files`, `include` and `exclude`, by TypeScript's rules for wildcards.
//!
//! The extension is looked at only where a pattern names one: a `.vue` or `.js` file under `src/**/*` goes by the same
//! config as the `.ts` files beside it, whatever `allowJs` says.

use rustc_hash::FxHashSet;

use super::files::{below, join, parent};
use super::json::Json;

#[derive(Debug, Default)]
pub(super) struct Scope {
    files: FxHashSet<String>,
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
}

/// A pattern is split at its last folder without wildcards, so that most files are turned away by a prefix.
#[derive(Debug)]
struct Pattern {
    folder: String,
    parts: Vec<Box<str>>,
    reading: Reading,
}

/// `chain` holds the config after those that it extends. A list is taken whole from the last one that has it.
pub(super) fn scope_of(chain: &[(&str, &Json)], folder: &str, built: &[&str]) -> Scope {
    let last = |key: &str| {
        let mut lists = chain.iter().rev();
        lists.find_map(|(from, json)| Some((parent(from), json.get(key)?)))
    };
    let patterns = |key: &str, reading| {
        let (from, json) = last(key)?;
        let texts = json.texts().filter_map(|text| match text.strip_prefix("${configDir}") {
            Some(rest) => Pattern::new(folder, rest, reading),
            None => Pattern::new(from, text, reading),
        });
        Some(texts.collect::<Vec<_>>())
    };
    let files = last("files")
        .map(|(from, json)| json.texts().filter_map(|text| join(from, text)).collect());
    let everything = || Pattern::new(folder, "**/*", Reading::Include).into_iter().collect();
    let include = patterns("include", Reading::Include)
        .unwrap_or_else(|| if files.is_none() { everything() } else { Vec::new() });
    let unbuilt =
        || built.iter().filter_map(|built| Pattern::new("", built, Reading::Exclude)).collect();
    Scope {
        files: files.unwrap_or_default(),
        include,
        exclude: patterns("exclude", Reading::Exclude).unwrap_or_else(unbuilt),
    }
}

impl Scope {
    pub(super) fn holds(&self, path: &str) -> bool {
        let listed = || self.files.contains(path);
        let included = || self.include.iter().any(|pattern| pattern.matches(path));
        let excluded = || self.exclude.iter().any(|pattern| pattern.matches(path));
        listed() || (included() && !excluded())
    }
}

impl Pattern {
    fn new(folder: &str, text: &str, reading: Reading) -> Option<Pattern> {
        let mut parts: Vec<Box<str>> = Vec::new();
        let mut folder = folder.to_owned();
        for part in text.split(['/', '\\']).filter(|part| !matches!(*part, "" | ".")) {
            if parts.is_empty() && !part.contains(['*', '?']) {
                folder = join(&folder, part)?;
            } else {
                parts.push(part.into());
            }
        }
        match reading {
            // Without a wildcard or a dot in its last part it names a folder and all that is below it.
            Reading::Include => {
                if parts
                    .last()
                    .is_none_or(|last| !last.contains(['*', '?', '.']) || &**last == "**")
                {
                    parts.extend(["**".into(), "*".into()]);
                }
            }
            // What is below an excluded folder is excluded too.
            Reading::Exclude => parts.push("**".into()),
        }
        Some(Pattern { folder, parts, reading })
    }

    fn matches(&self, path: &str) -> bool {
        match below(path, &self.folder) {
            None => false,
            // Without wildcards it may name the file itself.
            Some("") => true,
            Some(inner) => matches(&self.parts, inner, self.reading),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Reading {
    /// `**` does not enter hidden folders or installed packages.
    Include,
    Exclude,
}

/// Parts against the parts of a path; on a mismatch the last `**` takes one more, so that the time is bounded by the
/// product of both lengths.
fn matches(pattern: &[Box<str>], path: &str, reading: Reading) -> bool {
    let path: Vec<&str> = path.split('/').collect();
    let (mut p, mut at) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        if pattern.get(p).is_some_and(|part| &**part == "**") {
            p += 1;
            retry = Some((p, at));
            // At the end it takes the whole rest.
            if p == pattern.len() {
                return path[at..].iter().all(|part| may_cross(part, reading));
            }
        } else if at == path.len() && p == pattern.len() {
            return true;
        } else if at < path.len()
            && p < pattern.len()
            && part_matches(&pattern[p], path[at], reading)
        {
            (p, at) = (p + 1, at + 1);
        } else {
            let Some((star, taken)) = retry.filter(|&(_, taken)| taken < path.len()) else {
                return false;
            };
            if !may_cross(path[taken], reading) {
                return false;
            }
            (p, at) = (star, taken + 1);
            retry = Some((star, taken + 1));
        }
    }
}

fn may_cross(part: &str, reading: Reading) -> bool {
    let hidden = part.starts_with('.')
        || matches!(part, "node_modules" | "bower_components" | "jspm_packages");
    reading == Reading::Exclude || !hidden
}

fn part_matches(pattern: &str, text: &str, reading: Reading) -> bool {
    if reading == Reading::Include && text.starts_with('.') && pattern.starts_with(['*', '?']) {
        return false;
    }
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut p, mut at) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while at < text.len() || p < pattern.len() {
        if pattern.get(p) == Some(&b'*') {
            p += 1;
            retry = Some((p, at));
        } else if at < text.len()
            && (pattern.get(p) == Some(&b'?') || pattern.get(p) == Some(&text[at]))
        {
            (p, at) = (p + 1, at + 1);
        } else {
            let Some((star, taken)) = retry.filter(|&(_, taken)| taken < text.len()) else {
                return false;
            };
            (p, at) = (star, taken + 1);
            retry = Some((star, taken + 1));
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{Scope, scope_of};
    use crate::resolve::node::json::Json;

    fn scope(json: &str) -> Scope {
        scope_of(&[("a/tsconfig.json", &Json::parse(json).unwrap())], "a", &["a/dist"])
    }

    #[test]
    fn ix3_files_of_a_tsconfig() {
        let rows = [
            ("{}", "a/x.ts", true),
            ("{}", "a/b/c/x.vue", true),
            ("{}", "b/x.ts", false),
            ("{}", "a/dist/x.js", false),
            ("{}", "a/.storybook/main.ts", false),
            ("{}", "a/node_modules/x/y.ts", false),
            (r#"{"include": ["src"]}"#, "a/src/b/x.ts", true),
            (r#"{"include": ["src"]}"#, "a/test/x.ts", false),
            (r#"{"include": ["src"]}"#, "a/src.ts", false),
            (r#"{"include": ["./src/"], "exclude": []}"#, "a/src/x.ts", true),
            (r#"{"include": [".storybook"]}"#, "a/.storybook/main.ts", true),
            (r#"{"include": ["src/*"]}"#, "a/src/x.ts", true),
            (r#"{"include": ["src/*"]}"#, "a/src/b/x.ts", false),
            (r#"{"include": ["src/**/*.ts"]}"#, "a/src/x.ts", true),
            (r#"{"include": ["src/**/*.ts"]}"#, "a/src/b/c/x.ts", true),
            (r#"{"include": ["src/**/*.ts"]}"#, "a/src/x.tsx", false),
            (r#"{"include": ["**/src/**/t?st/*"]}"#, "a/p/src/q/r/test/x.ts", true),
            (r#"{"include": ["../b/**/*"]}"#, "b/x.ts", true),
            (r#"{"include": ["x.config.ts"]}"#, "a/x.config.ts", true),
            (r#"{"include": ["src"], "exclude": ["src/b"]}"#, "a/src/b/x.ts", false),
            (r#"{"include": ["src"], "exclude": ["**/*.test.ts"]}"#, "a/src/x.test.ts", false),
            (r#"{"include": ["src"], "exclude": ["**/fixtures"]}"#, "a/src/fixtures/x.ts", false),
            (r#"{"include": ["src"], "exclude": ["src/fix"]}"#, "a/src/fixtures.ts", true),
            (r#"{"files": []}"#, "a/x.ts", false),
            (r#"{"files": ["./x.ts"], "exclude": ["x.ts"]}"#, "a/x.ts", true),
            (r#"{"include": ["${configDir}/src"]}"#, "a/src/x.ts", true),
            (r#"{"include": 7, "files": {"a": 1}}"#, "a/x.ts", false),
        ];
        for (json, path, expected) in rows {
            assert_eq!(scope(json).holds(path), expected, "{json} {path}");
        }
    }

    #[test]
    fn ix3_wildcards_without_end_are_matched_in_time() {
        let json =
            format!(r#"{{"include": ["{}x", "{}"]}}"#, "**/".repeat(1000), "*a".repeat(1000));
        assert!(!scope(&json).holds(&format!("a/{}{}", "b/".repeat(1000), "a".repeat(2000))));
    }
}
