//! Paths, and names that stand for themselves.

use rb_lang::ImportKind;

use super::{check, check_kind};

#[test]
fn ix3_relative_paths_get_an_extension_as_in_typescript() {
    check(
        "//- src/m.ts src/ts.ts src/ts.tsx src/tsx.tsx src/tsx.js src/js.js src/js.jsx src/jsx.jsx src/mts.mts src/cts.cts
//- src/mjs.mjs src/cjs.cjs src/data.json src/types.d.ts src/a.b.ts src/both.ts src/both/index.ts src/only/index.tsx
//- src/mod/index.mjs src/list/index.json up.ts src/old.js src/old/index.ts src/esm.d.mts src/bin",
        &[
            ("src/m.ts", "./ts", "src/ts.ts"),
            ("src/m.ts", "./tsx", "src/tsx.tsx"),
            ("src/m.ts", "./js", "src/js.js"),
            ("src/m.ts", "./jsx", "src/jsx.jsx"),
            ("src/m.ts", "./mts", "src/mts.mts"),
            ("src/m.ts", "./cts", "src/cts.cts"),
            ("src/m.ts", "./mjs", "src/mjs.mjs"),
            ("src/m.ts", "./cjs", "src/cjs.cjs"),
            ("src/m.ts", "./data", "src/data.json"),
            ("src/m.ts", "./types", "src/types.d.ts"),
            ("src/m.ts", "./a.b", "src/a.b.ts"),
            ("src/m.ts", "./both", "src/both.ts"),
            ("src/m.ts", "./both/", "src/both/index.ts"),
            ("src/m.ts", "./only", "src/only/index.tsx"),
            ("src/m.ts", "./mod", "src/mod/index.mjs"),
            ("src/m.ts", "./list", "src/list/index.json"),
            ("src/m.ts", "./old", "src/old.js"),
            ("src/m.ts", "./bin", "src/bin"),
            ("src/m.ts", "../up", "up.ts"),
            ("src/m.ts", "./esm.mjs", "src/esm.d.mts"),
            ("src/m.ts", "./gone", "unresolved"),
            ("src/m.ts", "../../up", "unresolved"),
            ("src/m.ts", "", "unresolved"),
        ],
    );
}

#[test]
fn ix3_a_built_extension_is_written_for_source() {
    check(
        "//- m.ts a.ts b.tsx c.tsx d.mts e.cts f.js g.d.ts h.ts h.js i.tsx",
        &[
            ("m.ts", "./a.js", "a.ts"),
            ("m.ts", "./a.ts", "a.ts"),
            ("m.ts", "./b.js", "b.tsx"),
            ("m.ts", "./c.jsx", "c.tsx"),
            ("m.ts", "./d.mjs", "d.mts"),
            ("m.ts", "./e.cjs", "e.cts"),
            ("m.ts", "./f.js", "f.js"),
            ("m.ts", "./g.js", "g.d.ts"),
            ("m.ts", "./h.js", "h.ts"),
            ("m.ts", "./i.tsx", "i.tsx"),
            ("m.ts", "./a.mjs", "unresolved"),
        ],
    );
}

#[test]
fn ix3_dots_name_a_folder() {
    check(
        "//- src/index.ts src/a/index.ts src/a/m.ts src/a.ts src.ts",
        &[
            ("src/a/m.ts", ".", "src/a/index.ts"),
            ("src/a/m.ts", "./", "src/a/index.ts"),
            ("src/a/m.ts", "..", "src/index.ts"),
            ("src/a/m.ts", "../.", "src/index.ts"),
            ("src/a/m.ts", "../a", "src/a.ts"),
        ],
    );
}

#[test]
fn ix3_a_folder_with_a_manifest_is_entered_by_it() {
    check(
        r#"//- m.js a/lib/start.js a/index.js b/types.d.ts b/code.js c/inner/index.js d/index.ts e/src/index.ts
//- a/package.json
{ "main": "lib/start" }
//- b/package.json
{ "main": "./code.js", "types": "./types.d.ts" }
//- c/package.json
{ "main": "inner" }
//- d/package.json
{ "main": "gone.js" }
//- e/package.json
{ "main": "dist/index.js" }
"#,
        &[
            ("m.js", "./a", "a/lib/start.js"),
            ("m.js", "./b", "b/types.d.ts"),
            ("m.js", "./c", "c/inner/index.js"),
            ("m.js", "./d", "d/index.ts"),
            ("m.js", "./e", "e/src/index.ts"),
        ],
    );
}

#[test]
fn ix3_types_come_with_the_code_beside_them() {
    check(
        "//- m.ts a.js a.d.ts b.css b.d.css.ts c.mjs c.d.mts d.cjs d.d.cts e.json e.d.json.ts",
        &[
            ("m.ts", "./a", "a.d.ts a.js"),
            ("m.ts", "./a.js", "a.d.ts a.js"),
            ("m.ts", "./b.css", "b.css b.d.css.ts"),
            ("m.ts", "./c.mjs", "c.d.mts c.mjs"),
            ("m.ts", "./d.cjs", "d.cjs d.d.cts"),
            ("m.ts", "./e.json", "e.d.json.ts e.json"),
        ],
    );
}

