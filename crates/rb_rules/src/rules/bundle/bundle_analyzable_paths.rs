//! `import(x)` with a path that no tool can see.

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, CallExpression, Expression, ImportExpression, ObjectPropertyKind};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;

use super::uses::is_backend;
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "bundle-analyzable-paths",
    title: "The bundler cannot see what is imported here",
    category: Category::Bundle,
    impact: Impact::High,
    fix: FixKind::Assist,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "`import(x)` or `require(x)` has a path that is neither a string nor a template with a fixed \
               beginning. On the server: `path.join(process.cwd(), x)` without a fixed folder.",
        why: "The bundler includes everything that might match, or nothing at all; so does file tracing for \
              deployment.",
        wrong: "const FILES = { a: './a', b: './b' };\nexport const load = (k: 'a' | 'b') => import(FILES[k]);",
        right: "const LOAD = { a: () => import('./a'), b: () => import('./b') };\nexport const load = (k: 'a' | 'b') => LOAD[k]();",
        safe: "A draft is offered if the paths are the strings of one object in the same file that is used for \
               nothing else. An unknown key then throws at once instead of returning a rejected promise.",
        leave: "The paths are plugins that are not known at build time: say so with the bundler's ignore comment.",
        given: &[],
    },
    wants: &["import(", "require", "cwd()", "import ("],
    // A plain server is not bundled: it may load what it likes.
    applies: |facts| {
        let is_bundled = facts.is_client() || facts.package.uses_next;
        let is_apart = is_backend(&facts.path) && !facts.package.uses_next;
        facts.package.uses_react && is_bundled && !is_apart && facts.kind == FileKind::Source
    },
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let mut hits = Vec::new();
    for node in module.nodes().iter() {
        match node.kind() {
            AstKind::ImportExpression(it) => hits.extend(import(module, it)),
            AstKind::CallExpression(it) if is_require(module, it) => {
                hits.extend(require(module, it));
            }
            AstKind::CallExpression(it) if cx.facts.is_server() => hits.extend(join(module, it)),
            _ => {}
        }
    }
    for hit in hits {
        cx.report(hit);
    }
}

fn import<'a>(module: &Module<'a>, it: &'a ImportExpression<'a>) -> Option<Hit> {
    if is_seen(module, &it.source)
        || is_ignored(module, it.span)
        || is_plugin(module, it.node_id.get(), it.source.span())
    {
        return None;
    }
    let hit = Hit::at(it.span, message(module, "import", it.source.span()));
    Some(match loaders(module, it) {
        Some(edits) => hit.assist("move the `import()` calls into the object", edits),
        None => hit,
    })
}

fn require<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> Option<Hit> {
    let source = call.arguments.first()?.as_expression()?;
    let is_fine = is_seen(module, source)
        || is_ignored(module, call.span)
        || is_plugin(module, call.node_id.get(), source.span());
    (!is_fine).then(|| Hit::at(call.span, message(module, "require", source.span())))
}

fn message(module: &Module<'_>, what: &str, source: Span) -> String {
    let text = module.slice(source);
    let text = if text.len() > 40 || text.contains('\n') { "…" } else { text };
    format!(
        "bundlers cannot analyze `{what}({text})`; write the paths out or start with a fixed folder"
    )
}

fn is_require<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    module.is_global_named(&call.callee, "require") && call.arguments.len() == 1
}

/// A string, a template or a sum that begins with a fixed part, or a choice between such.
fn is_seen<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    match module.resolved(expression) {
        Expression::StringLiteral(_) => true,
        Expression::TemplateLiteral(it) => {
            let first = it.quasis.first().map_or("", |it| it.value.raw.as_str());
            it.expressions.is_empty()
                || is_fixed(first)
                || (first.is_empty()
                    && it.expressions.first().is_some_and(|it| is_fixed_name(module, it)))
        }
        Expression::BinaryExpression(it) => is_seen_start(&it.left),
        Expression::ConditionalExpression(it) => {
            is_seen(module, &it.consequent) && is_seen(module, &it.alternate)
        }
        _ => false,
    }
}

fn is_seen_start(left: &Expression<'_>) -> bool {
    match left.get_inner_expression() {
        Expression::StringLiteral(it) => is_fixed(it.value.as_str()),
        Expression::BinaryExpression(it) => is_seen_start(&it.left),
        _ => false,
    }
}

/// A constant of the file is put in by every bundler.
fn is_fixed_name<'a>(module: &Module<'a>, it: &Expression<'a>) -> bool {
    matches!(module.resolved(it), Expression::StringLiteral(it) if is_fixed(it.value.as_str()))
}

/// More than `./`: a folder or the beginning of a name.
fn is_fixed(start: &str) -> bool {
    !start.trim_start_matches(['.', '/']).is_empty()
        || start.starts_with("./")
        || start.starts_with("../")
}

