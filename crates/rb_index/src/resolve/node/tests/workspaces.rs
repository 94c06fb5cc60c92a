//! Packages that are developed together.

use super::check;

const MEMBERS: &str = r#"
//- packages/a/package.json
{ "name": "@acme/a", "version": "1.2.0", "main": "dist/index.js" }
//- packages/a/src/index.ts packages/a/src/util.ts
//- packages/b/package.json
{ "name": "b", "version": "2.0.0" }
//- packages/b/index.js packages/b/m.js
//- other/c/package.json
{ "name": "c" }
//- other/c/index.js other/c/m.js m.js
"#;

fn check_members(root: &str) {
    check(
        &format!("{root}{MEMBERS}"),
        &[
            ("packages/b/m.js", "@acme/a", "packages/a/src/index.ts"),
            ("packages/b/m.js", "@acme/a/util", "packages/a/src/util.ts"),
            ("packages/b/m.js", "@acme/a/gone", "unresolved"),
            ("m.js", "b", "packages/b/index.js"),
            ("packages/b/m.js", "c", "external c"),
            ("packages/b/m.js", "@acme/other", "external @acme/other"),
        ],
    );
}

#[test]
fn ix3_members_by_npm_yarn_pnpm_bun_lerna_rush_and_deno() {
    check_members("//- package.json\n{ \"workspaces\": [\"packages/*\"] }");
    check_members("//- package.json\n{ \"workspaces\": [\"./packages/*/\"] }");
    check_members(
        "//- package.json\n{ \"workspaces\": { \"packages\": [\"**\", \"!other/**\"] } }",
    );
    check_members(
        "//- pnpm-workspace.yaml\npackages:\n  - 'packages/**' # all\n  - '!**/c'\n//- package.json\n{}",
    );
    check_members("//- package.json\n{}\n//- lerna.json\n{ \"packages\": [\"packages/{a,b}\"] }");
    check_members(
        "//- package.json\n{}\n//- rush.json\n{ \"projects\": [{ \"projectFolder\": \"packages/a\" }, { \"projectFolder\": \"packages/b\" }, 7], }",
    );
    check_members(
        "//- package.json\n{}\n//- deno.json\n{ \"workspace\": [\"./packages/a\", \"./packages/b\"] }",
    );
}

#[test]
fn ix3_a_package_of_deno() {
    check(
        r#"//- deno.json
{ "workspace": ["./a", "./b"] }
//- a/deno.json
{ "name": "@acme/a", "version": "1.0.0", "exports": { ".": "./mod.ts", "./x": "./x.ts" } }
//- a/mod.ts a/x.ts
//- b/deno.jsonc
{ "name": "@acme/b", "exports": "./mod.ts", }
//- b/mod.ts
"#,
        &[
            ("b/mod.ts", "@acme/a", "a/mod.ts"),
            ("b/mod.ts", "@acme/a/x", "a/x.ts"),
            ("a/x.ts", "@acme/b", "b/mod.ts"),
        ],
    );
}