#[test]
fn ix3_assets_and_what_bundlers_write_behind_them() {
    check(
        "//- src/m.ts src/a.vue src/b.svelte src/c.astro src/d.css src/e.module.scss src/f.svg src/g.ts src/h.css.ts src/Comp.vue",
        &[
            ("src/m.ts", "./a.vue", "src/a.vue"),
            ("src/a.vue", "./m", "src/m.ts"),
            ("src/m.ts", "./Comp", "src/Comp.vue"),
            ("src/m.ts", "./b.svelte", "src/b.svelte"),
            ("src/m.ts", "./c.astro", "src/c.astro"),
            ("src/m.ts", "./d.css", "src/d.css"),
            ("src/m.ts", "./e.module.scss", "src/e.module.scss"),
            ("src/m.ts", "./f.svg?raw", "src/f.svg"),
            ("src/m.ts", "./g.ts?worker&inline", "src/g.ts"),
            ("src/m.ts", "!!raw-loader!./f.svg", "src/f.svg"),
            ("src/m.ts", "./h.css", "src/h.css.ts"),
            ("src/m.ts", "./gone.svg?raw", "unresolved"),
            ("src/m.ts", "virtual:a?b", "external virtual:a?b"),
        ],
    );
}

#[test]
fn ix3_paths_from_the_root_of_the_site() {
    check(
        "//- app/package.json\n{}\n//- app/src/m.ts app/src/a.ts app/public/b.js c.ts",
        &[
            ("app/src/m.ts", "/src/a", "app/src/a.ts"),
            ("app/src/m.ts", "/b.js", "app/public/b.js"),
            ("app/src/m.ts", "/c.ts", "c.ts"),
            ("app/src/m.ts", "/gone", "unresolved"),
        ],
    );
}

#[test]
fn ix3_what_comes_with_the_host_and_what_is_fetched() {
    check(
        r#"//- package.json
{ "dependencies": { "react": "18", "events": "3" } }
//- m.ts
"#,
        &[
            ("m.ts", "fs", "builtin"),
            ("m.ts", "fs/promises", "builtin"),
            ("m.ts", "node:test", "builtin"),
            ("m.ts", "bun:test", "builtin"),
            ("m.ts", "cloudflare:workers", "builtin"),
            ("m.ts", "events", "builtin"),
            ("m.ts", "events/", "external events"),
            ("m.ts", "react", "external react"),
            ("m.ts", "react/jsx-runtime", "external react"),
            ("m.ts", "@scope/a/b", "external @scope/a"),
            ("m.ts", "undeclared", "external undeclared"),
            ("m.ts", "virtual:pwa", "external virtual:pwa"),
            ("m.ts", "data:text/javascript,export%20default%201", "external data"),
            ("m.ts", "https://esm.sh/react?dev", "external https://esm.sh/react?dev"),
            ("m.ts", "npm:chalk@5/a", "external chalk"),
            ("m.ts", "jsr:@std/path@1", "external @std/path"),
            ("m.ts", "$app/navigation", "external $app"),
            ("m.ts", "file:///etc/passwd", "unresolved"),
            ("m.ts", "not a name", "unresolved"),
            ("m.ts", "@/gone", "unresolved"),
        ],
    );
}

#[test]
fn ix3_usual_aliases_without_a_tsconfig() {
    check(
        "//- package.json
{}
//- shared/x.ts
//- web/package.json
{}
//- web/src/m.ts web/src/a.ts web/src/lib/b.ts web/src/lib/index.ts web/c.ts web/app/d.vue
",
        &[
            ("web/src/m.ts", "@/a", "web/src/a.ts"),
            ("web/src/m.ts", "~/a", "web/src/a.ts"),
            ("web/src/m.ts", "@/c", "web/c.ts"),
            ("web/src/m.ts", "~/d.vue", "web/app/d.vue"),
            ("web/src/m.ts", "~~/c", "web/c.ts"),
            ("web/src/m.ts", "@@/c", "web/c.ts"),
            ("web/src/m.ts", "$lib/b", "web/src/lib/b.ts"),
            ("web/src/m.ts", "$lib", "web/src/lib/index.ts"),
            ("web/src/m.ts", "@/shared/x", "shared/x.ts"),
            ("web/src/m.ts", "~/gone", "unresolved"),
        ],
    );
}

#[test]
fn ix3_a_reference_path_needs_no_dot() {
    check_kind(
        "//- types/a.d.ts types/b.d.ts",
        ImportKind::Include,
        &[("types/a.d.ts", "b.d.ts", "types/b.d.ts"), ("types/a.d.ts", "gone.d.ts", "unresolved")],
    );
}

#[test]
fn ix3_import_maps_of_deno() {
    check(
        r#"//- deno.jsonc
{ "imports": { "@/": "./src/", "std/": "jsr:@std/", "chalk": "npm:chalk@5", "one": "./src/one.ts", }, }
//- src/m.ts src/one.ts src/two.ts
//- mapped/deno.json
{ "importMap": "./maps/import_map.json" }
//- mapped/maps/import_map.json
{ "imports": { "three": "../three.ts" } }
//- mapped/m.ts mapped/three.ts
"#,
        &[
            ("src/m.ts", "@/two.ts", "src/two.ts"),
            ("src/m.ts", "one", "src/one.ts"),
            ("src/m.ts", "std/path", "external @std/path"),
            ("src/m.ts", "chalk", "external chalk"),
            ("src/m.ts", "@/gone.ts", "unresolved"),
            ("mapped/m.ts", "three", "mapped/three.ts"),
            ("mapped/m.ts", "one", "src/one.ts"),
        ],
    );
}
