//! What the settings of a project say about its compiler: whether unused imports are dropped, and what JSX becomes.
//!
//! What cannot be read counts against a removal.

use std::sync::Arc;

use rb_rules::{Condition, Facts, World};
use serde_json::Value;

use super::{folder, inside};

/// What JSX becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Jsx {
    /// The compiler brings what it needs by itself.
    Automatic,
    /// Calls of a name that the file has to import, or it cannot be told.
    Named,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Settings {
    has_config: bool,
    /// Imports stay, used or not.
    keeps_imports: bool,
    /// All values of `jsx`.
    jsx: Vec<String>,
    has_factory: bool,
    babel: Vec<String>,
}

/// Does the compiler drop an import of which no name is used as a value? All compilers of TypeScript do, unless told.
pub fn drops_unused_imports(world: &dyn World, path: &str) -> bool {
    let is_typed = [".ts", ".tsx", ".mts", ".cts"].iter().any(|end| path.ends_with(end));
    is_typed && {
        let settings = settings(world, folder(path));
        settings.has_config && !settings.keeps_imports
    }
}

/// What becomes of JSX in a file.
pub fn jsx(world: &dyn World, path: &str, facts: &Facts) -> Jsx {
    let settings = settings(world, folder(path));
    let package = &facts.package;
    let babel_is_classic = settings.babel.iter().any(|it| is_classic(it));
    if settings.has_factory || babel_is_classic {
        return Jsx::Named;
    }
    let is_automatic = if ends(path, "tsx") {
        let known = |it: &String| match it.as_str() {
            "react-jsx" | "react-jsxdev" => true,
            "preserve" => package.uses_next && !is_run_by_vitest(world, facts),
            _ => false,
        };
        !settings.jsx.is_empty() && settings.jsx.iter().all(known)
    } else {
        package.uses_next
            || settings.babel.iter().any(|it| it.contains("automatic"))
            || (package.depends_on("react-scripts") && package.react_at_least(17, 0))
    };
    if is_automatic { Jsx::Automatic } else { Jsx::Named }
}

/// Does Babel call a name of the file anywhere? Each environment may set it up anew, so that each has to say otherwise.
fn is_classic(babel: &str) -> bool {
    if babel.contains("next/babel") || !babel.contains("react") {
        return false;
    }
    let presets = ["preset-react", "transform-react-jsx"];
    let presets: usize = presets.iter().map(|it| babel.matches(it).count()).sum();
    babel.matches("automatic").count() < presets.max(1)
}

/// Vitest compiles JSX that is to be preserved to calls of `React`, unless a plugin does it otherwise.
fn is_run_by_vitest(world: &dyn World, facts: &Facts) -> bool {
    let mut dirs = vec!["", &*facts.package.dir];
    dirs.dedup();
    let manifests: Vec<Arc<str>> =
        dirs.iter().filter_map(|dir| world.text(&inside(dir, "package.json"))).collect();
    let has = |name: &str| manifests.iter().any(|it| it.contains(name));
    has("\"vitest\"") && !has("\"@vitejs/plugin-react")
}

fn settings(world: &dyn World, at: &str) -> Arc<Settings> {
    const QUESTION: &str = "settings of the compiler";
    if let Some(known) = world.recall(QUESTION, at, "")
        && let Ok(known) = known.downcast::<Settings>()
    {
        return known;
    }
    let found = Arc::new(read(world, at));
    world.remember(QUESTION, at, "", found.clone());
    found
}

/// The settings files of the project, sorted.
fn all(world: &dyn World) -> Arc<Vec<String>> {
    const QUESTION: &str = "settings files";
    if let Some(known) = world.recall(QUESTION, "", "")
        && let Ok(known) = known.downcast::<Vec<String>>()
    {
        return known;
    }
    let is_one = |path: &String| {
        let name = path.rsplit('/').next().unwrap_or(path);
        (name.starts_with("tsconfig") || name.starts_with("jsconfig")) && ends(name, "json")
            || name.starts_with("babel.config.")
            || name.starts_with(".babelrc")
            || name.starts_with("deno.json")
            || name == "package.json"
            || name.starts_with(".prettierrc")
            || name.starts_with("prettier.config.")
            || name.starts_with(".eslintrc")
            || name.starts_with("eslint.config.")
    };
    let found: Arc<Vec<String>> = Arc::new(world.all_paths().into_iter().filter(is_one).collect());
    world.remember(QUESTION, "", "", found.clone());
    found
}