/// `/* webpackIgnore: true */`, `/* @vite-ignore */`
fn is_ignored(module: &Module<'_>, span: Span) -> bool {
    module.has_comment(span) && {
        let text = module.slice(span);
        ["webpackIgnore", "@vite-ignore", "turbopackIgnore"].iter().any(|it| text.contains(it))
    }
}

/// What is loaded is a plugin, a module from elsewhere: nobody can know its path before.
fn is_plugin(module: &Module<'_>, node: NodeId, source: Span) -> bool {
    // `["fs"].join()` is there to be seen by nobody.
    const WORDS: &[&str] = &["plugin", "url", "href", "remote", "config", "external", "].join("];
    let has_word = |text: &str| {
        let text = text.to_lowercase();
        WORDS.iter().any(|it| text.contains(it))
    };
    let around = module.ancestors(node).filter_map(rb_ecma::Func::of);
    let mut names = around.filter_map(|it| module.function_view(it)?.name);
    has_word(module.slice(source)) || names.any(has_word)
}

/// `path.join(process.cwd(), x)`
fn join<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> Option<Hit> {
    let callee =
        ["path", "node:path"].iter().find_map(|it| module.export_name(&call.callee, it))?;
    if !["join", "resolve"].contains(&callee) {
        return None;
    }
    let [first, second, ..] = call.arguments.as_slice() else { return None };
    let second = second.as_expression()?;
    if let Some(hit) = is_cwd(module, first).then(|| sum(module, call, second)).flatten() {
        return Some(hit);
    }
    let is_open = is_cwd(module, first) && !is_seen(module, second);
    let is_constant = module.types(second).is_only(rb_ecma::Types::NUMBER)
        || module.symbol_of(second).is_some_and(|it| module.is_top_level(it));
    (is_open && !is_constant).then(|| {
        let text = module.slice(second.span());
        Hit::at(
            call.span,
            format!("`{text}` can match any file in the working directory, so all are bundled; put a fixed folder first"),
        )
        .low()
    })
}

/// `path.join(process.cwd(), 'content/' + kind)`: the folder is fixed, and which of its files is meant is not.
fn sum<'a>(module: &Module<'a>, call: &CallExpression<'a>, second: &Expression<'a>) -> Option<Hit> {
    let is_sum = match second.get_inner_expression() {
        Expression::BinaryExpression(it) => is_seen_start(&it.left),
        Expression::TemplateLiteral(it) => {
            !it.expressions.is_empty()
                && it.quasis.first().is_some_and(|it| is_fixed(it.value.raw.as_str()))
        }
        _ => false,
    };
    let text = module.slice(second.span());
    let message = format!(
        "every file that `{text}` can match is bundled; write each path out if there are few"
    );
    is_sum.then(|| Hit::at(call.span, message).likely("there may be too many to write out"))
}

fn is_cwd<'a>(module: &Module<'a>, argument: &Argument<'a>) -> bool {
    let Some(Expression::CallExpression(call)) = argument.as_expression() else { return false };
    let Expression::StaticMemberExpression(member) = &call.callee else { return false };
    member.property.name == "cwd" && module.is_global_named(&member.object, "process")
}

/// `import(FILES[k])` with the strings of one object: the object gets functions, and they are called.
fn loaders<'a>(module: &Module<'a>, it: &'a ImportExpression<'a>) -> Option<Vec<Edit>> {
    let Expression::ComputedMemberExpression(member) = it.source.get_inner_expression() else {
        return None;
    };
    let symbol = module.symbol_of(&member.object)?;
    let Expression::ObjectExpression(object) = module.initializer(symbol)?.get_inner_expression()
    else {
        return None;
    };
    let mut edits = Vec::new();
    for property in &object.properties {
        let ObjectPropertyKind::ObjectProperty(property) = property else { return None };
        let Expression::StringLiteral(path) = &property.value else { return None };
        let start = path.span.start;
        edits.push(Edit::insert(start, "() => import("));
        edits.push(Edit::insert(path.span.end, ")"));
    }
    for span in imports_of(module, symbol)? {
        let text = module.slice(span.1);
        edits.push(Edit::replace(span.0.start, span.0.end, format!("{text}()")));
    }
    let is_typed = module.declarator(symbol).is_some_and(|it| it.type_annotation.is_some());
    let is_given_on = matches!(
        module
            .declarator(symbol)
            .map(|it| module.parent(module.nodes().parent_id(it.node_id.get()))),
        Some(AstKind::ExportDeclaration(_))
    );
    (!edits.is_empty() && !is_typed && !is_given_on).then_some(edits)
}

