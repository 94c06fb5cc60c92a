//! What the recipes that take code away have in common: what code does when it is run or loaded, what compilers do with
//! imports, and how statements go without harm to what stands beside them.

pub mod compiler;
pub mod deletion;
pub mod loads;
pub mod quiet;

pub use self::compiler::{Jsx, drops_unused_imports, jsx};
pub use self::loads::{Edge, Loads, Loud, loads, loud_package, loud_when_loaded, own_effect};
pub use self::quiet::{first_effect, is_quiet, is_quiet_class, is_quiet_variable};

use std::sync::Arc;

use rb_rules::{Facts, FileKind, World};

/// The folder of a path, without a slash; empty at the root.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path in a folder, which may be the root.
pub fn inside(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The nearest manifest above a file: its folder, and what it says.
pub fn manifest_of(world: &dyn World, path: &str) -> Option<(String, serde_json::Value)> {
    manifest_in(world, folder(path)).as_ref().clone()
}

/// Is the file there to be read by tests, as data, with all that is odd in it?
pub fn is_fixture(world: &dyn World, facts: &Facts, text: &str) -> bool {
    const FOLDERS: &[&str] =
        &["fake_modules", "testdata", "test-data", "test_data", "__snapshots__", "snapshots"];
    if facts.kind != FileKind::Test {
        return false;
    }
    let (folders, name) = facts.path.rsplit_once('/').unwrap_or(("", &facts.path));
    let is_data = |it: &str| it.contains("fixture") || FOLDERS.contains(&it);
    let is_named = name.contains(".test.") || name.contains(".spec.") || name.contains("setup");
    let runs = || ["describe(", "it(", "test(", "setup("].iter().any(|it| text.contains(it));
    folders.split('/').any(is_data) || (!is_named && !runs() && world.users(&facts.path).is_empty())
}

/// The folder of the package that a file belongs to.
pub fn package_of(world: &dyn World, path: &str) -> Option<String> {
    manifest_in(world, folder(path)).as_ref().as_ref().map(|(folder, _)| folder.clone())
}

type Manifest = Option<(String, serde_json::Value)>;

fn manifest_in(world: &dyn World, at: &str) -> Arc<Manifest> {
    const QUESTION: &str = "nearest manifest";
    if let Some(known) = world.recall(QUESTION, at, "")
        && let Ok(known) = known.downcast::<Manifest>()
    {
        return known;
    }
    let own = world.text(&inside(at, "package.json"));
    let own = own.and_then(|text| Some((at.to_owned(), serde_json::from_str(&text).ok()?)));
    let found = match own {
        Some(own) => Arc::new(Some(own)),
        None if at.is_empty() => Arc::new(None),
        None => manifest_in(world, folder(at)),
    };
    world.remember(QUESTION, at, "", found.clone());
    found
}
