//! A heavy widget is loaded with the page, although nobody needs it for the first look.

use oxc_ast::ast::JSXElement;
use rb_ecma::{ImportBinding, Imported, Module};

use super::heavy::{Heavy, brings, heavy, heavy_in, is_loaded_above, is_loaded_at_once};
use super::lazy::{Loader, lazily};
use super::shown::{is_stand_in, may_wait};
use super::uses::{is_later, only_tags, value_imports, value_uses};
use crate::cx::{Cx, Hit};
use crate::facts::{Directive, Facts, FileKind, Route};
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};
use crate::world::Target;

pub static RULE: Rule = Rule {
    id: "bundle-dynamic-imports",
    title: "A heavy component is loaded before anybody needs it",
    category: Category::Bundle,
    impact: Impact::Critical,
    fix: FixKind::Assist,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "Client code imports a component that needs a code editor, a map, charts, a 3D engine or the like, \
               directly or through a project file, and only renders it as an element in something the user opens or \
               enables. Or such a library is imported at the top and used only in event handlers and effects.",
        why: "Hundreds of kilobytes are downloaded, parsed and run before the page reacts.",
        wrong: "'use client';\nimport { CodeArea } from './code-area';\nexport const Panel = ({ open }) => open && <CodeArea />;",
        right: "'use client';\nimport dynamic from 'next/dynamic';\n\
                const CodeArea = dynamic(() => import('./code-area').then((m) => m.CodeArea), { ssr: false });\n\
                export const Panel = ({ open }) => open && <CodeArea />;",
        safe: "Always a draft: there is a loading state to design, a download that can fail, and with `ssr: false` \
               (allowed only in client files) the server renders nothing in its place. The draft uses `dynamic` of \
               Next.js, or `lazy` inside a `Suspense`.",
        leave: "The widget is the purpose of the page and visible at once. If that can be detected, nothing is \
                reported.",
        given: &[
            Given::Next(15, 1),
            Given::File(
                "src/code-area.tsx",
                "'use client';\nimport Editor from '@monaco-editor/react';\nexport const CodeArea = () => <Editor />;",
            ),
            Given::File(
                "src/app/page.tsx",
                "import { Panel } from '../example';\nexport default () => <Panel open />;",
            ),
        ],
    },
    wants: &["import"],
    applies: |facts| {
        facts.package.uses_react
            && !facts.package.react_native
            // Its files are there already.
            && !facts.package.depends_on("electron")
            && facts.is_client()
            && facts.kind == FileKind::Source
    },
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let imports = value_imports(module);
    let mut hits = Vec::new();
    for binding in &imports {
        let own = heavy(binding.source);
        let hit = match own {
            Some(found) => direct(cx, &imports, binding, found),
            None => through(cx, &imports, binding),
        };
        hits.extend(hit);
    }
    if !hits.is_empty() && is_loaded_at_once(cx) {
        for hit in hits {
            cx.report(hit);
        }
    }
}

/// The package itself is imported here.
fn direct<'a>(
    cx: &Cx<'_, 'a>,
    imports: &[&ImportBinding<'a>],
    binding: &ImportBinding<'a>,
    found: Heavy,
) -> Option<Hit> {
    let module = cx.module;
    let is_alone = imports.iter().filter(|it| it.source == binding.source).count() == 1;
    if let Some(elements) =
        only_tags(module, binding.symbol).filter(|_| is_alone && found.is_widget)
    {
        let message = format!(
            "`{}` ({}) is loaded with the page; load it when it is first rendered",
            binding.source, found.what
        );
        return said(cx, binding, &elements, &message);
    }
    let mut uses = value_uses(module, binding.symbol).peekable();
    // A file of several such packages is made for them: whoever imports it is told.
    if imports.iter().any(|it| it.source != binding.source && heavy(it.source).is_some()) {
        return None;
    }
    // With several names of the package, one word is enough.
    let is_first = imports.iter().find(|it| it.source == binding.source)?.symbol == binding.symbol;
    let all_later = imports
        .iter()
        .filter(|it| it.source == binding.source)
        .all(|it| value_uses(module, it.symbol).all(|it| is_later(module, it.node)));
    (uses.peek().is_some() && is_first && all_later).then(|| {
        Hit::at(
            binding.declaration.span,
            format!(
                "`{}` ({}) is not needed for the first render; load it where it is used with `await import('{}')`",
                binding.source, found.what, binding.source
            ),
        )
    })
}

