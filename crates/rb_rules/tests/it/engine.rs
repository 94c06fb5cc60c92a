//! Findings, fixes and baselines over whole projects.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_rules::engine::{Baseline, FixOptions, check, check_own, fix, fix_own, own, select};
use rb_rules::{Certainty, Finding, World as _};

use crate::support::{options, with_project};

const REACT: &str = r#"
//- package.json
{ "dependencies": { "react": "19.2.0" } }
//- src/cart.tsx
export const Cart = ({ count }: { count: number }) => <b>{count && <i>{count}</i>}</b>;
"#;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn shown(findings: &[Finding]) -> String {
    findings.iter().fold(String::new(), |mut text, it| {
        let sure = if it.certainty == Certainty::Likely { " (likely)" } else { "" };
        let place = format!("{}:{}:{}", it.path, it.line, it.column);
        writeln!(text, "{place} {} {}{sure}", it.severity.name(), it.rule)
            .expect("a string takes it");
        text
    })
}

#[expect(clippy::needless_pass_by_value, reason = "snapshots are written in place")]
fn check_shown(fixture: &str, rules: &[&str], expected: Expect) {
    let text = with_project(fixture, |world| {
        let cancel = Cancel::new();
        let rules = select(&names(rules), &[]).expect("rules");
        let found = check(world, &rules, &options(&cancel));
        let mut text = shown(&found.findings);
        for it in &found.silenced {
            writeln!(
                text,
                "silenced {}:{} by line {}",
                it.finding.path, it.finding.line, it.comment
            )
            .expect("a string takes it");
        }
        for path in &found.unread {
            writeln!(text, "unread {path}").expect("a string takes it");
        }
        text
    });
    expected.assert_eq(&text);
}

