//! What a tsconfig changes, and which one counts.

use super::check;

#[test]
fn ix3_paths_of_a_tsconfig() {
    check(
        r#"//- tsconfig.json
{
  // The longest prefix wins, an exact name before all.
  "compilerOptions": {
    "paths": {
      "@/*": ["./src/*"],
      "@/gen/*": ["./missing/*", "./generated/*"],
      "@/exact": ["./src/other.ts"],
      "*.styl": ["./styles/*.styl"],
      "whole": ["./src/dir"],
      "a*b*c": ["./src/*"],
      "js": ["./src/plain.js"],
      "two/*": ["./src/*/*.ts"],
      "*@": ["./src/first/*"],
      "*/@": ["./src/*"],
      "slash/": ["./src/"],
    },
  },
}
//- src/m.ts src/a.ts src/exact.ts src/other.ts src/dir/index.ts generated/g.ts styles/s.styl src/plain.js src/plain.ts
"#,
        &[
            ("src/m.ts", "@/a", "src/a.ts"),
            ("src/m.ts", "@/a.js", "src/a.ts"),
            ("src/m.ts", "@/dir", "src/dir/index.ts"),
            ("src/m.ts", "@/gen/g", "generated/g.ts"),
            ("src/m.ts", "@/exact", "src/other.ts"),
            ("src/m.ts", "whole", "src/dir/index.ts"),
            ("src/m.ts", "s.styl", "styles/s.styl"),
            ("src/m.ts", "js", "src/plain.js"),
            ("src/m.ts", "@/dir/../a", "src/a.ts"),
            ("src/m.ts", "two/dir", "unresolved"),
            ("src/m.ts", "a/@", "unresolved"),
            ("src/m.ts", "slash/a", "external slash"),
            ("src/m.ts", "axbxc", "external axbxc"),
            ("src/m.ts", "@/gone", "unresolved"),
            ("src/m.ts", "gone.styl", "unresolved"),
            ("src/m.ts", "@/a?raw", "src/a.ts"),
        ],
    );
}

#[test]
fn ix3_a_name_that_paths_claims_may_still_be_a_package() {
    check(
        r#"//- tsconfig.json
{ "compilerOptions": { "paths": { "*": ["./types/*"], "@acme/*": ["./acme/*/src"], "fs*": ["./no/*"] } } }
//- package.json
{ "dependencies": { "@acme/ui": "^1" } }
//- types/untyped.d.ts acme/core/src/index.ts m.ts
"#,
        &[
            ("m.ts", "untyped", "types/untyped.d.ts"),
            ("m.ts", "react", "external react"),
            ("m.ts", "@acme/core", "acme/core/src/index.ts"),
            ("m.ts", "@acme/ui", "external @acme/ui"),
            ("m.ts", "@acme/gone", "unresolved"),
            ("m.ts", "fs", "builtin"),
        ],
    );
}

#[test]
fn ix3_base_url_and_what_paths_start_from() {
    check(
        r#"//- a/tsconfig.json
{ "compilerOptions": { "baseUrl": "./src", "paths": { "~lib/*": ["../lib/*"] } } }
//- a/src/m.ts a/src/util.ts a/src/dir/index.ts a/lib/x.ts
//- b/jsconfig.json
{ "compilerOptions": { "baseUrl": "." } }
//- b/m.js b/src/x.js b/react/index.js b/vue.json
"#,
        &[
            ("a/src/m.ts", "util", "a/src/util.ts"),
            ("a/src/m.ts", "dir", "a/src/dir/index.ts"),
            ("a/src/m.ts", "~lib/x", "a/lib/x.ts"),
            ("a/src/m.ts", "react", "external react"),
            ("b/m.js", "src/x", "b/src/x.js"),
            ("b/m.js", "react", "b/react/index.js"),
            ("b/m.js", "vue", "external vue"),
        ],
    );
}

