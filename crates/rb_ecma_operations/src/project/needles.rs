//! Texts of which a file that refers to a module must hold at least one: most files are never parsed.

use super::Project;

/// What a specifier of the file may end in, or be.
pub(super) fn needles(project: &Project<'_>, path: &str) -> Vec<String> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    let mut needles = vec![stem.to_owned()];
    if stem == "index" || stem == "main" || stem == "mod" {
        needles.extend(folder.rsplit('/').next().filter(|it| !it.is_empty()).map(str::to_owned));
        needles.extend(
            ["'.'", "\".\"", "'..'", "\"..\"", "/..'", "/..\"", "'./'", "\"./\"", "/'", "/\""]
                .map(str::to_owned),
        );
    }
    for manifest in project.files.paths() {
        let (around, name) = manifest.rsplit_once('/').unwrap_or(("", &manifest));
        let is_around = around.is_empty() || path.starts_with(&format!("{around}/"));
        if name == "package.json" && is_around {
            let text = project.files.text(&manifest).unwrap_or_default();
            if let Ok(json) = serde_json::from_str::<serde_json::Value>(&text) {
                needles.extend(json["name"].as_str().map(str::to_owned));
                let imports = json["imports"].as_object();
                needles.extend(imports.into_iter().flatten().map(|(key, _)| fixed(key)));
            }
        } else if name.starts_with("tsconfig") || name.starts_with("jsconfig") {
            let text = project.files.text(&manifest).unwrap_or_default();
            needles.extend(mapped(&text));
        }
    }
    needles.retain(|it| !it.is_empty());
    needles.sort();
    needles.dedup();
    needles
}

/// The keys of `paths` without a star: `"@core": ["src/core/main.ts"]`.
fn mapped(config: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in config.match_indices('[') {
        let before = config[..at].trim_end();
        let Some(key) = before.strip_suffix(':').map(str::trim_end) else { continue };
        let Some(key) = key.strip_suffix('"') else { continue };
        let key = &key[key.rfind('"').map_or(0, |at| at + 1)..];
        if !key.contains('*') && !matches!(key, "include" | "exclude" | "files" | "lib" | "types") {
            found.push(key.to_owned());
        }
    }
    found
}

/// What stands before the star.
fn fixed(key: &str) -> String {
    key.split('*').next().unwrap_or(key).to_owned()
}

/// Texts in quotes that hold one of the needles, with their lines.
pub(super) fn quoted(text: &str, needles: &[String]) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        for mark in ['"', '\'', '`'] {
            let inside = content.split(mark).skip(1).step_by(2);
            let named =
                inside.filter(|it| needles.iter().any(|needle| it.contains(needle.as_str())));
            found.extend(named.map(|it| (line, it.to_owned())));
        }
        // A quote that stands alone shifts the others: the rest between each two is tried as well.
        for mark in ['"', '\''] {
            let between = content.split(mark).skip(2).step_by(2);
            let named =
                between.filter(|it| needles.iter().any(|needle| it.contains(needle.as_str())));
            found.extend(named.map(|it| (line, it.to_owned())));
        }
    }
    found
}