/// The settings of a linter above a file that forbid imports of files behind an index.
pub fn forbids_deep_imports(world: &dyn World, path: &str) -> Option<String> {
    let forbids = |text: &str| {
        text.contains("no-internal-modules")
            || (text.contains("no-restricted-imports") && text.contains("patterns"))
    };
    let is_above = |config: &str| {
        let dir = folder(config);
        dir.is_empty() || path.strip_prefix(dir).is_some_and(|it| it.starts_with('/'))
    };
    let configs = all(world);
    let mut own = configs
        .iter()
        .filter(|it| (it.contains("eslintrc") || it.contains("eslint.config")) && is_above(it));
    own.find(|it| world.text(it).is_some_and(|text| forbids(&text))).cloned()
}

/// Is the code laid out by Prettier?
pub fn is_laid_out_by_prettier(world: &dyn World) -> bool {
    let is_asked = |text: Arc<str>| text.contains("\"prettier\"");
    all(world).iter().any(|it| it.contains("prettierrc") || it.contains("prettier.config"))
        || world.text("package.json").is_some_and(is_asked)
}

/// How long a line may be for Prettier, as the nearest settings above a file say.
pub fn print_width(world: &dyn World, path: &str) -> Option<usize> {
    let is_above = |config: &&String| {
        let dir = folder(config);
        let holds = config.contains("prettier") || config.ends_with("package.json");
        holds && (dir.is_empty() || path.strip_prefix(dir).is_some_and(|it| it.starts_with('/')))
    };
    let said = |config: &String| {
        let text = world.text(config)?;
        let (_, rest) = text.split_once("printWidth")?;
        let rest = rest.trim_start_matches(['"', '\'', ':', ' ']);
        let end = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse::<usize>().ok()
    };
    let configs = all(world);
    let mut found: Vec<(usize, usize)> = configs
        .iter()
        .filter(is_above)
        .filter_map(|it| Some((folder(it).len(), said(it)?)))
        .collect();
    found.sort_unstable();
    found.last().map(|(_, width)| *width)
}

fn read(world: &dyn World, at: &str) -> Settings {
    let files = all(world);
    let mut found = Settings::default();
    let mut dir = at;
    loop {
        let here: Vec<&String> = files.iter().filter(|it| folder(it) == dir).collect();
        for path in &here {
            let name = path.rsplit('/').next().unwrap_or(path);
            if name.contains("babel") {
                let text = world.text(path).unwrap_or_default();
                found.keeps_imports |= text.contains("onlyRemoveTypeImports");
                found.babel.push(text.to_string());
            } else if name == "package.json" || name.contains("prettier") || name.contains("eslint")
            {
                // It says nothing of imports.
            } else if name.starts_with("deno") {
                found.keeps_imports = true;
            } else if !found.has_config || folder(path) == at {
                config(world, &files, path, &mut found);
            }
        }
        found.has_config |= here.iter().any(|it| {
            ends(it, "json") && it.rsplit('/').next().is_some_and(|it| it.starts_with("tsconfig"))
        });
        if let Some(manifest) = world.text(&inside(dir, "package.json")) {
            found.keeps_imports |=
                manifest.contains("strip-types") || manifest.contains("\"node src/index.ts");
            if manifest.contains("\"babel\":") {
                found.babel.push(manifest.to_string());
            }
        }
        if dir.is_empty() {
            return found;
        }
        dir = folder(dir);
    }
}

/// One settings file with those that it is based on.
fn config(world: &dyn World, files: &[String], path: &str, found: &mut Settings) {
    let mut options = serde_json::Map::new();
    let Some(text) = world.text(path) else { return };
    if !gather(world, files, path, &text, &mut options, 0) {
        // A base that cannot be read may say anything that is not said here.
        found.keeps_imports |= !options.contains_key("verbatimModuleSyntax");
        if !options.contains_key("jsx") {
            found.jsx.push("unknown".to_owned());
        }
    }
    let is = |key: &str| options.get(key) == Some(&Value::Bool(true));
    found.keeps_imports |= is("verbatimModuleSyntax")
        || is("preserveValueImports")
        || is("erasableSyntaxOnly")
        || options.get("importsNotUsedAsValues").is_some_and(|it| it != "remove");
    found.jsx.extend(options.get("jsx").and_then(Value::as_str).map(str::to_owned));
    found.has_factory |=
        ["jsxFactory", "reactNamespace"].iter().any(|it| options.contains_key(*it));
}

