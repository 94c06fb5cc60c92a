use expect_test::expect;

use super::RULE;
use crate::testing::{Setup, check_doc};

const TEXTS: &str =
    "'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p'";
const NUMBERS: &str = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16";

#[test]
fn ru1_js_set_map_lookups_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_js_set_map_lookups_is_fixed() {
    let setup = Setup::new();
    setup.fixes(
        &RULE,
        &format!("const ok: string[] = [{TEXTS}]\nfunction f(xs) {{\n  for (const x of xs) if (ok.includes(x.id) || !ok?.includes(x.no)) g(x)\n}}\n"),
        &format!("const ok: Set<string> = new Set([{TEXTS}])\nfunction f(xs) {{\n  for (const x of xs) if (ok.has(x.id) || !ok?.has(x.no)) g(x)\n}}\n"),
    );
    setup.fixes(
        &RULE,
        &format!("const ok: readonly string[] = [{TEXTS}];\nconst f = (xs) => xs.some(function (x) {{ return ok.indexOf(x) === -1 && ok.indexOf(x.y) >= 0; }});\n"),
        &format!("const ok: ReadonlySet<string> = new Set([{TEXTS}]);\nconst f = (xs) => xs.some(function (x) {{ return !ok.has(x) && ok.has(x.y); }});\n"),
    );
    setup.path("src/a.js").fixes(
        &RULE,
        &format!("const ok = [{NUMBERS}, ...more];\nexport const f = (xs) => xs.filter((x) => ok.includes(x));\n"),
        &format!("const ok = new Set([{NUMBERS}, ...more]);\nexport const f = (xs) => xs.filter((x) => ok.has(x));\n"),
    );
}

