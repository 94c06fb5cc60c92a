//! What a package publishes of a file: entries of `package.json` that name what is built from it.

use rb_ecma::links::Target;
use rb_operations::{Files, Refusal};

use crate::project::Project;

/// Folders that say how something was built, not what it is.
const BUILT: &[&str] = &[
    "dist", "build", "lib", "out", "esm", "cjs", "es", "umd", "mjs", "module", "commonjs", "types",
];
const SOURCES: &[&str] = &["src/", "source/", "lib/"];
const ENDINGS: &[&str] = &[".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs"];

/// `dist/old.js` is built from `src/old.ts`, and `dist/new.js` from `src/new.ts`.
pub(super) fn rebuilt(
    files: &dyn Files,
    folder: &str,
    value: &str,
    old: &str,
    new: &str,
) -> Option<String> {
    let plain = value.strip_prefix("./").unwrap_or(value);
    let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    if files.text(&format!("{prefix}{plain}")).is_some() {
        return None;
    }
    let (old, new) = (old.strip_prefix(&prefix)?, new.strip_prefix(&prefix)?);
    let root = SOURCES.iter().find(|it| old.starts_with(*it) && new.starts_with(*it))?;
    let stem = |path: &str| Some(path.strip_prefix(root)?.rsplit_once('.')?.0.to_owned());
    let (old, new) = (stem(old)?, stem(new)?);
    let ending = ENDINGS.iter().find(|it| plain.ends_with(*it))?;
    let built = plain.strip_suffix(ending)?.strip_suffix(&old)?;
    let mut folders = built.strip_suffix('/')?.split('/');
    if !folders.all(|it| BUILT.contains(&it)) {
        return None;
    }
    let kept = &value[..value.len() - ending.len() - old.len()];
    Some(format!("{kept}{new}{ending}"))
}

/// A package must go on publishing the file.
pub(crate) fn check_published(
    before: &Project<'_>,
    now: &Project<'_>,
    (old, new): (&str, &str),
) -> Result<(), Refusal> {
    let paths = before.files.paths();
    let manifests = paths.iter().filter(|path| {
        let folder = path.strip_suffix("package.json");
        folder.is_some_and(|folder| old.starts_with(folder))
    });
    for manifest in manifests {
        for entry in before.files.text(manifest).iter().flat_map(|text| entries(text)) {
            let leads = |project: &Project<'_>, file: &str| {
                project.resolve(file, &entry) == Target::File(file.to_owned())
            };
            if leads(before, old) && !leads(now, new) {
                let reason = format!(
                    "{manifest} publishes {old} as `{entry}`, and names a file that is built from it"
                );
                return Err(Refusal::new(
                    reason,
                    "change the entry by hand, or give a path below the same source folder",
                ));
            }
        }
    }
    Ok(())
}

/// How others import what a package publishes; patterns are not among them.
fn entries(manifest: &str) -> Vec<String> {
    let Ok(manifest) = serde_json::from_str::<serde_json::Value>(manifest) else {
        return Vec::new();
    };
    let Some(name) = manifest.get("name").and_then(|it| it.as_str()) else { return Vec::new() };
    let exports = manifest.get("exports").and_then(|it| it.as_object());
    let keys = exports.into_iter().flat_map(|it| it.keys()).filter(|key| !key.contains('*'));
    let below = keys.filter_map(|key| key.strip_prefix('.')).map(|key| format!("{name}{key}"));
    below.chain([name.to_owned()]).collect()
}
