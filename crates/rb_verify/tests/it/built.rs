//! What a build makes for browsers is measured before and after a change.

use rb_core::Verdict;
use rb_verify::{BuiltFile, CommandRun};

use crate::Project;

/// Writes what would change, and leaves alone what is there already, as webpack does.
const BUILD: &str = r#"
//- package.json
{ "name": "shop", "scripts": { "build": "node build.js" } }
//- build.js
const fs = require('fs');
fs.mkdirSync('dist', { recursive: true });
const app = fs.readFileSync('src/app.js');
fs.writeFileSync('dist/app.js', app);
fs.writeFileSync('dist/app.js.map', '{}');
if (!fs.existsSync('dist/vendor.css')) fs.writeFileSync('dist/vendor.css', 'a { color: red }');
process.exit(app.length > 5000 ? 1 : 0);
//- src/app.js
console.log(1);
"#;

fn sizes(run: &CommandRun) -> Vec<(&str, u64)> {
    run.built.iter().map(|file| (&*file.path, file.bytes)).collect()
}

#[test]
fn ru6_what_a_build_makes_for_browsers_is_measured_before_and_after() {
    let mut project = Project::new(BUILD);
    project.options.fast = vec!["node build.js".to_owned()];
    let detected = project.detected(&["package.json", "build.js", "src/app.js"]);
    let baseline = project.baseline(&detected);
    let before = &baseline.commands[0];
    assert_eq!(sizes(before), [("dist/app.js", 16), ("dist/vendor.css", 16)], "{before:?}");

    project.write("src/app.js", &"console.log(1);\n".repeat(100));
    let after = project.verify(&detected, &baseline, &[]);
    let run = &after.commands[0].run;
    assert_eq!(sizes(run), [("dist/app.js", 1_600), ("dist/vendor.css", 16)], "{run:?}");
    let BuiltFile { bytes, gzipped, .. } = &run.built[0];
    assert!(*gzipped > 20 && gzipped * 10 < *bytes, "{gzipped} of {bytes}");

    // What a failed build left is no measure.
    project.write("src/app.js", &"console.log(1);\n".repeat(400));
    let failed = project.verify(&detected, &baseline, &[]);
    assert_eq!((failed.verdict, sizes(&failed.commands[0].run)), (Verdict::Fail, Vec::new()));
}
