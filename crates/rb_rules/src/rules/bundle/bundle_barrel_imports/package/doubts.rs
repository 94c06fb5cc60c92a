//! What speaks against a direct import of a package: modules that may do something, copies that are not the same, tools that
//! do not find it.

use std::path::Path;

use serde_json::Value;

use super::{Barrel, place};
use crate::facts::Facts;
use crate::world::{Condition, World};

impl Barrel<'_> {
    pub(super) fn effects(&self) -> Option<String> {
        (!self.is_shaken()).then(|| {
            format!("`{}` does not declare its modules free of side effects", self.package)
        })
    }

    /// Is what `require` gets for both specifiers one and the same?
    pub(super) fn twin(&self, specifier: &str, file: &str) -> Option<String> {
        if is_bundled(self.facts) {
            return None;
        }
        let Some(index) = &self.required else { return None };
        let required = place(self.world, self.facts, specifier, Condition::Require);
        let is_same = required.is_some_and(|required| {
            required == *index || (required != file && self.requires(index, &required))
        });
        (!is_same)
            .then(|| format!("with `require`, `{specifier}` is not the copy that the barrel loads"))
    }

    /// Does the text of a `CommonJS` index name the file?
    fn requires(&self, index: &str, file: &str) -> bool {
        let folder = index.rfind('/').map_or("", |at| &index[..=at]);
        let Some(inner) = file.strip_prefix(folder) else { return false };
        let bare = inner.rsplit_once('.').map_or(inner, |(bare, _)| bare);
        let short = bare.strip_suffix("/index").unwrap_or(bare);
        let text = self.world.installed_text(Path::new(index));
        text.is_some_and(|text| {
            [inner, bare, short].iter().any(|it| {
                ['"', '\'']
                    .iter()
                    .any(|quote| text.contains(&format!("require({quote}./{it}{quote})")))
            })
        })
    }

    /// Does Node find the same as a bundler? It does not guess extensions, and has a condition of its own.
    pub(super) fn node(&self, subpath: &str, file: &str) -> Option<String> {
        if is_bundled(self.facts) {
            return None;
        }
        let fits = self.is_found_by_node(subpath, file);
        (!fits).then(|| {
            format!(
                "without a bundler, `{}/{subpath}` is missing or not the module that the barrel exports",
                self.package
            )
        })
    }

    pub(super) fn is_found_by_node(&self, subpath: &str, file: &str) -> bool {
        match self.manifest.get("exports").filter(|it| !it.is_null()) {
            Some(exports) => !self.facts.package.ssr || !has_key(exports, "node", 0),
            None => {
                let is_module = self.manifest.get("type").and_then(Value::as_str) == Some("module")
                    || Path::new(file).extension().is_some_and(|it| it == "mjs");
                is_module && file.strip_prefix(&self.folder) == Some(subpath)
            }
        }
    }

    /// A compiler that does not read `exports` looks for the file itself.
    pub(super) fn resolution(&self, subpath: &str) -> Option<String> {
        let ends = [".d.ts", "/index.d.ts"];
        let lies_there = ends.iter().any(|end| {
            let file = format!("{}{subpath}{end}", self.folder);
            self.world.installed_text(Path::new(&file)).is_some()
        });
        let fits = lies_there
            || self.community_types(subpath).is_some()
            || reads_exports(self.world, self.facts);
        (!fits).then(|| {
            format!(
                "`{}/{subpath}` has types only if `moduleResolution` is `bundler` or `node16`",
                self.package
            )
        })
    }
}

/// Is the code of the project run by nothing but a bundler, which always takes what is there for `import`?
fn is_bundled(facts: &Facts) -> bool {
    const BUNDLERS: &[&str] =
        &["vite", "vitest", "webpack", "parcel", "@rsbuild/core", "@rspack/core"];
    const REQUIRING: &[&str] =
        &["jest", "ts-jest", "babel-jest", "react-scripts", "mocha", "@jest/core"];
    let has = |names: &[&str]| names.iter().any(|it| facts.package.depends_on(it));
    !facts.package.ssr && has(BUNDLERS) && !has(REQUIRING)
}

/// Does the project's compiler read `exports`, as far as its plain configuration says?
fn reads_exports(world: &dyn World, facts: &Facts) -> bool {
    const FILES: &[&str] = &["tsconfig.json", "tsconfig.app.json", "tsconfig.base.json"];
    let dir = &facts.package.dir;
    let folders = [dir.as_ref(), ""];
    folders.iter().flat_map(|folder| FILES.iter().map(move |file| (folder, file))).any(
        |(folder, file)| {
            let path =
                if folder.is_empty() { (*file).to_owned() } else { format!("{folder}/{file}") };
            let Some(text) = world.text(&path) else { return false };
            let text: String = text.to_lowercase().split_whitespace().collect();
            ["bundler", "node16", "nodenext"]
                .iter()
                .any(|it| text.contains(&format!("\"moduleresolution\":\"{it}\"")))
        },
    )
}

fn has_key(value: &Value, key: &str, depth: u32) -> bool {
    match value {
        Value::Object(parts) if depth < 8 => {
            parts.iter().any(|(name, it)| name == key || has_key(it, key, depth + 1))
        }
        _ => false,
    }
}
