//! The audit of real changes, with the rules of a run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use expect_test::{Expect, expect};
use rb_audit::{FindingKind, audit};
use rb_core::fs::{self, Durability};
use rb_index::{Indexed, NoHistory, Request, update};
use rb_rules::engine::own;

use super::*;

const REACT: &str = r#"{"dependencies":{"react":"19.0.0","next":"16.0.0"}}"#;
const NO_PRINT: &str = "id: no-print\nlanguage: Python\nseverity: warning\nmessage: use the log\nrule: { pattern: print($A) }\n";

struct Held<'t> {
    /// Path and text of each file.
    before: &'t [(&'t str, &'t str)],
    /// Laid over it; an empty text deletes.
    edits: &'t [(&'t str, &'t str)],
    active: &'t [&'t str],
    about: &'t [&'t str],
}

/// What the audit says of anti-patterns.
#[track_caller]
fn check(held: &Held<'_>, expected: &Expect) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("repo");
    for (path, text) in held.before {
        write(&root, path, text);
    }
    let store = folder.path().join("store");
    let (then, cancel) = (index(&root, &store), Cancel::new());
    let before = then.view().expect("a view");
    let old: BTreeMap<&str, &str> = held.before.iter().copied().collect();
    let changes: Vec<Change> = held
        .edits
        .iter()
        .map(|&(path, text)| Change {
            path: path.to_owned(),
            before: old.get(path).map(|text| text.as_bytes().to_vec()),
            after: (!text.is_empty()).then(|| text.as_bytes().to_vec()),
        })
        .collect();
    for (path, text) in held.edits {
        if text.is_empty() {
            fs::remove_file(&root.join(path)).expect("it is deleted");
        } else {
            write(&root, path, text);
        }
    }
    let now = index(&root, &store);
    let after = now.view().expect("a view");
    let (own, errors) = own::load(&[("a.yml".to_owned(), NO_PRINT.to_owned())]);
    assert!(errors.is_empty(), "{errors:?}");
    let names = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect::<Vec<String>>();
    let (active, about) = (names(held.active), names(held.about));
    let rules = ActiveRules::new(RuleInput {
        root: &root,
        before: &before,
        after: &after,
        changes: &changes,
        active: &active,
        about: &about,
        own: &own,
        cancel: &cancel,
    });
    let texts = OnDisk { root: &root };
    let found = audit(&before, &after, &texts, &changes, &rules, &cancel).expect("an audit");
    let mut shown = String::new();
    for it in found.iter().filter(|it| it.kind == FindingKind::AntiPattern) {
        let _ = writeln!(shown, "{:?} {}:{} {}", it.severity, it.path, it.line, it.message);
    }
    expected.assert_eq(&shown);
}

fn write(root: &Path, path: &str, text: &str) {
    let place = root.join(path);
    fs::create_dir_all(place.parent().expect("a file has a folder")).expect("mkdir");
    fs::write(&place, text.as_bytes(), Durability::Relaxed).expect("write");
}

fn index(root: &Path, store: &Path) -> Indexed {
    let request = Request {
        root,
        folder: store,
        options: &rb_index::Options::default(),
        history: &NoHistory,
        progress: &Silent,
        cancel: &Cancel::new(),
    };
    update(&request).expect("an index")
}

const PARALLEL: &str = "export async function home() {
  const [news, rain] = await Promise.all([fetch('/news'), fetch('/rain')]);
  return [news, rain];
}
";
const ONE_BY_ONE: &str = "export async function home() {
  const news = await fetch('/news');
  const rain = await fetch('/rain');
  return [news, rain];
}
";

