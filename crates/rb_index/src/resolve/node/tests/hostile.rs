//! Manifests that are broken or made to be slow. Each must end, without a panic, in the answer that is left.

use super::check;

#[test]
fn ix3_manifests_of_the_wrong_shape_say_nothing() {
    let shapes = [
        "[]",
        "7",
        "null",
        "\"a\"",
        "{",
        "",
        "\u{0}",
        r#"{"name": 1, "exports": 7, "imports": [], "main": {}, "workspaces": 3, "dependencies": [1]}"#,
        r#"{"exports": {".": {"import": {"node": [null, {}, [], false]}}}, "workspaces": [1, null, "[", "{", "../.."]}"#,
        r#"{"compilerOptions": {"baseUrl": 1, "paths": [], "rootDirs": "x", "moduleSuffixes": 3}, "extends": [1, "", ".", "/", "@"], "references": [1, {"path": 2}], "files": {}, "include": [""]}"#,
    ];
    for shape in shapes {
        let fixture = format!(
            "//- package.json\n{shape}\n//- tsconfig.json\n{shape}\n//- deno.json\n{shape}\n//- lerna.json\n{shape}\n//- rush.json\n{shape}\n//- pnpm-workspace.yaml\n{shape}\n//- m.ts a.ts"
        );
        check(&fixture, &[("m.ts", "./a", "a.ts"), ("m.ts", "react", "external react")]);
    }
}

#[test]
fn ix3_manifests_without_end_are_answered() {
    let many: Vec<String> =
        (0..10_000).map(|at| format!(r#""./{at}*": "./{at}/*/*/*.js""#)).collect();
    let stars = "*".repeat(5000);
    let exports = format!(
        r#"{{"name": "self", "exports": {{{}, "./*": "./{stars}", "./x": "./a.ts"}}}}"#,
        many.join(",")
    );
    let nested = format!("{}\"./a.ts\"{}", r#"{"default": "#.repeat(1000), "}".repeat(1000));
    let include = format!(
        r#"{{"include": ["{}x"], "compilerOptions": {{"paths": {{"{stars}": ["{stars}"], "*": ["{stars}"]}}}}}}"#,
        "**/*/".repeat(1000)
    );
    let long = "a/".repeat(5000);
    let fixture = format!(
        "//- package.json\n{exports}\n//- tsconfig.json\n{include}\n//- deep/package.json\n{{\"name\": \"deep\", \"exports\": {nested}}}\n//- deep/m.ts m.ts a.ts"
    );
    check(
        &fixture,
        &[
            ("m.ts", "self/x", "a.ts"),
            ("m.ts", "self/77a", "unresolved"),
            ("m.ts", &format!("self/{long}"), "unresolved"),
            ("m.ts", &format!("./{long}"), "unresolved"),
            ("m.ts", &"../".repeat(5000), "unresolved"),
            // Nested too deep to be read, so that it is no package.
            ("deep/m.ts", "deep", "external deep"),
        ],
    );
}

#[test]
fn ix3_configs_that_lead_in_circles_are_left() {
    let names: Vec<String> = (0..200).map(|at| format!("tsconfig.{at}.json")).collect();
    let extends: Vec<String> = names.iter().map(|name| format!(r#""./{name}""#)).collect();
    let references: Vec<String> =
        names.iter().map(|name| format!(r#"{{ "path": "{name}" }}"#)).collect();
    let (extends, references) = (extends.join(","), references.join(","));
    let text =
        format!(r#"{{ "extends": [{extends}], "files": [], "references": [{references}] }}"#);
    let fixture =
        format!("//- m.ts a.ts\n//- tsconfig.json\n{text}\n//- {}\n{text}\n", names.join(" "));
    check(&fixture, &[("m.ts", "./a", "a.ts"), ("m.ts", "react", "external react")]);
}

#[test]
fn ix3_names_that_are_no_text_of_ours() {
    check(
        "//- package.json\n{ \"name\": \"é\" }\n//- m.ts é.ts",
        &[
            ("m.ts", "./é", "é.ts"),
            ("m.ts", "é", "unresolved"),
            ("m.ts", "@", "unresolved"),
            ("m.ts", "@/", "unresolved"),
            ("m.ts", "/", "unresolved"),
            ("m.ts", "#", "unresolved"),
            ("m.ts", "?", "unresolved"),
            ("m.ts", "!", "unresolved"),
            ("m.ts", "./\u{0}", "unresolved"),
            ("m.ts", "..\\m", "unresolved"),
        ],
    );
}