#[test]
fn ru1_js_set_map_lookups_keeps_the_list_for_other_uses() {
    Setup::new().check(
        &RULE,
        &format!("const ok = [{NUMBERS}];\nexport const f = (xs) => xs.filter((x) => ok.includes(x)).concat(ok);\n"),
        expect![[r#"
            2:43 note: all 16 elements of `ok` are searched on every iteration; use a Set [assist: add a Set for the lookup]
            --- assist
            const ok = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
            const okSet = new Set(ok);
            export const f = (xs) => xs.filter((x) => okSet.has(x)).concat(ok);

        "#]],
    );
    Setup::new().check(
        &RULE,
        "export const f = async (xs: X[]) => {
  const ys = await load();
  const ids = ys.map((y) => y.id);
  return xs.filter((x) => !ids.includes(x.id));
};
",
        expect![[r#"
            4:28 note: `ids` is searched on every iteration and grows with its data; use a Set [assist: convert it to a Set] (not proved: the initial value may not be an array)
            --- assist
            export const f = async (xs: X[]) => {
              const ys = await load();
              const ids = new Set(ys.map((y) => y.id));
              return xs.filter((x) => !ids.has(x.id));
            };

        "#]],
    );
}

#[test]
fn ru1_js_set_map_lookups_proves_before_it_edits() {
    let setup = Setup::new();
    let loops = "export const f = (xs: string[]) => xs.filter((x) => ok.includes(x));";
    for before in [
        // Exported, used for more, its literal types used, `Set` taken, not a constant.
        format!("export const ok = [{TEXTS}];\n{loops}"),
        format!("const ok = [{TEXTS}];\n{loops}\nexport {{ ok }};"),
        format!("const ok = [{TEXTS}];\ntype T = (typeof ok)[number];\n{loops}"),
        format!("const ok = [{TEXTS}] as const;\n{loops}"),
        format!("import {{ Set }} from 'immutable';\nconst ok = [{TEXTS}];\n{loops}"),
        format!("let ok = [{TEXTS}];\n{loops}"),
        format!("const ok = [{TEXTS}];\n{loops}\nexport const n = ok.length;"),
        // `indexOf` and NaN.
        format!(
            "const ok = [{NUMBERS}];\nexport const f = (xs) => xs.filter((x) => ok.indexOf(x) > -1);"
        ),
        format!(
            "const ok = [{TEXTS}];\nexport const f = (xs) => xs.filter((x) => ok.indexOf(x) /* here */ > -1);"
        ),
        // From a place on.
        format!(
            "const ok = [{TEXTS}];\nexport const f = (xs) => xs.filter((x) => ok.includes(x) || ok.includes(x, 3));"
        ),
    ] {
        setup.no_auto(&RULE, &before);
    }
}

#[test]
fn ru1_js_set_map_lookups_silent() {
    let setup = Setup::new();
    for right in [
        // A text, or nobody knows what.
        "const f = (xs: string[], text: string) => xs.filter((x) => text.includes(x));",
        "const f = (xs: string[], ys: string[]) => xs.filter((x) => ys.includes(x));",
        "const f = (xs: X[], ys: X[]) => { const ids = ys.map((y) => y.id); return xs.filter((x) => ids.includes(x.id)); };",
        "const A = ({ xs, y }) => { const keys = Object.keys(y); return xs.filter((x) => keys.includes(x.id)).map((x) => <b/>); };",
        // A short list.
        "const ok = ['a', 'b', 'c'];\nconst f = (xs) => xs.filter((x) => ok.includes(x));",
        // Made anew in each round.
        &format!(
            "const f = (xs) => xs.filter((x) => {{ const ok = [{TEXTS}]; return ok.includes(x); }});"
        ),
        "const f = (xs) => xs.filter((x) => { const ys = x.all.map((y) => y.id); return ys.includes(x.id); });",
        // Not in a loop, or one over three things.
        &format!("const ok = [{TEXTS}];\nconst f = (x) => ok.includes(x);"),
        &format!(
            "const ok = [{TEXTS}];\nconst f = () => ['a', 'b', 'c'].filter((x) => ok.includes(x));"
        ),
        // Run when something is clicked, not in the loop.
        &format!(
            "const ok = [{TEXTS}];\nconst A = ({{ xs }}) => xs.map((x) => <b onClick={{() => go(ok.includes(x))}} />);"
        ),
        // Once, when the file is loaded.
        &format!("const ok = [{TEXTS}];\nconst kept = xs.filter((x) => ok.includes(x));"),
        // Made anew with each call and needed as a list: a set of it would be made each time.
        &format!(
            "const f = (xs) => {{ const ok = [{TEXTS}]; const any = xs.some((x) => ok.includes(x)); if (any) add(ok); return any; }};"
        ),
        // Its place is wanted.
        &format!("const ok = [{TEXTS}];\nconst f = (xs) => xs.map((x) => ok.indexOf(x));"),
    ] {
        setup.silent(&RULE, right);
    }
}

#[test]
fn ru1_js_set_map_lookups_leaves_what_costs_nothing() {
    let setup = Setup::new();
    let of = |list: &str, body: &str| {
        format!(
            "export async function f(ids) {{\n  const rows = await load(ids);\n  const {list} = rows.map((it) => it.id);\n{body}\n}}"
        )
    };
    let plain = "  return ids.filter((id) => !found.includes(id));";
    assert_eq!(setup.findings(&RULE, &of("found", plain)).len(), 1);
    for body in [
        // Each round waits for something longer.
        "  for (const id of ids) {\n    if (!found.includes(id)) await save(id);\n  }",
        // Only when something went wrong.
        "  if (rows.length < ids.length) {\n    const missing = ids.filter((id) => !found.includes(id));\n    throw new Error(missing.join());\n  }",
        "  if (rows.length < ids.length) throw new Error(ids.filter((id) => !found.includes(id)).join());",
    ] {
        setup.silent(&RULE, &of("found", body));
    }
    // A handful.
    setup.silent(&RULE, &of("approverIds", &plain.replace("found", "approverIds")));
}

#[test]
fn ru1_js_set_map_lookups_leaves_short_lists_of_other_files() {
    let text = "import { tabs } from './tabs';
export function Rows({ rows }: { rows: Row[] }) {
  const ids = tabs.map((tab) => tab.id);
  return <b>{rows.filter((row) => ids.includes(row.id)).length}</b>;
}";
    let tabs = "export const tabs = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];";
    Setup::new().file("src/tabs.ts", tabs).silent(&RULE, text);
    let many = "export const tabs = load();";
    assert_eq!(Setup::new().file("src/tabs.ts", many).findings(&RULE, text).len(), 1);
}