/// A component of the project that needs a heavy package.
fn through<'a>(
    cx: &Cx<'_, 'a>,
    imports: &[&ImportBinding<'a>],
    binding: &ImportBinding<'a>,
) -> Option<Hit> {
    if binding.imported == Imported::Namespace {
        return None;
    }
    // As long as something else of that file is needed at once, nothing is loaded later.
    let stays = |it: &&ImportBinding<'a>| {
        it.source == binding.source
            && it.symbol != binding.symbol
            && only_tags(cx.module, it.symbol)
                .is_none_or(|all| !all.iter().all(|it| may_wait(cx.module, it)))
    };
    if imports.iter().any(stays) {
        return None;
    }
    let elements = only_tags(cx.module, binding.symbol)?;
    let (file, _) = cx.origin(binding).filter(|(file, _)| **file != *cx.facts.path)?;
    let (package, found) = heavy_in(cx.world, &file)?;
    // A file that imports the package itself, if only for its types, is made for it: whoever imports that is told.
    let is_of_it = |source: &str| heavy(source).is_some_and(|it| it.what == found.what);
    if cx.module.import_declarations().any(|it| is_of_it(it.source.value.as_str()))
        || is_loaded_above(cx, found)
        || is_loaded_beside(cx, imports, binding, found)
        || (!cx.facts.package.uses_next && is_drawn_elsewhere(cx, &file))
    {
        return None;
    }
    let message = format!(
        "`{}` pulls `{package}` ({}) into the initial bundle; load it when it is first rendered",
        binding.local, found.what
    );
    said(cx, binding, &elements, &message)
}

/// Does something else that the file imports, and that cannot wait, bring such a package along?
fn is_loaded_beside<'a>(
    cx: &Cx<'_, 'a>,
    imports: &[&ImportBinding<'a>],
    binding: &ImportBinding<'a>,
    found: Heavy,
) -> bool {
    imports.iter().filter(|it| it.symbol != binding.symbol).any(|it| {
        let waits = only_tags(cx.module, it.symbol)
            .is_some_and(|all| all.iter().all(|it| may_wait(cx.module, it)));
        !waits && cx.origin(it).is_some_and(|(file, _)| brings(cx.world, &file, found))
    })
}

/// Does another file draw something of this one at once? Where nothing parts the pages from each other, it is loaded then.
fn is_drawn_elsewhere(cx: &Cx<'_, '_>, file: &str) -> bool {
    cx.world.importers(file).iter().filter(|it| **it != *cx.facts.path).any(|importer| {
        let target = Target::File(file.to_owned());
        let found = cx.world.ask("draws a file at once", importer, file, |module| {
            value_imports(module).into_iter().any(|it| {
                cx.world.resolve(importer, it.source) == target
                    && only_tags(module, it.symbol)
                        .is_none_or(|all| !all.iter().all(|it| may_wait(module, it)))
            })
        });
        found.unwrap_or(false)
    })
}

fn said<'a>(
    cx: &Cx<'_, 'a>,
    binding: &ImportBinding<'a>,
    elements: &[&'a JSXElement<'a>],
    message: &str,
) -> Option<Hit> {
    // The file that mounts an application has nothing else to show.
    if cx.facts.is_root && !cx.facts.package.uses_next {
        return None;
    }
    let hit = Hit::at(binding.span, message);
    if !elements.iter().all(|it| may_wait(cx.module, it)) {
        let is_shown = !elements.is_empty()
            && cx.facts.route.is_none()
            && !elements.iter().any(|it| is_stand_in(cx.module, it));
        return is_shown.then(|| hit.likely("it may be the main content of the page"));
    }
    let loader = loader(cx.facts);
    // Who is handed an element may give it props of its own, which a `Suspense` around would keep.
    if loader == Loader::React && elements.iter().any(|it| is_handed_on(cx.module, it)) {
        return Some(hit);
    }
    Some(match lazily(cx.module, binding, elements, loader) {
        Some(edits) => {
            hit.assist(format!("load `{}` when it is first rendered", binding.local), edits)
        }
        None => hit,
    })
}

