//! No text of a repository stops the search for commands.

use proptest::prelude::*;

use crate::detected;

/// Words that mean something to the reader of a line, put together at random.
fn line() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        prop::sample::select(vec![
            "jest",
            "mocha",
            "npm",
            "run",
            "test",
            "npx",
            "node",
            "--test",
            "-R",
            "&&",
            "||",
            "|",
            ";",
            "cross-env",
            "A=1",
            "A=$B",
            "'a b'",
            "\"",
            "\\",
            "--",
            "-w",
            "run-s",
            "react-scripts",
            "bun",
            "vitest",
            "é",
            "$",
            "{report}",
            "{files}",
            "#",
            "c8",
            "*",
            "\n",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    prop::collection::vec(word, 0..8).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn ve1_no_line_stops_the_search(script in line(), other in line()) {
        let manifest = serde_json::json!({ "scripts": { "test": script, "pretest": other, "lint": other, "unit": script } });
        let step = serde_json::json!({ "jobs": { "a": { "steps": [{ "run": script }, { "run": other }] } } });
        let found = detected(&format!("//- package.json\n{manifest}\n//- .github/workflows/a.yml\n{step}\n"));
        for command in found.packages.iter().flat_map(|package| &package.commands) {
            prop_assert!(!command.argv.is_empty() && !command.line.is_empty());
            // A watch mode would never end.
            prop_assert!(command.runner.is_none() || !command.argv.iter().any(|word| word == "--watch"));
        }
        let line = rb_toolchains::line_command(&script, &found);
        prop_assert!(!line.argv.is_empty());
    }
}