#[test]
fn ru1_what_is_not_the_project_s_own_code_is_not_looked_at() {
    let fixture = format!(
        "{REACT}//- src/cart.test.tsx\nexport const A = ({{ n }}: {{ n: number }}) => <b>{{n && <i/>}}</b>;\n\
         //- node_modules/x/index.js\nexport const A = (n) => <b>{{n.length && <i/>}}</b>;\n\
         //- src/broken.tsx\nexport const A = ({{ n }}: {{ n: number }}) => <b>{{n && <i/>}}\n"
    );
    check_shown(
        &fixture,
        &["rendering-conditional-render"],
        expect![[r#"
            src/cart.tsx:1:59 note rendering-conditional-render
            unread src/broken.tsx
        "#]],
    );
}

#[test]
fn ru1_thin_work_is_left_alone() {
    let code = "async function two() { const a = await fetch('/a'); const b = await fetch('/b'); return [a, b]; }";
    let wrapped = format!(
        "(function (root, factory) {{\n  if (typeof define === 'function' && define.amd) define([], factory);\n  else root.Slider = factory();\n}})(this, function () {{ {code} }});"
    );
    let component = "export const A = ({ n }: { n: number }) => <b>{n && <i/>}</b>;";
    let fixture = format!(
        "//- package.json\n{{ \"dependencies\": {{ \"next\": \"15.3.0\", \"react\": \"19.2.0\" }} }}\n\
         //- public/js/bundle.js\n{code}\n//- assets/slider.js\n{wrapped}\n//- assets/site.js\n{code}\n\
         //- ui/lost.tsx\n{component}\n//- ui/lost.test.tsx\nimport {{ A }} from './lost';\n\
         //- ui/shown.tsx\n{component}\n\
         //- app/page.tsx\nimport {{ A }} from '../ui/shown';\nexport default function Page() {{ return <A n={{1}} />; }}\n"
    );
    // Bundles and libraries are other people's code. Nobody draws `ui/lost.tsx`: that is for a person to judge.
    check_shown(
        &fixture,
        &["rendering-conditional-render", "async-parallel"],
        expect![[r#"
            assets/site.js:1:24 error async-parallel
            ui/lost.tsx:1:48 note rendering-conditional-render (likely)
            ui/shown.tsx:1:48 note rendering-conditional-render
        "#]],
    );
}

#[test]
fn ru1_without_react_react_rules_are_silent() {
    let fixture = REACT.replace("react", "preact-like");
    check_shown(&fixture, &["rendering-conditional-render"], expect![[""]]);
}

#[test]
fn ru1_comments_silence_a_place() {
    let silenced =
        |comment: &str| REACT.replace("export const", &format!("{comment}\nexport const"));
    check_shown(
        &silenced("// refactor-bot-disable-next-line rendering-conditional-render: meant"),
        &["rendering-conditional-render"],
        expect![[r#"
            silenced src/cart.tsx:2 by line 1
        "#]],
    );
    check_shown(
        &silenced("// refactor-bot-disable-next-line js-hoist-regexp"),
        &["rendering-conditional-render"],
        expect![[r#"
            src/cart.tsx:2:59 note rendering-conditional-render
        "#]],
    );
    check_shown(
        &silenced("/* refactor-bot-disable-file */"),
        &["rendering-conditional-render"],
        expect![[r#"
            silenced src/cart.tsx:2 by line 1
        "#]],
    );
}

#[test]
fn ru1_changed_imports_are_laid_out_as_the_formatter_does() {
    let react = "//- package.json\n{ \"dependencies\": { \"react\": \"19.2.0\" } }\n";
    let code = "//- src/a.tsx\nimport {\n  useMemo,\n  useState,\n} from 'react';\n\n\
        export function A({ a, b }: { a: boolean; b: boolean }) {\n  const [c] = useState(0);\n  \
        const d = useMemo(() => a || b, [a, b]);\n  return <p>{d ? c : null}</p>;\n}\n";
    let imports = |settings: &str| {
        with_project(&format!("{react}{settings}{code}"), |world| {
            let cancel = Cancel::new();
            let rules =
                select(&names(&["rerender-simple-expression-in-memo"]), &[]).expect("rules");
            let fixes = fix(world, &rules, &options(&cancel), FixOptions::default());
            assert_eq!(fixes.changes.len(), 1);
            let text = world.text("src/a.tsx").expect("it is there");
            text.split_once("\n\n").expect("imports come first").0.to_owned()
        })
    };
    let one = "import { useState } from 'react';";
    let many = "import {\n  useState,\n} from 'react';";
    assert_eq!(imports("//- biome.json\n{ \"formatter\": { \"lineWidth\": 100 } }\n"), one);
    assert_eq!(imports("//- .prettierrc\n{}\n"), one);
    // It would not fit, or nobody formats here.
    assert_eq!(imports("//- biome.json\n{ \"formatter\": { \"lineWidth\": 20 } }\n"), many);
    assert_eq!(imports(""), many);
}

#[test]
fn ru1_fixes_end_and_a_second_run_changes_nothing() {
    with_project(REACT, |world| {
        let cancel = Cancel::new();
        let rules = select(&names(&["all"]), &[]).expect("rules");
        let fixes = fix(world, &rules, &options(&cancel), FixOptions::default());
        assert_eq!(fixes.changes.len(), 1);
        assert!(fixes.refused.is_empty());
        let text = world.text("src/cart.tsx").expect("it is there");
        expect![[r#"
            export const Cart = ({ count }: { count: number }) => <b>{count ? <i>{count}</i> : null}</b>;
        "#]]
        .assert_eq(&text);
        let again = fix(world, &rules, &options(&cancel), FixOptions::default());
        assert!(again.changes.is_empty());
    });
}

#[test]
fn ru1_repairs_can_be_left_out() {
    with_project(REACT, |world| {
        let cancel = Cancel::new();
        let rules = select(&names(&["all"]), &[]).expect("rules");
        let how = FixOptions { no_repairs: true, ..FixOptions::default() };
        assert!(fix(world, &rules, &options(&cancel), how).changes.is_empty());
    });
}

#[test]
fn ru1_a_baseline_knows_findings_by_their_text() {
    let rules = select(&names(&["rendering-conditional-render"]), &[]).expect("rules");
    let look = |fixture: &str, known: Option<&Baseline>| {
        with_project(fixture, |world| {
            let cancel = Cancel::new();
            let found = check(world, &rules, &options(&cancel)).findings;
            let text = world.text("src/cart.tsx").expect("it is there");
            let line = |it: &Finding| {
                text.lines().nth(it.line as usize - 1).unwrap_or_default().to_owned()
            };
            let baseline = Baseline::of(&found, &line);
            let new = known.map_or(Vec::new(), |known| known.new_ones(found, &line));
            (baseline, shown(&new))
        })
    };
    let (baseline, _) = look(REACT, None);
    let text = serde_json::to_vec(&baseline).expect("plain data");
    let baseline = Baseline::read(&text).expect("it can be read back");
    let moved = REACT.replace("export const", "const x = 1;\n\nexport const");
    assert_eq!(look(&moved, Some(&baseline)).1, "");
    let line = "export const B = ({ n }: { n: number }) => <b>{n && <i/>}</b>;\n";
    let more = format!("{REACT}{line}");
    assert_eq!(
        look(&more, Some(&baseline)).1,
        "src/cart.tsx:2:48 note rendering-conditional-render\n"
    );
    assert!(Baseline::read(b"{}").is_err());
    assert!(Baseline::read(br#"{"version":9,"findings":{}}"#).is_err());
}

#[test]
fn ru4_rules_of_the_project_run_like_the_built_in_ones() {
    let rule = "id: no-print\nlanguage: Python\nseverity: warning\nmessage: use the log, not print\nrule: { pattern: print($A) }\nfix: log($A)\n";
    let (rules, errors) = own::load(&[(".refactor-bot/rules/a.yml".to_owned(), rule.to_owned())]);
    assert!(errors.is_empty(), "{errors:?}");
    let fixture = "//- a.py\nprint(1)\nprint(2)  # refactor-bot-disable-line no-print\n";
    with_project(fixture, |world| {
        let cancel = Cancel::new();
        let ids = names(&["no-print"]);
        let found = check_own(world, &rules, &ids, &options(&cancel));
        assert_eq!(shown(&found.findings), "a.py:1:1 warning no-print\n");
        assert_eq!(found.silenced.len(), 1);
        let fixes = fix_own(world, &rules, &ids, &options(&cancel));
        assert_eq!(fixes.changes.len(), 1);
        let text = world.text("a.py").expect("it is there");
        assert_eq!(&*text, "log(1)\nprint(2)  # refactor-bot-disable-line no-print\n");
    });
}

#[test]
fn ru1_names_choose_rules() {
    let ids = |chosen: &[&str], skip: &[&str]| -> String {
        match select(&names(chosen), &names(skip)) {
            Ok(rules) => rules.iter().map(|rule| rule.id).collect::<Vec<_>>().join(" "),
            Err(error) => format!("{error}; {}", error.nearest.join(", ")),
        }
    };
    expect!["async-defer-await async-parallel async-dependencies async-api-routes async-suspense-boundaries async-cheap-condition-before-await"]
        .assert_eq(&ids(&["async"], &[]));
    expect!["js-hoist-regexp"].assert_eq(&ids(&["js-hoist-regexp", "js-hoist-regexp"], &[]));
    expect!["there is no rule, category or bundle `async-paralel`; async-parallel"]
        .assert_eq(&ids(&["async-paralel"], &[]));
    assert!(!ids(&[], &[]).contains("js-combine-iterations"), "audit rules are asked for");
    assert!(ids(&["all"], &[]).contains("js-combine-iterations"));
    assert!(!ids(&["all"], &["js"]).contains("js-"));
}