/// `ssr: false` is for client files alone.
pub(super) fn loader(facts: &Facts) -> Loader {
    if !facts.package.uses_next {
        return Loader::React;
    }
    let is_client =
        facts.directive == Some(Directive::UseClient) || facts.route == Some(Route::App);
    Loader::Next { ssr: !is_client }
}

/// `shape={<Area />}`.
fn is_handed_on<'a>(module: &Module<'a>, element: &'a JSXElement<'a>) -> bool {
    use oxc_ast::AstKind;
    let mut around = module.ancestors(element.node_id.get());
    matches!(around.next(), Some(AstKind::JSXExpressionContainer(_)))
        && matches!(around.next(), Some(AstKind::JSXAttribute(_)))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::facts::Realm;
    use crate::finding::Certainty;
    use crate::testing::{Setup, check_doc};

    const AREA: &str = "import Editor from '@monaco-editor/react';\nexport const Area = () => <Editor />;\nexport default Area;";

    fn setup() -> Setup {
        Setup::new().file("src/area.tsx", AREA).file(
            "src/app.tsx",
            "import { Panel } from './example';\nexport const App = () => <Panel />;",
        )
    }

    #[test]
    fn ru1_bundle_dynamic_imports_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_bundle_dynamic_imports_through_a_file_of_the_project() {
        setup().check(
            &RULE,
            "import { useState } from 'react';
import { Area } from './area';

export function Panel({ open }) {
  return <div>{open && <Area />}</div>;
}
",
            expect![[r#"
                2:10 error: `Area` pulls `@monaco-editor/react` (a code editor) into the initial bundle; load it when it is first rendered [assist: load `Area` when it is first rendered]
                --- assist
                import { useState, lazy, Suspense } from 'react';

                const Area = lazy(() => import('./area').then((m) => ({ default: m.Area })));

                export function Panel({ open }) {
                  return <div>{open && <Suspense fallback={null}><Area /></Suspense>}</div>;
                }

            "#]],
        );
        setup().next(15, 1).check(
            &RULE,
            "'use client'\nimport Area from './area'\nimport x from 'x'\n\nexport const Panel = ({ open }) => open && <Area />\n",
            expect![[r#"
                2:8 error: `Area` pulls `@monaco-editor/react` (a code editor) into the initial bundle; load it when it is first rendered [assist: load `Area` when it is first rendered]
                --- assist
                'use client'
                import x from 'x'
                import dynamic from 'next/dynamic'

                const Area = dynamic(() => import('./area'), { ssr: false })

                export const Panel = ({ open }) => open && <Area />

            "#]],
        );
    }

    #[test]
    fn ru1_bundle_dynamic_imports_of_the_package() {
        setup().check(
            &RULE,
            "import Editor from '@monaco-editor/react';\nexport const Panel = ({ open }) => open && <Editor />;",
            expect![[r#"
                1:8 error: `@monaco-editor/react` (a code editor) is loaded with the page; load it when it is first rendered [assist: load `Editor` when it is first rendered]
                --- assist
                import { lazy, Suspense } from 'react';

                const Editor = lazy(() => import('@monaco-editor/react'));

                export const Panel = ({ open }) => open && <Suspense fallback={null}><Editor /></Suspense>;
            "#]],
        );
        setup().check(
            &RULE,
            "import * as XLSX from 'xlsx';
import { useEffect } from 'react';
export const Panel = ({ rows }) => {
  useEffect(() => { XLSX.read(rows); }, [rows]);
  const save = () => XLSX.write(rows);
  return <button onClick={save} onFocus={() => XLSX.read(1)}>Save</button>;
};",
            expect![[r#"
                1:1 error: `xlsx` (a spreadsheet library) is not needed for the first render; load it where it is used with `await import('xlsx')`
            "#]],
        );
    }

    #[test]
    fn ru1_bundle_dynamic_imports_drafts_no_element_that_is_handed_on() {
        setup().check(
            &RULE,
            "import { Area } from './area';\nexport const Panel = () => <Dialog shape={<Area />} />;",
            expect![[r#"
                1:10 error: `Area` pulls `@monaco-editor/react` (a code editor) into the initial bundle; load it when it is first rendered
            "#]],
        );
    }

    #[test]
    fn ru1_bundle_dynamic_imports_leaves() {
        let text =
            "import { Area } from './area';\nexport const Panel = ({ open }) => open && <Area />;";
        assert_eq!(setup().findings(&RULE, text).len(), 1);
        // Server code; a test project without the package; a file that is loaded late itself.
        setup().realm(Realm::Server).silent(&RULE, text);
        setup().file("src/area.tsx", "export const Area = () => <b />;").silent(&RULE, text);
        setup()
            .file("src/app.tsx", "import { lazy } from 'react';\nconst P = lazy(() => import('./example'));\nexport const App = () => <P />;")
            .silent(&RULE, text);
        // The file that mounts the application.
        setup().root().silent(
            &RULE,
            "import { Area } from './area';\nroot.render(<StrictMode>{open && <Area />}</StrictMode>);",
        );
        // Used as a value too: static members, wrappers, `typeof`.
        for line in [
            "Area.displayName = 'A';",
            "export const B = memo(Area);",
            "export const s = typeof Area;",
        ] {
            setup().silent(&RULE, &format!("{text}\n{line}"));
        }
        setup().silent(
            &RULE,
            "import Area from './area';\nexport const Panel = ({ open }) => open && <Area.Line />;",
        );
        // Parts of a PDF live in a document that is written as a whole, on a server as a rule.
        setup()
            .file("src/area.tsx", "import { StyleSheet, Text } from '@react-pdf/renderer';\nconst s = StyleSheet.create({});\nexport const Area = () => <Text style={s} />;")
            .silent(&RULE, text);
        // Types alone, on either side.
        setup().silent(&RULE, "import type { Area } from './area';\nexport type P = typeof Area;");
        setup().file("src/area.tsx", "import type { Editor } from '@monaco-editor/react';\nexport const Area = () => <b />;").silent(&RULE, text);
        // Parts of a chart are told apart by their type: the file as a whole is what could be loaded later.
        setup().silent(&RULE, "import { LineChart, Line } from 'recharts';\nexport const Panel = () => <LineChart><Line /></LineChart>;");
        // The file is made for the library itself, or keeps something else of the file that brings it.
        let chart = "import { ResponsiveContainer } from 'recharts';\nexport const Box = () => <ResponsiveContainer />;\nexport const sizes = [1];";
        setup().file("src/chart.tsx", chart).silent(&RULE, "import { Bar, BarChart } from 'recharts';\nimport { Box } from './chart';\nexport const Panel = ({ open }) => open && <Box><BarChart><Bar /></BarChart></Box>;");
        setup().file("src/chart.tsx", chart).silent(&RULE, "import { Box, sizes } from './chart';\nexport const Panel = ({ open }) => open && <Box size={sizes[0]} />;");
        setup().silent(&RULE, "import type { Monaco } from '@monaco-editor/react';\nimport { Area } from './area';\nexport const Panel = ({ open }: { open: Monaco }) => open && <Area on={open} />;");
        // Needed while rendering.
        setup().silent(
            &RULE,
            "import * as THREE from 'three';\nexport const Panel = () => <b>{THREE.REVISION}</b>;",
        );
        // A file that is made for the library: its importers are told.
        setup().silent(&RULE, "import { useEffect } from 'react';\nimport { EditorState } from '@codemirror/state';\nimport { EditorView } from '@codemirror/view';\nexport const Panel = () => { useEffect(() => { new EditorView({ state: EditorState.create() }); }); return <b />; };");
        setup().silent(&RULE, "import { useEffect } from 'react';\nimport { EditorState } from '@codemirror/state';\nimport { EditorView } from 'codemirror';\nexport const Panel = () => { const all = EditorView.updateListener.of(1); useEffect(() => { new EditorView({ state: EditorState.create({ all }) }); }); return <b />; };");
        // Already late.
        setup().silent(&RULE, "import { lazy } from 'react';\nconst Area = lazy(() => import('./area'));\nexport const Panel = ({ open }) => open && <Area />;");
    }

    #[test]
    fn ru1_bundle_dynamic_imports_of_what_the_page_is_for() {
        let found = |body: &str| {
            let text = format!(
                "import * as React from 'react';\nimport {{ Area }} from './area';\nexport const Panel = ({{ open, mode, data, chart }}) => {body};"
            );
            let found = setup().findings(&RULE, &text);
            found.iter().filter(|it| it.certainty == Certainty::Proved).count()
        };
        for body in [
            "<Area />",
            "<main><h1>Edit</h1><Area /></main>",
            // Data comes, and there it is.
            "data.isLoading ? <Skeleton /> : <Area />",
            "data.map((it) => <Area key={it} />)",
            "chart ? <Area /> : <b />",
            "mode === 'code' && <Area />",
            "open ? <b /> : <Area />",
            "!open && <Area />",
            "<div>{open && <Area />}<Area /></div>",
        ] {
            assert_eq!(found(body), 0, "{body}");
        }
        for body in [
            "open ? <Area /> : <b />",
            "{ const [tab] = React.useState<Tab>('text'); if (tab === 'code') { return <p><Area /></p>; } return <b />; }",
            "chart.isEditing && <Area />",
            "<Dialog><DialogContent><Area /></DialogContent></Dialog>",
            "<Tabs.Panel><p><Area /></p></Tabs.Panel>",
        ] {
            assert_eq!(found(body), 1, "{body}");
        }
    }

    #[test]
    fn ru1_bundle_dynamic_imports_of_what_stands_in() {
        // A skeleton is what is shown first; as long as it comes from the file, so does the rest of it.
        let area = "import { BarChart } from 'recharts';\nexport const Area = () => <BarChart />;\nexport const AreaSkeleton = () => <i />;";
        let text = |names: &str, none: &str| {
            format!(
                "import {{ {names} }} from './area';\nexport const Panel = ({{ open }}) => open ? <Area /> : {none};"
            )
        };
        let found = |text: &str| setup().file("src/area.tsx", area).findings(&RULE, text).len();
        assert_eq!(found(&text("Area", "<b />")), 1);
        assert_eq!(found(&text("Area, AreaSkeleton", "<AreaSkeleton />")), 0);
    }

    #[test]
    fn ru1_bundle_dynamic_imports_of_what_is_in_the_bundle_anyway() {
        let text =
            "import { Area } from './area';\nexport const Panel = ({ open }) => open && <Area />;";
        let app = "import Editor from '@monaco-editor/react';\nimport { Panel } from './example';\nexport const App = () => <Editor><Panel /></Editor>;";
        assert_eq!(setup().findings(&RULE, text).len(), 1);
        setup().file("src/app.tsx", app).silent(&RULE, text);
        // In another place of an application of one page, or of a program with its files at hand.
        let other = setup().file(
            "src/other.tsx",
            "import { Area } from './area';\nexport const Other = () => <Area />;",
        );
        other.silent(&RULE, text);
        assert_eq!(other.next(15, 1).findings(&RULE, text).len(), 1);
        let desktop = setup().package(|it| {
            it.dependencies.insert("electron".into());
        });
        desktop.silent(&RULE, text);
        // By something else that is shown at once.
        setup()
            .file("src/frame.tsx", "import { Area } from './area';\nexport const Frame = () => <Area />;")
            .silent(&RULE, "import { Area } from './area';\nimport { Frame } from './frame';\nexport const Panel = ({ open }) => <Frame>{open && <Area />}</Frame>;");
    }

    #[test]
    fn ru1_bundle_dynamic_imports_candidates() {
        let text = "import { Area } from './area';\nexport const Panel = ({ code }) => <Area value={code} />;";
        setup().likely(&RULE, text);
    }
}