#[test]
fn ix3_extends_of_all_kinds() {
    check(
        r##"//- package.json
{ "workspaces": ["config", "apps/*"] }
//- config/package.json
{ "name": "@acme/config", "exports": { "./strict": "./tsconfig.strict.json" }, "tsconfig": "tsconfig.main.json" }
//- config/tsconfig.main.json
{ "compilerOptions": { "paths": { "main": ["./main.ts"] } } }
//- config/tsconfig.strict.json
{ "compilerOptions": { "paths": { "strict": ["${configDir}/strict.ts"] } } }
//- tsconfig.base.json
{ "compilerOptions": { "baseUrl": "./root", "paths": { "#base/*": ["base/*"] } } }
//- apps/one/tsconfig.json
{ "extends": "../../tsconfig.base" }
//- apps/two/tsconfig.json
{ "extends": ["../../tsconfig.base.json", "./tsconfig.more.json"], "compilerOptions": { "baseUrl": "./own" } }
//- apps/two/tsconfig.more.json
{ "compilerOptions": { "paths": { "more": ["more.ts"] } } }
//- apps/three/tsconfig.json
{ "extends": "@acme/config" }
//- apps/four/tsconfig.json
{ "extends": "@acme/config/strict" }
//- apps/five/tsconfig.json
{ "extends": "@acme/config/tsconfig.main.json" }
//- apps/six/tsconfig.json
{ "extends": ["@tsconfig/node20", "./tsconfig.loop.json"], "compilerOptions": { "paths": { "here": ["./m.ts"] } } }
//- apps/six/tsconfig.loop.json
{ "extends": "./tsconfig.json" }
//- root/base/x.ts apps/one/m.ts apps/two/m.ts apps/two/own/more.ts config/main.ts apps/three/m.ts apps/four/m.ts apps/four/strict.ts apps/five/m.ts apps/six/m.ts
"##,
        &[
            ("apps/one/m.ts", "#base/x", "root/base/x.ts"),
            ("apps/one/m.ts", "base/x", "root/base/x.ts"),
            ("apps/two/m.ts", "more", "apps/two/own/more.ts"),
            ("apps/two/m.ts", "#base/x", "unresolved"),
            ("apps/three/m.ts", "main", "config/main.ts"),
            ("apps/four/m.ts", "strict", "apps/four/strict.ts"),
            ("apps/five/m.ts", "main", "config/main.ts"),
            ("apps/six/m.ts", "here", "apps/six/m.ts"),
        ],
    );
}

#[test]
fn ix3_the_config_that_holds_the_file_counts() {
    check(
        r#"//- tsconfig.json
{ "compilerOptions": { "paths": { "x": ["./root.ts"] } } }
//- root.ts m.ts
//- inner/tsconfig.json
{ "include": ["src"], "exclude": ["src/skip"], "compilerOptions": { "paths": { "x": ["./inner.ts"], "y": ["./inner.ts"] } } }
//- inner/inner.ts inner/src/m.ts inner/src/m.vue inner/src/skip/m.ts inner/test/m.ts
//- refs/tsconfig.json
{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./node" }, { "path": "./gone" }] }
//- refs/tsconfig.app.json
{ "include": ["src/**/*"], "compilerOptions": { "paths": { "x": ["./app.ts"] } } }
//- refs/node/tsconfig.json
{ "include": ["../*.config.ts"], "references": [{ "path": ".." }], "compilerOptions": { "paths": { "x": ["./node.ts"] } } }
//- broken/tsconfig.json
{ "compilerOptions"
//- broken/m.ts
//- refs/app.ts refs/src/m.ts refs/vite.config.ts refs/node/node.ts
"#,
        &[
            ("m.ts", "x", "root.ts"),
            ("inner/src/m.ts", "x", "inner/inner.ts"),
            ("inner/src/m.vue", "x", "inner/inner.ts"),
            ("inner/src/skip/m.ts", "x", "root.ts"),
            ("inner/test/m.ts", "x", "root.ts"),
            // What the owner does not know is asked of the nearest.
            ("inner/test/m.ts", "y", "inner/inner.ts"),
            ("broken/m.ts", "x", "external x"),
            ("refs/src/m.ts", "x", "refs/app.ts"),
            ("refs/vite.config.ts", "x", "refs/node/node.ts"),
        ],
    );
}

#[test]
fn ix3_root_dirs_suffixes_and_conditions() {
    check(
        r#"//- tsconfig.json
{ "compilerOptions": { "rootDirs": ["src", "generated"], "moduleSuffixes": [".ios", ""], "customConditions": ["mine"] } }
//- package.json
{ "name": "self", "exports": { ".": { "mine": "./mine.ts", "default": "./other.ts" } } }
//- src/a/m.ts generated/a/made.ts src/b.ios.ts src/b.ts src/c.ts mine.ts other.ts generated/m.ts
"#,
        &[
            ("src/a/m.ts", "./made", "generated/a/made.ts"),
            ("generated/m.ts", "./c", "src/c.ts"),
            ("src/a/m.ts", "../b", "src/b.ios.ts"),
            ("src/a/m.ts", "../c", "src/c.ts"),
            ("src/a/m.ts", "self", "mine.ts"),
            ("src/a/m.ts", "./gone", "unresolved"),
        ],
    );
}
