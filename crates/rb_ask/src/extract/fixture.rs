//! A repository with more files than are important, as the extraction sees it.

use std::fmt::Write as _;

use rb_tools::Toolbox;

use super::sources::Sources;
use crate::fixture::with_repository;

const MANIFEST: &str = r#"
//- package.json
{
  "name": "parts",
  "description": "Machine with many parts",
  "main": "lib/main.js"
}
"#;

/// The important files: `lib/main.js` and the 19 that it imports. Beside them the manifest, and whatever is in `others`.
pub(crate) fn many_files(others: &str) -> String {
    let mut files = MANIFEST.to_owned();
    files.push_str("//- lib/main.js\n");
    for n in 0..19 {
        let _ = writeln!(files, "import {{ part{n} }} from './part{n}.js';");
    }
    for n in 0..19 {
        let _ = writeln!(files, "//- lib/part{n}.js\n// Number {n} of the parts.");
        let _ = writeln!(files, "export function part{n}(given) {{");
        let _ = writeln!(files, "  const sum = given + {n};\n  return sum;\n}}");
    }
    files + others
}

/// Indexes a fixture and hands over what the extraction reads of it.
pub(crate) fn with_sources(files: &str, work: impl FnOnce(&mut Sources<'_, '_>)) {
    with_repository(files, |on| {
        let mut toolbox = Toolbox::default();
        work(&mut Sources::new(on, &mut toolbox).unwrap());
    });
}
