//! What a repository is and how it is built: patterns with their evidence, layers, entry points.
//!
//! `detect` is a pure function of the tree, its imports and its manifests. Tests, examples, documentation and foreign
//! code prove nothing here: a framework that tests itself on two hundred small apps is not two hundred apps. Nothing
//! is claimed without a path that shows it, and nothing is called sure on one piece of evidence.

mod clue;
mod entry_points;
mod layers;
mod patterns;
mod readme;
mod scene;
mod what;

use serde::{Deserialize, Serialize};

pub use self::clue::{Clue, ClueKind};
pub use self::entry_points::{EntryKind, EntryPoint, MOST_SECONDARY};
pub use self::layers::{Against, Layer, LayerFolder, Layering};
pub use self::patterns::{Family, Pattern};
pub use self::what::What;

use self::scene::ArchitectureInput;
use crate::tree::{FileId, Tree};

/// What is looked at. The text of each file for which `needs_text` holds should be in `TreeFile::manifest`; what is
/// missing there is not found.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    pub tree: &'a Tree,
    /// Resolved imports, from the importing file to the imported one, in any order.
    pub edges: &'a [(FileId, FileId)],
    /// Packages from elsewhere, by the file that imports them.
    pub externals: &'a [(FileId, &'a str)],
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Architecture {
    pub what: What,
    /// The surest first, then in the order of `Pattern`.
    pub patterns: Vec<Finding>,
    /// By the names of the pattern that was found, where there is one with layers, then by the folders as they are.
    pub layers: Vec<Layering>,
    /// The product's own first, what only developers start last.
    pub entry_points: Vec<EntryPoint>,
}

/// A pattern and why it is thought to be there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub pattern: Pattern,
    pub confidence: Confidence,
    pub evidence: Vec<Clue>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Two clues of different kinds agree.
    Sure,
    Likely,
}

pub fn detect(input: &Input) -> Architecture {
    let scene = ArchitectureInput::new(input);
    let patterns = patterns::find(&scene);
    let layers = layers::find(&scene, &patterns);
    let entry_points = entry_points::find(&scene);
    let what = what::find(&scene, &patterns);
    Architecture { what, patterns, layers, entry_points }
}

/// Must the text of this file be in the tree for `detect` to see what it says?
pub fn needs_text(path: &str) -> bool {
    const NAMES: &[&str] = &[
        "Procfile",
        "firebase.json",
        "lerna.json",
        "manifest.json",
        "netlify.toml",
        "nx.json",
        "pnpm-workspace.yaml",
        "serverless.yaml",
        "serverless.yml",
        "settings.gradle",
        "settings.gradle.kts",
        "template.yaml",
        "template.yml",
        "turbo.json",
        "vercel.json",
        "wrangler.toml",
        "wrangler.jsonc",
        "go.work",
        "CMakeLists.txt",
        ".babelrc",
    ];
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    crate::manifests::is_manifest(name)
        || NAMES.contains(&name)
        || name.starts_with("Dockerfile")
        || name.starts_with("docker-compose")
        || name.starts_with("compose.y")
        || name.starts_with("next.config.")
        || name.starts_with("babel.config.")
        || (folder.is_empty() && (readme::is_readme(name) || what::is_license(name)))
}

#[cfg(test)]
mod tests;