#[test]
fn ru5_awaits_that_the_change_puts_in_a_row_are_found() {
    let (before, edits) = ([("src/home.js", PARALLEL)], [("src/home.js", ONE_BY_ONE)]);
    let about = ["async-parallel"];
    let held = Held { before: &before, edits: &edits, active: &about, about: &about };
    check(
        &held,
        &expect![[r#"
        Error src/home.js:2 async-parallel: `news` and `rain` are independent but awaited in sequence; run them in parallel with `Promise.all`
    "#]],
    );
    // Another task only has to be looked at for it.
    check(
        &Held { about: &["js-index-maps"], ..held },
        &expect![[r#"
        Warning src/home.js:2 async-parallel: `news` and `rain` are independent but awaited in sequence; run them in parallel with `Promise.all`
    "#]],
    );
    // The rule is not active, or it is none.
    let active = ["js-index-maps", "no-such-rule"];
    check(&Held { about: &[], active: &active, ..held }, &expect![[""]]);
}

#[test]
fn ru5_what_was_there_before_is_not_found_wherever_it_goes() {
    let before = [("src/home.js", ONE_BY_ONE), ("src/away.js", "export const a = 1;\n")];
    let moved = format!("export const a = 1;\n\n{ONE_BY_ONE}");
    let edits = [("src/home.js", "export const b = 1;\n"), ("src/away.js", moved.as_str())];
    let held = Held { before: &before, edits: &edits, active: &["async-parallel"], about: &[] };
    check(&held, &expect![[""]]);
    // Further down, and with other names.
    let renamed = format!("// one\n// two\n{}", ONE_BY_ONE.replace("news", "fresh"));
    check(&Held { edits: &[("src/home.js", &renamed)], ..held }, &expect![[""]]);
    // The whole file under another name.
    check(
        &Held { edits: &[("src/home.js", ""), ("lib/home.js", ONE_BY_ONE)], ..held },
        &expect![[""]],
    );
    // A second one is new.
    let more = format!("{ONE_BY_ONE}{}", ONE_BY_ONE.replace("home", "office"));
    check(
        &Held { edits: &[("src/home.js", &more)], ..held },
        &expect![[r#"
        Warning src/home.js:7 async-parallel: `news` and `rain` are independent but awaited in sequence; run them in parallel with `Promise.all`
    "#]],
    );
}

#[test]
fn ru5_an_import_through_a_barrel_is_found_by_what_the_barrel_holds() {
    let widget = |at: usize| {
        (
            format!("src/ui/w{at}.tsx"),
            format!("export const W{at} = () => <i>{}</i>;\n", "x".repeat(3000)),
        )
    };
    let widgets: Vec<(String, String)> = (0..60).map(widget).collect();
    let exports: Vec<String> = (0..60).map(|at| format!("export * from './w{at}';\n")).collect();
    let index = exports.concat();
    let mut before: Vec<(&str, &str)> =
        widgets.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let direct = "'use client';\nimport { W1 } from './ui/w1';\nexport const A = () => <W1 />;\n";
    let through = direct.replace("./ui/w1", "./ui");
    before.extend([("package.json", REACT), ("src/ui/index.ts", &index), ("src/a.tsx", direct)]);
    let held = Held {
        before: &before,
        edits: &[("src/a.tsx", &through)],
        active: &["bundle-barrel-imports"],
        about: &[],
    };
    check(
        &held,
        &expect![[r#"
        Warning src/a.tsx:2 bundle-barrel-imports: `./ui` is a barrel of 60 modules; import `W1` directly
    "#]],
    );
}

#[test]
fn ru5_a_page_that_begins_to_wait_is_found() {
    let quick = "export default function Page() {
  return <main><Nav /><Grid /></main>;
}
";
    let waits = "export default async function Page({ params }) {
  const rows = await readRows(params);
  return <main><Nav /><Grid rows={rows} /></main>;
}
";
    let before = [
        ("package.json", REACT),
        (
            "app/layout.tsx",
            "export default function Layout({ children }) { return <html><body>{children}</body></html>; }\n",
        ),
        ("app/[team]/page.tsx", quick),
    ];
    let held = Held {
        before: &before,
        edits: &[("app/[team]/page.tsx", waits)],
        active: &["async-suspense-boundaries"],
        about: &[],
    };
    check(
        &held,
        &expect![[r#"
        Warning app/[team]/page.tsx:2 async-suspense-boundaries: `rows` is needed only by `<Grid>`, but `<Nav>` waits too; await in a separate component inside `Suspense`
    "#]],
    );
    // The change brings what stands in for the page meanwhile.
    let edits = [
        ("app/[team]/page.tsx", waits),
        ("app/[team]/loading.tsx", "export default function Loading() { return <p>…</p>; }\n"),
    ];
    check(&Held { edits: &edits, ..held }, &expect![[""]]);
}

#[test]
fn ru5_rules_of_the_project_hold_in_their_language() {
    let before = [("a.py", "log(1)\n"), ("b.py", "print(2)\n")];
    let edits = [("a.py", "log(1)\nprint(1)\n"), ("c.py", "print(2)\n")];
    let held = Held { before: &before, edits: &edits, active: &["no-print"], about: &[] };
    check(
        &held,
        &expect![[r#"
        Warning a.py:2 no-print: use the log
        Warning c.py:1 no-print: use the log
    "#]],
    );
    check(&Held { active: &["async-parallel"], ..held }, &expect![[""]]);
}

#[test]
fn ru5_a_change_cannot_silence_what_it_brings_in() {
    let silenced = format!("// refactor-bot-disable-file async-parallel\n\n{ONE_BY_ONE}");
    let before = [("src/home.js", PARALLEL)];
    let edits = [("src/home.js", silenced.as_str())];
    let held = Held { before: &before, edits: &edits, active: &["async-parallel"], about: &[] };
    check(
        &held,
        &expect![[r#"
        Warning src/home.js:4 async-parallel: `news` and `rain` are independent but awaited in sequence; run them in parallel with `Promise.all` (the comment that would silence this was added by the change)
    "#]],
    );
    // A comment of before is heard, and so is its removal forgiven: what it silenced was there.
    let before = [("src/home.js", silenced.as_str())];
    let further = format!("{silenced}export const one = 1;\n");
    check(&Held { before: &before, edits: &[("src/home.js", &further)], ..held }, &expect![[""]]);
    check(&Held { before: &before, edits: &[("src/home.js", ONE_BY_ONE)], ..held }, &expect![[""]]);
    // So it is in any language.
    let edits = [("a.py", "print(1)  # refactor-bot-disable-line\n")];
    check(
        &Held {
            before: &[("b.py", "log(1)\n")],
            edits: &edits,
            active: &["no-print"],
            about: &["no-print"],
        },
        &expect![[r#"
            Error a.py:1 no-print: use the log (the comment that would silence this was added by the change)
        "#]],
    );
}