/// Every `import(X[…])` of a name that is used for nothing else: the import, and what is in it.
fn imports_of(module: &Module<'_>, symbol: SymbolId) -> Option<Vec<(Span, Span)>> {
    let mut found = Vec::new();
    for it in module.uses(symbol) {
        let AstKind::ComputedMemberExpression(member) = module.parent(it.node) else {
            // `keyof typeof FILES` stays true.
            if it.is_type() || it.flags.is_value_as_type() {
                continue;
            }
            return None;
        };
        let AstKind::ImportExpression(import) = module.parent(member.node_id.get()) else {
            return None;
        };
        if import.options.is_some()
            || module.has_comment(import.span)
            || member.object.span() != it.span
        {
            return None;
        }
        found.push((import.span, member.span));
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::facts::Realm;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_bundle_analyzable_paths_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_bundle_analyzable_paths_finds() {
        Setup::new().check(
            &RULE,
            "export const a = (name: string) => import(name);
export const b = (name: string) => require(name + '.js');
export const c = (dir: string, name: string) => import(`${dir}/${name}`);",
            expect![[r#"
                1:36 warning: bundlers cannot analyze `import(name)`; write the paths out or start with a fixed folder
                2:36 warning: bundlers cannot analyze `require(name + '.js')`; write the paths out or start with a fixed folder
                3:49 warning: bundlers cannot analyze `import(`${dir}/${name}`)`; write the paths out or start with a fixed folder
            "#]],
        );
        Setup::new().check(
            &RULE,
            "const PAGES = {\n  home: './home', // first\n  'not-found': \"./404\",\n} as const;
export const load = (k: keyof typeof PAGES) => import(PAGES[k]).then((m) => m.default);\n",
            expect![[r#"
                5:48 warning: bundlers cannot analyze `import(PAGES[k])`; write the paths out or start with a fixed folder [assist: move the `import()` calls into the object]
                --- assist
                const PAGES = {
                  home: () => import('./home'), // first
                  'not-found': () => import("./404"),
                } as const;
                export const load = (k: keyof typeof PAGES) => PAGES[k]().then((m) => m.default);

            "#]],
        );
        // Used for something else as well, or of a written type: no draft.
        Setup::new().check(
            &RULE,
            "const P: Record<string, string> = { a: './a' };\nexport const l = (k: string) => import(P[k]);
const Q = { a: './a' };\nexport const m = (k: string) => [Q[k], import(Q[k])];",
            expect![[r#"
                2:33 warning: bundlers cannot analyze `import(P[k])`; write the paths out or start with a fixed folder
                4:40 warning: bundlers cannot analyze `import(Q[k])`; write the paths out or start with a fixed folder
            "#]],
        );
    }

    #[test]
    fn ru1_bundle_analyzable_paths_on_the_server() {
        Setup::new().next(15, 1).realm(Realm::Server).check(
            &RULE,
            "import path from 'node:path';\nimport { join } from 'path';
export const a = (file: string) => path.join(process.cwd(), file);
export const b = (file: string) => join(process.cwd(), 'content', file);",
            expect![[r#"
                3:36 note: `file` can match any file in the working directory, so all are bundled; put a fixed folder first
            "#]],
        );
    }

    #[test]
    fn ru1_bundle_analyzable_paths_leaves() {
        let setup = Setup::new();
        for code in [
            "import('./a')",
            "import(`./locales/${x}.json`)",
            "import('./locales/' + x + '.json')",
            "import(dark ? './a' : './b')",
            "require('./a')",
            "import(PATH)",
            // Plugins, and what the author has marked.
            "import(pluginPath)",
            "require(['fs'].join())",
            "import(/* webpackIgnore: true */ x)",
            "import(/* @vite-ignore */ x)",
            "loadPlugin(x)",
        ] {
            setup.silent(&RULE, &format!("const PATH = './p';\nconst loadPlugin = (it) => import(it);\nexport const f = (x, dark) => {code};"));
        }
        setup
            .silent(&RULE, "import { require } from './own';\nexport const f = (x) => require(x);");
        // Only server code is traced.
        setup.silent(
            &RULE,
            "import path from 'path';\nexport const a = (f) => path.join(process.cwd(), f);",
        );
        // A server without a bundler.
        let server = "export const a = (f) => require(f);";
        setup.clone().path("server/utils/fs.ts").silent(&RULE, server);
        setup.clone().path("packages/tools-cli/src/build.ts").silent(&RULE, server);
        setup.realm(Realm::Server).silent(&RULE, "export const a = (f) => require(f);");
    }

    #[test]
    fn ru1_bundle_analyzable_paths_candidates() {
        let setup = Setup::new().next(15, 0).realm(crate::facts::Realm::Server);
        let text = "import path from 'node:path';\nexport const dir = (kind) => path.join(process.cwd(), 'content/' + kind);";
        setup.likely(&RULE, text);
        setup.silent(&RULE, &text.replace("'content/' + kind", "'content', kind"));
    }
}
