//! Data or a library that is loaded for everybody, and read only by those who switch something on.

use oxc_ast::ast::{Expression, Statement};
use rb_ecma::{ImportBinding, Module};

use super::heavy::{Heavy, heavy, is_loaded_at_once};
use super::uses::{condition_around, is_later, only_tags, value_imports, value_uses};
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};
use crate::world::{Target, World};

/// In bytes on disk.
const LARGE: u64 = 50_000;

pub static RULE: Rule = Rule {
    id: "bundle-conditional",
    title: "Large data is loaded although it may never be read",
    category: Category::Bundle,
    impact: Impact::High,
    fix: FixKind::Detect,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "Client code imports a data file of 50 kB or more, or a heavy library, and reads it only under a \
               condition on props or state, in event handlers or in effects.",
        why: "Everybody downloads and parses it; only users who enable the feature need it.",
        wrong: "import table from './big-table.json';\n\
                export const Zip = ({ on }) => (on ? <Lookup data={table} /> : null);",
        right: "import { lazy, Suspense } from 'react';\n\
                const Lookup = lazy(() => import('./lookup-with-table'));\n\
                export const Zip = ({ on }) => (on ? <Suspense fallback={null}><Lookup /></Suspense> : null);",
        safe: "No fix is offered: data that was available at once now arrives later, which needs a loading and an \
               error state.",
        leave: "The feature is on for nearly everybody, or the data is needed the moment it is enabled.",
        given: &[
            Given::File("src/big-table.json", BIG),
            Given::File(
                "src/app.tsx",
                "import { Zip } from './example';\nexport const App = () => <Zip />;",
            ),
        ],
    },
    wants: &["import"],
    applies: |facts| {
        facts.package.uses_react
            && !facts.package.react_native
            && facts.is_client()
            && facts.kind == FileKind::Source
    },
    check,
};

/// Data of a size to speak of, for the example.
const BIG: &str = match std::str::from_utf8(&[b' '; 60_000]) {
    Ok(text) => text,
    Err(_) => "",
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let mut hits = Vec::new();
    for binding in value_imports(module) {
        let Some(what) = large(cx, binding) else { continue };
        let Some(when) = only_when(module, binding) else { continue };
        hits.push(Hit::at(
            binding.declaration.span,
            format!("`{}` ({what}) is loaded with the page but used only {when}; load it there with `import()`", binding.local),
        ));
    }
    if !hits.is_empty() && is_loaded_at_once(cx) {
        for hit in hits {
            cx.report(hit);
        }
    }
}

/// What makes it worth a word: `312 kB`, `a map library`.
fn large<'a>(cx: &Cx<'_, 'a>, binding: &ImportBinding<'a>) -> Option<String> {
    if let Some(found) = heavy(binding.source) {
        // As an element, or in handlers alone, it is `bundle-dynamic-imports`' to say.
        let is_plain = only_tags(cx.module, binding.symbol).is_none()
            && value_uses(cx.module, binding.symbol).any(|it| !is_later(cx.module, it.node));
        return (is_plain && !is_loaded_anyway(cx.module, found)).then(|| found.what.to_owned());
    }
    let Target::File(file) = cx.world.resolve(&cx.facts.path, binding.source) else { return None };
    let size = cx.world.size(&file).filter(|it| *it >= LARGE)?;
    let is_json = std::path::Path::new(&file).extension().is_some_and(|it| it == "json");
    let is_data = is_json || is_data(cx.world, &file);
    is_data.then(|| format!("{} kB", size / 1000))
}

/// Does the file always use something of the same kind? Then this is a part of that, such as an extension of an editor,
/// and what weighs is loaded without it.
fn is_loaded_anyway(module: &Module<'_>, found: Heavy) -> bool {
    value_imports(module).into_iter().any(|it| {
        heavy(it.source) == Some(found)
            && value_uses(module, it.symbol).next().is_some()
            && only_when(module, it).is_none()
    })
}

/// A module of nothing but literals.
fn is_data(world: &dyn World, file: &str) -> bool {
    let found = world.ask("data module", file, "", |module| {
        module.program().body.iter().all(|it| match it {
            Statement::VariableDeclaration(it) => {
                it.declarations.iter().all(|it| it.init.as_ref().is_some_and(is_literal))
            }
            Statement::ExportDeclaration(it) => match &it.declaration {
                oxc_ast::ast::Declaration::VariableDeclaration(it) => {
                    it.declarations.iter().all(|it| it.init.as_ref().is_some_and(is_literal))
                }
                other => other.is_type(),
            },
            Statement::ExportDefaultDeclaration(it) => it
                .declaration
                .as_expression()
                .is_some_and(|it| is_literal(it) || it.get_identifier_reference().is_some()),
            Statement::ExportNamedDeclaration(_)
            | Statement::TSTypeAliasDeclaration(_)
            | Statement::TSInterfaceDeclaration(_) => true,
            Statement::ImportDeclaration(it) => it.import_kind.is_type(),
            _ => false,
        })
    });
    found.unwrap_or(false)
}