/// Fills in the options; false where a base cannot be read.
fn gather(
    world: &dyn World,
    files: &[String],
    path: &str,
    text: &str,
    options: &mut serde_json::Map<String, Value>,
    depth: u32,
) -> bool {
    let Some(doc) = relaxed(text) else { return false };
    let bases: Vec<&str> = match doc.get("extends") {
        Some(Value::String(it)) => vec![it],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let mut all_read = depth < 8;
    for base in bases.into_iter().filter(|_| depth < 8) {
        all_read &= match base_text(world, files, path, base) {
            Some((path, text)) => gather(world, files, &path, &text, options, depth + 1),
            None => false,
        };
    }
    if let Some(own) = doc.get("compilerOptions").and_then(Value::as_object) {
        options.extend(own.clone());
    }
    all_read
}

fn base_text(
    world: &dyn World,
    files: &[String],
    from: &str,
    base: &str,
) -> Option<(String, Arc<str>)> {
    if base.starts_with('.') {
        let path = joined(folder(from), base)?;
        let tries = [path.clone(), format!("{path}.json"), inside(&path, "tsconfig.json")];
        return tries.into_iter().find_map(|it| world.text(&it).map(|text| (it, text)));
    }
    // A package of the same repository, or an installed one.
    let parts = if base.starts_with('@') { 2 } else { 1 };
    let name: String = base.split('/').take(parts).collect::<Vec<_>>().join("/");
    let inner = base.get(name.len() + 1..).unwrap_or("tsconfig.json");
    let is_named = |path: &&String| {
        path.ends_with("package.json")
            && super::manifest_of(world, path)
                .is_some_and(|(_, it)| it.get("name").and_then(Value::as_str) == Some(&name))
    };
    if let Some(manifest) = files.iter().find(is_named) {
        let path = inside(folder(manifest), inner);
        let tries = [path.clone(), format!("{path}.json"), inside(&path, "tsconfig.json")];
        return tries.into_iter().find_map(|it| world.text(&it).map(|text| (it, text)));
    }
    let tries = [base.to_owned(), format!("{base}.json"), format!("{base}/tsconfig.json")];
    tries.iter().find_map(|it| {
        let file = world.installed(from, it, Condition::Require)?;
        Some((from.to_owned(), world.installed_text(&file)?))
    })
}

/// Has the name this extension?
fn ends(name: &str, extension: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, end)| end == extension)
}

/// A relative path from a folder; `None` where it leads out of the repository.
pub fn joined(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// JSON with comments and trailing commas.
pub fn relaxed(text: &str) -> Option<Value> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.char_indices().peekable();
    while let Some((at, character)) = rest.next() {
        match character {
            '"' => {
                out.push('"');
                let mut is_escaped = false;
                for (_, inner) in rest.by_ref() {
                    out.push(inner);
                    match inner {
                        _ if is_escaped => is_escaped = false,
                        '\\' => is_escaped = true,
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '/' if text[at..].starts_with("//") => {
                while rest.next_if(|(_, it)| *it != '\n').is_some() {}
            }
            '/' if text[at..].starts_with("/*") => {
                let end = text[at..].find("*/").map_or(text.len(), |end| at + end + 2);
                while rest.next_if(|(at, _)| *at < end).is_some() {}
            }
            '}' | ']' => {
                let bare = out.trim_end().trim_end_matches(',').len();
                out.truncate(bare);
                out.push(character);
            }
            other => out.push(other),
        }
    }
    serde_json::from_str(&out).ok()
}

#[cfg(test)]
mod tests {
    use super::is_classic;

    #[test]
    fn ru3_babel_brings_what_jsx_needs_only_where_every_preset_says_so() {
        let check = |text: &str, expected: bool| assert_eq!(is_classic(text), expected, "{text}");
        let automatic = r#"["@babel/preset-react", {"runtime": "automatic"}]"#;
        check(r#"{"presets": ["@babel/preset-react"]}"#, true);
        check(&format!("{{\"presets\": [{automatic}]}}"), false);
        check(
            &format!(
                r#"{{"presets": ["@babel/preset-react"], "env": {{"development": {{"presets": [{automatic}]}}}}}}"#
            ),
            true,
        );
        check(
            &format!("{{\"presets\": [{automatic}], \"env\": {{\"test\": {automatic}}}}}"),
            false,
        );
        check(r#"{"presets": ["react-app"]}"#, true);
        check(r#"{"presets": ["next/babel"]}"#, false);
        check(r#"{"presets": ["@babel/preset-env"]}"#, false);
    }
}