#[test]
fn ix3_the_declared_version_says_where_a_package_comes_from() {
    check(
        r#"//- package.json
{ "workspaces": ["packages/*"], "resolutions": { "forced": "workspace:*" } }
//- packages/lib/package.json
{ "name": "lib", "version": "2.1.0" }
//- packages/lib/index.js
//- packages/forced/package.json
{ "name": "forced", "version": "9.0.0" }
//- packages/forced/index.js
//- packages/new/package.json
{ "dependencies": { "lib": "^2.0.0", "forced": "^1.0.0" } }
//- packages/new/m.js
//- packages/old/package.json
{ "dependencies": { "lib": "^1.0.0" } }
//- packages/old/m.js
//- packages/ws/package.json
{ "devDependencies": { "lib": "workspace:^", "alias": "workspace:lib@*", "by-path": "workspace:../lib", "away": "workspace:*" } }
//- packages/ws/m.js
//- packages/peer/package.json
{ "peerDependencies": { "lib": "^1 || ^2", "react": "*" } }
//- packages/peer/m.js
//- packages/npm/package.json
{ "dependencies": { "lib": "npm:lib@^1", "renamed": "npm:lib@^2", "same": "npm:lib" } }
//- packages/npm/m.js
//- packages/tag/package.json
{ "dependencies": { "lib": "latest", "git": "github:acme/lib" } }
//- packages/tag/m.js
//- examples/in/package.json
{ "dependencies": { "lib": "*" } }
//- examples/in/m.js
//- examples/out/package.json
{ "dependencies": { "lib": "1.0.0" } }
//- examples/out/m.js
//- examples/tag/package.json
{ "dependencies": { "lib": "latest" } }
//- examples/tag/m.js
"#,
        &[
            ("packages/new/m.js", "lib", "packages/lib/index.js"),
            ("packages/new/m.js", "forced", "packages/forced/index.js"),
            ("packages/old/m.js", "lib", "external lib"),
            ("packages/ws/m.js", "lib", "packages/lib/index.js"),
            ("packages/ws/m.js", "alias", "packages/lib/index.js"),
            ("packages/ws/m.js", "by-path", "packages/lib/index.js"),
            ("packages/ws/m.js", "away", "external away"),
            ("packages/peer/m.js", "lib", "packages/lib/index.js"),
            ("packages/peer/m.js", "react", "external react"),
            ("packages/npm/m.js", "lib", "external lib"),
            ("packages/npm/m.js", "renamed", "packages/lib/index.js"),
            ("packages/npm/m.js", "same", "packages/lib/index.js"),
            ("packages/tag/m.js", "lib", "external lib"),
            ("packages/tag/m.js", "git", "external git"),
            // No members, but what the workspace installs lies upward of them.
            ("examples/in/m.js", "lib", "packages/lib/index.js"),
            ("examples/out/m.js", "lib", "external lib"),
            ("examples/tag/m.js", "lib", "packages/lib/index.js"),
        ],
    );
}

#[test]
fn ix3_packages_that_are_linked_by_path() {
    check(
        r#"//- app/package.json
{ "dependencies": { "a": "file:../libs/a", "b": "link:../libs/b", "c": "portal:../libs/c", "packed": "file:./p.tgz", "away": "link:../../x" } }
//- app/m.js app/p.tgz
//- libs/a/package.json
{ "name": "another-name", "main": "a.js" }
//- libs/a/a.js libs/b/index.js libs/b/x.js libs/c/index.js libs/stray/m.js
//- libs/stray/package.json
{ "name": "stray" }
"#,
        &[
            ("app/m.js", "a", "libs/a/a.js"),
            ("app/m.js", "b", "libs/b/index.js"),
            ("app/m.js", "b/x", "libs/b/x.js"),
            ("app/m.js", "c", "libs/c/index.js"),
            ("app/m.js", "packed", "external packed"),
            ("app/m.js", "away", "external away"),
            // A manifest somewhere in the tree is no reason by itself.
            ("app/m.js", "stray", "external stray"),
        ],
    );
}

#[test]
fn ix3_the_innermost_workspace_decides() {
    check(
        r#"//- package.json
{ "name": "top", "workspaces": ["packages/*"] }
//- packages/a/package.json
{ "name": "a" }
//- packages/a/index.js
//- nested/package.json
{ "name": "nested", "workspaces": ["*"] }
//- nested/a/package.json
{ "name": "a" }
//- nested/a/index.js nested/b/m.js m.js index.js
//- nested/b/package.json
{ "name": "b" }
"#,
        &[
            ("m.js", "a", "packages/a/index.js"),
            ("nested/b/m.js", "a", "nested/a/index.js"),
            ("nested/b/m.js", "top", "index.js"),
        ],
    );
}

#[test]
fn ix3_a_node_modules_in_the_tree_is_looked_into() {
    check(
        r#"//- package.json
{ "dependencies": { "a": "1", "b": "1" } }
//- test/node_modules/a/package.json
{ "name": "a", "exports": { ".": "./lib/a.js" } }
//- test/node_modules/a/lib/a.js test/node_modules/b/index.js test/node_modules/b/x.js test/node_modules/c.js
//- test/deep/m.js m.js
"#,
        &[
            ("test/deep/m.js", "a", "test/node_modules/a/lib/a.js"),
            ("test/deep/m.js", "b/x", "test/node_modules/b/x.js"),
            ("test/deep/m.js", "c", "test/node_modules/c.js"),
            ("m.js", "a", "external a"),
        ],
    );
}