fn is_literal(expression: &Expression<'_>) -> bool {
    let inner = expression.get_inner_expression();
    inner.is_literal()
        || matches!(inner, Expression::ArrayExpression(_) | Expression::ObjectExpression(_))
}

/// When the name is read, if it is not always: `when `on` holds`.
fn only_when(module: &Module<'_>, binding: &ImportBinding<'_>) -> Option<String> {
    let mut said = None;
    for it in value_uses(module, binding.symbol) {
        let when = match condition_around(module, it.node) {
            Some(test) => {
                let test = module.slice(test);
                let is_short = test.len() <= 40 && !test.contains('\n');
                if is_short {
                    format!("in code guarded by `{test}`")
                } else {
                    "conditionally".to_owned()
                }
            }
            None if is_later(module, it.node) => "after the first render".to_owned(),
            None => return None,
        };
        said.get_or_insert(when);
    }
    said
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::{BIG, RULE};
    use crate::facts::Realm;
    use crate::testing::{Setup, check_doc};

    fn setup() -> Setup {
        let rows = format!("export const rows = [{}];", "'abcdefgh',".repeat(6_000));
        Setup::new()
            .file("src/big.json", BIG)
            .file("src/small.json", "{}")
            .file("src/rows.ts", &rows)
            .file("src/code.ts", &format!("{rows}\nexport const find = () => rows;"))
            .file("src/app.tsx", "import { A } from './example';\nexport const App = () => <A />;")
    }

    #[test]
    fn ru1_bundle_conditional_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_bundle_conditional_finds() {
        setup().check(
            &RULE,
            "import big from './big.json';
import { rows } from './rows';
import * as echarts from 'echarts';
export function A({ on, mode }) {
  const [open, setOpen] = useState(false);
  const save = async () => upload(rows);
  if (mode === 'chart') {
    return <Chart draw={echarts.init()} />;
  }
  return <div onClick={() => setOpen(true)}>{open && <Lookup data={big} />}<button onClick={save} /></div>;
}",
            expect![[r#"
                1:1 warning: `big` (60 kB) is loaded with the page but used only in code guarded by `open`; load it there with `import()`
                2:1 warning: `rows` (66 kB) is loaded with the page but used only after the first render; load it there with `import()`
                3:1 warning: `echarts` (a chart library) is loaded with the page but used only in code guarded by `mode === 'chart'`; load it there with `import()`
            "#]],
        );
    }

    #[test]
    fn ru1_bundle_conditional_leaves() {
        let one = |import: &str, code: &str| {
            format!("import big from '{import}';\nexport const A = ({{ on }}) => {code};")
        };
        // Small; code and data together; no data at all.
        setup().silent(&RULE, &one("./small.json", "on && <B x={big} />"));
        setup().silent(
            &RULE,
            "import { rows } from './code';\nexport const A = ({ on }) => on && <B x={rows} />;",
        );
        setup().silent(&RULE, &one("big-package", "on && <B x={big} />"));
        // Always read, or read at the top.
        setup().silent(&RULE, &one("./big.json", "<B x={big} />"));
        setup().silent(
            &RULE,
            &format!("{}\nconst size = big.length;", one("./big.json", "on && <B x={big} />")),
        );
        // The condition does not change while the page lives.
        setup().silent(
            &RULE,
            &format!("{}\nconst FLAG = true;", one("./big.json", "FLAG && <B x={big} />")),
        );
        // Server code.
        setup().realm(Realm::Server).silent(&RULE, &one("./big.json", "on && <B x={big} />"));
        // Already loaded late.
        setup()
            .file("src/app.tsx", "export const a = () => import('./example');")
            .silent(&RULE, &one("./big.json", "on && <B x={big} />"));
        // A part of a library that is loaded anyway.
        setup().silent(
            &RULE,
            "import Link from '@tiptap/extension-link';
import { useEditor } from '@tiptap/react';
export function A({ on }) {
  const editor = useEditor({ extensions: [...(on ? [Link] : [])] });
  return <Content editor={editor} />;
}",
        );
        // As an element it is another rule's.
        setup().silent(&RULE, "import Editor from '@monaco-editor/react';\nexport const A = ({ on }) => on && <Editor />;");
    }
}
